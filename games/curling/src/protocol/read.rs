//! Reading JSON with the path of every field at hand.

use serde_json::{Map, Value};

use super::{PerTeam, ProtocolError};
use crate::board::Team;

/// The longest excerpt of a wrong value in a message.
const EXCERPT: usize = 60;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    path: String,
    value: &'a Value,
}

/// A line as JSON; what ends the line may be there or not.
pub(super) fn parse(line: &str) -> Result<Value, ProtocolError> {
    serde_json::from_str(line).map_err(|e| ProtocolError::NotJson { why: e.to_string() })
}

impl<'a> Field<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self {
            path: String::new(),
            value,
        }
    }

    fn name(&self) -> String {
        match self.path.as_str() {
            "" => "message".into(),
            path => path.into(),
        }
    }

    pub(super) fn wrong(&self, expected: impl Into<String>) -> ProtocolError {
        let text = self.value.to_string();
        let mut found: String = text.chars().take(EXCERPT).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        ProtocolError::Wrong {
            field: self.name(),
            expected: expected.into(),
            found,
        }
    }

    fn object(&self) -> Result<&'a Map<String, Value>, ProtocolError> {
        self.value
            .as_object()
            .ok_or_else(|| self.wrong("an object"))
    }

    fn path_to(&self, key: &str) -> String {
        match self.path.as_str() {
            "" => key.into(),
            path => format!("{path}.{key}"),
        }
    }

    /// The field `key`; `expected` is for when it is missing.
    pub(super) fn get(&self, key: &str, expected: &str) -> Result<Self, ProtocolError> {
        let path = self.path_to(key);
        match self.object()?.get(key) {
            Some(value) => Ok(Self { path, value }),
            None => Err(ProtocolError::Missing {
                field: path,
                expected: expected.into(),
            }),
        }
    }

    /// The field `key` unless it is missing or null.
    pub(super) fn find(&self, key: &str) -> Result<Option<Self>, ProtocolError> {
        let path = self.path_to(key);
        let found = self.object()?.get(key).filter(|v| !v.is_null());
        Ok(found.map(|value| Self { path, value }))
    }

    /// Refuses fields that are not in this list.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), ProtocolError> {
        let stranger = self.object()?.keys().find(|k| !known.contains(&k.as_str()));
        match stranger {
            None => Ok(()),
            Some(key) => Err(ProtocolError::Unknown {
                field: self.path_to(key),
                known: known.join(", "),
            }),
        }
    }

    /// `None` for null.
    pub(super) fn nullable(self) -> Option<Self> {
        (!self.value.is_null()).then_some(self)
    }

    pub(super) fn items(&self) -> Result<Vec<Self>, ProtocolError> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let item = |(i, value): (usize, &'a Value)| Self {
            path: format!("{}[{i}]", self.path),
            value,
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A list of exactly `N`.
    pub(super) fn array<const N: usize, T: Default + Copy>(
        &self,
        read: impl Fn(Self) -> Result<T, ProtocolError>,
    ) -> Result<[T; N], ProtocolError> {
        let items = self.items()?;
        if items.len() != N {
            let found = items.len();
            return Err(ProtocolError::Wrong {
                field: self.name(),
                expected: format!("a list of {N}"),
                found: format!("a list of {found}"),
            });
        }
        let mut all = [T::default(); N];
        for (slot, item) in all.iter_mut().zip(items) {
            *slot = read(item)?;
        }
        Ok(all)
    }

    pub(super) fn text(&self) -> Result<&'a str, ProtocolError> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    pub(super) fn truth(&self) -> Result<bool, ProtocolError> {
        self.value
            .as_bool()
            .ok_or_else(|| self.wrong("true or false"))
    }

    pub(super) fn number(&self) -> Result<f64, ProtocolError> {
        let number = self.value.as_f64().filter(|x| x.is_finite());
        number.ok_or_else(|| self.wrong("a finite number"))
    }

    /// A number that single precision can hold.
    pub(super) fn single(&self) -> Result<f32, ProtocolError> {
        let number = self.number()? as f32;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(self.wrong("a number of single precision"))
        }
    }

    /// A number within these bounds.
    pub(super) fn within(&self, low: f64, high: f64) -> Result<f64, ProtocolError> {
        let number = self.number()?;
        if (low..=high).contains(&number) {
            Ok(number)
        } else {
            Err(self.wrong(format!("a number from {low} to {high}")))
        }
    }

    /// A whole number up to `most`.
    pub(super) fn whole(&self, most: u64) -> Result<u64, ProtocolError> {
        let number = self.value.as_u64().filter(|n| *n <= most);
        number.ok_or_else(|| self.wrong(format!("a whole number from 0 to {most}")))
    }

    pub(super) fn byte(&self) -> Result<u8, ProtocolError> {
        self.whole(255).map(|n| n as u8)
    }

    pub(super) fn team(&self) -> Result<Team, ProtocolError> {
        match self.value.as_str() {
            Some("team0") => Ok(Team::Team0),
            Some("team1") => Ok(Team::Team1),
            _ => Err(self.wrong("\"team0\" or \"team1\"")),
        }
    }

    /// `team0` and `team1` of an object.
    pub(super) fn per_team<T>(
        &self,
        expected: &str,
        read: impl Fn(Self) -> Result<T, ProtocolError>,
    ) -> Result<PerTeam<T>, ProtocolError> {
        Ok(PerTeam {
            team0: read(self.get("team0", expected)?)?,
            team1: read(self.get("team1", expected)?)?,
        })
    }
}
