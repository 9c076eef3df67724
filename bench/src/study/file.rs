//! A study as a file: what is varied, against whom, on which seeds.
//!
//! ```
//! use searchlab::study::file::StudyFile;
//! let text = r#"
//! game = "pig"
//! agent = "hold(at=20)"
//! against = "hold"
//! [seeds]
//! tuning = "0..64"
//! held_out = "1000..1128"
//! [keys]
//! at = [15, 20, 25]
//! "#;
//! let study: StudyFile = text.parse()?;
//! assert_eq!(study.keys.len(), 1);
//! # Ok::<(), String>(())
//! ```

use std::str::FromStr;

use search_core::expr::Expr;
use serde::Deserialize;

use super::axis::{Axis, value};
use super::tune::{Accept, Method};
use crate::experiment::seeds::SeedRange;

/// What a study file says. A flag of the command line holds over it, the seeds apart.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    /// The game.
    pub game: String,
    /// The agent whose settings are studied.
    pub agent: String,
    /// Its opponent.
    pub against: String,
    /// Games of which the held-out seeds are played; the game itself when there are none.
    #[serde(default)]
    pub cells: Vec<String>,
    /// The level of the intervals.
    pub level: Option<f64>,
    /// The seeds.
    pub seeds: Seeds,
    /// The settings and their values: a list, or `[]` for values around the present one.
    #[serde(default)]
    pub keys: toml::Table,
    /// How to tune.
    #[serde(default)]
    pub tune: Tune,
}

/// The seeds of a study.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// Those that choices are made on.
    pub tuning: String,
    /// Those that only a final choice sees.
    pub held_out: Option<String>,
}

/// How to tune.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tune {
    /// `coordinate` or `ntbea`.
    pub method: Option<String>,
    /// How often an agent may play all tuning seeds.
    pub evaluations: Option<u64>,
    /// `interval` or `mean`.
    pub accept: Option<String>,
    /// Seeds of one trial of `ntbea`.
    pub trial_seeds: Option<usize>,
    /// Seed of the random numbers of `ntbea`.
    pub seed: Option<u64>,
}

impl FromStr for StudyFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }
}

impl StudyFile {
    /// The settings that are varied, in the order of the file.
    ///
    /// # Errors
    /// Naming the setting whose values cannot be used.
    pub fn axes(&self) -> Result<Vec<Axis>, String> {
        let axis = |(key, values): (&String, &toml::Value)| {
            let toml::Value::Array(values) = values else {
                return Err(format!(
                    "[keys] {key}: expected a list of values, {key} = [0, 0.5, 1], or [] for values around the present one"
                ));
            };
            let values: Result<Vec<Expr>, String> =
                values.iter().map(|v| setting(key, v)).collect();
            Axis::new(key, values?)
        };
        self.keys.iter().map(axis).collect()
    }

    /// The tuning and the held-out seeds.
    ///
    /// # Errors
    /// Naming the range that cannot be read.
    pub fn ranges(&self) -> Result<(SeedRange, Option<SeedRange>), String> {
        let range = |name: &str, text: &str| {
            let read = text.parse::<SeedRange>();
            read.map_err(|e| format!("[seeds] {name}: {e}"))
        };
        let held_out = self.seeds.held_out.as_deref();
        Ok((
            range("tuning", &self.seeds.tuning)?,
            held_out.map(|text| range("held_out", text)).transpose()?,
        ))
    }

    /// The method of tuning, if given.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn method(&self) -> Result<Option<Method>, String> {
        let method = self.tune.method.as_deref().map(str::parse).transpose();
        method.map_err(|e: String| format!("[tune] method: {e}"))
    }

    /// What a step needs to be taken, if given.
    ///
    /// # Errors
    /// When there is no such word.
    pub fn accept(&self) -> Result<Option<Accept>, String> {
        let accept = self.tune.accept.as_deref().map(str::parse).transpose();
        accept.map_err(|e: String| format!("[tune] accept: {e}"))
    }
}

/// A value of the file as a value of a setting.
fn setting(key: &str, given: &toml::Value) -> Result<Expr, String> {
    match given {
        toml::Value::Integer(n) => Ok(Expr::word(n.to_string())),
        toml::Value::Float(x) if x.is_finite() => Ok(value(*x)),
        toml::Value::Boolean(b) => Ok(Expr::word(b.to_string())),
        toml::Value::String(text) => text.parse().map_err(|e| format!("[keys] {key}: {e}")),
        other => Err(format!(
            "[keys] {key}: a {} is no value of a setting; a number, true, false or a text would be",
            other.type_str()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "game = \"pig\"\nagent = \"a\"\nagainst = \"b\"\n[seeds]\ntuning = \"8\"\n";

    #[test]
    fn values_of_every_kind_are_read_in_order() {
        let text = format!("{STUDY}[keys]\nz = [0, 0.5, true, \"uct(c=1)\"]\na = []\n");
        let axes = text.parse::<StudyFile>().unwrap().axes().unwrap();
        assert_eq!((axes[0].key.as_str(), axes[1].key.as_str()), ("z", "a"));
        let texts: Vec<String> = axes[0].values.iter().map(Expr::to_string).collect();
        assert_eq!(texts, ["0", "0.5", "true", "uct(c=1)"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            (format!("{STUDY}[keys]\nw = 3\n"), "w: expected a list"),
            (format!("{STUDY}[keys]\nw = [1, 1.0]\n"), "given twice"),
            (
                format!("{STUDY}[keys]\nw = [[1]]\n"),
                "no value of a setting",
            ),
            (format!("{STUDY}[keys]\nw = [\"a(\"]\n"), "[keys] w"),
        ];
        for (text, wanted) in cases {
            let error = text.parse::<StudyFile>().unwrap().axes().unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        let unknown = format!("gaem = \"pig\"\n{STUDY}");
        let error = unknown.parse::<StudyFile>().unwrap_err();
        assert!(error.contains("gaem") && error.contains('^'), "{error}");
        let range = STUDY.replace("\"8\"", "\"9..3\"").parse::<StudyFile>();
        assert!(range.unwrap().ranges().unwrap_err().contains("3..9"));
    }
}
