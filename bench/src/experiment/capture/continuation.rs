//! What a choice was worth: the rest of the round played after it and after another, with the same
//! random numbers.

use std::ops::ControlFlow;

use search_core::agent::{Agent, Choice};
use search_core::decision::SearchError;
use search_core::plugin::Plugin;
use serde::{Deserialize, Serialize};

use super::standing::Standing;
use crate::error::{Error, Result};
use crate::experiment::match_driver::{Host, MatchSeeds, Point, Progress, Stop, play_on};
use crate::statistics::moments::Moments;

/// What a's choice cost against b's, in returns of the round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The mean of what b's choice brought more; positive where a's was the worse.
    pub mean: f64,
    /// The standard error of that mean over the continuations; none for one continuation.
    pub standard_error: Option<f64>,
    /// The mean return after a's choice.
    pub after_a: f64,
    /// The mean return after b's choice.
    pub after_b: f64,
    /// Continuations after each.
    pub continuations: u32,
    /// Who played on in every seat.
    pub by: String,
}

impl Cost {
    /// The cost from the returns after a's choice and after b's, a pair a continuation.
    ///
    /// # Errors
    /// When there is no continuation.
    pub fn of(pairs: &[[f64; 2]], by: String) -> Result<Self> {
        let moments = |f: &dyn Fn(&[f64; 2]) -> f64| {
            let values: Vec<f64> = pairs.iter().map(f).collect();
            Moments::of(&values).map_err(|e| Error::Failed(e.to_string()))
        };
        let more = moments(&|pair| pair[1] - pair[0])?;
        Ok(Self {
            mean: more.mean(),
            standard_error: more.standard_error(),
            after_a: moments(&|pair| pair[0])?.mean(),
            after_b: moments(&|pair| pair[1])?.mean(),
            continuations: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            by,
        })
    }
}

/// Plays the round to its end `count` times after each of two actions, `by` in every seat, and gives
/// what it brought the player to move. The hidden cards stay as they were dealt.
///
/// Both actions of a pair meet the same chance events and the same seeds. None of them are the match's
/// own: positions are picked because the match went badly after them, and to play the same luck again
/// would make the choice look worse than it was.
///
/// # Errors
/// When the rules of the game break their contract.
pub fn play_both<P: Plugin>(
    game: &P,
    seed: u64,
    standing: &Standing<P>,
    actions: [P::Action; 2],
    count: u32,
    by: &mut dyn Agent<P>,
) -> Result<Vec<[f64; 2]>> {
    let mut pairs = Vec::with_capacity(count as usize);
    for index in 0..count {
        let seeds = MatchSeeds::new(seed).continuation(index.into());
        let mut pair = [0.0; 2];
        for (value, action) in pair.iter_mut().zip(actions) {
            *value = play_after(game, seeds, standing, action, by)?;
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

fn play_after<P: Plugin>(
    game: &P,
    seeds: MatchSeeds,
    standing: &Standing<P>,
    action: P::Action,
    by: &mut dyn Agent<P>,
) -> Result<f64> {
    let mut state = standing.state.clone();
    game.apply(&mut state, action);
    let mut progress: Progress = standing.progress;
    progress.decisions[standing.seat.index()] += 1;
    let at = (standing.round, progress);
    match play_on(game, seeds, at, &mut state, &mut Everybody(by)) {
        Ok(returns) => Ok(returns.of(standing.seat)),
        Err(Stop::Left) => Err(Error::Failed("the continuation was left".into())),
        Err(Stop::Rules(what)) => Err(Error::Failed(format!("{}: {what}", P::NAME))),
    }
}

/// One agent in every seat.
struct Everybody<'a, P: Plugin>(&'a mut dyn Agent<P>);

impl<P: Plugin> Host<P> for Everybody<'_, P> {
    fn decide(
        &mut self,
        game: &P,
        point: &Point<'_, P>,
    ) -> ControlFlow<(), Result<Choice<P::Action>, SearchError>> {
        let choice = self
            .0
            .decide(game, point.observation, point.legal, point.seed);
        ControlFlow::Continue(choice)
    }
}
