//! Adjusted p values for a family of tests.
//!
//! Holm is the default: it controls the family-wise error under any
//! dependence. Hochberg needs positive dependence, Holm-Sidak independence;
//! Benjamini-Hochberg controls the false discovery rate and is for labelled
//! exploratory screens only. A hypothesis is rejected when its adjusted p
//! value is at most the level.

use super::error::StatError;
use serde::Serialize;

/// How a family of p values is adjusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjustment {
    /// `m p`.
    Bonferroni,
    /// Step-down (Holm 1979): running maximum of `(m - i + 1) p_(i)`.
    Holm,
    /// Step-down with Sidak's terms `1 - (1 - p_(i))^(m - i + 1)`.
    HolmSidak,
    /// Step-up (Hochberg 1988): running minimum of the terms of Holm.
    Hochberg,
    /// Benjamini and Hochberg (1995): running minimum of `m p_(i) / i`.
    BenjaminiHochberg,
}

/// Adjusts the p values of one family; the result keeps their order.
///
/// # Errors
///
/// [`StatError::OutOfRange`] for a p value outside `[0, 1]`.
pub fn adjust(p_values: &[f64], method: Adjustment) -> Result<Vec<f64>, StatError> {
    if let Some(&value) = p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(StatError::OutOfRange {
            name: "p",
            value,
            domain: "[0, 1]",
        });
    }
    let family = p_values.len() as f64;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut terms: Vec<f64> = order
        .iter()
        .enumerate()
        .map(|(index, &which)| {
            let (p, left) = (p_values[which], family - index as f64);
            match method {
                Adjustment::Bonferroni => family * p,
                Adjustment::Holm | Adjustment::Hochberg => left * p,
                // 1 - (1 - p)^left without losing small p.
                Adjustment::HolmSidak => -(left * (-p).ln_1p()).exp_m1(),
                Adjustment::BenjaminiHochberg => family * p / (index + 1) as f64,
            }
        })
        .collect();
    match method {
        Adjustment::Bonferroni => {}
        Adjustment::Holm | Adjustment::HolmSidak => running(terms.iter_mut(), f64::max),
        Adjustment::Hochberg | Adjustment::BenjaminiHochberg => {
            running(terms.iter_mut().rev(), f64::min);
        }
    }
    let mut adjusted = vec![0.0; p_values.len()];
    for (&which, term) in order.iter().zip(terms) {
        adjusted[which] = term.min(1.0);
    }
    Ok(adjusted)
}

/// Replaces each term by the extreme of the terms so far.
fn running<'a>(terms: impl Iterator<Item = &'a mut f64>, extreme: fn(f64, f64) -> f64) {
    let mut so_far = None;
    for term in terms {
        *term = so_far.map_or(*term, |before| extreme(before, *term));
        so_far = Some(*term);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_family_and_bad_p_values() {
        assert_eq!(adjust(&[], Adjustment::Holm), Ok(vec![]));
        assert!(adjust(&[0.5, 1.2], Adjustment::Holm).is_err());
        assert!(adjust(&[f64::NAN], Adjustment::Bonferroni).is_err());
    }

    #[test]
    fn certain_p_values_stay_in_range() {
        for method in [Adjustment::Holm, Adjustment::HolmSidak] {
            assert_eq!(adjust(&[1.0, 0.0], method), Ok(vec![1.0, 0.0]));
        }
    }
}
