//! `equity` on Pig, whose policies can be solved.

use classics::{ConnectFour, Pig};
use searchlab::Registry;

use crate::common::{Ran, lab, lab_on};

fn equity(more: &[&str]) -> Ran {
    let registry = Registry::new().with::<Pig>().with::<ConnectFour>();
    let args: Vec<&str> = ["equity"].iter().chain(more).copied().collect();
    lab_on(&registry, &args)
}

/// What both hold at 8 is worth to 40 from 25 against 10: by recursion, roll by roll, as
/// `classics` has it in its tests.
const EXACT: f64 = 0.936_63;
const FROM: [&str; 6] = [
    "--game",
    "pig(target=40)",
    "--policy",
    "hold(at=8)",
    "--position",
    "scores=25,10 player=0 total=0",
];

fn from(more: &[&str]) -> Ran {
    let args: Vec<&str> = FROM.iter().chain(more).copied().collect();
    equity(&args)
}

#[test]
fn agrees_with_the_exact_value() {
    for extra in [
        &[][..],
        &["--control-variate"],
        &["--naive", "--threads", "3"],
    ] {
        let args: Vec<&str> = ["--rollouts", "20000", "--json"]
            .iter()
            .chain(extra)
            .copied()
            .collect();
        let json = from(&args).json();
        let e = &json["estimate"];
        let (win, error) = (
            e["wins"][0].as_f64().unwrap(),
            e["standard_error"].as_f64().unwrap(),
        );
        assert!((win - EXACT).abs() < 5.0 * error + 1e-5, "{json}");
        let masses = [&e["wins"][0], &e["wins"][1], &e["drawn"], &e["undecided"]];
        let sum: f64 = masses.iter().map(|m| m.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert_eq!(json["verdict"]["kind"], "favoured");
        assert_eq!(json["verdict"]["player"], 0);
        assert_eq!(json["looks"].as_array().unwrap().len(), 10);
        assert_eq!(json["looks"][9], *e);
        if extra.contains(&"--control-variate") {
            assert!(e["gain"].as_f64().unwrap() > 2.0, "{json}");
        }
        if extra.contains(&"--naive") {
            let naive = &json["naive"];
            let own = e["variance_reduction"].as_f64().unwrap();
            let measured = naive["variance_reduction"].as_f64().unwrap();
            assert!((measured / own - 1.0).abs() < 0.1, "{json}");
            let wins = naive["wins"][0].as_f64().unwrap();
            let error = naive["standard_error"].as_f64().unwrap();
            assert!((wins - EXACT).abs() < 5.0 * error + 1e-5, "{json}");
        }
    }
}

#[test]
fn prints_a_page_that_comes_out_the_same_on_any_number_of_threads() {
    let one = from(&["--rollouts", "1000", "--seed", "4"]);
    assert_eq!(one.code, 0);
    for line in [
        "pig(target=40) · both play hold(at=8) · seed 4",
        "player 0 wins, 95 %",
        "       128   0.9",
        "     1,000   0.9",
        "undecided  0.0000",
        "verdict    player 0 is favoured",
        "again      searchlab equity --game 'pig(target=40)'",
    ] {
        assert!(one.out.contains(line), "no `{line}` in\n{}", one.out);
    }
    assert!(!one.out.contains("a second") && one.err.contains("a second"));
    for threads in ["2", "7"] {
        let more = from(&["--rollouts", "1000", "--seed", "4", "--threads", threads]);
        assert_eq!(more.out, one.out);
    }
}

#[test]
fn stops_at_a_target_and_withholds_a_verdict() {
    let json = from(&["--target-error", "0.01", "--json"]).json();
    let rollouts = json["estimate"]["rollouts"].as_u64().unwrap();
    assert!(
        (128..4096).contains(&rollouts) && rollouts.is_power_of_two(),
        "{json}"
    );
    let text = equity(&["--game", "pig", "--rollouts", "64"]).out;
    let verdict = text.lines().find(|l| l.starts_with("verdict")).unwrap();
    assert!(
        verdict.contains("no verdict: the interval is 0.2")
            && verdict.contains("0.1 is needed; about"),
        "{verdict}"
    );
    let json = equity(&["--game", "pig", "--rollouts", "64", "--json"]).json();
    assert_eq!(json["verdict"]["kind"], "withheld");
    // A short horizon leaves it open who wins.
    let text = from(&["--plies", "3"]).out;
    assert!(
        text.contains("could turn it, more --plies would tell"),
        "{text}"
    );
    let text = equity(&["--game", "pig", "--plies", "2"]).out;
    assert!(text.contains("100.0 % is not, more --plies"), "{text}");
}

#[test]
fn the_second_player_is_named_too() {
    let text = equity(&[
        "--game",
        "pig",
        "--position",
        "scores=5,90 player=0 total=0",
    ])
    .out;
    assert!(text.contains("verdict    player 1 is favoured"), "{text}");
}

#[test]
fn bad_input_is_refused() {
    let pig = |more: &[&'static str]| -> Vec<&'static str> {
        ["--game", "pig"].iter().chain(more).copied().collect()
    };
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (pig(&["--rollouts", "0"]), &["--rollouts: 0", "1 or more"]),
        (pig(&["--rollouts", "-3"]), &["--rollouts"]),
        (pig(&["--plies", "0"]), &["--plies: 0", "1 turn or more"]),
        (
            pig(&["--target-error", "-0.1"]),
            &["--target-error: -0.1", "above 0"],
        ),
        (
            pig(&["--target-error", "nan"]),
            &["--target-error: NaN", "above 0"],
        ),
        (
            pig(&["--policy", "hold21"]),
            &[
                "--policy: unknown policy `hold21`",
                "did you mean `hold20`",
                "games pig",
            ],
        ),
        (
            pig(&["--policy", "hold(to=3)"]),
            &["no setting `to`", "known: at"],
        ),
        (
            pig(&["--policy", "hold(at=x)"]),
            &["hold(at=x)", "whole number"],
        ),
        (
            pig(&["--position", "here"]),
            &["--position: `here`", "scores=40,62"],
        ),
        (
            pig(&["--position", "scores=100,3 player=0 total=0"]),
            &["--position: the game is over there"],
        ),
        (
            vec!["--game", "connect-four"],
            &["--game: connect-four has no exact survival", "see pig"],
        ),
        (
            vec!["--game", "pig(players=3)"],
            &["no exact survival", "pig for two players has it"],
        ),
    ];
    for (args, wanted) in cases {
        let ran = equity(&args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        for part in wanted {
            assert!(
                ran.err.contains(part),
                "{args:?}: no `{part}` in {}",
                ran.err
            );
        }
    }
    let none = lab(&["equity", "--game", "tricks"]);
    assert!(
        none.code == 2 && none.err.contains("no game here has it"),
        "{}",
        none.err
    );
}

#[test]
fn help_has_an_example_that_works_as_printed() {
    let help = equity(&["--help"]).out;
    let example = help.split("Example:\n").nth(1).unwrap().trim();
    let words: Vec<&str> = example.split_whitespace().skip(2).collect();
    assert_eq!(equity(&words).code, 0, "{example}");
}
