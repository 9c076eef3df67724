//! When a comparison stops before its last seed, as written on the command line.

use std::fmt;
use std::str::FromStr;

use crate::statistics::confidence_sequence::KnownRange;
use crate::statistics::sequential::Hypotheses;

/// A rule that reads the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StopRule {
    /// Stop when the any-time interval of the difference excludes 0.
    Interval,
    /// Stop when the sequential test accepts a hypothesis.
    Test(Hypotheses),
}

const FORMS: &str = "write `interval`, or two hypotheses about the difference, such as \
                     `h0=0,h1=0.25` or `h0=0,h1=0.25,alpha=0.05,beta=0.05`";

impl fmt::Display for StopRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interval => f.write_str("interval"),
            Self::Test(h) => write!(
                f,
                "h0={},h1={},alpha={},beta={}",
                h.h0(),
                h.h1(),
                h.alpha(),
                h.beta()
            ),
        }
    }
}

impl FromStr for StopRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "interval" {
            return Ok(Self::Interval);
        }
        let keys = ["h0", "h1", "alpha", "beta"];
        let mut values = [None, None, Some(0.05), Some(0.05)];
        let mut given = [false; 4];
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("`{}` is no rule; {FORMS}", part.trim()));
            };
            let Some(index) = keys.iter().position(|k| *k == key.trim()) else {
                return Err(format!("there is no `{}`; {FORMS}", key.trim()));
            };
            if std::mem::replace(&mut given[index], true) {
                return Err(format!("`{}` is given twice", keys[index]));
            }
            let number = value.trim().parse::<f64>();
            values[index] =
                Some(number.map_err(|_| format!("`{}` is not a number", value.trim()))?);
        }
        let [Some(h0), Some(h1), Some(alpha), Some(beta)] = values else {
            return Err(format!("both h0 and h1 are needed; {FORMS}"));
        };
        let hypotheses = Hypotheses::new(h0, h1, alpha, beta);
        hypotheses.map(Self::Test).map_err(|e| e.to_string())
    }
}

/// A range for the block scores as written: `LO..HI`.
///
/// # Errors
/// When it is not two numbers, or the second is not above the first.
pub fn parse_range(text: &str) -> Result<KnownRange, String> {
    let form = "write the least and the greatest score of a block, such as -2..2";
    let Some((low, high)) = text.split_once("..") else {
        return Err(format!("`{text}` is not a range; {form}"));
    };
    let number = |part: &str| {
        let number = part.trim().parse::<f64>();
        number.map_err(|_| format!("`{}` is not a number; {form}", part.trim()))
    };
    KnownRange::new(number(low)?, number(high)?)
        .map_err(|_| format!("the range is empty or not finite; {form}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_back_as_they_are_written() {
        for (text, shown) in [
            ("interval", "interval"),
            ("h0=0,h1=0.25", "h0=0,h1=0.25,alpha=0.05,beta=0.05"),
            (
                " h1 = 2 , h0 = -1 , beta = 0.1 ",
                "h0=-1,h1=2,alpha=0.05,beta=0.1",
            ),
        ] {
            let rule: StopRule = text.parse().unwrap();
            assert_eq!(rule.to_string(), shown);
            assert_eq!(shown.parse::<StopRule>().unwrap(), rule);
        }
    }

    #[test]
    fn what_is_no_rule_is_refused_with_the_forms() {
        for (text, part) in [
            ("", "h0=0,h1=0.25"),
            ("always", "`always` is no rule"),
            ("h0=0", "both h0 and h1"),
            ("h0=0,h1=1,h1=2", "given twice"),
            ("h0=0,h2=1", "there is no `h2`"),
            ("h0=0,h1=x", "`x` is not a number"),
            ("h0=1,h1=0", "h1 - h0"),
            ("h0=0,h1=1,alpha=0.7", "alpha"),
            ("h0=nan,h1=1", "h1 - h0"),
        ] {
            let error = text.parse::<StopRule>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn ranges_are_two_numbers() {
        let range = parse_range("-1.5..2").unwrap();
        assert_eq!((range.low(), range.high()), (-1.5, 2.0));
        assert_eq!(parse_range("0...5").unwrap().high(), 0.5);
        for bad in ["", "1", "1..1", "2..1", "a..1", "0..inf", "nan..1"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }
}
