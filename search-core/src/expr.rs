//! The expression language of agents and games: `name(key=value, other=name2(…))`.
//!
//! ```
//! use search_core::expr::Expr;
//! let e: Expr = "ismcts(sims=2000, rollout=easy)".parse()?;
//! let mut settings = e.settings();
//! assert_eq!(settings.get("sims", 1000_u64)?, 2000);
//! assert_eq!(settings.get("c", 0.7)?, 0.7);
//! assert_eq!(settings.expr("rollout").unwrap().name, "easy");
//! settings.finish()?;
//! # Ok::<(), search_core::expr::ExprError>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// `name` or `name(key=value, …)`. A number is a name without arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expr {
    /// The name, or the text of a plain value.
    pub name: String,
    /// The arguments in the order written.
    pub args: Vec<(String, Expr)>,
}

/// What is wrong with an expression, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExprError {
    /// The text cannot be read.
    #[error("{message} at column {column} of `{text}`\n  {text}\n  {caret}", column = column(text, *at) + 1, caret = caret(text, *at))]
    Syntax {
        /// What was expected.
        message: String,
        /// Byte offset.
        at: usize,
        /// The whole text.
        text: String,
    },
    /// A setting that the owner does not have.
    #[error("`{owner}` has no setting `{key}`{hint}")]
    UnknownKey {
        /// Whose setting.
        owner: String,
        /// The setting.
        key: String,
        /// The nearest known one and the list.
        hint: String,
    },
    /// A name that nobody has.
    #[error("unknown {what} `{name}`{hint}")]
    UnknownName {
        /// Agent or game.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest known one and the list.
        hint: String,
    },
    /// A value that cannot be used.
    #[error("`{owner}({key}={value})`: {expected}")]
    BadValue {
        /// Whose setting.
        owner: String,
        /// The setting.
        key: String,
        /// The value given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Anything else that the owner of the settings refuses.
    #[error("{0}")]
    Other(String),
}

/// Characters before a byte.
fn column(text: &str, at: usize) -> usize {
    text.get(..at).map_or(at, |s| s.chars().count())
}

fn caret(text: &str, at: usize) -> String {
    format!("{}^", " ".repeat(column(text, at)))
}

/// `; did you mean …? known: …` for an error message.
#[must_use]
pub fn hint<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known
        .iter()
        .map(|k| (edit_distance(given, k), *k))
        .min()
        .filter(|(d, k)| *d <= 1 + k.len().max(given.len()) / 3);
    let mut text = String::new();
    if let Some((_, nearest)) = nearest {
        text.push_str(&format!("; did you mean `{nearest}`?"));
    }
    if known.is_empty() {
        text.push_str(" (there are none)");
    } else {
        text.push_str(&format!(" (known: {})", known.join(", ")));
    }
    text
}

/// Levenshtein distance in characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let cost = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

impl Expr {
    /// A name without arguments.
    pub fn word(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            args: Vec::new(),
        }
    }

    /// The arguments, to be read one by one.
    #[must_use]
    pub fn settings(&self) -> Settings<'_> {
        Settings {
            owner: &self.name,
            args: self
                .args
                .iter()
                .map(|(k, v)| (k.as_str(), v, false))
                .collect(),
            asked: Vec::new(),
        }
    }
}

/// A word as it is read again: in quotes where it needs them.
fn write_word(word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let plain = |c: char| c.is_alphanumeric() || "-_.+:/@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        f.write_str(word)
    } else {
        write!(f, "\"{}\"", word.replace('"', "\"\""))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(&self.name, f)?;
        if !self.args.is_empty() {
            f.write_str("(")?;
            for (i, (key, value)) in self.args.iter().enumerate() {
                let comma = if i > 0 { ", " } else { "" };
                f.write_str(comma)?;
                write_word(key, f)?;
                write!(f, "={value}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl FromStr for Expr {
    type Err = ExprError;

    fn from_str(text: &str) -> Result<Self, ExprError> {
        let mut parser = Parser {
            text,
            at: 0,
            depth: 0,
        };
        let expr = parser.expr()?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.error("expected the end"));
        }
        Ok(expr)
    }
}

/// Splits `a, b(c=1, d=2), e` at the commas outside brackets and parses each part.
///
/// # Errors
/// [`ExprError::Syntax`] at the first part that cannot be read.
pub fn parse_list(text: &str) -> Result<Vec<Expr>, ExprError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let mut list = vec![parser.expr()?];
    loop {
        parser.skip_space();
        if parser.at == text.len() {
            return Ok(list);
        }
        if !parser.eat(',') {
            return Err(parser.error("expected `,` or the end"));
        }
        list.push(parser.expr()?);
    }
}

const MAX_DEPTH: u32 = 32;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn error(&self, message: &str) -> ExprError {
        ExprError::Syntax {
            message: message.into(),
            at: self.at,
            text: self.text.into(),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn word(&mut self) -> Result<String, ExprError> {
        self.skip_space();
        if self.eat('"') {
            return self.quoted();
        }
        let rest = self.rest();
        let end = rest
            .find(|c: char| c.is_whitespace() || "(),=\"".contains(c))
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("expected a name or a value"));
        }
        let word = rest[..end].to_string();
        self.at += end;
        Ok(word)
    }

    /// The rest of a quoted word; a doubled quote stands for one.
    fn quoted(&mut self) -> Result<String, ExprError> {
        let mut word = String::new();
        loop {
            let Some(end) = self.rest().find('"') else {
                return Err(self.error("expected a closing quote"));
            };
            word.push_str(&self.rest()[..end]);
            self.at += end + 1;
            if !self.rest().starts_with('"') {
                return Ok(word);
            }
            word.push('"');
            self.at += 1;
        }
    }

    fn expr(&mut self) -> Result<Expr, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let mut expr = Expr::word(self.word()?);
        if self.eat('(') && !self.eat(')') {
            loop {
                self.skip_space();
                let start = self.at;
                let key = self.word()?;
                if !self.eat('=') {
                    return Err(self.error("expected `=` and a value"));
                }
                if expr.args.iter().any(|(k, _)| *k == key) {
                    self.at = start;
                    return Err(self.error(&format!("`{key}` is given twice")));
                }
                expr.args.push((key, self.expr()?));
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return Err(self.error("expected `,` or `)`"));
                }
            }
        }
        self.depth -= 1;
        Ok(expr)
    }
}

/// The arguments of an [`Expr`], read by their owner one by one; [`Settings::finish`] then refuses
/// those that nobody asked for.
#[derive(Debug, Clone)]
pub struct Settings<'a> {
    owner: &'a str,
    args: Vec<(&'a str, &'a Expr, bool)>,
    asked: Vec<Asked>,
}

/// A setting that an owner has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its key.
    pub key: &'static str,
    /// What it is when nobody gives it, as text; `None` where it may be absent.
    pub default: Option<String>,
}

impl<'a> Settings<'a> {
    /// The name before the bracket.
    #[must_use]
    pub fn owner(&self) -> &'a str {
        self.owner
    }

    /// The settings asked for so far, in that order: once the owner was made, all that it has.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// Whether `key` is given. It still has to be asked for.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.args.iter().any(|(given, ..)| *given == key)
    }

    /// The value of `key` as an expression, if given.
    pub fn expr(&mut self, key: &'static str) -> Option<&'a Expr> {
        if !self.asked.iter().any(|asked| asked.key == key) {
            self.asked.push(Asked { key, default: None });
        }
        let entry = self.args.iter_mut().find(|(k, _, _)| *k == key)?;
        entry.2 = true;
        Some(entry.1)
    }

    /// The value of `key`, if given.
    ///
    /// # Errors
    /// [`ExprError::BadValue`] when it cannot be read as a `T`.
    pub fn optional<T: FromStr>(&mut self, key: &'static str) -> Result<Option<T>, ExprError> {
        let Some(expr) = self.expr(key) else {
            return Ok(None);
        };
        let plain = expr.args.is_empty().then(|| expr.name.replace('_', ""));
        match plain.and_then(|text| text.parse().ok()) {
            Some(value) => Ok(Some(value)),
            None => Err(self.bad(key, expr, format!("expected {}", type_words::<T>()))),
        }
    }

    /// The value of `key`, or `default`.
    ///
    /// # Errors
    /// [`ExprError::BadValue`] when it cannot be read as a `T`.
    pub fn get<T: FromStr + fmt::Display>(
        &mut self,
        key: &'static str,
        default: T,
    ) -> Result<T, ExprError> {
        let given = self.optional(key)?;
        self.note_default(key, default.to_string());
        Ok(given.unwrap_or(default))
    }

    fn note_default(&mut self, key: &'static str, default: String) {
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.key == key) {
            asked.default = Some(default);
        }
    }

    /// One of a few words, or the first of them.
    ///
    /// # Errors
    /// [`ExprError::BadValue`] for any other word.
    pub fn choice(
        &mut self,
        key: &'static str,
        words: &[&'static str],
    ) -> Result<&'static str, ExprError> {
        let given = self.expr(key);
        self.note_default(key, words[0].into());
        let Some(expr) = given else {
            return Ok(words[0]);
        };
        match words.iter().find(|w| **w == expr.name) {
            Some(word) if expr.args.is_empty() => Ok(word),
            _ => Err(self.bad(key, expr, format!("expected one of {}", words.join(", ")))),
        }
    }

    /// A duration such as `50ms`, `2s`, `100us`.
    ///
    /// # Errors
    /// [`ExprError::BadValue`] when it is not one.
    pub fn duration(&mut self, key: &'static str) -> Result<Option<Duration>, ExprError> {
        let Some(expr) = self.expr(key) else {
            return Ok(None);
        };
        let text = expr.name.as_str();
        let split = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let seconds = match unit {
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "min" => 60.0,
            _ => f64::NAN,
        } * number.parse::<f64>().unwrap_or(f64::NAN);
        match Duration::try_from_secs_f64(seconds) {
            Ok(duration) if expr.args.is_empty() => Ok(Some(duration)),
            _ => Err(self.bad(key, expr, "expected a duration such as 50ms or 2s".into())),
        }
    }

    /// An error about the value of `key`.
    #[must_use]
    pub fn bad(&self, key: &str, value: &Expr, expected: String) -> ExprError {
        ExprError::BadValue {
            owner: self.owner.into(),
            key: key.into(),
            value: value.to_string(),
            expected,
        }
    }

    /// Refuses what nobody asked for.
    ///
    /// # Errors
    /// [`ExprError::UnknownKey`] naming the nearest known key.
    pub fn finish(self) -> Result<(), ExprError> {
        match self.args.iter().find(|(_, _, used)| !used) {
            None => Ok(()),
            Some((key, _, _)) => Err(ExprError::UnknownKey {
                owner: self.owner.into(),
                key: (*key).into(),
                hint: hint(key, self.asked.iter().map(|asked| asked.key)),
            }),
        }
    }
}

fn type_words<T>() -> &'static str {
    match std::any::type_name::<T>() {
        "f64" => "a number",
        "bool" => "true or false",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        _ => "another value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for text in [
            "easy",
            "uct(sims=2000, c=0.7)",
            "rollout(base=hard(preset=x), samples=16)",
        ] {
            assert_eq!(text.parse::<Expr>().unwrap().to_string(), text);
        }
        let spaced: Expr = " a ( b = 1 , c = d ( e = 2 ) ) ".parse().unwrap();
        assert_eq!(spaced.to_string(), "a(b=1, c=d(e=2))");
        let quoted: Expr = "human(name=\"a \"\"b\"\", c\")".parse().unwrap();
        assert_eq!(quoted.args[0].1.name, "a \"b\", c");
        assert_eq!(quoted.to_string().parse::<Expr>().unwrap(), quoted);
    }

    #[test]
    fn refuses_with_a_place() {
        for (text, at) in [
            ("", 0),
            ("a(", 2),
            ("a(b)", 3),
            ("a(b=1", 5),
            ("a)", 1),
            ("a(b=1,b=2)", 6),
        ] {
            match text.parse::<Expr>() {
                Err(ExprError::Syntax { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let deep = "a(b=".repeat(40);
        assert!(deep.parse::<Expr>().is_err());
    }

    #[test]
    fn what_is_shown_reads_as_the_same() {
        // Anything that a hand or a script could write, from the characters that matter.
        let letters: Vec<char> = "ab1._-\" (),=\té½\u{3000}".chars().collect();
        let mut bits = 1_u64;
        let mut read = 0;
        for _ in 0..200_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mut text: String = (0..bits >> 60)
                .map(|i| letters[(bits >> (4 * i) & 15) as usize % letters.len()])
                .collect();
            if bits >> 20 & 1 == 1 {
                text = format!("x({text}=y)");
            }
            match text.parse::<Expr>() {
                Ok(expr) => {
                    read += 1;
                    assert_eq!(expr.to_string().parse().as_ref(), Ok(&expr), "{text:?}");
                }
                Err(error) => drop(error.to_string()),
            }
        }
        assert!(read > 1_000, "{read}");
        let keyed: Expr = "a(\"b c\"=1)".parse().unwrap();
        assert_eq!(keyed.to_string(), "a(\"b c\"=1)");
    }

    #[test]
    fn columns_are_characters() {
        let error = "é(ñ=)".parse::<Expr>().unwrap_err().to_string();
        assert!(error.contains("at column 5 of"), "{error}");
    }

    #[test]
    fn unknown_keys_name_the_nearest() {
        let e: Expr = "uct(sim=3)".parse().unwrap();
        let mut s = e.settings();
        s.get("sims", 1_u64).unwrap();
        s.get("c", 0.7).unwrap();
        let message = s.finish().unwrap_err().to_string();
        assert!(message.contains("did you mean `sims`"), "{message}");
    }

    #[test]
    fn what_was_asked_is_told_with_its_default() {
        let e: Expr = "uct(c=2)".parse().unwrap();
        let mut s = e.settings();
        s.get("c", 0.7).unwrap();
        s.choice("select", &["ucb", "puct"]).unwrap();
        s.optional::<u64>("sims").unwrap();
        let asked: Vec<_> = s
            .asked()
            .iter()
            .map(|a| (a.key, a.default.as_deref()))
            .collect();
        assert_eq!(
            asked,
            [("c", Some("0.7")), ("select", Some("ucb")), ("sims", None)]
        );
    }

    #[test]
    fn lists_split_outside_brackets() {
        let list = parse_list("easy, uct(sims=1, c=2),random").unwrap();
        assert_eq!(list.len(), 3);
        assert_eq!(list[1].args.len(), 2);
    }

    #[test]
    fn durations() {
        let e: Expr = "a(t=1.5ms, u=3)".parse().unwrap();
        let mut s = e.settings();
        assert_eq!(s.duration("t").unwrap(), Some(Duration::from_micros(1500)));
        assert!(s.duration("u").is_err());
    }
}
