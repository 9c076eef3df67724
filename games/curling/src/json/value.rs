//! JSON as it was written: keys in order and none twice, numbers as `f64`.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

use search_core::plugin::PluginError;

/// The longest text that is read, in bytes.
const MOST_BYTES: usize = 100_000;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text.
    pub(super) fn read(text: &str) -> Result<Self, PluginError> {
        if text.len() > MOST_BYTES {
            return Err(PluginError(format!(
                "the text has {} bytes: a position needs less than {MOST_BYTES}",
                text.len()
            )));
        }
        serde_json::from_str(text).map_err(|error| not_json(text, &error))
    }

    /// What it is, for a message.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(value) => value.to_string(),
            Self::Text(text) => format!("`{}`", shortened(text)),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// The beginning of a text that may be long.
fn shortened(text: &str) -> String {
    const MOST: usize = 24;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn not_json(text: &str, error: &serde_json::Error) -> PluginError {
    let line = text
        .lines()
        .nth(error.line().saturating_sub(1))
        .unwrap_or("");
    let column = error.column().saturating_sub(1);
    let rest = line.get(column..).unwrap_or("");
    let hint = if ["NaN", "Inf", "-Inf", "-NaN"]
        .iter()
        .any(|n| rest.starts_with(n))
        || error.to_string().starts_with("number out of range")
    {
        ": numbers must be finite"
    } else if text.trim().is_empty() {
        ": it is empty"
    } else {
        ""
    };
    let near = if rest.is_empty() {
        String::new()
    } else {
        format!(", near `{}`", shortened(rest))
    };
    PluginError(format!(
        "not a position in JSON: {error}{near}{hint}; expected something like \
         {{\"shot\":2,\"stones\":{{\"team0\":[[0.1,38.2]],\"team1\":[null]}}}}"
    ))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut seen = std::collections::BTreeSet::new();
        let mut object = Vec::new();
        while let Some((key, value)) = items.next_entry::<String, Json>()? {
            if !seen.insert(key.clone()) {
                let key = shortened(&key);
                return Err(A::Error::custom(format!("the key `{key}` is given twice")));
            }
            object.push((key, value));
        }
        Ok(Json::Object(object))
    }
}
