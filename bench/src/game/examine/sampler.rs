//! Worlds sampled for an observation against that observation.

use search_core::game::{Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};

use super::text;
use crate::experiment::match_driver::fingerprint;

/// Worlds sampled at each decision.
const WORLDS: u64 = 3;

/// Plays one random game and samples worlds at every decision, for the player to move and for everybody
/// else who has any. Returns how many it sampled.
///
/// In every world the player sees the same, and the same player is to move; to that player the same
/// actions are legal. The same random numbers give the same world, whatever was in the scratch.
pub(super) fn check<P: Plugin, D: Determinizer<P>>(
    game: &P,
    determinizer: &D,
    seed: Seed,
) -> Result<u64, String> {
    let mut rng = seed.stream();
    let mut state = game.initial_state(&mut rng);
    let mut legal = Vec::new();
    let mut worlds = 0;
    for ply in 0..=u64::from(game.max_turns()) {
        match game.turn(&state) {
            Turn::Terminal => break,
            Turn::Chance => {
                let outcome = game.sample_chance(&state, &mut rng);
                game.apply_chance(&mut state, outcome);
            }
            Turn::Player(mover) => {
                game.legal_actions(&state, &mut legal);
                for viewer in (0..game.num_players()).map(Player::new) {
                    let at = At {
                        seed: seed.child("worlds").index(ply),
                        mover,
                        viewer,
                    };
                    let each = sample(game, determinizer, &state, &legal, &at);
                    worlds += each.map_err(|what| {
                        format!(
                            "seed {}, ply {ply}, seat {}: {what}",
                            seed.0,
                            viewer.index()
                        )
                    })?;
                }
                let Some(action) = rng.pick(&legal) else {
                    return Err(format!("seed {}, ply {ply}: no legal action", seed.0));
                };
                game.apply(&mut state, action);
            }
        }
    }
    Ok(worlds)
}

struct At {
    seed: Seed,
    mover: Player,
    viewer: Player,
}

fn sample<P: Plugin, D: Determinizer<P>>(
    game: &P,
    determinizer: &D,
    state: &P::State,
    legal: &[P::Action],
    at: &At,
) -> Result<u64, String> {
    let observation = game.observe(state, at.viewer);
    let plan = match determinizer.plan(game, &observation) {
        Ok(plan) => plan,
        // Only the player to move must have a world: nobody else searches.
        Err(_) if at.viewer != at.mover => return Ok(0),
        Err(error) => return Err(format!("the true observation is refused: {error}")),
    };
    let expected = text(game, &observation);
    let mut world = determinizer.scratch(game, &observation, &plan);
    let mut twin = determinizer.scratch(game, &observation, &plan);
    let mut actions = Vec::new();
    for index in 0..WORLDS {
        for scratch in [&mut world, &mut twin] {
            let mut rng = at.seed.simulation(index);
            let weight = determinizer.sample(game, &observation, &plan, &mut rng, scratch);
            if !weight.is_finite() {
                return Err(format!("world {index} has the log weight {weight}"));
            }
        }
        if fingerprint(game, &world) != fingerprint(game, &twin) {
            return Err(format!("world {index} depends on what the scratch held"));
        }
        if game.turn(&world) != Turn::Player(at.mover) {
            return Err(format!("in world {index} somebody else is to move"));
        }
        if at.viewer == at.mover {
            game.legal_actions(&world, &mut actions);
            if actions != legal {
                return Err(format!("in world {index} other actions are legal"));
            }
        }
        let seen = text(game, &game.observe(&world, at.viewer));
        if seen != expected {
            return Err(format!(
                "world {index} shows the player something else: `{}`, not `{}`",
                seen.trim(),
                expected.trim()
            ));
        }
        // The twin goes into the next sample as the end of a game would: as something else.
        if let Some(first) = actions.first().filter(|_| at.viewer == at.mover) {
            game.apply(&mut twin, *first);
        }
    }
    Ok(WORLDS)
}
