//! Peeking, simulated: how often an experiment without any difference is called different when it is
//! looked at after every seed.
//!
//! The block scores of two equal agents have the mean 0, whatever their distribution. A run that is
//! stopped at the first look whose interval excludes 0 is a false alarm.

use super::betting::{Betting, Wealth};
use super::bootstrap::Resampler;
use super::confidence_sequence::{AnyTimeInterval, KnownRange};
use super::distribution::student_t_critical;
use super::error::{StatError, require_count};
use super::interval::interval_of_moments;
use super::moments::Moments;

/// How block scores within -1 and 1 with the mean 0 are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scores {
    /// Pairs of games that are won, halved or lost: -1, 0, 0, 1.
    Pairs,
    /// Any score alike.
    Uniform,
    /// Usually a small loss, now and then a large win: -1/9 in nine of ten, 1 in one.
    Skewed,
}

impl Scores {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pairs, Self::Uniform, Self::Skewed];

    fn draw(self, draws: &mut Resampler) -> f64 {
        match self {
            Self::Pairs => [-1.0, 0.0, 0.0, 1.0][draws.index(4)],
            Self::Uniform => (2 * draws.index(1 << 30) + 1) as f64 / f64::from(1 << 30) - 1.0,
            Self::Skewed => [1.0, -1.0 / 9.0][usize::from(draws.index(10) > 0)],
        }
    }
}

/// Shares of runs that were called different, with how wide the intervals are at the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// By the t interval, looked at after every seed.
    pub t: f64,
    /// By the t interval, looked at once, at the end.
    pub t_once: f64,
    /// By the empirical-Bernstein confidence sequence.
    pub bernstein: f64,
    /// By the betting confidence sequence.
    pub betting: f64,
    /// The width of the empirical-Bernstein sequence at the end over that of t, in the first run.
    pub bernstein_width: f64,
    /// The same of the betting sequence.
    pub betting_width: f64,
}

/// `runs` experiments of `seeds` seeds at the level 95 %, looked at after every seed from
/// `first_look` (>= 2) on; `seed` fixes every draw.
///
/// # Errors
/// [`StatError::TooFew`] for no run, or seeds or a first look below two.
pub fn peek(
    scores: Scores,
    runs: u32,
    seeds: u32,
    first_look: u32,
    seed: u64,
) -> Result<Rates, StatError> {
    require_count("a simulation", 1, runs as usize)?;
    require_count("an experiment", 2, seeds as usize)?;
    require_count("a first look", 2, first_look as usize)?;
    let critical: Vec<f64> = (0..seeds)
        .map(|df| student_t_critical(0.05, f64::from(df.max(1))))
        .collect();
    let range = KnownRange::new(-1.0, 1.0)?;
    let mut draws = Resampler(seed);
    let mut counts = [0_u32; 4];
    let mut widths = [f64::NAN; 2];
    for run in 0..runs {
        let x: Vec<f64> = (0..seeds).map(|_| scores.draw(&mut draws)).collect();
        let mut bernstein = AnyTimeInterval::new(range, 0.95)?;
        let mut wealth = Wealth::new(0.5, 0.05)?;
        let mut moments = Moments::new();
        let (mut by_t, mut by_bernstein) = (false, false);
        let mut outside = false;
        for (df, x) in x.iter().enumerate() {
            bernstein.push(*x)?;
            wealth.push(0.5 * (x + 1.0))?;
            moments.push(*x);
            by_bernstein |= bernstein.excludes(0.0);
            let error = moments.standard_error().unwrap_or(0.0);
            // Scores that are all alike have no interval.
            outside = error > 0.0 && moments.mean().abs() > critical[df] * error;
            by_t |= outside && df + 1 >= first_look as usize;
        }
        for (count, called) in
            counts
                .iter_mut()
                .zip([by_t, outside, by_bernstein, wealth.rejects()])
        {
            *count += u32::from(called);
        }
        if run == 0 {
            widths = relative_widths(&x, &moments, &bernstein)?;
        }
    }
    let [t, t_once, by_bernstein, by_betting] = counts.map(|n| f64::from(n) / f64::from(runs));
    Ok(Rates {
        t,
        t_once,
        bernstein: by_bernstein,
        betting: by_betting,
        bernstein_width: widths[0],
        betting_width: widths[1],
    })
}

/// The widths of both sequences over that of t; not a number where one has none.
fn relative_widths(
    x: &[f64],
    moments: &Moments,
    bernstein: &AnyTimeInterval,
) -> Result<[f64; 2], StatError> {
    let mut betting = Betting::new(0.05)?;
    for x in x {
        betting.push(0.5 * (x + 1.0))?;
    }
    let t = interval_of_moments(moments, 0.95)?.interval;
    let t = t.map_or(f64::NAN, |i| i.width());
    let bernstein = bernstein.interval().map_or(f64::NAN, |i| i.width());
    Ok([bernstein / t, 2.0 * betting.interval().width() / t])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Peeking is safe": at most 5 % of 500 runs. The t interval is what it is safe from.
    #[test]
    fn confidence_sequences_stand_being_looked_at_and_t_does_not() {
        for scores in Scores::ALL {
            let rates = peek(scores, 500, 300, 10, 1).unwrap();
            assert!(rates.bernstein <= 0.05, "{scores:?}: {rates:?}");
            assert!(rates.betting <= 0.05, "{scores:?}: {rates:?}");
            assert!(rates.t > 0.25, "{scores:?}: {rates:?}");
            // 5 sigma of 500 runs at 5 % is 4.9 points; skewed seeds cover a little less.
            assert!(rates.t_once < 0.11, "{scores:?}: {rates:?}");
            assert!(rates.bernstein_width > rates.betting_width && rates.betting_width > 1.0);
        }
    }

    #[test]
    fn scores_have_the_mean_zero() {
        let mut draws = Resampler(3);
        for scores in Scores::ALL {
            let x: Vec<f64> = (0..100_000).map(|_| scores.draw(&mut draws)).collect();
            let moments = Moments::of(&x).unwrap();
            assert!(x.iter().all(|x| (-1.0..=1.0).contains(x)));
            let error = moments.standard_error().unwrap();
            assert!(moments.mean().abs() < 5.0 * error, "{scores:?}");
        }
    }

    #[test]
    fn bad_settings_are_errors() {
        assert!(peek(Scores::Pairs, 0, 10, 2, 1).is_err());
        assert!(peek(Scores::Pairs, 1, 1, 2, 1).is_err());
        assert!(peek(Scores::Pairs, 1, 10, 1, 1).is_err());
    }
}
