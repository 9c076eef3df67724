//! What every game must keep to, on random games.

mod common;

use common::{any_roll, garbage, legal, playable, position, random_position, rng, rolled};
use dice_chess::turns::legal_turns;
use dice_chess::{DiceChess, DiceChessOptions, DrawPolicy, Outcome, Phase, Position};
use search_core::game::{Game, Player, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::testing::{check_chance, check_contract, check_notation};
use std::collections::BTreeSet;

fn variants() -> [DiceChess; 3] {
    let with = |draw_clock, max_plies| {
        let options = DiceChessOptions {
            draw_clock,
            max_plies,
        };
        DiceChess::new(&options).unwrap()
    };
    [DiceChess::default(), with(10, 40), with(0, 300)]
}

#[test]
fn t_gc1_to_t_gc4_random_games_keep_the_contract() {
    for game in variants() {
        check_contract(&game, 30, Seed(1));
    }
    // From where most is going on, and from where a turn is forced.
    for (_, dfen) in dice_chess::plugin::POSITIONS {
        let game = variants()[2].from_position(position(dfen));
        check_contract(&game, 5, Seed(2));
    }
}

#[test]
fn t_ch1_dice_are_three_fair_dice() {
    let seen = check_chance(&variants()[1], 50, Seed(3));
    assert!(seen > 500, "{seen}");
}

#[test]
fn t_fa1_text_reads_back() {
    check_notation(&variants()[1], 25, Seed(4));
    check_notation(&DiceChess::default(), 3, Seed(5));
}

#[test]
fn everything_is_seen() {
    let game = DiceChess::default();
    let mut rng = rng("seen", 0);
    let state = random_position(&game, &mut rng, 9);
    for player in [0, 1].map(Player::new) {
        assert_eq!(game.observe(&state, player), state);
    }
}

/// `max_turns` follows the draw policy: a cap that the options lift is lifted there too.
#[test]
fn t_gc4_the_longest_game_follows_the_options() {
    let turns = |max_plies| {
        let options = DiceChessOptions {
            draw_clock: 0,
            max_plies,
        };
        DiceChess::new(&options).unwrap().max_turns()
    };
    assert_eq!(turns(5000), 20_004);
    assert_eq!(turns(10), 44);
    assert_eq!(turns(0), u32::MAX);
}

/// The legal actions are the first moves of the legal turns, and playing them one after another
/// gives exactly the legal turns: at the roll and within the turn.
#[test]
fn micro_moves_make_exactly_the_legal_turns() {
    let (mut positions, mut within, mut owing) = (0, 0, 0);
    for i in 0..1_200 {
        let mut rng = rng("micro", i);
        let start = if i % 3 == 0 {
            position(&garbage(&mut rng).write())
        } else {
            let turns = rng.below(60);
            random_position(&variants()[2], &mut rng, turns)
        };
        let mut state = start;
        let roll = any_roll(&mut rng);
        state.roll(roll, DrawPolicy::NONE);
        let turns = legal_turns(&start.board, start.side, roll.pool());
        if turns.len() > 3_000 {
            continue;
        }
        assert_eq!(turns.is_empty(), !matches!(state.phase, Phase::Spend(_)));
        let all: BTreeSet<String> = turns.iter().map(|t| t.moves.to_string()).collect();
        assert_eq!(playable(&state), all, "{start} {roll:?}");
        let mut firsts: Vec<_> = turns.iter().filter_map(|t| t.moves.iter().next()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(legal(&state), firsts, "{start} {roll:?}");
        positions += 1;
        // On the way: what is left of the turns that begin so.
        let mut path = String::new();
        while let Some(mv) = rng.pick(&legal(&state)) {
            DiceChess::default().apply(&mut state, mv);
            if !matches!(state.phase, Phase::Spend(_)) {
                break;
            }
            path = format!("{path}{mv} ");
            let rest = all.iter().filter_map(|t| t.strip_prefix(&path));
            assert_eq!(
                playable(&state),
                rest.map(str::to_owned).collect(),
                "{path}"
            );
            // The notation says what is owed, with and without the turn's beginning.
            let text = DiceChess::default().format_observation(&state).unwrap();
            let back = dice_chess::notation::read(&text).unwrap();
            assert_eq!(back, state, "{text}");
            owing += u32::from(text.contains("must="));
            within += 1;
        }
    }
    println!("{positions} rolls, {within} positions within turns, {owing} that owe more");
    assert!(positions > 700 && within > 800, "{positions} {within}");
}

/// A DFEN reads back to the same position at every ply, and the game goes on from it as before.
#[test]
fn dfens_read_back_at_every_ply() {
    let game = DiceChess::default();
    let (mut plies, mut within) = (0, 0);
    for i in 0..60 {
        let mut rng = rng("dfen", i);
        let mut state = game.initial_state(&mut rng);
        loop {
            let written = state.to_string();
            let back: Position = written.parse().unwrap();
            assert_eq!(back.to_string(), written);
            let fields = written.split(' ').count();
            assert_eq!(
                fields,
                if matches!(state.phase, Phase::Spend(_)) {
                    7
                } else {
                    6
                }
            );
            if !matches!(state.phase, Phase::Over(_)) {
                let noted = game.format_observation(&state).unwrap();
                assert_eq!(game.parse_observation(&noted).unwrap(), state);
                within += u32::from(state.pool.len() % 3 != 0);
            }
            plies += 1;
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => game.apply_chance(&mut state, any_roll(&mut rng)),
                Turn::Player(_) => {
                    let mv = rng.pick(&legal(&state)).unwrap();
                    game.apply(&mut state, mv);
                }
            }
        }
    }
    assert!(plies > 5_000 && within > 1_000, "{plies} {within}");
}

/// T6: the counters stop at the end of their range; nothing wraps.
#[test]
fn counters_saturate() {
    let mut state = position("4k3/8/8/8/8/8/8/4K3 b - - 126 2147483646");
    let mut rng = rng("counters", 0);
    for turn in 0..40 {
        state = state.with_pool(common::pool("KKK"));
        // The kings keep to their home ranks.
        while matches!(state.phase, Phase::Spend(_)) {
            let home = |mv: &dice_chess::MicroMove| mv.to().rank() == mv.from().rank();
            let moves: Vec<_> = legal(&state).into_iter().filter(home).collect();
            state.play(rng.pick(&moves).unwrap(), DrawPolicy::NONE);
        }
        assert_eq!(
            (state.half_move, state.full_move),
            (127, 2_147_483_647),
            "{turn}"
        );
        assert_eq!(state.to_string().parse::<Position>().unwrap(), state);
    }
    // Nor where a game is drawn by its clock or its length.
    let last = DiceChess::default().parse_observation("4k3/8/8/8/8/8/8/4K3 w - - 0 2147483647");
    assert_eq!(last.unwrap().phase, Phase::Over(Outcome::Drawn));
}

/// What can be done depends on the position alone, not on how it was reached.
#[test]
fn positions_have_no_memory() {
    let game = variants()[2];
    for i in 0..200 {
        let mut rng = rng("memory", i);
        let mut state = random_position(&game, &mut rng, 12);
        state.roll(any_roll(&mut rng), DrawPolicy::NONE);
        let fresh: Position = state.to_string().parse().unwrap();
        assert_eq!(fresh, state);
        let once = legal(&state);
        let _ = playable(&state);
        assert_eq!(once, legal(&state));
        assert_eq!(once, legal(&fresh));
    }
}

/// How long games are, and how they end.
fn play_out(games: u64) -> (f64, u64, u64, u64) {
    let game = DiceChess::default();
    let (mut plies, mut draws, mut longest, mut white) = (0, 0, 0, 0);
    let mut actions = Vec::new();
    for i in 0..games {
        let mut rng = rng("ends", i);
        let mut state = game.initial_state(&mut rng);
        let mut turns = 0;
        loop {
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => game.apply_chance(&mut state, any_roll(&mut rng)),
                Turn::Player(_) => {
                    game.legal_actions(&state, &mut actions);
                    game.apply(&mut state, rng.pick(&actions).unwrap());
                }
            }
            turns += 1;
            assert!(turns <= game.max_turns(), "game {i}");
        }
        plies += state.plies();
        longest = longest.max(state.plies());
        draws += u64::from(state.phase == Phase::Over(Outcome::Drawn));
        let won = matches!(
            state.phase,
            Phase::Over(Outcome::Won(cozy_chess::Color::White))
        );
        white += u64::from(won);
        assert_eq!(game.returns(&state).iter().sum::<f64>(), 0.0);
    }
    (plies as f64 / games as f64, draws, longest, white)
}

#[test]
fn random_games_end() {
    let (mean, draws, longest, white) = play_out(300);
    println!("mean {mean} turns, longest {longest}, {draws} draws, White wins {white} of 300");
    assert!((10.0..200.0).contains(&mean), "{mean}");
    assert!(draws < 60, "{draws}");
}

/// The long run:
/// `cargo test --release -p dice-chess --test contract -- --ignored --nocapture`.
#[test]
#[ignore = "100,000 games take minutes"]
fn a_hundred_thousand_random_games_end() {
    let (mean, draws, longest, white) = play_out(100_000);
    println!("mean {mean} turns, longest {longest}, {draws} draws, White wins {white} of 100000");
}

/// The bare DFEN of a turn that can only go on to the king says less than the position: read as a
/// DFEN, the turn may end with fewer dice. The notation of the command line says it.
#[test]
fn a_dfen_within_a_turn_may_owe_more_dice_than_it_says() {
    let game = DiceChess::default();
    let start = rolled("5r2/B1b5/2k1P3/1b3BPP/P1K4n/2R5/8/8 w - - 1 33", "PPN");
    let state = common::play(start, "a4b5");
    assert_eq!(state.phase, Phase::Spend(2));
    assert_eq!(common::first_moves(&state), ["b5c6"]);
    let bare: Position = state.to_string().parse().unwrap();
    assert_eq!(bare.phase, Phase::Spend(1));
    assert_eq!(
        common::first_moves(&bare),
        ["b5b6", "b5c6", "g5g6", "h5h6", "e6e7"]
    );

    let text = game.format_observation(&state).unwrap();
    assert_eq!(text, format!("{state} must=2"));
    assert_eq!(game.parse_observation(&text).unwrap(), state);
    assert!(
        text.parse::<Position>().is_err(),
        "no DFEN has eight fields"
    );
    for (wrong, why) in [
        (format!("{state} must=3"), "1 to 2"),
        (format!("{state} must=0"), "1 to 2"),
        (format!("{state} must=x"), "1 to 2"),
        (format!("{start} must=2"), "3, what the board says"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 must=1".to_owned(), "no dice"),
    ] {
        let error = game.parse_observation(&wrong).unwrap_err().0;
        assert!(error.contains(why), "{wrong}: {error}");
    }
    // Said needlessly it is taken, and not written again.
    let plain = game.parse_observation(&format!("{start} must=3")).unwrap();
    assert_eq!(game.format_observation(&plain).unwrap(), start.to_string());
}
