//! Agents built from expressions are the searchers themselves, and equal agents are equal on every
//! built-in game.

use crate::common::lab_on;
use crate::common::tricks::{Options, Redeal, Tricks};
use search_core::agent::Agent;
use search_core::budget::Budget;
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::policy::UniformRandom;
use search_core::rng::Seed;
use search_core::search::{
    Flat, FlatSettings, Ismcts, Pimc, PimcSettings, RolloutImprovement, RolloutSettings, Searcher,
    TreeSettings,
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
fn t_ar1_equal_agents_are_equal_on_every_built_in_game() {
    let registry = Registry::standard();
    let mut games = 0;
    for entry in registry.games() {
        let name = entry.name();
        let game = match name {
            "lexio" => "lexio(rounds=2)",
            "pig" => "pig(target=20, players=3)",
            name => name,
        };
        let mut agents = vec!["random", "flat(sims=30)", "rollout(samples=2)"];
        agents.push("ismcts(sims=40, parallel=batch, batch=4)");
        if name == "lexio" {
            agents.push("easy");
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
    assert_eq!(games, 9);
}
