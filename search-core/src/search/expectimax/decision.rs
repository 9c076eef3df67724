//! Decisions: alpha-beta over the continuations.

use super::bound::{Bound, Window};
use super::engine::{Answer, Engine, Halt};
use super::expand::{Continuation, single_actions};
use super::table::Found;
use crate::decision::SearchError;
use crate::game::{Game, Player, Turn};

/// A decision's continuations and how they are worked through.
pub(super) struct Options<G: Game> {
    pub(super) continuations: Vec<Continuation<G>>,
    pub(super) plan: Plan,
}

impl<G: Game> Default for Options<G> {
    fn default() -> Self {
        Self {
            continuations: Vec::new(),
            plan: Plan::default(),
        }
    }
}

/// How the continuations of a decision are worked through.
pub(super) struct Plan {
    pub(super) key: Option<u128>,
    /// What is known of the decision's value.
    pub(super) known: Bound,
    hint: Option<u16>,
    /// Whether the continuations are there.
    pub(super) expanded: bool,
    /// Continuations in the order in which they are tried, best first, with their ranks; empty
    /// until they are ordered.
    order: Vec<(f64, u32)>,
    /// What the probe found out about the first.
    probe: Option<Bound>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            key: None,
            known: Bound::exact(0.0, false),
            hint: None,
            expanded: false,
            order: Vec::new(),
            probe: None,
        }
    }
}

impl Plan {
    pub(super) fn reset(&mut self, key: Option<u128>, found: Found, range: Bound) {
        self.key = key;
        self.known = found.bound.unwrap_or(range);
        self.hint = found.hint;
        self.expanded = false;
        self.order.clear();
        self.probe = None;
    }
}

/// Player 1 minimises.
const fn flips(player: Player) -> bool {
    player.index() != 0
}

impl<G: Game> Engine<'_, G> {
    /// The value of a decision that was opened.
    pub(super) fn decision(
        &mut self,
        (state, player, depth): (&G::State, Player, u32),
        window: Window,
        continuations: &mut Vec<Continuation<G>>,
        plan: &mut Plan,
    ) -> Answer {
        if plan.known.decides(window) {
            return Ok(plan.known);
        }
        self.prepare((state, player, depth), continuations, plan)?;
        let flip = flips(player);
        let range = self.range.flipped(flip);
        let asked = if self.prunes() {
            window.within(plan.known)
        } else {
            Window::FULL
        };
        let Window { alpha, beta } = asked.flipped(flip);
        let mut best = Bound {
            lower: f64::NEG_INFINITY,
            upper: f64::NEG_INFINITY,
            complete: true,
        };
        let mut favourite = (Bound::exact(f64::NEG_INFINITY, false), 0);
        for at in 0..plan.order.len() {
            let index = plan.order[at].1 as usize;
            let window = Window {
                alpha: alpha.max(best.lower),
                beta,
            }
            .flipped(flip);
            let probe = plan.probe.filter(|p| at == 0 && p.decides(window));
            let found = match probe {
                Some(bound) => bound,
                None => self.value(&continuations[index].state, depth - 1, window)?,
            }
            .flipped(flip);
            if (found.lower, found.upper) > (favourite.0.lower, favourite.0.upper) {
                favourite = (found, index);
            }
            best.lower = best.lower.max(found.lower);
            best.upper = best.upper.max(found.upper);
            best.complete &= found.complete;
            if best.lower >= beta {
                if at + 1 < plan.order.len() {
                    best.upper = range.upper;
                }
                break;
            }
        }
        let found = best.flipped(flip).and(plan.known);
        if let Some(key) = plan.key {
            self.memory.table.put(key, depth, found, Some(favourite.1));
        }
        Ok(found)
    }

    /// Star2: what the first continuation alone tells of a decision that was opened.
    pub(super) fn probe(
        &mut self,
        (state, player, depth): (&G::State, Player, u32),
        window: Window,
        continuations: &mut Vec<Continuation<G>>,
        plan: &mut Plan,
    ) -> Answer {
        self.prepare((state, player, depth), continuations, plan)?;
        let first = plan.order[0].1 as usize;
        let found = self.value(&continuations[first].state, depth - 1, window)?;
        plan.probe = Some(found);
        let flip = flips(player);
        let mut bound = found.flipped(flip);
        if continuations.len() > 1 {
            bound.upper = self.range.flipped(flip).upper;
        }
        plan.known = bound.flipped(flip).and(plan.known);
        Ok(plan.known)
    }

    /// Expands and orders a decision, once.
    fn prepare(
        &mut self,
        (state, player, depth): (&G::State, Player, u32),
        continuations: &mut Vec<Continuation<G>>,
        plan: &mut Plan,
    ) -> Result<(), Halt> {
        if !plan.order.is_empty() {
            return Ok(());
        }
        if !plan.expanded {
            self.expand(state, continuations);
            plan.expanded = true;
        }
        if continuations.is_empty() {
            return Err(Halt::fail(SearchError::NoActions {
                player: player.index(),
            }));
        }
        self.nodes.decisions += 1;
        self.order((player, depth), continuations, plan)
    }

    /// Lists what can be done.
    pub(super) fn expand(&mut self, state: &G::State, continuations: &mut Vec<Continuation<G>>) {
        if self.single_actions {
            single_actions(self.game, state, &mut self.memory.legal, continuations);
        } else {
            self.parts.expand.expand(self.game, state, continuations);
        }
    }

    /// Wins first, then what the table thought best, then by evaluation where a subtree hangs on
    /// it, then as they were listed.
    fn order(
        &mut self,
        (player, depth): (Player, u32),
        continuations: &[Continuation<G>],
        plan: &mut Plan,
    ) -> Result<(), Halt> {
        let flip = flips(player);
        let evaluate = self.prunes() && self.settings.order_by_evaluation && depth >= 2;
        let mut sorted = true;
        for (index, continuation) in continuations.iter().enumerate() {
            let mut rank = 0.0;
            if self.prunes() {
                let value = match self.game.turn(&continuation.state) {
                    Turn::Terminal => {
                        let returns = self.game.returns(&continuation.state);
                        Some((self.of_player_0(&returns)?, true))
                    }
                    _ if evaluate => {
                        self.nodes.ordering += 1;
                        Some((self.evaluate(&continuation.state)?, false))
                    }
                    _ => None,
                };
                let hinted = plan.hint == u16::try_from(index).ok();
                rank = match value {
                    Some((value, true)) if self.wins(value, flip) => f64::INFINITY,
                    _ if hinted => f64::MAX,
                    Some((value, _)) if evaluate => {
                        if flip {
                            -value
                        } else {
                            value
                        }
                    }
                    _ => 0.0,
                };
                sorted &= plan.order.last().is_none_or(|last| last.0 >= rank);
            }
            plan.order.push((rank, index as u32));
        }
        if !sorted {
            plan.order
                .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        Ok(())
    }

    /// Whether nothing can be better for the player who moves.
    pub(super) fn wins(&self, value: f64, flip: bool) -> bool {
        if flip {
            value <= self.range.lower
        } else {
            value >= self.range.upper
        }
    }
}
