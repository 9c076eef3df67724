//! One depth after the other, until the depth or the budget is reached.

use super::bound::{Bound, Window};
use super::depth_first::DepthFirst;
use super::engine::{Engine, Halt, Memory};
use super::root::{LineValue, Root};
use super::{ExpectimaxSettings, Nodes, Report};
use crate::agent::Plan;
use crate::budget::{Budget, StopReason};
use crate::decision::{Decision, Effort, SearchError};
use crate::game::{Game, Player, Turn};
use crate::search::meter::Meter;

/// Differences of values below this share of the bounds' width are rounding.
const ROUNDING: f64 = 1e-12;

/// What a search gives.
type Found<A> = (Plan<A>, Report<A>);

/// Searches `state`.
pub(super) fn run<G: Game>(
    settings: ExpectimaxSettings,
    (game, parts, memory): (&G, &DepthFirst<G>, &mut Memory<G>),
    state: &G::State,
    budget: &Budget,
) -> Result<Found<G::Action>, SearchError> {
    settings.check()?;
    if budget.simulations == Some(0) || budget.nodes == Some(0) || budget.time == Some(ZERO) {
        return Err(SearchError::EmptyBudget);
    }
    if game.num_players() > 2 {
        let players = game.num_players();
        return Err(SearchError::TooManyPlayers { players });
    }
    let player = match game.turn(state) {
        Turn::Player(player) => player,
        Turn::Chance => return Err(SearchError::ChanceRoot),
        Turn::Terminal => return Err(SearchError::TerminalRoot),
    };
    let bounds = game.return_bounds();
    let range = Bound {
        lower: *bounds.start(),
        upper: *bounds.end(),
        complete: true,
    };
    if !(range.lower <= range.upper && range.width().is_finite()) {
        return Err(SearchError::BadSetting {
            name: "return_bounds",
            value: format!("{bounds:?}"),
            expected: "finite bounds from the game's rules",
        });
    }
    memory.table.clear(settings.slots(parts.key.is_some()));
    let most = match (budget.simulations, budget.nodes) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let mut engine = Engine {
        game,
        parts,
        settings,
        memory,
        meter: Meter::new(budget, most, budget.time, true),
        nodes: Nodes::default(),
        range,
        tie: ROUNDING * range.width(),
        single_actions: parts.expand.is_single_actions(),
    };
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut continuations = Vec::new();
    engine.expand(state, &mut continuations);
    if continuations.is_empty() || legal.is_empty() {
        let player = player.index();
        return Err(SearchError::NoActions { player });
    }
    let mut root = Root::new(game, continuations);
    let outcome = engine.deepen(player, &mut root)?;
    let nodes = engine.nodes;

    let chosen = outcome.chosen;
    let line = root.continuations[chosen].line;
    let decision = Decision {
        action: line.first(),
        candidates: root.candidates(&legal, line.first()),
        effort: Effort {
            simulations: nodes.visited,
            bytes: memory.table.bytes(),
            depth: outcome.depth,
            deterministic: !matches!(outcome.stop, StopReason::Time | StopReason::Cancelled),
            stop: outcome.stop,
            ..Effort::default()
        },
    };
    let values = root.continuations.iter().zip(&root.values);
    let report = Report {
        depth: outcome.depth,
        further: outcome.further,
        nodes,
        lines: values
            .zip(&root.nodes)
            .map(|((continuation, &value), &nodes)| LineValue {
                line: continuation.line,
                value,
                nodes,
            })
            .collect(),
        chosen,
    };
    Ok((Plan { decision, line }, report))
}

const ZERO: std::time::Duration = std::time::Duration::ZERO;

/// How the deepening ended.
struct Ended {
    chosen: usize,
    depth: u32,
    further: usize,
    stop: StopReason,
}

impl<G: Game> Engine<'_, G> {
    /// Searches the root deeper and deeper.
    fn deepen(&mut self, player: Player, root: &mut Root<G>) -> Result<Ended, SearchError> {
        if let Some(settled) = self.settle(player, root)? {
            return Ok(settled);
        }
        let last = self.settings.depth;
        let mut depth = if self.settings.deepening { 1 } else { last };
        let mut full = 0;
        loop {
            match self.search_root(player, depth, root) {
                Ok(()) => {
                    root.complete_depth(self.tie);
                    full = depth;
                    // Nothing was evaluated, so nothing changes with more depth.
                    let solved = root.values.iter().flatten().all(|v| v.complete);
                    if depth == last || solved {
                        let stop = if depth == last {
                            StopReason::Depth
                        } else {
                            StopReason::Settled
                        };
                        return Ok(Ended {
                            chosen: root.best(&root.values, self.tie).unwrap_or(0),
                            depth,
                            further: 0,
                            stop,
                        });
                    }
                    depth += 1;
                }
                Err(Halt::Fail(error)) => return Err(*error),
                Err(Halt::Stop(stop)) => return self.interrupted(root, (full, depth), stop),
            }
        }
    }

    /// The budget ended in the middle of a depth: only whole lines count.
    fn interrupted(
        &self,
        root: &mut Root<G>,
        (full, depth): (u32, u32),
        stop: StopReason,
    ) -> Result<Ended, SearchError> {
        let further = root.fresh.iter().flatten().count();
        if full == 0 {
            root.values.copy_from_slice(&root.fresh);
        }
        let fresh = root.best(&root.fresh, self.tie);
        let chosen = fresh.or_else(|| root.best(&root.values, self.tie));
        Ok(Ended {
            chosen: chosen.ok_or(SearchError::Unfinished { depth })?,
            depth: full,
            further,
            stop,
        })
    }

    /// What needs no search: a line that wins at once, or the only one.
    fn settle(&mut self, player: Player, root: &mut Root<G>) -> Result<Option<Ended>, SearchError> {
        if self.settings.exact_root {
            return Ok(None);
        }
        let flip = player.index() != 0;
        let mut wins = vec![None; root.continuations.len()];
        for (index, win) in wins.iter_mut().enumerate() {
            if root.ends[index] {
                let returns = self.game.returns(&root.continuations[index].state);
                let value = self.of_player_0(&returns).map_err(Halt::into_error)?;
                *win = self
                    .wins(value, flip)
                    .then_some(Bound::exact(value, true).flipped(flip));
            }
        }
        let won = root.best(&wins, self.tie);
        if let Some(chosen) = won {
            root.values[chosen] = wins[chosen];
            root.nodes[chosen] = 1;
            (self.nodes.visited, self.nodes.leaves) = (1, 1);
        }
        let forced = self.settings.skip_forced && root.continuations.len() == 1;
        let chosen = won.or_else(|| forced.then_some(0));
        Ok(chosen.map(|chosen| Ended {
            chosen,
            depth: 0,
            further: 0,
            stop: StopReason::Settled,
        }))
    }

    /// Values the lines at the root, one whole line after the other.
    fn search_root(&mut self, player: Player, depth: u32, root: &mut Root<G>) -> Result<(), Halt> {
        let flip = player.index() != 0;
        let range = self.range.flipped(flip);
        let mut best = f64::NEG_INFINITY;
        for at in 0..root.order.len() {
            let index = root.order[at];
            let window = if !self.prunes() {
                Window::FULL
            } else if self.settings.exact_root {
                Window::FULL.within(range)
            } else {
                // Below the best by a hair, so that a tie is recognised whichever comes first.
                let alpha = (best - self.tie).max(range.lower);
                let beta = range.upper;
                Window { alpha, beta }
            };
            let before = self.nodes.visited;
            let answer = self.value(
                &root.continuations[index].state,
                depth - 1,
                window.flipped(flip),
            );
            root.nodes[index] += self.nodes.visited - before;
            let mut found = answer?.flipped(flip);
            if found.width() <= 0.5 * self.tie {
                found = Bound::exact(found.lower, found.complete);
                best = best.max(found.lower);
            }
            root.fresh[index] = Some(found);
        }
        Ok(())
    }
}
