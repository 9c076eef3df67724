//! Domineering and knightthrough against second implementations that share no code with them, and
//! against published outcomes.

use classics::grid::Square;
use classics::solve::{BackwardInduction, InitialStates};
use classics::{Domineering, Knightthrough};
use search_core::game::{Game, Turn};
use search_core::plugin::Plugin;
use std::collections::HashMap;

/// A position as the tests see it: rows from the bottom, each square a character.
type Rows = Vec<Vec<char>>;

/// The rules once more: the positions after each legal move, in the order of the moves' names,
/// and whether the player who has just moved has won.
trait Reference {
    fn start(&self) -> Rows;
    fn moves(&self, rows: &Rows, mover: usize) -> Vec<(String, Rows)>;
    /// Whether `mover`, who has just moved, has won.
    fn won(&self, rows: &Rows, mover: usize) -> bool;
}

struct Dominoes(usize, usize);

impl Reference for Dominoes {
    fn start(&self) -> Rows {
        vec![vec!['.'; self.0]; self.1]
    }

    fn moves(&self, rows: &Rows, mover: usize) -> Vec<(String, Rows)> {
        let mut all = Vec::new();
        for y in 0..self.1 {
            for x in 0..self.0 {
                let (x2, y2) = if mover == 0 { (x, y + 1) } else { (x + 1, y) };
                let free =
                    |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)) == Some(&'.');
                if free(x, y) && free(x2, y2) {
                    let mut next = rows.clone();
                    next[y][x] = '#';
                    next[y2][x2] = '#';
                    all.push((name(x, y), next));
                }
            }
        }
        all
    }

    fn won(&self, rows: &Rows, mover: usize) -> bool {
        self.moves(rows, 1 - mover).is_empty()
    }
}

struct Knights(usize, usize);

impl Reference for Knights {
    fn start(&self) -> Rows {
        let row = |y: usize| match y {
            _ if y < 2 => 'w',
            _ if y + 2 >= self.1 => 'b',
            _ => '.',
        };
        (0..self.1).map(|y| vec![row(y); self.0]).collect()
    }

    fn moves(&self, rows: &Rows, mover: usize) -> Vec<(String, Rows)> {
        let own = ['w', 'b'][mover];
        let forwards: isize = if mover == 0 { 1 } else { -1 };
        let mut all = Vec::new();
        for y in 0..self.1 {
            for x in 0..self.0 {
                if rows[y][x] != own {
                    continue;
                }
                // Targets by their place on the board, as moves are listed.
                for y2 in 0..self.1 {
                    for x2 in 0..self.0 {
                        let ahead = (y2 as isize - y as isize) * forwards;
                        let aside = x2.abs_diff(x);
                        let jump = (ahead == 1 && aside == 2) || (ahead == 2 && aside == 1);
                        if jump && rows[y2][x2] != own {
                            let mut next = rows.clone();
                            next[y][x] = '.';
                            next[y2][x2] = own;
                            all.push((name(x, y) + &name(x2, y2), next));
                        }
                    }
                }
            }
        }
        all
    }

    fn won(&self, rows: &Rows, mover: usize) -> bool {
        let (own, other) = (['w', 'b'][mover], ['b', 'w'][mover]);
        let goal = if mover == 0 {
            &rows[self.1 - 1]
        } else {
            &rows[0]
        };
        goal.contains(&own) || !rows.concat().contains(&other)
    }
}

fn name(x: usize, y: usize) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// Plays every line of `depth` moves in both implementations; returns how many there are.
fn compare<G: Plugin>(
    game: &G,
    reference: &impl Reference,
    state: &G::State,
    (rows, mover): (&Rows, usize),
    depth: u32,
) -> u64 {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let moves = reference.moves(rows, mover);
    let names: Vec<String> = legal.iter().map(|a| game.format_action(*a)).collect();
    let known: Vec<&String> = moves.iter().map(|(name, _)| name).collect();
    assert_eq!(names.iter().collect::<Vec<_>>(), known);
    let mut lines = 0;
    for (action, (_, next)) in legal.into_iter().zip(&moves) {
        let mut after = state.clone();
        game.apply(&mut after, action);
        let won = reference.won(next, mover);
        assert_eq!(game.turn(&after) == Turn::Terminal, won);
        if won {
            assert_eq!(game.returns(&after)[mover], 1.0);
            assert_eq!(game.returns(&after)[1 - mover], -1.0);
        }
        lines += match (won, depth) {
            (_, 1) => 1,
            (true, _) => 0,
            (false, _) => compare(game, reference, &after, (next, 1 - mover), depth - 1),
        };
    }
    lines
}

fn perft<G: Plugin + InitialStates>(game: &G, reference: &impl Reference, depth: u32) -> u64 {
    let (state, _) = game.initial_states().swap_remove(0);
    compare(game, reference, &state, (&reference.start(), 0), depth)
}

/// Whether the player to move wins, by the reference alone.
fn wins(
    reference: &impl Reference,
    rows: &Rows,
    mover: usize,
    known: &mut HashMap<(Rows, usize), bool>,
) -> bool {
    if let Some(value) = known.get(&(rows.clone(), mover)) {
        return *value;
    }
    let moves = reference.moves(rows, mover);
    let value = moves
        .iter()
        .any(|(_, next)| reference.won(next, mover) || !wins(reference, next, 1 - mover, known));
    known.insert((rows.clone(), mover), value);
    value
}

#[test]
fn domineering_has_the_moves_of_a_second_implementation() {
    // 8x8 has 56 places for each; the second player keeps 56 less those that a domino covers.
    for (width, height, depth) in [(8, 8, 3), (5, 3, 5), (2, 8, 5), (4, 4, 6), (3, 3, 9)] {
        let game = Domineering::new(width, height).unwrap();
        let lines = perft(&game, &Dominoes(width, height), depth);
        assert!(lines > 0 || depth > 4, "{width}x{height}");
    }
    // An upright domino covers two squares, each part of two lying places, but one at the left and the right edge.
    let second: u64 = (0..8)
        .map(|x| 7 * (56 - if x == 0 || x == 7 { 2 } else { 4 }))
        .sum();
    assert_eq!(perft(&Domineering::default(), &Dominoes(8, 8), 2), second);
}

#[test]
fn knightthrough_has_the_moves_of_a_second_implementation() {
    for (width, height, depth) in [(8, 8, 3), (4, 4, 4), (5, 6, 4), (6, 5, 4)] {
        let game = Knightthrough::new(width, height).unwrap();
        assert!(perft(&game, &Knights(width, height), depth) > 1_000);
    }
}

/// Squares: Breuker, Uiterwijk & van den Herik 2000, Solving 8x8 Domineering, have first, second,
/// first, second for 2x2 to 5x5 (3x3 first). The rest by the second implementation.
#[test]
fn small_boards_of_domineering_have_their_known_outcomes() {
    for width in 2..=4 {
        for height in 2..=4 {
            let game = Domineering::new(width, height).unwrap();
            let value = BackwardInduction::new(&game).game_value()[0];
            let reference = Dominoes(width, height);
            let first = wins(&reference, &reference.start(), 0, &mut HashMap::new());
            assert_eq!(value == 1.0, first, "{width}x{height}");
            if width == height {
                assert_eq!(value, 1.0, "{width}x{height}: the first player wins");
            }
        }
    }
}

#[test]
fn five_by_five_domineering_is_won_by_the_second_player() {
    let game = Domineering::new(5, 5).unwrap();
    assert_eq!(first_wins(&game), Some(false));
}

/// Alpha-beta with two outcomes and a table.
fn first_wins<G: Plugin + InitialStates>(game: &G) -> Option<bool> {
    fn mover_wins<G: Plugin>(
        game: &G,
        state: &G::State,
        known: &mut HashMap<u128, bool>,
    ) -> Option<bool> {
        let Turn::Player(player) = game.turn(state) else {
            return None;
        };
        let key = game.state_key()?(game, state);
        if let Some(value) = known.get(&key) {
            return Some(*value);
        }
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let mut value = false;
        for action in legal {
            let mut next = state.clone();
            game.apply(&mut next, action);
            value = match mover_wins(game, &next, known) {
                Some(other) => !other,
                None => game.returns(&next).of(player) > 0.0,
            };
            if value {
                break;
            }
        }
        known.insert(key, value);
        Some(value)
    }
    let (state, _) = game.initial_states().swap_remove(0);
    mover_wins(game, &state, &mut HashMap::new())
}

#[test]
fn small_boards_of_knightthrough_have_the_outcomes_of_a_second_implementation() {
    for (width, height) in [(4, 4), (5, 4), (4, 5)] {
        let game = Knightthrough::new(width, height).unwrap();
        let reference = Knights(width, height);
        let first = wins(&reference, &reference.start(), 0, &mut HashMap::new());
        assert_eq!(first_wins(&game), Some(first), "{width}x{height}");
    }
}

#[test]
fn positions_say_where_they_are_wrong() {
    let dominoes = Domineering::new(3, 2).unwrap();
    for (text, reason) in [
        ("", "0 words"),
        ("... v", "1 rows instead of 2"),
        ("..../... v", "should have 3 squares"),
        (".../.x. v", "`x` in row"),
        (".../... w", "neither v nor h"),
    ] {
        let error = dominoes.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let stuck = dominoes.parse_observation("#.#/.#. h").unwrap();
    assert_eq!(dominoes.turn(&stuck), Turn::Terminal);
    assert_eq!(dominoes.returns(&stuck)[0], 1.0);
    let knights = Knightthrough::new(4, 4).unwrap();
    for (text, reason) in [
        ("bbbb/bbbb/wwww/wwww x", "neither w nor b"),
        ("wbbb/bbbb/.www/wwww w", "cannot come about"),
        ("bbbb", "1 words"),
        ("bbbb/bbbb/..../.... b", "cannot come about"),
    ] {
        let error = knights.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let won = knights.parse_observation("..../..../.www/wwww b").unwrap();
    assert_eq!(knights.returns(&won)[0], 1.0);
}

#[test]
fn squares_are_named_from_the_bottom_left() {
    for (text, square) in [
        ("a1", Square::new(0, 0)),
        ("H8", Square::new(7, 7)),
        ("c2", Square::new(2, 1)),
        ("i1", None),
        ("a9", None),
        ("a0", None),
        ("a", None),
        ("a11", None),
        ("☃", None),
    ] {
        assert_eq!(Square::parse(text), square, "{text}");
    }
}
