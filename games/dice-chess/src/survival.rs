//! Who will win if both sides follow a simple policy: [`PolicyProcess`], a
//! [`Survival`] process for Rao-Blackwellised rollouts.
//!
//! A rollout never throws for the king: the probability that the coming roll takes it is exact
//! ([`crate::capture`]), and the rollout goes on with the rest of the mass. What it goes on with is
//! drawn from the law of *that policy* given that the king is not taken:
//!
//! * a player who takes the king whenever the roll allows it (`capture-aware`, `greedy`) has
//!   survived every roll that allows it: the roll is drawn among the others by their weights,
//!   and a roll without a move passes;
//! * a player who may overlook it (`random`) survives a roll by its share of turns that do not
//!   take the king, and then plays one of those.

use cozy_chess::{Color, Piece};
use rand::Rng;
use search_core::estimate::{Absorption, Survival};
use search_core::game::Returns;
use search_core::rng::{Draw, SimRng};
use std::fmt::{self, Display};
use std::str::FromStr;
use thiserror::Error;

use crate::board::Board;
use crate::capture::{RollSet, king_captures};
use crate::dice::Roll;
use crate::game::DiceChess;
use crate::options::DrawPolicy;
use crate::position::{LAST_HALF_MOVE, Position};
use crate::results::TurnResults;
use crate::sampler::TurnSampler;
use crate::turns::TurnMoves;

mod luck;

/// How both sides play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Policy {
    /// Take the king if any turn does, otherwise a uniformly random legal turn.
    #[default]
    CaptureAware,
    /// A uniformly random legal turn, whether it takes the king or not.
    Random,
    /// Take the king if any turn does, otherwise a result with the most material, uniformly among
    /// those.
    Greedy,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CaptureAware, Self::Random, Self::Greedy];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CaptureAware => "capture-aware",
            Self::Random => "random",
            Self::Greedy => "greedy",
        }
    }
}

impl Policy {
    /// One line about it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::CaptureAware => {
                "both take the king when they can, else play any legal turn; `draws=true` lets the game's rule draw"
            }
            Self::Random => "both play any legal turn, whether it takes the king or not",
            Self::Greedy => "both take the king when they can, else the most material",
        }
    }
}

impl Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No policy has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no policy `{0}`: capture-aware, random or greedy")]
pub struct UnknownPolicy(pub String);

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let named = |policy: &Self| policy.name() == text;
        Self::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| UnknownPolicy(text.into()))
    }
}

/// Dice chess with a policy for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PolicyProcess {
    /// How both sides play.
    pub policy: Policy,
    /// Games are drawn as the options of the game say. By default they are not: the horizon of the
    /// rollouts ends them.
    pub draws: bool,
    /// Report the luck of every roll, for a control variate: by what the first micro-move of
    /// each die does on average to the safety of the kings and to the material. It costs about
    /// as much time as the turn itself.
    pub luck: bool,
}

impl PolicyProcess {
    /// The process of a policy, without draws and without luck.
    #[must_use]
    pub const fn new(policy: Policy) -> Self {
        Self {
            policy,
            draws: false,
            luck: false,
        }
    }

    /// Adds the luck of every roll.
    #[must_use]
    pub const fn with_luck(mut self) -> Self {
        self.luck = true;
        self
    }

    /// Lets the game be drawn as its options say.
    #[must_use]
    pub const fn with_draws(mut self) -> Self {
        self.draws = true;
        self
    }
}

/// What [`PolicyProcess`] works out and keeps from one call to the next.
#[derive(Debug, Clone, Default)]
pub struct ProcessMemory {
    /// The rolls that can take the king.
    captures: RollSet,
    /// Of a policy that may overlook it: for each roll its weight times the share of turns that do
    /// not take the king.
    surviving: Vec<f64>,
    sampler: TurnSampler,
    results: TurnResults,
    best: Vec<u32>,
}

/// Rolls in all, as a real number.
const ROLLS: f64 = Roll::TOTAL_WEIGHT as f64;

impl Survival<DiceChess> for PolicyProcess {
    type Memory = ProcessMemory;

    fn absorption(
        &self,
        _: &DiceChess,
        state: &Position,
        memory: &mut ProcessMemory,
    ) -> Absorption {
        let (board, side) = (&state.board, state.side);
        memory.captures = king_captures(board, side);
        let probability = if self.policy == Policy::Random {
            1.0 - memory.weigh_survivors(board, side) / ROLLS
        } else {
            f64::from(memory.captures.weight()) / ROLLS
        };
        let for_white = if side == Color::White { 1.0 } else { -1.0 };
        Absorption {
            probability,
            returns: Returns::zero_sum(for_white),
        }
    }

    fn survive(
        &self,
        game: &DiceChess,
        state: &mut Position,
        memory: &mut ProcessMemory,
        rng: &mut SimRng,
    ) -> f64 {
        let roll = memory.draw(self.policy, rng);
        let luck = if self.luck {
            let surviving = (self.policy == Policy::Random).then_some(&memory.surviving[..]);
            luck::of_roll(&state.board, state.side, roll, memory.captures, surviving)
        } else {
            0.0
        };
        let pool = roll.pool();
        match self.policy {
            Policy::Greedy => greedy(state, roll, memory, rng),
            Policy::Random if memory.captures.has(roll) => {
                let turn = memory.overlook(&state.board, state.side, roll, rng);
                play(state, turn);
            }
            Policy::Random | Policy::CaptureAware => {
                let sampler = &mut memory.sampler;
                let turn = sampler.sample_quiet(&state.board, state.side, pool, rng);
                play(state, turn);
            }
        }
        state.end_turn(if self.draws {
            game.draw_policy()
        } else {
            DrawPolicy::NONE
        });
        luck
    }

    fn survivors_may_end(&self) -> bool {
        self.draws
    }

    fn labels(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }
}

impl ProcessMemory {
    /// Works out the weights of the rolls for a policy that may overlook the king: their sum.
    fn weigh_survivors(&mut self, board: &Board, side: Color) -> f64 {
        self.surviving.clear();
        for roll in Roll::all() {
            let mut weight = f64::from(roll.weight());
            if self.captures.has(roll) {
                let turns = self.sampler.prepare(board, side, roll.pool());
                let quiet = turns - self.sampler.king_captures();
                weight *= quiet as f64 / turns as f64;
            }
            self.surviving.push(weight);
        }
        self.surviving.iter().sum()
    }

    /// A roll, given that it does not end the game.
    #[inline]
    fn draw(&self, policy: Policy, rng: &mut SimRng) -> Roll {
        if policy != Policy::Random {
            let quiet = self.captures.complement();
            let number = rng.below(quiet.weight());
            return quiet.nth(number).unwrap_or(Roll::new(0));
        }
        let total: f64 = self.surviving.iter().sum();
        let mut at = rng.unit() * total;
        let mut last = Roll::new(0);
        for (index, &weight) in self.surviving.iter().enumerate() {
            if weight > 0.0 {
                last = Roll::new(index);
                if at < weight {
                    break;
                }
                at -= weight;
            }
        }
        last
    }

    /// A uniformly random turn among those of the roll that do not take the king; there is one.
    fn overlook<R: Rng + ?Sized>(
        &mut self,
        board: &Board,
        side: Color,
        roll: Roll,
        rng: &mut R,
    ) -> TurnMoves {
        let kings = board.of(!side, Piece::King).len();
        let turns = self.sampler.prepare(board, side, roll.pool());
        let quiet = turns - self.sampler.king_captures();
        // Counted off rather than thrown again until one fits: where nearly every turn takes the king,
        // that could go on for long.
        let takes_none = |turn: &TurnMoves| {
            let mut after = Position::before_roll(*board, side);
            play(&mut after, *turn);
            after.board.of(!side, Piece::King).len() == kings
        };
        let mut left = (0..turns)
            .filter_map(|n| self.sampler.nth(n))
            .filter(takes_none);
        left.nth(rng.below_u64(quiet) as usize)
            .unwrap_or(TurnMoves::PASS)
    }
}

/// Plays the micro-moves of a turn. The turn is not ended.
#[inline]
fn play(state: &mut Position, turn: TurnMoves) {
    for mv in turn.iter() {
        let Some(piece) = state.board.piece_at(mv.from()) else {
            debug_assert!(false, "{mv} moves nothing");
            return;
        };
        let effect = state.board.play(state.side, piece, mv);
        state.half_move = if effect.resets_clock {
            0
        } else {
            (state.half_move + 1).min(LAST_HALF_MOVE)
        };
    }
}

/// What the pieces are worth: P100 N300 B300 R500 Q900, the king nothing.
const VALUES: [(Piece, i32); 5] = [
    (Piece::Pawn, 100),
    (Piece::Knight, 300),
    (Piece::Bishop, 300),
    (Piece::Rook, 500),
    (Piece::Queen, 900),
];

/// The material of `side` less that of the other.
#[inline]
#[must_use]
pub fn material(board: &Board, side: Color) -> i32 {
    let balance = |piece| {
        let (own, other) = (board.of(side, piece).len(), board.of(!side, piece).len());
        own as i32 - other as i32
    };
    VALUES
        .iter()
        .map(|&(piece, value)| value * balance(piece))
        .sum()
}

/// Plays a result with the most material, uniformly among those.
fn greedy(state: &mut Position, roll: Roll, memory: &mut ProcessMemory, rng: &mut SimRng) {
    let ProcessMemory { results, best, .. } = memory;
    results.expand(&state.board, state.side, roll.pool(), state.half_move);
    let results = results.choose(roll.pool());
    let mut most = i32::MIN;
    for number in 0..results.len() {
        let value = material(results.board(number), state.side);
        if value > most {
            most = value;
            best.clear();
        }
        if value == most {
            best.push(number as u32);
        }
    }
    if !results.is_empty()
        && let Some(number) = rng.pick(best)
    {
        let result = results.get(number as usize);
        state.board = result.board;
        state.half_move = result.half_move;
    }
}

#[cfg(test)]
mod tests;
