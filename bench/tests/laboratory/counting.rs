//! Every agent's decisions are counted, and its failures apart from its time-outs.

use std::io;

use crate::common::{lab, registry};
use searchlab::experiment::block::Tally;
use searchlab::game::{Audience, Event, Question};

/// Counts the decisions that are shown, which is another way to know them.
#[derive(Default)]
struct Count(u64);

impl Audience for Count {
    fn event(&mut self, event: Event) -> io::Result<()> {
        self.0 += u64::from(matches!(event, Event::Decision { .. }));
        Ok(())
    }

    fn ask(&mut self, _: &Question<'_>) -> io::Result<Option<String>> {
        Ok(None)
    }
}

/// L2.3: whatever makes the decisions, the denominator is how many were asked.
#[test]
fn every_agents_decisions_are_counted() {
    let registry = registry();
    let game = registry.open("tricks").unwrap();
    let searchers = [
        "pimc(worlds=2, sims=4)",
        "ismcts(sims=8)",
        "rollout(samples=2)",
    ];
    let own = game.agent_names();
    let mut counted = 0;
    for name in own.iter().map(String::as_str).chain(searchers) {
        let expr: search_core::expr::Expr = name.parse().unwrap();
        let mut referee = game.referee(&[expr.clone(), expr.clone()], 1).unwrap();
        let seats = game.facts().players;
        for seed in 0..3 {
            let mut tallies = [Tally::default(), Tally::default()];
            let seating: Vec<usize> = (0..seats).map(|seat| seat % 2).collect();
            referee.play(&seating, seed, &mut tallies).unwrap();
            let mut shown = Count::default();
            game.play(&vec![expr.clone(); seats], seed, &mut shown)
                .unwrap();
            let asked = tallies[0].decisions + tallies[1].decisions;
            assert_eq!(asked, shown.0, "{name}");
            assert!(asked > 0);
        }
        counted += 1;
    }
    assert!(counted > 6, "{counted}");
}

/// L2.1: with a limit of a microsecond nearly every decision of a search is late, and none fails.
#[test]
fn a_limit_of_a_microsecond_makes_time_outs_and_no_failures() {
    let slow = "pimc(worlds=20, sims=50, timeout=1us)";
    let game = ["compare", "--game", "tricks", "--a", slow, "--b", "lowest"];
    let args = game.iter().copied().chain(["--seeds", "4", "--json"]);
    let report = lab(&args.collect::<Vec<&str>>()).json();
    let f = &report["arms"]["a"]["fallbacks"];
    assert_eq!(f["failure"], 0, "{f}");
    assert!(
        f["timeout"].as_f64() > f["of"].as_f64().map(|of| 0.5 * of),
        "{f}"
    );
    assert_eq!(report["interpretable"], false);
}
