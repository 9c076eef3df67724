//! A handful of deviations that stand for a whole distribution, each with its weight.
//!
//! Normal noise: the product of two Gauss-Hermite rules, exact for polynomials up to degree 2k - 1 in
//! each component. Student's t has no moments from the fifth on, so no Gauss rule with more than two
//! nodes: there, k parts of equal probability, each at its own mean. The mean is exact; the standard
//! deviation is short, by 17 % with three parts and 8 % with seven, for each part is averaged.

use super::{Deviation, NoiseModel, student};

impl NoiseModel {
    /// The rule with `points` nodes a component, so at most the square of it; weights are positive
    /// and sum to 1. Fewer than one counts as one: the shot as meant.
    #[must_use]
    pub fn quadrature(&self, points: usize) -> Vec<(Deviation, f64)> {
        let (rule, first, second) = match *self {
            Self::None => return vec![(Deviation::NONE, 1.0)],
            Self::Throw { speed, angle, .. } => (gauss_hermite(points), speed, angle),
            Self::Target { x, y } => (gauss_hermite(points), x, y),
            Self::Student { speed, angle, .. } => (equal_parts(points), speed, angle),
        };
        let mut out = Vec::with_capacity(rule.len() * rule.len());
        for (a, p) in &rule {
            for (b, q) in &rule {
                out.push((Deviation::new(first * a, second * b), p * q));
            }
        }
        out
    }
}

/// Nodes and weights for the standard normal distribution, ascending: the roots of the Hermite
/// polynomial, found between those of the one before (they interlace), and one over the sum of the
/// squares of the orthonormal polynomials there (Christoffel).
#[must_use]
pub fn gauss_hermite(points: usize) -> Vec<(f64, f64)> {
    let mut roots: Vec<f64> = vec![0.0];
    for degree in 2..=points {
        let bound = 2.0 * (degree as f64).sqrt() + 1.0;
        let mut edges = vec![-bound];
        edges.extend(&roots);
        edges.push(bound);
        roots = edges.windows(2).map(|w| root(degree, w[0], w[1])).collect();
    }
    // Exact symmetry, which the bisections keep only to rounding.
    let n = roots.len();
    for i in 0..n / 2 {
        let size = 0.5 * (roots[n - 1 - i] - roots[i]);
        (roots[i], roots[n - 1 - i]) = (-size, size);
    }
    if n % 2 == 1 {
        roots[n / 2] = 0.0;
    }
    let weights: Vec<f64> = roots.iter().map(|x| 1.0 / orthonormal(n, *x).1).collect();
    let total: f64 = weights.iter().sum();
    roots
        .into_iter()
        .zip(weights.into_iter().map(|w| w / total))
        .collect()
}

fn root(degree: usize, mut low: f64, mut high: f64) -> f64 {
    let rising = orthonormal(degree, high).0 > 0.0;
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if (orthonormal(degree, middle).0 > 0.0) == rising {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// The orthonormal Hermite polynomial of this degree at `x`, and the sum of the squares of those
/// below it.
fn orthonormal(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut now, mut squares) = (0.0, 1.0, 0.0);
    for n in 0..degree {
        squares += now * now;
        let (n, after) = (n as f64, now);
        now = (x * now - n.sqrt() * before) / (n + 1.0).sqrt();
        before = after;
    }
    (now, squares)
}

/// Parts of equal probability of Student's t, each at its mean, ascending.
fn equal_parts(points: usize) -> Vec<(f64, f64)> {
    let n = points.max(1);
    let share = 1.0 / n as f64;
    let above: Vec<f64> = (0..=n)
        .map(|i| {
            if i == 0 || i == n {
                0.0
            } else {
                student::moment_above(student::quantile(i as f64 * share))
            }
        })
        .collect();
    above
        .windows(2)
        .map(|w| ((w[0] - w[1]) / share, share))
        .collect()
}
