//! The searchers against known values: perfect information, chance, strategy fusion, hidden cards.

use classics::kuhn::{KuhnDeals, KuhnState, Line, Rank};
use classics::leduc::LeducDeals;
use classics::pig::PigAction;
use classics::safe_guess::FairCoin;
use classics::solve::{BackwardInduction, FromFn, GameTree, PigSolution};
use classics::toy::ToyWorlds;
use classics::{
    ConnectFour, Goofspiel, KuhnPoker, LeducPoker, LiarsDice, Pig, SafeGuess, TicTacToe, TreeGame,
};
use search_core::budget::Budget;
use search_core::decision::Decision;
use search_core::game::{Game, Player, Turn};
use search_core::observation::{Determinizer, Identity};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::search::{
    Aggregate, Flat, FlatSettings, Ismcts, Pimc, PimcSettings, Searcher, TreeSettings, Uct,
};
use serde_json::Value;

fn rows(text: &str) -> impl Iterator<Item = Value> + '_ {
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["kind"] != "header")
}

#[test]
fn t_uc1_tic_tac_toe_is_a_draw_and_uct_keeps_the_value_from_every_position() {
    let game = TicTacToe;
    let mut solver = BackwardInduction::new(&game);
    let mut uct = Uct::default();
    let start = game.initial_state(&mut Seed(0).stream());
    let decision = uct
        .search(&game, &start, &Budget::simulations(200_000), Seed(1))
        .unwrap();
    assert!(
        decision.chosen().mean.abs() < 0.05,
        "{}",
        decision.chosen().mean
    );
    // Every position once, by depth-first search over the moves.
    let mut seen = std::collections::BTreeSet::new();
    let mut stack = vec![start];
    let mut legal = Vec::new();
    let mut checked = 0;
    while let Some(board) = stack.pop() {
        let Turn::Player(player) = game.turn(&board) else {
            continue;
        };
        if !seen.insert(board) {
            continue;
        }
        let values = solver.action_values(&board);
        let value = solver.value(&board).of(player);
        let budget = Budget::simulations(2_000);
        let decision = uct.search(&game, &board, &budget, Seed(checked)).unwrap();
        let chosen = values.iter().find(|(a, _)| *a == decision.action).unwrap();
        assert_eq!(
            chosen.1.of(player),
            value,
            "{board:?}: {:?}",
            decision.action
        );
        checked += 1;
        game.legal_actions(&board, &mut legal);
        for &action in &legal {
            let mut next = board;
            game.apply(&mut next, action);
            stack.push(next);
        }
    }
    assert_eq!(checked, 4_520);
}

/// Share of the hard positions (some move gives the value away) in which the choice keeps it.
fn kept(simulations: u64, seeds: u64) -> f64 {
    let game = ConnectFour;
    let (mut kept, mut asked) = (0, 0);
    for row in rows(include_str!("data/connect4_hard.jsonl")) {
        let position = game
            .parse_observation(row["moves"].as_str().unwrap())
            .unwrap();
        let value = row["score"].as_i64().unwrap().signum();
        for seed in 0..seeds {
            let decision = Uct::default()
                .search(
                    &game,
                    &position,
                    &Budget::simulations(simulations),
                    Seed(seed),
                )
                .unwrap();
            let score = row["move_scores"][decision.action.index()]
                .as_i64()
                .unwrap();
            kept += u32::from(score.signum() == value);
            asked += 1;
        }
    }
    f64::from(kept) / f64::from(asked)
}

/// Trap 7: who takes the other for a friend keeps less with more simulations.
#[test]
fn connect_four_hard_positions_keep_their_value() {
    let small = kept(1_000, 5);
    let large = kept(10_000, 2);
    println!("connect4_hard: {small:.3} at 1,000 simulations, {large:.3} at 10,000");
    // The best peer keeps 96.2 % at 1,000 (one seed); a wrong sign falls with more simulations.
    assert!(small >= 0.94, "{small}");
    assert!(
        large >= small - 0.01 && large >= 0.96,
        "{large} after {small}"
    );
}

#[test]
fn connect_four_late_best_moves_are_found() {
    // From ply 30 a search of 20,000 simulations sees nearly everything.
    let game = ConnectFour;
    let (mut right, mut asked) = (0, 0);
    for row in rows(include_str!("data/connect4.jsonl")) {
        if row["ply"].as_u64().unwrap() < 30 {
            continue;
        }
        let position = game
            .parse_observation(row["moves"].as_str().unwrap())
            .unwrap();
        let decision = Uct::default()
            .search(&game, &position, &Budget::simulations(20_000), Seed(1))
            .unwrap();
        let value = row["wdl"].as_i64().unwrap();
        let score = row["move_scores"][decision.action.index()]
            .as_i64()
            .unwrap();
        right += u32::from(score.signum() == value);
        asked += 1;
    }
    assert!(asked > 50);
    assert_eq!(right, asked);
}

#[test]
fn pig_actions_are_right_wherever_it_matters() {
    let game = Pig::new(10, 2).unwrap();
    let solution = PigSolution::new(10);
    let mut asked = 0;
    for row in rows(include_str!("data/pig10_full.jsonl")) {
        let (Some(roll), Some(hold)) = (row["q_roll"].as_f64(), row["q_hold"].as_f64()) else {
            continue;
        };
        if (roll - hold).abs() <= 0.02 {
            continue;
        }
        let at = |key: &str| row[key].as_u64().unwrap() as u32;
        let state = game
            .choice(&[at("me"), at("opp")], 0, at("turn_total"))
            .unwrap();
        let decision = Uct::default()
            .search(&game, &state, &Budget::simulations(20_000), Seed(1))
            .unwrap();
        let best = if roll > hold {
            PigAction::Roll
        } else {
            PigAction::Hold
        };
        assert_eq!(decision.action, best, "{state:?}: roll {roll}, hold {hold}");
        let value = 2.0
            * solution
                .win_probability(at("me"), at("opp"), at("turn_total"))
                .unwrap()
            - 1.0;
        assert!((decision.chosen().mean - value).abs() < 0.1, "{state:?}");
        asked += 1;
    }
    assert!(asked > 200, "{asked}");
}

#[test]
fn t_is4_pimc_is_fooled_by_strategy_fusion_and_ismcts_is_not() {
    let game = SafeGuess::default();
    for seed in 0..10 {
        let state = game.initial_state(&mut Seed(seed).stream());
        let view = game.observe(&state, Player::new(0));
        let budget = Budget::simulations(4_000);
        let settings = PimcSettings {
            worlds: 40,
            ..PimcSettings::default()
        };
        for aggregate in [Aggregate::Mean, Aggregate::Vote, Aggregate::Visits] {
            let settings = PimcSettings {
                aggregate,
                ..settings
            };
            let pimc = Pimc::new(settings, FairCoin)
                .search(&game, &view, &budget, Seed(seed))
                .unwrap();
            assert_eq!(game.format_action(pimc.action), "gamble");
            assert!(pimc.chosen().mean > 0.9, "{}", pimc.chosen().mean);
        }
        let ismcts = Ismcts::new(TreeSettings::default(), FairCoin)
            .search(&game, &view, &budget, Seed(seed))
            .unwrap();
        assert_eq!(game.format_action(ismcts.action), "safe");
        let gamble = ismcts
            .candidates
            .iter()
            .find(|c| c.action != ismcts.action)
            .unwrap();
        assert!(gamble.mean < 0.3, "{}", gamble.mean);
    }
}

/// The label of a decision in a toy.
fn label<'a>(game: &'a TreeGame, decision: &Decision<classics::toy::ToyAction>) -> &'a str {
    game.label(decision.action)
}

#[test]
fn two_move_example_flat_errs_for_ever_and_the_tree_finds_the_answer() {
    let game = TreeGame::builtin("two_move").unwrap();
    let state = game.initial_state(&mut Seed(0).stream());
    let view = game.observe(&state, Player::new(0));
    let budget = Budget::simulations(200_000);
    let flat = Flat::new(FlatSettings::default(), ToyWorlds)
        .search(&game, &view, &budget, Seed(1))
        .unwrap();
    assert_eq!(label(&game, &flat), "b2");
    let uct = Uct::default()
        .search_state(&game, &state, &budget, Seed(1))
        .unwrap();
    assert_eq!(label(&game, &uct), "b1");
    for (decision, b1, b2, tolerance) in [(&flat, 0.49, 0.55, 0.002), (&uct, 0.48, 0.45, 0.01)] {
        for (name, value) in [("b1", b1), ("b2", b2)] {
            let mean = decision.candidate(game.action(name).unwrap()).unwrap().mean;
            assert!(
                (mean - value).abs() < tolerance,
                "{name}: {mean} against {value}"
            );
        }
    }
}

#[test]
fn toys_that_break_other_searchers() {
    let budget = Budget::simulations(20_000);
    let known = |id: &str| {
        let game = TreeGame::builtin(id).unwrap();
        let state = game.initial_state(&mut Seed(1).stream());
        let decision = Uct::default()
            .search_state(&game, &state, &budget, Seed(1))
            .unwrap();
        (label(&game, &decision).to_string(), decision.chosen().mean)
    };
    for (id, choice, value) in [
        ("maxn3_consecutive", "l", 3.0), // the same player twice, then two others
        ("general_sum", "l", 3.0),       // negating the opponent's value would say r
        ("chance_choice", "g2", 1.5),
        ("star_cut", "l", 0.5),
        ("forced_root", "only", 0.25),
    ] {
        let (chosen, mean) = known(id);
        assert_eq!(chosen, choice, "{id}");
        assert!(
            (mean - value).abs() < 0.1 * value.abs().max(1.0),
            "{id}: {mean}"
        );
    }
    assert!(["x", "y"].contains(&known("all_lost").0.as_str()));
    // Random play says that the certain draw is better: with the usual exploration the win is hardly
    // tried often enough to be found, with more it is.
    let game = TreeGame::builtin("draw_or_win").unwrap();
    let state = game.initial_state(&mut Seed(1).stream());
    let mut uct = Uct::default();
    uct.settings.exploration = 3.0;
    let decision = uct.search_state(&game, &state, &budget, Seed(1)).unwrap();
    assert_eq!(label(&game, &decision), "r");
}

#[test]
fn toys_with_hidden_worlds() {
    let budget = Budget::simulations(20_000);
    for (id, info_set, choice) in [
        ("strategy_fusion", "root", "L"),
        // A documented limit: the tree tells situations apart by the actions that led there, not by
        // what the player was shown on the way, so it cannot know that the world will be seen.
        ("revealed_before_guess", "root", "L"),
        ("rare_move", "w_rare", "r"),
        ("rare_move", "w_common", "x"),
        // What a uniform redeal says: player 1's choice to come here is not read.
        ("non_locality", "M", "b"),
    ] {
        let game = TreeGame::builtin(id).unwrap();
        let view = game.view(Player::new(0), info_set).unwrap();
        let decision = Ismcts::new(TreeSettings::default(), ToyWorlds)
            .search(&game, &view, &budget, Seed(1))
            .unwrap();
        assert_eq!(label(&game, &decision), choice, "{id}");
    }
    // A documented limit: a tree keyed on the true move tells the guesser what was hidden, and the
    // one who hides it expects to lose what is worth 0.
    let game = TreeGame::builtin("hidden_move_pennies").unwrap();
    let view = game.view(Player::new(0), "hide").unwrap();
    let leaked = Ismcts::new(TreeSettings::default(), ToyWorlds)
        .search(&game, &view, &budget, Seed(1))
        .unwrap();
    assert!(leaked.chosen().mean < -0.9, "{}", leaked.chosen().mean);
    // Deciding world by world takes the guess whether or not the world will be seen by then.
    for id in ["strategy_fusion", "revealed_before_guess"] {
        let game = TreeGame::builtin(id).unwrap();
        let view = game.view(Player::new(0), "root").unwrap();
        let pimc = Pimc::new(PimcSettings::default(), ToyWorlds)
            .search(&game, &view, &budget, Seed(1))
            .unwrap();
        assert_eq!(label(&game, &pimc), "R", "{id}");
    }
}

/// Plays the searcher's action in every information set.
fn pure<G: Game>(
    game: &G,
    search: impl Fn(&G::Observation) -> Decision<G::Action>,
) -> impl Fn(&G::Observation, &[G::Action]) -> Vec<f64> {
    let _ = game;
    move |observation, legal| {
        let action = search(observation).action;
        legal
            .iter()
            .map(|a| f64::from(u8::from(*a == action)))
            .collect()
    }
}

#[test]
fn t_is9_pimc_in_kuhn_poker_earns_what_enumeration_says() {
    let game = KuhnPoker;
    let tree = GameTree::new(&game, 1_000).unwrap();
    let settings = PimcSettings {
        worlds: 100,
        ..PimcSettings::default()
    };
    let policy = pure(&game, |view| {
        Pimc::new(settings, KuhnDeals)
            .search(&game, view, &Budget::simulations(20_000), Seed(7))
            .unwrap()
    });
    let pimc = tree.tabulate(&game, &FromFn(policy)).unwrap();
    let nash = classics::kuhn::equilibrium(0.0).unwrap();
    let nash = tree.tabulate(&game, &nash).unwrap();
    let first = Player::new(0);
    let second = Player::new(1);
    let against_nash = tree.value(&tree.with_player(&nash, first, &pimc)).of(first);
    assert!((against_nash + 1.0 / 18.0).abs() < 1e-12, "{against_nash}");
    for player in [first, second] {
        let responder = if player == first { second } else { first };
        let worst = -tree.best_response(&pimc, responder).value;
        assert!((worst + 1.0 / 6.0).abs() < 1e-12, "{player:?}: {worst}");
    }
}

#[test]
fn exploitability_of_the_searchers_on_kuhn_and_leduc() {
    fn measure<G, D>(game: &G, determinizer: &D, simulations: u64) -> (f64, f64, f64)
    where
        G: search_core::game::InfoKey + search_core::game::ChanceOutcomes,
        G: classics::solve::InitialStates,
        D: Determinizer<G> + Clone,
    {
        let tree = GameTree::new(game, 100_000).unwrap();
        let budget = Budget::simulations(simulations);
        let mixed = FromFn(|view: &G::Observation, _: &[G::Action]| {
            let decision = Ismcts::new(TreeSettings::default(), determinizer.clone())
                .search(game, view, &budget, Seed(3))
                .unwrap();
            decision.candidates.iter().map(|c| c.policy).collect()
        });
        let ismcts = tree.tabulate(game, &mixed).unwrap();
        let settings = PimcSettings {
            worlds: 20,
            ..PimcSettings::default()
        };
        let fused = FromFn(pure(game, |view| {
            Pimc::new(settings, determinizer.clone())
                .search(game, view, &budget, Seed(3))
                .unwrap()
        }));
        let pimc = tree.tabulate(game, &fused).unwrap();
        let exploitability = |profile| tree.exploitability(profile);
        (
            exploitability(&tree.uniform()),
            exploitability(&ismcts),
            exploitability(&pimc),
        )
    }
    let (uniform, ismcts, pimc) = measure(&KuhnPoker, &KuhnDeals, 2_000);
    println!("kuhn: uniform {uniform:.4}, ismcts {ismcts:.4}, pimc {pimc:.4}");
    assert!((uniform - 0.5 * (0.5 + 5.0 / 12.0)).abs() < 1e-9);
    assert!(ismcts < uniform && pimc < uniform);
    let (uniform, ismcts, pimc) = measure(&LeducPoker, &LeducDeals, 500);
    println!("leduc: uniform {uniform:.4}, ismcts {ismcts:.4}, pimc {pimc:.4}");
    assert!((uniform - 0.5 * (2.0875 + 2.659_722_222)).abs() < 1e-6);
    assert!(ismcts < uniform);
}

#[test]
fn t_is7_ismcts_lets_opponents_ignore_their_own_cards() {
    // A documented limit: with the king, betting and checking look the same, since in the shared
    // tree nobody folds a jack and calls with a queen.
    let game = KuhnPoker;
    let state = KuhnState::new([Rank::King, Rank::Jack], Line::Start).unwrap();
    let view = game.observe(&state, Player::new(0));
    let decision = Ismcts::new(TreeSettings::default(), KuhnDeals)
        .search(&game, &view, &Budget::simulations(100_000), Seed(1))
        .unwrap();
    for candidate in &decision.candidates {
        assert!((candidate.mean - 1.0).abs() < 0.05, "{candidate:?}");
    }
}

#[test]
fn t_is2_a_perfect_information_game_is_searched_alike() {
    let game = ConnectFour;
    let position = game.parse_observation("44444").unwrap();
    let share = |ismcts: bool| {
        let shares: Vec<f64> = (0..30)
            .map(|seed| {
                let budget = Budget::simulations(1_000);
                let decision = if ismcts {
                    Ismcts::new(TreeSettings::default(), Identity).search(
                        &game,
                        &position,
                        &budget,
                        Seed(seed),
                    )
                } else {
                    Uct::default().search(&game, &position, &budget, Seed(500 + seed))
                };
                decision.unwrap().candidates[3].mean
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 30.0;
        (
            mean,
            shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / 29.0 / 30.0,
        )
    };
    let (a, b) = (share(true), share(false));
    assert!(
        ((a.0 - b.0) / (a.1 + b.1).sqrt()).abs() < 5.0,
        "{a:?} {b:?}"
    );
}

/// The value for each player under uniformly random play, by enumeration.
fn uniform<G: Game>(game: &G, state: &G::State) -> Vec<f64> {
    if game.turn(state) == Turn::Terminal {
        return game.returns(state).iter().copied().collect();
    }
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut values = vec![0.0; game.num_players()];
    for &action in &legal {
        let mut next = state.clone();
        game.apply(&mut next, action);
        for (value, of_next) in values.iter_mut().zip(uniform(game, &next)) {
            *value += of_next / legal.len() as f64;
        }
    }
    values
}

/// Every mean of flat Monte Carlo is within five standard errors of uniform play in `worlds`.
fn check_flat<G: Plugin>(game: &G, view: &G::Observation, worlds: &[G::State], seed: u64) {
    let Turn::Player(me) = game.turn(&worlds[0]) else {
        unreachable!()
    };
    let decision = Flat::new(FlatSettings::default(), game.determinizer())
        .search(game, view, &Budget::simulations(100_000), Seed(seed))
        .unwrap();
    for candidate in &decision.candidates {
        let after = worlds.iter().map(|world| {
            let mut world = world.clone();
            game.apply(&mut world, candidate.action);
            uniform(game, &world)[me.index()]
        });
        let exact = after.sum::<f64>() / worlds.len() as f64;
        let error = (candidate.mean - exact).abs();
        // What does not vary, a bet folded to say, is exact.
        assert!(
            error <= 5.0 * candidate.std_error + 1e-12,
            "{candidate:?} against {exact}"
        );
    }
}

#[test]
fn t_es1_flat_means_are_those_of_uniform_play() {
    let game = TicTacToe;
    let start = game.initial_state(&mut Seed(0).stream());
    let mut legal = Vec::new();
    game.legal_actions(&start, &mut legal);
    for (cell, exact) in [(4, 0.5), (0, 12.0 / 35.0), (1, 0.2)] {
        let mut next = start;
        game.apply(&mut next, legal[cell]);
        assert!((uniform(&game, &next)[0] - exact).abs() < 1e-12);
    }
    for (seed, text) in [".../.../...", "x../.o./..x", "x.o/.x./o.."]
        .iter()
        .enumerate()
    {
        let board = game.parse_observation(text).unwrap();
        check_flat(&game, &board, &[board], seed as u64);
    }
    for (seed, line) in [Line::Start, Line::Check, Line::Bet, Line::CheckBet]
        .into_iter()
        .enumerate()
    {
        for card in Rank::ALL {
            let deal = |other| match line {
                Line::Start | Line::CheckBet => KuhnState::new([card, other], line),
                _ => KuhnState::new([other, card], line),
            };
            let worlds: Vec<KuhnState> = Rank::ALL.into_iter().filter_map(deal).collect();
            assert_eq!(worlds.len(), 2);
            let Turn::Player(me) = KuhnPoker.turn(&worlds[0]) else {
                unreachable!()
            };
            let view = KuhnPoker.observe(&worlds[0], me);
            check_flat(&KuhnPoker, &view, &worlds, seed as u64);
        }
    }
}

/// T-IS6: whatever the other player holds, the search of one's own position is the same, bit for
/// bit, tree included. Returns how many pairs of positions differed in what is hidden.
fn check_hidden<G: Plugin>(game: &G) -> u32 {
    let determinizer = game.determinizer();
    let mut differed = 0;
    for seed in 0..60 {
        let mut rng = Seed(seed).simulation(0);
        let mut state = game.initial_state(&mut rng);
        let mut legal = Vec::new();
        loop {
            let me = match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let outcome = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, outcome);
                    continue;
                }
                Turn::Player(me) => me,
            };
            let view = game.observe(&state, me);
            let plan = determinizer.plan(game, &view).unwrap();
            let mut twin = determinizer.scratch(game, &view, &plan);
            determinizer.sample(game, &view, &plan, &mut rng, &mut twin);
            let other = Player::new(1 - me.index());
            let shown = |state| game.picture(&game.observe(state, other));
            differed += u32::from(shown(&state) != shown(&twin));
            let run = |state: &G::State| {
                let view = game.observe(state, me);
                let settings = TreeSettings {
                    keep_tree: true,
                    ..TreeSettings::default()
                };
                let mut ismcts = Ismcts::new(settings, game.determinizer());
                let mut pimc = Pimc::new(PimcSettings::default(), game.determinizer());
                let mut flat = Flat::new(FlatSettings::default(), game.determinizer());
                let searchers: [&mut dyn Searcher<G>; 3] = [&mut ismcts, &mut pimc, &mut flat];
                let decisions = searchers.map(|searcher| {
                    let budget = Budget::simulations(300);
                    let decision = searcher.search(game, &view, &budget, Seed(seed)).unwrap();
                    format!("{decision:?}")
                });
                (decisions, ismcts.tree().unwrap().checksum)
            };
            assert_eq!(run(&state), run(&twin));
            game.legal_actions(&state, &mut legal);
            let action = legal[rng.below(legal.len() as u32) as usize];
            game.apply(&mut state, action);
        }
    }
    differed
}

#[test]
fn t_is6_the_other_hand_does_not_change_a_search() {
    for differed in [
        check_hidden(&KuhnPoker),
        check_hidden(&LeducPoker),
        check_hidden(&LiarsDice::new(4).unwrap()),
        check_hidden(&Goofspiel::default()),
    ] {
        assert!(differed > 30, "{differed}");
    }
}
