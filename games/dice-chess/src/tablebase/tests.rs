use std::collections::HashSet;

use cozy_chess::{BitBoard, Piece, Square};
use proptest::prelude::*;

use super::position::Symmetry;
use super::*;

fn men(strong: Square, piece: Option<(Piece, Square)>, weak: Square, to_move: bool) -> Men {
    Men {
        strong,
        weak,
        piece,
        strong_to_move: to_move,
    }
}

/// The stored value.
fn value(men: &Men) -> f64 {
    Tables::get()
        .value(men)
        .unwrap_or_else(|| panic!("{men:?} is not stored"))
}

/// Probes with the strong side as White.
fn probe_white(men: &Men) -> Option<f64> {
    let mut white = vec![(Piece::King, men.strong)];
    white.extend(men.piece);
    probe(&white, &[(Piece::King, men.weak)], men.strong_to_move)
}

/// Probes the position with exchanged colours and the board upside down.
fn probe_black(men: &Men) -> Option<f64> {
    let mut black = vec![(Piece::King, men.strong.flip_rank())];
    black.extend(men.piece.map(|(piece, square)| (piece, square.flip_rank())));
    probe(
        &[(Piece::King, men.weak.flip_rank())],
        &black,
        !men.strong_to_move,
    )
}

fn any_men() -> impl Strategy<Value = Men> {
    let piece = prop::option::weighted(0.9, (0..5usize, 0..64usize));
    (0..64usize, 0..64usize, piece, any::<bool>()).prop_map(|(strong, weak, piece, to_move)| {
        let piece = piece.map(|(kind, square)| (Piece::ALL[kind], Square::index(square)));
        men(Square::index(strong), piece, Square::index(weak), to_move)
    })
}

#[test]
fn the_published_values_come_out() {
    use Square::{A1, D1, E1, H8};
    let queen = men(E1, Some((Piece::Queen, D1)), H8, true);
    let rook = men(E1, Some((Piece::Rook, A1)), H8, true);
    assert!((value(&queen) - 0.9224).abs() < 5e-5 + MAX_ERROR);
    assert!((value(&rook) - 0.8927).abs() < 5e-5 + MAX_ERROR);
}

#[test]
fn every_entry_is_a_position_of_its_own_or_empty() {
    for material in Material::ALL {
        let mut empty = 0;
        for entry in 0..material.entries() {
            match Men::at_entry(material, entry) {
                Some(men) => {
                    assert_eq!((men.material(), men.entry()), (Some(material), entry));
                    assert!(value(&men).abs() <= 1.0);
                }
                None => empty += 1,
            }
        }
        let stored = Tables::get().section(material).chunks_exact(2);
        let none = stored
            .filter(|entry| entry[..] == i16::MIN.to_le_bytes())
            .count();
        assert_eq!(none, empty, "{material:?}");
    }
}

#[test]
fn a_symmetry_maps_the_board_onto_itself() {
    let maps: Vec<Vec<Square>> = Symmetry::all()
        .map(|map| Square::ALL.map(|square| map.apply(square)).to_vec())
        .collect();
    assert_eq!(maps.iter().collect::<HashSet<_>>().len(), 8);
    for map in maps {
        assert_eq!(map.iter().collect::<HashSet<_>>().len(), 64);
    }
}

/// The rules, told once more and in another way, hold for what is stored.
#[test]
fn the_plain_rules_give_the_stored_values() {
    for material in Material::ALL {
        for men in audit::sample(material, 120) {
            let by_rules = audit::one_turn(&men, value);
            let difference = (by_rules - value(&men)).abs();
            assert!(difference < 2.0 * MAX_ERROR, "{men:?}: {by_rules}");
        }
    }
}

/// Positions in which the maximum of dice decides what is legal.
#[test]
fn the_plain_rules_hold_where_the_maximum_binds() {
    use Square::*;
    let positions = [
        // The bishop is shut in until the king moves.
        men(B2, Some((Piece::Bishop, A1)), H8, true),
        men(B2, Some((Piece::Bishop, A1)), C3, true),
        // The pawn is blocked by its own or by the enemy king.
        men(E3, Some((Piece::Pawn, E2)), H8, true),
        men(A1, Some((Piece::Pawn, E2)), E3, true),
        men(A1, Some((Piece::Pawn, E2)), E4, true),
        // Promotion: the new piece has to be the one whose die was rolled.
        men(A1, Some((Piece::Pawn, G7)), A8, true),
        men(A1, Some((Piece::Pawn, G7)), G8, true),
        men(A1, Some((Piece::Pawn, G6)), H4, true),
        men(A1, Some((Piece::Pawn, B5)), H8, true),
        // The lone king next to the piece, and next to both.
        men(C1, Some((Piece::Queen, D2)), E3, false),
        men(C1, Some((Piece::Pawn, D7)), E8, false),
        men(A1, Some((Piece::Rook, H1)), G2, false),
    ];
    for men in positions {
        let by_rules = audit::one_turn(&men, value);
        assert!(
            (by_rules - value(&men)).abs() < 2.0 * MAX_ERROR,
            "{men:?}: {by_rules}"
        );
    }
}

/// What the enumeration calls legal, on positions small enough to see it.
#[test]
fn the_enumeration_keeps_the_maximum_of_dice() {
    use Square::*;
    let (k, p, q, n) = (Piece::King, Piece::Pawn, Piece::Queen, Piece::Knight);
    // A queen die after the pawn die forces a queen, and she has to move.
    let on_seventh = men(A1, Some((p, G7)), A5, true);
    let ends = audit::legal_ends(&on_seventh, [p, p, q]);
    assert!(!ends.is_empty());
    for end in &ends {
        let (piece, square) = end.as_ref().unwrap().piece.unwrap();
        assert!(piece == q && square != G8);
    }
    // Without an officer's die all four choices are open.
    assert_eq!(audit::legal_ends(&on_seventh, [p, p, p]).len(), 4);
    // Nothing can move: a pass, and only a pass.
    let pass = audit::legal_ends(&on_seventh, [n, n, n]);
    assert_eq!(
        pass,
        [Some(Men {
            strong_to_move: false,
            ..on_seventh
        })]
    );
    // A capture of the king is legal with dice to spare, and other turns stay legal.
    let close = men(A1, Some((n, H1)), B2, true);
    let ends = audit::legal_ends(&close, [k, n, n]);
    assert!(ends.contains(&None) && ends.iter().any(Option::is_some));
    // A pawn takes the king on the last rank without promoting: one turn, not four.
    let take = men(A1, Some((p, G7)), H8, true);
    let ends = audit::legal_ends(&take, [p, n, n]);
    assert_eq!(ends.iter().filter(|end| end.is_none()).count(), 1);
}

#[test]
fn a_lone_king_that_takes_the_piece_leaves_two_kings() {
    use Square::*;
    let start = men(A8, Some((Piece::Rook, H1)), G1, false);
    let taken = men(A8, None, H1, true);
    let ends = audit::legal_ends(&start, [Piece::King, Piece::Rook, Piece::Rook]);
    assert!(ends.contains(&Some(taken)));
    // Far from the other king that is a draw, and the best there is.
    assert_eq!(value(&taken), 0.0);
    assert!(value(&start) > value(&men(A8, Some((Piece::Rook, H1)), D5, false)));
}

#[test]
fn kings_that_keep_away_never_decide() {
    for men in audit::sample(Material::Kings, 640) {
        let (a, b) = (men.strong, men.weak);
        let files = (a.file() as i32 - b.file() as i32).abs();
        let distance = files.max((a.rank() as i32 - b.rank() as i32).abs());
        assert_eq!(value(&men) == 0.0, distance > 3, "{men:?}");
        assert!(value(&men) >= 0.0);
    }
}

#[test]
fn what_is_not_covered_has_no_value() {
    use Square::*;
    let king = |square| (Piece::King, square);
    let some = |white: &[(Piece, Square)], black: &[(Piece, Square)]| {
        let [first, second] = [true, false].map(|side| probe(white, black, side).is_some());
        assert_eq!(first, second);
        first
    };
    assert!(some(&[king(A1)], &[king(H8)]));
    assert!(some(&[king(A1), (Piece::Pawn, B2)], &[king(H8)]));
    assert!(some(&[king(A1)], &[king(H8), (Piece::Pawn, B7)]));
    for square in [B1, C8] {
        assert!(
            !some(&[king(A1), (Piece::Pawn, square)], &[king(H8)]),
            "a pawn on {square}"
        );
        assert!(
            !some(&[king(A1)], &[(Piece::Pawn, square), king(H8)]),
            "a pawn on {square}"
        );
    }
    assert!(!some(&[king(A1)], &[]) && !some(&[], &[king(A1)]) && !some(&[], &[]));
    assert!(!some(&[king(A1), king(B1)], &[]), "both kings White's");
    assert!(!some(&[king(A1), king(B1)], &[king(H8)]), "three kings");
    assert!(!some(&[king(A1), (Piece::Queen, B1)], &[]), "no black king");
    assert!(!some(&[king(A1)], &[king(A1)]), "one square for both kings");
    assert!(
        !some(&[king(A1), (Piece::Queen, A1)], &[king(H8)]),
        "one square for two men"
    );
    assert!(
        !some(&[king(A1), (Piece::Queen, H8)], &[king(H8)]),
        "one square for two men"
    );
    let pair = [(Piece::Queen, B1), (Piece::Rook, C1)];
    assert!(
        !some(&[king(A1), pair[0], pair[1]], &[king(H8)]),
        "four men"
    );
    assert!(
        !some(&[king(A1), pair[0]], &[king(H8), pair[1]]),
        "four men"
    );
}

#[test]
fn sets_that_contradict_each_other_have_no_value() {
    let (a1, b2, h8) = (
        Square::A1.bitboard(),
        Square::B2.bitboard(),
        Square::H8.bitboard(),
    );
    let mut pieces = [BitBoard::EMPTY; 6];
    pieces[Piece::King as usize] = a1 | h8;
    assert!(probe_bitboards(&pieces, &[a1, h8], true).is_some());
    assert_eq!(
        probe_bitboards(&pieces, &[a1 | b2, h8], true),
        None,
        "a man of no kind"
    );
    assert_eq!(
        probe_bitboards(&pieces, &[a1 | h8, h8], true),
        None,
        "a king of both sides"
    );
    pieces[Piece::Rook as usize] = b2;
    assert!(probe_bitboards(&pieces, &[a1 | b2, h8], true).is_some());
    assert_eq!(
        probe_bitboards(&pieces, &[a1, h8], true),
        None,
        "a rook of no side"
    );
    assert_eq!(
        probe_bitboards(&pieces, &[a1 | b2, h8 | b2], true),
        None,
        "a rook of both"
    );
    pieces[Piece::Pawn as usize] = b2;
    assert_eq!(
        probe_bitboards(&pieces, &[a1 | b2, h8], true),
        None,
        "a rook and a pawn"
    );
}

#[test]
fn damaged_files_are_refused() {
    let damaged = |change: fn(&mut Vec<u8>)| {
        let mut file = FILE.to_vec();
        change(&mut file);
        Tables::parse(file.leak()).unwrap_err()
    };
    assert!(Tables::parse(FILE).is_ok());
    assert_eq!(damaged(|file| file.truncate(10)), TableError::NotATable);
    assert_eq!(damaged(|file| file[0] ^= 1), TableError::NotATable);
    assert_eq!(damaged(|file| file[8] = 9), TableError::Version(9));
    assert!(matches!(
        damaged(|file| file[12] ^= 1),
        TableError::Length { .. }
    ));
    assert!(matches!(
        damaged(|file| file.truncate(1000)),
        TableError::Length { .. }
    ));
    assert!(matches!(
        damaged(|file| file.push(0)),
        TableError::Length { .. }
    ));
    assert_eq!(damaged(|file| file[16] ^= 1), TableError::Checksum);
    assert_eq!(
        damaged(|file| *file.last_mut().unwrap() ^= 1),
        TableError::Checksum
    );
}

proptest! {
    #[test]
    fn colours_do_not_matter(men in any_men()) {
        prop_assert_eq!(probe_white(&men).is_some(), men.is_valid());
        prop_assert_eq!(probe_white(&men), Tables::get().value(&men));
        prop_assert_eq!(probe_white(&men), probe_black(&men));
    }

    #[test]
    fn symmetric_positions_have_equal_values(men in any_men()) {
        prop_assume!(men.is_valid());
        let pawn = men.material() == Some(Material::Pawn);
        for map in Symmetry::all().filter(|map| !pawn || map.keeps_ranks()) {
            let image = Men {
                strong: map.apply(men.strong),
                weak: map.apply(men.weak),
                piece: men.piece.map(|(piece, square)| (piece, map.apply(square))),
                ..men
            };
            prop_assert_eq!(value(&men), value(&image));
        }
    }

    #[test]
    fn two_kings_are_even(a in 0..64usize, b in 0..64usize) {
        prop_assume!(a != b);
        let (a, b) = (Square::index(a), Square::index(b));
        let [first, second] = [(a, b), (b, a)].map(|(white, black)| {
            probe(&[(Piece::King, white)], &[(Piece::King, black)], true)
        });
        let black = probe(&[(Piece::King, b)], &[(Piece::King, a)], false);
        prop_assert_eq!(first, black);
        prop_assert!(first.is_some() && second.is_some());
    }

    /// The move is worth having with and without the piece.
    #[test]
    fn rolling_first_is_no_handicap(men in any_men()) {
        prop_assume!(men.is_valid());
        let other = Men { strong_to_move: !men.strong_to_move, ..men };
        prop_assert!(value(&men) + value(&other) >= -2.0 * MAX_ERROR);
    }
}
