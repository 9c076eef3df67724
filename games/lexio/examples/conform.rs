//! Checks files of known answers: `cargo run --release -p lexio --example conform -- FILE…`

use lexio::golden::{Outcome, check_row};
use std::collections::BTreeMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let (mut passed, mut skipped, mut failures) = (0, BTreeMap::new(), Vec::new());
        for (line, text) in std::fs::read_to_string(&path)?.lines().enumerate() {
            match check_row(&serde_json::from_str(text)?) {
                Outcome::Pass => passed += 1,
                Outcome::Skip(why) => *skipped.entry(why).or_insert(0) += 1,
                Outcome::Fail(why) => failures.push(format!("line {}: {why}", line + 1)),
            }
        }
        println!(
            "{path}: {passed} passed, {} failed, skipped {skipped:?}",
            failures.len()
        );
        for failure in failures.iter().take(5) {
            println!("  {failure}");
        }
    }
    Ok(())
}
