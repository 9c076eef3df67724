//! `doctor` on games that are sound, and on an agent that is not.

use super::testing::{lab, lab_on, moody_registry};

#[test]
fn a_sound_game_passes_every_check() {
    let ran = lab("doctor --quick --without-kill --json");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report = ran.json();
    assert_eq!(report["failed"], 0);
    let games = report["games"].as_array().unwrap();
    let names: Vec<&str> = games.iter().map(|g| g["game"].as_str().unwrap()).collect();
    assert_eq!(names, ["kuhn-poker", "pig"]);
    for (game, skipped) in games.iter().zip([0, 1]) {
        let checks = game["checks"].as_array().unwrap();
        let names: Vec<&str> = checks
            .iter()
            .map(|c| c["check"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "contract",
                "notation",
                "sampler",
                "brute-force",
                "replay",
                "self-match",
                "threads"
            ]
        );
        let of = |what: &str| checks.iter().filter(|c| c["outcome"] == what).count();
        assert_eq!((of("failed"), of("skipped")), (0, skipped), "{game}");
    }
    let text = lab("doctor kuhn-poker --quick --only sampler");
    assert_eq!(text.code, 0);
    assert!(
        text.out.contains("✓ sampler") && text.out.contains("1 passed"),
        "{}",
        text.out
    );
}

/// A searcher that remembers between decisions is neither itself nor the same on several threads.
#[test]
fn what_fails_is_said_with_the_command_that_shows_it() {
    let ran = lab_on(
        &moody_registry(),
        &["doctor", "kuhn-poker", "--quick", "--only", "self-match"],
    );
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("✗ self-match") && ran.out.contains("1 failed"),
        "{}",
        ran.out
    );
    let again = ran
        .out
        .lines()
        .find_map(|l| l.split("again: ").nth(1))
        .unwrap();
    assert!(
        again.starts_with("searchlab compare --game kuhn-poker --a 'ismcts("),
        "{again}"
    );
    let words = again.replace('\'', "").replace(", ", ",");
    let words: Vec<&str> = words.split_whitespace().skip(1).collect();
    let shown = lab_on(&moody_registry(), &words);
    assert_eq!(shown.code, 1, "{}", shown.out);
    assert!(shown.err.contains("self-check"), "{}", shown.err);
}

#[test]
fn an_unknown_game_is_refused_before_anything_is_examined() {
    let ran = lab("doctor kuhn-poker chess");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("chess") && ran.out.is_empty(),
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(lab("doctor --only everything").code, 2);
}
