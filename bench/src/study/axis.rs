//! What is varied: one setting of an agent, and the values it is given.

use std::fmt;
use std::str::FromStr;

use search_core::expr::{Expr, parse_list};
use serde::Serialize;

use crate::error::{Error, Result};

/// A setting that an agent has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// Its key.
    pub key: String,
    /// Its value: as given, or the default; `None` where it is absent.
    pub value: Option<String>,
}

/// A setting and the values it is given; no values means that they are to be chosen around the
/// present one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The setting, with dots into nested agents: `base.lead_retention`.
    pub key: String,
    /// The values.
    pub values: Vec<Expr>,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        for (i, value) in self.values.iter().enumerate() {
            write!(f, "{}{value}", if i == 0 { "=" } else { "," })?;
        }
        Ok(())
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, values) = match text.split_once('=') {
            None => (text, Vec::new()),
            Some((key, values)) => (key, parse_list(values).map_err(|e| e.to_string())?),
        };
        Self::new(key.trim(), values)
    }
}

impl Axis {
    /// An axis whose values differ from each other.
    ///
    /// # Errors
    /// When the key is empty or a value is given twice.
    pub fn new(key: &str, values: Vec<Expr>) -> Result<Self, String> {
        if key.is_empty() || key.split('.').any(str::is_empty) {
            return Err(format!(
                "`{key}` is not the name of a setting; write NAME=VALUE,VALUE,…"
            ));
        }
        for (i, value) in values.iter().enumerate() {
            let same = |other: &Expr| {
                other == value || number(other).is_some_and(|n| number(value) == Some(n))
            };
            if values[..i].iter().any(same) {
                return Err(format!("{key}: the value {value} is given twice"));
            }
        }
        Ok(Self {
            key: key.into(),
            values,
        })
    }

    /// The same axis with values around the present one where it has none.
    ///
    /// # Errors
    /// When there is no number to choose values around.
    pub fn filled(mut self, present: Option<&Expr>) -> Result<Self> {
        if self.values.is_empty() {
            let number = present.and_then(number).ok_or_else(|| {
                let key = &self.key;
                let what = present.map_or("not given, and has no default".into(), |p| {
                    format!("{p}, which is not a number")
                });
                Error::input(format!(
                    "{key} is {what}: say which values to try, {key}=VALUE,VALUE,…"
                ))
            })?;
            self.values = around(number);
        }
        Ok(self)
    }
}

/// Zero, a value so small that only a tie could notice, half, and double of a number.
fn around(present: f64) -> Vec<Expr> {
    let scale = if present == 0.0 { 1.0 } else { present };
    let factors = [0.0, 0.01, 0.5, 1.0, 2.0];
    factors.iter().map(|f| value(f * scale)).collect()
}

/// A number as a value of a setting.
#[must_use]
pub fn value(number: f64) -> Expr {
    // Not 0.30000000000000004: settings are read by people.
    let rounded: f64 = format!("{number:.6e}").parse().unwrap_or(number);
    Expr::word(format!("{rounded}"))
}

/// The number that a value is.
#[must_use]
pub fn number(value: &Expr) -> Option<f64> {
    let text = value.args.is_empty().then(|| value.name.replace('_', ""))?;
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

/// An agent with one setting changed.
///
/// # Errors
/// When a dot leads into a setting that is not there.
pub fn with(agent: &Expr, key: &str, value: &Expr) -> Result<Expr> {
    let mut changed = agent.clone();
    let (outer, inner) = match key.split_once('.') {
        Some((outer, inner)) => (outer, Some(inner)),
        None => (key, None),
    };
    let found = changed.args.iter_mut().find(|(k, _)| k == outer);
    match (found, inner) {
        (Some((_, old)), Some(inner)) => *old = with(old, inner, value)?,
        (Some((_, old)), None) => *old = value.clone(),
        (None, None) => changed.args.push((outer.into(), value.clone())),
        (None, Some(_)) => {
            return Err(Error::input(format!(
                "`{agent}` does not say what its `{outer}` is, so `{key}` leads nowhere; \
                 write it out, {}({outer}=…)",
                agent.name
            )));
        }
    }
    Ok(changed)
}

/// What an agent says of a setting.
#[must_use]
pub fn given<'a>(agent: &'a Expr, key: &str) -> Option<&'a Expr> {
    let (outer, inner) = match key.split_once('.') {
        Some((outer, inner)) => (outer, Some(inner)),
        None => (key, None),
    };
    let value = agent.args.iter().find(|(k, _)| k == outer).map(|a| &a.1)?;
    inner.map_or(Some(value), |inner| given(value, inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expr(text: &str) -> Expr {
        text.parse().unwrap()
    }

    #[test]
    fn axes_are_read() {
        let axis: Axis = "c=0, 0.5,uct(x=1,y=2)".parse().unwrap();
        assert_eq!((axis.key.as_str(), axis.values.len()), ("c", 3));
        assert_eq!(axis.values[2].to_string(), "uct(x=1, y=2)");
        assert!("c".parse::<Axis>().unwrap().values.is_empty());
        for bad in ["", "=1", "c=", "c=1,1.0", "a..b=1", "c=1,"] {
            assert!(bad.parse::<Axis>().is_err(), "{bad}");
        }
    }

    #[test]
    fn values_are_chosen_around_the_present_one() {
        let fill = |text: &str, present: &str| {
            let axis = text.parse::<Axis>().unwrap();
            axis.filled(Some(&expr(present))).unwrap().values
        };
        let texts = |values: Vec<Expr>| values.iter().map(Expr::to_string).collect::<Vec<_>>();
        assert_eq!(
            texts(fill("c", "0.7")),
            ["0", "0.007", "0.35", "0.7", "1.4"]
        );
        assert_eq!(texts(fill("c", "0")), ["0", "0.01", "0.5", "1", "2"]);
        assert_eq!(texts(fill("c=3", "0.7")), ["3"]);
        let words = "c".parse::<Axis>().unwrap().filled(Some(&expr("puct")));
        assert!(words.unwrap_err().to_string().contains("c=VALUE"));
    }

    #[test]
    fn settings_are_changed_in_depth() {
        let agent = expr("rollout(base=hard(w=1), samples=16)");
        let changed = with(&agent, "base.w", &expr("0")).unwrap();
        assert_eq!(changed.to_string(), "rollout(base=hard(w=0), samples=16)");
        let added = with(&agent, "base.v", &expr("2")).unwrap();
        assert_eq!(
            added.to_string(),
            "rollout(base=hard(w=1, v=2), samples=16)"
        );
        assert_eq!(given(&agent, "base.w"), Some(&expr("1")));
        assert_eq!(given(&agent, "base.v"), None);
        assert!(with(&agent, "opponents.w", &expr("0")).is_err());
    }
}
