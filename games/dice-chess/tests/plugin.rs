//! The game by name: what a person reads, and what is counted.

mod common;

use common::{legal, position, rolled};
use dice_chess::{DiceChess, DiceChessOptions, Outcome, Phase, Roll};
use search_core::plugin::Plugin;

fn why(dfen: &str, dice: &str, text: &str) -> String {
    let state = rolled(dfen, dice);
    let legal = legal(&state);
    let why = DiceChess::default().explain_illegal(&state, text, &legal);
    why.unwrap_or_else(|| "legal".to_owned())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn an_illegal_move_is_told_why() {
    let pawns = "4k3/P2P4/8/3p4/3P4/8/8/4K3 w - - 0 1";
    let castle = "4k3/8/8/8/8/8/8/R3K2R w K - 0 1";
    for (dfen, dice, text, expected) in [
        (START, "PNB", "e2e4", "legal"),
        (START, "PNB", "hello", "`hello` is not a move"),
        (
            START,
            "PNB",
            "O-O",
            "castling is written as the king's move, as in e1g1",
        ),
        (START, "PNB", "e3e4", "e3e4: nothing stands on e3"),
        (
            START,
            "PNB",
            "e7e5",
            "the pawn on e7 is Black's, and White is to move",
        ),
        (
            START,
            "PPB",
            "g1f3",
            "the knight on g1 needs a knight die, and the dice are [P] [P] [B]",
        ),
        (START, "PNB", "g1g3", "the knight on g1 does not reach g3"),
        (START, "PNB", "g1e2", "your own pawn stands on e2"),
        (
            START,
            "PNB",
            "c1e3",
            "something is in the way of the bishop on c1",
        ),
        (
            START,
            "PNB",
            "e2d3",
            "a pawn goes aside only to capture, and there is nothing to capture on d3",
        ),
        (START, "PNB", "e2e5", "the pawn on e2 does not reach e5"),
        (
            START,
            "PNB",
            "e2e4q",
            "nothing is promoted there: write e2e4",
        ),
        (
            START,
            "KRP",
            "e1g1",
            "something stands between king and rook",
        ),
        (
            pawns,
            "PPP",
            "d4d5",
            "a pawn does not capture straight ahead, and the pawn on d5 blocks it",
        ),
        (
            pawns,
            "PPP",
            "a7a8",
            "say what the pawn becomes: a7a8q, a7a8r, a7a8b or a7a8n",
        ),
        (
            pawns,
            "PPP",
            "d7e8q",
            "capturing the king ends the game before anything is promoted: write d7e8",
        ),
        (
            castle,
            "KKP",
            "e1g1",
            "castling costs a king die and a rook die, and the dice are [P] [K] [K]",
        ),
        (
            castle,
            "KRP",
            "e1c1",
            "there is no right to castle there any more",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "KRP",
            "e1g1",
            "no rook stands on h1 to castle with",
        ),
        // A promotion to a queen leaves the knight die unspent.
        (
            "k7/7P/8/8/8/8/8/4K3 w - - 0 1",
            "PNK",
            "h7h8q",
            "a turn spends as many dice as it can: 3 dice have to be spent, and after this only 2 could be; another promotion would do",
        ),
    ] {
        let found = why(dfen, dice, text);
        assert!(found.contains(expected), "{text} with {dice}: {found}");
    }
    // Owing more dice than there are ways to spend: only the king will do.
    let start = rolled("5r2/B1b5/2k1P3/1b3BPP/P1K4n/2R5/8/8 w - - 1 33", "PPN");
    let state = common::play(start, "a4b5");
    let found = DiceChess::default().explain_illegal(&state, "e6e7", &legal(&state));
    assert!(
        found
            .unwrap()
            .contains("2 dice have to be spent, and after this only 1")
    );
}

#[test]
fn a_roll_says_what_it_comes_to() {
    let game = DiceChess::default();
    let roll = |dfen: &str, dice| {
        let roll = Roll::of(common::pool(dice)).unwrap();
        game.explain_chance(&position(dfen), roll).unwrap()
    };
    assert_eq!(roll(START, "PNB"), "White rolls [P] [N] [B]");
    assert_eq!(
        roll(START, "BBQ"),
        "White rolls [B] [B] [Q]: no move, passes"
    );
    let black = "4k3/8/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(
        roll(black, "QKQ"),
        "Black rolls [Q] [Q] [K]: only 1 can be spent"
    );
}

#[test]
fn a_picture_shows_the_board_the_turn_and_the_dice() {
    let game = DiceChess::default();
    let picture = game.picture(&rolled(START, "PNB"));
    for part in [
        "8  r n b q k b n r",
        "1  R N B Q K B N R",
        "a b c d e f g h",
        "move 1",
        "White has the dice [P] [N] [B]",
    ] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    let picture = game.picture(&position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 60 1"));
    for part in ["Black is to roll", "en passant on e3", "60 micro-moves"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(
        game.picture(&rolled("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "QQK"))
            .contains("1 of them")
    );
}

/// A position without a king, or drawn by its counters, is a game that is over.
#[test]
fn a_game_that_is_over_reads_as_one() {
    let game = DiceChess::default();
    let phase = |text: &str| game.parse_observation(text).map(|p| p.phase);
    let won = phase("4k3/8/8/8/8/8/8/8 w - - 0 1").unwrap();
    assert_eq!(won, Phase::Over(Outcome::Won(cozy_chess::Color::Black)));
    let drawn = "4k3/8/8/8/8/8/8/4K3 w - - 100 70";
    assert_eq!(phase(drawn).unwrap(), Phase::Over(Outcome::Drawn));
    assert_eq!(
        phase("4k3/8/8/8/8/8/8/4K3 w - - 99 70").unwrap(),
        Phase::Roll
    );
    // Within a turn nothing is drawn, and another policy draws elsewhere.
    assert_eq!(phase(&format!("{drawn} KKK")).unwrap(), Phase::Spend(3));
    let options = DiceChessOptions {
        draw_clock: 0,
        max_plies: 0,
    };
    let never = DiceChess::new(&options).unwrap();
    assert_eq!(never.parse_observation(drawn).unwrap().phase, Phase::Roll);
    assert!(phase("4k3/8/8/8/8/8/8/8 w - - 0 1 PPP").is_err());
}

fn total(table: &search_core::plugin::PerftTable, what: &str) -> f64 {
    let found = table.totals.iter().find(|(name, _)| *name == what);
    found.unwrap_or_else(|| panic!("no {what}")).1
}

#[test]
fn perft_counts_the_legal_turns_of_every_roll() {
    let game = DiceChess::default();
    let start = position(START);
    let table = game.perft_table(&start, None).unwrap().unwrap();
    assert_eq!(table.rows.len(), 56);
    assert_eq!(total(&table, "ordered rolls"), 216.0);
    assert_eq!(total(&table, "legal turns, weighted"), 29_794.0);
    assert!((total(&table, "mean turns a roll") - 137.9).abs() < 0.05);
    assert_eq!(total(&table, "rolls that pass"), 64.0);
    assert_eq!(total(&table, "turns that capture the king, weighted"), 0.0);
    let kiwipete = game.positions().into_iter().find(|(n, _)| *n == "kiwipete");
    let kiwipete = game.parse_observation(&kiwipete.unwrap().1).unwrap();
    let table = game.perft_table(&kiwipete, Some("all")).unwrap().unwrap();
    assert_eq!(total(&table, "mean turns a roll").round(), 2_123.0);
    // Its own dice alone, a roll by name in any order, and what is no roll.
    let own = game.perft_table(&kiwipete, None).unwrap().unwrap();
    let named = game.perft_table(&kiwipete, Some("qnb")).unwrap().unwrap();
    assert_eq!((own.rows.len(), &own.rows[0].0), (1, &"NBQ".to_owned()));
    assert_eq!(own, named);
    assert!(game.perft_table(&start, Some("PNX")).is_err());
    assert!(game.perft_table(&start, Some("-")).is_err());
    let over = game
        .parse_observation("4k3/8/8/8/8/8/8/8 w - - 0 1")
        .unwrap();
    assert!(game.perft_table(&over, None).is_err());
}
