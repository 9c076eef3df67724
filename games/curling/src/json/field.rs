//! A value and where it is: what messages need.

use search_core::expr::hint;
use search_core::plugin::PluginError;

use crate::board::Team;
use crate::json::value::Json;

pub(super) type Result<T> = std::result::Result<T, PluginError>;

/// A value in a document, with its path.
pub(super) struct Field<'a> {
    pub(super) value: &'a Json,
    path: String,
}

impl<'a> Field<'a> {
    /// The whole document.
    pub(super) const fn root(value: &'a Json) -> Self {
        Self {
            value,
            path: String::new(),
        }
    }

    /// An error here.
    pub(super) fn error(&self, message: &str) -> PluginError {
        if self.path.is_empty() {
            PluginError::new(message)
        } else {
            PluginError(format!("{}: {message}", self.path))
        }
    }

    /// That something else was expected here.
    pub(super) fn expected(&self, what: &str) -> PluginError {
        self.error(&format!("expected {what}, found {}", self.value.shown()))
    }

    /// The value of a key; `None` where the key is missing.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let Json::Object(entries) = self.value else {
            return None;
        };
        let (_, value) = entries.iter().find(|(k, _)| k == key)?;
        let dot = if self.path.is_empty() { "" } else { "." };
        Some(Self {
            value,
            path: format!("{}{dot}{key}", self.path),
        })
    }

    /// Refuses anything but an object with keys among `known`.
    pub(super) fn object(&self, what: &str, known: &[&str]) -> Result<()> {
        let Json::Object(entries) = self.value else {
            return Err(self.expected(what));
        };
        for (key, _) in entries {
            if !known.contains(&key.as_str()) {
                let short: String = key.chars().take(24).collect();
                let hint = hint(&short, known.iter().copied());
                return Err(self.error(&format!("unknown key `{short}`{hint}")));
            }
        }
        Ok(())
    }

    /// The items of a list.
    pub(super) fn list(&self, what: &str) -> Result<Vec<Self>> {
        let Json::List(items) = self.value else {
            return Err(self.expected(what));
        };
        let item = |(i, value)| Self {
            value,
            path: format!("{}[{i}]", self.path),
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A whole number from 0 to `most`.
    pub(super) fn count(&self, most: u32) -> Result<u32> {
        match *self.value {
            Json::Number(n) if n.fract() == 0.0 && (0.0..=f64::from(most)).contains(&n) => {
                Ok(n as u32)
            }
            _ => Err(self.expected(&format!("a whole number from 0 to {most}"))),
        }
    }

    /// A number that single precision can hold.
    pub(super) fn coordinate(&self) -> Result<f32> {
        match *self.value {
            Json::Number(n) if (n as f32).is_finite() => Ok(n as f32),
            _ => Err(self.expected("a number of metres")),
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&self) -> Result<bool> {
        match *self.value {
            Json::Bool(flag) => Ok(flag),
            _ => Err(self.expected("true or false")),
        }
    }

    /// A text.
    pub(super) fn text(&self, what: &str) -> Result<&'a str> {
        match self.value {
            Json::Text(text) => Ok(text),
            _ => Err(self.expected(what)),
        }
    }

    /// A team.
    pub(super) fn team(&self) -> Result<Team> {
        const WHAT: &str = "`team0` or `team1`";
        match self.text(WHAT)? {
            "team0" => Ok(Team::Team0),
            "team1" => Ok(Team::Team1),
            _ => Err(self.expected(WHAT)),
        }
    }

    /// What each team has: a list of two, or an object with the keys `team0` and `team1`.
    pub(super) fn pair<T: Copy>(
        &self,
        what: &str,
        missing: T,
        read: impl Fn(&Self) -> Result<T>,
    ) -> Result<[T; 2]> {
        let mut pair = [missing; 2];
        if let Json::List(_) = self.value {
            let items = self.list(what)?;
            let [first, second] = items.as_slice() else {
                return Err(self.expected(what));
            };
            return Ok([read(first)?, read(second)?]);
        }
        self.object(what, &["team0", "team1"])?;
        for team in Team::BOTH {
            if let Some(field) = self.get(team_name(team)) {
                pair[team.index()] = read(&field)?;
            }
        }
        Ok(pair)
    }
}

/// The name of a team in JSON.
pub(super) const fn team_name(team: Team) -> &'static str {
    match team {
        Team::Team0 => "team0",
        Team::Team1 => "team1",
    }
}
