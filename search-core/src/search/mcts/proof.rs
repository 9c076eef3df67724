//! What is certain of nodes, and what a heuristic says, backed up from their children.
//!
//! Bounds on the returns of every player (Cazenave & Saffidine 2010, for any number of players): at a
//! decision the mover gets at least the best lower bound and at most the best upper bound of the
//! children; the others get something between what they get in the children that the mover may choose,
//! those that are not certainly worse for the mover than another. At a chance node whose outcomes are
//! all listed bounds are weighted by their probabilities. A mover who is indifferent leaves the
//! others' bounds apart: no choice between equals is made here.

use super::memory::{Memory, Noted, Record};
use crate::game::{Game, Player, Returns};
use crate::search::kernel::Step;
use crate::search::key::GameKey;
use crate::tree::Tree;

/// Bounds on everybody's return.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) lower: Returns,
    pub(super) upper: Returns,
}

/// The numbers of a game that bounds begin with.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) players: usize,
    pub(super) range: (f64, f64),
    /// What everybody's returns sum to, where that is always the same.
    pub(super) sum: Option<f64>,
}

impl Frame {
    /// What bounds on the others' returns say of a player's where the sum is known.
    fn tightened(self, mut bounds: Bounds) -> Bounds {
        let Some(sum) = self.sum else {
            return bounds;
        };
        let Bounds { lower, upper } = bounds;
        let all = |of: &Returns| of.iter().sum::<f64>();
        let (least, most) = (all(&lower), all(&upper));
        for player in (0..self.players).map(Player::new) {
            let others_most = most - upper.of(player);
            let others_least = least - lower.of(player);
            let low = lower.of(player).max(sum - others_most);
            let high = upper.of(player).min(sum - others_least);
            // Rounding never makes a bound cross the other.
            if low <= high {
                bounds.lower.set(player, low);
                bounds.upper.set(player, high);
            }
        }
        bounds
    }

    fn nothing(self) -> Bounds {
        Bounds {
            lower: Returns::splat(self.players, self.range.0),
            upper: Returns::splat(self.players, self.range.1),
        }
    }

    fn of<G: Game>(self, memory: &Memory<G>, noted: &Noted) -> Bounds {
        match memory.record(noted) {
            Some(record) => Bounds {
                lower: record.lower,
                upper: record.upper,
            },
            None => self.nothing(),
        }
    }
}

impl Record {
    /// The value, where it is proven for everybody.
    pub(super) fn value(&self) -> Option<Returns> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Bounds of a node at which `mover` decides, from those of all its children.
pub(super) fn at_decision(mover: Player, children: impl Iterator<Item = Bounds> + Clone) -> Bounds {
    let best = |bound: fn(&Bounds, Player) -> f64| {
        let values = children.clone().map(move |c| bound(&c, mover));
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    let least = best(|c, p| c.lower.of(p));
    let most = best(|c, p| c.upper.of(p));
    let mut hull: Option<Bounds> = None;
    for child in children.filter(|c| c.upper.of(mover) >= least) {
        let bounds = hull.get_or_insert(child);
        for player in (0..child.lower.len()).map(Player::new) {
            let lower = bounds.lower.of(player).min(child.lower.of(player));
            let upper = bounds.upper.of(player).max(child.upper.of(player));
            bounds.lower.set(player, lower);
            bounds.upper.set(player, upper);
        }
    }
    let mut bounds = hull.expect("a decision has children");
    bounds.lower.set(mover, least);
    bounds.upper.set(mover, most);
    bounds
}

/// Bounds of a chance node, from those of all its outcomes with their probabilities. What rounding
/// would put outside the range of returns is put back.
pub(super) fn at_chance(frame: Frame, outcomes: impl Iterator<Item = (f64, Bounds)>) -> Bounds {
    let mut bounds = Bounds {
        lower: Returns::splat(frame.players, 0.0),
        upper: Returns::splat(frame.players, 0.0),
    };
    for (p, outcome) in outcomes {
        for player in (0..frame.players).map(Player::new) {
            let lower = bounds.lower.of(player) + p * outcome.lower.of(player);
            let upper = bounds.upper.of(player) + p * outcome.upper.of(player);
            bounds.lower.set(player, lower);
            bounds.upper.set(player, upper);
        }
    }
    bounds
}

/// Carries what became certain of the last node of a path up to where nothing changes any more.
/// `listed`: chance nodes list all outcomes.
pub(super) fn prove<G: Game, T: Tree<GameKey<G>, Noted>>(
    tree: &T,
    memory: &mut Memory<G>,
    path: &[Step<T::Id>],
    value: &Returns,
    frame: Frame,
    listed: bool,
) {
    let exact = Bounds {
        lower: *value,
        upper: *value,
    };
    let mut changed = match path.last() {
        Some(step) => write(memory, tree.edge(step.id).extra(), frame, exact),
        None => false,
    };
    for pair in path.windows(2).rev() {
        if !changed {
            return;
        }
        let (node, chooser) = (pair[0].id, pair[1].chooser);
        let children = tree.children(node).map(|(_, edge)| edge);
        let bounds = match chooser {
            Some(mover) => {
                let all: Vec<Bounds> = children.map(|e| frame.of(memory, e.extra())).collect();
                frame.tightened(at_decision(mover, all.iter().copied()))
            }
            None if listed => {
                let weighted = children.map(|e| (e.probability(), frame.of(memory, e.extra())));
                frame.tightened(at_chance(frame, weighted))
            }
            None => return,
        };
        changed = write(memory, tree.edge(node).extra(), frame, bounds);
    }
}

/// Notes bounds of a node; whether they say more than before.
fn write<G: Game>(memory: &mut Memory<G>, noted: &Noted, frame: Frame, bounds: Bounds) -> bool {
    let old = frame.of(memory, noted);
    if old == bounds {
        return false;
    }
    let Some(record) = memory.record_mut(noted, frame.players, frame.range) else {
        return false;
    };
    (record.lower, record.upper) = (bounds.lower, bounds.upper);
    true
}

/// Backs the heuristic's values up along a path: a node is worth what its best child is worth, for the
/// player who decides there (implicit minimax, Lanctot et al. 2014, with max^n for more players).
pub(super) fn back_up_heuristic<G: Game, T: Tree<GameKey<G>, Noted>>(
    tree: &T,
    memory: &mut Memory<G>,
    path: &[Step<T::Id>],
    frame: Frame,
) {
    // The last node may have been expanded without a child being followed; its movers are unknown.
    for pair in path.windows(2).rev() {
        let Some(mover) = pair[1].chooser else {
            return;
        };
        let mut best: Option<Returns> = None;
        for (_, edge) in tree.children(pair[0].id) {
            let values = memory.record(edge.extra()).and_then(|r| r.backed_up);
            if let Some(values) = values
                && best.is_none_or(|best| values.of(mover) > best.of(mover))
            {
                best = Some(values);
            }
        }
        let noted = tree.edge(pair[0].id).extra();
        let (Some(best), Some(record)) =
            (best, memory.record_mut(noted, frame.players, frame.range))
        else {
            return;
        };
        record.backed_up = Some(best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(lower: &[f64], upper: &[f64]) -> Bounds {
        Bounds {
            lower: Returns::from_slice(lower),
            upper: Returns::from_slice(upper),
        }
    }

    #[test]
    fn an_indifferent_mover_leaves_the_others_apart() {
        let children = [
            bounds(&[1.0, 0.0, 2.0], &[1.0, 0.0, 2.0]),
            bounds(&[1.0, 3.0, 1.0], &[1.0, 3.0, 1.0]),
            bounds(&[0.0, 9.0, 9.0], &[0.5, 9.0, 9.0]),
        ];
        let node = at_decision(Player::new(0), children.iter().copied());
        assert!(node == bounds(&[1.0, 0.0, 1.0], &[1.0, 3.0, 2.0]));
        // The second is worth as much at best, and then it may be chosen.
        let children = [
            bounds(&[1.0, 0.0, 2.0], &[1.0, 0.0, 2.0]),
            bounds(&[0.0, 3.0, 1.0], &[1.0, 3.0, 1.0]),
        ];
        let node = at_decision(Player::new(0), children.iter().copied());
        assert!(node == bounds(&[1.0, 0.0, 1.0], &[1.0, 3.0, 2.0]));
    }

    #[test]
    fn a_known_sum_bounds_everybody() {
        let frame = Frame {
            players: 3,
            range: (0.0, 1.0),
            sum: Some(1.0),
        };
        let node = frame.tightened(bounds(&[0.5, 0.0, 0.0], &[0.75, 1.0, 0.25]));
        assert!(node == bounds(&[0.5, 0.0, 0.0], &[0.75, 0.5, 0.25]));
        let two = Frame {
            players: 2,
            range: (-1.0, 1.0),
            sum: Some(0.0),
        };
        assert!(
            two.tightened(bounds(&[0.0, -1.0], &[0.0, 1.0])) == bounds(&[0.0, 0.0], &[0.0, 0.0])
        );
    }

    #[test]
    fn chance_weighs_bounds() {
        let frame = Frame {
            players: 2,
            range: (-1.0, 1.0),
            sum: None,
        };
        let outcomes = [
            (0.25, bounds(&[1.0, -1.0], &[1.0, -1.0])),
            (0.75, bounds(&[-1.0, 0.0], &[0.0, 1.0])),
        ];
        let node = at_chance(frame, outcomes.into_iter());
        assert!(node == bounds(&[-0.5, -0.25], &[0.25, 0.5]));
    }
}
