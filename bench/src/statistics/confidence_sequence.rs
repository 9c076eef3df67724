//! Confidence sequences: intervals of a mean that stay valid however often one looks.
//!
//! A fixed-`n` interval promises its coverage at one `n`, chosen beforehand. Looked at after every
//! seed it excludes the truth somewhere in far more than 5 % of the runs. A *confidence sequence*
//! `(L_t, U_t)` promises `P(for all t: L_t <= mean <= U_t) >= 1 - alpha`, so that a run may be
//! watched, and stopped for whatever reason, at no cost but width.
//!
//! The price is a range of the observations that is known *before* any of them is seen. The
//! observations must have the same mean given the past (blocks of different seeds do); they need
//! not be identically distributed.
//!
//! Here: the empirical-Bernstein sequence with predictable plug-in (Waudby-Smith & Ramdas,
//! "Estimating means of bounded random variables by betting", JRSS B 86, 2024, section 3.2,
//! Theorem 2). Sharper, dearer to compute: [`betting`](super::betting).

use libm::{log, log1p, sqrt};
use serde::Serialize;

use super::error::{StatError, require_open_unit};
use super::interval::Interval;

/// Bets never exceed this share of what keeps the wealth positive; the paper's `c`.
pub const TRUNCATION: f64 = 0.5;

/// A mean and a variance that are known before the next observation: those of the past with one
/// imagined observation of mean 1/2 and variance 1/4.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plugin {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Plugin {
    pub(super) fn new() -> Self {
        Self {
            count: 0.0,
            sum: 0.0,
            squares: 0.25,
        }
    }

    /// The bet on the next observation, `sqrt(2 log_threshold / (s^2 t ln(1 + t)))`, where `t` is
    /// its number from 1.
    pub(super) fn bet(&self, log_threshold: f64) -> f64 {
        let t = self.count + 1.0;
        let variance = self.squares / t;
        sqrt(2.0 * log_threshold / (variance * t * log1p(t)))
    }

    /// The plain mean of the past, 0 before the first observation.
    fn mean(&self) -> f64 {
        if self.count > 0.0 {
            self.sum / self.count
        } else {
            0.0
        }
    }

    pub(super) fn push(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        let mean = (0.5 + self.sum) / (self.count + 1.0);
        self.squares += (x - mean) * (x - mean);
    }
}

/// The lower bound of the mean of observations in `[0, 1]`.
#[derive(Debug, Clone, Copy)]
struct LowerBound {
    log_threshold: f64,
    truncation: f64,
    plugin: Plugin,
    bets: f64,
    won: f64,
    paid: f64,
    best: f64,
}

impl LowerBound {
    /// `lambda_t` is the bet, `v_t = (x_t - m_{t-1})^2` with the mean `m` of the past,
    /// `psi(l) = -ln(1 - l) - l`: the bound is
    /// `(sum lambda x - ln(2 / alpha) - sum v psi(lambda)) / sum lambda`, the greatest so far.
    fn push(&mut self, x: f64) {
        let bet = self.plugin.bet(self.log_threshold).min(self.truncation);
        let error = x - self.plugin.mean();
        self.bets += bet;
        self.won += bet * x;
        self.paid += error * error * (-log1p(-bet) - bet);
        self.plugin.push(x);
        let bound = (self.won - self.log_threshold - self.paid) / self.bets;
        self.best = self.best.max(bound);
    }
}

/// The empirical-Bernstein confidence sequence of observations in `[0, 1]`: two lower bounds at
/// `alpha / 2`, one of `x` and one of `1 - x`, with the running intersection. A push takes constant
/// time and memory.
#[derive(Debug, Clone, Copy)]
pub struct EmpiricalBernstein {
    sides: [LowerBound; 2],
}

impl EmpiricalBernstein {
    /// The sequence of error probability `alpha` in (0, 1), whose bets are cut off at `truncation`
    /// in (0, 1), usually [`TRUNCATION`].
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] for either.
    pub fn new(alpha: f64, truncation: f64) -> Result<Self, StatError> {
        require_open_unit("alpha", alpha)?;
        require_open_unit("truncation", truncation)?;
        let side = LowerBound {
            log_threshold: log(2.0 / alpha),
            truncation,
            plugin: Plugin::new(),
            bets: 0.0,
            won: 0.0,
            paid: 0.0,
            best: 0.0,
        };
        Ok(Self { sides: [side; 2] })
    }

    /// Takes the next observation, in the order in which they come.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] outside `[0, 1]`; nothing is taken then.
    pub fn push(&mut self, x: f64) -> Result<(), StatError> {
        require_unit(x)?;
        let [lower, upper] = &mut self.sides;
        lower.push(x);
        upper.push(1.0 - x);
        Ok(())
    }

    /// The interval now, `[0, 1]` at the beginning. `low > high` when the looks contradict each
    /// other: less probable than `alpha` if the mean is the same throughout.
    #[must_use]
    pub fn interval(&self) -> Interval {
        Interval {
            low: self.sides[0].best,
            high: 1.0 - self.sides[1].best,
        }
    }
}

/// Rejects what is not in `[0, 1]`.
pub(super) fn require_unit(x: f64) -> Result<(), StatError> {
    if (0.0..=1.0).contains(&x) {
        return Ok(());
    }
    Err(StatError::OutOfRange {
        name: "x",
        value: x,
        domain: "[0, 1]",
    })
}

/// A range that observations cannot leave, known before any is seen, in their unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct KnownRange {
    low: f64,
    high: f64,
}

impl KnownRange {
    /// The range from `low` to `high`.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] when `high` is not above `low`, or an end or the width not finite.
    pub fn new(low: f64, high: f64) -> Result<Self, StatError> {
        let width = high - low;
        if width.is_finite() && width > 0.0 {
            return Ok(Self { low, high });
        }
        Err(StatError::OutOfRange {
            name: "the width of the range",
            value: width,
            domain: "the positive numbers",
        })
    }

    /// The lower end.
    #[must_use]
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The upper end.
    #[must_use]
    pub fn high(&self) -> f64 {
        self.high
    }

    /// To `[0, 1]`, cut off at the ends, and whether it was outside by more than rounding.
    fn scale(&self, value: f64) -> (f64, bool) {
        let x = (value - self.low) / (self.high - self.low);
        let outside = !(-1e-9..=1.0 + 1e-9).contains(&x);
        (x.clamp(0.0, 1.0), outside)
    }
}

/// [`EmpiricalBernstein`] in the unit of the observations.
///
/// A value outside the range counts as the nearer end and is counted in
/// [`clipped`](AnyTimeInterval::clipped): the interval is then one of the mean of the *clipped*
/// values. That is honest when the range was declared beforehand, and said.
#[derive(Debug, Clone, Copy)]
pub struct AnyTimeInterval {
    range: KnownRange,
    sequence: EmpiricalBernstein,
    looks: u64,
    clipped: u64,
}

impl AnyTimeInterval {
    /// What [`AnyTimeInterval`] computes, for reports.
    pub const METHOD: &'static str = "empirical-Bernstein confidence sequence";

    /// The sequence that covers the mean at all times with probability `level`.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] for a level outside (0, 1).
    pub fn new(range: KnownRange, level: f64) -> Result<Self, StatError> {
        require_open_unit("level", level)?;
        Ok(Self {
            range,
            sequence: EmpiricalBernstein::new(1.0 - level, TRUNCATION)?,
            looks: 0,
            clipped: 0,
        })
    }

    /// Takes the next value.
    ///
    /// # Errors
    /// [`StatError::NotFinite`]; nothing is taken then.
    pub fn push(&mut self, value: f64) -> Result<(), StatError> {
        if !value.is_finite() {
            let index = usize::try_from(self.looks).unwrap_or(usize::MAX);
            return Err(StatError::NotFinite { index });
        }
        let (x, outside) = self.range.scale(value);
        self.sequence.push(x)?;
        self.looks += 1;
        self.clipped += u64::from(outside);
        Ok(())
    }

    /// The interval now; none when the looks contradict each other.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let unit = self.sequence.interval();
        let width = self.range.high - self.range.low;
        (unit.low <= unit.high).then_some(Interval {
            low: self.range.low + width * unit.low,
            high: self.range.low + width * unit.high,
        })
    }

    /// Whether the mean is not `value`, by the interval now. Looks that contradict each other
    /// decide nothing.
    #[must_use]
    pub fn excludes(&self, value: f64) -> bool {
        self.interval().is_some_and(|i| !i.contains(value))
    }

    /// The range that was declared.
    #[must_use]
    pub fn range(&self) -> KnownRange {
        self.range
    }

    /// How many values were taken: the sequence is looked at after each.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// How many of them lay outside the range.
    #[must_use]
    pub fn clipped(&self) -> u64 {
        self.clipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(values: &[f64]) -> EmpiricalBernstein {
        let mut sequence = EmpiricalBernstein::new(0.05, TRUNCATION).unwrap();
        for x in values {
            sequence.push(*x).unwrap();
        }
        sequence
    }

    /// The formula of the paper written down once more, without any running sum.
    #[test]
    fn the_running_bound_is_the_formula() {
        let x: Vec<f64> = (0..200_u32)
            .map(|i| f64::from(i * i * 7 % 101) / 100.0)
            .collect();
        let threshold = 40.0_f64.ln();
        let mut best = 0.0_f64;
        for n in 1..=x.len() {
            let (mut bets, mut won, mut paid) = (0.0, 0.0, 0.0);
            for t in 1..=n {
                let mean = |k: usize| x[..k].iter().sum::<f64>();
                let hat = |k: usize| (0.5 + mean(k)) / (k as f64 + 1.0);
                let variance = (1..t).map(|i| (x[i - 1] - hat(i)).powi(2)).sum::<f64>() + 0.25;
                let variance = variance / t as f64;
                let bet = (2.0 * threshold / (variance * t as f64 * (1.0 + t as f64).ln())).sqrt();
                let bet = bet.min(0.5);
                let past = if t > 1 {
                    mean(t - 1) / (t - 1) as f64
                } else {
                    0.0
                };
                bets += bet;
                won += bet * x[t - 1];
                paid += (x[t - 1] - past).powi(2) * (-(1.0 - bet).ln() - bet);
            }
            best = best.max((won - threshold - paid) / bets);
            if n % 40 == 0 {
                let got = sequence(&x[..n]).interval().low;
                assert!((got - best).abs() < 1e-12, "{n}: {got} {best}");
            }
        }
        assert!(best > 0.3, "{best}");
    }

    #[test]
    fn the_interval_only_ever_shrinks_and_mirrors() {
        let x: Vec<f64> = (0..300_u32)
            .map(|i| f64::from(i * 37 % 64) / 63.0)
            .collect();
        let mirrored: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
        let mut before = Interval {
            low: 0.0,
            high: 1.0,
        };
        for n in 0..x.len() {
            let (now, other) = (
                sequence(&x[..n]).interval(),
                sequence(&mirrored[..n]).interval(),
            );
            assert!(now.low >= before.low && now.high <= before.high);
            assert!((now.low - (1.0 - other.high)).abs() < 1e-12);
            before = now;
        }
        assert!(before.low > 0.3 && before.high < 0.7, "{before:?}");
    }

    #[test]
    fn another_unit_is_only_another_unit() {
        let range = KnownRange::new(-3.0, 5.0).unwrap();
        let mut scaled = AnyTimeInterval::new(range, 0.95).unwrap();
        let x: Vec<f64> = (0..100_u32)
            .map(|i| f64::from(i * 13 % 32) / 32.0)
            .collect();
        for x in &x {
            scaled.push(-3.0 + 8.0 * x).unwrap();
        }
        let unit = sequence(&x).interval();
        let interval = scaled.interval().unwrap();
        assert!((interval.low - (-3.0 + 8.0 * unit.low)).abs() < 1e-12);
        assert!((interval.high - (-3.0 + 8.0 * unit.high)).abs() < 1e-12);
        assert_eq!((scaled.looks(), scaled.clipped()), (100, 0));
        assert!(scaled.excludes(-2.9) && !scaled.excludes(0.5 * (interval.low + interval.high)));
    }

    #[test]
    fn values_outside_the_range_are_clipped_and_counted() {
        let mut sequence = AnyTimeInterval::new(KnownRange::new(-1.0, 1.0).unwrap(), 0.9).unwrap();
        for value in [0.0, 1.0, 1.0 + 1e-12, 1.5, -7.0] {
            sequence.push(value).unwrap();
        }
        assert_eq!((sequence.looks(), sequence.clipped()), (5, 2));
        assert!(sequence.push(f64::NAN).is_err());
        assert_eq!(sequence.looks(), 5);
    }

    #[test]
    fn looks_that_contradict_each_other_decide_nothing() {
        let mut sequence = AnyTimeInterval::new(KnownRange::new(0.0, 1.0).unwrap(), 0.95).unwrap();
        for x in std::iter::repeat_n(0.0, 500).chain(std::iter::repeat_n(1.0, 50_000)) {
            sequence.push(x).unwrap();
        }
        assert_eq!(sequence.interval(), None);
        assert!(!sequence.excludes(0.5));
    }

    #[test]
    fn bad_settings_are_errors() {
        for (low, high) in [
            (1.0, 1.0),
            (1.0, 0.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            assert!(KnownRange::new(low, high).is_err());
        }
        assert!(EmpiricalBernstein::new(0.0, 0.5).is_err());
        assert!(EmpiricalBernstein::new(0.05, 1.0).is_err());
        assert!(AnyTimeInterval::new(KnownRange::new(0.0, 1.0).unwrap(), 1.0).is_err());
        assert!(sequence(&[]).push(1.0001).is_err());
        assert!(sequence(&[]).push(f64::NAN).is_err());
    }
}
