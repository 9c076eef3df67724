//! Rollout improvement over whole turns: [`EquityGuided`].

use cozy_chess::Color;
use search_core::agent::{Plan, Planner};
use search_core::budget::{Budget, StopReason};
use search_core::decision::{Candidate, Decision, Effort, SearchError};
use search_core::estimate::Survival;
use search_core::game::{Game, Turn};
use search_core::policy::Evaluator;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::expectimax::{Continuation, Expand};
use std::time::Instant;

use super::evaluation::Evaluation;
use super::whole_turns::WholeTurns;
use crate::capture::{RollSet, king_captures};
use crate::dice::Roll;
use crate::game::{DiceChess, player_of};
use crate::micro_move::MicroMove;
use crate::position::Position;
use crate::results::TurnResults;
use crate::survival::PolicyProcess;

/// Chooses the turn after which the player is best off if both sides then follow a simple policy,
/// estimated by Rao-Blackwellised rollouts: Tesauro & Galperin's (1996) rollout algorithm.
///
/// The best `candidates` results by the evaluation are tried; every king capture is played at once.
/// Rollout `i` of every candidate has the same random numbers, so that they are compared with the
/// same luck as far as the games run alike. A rollout adds the exact probability that the king
/// falls in each of `plies` turns and values what is left by the evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EquityGuided {
    /// Rollouts a candidate.
    pub rollouts: u64,
    /// How many results are tried, at least 1.
    pub candidates: usize,
    /// Turns a rollout lasts.
    pub plies: u32,
    /// What both sides do in a rollout.
    pub style: Style,
    /// Chooses the candidates and values what is left.
    pub evaluation: Evaluation,
}

impl Default for EquityGuided {
    fn default() -> Self {
        Self {
            rollouts: 64,
            candidates: 12,
            plies: 2,
            style: Style::Rough,
            evaluation: Evaluation::default(),
        }
    }
}

/// What both sides do in a rollout, beside taking the king whenever they can.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Style {
    /// Play to the result that [`Evaluation::rough`] likes best.
    Rough,
    /// Follow the policy of a survival process.
    Process(PolicyProcess),
}

/// What rollouts work with.
#[derive(Default)]
struct Memory {
    process: <PolicyProcess as Survival<DiceChess>>::Memory,
    results: TurnResults,
}

/// A candidate and what its rollouts came to.
struct Arm {
    continuation: Continuation<DiceChess>,
    sum: f64,
    squares: f64,
    count: u64,
}

impl Arm {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        if self.count == 0 {
            return f64::NAN;
        }
        self.sum / self.count as f64
    }

    fn std_error(&self) -> f64 {
        if self.count < 2 {
            return f64::NAN;
        }
        let n = self.count as f64;
        let spread = (self.squares - self.sum * self.sum / n).max(0.0);
        (spread / (n - 1.0) / n).sqrt()
    }
}

impl EquityGuided {
    /// The best results by evaluation.
    fn arms(&self, game: &DiceChess, position: &Position) -> Vec<Arm> {
        let expand = WholeTurns {
            root_order: Some(self.evaluation),
            root_candidates: Some(self.candidates),
            ..WholeTurns::default()
        };
        let mut continuations = Vec::new();
        expand.expand(game, position, &mut continuations);
        let arm = |continuation| Arm {
            continuation,
            sum: 0.0,
            squares: 0.0,
            count: 0,
        };
        continuations.into_iter().map(arm).collect()
    }

    /// Plays a turn with one of the other rolls, drawn by their weights, to the result that the rough
    /// evaluation likes best; a roll without a move passes.
    fn survive(
        &self,
        game: &DiceChess,
        state: &mut Position,
        captures: RollSet,
        memory: &mut Memory,
        rng: &mut SimRng,
    ) {
        let rolls = captures.complement();
        let index = rng.below(rolls.weight().max(1));
        let Some(pool) = rolls.nth(index).map(Roll::pool) else {
            return;
        };
        let side = state.side;
        memory
            .results
            .expand(&state.board, side, pool, state.half_move);
        let chosen = memory.results.choose(pool);
        let value = |number: usize| self.evaluation.rough(chosen.board(number), side);
        let best = (0..chosen.len())
            .map(|number| (value(number), number))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some((_, number)) = best {
            let result = chosen.get(number);
            (state.board, state.half_move) = (result.board, result.half_move);
        }
        state.end_turn(game.draw_policy());
    }

    /// One rollout from a state between two turns, for player 0.
    fn rollout(
        &self,
        game: &DiceChess,
        state: &mut Position,
        memory: &mut Memory,
        rng: &mut SimRng,
    ) -> f64 {
        let white = player_of(Color::White);
        let (mut mass, mut value) = (1.0, 0.0);
        for _ in 0..self.plies {
            if game.turn(state) == Turn::Terminal {
                return value + mass * game.returns(state).of(white);
            }
            let sign = if state.side == Color::White {
                1.0
            } else {
                -1.0
            };
            let takes = match self.style {
                Style::Process(process) => {
                    let absorption = process.absorption(game, state, &mut memory.process);
                    absorption.probability
                }
                Style::Rough => {
                    let rolls = king_captures(&state.board, state.side);
                    let weight = rolls.weight();
                    self.survive(game, state, rolls, memory, rng);
                    f64::from(weight) / f64::from(Roll::TOTAL_WEIGHT)
                }
            };
            value += mass * takes * sign;
            mass *= 1.0 - takes;
            if mass < 1e-6 {
                return value;
            }
            if let Style::Process(process) = self.style {
                process.survive(game, state, &mut memory.process, rng);
            }
        }
        value + mass * self.evaluation.evaluate(game, state).of(white)
    }
}

impl Planner<DiceChess> for EquityGuided {
    fn plan(
        &mut self,
        game: &DiceChess,
        observation: &Position,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Plan<MicroMove>, SearchError> {
        let player = match game.turn(observation) {
            Turn::Player(player) => player,
            Turn::Chance => return Err(SearchError::ChanceRoot),
            Turn::Terminal => return Err(SearchError::TerminalRoot),
        };
        if budget.simulations == Some(0) || self.rollouts == 0 {
            return Err(SearchError::EmptyBudget);
        }
        let mut arms = self.arms(game, observation);
        let sign = if player.index() == 0 { 1.0 } else { -1.0 };
        let (mut stop, mut spent) = (StopReason::Simulations, 0);
        let wins = arms
            .first()
            .is_some_and(|a| game.turn(&a.continuation.state) == Turn::Terminal);
        if arms.len() < 2 || wins {
            stop = StopReason::Settled;
        } else {
            let watch = Watch::new(budget);
            let mut memory = Memory::default();
            let mut values = Vec::with_capacity(arms.len());
            'all: for round in 0..self.rollouts {
                values.clear();
                for arm in &arms {
                    if let Some(reason) = watch.stop(spent) {
                        stop = reason;
                        break 'all;
                    }
                    let mut state = arm.continuation.state;
                    let mut rng = seed.simulation(round);
                    values.push(sign * self.rollout(game, &mut state, &mut memory, &mut rng));
                    spent += 1;
                }
                // A round that the budget interrupts does not count: all are compared over the
                // same random numbers.
                for (arm, value) in arms.iter_mut().zip(&values) {
                    arm.add(*value);
                }
            }
        }
        let chosen = (0..arms.len())
            .filter(|&i| arms[i].count > 0)
            .reduce(|best, i| {
                if arms[i].mean() > arms[best].mean() {
                    i
                } else {
                    best
                }
            })
            .unwrap_or(0);
        let Some(best) = arms.get(chosen) else {
            return Err(SearchError::NoActions {
                player: player.index(),
            });
        };
        let line = best.continuation.line;
        let mut legal = Vec::new();
        game.legal_actions(observation, &mut legal);
        Ok(Plan {
            decision: Decision {
                action: line.first(),
                candidates: candidates(&legal, &arms, chosen),
                effort: Effort {
                    simulations: spent,
                    depth: 1,
                    worlds: arms.iter().map(|a| a.count).max().unwrap_or(0),
                    deterministic: budget.time.is_none() && stop != StopReason::Cancelled,
                    stop,
                    ..Effort::default()
                },
            },
            line,
        })
    }
}

/// Every legal micro-move with the figures of the best candidate turn that begins with it.
fn candidates(legal: &[MicroMove], arms: &[Arm], chosen: usize) -> Vec<Candidate<MicroMove>> {
    let one = |&action: &MicroMove| {
        let begins = |i: &usize| arms[*i].continuation.line.first() == action;
        let better = |a: usize, b: usize| {
            if arms[b].mean() > arms[a].mean() {
                b
            } else {
                a
            }
        };
        let best = if begins(&chosen) {
            Some(chosen)
        } else {
            (0..arms.len()).filter(begins).reduce(better)
        };
        let arm = best.map(|i| &arms[i]);
        Candidate {
            action,
            visits: arm.map_or(0, |a| a.count),
            mean: arm.map_or(f64::NAN, Arm::mean),
            std_error: arm.map_or(f64::NAN, Arm::std_error),
            availability: arm.map_or(0, |a| a.count),
            policy: if best == Some(chosen) { 1.0 } else { 0.0 },
            proven: None,
            versus_chosen: None,
        }
    };
    legal.iter().map(one).collect()
}

/// Watches a budget from one rollout to the next.
struct Watch<'a> {
    budget: &'a Budget,
    started: Instant,
}

impl<'a> Watch<'a> {
    fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            started: Instant::now(),
        }
    }

    fn stop(&self, spent: u64) -> Option<StopReason> {
        if self.budget.simulations.is_some_and(|most| spent >= most) {
            return Some(StopReason::Simulations);
        }
        if self
            .budget
            .cancel
            .as_ref()
            .is_some_and(|c| c.is_cancelled())
        {
            return Some(StopReason::Cancelled);
        }
        let late = |time| spent > 0 && self.started.elapsed() >= time;
        self.budget
            .time
            .is_some_and(late)
            .then_some(StopReason::Time)
    }
}
