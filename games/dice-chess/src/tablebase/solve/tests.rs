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

/// The stored values of a material, as if they had been solved.
fn from_store(material: Material) -> Bounded {
    let sides = [true, false].map(|strong_to_move| {
        let squares = if material == Material::Kings { 1 } else { 64 };
        let position = |index: usize| {
            let (kings, square) = (index / squares, Square::index(index % squares));
            let [weak, strong] = [kings / 64, kings % 64].map(Square::index);
            let piece = material.piece().map(|piece| (piece, square));
            let men = Men {
                strong,
                weak,
                piece,
                strong_to_move,
            };
            let value = Tables::get().value(&men);
            value.map(|value| if strong_to_move { value } else { -value })
        };
        (0..64 * 64 * squares)
            .map(position)
            .collect::<Vec<Option<f64>>>()
    });
    let valid = sides[0].iter().map(Option::is_some).collect();
    let [strong, weak] = sides.map(|side| side.iter().map(|v| v.unwrap_or(0.0)).collect());
    let pair = model::Pair { strong, weak };
    let values = [pair.clone(), pair.clone(), pair];
    Bounded {
        values,
        valid,
        sweeps: 0,
        proof_sweeps: 0,
    }
}

/// The stored values stand still, for every material, if a turn of each side is played.
#[test]
fn one_turn_of_each_side_keeps_the_stored_values() {
    let kings = from_store(Material::Kings);
    let officers = pawn::OFFICERS.map(|piece| from_store(Material::with(piece).unwrap()));
    let pawn = from_store(Material::Pawn);
    let keeps = |model: &dyn Model, stored: &Bounded, bound: usize| {
        assert_eq!(model.valid(), stored.valid);
        let pair = &stored.values[bound];
        let (mut strong, mut weak) = (vec![0.0; pair.weak.len()], vec![0.0; pair.weak.len()]);
        model.strong_turn(bound, &pair.weak, &mut strong);
        model.weak_turn(bound, &pair.strong, &mut weak);
        for (index, _) in stored.valid.iter().enumerate().filter(|&(_, &valid)| valid) {
            assert!(
                (strong[index] - pair.strong[index]).abs() < 2.0 * MAX_ERROR,
                "{index}"
            );
            assert!(
                (weak[index] - pair.weak[index]).abs() < 2.0 * MAX_ERROR,
                "{index}"
            );
        }
    };
    keeps(&kings::Kings, &kings, MIDDLE);
    for (piece, stored) in pawn::OFFICERS.into_iter().zip(&officers) {
        keeps(&officer::Officer::new(piece, &kings), stored, LOWER);
    }
    keeps(&pawn::Pawn::new(&kings, officers.each_ref()), &pawn, UPPER);
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

/// Bounds that claim too much, or that live on play that never ends, are not proven.
#[test]
fn only_bounds_hold() {
    let margin = model::MARGIN[0];
    let [bare, _] = two();
    let holds = |sign: f64, values: &[f64]| {
        let (mut strong, mut weak) = (vec![0.0; 64 * 64], vec![0.0; 64 * 64]);
        kings::Kings.strong_turn(MIDDLE, values, &mut strong);
        kings::Kings.weak_turn(MIDDLE, &strong, &mut weak);
        model::holds(&bare.bounded.valid, [values, &weak], sign, margin)
    };
    let [middle, lower, upper] = bare.bounded.values.each_ref().map(|pair| &pair.weak[..]);
    assert!(holds(1.0, lower) && holds(-1.0, upper));
    assert!(!holds(-1.0, lower) && !holds(1.0, upper));
    assert!(
        !holds(1.0, middle) && !holds(-1.0, middle),
        "no room for rounding"
    );
    for claim in [1e-3, 1e-6, margin] {
        let more: Vec<f64> = middle.iter().map(|value| value + claim).collect();
        let less: Vec<f64> = middle.iter().map(|value| value - claim).collect();
        assert!(!holds(1.0, &more) && !holds(-1.0, &less), "{claim}");
    }
    // Standing still is enough at the margin and on its side of 0 only.
    let still = |value: f64, sign| model::holds(&[true], [&[value], &[value]], sign, margin);
    assert!(still(-margin, 1.0) && still(margin, -1.0));
    assert!(!still(margin, 1.0) && !still(-margin, -1.0) && !still(0.5, 1.0));
    let moves = |change: f64| model::holds(&[true], [&[0.5], &[0.5 + change]], 1.0, margin);
    assert!(moves(1e-13) && !moves(1e-15) && !moves(-1e-13));
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
