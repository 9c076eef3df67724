//! What an agent says about its choice: the best few shots by name.

use search_core::budget::StopReason;
use search_core::decision::{Candidate, Decision, Effort};

use crate::action::Action;
use crate::game::Curling;
use crate::lattice::grid::Lattice;
use crate::lattice::search::{Found, Stopped};
use crate::shots;
use crate::state::State;

/// How many candidates are reported.
pub const REPORTED: usize = 12;
/// How many of the best are looked at for as many names.
const NAMED: usize = 6 * REPORTED;

/// The chosen candidate and the best others, [`REPORTED`] at most, in ascending order of the action.
///
/// Neighbours on the lattice are mostly the same shot, so where all have a value those come first that
/// are better than their neighbours. Of one name the best comes first; others of that name only fill up.
#[must_use]
pub(super) fn candidates(
    game: &Curling,
    state: &State,
    lattice: &Lattice,
    found: &Found,
) -> Vec<Candidate<Action>> {
    let Some(best) = found.best else {
        return Vec::new();
    };
    let action = |m: usize| lattice.meant(m).release.map(Action::shot);
    let mut names: Vec<String> = Vec::new();
    let mut taken: Vec<(Action, f64)> = Vec::new();
    let mut alike: Vec<(Action, f64)> = Vec::new();
    let order = std::iter::once(best).chain(others(lattice, found, best));
    for m in order.take(NAMED) {
        let (Some(action), Some(value)) = (action(m), found.searched(m)) else {
            continue;
        };
        if taken.len() == REPORTED {
            break;
        }
        if taken.iter().chain(&alike).any(|(a, _)| *a == action) {
            continue;
        }
        let name = shots::describe(game, state, action);
        if names.contains(&name) {
            alike.push((action, value));
        } else {
            names.push(name);
            taken.push((action, value));
        }
    }
    alike.truncate(REPORTED - taken.len());
    taken.append(&mut alike);
    let chosen = action(best);
    taken.sort_by_key(|(action, _)| *action);
    taken
        .into_iter()
        .map(|(action, mean)| valued(action, mean, chosen == Some(action)))
        .collect()
}

/// The candidates other than the chosen one in the order in which they are looked at.
fn others(lattice: &Lattice, found: &Found, best: usize) -> impl Iterator<Item = usize> {
    let all = found.deep.is_empty() || found.settled;
    let value = |m: usize| found.searched(m).filter(|v| v.is_finite());
    let stands_out = |m: usize, v: f64| {
        lattice.neighbours(m).all(|n| {
            let other = found.shallow[n];
            v > other || v == other && m < n
        })
    };
    let mut order: Vec<(bool, f64, usize)> = (0..lattice.len())
        .filter(|m| *m != best)
        .filter_map(|m| value(m).map(|v| (all && !stands_out(m, found.shallow[m]), v, m)))
        .collect();
    order.sort_by(|a, b| {
        let better = b.1.total_cmp(&a.1);
        a.0.cmp(&b.0).then(better).then(a.2.cmp(&b.2))
    });
    order.into_iter().map(|(_, _, m)| m)
}

fn valued(action: Action, mean: f64, chosen: bool) -> Candidate<Action> {
    Candidate {
        action,
        visits: 1,
        mean,
        std_error: 0.0,
        availability: 1,
        policy: f64::from(u8::from(chosen)),
        proven: None,
        versus_chosen: None,
    }
}

/// What a search took.
#[must_use]
pub(super) fn effort(found: &Found, depth: u32, deterministic: bool) -> Effort {
    Effort {
        simulations: found.shots,
        edges: found.nodes,
        truncated_rollouts: found.cut_short,
        depth,
        worlds: 1,
        effective_sample_size: 1.0,
        deterministic,
        stop: match found.stopped {
            None => StopReason::Depth,
            Some(Stopped::Shots) => StopReason::Simulations,
            Some(Stopped::Time) => StopReason::Time,
        },
        ..Effort::default()
    }
}

/// The decision for the best of some actions that are valued as they are; of equals for the first.
#[must_use]
pub(super) fn best_of(values: &[(Action, f64)]) -> Option<Decision<Action>> {
    let best = values
        .iter()
        .fold(None, |best: Option<(Action, f64)>, next| match best {
            Some((_, top)) if top >= next.1 => best,
            _ => Some(*next),
        });
    let (action, _) = best?;
    let mut values = values.to_vec();
    values.sort_by_key(|(action, _)| *action);
    let candidates = values
        .into_iter()
        .map(|(other, mean)| valued(other, mean, other == action))
        .collect();
    Some(Decision {
        action,
        candidates,
        effort: effort(&Found::default(), 1, true),
    })
}
