use search_core::agent::Agent;
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::expr::{Expr, ExprError};
use search_core::game::Game;
use search_core::plugin::Plugin;
use search_core::rng::Seed;

use super::tests::{at, game, middle};
use super::*;
use crate::options::CurlingOptions;
use crate::state::{Phase, State, Verdict};
use crate::{Action, Curling};

fn made(text: &str) -> Result<Option<Box<dyn Agent<Curling>>>, ExprError> {
    let expr: Expr = text.parse().unwrap();
    let mut settings = expr.settings();
    let agent = agent(&expr.name, &mut settings, &Budget::default())?;
    settings.finish()?;
    Ok(agent)
}

#[test]
fn the_agents_answer_with_a_candidate_and_its_effort() {
    let (game, state) = (game(), middle());
    for text in [
        "lattice(spacing=4, screen=4, keep=2)",
        "lattice(depth=1, spacing=4, uncertainty=false)",
        "lattice(spacing=4, keep=2, threads=2, replies=1.5, outcomes=3)",
        "paper(spacing=4, thin=true)",
        "paper(spread=game, spacing=3, mass=cell)",
    ] {
        let mut agent = made(text).unwrap().unwrap();
        let choice = agent.decide(&game, &state, &[], Seed(1)).unwrap();
        let decision = choice.decision.unwrap();
        assert!(
            choice.deterministic && game.accepts(&state, choice.action),
            "{text}"
        );
        assert!(decision.candidates.is_sorted_by(|a, b| a.action < b.action));
        let top = decision
            .candidates
            .iter()
            .map(|c| c.mean)
            .fold(f64::MIN, f64::max);
        assert_eq!(decision.chosen().mean, top, "{text}");
        assert!(decision.effort.simulations > 100);
        // Whatever was asked before does not matter.
        let early = at(&[], 0);
        agent.decide(&game, &early, &[], Seed(2)).unwrap();
        let again = agent.decide(&game, &state, &[], Seed(3)).unwrap();
        assert_eq!(again.action, decision.action);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    for text in [
        "lattice(depth=3)",
        "lattice(depth=0)",
        "lattice(spacing=0)",
        "lattice(replies=nan)",
        "lattice(mass=heavy)",
        "lattice(spread=paper)",
        "paper(keep=3)",
        "lattice(parallel=root)",
        "lattice(bytes=1000)",
        "paper(nodes=5)",
        "paper(spacing=1000)",
    ] {
        assert!(made(text).is_err(), "{text}");
    }
    assert!(made("latice").unwrap().is_none());
}

#[test]
fn an_empty_budget_is_an_error() {
    let settings = LatticeSettings::default();
    for budget in [
        Budget::simulations(0),
        Budget::time(std::time::Duration::ZERO),
    ] {
        let mut agent = LatticeAgent::new(settings, &budget);
        let error = agent.decide(&game(), &middle(), &[], Seed(0)).unwrap_err();
        assert_eq!(error, SearchError::EmptyBudget);
    }
}

#[test]
fn a_finished_match_or_a_stone_on_its_way_is_an_error() {
    let game = game();
    let mut agent = made("lattice(spacing=4)").unwrap().unwrap();
    let over = State {
        phase: Phase::Over(Verdict::Score),
        ..middle()
    };
    let thrown = State {
        phase: Phase::Throw(crate::Action::CONCEDE),
        ..middle()
    };
    let ask = |agent: &mut Box<dyn Agent<Curling>>, s| agent.decide(&game, s, &[], Seed(0));
    assert_eq!(
        ask(&mut agent, &over).unwrap_err(),
        SearchError::TerminalRoot
    );
    assert_eq!(
        ask(&mut agent, &thrown).unwrap_err(),
        SearchError::ChanceRoot
    );
}

#[test]
fn a_budget_of_shots_ends_the_search_for_replies() {
    let (game, state) = (game(), middle());
    let settings = LatticeSettings {
        spacing: 3.0,
        ..LatticeSettings::default()
    };
    let shots = |budget: Budget| LatticeAgent::new(settings, &budget).find(&game, &state).0;
    let (free, held) = (shots(Budget::default()), shots(Budget::simulations(2_000)));
    assert!(held.shots < free.shots && held.best.is_some());
    assert_eq!(held.stopped, Some(search::Stopped::Shots));
    assert_eq!(free.stopped, None);
}

fn asked(game: &Curling, text: &str, state: &State) -> Decision<Action> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut agent = made(text).unwrap().unwrap();
    let choice = agent.decide(game, state, &legal, Seed(1)).unwrap();
    choice.decision.unwrap()
}

/// With the last stone of an end nothing is left to prune, so the best shots are to be had.
#[test]
fn the_best_shots_are_reported_by_name_with_the_last_stone_too() {
    let game = game();
    for (name, text) in game.positions() {
        let state = game.parse_observation(&text).unwrap();
        let decision = asked(&game, "lattice(spacing=2)", &state);
        let depth_1 = asked(&game, "lattice(spacing=2, depth=1)", &state);
        let names = |decision: &Decision<Action>| {
            let each = decision.candidates.iter();
            let mut names: Vec<String> = each
                .map(|c| game.describe_action(&state, c.action).unwrap())
                .collect();
            names.sort();
            names.dedup();
            names.len()
        };
        for found in [&decision, &depth_1] {
            let top = found.candidates.iter().map(|c| c.mean);
            let top = top.fold(f64::MIN, f64::max);
            assert!((found.chosen().mean - top).abs() < 1e-12, "{name}");
            assert!(found.candidates.len() <= REPORTED, "{name}");
        }
        assert!(names(&depth_1) > 5, "{name}: {}", names(&depth_1));
        if state.shot == 15 {
            assert_eq!(names(&decision), names(&depth_1), "{name}");
        }
    }
}

#[test]
fn the_placings_of_mixed_doubles_are_reported_with_their_values() {
    let game = Curling::new(CurlingOptions {
        doubles: true,
        ..CurlingOptions::default()
    })
    .unwrap();
    let state = game.initial_state(&mut Seed(1).stream());
    assert!(matches!(state.phase, Phase::Place(_)));
    let decision = asked(&game, "lattice(spacing=4)", &state);
    assert_eq!(decision.candidates.len(), 4);
    let best = decision.chosen().mean;
    assert!(decision.candidates.iter().all(|c| c.mean <= best));
}
