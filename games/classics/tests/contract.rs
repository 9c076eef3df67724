//! The contract of a game, for every game of the crate: T-GC1 to T-GC4, T-CH1, T-HI1, T-DT1, T-DT8, T-FA1.

use classics::synthetic::SyntheticOptions;
use classics::whist::Suit;
use classics::{
    BearOff, ConnectFour, Domineering, Ewn, Goofspiel, Knightthrough, KuhnPoker, LeducPoker,
    LiarsDice, Othello, Phantom, Pig, SafeGuess, Synthetic, TicTacToe, TreeGame, Whist,
};
use search_core::game::{ChanceOutcomes, InfoKey};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::testing::{
    check_chance, check_contract, check_depth_first, check_determinizer, check_info_keys,
    check_notation,
};

/// Everything the framework asks of a game; returns how many chance turns and keys were seen.
fn check_all<G>(game: &G, games: u32) -> (u64, usize)
where
    G: Plugin<Observation: PartialEq> + ChanceOutcomes + InfoKey,
{
    check_contract(game, games, Seed(1));
    check_determinizer(game, &game.determinizer(), games / 10 + 1, 4, Seed(2));
    check_notation(game, games / 20 + 1, Seed(3));
    (
        check_chance(game, games / 10 + 1, Seed(4)),
        check_info_keys(game, games, Seed(5)),
    )
}

#[test]
fn t_gc_tic_tac_toe_keeps_the_contract() {
    let (chances, keys) = check_all(&TicTacToe, 5_000);
    assert_eq!(chances, 0);
    assert!(keys > 3_000, "{keys}");
}

#[test]
fn t_gc_connect_four_keeps_the_contract() {
    let (chances, keys) = check_all(&ConnectFour, 2_000);
    assert_eq!(chances, 0);
    assert!(keys > 20_000, "{keys}");
}

#[test]
fn t_gc_othello_keeps_the_contract() {
    let (chances, keys) = check_all(&Othello, 1_000);
    assert_eq!(chances, 0);
    assert!(keys > 50_000, "{keys}");
    let parts = Othello.depth_first().unwrap();
    assert!(check_depth_first(&Othello, &parts, 300, Seed(6)) > 15_000);
}

#[test]
fn t_gc_whist_keeps_the_contract() {
    for trump in [None, Some(Suit::Clubs), Some(Suit::Spades)] {
        let (chances, keys) = check_all(&Whist::new(trump), 200);
        assert_eq!((chances, keys), (0, 200 * 52));
    }
}

#[test]
fn t_gc_kuhn_poker_keeps_the_contract() {
    assert_eq!(check_all(&KuhnPoker, 2_000), (0, 12));
}

#[test]
fn t_gc_leduc_poker_keeps_the_contract() {
    let (chances, keys) = check_all(&LeducPoker, 20_000);
    assert!(chances > 100, "{chances}");
    assert!((900..=2 * 468).contains(&keys), "{keys}");
}

#[test]
fn t_gc_pig_keeps_the_contract() {
    for (target, players, games) in [(100, 2, 200), (10, 2, 1_000), (2, 3, 500), (50, 6, 50)] {
        let game = Pig::new(target, players).unwrap();
        let (chances, _) = check_all(&game, games);
        assert!(chances > 50, "{chances}");
    }
}

#[test]
fn t_gc_ewn_keeps_the_contract() {
    for (size, stones, shuffled, games) in [
        (3, 3, true, 300),
        (4, 3, false, 200),
        (5, 6, true, 100),
        (8, 1, true, 50),
    ] {
        let game = Ewn::new(size, stones, shuffled).unwrap();
        let (chances, _) = check_all(&game, games);
        assert!(chances > 50, "{chances}");
    }
}

#[test]
fn t_gc_bear_off_keeps_the_contract() {
    for (points, checkers, games) in [(3, 3, 300), (1, 1, 100), (6, 15, 20)] {
        let game = BearOff::new(points, checkers).unwrap();
        let (chances, _) = check_all(&game, games);
        assert!(chances > 10, "{chances}");
    }
}

#[test]
fn t_gc_liars_dice_keeps_the_contract() {
    for (sides, most) in [(2, 32), (3, 192), (6, 24_576)] {
        let (chances, keys) = check_all(&LiarsDice::new(sides).unwrap(), 2_000);
        assert!(
            chances == 0 && keys <= most && keys > 30.min(most - 1),
            "{keys}"
        );
    }
}

#[test]
fn t_gc_goofspiel_keeps_the_contract() {
    for (cards, most) in [(2, 2), (3, 16), (4, 162), (13, usize::MAX)] {
        let (chances, keys) = check_all(&Goofspiel::new(cards).unwrap(), 500);
        assert!(
            chances == 0 && keys <= most && keys >= most.min(100),
            "{keys}"
        );
    }
}

#[test]
fn t_gc_safe_guess_keeps_the_contract() {
    assert_eq!(check_all(&SafeGuess::default(), 200), (0, 2));
}

#[test]
fn t_gc_toys_keep_the_contract() {
    let ids: Vec<_> = TreeGame::builtin_ids().collect();
    assert_eq!(ids.len(), 13);
    for id in ids {
        let game = TreeGame::builtin(id).unwrap();
        let (chances, _) = check_all(&game, 200);
        let inner_chance = ["chance_choice", "star_cut"].contains(&id);
        assert_eq!(chances > 0, inner_chance, "{id}");
    }
}

#[test]
fn t_gc_phantom_keeps_the_contract() {
    for (width, height, in_a_row, games) in [
        (4, 4, 4, 1_000),
        (3, 3, 3, 2_000),
        (3, 2, 3, 2_000),
        (5, 5, 4, 100),
    ] {
        let game = Phantom::new(width, height, in_a_row).unwrap();
        let (chances, keys) = check_all(&game, games);
        assert_eq!(chances, 0);
        assert!(keys > 500, "{keys}");
    }
}

#[test]
fn t_gc_domineering_keeps_the_contract() {
    for (width, height) in [(8, 8), (8, 3), (2, 7), (4, 4)] {
        let game = Domineering::new(width, height).unwrap();
        assert_eq!(check_all(&game, 500).0, 0);
        check_depth_first(&game, &game.depth_first().unwrap(), 20, Seed(6));
    }
}

#[test]
fn t_gc_knightthrough_keeps_the_contract() {
    for (width, height) in [(8, 8), (4, 4), (5, 8), (8, 5)] {
        let game = Knightthrough::new(width, height).unwrap();
        assert_eq!(check_all(&game, 300).0, 0);
        check_depth_first(&game, &game.depth_first().unwrap(), 20, Seed(6));
    }
}

#[test]
fn t_gc_synthetic_trees_keep_the_contract() {
    for (depth, worlds, disambiguation) in [(8, 8, 0.6), (1, 4, 0.0), (5, 32, 0.3), (6, 2, 1.0)] {
        let options = SyntheticOptions {
            depth,
            worlds,
            disambiguation,
            ..SyntheticOptions::default()
        };
        let (chances, keys) = check_all(&Synthetic::new(options).unwrap(), 500);
        assert_eq!(chances, 0);
        assert!(keys >= 4, "{keys}");
    }
}

#[test]
fn options_are_checked() {
    for (width, height, in_a_row) in [
        (1, 4, 4),
        (6, 4, 4),
        (4, 0, 4),
        (4, 4, 2),
        (4, 4, 5),
        (2, 2, 3),
    ] {
        let error = Phantom::new(width, height, in_a_row).unwrap_err();
        assert!(error.to_string().contains("expected"), "{error}");
    }
    for side in [0, 1, 9, usize::MAX] {
        assert!(Domineering::new(side, 8).is_err());
        assert!(Domineering::new(8, side).is_err());
    }
    for side in [0, 3, 9, usize::MAX] {
        assert!(Knightthrough::new(side, 8).is_err());
        assert!(Knightthrough::new(8, side).is_err());
    }
    let fine = SyntheticOptions::default();
    for options in [
        SyntheticOptions { depth: 0, ..fine },
        SyntheticOptions { depth: 21, ..fine },
        SyntheticOptions { worlds: 0, ..fine },
        SyntheticOptions { worlds: 6, ..fine },
        SyntheticOptions { worlds: 64, ..fine },
        SyntheticOptions {
            bias: f64::NAN,
            ..fine
        },
        SyntheticOptions {
            correlation: 1.1,
            ..fine
        },
        SyntheticOptions {
            disambiguation: -0.1,
            ..fine
        },
    ] {
        assert!(Synthetic::new(options).is_err(), "{options:?}");
    }

    for (target, players) in [(1, 2), (1_001, 2), (100, 1), (100, 7)] {
        assert!(Pig::new(target, players).is_err(), "{target} {players}");
    }
    let error = TreeGame::builtin("strategy_fusio").unwrap_err();
    assert!(error.to_string().contains("did you mean `strategy_fusion`"));
    for safe in [f64::NAN, 1.5] {
        let options = classics::safe_guess::SafeGuessOptions { safe };
        assert!(SafeGuess::from_options(options).is_err());
    }
}
