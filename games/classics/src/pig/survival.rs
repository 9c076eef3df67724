//! Pig as a [`Survival`] process: a turn ends the game, or with a bust, or with a hold.

use std::sync::Arc;

use search_core::estimate::{Absorption, SharedEquity, Survival};
use search_core::expr::{ExprError, Settings};
use search_core::game::{Game, Player, Returns, Turn};
use search_core::plugin::PluginError;
use search_core::rng::{Draw, SimRng};

use super::{Pig, PigState, Stage};
use crate::solve::PigSolution;

/// When both players hold.
enum Holding {
    At(u32),
    Half,
    Optimal(PigSolution),
}

impl Holding {
    /// The probability of holding with `total` gathered.
    fn probability(&self, me: u32, other: u32, total: u32) -> f64 {
        let hold = match self {
            _ if total == 0 => false,
            Self::At(at) => total >= *at,
            Self::Half => return 0.5,
            Self::Optimal(solution) => matches!(
                solution.action_values(me, other, total),
                Some((roll, Some(hold))) if hold > roll
            ),
        };
        f64::from(u8::from(hold))
    }
}

/// Two players who hold alike.
struct Turns {
    holding: Holding,
    /// Whether to tell the luck.
    control: bool,
}

/// How a turn may end that does not end the game.
#[derive(Default)]
pub(super) struct Endings {
    /// The probability of being at the choice with this total.
    reached: Vec<f64>,
    /// The probability of holding with it.
    held: Vec<f64>,
    bust: f64,
}

pub(super) const POLICIES: [(&str, &str); 4] = [
    ("hold20", "both hold as soon as the turn has gathered 20"),
    ("hold", "both hold at a total: `at`, 20 unless given"),
    ("random", "both roll or hold with the same probability"),
    ("optimal", "both maximise the probability of winning"),
];

pub(super) fn process(
    game: &Pig,
    name: &str,
    settings: &mut Settings<'_>,
    control: bool,
) -> Result<Option<SharedEquity<Pig>>, ExprError> {
    let holding = match name {
        "hold20" => Holding::At(20),
        "hold" => Holding::At(settings.get("at", 20)?),
        "random" => Holding::Half,
        "optimal" => Holding::Optimal(PigSolution::new(game.target())),
        _ => return Ok(None),
    };
    Ok(Some(Arc::new(Turns { holding, control })))
}

impl Turns {
    /// Follows the turn from `state` roll by roll; returns the probability that it wins.
    fn follow(&self, game: &Pig, state: &PigState, endings: &mut Endings) -> f64 {
        let me = state.mover();
        let (own, other) = (state.score(me), state.score(rival(me)));
        let missing = game.target().saturating_sub(own) as usize;
        let Endings {
            reached,
            held,
            bust,
        } = endings;
        for list in [&mut *reached, &mut *held] {
            list.clear();
            list.resize(missing, 0.0);
        }
        *bust = 0.0;
        let mut win = 0.0;
        let first = state.total() as usize;
        if let Some(mass) = reached.get_mut(first) {
            *mass = 1.0;
        }
        for total in first..missing {
            let hold = if total == first && state.stage == Stage::Roll {
                0.0
            } else {
                self.holding.probability(own, other, total as u32)
            };
            held[total] = reached[total] * hold;
            let thrown = reached[total] * (1.0 - hold) / 6.0;
            *bust += thrown;
            for pips in 2..=6 {
                match reached.get_mut(total + pips) {
                    Some(mass) => *mass += thrown,
                    None => win += thrown,
                }
            }
        }
        win
    }
}

fn rival(player: Player) -> Player {
    Player::new(1 - player.index().min(1))
}

/// Roughly how often the player to roll wins who needs `own` while the other needs `other`: the
/// difference of the scores as a random walk of some eight points a turn. Any valuation will do.
fn valuation(own: u32, other: u32) -> f64 {
    let (own, other) = (f64::from(own), f64::from(other));
    let z = (other - own + 4.0) / (6.0 * (own + other).sqrt());
    0.5 + 0.5 * z / (1.0 + z * z).sqrt()
}

impl Survival<Pig> for Turns {
    type Memory = Endings;

    fn absorption(&self, game: &Pig, state: &PigState, memory: &mut Endings) -> Absorption {
        let probability = self.follow(game, state, memory);
        let won = if state.mover == 0 { 1.0 } else { -1.0 };
        Absorption {
            probability,
            returns: Returns::zero_sum(won),
        }
    }

    fn survive(
        &self,
        game: &Pig,
        state: &mut PigState,
        memory: &mut Endings,
        rng: &mut SimRng,
    ) -> f64 {
        let Endings { held, bust, .. } = memory;
        let me = state.mover();
        let surviving = *bust + held.iter().sum::<f64>();
        // A bust gathers nothing, and nothing cannot be held.
        let mut ticket = rng.unit() * surviving - *bust;
        let mut gathered = 0;
        for (total, mass) in held.iter().enumerate() {
            if ticket < 0.0 {
                break;
            }
            if *mass > 0.0 {
                gathered = total as u32;
                ticket -= mass;
            }
        }
        let missing = [0, 1].map(|i| game.target().saturating_sub(state.score(Player::new(i))));
        let (own, other) = (missing[me.index()], missing[rival(me).index()]);
        state.scores[me.index()] += gathered as u16;
        game.pass_on(state);
        if !self.control {
            return 0.0;
        }
        // What the mover has left when the other player is to roll.
        let value = |gathered: u32| 1.0 - valuation(other, own.saturating_sub(gathered));
        let held = held.iter().enumerate();
        let expected = *bust * value(0) + held.map(|(t, p)| p * value(t as u32)).sum::<f64>();
        let luck = value(gathered) - expected / surviving;
        if me.index() == 0 { luck } else { -luck }
    }

    /// Any state that is not the end: a turn may be under way.
    fn check_start(&self, game: &Pig, state: &PigState) -> Result<(), PluginError> {
        match game.turn(state) {
            Turn::Terminal => Err(PluginError::new("the game is over there")),
            _ => Ok(()),
        }
    }
}
