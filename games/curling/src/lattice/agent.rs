//! The agents that search a lattice, by name.

use search_core::agent::{Agent, Choice};
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::expr::{Expr, ExprError, Settings};
use search_core::game::{Game, Turn};
use search_core::rng::Seed;
use std::time::{Duration, Instant};

use crate::action::Action;
use crate::evaluation::{Approach, Evaluation};
use crate::game::Curling;
use crate::lattice::grid::{Grid, Lattice, Spread};
use crate::lattice::kernel::Mass;
use crate::lattice::report;
use crate::lattice::search::{Found, Limits, Replies, search};
use crate::lattice::table::Judge;
use crate::options::{CurlingOptions, Noise};
use crate::state::{Phase, State};

/// The agents by name, each with a line about it.
pub const AGENTS: [(&str, &str); 2] = [
    (
        "lattice",
        "expectimax of `depth` (2) shots over a lattice with the noise summed out (`uncertainty`=true): `spacing` (1), `thin`, `replies` (2) times as coarse, `keep` (8) candidates of `screen` (48), `outcomes` (9), `threads`",
    ),
    (
        "paper",
        "the lattice of Katoh, Iizuka & Yamamoto (2016), 4458 shots a position (`thin`=true: 2082) for noise of 14.5 cm (`spread`=paper), without bounds: `depth` (1), `uncertainty`",
    ),
];

/// How a lattice is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatticeSettings {
    /// 1 or 2 shots.
    pub depth: u32,
    /// The lattice; `None` for the one that suits the game's noise.
    pub grid: Option<Grid>,
    /// Everything that many times as far apart.
    pub spacing: f64,
    /// Whether only some rows are simulated.
    pub thin: bool,
    /// Whether the noise is summed out; without, every shot is taken to go as meant.
    pub uncertainty: bool,
    /// How the weights of outcomes are made.
    pub mass: Mass,
    /// How many times as coarse the lattice of the replies is.
    pub coarser: f64,
    /// What depth 2 looks at.
    pub replies: Replies,
    /// How boards are valued.
    pub evaluation: Evaluation,
    /// Threads at most.
    pub threads: usize,
}

impl Default for LatticeSettings {
    fn default() -> Self {
        Self {
            depth: 2,
            grid: None,
            spacing: 1.0,
            thin: false,
            uncertainty: true,
            mass: Mass::Cell,
            coarser: 2.0,
            replies: Replies {
                keep: Some(8),
                screen: 48,
                outcomes: Some(9),
                pass: true,
                prune: true,
            },
            evaluation: Evaluation::default(),
            threads: 1,
        }
    }
}

impl LatticeSettings {
    /// As in the paper: its lattice and noise, and no short cut.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            depth: 1,
            grid: Some(Grid::PAPER),
            coarser: 1.0,
            mass: Mass::Density,
            replies: Replies {
                pass: false,
                ..Replies::EXACT
            },
            ..Self::default()
        }
    }

    /// The lattice of the root and that of the replies, in this game.
    #[must_use]
    pub fn lattices(&self, game: &Curling) -> [Lattice; 2] {
        let usual = match game.options().noise {
            Noise::Uec => Grid {
                spread: Spread::Game,
                ..Grid::PAPER
            },
            _ => Grid::DC3,
        };
        let mut grid = self.grid.unwrap_or(usual).coarser(self.spacing);
        grid.thin |= self.thin;
        grid.mass = self.mass;
        if !self.uncertainty {
            grid.spread = Spread::None;
        }
        [grid, grid.coarser(self.coarser)].map(|grid| Lattice::new(game, &grid))
    }
}

/// What is made once for a game.
#[derive(Debug, Clone)]
struct Prepared {
    options: CurlingOptions,
    lattices: [Lattice; 2],
    approach: Approach,
}

/// An agent that searches a lattice.
#[derive(Debug, Clone)]
pub struct LatticeAgent {
    settings: LatticeSettings,
    shots: Option<u64>,
    time: Option<Duration>,
    prepared: Option<Prepared>,
}

impl LatticeAgent {
    /// An agent with these settings. A budget in simulations is one in simulated shots; both that and
    /// one in time only end the search for replies, after the first candidate at the earliest.
    #[must_use]
    pub fn new(settings: LatticeSettings, budget: &Budget) -> Self {
        Self {
            settings,
            shots: budget.simulations,
            time: budget.time,
            prepared: None,
        }
    }

    fn prepare(&mut self, game: &Curling) -> Prepared {
        match self.prepared.take() {
            Some(prepared) if prepared.options == *game.options() => prepared,
            _ => Prepared {
                options: *game.options(),
                lattices: self.settings.lattices(game),
                approach: Approach::new(game.model()),
            },
        }
    }

    /// Searches a position in which a shot is to be chosen, and says which shot each candidate is.
    pub fn find(&mut self, game: &Curling, state: &State) -> (Found, Vec<Option<Action>>) {
        let until = self.time.map(|time| Instant::now() + time);
        let prepared = self.prepare(game);
        let judge = Judge {
            game,
            evaluation: &self.settings.evaluation,
            approach: &prepared.approach,
            team: state.thrower(),
        };
        let [lattice, coarse] = &prepared.lattices;
        let replies = (self.settings.depth > 1).then_some((coarse, self.settings.replies));
        let limits = Limits {
            shots: self.shots,
            until,
        };
        let found = search(
            &judge,
            lattice,
            replies,
            state,
            self.settings.threads,
            limits,
        );
        let actions = (0..lattice.len())
            .map(|m| lattice.meant(m).release.map(Action::shot))
            .collect();
        self.prepared = Some(prepared);
        (found, actions)
    }

    fn decision(&self, game: &Curling, state: &State, found: &Found) -> Option<Decision<Action>> {
        let [lattice, _] = &self.prepared.as_ref()?.lattices;
        let release = lattice.meant(found.best?).release?;
        Some(Decision {
            action: Action::shot(release),
            candidates: report::candidates(game, state, lattice, found),
            effort: report::effort(found, self.settings.depth, self.time.is_none()),
        })
    }

    /// Where stones are placed before an end: the placement after which the board is worth most.
    fn place(
        &mut self,
        game: &Curling,
        state: &State,
        legal: &[Action],
    ) -> Option<Decision<Action>> {
        let Phase::Place(team) = state.phase else {
            return None;
        };
        let prepared = self.prepare(game);
        let worth = |action: &Action| {
            let mut next = *state;
            game.apply(&mut next, *action);
            self.settings
                .evaluation
                .value(game, &prepared.approach, &next, team)
        };
        let values: Vec<_> = legal.iter().map(|a| (*a, worth(a))).collect();
        self.prepared = Some(prepared);
        report::best_of(&values)
    }
}

impl Agent<Curling> for LatticeAgent {
    fn decide(
        &mut self,
        game: &Curling,
        observation: &State,
        legal: &[Action],
        _: Seed,
    ) -> Result<Choice<Action>, SearchError> {
        let player = match game.turn(observation) {
            Turn::Player(player) => player.index(),
            _ => 0,
        };
        let decision = match observation.phase {
            Phase::Over(_) => return Err(SearchError::TerminalRoot),
            Phase::Throw(_) => return Err(SearchError::ChanceRoot),
            Phase::Place(_) => self.place(game, observation, legal),
            Phase::Aim if self.shots == Some(0) || self.time == Some(Duration::ZERO) => {
                return Err(SearchError::EmptyBudget);
            }
            Phase::Aim => {
                let (found, _) = self.find(game, observation);
                self.decision(game, observation, &found)
            }
        };
        let decision = decision.ok_or(SearchError::NoActions { player })?;
        Ok(Choice {
            action: decision.action,
            deterministic: decision.effort.deterministic,
            decision: Some(decision),
            substitute: None,
        })
    }
}

/// Settings of every searcher that would do nothing here.
const OF_TREES: [&str; 5] = ["nodes", "bytes", "parallel", "trees", "batch"];

/// The agent of this name; `None` for a name that is not in [`AGENTS`].
///
/// # Errors
/// When a setting cannot be used.
pub fn agent(
    name: &str,
    settings: &mut Settings<'_>,
    budget: &Budget,
) -> Result<Option<Box<dyn Agent<Curling>>>, ExprError> {
    let read = match name {
        "lattice" => lattice(settings)?,
        "paper" => paper(settings)?,
        _ => return Ok(None),
    };
    for key in OF_TREES {
        if let Some(value) = settings.expr(key) {
            let why = "there is no tree here: leave it out; `threads` works without it";
            return Err(settings.bad(key, value, why.to_string()));
        }
    }
    Ok(Some(Box::new(LatticeAgent::new(read, budget))))
}

fn lattice(settings: &mut Settings<'_>) -> Result<LatticeSettings, ExprError> {
    let usual = LatticeSettings::default();
    let most = |given: Option<u64>, usual: Option<usize>| match given {
        Some(0) => None,
        Some(given) => Some(given as usize),
        None => usual,
    };
    let keep = most(settings.optional("keep")?, usual.replies.keep);
    let outcomes = most(settings.optional("outcomes")?, usual.replies.outcomes);
    let replies = Replies {
        keep,
        screen: settings.get("screen", usual.replies.screen)?,
        outcomes,
        pass: settings.get("pass", usual.replies.pass)?,
        prune: settings.get("prune", usual.replies.prune)?,
    };
    shared(settings, LatticeSettings { replies, ..usual })
}

fn paper(settings: &mut Settings<'_>) -> Result<LatticeSettings, ExprError> {
    let usual = LatticeSettings::paper();
    let grid = match settings.choice("spread", &["paper", "game"])? {
        "game" => Grid {
            spread: Spread::Game,
            ..Grid::PAPER
        },
        _ => Grid::PAPER,
    };
    shared(
        settings,
        LatticeSettings {
            grid: Some(grid),
            ..usual
        },
    )
}

/// The settings that both agents have.
fn shared(
    settings: &mut Settings<'_>,
    usual: LatticeSettings,
) -> Result<LatticeSettings, ExprError> {
    let depth = settings.get("depth", usual.depth)?;
    if !(1..=2).contains(&depth) {
        return Err(refuse(
            settings,
            "depth",
            depth.to_string(),
            "expected 1 or 2",
        ));
    }
    let threads = settings.get("threads", usual.threads)?.max(1);
    let mass = match settings.choice("mass", &["usual", "density", "cell"])? {
        "density" => Mass::Density,
        "cell" => Mass::Cell,
        _ => usual.mass,
    };
    Ok(LatticeSettings {
        depth,
        threads,
        mass,
        spacing: factor(settings, "spacing", usual.spacing)?,
        coarser: factor(settings, "replies", usual.coarser)?,
        thin: settings.get("thin", usual.thin)?,
        uncertainty: settings.get("uncertainty", usual.uncertainty)?,
        ..usual
    })
}

/// A factor for the distances of a lattice.
fn factor(settings: &mut Settings<'_>, key: &'static str, usual: f64) -> Result<f64, ExprError> {
    let value: f64 = settings.get(key, usual)?;
    if (0.25..=8.0).contains(&value) {
        return Ok(value);
    }
    Err(refuse(
        settings,
        key,
        value.to_string(),
        "expected 0.25 to 8",
    ))
}

fn refuse(settings: &Settings<'_>, key: &str, given: String, expected: &str) -> ExprError {
    settings.bad(key, &Expr::word(given), expected.to_string())
}
