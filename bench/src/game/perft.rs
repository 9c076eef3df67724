//! `perft`: what follows a position, counted.

use std::any::TypeId;

use search_core::game::{Player, Turn};
use search_core::observation::Identity;
use search_core::plugin::{PerftTable, Plugin};
use serde::Serialize;

use super::analyse::{read_observation, world};
use crate::error::{Error, Result};
use crate::experiment::match_driver::MatchSeeds;

/// What to count.
#[derive(Debug, Clone)]
pub struct PerftRequest<'a> {
    /// The position as text; without it, the start of the match of `seed`.
    pub position: Option<&'a str>,
    /// The seed of the start.
    pub seed: u64,
    /// How many plies to count; without it, what the game itself counts.
    pub depth: Option<u32>,
    /// The only case of the game's own count.
    pub only: Option<&'a str>,
}

/// What there is at one depth. A ply is an action or an outcome of chance, each counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DepthRow {
    /// Plies from the position.
    pub depth: u32,
    /// Different sequences of so many plies.
    pub nodes: u64,
    /// How many of them end the game.
    pub ended: u64,
}

/// What was counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PerftReport {
    /// The position as text, where the game has a notation.
    pub position: Option<String>,
    /// The position for a person.
    pub picture: String,
    /// The game's own count.
    pub table: Option<PerftTable>,
    /// One row a depth.
    pub depths: Vec<DepthRow>,
}

pub(super) fn perft<P: Plugin>(game: &P, request: &PerftRequest<'_>) -> Result<PerftReport> {
    let (state, observation) = match request.position {
        Some(text) => {
            let observation = read_observation(game, text)?;
            if TypeId::of::<P::Determinizer>() != TypeId::of::<Identity>() {
                return Err(Error::input(format!(
                    "--position: what may follow depends on what is hidden in {}; leave it out \
                     and give --seed to count from a whole deal",
                    P::NAME
                )));
            }
            (world(game, &observation)?, observation)
        }
        None => {
            let mut rng = MatchSeeds::new(request.seed).deal(0).stream();
            let state = game.initial_state(&mut rng);
            let player = match game.turn(&state) {
                Turn::Player(player) => player,
                _ => Player::new(0),
            };
            let observation = game.observe(&state, player);
            (state, observation)
        }
    };
    let mut report = PerftReport {
        position: game.format_observation(&observation),
        picture: game.picture(&observation),
        table: None,
        depths: Vec::new(),
    };
    match request.depth {
        Some(depth) => {
            report.depths = (0..=depth)
                .map(|depth| DepthRow {
                    depth,
                    ..DepthRow::default()
                })
                .collect();
            Counter::new(game, depth).count(&state, 0, &mut report.depths)?;
        }
        None => {
            let table =
                game.perft_table(&observation, request.only)
                    .map_err(|e| match request.only {
                        Some(_) => Error::input(format!("--dice: {e}")),
                        None => Error::input(format!("--position: {e}")),
                    })?;
            report.table = Some(table.ok_or_else(|| nothing_but_plies::<P>(request))?);
        }
    }
    Ok(report)
}

fn nothing_but_plies<P: Plugin>(request: &PerftRequest<'_>) -> Error {
    let flag = match request.only {
        Some(_) => format!("--dice: {} has no dice to choose from", P::NAME),
        None => format!("--depth: missing, and {} counts nothing but plies", P::NAME),
    };
    Error::input(format!("{flag}; give --depth 5, say"))
}

struct Counter<'a, P: Plugin> {
    game: &'a P,
    depth: u32,
    /// One buffer a ply.
    actions: Vec<Vec<P::Action>>,
    outcomes: Vec<Vec<(P::Chance, f64)>>,
}

impl<'a, P: Plugin> Counter<'a, P> {
    fn new(game: &'a P, depth: u32) -> Self {
        let buffers = depth as usize + 1;
        Self {
            game,
            depth,
            actions: vec![Vec::new(); buffers],
            outcomes: vec![Vec::new(); buffers],
        }
    }

    fn count(&mut self, state: &P::State, ply: u32, rows: &mut [DepthRow]) -> Result<()> {
        let at = ply as usize;
        rows[at].nodes += 1;
        match self.game.turn(state) {
            Turn::Terminal => rows[at].ended += 1,
            _ if ply == self.depth => {}
            Turn::Player(_) => {
                let mut actions = std::mem::take(&mut self.actions[at]);
                self.game.legal_actions(state, &mut actions);
                for action in &actions {
                    let mut next = state.clone();
                    self.game.apply(&mut next, *action);
                    self.count(&next, ply + 1, rows)?;
                }
                self.actions[at] = actions;
            }
            Turn::Chance => {
                let Some(list) = self.game.list_outcomes() else {
                    let advice = match ply {
                        0 => "nothing can be counted".to_owned(),
                        ply => format!("give a depth of at most {ply}"),
                    };
                    return Err(Error::input(format!(
                        "--depth: {} does not list its chance outcomes, which may come after {ply} \
                         plies: {advice}",
                        P::NAME
                    )));
                };
                let mut outcomes = std::mem::take(&mut self.outcomes[at]);
                list(self.game, state, &mut outcomes);
                for (outcome, _) in &outcomes {
                    let mut next = state.clone();
                    self.game.apply_chance(&mut next, *outcome);
                    self.count(&next, ply + 1, rows)?;
                }
                self.outcomes[at] = outcomes;
            }
        }
        Ok(())
    }
}
