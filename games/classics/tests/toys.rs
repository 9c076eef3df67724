//! The little trees: their known values, and how they are read.

mod common;

use classics::TreeGame;
use classics::solve::{BackwardInduction, GameTree, InitialStates, pimc_values, pure_values};
use common::rows;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::testing::chi_square;
use serde_json::Value;
use std::collections::BTreeMap;

fn sources() -> Vec<Value> {
    let mut all = rows(include_str!("../data/toys.jsonl"));
    all.extend(rows(include_str!("../data/two_move.jsonl")));
    all
}

fn toy(id: &str) -> (TreeGame, GameTree<TreeGame>) {
    let game = TreeGame::builtin(id).unwrap();
    let tree = GameTree::new(&game, 10_000).unwrap();
    (game, tree)
}

/// Values of the actions in one information set.
fn pimc(id: &str, player: usize, label: &str) -> BTreeMap<String, f64> {
    let (game, tree) = toy(id);
    let view = game.view(Player::new(player), label).unwrap();
    let (index, set) = tree.info_sets().find(|(_, set)| set.key == view).unwrap();
    let values = pimc_values(&tree);
    let (_, values) = values.iter().find(|(i, _)| *i == index).unwrap();
    let names = set.actions.iter().map(|a| game.label(*a).to_string());
    names.zip(values.iter().copied()).collect()
}

#[test]
fn values_are_those_of_the_file() {
    let sources = sources();
    let ids: Vec<&str> = TreeGame::builtin_ids().collect();
    let expected: Vec<&str> = sources.iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert_eq!(ids, expected);
    let mut pure = 0;
    for source in &sources {
        let id = source["id"].as_str().unwrap();
        let (game, tree) = toy(id);
        assert_eq!(game.note(), source["note"].as_str().unwrap());
        let value = BackwardInduction::new(&game).game_value();
        let known = source["perfect_information_value"].as_array().unwrap();
        assert_eq!(value.len(), known.len());
        for (value, known) in value.iter().zip(known) {
            assert!((value - known.as_f64().unwrap()).abs() < 1e-12, "{id}");
        }
        let (Some(max_min), Some(min_max)) = (
            source["pure_maxmin_p0"].as_f64(),
            source["pure_minmax_p0"].as_f64(),
        ) else {
            continue;
        };
        let values = pure_values(&tree, 100).unwrap();
        assert!((values.max_min - max_min).abs() < 1e-12, "{id}: {values:?}");
        assert!((values.min_max - min_max).abs() < 1e-12, "{id}: {values:?}");
        pure += 1;
    }
    assert_eq!(pure, 11);
    assert_eq!(pure_values(&toy("draw_or_win").1, 1_000), None);
    // Three players: against the other two in league, player 0 can still have 3.
    let league = pure_values(&toy("maxn3_consecutive").1, 100).unwrap();
    assert_eq!(league.max_min, 3.0);
}

#[test]
fn each_tree_shows_its_difficulty() {
    let fusion = pimc("strategy_fusion", 0, "root");
    assert_eq!((fusion["L"], fusion["R"]), (0.6, 1.0));
    let revealed = pimc("revealed_before_guess", 0, "root");
    assert_eq!((revealed["L"], revealed["R"]), (0.6, 1.0));
    let local = pimc("non_locality", 0, "M");
    assert_eq!((local["a"], local["b"]), (-1.0, 0.0));
    let rare = pimc("rare_move", 0, "w_rare");
    assert_eq!((rare["x"], rare["y"], rare["r"]), (0.5, 0.4, 1.0));
    let pennies = pimc("hidden_move_pennies", 1, "guess");
    assert_eq!((pennies["h"], pennies["t"]), (0.0, 0.0));
    let two = pimc("two_move", 0, "start");
    assert_eq!((two["b1"], two["b2"]), (0.48, 0.45));
    // Flat Monte Carlo averages over the replies.
    let (game, tree) = toy("two_move");
    let (_, start) = tree.info_sets().next().unwrap();
    let mut flat = BTreeMap::new();
    for &action in &start.actions {
        let (mut state, _) = game.initial_states()[0];
        game.apply(&mut state, action);
        let mut replies = Vec::new();
        game.legal_actions(&state, &mut replies);
        let sum: f64 = replies
            .iter()
            .map(|reply| {
                let mut end = state;
                game.apply(&mut end, *reply);
                game.returns(&end)[0]
            })
            .sum();
        flat.insert(game.label(action), sum / replies.len() as f64);
    }
    assert!((flat["b1"] - 0.49).abs() < 1e-12 && (flat["b2"] - 0.55).abs() < 1e-12);
}

#[test]
fn pennies_are_worth_nothing_in_mixed_strategies() {
    let (_, tree) = toy("hidden_move_pennies");
    assert_eq!(tree.value(&tree.uniform())[0], 0.0);
    assert_eq!(tree.nash_conv(&tree.uniform()), 0.0);
}

/// T-DT2 and T-DT3: every world of every decision is drawn in proportion to its weight.
#[test]
fn t_dt2_t_dt3_worlds_are_complete_and_weighted() {
    let mut sets = 0;
    for id in TreeGame::builtin_ids() {
        let (game, tree) = toy(id);
        for (index, set) in tree.info_sets() {
            let worlds: BTreeMap<_, f64> = game.worlds(&set.key).iter().copied().collect();
            let plan = game.determinizer().plan(&game, &set.key).unwrap();
            let mut world = game.determinizer().scratch(&game, &set.key, &plan);
            let mut rng = Seed(31)
                .child(id)
                .child(&format!("{index:?}"))
                .simulation(0);
            let mut counts: BTreeMap<_, u64> = worlds.keys().map(|w| (*w, 0)).collect();
            for _ in 0..2_000 {
                game.determinizer()
                    .sample(&game, &set.key, &plan, &mut rng, &mut world);
                *counts.get_mut(&world).unwrap() += 1;
                assert_eq!(game.turn(&world), Turn::Player(set.player));
            }
            let counts: Vec<u64> = counts.into_values().collect();
            let weights: Vec<f64> = worlds.into_values().collect();
            assert!(counts.iter().all(|c| *c > 0));
            chi_square(&counts, &weights).unwrap();
            sets += 1;
        }
    }
    assert!(sets > 30);
}

#[test]
fn worlds_weigh_chance_and_the_others_moves() {
    let text = r#"{"players": 2, "root": {"c": [
        [0.25, {"p": 1, "i": "one", "a": {"go": {"p": 0, "i": "M", "a": {"a": {"t": [1, 0]}, "b": {"t": [0, 0]}}},
                                          "out": {"t": [0, 0]}}}],
        [0.75, {"p": 0, "i": "M", "a": {"a": {"t": [0, 0]}, "b": {"t": [1, 0]}}}]]}}"#;
    let game = TreeGame::from_json(text).unwrap();
    let view = game.view(Player::new(0), "M").unwrap();
    let weights: Vec<f64> = game.worlds(&view).iter().map(|(_, w)| *w).collect();
    assert_eq!(weights, [0.125, 0.75]);
    let tree = GameTree::new(&game, 100).unwrap();
    let (index, _) = tree.info_sets().find(|(_, set)| set.key == view).unwrap();
    let values = pimc_values(&tree);
    let (_, values) = values.iter().find(|(i, _)| *i == index).unwrap();
    assert!((values[0] - 1.0 / 7.0).abs() < 1e-12 && (values[1] - 6.0 / 7.0).abs() < 1e-12);
    // What player 1 knows of the own earlier move does not count as chance.
    let (game, _) = toy("maxn3_consecutive");
    let view = game.view(Player::new(0), "b").unwrap();
    assert_eq!(game.worlds(&view)[0].1, 1.0);
    let view = game.view(Player::new(1), "c").unwrap();
    assert_eq!(game.worlds(&view)[0].1, 0.25);
}

#[test]
fn t_hi2_who_waits_sees_neither_the_deal_nor_the_others_information_set() {
    let (game, _) = toy("non_locality");
    let [(first, _), (second, _)] = game.initial_states()[..] else {
        panic!("two deals");
    };
    let views = |player: usize| {
        let player = Player::new(player);
        [first, second].map(|state| game.observe(&state, player))
    };
    let [a, b] = views(0);
    assert_eq!(a, b);
    assert_eq!(game.worlds(&a).len(), 2);
    let [a, b] = views(1);
    assert_ne!(a, b, "player 1 knows the world");

    // Who has hidden something remembers what, and the other cannot see it.
    let (game, _) = toy("hidden_move_pennies");
    let (start, _) = game.initial_states()[0];
    let [heads, tails] = ["h", "t"].map(|label| {
        let mut state = start;
        game.apply(&mut state, game.action(label).unwrap());
        state
    });
    let see = |player: usize, state| game.observe(&state, Player::new(player));
    assert_ne!(see(0, heads), see(0, tails));
    assert_eq!(see(1, heads), see(1, tails));
}

#[test]
fn the_deal_is_drawn_with_its_probabilities() {
    let game = TreeGame::builtin("rare_move").unwrap();
    let deals = game.initial_states();
    let mut counts = vec![0; deals.len()];
    let mut rng = Seed(32).simulation(0);
    for _ in 0..20_000 {
        let state = game.initial_state(&mut rng);
        counts[deals.iter().position(|(s, _)| *s == state).unwrap()] += 1;
    }
    chi_square(&counts, &[0.1, 0.9]).unwrap();
}

#[test]
fn bad_trees_are_refused_with_a_place() {
    let leaf = r#"{"t": [0, 0]}"#;
    let tree = |root: &str| format!(r#"{{"players": 2, "root": {root}}}"#);
    for (text, reason) in [
        ("{".to_string(), "not JSON"),
        ("7".to_string(), "expected 1 to 6"),
        (r#"{"players": 9}"#.to_string(), "expected 1 to 6"),
        (tree("3"), "at root: expected `t`"),
        (tree(r#"{"t": [1]}"#), "should be 2 numbers"),
        (tree(r#"{"t": ["x", 1]}"#), "should be 2 numbers"),
        (tree(r#"{"c": []}"#), "should be a list"),
        (tree(&format!(r#"{{"c": [[0.5, {leaf}]]}}"#)), "sum to 0.5"),
        (
            tree(&format!(r#"{{"c": [[0, {leaf}], [1, {leaf}]]}}"#)),
            "above 0",
        ),
        (
            tree(&format!(r#"{{"p": 2, "i": "a", "a": {{"x": {leaf}}}}}"#)),
            "no player 2",
        ),
        (
            tree(&format!(r#"{{"p": 0, "a": {{"x": {leaf}}}}}"#)),
            "`i` should be",
        ),
        (
            tree(&format!(r#"{{"p": 0, "i": "a", "a": {{"x y": {leaf}}}}}"#)),
            "no spaces",
        ),
        (
            tree(&format!(
                r#"{{"c": [[0.5, {{"p": 0, "i": "a", "a": {{"x": {leaf}}}}}], [0.5, {{"p": 0, "i": "a", "a": {{"y": {leaf}}}}}]]}}"#
            )),
            "at root.c[1]: information set `a` has other actions",
        ),
        (
            tree(&format!(
                r#"{{"p": 0, "i": "a", "a": {{"l": {{"p": 0, "i": "b", "a": {{"x": {leaf}}}}}, "r": {{"p": 0, "i": "b", "a": {{"x": {leaf}}}}}}}}}"#
            )),
            "at root.r: player 0 forgets",
        ),
    ] {
        let error = TreeGame::from_json(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn information_sets_are_positions() {
    let (game, _) = toy("non_locality");
    let view = game.view(Player::new(0), "M").unwrap();
    for text in ["p0:M", "M", " M "] {
        assert_eq!(game.parse_observation(text), Ok(view));
    }
    assert_eq!(game.format_observation(&view).as_deref(), Some("p0:M"));
    let error = game.parse_observation("p1:M").unwrap_err().to_string();
    assert!(error.contains("did you mean `p0:M`"), "{error}");
    assert!(game.picture(&view).contains("2 worlds"));
}
