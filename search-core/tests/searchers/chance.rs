//! Chance nodes, drawn and listed in full: T-CN1, the bounds of the quota, budgets and parallel
//! modes.

use crate::common::{Bandit, Lottery, LotteryState, Pull};
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{ChanceOutcomes, Game};
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{
    Chance, GameKey, Ismcts, Parallel, Pimc, PimcSettings, Searcher, TreeSettings, Uct,
};
use search_core::testing::check_chance;
use search_core::tree::{Boxed, Bump, EdgeKey, Indexed, Snapshot, Storage, Typed};

/// Three players with two actions each between draws from two to seven unequal outcomes.
const GAME: Lottery = Lottery {
    seed: 5,
    players: 3,
    actions: 2,
    plies: 6,
    dice: false,
};

/// One decision without a choice, then the throw of three dice: 56 outcomes of 1, 3 or 6 in 216.
const DICE: Lottery = Lottery {
    seed: 9,
    players: 1,
    actions: 1,
    plies: 4,
    dice: true,
};

fn keep(parallel: Parallel, threads: usize) -> TreeSettings {
    TreeSettings {
        parallel,
        threads,
        keep_tree: true,
        ..TreeSettings::default()
    }
}

fn search_on<S: Storage<GameKey<Lottery>>>(
    game: &Lottery,
    settings: TreeSettings,
    storage: S,
    budget: &Budget,
    seed: u64,
) -> (Decision<u8>, Snapshot<GameKey<Lottery>>) {
    let mut uct = Uct::with(settings, Rollout::random(), storage);
    uct.chance = Chance::explicit();
    let decision = uct.search(game, &game.start(), budget, Seed(seed)).unwrap();
    (decision, uct.last_tree().unwrap().clone())
}

fn explicit(
    game: &Lottery,
    settings: TreeSettings,
    budget: &Budget,
) -> (Decision<u8>, Snapshot<GameKey<Lottery>>) {
    search_on(game, settings, Indexed::default(), budget, 4)
}

/// What a chance node lists, and its children: outcome, probability kept, visits.
type Node = (Vec<(u8, f64)>, Vec<(u8, f64, u32)>);

/// Every expanded chance node.
fn chance_nodes(game: &Lottery, tree: &Snapshot<GameKey<Lottery>>) -> Vec<Node> {
    let mut states = vec![game.start()];
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate().skip(1) {
        let mut state = states[node.parent as usize].clone();
        match node.key {
            search_core::tree::EdgeKey::Action(a) => game.apply(&mut state, a),
            search_core::tree::EdgeKey::Chance(o) => {
                game.apply_chance(&mut state, o);
                children[node.parent as usize].push((o, node.sum, node.visits));
            }
        }
        assert_eq!(states.len(), id);
        states.push(state);
    }
    let mut nodes = Vec::new();
    for (state, children) in states.iter().zip(children) {
        if !children.is_empty() {
            let mut listed = Vec::new();
            game.chance_outcomes(state, &mut listed);
            // The block is in an order of its own.
            listed.sort_by_key(|(o, _)| children.iter().position(|(c, ..)| c == o));
            nodes.push((listed, children));
        }
    }
    nodes
}

#[test]
fn the_games_here_list_what_they_draw() {
    assert!(check_chance(&GAME, 500, Seed(1)) > 0);
    assert!(check_chance(&DICE, 100, Seed(1)) > 0);
}

#[test]
fn t_cn1_both_come_to_the_exact_value_and_shares_come_closer() {
    let single = Lottery { actions: 1, ..GAME };
    for (game, most_ratio) in [(&single, 0.25), (&DICE, 0.25)] {
        let exact = game.value(&game.start())[0];
        let seeds = 40;
        let errors = |chance: Chance<Lottery>| {
            let (mut square, mut sum, mut spread) = (0.0, 0.0, 0.0);
            for seed in 0..seeds {
                let mut uct = Uct::default();
                uct.chance = chance;
                let budget = Budget::simulations(10_000);
                let decision = uct.search(game, &game.start(), &budget, Seed(seed));
                let candidate = decision.unwrap().candidates[0].clone();
                let error = candidate.mean - exact;
                assert!(
                    error.abs() < 5.0 * candidate.std_error,
                    "{chance:?}: {error}"
                );
                square += error * error;
                sum += error;
                spread += candidate.std_error.powi(2);
            }
            // No bias either: the mean over the seeds, by the spread of independent draws.
            let bias: f64 = sum / spread.sqrt();
            assert!(bias.abs() < 5.0, "{chance:?}: {bias}");
            (square / seeds as f64).sqrt()
        };
        let (sampled, explicit) = (errors(Chance::Sampled), errors(Chance::explicit()));
        let ratio = explicit / sampled;
        println!("sampled {sampled:.6} explicit {explicit:.6} ratio {ratio:.3}");
        assert!(ratio < most_ratio, "{explicit} against {sampled}");
    }
}

/// Trap 3: three players, each before a draw.
#[test]
fn t_cn1_both_play_the_best_action_of_trees_with_chance() {
    for seed in 0..6 {
        let game = Lottery { seed, ..GAME };
        let start = game.start();
        let exact = game.value(&start);
        for chance in [Chance::Sampled, Chance::explicit()] {
            let mut uct = Uct::default();
            uct.chance = chance;
            let budget = Budget::simulations(200_000);
            let decision = uct.search(&game, &start, &budget, Seed(seed)).unwrap();
            let mut after = start.clone();
            game.apply(&mut after, decision.action);
            assert_eq!(game.value(&after)[0], exact[0], "game {seed}, {chance:?}");
            let error = (decision.chosen().mean - exact[0]).abs();
            assert!(error < 0.05, "game {seed}, {chance:?}: off by {error}");
        }
    }
}

#[test]
fn counts_keep_to_their_shares() {
    let modes = [
        Parallel::Serial,
        Parallel::Batch { size: 13 },
        Parallel::Root { trees: 3 },
    ];
    let (mut ahead, mut behind) = (0.0_f64, 0.0_f64);
    for (game, simulations) in [(&GAME, 20_011), (&DICE, 40_003)] {
        for parallel in modes {
            let budget = Budget::simulations(simulations);
            let (_, tree) = explicit(game, keep(parallel, 3), &budget);
            let nodes = chance_nodes(game, &tree);
            assert!(nodes.len() > 8);
            for (listed, children) in nodes {
                let k = listed.len();
                assert_eq!(children.len(), k, "all outcomes at once");
                let total: u32 = children.iter().map(|c| c.2).sum();
                // The rule by itself: as many steps with the same probabilities.
                let mut counts = vec![0_u32; k];
                for n in 1..=total {
                    let gap = |i: usize| listed[i].1 * f64::from(n) - f64::from(counts[i]);
                    let most = (0..k).fold(f64::NEG_INFINITY, |most, i| most.max(gap(i)));
                    let first = (0..k).find(|i| gap(*i) == most).unwrap();
                    counts[first] += 1;
                }
                let harmonic: f64 = (2..=k).map(|i| 1.0 / i as f64).sum();
                for ((&(outcome, p), &(key, kept, n)), count) in
                    listed.iter().zip(&children).zip(counts)
                {
                    assert_eq!((outcome, p, count), (key, kept, n));
                    let gap = f64::from(n) - p * f64::from(total);
                    assert!(gap <= 1.0 - 1.0 / k as f64 + 1e-9, "{gap} of {k}");
                    assert!(-gap <= harmonic + 1e-9, "{gap} of {k}");
                    ahead = ahead.max(gap);
                    behind = behind.max(-gap);
                }
            }
        }
    }
    println!("ahead by {ahead:.3} at most, behind by {behind:.3}");
}

#[test]
fn threads_do_not_matter_and_a_batch_of_one_is_serial() {
    let budget = Budget::simulations(5_003);
    for parallel in [Parallel::Batch { size: 32 }, Parallel::Root { trees: 5 }] {
        let run = |threads| format!("{:?}", explicit(&GAME, keep(parallel, threads), &budget));
        for threads in [2, 3, 7] {
            assert_eq!(run(threads), run(1), "{parallel:?} on {threads} threads");
        }
    }
    let serial = explicit(&GAME, keep(Parallel::Serial, 1), &budget);
    let batch = explicit(&GAME, keep(Parallel::Batch { size: 1 }, 3), &budget);
    assert_eq!(format!("{batch:?}"), format!("{serial:?}"));
    let tree = explicit(&GAME, keep(Parallel::Batch { size: 32 }, 2), &budget).1;
    assert!(tree.nodes.iter().all(|node| node.in_flight == 0));
}

#[test]
fn storages_hold_the_same_tree() {
    for parallel in [
        Parallel::Serial,
        Parallel::Batch { size: 8 },
        Parallel::Root { trees: 3 },
    ] {
        for nodes in [None, Some(0), Some(60), Some(400)] {
            let budget = Budget {
                nodes,
                ..Budget::simulations(3_000)
            };
            let settings = keep(parallel, 2);
            let see = |(mut decision, tree): (Decision<u8>, Snapshot<_>)| {
                decision.effort.bytes = 0;
                (format!("{decision:?}"), tree)
            };
            let indexed = search_on(&GAME, settings, Indexed::default(), &budget, 7);
            let indexed = see(indexed);
            let bump = search_on(&GAME, settings, Bump::default(), &budget, 7);
            assert_eq!(see(bump), indexed);
            assert_eq!(see(search_on(&GAME, settings, Typed, &budget, 7)), indexed);
            assert_eq!(see(search_on(&GAME, settings, Boxed, &budget, 7)), indexed);
        }
    }
}

#[test]
fn budgets_are_exact_and_blocks_whole() {
    for game in [&GAME, &DICE] {
        for cap in (1..120).chain([300, 1_000]) {
            let budget = Budget::simulations(2_000).with_nodes(cap);
            let (decision, tree) = explicit(game, keep(Parallel::Serial, 1), &budget);
            assert_eq!(decision.effort.simulations, 2_000);
            assert!(decision.effort.edges <= cap);
            assert_eq!(tree.nodes.len() as u64, decision.effort.edges + 1);
            assert!(cap > 300 || decision.effort.refused_expansions > 0, "{cap}");
            for (listed, children) in chance_nodes(game, &tree) {
                assert_eq!(listed.len(), children.len());
            }
        }
        for bytes in [400_u64, 4_000, 40_000] {
            let budget = Budget::simulations(5_000).with_bytes(bytes);
            let settings = keep(Parallel::Serial, 1);
            for decision in [
                search_on(game, settings, Indexed::default(), &budget, 1).0,
                search_on(game, settings, Bump::default(), &budget, 1).0,
                search_on(game, settings, Typed, &budget, 1).0,
                search_on(game, settings, Boxed, &budget, 1).0,
            ] {
                assert!(decision.effort.bytes <= bytes + 64, "{decision:?}");
                assert_eq!(decision.effort.simulations, 5_000);
            }
        }
    }
    // Room for the action of the root alone: every other simulation draws in its rollout.
    let budget = Budget::simulations(1_000).with_nodes(56);
    let (decision, tree) = explicit(&DICE, keep(Parallel::Serial, 1), &budget);
    assert_eq!(tree.nodes.len(), 2);
    assert_eq!(decision.effort.refused_expansions, 999);
    let exact = DICE.value(&DICE.start())[0];
    let found = decision.chosen();
    assert!((found.mean - exact).abs() < 5.0 * found.std_error);
}

#[test]
fn drawn_outcomes_are_frozen() {
    // The default: a change here changes every stored result of a game with chance.
    let game = Bandit {
        chances: vec![0.3, 0.5, 0.6],
    };
    let budget = Budget::simulations(5_000);
    let settings = keep(Parallel::Serial, 1);
    let mut uct = Uct::new(settings);
    let mut ismcts = Ismcts::new(settings, Identity);
    let searchers: [&mut dyn Searcher<Bandit>; 2] = [&mut uct, &mut ismcts];
    let checksums = searchers.map(|searcher| {
        let found = searcher.search(&game, &Pull::Choose, &budget, Seed(42));
        assert_eq!(found.unwrap().effort.edges, 9);
        searcher.tree().unwrap().checksum
    });
    assert_eq!(
        checksums,
        [5_981_365_284_632_455_883, 10_974_223_849_523_120_497]
    );
}

#[test]
fn worlds_of_pimc_keep_to_shares_too() {
    let single = Lottery { actions: 1, ..GAME };
    let exact = single.value(&single.start())[0];
    let error = |chance| {
        let squares = (0..20).map(|seed| {
            let settings = PimcSettings {
                worlds: 5,
                ..PimcSettings::default()
            };
            let mut pimc: Pimc<Lottery, Identity> = Pimc::new(settings, Identity);
            pimc.chance = chance;
            let budget = Budget::simulations(10_000);
            let decision = pimc.search(&single, &single.start(), &budget, Seed(seed));
            (decision.unwrap().chosen().mean - exact).powi(2)
        });
        squares.sum::<f64>()
    };
    let ratio = error(Chance::explicit()) / error(Chance::Sampled);
    println!("ratio of the squares {ratio:.3}");
    assert!(ratio < 0.5, "{ratio}");
}

#[test]
fn lists_that_are_no_distribution_are_an_error() {
    type List = Vec<(bool, f64)>;
    let game = Bandit {
        chances: vec![0.3, 0.6],
    };
    let lists: [fn(&Bandit, &Pull, &mut List); 4] = [
        |_, _, out| out.clear(),
        |_, _, out| *out = vec![(false, 0.5), (true, 0.4)],
        |_, _, out| *out = vec![(false, 1.0), (true, 0.0)],
        |_, _, out| *out = vec![(false, f64::NAN), (true, 0.5)],
    ];
    for list in lists {
        let mut uct = Uct::<Bandit>::default();
        uct.chance = Chance::Explicit(list);
        let found = uct.search(&game, &Pull::Choose, &Budget::simulations(100), Seed(1));
        assert!(matches!(found, Err(SearchError::BadOutcomes { .. })));
    }
}

#[test]
fn ties_go_by_an_order_drawn_once_a_node() {
    // Fair coins: one side, the other, … below each of both actions, and not the same side first.
    let mut first = [0, 0];
    let game = Bandit {
        chances: vec![0.5, 0.5],
    };
    let list: fn(&Bandit, &Pull, &mut Vec<(bool, f64)>) =
        |_, _, out| *out = vec![(true, 0.5), (false, 0.5)];
    for simulations in 2..40 {
        let mut uct = Uct::new(keep(Parallel::Serial, 1));
        uct.chance = Chance::Explicit(list);
        let budget = Budget::simulations(simulations);
        uct.search(&game, &Pull::Choose, &budget, Seed(simulations))
            .unwrap();
        let tree = uct.last_tree().unwrap();
        for action in tree.nodes.iter().filter(|n| n.depth == 1 && n.visits > 1) {
            let outcomes: Vec<_> = tree
                .nodes
                .iter()
                .filter(|n| n.depth == 2 && tree.nodes[n.parent as usize] == *action)
                .collect();
            let further = action.visits - 1;
            assert_eq!(outcomes[0].visits, further.div_ceil(2));
            assert_eq!(outcomes[1].visits, further / 2);
            first[usize::from(outcomes[0].key == EdgeKey::Chance(true))] += 1;
        }
    }
    assert!(first.iter().all(|&n| n > 20), "{first:?}");
}

#[test]
fn values_of_the_lottery_are_means_and_maxima() {
    let game = Lottery { plies: 2, ..GAME };
    let start: LotteryState = game.start();
    let mut best = f64::NEG_INFINITY;
    for action in 0..2 {
        let mut state = start.clone();
        game.apply(&mut state, action);
        let mut outcomes = Vec::new();
        game.chance_outcomes(&state, &mut outcomes);
        let mean = outcomes.iter().map(|(outcome, p)| {
            let mut end = state.clone();
            game.apply_chance(&mut end, *outcome);
            p * game.returns(&end)[0]
        });
        best = best.max(mean.sum());
    }
    assert!((game.value(&start)[0] - best).abs() < 1e-12);
}

/// Trap 19: two actions and 56 outcomes are not mixed up. Drawn outcomes come as often as their
/// probabilities say behind each action, and listed ones exactly.
#[test]
fn outcomes_behind_each_action_come_in_their_shares() {
    let game = Lottery {
        players: 2,
        actions: 2,
        plies: 2,
        ..DICE
    };
    let budget = Budget::simulations(60_000);
    for chance in [Chance::Sampled, Chance::explicit()] {
        let mut uct = Uct::new(TreeSettings {
            exploration: 5.0,
            ..keep(Parallel::Serial, 1)
        });
        uct.chance = chance;
        uct.search(&game, &game.start(), &budget, Seed(3)).unwrap();
        let nodes = &uct.last_tree().unwrap().nodes;
        let mut outcomes = Vec::new();
        for action in 0..2 {
            let mut after = game.start();
            game.apply(&mut after, action);
            game.chance_outcomes(&after, &mut outcomes);
            // The root's key is a placeholder.
            let parent = (1..nodes.len()).find(|&i| nodes[i].key == EdgeKey::Action(action));
            let visits: Vec<(u8, f64)> = nodes[1..]
                .iter()
                .filter(|node| Some(node.parent as usize) == parent)
                .filter_map(|node| match node.key {
                    EdgeKey::Chance(outcome) => Some((outcome, f64::from(node.visits))),
                    EdgeKey::Action(_) => None,
                })
                .collect();
            assert_eq!(visits.len(), 56);
            let n: f64 = visits.iter().map(|(_, visits)| visits).sum();
            assert!(n > 5_000.0);
            let chi2 = outcomes.iter().map(|(outcome, p)| {
                let met = visits.iter().find(|(met, _)| met == outcome).unwrap();
                (met.1 - p * n).powi(2) / (p * n)
            });
            // 55 degrees of freedom: the 1 - 1e-6 quantile is 118.
            let chi2: f64 = chi2.sum();
            let most = match chance {
                Chance::Sampled => 118.0,
                _ => 5.0,
            };
            assert!(chi2 < most, "{chance:?} {action}: {chi2}");
        }
    }
}
