//! The luck of a roll: what it is worth more than the average roll.
//!
//! A roll is worth the sum over its dice of what a micro-move of that die does on average: how many
//! rolls then attack the enemy king at once, how many attack the own king, and what is won. The valuation
//! is rough, and any would do: what matters is that the expectation is that of the same one, over the
//! rolls that can come up here.

use cozy_chess::Color;

use super::material;
use crate::board::Board;
use crate::capture::RollSet;
use crate::dice::{FACES, Roll};
use crate::view::View;

/// A chance to take the king one turn from now is worth this much of one in the next turn.
const OWN_CHANCE: f64 = 0.5;
/// A pawn is worth this much of a game.
const PAWN: f64 = 0.02;

/// The luck for White of drawing `roll` rather than the average roll that takes no king; each roll by
/// its weight in `surviving`, if there are such.
pub(super) fn of_roll(
    board: &Board,
    side: Color,
    roll: Roll,
    captures: RollSet,
    surviving: Option<&[f64]>,
) -> f64 {
    let of_die = FACES.map(|face| mean_of_die(board, side, face));
    let value = |roll: Roll| -> f64 {
        let dice = |(value, face)| value * f64::from(roll.pool().count(face));
        of_die.into_iter().zip(FACES).map(dice).sum()
    };
    let (mut sum, mut total) = (0.0, 0.0);
    let mut add = |roll: Roll, weight: f64| {
        sum += weight * value(roll);
        total += weight;
    };
    match surviving {
        Some(weights) => Roll::all().zip(weights).for_each(|(r, &w)| add(r, w)),
        None => captures
            .complement()
            .iter()
            .for_each(|r| add(r, f64::from(r.weight()))),
    }
    let luck = value(roll) - sum / total;
    if side == Color::White { luck } else { -luck }
}

/// What a micro-move of this die is worth on average, more than none.
fn mean_of_die(board: &Board, side: Color, face: cozy_chess::Piece) -> f64 {
    let before = worth(board, side);
    let (mut sum, mut count) = (0.0, 0);
    board.any_move(side, face, |mv| {
        let mut after = *board;
        after.play(side, face, mv);
        sum += worth(&after, side) - before;
        count += 1;
        false
    });
    if count == 0 {
        0.0
    } else {
        sum / f64::from(count)
    }
}

fn worth(board: &Board, side: Color) -> f64 {
    let attacked_by = |side| share(View::new(board, side).attackers());
    PAWN / 100.0 * f64::from(material(board, side)) + OWN_CHANCE * attacked_by(side)
        - attacked_by(!side)
}

/// The share of rolls that show one of these faces.
fn share(faces: u8) -> f64 {
    let others = f64::from(6 - faces.count_ones()) / 6.0;
    1.0 - others.powi(3)
}
