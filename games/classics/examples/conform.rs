//! Checks files of known answers of the games of this crate and says how long each took:
//!
//! `cargo run --release -p classics --example conform -- FILE…`

use classics::golden::check_row;
use search_core::plugin::Outcome;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut all_pass = true;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let start = Instant::now();
        let (mut passed, mut failed, mut skipped) = (0, 0, 0);
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line)?;
            if row["kind"] == "header" {
                continue;
            }
            match check_row(&row) {
                Outcome::Pass => passed += 1,
                Outcome::Skip(_) => skipped += 1,
                Outcome::Fail(reason) => {
                    failed += 1;
                    if failed <= 3 {
                        println!("  {reason}: {line:.200}");
                    }
                }
            }
        }
        all_pass &= failed == 0;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{passed:>5} passed {failed:>3} failed {skipped:>3} skipped {seconds:>7.2} s  {path}"
        );
    }
    if all_pass {
        Ok(())
    } else {
        Err("some rows fail".into())
    }
}
