//! Mistakes that other programs made, each with a small input. The numbers are those of the list
//! the tests were made from; those not here concern other games.

mod common;

use common::{action, random_round, rules, tiles, variants};
use lexio::{
    Action, DealRule, Kind, Lexio, PassRule, State, Tiles, UniformDeal, parse_observation,
};
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;

fn five() -> Lexio {
    Lexio::default()
}

/// Whether `reply` may be played on `field`; also asks the generator.
fn wins(game: &Lexio, field: &str, reply: &str) -> bool {
    let field = game.combination(tiles(field)).unwrap();
    let reply = game.combination(tiles(reply)).unwrap();
    let mut legal = Vec::new();
    game.plays(reply.tiles(), Some(field), &mut legal);
    assert_eq!(legal.contains(&reply.action()), reply.beats(field));
    assert!(!(reply.beats(field) && field.beats(reply)));
    reply.beats(field)
}

fn kind(game: &Lexio, text: &str) -> Option<Kind> {
    game.combination(tiles(text)).map(lexio::Combination::kind)
}

#[test]
fn trap_1_lower_tiles_of_a_flush_decide() {
    assert!(wins(&five(), "7C 8C 12C 15C 1C", "4S 9S 12S 15S 1S"));
    assert!(!wins(&five(), "4S 9S 12S 15S 1S", "7C 8C 12C 15C 1C"));
}

#[test]
fn trap_2_a_flush_is_not_a_weighted_sum() {
    assert!(wins(&five(), "4S 5S 7S 10S 12S", "3C 4C 5C 10C 13C"));
}

#[test]
fn trap_3_a_flush_compares_numbers_before_suits() {
    assert!(wins(&five(), "3S 4S 5S 7S 9S", "6C 8C 10C 12C 2C"));
}

#[test]
fn trap_4_the_one_to_five_of_a_suit_is_its_strongest_straight_flush() {
    let game = five();
    assert_eq!(kind(&game, "1C 2C 3C 4C 5C"), Some(Kind::StraightFlush));
    for other in [
        "12C 13C 14C 15C 1C",
        "2C 3C 4C 5C 6C",
        "11C 12C 13C 14C 15C",
    ] {
        assert!(wins(&game, other, "1C 2C 3C 4C 5C"));
    }
    let mut legal = Vec::new();
    let best = game.combination(tiles("1C 2C 3C 4C 5C"));
    let clouds: Tiles = Tiles::ALL
        .iter()
        .filter(|t| t.suit() == lexio::Suit::Cloud)
        .collect();
    game.plays(clouds, best, &mut legal);
    assert!(legal.is_empty());
}

#[test]
fn trap_5_one_to_five_is_the_strongest_straight() {
    assert!(wins(&five(), "11C 12H 13D 14S 15C", "1H 2S 3C 4D 5H"));
    let weak = rules(|o| o.straights = lexio::StraightRule::LowWeak);
    assert!(!wins(&weak, "11C 12H 13D 14S 15C", "1H 2S 3C 4D 5H"));
    assert!(!wins(&weak, "3C 4H 5D 6S 7C", "2S 3H 4D 5S 6C"));
    assert!(wins(&weak, "1H 2H 3C 4D 5H", "2S 3H 4C 5S 6C"));
}

#[test]
fn trap_6_straights_do_not_go_over_the_two() {
    assert_eq!(kind(&five(), "13C 14H 15D 1S 2C"), None);
    assert_eq!(kind(&five(), "14C 15H 1D 2S 3C"), None);
    assert_eq!(kind(&five(), "15C 1H 2D 3S 4C"), None);
    assert_eq!(kind(&five(), "1C 2H 3D 4S 5C"), Some(Kind::Straight));
    let top = rules(|o| o.straights = lexio::StraightRule::Top12);
    assert_eq!(kind(&top, "13C 14H 15D 1S 2C"), Some(Kind::Straight));
    assert!(wins(&top, "12C 13H 14D 15S 1C", "13C 14H 15D 1S 2C"));
    assert!(wins(&top, "13C 14H 15D 1S 2C", "2H 3H 4D 5S 6C"));
    let no_low = rules(|o| o.straights = lexio::StraightRule::NoLow);
    assert_eq!(kind(&no_low, "1C 2H 3D 4S 5C"), None);
    assert_eq!(kind(&no_low, "2C 3C 4C 5C 6C"), Some(Kind::Flush));
}

#[test]
fn trap_7_one_and_two_are_the_strongest_numbers() {
    for players in 3..=5 {
        let game = Lexio::for_players(players).unwrap();
        let max = game.max_number();
        assert!(wins(&game, &format!("{max}S"), "2C"));
        assert!(wins(&game, &format!("{max}S"), "1C"));
        assert!(wins(&game, "3S", "1C"));
        assert!(wins(&game, "1S", "2C"));
        assert!(wins(&game, "1S 1D", "2C 2H"));
    }
}

#[test]
fn trap_8_straights_depend_on_the_table_size() {
    let [three, four, five] = [3, 4, 5].map(|n| Lexio::for_players(n).unwrap());
    assert_eq!(kind(&three, "6C 7H 8D 9S 1C"), Some(Kind::Straight));
    assert_eq!(kind(&five, "6C 7H 8D 9S 1C"), None);
    assert_eq!(kind(&four, "10C 11H 12D 13S 1C"), Some(Kind::Straight));
    assert_eq!(kind(&five, "10C 11H 12D 13S 1C"), None);
    assert_eq!(kind(&four, "12C 13H 1D 2S 3C"), None);
    assert_eq!(three.straights().numbers().count(), 6);
    assert_eq!(four.straights().numbers().count(), 10);
    assert_eq!(five.straights().numbers().count(), 12);
}

#[test]
fn trap_9_equal_flushes_compare_by_suit() {
    assert!(wins(&five(), "5C 7C 9C 12C 2C", "5S 7S 9S 12S 2S"));
    assert!(!wins(&five(), "5S 7S 9S 12S 2S", "5C 7C 9C 12C 2C"));
}

#[test]
fn trap_10_a_straight_flush_needs_the_same_five_tiles() {
    let game = five();
    let mut legal = Vec::new();
    game.plays(tiles("3C 4H 5C 6C 7C 9C 11C"), None, &mut legal);
    let of = |k: Kind| {
        let plays = legal.iter().filter_map(|a| game.classify(*a));
        plays.filter(move |c| c.kind() == k).map(|c| c.tiles())
    };
    assert!(of(Kind::Straight).eq([tiles("3C 4H 5C 6C 7C")]));
    assert_eq!(of(Kind::StraightFlush).count(), 0);
    assert_eq!(of(Kind::Flush).count(), 6);
    assert!(of(Kind::Flush).all(|f| !f.intersects(tiles("4H"))));
}

#[test]
fn trap_11_the_strongest_tile_decides_between_equal_straights() {
    let game = five();
    assert!(wins(&game, "5S 6S 7S 8S 9H", "5C 6C 7C 8C 9S"));
    // In a low straight that is the 2, not the 5 or the 1.
    assert!(wins(&game, "1S 2C 3H 4H 5S", "1C 2S 3C 4C 5C"));
    assert!(!wins(&game, "1C 2S 3C 4C 5H", "1S 2C 3H 4H 5S"));
    assert!(wins(&game, "2C 3S 4S 5S 6S", "2H 3C 4C 5C 6C"));
    assert!(wins(&game, "12S 13S 14S 15S 1H", "12C 13C 14C 15C 1D"));
    assert!(wins(&game, "5H 6H 7H 8H 9H", "5S 6S 7S 8S 9S"));
}

#[test]
fn trap_12_playing_a_tile_leaves_the_others_unseen() {
    let game = five();
    let mut state = game.initial_state(&mut Seed(12).stream());
    let leader = state.public().to_move();
    let observer = Player::new((leader.index() + 1) % 5);
    let before = game.observe(&state, observer).unseen(&game);
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    game.apply(&mut state, legal[0]);
    let after = game.observe(&state, observer).unseen(&game);
    assert_eq!(before - after, legal[0].tiles());
    assert_eq!(after.len() + 1, before.len());
}

#[test]
fn trap_13_a_dealt_hand_round_trips() {
    let game = five();
    let state = game.initial_state(&mut Seed(13).stream());
    for seat in 0..5 {
        let hand = state.hand(Player::new(seat));
        assert_eq!(tiles(&hand.to_string()), hand);
    }
}

#[test]
fn trap_14_four_of_a_number_and_one_is_that_only() {
    let game = five();
    assert_eq!(kind(&game, "4C 4H 4D 4S 9C"), Some(Kind::Four));
    let mut legal = Vec::new();
    game.plays(tiles("4C 4H 4D 4S 9C"), None, &mut legal);
    let fives: Vec<&Action> = legal.iter().filter(|a| a.len() == 5).collect();
    assert_eq!(fives, [&action("4C 4H 4D 4S 9C")]);
    // Four tiles alone are no play.
    assert_eq!(kind(&game, "4C 4H 4D 4S"), None);
    // The fifth tile does not count.
    assert!(wins(&game, "4C 4H 4D 4S 2S", "5C 5H 5D 5S 3C"));
    assert!(wins(&game, "2C 2H 3C 3H 3D", "4C 4H 4D 1C 1H"));
}

/// One tile left, and a table that nobody could take over again.
const LAST_TILE: &str = "me=1 hand=7D table=4H@0 left=2/1/9/8/10 \
    played=3C,3H,4C,4H,9D,14C,15C,15S,1C,2C/3S,6H,6S,7S,11C,12S,2H,2S,11H,13H,2D/9C,12H,1H/3D,9S,15D,1S/5C,13C \
    plays=6/7/3/2/2 cloud3=0";

fn world(game: &Lexio, text: &str) -> State {
    let view = parse_observation(game, text).unwrap();
    let plan = UniformDeal.plan(game, &view).unwrap();
    let mut world = UniformDeal.scratch(game, &view, &plan);
    UniformDeal.sample(game, &view, &plan, &mut Seed(1).simulation(0), &mut world);
    world
}

#[test]
fn trap_17_the_round_ends_at_once_with_the_last_tile() {
    let game = five();
    let mut state = world(&game, LAST_TILE);
    game.apply(&mut state, action("7D"));
    assert_eq!(game.turn(&state), Turn::Terminal);
    assert_eq!(state.winner(), Some(Player::new(1)));
    let mut legal = vec![Action::PASS];
    game.legal_actions(&state, &mut legal);
    assert!(legal.is_empty());
    // The others hold what they hold, though seat 0 has a stronger tile.
    assert_eq!(state.hand(Player::new(0)).len(), 2);
    assert!(game.returns(&state).of(Player::new(1)) > 0.0);
}

#[test]
fn trap_27_a_seed_gives_one_deal_and_zero_is_a_seed() {
    let game = five();
    let deal = |seed| game.initial_state(&mut Seed(seed).stream());
    assert_eq!(deal(5), deal(5));
    assert_eq!(deal(0), deal(0));
    assert_ne!(deal(0), deal(5));
}

#[test]
fn trap_28_a_lead_must_be_a_play() {
    let game = five();
    assert_eq!(kind(&game, "3C 5D"), None);
    let mut legal = Vec::new();
    game.plays(tiles("3C 5D"), None, &mut legal);
    assert_eq!(legal, [action("3C"), action("5D")]);
    assert!(game.parse_action("3C 5D", &legal).is_err());
    for odd in [
        "3C 3H 4D",
        "3C 4C",
        "3C 3H 3D 4C",
        "3C 4C 5H 6D 8S",
        "3C 3H 4C 4H 5D",
    ] {
        assert_eq!(kind(&game, odd), None);
    }
}

#[test]
fn trap_29_every_tile_is_dealt() {
    for game in variants() {
        let size = u32::from(game.hand_size());
        assert_eq!(game.deck().len(), size * game.num_players() as u32);
        let state = game.initial_state(&mut Seed(29).stream());
        let hands = (0..game.num_players()).map(|s| state.hand(Player::new(s)));
        assert_eq!(hands.fold(Tiles::EMPTY, |a, b| a | b), game.deck());
    }
    let all = rules(|o| {
        o.players = 4;
        o.deal = DealRule::AllTiles;
    });
    assert_eq!((all.hand_size(), all.max_number()), (15, 15));
}

#[test]
fn trap_30_house_rules_are_data() {
    for game in variants() {
        let text = serde_json::to_string(game.options()).unwrap();
        let back: lexio::Options = serde_json::from_str(&text).unwrap();
        assert_eq!(&back, game.options());
    }
}

#[test]
fn trap_32_stronger_kinds_answer_each_other() {
    assert!(wins(&five(), "2C 2H 2D 2S 3C", "3H 4H 5H 6H 7H"));
    assert!(!wins(&five(), "3H 4H 5H 6H 7H", "2C 2H 2D 2S 3C"));
}

/// The soft pass: who passed plays again in the same trick, and n - 1 passes in a row end it.
#[test]
fn a_soft_pass_is_not_permanent() {
    let game = five();
    let mut state = world(
        &game,
        "me=0 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,2C,2H cloud3=0",
    );
    let owner = |s: &State| s.public().owner().index();
    let turn = |s: &State| s.public().to_move().index();
    game.apply(&mut state, action("3C"));
    game.apply(&mut state, Action::PASS);
    let tile = state.hand(Player::new(2)).weakest().unwrap();
    game.apply(&mut state, action(&tile.to_string()));
    for seat in [3, 4, 0] {
        assert_eq!(turn(&state), seat);
        game.apply(&mut state, Action::PASS);
    }
    // Seat 1 passed before the last play, and is asked again.
    assert_eq!((owner(&state), turn(&state)), (2, 1));
    assert!(state.public().table().is_some());
    assert!(state.public().has_passed(Player::new(1)));
    game.apply(&mut state, Action::PASS);
    assert_eq!((owner(&state), turn(&state)), (2, 2));
    assert_eq!(state.public().table(), None);
    assert!(!state.public().has_passed(Player::new(1)));
    assert_eq!(state.public().passes(Player::new(1)), 2);
}

/// The hard pass: the same round, but seat 1 is out, and three passes are enough.
#[test]
fn a_hard_pass_is_for_the_trick() {
    let game = rules(|o| o.pass = PassRule::Hard);
    let mut state = world(
        &game,
        "me=0 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,2C,2H cloud3=0",
    );
    game.apply(&mut state, action("3C"));
    game.apply(&mut state, Action::PASS);
    let tile = state.hand(Player::new(2)).weakest().unwrap();
    game.apply(&mut state, action(&tile.to_string()));
    for seat in [3, 4] {
        assert_eq!(state.public().to_move().index(), seat);
        game.apply(&mut state, Action::PASS);
    }
    // With all others but seat 0 out, the two go on between themselves.
    assert_eq!(state.public().to_move().index(), 0);
    game.apply(&mut state, action("2C"));
    assert_eq!(state.public().to_move().index(), 2);
    game.apply(&mut state, Action::PASS);
    assert_eq!(state.public().to_move().index(), 0);
    assert_eq!(state.public().table(), None);
}

/// Passes counted from a whole record of a round, against the state.
#[test]
fn a_trick_ends_after_passes_of_all_others_in_a_row() {
    for game in variants()
        .iter()
        .filter(|g| g.options().pass == PassRule::Soft)
    {
        let n = game.num_players();
        for i in 0..50 {
            let mut rng = Seed(33).simulation(i);
            let mut previous: Option<State> = None;
            let mut in_a_row = 0;
            random_round(game, &mut rng, &mut Vec::new(), |state, _| {
                if let Some(before) = previous {
                    let mover = before.public().to_move();
                    let passed = state.hand(mover) == before.hand(mover);
                    in_a_row = if passed { in_a_row + 1 } else { 0 };
                    let over = in_a_row == n - 1;
                    assert_eq!(state.public().table().is_none(), over);
                    let next = (mover.index() + 1) % n;
                    let ended = game.turn(state) == Turn::Terminal;
                    assert!(ended || state.public().to_move().index() == next);
                    if over {
                        assert_eq!(state.public().to_move(), state.public().owner());
                        in_a_row = 0;
                    }
                }
                previous = Some(*state);
            });
        }
    }
}
