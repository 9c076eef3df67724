//! Bad input: exit status 2, nothing on standard output, a message that names the place and what
//! would be right.

use searchlab::Registry;

use crate::common::{lab, lab_of};

#[test]
fn bad_input_is_refused_with_its_place_and_what_would_be_right() {
    let compare = [
        "compare", "--game", "tricks", "--a", "random", "--b", "random",
    ];
    let with = |more: &[&'static str]| -> Vec<&'static str> {
        compare.iter().chain(more).copied().collect()
    };
    let on = |game: &'static str, a: &'static str| {
        vec!["compare", "--game", game, "--a", a, "--b", "random"]
    };
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (vec!["compair"], &["compare"]),
        (vec!["compare"], &["--game", "--a", "--b"]),
        (
            on("trick", "random"),
            &[
                "--game",
                "unknown game `trick`",
                "did you mean `tricks`",
                "searchlab games",
            ],
        ),
        (
            on("tricks(player=2)", "random"),
            &["no option `player`", "did you mean `players`", "players=3"],
        ),
        (
            on("tricks(players=two)", "random"),
            &["tricks(players=two)", "players=3"],
        ),
        (
            on("tricks(players=9)", "random"),
            &["players=9", "1 to 4 players"],
        ),
        (on("tricks(players=3", "random"), &["column 17", "^"]),
        (
            on("tricks(players=3, players=4)", "random"),
            &["given twice"],
        ),
        (on("", "random"), &["--game", "expected a name"]),
        (
            on("tricks", "hihgest"),
            &[
                "--a",
                "unknown agent `hihgest`",
                "did you mean `highest`",
                "searchlab games tricks",
            ],
        ),
        (
            on("tricks", "rollout(nodes=5)"),
            &["rollout(nodes=5)", "no tree here"],
        ),
        (
            on("tricks", "pimc(chance=listed)"),
            &["expected one of sampled, explicit"],
        ),
        (
            on("tricks", "ismcts(chance=explicit)"),
            &["ismcts(chance=explicit)", "its worlds differ"],
        ),
        (
            on("tricks", "rollout(chance=sampled)"),
            &["rollout(chance=sampled)", "no tree here"],
        ),
        (
            on("tricks", "pimc(parallel=root)"),
            &["pimc(parallel=root)", "give `threads`"],
        ),
        (
            on("tricks", "flat(sim=3)"),
            &["--a", "no setting `sim`", "did you mean `sims`"],
        ),
        (
            on("tricks", "flat(sims=0)"),
            &["flat(sims=0)", "1 to 4294967294"],
        ),
        (
            on("tricks", "flat(sims=many)"),
            &["flat(sims=many)", "a whole number"],
        ),
        (on("tricks", "flat(time=0ms)"), &["time above 0"]),
        (
            on("tricks", "flat(sims=18446744073709551615)"),
            &["1 to 4294967294"],
        ),
        (
            on("tricks", "flat(sims=18446744073709551616)"),
            &["flat(sims=18446744073709551616)", "1 to 4294967294"],
        ),
        (
            on("tricks", "flat(threads=18446744073709551615)"),
            &["1 to 1024"],
        ),
        (
            on("tricks", "pimc(worlds=4294967295)"),
            &["worlds=4294967295", "1 to 1000000"],
        ),
        (
            on("tricks", "rollout(samples=4294967295)"),
            &["samples=4294967295", "1 to 4294967294"],
        ),
        (
            on("tricks", "rollout(base=ismcts)"),
            &["`ismcts` cannot play rollouts", "known: random, "],
        ),
        (
            on("tricks", "rollout(base=nobody)"),
            &["unknown agent `nobody`"],
        ),
        (
            on("tricks(hand=256)", "random"),
            &["tricks(hand=256)", "a whole number from 0 to 255"],
        ),
        (
            with(&["--out", "/dev/full"]),
            &["--out", "/dev/full is not a regular file", "choose another"],
        ),
        (on("tricks", "flat(time=3)"), &["50ms"]),
        (on("tricks", "flat(parallel=all)"), &["none, root, batch"]),
        (
            on("tricks", "graph-uct(sims=3)"),
            &["`graph-uct` sees everything", "`ismcts`"],
        ),
        (on("tricks", "lowest(nth=2)"), &["nth=0 is all there is"]),
        (
            on("tricks", "random(sims=3)"),
            &["`random` has no setting `sims`"],
        ),
        (on("tricks", "random(timeout=0s)"), &["time above 0"]),
        (
            on("tricks", "flat(fallback=hihgest)"),
            &["did you mean `highest`"],
        ),
        (on("tricks", "human"), &["can only play"]),
        (on("tricks", "flat(a"), &["--a", "column"]),
        (with(&["--seeds", "0"]), &["--seeds", "no seeds"]),
        (with(&["--seeds", "9..3"]), &["--seeds", "3..9"]),
        (with(&["--seeds", "-3"]), &["--seeds", "whole number"]),
        (with(&["--seeds", "many"]), &["--seeds", "whole number"]),
        (with(&["--level", "2"]), &["--level", "0.95 means 95 %"]),
        (with(&["--level", "NaN"]), &["--level", "0.95"]),
        (with(&["--threads", "0"]), &["--threads", "1..=1024"]),
        (
            with(&["--out", "/nonexistent/a.jsonl"]),
            &["--out", "/nonexistent/a.jsonl"],
        ),
        (with(&["--sedes", "3"]), &["--seeds"]),
        (
            vec!["play", "--game", "tricks", "--agents", "random,random"],
            &["3 players", "2 agents", "random,random,random"],
        ),
        (
            vec!["play", "--game", "tricks", "--agents", "random,"],
            &["--agents", "expected a name"],
        ),
        (
            vec![
                "play",
                "--game",
                "tricks",
                "--agents",
                "humen,random,random",
            ],
            &["--agents", "unknown agent"],
        ),
        (
            vec![
                "play",
                "--game",
                "tricks",
                "--agents",
                "human(x=1),random,random",
            ],
            &["human"],
        ),
        (
            vec!["play", "--game", "tricks", "--seed", "x"],
            &["--seed", "a whole number from 0 to 18446744073709551615"],
        ),
        (
            vec!["play", "--game", "tricks", "--seed", "-1"],
            &["--seed", "a whole number"],
        ),
        (
            vec![
                "search", "--game", "tricks", "--agent", "flat", "--seed", "x",
            ],
            &["--seed", "a whole number"],
        ),
        (
            vec!["play", "--game", "tricks", "--record", "/nonexistent/r"],
            &["--record", "/nonexistent/r"],
        ),
        (
            vec!["search", "--game", "tricks", "--agent", "fast"],
            &["--agent", "unknown agent", "flat"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "x=1",
            ],
            &["--position", "`table=` is missing"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "@/nonexistent/p",
            ],
            &["--position", "/nonexistent/p"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "hihg-hand",
            ],
            &["--position", "nor is `hihg-hand` a file", "low-hand"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "src",
            ],
            &["--position", "src is a directory"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "me=0 hand=7 played=7 table= left=3,3,3 won=0,0,0 leader=0 worth=2",
            ],
            &["--position", "no world agrees"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "me=0 hand=0 played=0 table= left=0,0,0 won=0,0,0 leader=0 worth=1",
            ],
            &["the game is over"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "me=1 hand=7 played=0 table= left=3,3,3 won=0,0,0 leader=0 worth=2",
            ],
            &["--position", "seat 1 is to move"],
        ),
        (
            vec![
                "search",
                "--game",
                "tricks",
                "--agent",
                "flat",
                "--position",
                "me=0 hand=7 played=0 table= left=3,3,3 won=0,0,0 leader=0 worth=0",
            ],
            &["chance is to move"],
        ),
        (vec!["games", "trick"], &["did you mean `tricks`"]),
        (vec!["conform"], &["FILE"]),
        (
            vec!["conform", "/nonexistent/x.jsonl"],
            &["/nonexistent/x.jsonl", "No such file"],
        ),
    ];
    for (args, words) in cases {
        let ran = lab(&args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{args:?} wrote to standard output");
        assert!(ran.err.starts_with("error:"), "{args:?}: {}", ran.err);
        for word in words {
            assert!(
                ran.err.contains(word),
                "{args:?}: no `{word}` in\n{}",
                ran.err
            );
        }
    }
}

/// The games that come along, with what only their own agents and positions can get wrong.
#[test]
fn what_cannot_be_analysed_is_refused() {
    let registry = Registry::standard();
    let cases = [
        (
            ("kuhn-poker", "flat(time=1ms, allocation=halving)", "bluff?"),
            2,
            "give sims as well as time",
        ),
        (
            ("kuhn-poker", "ismcts", "player=1 card=J played=-"),
            2,
            "seat 1 is to move there, and this is not what that player sees",
        ),
        (
            ("tic-tac-toe", "uct(nodes=1)", "start"),
            1,
            "no room for the 9 actions",
        ),
        (
            ("tic-tac-toe", "uct(bytes=1)", "start"),
            1,
            "no room for the 9 actions",
        ),
        (
            ("tic-tac-toe", "uct(rollout=uct)", "start"),
            2,
            "`uct` cannot play rollouts",
        ),
    ];
    for ((game, agent, position), code, words) in cases {
        let args = [
            "search",
            "--game",
            game,
            "--agent",
            agent,
            "--position",
            position,
        ];
        let ran = lab_of(&registry, &args, "");
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{args:?}");
        assert!(ran.err.contains(words), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_tree_that_cannot_be_written_leaves_the_analysis() {
    let args = [
        "search",
        "--game",
        "tic-tac-toe",
        "--agent",
        "uct(sims=50)",
        "--tree",
        "/nonexistent/tree",
    ];
    let ran = lab_of(&Registry::standard(), &args, "");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("chosen"), "{}", ran.out);
    assert!(ran.err.contains("/nonexistent/tree"), "{}", ran.err);
}

#[test]
fn shares_of_outcomes_need_a_list_of_them() {
    let agent = "pimc(chance=explicit)";
    let args = ["compare", "--game", "lexio", "--a", agent, "--b", "random"];
    let ran = lab_of(&Registry::standard(), &args, "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for words in [agent, "lexio does not list the outcomes"] {
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

#[test]
fn expectimax_is_refused_where_it_makes_no_sense() {
    let cases: [(&str, &str, &[&str]); 7] = [
        ("pig", "expectimax(sims=5)", &["give depth"]),
        ("pig", "expectimax(threads=2)", &["one by one"]),
        ("pig", "expectimax(depth=0)", &["1 to 100"]),
        ("pig", "expectimax(table=25)", &["0 to 24", "40 bytes"]),
        ("pig", "expectimax(prune=star3)", &["star2, star1, none"]),
        (
            "pig(players=3)",
            "expectimax",
            &["one or two players", "has 3"],
        ),
        ("kuhn-poker", "expectimax", &["visible", "use `ismcts`"]),
    ];
    for (game, agent, words) in cases {
        let args = ["compare", "--game", game, "--a", agent, "--b", "random"];
        let ran = lab_of(&Registry::standard(), &args, "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        for word in words.iter().chain([&"expectimax"]) {
            assert!(ran.err.contains(word), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn continuous_searchers_are_refused_where_they_make_no_sense() {
    let cases: [(&str, &str, &[&str]); 8] = [
        (
            "pig",
            "kr-uct",
            &["kr-uct", "legal actions of pig", "use `uct`"],
        ),
        ("lexio", "smoothed", &["smoothed", "hides", "use `ismcts`"]),
        ("cliff", "smoothed(nodes=5)", &["no tree"]),
        ("cliff", "kr-uct(chance=sampled)", &["played exactly"]),
        ("cliff", "uct-pw(k=0)", &["above 0"]),
        ("cliff", "rave-pw(bias=-1)", &["0 or more"]),
        ("cliff", "kr-uct(alpha=2)", &["0 to 1"]),
        ("cliff", "kr-uct(tua=0.1)", &["did you mean `tau`"]),
    ];
    for (game, agent, words) in cases {
        let args = ["compare", "--game", game, "--a", agent, "--b", "random"];
        let ran = lab_of(&Registry::standard(), &args, "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        for word in words {
            assert!(ran.err.contains(word), "{args:?}: {}", ran.err);
        }
    }
}
