//! What is measured over many rows: quantiles, rates, and how they are written down.

use super::Held;

/// The unit of a figure: its name, and how many of it make one of the unit of the sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit(pub &'static str, pub f64);

/// Samples in metres, written in millimetres.
pub(super) const MILLIMETRES: Unit = Unit("mm", 1e3);
/// Samples in seconds, written in milliseconds.
pub(super) const MILLISECONDS: Unit = Unit("ms", 1e3);

/// Figures of many shots.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample(Vec<f64>);

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        Self(sorted)
    }
}

impl Sample {
    /// The smallest figure that at least the share `q` of all does not exceed; 1 is the greatest.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = libm::ceil(q * self.0.len() as f64) as usize;
        let index = rank.max(1).min(self.0.len()).wrapping_sub(1);
        self.0.get(index).copied().unwrap_or(f64::NAN)
    }

    /// Whether the quantile is below a bound, which is in the unit written. Without a single figure
    /// nothing is shown, so it does not hold.
    pub fn below(&self, what: &str, q: f64, bound: f64, unit: Unit) -> Held {
        let figure = self.quantile(q) * unit.1;
        let name = if q < 1.0 {
            format!("p{:.0}", q * 100.0)
        } else {
            "max".to_owned()
        };
        Held {
            what: format!("{what}, {name}"),
            asked: format!("< {bound} {}", unit.0),
            measured: format!("{} {} of {}", digits(figure), unit.0, self.0.len()),
            holds: figure < bound,
        }
    }
}

/// Whether `hits` of `all` are at most (`strict`: below) a share in percent.
pub(super) fn share(what: &str, hits: usize, all: usize, percent: f64, strict: bool) -> Held {
    let figure = 100.0 * hits as f64 / all as f64;
    Held {
        what: what.to_owned(),
        asked: format!("{} {percent} %", if strict { "<" } else { "<=" }),
        measured: format!("{} % ({hits} of {all})", digits(figure)),
        holds: figure < percent || !strict && figure <= percent,
    }
}

/// Reads the rows; those that cannot be read are a line of their own.
pub(super) fn read_all<'a, T: serde::Deserialize<'a>>(
    rows: &[&'a serde_json::Value],
    held: &mut Vec<Held>,
) -> Vec<T> {
    let read: Vec<T> = rows
        .iter()
        .filter_map(|row| super::row::read(row).ok())
        .collect();
    let bad = rows.len() - read.len();
    if bad > 0 {
        held.push(Held {
            what: "rows that cannot be read".to_owned(),
            asked: "0".to_owned(),
            measured: format!("{bad} of {}", rows.len()),
            holds: false,
        });
    }
    read
}

/// Three significant digits.
pub(super) fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let places = (2 - libm::floor(libm::log10(x.abs())) as i32).clamp(0, 9);
    format!("{x:.*}", places as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_figures_of_the_sample() {
        let sample: Sample = (1..=10).rev().map(f64::from).collect();
        assert_eq!(sample.quantile(0.5), 5.0);
        assert_eq!(sample.quantile(0.9), 9.0);
        assert_eq!(sample.quantile(0.99), 10.0);
        assert_eq!(sample.quantile(1.0), 10.0);
    }

    #[test]
    fn nothing_measured_holds_nothing() {
        let none = Sample::default();
        assert!(!none.below("none", 1.0, 1.0, MILLIMETRES).holds);
        assert!(!share("none", 0, 0, 3.0, true).holds);
    }
}
