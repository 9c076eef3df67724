//! What is known of a value: [`Bound`], and what is asked about it: [`Window`].

/// A value lies between `lower` and `upper`; it is known exactly when they are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// It is at least this.
    pub lower: f64,
    /// It is at most this.
    pub upper: f64,
    /// Whether only ends of the game went into it, no evaluation: it then holds for any depth.
    pub complete: bool,
}

impl Bound {
    pub(super) const fn exact(value: f64, complete: bool) -> Self {
        Self {
            lower: value,
            upper: value,
            complete,
        }
    }

    /// Whether the value is known.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.lower >= self.upper
    }

    pub(super) fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Seen from the other side when `flip`.
    pub(super) const fn flipped(self, flip: bool) -> Self {
        if flip {
            Self {
                lower: -self.upper,
                upper: -self.lower,
                complete: self.complete,
            }
        } else {
            self
        }
    }

    /// Whether nothing more need be known: exact, or on one side of the window.
    pub(super) fn decides(&self, window: Window) -> bool {
        self.is_exact() || self.upper <= window.alpha || self.lower >= window.beta
    }

    /// Both at once. Bounds that miss each other by rounding give one value.
    pub(super) fn and(self, known: Self) -> Self {
        let lower = self.lower.max(known.lower);
        Self {
            lower,
            upper: self.upper.min(known.upper).max(lower),
            complete: self.complete
                && (known.complete || (self.lower >= known.lower && self.upper <= known.upper)),
        }
    }
}

impl Default for Bound {
    fn default() -> Self {
        Self::exact(0.0, false)
    }
}

/// Values at most `alpha` or at least `beta` need not be told apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    /// Everything matters.
    pub(super) const FULL: Self = Self {
        alpha: f64::NEG_INFINITY,
        beta: f64::INFINITY,
    };

    /// Seen from the other side when `flip`.
    pub(super) const fn flipped(self, flip: bool) -> Self {
        if flip {
            Self {
                alpha: -self.beta,
                beta: -self.alpha,
            }
        } else {
            self
        }
    }

    /// No wider than what is known anyway; unchanged if rounding would leave nothing of it.
    pub(super) fn within(self, known: Bound) -> Self {
        let narrow = Self {
            alpha: self.alpha.max(known.lower),
            beta: self.beta.min(known.upper),
        };
        if narrow.alpha < narrow.beta {
            narrow
        } else {
            Self {
                alpha: known.lower,
                beta: known.upper,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn bound(lower: f64, upper: f64) -> Bound {
        Bound {
            lower,
            upper,
            complete: true,
        }
    }

    #[test]
    fn a_bound_decides_a_window_when_it_is_on_one_side() {
        let window = Window {
            alpha: 0.0,
            beta: 1.0,
        };
        assert!(bound(0.5, 0.5).decides(window));
        assert!(bound(-1.0, 0.0).decides(window));
        assert!(bound(1.0, 2.0).decides(window));
        assert!(!bound(-1.0, 0.1).decides(window));
        assert!(!bound(0.2, 3.0).decides(window));
        assert!(!bound(-1.0, 3.0).decides(Window::FULL));
    }

    #[test]
    fn two_bounds_give_their_intersection() {
        let both = bound(0.0, 2.0).and(bound(1.0, 3.0));
        assert_eq!((both.lower, both.upper), (1.0, 2.0));
        let missed = bound(0.0, 1.0).and(bound(1.0 + 1e-16, 2.0));
        assert!(missed.is_exact());
        let estimate = Bound::exact(1.0, false);
        assert!(!estimate.and(bound(0.0, 2.0)).complete);
        let known = Bound {
            complete: false,
            ..bound(0.0, 2.0)
        };
        assert!(bound(1.0, 1.0).and(known).complete);
        assert!(!bound(1.0, 3.0).and(known).complete);
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let b = bound(-1.0, 3.0);
        assert_eq!((b.flipped(true).lower, b.flipped(true).upper), (-3.0, 1.0));
        assert_eq!(b.flipped(true).flipped(true), b);
        assert_eq!(b.flipped(false), b);
    }
}
