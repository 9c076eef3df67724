//! UCT with double progressive widening, and with RAVE on top.
//!
//! Coulom 2007; Couëtoux, Hoock, Sokolovska, Teytaud & Bonnard 2011 (widening of actions and of chance
//! outcomes, and RAVE over alike actions); Gelly & Silver 2007 (RAVE). A node that was left `N` times
//! has at most `ceil(k N^a)` children. At a player's turn the legal actions come first, in random order;
//! when all of them are there, executions of the action that would be followed are added. At a chance
//! turn outcomes are drawn until the node is full, and then one of those met is followed, each in
//! proportion to its visits.
//!
//! What it may know: everything.

use std::sync::Arc;

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::math::Counts;
use crate::rng::{Draw, Seed};
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::continuous::ContinuousActions;
use crate::search::growing::{self, Child, Leaf, Memory, Plan, Rule, RuleTree};
use crate::search::key::GameKey;
use crate::search::root::{FinalChoice, RootStatistics};
use crate::search::selection::Best;
use crate::search::tree_search::{Parallel, inverse_scale, not_negative};
use crate::search::worlds::{Known, Root};
use crate::tree::EdgeKey;

/// How many children a node may have after it was left so many times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Widening {
    /// `k`, above 0; infinite for no limit, and then nothing is added to the legal actions.
    pub factor: f64,
    /// `a`, from 0 to 1.
    pub exponent: f64,
}

impl Widening {
    /// No limit.
    pub const NONE: Self = Self {
        factor: f64::INFINITY,
        exponent: 1.0,
    };
    /// The square root of the visits.
    pub const ROOT: Self = Self {
        factor: 1.0,
        exponent: 0.5,
    };

    /// `ceil(k n^a)`, at least 1.
    #[must_use]
    pub fn children(self, visits: u32) -> f64 {
        self.power(visits).ceil().max(1.0)
    }

    /// `k n^a`.
    pub(crate) fn power(self, visits: u32) -> f64 {
        let n = f64::from(visits.max(1));
        let power = if self.exponent == 0.5 {
            n.sqrt()
        } else {
            libm::pow(n, self.exponent)
        };
        self.factor * power
    }

    pub(crate) fn check(self) -> Result<(), SearchError> {
        let bad = |name, value: f64, expected| {
            Err(SearchError::BadSetting {
                name,
                value: value.to_string(),
                expected,
            })
        };
        if self.factor.is_nan() || self.factor <= 0.0 {
            return bad("factor", self.factor, "a number above 0, or infinity");
        }
        if !(0.0..=1.0).contains(&self.exponent) {
            return bad("exponent", self.exponent, "a number from 0 to 1");
        }
        Ok(())
    }
}

/// All moves as first (AMAF): how much the returns of simulations in which an action was played at any
/// later turn of the same player count for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rave {
    /// `b` of the weight `m / (n + m + b n m)` of the `m` such simulations against `n` visits. 0 or
    /// more; infinite for none.
    pub bias: f64,
    /// Whether an action counts for others as far as they are alike (cRAVE), or for itself alone.
    pub alike: bool,
}

impl Rave {
    /// The weight of `m` simulations that played an action anywhere, against `n` visits.
    #[must_use]
    pub fn weight(self, n: f64, m: f64) -> f64 {
        if m <= 0.0 || self.bias == f64::INFINITY {
            return 0.0;
        }
        m / (n + m + self.bias * n * m)
    }
}

/// Settings of [`UctPw`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WideningSettings {
    /// `c` of UCB1, on returns divided by [`Game::return_scale`]. Default 0.7.
    pub exploration: f64,
    /// Children at a player's turn.
    pub actions: Widening,
    /// Children at a chance turn.
    pub outcomes: Widening,
    /// AMAF values, if any.
    pub rave: Option<Rave>,
    /// Which action is played in the end.
    pub final_choice: FinalChoice,
    /// How several threads are used.
    pub parallel: Parallel,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for WideningSettings {
    fn default() -> Self {
        Self {
            exploration: 0.7,
            actions: Widening::ROOT,
            outcomes: Widening::ROOT,
            rave: None,
            final_choice: FinalChoice::Robust,
            parallel: Parallel::Serial,
            threads: 1,
            skip_forced: false,
        }
    }
}

impl WideningSettings {
    fn check(&self) -> Result<(), SearchError> {
        self.actions.check()?;
        self.outcomes.check()?;
        not_negative("exploration", self.exploration)?;
        // An infinite bias leaves the values as they are.
        match self.rave {
            Some(rave) if rave.bias != f64::INFINITY => not_negative("bias", rave.bias),
            _ => Ok(()),
        }
    }
}

/// UCT with progressive widening over a game of perfect information.
#[derive(Clone)]
pub struct UctPw<G: Game, E = Rollout> {
    /// The settings.
    pub settings: WideningSettings,
    /// Where actions beyond the legal ones come from.
    pub actions: Arc<dyn ContinuousActions<G>>,
    /// What values a leaf.
    pub evaluator: E,
}

impl<G: Game, E: LeafEvaluator<G>> UctPw<G, E> {
    /// With this leaf evaluator.
    pub fn new(
        settings: WideningSettings,
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
        let settings = &self.settings;
        settings.check()?;
        let mut root = Root::look(game, &Known(state), seed)?;
        let rule = WideningRule {
            game,
            actions: &*self.actions,
            settings: *settings,
            inverse_scale: inverse_scale(game)?,
            counts: Counts::new(),
        };
        let statistics = if settings.skip_forced && root.legal.len() == 1 {
            RootStatistics::settled()
        } else {
            let plan = Plan {
                game,
                state,
                rule: &rule,
                evaluator: &self.evaluator,
                parallel: settings.parallel,
                threads: settings.threads,
            };
            plan.run(budget, seed)?.0
        };
        // Those that were added are candidates as well.
        root.legal
            .extend(statistics.arms.iter().map(|arm| arm.action));
        root.legal.sort_unstable();
        root.legal.dedup();
        Ok(statistics.decide(&root, game.return_scale(), settings.final_choice, seed))
    }
}

impl<G, E> Searcher<G> for UctPw<G, E>
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

/// Simulations, weighted by likeness, in which an action was played at any later turn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Amaf {
    pub(crate) visits: f64,
    pub(crate) sum: f64,
}

pub(crate) struct WideningRule<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) actions: &'a dyn ContinuousActions<G>,
    pub(crate) settings: WideningSettings,
    pub(crate) inverse_scale: f64,
    pub(crate) counts: Counts,
}

impl<G: Game> Rule<G> for WideningRule<'_, G> {
    type Extra = Amaf;
    type Scratch = ();

    fn choose(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        memory: &mut Memory<G, Self>,
    ) -> Option<u32> {
        if tree.len(at) == 0 && !growing::list(self.game, tree, at, leaf, memory) {
            return None;
        }
        let node = *tree.node(at);
        let (len, allowed) = (
            tree.len(at),
            self.settings.actions.children(node.descents + 1),
        );
        if node.tried < len && f64::from(node.tried) < allowed {
            tree.node_mut(at).tried += 1;
            return Some(node.tried);
        }
        let children = &tree.children(at)[..node.tried as usize];
        let best = self.best(children, node.descents, leaf)?;
        if allowed.is_infinite() || f64::from(len) >= allowed {
            return Some(best);
        }
        let EdgeKey::Action(near) = children[best as usize].key else {
            return Some(best);
        };
        let world = &leaf.world;
        let key = EdgeKey::Action(self.actions.execute(self.game, world, near, &mut leaf.rng));
        if let Some(known) = tree.children(at).iter().position(|child| child.key == key) {
            return Some(known as u32);
        }
        let Some(added) = tree.push(at, key, 0) else {
            memory.effort.refused_expansions += 1;
            return Some(best);
        };
        tree.node_mut(at).tried += 1;
        Some(added)
    }

    fn draw(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        memory: &mut Memory<G, Self>,
    ) -> Option<u32> {
        let (len, descents) = (tree.len(at), tree.node(at).descents);
        if f64::from(len) < self.settings.outcomes.children(descents + 1) {
            let found = growing::draw_any::<G, Self>(self.game, tree, at, leaf);
            if found.is_some() || len == 0 {
                return found;
            }
            memory.effort.refused_expansions += 1;
        }
        let mut left = leaf.rng.below(descents.max(1));
        for (position, child) in tree.children(at).iter().enumerate() {
            if left < child.selections {
                return Some(position as u32);
            }
            left -= child.selections;
        }
        None
    }

    fn exactly(&self) -> Option<&dyn ContinuousActions<G>> {
        None
    }

    fn remembers(&self) -> bool {
        self.settings.rave.is_some()
    }

    fn record(&self, tree: &mut RuleTree<G, Self>, step: usize, leaf: &Leaf<G>, value: f64) {
        let Some(rave) = self.settings.rave else {
            return;
        };
        let at = leaf.path[step].node;
        let Some(player) = leaf.path[step].chooser else {
            return;
        };
        // What was played before this step belongs to the nodes above.
        let earlier = leaf.path[..step]
            .iter()
            .filter(|s| s.chooser.is_some())
            .count();
        let later = || {
            let played = leaf.played[earlier..].iter();
            played
                .filter(|(who, _)| *who == player)
                .map(|(_, action)| *action)
        };
        for child in tree.children_mut(at) {
            let EdgeKey::Action(own) = child.key else {
                continue;
            };
            // An action counts once a simulation: for the most alike of what was played.
            let weight = if rave.alike {
                let state = &leaf.states[step];
                let alike = later().map(|b| self.actions.kernel(self.game, state, own, b));
                alike.fold(0.0, f64::max)
            } else {
                f64::from(u8::from(later().any(|b| b == own)))
            };
            child.extra.visits += weight;
            child.extra.sum += weight * value;
        }
    }
}

impl<G: Game> WideningRule<'_, G> {
    /// The child with the highest upper confidence bound.
    fn best(
        &self,
        children: &[Child<GameKey<G>, Amaf>],
        total: u32,
        leaf: &mut Leaf<G>,
    ) -> Option<u32> {
        let bonus = self.settings.exploration * self.counts.sqrt_ln(total);
        let mut best = Best::new();
        for (position, child) in (0..).zip(children) {
            let mean = if child.visits > 0 {
                child.sum * self.counts.inverse(child.visits).0
            } else {
                // In flight and nothing known yet: as good as its siblings.
                siblings(children)
            };
            let value = self.with_amaf(mean * self.inverse_scale, child);
            let score = value + bonus * self.counts.inverse(child.selections).1;
            best.offer(score, position, position, &mut leaf.rng);
        }
        best.found.map(|found| found.0)
    }

    fn with_amaf(&self, value: f64, child: &Child<GameKey<G>, Amaf>) -> f64 {
        let Some(rave) = self.settings.rave else {
            return value;
        };
        let Amaf { visits, sum } = child.extra;
        match rave.weight(f64::from(child.visits), visits) {
            weight if weight > 0.0 => {
                (1.0 - weight) * value + weight * (sum / visits) * self.inverse_scale
            }
            _ => value,
        }
    }
}

/// The mean over all children with visits.
pub(crate) fn siblings<K, X>(children: &[Child<K, X>]) -> f64 {
    let (sum, visits) = children.iter().fold((0.0, 0_u64), |(sum, visits), child| {
        (sum + child.sum, visits + u64::from(child.visits))
    });
    if visits > 0 { sum / visits as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_may_have_so_many_children() {
        let children = |factor, exponent, n| Widening { factor, exponent }.children(n);
        for (n, most) in [(0, 1.0), (1, 1.0), (2, 2.0), (4, 2.0), (5, 3.0), (9, 3.0)] {
            assert_eq!(children(1.0, 0.5, n), most, "{n}");
        }
        assert_eq!(children(0.1, 1.0, 4), 1.0);
        assert_eq!(children(3.5, 0.0, 100), 4.0);
        assert_eq!(Widening::NONE.children(1), f64::INFINITY);
    }
}
