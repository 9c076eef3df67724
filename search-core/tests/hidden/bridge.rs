//! A little bridge: twelve cards in two suits, three in each hand, no trumps. One side sees both its hands,
//! and wins with two of three tricks.

use rand::Rng;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use search_core::budget::Budget;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::{Draw, Seed};
use search_core::search::{AlphaMu, AlphaMuSettings, Searcher, Side};

struct Bridge;

/// Cards are bits; the lower six are one suit.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Deal {
    hands: [u16; 4],
    table: [Option<u8>; 4],
    leader: usize,
    /// Of seats 0 and 2.
    tricks: u32,
}

impl Deal {
    fn seat(&self) -> usize {
        let played = self.table.iter().flatten().count();
        (self.leader + played) % 4
    }
}

const fn suit(card: u8) -> u8 {
    card / 6
}

fn cards(hand: u16) -> impl Iterator<Item = u8> {
    (0..12).filter(move |c| hand >> c & 1 == 1)
}

impl Game for Bridge {
    type State = Deal;
    type Action = u8;
    type Chance = Infallible;
    /// The deal without the hands of seats 1 and 3, which are together in seat 1.
    type Observation = Deal;

    fn num_players(&self) -> usize {
        4
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> Deal {
        let mut deck: Vec<u8> = (0..12).collect();
        rng.shuffle(&mut deck);
        let mut hands = [0; 4];
        for (i, card) in deck.into_iter().enumerate() {
            hands[i / 3] |= 1 << card;
        }
        Deal {
            hands,
            table: [None; 4],
            leader: 0,
            tricks: 0,
        }
    }

    fn turn(&self, s: &Deal) -> Turn {
        match s.hands[s.seat()] {
            0 => Turn::Terminal,
            _ => Turn::Player(Player::new(s.seat())),
        }
    }

    fn legal_actions(&self, s: &Deal, out: &mut Vec<u8>) {
        out.clear();
        let hand = s.hands[s.seat()];
        let led = s.table[s.leader].map(suit);
        out.extend(cards(hand).filter(|c| Some(suit(*c)) == led));
        if out.is_empty() {
            out.extend(cards(hand));
        }
    }

    fn apply(&self, s: &mut Deal, card: u8) {
        let seat = s.seat();
        s.hands[seat] &= !(1 << card);
        s.table[seat] = Some(card);
        if s.table.iter().all(Option::is_some) {
            let led = s.table[s.leader].map(suit);
            let best = (0..4).max_by_key(|i| {
                let card = s.table[*i].unwrap();
                (Some(suit(card)) == led, card)
            });
            s.leader = best.unwrap();
            s.tricks += u32::from(s.leader.is_multiple_of(2));
            s.table = [None; 4];
        }
    }

    fn returns(&self, s: &Deal) -> Returns {
        let ours = if s.tricks >= 2 { 1.0 } else { -1.0 };
        Returns::from_slice(&[ours, -ours, ours, -ours])
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, s: &Deal, _: Player) -> Deal {
        let mut seen = s.clone();
        seen.hands[1] |= seen.hands[3];
        seen.hands[3] = 0;
        seen
    }
}

/// At the start of a deal: seats 1 and 3 have three cards each.
struct Split;

impl Determinizer<Bridge> for Split {
    type Plan = Vec<u8>;

    fn plan(&self, _: &Bridge, seen: &Deal) -> Result<Vec<u8>, Contradiction> {
        Ok(cards(seen.hands[1]).collect())
    }

    fn scratch(&self, _: &Bridge, seen: &Deal, _: &Vec<u8>) -> Deal {
        seen.clone()
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Bridge,
        seen: &Deal,
        plan: &Vec<u8>,
        rng: &mut R,
        world: &mut Deal,
    ) -> LogWeight {
        let mut hidden = plan.clone();
        rng.shuffle(&mut hidden);
        world.clone_from(seen);
        let hand = |cards: &[u8]| cards.iter().fold(0, |h, c| h | 1 << c);
        world.hands[1] = hand(&hidden[..3]);
        world.hands[3] = hand(&hidden[3..]);
        0.0
    }
}

fn key(_: &Bridge, s: &Deal) -> u128 {
    let table = s
        .table
        .iter()
        .fold(0, |sum, card| sum << 4 | card.map_or(15, u128::from));
    let hands = s
        .hands
        .iter()
        .fold(0, |sum, hand| sum << 12 | u128::from(*hand));
    hands << 32 | table << 8 | (s.leader as u128) << 4 | u128::from(s.tricks)
}

/// H11 in shape: where planning two decisions in advance chooses otherwise than PIMC, it does better,
/// against defenders who see everything. What a card is worth is found by planning to the end.
#[test]
fn two_decisions_in_advance_beat_pimc_where_they_differ() {
    let (mut differ, mut better, mut worse) = (0, 0, 0);
    let mut won = [0.0; 3];
    for i in 0..300 {
        let mut rng = Seed(90).index(i).stream();
        let deal = Bridge.initial_state(&mut rng);
        let seen = Bridge.observe(&deal, Player::new(0));
        let ask = |depth, cuts| {
            let settings = AlphaMuSettings {
                depth,
                cuts,
                side: Side::Pairs,
                ..AlphaMuSettings::default()
            };
            let mut search: AlphaMu<Bridge, _> = AlphaMu::new(settings, Split, Some(key));
            let free = Budget::default();
            search.search(&Bridge, &seen, &free, Seed(i)).unwrap()
        };
        let truth = ask(6, false);
        let chosen = [ask(1, true), ask(2, true), ask(6, true)].map(|d| d.action);
        let worth = chosen.map(|a| truth.candidate(a).unwrap().mean);
        for (sum, worth) in won.iter_mut().zip(worth) {
            *sum += worth;
        }
        assert_eq!(worth[2], truth.chosen().mean, "cuts change nothing");
        differ += u32::from(chosen[0] != chosen[1]);
        better += u32::from(worth[1] > worth[0]);
        worse += u32::from(worth[1] < worth[0]);
    }
    let text = format!("{differ} differ, {better} better, {worse} worse, {won:?}");
    assert!(differ > 0 && better > worse, "{text}");
    assert!(won[1] > won[0] && won[2] >= won[1], "{text}");
}
