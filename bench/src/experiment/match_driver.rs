//! Plays one match. The driver alone holds the true state; whoever decides gets an observation.
//!
//! Every random number is keyed by what it is for, never by who asks:
//! the deal by (seed, round), a chance event by (seed, round, ordinal), a decision by (seed, round,
//! seat, ordinal of that seat's decision). So every seating of a seed sees the same deal and the
//! same chance events, and identical agents play identical matches.
//!
//! [`play_on`] goes on from the middle of a round: what a choice was worth is found by playing on after it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use search_core::agent::{Choice, Substitute};
use search_core::decision::SearchError;
use search_core::game::{MAX_PLAYERS, Player, Returns, Turn, is_legal};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};

/// The seeds of one match.
#[derive(Debug, Clone, Copy)]
pub struct MatchSeeds {
    deal: Seed,
    chance: Seed,
    decision: Seed,
}

impl MatchSeeds {
    /// The seeds that belong to the match of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let seed = Seed(seed);
        Self {
            deal: seed.child("deal"),
            chance: seed.child("chance"),
            decision: seed.child("decision"),
        }
    }

    /// For the deal of a round.
    #[must_use]
    pub fn deal(&self, round: u32) -> Seed {
        self.deal.index(round.into())
    }

    /// For a chance event of a round.
    #[must_use]
    pub fn chance(&self, round: u32, ordinal: u64) -> Seed {
        self.chance.index(round.into()).index(ordinal)
    }

    /// For a decision of one seat in a round.
    #[must_use]
    pub fn decision(&self, round: u32, seat: Player, ordinal: u64) -> Seed {
        let seat = self.decision.index(round.into()).index(seat.index() as u64);
        seat.index(ordinal)
    }

    /// For going on from a position of the match in another way than the match did: chance events and
    /// decisions of their own for each `index`, none of them those of the match.
    #[must_use]
    pub fn continuation(&self, index: u64) -> Self {
        let other = |seed: Seed| seed.child("continuation").index(index);
        Self {
            deal: self.deal,
            chance: other(self.chance),
            decision: other(self.decision),
        }
    }
}

/// How far a round has come: what its next random numbers are keyed by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Chance events so far.
    pub chances: u64,
    /// Decisions of each seat so far.
    pub decisions: [u64; MAX_PLAYERS],
}

/// A decision to be made.
pub struct Point<'a, P: Plugin> {
    /// The round, from 0.
    pub round: u32,
    /// Who is to move.
    pub seat: Player,
    /// What that player knows.
    pub observation: &'a P::Observation,
    /// That player's legal actions.
    pub legal: &'a [P::Action],
    /// The seed of this decision.
    pub seed: Seed,
}

/// A decision that was made.
#[derive(Debug, Clone)]
pub struct Made<A> {
    /// The round, from 0.
    pub round: u32,
    /// Who moved.
    pub seat: Player,
    /// The action played.
    pub action: A,
    /// Set when it is not the agent's own.
    pub substitute: Option<Substitute>,
    /// Why, when the driver knows.
    pub reason: Option<String>,
    /// Whether it would come out the same again.
    pub deterministic: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// Who decides and who watches.
pub trait Host<P: Plugin> {
    /// An action for the player to move; `Break` leaves the match.
    fn decide(
        &mut self,
        game: &P,
        point: &Point<'_, P>,
    ) -> ControlFlow<(), Result<Choice<P::Action>, SearchError>>;

    /// A round begins in this state.
    fn round_started(&mut self, _game: &P, _round: u32, _state: &P::State) {}

    /// Somebody is to move, or chance, in this state. Called before [`Host::decide`] and [`Host::drawn`]. For
    /// who keeps the record: whoever decides must not hear of it.
    fn turn_begins(&mut self, _game: &P, _round: u32, _state: &P::State, _progress: &Progress) {}

    /// A decision was made.
    fn decided(&mut self, _game: &P, _made: &Made<P::Action>) {}

    /// Chance drew an outcome in the state `before`; it is not applied yet.
    fn drawn(&mut self, _game: &P, _round: u32, _before: &P::State, _outcome: P::Chance) {}

    /// A round is over, in this state, or stopped at the limit of turns.
    fn round_ended(&mut self, _game: &P, _round: u32, _state: &P::State, _returns: &Returns) {}
}

/// Why a match did not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Somebody left.
    Left,
    /// The rules broke their contract: what happened.
    Rules(String),
}

/// A finished match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchOutcome {
    /// The mean return of each seat over the rounds.
    pub scores: Vec<f64>,
    /// The mean of each metric of each seat over the rounds that ended; empty when none did.
    pub metrics: Vec<Vec<f64>>,
    /// A fingerprint of the first deal, as the players see it.
    pub deal: String,
    /// A fingerprint of everything that happened.
    pub history: String,
    /// Rounds stopped at the game's limit of turns.
    pub cut_off: u32,
}

/// Plays the match of `seed`: [`Plugin::rounds`] rounds.
///
/// # Errors
/// When somebody leaves, or the rules break their contract.
pub fn play_match<P: Plugin>(
    game: &P,
    seed: u64,
    host: &mut dyn Host<P>,
) -> Result<MatchOutcome, Stop> {
    let seeds = MatchSeeds::new(seed);
    let mut table = Table {
        game,
        seeds,
        host,
        legal: Vec::new(),
        history: blake3::Hasher::new(),
    };
    let mut state = game.initial_state(&mut seeds.deal(0).stream());
    let deal = fingerprint(game, &state);
    let mut totals = Totals::new(game.num_players());
    for round in 0..game.rounds().max(1) {
        if round > 0 {
            let mut rng = seeds.deal(round).stream();
            // A round that was cut off is no finished state to go on from.
            state = match game.turn(&state) {
                Turn::Terminal => game.next_round(&state, &mut rng),
                _ => game.initial_state(&mut rng),
            };
        }
        table.host.round_started(game, round, &state);
        let ended = table.round(&mut state, round, Progress::default())?;
        let returns = returns(game, &state, ended);
        table.host.round_ended(game, round, &state, &returns);
        let metrics = |seat| game.metrics(&state, Player::new(seat));
        let metrics: Option<&dyn Fn(usize) -> Vec<f64>> = if ended { Some(&metrics) } else { None };
        totals.add(&returns, game.metric_names().len(), metrics)?;
    }
    Ok(MatchOutcome {
        scores: totals.scores,
        metrics: totals.metrics,
        deal,
        history: short_hash(&table.history),
        cut_off: totals.cut_off,
    })
}

/// Goes on with a round from this state to its end, and returns what it brought each seat. `seeds` and
/// `progress` key the random numbers: with those of a match it goes on as the match did.
///
/// # Errors
/// When somebody leaves, or the rules break their contract.
pub fn play_on<P: Plugin>(
    game: &P,
    seeds: MatchSeeds,
    (round, progress): (u32, Progress),
    state: &mut P::State,
    host: &mut dyn Host<P>,
) -> Result<Returns, Stop> {
    let mut table = Table {
        game,
        seeds,
        host,
        legal: Vec::new(),
        history: blake3::Hasher::new(),
    };
    let ended = table.round(state, round, progress)?;
    let returns = returns(game, state, ended);
    check_returns(game.num_players(), &returns)?;
    Ok(returns)
}

fn returns<P: Plugin>(game: &P, state: &P::State, ended: bool) -> Returns {
    if ended {
        game.returns(state)
    } else {
        game.cut_off_returns(state)
    }
}

struct Table<'a, P: Plugin> {
    game: &'a P,
    seeds: MatchSeeds,
    host: &'a mut dyn Host<P>,
    legal: Vec<P::Action>,
    history: blake3::Hasher,
}

impl<P: Plugin> Table<'_, P> {
    /// Plays to the end; `false` when the limit of turns came first.
    fn round(
        &mut self,
        state: &mut P::State,
        round: u32,
        mut progress: Progress,
    ) -> Result<bool, Stop> {
        for _ in 0..=self.game.max_turns() {
            let turn = self.game.turn(state);
            if turn != Turn::Terminal {
                self.host.turn_begins(self.game, round, state, &progress);
            }
            match turn {
                Turn::Terminal => return Ok(true),
                Turn::Chance => {
                    self.chance(state, round, progress.chances);
                    progress.chances += 1;
                }
                Turn::Player(seat) => {
                    let ordinal = &mut progress.decisions[seat.index()];
                    let seed = self.seeds.decision(round, seat, *ordinal);
                    *ordinal += 1;
                    self.decision(state, round, seat, seed)?;
                }
            }
        }
        Ok(false)
    }

    fn chance(&mut self, state: &mut P::State, round: u32, ordinal: u64) {
        let mut rng = self.seeds.chance(round, ordinal).stream();
        let outcome = self.game.sample_chance(state, &mut rng);
        self.note(round, 0xFF, &self.game.format_chance(outcome));
        self.host.drawn(self.game, round, state, outcome);
        self.game.apply_chance(state, outcome);
    }

    fn decision(
        &mut self,
        state: &mut P::State,
        round: u32,
        seat: Player,
        seed: Seed,
    ) -> Result<(), Stop> {
        self.game.legal_actions(state, &mut self.legal);
        if self.legal.is_empty() || seat.index() >= self.game.num_players() {
            let error = SearchError::NoActions {
                player: seat.index(),
            };
            return Err(Stop::Rules(error.to_string()));
        }
        let observation = self.game.observe(state, seat);
        let point = Point {
            round,
            seat,
            observation: &observation,
            legal: &self.legal,
            seed,
        };
        let started = Instant::now();
        let ControlFlow::Continue(outcome) = self.host.decide(self.game, &point) else {
            return Err(Stop::Left);
        };
        let elapsed = started.elapsed();
        let made = settle(self.game, &point, outcome, elapsed);
        self.game.apply(state, made.action);
        self.note(
            round,
            seat.index() as u8,
            &self.game.format_action(made.action),
        );
        self.host.decided(self.game, &made);
        Ok(())
    }

    fn note(&mut self, round: u32, who: u8, what: &str) {
        self.history.update(&round.to_le_bytes());
        self.history.update(&[who]);
        self.history.update(what.as_bytes());
        self.history.update(b"\n");
    }
}

/// What is played: the choice, or a random action when there is none or it is illegal. That is the
/// last resort, counted as a failure; an agent that can fail brings its own fallback.
pub(crate) fn settle<P: Plugin>(
    game: &P,
    point: &Point<'_, P>,
    outcome: Result<Choice<P::Action>, SearchError>,
    elapsed: Duration,
) -> Made<P::Action> {
    let made = |action, substitute, reason, deterministic| Made {
        round: point.round,
        seat: point.seat,
        action,
        substitute,
        reason,
        deterministic,
        elapsed,
    };
    let (reason, deterministic) = match outcome {
        Ok(choice) if is_legal(game, point.observation, point.legal, choice.action) => {
            return made(choice.action, choice.substitute, None, choice.deterministic);
        }
        Ok(choice) => {
            let action = game.format_action(choice.action);
            (
                format!("`{action}` is not a legal action"),
                choice.deterministic,
            )
        }
        Err(error) => (error.to_string(), true),
    };
    let mut rng = point.seed.child("substitute").simulation(0);
    let action = point.legal[rng.below(point.legal.len() as u32) as usize];
    made(
        action,
        Some(Substitute::Failure),
        Some(reason),
        deterministic,
    )
}

/// Means over the rounds, kept as running means: equal values have exactly that mean.
struct Totals {
    rounds: u32,
    ended: u32,
    cut_off: u32,
    scores: Vec<f64>,
    metrics: Vec<Vec<f64>>,
}

impl Totals {
    fn new(players: usize) -> Self {
        Self {
            rounds: 0,
            ended: 0,
            cut_off: 0,
            scores: vec![0.0; players],
            metrics: Vec::new(),
        }
    }

    /// Adds a round; the metrics of a seat if the round came to its end.
    fn add(
        &mut self,
        returns: &Returns,
        names: usize,
        metrics: Option<&dyn Fn(usize) -> Vec<f64>>,
    ) -> Result<(), Stop> {
        let players = self.scores.len();
        check_returns(players, returns)?;
        self.rounds += 1;
        for (mean, value) in self.scores.iter_mut().zip(returns.iter()) {
            *mean += (value - *mean) / f64::from(self.rounds);
        }
        let Some(metrics) = metrics else {
            self.cut_off += 1;
            return Ok(());
        };
        self.ended += 1;
        self.metrics.resize(players, vec![0.0; names]);
        for (seat, means) in self.metrics.iter_mut().enumerate() {
            let values = metrics(seat);
            if values.len() != means.len() || values.iter().any(|v| !v.is_finite()) {
                return Err(Stop::Rules(format!(
                    "the metrics {values:?} are not {} finite numbers",
                    means.len()
                )));
            }
            for (mean, value) in means.iter_mut().zip(values) {
                *mean += (value - *mean) / f64::from(self.ended);
            }
        }
        Ok(())
    }
}

fn check_returns(players: usize, returns: &Returns) -> Result<(), Stop> {
    if returns.len() == players && returns.iter().all(|r| r.is_finite()) {
        return Ok(());
    }
    Err(Stop::Rules(format!(
        "the returns {returns:?} are not {players} finite numbers: the rules of the game are broken"
    )))
}

/// A fingerprint of what all players together see of a state.
pub(crate) fn fingerprint<P: Plugin>(game: &P, state: &P::State) -> String {
    let mut hasher = blake3::Hasher::new();
    for seat in 0..game.num_players() {
        let seen = game.observe(state, Player::new(seat));
        let text = game.format_observation(&seen);
        let text = text.unwrap_or_else(|| game.picture(&seen));
        hasher.update(text.as_bytes());
        hasher.update(b"\n");
    }
    short_hash(&hasher)
}

fn short_hash(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..16].to_string()
}
