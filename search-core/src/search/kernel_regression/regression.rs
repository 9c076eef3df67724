//! Values of actions from the returns of other, alike ones: Nadaraya-Watson kernel regression.

use crate::decision::Candidate;

/// What was executed, how often, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Executed<A> {
    pub(crate) action: A,
    pub(crate) visits: u64,
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

/// Sums over executed actions `b`, each weighted by its likeness `K(a,b)` to an action `a`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Sums {
    /// `W(a)`, the sum of `K n`.
    pub(crate) mass: f64,
    /// Sum of `K` times the returns.
    pub(crate) weighted: f64,
    /// Sum of `K` times the squares of the returns.
    pub(crate) squares: f64,
    /// Sum of `K^2 n`.
    pub(crate) mass_of_squares: f64,
}

impl Sums {
    /// Adds `visits` executions of an action with this likeness and these sums of returns.
    #[inline]
    pub(crate) fn add(&mut self, kernel: f64, visits: f64, sum: f64, squares: f64) {
        self.mass += kernel * visits;
        self.weighted += kernel * sum;
        self.squares += kernel * squares;
        self.mass_of_squares += kernel * kernel * visits;
    }

    /// The sums of `action` over all that was executed.
    pub(crate) fn of<A: Copy>(executed: &[Executed<A>], kernel: impl Fn(A) -> f64) -> Self {
        let mut sums = Self::default();
        for b in executed {
            sums.add(kernel(b.action), b.visits as f64, b.sum, b.squares);
        }
        sums
    }

    /// `E(v|a)`; `NaN` where nothing alike was executed.
    pub(crate) fn mean(&self) -> f64 {
        if self.mass > 0.0 {
            self.weighted / self.mass
        } else {
            f64::NAN
        }
    }

    /// Standard error of the mean, taking the executions as independent draws of one distribution:
    /// their weighted spread over as many draws as the weights are worth.
    pub(crate) fn std_error(&self) -> f64 {
        let draws = self.mass * self.mass / self.mass_of_squares;
        let variance = (self.squares / self.mass - self.mean() * self.mean()).max(0.0);
        if draws > 1.0 {
            (variance / (draws - 1.0)).sqrt()
        } else {
            f64::NAN
        }
    }
}

/// An action that may be chosen in the end.
pub(crate) struct Estimate<A> {
    pub(crate) action: A,
    pub(crate) visits: u64,
    pub(crate) sums: Sums,
}

impl<A: Copy + Ord> Estimate<A> {
    /// `E / scale - k sqrt(ln sum W / W)`.
    fn bound(&self, scale: f64, k: f64, ln_total: f64) -> f64 {
        let bound = self.sums.mean() / scale - k * (ln_total / self.sums.mass).sqrt();
        if bound.is_nan() {
            f64::NEG_INFINITY
        } else {
            bound
        }
    }
}

/// The action with the highest lower confidence bound among those for which `may` holds; ties go to
/// more mass, the higher mean, the smaller action.
pub(crate) fn choose<A: Copy + Ord>(
    options: &[Estimate<A>],
    scale: f64,
    k: f64,
    may: impl Fn(&Estimate<A>) -> bool,
) -> Option<A> {
    let total: f64 = options.iter().map(|option| option.sums.mass).sum();
    let ln_total = libm::log(total.max(1.0));
    let rank = |option: &Estimate<A>| option.bound(scale, k, ln_total);
    let best = options.iter().filter(|option| may(option)).max_by(|a, b| {
        rank(a)
            .total_cmp(&rank(b))
            .then(a.sums.mass.total_cmp(&b.sums.mass))
            .then(a.sums.mean().total_cmp(&b.sums.mean()))
            .then(b.action.cmp(&a.action))
    });
    best.map(|option| option.action)
}

/// The entry of an action in a decision: its own visits, and the estimate.
pub(crate) fn candidate<A: Copy>(
    option: &Estimate<A>,
    total: u64,
    simulations: u64,
) -> Candidate<A> {
    Candidate {
        action: option.action,
        visits: option.visits,
        mean: option.sums.mean(),
        std_error: option.sums.std_error(),
        availability: simulations,
        policy: option.visits as f64 / total.max(1) as f64,
        proven: None,
        versus_chosen: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(action: u32, mass: f64, mean: f64) -> Estimate<u32> {
        let sums = Sums {
            mass,
            weighted: mass * mean,
            ..Sums::default()
        };
        Estimate {
            action,
            visits: 1,
            sums,
        }
    }

    #[test]
    fn the_choice_has_the_highest_lower_bound() {
        let sure = estimate(1, 100.0, 0.5);
        let lucky = estimate(2, 1.0, 0.6);
        let options = [sure, lucky];
        assert_eq!(choose(&options, 1.0, 0.0, |_| true), Some(2));
        assert_eq!(choose(&options, 1.0, 0.1, |_| true), Some(1));
        // On ten times the scale the means are ten times as near.
        assert_eq!(choose(&options, 1.0, 0.04, |_| true), Some(2));
        assert_eq!(choose(&options, 10.0, 0.04, |_| true), Some(1));
        assert_eq!(choose(&options, 1.0, 0.1, |e| e.action > 1), Some(2));
        assert_eq!(choose(&options, 1.0, 0.1, |_| false), None);
    }

    #[test]
    fn of_equal_bounds_that_with_more_mass_is_chosen() {
        for options in [
            [estimate(1, 2.0, 0.5), estimate(2, 4.0, 0.5)],
            [estimate(2, 4.0, 0.5), estimate(1, 2.0, 0.5)],
        ] {
            assert_eq!(choose(&options, 1.0, 0.0, |_| true), Some(2));
        }
        let equal = [estimate(2, 4.0, 0.5), estimate(1, 4.0, 0.5)];
        assert_eq!(choose(&equal, 1.0, 0.0, |_| true), Some(1));
        let unknown = [estimate(1, 0.0, 0.0), estimate(2, 4.0, -0.5)];
        assert_eq!(choose(&unknown, 1.0, 0.0, |_| true), Some(2));
    }
}
