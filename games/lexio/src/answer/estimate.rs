//! The estimators by name, and the answers of one decision: [`AnswerProbabilities`].

use std::sync::Arc;

use search_core::dealing::DealError;
use search_core::observation::Contradiction;
use search_core::rng::{Seed, mix64};

use crate::combination::{Combination, Kind};
use crate::tile::RANKS;

use super::beaters::choose;
use super::calibration::{CalibrationTable, Event, Features};
use super::five::Distribution;
use super::groups;
use super::triples;
use super::unseen::{AnswerError, Unseen};

/// How an answer probability is computed.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Estimator {
    /// Exact for singles, pairs and triples. For five tiles exact as far as
    /// [`AnswerProbabilities::with_limit`] allows, else as [`Estimator::Sampled`] with
    /// [`WORLDS`] deals, and marked so.
    #[default]
    Exact,
    /// Exact for singles, pairs and triples, the share of so many sampled deals for five tiles. The
    /// same deals serve all plays, so that a stronger play never looks easier to answer; they
    /// depend on the situation alone.
    Sampled {
        /// How many deals, at least 1.
        worlds: u32,
    },
    /// The product rule `1 - Π_i (1 - q_i)^m` with `m` the number of sets of tiles that beat the
    /// play and `q_i = C(n_i, k) / C(U, k)` the chance that seat `i` holds a certain one. It takes
    /// the seats for independent, which they are not.
    IndepCount,
    /// The sum rule `1 - (1 - Σ_i q_i)^m`: a certain set lies in one hand or in none. It takes the
    /// `m` sets for independent, which they are not.
    SumCount,
    /// What a table measured for plays like it, of all sizes; the sum rule where the table has met
    /// nothing like it.
    Calibrated(Arc<CalibrationTable>),
}

/// Deals sampled by [`Estimator::Exact`] where it cannot be exact.
pub const WORLDS: u32 = 1024;

/// Steps that [`Estimator::Exact`] spends on five-tile plays unless told otherwise.
/// Up to 16 unseen tiles that is no dearer than sampling.
pub const STEPS: u64 = 400_000;

/// Whether an answer is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// Off by rounding only, below 1e-12.
    Exact,
    /// An estimate.
    Estimated,
}

/// The probability that somebody can answer a play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// From 0 to 1.
    pub probability: f64,
    /// Whether it is exact.
    pub kind: AnswerKind,
    /// The error to expect, as a root mean square: 0 when exact, the standard error of a sample, what
    /// a table measured; `None` of the product and the sum rule, which know nothing of theirs.
    pub error: Option<f64>,
}

/// Answer probabilities of one decision, sharing the work between plays.
#[derive(Debug, Clone)]
pub struct AnswerProbabilities<'a> {
    unseen: Unseen<'a>,
    estimator: Estimator,
    limit: u64,
    salt: u64,
    /// Whether a table was found to be for these rules.
    checked: bool,
    /// By rank, the probability that nobody holds a pair or triple at least as strong.
    without: [Option<[f64; RANKS as usize + 1]>; 2],
    five: Option<Distribution>,
    estimated: u64,
}

impl<'a> AnswerProbabilities<'a> {
    /// With [`Estimator::Exact`].
    #[must_use]
    pub fn new(unseen: Unseen<'a>) -> Self {
        Self::with(Estimator::Exact, unseen)
    }

    /// With this estimator.
    #[must_use]
    pub fn with(estimator: Estimator, unseen: Unseen<'a>) -> Self {
        Self {
            unseen,
            estimator,
            limit: STEPS,
            salt: 0,
            checked: false,
            without: [None; 2],
            five: None,
            estimated: 0,
        }
    }

    /// Lets [`Estimator::Exact`] spend so many steps on being exact about five-tile plays, a step
    /// being about a nanosecond; [`STEPS`] without. All deals of up to 24 unseen tiles can be
    /// listed: the start of a round of three takes 1.3 * 10^8 steps.
    #[must_use]
    pub const fn with_limit(mut self, steps: u64) -> Self {
        self.limit = steps;
        self
    }

    /// Samples other deals. Without, they depend on the situation alone.
    #[must_use]
    pub const fn with_seed(mut self, seed: Seed) -> Self {
        self.salt = seed.0;
        self
    }

    /// How many answers were estimates so far.
    #[must_use]
    pub const fn estimated(&self) -> u64 {
        self.estimated
    }

    /// The probability that an eligible seat holds a play that beats this one.
    ///
    /// # Errors
    /// When the play is made of unseen tiles, a table is for something else, or a sample is to have
    /// no deals.
    pub fn of(&mut self, play: Combination) -> Result<Answer, AnswerError> {
        if play.tiles().intersects(self.unseen.tiles) {
            return Err(AnswerError::PlayUnseen(play.tiles()));
        }
        let (probability, error) = match &self.estimator {
            Estimator::IndepCount => (product_rule(&self.unseen, play), None),
            Estimator::SumCount => (sum_rule(&self.unseen, play), None),
            Estimator::Calibrated(table) => {
                let table = Arc::clone(table);
                self.calibrated(&table, play)?
            }
            Estimator::Exact | Estimator::Sampled { .. } => self.dealt(play)?,
        };
        let kind = if error == Some(0.0) {
            AnswerKind::Exact
        } else {
            self.estimated += 1;
            AnswerKind::Estimated
        };
        Ok(Answer {
            probability,
            kind,
            error,
        })
    }

    fn calibrated(
        &mut self,
        table: &CalibrationTable,
        play: Combination,
    ) -> Result<(f64, Option<f64>), AnswerError> {
        if !self.checked {
            let seats = self.unseen.seats().iter();
            let event = match table.header.event {
                // One certain seat is anyone when only one may answer.
                Event::OneSeat if seats.filter(|s| s.eligible).count() == 1 => Event::OneSeat,
                _ => Event::Anyone,
            };
            table.check(self.unseen.game, event)?;
            self.checked = true;
        }
        let expected = pressure(&self.unseen, play);
        let Some(features) = Features::new(play.kind(), &self.unseen, expected) else {
            return Ok((0.0, Some(0.0)));
        };
        Ok(match table.look_up(&features) {
            // Never 0: nothing else tells an estimate from an exact answer.
            Some((probability, error)) => (probability, Some(error.max(f64::MIN_POSITIVE))),
            None => (sum_rule(&self.unseen, play), None),
        })
    }

    fn dealt(&mut self, play: Combination) -> Result<(f64, Option<f64>), AnswerError> {
        let detail = play.strength().detail;
        let rank = detail >> 2;
        let probability = match play.kind() {
            Kind::Single => groups::single(&self.unseen.bins(1), detail),
            Kind::Pair => {
                // The other two tiles of the number are a stronger pair if one of them is stronger.
                let four = 0xF_u64 << (4 * rank);
                let mates = self.unseen.tiles.bits() & four;
                let stronger = mates.count_ones() == 2 && mates >> detail > 1;
                1.0 - self.without(2)[rank as usize + usize::from(!stronger)]
            }
            Kind::Triple => 1.0 - self.without(3)[detail as usize + 1],
            _ => {
                let five = self.five()?;
                let probability = five.stronger(play.strength());
                return Ok((probability, Some(five.error(probability))));
            }
        };
        Ok((probability, Some(0.0)))
    }

    fn without(&mut self, size: u8) -> &[f64; RANKS as usize + 1] {
        let unseen = &self.unseen;
        let group = || {
            let bins = unseen.bins(size);
            let summed = (size == 3)
                .then(|| triples::without_triple(&bins))
                .flatten();
            summed.unwrap_or_else(|| groups::without_group(&bins, size))
        };
        self.without[usize::from(size) - 2].get_or_insert_with(group)
    }

    fn five(&mut self) -> Result<&Distribution, AnswerError> {
        let made = match self.five.take() {
            Some(made) => made,
            None => self.distribution()?,
        };
        Ok(self.five.insert(made))
    }

    fn distribution(&self) -> Result<Distribution, AnswerError> {
        let (limit, worlds) = match self.estimator {
            Estimator::Sampled { worlds: 0 } => return Err(AnswerError::NoWorlds),
            Estimator::Sampled { worlds } => (0, worlds),
            _ => (self.limit, WORLDS),
        };
        match Distribution::exact(&self.unseen, limit) {
            Some(exact) => Ok(exact),
            None => Ok(Distribution::sampled(&self.unseen, worlds, self.seed())?),
        }
    }

    /// A seed that depends on the situation alone.
    fn seed(&self) -> Seed {
        let seats = self.unseen.seats().iter();
        let seed = seats.fold(mix64(self.unseen.tiles.bits() ^ self.salt), |h, seat| {
            let own = u64::from(seat.tiles) << 1 | u64::from(seat.eligible);
            mix64(h ^ seat.known.bits()).wrapping_add(own)
        });
        Seed(seed)
    }
}

/// For every eligible seat the chance that it holds certain tiles, as many as the play has.
fn shares(unseen: &Unseen, play: Combination) -> impl Iterator<Item = f64> {
    let size = play.kind().size();
    let all = choose(unseen.tiles.len(), size) as f64;
    let seats = unseen.seats().iter().filter(|seat| seat.eligible);
    seats.map(move |seat| match choose(u32::from(seat.tiles), size) {
        0 => 0.0,
        own => own as f64 / all,
    })
}

fn product_rule(unseen: &Unseen, play: Combination) -> f64 {
    let sets = unseen.game.beaters(unseen.tiles, play).total();
    1.0 - shares(unseen, play)
        .map(|q| power(1.0 - q, sets))
        .product::<f64>()
}

fn sum_rule(unseen: &Unseen, play: Combination) -> f64 {
    let sets = unseen.game.beaters(unseen.tiles, play).total();
    let share: f64 = shares(unseen, play).sum();
    1.0 - power((1.0 - share).max(0.0), sets)
}

/// How many sets of tiles that beat the play lie in one eligible hand, on the average.
pub(super) fn pressure(unseen: &Unseen, play: Combination) -> f64 {
    let sets = unseen.game.beaters(unseen.tiles, play).total();
    sets as f64 * shares(unseen, play).sum::<f64>()
}

/// By squaring, so that it is the same on every machine.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut value = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            value *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    value
}

/// The probability that an eligible seat holds a play that beats this one. For several plays of
/// one decision use [`AnswerProbabilities`].
///
/// # Errors
/// As [`AnswerProbabilities::of`].
pub fn answer_probability(
    estimator: &Estimator,
    play: Combination,
    unseen: Unseen,
) -> Result<f64, AnswerError> {
    let answer = AnswerProbabilities::with(estimator.clone(), unseen).of(play)?;
    Ok(answer.probability)
}

impl From<DealError> for AnswerError {
    fn from(error: DealError) -> Self {
        Self::Deal(Contradiction::from(error))
    }
}
