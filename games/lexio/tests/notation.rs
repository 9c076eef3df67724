//! Text and back.

mod common;

use common::{random_round, rules, tiles, variants};
use lexio::{
    Action, Lexio, Suit, Tile, Tiles, format_observation, parse_observation, parse_play,
    parse_tiles, picture,
};
use search_core::game::{Game, Player};
use search_core::plugin::Plugin;
use search_core::rng::Seed;

#[test]
fn every_tile_round_trips() {
    for index in 0..60 {
        let tile = Tile::from_index(index).unwrap();
        assert_eq!(Tile::new(tile.number(), tile.suit()), Some(tile));
        assert_eq!(
            parse_tiles(&tile.to_string()).unwrap().weakest(),
            Some(tile)
        );
    }
    assert_eq!(Tile::from_index(60), None);
    assert_eq!(Tile::new(0, Suit::Sun), None);
    assert_eq!(Tile::new(16, Suit::Sun), None);
    assert_eq!(Tiles::ALL.to_string().split(' ').count(), 60);
}

/// Observations of every seat and all legal actions, at every decision of 1,000 rounds and more.
#[test]
fn every_decision_round_trips() {
    let games = variants();
    let each = 1_000_u64.div_ceil(games.len() as u64);
    for (v, game) in games.iter().enumerate() {
        for i in 0..each {
            let mut rng = Seed(1).index(v as u64).simulation(i);
            random_round(game, &mut rng, &mut Vec::new(), |state, legal| {
                let mover = state.public().to_move();
                let next = Player::new((mover.index() + 1) % game.num_players());
                for seat in [mover, next] {
                    let view = game.observe(state, seat);
                    let text = game.format_observation(&view).unwrap();
                    assert!(!text.contains('\n'));
                    assert_eq!(game.parse_observation(&text).as_ref(), Ok(&view), "{text}");
                    assert!(!picture(&view).is_empty());
                }
                for action in legal {
                    let text = game.format_action(*action);
                    assert_eq!(game.parse_action(&text, legal).as_ref(), Ok(action));
                }
            });
        }
    }
}

#[test]
fn actions_in_any_order_and_with_any_separators() {
    let game = Lexio::default();
    let mut legal = vec![Action::PASS];
    let mut plays = Vec::new();
    game.plays(tiles("3C 3D 3S 12H 15S"), None, &mut plays);
    legal.extend(&plays);
    for text in ["3C 3D", "3d,3c", " 3D3C ", "[3C; 3D]", "3D-3C", "3c/3d"] {
        assert_eq!(
            game.parse_action(text, &legal).unwrap().to_string(),
            "3C 3D"
        );
    }
    assert_eq!(game.parse_action(" PASS", &legal), Ok(Action::PASS));
    let error =
        |text: &str, legal: &[Action]| game.parse_action(text, legal).unwrap_err().to_string();
    assert!(error("3C 16H", &legal).contains("`16H` is not a tile at column 4"));
    assert!(error("3C 3X", &legal).contains("suit of C H D S"));
    assert!(error("3C 3", &legal).contains("`3` is not a tile at column 4"));
    assert!(error("H3", &legal).contains("at column 1"));
    assert!(error("3C 3C", &legal).contains("3C is there twice at column 4"));
    assert!(error("", &legal).contains("0 tiles"));
    assert!(error("99999999999999999999H", &legal).contains("not a tile"));
    assert!(error("3C 4C 5C 6C 7C 8C", &legal).contains("6 tiles"));
    assert!(error("3C 12H", &legal).contains("3C 12H is not a play; legal: pass, 3C"));
    assert!(error("4C", &legal).contains("4C (single) is not legal here"));
    assert!(error("pass", &plays).contains("the leader may not pass"));
    assert!(parse_play("é").is_err());
}

#[test]
fn what_is_left_out_is_filled_in() {
    let game = Lexio::default();
    let short = parse_observation(
        &game,
        "hand=4C,4H,5D,7C,9C,10C,11H,12C,12D,2C,2D,2S me=3 table=3C,3D@1 played=-/3C,3D/-/-/-",
    )
    .unwrap();
    assert_eq!(
        format_observation(&short),
        "players=5 me=3 turn=3 hand=4C,4H,5D,7C,9C,10C,11H,12C,12D,2C,2D,2S table=3C,3D@1 \
         left=12/10/12/12/12 played=-/3C,3D/-/-/- passed=2 plays=0/1/0/0/0 passes=0/0/1/0/0 cloud3=1"
    );
    let view =
        parse_observation(&game, "me=0 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C").unwrap();
    assert_eq!(view.public().cloud_three(), Some(Player::new(0)));
    let late = rules(|o| o.lead = lexio::LeadRule::LastWinner);
    let view =
        parse_observation(&late, "me=0 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C").unwrap();
    assert_eq!(view.public().cloud_three(), None);
}

#[test]
fn observations_that_cannot_be_read() {
    let game = Lexio::default();
    let hand = "hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C";
    for (text, expected) in [
        (String::new(), "`me=` is missing"),
        ("me=0".to_owned(), "`hand=` is missing"),
        (
            format!("me=0 {hand} colour=red"),
            "unknown key `colour` at column 51",
        ),
        (format!("me=0 {hand} red"), "`red` has no `=` at column 51"),
        (
            format!("me=0 {hand} me=1"),
            "`me` is there twice at column 51",
        ),
        (
            format!("me=5 {hand}"),
            "`me=5`: expected a seat from 0 to 4",
        ),
        (
            format!("players=4 me=0 {hand}"),
            "`players=4`: expected 5, as in the rules",
        ),
        (
            format!("me=0 {hand},3X"),
            "in `hand`: `3X` is not a tile at column 41",
        ),
        (
            format!("me=0 {hand} left=12/12"),
            "expected 5 values with `/` between them, not 2",
        ),
        (
            format!("me=0 {hand} left=12/12/12/12/x"),
            "`left=x`: expected a number",
        ),
        (
            format!("me=0 {hand} table=4C"),
            "`table=4C`: expected the tiles of a play and the seat",
        ),
        (
            format!("me=0 {hand} table=4C,5H@1"),
            "expected the tiles of a play",
        ),
        (
            format!("me=0 {hand} table=4S@9"),
            "`table=9`: expected a seat",
        ),
        (
            format!("me=0 {hand} passed=0,7"),
            "`passed=7`: expected a seat",
        ),
    ] {
        let error = parse_observation(&game, &text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let error = parse_observation(&game, "me=0 hand=3C,3D,4C").unwrap_err();
    assert!(
        error.to_string().contains("hand has 3 tiles, not 12"),
        "{error}"
    );
}

#[test]
fn the_picture_shows_what_a_person_needs() {
    let game = Lexio::default();
    let (_, text) = game.positions().swap_remove(1);
    let picture = game.picture(&game.parse_observation(&text).unwrap());
    let expected = "\
Lexio, 5 players, seen from seat 2
> seat 2  12 left  played - (you)
  seat 3  12 left  played -
  seat 4  12 left  played -
  seat 0   7 left  played 3C 8C 10C 11C 12C
  seat 1  12 left  played - passed
table  3C 8C 10C 11C 12C (flush) by seat 0
hand   4H 4S 5S 6S 7H 9H 11H 12D 14H 15H 15S 1S";
    assert_eq!(picture, expected);
}
