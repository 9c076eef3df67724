//! Agents for [`Tricks`]: one that searches, and some that misbehave without any clock.

use search_core::agent::{Agent, Choice, SearchAgent, Substitute};
use search_core::budget::Budget;
use search_core::decision::{Candidate, Decision, Effort, SearchError};
use search_core::expr::{ExprError, Settings};
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::rng::{Draw, Seed};
use search_core::search::Searcher;
use searchlab::agents::Setup;

use super::tricks::{Redeal, Seen, Tricks};

type Made = Result<Box<dyn Agent<Tricks>>, ExprError>;

/// Flat Monte Carlo: the same worlds for every candidate, uniform playouts.
pub struct Flat;

impl Searcher<Tricks> for Flat {
    fn search(
        &mut self,
        game: &Tricks,
        seen: &Seen,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<u8>, SearchError> {
        let plan = Redeal.plan(game, seen)?;
        let mut world = Redeal.scratch(game, seen, &plan);
        let legal: Vec<u8> = (0..16).filter(|c| seen.hand & (1 << c) != 0).collect();
        let simulations = budget
            .simulations
            .ok_or(SearchError::NeedsSimulations { method: "flat" })?;
        let mut sums = vec![(0_u64, 0.0, 0.0); legal.len()];
        for i in 0..simulations {
            let k = (i % legal.len() as u64) as usize;
            let mut rng = seed.simulation(i / legal.len() as u64);
            Redeal.sample(game, seen, &plan, &mut rng, &mut world);
            let mut state = world.clone();
            game.apply(&mut state, legal[k]);
            let mut actions = Vec::new();
            loop {
                match game.turn(&state) {
                    Turn::Terminal => break,
                    Turn::Chance => {
                        let worth = game.sample_chance(&state, &mut rng);
                        game.apply_chance(&mut state, worth);
                    }
                    Turn::Player(_) => {
                        game.legal_actions(&state, &mut actions);
                        let action = rng.pick(&actions).unwrap();
                        game.apply(&mut state, action);
                    }
                }
            }
            let value = game.returns(&state).of(Player::new(seen.me));
            sums[k].0 += 1;
            sums[k].1 += value;
            sums[k].2 += value * value;
        }
        let candidates: Vec<Candidate<u8>> = legal
            .iter()
            .zip(&sums)
            .map(|(action, &(n, sum, squares))| {
                let mean = sum / n as f64;
                let variance = (squares - sum * mean) / (n as f64 - 1.0);
                Candidate {
                    action: *action,
                    visits: n,
                    mean,
                    std_error: (variance / n as f64).sqrt(),
                    availability: n,
                    policy: 1.0 / legal.len() as f64,
                    proven: None,
                    versus_chosen: None,
                }
            })
            .collect();
        let best = candidates
            .iter()
            .max_by(|a, b| a.mean.total_cmp(&b.mean))
            .unwrap();
        Ok(Decision {
            action: best.action,
            effort: Effort {
                simulations,
                worlds: simulations.div_ceil(legal.len() as u64),
                effective_sample_size: simulations.div_ceil(legal.len() as u64) as f64,
                deterministic: true,
                ..Effort::default()
            },
            candidates,
        })
    }
}

pub fn flat(setup: &Setup<'_, Tricks>, _: &mut Settings<'_>) -> Made {
    let budget = setup.budget.clone();
    Ok(Box::new(SearchAgent {
        searcher: Flat,
        budget,
    }))
}

struct By<F>(F);

impl<F: FnMut(&[u8], Seed) -> Result<Choice<u8>, SearchError> + Send> Agent<Tricks> for By<F> {
    fn decide(
        &mut self,
        _: &Tricks,
        _: &Seen,
        legal: &[u8],
        seed: Seed,
    ) -> Result<Choice<u8>, SearchError> {
        (self.0)(legal, seed)
    }
}

/// Plays its lowest card; says in one of five decisions, by its seed, that it was late.
pub fn late(_: &Setup<'_, Tricks>, _: &mut Settings<'_>) -> Made {
    Ok(Box::new(By(|legal: &[u8], seed: Seed| {
        let substitute = seed.0.is_multiple_of(5).then_some(Substitute::Timeout);
        Ok(Choice {
            substitute,
            ..Choice::plain(legal[0])
        })
    })))
}

/// Plays its lowest card; fails in one of three decisions, by its seed.
pub fn moody(_: &Setup<'_, Tricks>, _: &mut Settings<'_>) -> Made {
    Ok(Box::new(By(|legal: &[u8], seed: Seed| match seed.0 % 3 {
        0 => Err(SearchError::EmptyBudget),
        _ => Ok(Choice::plain(legal[0])),
    })))
}

/// Alternates between its lowest and its highest card, whatever the seed.
pub fn stateful(_: &Setup<'_, Tricks>, _: &mut Settings<'_>) -> Made {
    let mut asked = 0_usize;
    Ok(Box::new(By(move |legal: &[u8], _| {
        asked += 1;
        Ok(Choice::plain(
            legal[if asked.is_multiple_of(2) {
                0
            } else {
                legal.len() - 1
            }],
        ))
    })))
}
