//! `ablate`, `sweep` and `tune` from the command line.

use std::path::Path;

use serde_json::Value;

use crate::common::lab;

const SWEEP: [&str; 11] = [
    "sweep",
    "--game",
    "tricks",
    "--agent",
    "flat(sims=1)",
    "--against",
    "random",
    "--keys",
    "sims=1,30",
    "--tuning",
    "12",
];

fn json(args: &[&str]) -> Value {
    let ran = lab(args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}

#[test]
fn a_sweep_is_a_table_and_an_object() {
    let ran = lab(&SWEEP);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for wanted in [
        "as it is",
        "scores alike",
        "p (Holm)",
        "again",
        "--keys 'sims=1,30'",
    ] {
        assert!(ran.out.contains(wanted), "{wanted}:\n{}", ran.out);
    }
    let object = json(&with(&SWEEP, &["--json"]));
    assert_eq!(object["rows"][1]["values"]["sims"], "30");
    assert_eq!(object["rows"][0]["effect"]["seeds_that_differ"], 0);
    assert!(object["rows"][1]["effect"]["mean"].as_f64() > Some(0.0));
}

#[test]
fn an_ablation_names_its_settings_itself_or_says_that_there_are_none() {
    let ran = lab(&[
        "ablate",
        "--game",
        "tricks",
        "--agent",
        "highest",
        "--against",
        "random",
    ]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("no setting that is a number"),
        "{}",
        ran.err
    );
}

fn study(directory: &Path, text: &str) -> String {
    let path = directory.join("mine.toml");
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

const STUDY: &str = r#"
game = "tricks"
agent = "flat(sims=1)"
against = "random"
[seeds]
tuning = "0..12"
held_out = "100..112"
[keys]
sims = [1, 10, 30]
[tune]
evaluations = 9
accept = "mean"
"#;

#[test]
fn a_study_file_tunes_and_keeps_its_log_beside_it() {
    let directory = tempfile::tempdir().unwrap();
    let file = study(directory.path(), STUDY);
    let found = directory.path().join("found.txt");
    let found = found.to_string_lossy();
    let tune = ["tune", "--study", &file, "--write", &found, "--json"];
    let object = json(&tune);
    assert!(object["held_out"]["cells"][0]["effect"]["mean"].is_number());
    assert!(directory.path().join("mine.log.jsonl").is_file());
    assert_eq!(json(&tune), object, "read from the log");
    let from_file = format!("@{found}");
    let compared = json(&[
        "compare", "--game", "tricks", "--a", &from_file, "--b", "random", "--seeds", "2", "--json",
    ]);
    assert_eq!(compared["a"], object["best"]["agent"]);
}

#[test]
fn bad_studies_are_refused_with_what_would_be_right() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |text: &str, wanted: &str| {
        let file = study(directory.path(), text);
        let ran = lab(&["sweep", "--study", &file]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (2, ""),
            "{wanted}: {}",
            ran.err
        );
        assert!(ran.err.contains(wanted), "{wanted}: {}", ran.err);
    };
    refused(&STUDY.replace("100..112", "10..30"), "share 10..12");
    refused(&STUDY.replace("[keys]", "[kyes]"), "kyes");
    refused(&STUDY.replace("[1, 10, 30]", "3"), "expected a list");
    refused(
        &STUDY.replace("flat(sims=1)", "flta"),
        "did you mean `flat`",
    );
    refused(&STUDY.replace("sims = [", "smis = ["), "no setting `smis`");
    refused("game = ", "mine.toml");
    refused("", "game");

    let file = study(directory.path(), STUDY);
    let ran = lab(&["sweep", "--study", &file, "--tuning", "5"]);
    assert!(
        ran.code == 2 && ran.err.contains("declares its seeds"),
        "{}",
        ran.err
    );
    for (more, wanted) in [
        (&["--keys", "sims=1,1"][..], "given twice"),
        (&["--keys", "=3"], "not the name of a setting"),
        (&["--held-out", "5..20"], "share 5..12"),
        (&["--level", "2"], "between 0 and 1"),
    ] {
        let base = if more[0] == "--keys" {
            &SWEEP[..7]
        } else {
            &SWEEP[..]
        };
        let ran = lab(&with(base, more));
        assert_eq!(ran.code, 2, "{more:?}");
        assert!(ran.err.contains(wanted), "{wanted}: {}", ran.err);
    }
}
