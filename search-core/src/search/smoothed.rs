//! Flat Monte Carlo smoothed over the execution noise.
//!
//! Every candidate is executed the same number of times, with noise, and played out; a candidate is worth
//! the kernel-weighted mean of *all* that was executed, its own and others'. One level of the idea
//! behind KR-UCT, used by the curling programs of Kato, Iizuka & Yamamoto 2016 (with fixed weights) and
//! of Ohto & Tanaka 2017.
//!
//! What it may know: everything.

use std::sync::Arc;

use crate::budget::{Budget, StopReason};
use crate::decision::{Decision, Effort, SearchError};
use crate::game::Game;
use crate::rng::{Seed, SimRng};
use crate::rollout::{Ending, Evaluation, LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::continuous::ContinuousActions;
use crate::search::growing;
use crate::search::kernel_regression::regression::{Estimate, Executed, Sums, candidate, choose};
use crate::search::meter::Meter;
use crate::search::tree_search::not_negative;
use crate::search::worlds::{Known, Root};

/// Simulations between two looks at the budget.
const CHUNK: usize = 64;

/// Settings of [`Smoothed`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmoothedSettings {
    /// `C` of the lower bound `E / scale - C sqrt(ln sum W / W)` by which the action to play is chosen;
    /// 0, the default, for the best mean.
    pub lower_bound: f64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for SmoothedSettings {
    fn default() -> Self {
        Self {
            lower_bound: 0.0,
            threads: 1,
            skip_forced: false,
        }
    }
}

/// Smoothed flat Monte Carlo over a game of perfect information.
///
/// In its decisions the mean of a candidate is the kernel-weighted one, its standard error that of it,
/// and its visits are the executions that were meant as it.
#[derive(Clone)]
pub struct Smoothed<G: Game, E = Rollout> {
    /// The settings.
    pub settings: SmoothedSettings,
    /// The continuum.
    pub actions: Arc<dyn ContinuousActions<G>>,
    /// What values an execution.
    pub evaluator: E,
}

/// One execution.
struct Shot<G: Game> {
    meant: G::Action,
    executed: G::Action,
    world: G::State,
    legal: Vec<G::Action>,
    rng: SimRng,
    evaluation: Option<Evaluation>,
}

impl<G: Game, E: LeafEvaluator<G>> Smoothed<G, E> {
    /// With this leaf evaluator.
    pub fn new(
        settings: SmoothedSettings,
        actions: Arc<dyn ContinuousActions<G>>,
        evaluator: E,
    ) -> Self {
        Self {
            settings,
            actions,
            evaluator,
        }
    }

    /// Searches a state that is known in full.
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn search_state(
        &mut self,
        game: &G,
        state: &G::State,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        let k = self.settings.lower_bound;
        not_negative("lower_bound", k)?;
        let root = Root::look(game, &Known(state), seed)?;
        let mut effort = Effort {
            worlds: 1,
            effective_sample_size: 1.0,
            depth: 1,
            deterministic: true,
            ..Effort::default()
        };
        let mut executed = Vec::new();
        if self.settings.skip_forced && root.legal.len() == 1 {
            effort.stop = StopReason::Settled;
        } else {
            executed = self.execute(game, state, &root, budget, seed, &mut effort)?;
        }
        let visits = |i: usize| {
            let (n, arms) = (executed.len(), root.legal.len());
            (n / arms + usize::from(i < n % arms)) as u64
        };
        let estimates: Vec<Estimate<G::Action>> = root
            .legal
            .iter()
            .enumerate()
            .map(|(i, &action)| Estimate {
                action,
                visits: visits(i),
                sums: Sums::of(&executed, |b| self.actions.kernel(game, state, action, b)),
            })
            .collect();
        let chosen = choose(&estimates, game.return_scale(), k, |e| e.sums.mass > 0.0);
        let n = effort.simulations;
        let candidates = estimates.iter().map(|estimate| candidate(estimate, n, n));
        Ok(Decision {
            action: chosen.unwrap_or(root.legal[0]),
            candidates: candidates.collect(),
            effort,
        })
    }

    /// Executes the candidates in turn until the budget ends.
    fn execute(
        &self,
        game: &G,
        state: &G::State,
        root: &Root<G::Action>,
        budget: &Budget,
        seed: Seed,
        effort: &mut Effort,
    ) -> Result<Vec<Executed<G::Action>>, SearchError> {
        let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
        let mut shots: Vec<Shot<G>> = Vec::new();
        let mut executed = Vec::new();
        let arms = root.legal.len() as u64;
        effort.stop = loop {
            let done = executed.len() as u64;
            if let Some(reason) = meter.stop(done, 0) {
                break reason;
            }
            let left = usize::try_from(meter.most() - done).unwrap_or(CHUNK);
            let chunk = CHUNK.min(left);
            for i in 0..chunk {
                let number = done + i as u64;
                // The candidates of one round meet the same luck.
                let (round, arm) = (number / arms, (number % arms) as usize);
                let rng = seed.simulation(round);
                match shots.get_mut(i) {
                    Some(shot) => (shot.meant, shot.rng) = (root.legal[arm], rng),
                    None => shots.push(Shot {
                        meant: root.legal[arm],
                        executed: root.legal[arm],
                        world: state.clone(),
                        legal: Vec::new(),
                        rng,
                        evaluation: None,
                    }),
                }
            }
            crate::parallel::for_each(self.settings.threads, &mut shots[..chunk], &|shot| {
                self.play(game, state, shot);
            });
            for shot in &shots[..chunk] {
                executed.extend(count(root, shot, effort)?);
            }
        };
        effort.deterministic = effort.stop == StopReason::Simulations;
        Ok(executed)
    }

    fn play(&self, game: &G, state: &G::State, shot: &mut Shot<G>) {
        let Shot {
            world, rng, legal, ..
        } = shot;
        world.clone_from(state);
        shot.executed = self.actions.execute(game, state, shot.meant, rng);
        game.apply(world, shot.executed);
        growing::play_exactly(game, &*self.actions, world);
        shot.evaluation = Some(self.evaluator.evaluate(game, world, rng, legal));
    }
}

/// What one execution came to for the player to move.
fn count<G: Game>(
    root: &Root<G::Action>,
    shot: &Shot<G>,
    effort: &mut Effort,
) -> Result<Option<Executed<G::Action>>, SearchError> {
    let Some(evaluation) = &shot.evaluation else {
        return Ok(None);
    };
    growing::check(evaluation, Some(shot.executed))?;
    effort.simulations += 1;
    effort.truncated_rollouts += u64::from(evaluation.ending == Ending::CutOff);
    let value = evaluation.returns.of(root.player);
    Ok(Some(Executed {
        action: shot.executed,
        visits: 1,
        sum: value,
        squares: value * value,
    }))
}

impl<G, E> Searcher<G> for Smoothed<G, E>
where
    G: Game<Observation = <G as Game>::State>,
    E: LeafEvaluator<G>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        self.search_state(game, observation, budget, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Player, Returns, Turn};
    use crate::rng::Draw;
    use rand::Rng;
    use std::ops::RangeInclusive;

    /// One shot, from an aim at a multiple of a hundred; it is worth how far it misses its aim.
    struct Miss;

    /// Shots thrown, and what the last one was.
    type Thrown = (u8, i32);

    impl Game for Miss {
        type State = Thrown;
        type Action = i32;
        type Chance = i32;
        type Observation = Thrown;

        fn num_players(&self) -> usize {
            1
        }
        fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Thrown {
            (0, 0)
        }
        fn turn(&self, s: &Thrown) -> Turn {
            match s.0 {
                0 => Turn::Player(Player::new(0)),
                1 => Turn::Chance,
                _ => Turn::Terminal,
            }
        }
        fn legal_actions(&self, _: &Thrown, out: &mut Vec<i32>) {
            out.clear();
            out.extend([100, 200, 300]);
        }
        fn apply(&self, s: &mut Thrown, shot: i32) {
            *s = (1, shot);
        }
        fn sample_chance<R: Rng + ?Sized>(&self, _: &Thrown, _: &mut R) -> i32 {
            panic!("the noise is in the execution already")
        }
        fn apply_chance(&self, s: &mut Thrown, shift: i32) {
            *s = (2, s.1 + shift);
        }
        fn returns(&self, s: &Thrown) -> Returns {
            Returns::splat(1, f64::from((s.1 + 50) % 100 - 50))
        }
        fn return_bounds(&self) -> RangeInclusive<f64> {
            -50.0..=50.0
        }
        fn observe(&self, s: &Thrown, _: Player) -> Thrown {
            *s
        }
    }

    struct Shifts;

    impl ContinuousActions<Miss> for Shifts {
        fn execute(&self, _: &Miss, _: &Thrown, action: i32, rng: &mut SimRng) -> i32 {
            action + rng.below(41) as i32 - 20
        }
        fn kernel(&self, _: &Miss, _: &Thrown, a: i32, b: i32) -> f64 {
            f64::from(u8::from((a - b).abs() < 50))
        }
        fn exactly(&self, _: &Miss, _: &Thrown) -> i32 {
            0
        }
    }

    /// All candidates are thrown with the same misses, and with nothing but those.
    #[test]
    fn a_round_has_one_luck_for_all() {
        let search = |simulations| {
            let settings = SmoothedSettings::default();
            Smoothed::new(settings, Arc::new(Shifts), Rollout::random())
                .search_state(&Miss, &(0, 0), &Budget::simulations(simulations), Seed(3))
                .unwrap()
        };
        let even = search(300);
        assert_eq!(even.candidates.len(), 3);
        for candidate in &even.candidates {
            assert_eq!(candidate.mean, even.candidates[0].mean);
            assert_eq!(candidate.visits, 100);
        }
        // A hundred misses, not one a hundred times.
        assert!(even.candidates[0].std_error > 0.8);
        let uneven = search(301);
        assert_ne!(uneven.candidates[0].mean, uneven.candidates[1].mean);
        assert_eq!(uneven.candidates[1].mean, even.candidates[1].mean);
    }
}
