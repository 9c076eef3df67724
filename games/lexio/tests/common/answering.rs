//! What the tests of answer probabilities share.
#![allow(dead_code)]

use lexio::{Action, Combination, Lexio, Tiles};

use super::action;

/// The hand on which another program took 124 ms for one decision.
pub(crate) const SLOW: &str = "3C 3D 4C 4H 5D 7C 9C 10C 11H 12C 12D 2C";

/// The play of a text.
pub(crate) fn play(game: &Lexio, text: &str) -> Combination {
    game.classify(action(text)).unwrap()
}

/// Every play of a hand.
pub(crate) fn plays(game: &Lexio, hand: Tiles) -> Vec<Combination> {
    let mut out = Vec::new();
    game.plays(hand, None, &mut out);
    out.iter().map(|a| game.classify(*a).unwrap()).collect()
}

/// Whether a hand can answer, by the generator of legal plays.
pub(crate) fn can_answer(
    game: &Lexio,
    hand: Tiles,
    target: Combination,
    out: &mut Vec<Action>,
) -> bool {
    game.plays(hand, Some(target), out);
    !out.is_empty()
}

/// A share of `n` trials is within so many standard errors of `p`, exactly right when `p` is 0 or 1.
pub(crate) fn within(share: f64, p: f64, n: u32, sigma: f64, row: usize) {
    let error = (p * (1.0 - p) / f64::from(n)).sqrt();
    assert!(
        (share - p).abs() <= sigma * error + 1e-12,
        "row {row}: {share} for {p}"
    );
}
