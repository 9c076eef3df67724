//! EPIMC, αμ and inferred worlds by name.

use searchlab::Registry;
use serde_json::Value;

use crate::common::{Ran, lab_on, registry};

fn search(game: &str, position: Option<&str>, agent: &str) -> Ran {
    let mut args = vec!["search", "--game", game, "--agent", agent, "--json"];
    args.extend(position.into_iter().flat_map(|p| ["--position", p]));
    lab_on(&Registry::standard(), &args)
}

/// The effort and the candidates: without the agent's name and the time.
fn found(ran: &Ran) -> (Value, Value) {
    let report = ran.json();
    assert!(report["candidates"].is_array(), "{report}");
    (report["effort"].clone(), report["candidates"].clone())
}

#[test]
fn t_is4_depth_1_is_pimc_and_depth_2_takes_the_sure_payment() {
    let at = |agent| found(&search("safe-guess", Some("choice"), agent));
    let pimc = at("pimc(worlds=200, sims=50)");
    assert_eq!(at("epimc(worlds=200, sims=50, depth=1)"), pimc);
    assert_eq!(pimc.1[0]["action"], "gamble");
    let two = at("epimc(worlds=200, sims=50)");
    assert_eq!(two.1[0]["action"], "safe");
    assert_eq!(two.0["simulations"], 10_000);
}

#[test]
fn inferred_worlds_say_what_they_are_worth() {
    let position = Some("player=1 card=Q played=bet");
    for agent in [
        "flat(sims=600, infer=equilibrium(alpha=0.3), pool=300)",
        "ismcts(sims=600, infer=equilibrium(alpha=0.3), pool=300)",
        "pimc(worlds=60, sims=10, infer=equilibrium(alpha=0.3), pool=300)",
        "epimc(worlds=60, sims=10, infer=equilibrium(alpha=0.3), pool=300)",
        "rollout(samples=300, base=random, infer=equilibrium(alpha=0.3), pool=300)",
        "alpha-mu(worlds=60, infer=equilibrium(alpha=0.3), pool=300)",
    ] {
        let (effort, _) = found(&search("kuhn-poker", position, agent));
        assert_eq!(effort["worlds"], 300, "{agent}");
        // 0.8 * 0.3 + 0.1 against 0.8 * 0.9 + 0.1: 0.84 of the pool.
        let effective = effort["effective_sample_size"].as_f64().unwrap();
        assert!(
            (effective / 300.0 - 0.84).abs() < 0.08,
            "{agent}: {effective}"
        );
        assert_eq!(effort["flattened_weights"], 0);
    }
    let (effort, _) = found(&search("kuhn-poker", position, "flat(sims=600)"));
    assert_eq!(
        effort["worlds"].as_f64(),
        effort["effective_sample_size"].as_f64()
    );
}

#[test]
fn what_a_game_cannot_do_is_said() {
    let standard = Registry::standard();
    let refused = |registry: &Registry, game: &str, agent: &str, parts: &[&str]| {
        let ran = lab_on(registry, &["search", "--game", game, "--agent", agent]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{agent}");
        for part in parts {
            assert!(ran.err.contains(part), "{agent}: {}", ran.err);
        }
    };
    let kuhn = "kuhn-poker";
    refused(
        &standard,
        kuhn,
        "flat(infer=nobody)",
        &["nobody", "equilibrium"],
    );
    refused(
        &standard,
        kuhn,
        "flat(infer=random, infer_eps=2)",
        &["infer_eps", "0 to 1"],
    );
    refused(
        &standard,
        kuhn,
        "flat(infer=random, pool=0)",
        &["pool", "1 to"],
    );
    refused(&standard, kuhn, "uct(infer=random)", &["uct"]);
    refused(&standard, kuhn, "epimc(depth=0)", &["depth", "1 to"]);
    refused(&standard, kuhn, "epimc(parallel=root)", &["threads"]);
    refused(
        &standard,
        kuhn,
        "alpha-mu(worlds=129)",
        &["worlds", "1 to 128"],
    );
    refused(&standard, kuhn, "alpha-mu(sims=10)", &["sims", "nodes"]);
    refused(
        &standard,
        "safe-guess",
        "alpha-mu",
        &["everybody sees", "epimc"],
    );
    let tricks = registry();
    refused(
        &tricks,
        "tricks",
        "flat(infer=lowest)",
        &["infer", "tricks"],
    );
    refused(&tricks, "tricks", "epimc", &["epimc", "tricks"]);
}
