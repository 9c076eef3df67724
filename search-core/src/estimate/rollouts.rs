//! Running them: [`Rollouts`].

use thiserror::Error;

use super::equity::{ControlReport, Equity};
use super::survival::Survival;
use super::tally::{Sample, Tally};
use crate::game::{Game, Player, Turn};
use crate::parallel;
use crate::plugin::PluginError;
use crate::rng::{Draw, Seed, SimRng};

/// Rollouts in a batch, the unit of pooling.
pub const BATCH: u64 = 64;
/// No adaptive stop before this many rollouts.
pub const LEAST: u64 = 128;
/// Batches in memory at a time.
const CHUNK: u64 = 256;

/// What to do with the luck that [`Survival::survive`] reports.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Control {
    /// Nothing.
    #[default]
    Off,
    /// Take this much of it from every rollout; 1 if the valuation is one of winning.
    Fixed(f64),
    /// Take as much as a pilot run of so many rollouts finds best. The pilot has seeds of its own:
    /// a coefficient from the same rollouts would depend on their luck, and bias them.
    Pilot(u64),
}

/// How an absorption is played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Its probability is added and the rollout goes on without it.
    #[default]
    Survival,
    /// It is thrown for: the plain rollouts to compare with.
    Naive,
}

/// Rao-Blackwellised rollouts.
///
/// A rollout carries the mass `S`, 1 at the start. Every turn adds `S·p` to the player whom its
/// absorption favours, `p` being [`Absorption::probability`](super::Absorption), goes on with
/// `S·(1 - p)`, and draws the next state from the law of going on. The sum is the conditional
/// expectation of the plain 0/1 outcome given those states, so by the tower property its mean is
/// the same and by the theorem of Rao (1945) and Blackwell (1947) its variance is not greater.
///
/// * **The horizon** is so many turns, each with all that belongs to it. What is left is
///   `undecided`.
/// * **The cut-off.** A rollout ends once less than `epsilon` is left. That mass is `undecided`
///   too. Giving it to somebody or leaving it out would be a bias; like this, `wins`
///   are short by less than `epsilon` in all and the four masses still sum to 1.
/// * **Looks.** With a `target_error` the standard error is looked at after 64·2^k rollouts, and
///   from 128 on the run stops where it is small enough. Every look is an occasion to stop on a
///   variance that is small by luck, which makes intervals too narrow and, where mean and variance
///   are related, the mean biased; hence few looks, at times fixed beforehand, and not early.
/// * **Determinism.** Rollout `i` is a function of the seed and `i`; batches of 64 are pooled in
///   order. Threads change nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollouts {
    /// How many, at most.
    pub rollouts: u64,
    /// The horizon in turns.
    pub plies: u32,
    /// The mass below which a rollout ends; 0 for never.
    pub epsilon: f64,
    /// Stop once the standard error of player 0's wins is no greater.
    pub target_error: Option<f64>,
    /// Threads; they do not change the result.
    pub threads: usize,
    /// The control variate.
    pub control: Control,
    /// How an absorption is played.
    pub mode: Mode,
}

impl Default for Rollouts {
    /// 4,096 rollouts of up to 1,000 turns on one thread, cut off at 1e-5.
    fn default() -> Self {
        Self {
            rollouts: 4096,
            plies: 1000,
            epsilon: 1e-5,
            target_error: None,
            threads: 1,
            control: Control::Off,
            mode: Mode::Survival,
        }
    }
}

/// Why there is no estimate.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EstimateError {
    /// A setting that cannot be used.
    #[error("{name} is {value}: expected {expected}")]
    Setting {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// The process cannot start from the state.
    #[error("{0}")]
    Start(#[from] PluginError),
    /// The game is not one for two players.
    #[error("survival rollouts are for two players, this game has {0}")]
    Players(usize),
    /// The process is broken.
    #[error("the process gave {what} {value}")]
    Process {
        /// What.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

impl Rollouts {
    /// Refuses settings that cannot be used.
    ///
    /// # Errors
    /// Naming the first such setting and what would be right.
    pub fn check(&self) -> Result<(), EstimateError> {
        let bad = |name, value, expected| {
            Err(EstimateError::Setting {
                name,
                value,
                expected,
            })
        };
        let (pilot, beta) = match self.control {
            Control::Off => (2, 0.0),
            Control::Fixed(beta) => (2, beta),
            Control::Pilot(pilot) => (pilot, 0.0),
        };
        match self.target_error {
            _ if self.rollouts == 0 => bad("rollouts", 0.0, "1 or more"),
            _ if self.plies == 0 => bad("plies", 0.0, "1 turn or more"),
            _ if !(0.0..1.0).contains(&self.epsilon) => {
                bad("epsilon", self.epsilon, "at least 0 and below 1, say 1e-5")
            }
            Some(error) if !(error > 0.0 && error.is_finite()) => bad(
                "target error",
                error,
                "a number above 0, say 0.01, or none at all",
            ),
            _ if pilot < 2 => bad("pilot", pilot as f64, "2 rollouts or more, say 256"),
            _ if !beta.is_finite() => bad("coefficient", beta, "a finite number"),
            _ => Ok(()),
        }
    }

    /// Estimates how `state` will end; `look` is shown the estimate after 64·2^k rollouts and at
    /// the end.
    ///
    /// # Errors
    /// When a setting cannot be used, or the process cannot start there or is broken.
    pub fn estimate<G: Game, P: Survival<G> + ?Sized>(
        &self,
        game: &G,
        process: &P,
        state: &G::State,
        seed: Seed,
        look: &mut dyn FnMut(&Equity),
    ) -> Result<Equity, EstimateError> {
        self.check()?;
        if game.num_players() != 2 {
            return Err(EstimateError::Players(game.num_players()));
        }
        process.check_start(game, state)?;
        let run = Run {
            game,
            process,
            state,
            limits: self,
        };
        let (beta, pilot) = match self.control {
            Control::Off => (0.0, 0),
            Control::Fixed(beta) => (beta, 0),
            Control::Pilot(rollouts) => {
                let mut pilot = Tally::default();
                run.extend(&mut pilot, rollouts, 0.0, seed.child("pilot"))?;
                (pilot.raw.slope(), rollouts)
            }
        };
        let shown = |tally: &Tally| Equity {
            control: (self.control != Control::Off).then(|| ControlReport {
                beta,
                pilot,
                gain: gain(tally),
            }),
            ..tally.equity()
        };
        let mut tally = Tally::default();
        let mut next = BATCH;
        loop {
            let goal = next.min(self.rollouts);
            run.extend(&mut tally, goal, beta, seed)?;
            let equity = shown(&tally);
            look(&equity);
            let reached = self.target_error.is_some_and(|t| equity.std_error <= t);
            if goal == self.rollouts || (reached && goal >= LEAST) {
                return Ok(equity);
            }
            next = next.saturating_mul(2);
        }
    }

    /// The rollouts `64·index` to `64·index + 63`: what [`Rollouts::estimate`] pools, for a
    /// caller who wants to pool them elsewhere. `beta` is the coefficient of the luck.
    ///
    /// # Errors
    /// When the process is broken.
    pub fn batch<G: Game, P: Survival<G> + ?Sized>(
        &self,
        game: &G,
        process: &P,
        state: &G::State,
        seed: Seed,
        index: u64,
        beta: f64,
    ) -> Result<Tally, EstimateError> {
        let run = Run {
            game,
            process,
            state,
            limits: self,
        };
        let first = index.saturating_mul(BATCH);
        run.range(first..first.saturating_add(BATCH), beta, seed)
    }
}

fn gain(tally: &Tally) -> f64 {
    let (without, with) = (tally.raw.x.variance(), tally.wins[0].variance());
    if without == with { 1.0 } else { without / with }
}

/// One run from one state.
struct Run<'a, G: Game, P: ?Sized> {
    game: &'a G,
    process: &'a P,
    state: &'a G::State,
    limits: &'a Rollouts,
}

impl<G: Game, P: Survival<G> + ?Sized> Run<'_, G, P> {
    /// Adds rollouts until there are `goal`; what is there already is a whole number of batches.
    fn extend(
        &self,
        tally: &mut Tally,
        goal: u64,
        beta: f64,
        seed: Seed,
    ) -> Result<(), EstimateError> {
        while tally.rollouts() < goal {
            let from = tally.rollouts();
            let to = goal.min(from.saturating_add(CHUNK * BATCH));
            let mut batches: Vec<_> = (from..to)
                .step_by(BATCH as usize)
                .map(|first| {
                    (
                        first..to.min(first.saturating_add(BATCH)),
                        Ok(Tally::default()),
                    )
                })
                .collect();
            parallel::for_each(self.limits.threads, &mut batches, &|(range, result)| {
                *result = self.range(range.clone(), beta, seed);
            });
            for (_, batch) in batches {
                tally.merge(&batch?);
            }
        }
        Ok(())
    }

    fn range(
        &self,
        range: std::ops::Range<u64>,
        beta: f64,
        seed: Seed,
    ) -> Result<Tally, EstimateError> {
        let mut tally = Tally::default();
        let mut memory = P::Memory::default();
        let mut world = self.state.clone();
        for index in range {
            world.clone_from(self.state);
            let sample = self.rollout(&mut world, &mut memory, &mut seed.simulation(index))?;
            tally.push(&sample, beta);
        }
        Ok(tally)
    }

    fn rollout(
        &self,
        world: &mut G::State,
        memory: &mut P::Memory,
        rng: &mut SimRng,
    ) -> Result<Sample, EstimateError> {
        let Rollouts {
            plies,
            epsilon,
            mode,
            ..
        } = *self.limits;
        let mut sample = Sample::default();
        let mut mass = 1.0;
        for ply in 1..=plies {
            let absorption = self.process.absorption(self.game, world, memory);
            let p = probability(absorption.probability)?;
            match mode {
                Mode::Survival => {
                    if p > 0.0 {
                        sample.ends(mass * p, &absorption.returns);
                    }
                    mass *= 1.0 - p;
                }
                Mode::Naive => {
                    sample.drew |= p > 0.0 && p < 1.0;
                    if rng.unit() < p {
                        sample.ends(mass, &absorption.returns);
                        mass = 0.0;
                    }
                }
            }
            if mass <= 0.0 || mass < epsilon {
                break;
            }
            if ply == plies && !self.process.survivors_may_end() {
                break;
            }
            sample.drew = true;
            let luck = self.process.survive(self.game, world, memory, rng);
            if !luck.is_finite() {
                let what = "a luck of";
                return Err(EstimateError::Process { what, value: luck });
            }
            // The luck of the last draw would tell of turns beyond the horizon.
            if ply < plies {
                sample.luck += mass * luck;
            }
            if self.game.turn(world) == Turn::Terminal {
                sample.ends(mass, &self.game.returns(world));
                mass = 0.0;
                break;
            }
        }
        if mass > 0.0 {
            sample.undecided = mass;
            sample.score += mass * self.game.cut_off_returns(world).of(Player::new(0));
        }
        Ok(sample)
    }
}

/// A probability, with what rounding may have added taken off.
fn probability(p: f64) -> Result<f64, EstimateError> {
    if (-1e-12..=1.0 + 1e-12).contains(&p) {
        Ok(p.clamp(0.0, 1.0))
    } else {
        let what = "an absorption probability of";
        Err(EstimateError::Process { what, value: p })
    }
}
