//! A king and a pawn against a king.

use std::collections::HashMap;
use std::sync::LazyLock;

use cozy_chess::{Color, Piece, Rank, Square, get_king_moves, get_pawn_attacks, get_pawn_quiets};

use super::model::{Bounded, Model};
use super::officer::{Bare, Turn, Turns, bare, pool, spread, valid, weak_turn, weight};
use crate::tablebase::position::Symmetry;

/// What a pawn may become.
pub(super) const OFFICERS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// Multisets of at most three dice.
const POOLS: usize = 84;
/// Those of pawn and king dice only come first.
const PLAIN: usize = 10;

/// A pool with its faces removed one at a time.
#[derive(Clone, Copy, Debug)]
struct Pool {
    /// Dice by face: pawn, knight, bishop, rook, queen, king.
    dice: [u8; 6],
    /// The pool without one pawn die, and without one king die.
    without_pawn: Option<u8>,
    without_king: Option<u8>,
    /// Rolls of the 216, for pools of three dice; otherwise 0.
    rolls: f64,
}

impl Pool {
    fn total(&self) -> u8 {
        self.dice.iter().sum()
    }
}

/// All pools, the plain ones first and smaller ones before larger ones within both parts.
static ALL_POOLS: LazyLock<Vec<Pool>> = LazyLock::new(|| {
    let mut list: Vec<[u8; 6]> = Vec::new();
    // The seventh face stands for no die.
    for first in 0..7 {
        for second in first..7 {
            for third in second..7 {
                let mut dice = [0; 7];
                for face in [first, second, third] {
                    dice[face] += 1;
                }
                list.push(std::array::from_fn(|face| dice[face]));
            }
        }
    }
    let plain = |dice: &[u8; 6]| dice[1..5].iter().all(|&count| count == 0);
    list.sort_by_key(|dice| (!plain(dice), dice.iter().sum::<u8>(), *dice));
    let places: HashMap<[u8; 6], u8> = list.iter().copied().zip(0..).collect();
    let without = |dice: &[u8; 6], face: usize| {
        let mut rest = *dice;
        rest[face] = rest[face].checked_sub(1)?;
        Some(places[&rest])
    };
    let rolls = |dice: &[u8; 6]| {
        let orders = dice
            .iter()
            .map(|&count| [1.0, 1.0, 2.0, 6.0][usize::from(count)]);
        if dice.iter().sum::<u8>() == 3 {
            6.0 / orders.product::<f64>()
        } else {
            0.0
        }
    };
    list.iter()
        .map(|dice| Pool {
            dice: *dice,
            without_pawn: without(dice, 0),
            without_king: without(dice, 5),
            rolls: rolls(dice),
        })
        .collect()
});

/// The best turns after a promotion, for one square of the weak king:
/// `[king][file][pool of at most two dice]`.
struct Promotions(Vec<[Turn; POOLS]>);

impl Promotions {
    fn new(officers: [&Bounded; 4], bound: usize, weak: Square) -> Self {
        let row = weak as usize * 4096..weak as usize * 4096 + 4096;
        let turns: [Turns; 4] = std::array::from_fn(|index| {
            let after = &officers[index].values[bound].weak[row.clone()];
            Turns::new(OFFICERS[index], weak, after)
        });
        let mut all = vec![[Turn::stop(0.0); POOLS]; 64 * 8];
        for king in Square::ALL {
            for (file, square) in Rank::Eighth.bitboard().into_iter().enumerate() {
                let place = &mut all[king as usize * 8 + file];
                for (turn, dice) in place.iter_mut().zip(ALL_POOLS.iter()) {
                    if dice.total() < 3 && king != square && weak != square && king != weak {
                        *turn = best_officer(&turns, [king, square], dice);
                    }
                }
            }
        }
        Self(all)
    }

    fn best(&self, king: Square, square: Square, pool: u8) -> Turn {
        self.0[king as usize * 8 + square.file() as usize][usize::from(pool)]
    }
}

/// The best choice of the new piece, which may use its own dice at once.
fn best_officer(turns: &[Turns; 4], men: [Square; 2], dice: &Pool) -> Turn {
    let choice = |index: usize| {
        let own = usize::from(dice.dice[OFFICERS[index] as usize]);
        turns[index].best(men[0], men[1], pool(usize::from(dice.dice[5]), own))
    };
    (1..4).fold(choice(0), |best, index| best.or(choice(index)))
}

/// The model of the pawn.
pub(super) struct Pawn {
    bare: [Bare; 3],
    /// By bound and by square of the weak king on files a to d, in the order of [`left_half`].
    promotions: [Vec<Promotions>; 3],
    /// Squares of a pawn.
    squares: Vec<Square>,
}

/// The squares of files a to d.
fn left_half() -> impl Iterator<Item = Square> {
    Square::ALL
        .into_iter()
        .filter(|&square| (square.file() as u8) < 4)
}

impl Pawn {
    /// The pawn's game, over the solved games of its promotions (queen, rook, bishop, knight)
    /// and of two kings.
    pub(super) fn new(kings: &Bounded, officers: [&Bounded; 4]) -> Self {
        let promotions = |bound| {
            left_half()
                .map(|weak| Promotions::new(officers, bound, weak))
                .collect()
        };
        Self {
            bare: bare(kings),
            promotions: std::array::from_fn(promotions),
            squares: Square::ALL
                .into_iter()
                .filter(|&square| allowed(square))
                .collect(),
        }
    }
}

/// Pawns stand on ranks 2 to 7.
fn allowed(square: Square) -> bool {
    !matches!(square.rank(), Rank::First | Rank::Eighth)
}

impl Model for Pawn {
    fn depth(&self) -> usize {
        2
    }

    fn valid(&self) -> Vec<bool> {
        valid(allowed)
    }

    fn strong_turn(&self, bound: usize, weak: &[f64], strong: &mut [f64]) {
        let mut best = vec![[Turn::stop(0.0); POOLS]; 4096];
        for (lone, promotions) in left_half().zip(&self.promotions[bound]) {
            let row = lone as usize * 4096..lone as usize * 4096 + 4096;
            for (turns, &value) in best.iter_mut().zip(&weak[row.clone()]) {
                turns[0] = Turn::stop(value);
            }
            for total in 1..=3 {
                for king in Square::ALL.into_iter().filter(|&king| king != lone) {
                    for &pawn in &self.squares {
                        if pawn != lone && pawn != king {
                            fill(&mut best, promotions, [king, pawn, lone], total);
                        }
                    }
                }
            }
            for (index, value) in strong[row].iter_mut().enumerate() {
                *value = average(&best[index], Square::index(index % 64));
            }
        }
        for lone in Square::ALL {
            let map = Symmetry::to_left(lone);
            if map.apply(lone) != lone {
                spread(strong, lone, map);
            }
        }
    }

    fn weak_turn(&self, bound: usize, strong: &[f64], weak: &mut [f64]) {
        weak_turn(&self.bare[bound], &self.squares, strong, weak);
    }
}

/// A pawn this far up can promote and leave a die for the new piece.
fn may_promote_early(pawn: Square) -> bool {
    pawn.rank() as u8 >= Rank::Sixth as u8
}

/// The pools that matter for a pawn on this square: below rank 6 the faces of the officers are
/// dead, since promoting takes all three dice.
fn relevant(pawn: Square) -> std::ops::Range<usize> {
    if may_promote_early(pawn) {
        0..POOLS
    } else {
        0..PLAIN
    }
}

/// The average over the rolls.
fn average(turns: &[Turn; POOLS], pawn: Square) -> f64 {
    let pools = &ALL_POOLS[relevant(pawn)];
    let rolls = |pool: &Pool| {
        if may_promote_early(pawn) {
            pool.rolls
        } else {
            weight(usize::from(pool.dice[5]), usize::from(pool.dice[0]))
        }
    };
    let sum: f64 = pools
        .iter()
        .zip(turns)
        .map(|(pool, turn)| rolls(pool) * turn.value)
        .sum();
    sum / 216.0
}

/// The pools of one size for one placement of the men.
fn fill(best: &mut [[Turn; POOLS]], promotions: &Promotions, men: [Square; 3], total: u8) {
    let [king, pawn, weak] = men;
    let king_moves = get_king_moves(king) & !pawn.bitboard();
    let pushes = get_pawn_quiets(pawn, Color::White, king.bitboard() | weak.bitboard());
    let pawn_takes = get_pawn_attacks(pawn, Color::White).has(weak);
    let here = king as usize * 64 + pawn as usize;
    let stop = best[here][0];
    for index in relevant(pawn) {
        let pool = &ALL_POOLS[index];
        if pool.total() != total {
            continue;
        }
        let mut turn = stop;
        if let Some(rest) = pool.without_king {
            if king_moves.has(weak) {
                turn = Turn::WIN;
            } else {
                for to in king_moves {
                    let rest = best[to as usize * 64 + pawn as usize][usize::from(rest)];
                    turn = turn.or_after_die(rest);
                }
            }
        }
        if let Some(rest) = pool.without_pawn {
            if pawn_takes {
                turn = Turn::WIN;
            }
            for to in pushes {
                let rest = if to.rank() == Rank::Eighth {
                    promotions.best(king, to, rest)
                } else {
                    best[king as usize * 64 + to as usize][usize::from(rest)]
                };
                turn = turn.or_after_die(rest);
            }
        }
        best[here][index] = turn;
    }
}
