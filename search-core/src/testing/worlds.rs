//! Sampled worlds and information sets.

use std::collections::HashMap;

use super::{check_returns, check_same, draw, legal, walk};
use crate::game::{Game, InfoKey, Player, Turn};
use crate::observation::Determinizer;
use crate::rng::Seed;

/// T-DT1 and T-DT8 at every player's turn of `games` random games, `worlds` samples each: in every
/// sampled world the same player is to move with the same legal actions and the same observation,
/// whatever the scratch held; the weight is finite; the same generator gives the same world; and
/// the world can be played to its end.
///
/// # Panics
/// At the first breach, naming the seed, the game and the ply.
pub fn check_determinizer<G, D>(game: &G, determinizer: &D, games: u32, worlds: u32, seed: Seed)
where
    G: Game<Observation: PartialEq>,
    D: Determinizer<G>,
{
    walk(game, games, seed, |state, _, at| {
        let Turn::Player(player) = game.turn(state) else {
            return;
        };
        let observation = game.observe(state, player);
        let plan = match determinizer.plan(game, &observation) {
            Ok(plan) => plan,
            Err(error) => panic!("T-DT1: the true observation is refused: {error} ({at})"),
        };
        let mut world = determinizer.scratch(game, &observation, &plan);
        let mut other = determinizer.scratch(game, &observation, &plan);
        let seed = seed
            .index(at.game.into())
            .child("worlds")
            .index(at.ply.into());
        for index in 0..worlds {
            let mut rng = seed.simulation(index.into());
            let sample = |world: &mut G::State| {
                let weight =
                    determinizer.sample(game, &observation, &plan, &mut rng.clone(), world);
                assert!(
                    weight.is_finite(),
                    "T-DT1: log-weight {weight} of world {index} ({at})"
                );
                weight
            };
            // `other` still holds the end of the previous playout.
            let weights = (sample(&mut world), sample(&mut other));
            assert!(
                weights.0 == weights.1,
                "T-DT8: weights of world {index} differ: {weights:?} ({at})"
            );
            check_same(game, "T-DT8: the same generator twice", &world, &other, at);
            check_same(game, "T-DT1: a sampled world", state, &world, at);
            assert!(
                game.observe(&world, player) == observation,
                "T-DT1: world {index} shows {player:?} something else ({at})"
            );
            for viewer in (0..game.num_players()).map(Player::new) {
                assert!(
                    game.observe(&world, viewer) == game.observe(&other, viewer),
                    "T-DT8: world {index} depends on what the scratch held ({at})"
                );
            }
            let mut rng = Seed(rng.next()).stream();
            let mut end = at;
            while let Some(step) = draw(game, &other, &mut rng, end) {
                step.play(game, &mut other);
                end.ply += 1;
                assert!(
                    end.ply - at.ply <= game.max_turns(),
                    "T-GC4: world {index} does not end ({at})"
                );
            }
            check_returns(
                game,
                "returns of a sampled world",
                &game.returns(&other),
                at,
            );
        }
    });
}

/// T-HI1 on `games` random games: states with the same [`InfoKey`] of the player to move give that
/// player the same legal actions, and a key never serves two players. Returns how many keys it saw.
///
/// # Panics
/// At the first breach, naming the seed, the game and the ply.
pub fn check_info_keys<G: InfoKey>(game: &G, games: u32, seed: Seed) -> usize {
    let mut seen: HashMap<G::Key, (Player, Vec<G::Action>)> = HashMap::new();
    walk(game, games, seed, |state, _, at| {
        let Turn::Player(player) = game.turn(state) else {
            return;
        };
        let here = (player, legal(game, state));
        let key = game.info_key(state, player);
        let before = seen.entry(key.clone()).or_insert_with(|| here.clone());
        assert!(
            *before == here,
            "T-HI1: {key:?} means {before:?} and {here:?} ({at})"
        );
    });
    seen.len()
}
