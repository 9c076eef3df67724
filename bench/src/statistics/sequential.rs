//! Sequential tests: stop as soon as the data tell one mean from another.
//!
//! Wald's test follows the logarithm of the likelihood ratio (LLR) of two hypotheses, observation
//! by observation, and stops when it leaves `(ln(beta / (1 - alpha)), ln((1 - beta) / alpha))`
//! (Wald, "Sequential Analysis", 1947). The *generalised* test (GSPRT) takes the likelihood of the
//! best-fitting distribution under each mean, here by empirical likelihood (Owen, "Empirical
//! Likelihood", 2001), so that nothing is assumed about the scores: ranks, money and wins alike.
//!
//! The bounds are asymptotic (Li, Liu & Ying, "Generalized sequential probability ratio test for
//! separate families of hypotheses", 2014): no decision before [`FIRST_DECISION`] observations, and
//! `alpha` and `beta` are nominal, not corrected for overshoot. The mean *after* such a stop is
//! biased away from the losing hypothesis: report a
//! [confidence sequence](super::confidence_sequence) beside the decision.

use libm::{log, log1p};
use serde::Serialize;

use super::error::{StatError, require_open_unit};
use super::likelihood::log_ratio;
use super::moments::Moments;

/// Observations before the first decision.
pub const FIRST_DECISION: u64 = 30;

/// Up to so many observations the test looks after each; later less often, because each look reads
/// all of them.
const LOOK_AT_EACH: u64 = 4096;

/// Two hypotheses about a mean, and how often the test may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hypotheses {
    h0: f64,
    h1: f64,
    alpha: f64,
    beta: f64,
}

impl Hypotheses {
    /// The mean `h0` against the greater mean `h1`, in the unit of the observations; `alpha` and
    /// `beta` in (0, 1/2) are the nominal probabilities of accepting the one when the other holds.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`].
    pub fn new(h0: f64, h1: f64, alpha: f64, beta: f64) -> Result<Self, StatError> {
        let width = h1 - h0;
        if !(width.is_finite() && width > 0.0) {
            return Err(StatError::OutOfRange {
                name: "h1 - h0",
                value: width,
                domain: "the positive numbers",
            });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            require_open_unit(name, value)?;
            if value >= 0.5 {
                let domain = "(0, 0.5)";
                return Err(StatError::OutOfRange {
                    name,
                    value,
                    domain,
                });
            }
        }
        Ok(Self {
            h0,
            h1,
            alpha,
            beta,
        })
    }

    /// The mean under H0.
    #[must_use]
    pub fn h0(&self) -> f64 {
        self.h0
    }

    /// The mean under H1.
    #[must_use]
    pub fn h1(&self) -> f64 {
        self.h1
    }

    /// The nominal probability of accepting H1 when H0 holds.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The nominal probability of accepting H0 when H1 holds.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Where the LLR decides.
    #[must_use]
    pub fn bounds(&self) -> WaldBounds {
        wald(self.alpha, self.beta)
    }
}

/// The LLR that accepts H0 and the one that accepts H1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WaldBounds {
    /// At or below it H0 is accepted.
    pub lower: f64,
    /// At or above it H1 is accepted.
    pub upper: f64,
}

/// Wald's bounds, `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`.
///
/// # Errors
/// [`StatError::OutOfRange`] for probabilities outside (0, 1).
pub fn wald_bounds(alpha: f64, beta: f64) -> Result<WaldBounds, StatError> {
    require_open_unit("alpha", alpha)?;
    require_open_unit("beta", beta)?;
    Ok(wald(alpha, beta))
}

fn wald(alpha: f64, beta: f64) -> WaldBounds {
    WaldBounds {
        lower: log(beta) - log1p(-alpha),
        upper: log1p(-beta) - log(alpha),
    }
}

/// The LLR of the mean `h1` against `h0` by empirical likelihood. None when either mean is not
/// strictly between the least and the greatest value: then wait for more data.
///
/// # Errors
/// [`StatError::NotFinite`] for bad values.
pub fn empirical_llr(values: &[f64], h0: f64, h1: f64) -> Result<Option<f64>, StatError> {
    super::error::require_finite(values)?;
    let mut distinct = Distinct::default();
    values.iter().for_each(|x| distinct.add(*x));
    Ok(distinct.llr(h0, h1))
}

/// The LLR of normal observations whose variance is known to be that of the sample (divisor `n`):
/// `n (h1 - h0) (2 m - h0 - h1) / (2 s^2)`. None without spread.
///
/// # Errors
/// As [`Moments::of`].
pub fn normal_llr(values: &[f64], h0: f64, h1: f64) -> Result<Option<f64>, StatError> {
    let moments = Moments::of(values)?;
    let variance = moments.population_variance().filter(|s| *s > 0.0);
    let n = moments.count() as f64;
    let gap = (h1 - h0) * (2.0 * moments.mean() - h0 - h1);
    Ok(variance.map(|s| n * gap / (2.0 * s)))
}

/// The LLR of normal observations with the variance that fits each mean best:
/// `(n / 2) ln[(s^2 + (m - h0)^2) / (s^2 + (m - h1)^2)]`. None without spread.
///
/// # Errors
/// As [`Moments::of`].
pub fn normal_profile_llr(values: &[f64], h0: f64, h1: f64) -> Result<Option<f64>, StatError> {
    let moments = Moments::of(values)?;
    let variance = moments.population_variance().filter(|s| *s > 0.0);
    let n = moments.count() as f64;
    let spread = |s: f64, h: f64| log(s + (moments.mean() - h) * (moments.mean() - h));
    Ok(variance.map(|s| 0.5 * n * (spread(s, h0) - spread(s, h1))))
}

/// Values in increasing order, each with how often it came.
#[derive(Debug, Clone, Default)]
struct Distinct {
    counts: Vec<(f64, f64)>,
    total: f64,
}

impl Distinct {
    fn add(&mut self, x: f64) {
        // Zero has one sign here.
        let x = x + 0.0;
        self.total += 1.0;
        match self.counts.binary_search_by(|(y, _)| y.total_cmp(&x)) {
            Ok(found) => self.counts[found].1 += 1.0,
            Err(place) => self.counts.insert(place, (x, 1.0)),
        }
    }

    fn llr(&self, h0: f64, h1: f64) -> Option<f64> {
        let shares: Vec<(f64, f64)> = self
            .counts
            .iter()
            .map(|(x, count)| (*x, count / self.total))
            .collect();
        Some(self.total * (log_ratio(&shares, h1)? - log_ratio(&shares, h0)?))
    }
}

/// What a test came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// The mean is `h0`, or below.
    #[serde(rename = "H0 accepted")]
    H0,
    /// The mean is `h1`, or above.
    #[serde(rename = "H1 accepted")]
    H1,
}

/// The GSPRT of a stream of independent observations, one a seed.
///
/// It looks after every observation from [`FIRST_DECISION`] on up to 4,096, later after every
/// 2, 4, 8, …: between `4096 k` and `8192 k` (`k` a power of two) after every `2 k`. When it looks
/// depends on how many observations there were and on nothing else.
#[derive(Debug, Clone)]
pub struct Gsprt {
    hypotheses: Hypotheses,
    seen: Distinct,
    count: u64,
    llr: Option<f64>,
    decision: Option<Decision>,
}

impl Gsprt {
    /// A test that has seen nothing.
    #[must_use]
    pub fn new(hypotheses: Hypotheses) -> Self {
        Self {
            hypotheses,
            seen: Distinct::default(),
            count: 0,
            llr: None,
            decision: None,
        }
    }

    /// Takes the next observation and says what is decided by now. After a decision nothing is
    /// taken any more.
    ///
    /// # Errors
    /// [`StatError::NotFinite`]; nothing is taken then.
    pub fn push(&mut self, x: f64) -> Result<Option<Decision>, StatError> {
        if !x.is_finite() {
            let index = usize::try_from(self.count).unwrap_or(usize::MAX);
            return Err(StatError::NotFinite { index });
        }
        if self.decision.is_none() {
            self.count += 1;
            self.seen.add(x);
            if is_look(self.count) {
                self.look();
            }
        }
        Ok(self.decision)
    }

    /// Looks now, whatever the count: for the end of a run.
    pub fn look(&mut self) {
        if self.decision.is_some() {
            return;
        }
        let WaldBounds { lower, upper } = self.hypotheses.bounds();
        self.llr = self.seen.llr(self.hypotheses.h0, self.hypotheses.h1);
        self.decision = match self.llr {
            _ if self.count < FIRST_DECISION => None,
            Some(llr) if llr >= upper => Some(Decision::H1),
            Some(llr) if llr <= lower => Some(Decision::H0),
            _ => None,
        };
    }

    /// The LLR at the last look; none while a mean lies outside the values so far.
    #[must_use]
    pub fn llr(&self) -> Option<f64> {
        self.llr
    }

    /// What is decided by now.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// How many observations were taken.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What is tested.
    #[must_use]
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }
}

fn is_look(count: u64) -> bool {
    let scale = count / LOOK_AT_EACH;
    count.is_multiple_of(1 << (u64::BITS - scale.leading_zeros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64, and sums of twelve uniforms for a normal number.
    struct Noise(u64);

    impl Noise {
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
        }
    }

    fn hypotheses(h0: f64, h1: f64) -> Hypotheses {
        Hypotheses::new(h0, h1, 0.05, 0.05).unwrap()
    }

    /// How often each hypothesis is accepted, and the mean length.
    fn rates(mean: f64, runs: u32, most: u32, draw: fn(&mut Noise) -> f64) -> (f64, f64, f64) {
        let mut noise = Noise(7);
        let (mut h0, mut h1, mut length) = (0, 0, 0);
        for _ in 0..runs {
            let mut test = Gsprt::new(hypotheses(0.0, 0.5));
            for _ in 0..most {
                if test.push(mean + draw(&mut noise)).unwrap().is_some() {
                    break;
                }
            }
            h0 += u32::from(test.decision() == Some(Decision::H0));
            h1 += u32::from(test.decision() == Some(Decision::H1));
            length += test.count();
        }
        let share = |n: u32| f64::from(n) / f64::from(runs);
        (share(h0), share(h1), length as f64 / f64::from(runs))
    }

    #[test]
    fn errors_are_near_the_nominal_rate_and_most_runs_are_short() {
        // 5 sigma of 400 runs at 5 % is 5.4 points.
        let normal: fn(&mut Noise) -> f64 = Noise::normal;
        let skewed: fn(&mut Noise) -> f64 = |noise| -libm::log(1.0 - noise.uniform()) - 1.0;
        for draw in [normal, skewed] {
            let (right, wrong, length) = rates(0.0, 400, 1000, draw);
            assert!(
                wrong < 0.104 && right > 0.89 && length < 60.0,
                "{right} {wrong} {length}"
            );
            let (wrong, right, length) = rates(0.5, 400, 1000, draw);
            assert!(
                wrong < 0.104 && right > 0.89 && length < 60.0,
                "{right} {wrong} {length}"
            );
        }
    }

    #[test]
    fn nothing_is_decided_before_thirty_observations() {
        let mut test = Gsprt::new(hypotheses(0.0, 0.5));
        for i in 0..FIRST_DECISION {
            // Far above h1, but with values on both sides of the hypotheses.
            let x = if i % 6 == 0 { -0.2 } else { 3.0 };
            let decided = test.push(x).unwrap();
            assert_eq!(decided.is_some(), i + 1 == FIRST_DECISION, "{i}");
        }
        assert_eq!(test.decision(), Some(Decision::H1));
        // What comes later is not taken.
        assert_eq!(test.push(-100.0).unwrap(), Some(Decision::H1));
        assert_eq!(test.count(), FIRST_DECISION);
    }

    #[test]
    fn a_hypothesis_outside_the_values_waits() {
        for x in [2.0, -2.0, 0.0, 0.5] {
            let mut test = Gsprt::new(hypotheses(0.0, 0.5));
            for _ in 0..200 {
                assert_eq!(test.push(x).unwrap(), None);
            }
            assert_eq!(test.llr(), None);
        }
        // One value on the other side, and it can decide.
        let mut test = Gsprt::new(hypotheses(0.0, 0.5));
        for i in 0..40 {
            test.push(if i == 0 { -0.1 } else { 1.0 + f64::from(i) })
                .unwrap();
        }
        assert_eq!(test.decision(), Some(Decision::H1));
    }

    #[test]
    fn the_three_likelihoods_agree_when_the_scores_are_nearly_normal() {
        let mut noise = Noise(11);
        let x: Vec<f64> = (0..4000).map(|_| 0.05 + noise.normal()).collect();
        let exact = empirical_llr(&x, 0.0, 0.1).unwrap().unwrap();
        let known = normal_llr(&x, 0.0, 0.1).unwrap().unwrap();
        let profile = normal_profile_llr(&x, 0.0, 0.1).unwrap().unwrap();
        for other in [known, profile] {
            assert!((exact - other).abs() < 0.2, "{exact} {known} {profile}");
        }
        // Swapped hypotheses, the opposite sign.
        let swapped = empirical_llr(&x, 0.1, 0.0).unwrap().unwrap();
        assert!((swapped + exact).abs() < 1e-9);
    }

    #[test]
    fn looks_are_thinned_out_for_long_runs_only() {
        assert!((1..8192).all(|n| is_look(n) == (n < 4096 || n % 2 == 0)));
        let looks = |from: u64| (from..2 * from).filter(|n| is_look(*n)).count();
        for k in 0..8 {
            assert_eq!(looks(4096 << k), 2048, "{k}");
        }
    }

    #[test]
    fn bad_settings_are_errors() {
        for (h0, h1, alpha, beta) in [
            (0.0, 0.0, 0.05, 0.05),
            (1.0, 0.0, 0.05, 0.05),
            (f64::NAN, 1.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (0.0, 1.0, 0.5, 0.05),
            (0.0, 1.0, 0.05, 0.0),
        ] {
            assert!(Hypotheses::new(h0, h1, alpha, beta).is_err());
        }
        assert!(wald_bounds(0.0, 0.5).is_err());
        assert!(Gsprt::new(hypotheses(0.0, 1.0)).push(f64::NAN).is_err());
        assert!(empirical_llr(&[f64::INFINITY], 0.0, 1.0).is_err());
        assert_eq!(normal_llr(&[1.0, 1.0], 0.0, 1.0), Ok(None));
    }
}
