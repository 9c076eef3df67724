//! Building a calibration table from self-play.

use std::collections::BTreeMap;

use search_core::rng::Seed;

use crate::rules::Lexio;

use super::calibration::{
    CalibrationTable, Class, Event, Features, GENERATOR_VERSION, Header, Row, rules_hash,
};
use super::estimate::{AnswerProbabilities, Estimator, pressure};
use super::situation::Situation;
use super::unseen::{AnswerError, Seat, Unseen};

/// Plays that a class needs to have a row of its own.
const FEWEST_PLAYS: u64 = 8;

impl CalibrationTable {
    /// A table for these rules: every play of `situations` decisions of self-play, with its exact
    /// probability up to three tiles and the share of `samples` sampled deals for five.
    ///
    /// The same arguments give the same bytes.
    ///
    /// # Errors
    /// Without situations or samples.
    pub fn build(
        game: &Lexio,
        event: Event,
        seed: Seed,
        situations: u64,
        samples: u32,
    ) -> Result<Self, AnswerError> {
        if situations == 0 || samples == 0 {
            return Err(AnswerError::BadTable(
                "a table needs at least one situation and one sample".to_owned(),
            ));
        }
        let mut met = Vec::new();
        for index in 0..situations {
            let situation = Situation::sample(game, seed.child("situations"), index);
            let seed = seed.child("deals").index(index);
            measure(
                game,
                event,
                &situation,
                samples,
                seed,
                |features, probability| {
                    met.push(Play {
                        situation: index,
                        features,
                        probability,
                    });
                },
            )?;
        }
        let header = Header {
            event,
            players: game.options().players,
            rules_hash: rules_hash(game),
            generator_version: GENERATOR_VERSION,
            seed: seed.0,
            situations,
            samples,
        };
        Ok(Self::fit(header, &met))
    }

    /// The mean of every class, and the error that half of the situations, tabulated alone, make on
    /// the other half: plays of one situation are alike, so a table looks better on its own plays
    /// than it is.
    fn fit(header: Header, met: &[Play]) -> Self {
        let rows = means(met.iter(), FEWEST_PLAYS);
        let mut table = Self { header, rows };
        let mut squares: BTreeMap<Class, (u64, f64)> = BTreeMap::new();
        for half in [false, true] {
            let other = met.iter().filter(|play| (play.situation % 2 == 0) == half);
            let other = Self {
                header: table.header.clone(),
                rows: means(other, 1),
            };
            for play in met.iter().filter(|play| (play.situation % 2 == 0) != half) {
                if let Some((fitted, _)) = other.look_up(&play.features) {
                    let (plays, sum) = squares.entry(play.features.class).or_default();
                    *plays += 1;
                    *sum += (fitted - play.probability).powi(2);
                }
            }
        }
        for row in &mut table.rows {
            let (plays, sum) = squares.get(&row.class).copied().unwrap_or((1, 1.0));
            row.error = (sum / plays as f64).sqrt();
        }
        table
    }
}

/// One play of one situation.
struct Play {
    situation: u64,
    features: Features,
    probability: f64,
}

/// The mean of every class of at least so many plays.
fn means<'a>(met: impl Iterator<Item = &'a Play>, fewest: u64) -> Vec<Row> {
    let mut sums: BTreeMap<Class, (u64, f64)> = BTreeMap::new();
    for play in met {
        let (plays, sum) = sums.entry(play.features.class).or_default();
        *plays += 1;
        *sum += play.probability;
    }
    let large = sums.into_iter().filter(|(_, (plays, _))| *plays >= fewest);
    let row = |(class, (plays, sum))| Row {
        class,
        plays,
        probability: f64::clamp(sum / plays as f64, 0.0, 1.0),
        error: 0.0,
    };
    large.map(row).collect()
}

/// Adds every play of a situation that can be answered at all, with its probability.
fn measure(
    game: &Lexio,
    event: Event,
    situation: &Situation,
    samples: u32,
    seed: Seed,
    mut put: impl FnMut(Features, f64),
) -> Result<(), AnswerError> {
    let mut unseen = Unseen::of(game, &situation.observation)?;
    if event == Event::OneSeat {
        unseen = only_next(&unseen, situation)?;
    }
    let estimator = Estimator::Sampled { worlds: samples };
    let mut answers = AnswerProbabilities::with(estimator, unseen).with_seed(seed);
    for &play in &situation.plays {
        // The play leaves the hand, not the unseen tiles: the situation is the same after it.
        if let Some(features) = Features::new(play.kind(), &unseen, pressure(&unseen, play)) {
            put(features, answers.of(play)?.probability);
        }
    }
    Ok(())
}

/// The same tiles with the seat after the viewer alone eligible.
fn only_next<'a>(unseen: &Unseen<'a>, situation: &Situation) -> Result<Unseen<'a>, AnswerError> {
    let me = situation.observation.me().index();
    let others = unseen.seats().len();
    let mut seats: Vec<Seat> = unseen.seats().to_vec();
    for (i, seat) in seats.iter_mut().enumerate() {
        // The other seats are listed by number, without the viewer.
        seat.eligible = i == me % others.max(1);
    }
    Unseen::new(unseen.game(), unseen.tiles(), &seats)
}
