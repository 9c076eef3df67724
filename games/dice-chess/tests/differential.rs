//! The rules against a second implementation that shares nothing with them, on random positions of
//! games and on garbage.

mod common;

use common::mailbox::Mailbox;
use common::{any_roll, garbage, legal, playable, position, random_position, rng};
use dice_chess::turns::legal_turns;
use dice_chess::{DiceChess, DiceChessOptions, DrawPolicy, Phase, Position, Roll};
use search_core::game::Game;
use search_core::rng::Draw;
use std::collections::BTreeSet;

/// No draws: the second implementation knows none.
fn game() -> DiceChess {
    DiceChess::new(&DiceChessOptions {
        draw_clock: 0,
        max_plies: 0,
    })
    .unwrap()
}

/// Compares everything about a roll; returns how many turns there are.
fn compare(state: &Position, slow: &Mailbox, roll: Roll) -> usize {
    let at = format!("`{state}` {roll:?}");
    assert_eq!(state.to_string(), slow.write(), "before {at}");
    let mut thrown = slow.clone();
    thrown.dice = roll.pool().letters().chars().collect();
    let expected = thrown.turns();

    let turns = legal_turns(&state.board, state.side, roll.pool());
    let listed: BTreeSet<String> = turns.iter().map(|t| t.moves.to_string()).collect();
    assert_eq!(listed.len(), turns.len(), "a turn twice: {at}");
    assert!(listed.iter().eq(expected.keys()), "turns: {at}");

    let mut fast = *state;
    game().apply_chance(&mut fast, roll);
    if expected.is_empty() {
        let mut passed = slow.clone();
        passed.end_turn();
        assert_eq!(fast.to_string(), passed.write(), "pass: {at}");
        return 0;
    }
    assert!(
        playable(&fast).iter().eq(expected.keys()),
        "micro-moves: {at}"
    );
    for turn in turns {
        let mut after = fast;
        let mut slow = thrown.clone();
        for mv in turn.moves.iter() {
            // Within the turn every field agrees too, the dice that are left among them.
            assert_eq!(
                after.to_string(),
                slow.write(),
                "within {}: {at}",
                turn.moves
            );
            game().apply(&mut after, mv);
            let found = slow.micro_moves();
            let next = found
                .into_iter()
                .find(|(m, ..)| m.to_string() == mv.to_string());
            slow = next.unwrap().1;
        }
        assert_eq!(
            after.to_string(),
            expected[&turn.moves.to_string()].write(),
            "after {}: {at}",
            turn.moves
        );
        assert_eq!(
            turn.takes_king,
            matches!(after.phase, Phase::Over(_)),
            "{at}"
        );
    }
    expected.len()
}

/// Positions to compare; `DIFFERENTIAL` multiplies them.
fn amount(of: u64) -> u64 {
    let more = std::env::var("DIFFERENTIAL").ok();
    of * more.and_then(|n| n.parse::<u64>().ok()).unwrap_or(1)
}

/// A few positions have hundreds of thousands of sequences: they are left to the others.
fn small_enough(slow: &Mailbox, roll: Roll) -> bool {
    let mut thrown = slow.clone();
    thrown.dice = roll.pool().letters().chars().collect();
    let first = thrown.micro_moves().len();
    first.pow(u32::from(roll.pool().len())) < 3_000
}

#[test]
fn positions_of_games() {
    let (mut turns, mut passes) = (0, 0);
    for i in 0..amount(400) {
        let mut rng = rng("games", i);
        let depth = rng.pick(&[0, 1, 2, 3, 5, 8, 13, 21, 34, 55]).unwrap();
        let state = random_position(&game(), &mut rng, depth);
        let roll = any_roll(&mut rng);
        let slow = Mailbox::read(&state.to_string());
        if small_enough(&slow, roll) {
            let n = compare(&state, &slow, roll);
            turns += n;
            passes += usize::from(n == 0);
        }
    }
    println!("{turns} turns, {passes} passes");
    assert!(turns > 10_000 && passes > 20, "{turns} {passes}");
}

#[test]
fn garbage_positions() {
    let (mut turns, mut passes, mut compared) = (0, 0, 0);
    for i in 0..amount(3_000) {
        let mut rng = rng("garbage", i);
        let slow = garbage(&mut rng);
        let state = position(&slow.write());
        let roll = any_roll(&mut rng);
        if small_enough(&slow, roll) {
            let n = compare(&state, &slow, roll);
            turns += n;
            passes += usize::from(n == 0);
            compared += 1;
        }
    }
    println!("{compared} positions, {turns} turns, {passes} passes");
    assert!(
        turns > 50_000 && passes > 50 && compared > 2_000,
        "{turns} {passes}"
    );
}

/// What garbage showed first: a target under a piece was taken, and two pieces went, or the own one.
#[test]
fn an_occupied_target_is_no_target() {
    for (dfen, dice) in [
        ("4k3/8/7n/2pP4/n2Pp2P/3R4/6N1/7R b - d3 0 1", "PRQ"),
        ("4k3/8/3N4/3pP3/8/8/8/4K3 w - d6 0 1", "PPN"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "PPN"),
    ] {
        let roll = Roll::of(common::pool(dice)).unwrap();
        compare(&position(dfen), &Mailbox::read(dfen), roll);
    }
}

/// Colours exchanged, the board turned over: the same turns, turned over.
#[test]
fn colours_are_symmetric() {
    let turned_over = |text: &str| -> String {
        let flip = |c: char| match c {
            '1'..='8' => char::from(b'9' - (c as u8 - b'0')),
            _ => c,
        };
        text.chars().map(flip).collect()
    };
    for i in 0..amount(1_000) {
        let mut rng = rng("mirror", i);
        let slow = if i % 2 == 0 {
            let depth = rng.below(40);
            Mailbox::read(&random_position(&game(), &mut rng, depth).to_string())
        } else {
            garbage(&mut rng)
        };
        let roll = any_roll(&mut rng);
        let of = |slow: &Mailbox| {
            let state = position(&slow.write());
            let mut rolled = state;
            game().apply_chance(&mut rolled, roll);
            (legal_turns(&state.board, state.side, roll.pool()), rolled)
        };
        let ((turns, here), (mirrored, there)) = (of(&slow), of(&slow.mirrored()));
        let ours: BTreeSet<String> = turns.iter().map(|t| t.moves.to_string()).collect();
        let theirs = mirrored.iter().map(|t| turned_over(&t.moves.to_string()));
        assert_eq!(ours, theirs.collect(), "{}", slow.write());
        let firsts: BTreeSet<String> = legal(&here).iter().map(|m| m.to_string()).collect();
        let theirs = legal(&there)
            .iter()
            .map(|m| turned_over(&m.to_string()))
            .collect();
        assert_eq!(firsts, theirs, "{}", slow.write());
    }
}

/// Two micro-moves that do not touch each other come to the same in either order, and the policy
/// plays no part in what a position is.
#[test]
fn the_order_of_independent_moves_does_not_matter() {
    let mut swapped = 0;
    for i in 0..300 {
        let mut rng = rng("order", i);
        let mut state = random_position(&game(), &mut rng, 6);
        state.roll(any_roll(&mut rng), DrawPolicy::NONE);
        if !matches!(state.phase, Phase::Spend(_)) {
            continue;
        }
        for a in legal(&state) {
            let mut one = state;
            game().apply(&mut one, a);
            for b in legal(&one).into_iter().filter(|b| *b != a) {
                let mut other = state;
                if !matches!(one.phase, Phase::Spend(_)) || !legal(&other).contains(&b) {
                    continue;
                }
                game().apply(&mut other, b);
                if !matches!(other.phase, Phase::Spend(_)) || !legal(&other).contains(&a) {
                    continue;
                }
                let mut first = one;
                game().apply(&mut first, b);
                game().apply(&mut other, a);
                let apart = [a.from(), a.to()]
                    .iter()
                    .all(|s| ![b.from(), b.to()].contains(s));
                if apart && first.half_move == other.half_move {
                    assert_eq!(first, other, "{a} {b} in {state}");
                    swapped += 1;
                }
            }
        }
    }
    assert!(swapped > 10_000, "{swapped}");
}
