//! Dice chess at the command line: `perft`, a person at the board, and the traps of experiments.

use std::ops::ControlFlow;

use dice_chess::{DiceChess, DiceChessOptions, MicroMove, Roll};
use search_core::agent::Choice;
use search_core::decision::SearchError;
use searchlab::Registry;
use searchlab::experiment::match_driver::{Host, Point, play_match};
use serde_json::Value;

use crate::common::{Ran, lab_of, lab_on};

fn lab(args: &str) -> Ran {
    lab_on(&Registry::standard(), &words(args))
}

fn typed(args: &str, input: &str) -> Ran {
    lab_of(&Registry::standard(), &words(args), input)
}

/// Words separated by spaces; what is between single quotes is one.
fn words(args: &str) -> Vec<&str> {
    let pieces = args.split('\'').enumerate();
    pieces
        .flat_map(|(i, piece)| match i % 2 {
            0 => piece.split_whitespace().collect(),
            _ => vec![piece],
        })
        .collect()
}

#[test]
fn perft_by_depth_gives_the_numbers_everybody_knows() {
    let nodes = |args: &str| -> Vec<u64> {
        let report = lab(args).json();
        let rows = report["depths"].as_array().unwrap().iter().skip(1);
        rows.map(|r| r["nodes"].as_u64().unwrap()).collect()
    };
    assert_eq!(
        nodes("perft --game connect-four --depth 7 --json"),
        [7, 49, 343, 2_401, 16_807, 117_649, 823_536]
    );
    let report = lab("perft --game tic-tac-toe --depth 9 --json").json();
    let rows = report["depths"].as_array().unwrap();
    let ended: u64 = rows.iter().map(|r| r["ended"].as_u64().unwrap()).sum();
    assert_eq!(ended, 255_168);
    let text = lab("perft --game tic-tac-toe --depth 9").out;
    assert!(
        text.contains("255,168") && text.contains("127,872"),
        "{text}"
    );
    // Rolls count once each, whatever their probability: 56, and 64 of the 216 pass at once.
    assert_eq!(nodes("perft --game dice-chess --depth 1 --json"), [56]);
    // Pig: roll; six throws; after a one the other rolls, after any other there is a choice.
    assert_eq!(nodes("perft --game pig --depth 3 --json"), [1, 6, 11]);
}

/// The numbers of eight plies take some seconds.
#[test]
fn perft_of_eight_plies() {
    let report = lab("perft --game connect-four --depth 8 --json").json();
    assert_eq!(report["depths"][8]["nodes"], 5_673_234);
}

#[test]
fn perft_of_dice_chess_counts_turns() {
    let text = lab("perft --game dice-chess").out;
    for word in [
        "29,794",
        "137.94",
        "rolls that pass",
        "64",
        "--rolls",
        "again",
    ] {
        assert!(text.contains(word), "no `{word}` in\n{text}");
    }
    let rolls = lab("perft --game dice-chess --rolls").out;
    assert!(rolls.contains("PNB") && rolls.contains("KKK"), "{rolls}");
    let one = lab("perft --game dice-chess --position kiwipete").out;
    assert!(
        one.contains("NBQ") && !one.contains("over all rolls"),
        "{one}"
    );
    let json = lab("perft --game dice-chess --position kiwipete --dice PNB --json").json();
    assert_eq!(json["table"]["rows"][0][0], "PNB");
    assert_eq!(json["table"]["rows"][0][1][0], 6);
    // What is printed behind `again` does the same.
    let again = one
        .lines()
        .find_map(|l| l.strip_prefix("again     searchlab "));
    assert_eq!(lab(again.unwrap()).out, one);
}

#[test]
fn perft_says_what_is_wrong() {
    for (args, parts) in [
        ("--game connect-four", &["--depth", "nothing but plies"][..]),
        ("--game connect-four --dice PNB", &["--dice", "no dice"]),
        ("--game connect-four --depth 0", &["--depth"]),
        (
            "--game dice-chess --dice PNX",
            &["--dice", "PNX", "P, N, B, R, Q, K"],
        ),
        (
            "--game dice-chess --dice PNB --depth 2",
            &["--depth", "--dice"],
        ),
        (
            "--game dice-chess --position nonsense",
            &["--position", "4 to 7 fields"],
        ),
        (
            "--game dice-chess --position '4k3/8/8/8/8/8/8/8 w - - 0 1'",
            &["--position", "over"],
        ),
        (
            "--game lexio --position 'players=5' --depth 2",
            &["--position"],
        ),
        ("--game chess", &["--game", "chess"]),
    ] {
        let ran = lab(&format!("perft {args}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args}");
        for part in parts {
            assert!(ran.err.contains(part), "{args}: no `{part}` in {}", ran.err);
        }
    }
}

#[test]
fn a_person_at_the_board_sees_dice_passes_and_reasons() {
    let args = "play --game dice-chess(max_plies=14) --agents human,random --seed 3";
    let ran = typed(
        args,
        "hello\ne3e4\na1a8\nh8h1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in [
        "`hello` is not a move",
        "e3e4: nothing stands on e3",
        "h8h1: the rook on h8 is Black's, and White is to move",
        "White has the dice [",
        "Black rolls [",
        ": no move, passes",
        "score",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
}

#[test]
fn search_refuses_positions_in_which_nobody_decides() {
    for (dfen, why) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "chance is to move"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 QQQ",
            "none of them can be spent",
        ),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "the game is over"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 100 90", "the game is over"),
    ] {
        let ran = lab(&format!(
            "search --game dice-chess --agent flat(sims=9) --position '{dfen}'"
        ));
        assert_eq!(ran.code, 2, "{dfen}");
        assert!(ran.err.contains(why), "{dfen}: {}", ran.err);
    }
    let owing = "5r2/B1b5/2k1P3/1P3BPP/2K4n/2R5/8/8 w - - 0 33 PN must=2";
    let ran = lab(&format!(
        "search --game dice-chess --agent flat(sims=20) --json --position '{owing}'"
    ));
    let report = ran.json();
    assert_eq!(report["position"], owing);
    assert_eq!(report["action"], "b5c6");
}

/// Writes down the rolls, plays the first legal action.
struct Rolls(Vec<usize>);

impl Host<DiceChess> for Rolls {
    fn decide(
        &mut self,
        _: &DiceChess,
        point: &Point<'_, DiceChess>,
    ) -> ControlFlow<(), Result<Choice<MicroMove>, SearchError>> {
        ControlFlow::Continue(Ok(Choice::plain(point.legal[0])))
    }

    fn drawn(&mut self, _: &DiceChess, _: u32, _: &dice_chess::Position, roll: Roll) {
        self.0.push(roll.index());
    }
}

/// T7: the dice of consecutive seeds are independent. Neither the first rolls nor pairs of the first
/// rolls of neighbours are too uneven, nor too even to be dice: a generator seeded with seed + i
/// gave 87.8 where 215 is expected.
#[test]
fn t07_the_dice_of_consecutive_seeds_are_independent() {
    let options = DiceChessOptions {
        draw_clock: 0,
        max_plies: 2,
    };
    let game = DiceChess::new(&options).unwrap();
    let seeds = 6_000_u64;
    let rolls: Vec<Vec<usize>> = (0..seeds)
        .map(|seed| {
            let mut host = Rolls(Vec::new());
            play_match(&game, seed, &mut host).unwrap();
            host.0
        })
        .collect();
    let weight = |i: usize| f64::from(Roll::new(i).weight()) / 216.0;
    // Wilson and Hilferty: the statistic as a normal deviate.
    let deviate = |statistic: f64, df: f64| {
        let a = 2.0 / (9.0 * df);
        ((statistic / df).cbrt() - (1.0 - a)) / a.sqrt()
    };
    for ordinal in 0..2 {
        for start in [0, 1_000, 5_000] {
            let mut counts = [0.0; Roll::COUNT];
            let sample = &rolls[start..start + 1_000];
            for roll in sample {
                counts[roll[ordinal]] += 1.0;
            }
            let statistic: f64 = counts
                .iter()
                .enumerate()
                .map(|(i, c)| (c - 1_000.0 * weight(i)).powi(2) / (1_000.0 * weight(i)))
                .sum();
            let z = deviate(statistic, 55.0);
            assert!(
                z.abs() < 4.0,
                "roll {ordinal} from seed {start}: {statistic} on 55, {z}"
            );
        }
    }
    // Neighbours, in classes of weight: six same, thirty pairs, twenty mixed.
    let class = |i: usize| match Roll::new(i).weight() {
        1 => 0,
        3 => 1,
        _ => 2,
    };
    let p = [6.0 / 216.0, 90.0 / 216.0, 120.0 / 216.0];
    let mut pairs = [[0.0; 3]; 3];
    for two in rolls.windows(2) {
        pairs[class(two[0][0])][class(two[1][0])] += 1.0;
    }
    let n = (seeds - 1) as f64;
    let mut statistic = 0.0;
    for (i, row) in pairs.iter().enumerate() {
        for (j, count) in row.iter().enumerate() {
            let expected = n * p[i] * p[j];
            statistic += (count - expected).powi(2) / expected;
        }
    }
    let z = deviate(statistic, 8.0);
    assert!(z.abs() < 4.0, "{statistic} on 8, {z}");
}

fn compare(a: &str, b: &str, seeds: u32) -> Value {
    let game = "dice-chess(max_plies=60)";
    lab(&format!(
        "compare --game {game} --a {a} --b {b} --seeds {seeds} --json"
    ))
    .json()
}

/// T24: the report is from a's side. A capture-taking search beats random play, and with the names
/// exchanged the same figures come with the other sign.
#[test]
fn t24_the_difference_has_the_sign_of_a() {
    let (ab, ba) = (
        compare("flat(sims=60)", "random", 12),
        compare("random", "flat(sims=60)", 12),
    );
    let number = |r: &Value, key: &str| r["difference"][key].as_f64().unwrap();
    let (forth, back) = (number(&ab, "mean"), number(&ba, "mean"));
    assert!(forth > 0.3, "{forth}");
    assert!((forth + back).abs() < 1e-9, "{forth} {back}");
    assert!((number(&ab, "low") + number(&ba, "high")).abs() < 1e-9);
    let wins = |r: &Value, arm: &str| r["arms"][arm]["metrics"]["win_rate"].as_f64().unwrap();
    assert!(wins(&ab, "a") > wins(&ab, "b"));
    assert_eq!(wins(&ab, "a"), wins(&ba, "b"));
}

/// T30: so few games do not tell equals apart, and the report says so with its interval.
#[test]
fn t30_what_cannot_be_told_is_not_told() {
    // Two agents of the same strength that do not play the same moves.
    let report = compare("flat(sims=20,seed=1)", "flat(sims=20,seed=2)", 8);
    let number = |key: &str| report["difference"][key].as_f64().unwrap();
    assert!(number("low") < 0.0 && number("high") > 0.0, "{report}");
    let text = lab(
        "compare --game dice-chess(max_plies=60) --a flat(sims=20,seed=1) --b flat(sims=20,seed=2) --seeds 8",
    )
    .out;
    assert!(
        text.contains("undecided: 8 seeds do not tell a from b"),
        "{text}"
    );
}

/// T28: a pass is an outcome of chance with no decision behind it; there is no empty turn, and what
/// was rolled and not played is told from what could not be played.
#[test]
fn t28_a_pass_is_an_outcome_of_chance() {
    let report = lab("play --game dice-chess(max_plies=40) --agents random --seed 5 --json").json();
    let events = report["events"].as_array().unwrap();
    let kind = |e: &Value| e["kind"].as_str().unwrap().to_owned();
    let (mut passes, mut rolls) = (0, 0);
    for (event, next) in events.iter().zip(&events[1..]) {
        if kind(event) != "chance" {
            continue;
        }
        rolls += 1;
        let says = event["meaning"].as_str().unwrap().ends_with("passes");
        assert_eq!(says, kind(next) != "decision", "{event} {next}");
        passes += u32::from(says);
    }
    assert!(passes > 0 && rolls <= 40, "{passes} {rolls}");
    let empty = events
        .iter()
        .any(|e| e["action"] == "" || e["action"] == "pass");
    assert!(!empty);
    // Left in the middle of a turn: rolled, a decision owed, and no score.
    let args = "play --game dice-chess --agents human,random --seed 3 --json";
    let left = typed(args, "q\n").json();
    assert_eq!(left["left"], true);
    let last = left["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(kind(&last), "chance");
    assert!(!last["meaning"].as_str().unwrap().ends_with("passes"));
}
