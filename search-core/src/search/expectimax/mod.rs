//! Expectimax: depth-first search through decisions and chance nodes, with alpha-beta at the
//! decisions and star pruning (Ballard 1983) at the chance nodes.
//!
//! The value of a position is that of the end of the game; or, where the search stops, the
//! evaluator's; or the best continuation's for the player to move; or, at a chance node, the mean
//! of its outcomes. With `V_i` in `[L_i, U_i]` for the outcomes not yet looked at, outcome `i`
//! matters to a window `(α, β)` on the mean only within
//!
//! ```text
//! α_i = (α - Σ_{j≠i} P_j U_j) / P_i        β_i = (β - Σ_{j≠i} P_j L_j) / P_i
//! ```
//!
//! * **Star1** starts from the bounds of the game for every outcome and tightens them to what is
//!   found, one outcome after the other.
//! * **Star2** first probes: one continuation of each decision that follows gives a lower bound for
//!   its mover. The result is kept and used as the first of the search proper.
//! * The search is *fail-soft* (Hauk, Buro & Schaeffer 2004): what comes back from a cut is the
//!   tightest bound that was proven, here both a lower and an upper one.
//! * The *transposition table* stores those bounds for decisions and chance nodes (Veness & Blair
//!   2007), and a new chance node looks up all of its successors before it searches any.
//!
//! Every pruning gives the same value as none. `docs/src/design/expectimax.md` has measurements.
//!
//! # Depth
//!
//! Depth counts *turns*: every decision (a whole [`Line`] of actions) is one; a chance node belongs
//! to the decision that follows it, and counts for itself only where nobody decides anything before
//! the next chance node or the end of the depth. So `depth = 1` plays the action with the best
//! evaluation before the next throw; `depth = 2` averages over the throw and the opponent's best
//! reply; and without chance turns depth is plies. A position is only ever evaluated between lines.
//!
//! # Players
//!
//! One, or two with opposite returns. Star pruning rests on what one player gains being the other's
//! loss; for more players, or a sum that is not zero, the search fails with an error.

mod bound;
mod chance;
mod decision;
mod deepening;
mod depth_first;
mod engine;
mod expand;
mod root;
mod table;
#[cfg(test)]
mod tests;

pub use bound::Bound;
pub use depth_first::{CutOff, DepthFirst, Outcomes, SameState, Seen, StateKey};
pub use expand::{Branch, Continuation, Expand, Line, MAX_LINE, SingleActions};
pub use root::LineValue;

use crate::agent::{Plan, Planner};
use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::rng::Seed;
use crate::search::Searcher;
use engine::Memory;

/// What is left out at chance nodes and decisions. The value is the same in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pruning {
    /// Nothing: plain expectimax, minimax without chance.
    None,
    /// Alpha-beta at decisions, Star1 at chance nodes.
    Star1,
    /// Alpha-beta at decisions, Star2 at chance nodes (the default).
    #[default]
    Star2,
}

/// Settings of [`Expectimax`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectimaxSettings {
    /// How many turns to look ahead, 1 to [`Self::MAX_DEPTH`].
    pub depth: u32,
    /// What is left out.
    pub pruning: Pruning,
    /// Entries of the transposition table, rounded up to a power of two; 0 for none. It needs
    /// [`DepthFirst::key`].
    pub table: usize,
    /// Search depth 1, 2, … up to `depth`, each ordered by the one before: the search can then be
    /// interrupted. Without it the first depth is the last.
    pub deepening: bool,
    /// Order decisions by the evaluation of their continuations where a subtree hangs on it.
    pub order_by_evaluation: bool,
    /// Find the value of every line at the root, not only which is best.
    pub exact_root: bool,
    /// Decide at once when there is one line to play.
    pub skip_forced: bool,
}

impl ExpectimaxSettings {
    /// The greatest depth.
    pub const MAX_DEPTH: u32 = 100;
    /// The most entries of the table.
    pub const MAX_TABLE: usize = 1 << 30;

    fn check(&self) -> Result<(), SearchError> {
        let bad = |name, value: String, expected| SearchError::BadSetting {
            name,
            value,
            expected,
        };
        if !(1..=Self::MAX_DEPTH).contains(&self.depth) {
            return Err(bad("depth", self.depth.to_string(), "1 to 100 turns"));
        }
        if self.table > Self::MAX_TABLE {
            let expected = "at most 2^30 entries";
            return Err(bad("table", self.table.to_string(), expected));
        }
        Ok(())
    }

    /// Slots of the table for a game: two at least, a power of two.
    fn slots(&self, keyed: bool) -> usize {
        if self.table == 0 || !keyed {
            return 0;
        }
        self.table.max(2).next_power_of_two()
    }
}

impl Default for ExpectimaxSettings {
    fn default() -> Self {
        Self {
            depth: 2,
            pruning: Pruning::default(),
            table: 1 << 18,
            deepening: true,
            order_by_evaluation: true,
            exact_root: false,
            skip_forced: false,
        }
    }
}

/// What a search looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Nodes {
    /// Positions below the root, of every kind: what a budget counts.
    pub visited: u64,
    /// Decisions that were expanded.
    pub decisions: u64,
    /// Chance nodes that were expanded.
    pub chances: u64,
    /// Ends of the game, and positions evaluated because the depth was reached.
    pub leaves: u64,
    /// Evaluations for the order alone.
    pub ordering: u64,
}

/// More about a search than its [`Decision`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<A> {
    /// The depth that was searched in full; 0 when not even depth 1 was.
    pub depth: u32,
    /// Lines searched at the next depth before the budget ended: the choice is the best of them if
    /// there are any.
    pub further: usize,
    /// What was looked at.
    pub nodes: Nodes,
    /// Every line at the root, as the expansion lists them.
    pub lines: Vec<LineValue<A>>,
    /// Which of them was chosen.
    pub chosen: usize,
}

/// Expectimax over a game of perfect information with one player, or two with opposite returns.
///
/// A budget in nodes counts positions below the root: the lesser of [`Budget::simulations`] and
/// [`Budget::nodes`], never exceeded; time and cancellation are watched at every position. The
/// search ends at the depth of the settings at the latest.
///
/// When the budget ends first, the depth that was in progress counts only as far as whole root
/// lines were searched: the best of the last full depth is searched first, and is replaced only by
/// a line searched just as deep. No average over some of the outcomes is ever compared with
/// anything.
///
/// Of the decision:
/// * `effort.simulations` are nodes, `effort.depth` is the depth searched in full;
/// * a candidate's `mean` is its value at that depth, with `std_error` 0; where pruning showed only
///   that it is no better than some value, that value, with `std_error` not a number.
///   [`ExpectimaxSettings::exact_root`] gives the value of all;
/// * an action that begins no line of the expansion (its results are reached by other lines) has no
///   visits;
/// * ties, to within rounding, go to the end of the game and then to the smallest line.
pub struct Expectimax<G: Game> {
    /// The settings.
    pub settings: ExpectimaxSettings,
    /// What the search knows of the game.
    pub parts: DepthFirst<G>,
    memory: Memory<G>,
    report: Option<Report<G::Action>>,
}

impl<G: Game> Expectimax<G> {
    /// A search of a game with these parts.
    #[must_use]
    pub fn new(settings: ExpectimaxSettings, parts: DepthFirst<G>) -> Self {
        Self {
            settings,
            parts,
            memory: Memory::default(),
            report: None,
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
    ) -> Result<Plan<G::Action>, SearchError> {
        self.report = None;
        let (plan, report) = deepening::run(
            self.settings,
            (game, &self.parts, &mut self.memory),
            state,
            budget,
        )?;
        self.report = Some(report);
        Ok(plan)
    }

    /// More about the last search, if it came to a decision.
    pub fn report(&self) -> Option<&Report<G::Action>> {
        self.report.as_ref()
    }
}

impl<G: Game> Searcher<G> for Expectimax<G> {
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        _: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        let state = (self.parts.seen)(observation);
        Ok(self.search_state(game, state, budget)?.decision)
    }
}

impl<G: Game> Planner<G> for Expectimax<G> {
    fn plan(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        _: Seed,
    ) -> Result<Plan<G::Action>, SearchError> {
        let state = (self.parts.seen)(observation);
        self.search_state(game, state, budget)
    }
}
