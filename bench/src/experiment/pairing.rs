//! What sharing deals bought: the variance that it took out of a comparison.

use crate::statistics::moments::Moments;

/// How many times more seeds independent deals would need: the sum of the variances of the parts
/// over the variance of their sum. With the parts `a` and `-b` this is (Var a + Var b)/Var(a - b).
/// None when the sum does not vary.
pub(super) fn pairing_factor(parts: &[Vec<f64>]) -> Option<f64> {
    let seeds = parts.first().map_or(0, Vec::len);
    let sums: Vec<f64> = (0..seeds)
        .map(|s| parts.iter().map(|part| part[s]).sum())
        .collect();
    let together = variance(&sums);
    let apart: f64 = parts.iter().map(|part| variance(part)).sum();
    // What is left of a sum that cancels is rounding.
    (together > 1e-12 * apart).then(|| apart / together)
}

/// The sample variance; 0 for one number.
fn variance(values: &[f64]) -> f64 {
    Moments::of(values)
        .ok()
        .and_then(|m| m.variance())
        .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_of_two_arms_is_the_usual_one() {
        let a = [1.5, 2.0, 2.5, 2.0, 1.75, 2.25];
        let b = [2.5, 2.75, 2.5, 3.0, 2.25, 2.75];
        let minus_b = b.iter().map(|x| -x).collect();
        let factor = pairing_factor(&[a.to_vec(), minus_b]).unwrap();
        assert!((factor - 1.35).abs() < 0.005, "{factor}");
        assert_eq!(
            pairing_factor(&[a.to_vec(), a.iter().map(|x| -x).collect()]),
            None
        );
    }
}
