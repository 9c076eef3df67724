//! A second opinion: the legal turns of three men by plain enumeration, from the rules R3 to R6.
//!
//! Nothing here is shared with the solver, not even the moves of the pieces. The value of a
//! position must be the average, over the rolls, of the best value after a legal turn;
//! [`one_turn`] works that average out.

use cozy_chess::{Piece, Square};

use super::position::{Material, Men};
use crate::dice::FACES;

/// A man on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Man {
    strong: bool,
    piece: Piece,
    file: i8,
    rank: i8,
}

/// A way to play a roll to its end.
#[derive(Clone, Debug)]
struct Line {
    dice: usize,
    takes_king: bool,
    men: Vec<Man>,
}

const ALONG: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ACROSS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// What the side to roll can expect from `men` when `value` tells what a position is worth to the
/// side to roll in it: all 216 rolls, the best legal turn of each.
pub fn one_turn(men: &Men, mut value: impl FnMut(&Men) -> f64) -> f64 {
    let mut sum = 0.0;
    for (first, &one) in FACES.iter().enumerate() {
        for (second, &two) in FACES.iter().enumerate().skip(first) {
            for &three in &FACES[second..] {
                let orders = match (one == two, two == three) {
                    (true, true) => 1.0,
                    (false, false) => 6.0,
                    _ => 3.0,
                };
                let ends = legal_ends(men, [one, two, three]);
                let worth = |end: &Option<Men>| end.as_ref().map_or(1.0, |after| -value(after));
                sum += orders * ends.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
            }
        }
    }
    sum / 216.0
}

/// The positions after every legal turn (with repetitions); `None` when the king is taken.
pub fn legal_ends(men: &Men, roll: [Piece; 3]) -> Vec<Option<Men>> {
    let mut lines = Vec::new();
    play(&board(men), men.strong_to_move, &roll, 0, &mut lines);
    let most = lines.iter().map(|line| line.dice).max().unwrap_or(0);
    let legal = lines
        .iter()
        .filter(|line| line.takes_king || line.dice == most);
    legal
        .map(|line| (!line.takes_king).then(|| men_of(&line.men, !men.strong_to_move)))
        .collect()
}

/// Positions of a material spread over its table, the same ones every time.
pub fn sample(material: Material, count: usize) -> impl Iterator<Item = Men> {
    let entries = material.entries() as u64;
    // A prime that divides no table size: every entry once before any comes back.
    let entry = move |index: u64| (index * 1_000_003 % entries) as usize;
    (0..entries)
        .filter_map(move |index| Men::at_entry(material, entry(index)))
        .take(count)
}

fn board(men: &Men) -> Vec<Man> {
    let man = |strong, piece, square: Square| {
        let (file, rank) = (square.file() as i8, square.rank() as i8);
        Man {
            strong,
            piece,
            file,
            rank,
        }
    };
    let mut list = vec![
        man(true, Piece::King, men.strong),
        man(false, Piece::King, men.weak),
    ];
    list.extend(men.piece.map(|(piece, square)| man(true, piece, square)));
    list
}

fn men_of(list: &[Man], strong_to_move: bool) -> Men {
    let square = |man: &Man| Square::index((man.rank * 8 + man.file) as usize);
    let king = |strong| {
        let found = list
            .iter()
            .find(|man| man.piece == Piece::King && man.strong == strong);
        square(found.expect("both kings are on the board"))
    };
    let piece = list.iter().find(|man| man.piece != Piece::King);
    Men {
        strong: king(true),
        weak: king(false),
        piece: piece.map(|man| (man.piece, square(man))),
        strong_to_move,
    }
}

/// Plays the dice in every order; a line ends with a king, without dice or without moves.
fn play(men: &[Man], strong: bool, dice: &[Piece], spent: usize, lines: &mut Vec<Line>) {
    let mut stuck = true;
    for (index, &die) in dice.iter().enumerate() {
        if dice[..index].contains(&die) {
            continue;
        }
        let mut rest = dice.to_vec();
        rest.remove(index);
        for (mover, man) in men.iter().enumerate() {
            if man.strong != strong || man.piece != die {
                continue;
            }
            for to in moves(men, man) {
                stuck = false;
                let (after, takes_king) = micro_move(men, mover, to);
                if takes_king {
                    lines.push(Line {
                        dice: spent + 1,
                        takes_king,
                        men: after,
                    });
                } else {
                    for after in promotions(after) {
                        play(&after, strong, &rest, spent + 1, lines);
                    }
                }
            }
        }
    }
    if stuck {
        lines.push(Line {
            dice: spent,
            takes_king: false,
            men: men.to_vec(),
        });
    }
}

/// Moves a man and takes what stood there.
fn micro_move(men: &[Man], mover: usize, (file, rank): (i8, i8)) -> (Vec<Man>, bool) {
    let mut after = men.to_vec();
    (after[mover].file, after[mover].rank) = (file, rank);
    let moved = after[mover];
    let there = |man: &Man| man.strong != moved.strong && (man.file, man.rank) == (file, rank);
    let takes_king = after
        .iter()
        .any(|man| there(man) && man.piece == Piece::King);
    after.retain(|man| !there(man));
    (after, takes_king)
}

/// The boards after a possible promotion.
fn promotions(men: Vec<Man>) -> Vec<Vec<Man>> {
    let Some(pawn) = men
        .iter()
        .position(|man| man.piece == Piece::Pawn && man.rank == 7)
    else {
        return vec![men];
    };
    let promoted = |&piece: &Piece| {
        let mut after = men.clone();
        after[pawn].piece = piece;
        after
    };
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .iter()
        .map(promoted)
        .collect()
}

/// The squares a man can go to.
fn moves(men: &[Man], man: &Man) -> Vec<(i8, i8)> {
    let mut list = Vec::new();
    let on = |file: i8, rank: i8| men.iter().find(|m| (m.file, m.rank) == (file, rank));
    let inside = |file: i8, rank: i8| (0..8).contains(&file) && (0..8).contains(&rank);
    let mut ray = |steps: &[(i8, i8)], reach: i8| {
        for (east, north) in steps {
            for length in 1..=reach {
                let (file, rank) = (man.file + east * length, man.rank + north * length);
                let taken = on(file, rank);
                if inside(file, rank) && taken.is_none_or(|other| other.strong != man.strong) {
                    list.push((file, rank));
                }
                if taken.is_some() {
                    break;
                }
            }
        }
    };
    match man.piece {
        Piece::King => {
            ray(&ALONG, 1);
            ray(&ACROSS, 1);
        }
        Piece::Queen => {
            ray(&ALONG, 7);
            ray(&ACROSS, 7);
        }
        Piece::Rook => ray(&ALONG, 7),
        Piece::Bishop => ray(&ACROSS, 7),
        Piece::Knight => ray(&LEAPS, 1),
        Piece::Pawn => {
            // Only the strong side has pawns, and they go up.
            let free = |steps: i8| on(man.file, man.rank + steps).is_none();
            if free(1) {
                list.push((man.file, man.rank + 1));
                if man.rank == 1 && free(2) {
                    list.push((man.file, man.rank + 2));
                }
            }
            for file in [man.file - 1, man.file + 1] {
                if on(file, man.rank + 1).is_some_and(|other| other.strong != man.strong) {
                    list.push((file, man.rank + 1));
                }
            }
        }
    }
    list
}
