//! The processes against exact values, and the biased scheme as a control of the checks.

use super::*;
use crate::bots::policies::{CaptureAware, RandomTurn};
use crate::options::DiceChessOptions;
use crate::sampler::TurnSampler;
use crate::test_positions::{MEASURED, from_games, position, rows};
use crate::turns::legal_turns;
use search_core::estimate::{Control, Equity, Rollouts};
use search_core::game::{Game, Turn};
use search_core::policy::Observing;
use search_core::rng::Seed;
use search_core::testing::check_survival;
use serde_json::Value;

mod exact;
use exact::{Exact, Scheme};

fn estimate<P: Survival<DiceChess>>(process: &P, start: &Position, rollouts: &Rollouts) -> Equity {
    let game = DiceChess::default();
    rollouts
        .estimate(&game, process, start, Seed(11), &mut |_| {})
        .unwrap()
}

fn limits(rollouts: u64, plies: u32) -> Rollouts {
    Rollouts {
        rollouts,
        plies,
        epsilon: 0.0,
        ..Rollouts::default()
    }
}

fn masses(row: &Value, scheme: &str) -> [f64; 3] {
    ["white", "black", "undecided"]
        .map(|who| row["expected"][format!("{scheme}_{who}")].as_f64().unwrap())
}

/// Whether the estimate is within five standard errors of the truth, for both sides. Where nothing
/// varied the error is that of a rare event that did not come up.
fn unbiased(found: &Equity, truth: [f64; 3]) -> bool {
    let unseen = f64::sqrt((truth[0] + truth[1]) / found.rollouts as f64);
    let near = |off: f64, error: f64| {
        let error = if error > 0.0 { error } else { unseen };
        off.abs() <= 5.0 * error + 1e-9
    };
    let edge = found.wins[0] - found.wins[1];
    near(found.wins[0] - truth[0], found.std_error)
        && near(edge - (truth[0] - truth[1]), found.edge_error)
}

#[test]
fn exact_values() {
    let mut exact = Exact::default();
    let rows = rows("equity_exact_random_play");
    assert_eq!(rows.len(), 17);
    for row in rows {
        let start = position(row["position"].as_str().unwrap());
        let plies = row["plies"].as_u64().unwrap() as u32;
        for (scheme, name) in [
            (Scheme::Policy(Policy::CaptureAware), "correct"),
            (Scheme::Engine, "engine_scheme"),
        ] {
            let found = exact.value(scheme, &start.board, start.side, plies);
            for (found, expected) in found.iter().zip(masses(&row, name)) {
                assert!((found - expected).abs() < 1e-9, "{row}: {found} {expected}");
            }
        }
        for process in [
            PolicyProcess::default(),
            PolicyProcess::default().with_luck(),
        ] {
            let found = estimate(&process, &start, &limits(4_096, plies));
            assert!(
                unbiased(&found, masses(&row, "correct")),
                "{row}: {found:?}"
            );
        }
    }
}

/// The other policies have no known answers: going through everything says what is right.
#[test]
fn other_policies() {
    let mut exact = Exact::default();
    for row in rows("equity_exact_random_play") {
        let start = position(row["position"].as_str().unwrap());
        let plies = row["plies"].as_u64().unwrap() as u32;
        for policy in [Policy::Random, Policy::Greedy] {
            let truth = exact.value(Scheme::Policy(policy), &start.board, start.side, plies);
            let process = PolicyProcess::new(policy).with_luck();
            let found = estimate(&process, &start, &limits(2_048, plies));
            assert!(
                unbiased(&found, truth),
                "{policy} {row}: {found:?} {truth:?}"
            );
        }
    }
}

/// With the luck taken off, the estimate stays where it is.
#[test]
fn luck_is_no_bias() {
    for row in rows("equity_exact_random_play") {
        let start = position(row["position"].as_str().unwrap());
        let plies = row["plies"].as_u64().unwrap() as u32;
        let process = PolicyProcess::default().with_luck();
        for control in [
            Control::Fixed(1.0),
            Control::Fixed(-3.0),
            Control::Pilot(256),
        ] {
            let rollouts = Rollouts {
                control,
                ..limits(4_096, plies)
            };
            let found = estimate(&process, &start, &rollouts);
            assert!(
                unbiased(&found, masses(&row, "correct")),
                "{row}: {found:?}"
            );
        }
    }
}

/// Every luck that can come up, weighed by its probability, is nothing in all.
#[test]
fn luck_is_nothing_on_average() {
    for (board, side) in from_games(60, 7) {
        let captures = king_captures(&board, side);
        let mut sum = 0.0;
        for roll in captures.complement().iter() {
            let luck = luck::of_roll(&board, side, roll, captures, None);
            sum += f64::from(roll.weight()) * luck;
        }
        assert!(sum.abs() < 1e-9, "{sum}");
    }
}

#[test]
fn sampled_values() {
    let mut rows = rows("equity_mc_random_play");
    assert_eq!(rows.len(), 4);
    rows.push(serde_json::json!({
        "position": MEASURED[3].1,
        "plies": 60,
        "expected": {"correct_white": 0.685, "se_correct_white": 0.002},
    }));
    for row in rows {
        let start = position(row["position"].as_str().unwrap());
        let plies = row["plies"].as_u64().unwrap() as u32;
        let found = estimate(&PolicyProcess::default(), &start, &limits(4_096, plies));
        let expected = &row["expected"];
        let (white, error) = (&expected["correct_white"], &expected["se_correct_white"]);
        let combined = f64::hypot(found.std_error, error.as_f64().unwrap());
        let off = (found.wins[0] - white.as_f64().unwrap()).abs() / combined;
        assert!(off < 5.0, "{row}: {found:?}");
    }
}

/// The biased scheme of the public engine (T4).
struct Biased;

#[derive(Default)]
struct BiasedMemory {
    process: ProcessMemory,
    sampler: TurnSampler,
}

impl Survival<DiceChess> for Biased {
    type Memory = BiasedMemory;

    fn absorption(&self, g: &DiceChess, s: &Position, memory: &mut BiasedMemory) -> Absorption {
        PolicyProcess::default().absorption(g, s, &mut memory.process)
    }

    fn survive(
        &self,
        _: &DiceChess,
        state: &mut Position,
        memory: &mut BiasedMemory,
        rng: &mut SimRng,
    ) -> f64 {
        loop {
            let roll = Roll::from_ordered(rng.below(216));
            let mut turns = legal_turns(&state.board, state.side, roll.pool());
            turns.retain(|t| !t.takes_king);
            if let Some(turn) = rng.pick(&turns) {
                play(state, turn.moves);
                state.end_turn(DrawPolicy::NONE);
                memory.sampler = TurnSampler::new();
                return 0.0;
            }
        }
    }
}

/// The check of unbiasedness notices the biased scheme, which hits its own values.
#[test]
fn a_biased_kernel_is_noticed() {
    let mut noticed = 0;
    for row in rows("equity_exact_random_play") {
        let start = position(row["position"].as_str().unwrap());
        let plies = row["plies"].as_u64().unwrap() as u32;
        let found = estimate(&Biased, &start, &limits(4_096, plies));
        let (correct, engine) = (masses(&row, "correct"), masses(&row, "engine_scheme"));
        assert!(unbiased(&found, engine), "{row}: {found:?}");
        if correct
            .iter()
            .zip(engine)
            .any(|(c, e)| (c - e).abs() > 1e-6)
        {
            noticed += usize::from(!unbiased(&found, correct));
        }
    }
    assert!(noticed >= 7, "{noticed}");
}

/// T4: what the biased scheme gives beside the truth, as a table: `--nocapture` shows it.
#[test]
fn t04_table_of_the_bias() {
    println!(
        "{:<42}{:>6} {:>6} {:>9} {:>9} {:>9} {:>17}",
        "position", "plies", "wins", "exact", "ours", "biased", "off by, in s.e."
    );
    let mut exact = Exact::default();
    for row in rows("equity_exact_random_play") {
        let text = row["position"].as_str().unwrap();
        let plies = row["plies"].as_u64().unwrap() as u32;
        let start = position(text);
        let correct = Scheme::Policy(Policy::CaptureAware);
        let [true_value, biased] = [correct, Scheme::Engine]
            .map(|scheme| exact.value(scheme, &start.board, start.side, plies));
        let ours = estimate(&PolicyProcess::default(), &start, &limits(16_384, plies));
        for (i, side) in ["White", "Black"].into_iter().enumerate() {
            if (true_value[i] - biased[i]).abs() < 5e-5 {
                continue;
            }
            let error = [ours.std_error, ours.std_error + ours.edge_error][i].max(1e-12);
            let off = |value: f64| (value - true_value[i]) / error;
            println!(
                "{text:<42}{plies:>6} {side:>6} {:>9.6} {:>9.6} {:>9.6} {:>8.1} {:>8.1}",
                true_value[i],
                ours.wins[i],
                biased[i],
                off(ours.wins[i]),
                off(biased[i])
            );
        }
    }
    for (text, told) in [
        ("8/8/8/4k3/8/8/4K3/8 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", true),
        ("4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1", false),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false),
    ] {
        let start = position(text);
        let ours = estimate(&PolicyProcess::default(), &start, &limits(8_192, 60));
        let biased = estimate(&Biased, &start, &limits(2_048, 60));
        println!(
            "{text:<42}    60  White           {:>9.4} {:>9.4}   ± {:.4} and ± {:.4}",
            ours.wins[0],
            biased.wins[0],
            1.96 * ours.std_error,
            1.96 * biased.std_error
        );
        let error = ours.std_error.hypot(biased.std_error);
        let off = (biased.wins[0] - ours.wins[0]).abs() / error;
        assert!(
            off > 5.0 || !told,
            "{text}: the bias is {off:.1} standard errors"
        );
    }
}

/// A long rollout: the clock stays at its last value (T6), the game is never drawn unless asked.
#[test]
fn draws_are_off_unless_asked_for() {
    let game = DiceChess::default();
    for (clock, process, drawn) in [
        (98, PolicyProcess::default(), false),
        (126, PolicyProcess::default(), false),
        (98, PolicyProcess::default().with_draws(), true),
    ] {
        let mut memory = ProcessMemory::default();
        let mut rng = Seed(1).simulation(0);
        let mut state = position(&format!("7k/8/8/8/8/8/8/K7 w - - {clock} 1"));
        let mut plies = 0;
        while plies < 40 && game.turn(&state) == Turn::Chance {
            let ends = process.absorption(&game, &state, &mut memory);
            assert!(ends.probability < 1.0);
            process.survive(&game, &mut state, &mut memory, &mut rng);
            plies += 1;
        }
        assert_eq!(game.turn(&state) == Turn::Terminal, drawn);
        assert!(
            (100..=127).contains(&state.half_move),
            "{}",
            state.half_move
        );
        assert!(clock == 98 || state.half_move == 127);
    }
}

/// With draws after few micro-moves the masses are those of games played by the rules.
#[test]
fn draws_come_as_often_as_in_games() {
    let options = DiceChessOptions {
        draw_clock: 4,
        ..DiceChessOptions::default()
    };
    let game = DiceChess::new(&options).unwrap();
    let start = position("8/p7/8/8/8/8/P7/K6k w - - 0 1");
    let process = PolicyProcess::default().with_draws();
    check_survival(
        &game,
        &process,
        &Observing(CaptureAware),
        &start,
        20_000,
        Seed(4),
    );
    let process = PolicyProcess::new(Policy::Random).with_draws();
    check_survival(
        &game,
        &process,
        &Observing(RandomTurn),
        &start,
        5_000,
        Seed(5),
    );
}

/// The clock goes on with greedy turns, and starts again where something was taken.
#[test]
fn greedy_turns_keep_the_clock() {
    let game = DiceChess::default();
    let process = PolicyProcess::new(Policy::Greedy);
    let mut memory = ProcessMemory::default();
    for (dfen, moved, reset) in [
        ("7k/8/8/8/8/8/8/K7 w - - 10 1", true, false),
        ("7k/8/8/8/8/8/pppppppp/K7 w - - 10 1", false, true),
    ] {
        let (mut later, mut again) = (false, false);
        for seed in 0..200 {
            let mut state = position(dfen);
            process.absorption(&game, &state, &mut memory);
            process.survive(
                &game,
                &mut state,
                &mut memory,
                &mut Seed(seed).simulation(0),
            );
            later |= state.half_move > 10;
            again |= state.half_move < 10;
        }
        assert_eq!((later, again), (moved, reset), "{dfen}");
    }
}

/// One turn is exact: nothing is drawn that could matter.
#[test]
fn one_ply_is_exact() {
    for policy in Policy::ALL {
        let start = position("8/8/8/4k3/8/8/4K3/8 w - - 0 1");
        let found = estimate(&PolicyProcess::new(policy), &start, &limits(64, 1));
        assert!(found.exact, "{found:?}");
        let found = estimate(
            &PolicyProcess::new(policy).with_draws(),
            &start,
            &limits(64, 1),
        );
        assert!(!found.exact, "{found:?}");
    }
}

/// T5: where every die that can move only takes the king, passing is all that is left. Nothing is
/// thrown again, and what is undecided is undecided for the horizon alone.
#[test]
fn t05_passes_are_no_failures() {
    let wall = "PP6/PP6/PP6/PP6/PP6/PP6/PP6/Kk6";
    let start = position(&format!("{wall} w - - 0 1"));
    let chance = 91.0 / 216.0_f64;
    for plies in 1..8 {
        let found = estimate(&PolicyProcess::default(), &start, &limits(64, plies));
        let mut open = 1.0;
        let mut wins = [0.0; 2];
        for ply in 0..plies as usize {
            // White can do nothing else; Black's king can also step aside with its die, but the
            // rolls with it have taken the king.
            wins[ply % 2] += open * chance;
            open *= 1.0 - chance;
        }
        assert!((found.wins[0] - wins[0]).abs() < 1e-12, "{found:?}");
        assert!((found.wins[1] - wins[1]).abs() < 1e-12, "{found:?}");
        assert!((found.undecided - open).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn policies_have_names() {
    for policy in Policy::ALL {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
    let error = "clever".parse::<Policy>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no policy `clever`: capture-aware, random or greedy"
    );
}
