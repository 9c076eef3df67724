//! T-MM4: a board turned and mirrored is searched alike.

use classics::TicTacToe;
use classics::tic_tac_toe::{Board, Cell};
use search_core::budget::Budget;
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::search::{Ismcts, Searcher, TreeSettings, Uct};

/// Where each cell comes to be by one of the eight symmetries of the square.
fn symmetry(which: usize) -> [usize; 9] {
    std::array::from_fn(|cell| {
        let (mut row, mut column) = (cell / 3, cell % 3);
        if which & 4 != 0 {
            (row, column) = (column, row);
        }
        if which & 2 != 0 {
            row = 2 - row;
        }
        if which & 1 != 0 {
            column = 2 - column;
        }
        3 * row + column
    })
}

/// The text of a board, nine signs.
fn board(cells: &[u8; 9]) -> Board {
    std::str::from_utf8(cells).unwrap().parse().unwrap()
}

fn moved(cells: &[u8; 9], to: &[usize; 9]) -> [u8; 9] {
    let mut moved = [0; 9];
    for (cell, sign) in cells.iter().enumerate() {
        moved[to[cell]] = *sign;
    }
    moved
}

/// The mean visits of every cell over many seeds, and the variance of that mean.
fn visits(
    searcher: &mut dyn Searcher<TicTacToe>,
    cells: &[u8; 9],
    seeds: std::ops::Range<u64>,
) -> [(f64, f64); 9] {
    let (mut sums, mut squares) = ([0.0; 9], [0.0; 9]);
    let n = (seeds.end - seeds.start) as f64;
    for seed in seeds {
        let budget = Budget::simulations(300);
        let decision = searcher
            .search(&TicTacToe, &board(cells), &budget, Seed(seed))
            .unwrap();
        for candidate in &decision.candidates {
            let cell = Cell::index(candidate.action);
            sums[cell] += candidate.visits as f64;
            squares[cell] += (candidate.visits as f64).powi(2);
        }
    }
    std::array::from_fn(|cell| {
        let mean = sums[cell] / n;
        (mean, (squares[cell] / n - mean * mean) / (n - 1.0))
    })
}

fn same(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() <= 5.0 * (a.1 + b.1).sqrt()
}

fn searchers() -> [Box<dyn Searcher<TicTacToe>>; 2] {
    [
        Box::new(Uct::default()),
        Box::new(Ismcts::new(TreeSettings::default(), Identity)),
    ]
}

#[test]
fn the_eight_symmetries_are_eight_and_keep_lines() {
    let all: std::collections::BTreeSet<_> = (0..8).map(symmetry).collect();
    assert_eq!(all.len(), 8);
    for to in all {
        assert_eq!(to[4], 4);
        // A row stays a line through the middle of a side.
        let row = [3, 4, 5].map(|cell| to[cell]);
        assert!(row == [3, 4, 5] || row == [5, 4, 3] || row == [1, 4, 7] || row == [7, 4, 1]);
    }
}

#[test]
fn t_mm4_visits_move_with_the_board() {
    for mut searcher in searchers() {
        // Only the identity maps this position to itself.
        let cells = b"xo.......";
        let plain = visits(&mut *searcher, cells, 0..150);
        for which in 1..8 {
            let to = symmetry(which);
            let seeds = 1_000 * which as u64..1_000 * which as u64 + 150;
            let turned = visits(&mut *searcher, &moved(cells, &to), seeds);
            for cell in 0..9 {
                assert!(same(plain[cell], turned[to[cell]]), "{which} {cell}");
            }
        }
        // The bound has the power to tell cells apart.
        let apart = (2..9).any(|cell| !same(plain[4], plain[cell]));
        assert!(apart, "{plain:?}");
    }
}

#[test]
fn t_mm4_cells_of_the_empty_board_that_look_alike_are_visited_alike() {
    for mut searcher in searchers() {
        let visits = visits(&mut *searcher, b".........", 0..300);
        for alike in [[0, 2, 6, 8], [1, 3, 5, 7]] {
            for cell in alike {
                assert!(same(visits[alike[0]], visits[cell]), "{visits:?}");
            }
        }
        assert!(!same(visits[0], visits[1]) && !same(visits[0], visits[4]));
    }
}
