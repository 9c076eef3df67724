//! The fast generator against a slow one that shares no code with it: all subsets of the hand,
//! a classifier on sorted numbers and suits, and a comparison of lists.

mod common;

use common::{random_tiles, rules, tiles, variants};
use lexio::{Action, Lexio, StraightRule, Tile, Tiles};
use search_core::rng::{Draw, Seed};

/// How strong a number is: 3, 4, … then 1, then 2.
fn strength(number: u8) -> i32 {
    match number {
        1 => 100,
        2 => 200,
        n => i32::from(n),
    }
}

/// The straights, weakest first, as sets of numbers in ascending order.
fn straights(rule: StraightRule, max: u8) -> Vec<Vec<u8>> {
    let mut list: Vec<Vec<u8>> = (3..=max - 4).map(|n| (n..n + 5).collect()).collect();
    list.push(vec![1, max - 3, max - 2, max - 1, max]);
    let low = [vec![2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5]];
    match rule {
        StraightRule::Official => list.extend(low),
        StraightRule::Top12 => {
            list.push(vec![1, 2, max - 2, max - 1, max]);
            list.extend(low);
        }
        StraightRule::NoLow => {}
        StraightRule::LowWeak => {
            let [two_to_six, one_to_five] = low;
            list.insert(0, two_to_six);
            list.insert(0, one_to_five);
        }
    }
    list
}

/// A play as a list that compares like the play, the number of tiles first.
fn naive(game: &Lexio, set: &[Tile]) -> Option<Vec<i32>> {
    let mut numbers: Vec<u8> = set.iter().map(|t| t.number()).collect();
    numbers.sort_unstable();
    let count = |n: u8| numbers.iter().filter(|&&m| m == n).count();
    let most = numbers.iter().copied().max_by_key(|&n| count(n))?;
    let same_number = count(most) == set.len();
    let best = set
        .iter()
        .max_by_key(|t| (strength(t.number()), t.suit() as i32))?;
    let (top, suit) = (strength(best.number()), best.suit() as i32);
    match set.len() {
        1 => Some(vec![1, top, suit]),
        2 if same_number => Some(vec![2, top, suit]),
        3 if same_number => Some(vec![3, top]),
        5 => {
            let list = straights(game.options().straights, game.max_number());
            let run = list.iter().position(|s| *s == numbers);
            let one_suit = set.iter().all(|t| t.suit() == set[0].suit());
            let distinct = numbers.windows(2).filter(|w| w[0] != w[1]).count() + 1;
            if let Some(run) = run {
                let kind = if one_suit { 9 } else { 5 };
                return Some(vec![5, kind, run as i32, suit]);
            }
            if one_suit {
                let mut key: Vec<i32> = numbers.iter().map(|&n| strength(n)).collect();
                key.sort_unstable_by(|a, b| b.cmp(a));
                key.splice(0..0, [5, 6]);
                key.push(suit);
                return Some(key);
            }
            match (distinct, count(most)) {
                (2, 3) => Some(vec![5, 7, strength(most)]),
                (2, 4) => Some(vec![5, 8, strength(most)]),
                _ => None,
            }
        }
        _ => None,
    }
}

/// All subsets of one size.
fn subsets(of: &[Tile], size: usize) -> Vec<Vec<Tile>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &tile) in of.iter().enumerate() {
        for mut rest in subsets(&of[i + 1..], size - 1) {
            rest.insert(0, tile);
            all.push(rest);
        }
    }
    all
}

fn check(game: &Lexio, hand: Tiles, table: Option<Tiles>) -> usize {
    let hand: Vec<Tile> = hand.iter().collect();
    let bound = table.map(|t| naive(game, &t.iter().collect::<Vec<_>>()).unwrap());
    let mut expected = Vec::new();
    for size in [1, 2, 3, 5] {
        if bound.as_ref().is_some_and(|b| b[0] as usize != size) {
            continue;
        }
        for set in subsets(&hand, size) {
            let play = naive(game, &set);
            let legal = match (&play, &bound) {
                (None, _) => false,
                (Some(play), Some(bound)) => play > bound,
                (Some(_), None) => true,
            };
            let set: Tiles = set.into_iter().collect();
            assert_eq!(game.combination(set).is_some(), play.is_some(), "{set}");
            if legal {
                expected.push(set);
            }
        }
    }
    let mut found: Vec<Action> = Vec::new();
    let table = table.map(|t| game.combination(t).unwrap());
    game.plays(hand.iter().copied().collect(), table, &mut found);
    assert!(
        found.windows(2).all(|w| w[0] < w[1]),
        "not ascending: {found:?}"
    );
    let mut found: Vec<Tiles> = found.into_iter().map(Action::tiles).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "hand {hand:?}, table {table:?}");
    found.len()
}

/// A hand in which five-tile plays are likely: few numbers, or few suits, or anything.
fn lively_hand(game: &Lexio, size: usize, rng: &mut search_core::rng::SimRng) -> Tiles {
    let deck = game.deck();
    let first = rng.below(u32::from(game.max_number())) as u8;
    let near = |t: &Tile| (t.number() + 30 - first) % game.max_number() < 6;
    let suit = rng.below(4);
    let narrow: Tiles = match rng.below(4) {
        0 => deck.iter().filter(near).collect(),
        1 => deck.iter().filter(|t| t.suit() as u32 == suit).collect(),
        2 => deck
            .iter()
            .filter(|t| t.number() % 5 == first % 5)
            .collect(),
        _ => deck,
    };
    let hand = random_tiles(narrow, size, rng);
    let rest = size - hand.len() as usize;
    hand | random_tiles(deck - hand, rest, rng)
}

#[test]
fn leads_equal_brute_force() {
    let mut total = 0;
    for (v, game) in variants().iter().enumerate() {
        for i in 0..40 {
            let mut rng = Seed(1).index(v as u64).simulation(i);
            let size = 1 + rng.below(u32::from(game.hand_size().min(15))) as usize;
            total += check(game, lively_hand(game, size, &mut rng), None);
        }
    }
    assert!(total > 20_000, "{total}");
}

#[test]
fn replies_equal_brute_force() {
    let (mut legal, mut total) = (Vec::new(), 0);
    for (v, game) in variants().iter().enumerate() {
        for i in 0..220 {
            let mut rng = Seed(2).index(v as u64).simulation(i);
            // The table is a play of another hand, five tiles if there are such.
            let other = lively_hand(game, 12, &mut rng);
            game.plays(other, None, &mut legal);
            let fives: Vec<Action> = legal.iter().copied().filter(|a| a.len() == 5).collect();
            let from = if fives.is_empty() || rng.below(4) == 0 {
                &legal
            } else {
                &fives
            };
            let table = rng.pick(from).unwrap().tiles();
            let hand = lively_hand(game, 12, &mut rng) - table;
            total += check(game, hand, Some(table));
        }
    }
    assert!(total > 10_000, "{total}");
}

/// Every flush of a suit against every other flush: the order is total and the closed walk of the
/// generator agrees with comparing.
#[test]
fn all_flushes_against_all_targets() {
    let game = Lexio::for_players(3).unwrap();
    let suit = |suit: u32| -> Tiles {
        game.deck()
            .iter()
            .filter(|t| t.suit() as u32 == suit)
            .collect()
    };
    let mut targets = Vec::new();
    for s in 0..4 {
        game.plays(suit(s), None, &mut targets);
        targets.retain(|a| a.len() == 5);
        for target in targets.clone() {
            for own in (0..4).filter(|&own| own != s) {
                check(&game, suit(own), Some(target.tiles()));
            }
        }
    }
}

/// Two plays of one size without a common tile never tie.
#[test]
fn disjoint_plays_do_not_tie() {
    let mut legal = Vec::new();
    for (v, game) in variants().iter().enumerate() {
        for i in 0..60 {
            let mut rng = Seed(3).index(v as u64).simulation(i);
            let hand = lively_hand(game, 12, &mut rng);
            game.plays(hand, None, &mut legal);
            let plays: Vec<_> = legal.iter().map(|a| game.classify(*a).unwrap()).collect();
            for a in &plays {
                for b in &plays {
                    let same_size = a.kind().size() == b.kind().size();
                    let disjoint = !a.tiles().intersects(b.tiles());
                    let decided = a.beats(*b) != b.beats(*a);
                    assert!(!(same_size && disjoint) || decided, "{a:?} {b:?}");
                    assert!(!(a.beats(*b) && b.beats(*a)));
                    assert!(same_size || !a.beats(*b));
                }
            }
        }
    }
}

#[test]
fn the_slow_hand_has_36_plays() {
    let game = rules(|_| {});
    let hand = tiles("3C 3D 4C 4H 5D 7C 9C 10C 11H 12C 12D 2C");
    let mut legal = Vec::new();
    game.plays(hand, None, &mut legal);
    let count = |size| legal.iter().filter(|a| a.len() == size).count();
    assert_eq!([1, 2, 3, 5].map(count), [12, 3, 0, 21]);
    assert_eq!(legal.len(), 36);
}

/// The least and the greatest inputs.
#[test]
fn edges() {
    let game = rules(|_| {});
    let mut legal = Vec::new();
    game.plays(Tiles::EMPTY, None, &mut legal);
    assert!(legal.is_empty());
    game.plays(Tiles::ALL, None, &mut legal);
    let count = |size| legal.iter().filter(|a| a.len() == size).count();
    assert_eq!([1, 2, 3].map(count), [60, 15 * 6, 15 * 4]);
    let straights = 12 * (1024 - 4);
    let flushes = 4 * (3003 - 12);
    let full_houses = 15 * 4 * 14 * 6;
    let fours = 15 * 56;
    let straight_flushes = 12 * 4;
    assert_eq!(
        count(5),
        straights + flushes + full_houses + fours + straight_flushes
    );
    let best = game.combination(tiles("1S 2S 3S 4S 5S"));
    game.plays(Tiles::ALL - tiles("1S 2S 3S 4S 5S"), best, &mut legal);
    assert!(legal.is_empty());
    game.plays(Tiles::ALL, game.combination(tiles("2S")), &mut legal);
    assert!(legal.is_empty());
}
