//! Othello by name.

use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, ListOutcomes, Player};
use search_core::observation::Identity;
use search_core::plugin::{NoOptions, Plugin, PluginError, SharedPolicy};
use search_core::search::expectimax::DepthFirst;
use std::sync::Arc;

use super::{Othello, Position, agent, evaluation, text};

/// Discs and whose turn it is in 128 bits: the occupied squares, and of them the black ones. White to move
/// is told by adding the empty squares to these: while anybody is to move there is one.
fn key(_: &Othello, position: &Position) -> u128 {
    let black = position.discs(Player::new(0));
    let occupied = position.own | position.other;
    let white_moves = !position.is_over() && position.status.mover() == 1;
    let first = if white_moves {
        black | !occupied
    } else {
        black
    };
    u128::from(first) << 64 | u128::from(occupied)
}

impl Plugin for Othello {
    type Options = NoOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "othello";
    const ABOUT: &'static str = "discs between two of the opponent's turn over; more discs win";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn picture(&self, position: &Position) -> String {
        text::picture(position)
    }

    /// The squares row by row from a1, `X` for black, `O` for white and `-` for empty, then whose turn it is
    /// (`-` after the end).
    fn format_observation(&self, position: &Position) -> Option<String> {
        Some(position.to_string())
    }

    /// Reads that, and also the moves from the start, `f5d6c3`, passes left out or written `pass`.
    fn parse_observation(&self, text: &str) -> Result<Position, PluginError> {
        text.parse()
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![
            ("start", String::new()),
            (
                "a line of 16 moves",
                "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6".into(),
            ),
            (
                "the shortest game is one move from its end",
                "e6f4e3f6g5d6e7f5".into(),
            ),
        ]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![(
            "positional",
            "plays on the square that is worth most by itself: corners first, squares beside them last",
        )]
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok((name == "positional").then(|| Arc::new(agent::Positional) as SharedPolicy<Self>))
    }

    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        Some(DepthFirst::new(evaluation::SquaresAndMoves).with_key(key))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, draw 0, loss -1)"
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["discs", "empty"]
    }

    fn metrics(&self, finished: &Position, player: Player) -> Vec<f64> {
        vec![
            f64::from(finished.discs(player).count_ones()),
            f64::from(finished.empty()),
        ]
    }
}
