//! αμ against plans found by trying all of them.

use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::{AlphaMu, AlphaMuSettings, Searcher};

use super::common::{AnyWorld, Veiled};

fn ask(game: &Veiled, settings: AlphaMuSettings, keyed: bool, seed: Seed) -> Decision<u8> {
    let key = |_: &Veiled, s: &super::common::At| (s.world as u128) << 64 | s.node as u128;
    let key = keyed.then_some(key as _);
    let mut search: AlphaMu<Veiled, _> = AlphaMu::new(settings, AnyWorld, key);
    let free = Budget::default();
    search.search(game, &game.seen(), &free, seed).unwrap()
}

fn won(decision: &Decision<u8>, worlds: u32) -> Vec<usize> {
    let counts = decision
        .candidates
        .iter()
        .map(|c| c.mean * f64::from(worlds));
    counts.map(|c| c.round() as usize).collect()
}

fn random(players: &[usize], i: u64) -> Veiled {
    let mut rng = Seed(80).index(i).simulation(players.len() as u64);
    let share = 1 + rng.below(3);
    let mut leaf = |rng: &mut SimRng| if rng.below(4) < share { 1.0 } else { -1.0 };
    Veiled::random(6, players, 2, false, &mut rng, &mut leaf)
}

const SHAPES: [&[usize]; 5] = [
    &[0, 1, 0],
    &[0, 0, 1],
    &[0, 1, 1, 0],
    &[0, 1, 0, 0],
    &[0, 0, 0],
];

#[test]
fn depth_1_is_pimc_with_a_perfect_solver() {
    for shape in SHAPES {
        for i in 0..20 {
            let game = random(shape, i);
            let settings = AlphaMuSettings {
                depth: 1,
                cuts: false,
                ..AlphaMuSettings::default()
            };
            let decision = ask(&game, settings, i % 2 == 0, Seed(i));
            let worlds = game.drawn(20, Seed(i));
            let expected: Vec<usize> = game
                .children(0)
                .iter()
                .map(|c| worlds.iter().filter(|w| game.open(*c, **w) > 0.0).count())
                .collect();
            assert_eq!(won(&decision, 20), expected);
            let best = expected.iter().max().unwrap();
            let first = expected.iter().position(|n| n == best).unwrap();
            assert_eq!(usize::from(decision.action), first);
        }
    }
}

#[test]
fn with_enough_depth_it_finds_the_best_plan() {
    let mut differ = 0;
    for shape in SHAPES {
        for i in 0..30 {
            let game = random(shape, i);
            let worlds = game.drawn(12, Seed(i));
            let expected: Vec<usize> = game
                .children(0)
                .iter()
                .map(|c| game.most_won(*c, &worlds))
                .collect();
            let best = *expected.iter().max().unwrap();
            for (cuts, keyed) in [(false, false), (false, true), (true, false), (true, true)] {
                let settings = AlphaMuSettings {
                    worlds: 12,
                    depth: 4,
                    cuts,
                    ..AlphaMuSettings::default()
                };
                let decision = ask(&game, settings, keyed, Seed(i));
                let found = won(&decision, 12);
                let chosen = usize::from(decision.action);
                assert_eq!(expected[chosen], best, "{shape:?} {i} {cuts} {keyed}");
                assert_eq!(found[chosen], best, "{shape:?} {i} {cuts} {keyed}");
                if !cuts && decision.effort.depth > 1 && best > 0 {
                    assert_eq!(found, expected, "{shape:?} {i} {keyed}");
                }
            }
            let pimc = ask(
                &game,
                AlphaMuSettings {
                    worlds: 12,
                    depth: 1,
                    ..AlphaMuSettings::default()
                },
                false,
                Seed(i),
            );
            differ += u32::from(expected[usize::from(pimc.action)] < best);
        }
    }
    // So it is not for nothing.
    assert!(differ >= 5, "{differ}");
}

#[test]
fn more_decisions_in_advance_promise_no_more() {
    for shape in [&[0, 1, 0, 1, 0][..], &[0, 0, 1, 0]] {
        for i in 0..20 {
            let game = random(shape, i);
            let mut last = usize::MAX;
            for depth in 1..=3 {
                let settings = AlphaMuSettings {
                    depth,
                    ..AlphaMuSettings::default()
                };
                let decision = ask(&game, settings, false, Seed(i));
                let chosen = won(&decision, 20)[usize::from(decision.action)];
                assert!(chosen <= last, "{shape:?} {i}");
                last = chosen;
            }
        }
    }
}

/// T-NL1: `[1 0 0]` and `[0 1 1]` are offered where the opponent may go instead to `[1 0 0]`. The local best,
/// two worlds, goes with nothing; one world is there to be won, by planning for it. PIMC believes in two of the
/// other action's worlds, of which a plan wins one.
#[test]
fn t_nl1_a_plan_is_kept_that_is_not_the_best_where_it_ends() {
    let mut game = Veiled::new(3, 2);
    let leaf = |game: &mut Veiled, v: [f64; 3]| game.leaf(&v.map(|x| 2.0 * x - 1.0));
    let one = leaf(&mut game, [1.0, 0.0, 0.0]);
    let two = leaf(&mut game, [0.0, 1.0, 1.0]);
    let offered = game.decide(0, &[one, two]);
    let planned = game.decide(1, &[offered, one]);
    let none = leaf(&mut game, [0.0, 0.0, 0.0]);
    let game = game.root(0, &[none, planned]);
    for cuts in [false, true] {
        for depth in [2, 3] {
            let settings = AlphaMuSettings {
                worlds: 60,
                depth,
                cuts,
                ..AlphaMuSettings::default()
            };
            let decision = ask(&game, settings, false, Seed(3));
            let first = game.drawn(60, Seed(3)).iter().filter(|w| **w == 0).count();
            assert_eq!(decision.action, 1);
            assert_eq!(won(&decision, 60), [0, first]);
        }
    }
}

/// The gamble that PIMC takes: at a guess it could win every world, by a plan one in three.
#[test]
fn fusion_is_seen_through_at_depth_2() {
    let mut game = Veiled::new(3, 1);
    let leaf = |game: &mut Veiled, v: [f64; 3]| game.leaf(&v);
    let safe = leaf(&mut game, [1.0, 1.0, -1.0]);
    let guesses = [[1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let guesses = guesses.map(|v| leaf(&mut game, v));
    let gamble = game.decide(0, &guesses);
    let game = game.root(0, &[gamble, safe]);
    let ask = |depth| {
        let settings = AlphaMuSettings {
            depth,
            ..AlphaMuSettings::default()
        };
        ask(&game, settings, false, Seed(4))
    };
    let pimc = ask(1);
    assert_eq!((pimc.action, pimc.chosen().mean), (0, 1.0));
    assert_eq!(ask(2).action, 1);
}

#[test]
fn budgets_and_settings() {
    let game = random(&[0, 1, 0, 1, 0], 1);
    let run = |settings, budget: Budget| {
        let mut search: AlphaMu<Veiled, _> = AlphaMu::new(settings, AnyWorld, None);
        search.search(&game, &game.seen(), &budget, Seed(1))
    };
    let default = AlphaMuSettings::default();
    assert_eq!(
        run(default, Budget::simulations(0)),
        Err(SearchError::EmptyBudget)
    );
    for positions in 1..200 {
        let decision = run(default, Budget::simulations(positions)).unwrap();
        assert!(decision.action < 2);
        let effort = decision.effort;
        assert!(effort.simulations <= positions && effort.deterministic);
        assert_eq!(
            effort.truncated_rollouts > 0,
            effort.depth == 0 && decision.candidates.iter().any(|c| c.visits == 0)
        );
    }
    let free = run(default, Budget::default()).unwrap();
    assert_eq!(free.effort.depth, 2);
    for bad in [
        AlphaMuSettings {
            worlds: 0,
            ..default
        },
        AlphaMuSettings {
            worlds: 129,
            ..default
        },
        AlphaMuSettings {
            depth: 0,
            ..default
        },
        AlphaMuSettings {
            won_above: f64::NAN,
            ..default
        },
    ] {
        let error = run(bad, Budget::default()).unwrap_err();
        assert!(matches!(error, SearchError::BadSetting { .. }), "{error}");
    }
    let full = AlphaMuSettings {
        worlds: 128,
        depth: 64,
        ..default
    };
    assert!(run(full, Budget::default()).is_ok());
}

/// Positions that are met on ways of different length: what is remembered of them is taken for what it is,
/// the front of a depth, or a bound after a cut.
#[test]
fn cuts_and_memory_change_nothing_where_ways_meet_again() {
    for i in 800..1200 {
        let mut rng = Seed(81).index(i).simulation(0);
        let game = meeting(&mut rng);
        for depth in 2..=4 {
            let ask = |cuts, keyed| {
                let settings = AlphaMuSettings {
                    worlds: 12,
                    depth,
                    cuts,
                    ..AlphaMuSettings::default()
                };
                ask(&game, settings, keyed, Seed(i))
            };
            let plain = ask(false, false);
            let best = plain.chosen().mean;
            for (cuts, keyed) in [(false, true), (true, false), (true, true)] {
                let other = ask(cuts, keyed);
                assert_eq!(other.chosen().mean, best, "{i} {depth} {cuts} {keyed}");
                let worth = plain.candidate(other.action).unwrap().mean;
                assert_eq!(worth, best, "{i} {depth} {cuts} {keyed}");
            }
        }
    }
}

/// A graph: every decision leads to later ones, near or far.
fn meeting(rng: &mut SimRng) -> Veiled {
    let mut game = Veiled::new(6, 2);
    let mut nodes: Vec<usize> = (0..6)
        .map(|_| {
            let values: Vec<f64> = (0..6)
                .map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 })
                .collect();
            game.leaf(&values)
        })
        .collect();
    for _ in 0..12 {
        let near = nodes.len().saturating_sub(6);
        let next: Vec<usize> = (0..3)
            .map(|_| nodes[near + rng.below(6) as usize])
            .collect();
        nodes.push(game.decide(rng.below(2) as usize, &next));
    }
    let last = &nodes[nodes.len() - 4..];
    let next = [last[0], last[1], last[2], last[3]];
    game.root(0, &next)
}

/// T-NL1: `met` is a decision of the others that is come to after one decision of the side, and after
/// two. The guess behind it wins one world of two; a search that plans no further than to the guess believes
/// in both. With three decisions in advance the short way is seen through and the long way is not yet: that
/// a deeper search found one world at `met` must not be taken, after the long way, for all there is to find.
#[test]
fn t_nl1_what_a_deeper_search_found_bounds_no_shallower_one() {
    let mut game = Veiled::new(3, 2);
    let leaf = |game: &mut Veiled, v: [f64; 3]| game.leaf(&v.map(|x| 2.0 * x - 1.0));
    let guesses = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let [first, second] = guesses.map(|v| leaf(&mut game, v));
    let guess = game.decide(0, &[first, second]);
    let before = game.decide(0, &[guess]);
    let met = game.decide(1, &[before]);
    let at_once = game.decide(0, &[first, second]);
    let long = game.decide(0, &[at_once, met]);
    let game = game.root(0, &[met, long]);
    let drawn = game.drawn(60, Seed(3));
    let [in_first, in_second] = [0, 1].map(|w| drawn.iter().filter(|d| **d == w).count());
    for (cuts, keyed) in [(false, false), (true, false), (true, true)] {
        let settings = AlphaMuSettings {
            worlds: 60,
            depth: 3,
            cuts,
            ..AlphaMuSettings::default()
        };
        let decision = ask(&game, settings, keyed, Seed(3));
        let expected = [in_first.max(in_second), in_first + in_second];
        assert_eq!(won(&decision, 60), expected, "{cuts} {keyed}");
        assert_eq!(decision.action, 1);
    }
}
