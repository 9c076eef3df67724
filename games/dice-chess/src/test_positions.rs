//! Positions for the tests: of the known answers, of random games, and sparse random boards.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square};
use search_core::rng::{Draw, Seed, SimRng};
use serde_json::Value;

use crate::board::{Board, Wing, king_home};
use crate::dice::{FACES, Roll};
use crate::position::Position;
use crate::turns::legal_turns;

/// The positions on which throughput is measured.
pub(crate) const MEASURED: [(&str, &str); 4] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("two knights", "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1"),
];

/// The rows of the known answers of one kind.
pub(crate) fn rows(kind: &str) -> Vec<Value> {
    let text = include_str!("../tests/data/dice_chess.jsonl");
    let kind = format!("dice-chess/{kind}");
    let values = text
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap());
    values.filter(|v| v["kind"] == kind.as_str()).collect()
}

pub(crate) fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Every different board of the known answers.
pub(crate) fn known_boards() -> Vec<Board> {
    let text = include_str!("../tests/data/dice_chess.jsonl");
    let values = text
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap());
    let mut boards: Vec<Board> = values
        .filter_map(|v| Some(v["position"].as_str()?.parse::<Position>().ok()?.board))
        .collect();
    let mut seen = std::collections::HashSet::new();
    boards.retain(|b| seen.insert(*b));
    boards
}

/// `count` positions before the roll from random games that go on until a king is taken; kings are taken
/// only when nothing else is possible.
pub(crate) fn from_games(count: usize, seed: u64) -> Vec<(Board, Color)> {
    let mut rng = Seed(seed).simulation(0);
    let mut positions = Vec::new();
    while positions.len() < count {
        let (mut board, mut side) = (Board::start(), Color::White);
        for _ in 0..80 {
            positions.push((board, side));
            let roll = Roll::from_ordered(rng.below(216));
            let mut turns = legal_turns(&board, side, roll.pool());
            if turns.iter().any(|t| !t.takes_king) {
                turns.retain(|t| !t.takes_king);
            }
            if let Some(turn) = rng.pick(&turns) {
                if turn.takes_king {
                    break;
                }
                board = turn.board;
            }
            board.end_turn(side);
            side = !side;
        }
    }
    positions.truncate(count);
    positions
}

/// A board with few pieces: pawns that are about to become something, en passant targets, castling and
/// sometimes several kings or none.
pub(crate) fn sparse(rng: &mut SimRng) -> Board {
    let mut board = Board::default();
    let free = |board: &Board, at: Square| !board.occupied().has(at);
    let put = |board: &mut Board, side, piece, at: Square| {
        if free(board, at) {
            board.put(side, piece, at);
        }
    };
    let any = |rng: &mut SimRng, within: BitBoard| {
        let squares: Vec<Square> = within.into_iter().collect();
        rng.pick(&squares).unwrap()
    };
    let all = BitBoard::FULL;
    if rng.below(3) == 0 {
        let mut rights = board.castling();
        for side in Color::ALL {
            put(&mut board, side, Piece::King, king_home(side));
            for wing in Wing::ALL {
                if rng.below(4) > 0 {
                    put(&mut board, side, Piece::Rook, wing.rook_from(side));
                }
                if rng.below(4) > 0 {
                    rights.add(side, wing);
                }
            }
        }
        board.set_castling(rights);
    }
    for side in Color::ALL {
        let kings = [1, 1, 1, 1, 1, 1, 0, 2][rng.below(8) as usize];
        let at_home = !board.of(side, Piece::King).is_empty();
        // A second king beside one that may castle, now and then.
        if !at_home || kings == 2 {
            for _ in 0..if at_home { 1 } else { kings } {
                let at = any(rng, all);
                put(&mut board, side, Piece::King, at);
            }
        }
        let (far, passing) = match side {
            Color::White => (Rank::Seventh, Rank::Fourth),
            Color::Black => (Rank::Second, Rank::Fifth),
        };
        for _ in 0..rng.below(4) {
            let at = any(rng, far.bitboard());
            put(&mut board, side, Piece::Pawn, at);
        }
        for _ in 0..rng.below(4) {
            let at = any(rng, passing.bitboard());
            put(&mut board, side, Piece::Pawn, at);
            // A pawn of the other side beside it, which may take it.
            let beside = any(rng, passing.bitboard() & at.file().adjacent());
            put(&mut board, !side, Piece::Pawn, beside);
        }
        let rank = rng.below(6) as usize + 1;
        let at = any(rng, Rank::index(rank).bitboard());
        put(&mut board, side, Piece::Pawn, at);
        for _ in 0..rng.below(4) {
            let piece = FACES[1 + rng.below(4) as usize];
            let at = any(rng, all);
            put(&mut board, side, piece, at);
        }
    }
    let mut targets = BitBoard::EMPTY;
    for side in Color::ALL {
        let rank = match side {
            Color::White => Rank::Fourth,
            Color::Black => Rank::Fifth,
        };
        for pawn in board.of(side, Piece::Pawn) & rank.bitboard() {
            let behind = match side {
                Color::White => Square::index(pawn as usize - 8),
                Color::Black => Square::index(pawn as usize + 8),
            };
            if free(&board, behind) && rng.below(3) > 0 {
                targets |= behind.bitboard();
            }
        }
    }
    board.set_en_passant(targets);
    board
}
