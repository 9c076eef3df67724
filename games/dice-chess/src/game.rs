//! The rules as a [`Game`]: [`DiceChess`].

use cozy_chess::Color;
use rand::Rng;
use std::ops::RangeInclusive;

use search_core::game::{ChanceOutcomes, Game, Player, Returns, Turn};
use search_core::plugin::PluginError;
use search_core::rng::Draw;

use crate::dice::Roll;
use crate::legality::for_each_legal;
use crate::micro_move::MicroMove;
use crate::options::{DiceChessOptions, DrawPolicy};
use crate::position::{Outcome, Phase, Position};

/// Dice chess: three dice say which pieces move, every die that can be spent must be, and whoever
/// captures the king wins. White is player 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiceChess {
    policy: DrawPolicy,
    start: Position,
}

impl Default for DiceChess {
    fn default() -> Self {
        Self {
            policy: DrawPolicy::new(&DiceChessOptions::default()).unwrap_or(DrawPolicy::NONE),
            start: Position::start(),
        }
    }
}

impl DiceChess {
    /// The game with these options from the usual start.
    ///
    /// # Errors
    /// When an option is out of range.
    pub fn new(options: &DiceChessOptions) -> Result<Self, PluginError> {
        Ok(Self {
            policy: DrawPolicy::new(options)?,
            start: Position::start(),
        })
    }

    /// The same game from another position.
    #[must_use]
    pub const fn from_position(mut self, start: Position) -> Self {
        self.start = start;
        self
    }

    /// When a game is drawn.
    #[must_use]
    pub const fn draw_policy(&self) -> DrawPolicy {
        self.policy
    }
}

/// The player who has this colour.
#[must_use]
pub const fn player_of(side: Color) -> Player {
    Player::new(side as usize)
}

impl Game for DiceChess {
    type State = Position;
    type Action = MicroMove;
    type Chance = Roll;
    type Observation = Position;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Position {
        self.start
    }

    #[inline]
    fn turn(&self, state: &Position) -> Turn {
        match state.phase {
            Phase::Roll => Turn::Chance,
            Phase::Spend(_) => Turn::Player(player_of(state.side)),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn legal_actions(&self, state: &Position, out: &mut Vec<MicroMove>) {
        out.clear();
        let Phase::Spend(to_spend) = state.phase else {
            return;
        };
        for_each_legal(&state.board, state.side, state.pool, to_spend, |_, mv| {
            out.push(mv);
        });
        out.sort_unstable();
    }

    #[inline]
    fn apply(&self, state: &mut Position, action: MicroMove) {
        state.play(action, self.policy);
    }

    #[inline]
    fn sample_chance<R: Rng + ?Sized>(&self, _: &Position, rng: &mut R) -> Roll {
        Roll::from_ordered(rng.below(216))
    }

    #[inline]
    fn apply_chance(&self, state: &mut Position, roll: Roll) {
        state.roll(roll, self.policy);
    }

    fn returns(&self, state: &Position) -> Returns {
        match state.phase {
            Phase::Over(Outcome::Won(Color::White)) => Returns::zero_sum(1.0),
            Phase::Over(Outcome::Won(Color::Black)) => Returns::zero_sum(-1.0),
            _ => Returns::zero_sum(0.0),
        }
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// A roll and three micro-moves for each of the most turns there can be.
    fn max_turns(&self) -> u32 {
        self.policy.max_plies().saturating_add(1).saturating_mul(4)
    }

    fn observe(&self, state: &Position, _: Player) -> Position {
        *state
    }
}

impl ChanceOutcomes for DiceChess {
    fn chance_outcomes(&self, _: &Position, out: &mut Vec<(Roll, f64)>) {
        out.clear();
        let total = f64::from(Roll::TOTAL_WEIGHT);
        out.extend(Roll::all().map(|r| (r, f64::from(r.weight()) / total)));
    }
}
