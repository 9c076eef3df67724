//! The rules of every game: random playouts from the start, and worlds with a playout each.

use serde::Serialize;

use super::{Extent, median};
use crate::error::Result;
use crate::game::Pace;
use crate::registry::Registry;

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The game.
    pub game: String,
    /// Random playouts from the start a processor second: no search with random rollouts and everything
    /// visible is faster by much.
    pub playouts_per_second: f64,
    /// Turns of a playout, chance's included.
    pub turns: f64,
    /// Worlds sampled and played out a processor second; none where nothing is hidden.
    pub redeals_and_playouts_per_second: Option<f64>,
}

/// Measures every game of a registry with its default options.
///
/// # Errors
/// When a game refuses its own defaults or cannot be played.
pub fn measure(registry: &Registry, extent: Extent<'_>) -> Result<Vec<Row>> {
    let names = registry.games().map(crate::game::GameEntry::name);
    let names: Vec<&str> = names.filter(|name| extent.wants(name)).collect();
    let games = names.iter().map(|name| registry.open(name));
    let games: Vec<_> = games.collect::<Result<_>>()?;
    let mut paces: Vec<Vec<Pace>> = vec![Vec::new(); games.len()];
    for _ in 0..extent.turns() {
        for (game, paces) in games.iter().zip(&mut paces) {
            paces.push(game.pace(extent.time())?);
        }
    }
    let rows = names.iter().zip(paces).map(|(name, paces)| {
        let redeals: Option<Vec<f64>> = paces.iter().map(|p| p.redeals_per_second).collect();
        Row {
            game: (*name).into(),
            playouts_per_second: median(paces.iter().map(|p| p.playouts_per_second).collect()),
            turns: median(paces.iter().map(|p| p.turns).collect()),
            redeals_and_playouts_per_second: redeals.map(median),
        }
    });
    Ok(rows.collect())
}
