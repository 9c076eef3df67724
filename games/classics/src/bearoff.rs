//! Bearing off the last checkers of backgammon: [`BearOff`].

mod plugin;

pub use plugin::BearOffOptions;

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, Player, Returns, Turn};
use search_core::plugin::PluginError;
use search_core::rng::Draw;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// The most points there can be: the home board.
pub const MAX_POINTS: usize = 6;

/// The end of a game of backgammon without contact: who bears off all checkers first wins.
///
/// Two dice, a double counts four times. A die moves one checker down by its number, bears it off from
/// the point of that number, or from the highest occupied point when all checkers stand lower. While a
/// checker is left every die can be used, so every die must be; the order is free. A turn is one throw
/// and then one action a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BearOff {
    points: u8,
    checkers: u8,
}

impl Default for BearOff {
    /// Three checkers a side on point 3.
    fn default() -> Self {
        Self {
            points: 3,
            checkers: 3,
        }
    }
}

/// The checkers of both sides, whose turn it is, and the dice that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BearOffState {
    /// By side and point, the lowest point first.
    checkers: [[u8; MAX_POINTS]; 2],
    /// Whose turn it is; after the end, who won.
    mover: u8,
    dice: Dice,
}

/// The numbers that are left, ascending, and how often each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Dice {
    pips: [u8; 2],
    left: [u8; 2],
}

impl Dice {
    const fn thrown(roll: BearOffRoll) -> Self {
        let BearOffRoll(low, high) = roll;
        if low == high {
            return Self {
                pips: [low, 0],
                left: [4, 0],
            };
        }
        Self {
            pips: [low, high],
            left: [1, 1],
        }
    }

    const fn none_left(self) -> bool {
        self.left[0] == 0
    }

    /// One die of this number less.
    fn spend(&mut self, pips: u8) {
        let which = usize::from(self.pips[0] != pips);
        self.left[which] -= 1;
        if self.left[which] == 0 {
            if which == 0 {
                self.pips[0] = self.pips[1];
                self.left[0] = self.left[1];
            }
            self.pips[1] = 0;
            self.left[1] = 0;
            if self.left[0] == 0 {
                self.pips[0] = 0;
            }
        }
    }

    /// The numbers that can be used, ascending.
    fn numbers(self) -> impl Iterator<Item = u8> {
        self.pips.into_iter().filter(|pips| *pips > 0)
    }
}

/// One checker, by one die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BearOffMove {
    point: u8,
    pips: u8,
}

impl BearOffMove {
    /// The point it leaves, from 1.
    #[must_use]
    pub const fn point(self) -> u8 {
        self.point
    }

    /// The number of the die.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.pips
    }
}

/// A throw of two dice, the lower number first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BearOffRoll(u8, u8);

impl BearOffRoll {
    /// Both numbers, the lower first.
    #[must_use]
    pub const fn numbers(self) -> [u8; 2] {
        [self.0, self.1]
    }
}

impl BearOffState {
    /// The checkers of a side by point, the lowest first.
    #[must_use]
    pub const fn checkers(&self, side: Player) -> &[u8; MAX_POINTS] {
        &self.checkers[side.index() & 1]
    }

    /// Whose turn it is; after the end, who won.
    #[must_use]
    pub const fn mover(&self) -> Player {
        Player::new(self.mover as usize)
    }

    /// The numbers that are left to play, a double as often as it is left.
    pub fn dice(&self) -> impl Iterator<Item = u8> {
        let Dice { pips, left } = self.dice;
        let each = pips.into_iter().zip(left);
        each.flat_map(|(pips, left)| std::iter::repeat_n(pips, left.into()))
    }

    /// What a side needs in pips.
    fn pips(&self, side: usize) -> u32 {
        let points = self.checkers[side].iter().zip(1..);
        points.map(|(count, point)| u32::from(*count) * point).sum()
    }

    fn has_finished(&self, side: usize) -> bool {
        self.checkers[side] == [0; MAX_POINTS]
    }
}

impl BearOff {
    /// A game on points 1 to `points` (at most 6) with `checkers` a side (1 to 15), all on the highest
    /// point at the start.
    ///
    /// # Errors
    /// When either is out of range.
    pub fn new(points: u32, checkers: u32) -> Result<Self, PluginError> {
        if !(1..=MAX_POINTS as u32).contains(&points) {
            return Err(PluginError::new(format!(
                "bearoff(points={points}): expected 1 to {MAX_POINTS}"
            )));
        }
        if !(1..=15).contains(&checkers) {
            return Err(PluginError::new(format!(
                "bearoff(checkers={checkers}): expected 1 to 15"
            )));
        }
        Ok(Self {
            points: points as u8,
            checkers: checkers as u8,
        })
    }

    /// With three checkers a side, on 1, 2, … points.
    pub(crate) const fn of_three() -> [Self; MAX_POINTS] {
        let mut games = [Self {
            points: 1,
            checkers: 3,
        }; MAX_POINTS];
        let mut points = 1;
        while points < MAX_POINTS {
            games[points].points += points as u8;
            points += 1;
        }
        games
    }

    /// A position: both sides' checkers by point, the lowest first; whose turn it is; and the dice that
    /// are left: none before the throw, else one number, two, or up to four equal ones. A position in
    /// which a side has none left is over, and belongs to that side whoever `player` is.
    ///
    /// # Errors
    /// When there are more points or checkers than in this game, when neither side has any, or for dice
    /// that cannot be left.
    pub fn position(
        &self,
        checkers: [&[u8]; 2],
        player: usize,
        dice: &[u8],
    ) -> Result<BearOffState, PluginError> {
        let bad = |what: String| PluginError::new(format!("not a position of bearoff: {what}"));
        let mut state = BearOffState {
            checkers: [[0; MAX_POINTS]; 2],
            mover: (player & 1) as u8,
            dice: Dice::default(),
        };
        for (side, counts) in checkers.into_iter().enumerate() {
            let all: u32 = counts.iter().map(|count| u32::from(*count)).sum();
            if counts.len() > usize::from(self.points) || all > u32::from(self.checkers) {
                return Err(bad(format!(
                    "{all} checkers on {} points in a game of {} on {}",
                    counts.len(),
                    self.checkers,
                    self.points
                )));
            }
            state.checkers[side][..counts.len()].copy_from_slice(counts);
        }
        match [0, 1].map(|side| state.has_finished(side)) {
            [true, true] => return Err(bad("neither side has a checker".into())),
            [false, false] => state.dice = left_of(dice).map_err(bad)?,
            [first, _] => state.mover = u8::from(!first),
        }
        Ok(state)
    }
}

/// What is left of a throw.
fn left_of(dice: &[u8]) -> Result<Dice, String> {
    if dice.iter().any(|pips| !(1..=6).contains(pips)) {
        return Err(format!("dice {dice:?} should be 1 to 6"));
    }
    match *dice {
        [] => Ok(Dice::default()),
        [a, b] if a != b => Ok(Dice {
            pips: [a.min(b), a.max(b)],
            left: [1, 1],
        }),
        [a, ..] if dice.len() <= 4 && dice.iter().all(|b| *b == a) => Ok(Dice {
            pips: [a, 0],
            left: [dice.len() as u8, 0],
        }),
        _ => Err(format!("dice {dice:?} cannot be left of a throw")),
    }
}

impl Game for BearOff {
    type State = BearOffState;
    type Action = BearOffMove;
    type Chance = BearOffRoll;
    type Observation = BearOffState;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> BearOffState {
        let mut side = [0; MAX_POINTS];
        side[usize::from(self.points) - 1] = self.checkers;
        BearOffState {
            checkers: [side; 2],
            mover: 0,
            dice: Dice::default(),
        }
    }

    #[inline]
    fn turn(&self, state: &BearOffState) -> Turn {
        // Nobody finishes but the player whose turn it is.
        if state.has_finished(usize::from(state.mover & 1)) {
            Turn::Terminal
        } else if state.dice.none_left() {
            Turn::Chance
        } else {
            Turn::Player(state.mover())
        }
    }

    #[inline]
    fn legal_actions(&self, state: &BearOffState, out: &mut Vec<BearOffMove>) {
        out.clear();
        let own = &state.checkers[usize::from(state.mover & 1)];
        let highest = own.iter().rposition(|count| *count > 0);
        for (at, _) in own.iter().enumerate().filter(|(_, count)| **count > 0) {
            let point = at as u8 + 1;
            let usable = |pips: &u8| *pips <= point || highest == Some(at);
            let numbers = state.dice.numbers().filter(usable);
            out.extend(numbers.map(|pips| BearOffMove { point, pips }));
        }
    }

    #[inline]
    fn apply(&self, state: &mut BearOffState, action: BearOffMove) {
        let side = usize::from(state.mover & 1);
        let own = &mut state.checkers[side];
        own[usize::from(action.point) - 1] -= 1;
        if action.point > action.pips {
            own[usize::from(action.point - action.pips) - 1] += 1;
        }
        if state.has_finished(side) {
            state.dice = Dice::default();
            return;
        }
        state.dice.spend(action.pips);
        if state.dice.none_left() {
            state.mover = 1 - state.mover;
        }
    }

    #[inline]
    fn sample_chance<R: Rng + ?Sized>(&self, _: &BearOffState, rng: &mut R) -> BearOffRoll {
        let [a, b] = [rng.below(6), rng.below(6)].map(|die| die as u8 + 1);
        BearOffRoll(a.min(b), a.max(b))
    }

    #[inline]
    fn apply_chance(&self, state: &mut BearOffState, outcome: BearOffRoll) {
        state.dice = Dice::thrown(outcome);
    }

    fn returns(&self, state: &BearOffState) -> Returns {
        Returns::zero_sum(match (self.turn(state), state.mover) {
            (Turn::Terminal, 0) => 1.0,
            (Turn::Terminal, _) => -1.0,
            _ => 0.0,
        })
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// Every action is a pip at least, and every throw has an action.
    fn max_turns(&self) -> u32 {
        4 * u32::from(self.points) * u32::from(self.checkers)
    }

    fn observe(&self, state: &BearOffState, _: Player) -> BearOffState {
        *state
    }
}

impl ChanceOutcomes for BearOff {
    fn chance_outcomes(&self, state: &BearOffState, out: &mut Vec<(BearOffRoll, f64)>) {
        out.clear();
        if self.turn(state) == Turn::Chance {
            let rolls = (1..=6).flat_map(|low| (low..=6).map(move |high| BearOffRoll(low, high)));
            out.extend(rolls.map(|roll| {
                let ways = if roll.0 == roll.1 { 1.0 } else { 2.0 };
                (roll, ways / 36.0)
            }));
        }
    }
}

impl InfoKey for BearOff {
    type Key = BearOffState;
    fn info_key(&self, state: &BearOffState, _: Player) -> BearOffState {
        *state
    }
}

impl InitialStates for BearOff {
    fn initial_states(&self) -> Vec<(BearOffState, f64)> {
        let start = self.initial_state(&mut search_core::rng::SimRng::new(0));
        vec![(start, 1.0)]
    }
}
