//! `calibrate` on a table that says nothing but what it was made from.

use std::fs;

use clap::Parser;
use search_core::calibration::{Calibrate, Calibration, Recipe};
use search_core::plugin::PluginError;

use super::calibrate::{Args, work};
use super::testing::{Ran, console, lab};

/// Tables under rules of this name; a broken generator never makes the same twice.
struct Tables {
    rules: &'static str,
    broken: bool,
}

impl Tables {
    fn file(&self, recipe: &Recipe) -> Calibration {
        let Recipe {
            event,
            seed,
            situations,
            samples,
        } = recipe;
        Calibration {
            text: format!("{} {event} {seed} {situations} {samples}\n", self.rules),
            recipe: recipe.clone(),
            facts: vec![("rules", self.rules.into())],
            columns: vec!["class", "error"],
            rows: vec![vec!["all".into(), "0.5".into()]],
        }
    }
}

impl Calibrate for Tables {
    fn events(&self) -> Vec<(&'static str, &'static str)> {
        vec![("rain", "it rains"), ("snow", "it snows")]
    }

    fn recipe(&self, event: &str) -> Recipe {
        Recipe {
            event: event.into(),
            seed: 5,
            situations: 40,
            samples: 8,
        }
    }

    fn calibrate(
        &self,
        recipe: &Recipe,
        _: usize,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Calibration, PluginError> {
        if recipe.situations == 0 {
            return Err(PluginError::new("situations=0: at least 1"));
        }
        watch(recipe.situations);
        let mut made = self.file(recipe);
        if self.broken {
            made.text.push_str("and more\n");
        }
        Ok(made)
    }

    fn read(&self, text: &str, event: Option<&str>) -> Result<Calibration, PluginError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [rules, of, seed, situations, samples] = words[..] else {
            return Err(PluginError::new("not a table"));
        };
        if rules != self.rules || event.is_some_and(|event| event != of) {
            return Err(PluginError::new(format!("made for {rules} and {of}")));
        }
        let number = |text: &str| text.parse().map_err(|_| PluginError::new("not a number"));
        Ok(self.file(&Recipe {
            event: of.into(),
            seed: number(seed)?,
            situations: number(situations)?,
            samples: number(samples)? as u32,
        }))
    }
}

const SEA: Tables = Tables {
    rules: "sea",
    broken: false,
};

#[derive(Parser)]
struct Only {
    #[command(flatten)]
    args: Args,
}

fn calibrate(tables: &Tables, line: &str) -> Ran {
    let words = format!("calibrate --game weather {line}");
    let parsed = Only::try_parse_from(words.split_whitespace()).expect("a command line");
    console(|console| {
        let outcome = work(("weather", tables), "searchlab", &parsed.args, console);
        outcome.unwrap_or_else(|error| {
            console.complain(&error.to_string());
            error.exit_status()
        })
    })
}

#[test]
fn a_table_is_written_once_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.json");
    let path = file.display();
    let made = calibrate(&SEA, &format!("--situations 12 --seed 7 --out {path}"));
    assert_eq!(made.code, 0, "{}", made.err);
    for word in [
        "event rain",
        "seed 7",
        "12 situations",
        "rules sea",
        "0.5",
        "BLAKE3",
        "written to",
    ] {
        assert!(made.out.contains(word), "no `{word}` in\n{}", made.out);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "sea rain 7 12 8\n");
    // An existing file is kept.
    let again = calibrate(&SEA, &format!("--event snow --out {path}"));
    assert_eq!(again.code, 2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "sea rain 7 12 8\n");
    for (more, code, what) in [
        ("", 0, "a table for these rules"),
        ("--event rain", 0, "a table for these rules"),
        ("--regenerate", 0, "the same to the last byte"),
        ("--event snow", 1, "made for sea and rain"),
        ("--event hail", 2, "rain: it rains"),
    ] {
        let ran = calibrate(&SEA, &format!("--check {path} {more}"));
        assert_eq!(ran.code, code, "{more}: {}", ran.err);
        let said = ran.out + &ran.err;
        assert!(said.contains(what), "{more}: no `{what}` in {said}");
    }
}

/// L3.14: another table, or one by a generator that does not repeat itself, is found.
#[test]
fn what_does_not_fit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.json");
    let path = file.display();
    let land = Tables {
        rules: "land",
        broken: false,
    };
    let broken = Tables {
        broken: true,
        ..SEA
    };
    fs::write(&file, "sea rain 7 12 8\n").unwrap();
    assert_eq!(calibrate(&land, &format!("--check {path}")).code, 1);
    assert_eq!(calibrate(&broken, &format!("--check {path}")).code, 0);
    let json = calibrate(&broken, &format!("--check {path} --regenerate --json"));
    assert_eq!(json.code, 1);
    assert_eq!(json.json()["regenerated"], false);
    for text in ["", "sea rain 7", "sea rain 7 12  8\n"] {
        fs::write(&file, text).unwrap();
        let ran = calibrate(&SEA, &format!("--check {path}"));
        assert_eq!(ran.code, 1, "{text}: {}", ran.out);
        assert!(ran.err.contains("--check"), "{}", ran.err);
    }
    assert_eq!(calibrate(&SEA, "--check there/is/none").code, 2);
    assert_eq!(calibrate(&SEA, "--situations 0").code, 2);
}

#[test]
fn a_game_without_an_estimator_is_told_so() {
    let ran = lab("calibrate --game kuhn-poker");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no estimator"), "{}", ran.err);
    let both = lab("calibrate --game kuhn-poker --check x --seed 3");
    assert_eq!(both.code, 2);
    assert!(both.err.contains("--seed"), "{}", both.err);
}
