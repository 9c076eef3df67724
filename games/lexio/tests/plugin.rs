//! Options, agents, metrics, matches, settlement by hand.

mod common;

use common::{random_round, rules, tiles, variants};
use lexio::{
    Action, DealRule, Easy, Groups, Holding, LeadRule, Lexio, Options, SettleRule, Tile, Tiles,
    UniformDeal,
};
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::policy::{Observing, Policy, RolloutPolicy, UniformRandom};
use search_core::rng::{Seed, SimRng};

#[test]
fn options_that_cannot_be_used_are_refused() {
    for (text, expected) in [
        (r#"{"players": 2}"#, "3, 4 or 5 players"),
        (r#"{"players": 6}"#, "3, 4 or 5 players"),
        (r#"{"rounds": 0}"#, "1 to 1000 rounds"),
        (r#"{"two_factor": 0}"#, "multiplies by 1 to 4"),
        (r#"{"two_factor": 9}"#, "multiplies by 1 to 4"),
    ] {
        let options: Options = serde_json::from_str(text).unwrap();
        let error = Lexio::from_options(options).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    for (text, expected) in [
        (r#"{"player": 5}"#, "unknown field `player`"),
        (r#"{"pass": "softer"}"#, "`soft` or `hard`"),
        (r#"{"straights": "all"}"#, "`top12`"),
    ] {
        let error = serde_json::from_str::<Options>(text)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let text = r#"{"players": 4, "straights": "low-weak", "pass": "hard", "lead": "last-winner",
        "first_play_has_cloud3": true, "settle": "payer-multiplier", "two_factor": 3,
        "two_stack": false, "deal": "all-tiles", "rounds": 3}"#;
    let game = Lexio::from_options(serde_json::from_str(text).unwrap()).unwrap();
    assert_eq!((game.hand_size(), game.rounds()), (15, 3));
    assert_eq!(
        serde_json::from_str::<Options>("{}").unwrap(),
        Options::default()
    );
}

#[test]
fn positions_can_be_read_and_sampled() {
    let game = Lexio::default();
    let positions = game.positions();
    let names: Vec<&str> = positions.iter().map(|p| p.0).collect();
    assert_eq!(names, ["slow-hand", "flush-to-beat", "two-left"]);
    for (_, text) in positions {
        let view = game.parse_observation(&text).unwrap();
        let plan = UniformDeal.plan(&game, &view).unwrap();
        let mut world = UniformDeal.scratch(&game, &view, &plan);
        UniformDeal.sample(&game, &view, &plan, &mut Seed(1).simulation(0), &mut world);
        assert_eq!(game.turn(&world), Turn::Player(view.me()));
        let mut legal = Vec::new();
        game.legal_actions(&world, &mut legal);
        assert!(legal.len() > 3);
    }
    assert!(Lexio::for_players(4).unwrap().positions().is_empty());
}

#[test]
fn agents_have_names_and_settings() {
    let game = Lexio::default();
    let agent = |text: &str| {
        let expr: Expr = text.parse().unwrap();
        let mut settings = expr.settings();
        let found = game.agent(&expr.name, &mut settings);
        found.and_then(|agent| settings.finish().map(|()| agent.is_some()))
    };
    assert_eq!(agent("easy"), Ok(true));
    assert_eq!(agent("easy(twos=2)"), Ok(true));
    assert_eq!(agent("random"), Ok(true));
    assert_eq!(agent("clever"), Ok(false));
    assert!(agent("easy(twos=few)").is_err());
    assert!(agent("easy(two=2)").is_err());
    assert_eq!(game.agents()[0].0, "easy");
}

#[test]
fn metrics_of_a_finished_round() {
    let game = Lexio::default();
    let mut plays = 0.0;
    let end = random_round(
        &game,
        &mut Seed(2).simulation(0),
        &mut Vec::new(),
        |_, _| (),
    );
    let mut first = 0.0;
    for seat in 0..5 {
        let player = Player::new(seat);
        let metrics = game.metrics(&end, player);
        assert_eq!(metrics.len(), game.metric_names().len());
        first += metrics[0];
        plays += metrics[3];
        let hand = end.hand(player);
        let two = hand.iter().any(|t| t.number() == 2);
        assert_eq!(metrics[2] == 1.0, two);
        if metrics[0] == 1.0 {
            assert_eq!((metrics[1], metrics[2]), (0.0, 0.0));
        } else {
            assert!(metrics[1] >= f64::from(hand.len()));
        }
    }
    assert_eq!(first, 1.0);
    assert!(plays >= 12.0);
}

#[test]
fn the_next_round_is_led_as_the_rules_say() {
    for lead in [LeadRule::CloudThree, LeadRule::LastWinner] {
        let game = rules(|o| o.lead = lead);
        let mut winners_led = 0;
        for i in 0..50 {
            let end = random_round(
                &game,
                &mut Seed(3).simulation(i),
                &mut Vec::new(),
                |_, _| (),
            );
            let next = game.next_round(&end, &mut Seed(4).index(i).stream());
            let leader = next.public().to_move();
            let has_three = next.hand(leader).contains(Tile::CLOUD_THREE);
            winners_led += usize::from(Some(leader) == end.winner());
            match lead {
                LeadRule::CloudThree => {
                    assert!(has_three);
                    assert_eq!(next.public().cloud_three(), Some(leader));
                }
                LeadRule::LastWinner => {
                    assert_eq!(Some(leader), end.winner());
                    assert_eq!(next.public().cloud_three(), None);
                }
            }
        }
        assert_eq!(winners_led == 50, lead == LeadRule::LastWinner);
    }
}

#[test]
fn the_first_play_may_have_to_hold_the_cloud_three() {
    let game = rules(|o| o.first_play_has_cloud3 = true);
    for i in 0..100 {
        let mut turn = 0;
        random_round(
            &game,
            &mut Seed(5).simulation(i),
            &mut Vec::new(),
            |_, legal| {
                let three = |a: &Action| a.tiles().contains(Tile::CLOUD_THREE);
                if turn == 0 {
                    assert!(!legal.is_empty() && legal.iter().all(three));
                }
                turn += 1;
            },
        );
    }
}

#[test]
fn hands_given_must_be_a_deal() {
    let game = Lexio::for_players(3).unwrap();
    let mut list: Vec<Tiles> = Vec::new();
    let deck: Vec<Tile> = game.deck().iter().collect();
    for chunk in deck.chunks(12) {
        list.push(chunk.iter().copied().collect());
    }
    let state = game.start(&list, None).unwrap();
    assert_eq!(state.public().to_move(), Player::new(0));
    let state = game.start(&list, Some(Player::new(2))).unwrap();
    assert_eq!(state.public().to_move(), Player::new(2));
    assert!(game.start(&list, Some(Player::new(3))).is_err());
    assert!(game.start(&list[..2], None).is_err());
    list[0] = list[1];
    assert!(game.start(&list, None).is_err());
}

fn holdings(left: &[(u32, u32)]) -> Vec<Holding> {
    left.iter()
        .map(|&(tiles, twos)| Holding { tiles, twos })
        .collect()
}

#[test]
fn settlement_by_hand() {
    let options = Options::default();
    let net = options.settle(&holdings(&[(0, 0), (5, 0), (10, 0), (15, 0)]));
    assert_eq!(net, [30, 10, -10, -30, 0]);
    // A 2 doubles, two of them double twice: 3, 3 * 2, 3 * 4.
    let net = options.settle(&holdings(&[(0, 0), (3, 0), (3, 1), (3, 2)]));
    assert_eq!(net, [21, 9, -3, -27, 0]);
    let once = Options {
        two_stack: false,
        two_factor: 3,
        ..options
    };
    assert_eq!(
        once.settle(&holdings(&[(0, 0), (3, 0), (3, 1), (3, 2)])),
        [21, 9, -15, -15, 0]
    );
}

/// The hard bounds hold for every way a round can end, and are reached.
#[test]
fn bounds_are_tight() {
    for settle in [
        SettleRule::Difference,
        SettleRule::PayerMultiplier,
        SettleRule::WinnerOnly,
    ] {
        for (players, factor, stack) in [
            (3, 2, true),
            (4, 2, true),
            (4, 3, true),
            (4, 2, false),
            (3, 1, true),
            (3, 4, false),
        ] {
            let game = rules(|o| {
                o.players = players;
                o.settle = settle;
                o.two_factor = factor;
                o.two_stack = stack;
            });
            let hand = u32::from(game.hand_size());
            let (mut low, mut high) = (0, 0);
            let counts = [1, 2, 3, 4, hand - 1, hand];
            let losers = usize::from(players) - 1;
            for code in 0..(30_u32.pow(losers as u32)) {
                let digit = |i: usize| code / 30_u32.pow(i as u32) % 30;
                let left: Vec<(u32, u32)> = (0..losers)
                    .map(|i| (counts[digit(i) as usize / 5], digit(i) % 5))
                    .collect();
                if left.iter().any(|l| l.1 > l.0) || left.iter().map(|l| l.1).sum::<u32>() > 4 {
                    continue;
                }
                let mut all = vec![(0, 0)];
                all.extend(left);
                let net = game.options().settle(&holdings(&all));
                assert_eq!(net.iter().sum::<i64>(), 0);
                low = low.min(*net.iter().min().unwrap());
                high = high.max(*net.iter().max().unwrap());
            }
            assert_eq!(
                game.return_bounds(),
                low as f64..=high as f64,
                "{:?}",
                game.options()
            );
        }
    }
}

/// A simple reading of the cap: with hands of one tile the first play ends the round.
#[test]
fn the_cap_counts_plays_and_passes() {
    assert_eq!(Lexio::default().max_turns(), 56 + 55 * 4);
    assert_eq!(Lexio::for_players(3).unwrap().max_turns(), 34 + 33 * 2);
    let all = rules(|o| {
        o.players = 3;
        o.deal = DealRule::AllTiles;
    });
    assert_eq!(all.max_turns(), 58 + 57 * 2);
}

#[test]
fn groups_are_few_and_make_up_the_hand() {
    let game = Lexio::default();
    let groups = Groups::fewest(&game, tiles("3C 3D 4C 4H 5D 7C 9C 10C 11H 12C 12D 2C"));
    // A flush with the lone 7, 9, 10 and 2, then 3, 4, 5, 11, 12.
    assert_eq!(groups.count(), 6);
    for i in 0..300 {
        let state = game.initial_state(&mut Seed(6).simulation(i));
        let hand = state.hand(Player::new(0));
        let groups = Groups::fewest(&game, hand);
        let mut distinct: Vec<Tiles> = hand.iter().map(|t| groups.group_of(t)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len() as u32, groups.count());
        assert_eq!(distinct.iter().fold(Tiles::EMPTY, |a, b| a | *b), hand);
        assert_eq!(distinct.iter().map(|g| g.len()).sum::<u32>(), hand.len());
        assert!(distinct.iter().all(|g| game.combination(*g).is_some()));
    }
    // Four of a number alone: three and one.
    let groups = Groups::fewest(&game, tiles("4C 4H 4D 4S"));
    assert_eq!(
        groups.group_of(Tile::from_index(4).unwrap()),
        tiles("4C 4H 4D")
    );
    assert_eq!(groups.count(), 2);
}

fn easy_choice(text: &str) -> String {
    let game = Lexio::default();
    let view = game.parse_observation(text).unwrap();
    let mut legal = vec![Action::PASS];
    let mut plays = Vec::new();
    game.plays(view.hand(), view.public().table(), &mut plays);
    if view.public().table().is_none() {
        legal.clear();
    }
    legal.extend(plays);
    let chosen = Easy::default().choose(&game, &view, &legal, &mut SimRng::new(0));
    chosen.to_string()
}

#[test]
fn easy_plays_as_described() {
    let hand = "3D,4S,6C,7H,8C,9S,10D,11H,12C,14D,1D,2D";
    let follow = |hand: &str, table: &str| {
        easy_choice(&format!(
            "me=1 hand={hand} table={table}@0 played={table}/-/-/-/- cloud3=0 passed=-"
        ))
    };
    // The cheapest single that is not in the planned straight.
    assert_eq!(
        follow("3D,4S,6C,7H,8C,9S,10D,12H,13H,14D,1D,2D", "5C"),
        "12H"
    );
    // Nothing but the planned straight and the 2: pass.
    assert_eq!(
        follow("3D,3S,4D,7H,8C,9S,10D,11H,4H,5D,5H,2D", "6S"),
        "pass"
    );
    assert_eq!(follow(hand, "1S"), "pass");
    // Leading: the group of the weakest tile.
    let lead = |hand: &str| easy_choice(&format!("me=1 hand={hand} cloud3=1"));
    assert_eq!(
        lead("3C,4S,5C,6H,7C,9S,10D,12H,13H,14D,1D,2D"),
        "3C 4S 5C 6H 7C"
    );
    assert_eq!(lead("3C,3D,3S,6H,7C,9S,10D,12H,13H,14S,1D,2C"), "3C 3D 3S");
    // Going out comes first, 2 or not.
    let out = "me=1 hand=2D table=4H@0 left=2/1/9/8/10 \
        played=3C,3H,4C,4H,9D,14C,15C,15S,1C,2C/3S,6H,6S,7S,11C,12S,2H,2S,11H,13H,7D/9C,12H,1H/3D,9S,15D,1S/5C,13C \
        plays=6/7/3/2/2 cloud3=0";
    assert_eq!(easy_choice(out), "2D");
}

/// One easy player among random ones earns points at every table: five standard errors.
#[test]
fn easy_beats_random() {
    for players in 3..=5_u8 {
        let game = Lexio::for_players(players).unwrap();
        let (mut sum, mut squares, mut won) = (0.0, 0.0, 0);
        let rounds = 10_000_u64;
        let mut legal = Vec::new();
        for i in 0..rounds {
            let mut rng = Seed(7).simulation(i);
            let seat = Player::new((i % u64::from(players)) as usize);
            let mut state = game.initial_state(&mut rng);
            while let Turn::Player(player) = game.turn(&state) {
                game.legal_actions(&state, &mut legal);
                let action = if player == seat {
                    Observing(Easy::default())
                        .choose_in_world(&game, &state, player, &legal, &mut rng)
                } else {
                    UniformRandom.choose_in_world(&game, &state, player, &legal, &mut rng)
                };
                game.apply(&mut state, action);
            }
            let value = game.returns(&state).of(seat);
            sum += value;
            squares += value * value;
            won += u64::from(state.winner() == Some(seat));
        }
        let n = rounds as f64;
        let (mean, square) = (sum / n, squares / n);
        let error = ((square - mean * mean) / n).sqrt();
        assert!(mean > 5.0 * error, "{players} players: {mean} +- {error}");
        assert!(won as f64 / n > 0.5, "{won}");
    }
}

/// Under every variant, the easy player makes only legal choices and rounds end.
#[test]
fn easy_plays_every_variant() {
    let mut legal = Vec::new();
    for (v, game) in variants().iter().enumerate() {
        for i in 0..20 {
            let mut rng = Seed(8).index(v as u64).simulation(i);
            let mut state = game.initial_state(&mut rng);
            while let Turn::Player(player) = game.turn(&state) {
                game.legal_actions(&state, &mut legal);
                let view = game.observe(&state, player);
                let action = Easy::default().choose(game, &view, &legal, &mut rng);
                assert!(legal.contains(&action));
                game.apply(&mut state, action);
            }
        }
    }
}
