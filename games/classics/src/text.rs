//! `key=value` lines, the notation of games with several facts in an observation.

use search_core::expr::hint;
use search_core::plugin::PluginError;

/// The facts of one line, each key once.
pub(crate) struct Facts<'a> {
    what: &'static str,
    text: &'a str,
    example: &'static str,
    facts: Vec<(&'a str, &'a str)>,
}

impl<'a> Facts<'a> {
    /// Splits `text` at white space and `=`; only `known` keys, each once.
    pub(crate) fn read(
        what: &'static str,
        text: &'a str,
        known: &[&'static str],
        example: &'static str,
    ) -> Result<Self, PluginError> {
        let mut line = Self {
            what,
            text,
            example,
            facts: Vec::new(),
        };
        for fact in text.split_whitespace() {
            let Some((key, value)) = fact.split_once('=') else {
                return Err(line.bad(&format!("`{fact}` has no `=`")));
            };
            if !known.contains(&key) {
                let hint = hint(key, known.iter().copied());
                return Err(line.bad(&format!("unknown key `{key}`{hint}")));
            }
            if line.get(key).is_some() {
                return Err(line.bad(&format!("`{key}` is given twice")));
            }
            line.facts.push((key, value));
        }
        Ok(line)
    }

    /// The value of a key, if given.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        let found = self.facts.iter().find(|(k, _)| *k == key);
        found.map(|(_, value)| *value)
    }

    /// The value of a key that must be there.
    pub(crate) fn need(&self, key: &str) -> Result<&'a str, PluginError> {
        self.get(key)
            .ok_or_else(|| self.bad(&format!("`{key}=` is missing")))
    }

    /// A number below `end`.
    pub(crate) fn number(&self, key: &str, end: u64) -> Result<u64, PluginError> {
        self.number_in(key, self.need(key)?, end)
    }

    /// `value`, part of what `key` says, as a number below `end`.
    pub(crate) fn number_in(&self, key: &str, value: &str, end: u64) -> Result<u64, PluginError> {
        match value.parse() {
            Ok(n) if n < end => Ok(n),
            _ => Err(self.bad(&format!("{key}={value} should be 0 to {}", end - 1))),
        }
    }

    /// An error about this line.
    pub(crate) fn bad(&self, what: &str) -> PluginError {
        PluginError::new(format!(
            "`{}` is not a {} position: {what}; expected something like `{}`",
            self.text.trim(),
            self.what,
            self.example
        ))
    }
}
