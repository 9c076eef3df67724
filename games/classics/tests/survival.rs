//! Survival rollouts of Pig against the exact value of the policy.

use classics::Pig;
use classics::solve::PigSolution;
use search_core::estimate::{Control, Equity, Mode, Rollouts, SharedEquity};
use search_core::expr::Expr;
use search_core::game::Player;
use search_core::plugin::Plugin;
use search_core::rng::Seed;

/// When a player with this score, against that, holds this total.
type Holds = dyn Fn(u32, u32, u32) -> f64;

/// The probability that the player to roll wins, for every pair of scores. Works roll by roll: what
/// a turn is worth is linear in what a bust leaves, and the busts of two players make two equations.
fn solve(target: u32, holds: &Holds) -> Vec<Vec<f64>> {
    let n = target as usize;
    let mut value = vec![vec![0.0; n]; n];
    for sum in (0..=2 * (n - 1)).rev() {
        for own in sum.saturating_sub(n - 1)..=(sum / 2) {
            let other = sum - own;
            let line = |a: usize, b: usize, value: &[Vec<f64>]| {
                let mut worth = vec![(0.0, 0.0); n - a];
                for total in (0..n - a).rev() {
                    let (mut base, mut slope) = (0.0, 1.0 / 6.0);
                    for pips in 2..=6 {
                        let (b, s) = worth.get(total + pips).copied().unwrap_or((1.0, 0.0));
                        base += b / 6.0;
                        slope += s / 6.0;
                    }
                    let hold = holds(a as u32, b as u32, total as u32);
                    let banked = if total == 0 {
                        0.0
                    } else {
                        1.0 - value[b][a + total]
                    };
                    worth[total] = (hold * banked + (1.0 - hold) * base, (1.0 - hold) * slope);
                }
                worth[0]
            };
            let (p, q) = line(own, other, &value);
            let (r, s) = line(other, own, &value);
            // x = p + q (1 - y), y = r + s (1 - x).
            let x = (p + q * (1.0 - r - s)) / (1.0 - q * s);
            value[own][other] = x;
            value[other][own] = r + s * (1.0 - x);
        }
    }
    value
}

fn process(game: &Pig, policy: &str, control: bool) -> SharedEquity<Pig> {
    let expr: Expr = policy.parse().unwrap();
    let mut settings = expr.settings();
    let found = game.survival(&expr.name, &mut settings, control).unwrap();
    found.unwrap()
}

fn estimate(game: &Pig, policy: &str, position: &str, rollouts: &Rollouts) -> Equity {
    let state = game.parse_observation(position).unwrap();
    let control = rollouts.control != Control::Off;
    let source = process(game, policy, control);
    source
        .estimate(game, &state, rollouts, Seed(1), &mut |_| {})
        .unwrap()
}

fn many() -> Rollouts {
    Rollouts {
        rollouts: 100_000,
        threads: 2,
        epsilon: 1e-7,
        ..Rollouts::default()
    }
}

fn hold_at(at: u32) -> impl Fn(u32, u32, u32) -> f64 {
    move |_, _, total| f64::from(u8::from(total > 0 && total >= at))
}

#[test]
fn agrees_with_the_value_of_the_policy() {
    let coin = |_: u32, _: u32, total: u32| if total == 0 { 0.0 } else { 0.5 };
    let policies: [(&str, &Holds); 3] = [
        ("hold20", &hold_at(20)),
        ("hold(at=8)", &hold_at(8)),
        ("random", &coin),
    ];
    for (target, scores) in [(20, [0, 0]), (40, [25, 10]), (100, [60, 75])] {
        let game = Pig::new(target, 2).unwrap();
        for (policy, holds) in policies {
            let truth = solve(target, holds)[scores[0]][scores[1]];
            let position = format!("scores={},{} player=0 total=0", scores[0], scores[1]);
            for control in [Control::Off, Control::Pilot(256)] {
                let rollouts = Rollouts { control, ..many() };
                let e = estimate(&game, policy, &position, &rollouts);
                println!("{target} {policy} {truth:.5} {e:?}");
                assert!(
                    (e.wins[0] - truth).abs() < 5.0 * e.std_error + 1e-6,
                    "{target} {policy} {truth} {e:?}"
                );
                assert!(e.variance_reduction > 1.0, "{e:?}");
                let sum = e.wins[0] + e.wins[1] + e.drawn + e.undecided;
                assert!((sum - 1.0).abs() < 1e-12 && e.undecided < 1e-6);
            }
            // Seen by the other player, and with the second one to roll.
            let turned = format!("scores={},{} player=1 total=0", scores[1], scores[0]);
            let e = estimate(&game, policy, &turned, &many());
            assert!(
                (e.wins[1] - truth).abs() < 5.0 * e.std_error + 1e-6,
                "{e:?}"
            );
        }
    }
}

#[test]
fn the_best_policy_wins_as_often_as_the_solution_says() {
    let game = Pig::new(100, 2).unwrap();
    let rollouts = Rollouts {
        control: Control::Pilot(256),
        rollouts: 20_000,
        ..many()
    };
    let e = estimate(&game, "optimal", "scores=0,0 player=0 total=0", &rollouts);
    assert!(
        (e.wins[0] - 0.530_592_725).abs() < 5.0 * e.std_error,
        "{e:?}"
    );
    // In the middle of a turn, at the choice.
    let truth = PigSolution::new(100).win_probability(70, 80, 15).unwrap();
    let e = estimate(
        &game,
        "optimal",
        "scores=70,80 player=0 total=15",
        &rollouts,
    );
    assert!(
        (e.wins[0] - truth).abs() < 5.0 * e.std_error + 1e-6,
        "{truth} {e:?}"
    );
}

#[test]
fn a_turn_under_way_is_played_on() {
    let game = Pig::new(20, 2).unwrap();
    let table = solve(20, &hold_at(20));
    // With 17 of 20 at stake a roll loses it with a one, comes to 19 with a two, and wins else.
    let bust = 1.0 - table[3][0];
    let at_19 = 5.0 / 6.0 + bust / 6.0;
    let truth = 4.0 / 6.0 + at_19 / 6.0 + bust / 6.0;
    let e = estimate(
        &game,
        "hold20",
        "scores=0,3 player=0 total=17 rolling=yes",
        &many(),
    );
    assert!(
        (e.wins[0] - truth).abs() < 5.0 * e.std_error + 1e-6,
        "{truth} {e:?}"
    );
    // Holding at 15 the roll is thrown all the same, the choice is not.
    for (text, rolls) in [(" rolling=yes", true), ("", false)] {
        let position = format!("scores=0,3 player=0 total=17{text}");
        let one = Rollouts { plies: 1, ..many() };
        let e = estimate(&game, "hold(at=15)", &position, &one);
        let wanted = if rolls { 4.0 / 6.0 } else { 0.0 };
        assert!((e.wins[0] - wanted).abs() < 1e-12, "{text} {e:?}");
    }
}

#[test]
fn the_variance_reduction_is_that_against_plain_rollouts() {
    let game = Pig::new(100, 2).unwrap();
    let position = "scores=0,0 player=0 total=0";
    let better = estimate(&game, "hold20", position, &many());
    let naive = Rollouts {
        mode: Mode::Naive,
        ..many()
    };
    let plain = estimate(&game, "hold20", position, &naive);
    let gap = (plain.wins[0] - better.wins[0]).abs();
    assert!(gap < 5.0 * plain.std_error.hypot(better.std_error));
    let ratio = plain.variance / better.variance / better.variance_reduction;
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    let control = Rollouts {
        control: Control::Pilot(256),
        ..many()
    };
    let e = estimate(&game, "hold20", position, &control);
    println!("VR {} then {:?}", better.variance_reduction, e.control);
    assert!(e.control.unwrap().gain > 1.5, "{e:?}");
}

#[test]
fn policies_by_name() {
    let game = Pig::new(100, 2).unwrap();
    for (name, _) in game.survival_policies() {
        let _ = process(&game, name, true);
    }
    let expr = Expr::word("hold21");
    assert!(
        game.survival("hold21", &mut expr.settings(), false)
            .unwrap()
            .is_none()
    );
    assert!(Pig::new(100, 3).unwrap().survival_policies().is_empty());
    let over = game
        .parse_observation("scores=100,3 player=0 total=0")
        .unwrap();
    let source = process(&game, "hold20", false);
    assert_eq!(source.players(), ["player 0", "player 1"]);
    let refused = source.estimate(&game, &over, &many(), Seed(1), &mut |_| {});
    assert_eq!(refused.unwrap_err().to_string(), "the game is over there");
    assert_eq!(over.mover(), Player::new(0));
}
