use std::sync::OnceLock;

use serde::Deserialize;

use super::super::{MAX_ERROR, Tables, audit, format};
use super::*;

/// Two kings and the knight: the quickest pair that has captures, blocks and stuck pieces.
fn two() -> &'static [Solved; 2] {
    static SOLVED: OnceLock<[Solved; 2]> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let bare = kings();
        let knight = officer(Piece::Knight, &bare);
        [bare, knight]
    })
}

#[derive(Deserialize)]
struct Row {
    position: String,
    horizon_turns: Vec<u32>,
    expected: Vec<f64>,
    tolerance: f64,
}

/// The kings of a position, White's first; White is to roll in all rows.
fn kings_of(position: &str) -> [Square; 2] {
    let (board, rest) = position.split_once(' ').unwrap();
    assert!(rest.starts_with("w "));
    let mut found = [None; 2];
    for (rank, row) in (0..8).rev().zip(board.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                'K' => found[0] = Some(Square::index(rank * 8 + file)),
                'k' => found[1] = Some(Square::index(rank * 8 + file)),
                _ => file += letter.to_digit(10).unwrap() as usize - 1,
            }
            file += 1;
        }
    }
    found.map(Option::unwrap)
}

#[test]
fn two_kings_have_the_known_values_turn_by_turn() {
    let rows = include_str!("../../../tests/data/optimal_value_kk.jsonl");
    let mut checked = 0;
    for row in rows
        .lines()
        .map(|line| serde_json::from_str::<Row>(line).unwrap())
    {
        let [white, black] = kings_of(&row.position);
        for (&turns, &expected) in row.horizon_turns.iter().zip(&row.expected) {
            let value = kings_within(turns, white, black);
            assert!(
                (value - expected).abs() < row.tolerance,
                "{} {turns}: {value}",
                row.position
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 96);
}

#[test]
fn the_horizon_tends_to_the_solution() {
    for (mover, other) in [(Square::E4, Square::E6), (Square::H1, Square::H2)] {
        let men = Men {
            strong: mover,
            weak: other,
            piece: None,
            strong_to_move: true,
        };
        let endless = two()[0].value(&men).unwrap();
        assert!((endless - kings_within(80, mover, other)).abs() < 1e-12);
    }
}

#[test]
fn solving_again_gives_the_stored_bytes() {
    for solved in two() {
        let stored = Tables::get().section(solved.material());
        assert!(
            format::encode_section(solved) == stored,
            "{:?}",
            solved.material()
        );
    }
}

#[test]
fn the_bounds_are_proven_and_narrow() {
    for solved in two() {
        assert!(solved.width() < 1e-9);
        assert!(0.5 / 32767.0 + solved.width() / 2.0 <= MAX_ERROR);
        for men in audit::sample(solved.material(), 2000) {
            let ([low, high], value) =
                (solved.interval(&men).unwrap(), solved.value(&men).unwrap());
            assert!(low < value && value < high, "{men:?}: {low} {value} {high}");
        }
    }
}

#[test]
fn the_plain_rules_give_the_solved_values() {
    let [bare, knight] = two();
    let lookup = |men: &Men| bare.value(men).or_else(|| knight.value(men)).unwrap();
    for material in [Material::Kings, Material::Knight] {
        for men in audit::sample(material, 300) {
            let by_rules = audit::one_turn(&men, lookup);
            assert!(
                (by_rules - lookup(&men)).abs() < 1e-12,
                "{men:?}: {by_rules}"
            );
        }
    }
}

#[test]
fn other_material_and_impossible_positions_have_no_value() {
    let men = |piece| Men {
        strong: Square::A1,
        weak: Square::H8,
        piece,
        strong_to_move: true,
    };
    let [bare, knight] = two();
    assert!(bare.value(&men(None)).is_some() && knight.value(&men(None)).is_none());
    let at = |square| men(Some((Piece::Knight, square)));
    assert!(knight.value(&at(Square::B1)).is_some() && bare.value(&at(Square::B1)).is_none());
    assert!(knight.value(&at(Square::A1)).is_none() && knight.interval(&at(Square::H8)).is_none());
}

#[test]
#[should_panic(expected = "is no officer")]
fn a_pawn_is_no_officer() {
    let _ = officer(Piece::Pawn, &two()[0]);
}

#[test]
#[should_panic(expected = "Queen is not solved")]
fn a_pawn_needs_its_promotions() {
    let _ = pawn(two());
}
