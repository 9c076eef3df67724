//! Running moments, pooled without keeping the values: [`Moments`], [`JointMoments`].

/// Count, mean and sum of squared deviations of a sample, in one pass (Welford 1962), pooled by
/// Chan, Golub & LeVeque (1979):
///
/// ```text
/// M2 = M2_a + M2_b + (m_b - m_a)² n_a n_b / (n_a + n_b)
/// ```
///
/// That is the law of total variance, the sum of squares within the parts and between them:
/// `(Σ (n_i - 1) s_i² + Σ n_i (m_i - m)²) / (N - 1)`. Pooling is exact but for rounding, and
/// rounding depends on the order, so whoever wants the same bits pools the same parts in the
/// same order.
///
/// ```
/// use search_core::estimate::Moments;
///
/// let mut left: Moments = [1.0, 2.0].into_iter().collect();
/// left.merge(&[3.0, 6.0].into_iter().collect());
/// assert_eq!((left.count(), left.mean(), left.sum_of_squares()), (4, 3.0, 14.0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    m2: f64,
}

impl Moments {
    /// Adds a value.
    #[inline]
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let delta = value - self.mean;
        self.mean += delta / self.count as f64;
        self.m2 += delta * (value - self.mean);
    }

    /// Adds what another sample holds.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        let (a, b) = (self.count as f64, other.count as f64);
        let delta = other.mean - self.mean;
        self.count += other.count;
        self.mean += delta * b / (a + b);
        self.m2 += other.m2 + delta * delta * a * b / (a + b);
    }

    /// How many values.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    #[must_use]
    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// The sum of their squared deviations from the mean.
    #[must_use]
    pub const fn sum_of_squares(&self) -> f64 {
        self.m2
    }

    /// The unbiased sample variance; infinite below two values, of which nothing is known.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        (self.m2 / (self.count - 1) as f64).max(0.0)
    }

    /// The standard error of the mean; infinite below two values.
    #[must_use]
    pub fn std_error(&self) -> f64 {
        (self.variance() / self.count.max(1) as f64).sqrt()
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Self::default();
        values.into_iter().for_each(|value| moments.push(value));
        moments
    }
}

/// The moments of pairs, with the sum of the products of their deviations: what regressing one on
/// the other needs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JointMoments {
    /// The first of each pair.
    pub x: Moments,
    /// The second.
    pub y: Moments,
    products: f64,
}

impl JointMoments {
    /// Adds a pair.
    #[inline]
    pub fn push(&mut self, x: f64, y: f64) {
        let delta = x - self.x.mean;
        self.x.push(x);
        self.y.push(y);
        self.products += delta * (y - self.y.mean);
    }

    /// Adds what another sample holds.
    pub fn merge(&mut self, other: &Self) {
        let (a, b) = (self.x.count as f64, other.x.count as f64);
        if b > 0.0 {
            let (dx, dy) = (other.x.mean - self.x.mean, other.y.mean - self.y.mean);
            let between = if a > 0.0 {
                dx * dy * a * b / (a + b)
            } else {
                0.0
            };
            self.products += other.products + between;
        }
        self.x.merge(&other.x);
        self.y.merge(&other.y);
    }

    /// The slope of `x` on `y`, covariance over variance of `y`; 0 where `y` does not vary.
    #[must_use]
    pub fn slope(&self) -> f64 {
        if self.y.m2 > 0.0 {
            self.products / self.y.m2
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Draw, Seed};

    fn values(n: usize) -> Vec<f64> {
        let mut rng = Seed(3).simulation(0);
        (0..n).map(|_| rng.unit().powi(3) + 10.0).collect()
    }

    /// Two passes over the whole.
    fn direct(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (mean, values.iter().map(|x| (x - mean).powi(2)).sum())
    }

    #[test]
    fn one_pass_agrees_with_two() {
        let all = values(1000);
        let moments: Moments = all.iter().copied().collect();
        let (mean, m2) = direct(&all);
        assert!((moments.mean() - mean).abs() < 1e-13);
        assert!((moments.sum_of_squares() - m2).abs() < 1e-10);
        assert_eq!(Moments::default().variance(), f64::INFINITY);
        assert_eq!(
            values(1).into_iter().collect::<Moments>().std_error(),
            f64::INFINITY
        );
        let constant: Moments = std::iter::repeat_n(0.1, 777).collect();
        assert_eq!((constant.mean(), constant.variance()), (0.1, 0.0));
    }

    /// The law of total variance as it is usually written down, from counts, means and standard
    /// errors of the parts.
    #[test]
    fn pooling_is_within_and_between() {
        let all = values(64 + 64 + 7 + 1 + 128);
        let mut parts = Vec::new();
        let mut rest = &all[..];
        for n in [64, 64, 7, 1, 128] {
            let (head, tail) = rest.split_at(n);
            parts.push(head.iter().copied().collect::<Moments>());
            rest = tail;
        }
        let total: f64 = parts.iter().map(|p| p.count() as f64).sum();
        let mean = parts
            .iter()
            .map(|p| p.count() as f64 * p.mean())
            .sum::<f64>()
            / total;
        let within: f64 = parts
            .iter()
            .filter(|p| p.count() > 1)
            .map(|p| {
                let n = p.count() as f64;
                (n - 1.0) * p.std_error().powi(2) * n
            })
            .sum();
        let between: f64 = parts
            .iter()
            .map(|p| p.count() as f64 * (p.mean() - mean).powi(2))
            .sum();
        let mut pooled = Moments::default();
        parts.iter().for_each(|p| pooled.merge(p));
        assert_eq!(pooled.count(), 264);
        assert!((pooled.mean() - mean).abs() < 1e-13);
        assert!((pooled.variance() - (within + between) / (total - 1.0)).abs() < 1e-13);
        assert!((pooled.sum_of_squares() - direct(&all).1).abs() < 1e-11);
        // What is empty changes nothing, on either side.
        let mut empty = Moments::default();
        empty.merge(&pooled);
        pooled.merge(&Moments::default());
        assert_eq!(empty, pooled);
    }

    /// T-ES7: in any tree of merges, either side first, as in one pass over everything.
    #[test]
    fn t_es7_pooling_does_not_depend_on_the_tree() {
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} {b}");
        for case in 0..500 {
            let mut rng = Seed(4).simulation(case);
            let all: Vec<f64> = (0..1 + rng.below(300))
                .map(|_| 20.0 * rng.unit() - 7.0)
                .collect();
            let mut parts: Vec<Moments> = Vec::new();
            let mut rest = &all[..];
            while !rest.is_empty() {
                // Some are empty.
                let (head, tail) = rest.split_at(rng.below(40).min(rest.len() as u32) as usize);
                parts.push(head.iter().copied().collect());
                rest = tail;
            }
            while parts.len() > 1 {
                let a = parts.swap_remove(rng.below(parts.len() as u32) as usize);
                let b = rng.below(parts.len() as u32) as usize;
                let (mut ab, mut ba) = (a, parts[b]);
                ab.merge(&parts[b]);
                ba.merge(&a);
                near(ab.mean(), ba.mean());
                near(ab.sum_of_squares(), ba.sum_of_squares());
                parts[b] = if rng.below(2) == 0 { ab } else { ba };
            }
            let one: Moments = all.iter().copied().collect();
            assert_eq!(parts[0].count(), one.count());
            near(parts[0].mean(), one.mean());
            near(parts[0].sum_of_squares(), one.sum_of_squares());
        }
    }

    /// T-ES8: with the slope as its coefficient, a control leaves `1 - ρ²` of the variance, and more with
    /// any other.
    #[test]
    fn t_es8_the_slope_leaves_what_is_not_correlated() {
        let mut rng = Seed(5).simulation(0);
        let pairs: Vec<(f64, f64)> = (0..400)
            .map(|_| {
                let luck = rng.unit() - 0.5;
                (0.3 * luck + rng.unit(), luck)
            })
            .collect();
        let mut joint = JointMoments::default();
        pairs.iter().for_each(|(x, y)| joint.push(*x, *y));
        let left = |beta: f64| {
            let moments: Moments = pairs.iter().map(|(x, y)| x - beta * y).collect();
            moments.variance() / joint.x.variance()
        };
        // ρ straight from its definition.
        let (mx, my) = (joint.x.mean(), joint.y.mean());
        let products: f64 = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
        let squares = joint.x.sum_of_squares() * joint.y.sum_of_squares();
        let best = left(joint.slope());
        assert!((best - (1.0 - products * products / squares)).abs() < 1e-12);
        for off in [-0.5, -0.01, 0.01, 0.5] {
            assert!(left(joint.slope() + off) > best);
        }
    }

    #[test]
    fn pairs_pool_and_regress() {
        let xs = values(300);
        let pairs: Vec<(f64, f64)> = xs.iter().map(|x| (3.0 * x - 1.0, *x)).collect();
        let of = |pairs: &[(f64, f64)]| {
            let mut joint = JointMoments::default();
            pairs.iter().for_each(|(x, y)| joint.push(*x, *y));
            joint
        };
        let mut pooled = JointMoments::default();
        pairs.chunks(64).for_each(|chunk| pooled.merge(&of(chunk)));
        assert!((pooled.slope() - 3.0).abs() < 1e-12, "{}", pooled.slope());
        assert!((of(&pairs).slope() - 3.0).abs() < 1e-12);
        assert_eq!(of(&[(1.0, 2.0), (5.0, 2.0)]).slope(), 0.0);
    }
}
