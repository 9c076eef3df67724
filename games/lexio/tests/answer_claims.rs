//! The source's claims about answer probabilities, by number.

mod common;

use common::answering::{SLOW, can_answer, play, plays, within};
use common::{tiles, variants};
use lexio::answer::{Estimator, Seat, Unseen, answer_probability};
use lexio::{Combination, Kind, Lexio, Tiles};
use search_core::dealing::Problem;
use search_core::rng::Seed;
use serde_json::Value;

/// A situation of the known answers.
struct Row {
    game: Lexio,
    unseen: Tiles,
    seats: Vec<Seat>,
    target: Combination,
    p: f64,
}

fn known() -> Vec<Row> {
    let lines = include_str!("data/lexio_prob.jsonl").lines().skip(1);
    let set = |value: &Value| {
        let words = value.as_array().unwrap().iter();
        let words: Vec<_> = words.map(|w| w.as_str().unwrap()).collect();
        tiles(&words.join(" "))
    };
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let game = Lexio::for_players(row["players"].as_u64().unwrap() as u8).unwrap();
        let sizes = row["hand_sizes"].as_array().unwrap().iter();
        let eligible = row["eligible"].as_array().unwrap().iter();
        let seat = |(n, may): (&Value, &Value)| {
            Seat::new(n.as_u64().unwrap() as u8, may.as_bool().unwrap())
        };
        Row {
            unseen: set(&row["unseen"]),
            seats: sizes.zip(eligible).map(seat).collect(),
            target: game.combination(set(&row["target"])).unwrap(),
            p: row["p"].as_f64().unwrap(),
            game,
        }
    };
    lines.map(row).collect()
}

fn answer(estimator: &Estimator, row: &Row) -> f64 {
    let unseen = Unseen::new(&row.game, row.unseen, &row.seats).unwrap();
    answer_probability(estimator, row.target, unseen).unwrap()
}

/// L1.1: the slow hand has 36 plays.
#[test]
fn l1_1_the_slow_hand_has_21_flushes_12_singles_and_3_pairs() {
    let game = Lexio::default();
    let found = plays(&game, tiles(SLOW));
    let of = |kind| found.iter().filter(|p| p.kind() == kind).count();
    let counts = Kind::ALL.map(of);
    assert_eq!(counts, [12, 3, 0, 0, 21, 0, 0, 0]);
}

/// L1.2: the numbers of subsets that the closed forms save.
#[test]
fn l1_2_subsets_of_a_suit() {
    let game = Lexio::default();
    let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
    // Twelve tiles of a suit: flushes and straight flushes together.
    let twelve = tiles("4C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C 15C");
    assert_eq!(plays(&game, twelve).len() - 12, 792);
    assert_eq!(choose(12, 5), 792);
    assert_eq!(choose(12, 5) * 4, 3_168);
    assert_eq!(choose(12, 5) * 4 * 21, 66_528);
    assert_eq!(choose(55, 5), 3_478_761);
    assert_eq!(choose(24, 5), 42_504);
}

/// L1.4: runs of a suit.
#[test]
fn l1_4_at_most_thirteen_runs_a_suit() {
    for (players, runs) in [(5, 12), (4, 10), (3, 6)] {
        let game = Lexio::for_players(players).unwrap();
        assert_eq!(game.straights().numbers().count(), runs);
    }
    for game in variants() {
        assert!(game.straights().numbers().count() <= 13);
    }
}

/// L1.6: the moon 2 is answered for certain while the sun 2 is unseen.
#[test]
fn l1_6_all_tiles_are_dealt_so_the_last_beater_is_somewhere() {
    let game = Lexio::default();
    let hand = tiles("3C 3H 3D 3S 4C 4H 4D 4S 5C 2C 2H 2D");
    let seats = [Seat::new(12, true); 4];
    let unseen = Unseen::new(&game, game.deck() - hand, &seats).unwrap();
    let moon_two = play(&game, "2D");
    let by = |estimator| answer_probability(&estimator, moon_two, unseen).unwrap();
    assert_eq!(by(Estimator::Exact), 1.0);
    assert_eq!(by(Estimator::SumCount), 1.0);
    assert_eq!(by(Estimator::IndepCount), 1.0 - 0.75_f64.powi(4));
}

/// L1.7: the worst error of the product rule on singles is 0.3164, one beater and four equal seats.
#[test]
fn l1_7_the_product_rule_errs_by_a_third() {
    let rows = known();
    let singles = rows.iter().filter(|r| r.target.kind() == Kind::Single);
    let everybody = singles.filter(|r| r.seats.iter().all(|s| s.eligible));
    let errors = everybody.map(|r| (answer(&Estimator::IndepCount, r) - r.p).abs());
    let worst = errors.fold(0.0, f64::max);
    assert!((worst - 0.316_406_25).abs() < 1e-9, "{worst}");
}

/// L1.8: one certain set of tiles lies in one hand or in none, so the sum is exact.
#[test]
fn l1_8_the_sum_is_exact_for_a_single_set() {
    let game = Lexio::default();
    // Of numbers above 15 only three 1s are unseen, and of all others at most two.
    let unseen = tiles("1C 1H 1D 15C 15H 14C 14H 13C 13H 12C 12H 11C 11H 10C");
    let seats = [Seat::new(6, true), Seat::new(5, true), Seat::new(3, true)];
    let unseen = Unseen::new(&game, unseen, &seats).unwrap();
    let target = play(&game, "9C 9H 9D");
    assert_eq!(game.beaters(unseen.tiles(), target).total(), 1);
    let expected = (20.0 + 10.0 + 1.0) / 364.0;
    for estimator in [Estimator::Exact, Estimator::SumCount] {
        let got = answer_probability(&estimator, target, unseen).unwrap();
        assert!((got - expected).abs() < 1e-12, "{estimator:?}: {got}");
    }
    let product = answer_probability(&Estimator::IndepCount, target, unseen).unwrap();
    assert!((product - expected).abs() > 1e-4);
}

/// L1.9: the sum rule is right for singles that anybody may answer, and off by more than the stated
/// 0.007 elsewhere.
#[test]
fn l1_9_the_sum_rule_is_no_cure_beyond_singles() {
    let rows = known();
    let worst = |kind| {
        let rows = rows.iter().filter(|r| r.target.kind() == kind);
        let everybody = rows.filter(|r| r.seats.iter().all(|s| s.eligible));
        let errors = everybody.map(|r| answer(&Estimator::SumCount, r) - r.p);
        errors.fold(
            0.0,
            |worst: f64, e| if e.abs() > worst.abs() { e } else { worst },
        )
    };
    assert!(worst(Kind::Single).abs() < 1e-12);
    assert!(worst(Kind::Pair).abs() > 0.05);
    assert!(worst(Kind::Triple).abs() > 0.03);
    assert!(worst(Kind::Straight) > 0.25);
}

/// L1.10: sampled deals and the generator of legal replies agree with the known values.
#[test]
fn l1_10_sampling_agrees_with_every_known_value() {
    let n = 20_000_u32;
    let mut out = Vec::new();
    let mut seen = 0;
    for (i, row) in known().iter().enumerate() {
        let room: Vec<u8> = row.seats.iter().map(|s| s.tiles).collect();
        let plan = Problem::new(row.unseen.bits(), &room)
            .unwrap()
            .plan()
            .unwrap();
        let mut hands = vec![0; room.len()];
        let mut hits = 0;
        for world in 0..n {
            let mut rng = Seed(10).index(i as u64).simulation(u64::from(world));
            plan.deal(&mut rng, &mut hands);
            let mut dealt = row
                .seats
                .iter()
                .zip(&hands)
                .filter(|(seat, _)| seat.eligible);
            hits += u32::from(dealt.any(|(_, &hand)| {
                can_answer(&row.game, Tiles::from_bits(hand), row.target, &mut out)
            }));
        }
        seen += 1;
        within(f64::from(hits) / f64::from(n), row.p, n, 4.5, i);
        if row.target.kind().size() == 5 {
            within(
                answer(&Estimator::Sampled { worlds: n }, row),
                row.p,
                n,
                4.5,
                i,
            );
        }
    }
    assert_eq!(seen, 300);
}
