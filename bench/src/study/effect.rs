//! What a change of a setting is worth: paired over seeds.

use serde::Serialize;

use crate::statistics::distribution::student_t_two_sided;
use crate::statistics::interval::mean_interval;
use crate::statistics::multiple::{Adjustment, adjust};

/// A changed agent's score minus the unchanged one's, on the same seeds against the same opponent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The mean over the seeds.
    pub mean: f64,
    /// The lower end of the interval; none with one seed or without any spread.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The level of the interval.
    pub level: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
    /// Two-sided p value of no effect (Student t over seeds); none where there is no interval.
    pub p: Option<f64>,
    /// The same, adjusted for the whole family (Holm 1979).
    pub p_holm: Option<f64>,
    /// Seeds on which the two scored differently.
    pub seeds_that_differ: usize,
}

impl Effect {
    /// Whether the interval leaves no effect out, on either side.
    #[must_use]
    pub fn excludes_zero(&self) -> bool {
        self.low.is_some_and(|low| low > 0.0) || self.high.is_some_and(|high| high < 0.0)
    }

    /// Whether the interval is above 0.
    #[must_use]
    pub fn is_gain(&self) -> bool {
        self.low.is_some_and(|low| low > 0.0)
    }
}

/// The effect of a change; both hold one score a seed, of the same seeds in the same order.
#[must_use]
pub fn effect(changed: &[f64], unchanged: &[f64], level: f64) -> Effect {
    let gaps: Vec<f64> = changed.iter().zip(unchanged).map(|(a, b)| a - b).collect();
    let t = mean_interval(&gaps, level).ok();
    let interval = t.as_ref().and_then(|t| t.interval);
    let mean = t.as_ref().map_or(f64::NAN, |t| t.mean);
    let standard_error = t.and_then(|t| t.se).unwrap_or(0.0);
    let freedom = gaps.len().saturating_sub(1) as f64;
    Effect {
        mean,
        low: interval.as_ref().map(|i| i.low),
        high: interval.as_ref().map(|i| i.high),
        level,
        standard_error,
        p: interval.map(|_| student_t_two_sided(mean / standard_error, freedom)),
        p_holm: None,
        seeds_that_differ: gaps.iter().filter(|gap| **gap != 0.0).count(),
    }
}

/// Adjusts the p values of a family of effects (Holm 1979).
pub fn adjust_family<'a>(effects: impl Iterator<Item = &'a mut Effect>) {
    let mut tested: Vec<&mut Effect> = effects.filter(|e| e.p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|e| e.p).collect();
    let adjusted = adjust(&p, Adjustment::Holm).unwrap_or_default();
    for (effect, p) in tested.iter_mut().zip(adjusted) {
        effect.p_holm = Some(p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_seed_by_seed() {
        // Six pairs of golden row paired-04.
        let a = [1.5, 2.0, 2.5, 2.0, 1.75, 2.25];
        let b = [2.5, 2.75, 2.5, 3.0, 2.25, 2.75];
        let e = effect(&a, &b, 0.95);
        assert!((e.mean + 0.625).abs() < 1e-12 && (e.standard_error - 0.1548).abs() < 1e-4);
        assert!((e.p.unwrap() - 0.0099).abs() < 5e-5);
        assert!(e.excludes_zero() && !e.is_gain());
        assert_eq!(e.seeds_that_differ, 5);
    }

    #[test]
    fn the_same_play_has_no_interval() {
        let e = effect(&[1.0, 2.0], &[1.0, 2.0], 0.95);
        assert_eq!((e.mean, e.low, e.p), (0.0, None, None));
        assert!(!e.excludes_zero());
    }

    #[test]
    fn a_family_is_adjusted_together() {
        let mut family = [
            effect(&[1.0, 1.2, 0.9, 1.1], &[0.0; 4], 0.95),
            effect(&[0.1, -0.2, 0.3, 0.0], &[0.0; 4], 0.95),
            effect(&[0.0; 4], &[0.0; 4], 0.95),
        ];
        adjust_family(family.iter_mut());
        let p = family[0].p.unwrap();
        assert!((family[0].p_holm.unwrap() - 2.0 * p).abs() < 1e-15);
        assert_eq!(family[1].p_holm, family[1].p);
        assert_eq!(family[2].p_holm, None);
    }
}
