//! A small game with hidden hands and a chance event, agents that misbehave, and a captured
//! command line.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::missing_panics_doc)]

pub mod agents;
pub mod tricks;

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use searchlab::cli::{Console, run};
use searchlab::{Held, Outcome, Registry};
use serde_json::Value;
pub use tricks::Tricks;

/// The registry of the tests.
pub fn registry() -> Registry {
    Registry::new()
        .with::<Tricks>()
        .with_agent::<Tricks>("flat", "flat Monte Carlo, a stand-in", agents::flat)
        .with_agent::<Tricks>(
            "late",
            "late in one of five decisions, by its seed",
            agents::late,
        )
        .with_agent::<Tricks>(
            "moody",
            "fails in one of three decisions, by its seed",
            agents::moody,
        )
        .with_agent::<Tricks>(
            "stateful",
            "remembers how often it was asked",
            agents::stateful,
        )
        .with_checker("sum", |row| match (&row["of"], row["is"].as_i64()) {
            (Value::Array(items), Some(is)) => {
                let sum: i64 = items.iter().filter_map(Value::as_i64).sum();
                if sum == is {
                    Outcome::Pass
                } else {
                    Outcome::Fail(format!("expected {is}, found {sum}"))
                }
            }
            _ => Outcome::Skip("no `of` and `is`".into()),
        })
        .with_summary("sum/pair", |_, rows| {
            vec![Held {
                what: "pairs".into(),
                asked: "at most 2".into(),
                measured: rows.len().to_string(),
                holds: rows.len() <= 2,
            }]
        })
}

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Buffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What a command printed and returned.
pub struct Ran {
    pub code: u8,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The one object on standard output.
    pub fn json(&self) -> Value {
        assert_eq!(
            self.out.trim_end().lines().count(),
            1,
            "{}{}",
            self.out,
            self.err
        );
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.out, self.err))
    }
}

/// Runs the command line in this process.
pub fn lab(args: &[&str]) -> Ran {
    lab_with(args, "")
}

/// Runs the command line with this input.
pub fn lab_with(args: &[&str], input: &str) -> Ran {
    lab_of(&registry(), args, input)
}

/// Runs the command line with these games.
pub fn lab_on(registry: &Registry, args: &[&str]) -> Ran {
    lab_of(registry, args, "")
}

/// Runs the command line of these games with this input.
pub fn lab_of(registry: &Registry, args: &[&str], input: &str) -> Ran {
    let (out, err) = (Buffer::default(), Buffer::default());
    let input = Cursor::new(input.as_bytes().to_vec());
    let mut console = Console::new(input, out.clone(), err.clone());
    let args = std::iter::once("searchlab").chain(args.iter().copied());
    let code = run(registry, args.map(Into::into), &mut console);
    Ran {
        code,
        out: out.text(),
        err: err.text(),
    }
}
