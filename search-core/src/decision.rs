//! What a search returns: [`Decision`], its candidates and its effort; and [`SearchError`].

use thiserror::Error;

use crate::budget::StopReason;
use crate::observation::Contradiction;
use crate::weights::NoWeight;

/// One action that the search considered at the root.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Simulations that began with it.
    pub visits: u64,
    /// Mean return of the deciding player over those simulations; `NaN` without any.
    pub mean: f64,
    /// Standard error of that mean, taking the simulations as independent; `NaN` below two. In a
    /// tree search they are not independent (later ones choose better), so it is a lower bound on
    /// the uncertainty.
    pub std_error: f64,
    /// Simulations in which it was legal, for searches over several worlds.
    pub availability: u64,
    /// Its share of the improved policy: what the search would play as a mixed strategy.
    pub policy: f64,
    /// What is proven of its value to the deciding player, at least and at most; equal once its value is
    /// certain. `None` in searches that prove nothing.
    pub proven: Option<(f64, f64)>,
    /// Its mean less the chosen action's over the same worlds, for searches that pair them.
    pub versus_chosen: Option<PairedDifference>,
}

/// A difference between two actions over common worlds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    /// Mean difference of the deciding player's returns.
    pub mean: f64,
    /// Standard error of that mean; `NaN` with one world.
    pub std_error: f64,
    /// Worlds in which both were played.
    pub worlds: u64,
}

/// What the search spent, and every silent substitute it made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effort {
    /// Simulations run; positions looked at by a depth-first search.
    pub simulations: u64,
    /// Edges in the tree(s) at the end.
    pub edges: u64,
    /// Bytes of the tree(s) at the end.
    pub bytes: u64,
    /// Rollouts stopped before the end of the game, out of `simulations`.
    pub truncated_rollouts: u64,
    /// Expansions refused because the tree was full.
    pub refused_expansions: u64,
    /// Priors that were no distribution and were replaced by the uniform one.
    pub unusable_priors: u64,
    /// Worlds that could not be redealt as another player sees them, so that this player decided in
    /// the searcher's world; see [`RisMcts`](crate::search::RisMcts).
    pub failed_redeals: u64,
    /// Expansions left to another thread that was making them, or had just made them, in a tree that
    /// threads share.
    pub lost_expansions: u64,
    /// Visits of the root that were there before, in a tree kept from an earlier search. They are
    /// among the visits of the candidates, not among `simulations`.
    pub inherited: u64,
    /// Longest path in the tree, in edges; of a depth-first search, the depth searched in full.
    pub depth: u32,
    /// Worlds sampled.
    pub worlds: u64,
    /// Effective sample size of the worlds' weights; equals `worlds` when they are equal.
    pub effective_sample_size: f64,
    /// Whether the worlds' weights were flattened, since too few worlds had nearly all of the weight: 1 a
    /// pool of worlds.
    pub flattened_weights: u64,
    /// Whether the same inputs give the same bits again, on any machine and number of threads.
    pub deterministic: bool,
    /// Why it stopped.
    pub stop: StopReason,
}

/// The result of a search: an action, what was thought of every candidate, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision<A> {
    /// The chosen action.
    pub action: A,
    /// Every legal action, in ascending order of the action.
    pub candidates: Vec<Candidate<A>>,
    /// What it took.
    pub effort: Effort,
}

impl<A: Copy + Eq> Decision<A> {
    /// The entry of one action.
    pub fn candidate(&self, action: A) -> Option<&Candidate<A>> {
        self.candidates.iter().find(|c| c.action == action)
    }

    /// The entry of the chosen action.
    ///
    /// # Panics
    /// Never for a decision made by this crate: the chosen action is one of the candidates.
    pub fn chosen(&self) -> &Candidate<A> {
        self.candidate(self.action)
            .expect("the chosen action is a candidate")
    }
}

/// Why a search gave no decision. None of these panics.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SearchError {
    /// The game is over at the root.
    #[error("the game is over: there is nothing to decide")]
    TerminalRoot,
    /// Chance is to move at the root.
    #[error("chance is to move at the root, not a player: draw the outcome first")]
    ChanceRoot,
    /// A player is to move and has no legal action: the rules break their contract.
    #[error("player {player} is to move and has no legal action: the rules of the game are broken")]
    NoActions {
        /// Whose turn it is.
        player: usize,
    },
    /// No world agrees with the observation.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The budget allows no simulation, or nothing in it would ever end the search.
    #[error("the budget is empty: give at least one simulation or some time")]
    EmptyBudget,
    /// The method must know the number of simulations beforehand.
    #[error("{method} needs a budget in simulations")]
    NeedsSimulations {
        /// The method.
        method: &'static str,
    },
    /// The tree was full before one action was tried.
    #[error(
        "the tree has no room for the {actions} actions of the root, so none was tried: allow more nodes and bytes (and at most 65535 actions)"
    )]
    NoRoom {
        /// Legal actions at the root.
        actions: usize,
    },
    /// A return was infinite or not a number.
    #[error(
        "the return of player {player} is {value} after {action}: returns must be finite, and less than 1e140 in size"
    )]
    NonFiniteReturn {
        /// Whose return.
        player: usize,
        /// The return.
        value: f64,
        /// The first action of the simulation, as text.
        action: String,
    },
    /// The method works for one player, or two with opposite returns.
    #[error(
        "expectimax is for one player, or two with opposite returns, and this game has {players} players: use uct"
    )]
    TooManyPlayers {
        /// How many there are.
        players: usize,
    },
    /// The returns of two players do not sum to zero.
    #[error(
        "the values of the two players sum to {sum}: expectimax needs what one gains to be what the other loses"
    )]
    NotZeroSum {
        /// Their sum.
        sum: f64,
    },
    /// The budget ended before one line was searched.
    #[error(
        "the budget ended before one action was searched to depth {depth}: allow more, or deepen step by step"
    )]
    Unfinished {
        /// The depth.
        depth: u32,
    },
    /// A determinizer gave an importance weight without announcing it.
    #[error(
        "the sampled world has log weight {log_weight}; a determinizer that weighs worlds must say so by its `pool`"
    )]
    WeightedWorlds {
        /// The weight.
        log_weight: f64,
    },
    /// No world has a usable weight.
    #[error(transparent)]
    NoWeight(#[from] NoWeight),
    /// In two worlds that a player cannot tell apart the legal actions differ.
    #[error(
        "player {player} has other legal actions in another world that looks the same: the game's information sets are broken"
    )]
    MixedActions {
        /// Who is to move.
        player: usize,
    },
    /// The method cannot go through chance turns.
    #[error("{method} cannot go through chance turns: use `ismcts`, `pimc` or `epimc`")]
    ChanceTurn {
        /// The method.
        method: &'static str,
    },
    /// A determinizer gave worlds that one observation cannot have in common.
    #[error(
        "in a sampled world it is not player {player} who is to move, in another it is: every world of one observation must have the same player to move"
    )]
    MixedWorlds {
        /// Who is to move in the first world.
        player: usize,
    },
    /// The outcomes listed at a chance turn are no distribution: the rules break their contract.
    #[error(
        "the {outcomes} outcomes listed at a chance turn have probabilities that sum to {sum}: they must be positive and sum to 1, and the rules of the game are broken"
    )]
    BadOutcomes {
        /// How many were listed.
        outcomes: usize,
        /// The sum of their probabilities.
        sum: f64,
    },
    /// A setting is outside its range.
    #[error("setting {name} = {value}: {expected}")]
    BadSetting {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
}
