//! Lexio's tables of answer probabilities for `calibrate`.

use search_core::calibration::{Calibrate, Calibration, Recipe};
use search_core::plugin::PluginError;
use search_core::rng::Seed;
use serde_json::Value;

use crate::answer::{CalibrationTable, Event, Row};
use crate::combination::Kind;
use crate::rules::Lexio;

/// The events by name, each with a line about it.
const EVENTS: [(&str, &str, Event); 2] = [
    (
        "anyone",
        "at least one seat that has not passed can answer the play",
        Event::Anyone,
    ),
    (
        "one_seat",
        "the next seat can; of no use for the other question",
        Event::OneSeat,
    ),
];

fn event(name: &str) -> Result<Event, PluginError> {
    let found = EVENTS.iter().find(|(n, _, _)| *n == name);
    found.map(|(_, _, event)| *event).ok_or_else(|| {
        let names = EVENTS.map(|(n, _, _)| n);
        PluginError(format!(
            "there is no event `{name}`: {}",
            names.join(" or ")
        ))
    })
}

impl Calibrate for Lexio {
    fn events(&self) -> Vec<(&'static str, &'static str)> {
        EVENTS.iter().map(|(n, about, _)| (*n, *about)).collect()
    }

    fn recipe(&self, event: &str) -> Recipe {
        Recipe {
            event: event.into(),
            seed: 20_260_806,
            situations: 40_000,
            samples: 800,
        }
    }

    fn calibrate(
        &self,
        recipe: &Recipe,
        threads: usize,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Calibration, PluginError> {
        let table = CalibrationTable::build_on(
            self,
            (event(&recipe.event)?, Seed(recipe.seed)),
            (recipe.situations, recipe.samples),
            threads,
            watch,
        );
        calibration(&table.map_err(|e| PluginError(e.to_string()))?)
    }

    fn read(&self, text: &str, wanted: Option<&str>) -> Result<Calibration, PluginError> {
        // Without a wish the file's own event is right; everything else must fit.
        let value: Option<Value> = serde_json::from_str(text).ok();
        let own = value.as_ref().map(|v| &v["header"]["event"]);
        let own = own.and_then(Value::as_str);
        let event = event(wanted.or(own).unwrap_or(EVENTS[0].0))?;
        let table = CalibrationTable::load(text, self, event);
        calibration(&table.map_err(|e| PluginError(e.to_string()))?)
    }
}

fn calibration(table: &CalibrationTable) -> Result<Calibration, PluginError> {
    let header = &table.header;
    let name = EVENTS.iter().find(|(_, _, event)| *event == header.event);
    Ok(Calibration {
        recipe: Recipe {
            event: name.map_or("", |(n, _, _)| *n).into(),
            seed: header.seed,
            situations: header.situations,
            samples: header.samples,
        },
        text: table.to_json().map_err(|e| PluginError(e.to_string()))?,
        facts: vec![
            ("players", header.players.to_string()),
            ("rules", header.rules_hash.clone()),
            ("generator", header.generator_version.to_string()),
        ],
        columns: vec![
            "play",
            "classes",
            "plays met",
            "answered",
            "error of the table",
        ],
        rows: Kind::ALL
            .iter()
            .filter_map(|kind| summary(*kind, table.rows()))
            .collect(),
    })
}

/// All classes of one kind: how many, of how many plays, the mean probability and the root mean square error.
fn summary(kind: Kind, rows: &[Row]) -> Option<Vec<String>> {
    let rows: Vec<&Row> = rows.iter().filter(|r| r.class.kind == kind as u8).collect();
    let plays: u64 = rows.iter().map(|r| r.plays).sum();
    let mean = |of: &dyn Fn(&Row) -> f64| {
        let sum: f64 = rows.iter().map(|r| r.plays as f64 * of(r)).sum();
        sum / plays as f64
    };
    (plays > 0).then(|| {
        vec![
            kind.to_string(),
            rows.len().to_string(),
            plays.to_string(),
            format!("{:.3}", mean(&|r| r.probability)),
            format!("{:.3}", mean(&|r| r.error * r.error).sqrt()),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(event: &str) -> Recipe {
        Recipe {
            situations: 300,
            samples: 20,
            ..Lexio::default().recipe(event)
        }
    }

    /// L3.14: the same recipe gives the same bytes on any number of threads.
    #[test]
    fn threads_change_nothing_about_a_table() {
        let game = Lexio::default();
        let make = |threads| {
            game.calibrate(&small("anyone"), threads, &mut |_| {})
                .unwrap()
        };
        let one = make(1);
        for threads in [2, 3, 7] {
            assert_eq!(make(threads), one);
        }
        assert!(one.rows.len() > 1, "{:?}", one.rows);
        let other = Recipe {
            seed: 1,
            ..small("anyone")
        };
        assert_ne!(
            game.calibrate(&other, 1, &mut |_| {}).unwrap().text,
            one.text
        );
    }

    /// L3.14 and L3.15: what is read says what it was made from, and is refused elsewhere.
    #[test]
    fn a_table_is_read_for_what_it_was_made() {
        let game = Lexio::default();
        let mut done = Vec::new();
        let made = game
            .calibrate(&small("one_seat"), 1, &mut |n| done.push(n))
            .unwrap();
        assert_eq!(done, [256, 300]);
        assert_eq!(made.recipe, small("one_seat"));
        assert_eq!(game.read(&made.text, None).as_ref(), Ok(&made));
        assert_eq!(game.read(&made.text, Some("one_seat")).as_ref(), Ok(&made));
        let refused = |game: &Lexio, event| game.read(&made.text, event).unwrap_err().to_string();
        assert!(refused(&game, Some("anyone")).contains("event"));
        assert!(refused(&game, Some("nobody")).contains("no event"));
        let four = Lexio::for_players(4).unwrap();
        assert!(refused(&four, None).contains("players"));
        for text in ["", "{}", "[]", "{\"header\":{\"event\":7}}"] {
            assert!(game.read(text, None).is_err(), "{text}");
        }
    }

    #[test]
    fn a_recipe_without_situations_is_refused() {
        let none = Recipe {
            situations: 0,
            ..small("anyone")
        };
        assert!(Lexio::default().calibrate(&none, 2, &mut |_| {}).is_err());
        let what = Recipe {
            event: "everyone".into(),
            ..small("anyone")
        };
        assert!(Lexio::default().calibrate(&what, 2, &mut |_| {}).is_err());
    }
}
