//! Chance nodes: plain expectation, Star1 and Star2.

use super::Pruning;
use super::bound::{Bound, Window};
use super::decision::Plan;
use super::engine::{Answer, Engine, Halt};
use super::expand::Branch;
use crate::decision::SearchError;
use crate::game::{Game, Player, Turn};

/// A chance node's branches and what is known of them.
pub(super) struct Outlook<G: Game> {
    outcomes: Vec<(G::Chance, f64)>,
    /// More than there are outcomes, perhaps: kept for their memory.
    branches: Vec<Branch<G>>,
    children: Vec<Child>,
    order: Vec<Place>,
}

/// Whether the game is over, the weight and the number of a child.
type Place = (bool, f64, u32);

impl<G: Game> Default for Outlook<G> {
    fn default() -> Self {
        Self {
            outcomes: Vec::new(),
            branches: Vec::new(),
            children: Vec::new(),
            order: Vec::new(),
        }
    }
}

/// What is known of the position after one outcome.
#[derive(Default)]
struct Child {
    probability: f64,
    bound: Bound,
    kind: Kind,
    /// Whether it counts as visited.
    entered: bool,
    plan: Plan,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Terminal,
    Chance,
    Decision(Player),
}

/// The sums of the children's bounds, kept up to date.
#[derive(Clone, Copy)]
struct Sums {
    lower: f64,
    upper: f64,
}

impl Sums {
    fn of(children: &[Child]) -> Self {
        let mut sums = Self {
            lower: 0.0,
            upper: 0.0,
        };
        for child in children {
            sums.lower += child.probability * child.bound.lower;
            sums.upper += child.probability * child.bound.upper;
        }
        sums
    }

    fn replace(&mut self, probability: f64, old: Bound, new: Bound) {
        self.lower += probability * (new.lower - old.lower);
        self.upper += probability * (new.upper - old.upper);
    }

    fn decide(self, window: Window) -> bool {
        self.upper <= window.alpha || self.lower >= window.beta
    }

    /// Ballard's windows: what the child must be worth, the others being as bad or as good as can
    /// be, for the node to fall within `window`.
    fn window_of(self, child: &Child, window: Window) -> Window {
        let (p, known) = (child.probability, child.bound);
        Window {
            alpha: (window.alpha - (self.upper - p * known.upper)) / p,
            beta: (window.beta - (self.lower - p * known.lower)) / p,
        }
        .within(known)
    }
}

impl<G: Game> Engine<'_, G> {
    /// The value of a chance node that was entered.
    pub(super) fn chance(&mut self, state: &G::State, depth: u32, window: Window) -> Answer {
        let (key, found) = self.look_up(state, depth);
        let known = found.bound.unwrap_or(self.range);
        if known.decides(window) {
            return Ok(known);
        }
        self.nodes.chances += 1;
        let window = if self.prunes() {
            window.within(known)
        } else {
            Window::FULL
        };
        let mut outlook = self.memory.outlooks.pop().unwrap_or_default();
        let weighed = self.look_ahead(state, depth, &mut outlook);
        let weighed = weighed.and_then(|()| self.weigh((state, depth), window, &mut outlook));
        // Once more in the order of the outcomes, whatever the order of the search was: the running
        // sums have gathered rounding.
        let children = &outlook.children[..outlook.outcomes.len().min(outlook.children.len())];
        let sums = Sums::of(children);
        let found = Bound {
            lower: sums.lower,
            upper: sums.upper,
            complete: children.iter().all(|c| c.bound.complete),
        }
        .and(known);
        self.memory.outlooks.push(outlook);
        weighed?;
        if let Some(key) = key {
            self.memory.table.put(key, depth, found, None);
        }
        Ok(found)
    }

    /// Lists the branches and what the table knows of them.
    fn look_ahead(
        &mut self,
        state: &G::State,
        depth: u32,
        outlook: &mut Outlook<G>,
    ) -> Result<(), Halt> {
        let outcomes = self.parts.outcomes.ok_or_else(|| {
            Halt::fail(SearchError::BadSetting {
                name: "outcomes",
                value: "none".into(),
                expected: "the outcomes of the game's chance turns, with their probabilities",
            })
        })?;
        outcomes(self.game, state, &mut outlook.outcomes);
        let count = outlook.outcomes.len();
        if outlook.children.len() < count {
            outlook.children.resize_with(count, Child::default);
        }
        for (index, &(outcome, probability)) in outlook.outcomes.iter().enumerate() {
            if let Some(branch) = outlook.branches.get_mut(index) {
                branch.state.clone_from(state);
                branch.continuations.clear();
                (branch.outcome, branch.probability) = (outcome, probability);
            } else {
                outlook.branches.push(Branch {
                    outcome,
                    probability,
                    state: state.clone(),
                    continuations: Vec::new(),
                });
            }
            let branch = &mut outlook.branches[index];
            self.game.apply_chance(&mut branch.state, outcome);
            let child = &mut outlook.children[index];
            child.probability = probability;
            child.bound = self.range;
            child.entered = false;
            child.kind = match self.game.turn(&branch.state) {
                Turn::Terminal => Kind::Terminal,
                Turn::Chance => Kind::Chance,
                Turn::Player(player) => {
                    self.open(&branch.state, depth, &mut child.plan);
                    child.bound = child.plan.known;
                    Kind::Decision(player)
                }
            };
        }
        Ok(())
    }

    /// Looks at the branches until the node is known well enough.
    fn weigh(
        &mut self,
        (state, depth): (&G::State, u32),
        window: Window,
        outlook: &mut Outlook<G>,
    ) -> Result<(), Halt> {
        let count = outlook.outcomes.len();
        let Outlook {
            branches,
            children,
            order,
            ..
        } = outlook;
        let (branches, children) = (&mut branches[..count], &mut children[..count]);
        let mut sums = Sums::of(children);
        if sums.decide(window) {
            return Ok(());
        }
        let decides = |child: &Child| matches!(child.kind, Kind::Decision(_));
        if !self.single_actions
            && children.iter().any(decides)
            && self.parts.expand.expand_chance(self.game, state, branches)
        {
            for child in children.iter_mut() {
                child.plan.expanded = true;
            }
        }
        sort(children, order, self.prunes());
        if self.settings.pruning == Pruning::Star2 {
            for &(_, _, index) in order.iter() {
                let (branch, child) =
                    (&mut branches[index as usize], &mut children[index as usize]);
                let Kind::Decision(player) = child.kind else {
                    continue;
                };
                // A probe can only show that the mover is better off than the window: useless
                // where nobody could be.
                let hopeless = if player.index() == 0 {
                    sums.upper <= window.beta
                } else {
                    sums.lower >= window.alpha
                };
                if hopeless || child.bound.is_exact() {
                    continue;
                }
                let asked = sums.window_of(child, window);
                self.enter_child(child)?;
                let found = self.probe(
                    (&branch.state, player, depth),
                    asked,
                    &mut branch.continuations,
                    &mut child.plan,
                )?;
                sums.replace(child.probability, child.bound, found);
                child.bound = found;
                if sums.decide(window) {
                    return Ok(());
                }
            }
            sort(children, order, true);
        }
        for &(_, _, index) in order.iter() {
            let (branch, child) = (&mut branches[index as usize], &mut children[index as usize]);
            if child.bound.is_exact() {
                continue;
            }
            let asked = if self.prunes() {
                sums.window_of(child, window)
            } else {
                Window::FULL
            };
            let found = match child.kind {
                Kind::Terminal => {
                    self.enter_child(child)?;
                    self.terminal(&branch.state)?
                }
                // Nobody decides anything on this turn: it counts all the same, so that a game in
                // which everybody passes for ever has a depth, too.
                Kind::Chance => self.value(&branch.state, depth - 1, asked)?,
                Kind::Decision(player) => {
                    self.enter_child(child)?;
                    self.decision(
                        (&branch.state, player, depth),
                        asked,
                        &mut branch.continuations,
                        &mut child.plan,
                    )?
                }
            };
            sums.replace(child.probability, child.bound, found);
            child.bound = found;
            if sums.decide(window) {
                break;
            }
        }
        Ok(())
    }

    /// Counts a branch as visited, once.
    fn enter_child(&mut self, child: &mut Child) -> Result<(), Halt> {
        if !child.entered {
            self.enter()?;
            child.entered = true;
        }
        Ok(())
    }
}

/// Ends of the game first, since they cost nothing; then by probability times width, which is how
/// much a child can still move the node.
fn sort(children: &[Child], order: &mut Vec<Place>, by_weight: bool) {
    order.clear();
    order.extend(children.iter().zip(0..).map(|(child, index)| {
        let weight = child.probability * child.bound.width();
        (child.kind == Kind::Terminal, weight, index)
    }));
    if by_weight {
        order.sort_unstable_by(|a, b| {
            let heavier = b.1.total_cmp(&a.1);
            b.0.cmp(&a.0).then(heavier).then(a.2.cmp(&b.2))
        });
    }
}
