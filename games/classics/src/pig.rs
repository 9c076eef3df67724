//! Pig, the dice game: [`Pig`].

mod plugin;
mod survival;

pub use plugin::PigOptions;

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, MAX_PLAYERS, Player, Returns, Turn};
use search_core::plugin::PluginError;
use search_core::rng::Draw;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// Roll as often as you dare: a one loses what the turn has gathered, holding banks it. Whoever
/// reaches the target first wins.
///
/// A turn begins with a roll (holding nothing would be passing), and a throw that reaches the
/// target ends the game at once: nobody would roll on. The winner's return is 1 and the others
/// share -1. For two players and a target of 100 the first player wins with probability
/// 0.530592725 (Neller & Presser 2004), a return of 0.06118545.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pig {
    target: u16,
    players: u8,
}

impl Default for Pig {
    /// Two players to 100.
    fn default() -> Self {
        Self {
            target: 100,
            players: 2,
        }
    }
}

impl Pig {
    /// The largest target there is.
    pub const MAX_TARGET: u32 = 1000;

    /// The game to `target` (2 to 1000) for `players` (2 to 6).
    ///
    /// # Errors
    /// When either is out of range.
    pub fn new(target: u32, players: u32) -> Result<Self, PluginError> {
        if !(2..=Self::MAX_TARGET).contains(&target) {
            return Err(PluginError::new(format!(
                "pig(target={target}): expected 2 to {}",
                Self::MAX_TARGET
            )));
        }
        if !(2..=MAX_PLAYERS as u32).contains(&players) {
            return Err(PluginError::new(format!(
                "pig(players={players}): expected 2 to {MAX_PLAYERS}"
            )));
        }
        Ok(Self {
            target: target as u16,
            players: players as u8,
        })
    }

    /// The score that wins.
    #[must_use]
    pub const fn target(&self) -> u32 {
        self.target as u32
    }

    /// The state with these banked scores, `player` to choose with `total` gathered in the turn.
    ///
    /// # Errors
    /// When there is not one score a player, when a score or the total has reached the target, or
    /// when there is no such player.
    pub fn choice(
        &self,
        scores: &[u32],
        player: usize,
        total: u32,
    ) -> Result<PigState, PluginError> {
        let bad = |what: String| PluginError::new(format!("not a state of pig: {what}"));
        if scores.len() != self.num_players() || player >= scores.len() {
            return Err(bad(format!(
                "{} scores and player {player} in a game for {}",
                scores.len(),
                self.players
            )));
        }
        let mut state = PigState {
            mover: player as u8,
            ..PigState::default()
        };
        for (i, &score) in scores.iter().enumerate() {
            let reached = score.saturating_add(if i == player { total } else { 0 });
            if reached >= self.target() {
                return Err(bad(format!(
                    "player {i} has {reached} of {} and the game would be over",
                    self.target
                )));
            }
            state.scores[i] = score as u16;
        }
        state.total = total as u16;
        Ok(state)
    }
}

/// The banked scores, who is to move and what the turn has gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PigState {
    scores: [u16; MAX_PLAYERS],
    total: u16,
    mover: u8,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
enum Stage {
    #[default]
    Choice,
    Roll,
    Over,
}

impl PigState {
    /// The banked score of one player.
    #[must_use]
    pub const fn score(&self, player: Player) -> u32 {
        self.scores[player.index()] as u32
    }

    /// What the turn has gathered.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.total as u32
    }

    /// Whose turn it is; after the end, who won.
    #[must_use]
    pub const fn mover(&self) -> Player {
        Player::new(self.mover as usize)
    }
}

/// What a player does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PigAction {
    /// Throws the die.
    Roll,
    /// Banks what the turn has gathered and passes the die on.
    Hold,
}

/// A throw of the die, 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Throw(u8);

impl Throw {
    /// A throw of `pips`; `None` unless 1 to 6.
    #[must_use]
    pub const fn new(pips: u8) -> Option<Self> {
        if pips >= 1 && pips <= 6 {
            Some(Self(pips))
        } else {
            None
        }
    }

    /// The number thrown.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0
    }
}

impl Pig {
    const fn pass_on(self, state: &mut PigState) {
        state.total = 0;
        state.mover = (state.mover + 1) % self.players;
        state.stage = Stage::Choice;
    }
}

impl Game for Pig {
    type State = PigState;
    type Action = PigAction;
    type Chance = Throw;
    type Observation = PigState;

    fn num_players(&self) -> usize {
        usize::from(self.players)
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> PigState {
        PigState::default()
    }

    #[inline]
    fn turn(&self, state: &PigState) -> Turn {
        match state.stage {
            Stage::Choice => Turn::Player(state.mover()),
            Stage::Roll => Turn::Chance,
            Stage::Over => Turn::Terminal,
        }
    }

    #[inline]
    fn legal_actions(&self, state: &PigState, out: &mut Vec<PigAction>) {
        out.clear();
        if state.stage == Stage::Choice {
            out.push(PigAction::Roll);
            if state.total > 0 {
                out.push(PigAction::Hold);
            }
        }
    }

    #[inline]
    fn apply(&self, state: &mut PigState, action: PigAction) {
        match action {
            PigAction::Roll => state.stage = Stage::Roll,
            PigAction::Hold => {
                state.scores[usize::from(state.mover)] += state.total;
                self.pass_on(state);
            }
        }
    }

    #[inline]
    fn sample_chance<R: Rng + ?Sized>(&self, _: &PigState, rng: &mut R) -> Throw {
        Throw(rng.below(6) as u8 + 1)
    }

    #[inline]
    fn apply_chance(&self, state: &mut PigState, outcome: Throw) {
        if outcome.0 == 1 {
            self.pass_on(state);
            return;
        }
        state.total += u16::from(outcome.0);
        let score = &mut state.scores[usize::from(state.mover)];
        if *score + state.total >= self.target {
            *score += state.total;
            state.total = 0;
            state.stage = Stage::Over;
        } else {
            state.stage = Stage::Choice;
        }
    }

    fn returns(&self, state: &PigState) -> Returns {
        let players = self.num_players();
        if state.stage != Stage::Over {
            return Returns::splat(players, 0.0);
        }
        let mut returns = Returns::splat(players, -1.0 / (players as f64 - 1.0));
        returns.set(state.mover(), 1.0);
        returns
    }

    fn returns_sum(&self) -> Option<f64> {
        // More players share a loss in parts that need not sum to it to the last bit.
        (self.num_players() == 2).then_some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// Rolling ones for ever is possible, so this is a cap and not a fact: far beyond the length
    /// of any game that is played for a win.
    fn max_turns(&self) -> u32 {
        10_000.max(50 * self.target() * u32::from(self.players))
    }

    /// Nothing for anybody: the returns sum to zero.
    fn cut_off_returns(&self, _: &PigState) -> Returns {
        Returns::splat(self.num_players(), 0.0)
    }

    fn observe(&self, state: &PigState, _: Player) -> PigState {
        *state
    }
}

impl ChanceOutcomes for Pig {
    fn chance_outcomes(&self, state: &PigState, out: &mut Vec<(Throw, f64)>) {
        out.clear();
        if state.stage == Stage::Roll {
            out.extend((1..=6).map(|pips| (Throw(pips), 1.0 / 6.0)));
        }
    }
}

impl InfoKey for Pig {
    type Key = PigState;
    fn info_key(&self, state: &PigState, _: Player) -> PigState {
        *state
    }
}

impl InitialStates for Pig {
    fn initial_states(&self) -> Vec<(PigState, f64)> {
        vec![(PigState::default(), 1.0)]
    }
}
