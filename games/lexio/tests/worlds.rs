//! Determinization (properties T-DT) and contradictions.

mod common;

use common::{random_round, rules, tiles, variants};
use lexio::{
    LeadRule, Lexio, Observation, PassRule, State, Tile, Tiles, UniformDeal, parse_observation,
};
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::rng::{Draw, Seed};
use std::collections::BTreeMap;

fn sample(game: &Lexio, view: &Observation, seed: Seed, count: u64, mut show: impl FnMut(&State)) {
    let plan = UniformDeal.plan(game, view).unwrap();
    let mut world = UniformDeal.scratch(game, view, &plan);
    for i in 0..count {
        let mut rng = seed.simulation(i);
        let weight = UniformDeal.sample(game, view, &plan, &mut rng, &mut world);
        assert_eq!(weight, 0.0);
        show(&world);
    }
}

/// T-DT1: what the observer sees of a world is the observation, at every decision of random
/// rounds, for every seat; the true world keeps its public part.
#[test]
fn t_dt1_worlds_look_like_the_observation() {
    let mut worlds = 0;
    for (v, game) in variants().iter().enumerate() {
        for i in 0..25 {
            let mut rng = Seed(1).index(v as u64).simulation(i);
            let seed = Seed(2).index(i);
            random_round(game, &mut rng, &mut Vec::new(), |state, legal| {
                for seat in 0..game.num_players() {
                    let seat = Player::new(seat);
                    let view = game.observe(state, seat);
                    sample(game, &view, seed, 2, |world| {
                        worlds += 1;
                        assert_eq!(game.observe(world, seat), view);
                        assert_eq!(game.turn(world), game.turn(state));
                        let hands = [0, 1, 2, 3, 4].map(|s| world.hand(Player::new(s)));
                        assert_eq!(state.with_hands(hands), Some(*world));
                        if game.turn(state) == Turn::Player(seat) {
                            let mut again = Vec::new();
                            game.legal_actions(world, &mut again);
                            assert_eq!(again, legal);
                        }
                    });
                }
            });
        }
    }
    assert!(worlds > 10_000, "{worlds}");
}

/// Six hidden tiles, the cloud 3 among them, in hands of these sizes. With a known holder of the
/// cloud 3 that is seat 2.
fn small_position(left: [usize; 3], known: bool) -> (Lexio, Observation) {
    let game = rules(|o| {
        o.players = 4;
        o.lead = if known {
            LeadRule::CloudThree
        } else {
            LeadRule::LastWinner
        };
    });
    let hidden = tiles("3C 5H 7D 9S 1C 2S");
    let hand = tiles("6C 8S");
    let mut rest: Vec<Tile> = (game.deck() - hidden - hand).iter().collect();
    let [a, b, c] = left;
    let played = [2, a, b, c].map(|left| rest.drain(..13 - left).collect::<Tiles>().to_string());
    let text = format!(
        "me=0 turn=2 hand=6C,8S left=2/{a}/{b}/{c} played={} plays=5/5/5/5 passes=0/0/0/0 cloud3={}",
        played.join("/").replace(' ', ","),
        if known { "2" } else { "-" },
    );
    let view = parse_observation(&game, &text).unwrap();
    (game, view)
}

/// T-DT2, T-DT3: all worlds of small positions appear, equally often, for every way to share six
/// tiles among three hands, with the cloud 3 known to be in one hand and without.
#[test]
fn t_dt2_t_dt3_worlds_are_uniform() {
    let factorial = |n: usize| (1..=n).product::<usize>();
    let mut positions = 0;
    for a in 1..=4 {
        for b in 1..=5 - a {
            let c = 6 - a - b;
            for known in [false, true] {
                let (game, view) = small_position([a, b, c], known);
                // With the cloud 3 in seat 2, five tiles are shared.
                let hidden = factorial(6 - usize::from(known));
                let rest = b - usize::from(known);
                let worlds = hidden / (factorial(a) * factorial(rest) * factorial(c));
                let draws = 500 * worlds as u64;
                let mut counts: BTreeMap<[Tiles; 4], u32> = BTreeMap::new();
                let seed = Seed(3).index(positions);
                sample(&game, &view, seed, draws, |world| {
                    let hands = [0, 1, 2, 3].map(|seat| world.hand(Player::new(seat)));
                    *counts.entry(hands).or_insert(0) += 1;
                });
                assert_eq!(counts.len(), worlds, "{a} {b} {c} {known}");
                let three = |hands: &[Tiles; 4]| hands[2].contains(Tile::CLOUD_THREE);
                assert_eq!(counts.keys().all(three), known || worlds == 1);
                let terms = counts
                    .values()
                    .map(|&n| (f64::from(n) - 500.0).powi(2) / 500.0);
                let chi2: f64 = terms.sum();
                // Five standard deviations of chi-square above its mean, and the skew.
                let freedom = worlds as f64 - 1.0;
                let bound = freedom + 5.0 * (2.0 * freedom).sqrt() + 20.0;
                assert!(chi2 < bound, "{a} {b} {c} {known}: chi-square {chi2}");
                positions += 1;
            }
        }
    }
    assert_eq!(positions, 20);
}

/// Marginals of a whole deal: each unseen tile in each other hand, in proportion to its size.
#[test]
fn marginals_follow_the_sizes() {
    let game = Lexio::default();
    let text = "me=0 hand=3C,3D,4C,4H,5D,7C,9C table=6S@1 \
                played=13S,14S,15S,1S,2S/6S,6D,6H,6C/-/5C/- passed=2,3,4 cloud3=0";
    let view = parse_observation(&game, text).unwrap();
    let draws = 20_000_u64;
    let mut held = [[0_u32; 60]; 5];
    sample(&game, &view, Seed(5), draws, |world| {
        for (seat, counts) in held.iter_mut().enumerate() {
            for tile in world.hand(Player::new(seat)) {
                counts[usize::from(tile.index())] += 1;
            }
        }
    });
    let unseen = view.unseen(&game);
    for (seat, counts) in held.iter().enumerate().skip(1) {
        let p = f64::from(view.left(Player::new(seat))) / f64::from(unseen.len());
        let sigma = (draws as f64 * p * (1.0 - p)).sqrt();
        for tile in unseen {
            let z = (f64::from(counts[usize::from(tile.index())]) - draws as f64 * p) / sigma;
            assert!(z.abs() < 5.0, "seat {seat} {tile}: z = {z}");
        }
    }
}

/// T-DT8: a world is a function of seed and index, whatever was in the memory, whatever came
/// before, and with a plan made again.
#[test]
fn t_dt8_worlds_are_a_function_of_seed_and_index() {
    let (game, view) = small_position([1, 3, 2], true);
    let mut first = Vec::new();
    sample(&game, &view, Seed(6), 50, |world| first.push(*world));
    let plan = UniformDeal.plan(&game, &view).unwrap();
    let mut world = game.initial_state(&mut Seed(9).simulation(0));
    for i in (0..50).rev() {
        let mut rng = Seed(6).simulation(i);
        UniformDeal.sample(&game, &view, &plan, &mut rng, &mut world);
        assert_eq!(world, first[i as usize]);
    }
    let mut other = Vec::new();
    sample(&game, &view, Seed(7), 50, |world| other.push(*world));
    assert_ne!(first, other);
}

/// T-DT6: facts that cannot all be true are refused, with a reason.
#[test]
fn t_dt6_contradictions_are_refused() {
    let game = Lexio::default();
    let good = "players=5 me=1 turn=1 hand=7D,11H,13H,2D table=4H@0 left=2/4/9/8/10 \
        played=3C,3H,4C,4H,9D,14C,15C,15S,1C,2C/3S,6H,6S,7S,11C,12S,2H,2S/9C,12H,1H/3D,9S,15D,1S/5C,13C \
        passed=- plays=6/4/3/2/2 passes=2/3/4/3/5 cloud3=0";
    let view = parse_observation(&game, good).unwrap();
    assert!(UniformDeal.plan(&game, &view).is_ok());
    for (from, to, reason) in [
        (
            "passes=2/3/4/3/5",
            "passes=2/255/4/3/5",
            "seat 1 has passed 255 times, but the others have played 19 tiles",
        ),
        (
            "left=2/4/9/8/10",
            "left=2/4/9/8/9",
            "seat 4 has 9 tiles left",
        ),
        (
            "left=2/4/9/8/10",
            "left=2/4/9/8/11",
            "seat 4 has 11 tiles left",
        ),
        (
            "left=2/4/9/8/10",
            "left=2/5/9/8/10",
            "seat 1 has 5 tiles left",
        ),
        (
            "hand=7D,11H,13H,2D",
            "hand=7D,11H,13H",
            "hand has 3 tiles, not 4",
        ),
        (
            "hand=7D,11H,13H,2D",
            "hand=7D,11H,13H,2C",
            "which are elsewhere",
        ),
        ("9C,12H,1H", "9C,12H,1S", "which are elsewhere"),
        ("table=4H@0", "table=5C@0", "not played by seat 0"),
        ("table=4H@0", "table=4H@4", "not played by seat 4"),
        ("table=4H@0", "table=3S@1", "cannot answer its own play"),
        ("table=4H@0", "table=13C@4", "not every seat between 4"),
        ("table=4H@0", "table=-", "never in the round"),
        ("plays=6/4", "plays=1/4", "in 1 plays"),
        ("plays=6/4", "plays=11/4", "in 11 plays"),
        ("cloud3=0", "cloud3=2", "seat 2 was dealt the cloud 3"),
    ] {
        let text = good.replace(from, to);
        assert_ne!(text, good);
        // An empty table needs the pass to be gone from the trick as well.
        let text = match reason {
            "never in the round" => text
                .replace("passed=-", "passed=4")
                .replace("4/3/5", "4/3/0"),
            _ => text,
        };
        let error = parse_observation(&game, &text).unwrap_err().to_string();
        assert!(error.contains(reason), "{to}: {error}");
    }
    // Another table: the same view under other rules.
    for other in [
        Lexio::for_players(4).unwrap(),
        Lexio::for_players(3).unwrap(),
    ] {
        assert!(UniformDeal.plan(&other, &view).is_err());
    }
    // Under the hard pass one who has passed cannot be to move.
    let hard = rules(|o| o.pass = PassRule::Hard);
    let text = good.replace("passed=-", "passed=1");
    assert!(parse_observation(&game, &text).is_ok());
    let error = parse_observation(&hard, &text).unwrap_err().to_string();
    assert!(error.contains("out of the trick"), "{error}");
    // An opening that is not led by the holder of the cloud 3.
    let error = parse_observation(
        &game,
        "me=0 turn=1 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C",
    );
    assert!(error.unwrap_err().to_string().contains("leads the round"));
    let opened = rules(|o| o.first_play_has_cloud3 = true);
    let text = "me=0 hand=3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C,2H table=5S@1 played=-/5S/-/-/- passed=2,3,4 cloud3=1";
    assert!(parse_observation(&game, text).is_ok());
    let error = parse_observation(&opened, text).unwrap_err().to_string();
    assert!(error.contains("which nobody has played"), "{error}");
}

/// Negative control: leaving out the knowledge of the cloud 3 would show in the leads.
#[test]
fn the_leader_is_known_to_hold_the_cloud_three() {
    let game = Lexio::default();
    let mut rng = Seed(8).simulation(1);
    let state = game.initial_state(&mut rng);
    let leader = state.public().to_move();
    let other = Player::new((leader.index() + 1 + rng.below(4) as usize) % 5);
    let view = game.observe(&state, other);
    assert_eq!(view.public().cloud_three(), Some(leader));
    sample(&game, &view, Seed(9), 200, |world| {
        assert!(world.hand(leader).contains(Tile::CLOUD_THREE));
    });
}
