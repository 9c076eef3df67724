//! Five-tile plays at the start of a round, where nothing is small: against all deals of three
//! players, and against a count of hands for one seat of four and five.

mod common;

use std::collections::HashMap;

use common::{random_tiles, tiles};
use lexio::answer::{AnswerKind, AnswerProbabilities, Estimator, Seat, Unseen};
use lexio::{Combination, Kind, Lexio, Tile, Tiles};
use search_core::rng::Seed;

/// A share of `n` trials is within five standard errors of `p`.
fn within(share: f64, p: f64, n: u32, what: &str) {
    let error = (p * (1.0 - p) / f64::from(n)).sqrt();
    assert!(
        (share - p).abs() <= 5.0 * error + 1e-12,
        "{what}: {share} for {p}"
    );
}

fn fives(game: &Lexio, hand: Tiles) -> Vec<Combination> {
    let mut plays = Vec::new();
    game.plays(hand, None, &mut plays);
    let plays = plays.iter().filter_map(|a| game.classify(*a));
    plays.filter(|p| p.kind().size() == 5).collect()
}

/// Three players: the 2,704,156 deals of 24 tiles are all listed.
#[test]
fn sampling_agrees_with_all_deals_of_three_players() {
    let game = Lexio::for_players(3).unwrap();
    let hand = tiles("3C 4C 5C 6C 9C 1C 5H 5D 5S 7D 9S 1S");
    let unseen = Unseen::new(&game, game.deck() - hand, &[Seat::new(12, true); 2]).unwrap();
    let mut all = AnswerProbabilities::new(unseen).with_limit(1_000_000_000);
    let n = 20_000;
    let mut sampled = AnswerProbabilities::with(Estimator::Sampled { worlds: n }, unseen);
    let targets = fives(&game, hand);
    let kinds = [Kind::Straight, Kind::Flush, Kind::FullHouse, Kind::Four];
    assert!(
        kinds
            .iter()
            .all(|kind| targets.iter().any(|t| t.kind() == *kind))
    );
    for target in targets {
        let exact = all.of(target).unwrap();
        assert_eq!(exact.kind, AnswerKind::Exact);
        let share = sampled.of(target).unwrap().probability;
        within(share, exact.probability, n, &format!("{target:?}"));
    }
}

/// What matters of the tiles of a hand up to some number, in the order 1, 2, 3, … of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Held {
    /// Tiles of each suit: five would be a flush.
    suits: [u8; 4],
    /// 0 without a pair, 1 with pairs only, 2 with a triple only: more is a full house.
    groups: u8,
    /// Numbers in a row up to here, at most four.
    run: u8,
    one: bool,
}

impl Held {
    /// With these suits of the next number as well; `None` when the hand then beats the straight
    /// whose highest number is `top` in suit `suit`. Straights below it do not matter.
    fn with(mut self, number: u8, suits: u64, top: u8, suit: u64) -> Option<Self> {
        for (i, count) in self.suits.iter_mut().enumerate() {
            *count += (suits >> i & 1) as u8;
            if *count == 5 {
                return None;
            }
        }
        self.groups = match (suits.count_ones(), self.groups) {
            (0 | 1, groups) => groups,
            (2, 0 | 1) => 1,
            (3, 0) => 2,
            _ => return None,
        };
        if suits == 0 {
            self.run = 0;
            return Some(self);
        }
        self.one |= number == 1;
        // Runs from 1 and 2, which end in 5 and 6, are the strongest.
        let stronger = number <= 6 || number > top || (number == top && suits >> (suit + 1) != 0);
        if self.run == 4 && stronger {
            return None;
        }
        self.run = 4.min(self.run + 1);
        Some(self)
    }
}

/// The probability that a hand of `size` of these tiles beats a straight, by counting the hands
/// that do not, number by number: an exact answer for one seat at full size, which shares nothing
/// with sampling or listing.
fn one_seat(game: &Lexio, unseen: Tiles, size: u8, target: Combination) -> f64 {
    let deciding = target.tiles().iter().last().unwrap();
    let (top, suit) = (deciding.number(), deciding.suit() as u64);
    let mut counts = HashMap::from([(Held::default(), 1_u64)]);
    for number in 1..=game.max_number() {
        let rank = Tile::new(number, lexio::Suit::Cloud).unwrap().rank();
        let here = unseen.bits() >> (4 * rank) & 0xF;
        let mut next = HashMap::new();
        for (held, ways) in counts {
            for suits in (0..16).filter(|suits| suits & !here == 0) {
                if let Some(held) = held.with(number, suits, top, suit)
                    && held.suits.iter().sum::<u8>() <= size
                {
                    *next.entry(held).or_default() += ways;
                }
            }
        }
        counts = next;
    }
    // The run that ends in the 1 after the highest number is above the target as well.
    let weak = counts
        .iter()
        .filter(|(held, _)| held.suits.iter().sum::<u8>() == size && !(held.run == 4 && held.one));
    let weak: u64 = weak.map(|(_, ways)| ways).sum();
    let all = (0..u64::from(size)).fold(1, |c, i| c * (u64::from(unseen.len()) - i) / (i + 1));
    1.0 - weak as f64 / all as f64
}

/// Four and five players: one seat that may answer a straight.
#[test]
fn sampling_agrees_with_a_count_of_hands_for_one_seat() {
    let n = 20_000;
    for (players, hand) in [
        (4, "4H 5D 6S 7C 8H 9D 10S 11C 12H 2C 2H 1D 3D"),
        (5, "3C 4H 5D 6S 7C 8H 11D 12S 13C 14H 15D 2C"),
    ] {
        let game = Lexio::for_players(players).unwrap();
        let hand = tiles(hand);
        let others = usize::from(players) - 1;
        for tiles_left in [game.hand_size(), 7] {
            let mut seats = vec![Seat::new(tiles_left, true)];
            seats.resize(others, Seat::new(game.hand_size(), false));
            let unseen = Unseen::new(&game, game.deck() - hand, &seats).unwrap();
            let mut sampled = AnswerProbabilities::with(Estimator::Sampled { worlds: n }, unseen);
            let targets = fives(&game, hand);
            let straights = targets.iter().filter(|t| t.kind() == Kind::Straight);
            let plain = straights.filter(|t| t.tiles().iter().last().unwrap().number() > 2);
            let mut checked = 0;
            for &target in plain {
                let p = one_seat(&game, unseen.tiles(), tiles_left, target);
                assert!((0.05..0.999).contains(&p), "{p}");
                let share = sampled.of(target).unwrap().probability;
                within(share, p, n, &format!("{players} players, {target:?}"));
                checked += 1;
            }
            assert!(checked >= 2);
        }
    }
}

/// One seat with the listed deals, where both can be had: the count of hands is right.
#[test]
fn the_count_of_hands_agrees_with_all_deals() {
    let game = Lexio::for_players(4).unwrap();
    let mut checked = 0;
    for index in 0..4 {
        let pool = random_tiles(game.deck(), 16, &mut Seed(2).simulation(index));
        for target in fives(&game, game.deck() - pool).into_iter().step_by(40) {
            let last = target.tiles().iter().last().unwrap().number();
            if target.kind() != Kind::Straight || last <= 2 {
                continue;
            }
            let unseen = Unseen::new(&game, pool, &[Seat::new(8, true)]).unwrap();
            let mut all = AnswerProbabilities::new(unseen).with_limit(1_000_000_000);
            let exact = all.of(target).unwrap().probability;
            let counted = one_seat(&game, pool, 8, target);
            assert!(
                (exact - counted).abs() < 1e-12,
                "{target:?}: {exact} {counted}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}
