//! Pure strategies by enumeration, and what perfect-information Monte Carlo makes of a game.

use search_core::game::{InfoKey, Player, Returns};

use super::response::first_best;
use super::{GameTree, InfoSetIndex, Profile};

/// What the first player can secure with pure strategies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PureValues {
    /// Over the first player's pure strategies, the greatest of the least return that the others'
    /// pure strategies leave.
    pub max_min: f64,
    /// Over the others' pure strategies, the least of the greatest return of the first player.
    pub min_max: f64,
}

/// The values of player 0 in pure strategies, the others together minimising *that* return, by
/// enumeration; `None` when one side has more than `limit` pure strategies.
#[must_use]
pub fn pure_values<G: InfoKey>(tree: &GameTree<G>, limit: usize) -> Option<PureValues> {
    let first = Player::default();
    let (own, other): (Vec<_>, Vec<_>) = tree
        .info_sets()
        .map(|(index, set)| (index, set.actions.len(), set.player))
        .partition(|(_, _, player)| *player == first);
    let size = |sets: &[(InfoSetIndex, usize, Player)]| {
        sets.iter()
            .try_fold(1_usize, |n, (_, actions, _)| n.checked_mul(*actions))
            .filter(|n| *n <= limit)
    };
    let (rows, columns) = (size(&own)?, size(&other)?);
    let mut profile = tree.uniform();
    let mut choose = |sets: &[(InfoSetIndex, usize, Player)], mut number: usize| {
        for (index, actions, _) in sets {
            let row = &mut profile.rows[index.0 as usize];
            row.fill(0.0);
            row[number % actions] = 1.0;
            number /= actions;
        }
        profile.clone()
    };
    let mut least = vec![f64::INFINITY; rows];
    let mut greatest = vec![f64::NEG_INFINITY; columns];
    for (row, least) in least.iter_mut().enumerate() {
        for (column, greatest) in greatest.iter_mut().enumerate() {
            choose(&own, row);
            let value = tree.value(&choose(&other, column)).of(first);
            *least = least.min(value);
            *greatest = greatest.max(value);
        }
    }
    Some(PureValues {
        max_min: least.into_iter().fold(f64::NEG_INFINITY, f64::max),
        min_max: greatest.into_iter().fold(f64::INFINITY, f64::min),
    })
}

/// The limit of perfect-information Monte Carlo (PIMC): for every information set, the mean value
/// of every action to its player over the nodes it may be, when from there on everybody sees
/// everything and maximises the own return (max^n; among equals the first action).
///
/// A node weighs what chance makes of it times the others' moves taken as uniformly random, which
/// over equally likely deals is the uniform redeal.
#[must_use]
pub fn pimc_values<G: InfoKey>(tree: &GameTree<G>) -> Vec<(InfoSetIndex, Vec<f64>)> {
    let values = tree.values_by(|info_set, children, values| {
        let player = tree.info_sets[info_set.0 as usize].player;
        let own: Vec<f64> = children
            .iter()
            .map(|child| values[*child as usize].of(player))
            .collect();
        values[children[first_best(&own)] as usize]
    });
    means(tree, &values)
}

/// The mean value of every action over the nodes of its information set, each weighing what chance makes
/// of it times the others' moves taken as uniformly random.
fn means<G: InfoKey>(tree: &GameTree<G>, values: &[Returns]) -> Vec<(InfoSetIndex, Vec<f64>)> {
    let uniform: Profile = tree.uniform();
    let reach: Vec<Vec<f64>> = (0..tree.players)
        .map(|player| tree.reach_without(Player::new(player), &uniform))
        .collect();
    let sets = tree.info_sets().map(|(index, set)| {
        let reach = &reach[set.player.index()];
        let mut means = vec![0.0; set.actions.len()];
        let total: f64 = set.nodes.iter().map(|node| reach[*node as usize]).sum();
        for node in &set.nodes {
            let weight = reach[*node as usize] / total;
            for (mean, child) in means.iter_mut().zip(tree.children(*node)) {
                *mean += weight * values[*child as usize].of(set.player);
            }
        }
        (index, means)
    });
    sets.collect()
}

/// What perfect-information Monte Carlo plays with enough worlds: in every information set an action of
/// the highest [`pimc_values`], each with the same probability where several are equal within 1e-9.
#[must_use]
pub fn pimc_profile<G: InfoKey>(tree: &GameTree<G>) -> Profile {
    best_of(tree, pimc_values(tree))
}

/// What imperfect-information Monte Carlo with playouts by `base` converges to (IIMC, Furtak & Buro 2013): in
/// every information set the action with the highest mean over the nodes that it may be, weighed as by
/// [`pimc_values`], when from there on everybody plays as `base` says, each from the own information; actions
/// that are equal within 1e-9 have the same probability.
#[must_use]
pub fn iimc_profile<G: InfoKey>(tree: &GameTree<G>, base: &Profile) -> Profile {
    let values = tree.values_with(base);
    best_of(tree, means(tree, &values))
}

/// The best actions of every information set with the same probability each.
fn best_of<G: InfoKey>(tree: &GameTree<G>, values: Vec<(InfoSetIndex, Vec<f64>)>) -> Profile {
    let mut profile = tree.uniform();
    for (index, values) in values {
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let chosen = values.iter().filter(|value| **value >= best - 1e-9).count();
        let row = &mut profile.rows[index.0 as usize];
        for (probability, value) in row.iter_mut().zip(values) {
            *probability = if value >= best - 1e-9 {
                1.0 / chosen as f64
            } else {
                0.0
            };
        }
    }
    profile
}
