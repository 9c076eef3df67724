//! Studies of Pig, whose best play is known: hold at 20 is close to it, hold at 2 is poor.

use std::path::Path;

use search_core::agent::PolicyAgent;
use search_core::expr::Expr;

use super::axis::Axis;
use super::evaluate::Evaluator;
use super::grid::{GridReport, ablations, combinations};
use super::log::Log;
use super::tune::{Accept, Method, Plan, TuneReport};
use super::{Study, grid, tune};
use crate::error::Result;
use crate::game::OpenGame;
use crate::registry::Registry;

/// Pig with an agent whose weight `w` weighs nothing and yet spoils everything unless it is 0, as a
/// weight does that only breaks ties.
fn pig() -> Box<dyn OpenGame> {
    let registry = Registry::new().with_agent::<classics::Pig>("ties", "", |setup, settings| {
        let w = settings.get("w", 0.7)?;
        let at: Expr = if w == 0.0 {
            "hold(at=20)"
        } else {
            "hold(at=2)"
        }
        .parse()?;
        let policy = search_core::plugin::Plugin::agent(setup.game, &at.name, &mut at.settings())?;
        Ok(Box::new(PolicyAgent(policy.expect("a policy of the game"))))
    });
    registry.open("pig(target=30)").expect("a game")
}

fn evaluator(log: Log, threads: usize) -> Evaluator<'static> {
    Evaluator {
        against: "hold(at=10)".parse().unwrap(),
        level: 0.95,
        threads,
        log,
        watch: Box::new(|_| {}),
    }
}

fn study<'a>(game: &'a dyn OpenGame, agent: &str, keys: &[&str], held_out: bool) -> Study<'a> {
    Study {
        game,
        cells: Vec::new(),
        agent: agent.parse().unwrap(),
        axes: keys.iter().map(|k| k.parse::<Axis>().unwrap()).collect(),
        tuning: "0..48".parse().unwrap(),
        held_out: held_out.then(|| "1000..1064".parse().unwrap()),
    }
}

fn sweep(study: &Study<'_>, evaluator: &mut Evaluator<'_>) -> Result<GridReport> {
    let variants = combinations(&study.agent, &study.axes)?;
    grid::run("sweep", study, variants, evaluator)
}

const PLAN: Plan = Plan {
    method: Method::Coordinate,
    evaluations: 30,
    accept: Accept::Interval,
    trial_seeds: 4,
    seed: 0,
};

fn tuned(method: Method, accept: Accept, threads: usize) -> TuneReport {
    let game = pig();
    let study = study(&*game, "hold(at=2)", &["at=1,2,4,8,12,16,20,25,30"], true);
    let plan = Plan {
        method,
        accept,
        ..PLAN
    };
    tune::run(&study, &plan, &mut evaluator(Log::in_memory(), threads)).unwrap()
}

#[test]
fn a_sweep_finds_what_is_worse_and_holds_the_best_against_fresh_seeds() {
    let game = pig();
    let study = study(&*game, "hold(at=8)", &["at=1,8,18"], true);
    let report = sweep(&study, &mut evaluator(Log::in_memory(), 2)).unwrap();
    let effects: Vec<_> = report
        .rows
        .iter()
        .map(|r| r.effect.clone().unwrap())
        .collect();
    assert!(effects[0].high.unwrap() < 0.0, "{:?}", effects[0]);
    assert_eq!(
        (effects[1].mean, effects[1].p),
        (0.0, None),
        "the agent as it is"
    );
    // Two effects are tested: the smaller p counts twice.
    let p = effects[0].p.unwrap().min(effects[2].p.unwrap());
    let adjusted = effects[0].p_holm.unwrap().min(effects[2].p_holm.unwrap());
    assert!((adjusted - 2.0 * p).abs() < 1e-12);
    assert_eq!(report.family, 2);
    let held_out = report.held_out.expect("at=18 is better");
    assert_eq!(held_out.chosen, "hold(at=18)");
    let shrinkage = held_out.on_tuning.unwrap() - held_out.cells[0].effect.mean;
    assert_eq!(held_out.shrinkage, Some(shrinkage));
}

#[test]
fn reports_do_not_depend_on_threads() {
    let game = pig();
    let json = |threads| {
        let study = study(&*game, "hold", &["at"], true);
        let mut study = study;
        study.axes = vec!["at=5,20".parse().unwrap()];
        let report = sweep(&study, &mut evaluator(Log::in_memory(), threads)).unwrap();
        serde_json::to_string(&report).unwrap()
    };
    let one = json(1);
    for threads in [2, 3, 7] {
        assert_eq!(json(threads), one, "{threads} threads");
    }
    for method in [Method::Coordinate, Method::Ntbea] {
        let one = tuned(method, Accept::Interval, 1);
        assert_eq!(tuned(method, Accept::Interval, 3), one, "{method:?}");
    }
}

/// L3.4: a weight that only breaks ties hurts as much at 0.005 as at 0.7, and not at 0.
#[test]
fn a_step_at_zero_is_told_from_a_weight() {
    let game = pig();
    let ties = study(&*game, "ties", &["w=0,0.005,0.7,1.4"], false);
    let report = sweep(&ties, &mut evaluator(Log::in_memory(), 2)).unwrap();
    let step = &report.steps[0];
    assert_eq!(
        (step.key.as_str(), step.small, step.large),
        ("w", 0.005, 1.4)
    );
    assert!(step.jump.is_gain() && step.rest.mean == 0.0);

    let weight = study(&*game, "hold(at=20)", &["at=1,2,20"], false);
    let report = sweep(&weight, &mut evaluator(Log::in_memory(), 2)).unwrap();
    assert!(report.steps.is_empty(), "no value is 0");
}

#[test]
fn an_ablation_leaves_out_what_the_agent_refuses() {
    let game = pig();
    let parameters = game
        .parameters(&"ties(w=3, seed=5)".parse().unwrap())
        .unwrap();
    let found: Vec<_> = parameters
        .iter()
        .map(|p| (p.key.as_str(), p.value.as_deref()))
        .collect();
    assert_eq!(found, [("w", Some("3"))]);
    let mut study = study(&*game, "ties(w=0.7)", &["w", "x"], false);
    study.tuning = "0..16".parse().unwrap();
    let variants = ablations(&study.agent, &study.axes).unwrap();
    let report = grid::run(
        "ablate",
        &study,
        variants,
        &mut evaluator(Log::in_memory(), 2),
    )
    .unwrap();
    assert_eq!((report.rows.len(), report.skipped.len()), (1, 1));
    assert!(
        report.skipped[0].why.contains("no setting `x`"),
        "{}",
        report.skipped[0].why
    );
    assert!(report.rows[0].effect.as_ref().unwrap().mean > 0.0);
}

#[test]
fn tuning_climbs_to_what_is_known_to_be_good() {
    for (method, accept) in [
        (Method::Coordinate, Accept::Interval),
        (Method::Coordinate, Accept::Mean),
        (Method::Ntbea, Accept::Interval),
    ] {
        let report = tuned(method, accept, 2);
        let at: i32 = report.best.values["at"].parse().unwrap();
        assert!((12..=30).contains(&at), "{method:?} {accept:?}: {at}");
        assert!(report.evaluations <= 30.0 + 1e-9, "{}", report.evaluations);
        let held_out = report.held_out.expect("something better was found");
        assert!(held_out.cells[0].effect.is_gain(), "{held_out:?}");
    }
}

#[test]
fn tuning_stops_at_its_evaluations() {
    let game = pig();
    let study = study(&*game, "hold(at=2)", &["at=4,8,12,16,20"], false);
    let plan = Plan {
        evaluations: 3,
        ..PLAN
    };
    let report = tune::run(&study, &plan, &mut evaluator(Log::in_memory(), 2)).unwrap();
    assert_eq!(report.evaluations, 3.0);
    assert_eq!(report.trials.len(), 2);
    for evaluations in [0, 1] {
        let plan = Plan {
            evaluations,
            ..PLAN
        };
        assert!(tune::run(&study, &plan, &mut evaluator(Log::in_memory(), 2)).is_err());
    }
}

fn open(path: &Path) -> Result<Log> {
    let held_out = "1000..1064".parse().unwrap();
    Log::open(path, &"0..48".parse().unwrap(), Some(&held_out))
}

#[test]
fn a_study_goes_on_from_its_log_and_uses_held_out_seeds_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("study.log.jsonl");
    let game = pig();
    let first = study(&*game, "hold(at=8)", &["at=18"], true);
    let report = sweep(&first, &mut evaluator(open(&path).unwrap(), 2)).unwrap();

    // The same again, after a kill in the middle of a line: nothing is played, and it says the same.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"kind\":\"block\",\"ga");
    std::fs::write(&path, &bytes).unwrap();
    let mut again = evaluator(open(&path).unwrap(), 2);
    again.watch = Box::new(|progress| panic!("{progress:?}"));
    assert_eq!(sweep(&first, &mut again).unwrap(), report);
    drop(again);

    // Another choice on the same held-out seeds is refused before they are played.
    let second = study(&*game, "hold(at=8)", &["at=16"], true);
    let error = sweep(&second, &mut evaluator(open(&path).unwrap(), 2)).unwrap_err();
    assert!(
        error.to_string().contains("held out no longer")
            || error.to_string().contains("used twice"),
        "{error}"
    );

    // Nor may a log change its seeds, or be something else.
    let other = Log::open(&path, &"0..64".parse().unwrap(), None).unwrap_err();
    assert!(other.to_string().contains("another study"), "{other}");
    std::fs::write(&path, "{\"kind\":\"header\"}\n").unwrap();
    assert!(open(&path).unwrap_err().to_string().contains(":1:"));
}
