//! Othello against known counts, a slow second implementation, its symmetries, and solved endgames.

use classics::Othello;
use classics::othello::{Move, Position};
use search_core::budget::Budget;
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::expectimax::{Expectimax, ExpectimaxSettings};
use search_core::search::{Searcher, Uct};

const BLACK: Player = Player::new(0);
const WHITE: Player = Player::new(1);

fn legal(position: &Position) -> Vec<Move> {
    let mut out = Vec::new();
    Othello.legal_actions(position, &mut out);
    out
}

fn after(position: &Position, action: Move) -> Position {
    let mut next = *position;
    Othello.apply(&mut next, action);
    next
}

fn read(text: &str) -> Position {
    Othello.parse_observation(text).unwrap()
}

/// Random plies of one game, each with the position before.
fn random_game(mut visit: impl FnMut(&Position, &mut SimRng), mut rng: SimRng) -> Position {
    let mut position = Position::default();
    loop {
        visit(&position, &mut rng);
        let Some(action) = rng.pick(&legal(&position)) else {
            return position;
        };
        Othello.apply(&mut position, action);
    }
}

/// Sequences of `depth` plies, a pass being a ply, and games that end before.
fn perft(position: &Position, depth: u32) -> (u64, u64) {
    if Othello.turn(position) == Turn::Terminal {
        return if depth == 0 { (1, 0) } else { (0, 1) };
    }
    match depth {
        0 => (1, 0),
        1 => (u64::from(position.moves().count_ones().max(1)), 0),
        _ => legal(position)
            .into_iter()
            .map(|action| perft(&after(position, action), depth - 1))
            .fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1)),
    }
}

/// The published counts are of leaves: a game that has ended before the depth counts as one.
#[test]
fn perft_from_the_start_is_as_published() {
    let published = [
        4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284,
    ];
    for (leaves, depth) in published.into_iter().zip(1..) {
        let (sequences, ended) = perft(&Position::default(), depth);
        assert_eq!(sequences + ended, leaves, "{depth}");
        assert_eq!(ended, if depth == 10 { 228 } else { 0 }, "{depth}");
    }
}

/// A board of squares, `discs[row][column]`: none, 0 or 1.
type Squares = [[Option<usize>; 8]; 8];

fn squares(position: &Position) -> Squares {
    let mut board = [[None; 8]; 8];
    for (row, line) in board.iter_mut().enumerate() {
        for (column, square) in line.iter_mut().enumerate() {
            let bit = 1_u64 << (8 * row + column);
            *square = [BLACK, WHITE]
                .iter()
                .position(|p| position.discs(*p) & bit != 0);
        }
    }
    board
}

/// The discs that turn, square by square along every direction.
fn turned(board: &Squares, mover: usize, row: usize, column: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    if board[row][column].is_some() {
        return all;
    }
    for (dy, dx) in [
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 1),
        (1, -1),
        (1, 0),
        (1, 1),
    ] {
        let (mut y, mut x) = (row as i32 + dy, column as i32 + dx);
        let mut line = Vec::new();
        while (0..8).contains(&y) && (0..8).contains(&x) {
            match board[y as usize][x as usize] {
                Some(owner) if owner == mover => {
                    all.append(&mut line);
                    break;
                }
                Some(_) => line.push((y as usize, x as usize)),
                None => break,
            }
            (y, x) = (y + dy, x + dx);
        }
    }
    all
}

fn has_move(board: &Squares, mover: usize) -> bool {
    (0..64).any(|square| !turned(board, mover, square / 8, square % 8).is_empty())
}

/// Turn, actions and what they lead to, by the slow rules.
fn check_position(position: &Position, mover: usize) {
    let board = squares(position);
    let expected: Vec<usize> = (0..64)
        .filter(|square| !turned(&board, mover, square / 8, square % 8).is_empty())
        .collect();
    let actions = legal(position);
    if expected.is_empty() {
        if has_move(&board, 1 - mover) {
            assert_eq!(actions, [Move::PASS], "{position}");
            let next = after(position, Move::PASS);
            assert_eq!(squares(&next), board);
            assert_eq!(Othello.turn(&next), Turn::Player(Player::new(1 - mover)));
        } else {
            assert_eq!(Othello.turn(position), Turn::Terminal, "{position}");
            let count = |player| {
                board
                    .iter()
                    .flatten()
                    .filter(|s| **s == Some(player))
                    .count()
            };
            let lead = count(0) as f64 - count(1) as f64;
            let sign = if lead == 0.0 { 0.0 } else { lead.signum() };
            assert_eq!(Othello.returns(position)[..], [sign, -sign], "{position}");
        }
        return;
    }
    assert_eq!(Othello.turn(position), Turn::Player(Player::new(mover)));
    let got: Vec<usize> = actions.iter().map(|a| a.square().unwrap()).collect();
    assert_eq!(got, expected, "{position}");
    for square in expected {
        let (row, column) = (square / 8, square % 8);
        let mut next = board;
        next[row][column] = Some(mover);
        for (y, x) in turned(&board, mover, row, column) {
            next[y][x] = Some(mover);
        }
        let reached = after(position, Move::new(square).unwrap());
        assert_eq!(squares(&reached), next, "{position} {square}");
    }
}

#[test]
fn moves_and_turned_discs_agree_with_a_square_by_square_reference() {
    let mut passes = 0;
    for index in 0..300 {
        // Whose turn it is follows from the plies alone, passes included.
        let mut ply = 0;
        let end = random_game(
            |position, _| {
                check_position(position, ply % 2);
                passes += u32::from(legal(position) == [Move::PASS]);
                ply += 1;
            },
            Seed(11).simulation(index),
        );
        assert_eq!(Othello.turn(&end), Turn::Terminal);
    }
    assert!(passes > 50, "{passes}");
    // And on boards that no game leads to, dense and sparse.
    for index in 0..20_000 {
        let mut rng = Seed(12).simulation(index);
        let (a, b, c) = (rng.next(), rng.next(), rng.next());
        let (black, white) = match index % 3 {
            0 => (a & b, !a & b),
            1 => (a & b & c, !a & b & c),
            _ => (a, !a & (b | c)),
        };
        let mover = index as usize / 3 % 2;
        let position = Position::new(black, white, Player::new(mover)).unwrap();
        check_position(&position, mover);
    }
}

/// The eight symmetries of the square.
fn map_square(square: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry & 1 != 0 {
        row = 7 - row;
    }
    if symmetry & 2 != 0 {
        column = 7 - column;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    8 * row + column
}

fn map(position: &Position, symmetry: usize, mover: Player) -> Position {
    let board = |player| {
        let discs = position.discs(player);
        (0..64)
            .filter(|square| discs >> square & 1 == 1)
            .fold(0, |mask, square| {
                mask | 1_u64 << map_square(square, symmetry)
            })
    };
    Position::new(board(BLACK), board(WHITE), mover).unwrap()
}

#[test]
fn rules_are_the_same_seen_from_all_eight_sides() {
    for index in 0..20 {
        random_game(
            |position, rng| {
                let Turn::Player(mover) = Othello.turn(position) else {
                    return;
                };
                let actions = legal(position);
                let played = rng.pick(&actions).unwrap();
                for symmetry in 0..8 {
                    let side = map(position, symmetry, mover);
                    let on_side = |action: Move| match action.square() {
                        Some(square) => Move::new(map_square(square, symmetry)).unwrap(),
                        None => action,
                    };
                    let mut mapped: Vec<Move> = actions.iter().copied().map(on_side).collect();
                    mapped.sort_unstable();
                    assert_eq!(legal(&side), mapped);
                    let (next, next_on_side) =
                        (after(position, played), after(&side, on_side(played)));
                    let mover = match Othello.turn(&next) {
                        Turn::Player(player) => player,
                        _ => BLACK,
                    };
                    assert_eq!(map(&next, symmetry, mover), next_on_side);
                }
            },
            Seed(13).simulation(index),
        );
    }
}

#[test]
fn the_shortest_game_ends_after_nine_moves_with_no_white_disc() {
    let before = read("e6f4e3f6g5d6e7f5");
    assert_eq!(Othello.turn(&before), Turn::Player(BLACK));
    let end = read("e6f4e3f6g5d6e7f5c5");
    assert_eq!(Othello.turn(&end), Turn::Terminal);
    assert_eq!((end.discs(BLACK).count_ones(), end.discs(WHITE)), (13, 0));
    assert_eq!(Othello.returns(&end)[..], [1.0, -1.0]);
    assert!(legal(&end).is_empty());
}

#[test]
fn records_may_leave_out_passes() {
    for index in 0..200 {
        let mut position = Position::default();
        let mut rng = Seed(14).simulation(index);
        let (mut full, mut short) = (String::new(), String::new());
        while let Some(action) = rng.pick(&legal(&position)) {
            full.push_str(&format!("{action:?} "));
            if action != Move::PASS {
                short.push_str(&format!("{action:?}"));
            }
            Othello.apply(&mut position, action);
        }
        assert_eq!(read(&full), position);
        assert_eq!(read(&short.to_uppercase()), position);
        assert_eq!(read(&position.to_string()), position);
    }
}

#[test]
fn what_is_no_position_is_refused() {
    let board = Position::default().to_string();
    for text in [
        "f5f5",
        "f5d6c3d3c4f4f4",
        "a1",
        "e4",
        "pass",
        "f5passd6",
        "f",
        "i5",
        "f9",
        &board[..64],
        &format!("{board}X"),
        &board.replace('X', "Z"),
        &format!("{} -", &board[..64]),
        "X",
    ] {
        assert!(Othello.parse_observation(text).is_err(), "{text}");
    }
    let spaced = board.replace("OX", " o x ").replace('-', ".");
    assert_eq!(read(&spaced), Position::default());
    assert!(Position::new(3, 2, BLACK).is_none());
    // Nothing on the board: over, and drawn.
    let empty = Position::new(0, 0, WHITE).unwrap();
    assert_eq!(Othello.returns(&empty)[..], [0.0, 0.0]);
    assert_eq!(read(&empty.to_string()), empty);
}

/// Win 1, draw 0, loss -1 for the player to move, by alpha-beta on the rules alone.
fn solve(position: &Position, alpha: i32, beta: i32) -> i32 {
    let Turn::Player(player) = Othello.turn(position) else {
        unreachable!()
    };
    let mut best = -1;
    for action in legal(position) {
        let value = value_after(position, player, action, best.max(alpha), beta);
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}

/// What `action` is worth for `player`.
fn value_after(position: &Position, player: Player, action: Move, alpha: i32, beta: i32) -> i32 {
    let next = after(position, action);
    match Othello.turn(&next) {
        Turn::Player(_) => -solve(&next, -beta, -alpha),
        _ => Othello.returns(&next).of(player) as i32,
    }
}

/// Positions of random games with `empty` empty squares where some moves win and others do not, each
/// with the moves that do.
fn endgames(empty: u32, count: usize) -> Vec<(Position, Player, Vec<Move>)> {
    let mut found = Vec::new();
    for index in 0.. {
        if found.len() == count {
            break;
        }
        random_game(
            |position, _| {
                let Turn::Player(player) = Othello.turn(position) else {
                    return;
                };
                let actions = legal(position);
                if position.empty() != empty || actions.len() < 3 || found.len() == count {
                    return;
                }
                let wins: Vec<Move> = actions
                    .iter()
                    .copied()
                    .filter(|a| value_after(position, player, *a, -1, 1) == 1)
                    .collect();
                if !wins.is_empty() && wins.len() < actions.len() {
                    found.push((*position, player, wins));
                }
            },
            Seed(15).simulation(index),
        );
    }
    found
}

#[test]
fn uct_finds_the_forced_wins_of_solved_endgames() {
    let mut uct = Uct::default();
    let mut random = 0.0;
    let endgames = endgames(7, 60);
    for (index, (position, _, wins)) in endgames.iter().enumerate() {
        let budget = Budget::simulations(30_000);
        let seed = Seed(16).index(index as u64);
        let decision = uct.search(&Othello, position, &budget, seed).unwrap();
        assert!(
            wins.contains(&decision.action),
            "{position}: {:?}, but only {wins:?} win",
            decision.action
        );
        random += wins.len() as f64 / legal(position).len() as f64;
    }
    // They are not all alike: a random move wins less than two times in three.
    assert!(random < 40.0, "{random}");
}

#[test]
fn expectimax_with_its_table_gives_the_values_of_alpha_beta() {
    let settings = ExpectimaxSettings {
        depth: 20,
        table: 1 << 14,
        ..ExpectimaxSettings::default()
    };
    let mut search = Expectimax::new(settings, Othello.depth_first().unwrap());
    for (position, _, wins) in endgames(8, 40) {
        let budget = Budget::simulations(10_000_000);
        let decision = search
            .search(&Othello, &position, &budget, Seed(17))
            .unwrap();
        assert!(wins.contains(&decision.action), "{position}");
        assert!((decision.chosen().mean - 1.0).abs() < 1e-9, "{position}");
    }
}

#[test]
fn positional_takes_corners_and_shuns_what_gives_them_away() {
    let expr = Expr::word("positional");
    let agent = Othello
        .agent(&expr.name, &mut expr.settings())
        .unwrap()
        .unwrap();
    let (mut corners, mut shunned) = (0, 0);
    for index in 0..200 {
        random_game(
            |position, rng| {
                let actions = legal(position);
                if actions.is_empty() || actions == [Move::PASS] {
                    return;
                }
                let of = |set: &[usize], action: &Move| set.contains(&action.square().unwrap());
                let has = |set: &[usize]| actions.iter().any(|a| of(set, a));
                let chosen = agent.choose(&Othello, position, &actions, rng);
                if has(&[0, 7, 56, 63]) {
                    corners += 1;
                    assert!(of(&[0, 7, 56, 63], &chosen), "{position}");
                }
                let beside = [9, 14, 49, 54];
                if has(&beside) && !actions.iter().all(|a| of(&beside, a)) {
                    shunned += 1;
                    assert!(!of(&beside, &chosen), "{position}");
                }
            },
            Seed(18).simulation(index),
        );
    }
    assert!(corners > 100 && shunned > 100, "{corners} {shunned}");
}

#[test]
fn positions_are_small() {
    assert_eq!(size_of::<Position>(), 32);
    assert_eq!(size_of::<Move>(), 1);
}
