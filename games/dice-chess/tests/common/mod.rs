//! Positions and games for the tests.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::missing_panics_doc)]

pub mod mailbox;

use dice_chess::dfen::parse_dice;
use dice_chess::turns::legal_turns;
use dice_chess::{DiceChess, MicroMove, Phase, Pool, Position, Roll};
use mailbox::Mailbox;
use search_core::game::{Game, Turn};
use search_core::rng::{Draw, Seed, SimRng};
use std::collections::BTreeSet;

pub fn position(dfen: &str) -> Position {
    dfen.parse().unwrap_or_else(|e| panic!("`{dfen}`: {e}"))
}

pub fn pool(dice: &str) -> Pool {
    parse_dice(dice).unwrap()
}

/// A position with these dice on the table.
pub fn rolled(dfen: &str, dice: &str) -> Position {
    position(dfen).with_pool(pool(dice))
}

/// The legal turns as text.
pub fn turns(dfen: &str, dice: &str) -> BTreeSet<String> {
    let position = position(dfen);
    legal_turns(&position.board, position.side, pool(dice))
        .iter()
        .map(|t| t.moves.to_string())
        .collect()
}

pub fn legal(state: &Position) -> Vec<MicroMove> {
    let mut out = Vec::new();
    DiceChess::default().legal_actions(state, &mut out);
    out
}

/// The legal micro-moves as text.
pub fn first_moves(state: &Position) -> Vec<String> {
    legal(state).iter().map(ToString::to_string).collect()
}

/// Plays micro-moves, each of which must be legal.
pub fn play(mut state: Position, moves: &str) -> Position {
    for text in moves.split_whitespace() {
        let mv: MicroMove = text.parse().unwrap();
        let allowed = legal(&state);
        assert!(allowed.contains(&mv), "{mv} in `{state}`: {allowed:?}");
        DiceChess::default().apply(&mut state, mv);
    }
    state
}

/// Everything that can be played to the end of the turn, one legal action after another.
pub fn playable(state: &Position) -> BTreeSet<String> {
    fn go(state: &Position, path: &str, out: &mut BTreeSet<String>) {
        for mv in legal(state) {
            let mut next = *state;
            DiceChess::default().apply(&mut next, mv);
            let path = format!("{path} {mv}").trim_start().to_owned();
            if matches!(next.phase, Phase::Spend(_)) {
                go(&next, &path, out);
            } else {
                out.insert(path);
            }
        }
    }
    let mut out = BTreeSet::new();
    go(state, "", &mut out);
    out
}

pub fn rng(what: &str, index: u64) -> SimRng {
    Seed(7).child(what).simulation(index)
}

pub fn any_roll(rng: &mut SimRng) -> Roll {
    Roll::from_ordered(rng.below(216))
}

/// The position after some turns of random play, before a roll.
pub fn random_position(game: &DiceChess, rng: &mut SimRng, turns: u32) -> Position {
    let mut state = game.initial_state(rng);
    let mut actions = Vec::new();
    let mut left = turns;
    loop {
        match game.turn(&state) {
            Turn::Chance if left == 0 => return state,
            Turn::Chance => {
                left -= 1;
                game.apply_chance(&mut state, any_roll(rng));
            }
            Turn::Player(_) => {
                game.legal_actions(&state, &mut actions);
                game.apply(&mut state, rng.pick(&actions).unwrap());
            }
            // Too long: another game.
            Turn::Terminal => {
                state = game.initial_state(rng);
                left = turns / 2;
            }
        }
    }
}

/// A position that no game need ever reach: any number of kings, pawns on the last ranks, rights
/// and en passant targets that contradict the board. A DFEN reader accepts it.
pub fn garbage(rng: &mut SimRng) -> Mailbox {
    let mut board = Mailbox::empty(rng.below(2) == 0);
    let mut put = |letters: &str, square: usize, rng: &mut SimRng| {
        let letters: Vec<char> = letters.chars().collect();
        board.squares[square] = rng.pick(&letters).unwrap();
    };
    for _ in 0..2 + rng.below(9) {
        let square = rng.below(64) as usize;
        put("PPPNBRQKpppnbrqk", square, rng);
    }
    // Pieces at home, so that castling comes up.
    if rng.below(2) == 0 {
        for (square, letters) in [
            (0, "R."),
            (4, "KKKN"),
            (7, "R."),
            (56, "r."),
            (60, "kkkn"),
            (63, "rrN"),
        ] {
            put(letters, square, rng);
        }
    }
    // Pawns that may have pushed twice, and those beside them.
    for _ in 0..rng.below(4) {
        let file = rng.below(8) as usize;
        put("PPp", 24 + file, rng);
        put("ppP.", 24 + (file + 1) % 8, rng);
        let file = rng.below(8) as usize;
        put("ppP", 32 + file, rng);
        put("PPp.", 32 + (file + 1) % 8, rng);
    }
    for right in &mut board.rights {
        *right = rng.below(2) == 0;
    }
    for file in 0..8 {
        if board.squares[24 + file] == 'P' {
            board.en_passant[16 + file] = rng.below(2) == 0;
        }
        if board.squares[32 + file] == 'p' {
            board.en_passant[40 + file] = rng.below(2) == 0;
        }
    }
    board.half_move = rng.pick(&[0, 1, 50, 99, 124, 125, 126, 127]).unwrap();
    board.full_move = rng.pick(&[1, 7, 2_147_483_646, 2_147_483_647]).unwrap();
    board
}
