//! The estimate and what may be concluded from it: [`Equity`], [`Verdict`].

use super::tally::Tally;
use crate::game::Player;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// No verdict from fewer rollouts, one batch, unless they are exact: with three, the intervals of two
/// players who are nearly level name a winner in one case out of twenty, often the wrong one.
const LEAST_FOR_A_VERDICT: u64 = 64;

/// A control variate in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlReport {
    /// The coefficient of the luck.
    pub beta: f64,
    /// What it cost beside the luck itself: rollouts of the pilot run that set the coefficient.
    pub pilot: u64,
    /// The variance of a rollout without it over that with it, in the same rollouts. Below 1 it did
    /// harm; 1 where no luck is computed.
    pub gain: f64,
}

/// How a position will end, estimated by rollouts.
///
/// `wins[0] + wins[1] + drawn + undecided` is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equity {
    /// Rollouts.
    pub rollouts: u64,
    /// The probability that each player wins within the horizon. With a control variate an estimate
    /// may fall a little below 0 or above 1.
    pub wins: [f64; 2],
    /// The probability that the game ends within the horizon with equal returns.
    pub drawn: f64,
    /// What the rollouts left open: beyond the horizon, or below the mass at which a rollout stops.
    pub undecided: f64,
    /// The standard error of `wins[0]`; infinite below two rollouts.
    pub std_error: f64,
    /// The sample variance of one rollout's `wins[0]`.
    pub variance: f64,
    /// The variance of a 0/1 outcome with the same mean over `variance`, `p̄(1 - p̄)/s²`: how many
    /// rollouts of the plain kind one of these replaces. Infinite where nothing varies. It compares
    /// the estimator with itself and so cannot see a bias.
    pub variance_reduction: f64,
    /// `wins[0] - wins[1]`.
    pub edge: f64,
    /// The standard error of `edge`.
    pub edge_error: f64,
    /// The expected return of player 0, without a control variate; what is undecided counts as
    /// [`Game::cut_off_returns`](crate::game::Game::cut_off_returns).
    pub score: f64,
    /// The sample variance of one rollout's return.
    pub score_variance: f64,
    /// Nothing was drawn at random: the masses are exact.
    pub exact: bool,
    /// The control variate, if one was asked for.
    pub control: Option<ControlReport>,
}

/// What an [`Equity`] allows to say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Nothing yet: the interval is too wide.
    Withheld {
        /// How wide it is.
        width: f64,
        /// How wide it may be.
        needed: f64,
        /// About how many rollouts more would do.
        more: u64,
    },
    /// This player wins more often than the other, whatever becomes of the undecided mass.
    Favoured(Player),
    /// This player wins more often as far as it is decided; the undecided mass could turn it.
    Ahead(Player),
    /// No difference can be told from none.
    Level,
}

impl Equity {
    pub(super) fn of(tally: &Tally) -> Self {
        let win = &tally.wins[0];
        let (mean, variance) = (win.mean(), win.variance());
        Self {
            rollouts: win.count(),
            wins: [mean, tally.wins[1].mean()],
            drawn: tally.drawn.mean(),
            undecided: tally.undecided.mean(),
            std_error: win.std_error(),
            variance,
            variance_reduction: if variance > 0.0 {
                (mean * (1.0 - mean)).max(0.0) / variance
            } else {
                f64::INFINITY
            },
            edge: tally.edge.mean(),
            edge_error: tally.edge.std_error(),
            score: tally.score.mean(),
            score_variance: tally.score.variance(),
            exact: win.count() > 0 && !tally.drew,
            control: None,
        }
    }

    /// The 95 % interval of `wins[0]`: Student's t with `rollouts - 1` degrees of freedom, clipped
    /// to 0 and 1, which loses nothing since the truth is in there. Where wins are rare their
    /// distribution is skewed, and few rollouts cover less than they say: with a probability of 0.03,
    /// 128 of them 92 % and 512 of them 95 %.
    ///
    /// A sample without any variance that was drawn at random proves nothing: then the interval
    /// reaches as far as a value of 0 or 1 with the greatest probability that would have stayed
    /// unseen with probability 0.05 (the "rule of three", `1 - 0.05^(1/n)`).
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let p = self.wins[0];
        if self.exact {
            return (p, p);
        }
        if !self.std_error.is_finite() {
            return (0.0, 1.0);
        }
        if self.variance == 0.0 {
            let unseen = -(0.05_f64.ln() / self.rollouts as f64).exp_m1();
            return clip(p * (1.0 - unseen), p + (1.0 - p) * unseen);
        }
        let half = t_quantile(self.rollouts - 1) * self.std_error;
        clip(p - half, p + half)
    }

    /// How wide [`Equity::interval`] is.
    #[must_use]
    pub fn width(&self) -> f64 {
        let (low, high) = self.interval();
        high - low
    }

    /// What may be said with an interval no wider than `needed`.
    #[must_use]
    pub fn verdict(&self, needed: f64) -> Verdict {
        let width = self.width();
        // A handful of rollouts may agree by luck, and t cannot know.
        if width > needed || !self.exact && self.rollouts < LEAST_FOR_A_VERDICT {
            return Verdict::Withheld {
                width,
                needed,
                more: self.rollouts_missing(needed),
            };
        }
        let half = if self.exact {
            0.0
        } else if self.edge_error > 0.0 {
            t_quantile(self.rollouts.saturating_sub(1)) * self.edge_error
        } else {
            width
        };
        let lead = self.edge.abs() - half;
        let leader = Player::new(usize::from(self.edge < 0.0));
        if lead > self.undecided {
            Verdict::Favoured(leader)
        } else if lead > 0.0 {
            Verdict::Ahead(leader)
        } else {
            Verdict::Level
        }
    }

    /// About how many rollouts are missing to an interval of this width: `(2 z s / width)²` in all.
    fn rollouts_missing(&self, width: f64) -> u64 {
        let variance = if self.variance.is_finite() && self.variance > 0.0 {
            self.variance
        } else {
            0.25
        };
        let wanted = (4.0 * Z * Z * variance / (width * width)).ceil();
        let wanted = (wanted as u64).max(LEAST_FOR_A_VERDICT);
        wanted.saturating_sub(self.rollouts).max(1)
    }
}

fn clip(low: f64, high: f64) -> (f64, f64) {
    (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0))
}

/// The 97.5 % quantile of Student's t. Exact values below ten degrees of freedom, beyond it the
/// expansion of Cornish and Fisher (1937), off by less than 1e-5.
fn t_quantile(freedom: u64) -> f64 {
    const SMALL: [f64; 10] = [
        f64::INFINITY,
        12.706_205,
        4.302_653,
        3.182_446,
        2.776_445,
        2.570_582,
        2.446_912,
        2.364_624,
        2.306_004,
        2.262_157,
    ];
    if let Some(exact) = usize::try_from(freedom).ok().and_then(|n| SMALL.get(n)) {
        return *exact;
    }
    let n = freedom as f64;
    let z2 = Z * Z;
    let g1 = (z2 + 1.0) / 4.0;
    let g2 = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let g3 = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    let g4 = ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0;
    Z * (1.0 + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n)
}

#[cfg(test)]
mod tests {
    use super::super::tally::Sample;
    use super::*;

    fn of(values: &[f64], undecided: f64) -> Equity {
        let mut tally = Tally::default();
        for &win in values {
            let wins = [win, 1.0 - win - undecided];
            let sample = Sample {
                wins,
                undecided,
                drew: true,
                ..Sample::default()
            };
            tally.push(&sample, 0.0);
        }
        tally.equity()
    }

    #[test]
    fn quantiles_of_t() {
        // Tables of the t distribution.
        for (freedom, wanted) in [
            (1, 12.7062),
            (9, 2.2622),
            (10, 2.228_139),
            (63, 1.9983),
            (127, 1.9788),
        ] {
            assert!((t_quantile(freedom) - wanted).abs() < 1e-4, "{freedom}");
        }
        assert!((t_quantile(1 << 40) - Z).abs() < 1e-9);
    }

    #[test]
    fn intervals_by_hand() {
        // Mean .5, s² = .08/3, t(3) = 3.1824.
        let e = of(&[0.3, 0.5, 0.5, 0.7], 0.0);
        let s2 = 0.08 / 3.0;
        assert!((e.variance - s2).abs() < 1e-15);
        assert!((e.variance_reduction - 0.25 / s2).abs() < 1e-12);
        let half = 3.182_446 * (s2 / 4.0_f64).sqrt();
        let (low, high) = e.interval();
        assert!((low - 0.5 + half).abs() < 1e-12 && (high - 0.5 - half).abs() < 1e-12);
        // Clipped.
        assert_eq!(of(&[0.0, 1.0], 0.0).interval(), (0.0, 1.0));
        // Nothing known of one, and a constant is not a proof: 1 - .05^(1/64) = .0457.
        assert_eq!(of(&[0.4], 0.0).interval(), (0.0, 1.0));
        let (low, high) = of(&[1.0; 64], 0.0).interval();
        assert!((low - 0.954_27).abs() < 1e-4 && high == 1.0, "{low}");
    }

    #[test]
    fn verdicts() {
        let wide = of(&[0.3, 0.5, 0.5, 0.7], 0.0);
        let Verdict::Withheld { width, more, .. } = wide.verdict(0.1) else {
            panic!("{wide:?}");
        };
        assert!(width > 0.5);
        // (2 · 1.96)² · s² / .1² = 40.97, but 64 at least.
        assert_eq!(more, 64 - 4);
        // Three that agree by luck say nothing.
        let lucky = of(&[0.9, 0.9001, 0.9002], 0.0);
        assert!(lucky.width() < 0.01);
        assert!(matches!(
            lucky.verdict(0.1),
            Verdict::Withheld { more: 61, .. }
        ));
        let many = |a: f64, b: f64| [a, b].repeat(500);
        let p = Player::new;
        assert_eq!(
            of(&many(0.5, 0.7), 0.0).verdict(0.1),
            Verdict::Favoured(p(0))
        );
        assert_eq!(
            of(&many(0.3, 0.5), 0.0).verdict(0.1),
            Verdict::Favoured(p(1))
        );
        assert_eq!(of(&many(0.4, 0.6), 0.0).verdict(0.1), Verdict::Level);
        // .45 against .35 with .2 undecided: it could still turn.
        assert_eq!(of(&many(0.4, 0.5), 0.2).verdict(0.1), Verdict::Ahead(p(0)));
        assert_eq!(of(&many(0.3, 0.4), 0.2).verdict(0.1), Verdict::Ahead(p(1)));
    }
}
