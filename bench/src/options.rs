//! `lexio(players=5)` to the options of a game.

use search_core::expr::{Expr, hint};
use search_core::plugin::Plugin;
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// A game with its options, and the options as data.
pub(crate) struct Configured<P> {
    /// The rules.
    pub(crate) game: P,
    /// Every option with its value, defaults included.
    pub(crate) options: Value,
}

/// The rules that `expr` describes.
pub(crate) fn configure<P: Plugin>(expr: &Expr) -> Result<Configured<P>> {
    let defaults = default_options::<P>();
    let mut map = defaults.as_object().cloned().unwrap_or_default();
    let mut options = P::Options::default();
    for (key, value) in &expr.args {
        let Some(default) = map.get(key) else {
            return Err(unknown_option(P::NAME, key, &defaults));
        };
        let value = to_json(value, default);
        map.insert(key.clone(), value);
        // One option at a time, so that a refusal is about this one.
        options = serde_json::from_value(Value::Object(map.clone()))
            .map_err(|e| refused(P::NAME, expr, key, &defaults, &e.to_string()))?;
    }
    let canonical = serde_json::to_value(&options).unwrap_or_default();
    let game = P::from_options(options).map_err(|e| {
        let said = e.to_string();
        let named = said.starts_with(P::NAME);
        Error::input(if named {
            said
        } else {
            format!("the options of `{expr}`: {said}")
        })
    })?;
    Ok(Configured {
        game,
        options: canonical,
    })
}

/// The options of a game with their defaults.
pub(crate) fn default_options<P: Plugin>() -> Value {
    serde_json::to_value(P::Options::default()).unwrap_or_else(|_| Value::Object(Map::new()))
}

/// Options as they are written in an expression: `players=5, rounds=4`.
pub(crate) fn written(options: &Value) -> String {
    let Some(map) = options.as_object() else {
        return String::new();
    };
    let pairs: Vec<String> = map
        .iter()
        .map(|(key, value)| match value {
            Value::String(text) => format!("{key}={}", Expr::word(text.clone())),
            other => format!("{key}={other}"),
        })
        .collect();
    pairs.join(", ")
}

/// A value, read in the manner of the default: a text option keeps `007` as a text.
fn to_json(value: &Expr, default: &Value) -> Value {
    if !value.args.is_empty() {
        let fields = value
            .args
            .iter()
            .map(|(key, inner)| (key.clone(), to_json(inner, &Value::Null)));
        let mut map = Map::new();
        map.insert(value.name.clone(), Value::Object(fields.collect()));
        return Value::Object(map);
    }
    let text = value.name.as_str();
    if default.is_string() {
        return Value::String(text.into());
    }
    let digits = text.replace('_', "");
    if let Ok(whole) = digits.parse::<i64>() {
        return whole.into();
    }
    if let Some(number) = digits.parse().ok().and_then(serde_json::Number::from_f64) {
        return Value::Number(number);
    }
    match text {
        "true" | "on" | "yes" if !default.is_number() => Value::Bool(true),
        "false" | "off" | "no" if !default.is_number() => Value::Bool(false),
        "none" if default.is_null() => Value::Null,
        _ => Value::String(text.into()),
    }
}

fn unknown_option(game: &str, key: &str, defaults: &Value) -> Error {
    let known: Vec<&str> = defaults
        .as_object()
        .map(|map| map.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let mut message = format!("`{game}` has no option `{key}`");
    if known.is_empty() {
        message.push_str(&format!(": it has none; write `{game}`"));
    } else {
        message.push_str(&hint(key, known));
        message.push_str(&format!("\n  the defaults: {game}({})", written(defaults)));
    }
    Error::Input(message)
}

/// The name of a type at the end of a message, in words.
fn plain_words(reason: &str) -> String {
    let words = [
        ("u8", "a whole number from 0 to 255"),
        ("u16", "a whole number from 0 to 65535"),
        ("u32", "a whole number from 0 to 4294967295"),
        ("u64", "a whole number, 0 or more"),
        ("usize", "a whole number, 0 or more"),
        ("f64", "a number"),
        ("a boolean", "true or false"),
    ];
    let found = words.iter().find_map(|(name, words)| {
        let start = reason.strip_suffix(name)?.strip_suffix("expected ")?;
        Some(format!("{start}expected {words}"))
    });
    found.unwrap_or_else(|| reason.into())
}

fn refused(name: &str, expr: &Expr, key: &str, defaults: &Value, reason: &str) -> Error {
    let given = expr.args.iter().find(|(k, _)| k == key).map(|(_, v)| v);
    let given = given.map(ToString::to_string).unwrap_or_default();
    let reason = plain_words(reason);
    let default = defaults.get(key).cloned().unwrap_or_default();
    let mut one = Map::new();
    one.insert(key.into(), default);
    Error::Input(format!(
        "`{name}({key}={given})`: {reason}\n  the default: {name}({})",
        written(&Value::Object(one)),
    ))
}
