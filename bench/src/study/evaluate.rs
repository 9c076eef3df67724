//! Plays the agents of a study against their opponent, each pairing and seed once.

use search_core::expr::Expr;
use serde_json::Value;

use super::log::{Log, Pairing};
use crate::agents::uses_clock;
use crate::error::{Error, Result};
use crate::experiment::block::Block;
use crate::experiment::compare::{MakeReferee, play_blocks};
use crate::experiment::referee::Referee;
use crate::experiment::schedule::Schedule;
use crate::experiment::seeds::SeedRange;
use crate::experiment::summary::{Comparison, Summary, summarise};
use crate::game::OpenGame;

/// What a study is doing.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// An agent is about to play so many seeds.
    Begins {
        /// The agent.
        agent: &'a str,
        /// Seeds that are not in the log.
        seeds: usize,
    },
    /// A seed was played.
    Seed,
    /// A word for a person.
    Note(&'a str),
}

/// Who is told.
pub type Watch<'a> = dyn FnMut(Progress<'_>) + 'a;

/// Plays pairings and remembers them.
pub struct Evaluator<'a> {
    /// The opponent of everybody.
    pub against: Expr,
    /// The level of intervals.
    pub level: f64,
    /// Threads that play; they change nothing but the time.
    pub threads: usize,
    /// What was played.
    pub log: Log,
    /// Who is told of progress.
    pub watch: Box<Watch<'a>>,
}

impl Evaluator<'_> {
    /// An agent's comparison with the opponent on a range of seeds.
    ///
    /// # Errors
    /// When the agent cannot be used, the rules break their contract, or the log cannot be written.
    pub fn evaluate(
        &mut self,
        game: &dyn OpenGame,
        agent: &Expr,
        seeds: &SeedRange,
    ) -> Result<Summary> {
        let list: Vec<u64> = seeds.seeds().collect();
        let blocks = self.blocks(game, agent, &list)?;
        Ok(summarise(&self.comparison(game, agent, seeds), &blocks))
    }

    /// An agent's score minus the opponent's on each of these seeds, in their order.
    ///
    /// # Errors
    /// As for [`Evaluator::evaluate`].
    pub fn scores(
        &mut self,
        game: &dyn OpenGame,
        agent: &Expr,
        seeds: &SeedRange,
        these: &[u64],
    ) -> Result<Vec<f64>> {
        let blocks = self.blocks(game, agent, these)?;
        let comparison = self.comparison(game, agent, seeds);
        let each = blocks.iter().map(|block| {
            summarise(&comparison, std::slice::from_ref(block))
                .difference
                .mean
        });
        Ok(each.collect())
    }

    fn comparison(&self, game: &dyn OpenGame, agent: &Expr, seeds: &SeedRange) -> Comparison {
        let facts = game.facts().clone();
        Comparison {
            schedule: Schedule::duplicate(facts.players),
            game: facts.game,
            options: facts.options,
            a: agent.to_string(),
            b: self.against.to_string(),
            unit: facts.unit,
            metrics: facts.metrics,
            seeds: seeds.clone(),
            level: self.level,
            clock: uses_clock(agent) || uses_clock(&self.against),
        }
    }

    /// The blocks of these seeds, those that are not in the log played first.
    fn blocks(&mut self, game: &dyn OpenGame, agent: &Expr, seeds: &[u64]) -> Result<Vec<Block>> {
        let pairing = self.pairing(game, agent);
        let known = self.log.blocks(&pairing);
        let is_new = |seed: &u64| known.is_none_or(|blocks| !blocks.contains_key(seed));
        let mut todo: Vec<u64> = seeds.iter().copied().filter(is_new).collect();
        todo.sort_unstable();
        todo.dedup();
        if !todo.is_empty() {
            (self.watch)(Progress::Begins {
                agent: &pairing.agent,
                seeds: todo.len(),
            });
            let schedule = Schedule::duplicate(game.facts().players);
            let arms = [agent.clone(), self.against.clone()];
            let make = || -> Result<Box<dyn Referee + '_>> { game.referee(&arms, 1) };
            let make: &MakeReferee<'_> = &make;
            let (log, watch) = (&mut self.log, &mut self.watch);
            play_blocks(&schedule, &todo, self.threads, make, &mut |block| {
                watch(Progress::Seed);
                log.add(&pairing, block)
            })?;
        }
        let known = self.log.blocks(&pairing);
        let found = |seed: &u64| known.and_then(|blocks| blocks.get(seed)).cloned();
        let blocks: Option<Vec<Block>> = seeds.iter().map(found).collect();
        blocks.ok_or_else(|| Error::Failed("a seed was not played".into()))
    }

    fn pairing(&self, game: &dyn OpenGame, agent: &Expr) -> Pairing {
        let facts = game.facts();
        let name = facts.game.split('(').next().unwrap_or_default();
        let options = match &facts.options {
            Value::Object(map) if map.is_empty() => String::new(),
            options => options.to_string(),
        };
        Pairing {
            game: format!("{name}{options}"),
            agent: agent.to_string(),
            against: self.against.to_string(),
        }
    }
}
