//! Which rolls take the king: [`king_captures`], exactly and without going through the turns.
//!
//! King captures of any length are legal (R5, R6), so a roll takes the king if and only if some
//! sequence paid by some of its dice does. The sets of one, two and three dice are settled in that
//! order, and a set of which a part is known to capture is never looked at:
//!
//! * one die: the kinds of piece that attack the king;
//! * two dice: no move is played. A second die of kind `t` takes the king after a first of kind `b`
//!   if a `b`-piece can go to a square from which it attacks the king as a `t`-piece (the same
//!   kind, or a pawn that becomes one), or if a `b`-piece that alone stands between a `t`-piece and
//!   the king can leave the line. Taking en passant removes a second blocker: those few moves are
//!   played;
//! * three dice: every first micro-move is played on a small board, and the rule for two dice says
//!   the rest. Castling pays king and rook, so it is only followed by a third die.
//!
//! A first move of a kind that attacks the king itself is never needed, which keeps these arguments
//! exact: where they are wrong, the smaller set already captures.

use cozy_chess::{BitBoard, Color, Piece, Square, get_between_rays, get_pawn_attacks};

use crate::board::{Board, Wing};
use crate::dice::{FACES, Pool, Roll};
use crate::moves::PROMOTIONS;
use crate::view::{View, piece_attacks};

mod rolls;

pub use rolls::RollSet;
use rolls::{EVERY, WITH_ONE, WITH_THREE, WITH_TWO};

/// Pairs of dice, the first spent first: bit `6 * first + second`.
type Pairs = u64;

#[inline]
const fn pair(first: Piece, second: Piece) -> Pairs {
    1 << (6 * first as u64 + second as u64)
}

/// The rolls with which `side` can take the king in its next turn (R5, R6): exact, for any number of
/// kings on the board.
#[must_use]
pub fn king_captures(board: &Board, side: Color) -> RollSet {
    let view = View::new(board, side);
    if view.kings.is_empty() {
        return RollSet::NONE;
    }
    let mut rolls = 0;
    let attackers = view.attackers();
    for (face, with) in WITH_ONE.iter().enumerate() {
        if attackers >> face & 1 != 0 {
            rolls |= with;
        }
    }
    if rolls == EVERY {
        return RollSet(rolls);
    }
    let (pairs, stuck) = view.capturing_pairs(Needed::ALL);
    for bit in BitBoard(pairs) {
        rolls |= WITH_TWO[bit as usize / 6][bit as usize % 6];
    }
    for wing in Wing::ALL {
        if board.may_castle(side, wing) {
            rolls |= after_castling(board, side, wing);
        }
    }
    let changes = Changes::new(&view, stuck);
    for first in FACES {
        let with = WITH_ONE[first as usize];
        if attackers >> first as u8 & 1 != 0 || rolls & with == with {
            continue;
        }
        let table = &WITH_THREE[first as usize];
        view.any_move(first, |from, to, becomes| {
            let needed = changes.by(from, to, becomes);
            let after = view.play(first, from, to, becomes);
            let (found, _) = after.capturing_pairs(needed);
            for bit in BitBoard(found & !pairs) {
                rolls |= table[bit as usize / 6][bit as usize % 6];
            }
            rolls & with == with
        });
    }
    RollSet(rolls)
}

/// The probability that `side` can take the king with its next roll.
#[must_use]
pub fn king_capture_probability(board: &Board, side: Color) -> f64 {
    f64::from(king_captures(board, side).weight()) / f64::from(Roll::TOTAL_WEIGHT)
}

/// Whether some sequence of micro-moves that these dice pay for captures the king.
#[must_use]
pub fn captures_with(board: &Board, side: Color, pool: Pool) -> bool {
    let view = View::new(board, side);
    if view.kings.is_empty() || pool.is_empty() {
        return false;
    }
    let attackers = view.attackers();
    if pool.faces().any(|face| attackers >> face as u8 & 1 != 0) {
        return true;
    }
    match Roll::of(pool) {
        Some(roll) => king_captures(board, side).has(roll),
        None if pool.len() == 1 => false,
        None => {
            let (pairs, _) = view.capturing_pairs(Needed::ALL);
            let paid = |first: Piece| {
                let left = pool.without(first);
                left.faces().any(|second| pairs & pair(first, second) != 0)
            };
            pool.faces().any(paid)
        }
    }
}

#[cold]
fn after_castling(board: &Board, side: Color, wing: Wing) -> u64 {
    let mut after = *board;
    after.castle(side, wing);
    let attackers = View::new(&after, side).attackers();
    let (king, rook) = (Piece::King as usize, Piece::Rook as usize);
    (0..6)
        .filter(|t| attackers >> t & 1 != 0)
        .fold(0, |rolls, t| rolls | WITH_THREE[king][rook][t])
}

/// What is to be looked at: bits by kind for pieces that go where they take the king, and whether lines
/// to the king may be opened. Pawns are always looked at.
#[derive(Debug, Clone, Copy)]
struct Needed {
    approaches: u8,
    discoveries: bool,
}

impl Needed {
    const ALL: Self = Self {
        approaches: 0x3f,
        discoveries: true,
    };

    const fn has(self, piece: Piece) -> bool {
        self.approaches >> piece as u8 & 1 != 0
    }
}

/// What a first move can change about the pairs of dice that take the king: without that, a pair that
/// is none before the move is none after it.
struct Changes {
    /// For each kind of piece: leaving one of these squares may open its way to the king, that is
    /// the squares that the king sees as such a piece and those that such a piece sees.
    opens: [BitBoard; 6],
    /// The lines of the kings on an empty board.
    lines: BitBoard,
    /// Something may free a piece that stands alone on a line and cannot leave it, or a pawn may be
    /// taken in passing, which changes more than two squares.
    always: bool,
}

impl Changes {
    #[inline]
    fn new(view: &View, stuck: bool) -> Self {
        let occupied = view.occupied();
        let mut opens = [BitBoard::EMPTY; 6];
        let mut lines = BitBoard::EMPTY;
        for king in view.kings {
            lines |= piece_attacks(Piece::Queen, king, BitBoard::EMPTY);
            for piece in &FACES[1..] {
                opens[*piece as usize] |= piece_attacks(*piece, king, occupied);
            }
        }
        for piece in [Piece::Bishop, Piece::Rook, Piece::Queen] {
            for from in view.of(piece) {
                opens[piece as usize] |= piece_attacks(piece, from, occupied);
            }
        }
        Self {
            opens,
            lines,
            always: stuck || !view.takeable.is_empty(),
        }
    }

    #[inline]
    fn by(&self, from: Square, to: Square, becomes: Piece) -> Needed {
        if self.always {
            return Needed::ALL;
        }
        let mut approaches = 1 << becomes as u8;
        for (piece, opens) in self.opens.iter().enumerate() {
            approaches |= u8::from(opens.has(from)) << piece;
        }
        Needed {
            approaches,
            discoveries: self.lines.has(from) || self.lines.has(to),
        }
    }
}

impl View {
    /// The pairs of dice that take a king, the first without taking one, as far as they are needed;
    /// and whether a piece that alone stands on a line cannot leave it. Pairs of which one die alone
    /// takes the king may be there or not.
    #[inline]
    fn capturing_pairs(&self, needed: Needed) -> (Pairs, bool) {
        let (mut pairs, mut stuck) = (0, false);
        let occupied = self.occupied();
        let pawns = self.of(Piece::Pawn);
        let pawn_moves = self.pawn_moves(pawns, occupied);
        for king in self.kings {
            let mut approach = |piece| {
                if needed.has(piece) && !self.of(piece).is_empty() {
                    pairs |= self.approaches(piece, piece_attacks(piece, king, occupied), occupied);
                }
            };
            approach(Piece::Knight);
            approach(Piece::Bishop);
            approach(Piece::Rook);
            approach(Piece::Queen);
            approach(Piece::King);
            if !(pawn_moves.all() & get_pawn_attacks(king, !self.side)).is_empty() {
                pairs |= pair(Piece::Pawn, Piece::Pawn);
            }
            if needed.discoveries {
                for slider in [Piece::Rook, Piece::Bishop] {
                    let seen = piece_attacks(slider, king, occupied);
                    let (found, cannot) = self.discoveries(king, seen, slider, occupied);
                    pairs |= found;
                    stuck |= cannot;
                }
            }
        }
        let promoting = self.promoting();
        if !(pawn_moves.all() & promoting).is_empty() {
            pairs |= self.promotions(promoting, occupied);
        }
        if !self.takeable.is_empty() {
            pairs |= self.in_passing(pawns);
        }
        (pairs, stuck)
    }

    /// `piece` goes to a square from which it takes the king.
    #[inline]
    fn approaches(&self, piece: Piece, from_there: BitBoard, occupied: BitBoard) -> Pairs {
        let wanted = from_there & !self.all;
        let reaches = |from| !(piece_attacks(piece, from, occupied) & wanted).is_empty();
        if self.of(piece).into_iter().any(reaches) {
            pair(piece, piece)
        } else {
            0
        }
    }

    /// The only piece between a slider and the king leaves the line; and whether one cannot.
    #[inline]
    fn discoveries(
        &self,
        king: Square,
        seen: BitBoard,
        slider: Piece,
        occupied: BitBoard,
    ) -> (Pairs, bool) {
        let blockers = seen & self.all;
        let sliders = (self.of(slider) | self.of(Piece::Queen)) & !seen;
        if blockers.is_empty() || sliders.is_empty() {
            return (0, false);
        }
        let (mut pairs, mut stuck) = (0, false);
        for sniper in piece_attacks(slider, king, occupied ^ blockers) & sliders {
            let line = get_between_rays(sniper, king);
            let Some(blocker) = (line & blockers).next_square() else {
                continue;
            };
            let Some(kind) = self.kind_at(blocker) else {
                continue;
            };
            if !(self.targets(kind, blocker) & !line).is_empty() {
                let by = if self.of(slider).has(sniper) {
                    slider
                } else {
                    Piece::Queen
                };
                pairs |= pair(kind, by);
            } else {
                stuck = true;
            }
        }
        (pairs, stuck)
    }

    /// A pawn becomes a piece that takes the king. The square it leaves may be on the line.
    #[cold]
    fn promotions(&self, promoting: BitBoard, occupied: BitBoard) -> Pairs {
        let mut pairs = 0;
        for from in self.of(Piece::Pawn) {
            for to in self.targets(Piece::Pawn, from) & promoting {
                for becomes in PROMOTIONS {
                    let seen = piece_attacks(becomes, to, occupied ^ from.bitboard());
                    if !(seen & self.kings).is_empty() {
                        pairs |= pair(Piece::Pawn, becomes);
                    }
                }
            }
        }
        pairs
    }

    /// A pawn takes another in passing, which opens the line of that one too.
    #[cold]
    fn in_passing(&self, pawns: BitBoard) -> Pairs {
        let mut pairs = 0;
        for to in self.takeable {
            for from in get_pawn_attacks(to, !self.side) & pawns {
                let after = self.play(Piece::Pawn, from, to, Piece::Pawn);
                pairs |= Pairs::from(after.attackers());
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests;
