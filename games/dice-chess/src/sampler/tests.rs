//! Every number is a turn and every turn one number, by enumeration.

use super::*;
use crate::capture::king_captures;
use crate::dice::Roll;
use crate::test_positions::{from_games, known_boards, sparse};
use crate::turns::legal_turns;
use search_core::rng::Seed;

fn enumerated(board: &Board, side: Color, pool: Pool) -> Vec<TurnMoves> {
    let mut turns: Vec<_> = legal_turns(board, side, pool)
        .iter()
        .map(|t| t.moves)
        .collect();
    turns.sort_unstable();
    turns
}

/// The exact table, and the coarse one where it may be used.
fn check(sampler: &mut TurnSampler, board: &Board, side: Color, pool: Pool) {
    let expected = enumerated(board, side, pool);
    let total = sampler.prepare(board, side, pool);
    assert_eq!(total, expected.len() as u64, "{board:?} {side} {pool:?}");
    let mut found: Vec<_> = (0..total).map(|n| sampler.nth(n).unwrap()).collect();
    assert_eq!(sampler.nth(total), None);
    let taking = legal_turns(board, side, pool)
        .iter()
        .filter(|t| t.takes_king)
        .count();
    assert_eq!(sampler.king_captures(), taking as u64);
    found.sort_unstable();
    assert_eq!(found, expected, "{board:?} {side} {pool:?}");
    let roll = Roll::of(pool).unwrap();
    if king_captures(board, side).has(roll) {
        return;
    }
    for dice in (1..=pool.len()).rev() {
        let total = sampler.fill(board, side, pool, dice, true);
        let mut found: Vec<_> = (0..total).filter_map(|n| sampler.nth(n)).collect();
        found.sort_unstable();
        if !found.is_empty() {
            assert_eq!(found, expected, "{board:?} {side} {pool:?} coarse");
            return;
        }
    }
    assert!(expected.is_empty(), "{board:?} {side} {pool:?} passes");
}

#[test]
fn every_number_is_one_turn() {
    let mut sampler = TurnSampler::new();
    let mut rng = Seed(1).simulation(0);
    for board in known_boards() {
        for side in Color::ALL {
            let roll = Roll::from_ordered(rng.below(216));
            check(&mut sampler, &board, side, roll.pool());
        }
    }
    for (board, side) in from_games(1_500, 2) {
        let roll = Roll::from_ordered(rng.below(216));
        check(&mut sampler, &board, side, roll.pool());
    }
    for _ in 0..3_000 {
        let board = sparse(&mut rng);
        let roll = Roll::from_ordered(rng.below(216));
        check(&mut sampler, &board, Color::White, roll.pool());
        check(&mut sampler, &board, Color::Black, roll.pool());
    }
}

/// Castling in every place of a turn.
/// A pawn with the most moves there are: on the last rank but one, with both captures and the push,
/// twelve in all; also when it comes there within the turn.
#[test]
fn pawns_about_to_promote() {
    let mut sampler = TurnSampler::new();
    for dfen in [
        "3r1r2/8/4P3/8/8/8/8/K6k w - - 0 1",
        "3r1r2/4P3/8/8/8/8/8/K6k w - - 0 1",
        "K6k/8/8/8/8/4p3/8/3R1R2 b - - 0 1",
    ] {
        let position: crate::Position = dfen.parse().unwrap();
        for roll in Roll::all() {
            check(&mut sampler, &position.board, position.side, roll.pool());
        }
    }
}

#[test]
fn castling_rolls() {
    let mut sampler = TurnSampler::new();
    let mut rng = Seed(3).simulation(0);
    for _ in 0..3_000 {
        let board = sparse(&mut rng);
        if Wing::ALL.iter().any(|&w| board.may_castle(Color::White, w)) {
            for third in crate::dice::FACES {
                let pool = Pool::new(&[Piece::King, Piece::Rook, third]).unwrap();
                check(&mut sampler, &board, Color::White, pool);
            }
        }
    }
}

/// Drawing comes to the same as the numbers: the shares of the turns of a roll are even.
#[test]
fn draws_are_even() {
    let mut sampler = TurnSampler::new();
    let mut rng = Seed(4).simulation(0);
    let mut tested = 0;
    for (board, side) in from_games(400, 5) {
        let roll = Roll::from_ordered(rng.below(216));
        let turns = enumerated(&board, side, roll.pool());
        if !(2..400).contains(&turns.len()) {
            continue;
        }
        let quiet = !king_captures(&board, side).has(roll);
        let mut counts = vec![0_u32; turns.len()];
        let draws = 50 * turns.len();
        for i in 0..draws {
            let turn = if quiet && i % 2 == 0 {
                sampler.sample_quiet(&board, side, roll.pool(), &mut rng)
            } else {
                sampler.sample(&board, side, roll.pool(), &mut rng)
            };
            counts[turns.binary_search(&turn).unwrap()] += 1;
        }
        let chi2: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 50.0).powi(2) / 50.0)
            .sum();
        let freedom = (turns.len() - 1) as f64;
        // Wilson and Hilferty: the quantile at about 1 - 1e-7.
        let (a, z) = (2.0 / (9.0 * freedom), 5.2);
        let limit = freedom * (1.0 - a + z * f64::sqrt(a)).powi(3);
        assert!(chi2 < limit, "{chi2} with {freedom} degrees of freedom");
        tested += 1;
    }
    assert!(tested > 100, "{tested}");
}

#[test]
fn passes() {
    let board = Board::start();
    let pool = Pool::new(&[Piece::Queen; 3]).unwrap();
    let mut sampler = TurnSampler::new();
    let mut rng = Seed(6).simulation(0);
    let turn = sampler.sample(&board, Color::White, pool, &mut rng);
    assert!(turn.is_empty());
    let turn = sampler.sample_quiet(&board, Color::White, pool, &mut rng);
    assert!(turn.is_empty());
}
