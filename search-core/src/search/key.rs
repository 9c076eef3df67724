//! What labels the edges of a game's tree.

use crate::game::Game;
use crate::tree::EdgeKey;

/// The key of a game's edges.
pub type GameKey<G> = EdgeKey<<G as Game>::Action, <G as Game>::Chance>;
