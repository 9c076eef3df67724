//! What `capture` says a choice cost, against the solution of Pig.

use classics::Pig;
use classics::solve::PigSolution;
use search_core::agent::PolicyAgent;
use search_core::game::{Game, Player};
use search_core::plugin::Plugin;
use search_core::policy::UniformRandom;
use search_core::rng::Seed;
use serde_json::Value;

use super::testing::lab;
use crate::agents::{Built, Note};
use crate::experiment::capture::Watcher;
use crate::experiment::capture::standing::Script;
use crate::experiment::capture::watch::TypedWatcher;
use crate::experiment::match_driver::MatchSeeds;

/// What rolling and holding bring the player to move where both play on without a mistake.
fn values(solution: &PigSolution, observation: &str) -> (f64, f64) {
    let game = Pig::new(30, 2).unwrap();
    let state = game.parse_observation(observation).unwrap();
    let me = state.mover();
    let other = Player::new(1 - me.index());
    let (roll, hold) = solution
        .action_values(state.score(me), state.score(other), state.total())
        .unwrap();
    // From the probability of winning to a return.
    (2.0 * roll - 1.0, 2.0 * hold.unwrap() - 1.0)
}

/// Where the rest of the game is played by the solution, a choice costs the difference of the values that
/// the solution has for both; five standard errors.
#[test]
fn the_cost_in_pig_is_the_difference_of_its_exact_values() {
    let solution = PigSolution::new(30);
    let line = "capture --game pig(target=30) --a hold(at=9) --b hold(at=25) --by optimal \
                --seeds 2 --keep 6 --continue 3000 --json";
    let ran = lab(line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let index = ran.json();
    let positions = index["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 6);
    for position in positions {
        let (roll, hold) = values(&solution, position["observation"].as_str().unwrap());
        let cost = &position["cost"];
        let number = |value: &Value| value.as_f64().unwrap();
        assert_eq!(position["a"], "hold");
        for (is, expected) in [(&cost["after_a"], hold), (&cost["after_b"], roll)] {
            // A return of 1 or -1.
            let error = ((1.0 - expected * expected) / 3000.0).sqrt();
            assert!((number(is) - expected).abs() < 5.0 * error, "{position}");
        }
        let off = number(&cost["mean"]) - (roll - hold);
        assert!(
            off.abs() < 5.0 * number(&cost["standard_error"]),
            "{position}"
        );
    }
}

/// The same action twice brings the same, to the last bit: both meet the same luck. Each continuation has
/// luck of its own, and none that of the match.
#[test]
fn both_choices_of_a_continuation_meet_the_same_luck() {
    let game = Pig::new(30, 2).unwrap();
    let agent = || Built {
        agent: Box::new(PolicyAgent(UniformRandom)),
        note: Note::default(),
    };
    let mut watcher = TypedWatcher::<Pig>::new(&game, [agent(), agent(), agent(), agent()]);
    let trace = watcher.watch(3, 0).unwrap();
    assert!(trace.divergences.is_empty());
    let start = Script {
        seed: 3,
        steps: &[],
    };
    let pairs = watcher.weigh(&start, ["roll", "roll"], 64).unwrap();
    assert!(pairs.iter().all(|pair| pair[0] == pair[1]));
    let wins = pairs.iter().filter(|pair| pair[0] > 0.0).count();
    assert!((10..=54).contains(&wins), "{wins} of 64");
    assert!(watcher.weigh(&start, ["roll", "castle"], 1).is_err());

    let seeds = MatchSeeds::new(3);
    let mut all: Vec<Seed> = vec![seeds.chance(0, 0), seeds.decision(0, Player::new(0), 0)];
    for index in 0..50 {
        let other = seeds.continuation(index);
        all.push(other.chance(0, 0));
        all.push(other.decision(0, Player::new(0), 0));
        assert_eq!(other.deal(0), seeds.deal(0));
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 102);
    assert_eq!(game.num_players(), 2);
}
