//! What rollouts learn from those before them, and what is learnt of actions everywhere.

use super::memory::{Memory, Move};
use super::settings::{Learning, MctsSettings};
use crate::game::{Game, Player, Returns};
use crate::rng::{Draw, SimRng};

/// The action that a rollout plays instead of its policy's, if it has learnt one.
pub(super) fn guide<G: Game>(
    learning: Learning,
    memory: &Memory<G>,
    player: Player,
    legal: &[G::Action],
    last: Option<Move<G>>,
    rng: &mut SimRng,
) -> Option<G::Action> {
    match learning {
        Learning::Nothing => None,
        Learning::LastGoodReply => {
            let reply = *memory.replies.get(&(player, last?.1))?;
            legal.binary_search(&reply).is_ok().then_some(reply)
        }
        Learning::Mast { epsilon } => {
            if rng.unit() < epsilon {
                return None;
            }
            best_on_average(memory, player, legal, rng)
        }
    }
}

/// The legal action with the best mean over all simulations; those never played come first. Ties go to
/// each with equal probability.
fn best_on_average<G: Game>(
    memory: &Memory<G>,
    player: Player,
    legal: &[G::Action],
    rng: &mut SimRng,
) -> Option<G::Action> {
    let (mut best, mut ties, mut found) = (f64::NEG_INFINITY, 0, None);
    for &action in legal {
        let mean = memory.means.get(&(player, action));
        let value = mean.map_or(f64::INFINITY, |mean| mean.value());
        if value > best {
            (best, ties, found) = (value, 1, Some(action));
        } else if value == best {
            ties += 1;
            if rng.below(ties) == 0 {
                found = Some(action);
            }
        }
    }
    found
}

/// Learns from the moves of one simulation.
pub(super) fn learn<G: Game>(settings: &MctsSettings, memory: &mut Memory<G>, returns: &Returns) {
    if settings.keeps_means() {
        for &played in &memory.moves {
            let mean = memory.means.entry(played).or_default();
            mean.add(returns.of(played.0));
        }
    }
    if settings.learning == Learning::LastGoodReply {
        for pair in memory.moves.windows(2) {
            let (_, before) = pair[0];
            let (player, reply) = pair[1];
            let usual = memory.returns[player.index()];
            if usual.n > 0 && returns.of(player) > usual.value() {
                memory.replies.insert((player, before), reply);
            } else if memory.replies.get(&(player, before)) == Some(&reply) {
                memory.replies.remove(&(player, before));
            }
        }
        for (mean, &value) in memory.returns.iter_mut().zip(returns.iter()) {
            mean.add(value);
        }
    }
}
