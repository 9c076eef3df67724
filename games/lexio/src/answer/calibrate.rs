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
            measure(game, event, &situation, samples, seed, &mut met)?;
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

    /// The mean of every class, then the error of the table so made.
    fn fit(header: Header, met: &[(Features, f64)]) -> Self {
        let mut sums: BTreeMap<Class, (u64, f64)> = BTreeMap::new();
        for (features, probability) in met {
            let (plays, sum) = sums.entry(features.class).or_default();
            *plays += 1;
            *sum += probability;
        }
        sums.retain(|_, (plays, _)| *plays >= FEWEST_PLAYS);
        let rows = sums.iter().map(|(&class, &(plays, sum))| Row {
            class,
            plays,
            probability: (sum / plays as f64).clamp(0.0, 1.0),
            error: 0.0,
        });
        let mut table = Self {
            header,
            rows: rows.collect(),
        };
        let mut squares: BTreeMap<Class, f64> = BTreeMap::new();
        for (features, probability) in met {
            if let Some((fitted, _)) = table.look_up(features) {
                let off = fitted - probability;
                *squares.entry(features.class).or_default() += off * off;
            }
        }
        for row in &mut table.rows {
            let sum = squares.get(&row.class).copied().unwrap_or(0.0);
            row.error = (sum / row.plays as f64).sqrt();
        }
        table
    }
}

/// Adds every play of a situation that can be answered at all, with its probability.
fn measure(
    game: &Lexio,
    event: Event,
    situation: &Situation,
    samples: u32,
    seed: Seed,
    met: &mut Vec<(Features, f64)>,
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
            met.push((features, answers.of(play)?.probability));
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
