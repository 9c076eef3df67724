//! Sets a search with several observers up, or the searches of a parallel one, and merges them.

use crate::budget::Budget;
use crate::decision::SearchError;
use crate::game::{Game, Sight};
use crate::rng::Seed;
use crate::rollout::LeafEvaluator;
use crate::search::root::RootStatistics;
use crate::search::tree_search::{Parallel, Share, TreeSettings};
use crate::search::worlds::{Root, Worlds};
use crate::tree::{Limits, Storage};

use super::kernel::{Observing, Searched, Trees};
use super::key::{Key, ObservedKey};
use super::redeal::Redeal;

/// What a search is made of.
pub(crate) struct Parts<'a, G: Game, W, E, R> {
    pub(crate) game: &'a G,
    pub(crate) worlds: &'a W,
    pub(crate) evaluator: &'a E,
    pub(crate) redeal: &'a R,
    pub(crate) trees: Trees,
    pub(crate) sight: Sight<G>,
}

/// Runs one search, or the independent ones of a parallel one, and merges them.
pub(crate) fn run<G, W, E, R, S>(
    settings: &TreeSettings,
    parts: &Parts<'_, G, W, E, R>,
    storages: &mut Vec<S>,
    root: &Root<G::Action>,
    budget: &Budget,
    seed: Seed,
) -> Result<Searched<G>, SearchError>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Redeal<G>,
    S: Storage<Key<G>>,
{
    settings.check()?;
    let ucb = settings.ucb(parts.game)?;
    if settings.skip_forced && root.legal.len() == 1 {
        return Ok((RootStatistics::settled(), None));
    }
    let searches = match settings.parallel {
        Parallel::Root { trees } => u64::from(trees).min(budget.simulations.unwrap_or(u64::MAX)),
        _ => 1,
    };
    let threads = settings.threads.max(1);
    storages.resize_with(storages.len().max(searches as usize), S::default);
    let share = Share::of(budget, searches, threads as u64);
    let mut jobs: Vec<_> = storages[..searches as usize]
        .iter_mut()
        .zip(0..searches)
        .map(|(storage, search)| (storage, search, None))
        .collect();
    crate::parallel::for_each(threads, &mut jobs, &|(storage, search, result)| {
        let search = *search;
        let kernel = Observing {
            game: parts.game,
            worlds: parts.worlds,
            evaluator: parts.evaluator,
            redeal: parts.redeal,
            trees: parts.trees,
            sight: parts.sight,
            player: root.player,
            ucb,
            budget,
            simulations: budget
                .simulations
                .map(|n| share.end(n, search) - share.start(n, search)),
            time: share.time,
            seed,
            redeals: seed.child("redeal"),
            first: match budget.simulations {
                Some(n) => share.start(n, search),
                // Far apart, since nobody knows how far each will come.
                None => search << 40,
            },
            batch: match settings.parallel {
                Parallel::Batch { size } => size as usize,
                _ => 1,
            },
            threads: if searches > 1 { 1 } else { threads },
            reports: search == 0,
            snapshot: settings.keep_tree && search == 0,
        };
        let limits = with_roots(share.limits, parts);
        *result = Some(storage.with(ObservedKey::Root(root.player), limits, kernel));
    });
    let mut merged = RootStatistics::empty();
    let mut kept = None;
    for (_, _, result) in jobs {
        if let Some(searched) = result {
            let (statistics, snapshot) = searched?;
            merged.merge(statistics);
            kept = kept.or(snapshot);
        }
    }
    Ok((merged, kept))
}

/// The roots of the trees do not count as edges.
fn with_roots<G: Game, W, E, R>(limits: Limits, parts: &Parts<'_, G, W, E, R>) -> Limits {
    let roots = match parts.trees {
        Trees::EachPlayer => parts.game.num_players() as u64,
        _ => 0,
    };
    Limits {
        edges: limits.edges.map(|n| n.saturating_add(roots)),
        ..limits
    }
}
