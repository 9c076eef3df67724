//! Prints the win table of the paper's distribution beside the printed one.
//!
//! ```sh
//! cargo run --release -p curling --example win_table
//! ```

use curling::win_table::{EndScores, WinTable};

/// Table 1 of Katoh, Iizuka & Yamamoto (2016), in percent: leads +3 to -3 of the team with the hammer,
/// three ends left to none. The first cell is lost.
const PRINTED: [[Option<u8>; 4]; 7] = [
    [None, Some(97), Some(99), Some(100)],
    [Some(88), Some(91), Some(96), Some(100)],
    [Some(77), Some(80), Some(87), Some(100)],
    [Some(62), Some(61), Some(73), Some(73)],
    [Some(45), Some(39), Some(47), Some(0)],
    [Some(29), Some(22), Some(24), Some(0)],
    [Some(16), Some(10), Some(8), Some(0)],
];

fn main() {
    let table = WinTable::new(&EndScores::paper());
    println!("lead   8 left   4 left      3 left      2 left      1 left      0 left");
    let mut worst = 0.0_f64;
    for (row, lead) in PRINTED.iter().zip((-3..=3).rev()) {
        let percent = |ends| 100.0 * table.hammer(ends, lead);
        print!("{lead:+4} {:8.1} {:8.1}", percent(8), percent(4));
        for (printed, ends) in row.iter().zip((0..4).rev()) {
            match printed {
                Some(value) => {
                    worst = worst.max((percent(ends) - f64::from(*value)).abs());
                    print!("  {:5.1} ({value:3})", percent(ends));
                }
                None => print!("  {:5.1} (  –)", percent(ends)),
            }
        }
        println!();
    }
    println!("farthest from the printed table: {worst:.1} points");
}
