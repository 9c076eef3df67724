//! Agents built from expressions are the searchers themselves, and equal agents are equal on every
//! built-in game.

use crate::common::lab_on;
use crate::common::tricks::{Options, Redeal, Tricks};
use search_core::agent::{Agent, Substitute};
use search_core::budget::Budget;
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::policy::UniformRandom;
use search_core::rng::Seed;
use search_core::search::{
    Expectimax, ExpectimaxSettings, Flat, FlatSettings, Ismcts, Pimc, PimcSettings, Pruning,
    RisMcts, RolloutImprovement, RolloutSettings, Searcher, TreeSettings,
};
use searchlab::Registry;
use searchlab::agents::{Context, Purpose, build};
use serde_json::Value;

/// A searcher called directly, by the expression that builds the same one.
fn direct() -> Vec<(&'static str, Box<dyn Searcher<Tricks>>, Budget)> {
    let tree = TreeSettings {
        exploration: 0.5,
        ..TreeSettings::default()
    };
    let pimc = PimcSettings {
        worlds: 7,
        search: TreeSettings::default(),
        ..PimcSettings::default()
    };
    let rollout = RolloutSettings {
        samples: 40,
        ..RolloutSettings::default()
    };
    let random = || UniformRandom;
    vec![
        (
            "ismcts(sims=300, c=0.5)",
            Box::new(Ismcts::new(tree, Redeal)),
            Budget::simulations(300),
        ),
        (
            "ris-mcts(sims=300)",
            Box::new(RisMcts::new(TreeSettings::default(), Redeal)),
            Budget::simulations(300),
        ),
        (
            "pimc(worlds=7, sims=30)",
            Box::new(Pimc::new(pimc, Redeal)),
            Budget::simulations(210),
        ),
        (
            "rollout(samples=40, base=random)",
            Box::new(RolloutImprovement::new(rollout, Redeal, random(), random())),
            Budget::default(),
        ),
    ]
}

#[test]
fn t_fa1_a_boxed_agent_decides_as_its_searcher_does() {
    let game = Tricks(Options::default());
    for seed in 0..5 {
        let mut state = game.initial_state(&mut Seed(seed).stream());
        let mut rng = Seed(seed).child("chance").stream();
        while game.turn(&state) == Turn::Chance {
            let outcome = game.sample_chance(&state, &mut rng);
            game.apply_chance(&mut state, outcome);
        }
        let Turn::Player(me) = game.turn(&state) else {
            unreachable!()
        };
        let view = game.observe(&state, me);
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        for purpose in [Purpose::Match, Purpose::Analysis { keep_tree: false }] {
            for (text, mut searcher, budget) in direct() {
                let context = Context {
                    game: &game,
                    extras: &[],
                    threads: 1,
                    purpose,
                };
                let expr: Expr = text.parse().unwrap();
                let mut agent: Box<dyn Agent<Tricks>> = build(&context, &expr).unwrap().agent;
                let choice = agent.decide(&game, &view, &legal, Seed(7)).unwrap();
                let decision = searcher.search(&game, &view, &budget, Seed(7)).unwrap();
                assert_eq!(choice.action, decision.action, "{text}");
                assert_eq!(choice.substitute, None);
                assert_eq!(
                    format!("{:?}", choice.decision.unwrap()),
                    format!("{decision:?}"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn t_fa1_the_command_line_reports_what_the_searcher_says() {
    // From the expression and the position's text to the table, against a search called here.
    use classics::kuhn::KuhnDeals;
    let game = classics::KuhnPoker;
    let position = "player=1 card=Q played=bet";
    let ran = lab_on(
        &Registry::standard(),
        &[
            "search",
            "--game",
            "kuhn-poker",
            "--position",
            position,
            "--agent",
            "flat(sims=501)",
            "--seed",
            "4",
            "--json",
        ],
    );
    let report = ran.json();
    let view = search_core::plugin::Plugin::parse_observation(&game, position).unwrap();
    let seed = searchlab::experiment::match_driver::MatchSeeds::new(4);
    let decision = Flat::new(FlatSettings::default(), KuhnDeals)
        .search(
            &game,
            &view,
            &Budget::simulations(501),
            seed.decision(0, Player::new(1), 0),
        )
        .unwrap();
    let rows = report["candidates"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for candidate in &decision.candidates {
        let name = search_core::plugin::Plugin::format_action(&game, candidate.action);
        let row = rows.iter().find(|row| row["action"] == name).unwrap();
        assert_eq!(row["visits"], candidate.visits);
        assert_eq!(row["mean"].as_f64(), Some(candidate.mean));
        assert_eq!(row["standard_error"].as_f64(), Some(candidate.std_error));
    }
}

#[test]
fn an_agent_of_the_game_with_a_memory_is_built_by_the_game_and_covered() {
    let game = Tricks(Options::default());
    let mut state = game.initial_state(&mut Seed(1).stream());
    let mut rng = Seed(1).child("chance").stream();
    while game.turn(&state) == Turn::Chance {
        let outcome = game.sample_chance(&state, &mut rng);
        game.apply_chance(&mut state, outcome);
    }
    let Turn::Player(me) = game.turn(&state) else {
        unreachable!()
    };
    let view = game.observe(&state, me);
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let context = Context {
        game: &game,
        extras: &[],
        threads: 1,
        purpose: Purpose::Match,
    };
    let built = |text: &str| build(&context, &text.parse::<Expr>().unwrap());
    let mut turning = built("turning(sims=7, high=true)").unwrap();
    for expected in [legal.len() - 1, 0, legal.len() - 1] {
        let choice = turning.agent.decide(&game, &view, &legal, Seed(1)).unwrap();
        assert_eq!(choice.action, legal[expected]);
        assert_eq!(choice.substitute, None);
    }
    // Without simulations it fails, and the game's first agent decides.
    let mut failing = built("turning").unwrap();
    let choice = failing.agent.decide(&game, &view, &legal, Seed(1)).unwrap();
    assert_eq!(choice.substitute, Some(Substitute::Failure));
    assert_eq!(choice.action, legal[legal.len() - 1]);
    assert!(failing.note.take().unwrap().contains("turning needs"));
    let refused = |text| built(text).err().unwrap().to_string();
    assert!(refused("turning(hihg=true)").contains("did you mean `high`"));
    assert!(refused("turnin").contains("did you mean `turning`"));
    assert!(refused("flat(rollout=turning)").contains("cannot play rollouts"));
}

#[test]
fn expectimax_by_name_is_the_searcher() {
    use classics::{Pig, TicTacToe};
    use search_core::plugin::Plugin;

    fn check<P: Plugin>(game: &P, text: &str, settings: ExpectimaxSettings, budget: &Budget) {
        let state = game.initial_state(&mut Seed(1).stream());
        let view = game.observe(&state, Player::new(0));
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        for purpose in [Purpose::Match, Purpose::Analysis { keep_tree: false }] {
            let context = Context {
                game,
                extras: &[],
                threads: 1,
                purpose,
            };
            let settings = ExpectimaxSettings {
                skip_forced: purpose == Purpose::Match,
                exact_root: purpose != Purpose::Match,
                ..settings
            };
            let mut agent = build(&context, &text.parse().unwrap()).unwrap().agent;
            let choice = agent.decide(game, &view, &legal, Seed(7)).unwrap();
            let mut search = Expectimax::new(settings, game.depth_first().unwrap());
            let decision = search.search(game, &view, budget, Seed(7)).unwrap();
            let theirs = format!("{:?}", choice.decision.unwrap());
            assert_eq!(theirs, format!("{decision:?}"), "{text}");
        }
    }
    let settings = ExpectimaxSettings::default();
    let everything = Budget::default();
    check(&TicTacToe, "expectimax", settings, &everything);
    let shallow = ExpectimaxSettings {
        depth: 5,
        pruning: Pruning::Star1,
        table: 1 << 10,
        ..settings
    };
    let text = "expectimax(depth=5, prune=star1, table=10, nodes=500)";
    check(&Pig::default(), text, shallow, &everything.with_nodes(500));
    let plain = ExpectimaxSettings {
        depth: 3,
        pruning: Pruning::None,
        table: 0,
        ..settings
    };
    let text = "expectimax(depth=3, prune=none, table=0)";
    check(&TicTacToe, text, plain, &Budget::default());
}

#[test]
fn continuous_searchers_by_name_play_what_is_not_listed() {
    use classics::Cliff;
    use search_core::plugin::Plugin;
    use search_core::rollout::Rollout;
    use search_core::search::{KrUct, KrUctSettings};

    let game = Cliff::default();
    let state = game.initial_state(&mut Seed(1).stream());
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let context = Context {
        game: &game,
        extras: &[],
        threads: 1,
        purpose: Purpose::Match,
    };
    let text = "kr-uct(sims=300, c=0.5, tau=0.1, tries=4, lcb=0.01, turns=3)";
    let mut agent = build(&context, &text.parse().unwrap()).unwrap().agent;
    let settings = KrUctSettings {
        exploration: 0.5,
        threshold: 0.1,
        tries: 4,
        lower_bound: 0.01,
        skip_forced: true,
        ..KrUctSettings::default()
    };
    let rollout = Rollout {
        max_turns: Some(3),
        ..Rollout::random()
    };
    let mut search = KrUct::new(settings, game.continuous_actions().unwrap(), rollout);
    let mut unlisted = 0;
    for seed in 0..6 {
        let choice = agent.decide(&game, &state, &legal, Seed(seed)).unwrap();
        let budget = Budget::simulations(300);
        let decision = search.search(&game, &state, &budget, Seed(seed)).unwrap();
        let theirs = format!("{:?}", choice.decision.unwrap());
        assert_eq!(theirs, format!("{decision:?}"), "{text}");
        assert_eq!(choice.substitute, None);
        unlisted += u32::from(!legal.contains(&choice.action));
    }
    assert!(unlisted > 0);
}

#[test]
fn t_ar1_equal_agents_are_equal_on_every_built_in_game() {
    let registry = Registry::standard();
    let mut games = 0;
    for entry in registry.games() {
        let name = entry.name();
        let game = match name {
            "lexio" => "lexio(rounds=2)",
            "pig" => "pig(target=20, players=3)",
            "curling" => "curling(ends=1, thrown=14, objective=points, shots=named)",
            name => name,
        };
        let mut agents = vec!["random", "flat(sims=30)", "rollout(samples=2)"];
        agents.push("ismcts(sims=40, parallel=batch, batch=4)");
        if name == "lexio" {
            agents.push("easy");
        }
        if name == "connect-four" {
            agents.push("expectimax(depth=3, table=12)");
            agents.extend(["uct(sims=60, reuse=true)", "graph-uct(sims=60)"]);
        }
        if name == "cliff" {
            agents.extend(["optimal", "kr-uct(sims=60)", "uct-pw(sims=60)"]);
            agents.extend(["rave-pw(sims=60, parallel=root)", "smoothed(sims=60)"]);
        }
        for agent in agents {
            let args = ["compare", "--game", game, "--a", agent, "--b", agent];
            let more = ["--seeds", "3", "--threads", "2", "--json"];
            let args: Vec<&str> = args.into_iter().chain(more).collect();
            let report = lab_on(&registry, &args).json();
            let zero = |value: &Value| *value == 0.0;
            let per_seed = report["per_seed"].as_array().unwrap();
            assert!(per_seed.iter().all(zero), "{game} {agent}: {report}");
            assert_eq!(report["divergent_blocks"], 0, "{game} {agent}");
        }
        games += 1;
    }
    assert_eq!(games, 21);
}
