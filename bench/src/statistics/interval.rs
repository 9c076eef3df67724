//! The headline figure: a Student t interval of the mean over seeds.

use super::distribution::{student_t_critical, student_t_two_sided};
use super::error::{StatError, require_count, require_open_unit};
use super::moments::Moments;
use serde::Serialize;

/// A closed interval, in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// `centre - half_width` to `centre + half_width`.
    #[must_use]
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    /// Upper minus lower end.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Whether `value` lies in the interval, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Why a mean has no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// One seed says nothing about the spread between seeds.
    SingleObservation,
    /// All observations are equal (`s = 0`): a self-match, or a defect.
    NoSpread,
}

impl std::fmt::Display for Flag {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::SingleObservation => "no interval: a single observation",
            Self::NoSpread => "no interval: the observations do not differ",
        })
    }
}

/// A mean over seeds with its t interval and two-sided test of zero.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanInterval {
    /// Number of observations (seeds).
    pub n: u64,
    /// Mean, in the unit of the data.
    pub mean: f64,
    /// Sample variance, divisor `n - 1`.
    pub variance: Option<f64>,
    /// Sample standard deviation.
    pub sd: Option<f64>,
    /// Standard error of the mean, `sd / sqrt(n)`.
    pub se: Option<f64>,
    /// Degrees of freedom, `n - 1`.
    pub df: u64,
    /// Coverage asked for, for example 0.95.
    pub confidence: f64,
    /// Critical value of t at that coverage.
    pub t_critical: Option<f64>,
    /// `mean -+ t_critical * se`; `None` exactly when `flag` is set.
    pub interval: Option<Interval>,
    /// `mean / se`, the t statistic against a mean of zero.
    pub t: Option<f64>,
    /// Two-sided p value of `t`.
    pub p_two_sided: Option<f64>,
    /// Why there is no interval.
    pub flag: Option<Flag>,
}

/// Student t interval of the mean of `values`, one value per seed, covering
/// `confidence` in (0, 1). Exact for normal observations; the same bits for
/// any order of the values.
///
/// # Errors
///
/// [`StatError::TooFew`] for no value, [`StatError::OutOfRange`] for a
/// confidence outside (0, 1), [`StatError::NotFinite`] and
/// [`StatError::Overflow`] for bad values.
pub fn mean_interval(values: &[f64], confidence: f64) -> Result<MeanInterval, StatError> {
    interval_of_moments(&Moments::of(values)?, confidence)
}

/// As [`mean_interval`], from moments that were gathered before.
///
/// # Errors
///
/// As [`mean_interval`].
pub fn interval_of_moments(moments: &Moments, confidence: f64) -> Result<MeanInterval, StatError> {
    require_count("a mean", 1, usize::from(moments.count() > 0))?;
    require_open_unit("confidence", confidence)?;
    let df = moments.count() - 1;
    let flag = match moments.variance() {
        None => Some(Flag::SingleObservation),
        Some(variance) if variance > 0.0 => None,
        Some(_) => Some(Flag::NoSpread),
    };
    let se = moments.standard_error();
    let t_critical = (df > 0).then(|| student_t_critical(1.0 - confidence, df as f64));
    let usable = se.zip(t_critical).filter(|_| flag.is_none());
    let t = usable.map(|(se, _)| moments.mean() / se);
    Ok(MeanInterval {
        n: moments.count(),
        mean: moments.mean(),
        variance: moments.variance(),
        sd: moments.standard_deviation(),
        se,
        df,
        confidence,
        t_critical,
        interval: usable.map(|(se, critical)| Interval::around(moments.mean(), critical * se)),
        t,
        p_two_sided: t.map(|t| student_t_two_sided(t, df as f64)),
        flag,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_a_flag_and_no_interval() {
        let result = mean_interval(&[0.7], 0.95).unwrap();
        assert_eq!((result.n, result.mean, result.df), (1, 0.7, 0));
        assert_eq!(result.flag, Some(Flag::SingleObservation));
        assert_eq!(result.se, None);
        assert_eq!(
            (result.interval, result.t, result.p_two_sided),
            (None, None, None)
        );
    }

    #[test]
    fn equal_seeds_give_a_flag_and_no_interval() {
        let result = mean_interval(&[0.1; 3], 0.95).unwrap();
        assert_eq!(result.flag, Some(Flag::NoSpread));
        assert_eq!((result.mean, result.se), (0.1, Some(0.0)));
        assert_eq!(
            (result.interval, result.t, result.p_two_sided),
            (None, None, None)
        );
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(matches!(
            mean_interval(&[], 0.95),
            Err(StatError::TooFew { .. })
        ));
        assert!(mean_interval(&[1.0, f64::NAN], 0.95).is_err());
        for confidence in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(matches!(
                mean_interval(&[1.0, 2.0], confidence),
                Err(StatError::OutOfRange { .. })
            ));
        }
    }

    #[test]
    fn more_confidence_is_wider() {
        let values = [1.0, 2.0, 4.0, 8.0];
        let width = |confidence| {
            let result = mean_interval(&values, confidence).unwrap();
            result.interval.unwrap().width()
        };
        assert!(width(0.9) < width(0.95) && width(0.95) < width(0.99));
    }
}
