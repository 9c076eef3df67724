//! Whist against a slow second implementation, its redeals against enumeration, and searches that win.

use classics::Whist;
use classics::whist::{Card, DECK, PLAYERS, Suit, TRICKS, WhistDeals, WhistState, WhistView};
use search_core::budget::Budget;
use search_core::expr::Expr;
use search_core::game::{Game, History, Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::{Ismcts, Pimc, PimcSettings, Searcher, TreeSettings};
use search_core::testing::chi_square;
use std::collections::HashMap;

const TRUMPS: [Option<Suit>; 5] = [
    None,
    Some(Suit::Clubs),
    Some(Suit::Diamonds),
    Some(Suit::Hearts),
    Some(Suit::Spades),
];

fn legal(game: &Whist, state: &WhistState) -> Vec<Card> {
    let mut out = Vec::new();
    game.legal_actions(state, &mut out);
    out
}

/// The state after `plies` random plies of game number `index`.
fn random_state(game: &Whist, plies: usize, index: u64) -> WhistState {
    let mut rng = Seed(21).simulation(index);
    let mut state = game.initial_state(&mut rng);
    for _ in 0..plies {
        let card = rng.pick(&legal(game, &state)).unwrap();
        game.apply(&mut state, card);
    }
    state
}

fn view(game: &Whist, state: &WhistState) -> WhistView {
    let Turn::Player(player) = game.turn(state) else {
        panic!("over")
    };
    game.observe(state, player)
}

/// The rules once more, with lists of cards.
struct Slow {
    trump: Option<Suit>,
    hands: Vec<Vec<Card>>,
    trick: Vec<(usize, Card)>,
    to_play: usize,
    tricks: [u8; 2],
    /// Plays that did not follow: seat and suit.
    renounced: Vec<(usize, Suit)>,
}

impl Slow {
    fn new(state: &WhistState, trump: Option<Suit>) -> Self {
        Self {
            trump,
            hands: state
                .hands()
                .iter()
                .map(|h| Card::of(*h).collect())
                .collect(),
            trick: Vec::new(),
            to_play: 0,
            tricks: [0; 2],
            renounced: Vec::new(),
        }
    }

    fn legal(&self) -> Vec<Card> {
        let hand = &self.hands[self.to_play];
        let led = self.trick.first().map(|(_, card)| card.suit());
        let follow: Vec<Card> = hand
            .iter()
            .copied()
            .filter(|card| Some(card.suit()) == led)
            .collect();
        if follow.is_empty() {
            hand.clone()
        } else {
            follow
        }
    }

    fn play(&mut self, card: Card) {
        let seat = self.to_play;
        self.hands[seat].retain(|held| *held != card);
        if let Some((_, first)) = self.trick.first()
            && first.suit() != card.suit()
        {
            self.renounced.push((seat, first.suit()));
        }
        self.trick.push((seat, card));
        self.to_play = (seat + 1) % 4;
        if self.trick.len() == 4 {
            let led = self.trick[0].1.suit();
            let ruffed = self.trick.iter().any(|(_, c)| Some(c.suit()) == self.trump);
            let wanted = match self.trump {
                Some(trump) if ruffed => trump,
                _ => led,
            };
            let winner = self
                .trick
                .iter()
                .filter(|(_, card)| card.suit() == wanted)
                .max_by_key(|(_, card)| card.rank())
                .unwrap()
                .0;
            self.tricks[winner % 2] += 1;
            self.to_play = winner;
            self.trick.clear();
        }
    }
}

#[test]
fn play_agrees_with_a_slow_reference_for_every_trump() {
    for trump in TRUMPS {
        let game = Whist::new(trump);
        for index in 0..300 {
            let mut rng = Seed(22).simulation(index);
            let mut state = game.initial_state(&mut rng);
            let mut slow = Slow::new(&state, trump);
            for ply in 0..52 {
                assert_eq!(game.turn(&state), Turn::Player(Player::new(slow.to_play)));
                assert_eq!(legal(&game, &state), slow.legal());
                let table = state.table();
                assert_eq!(table.played().len(), ply);
                assert_eq!(table.trick().len(), slow.trick.len());
                for seat in 0..PLAYERS {
                    let held = Card::of(state.hands()[seat]).collect::<Vec<_>>();
                    assert_eq!(held, slow.hands[seat]);
                    assert_eq!(usize::from(table.left(seat)), held.len());
                    assert_eq!(table.tricks(seat), slow.tricks[seat % 2]);
                    for suit in Suit::ALL {
                        let shown = slow.renounced.contains(&(seat, suit));
                        assert_eq!(table.is_void(seat, suit), shown);
                    }
                }
                let card = rng.pick(&slow.legal()).unwrap();
                game.apply(&mut state, card);
                slow.play(card);
            }
            assert_eq!(game.turn(&state), Turn::Terminal);
            let value = f64::from(slow.tricks[0]) - 6.5;
            assert_eq!(game.returns(&state)[..], [value, -value, value, -value]);
            assert_eq!(slow.tricks[0] + slow.tricks[1], 13);
        }
    }
}

/// Traps 22 and 23: a redeal at every decision of 1,000 games, for every player and not only for the
/// one to move, shows that player the same, gives nobody a suit that is known to be gone, and loses no card.
#[test]
fn redeals_at_every_decision_of_a_thousand_games_agree_with_every_player() {
    let mut voids = 0;
    for index in 0..1_000 {
        let game = Whist::new(TRUMPS[index as usize % 5]);
        let mut rng = Seed(23).simulation(index);
        let mut state = game.initial_state(&mut rng);
        let mut world = state;
        while let Turn::Player(_) = game.turn(&state) {
            for player in (0..PLAYERS).map(Player::new) {
                let view = game.observe(&state, player);
                let plan = WhistDeals.plan(&game, &view).unwrap();
                WhistDeals.sample(&game, &view, &plan, &mut rng, &mut world);
                assert!(game.observe(&world, player) == view);
                let hands = world.hands();
                let all = hands.iter().fold(0, |all, hand| all | hand);
                let sum: u32 = hands.iter().map(|hand| hand.count_ones()).sum();
                assert_eq!(all, DECK & !state.table().played_mask());
                assert_eq!(sum, all.count_ones());
                for seat in 0..PLAYERS {
                    assert_eq!(
                        hands[seat].count_ones(),
                        u32::from(state.table().left(seat))
                    );
                    for suit in Suit::ALL {
                        if state.table().is_void(seat, suit) {
                            voids += 1;
                            assert_eq!(hands[seat] & suit.mask(), 0);
                        }
                    }
                }
            }
            let card = rng.pick(&legal(&game, &state)).unwrap();
            game.apply(&mut state, card);
        }
    }
    assert!(voids > 100_000, "{voids}");
}

/// Every deal of the unseen cards that agrees with `view`, one card after the other.
fn enumerate(view: &WhistView) -> Vec<[u64; PLAYERS]> {
    let table = view.table();
    let mut deals = vec![[0_u64; PLAYERS]];
    for card in Card::of(view.unseen()) {
        let mut next = Vec::new();
        for hands in &deals {
            for seat in (0..PLAYERS).filter(|seat| *seat != view.player().index()) {
                let room = hands[seat].count_ones() < u32::from(table.left(seat));
                if room && !table.is_void(seat, card.suit()) {
                    let mut hands = *hands;
                    hands[seat] |= card.bit();
                    next.push(hands);
                }
            }
        }
        deals = next;
    }
    for hands in &mut deals {
        hands[view.player().index()] = view.hand();
    }
    deals
}

/// Trap 22: every deal that agrees with what is known comes up equally often, and no other, with and
/// without voids, at the beginning of a trick and within one.
#[test]
fn redeals_are_uniform_over_the_deals_that_enumeration_finds() {
    let game = Whist::default();
    let (mut with_voids, mut within_tricks, mut free) = (0, 0, 0);
    for index in 0..400 {
        let plies = 37 + index as usize % 11;
        let state = random_state(&game, plies, index);
        let view = view(&game, &state);
        let deals = enumerate(&view);
        let plan = WhistDeals.plan(&game, &view).unwrap();
        assert_eq!(plan.count(), Some(deals.len() as u128));
        if !(20..=600).contains(&deals.len()) {
            continue;
        }
        let place: HashMap<[u64; PLAYERS], usize> = deals.iter().copied().zip(0..).collect();
        let mut counts = vec![0; deals.len()];
        let mut world = WhistDeals.scratch(&game, &view, &plan);
        for draw in 0..100 * deals.len() as u64 {
            let mut rng = Seed(24).index(index).simulation(draw);
            WhistDeals.sample(&game, &view, &plan, &mut rng, &mut world);
            counts[place[world.hands()]] += 1;
        }
        chi_square(&counts, &vec![1.0; counts.len()]).unwrap();
        let relevant = (0..PLAYERS).any(|seat| {
            let gone = |suit: &Suit| view.table().is_void(seat, *suit);
            let unseen = |suit: &Suit| view.unseen() & suit.mask() != 0;
            seat != view.player().index() && Suit::ALL.iter().any(|s| gone(s) && unseen(s))
        });
        with_voids += u32::from(relevant);
        free += u32::from(!relevant);
        within_tricks += u32::from(plies % 4 != 0);
    }
    assert!(
        with_voids > 30 && within_tricks > 30 && free > 0,
        "{with_voids} {within_tricks} {free}"
    );
}

/// All cards in hand but one's own, without a void: each other seat has each card one time in three.
#[test]
fn the_first_redeal_gives_each_seat_each_card_equally_often() {
    let game = Whist::default();
    let state = random_state(&game, 0, 0);
    let view = view(&game, &state);
    let plan = WhistDeals.plan(&game, &view).unwrap();
    assert_eq!(plan.count(), Some(84_478_098_072_866_400)); // 39! / 13!^3
    let mut world = WhistDeals.scratch(&game, &view, &plan);
    let mut counts = vec![0_u64; 3 * 64];
    let draws = 60_000;
    for draw in 0..draws {
        let mut rng = Seed(25).simulation(draw);
        WhistDeals.sample(&game, &view, &plan, &mut rng, &mut world);
        for seat in 1..PLAYERS {
            for card in Card::of(world.hands()[seat]) {
                counts[64 * (seat - 1) + card.index()] += 1;
            }
        }
    }
    let (n, p) = (draws as f64, 1.0 / 3.0);
    for card in Card::of(view.unseen()) {
        for seat in 0..3 {
            let z = (counts[64 * seat + card.index()] as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
            assert!(z.abs() < 5.0, "{card} {seat} {z}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let game = Whist::default();
    let hand = "3c,4c,2d,3d,4d,5d,2h,3h,4h,5h,2s,3s";
    // All others have shown that they have no clubs, and eleven of them are somewhere.
    let nowhere = format!("player=0 hand={hand} played=2c,9d,9h,9s");
    let view = game.parse_observation(&nowhere).unwrap();
    let error = WhistDeals.plan(&game, &view).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("no bin"), "{error}");
    let searched = Ismcts::new(TreeSettings::default(), WhistDeals).search(
        &game,
        &view,
        &Budget::simulations(10),
        Seed(1),
    );
    assert!(searched.is_err());
    for text in [
        "",
        "hand=2c",
        "hand=2c,2c played=-",
        "player=4 hand=2c played=-",
        // Twelve cards before the first play; thirteen after the own play.
        &format!("player=0 hand={hand} played=-"),
        &format!("player=0 hand={hand},9c played=2c"),
        // A card played twice, in the hand and played, and by two players.
        &format!("player=0 hand={hand} played=2c,2c"),
        &format!("player=0 hand={hand} played=3c"),
        &format!("player=0 hand={hand} played=2c,3d"),
        // Seat 0 could have followed spades in the second trick.
        "player=0 hand=3c,4c,2d,3d,4d,5d,2h,3h,4h,5h,2s played=2c,Ac,5c,6c/Ks,9s,8s,3d",
        // Seat 1 has shown that there is no club, and then plays one.
        &format!("player=0 hand={hand} played=Ac,9d,9c,8c/2c,Kc"),
        // Tricks of three and of five.
        &format!("player=0 hand={hand} played=2c,9c,8c/7c"),
        &format!("player=0 hand={hand} played=2c,9c,8c,7c,6c"),
        &format!("player=0 hand={hand} played=2x"),
    ] {
        let read = game.parse_observation(text);
        assert!(read.is_err(), "{text}");
    }
    let read = game.parse_observation(&format!("hand={hand} played=2C,10c,8c,7c/"));
    assert!(read.is_err());
    assert!(WhistState::new([0; 4]).is_none());
    assert!(WhistState::new(*random_state(&game, 0, 1).hands()).is_some());
}

/// The record, played again in the truth, is what happened; in any other world it is legal, and the
/// observer's own decisions are the same.
#[test]
fn decisions_replay_what_was_played() {
    for (index, trump) in TRUMPS.into_iter().cycle().take(40).enumerate() {
        let game = Whist::new(trump);
        let mut rng = Seed(26).simulation(index as u64);
        let mut state = game.initial_state(&mut rng);
        let mut happened = Vec::new();
        while let Turn::Player(mover) = game.turn(&state) {
            for player in [mover, Player::new((mover.index() + 1) % 4)] {
                let view = game.observe(&state, player);
                let mut replayed = Vec::new();
                History::decisions(&game, &view, &state, &mut |s, p, c| {
                    replayed.push((*s, p, c))
                });
                assert!(replayed == happened);

                let plan = WhistDeals.plan(&game, &view).unwrap();
                let mut world = WhistDeals.scratch(&game, &view, &plan);
                WhistDeals.sample(&game, &view, &plan, &mut rng, &mut world);
                let mut plies = 0;
                History::decisions(&game, &view, &world, &mut |state, player, card| {
                    let (truth, who, what) = &happened[plies];
                    plies += 1;
                    assert_eq!((player, card), (*who, *what));
                    assert!(legal(&game, state).contains(&card));
                    if player == view.player() {
                        assert!(game.observe(state, player) == game.observe(truth, player));
                    }
                });
                assert_eq!(plies, happened.len());
            }
            let card = rng.pick(&legal(&game, &state)).unwrap();
            happened.push((state, mover, card));
            game.apply(&mut state, card);
        }
    }
}

/// Mean advantage in tricks of `choose` in seats 0 and 2 and then, on the same cards, in 1 and 3, over random
/// players, and its standard error over deals.
fn against_random(
    game: &Whist,
    deals: u64,
    mut choose: impl FnMut(&WhistView, &[Card], &mut SimRng) -> Card,
) -> (f64, f64) {
    let differences: Vec<f64> = (0..deals)
        .map(|deal| {
            let seed = Seed(27).index(deal);
            let start = game.initial_state(&mut seed.simulation(0));
            let mut sum = 0.0;
            for side in 0..2 {
                let mut rng = seed.simulation(1 + side);
                let mut state = start;
                while let Turn::Player(player) = game.turn(&state) {
                    let cards = legal(game, &state);
                    let card = if player.index() as u64 % 2 == side {
                        choose(&game.observe(&state, player), &cards, &mut rng)
                    } else {
                        rng.pick(&cards).unwrap()
                    };
                    game.apply(&mut state, card);
                }
                sum += game.returns(&state).of(Player::new(side as usize));
            }
            0.5 * sum
        })
        .collect();
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn searches_and_the_rule_bot_beat_random_over_paired_deals() {
    let game = Whist::new(Some(Suit::Hearts));
    let expr = Expr::word("high-low");
    let bot = game
        .agent("high-low", &mut expr.settings())
        .unwrap()
        .unwrap();
    let (mean, error) = against_random(&game, 400, |view, cards, rng| {
        bot.choose(&game, view, cards, rng)
    });
    assert!(mean > 5.0 * error, "high-low: {mean} +- {error}");

    let budget = Budget::simulations(200);
    let mut ismcts = Ismcts::new(TreeSettings::default(), WhistDeals);
    let (mean, error) = against_random(&game, 60, |view, _, rng| {
        let decision = ismcts.search(&game, view, &budget, Seed(rng.next()));
        decision.unwrap().action
    });
    assert!(mean > 5.0 * error, "ISMCTS: {mean} +- {error}");

    let mut pimc = Pimc::new(PimcSettings::default(), WhistDeals);
    let (mean, error) = against_random(&game, 60, |view, _, rng| {
        let decision = pimc.search(&game, view, &budget, Seed(rng.next()));
        decision.unwrap().action
    });
    assert!(mean > 5.0 * error, "PIMC: {mean} +- {error}");
}

/// The scale by which selection divides is twice the standard deviation of random play.
#[test]
fn the_return_scale_is_what_it_says() {
    let game = Whist::default();
    let deals = 4_000;
    let squares: f64 = (0..deals)
        .map(|index| game.returns(&random_state(&game, 52, 1_000 + index))[0].powi(2))
        .sum();
    let deviation = (squares / deals as f64).sqrt();
    let ratio = game.return_scale() / (2.0 * deviation);
    assert!((0.9..1.1).contains(&ratio), "{deviation}");
}

#[test]
fn high_low_plays_as_it_says() {
    let game = Whist::new(Some(Suit::Spades));
    let expr = Expr::word("high-low");
    let bot = game
        .agent("high-low", &mut expr.settings())
        .unwrap()
        .unwrap();
    let mut rng = Seed(28).simulation(0);
    for (text, expected) in [
        // Leads its highest card.
        ("hand=4c,9c,Jc,2d,6d,Qd,3h,5h,7h,Th,3s,4s,Ks played=-", "Ks"),
        // Second and third to play: the highest of the suit if it wins, else the lowest.
        (
            "hand=4c,9c,Jc,2d,6d,Qd,3h,5h,7h,Th,3s,4s,Ks played=8c",
            "Jc",
        ),
        (
            "hand=4c,9c,Jc,2d,6d,Qd,3h,5h,7h,Th,3s,4s,Ks played=8c,Qc",
            "4c",
        ),
        // Last: as cheaply as it can, unless the partner has it.
        (
            "hand=4c,9c,Jc,2d,6d,Qd,3h,5h,7h,Th,3s,4s,Ks played=8c,2c,3c",
            "9c",
        ),
        (
            "hand=4c,9c,Jc,2d,6d,Qd,3h,5h,7h,Th,3s,4s,Ks played=8c,Tc,3c",
            "4c",
        ),
        // Out of the suit: a trump if that takes it, else the lowest that is no trump.
        (
            "hand=2d,6d,7d,8d,9d,Qd,3h,5h,7h,Th,3s,4s,Ks played=8c,2c,3c",
            "3s",
        ),
        (
            "hand=2d,6d,7d,8d,9d,Qd,3h,5h,7h,Th,3s,4s,Ks played=8c,Tc,3c",
            "2d",
        ),
    ] {
        let view = game.parse_observation(text).unwrap();
        let plan = WhistDeals.plan(&game, &view).unwrap();
        let mut world = WhistDeals.scratch(&game, &view, &plan);
        WhistDeals.sample(&game, &view, &plan, &mut rng, &mut world);
        let card = bot.choose(&game, &view, &legal(&game, &world), &mut rng);
        assert_eq!(card.to_string(), expected, "{text}");
    }
}

#[test]
fn states_are_small_plain_data() {
    assert_eq!(size_of::<WhistState>(), 96);
    assert_eq!(size_of::<Card>(), 1);
    assert_eq!(TRICKS * PLAYERS, 52);
}
