//! Answer probabilities against known values, brute force, sampling, and each other.

mod common;

use common::{action, random_tiles, rules, tiles, variants};
use lexio::answer::{
    Answer, AnswerError, AnswerKind, AnswerProbabilities, Estimator, Seat, Situation, Unseen,
    answer_probability,
};
use lexio::{Action, Combination, Kind, Lexio, PassRule, Tiles};
use search_core::dealing::Problem;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::rng::{Seed, SimRng};
use serde_json::Value;

const SLOW: &str = "3C 3D 4C 4H 5D 7C 9C 10C 11H 12C 12D 2C";

fn play(game: &Lexio, text: &str) -> Combination {
    game.classify(action(text)).unwrap()
}

fn plays(game: &Lexio, hand: Tiles) -> Vec<Combination> {
    let mut out = Vec::new();
    game.plays(hand, None, &mut out);
    out.iter().map(|a| game.classify(*a).unwrap()).collect()
}

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

/// Whether a hand can answer, by the generator of legal plays.
fn can_answer(game: &Lexio, hand: Tiles, target: Combination, out: &mut Vec<Action>) -> bool {
    game.plays(hand, Some(target), out);
    !out.is_empty()
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

/// A share of `n` trials is within so many standard errors of `p`, exactly right when `p` is 0 or 1.
fn within(share: f64, p: f64, n: u32, sigma: f64, row: usize) {
    let error = (p * (1.0 - p) / f64::from(n)).sqrt();
    assert!(
        (share - p).abs() <= sigma * error + 1e-12,
        "row {row}: {share} for {p}"
    );
}

/// Every deal of the free tiles to the seats, the stock last; calls `visit` with the hands.
fn deals(left: Tiles, seats: &[Seat], hands: &mut Vec<Tiles>, visit: &mut impl FnMut(&[Tiles])) {
    let Some(seat) = seats.get(hands.len()) else {
        visit(hands);
        return;
    };
    let free: Vec<_> = left.iter().collect();
    let want = u32::from(seat.tiles) - seat.known.len();
    for subset in 0_u32..1 << free.len() {
        if subset.count_ones() == want {
            let held = free.iter().enumerate();
            let held: Tiles = held
                .filter(|(i, _)| subset >> i & 1 == 1)
                .map(|(_, t)| *t)
                .collect();
            hands.push(held | seat.known);
            deals(left - held, seats, hands, visit);
            hands.pop();
        }
    }
}

/// By listing all deals and asking the generator of legal plays.
fn brute_force(game: &Lexio, unseen: Tiles, seats: &[Seat], target: Combination) -> f64 {
    let known = seats.iter().fold(Tiles::EMPTY, |all, s| all | s.known);
    let (mut all, mut hits) = (0_u64, 0_u64);
    let mut out = Vec::new();
    deals(unseen - known, seats, &mut Vec::new(), &mut |hands| {
        all += 1;
        let mut eligible = hands.iter().zip(seats).filter(|(_, s)| s.eligible);
        hits += u64::from(eligible.any(|(&hand, _)| can_answer(game, hand, target, &mut out)));
    });
    hits as f64 / all as f64
}

/// Seats of random sizes for these tiles, some not eligible, some with a known tile, some tiles left
/// in a stock.
fn random_seats(unseen: Tiles, rng: &mut SimRng) -> Vec<Seat> {
    use search_core::rng::Draw;
    let mut left = unseen;
    let mut seats = Vec::new();
    for i in 0..1 + rng.below(3) {
        let most = left.len();
        let size = if i == 0 {
            most.min(5 + rng.below(4))
        } else {
            rng.below(most + 1)
        };
        let hand = random_tiles(left, size as usize, rng);
        left -= hand;
        let mut seat = Seat::new(size as u8, rng.below(4) > 0);
        if rng.below(4) == 0 {
            seat.known = random_tiles(hand, 1, rng);
        }
        seats.push(seat);
    }
    seats
}

/// Two methods that share nothing: counting against listing all deals, under every variant of the
/// rules, with seats that may not answer, known tiles and stocks.
#[test]
fn every_answer_equals_brute_force_on_small_pools() {
    let mut rng = Seed(3).simulation(0);
    let mut positive = [0; 8];
    for (i, game) in variants().iter().enumerate() {
        for round in 0..18 {
            // Few numbers or few suits, so that all kinds can be held.
            let narrow = match (round % 3, i % 4) {
                (0, _) => game.deck(),
                (1, suit) => Tiles::from_bits(0x0333_3333_3333_3333 << suit.min(2)),
                (_, from) => Tiles::from_bits(0xF_FFFF << (4 * from)),
            };
            let hand = random_tiles(game.deck() & narrow, 9, &mut rng);
            let unseen = random_tiles((game.deck() & narrow) - hand, 10, &mut rng);
            let seats = random_seats(unseen, &mut rng);
            let of = Unseen::new(game, unseen, &seats).unwrap();
            let mut answers = AnswerProbabilities::new(of).with_limit(u64::MAX);
            for target in plays(game, hand).into_iter().step_by(2) {
                let expected = brute_force(game, unseen, &seats, target);
                let got = answers.of(target).unwrap();
                assert_eq!(got.kind, AnswerKind::Exact);
                assert!(
                    (got.probability - expected).abs() < 1e-12,
                    "{target:?} {unseen} {seats:?}: {got:?}, not {expected}"
                );
                positive[target.kind() as usize] += u32::from(expected > 0.0 && expected < 1.0);
            }
        }
    }
    assert!(positive[..7].iter().all(|&n| n >= 10), "{positive:?}");
}

/// At full size: pairs and triples for any subset of eligible seats against sampled deals.
#[test]
fn full_tables_agree_with_sampling_for_every_subset_of_seats() {
    let game = Lexio::default();
    let hand = tiles("3C 4C 4H 7D 7S 9H 9D 9S 13C 1C 1D 2H");
    let unseen = game.deck() - hand;
    let n = 5_000;
    let plan = Problem::new(unseen.bits(), &[12; 4])
        .unwrap()
        .plan()
        .unwrap();
    let worlds: Vec<[u64; 4]> = (0..u64::from(n))
        .map(|world| {
            let mut hands = [0; 4];
            plan.deal(&mut Seed(4).simulation(world), &mut hands);
            hands
        })
        .collect();
    let targets = ["1C 1D", "7D 7S", "9H 9D 9S", "13C", "2H"].map(|t| play(&game, t));
    let mut out = Vec::new();
    for target in targets {
        let mut holds = vec![0_u32; worlds.len()];
        for (world, hands) in worlds.iter().enumerate() {
            for (seat, &hand) in hands.iter().enumerate() {
                let can = can_answer(&game, Tiles::from_bits(hand), target, &mut out);
                holds[world] |= u32::from(can) << seat;
            }
        }
        for eligible in 0..16_u32 {
            let seats = [0, 1, 2, 3].map(|i| Seat::new(12, eligible >> i & 1 == 1));
            let of = Unseen::new(&game, unseen, &seats).unwrap();
            let p = answer_probability(&Estimator::Exact, target, of).unwrap();
            let hits = holds.iter().filter(|&&h| h & eligible != 0).count();
            within(hits as f64 / f64::from(n), p, n, 5.0, eligible as usize);
        }
    }
}

/// Of two plays of as many tiles the stronger one never looks easier to answer, and one more seat
/// that may answer never makes it harder, whatever the method.
#[test]
fn answers_fall_with_strength_and_rise_with_seats() {
    let estimators = [
        Estimator::Exact,
        Estimator::Sampled { worlds: 200 },
        Estimator::IndepCount,
        Estimator::SumCount,
    ];
    for index in 0..60 {
        let game = Lexio::for_players(3 + (index % 3) as u8).unwrap();
        let situation = Situation::sample(&game, Seed(6), index);
        let unseen = Unseen::of(&game, &situation.observation).unwrap();
        for estimator in &estimators {
            let mut answers = AnswerProbabilities::with(estimator.clone(), unseen);
            let mut found: Vec<_> = situation
                .plays
                .iter()
                .map(|p| {
                    (
                        p.kind().size(),
                        p.strength(),
                        answers.of(*p).unwrap().probability,
                    )
                })
                .collect();
            found.sort_by_key(|f| (f.0, f.1));
            for pair in found.windows(2).filter(|w| w[0].0 == w[1].0) {
                assert!(pair[1].2 <= pair[0].2 + 1e-12, "{estimator:?} {pair:?}");
            }
            // Without the last eligible seat.
            let mut fewer = unseen.seats().to_vec();
            if let Some(last) = fewer.iter_mut().rfind(|s| s.eligible) {
                last.eligible = false;
            }
            let fewer = Unseen::new(&game, unseen.tiles(), &fewer).unwrap();
            for &p in situation.plays.iter().filter(|p| p.kind().size() < 5) {
                let less = answer_probability(estimator, p, fewer).unwrap();
                let more = answer_probability(estimator, p, unseen).unwrap();
                assert!(less <= more + 1e-12, "{estimator:?} {p:?}: {less} {more}");
            }
        }
    }
}

/// The same answers to the bit from 1, 2, 3 and 7 threads, in any order.
#[test]
fn answers_depend_on_the_situation_alone() {
    let all = |from: u64, step: u64| -> Vec<(u64, Vec<u64>)> {
        let game = Lexio::default();
        let one = |index| {
            let situation = Situation::sample(&game, Seed(8), index);
            let unseen = Unseen::of(&game, &situation.observation).unwrap();
            let mut answers = AnswerProbabilities::new(unseen);
            let of = |p: &Combination| answers.of(*p).unwrap().probability.to_bits();
            (index, situation.plays.iter().map(of).collect())
        };
        (from..40).step_by(step as usize).map(one).collect()
    };
    let single = all(0, 1);
    for threads in [2, 3, 7] {
        let mut found: Vec<_> = std::thread::scope(|scope| {
            let spawned = (0..threads).map(|t| scope.spawn(move || all(t, threads)));
            let spawned: Vec<_> = spawned.collect();
            spawned
                .into_iter()
                .flat_map(|t| t.join().unwrap())
                .collect()
        });
        found.sort();
        assert_eq!(found, single);
    }
}

/// What the determinizer deals and what is counted are the same model, the known cloud 3 included.
#[test]
fn the_view_of_a_player_gives_the_model_of_the_determinizer() {
    let game = Lexio::default();
    let mut rng = Seed(9).simulation(0);
    let mut state = game.initial_state(&mut rng);
    // The leader keeps the cloud 3 and plays his strongest single tile.
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let single = legal.iter().filter(|a| a.len() == 1).max().unwrap();
    let leader = state.public().to_move();
    game.apply(&mut state, *single);
    let Turn::Player(me) = game.turn(&state) else {
        panic!("the round has begun")
    };
    let view = game.observe(&state, me);
    let unseen = Unseen::of(&game, &view).unwrap();
    let known: Vec<_> = unseen
        .seats()
        .iter()
        .filter(|s| !s.known.is_empty())
        .collect();
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].known, tiles("3C"));
    assert_eq!(u32::from(known[0].tiles), view.left(leader));
    assert!(unseen.seats().iter().all(|s| s.eligible));

    let targets: Vec<_> = plays(&game, view.hand()).into_iter().step_by(4).collect();
    let mut answers = AnswerProbabilities::with(Estimator::Sampled { worlds: 20_000 }, unseen);
    let plan = lexio::UniformDeal.plan(&game, &view).unwrap();
    let mut world = lexio::UniformDeal.scratch(&game, &view, &plan);
    let n = 4_000;
    let mut hits = vec![0; targets.len()];
    let mut out = Vec::new();
    for i in 0..n {
        let mut rng = Seed(11).simulation(i);
        lexio::UniformDeal.sample(&game, &view, &plan, &mut rng, &mut world);
        for (hits, target) in hits.iter_mut().zip(&targets) {
            let mut others = (0..5).map(Player::new).filter(|p| *p != me);
            *hits += u32::from(others.any(|p| can_answer(&game, world.hand(p), *target, &mut out)));
        }
    }
    for (&hits, &target) in hits.iter().zip(&targets) {
        let answer = answers.of(target).unwrap();
        let n = n as f64;
        let noise = 0.25_f64 / n + answer.error.unwrap().powi(2);
        let off = (f64::from(hits) / n - answer.probability).abs();
        assert!(
            off < 5.0 * noise.sqrt(),
            "{target:?}: {answer:?}, {hits} of {n}"
        );
    }
}

/// Under the hard pass who has passed may not answer before the trick ends.
#[test]
fn a_hard_pass_ends_the_right_to_answer() {
    for (pass, eligible) in [(PassRule::Hard, 3), (PassRule::Soft, 4)] {
        let game = rules(|o| o.pass = pass);
        let mut state = game.initial_state(&mut Seed(1).simulation(0));
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        game.apply(&mut state, legal[0]);
        game.apply(&mut state, Action::PASS);
        let me = state.public().to_move();
        let unseen = Unseen::of(&game, &game.observe(&state, me)).unwrap();
        assert_eq!(
            unseen.seats().iter().filter(|s| s.eligible).count(),
            eligible
        );
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let game = Lexio::default();
    let pool = tiles("3C 4C 5C 6C");
    let new = |seats: &[Seat]| Unseen::new(&game, pool, seats).map(|_| ());
    assert_eq!(new(&[Seat::default(); 6]), Err(AnswerError::Seats(6)));
    let room = AnswerError::Room { held: 5, unseen: 4 };
    assert_eq!(new(&[Seat::new(5, true)]), Err(room));
    let mut knows = Seat::new(1, true);
    knows.known = tiles("3C 4C");
    let known = |seat, known| Err(AnswerError::Known { seat, known });
    assert_eq!(new(&[knows]), known(0, tiles("3C 4C")));
    knows.known = tiles("9C");
    assert_eq!(new(&[knows]), known(0, tiles("9C")));
    knows.known = tiles("3C");
    assert_eq!(new(&[knows, knows]), known(1, tiles("3C")));

    let unseen = Unseen::new(&game, pool, &[Seat::new(4, true)]).unwrap();
    let own = answer_probability(&Estimator::Exact, play(&game, "5C"), unseen);
    assert_eq!(own, Err(AnswerError::PlayUnseen(tiles("5C"))));
}

/// Nothing unseen, nobody eligible, hands too small: nobody can answer, for certain.
#[test]
fn without_anybody_who_could_the_answer_is_exactly_zero() {
    let game = Lexio::default();
    let targets = ["3C", "3C 3H", "3C 3H 3D", "3C 4H 5D 6S 7C"].map(|t| play(&game, t));
    let pool = tiles("14C 14H 14D 14S 15C 15H 15D 15S");
    let nobody: [&[Seat]; 3] = [&[], &[Seat::new(8, false)], &[Seat::new(0, true)]];
    for seats in nobody {
        for target in targets {
            let unseen = Unseen::new(&game, pool, seats).unwrap();
            let got = AnswerProbabilities::new(unseen).of(target).unwrap();
            let expected = Answer {
                probability: 0.0,
                kind: AnswerKind::Exact,
                error: Some(0.0),
            };
            assert_eq!(got, expected, "{seats:?} {target:?}");
        }
    }
    let nothing = Unseen::new(&game, Tiles::EMPTY, &[Seat::new(0, true)]).unwrap();
    for target in targets {
        for estimator in [Estimator::Exact, Estimator::IndepCount, Estimator::SumCount] {
            assert_eq!(answer_probability(&estimator, target, nothing), Ok(0.0));
        }
    }
    // Four tiles are no five, whatever they are.
    let four = Unseen::new(&game, pool, &[Seat::new(4, true), Seat::new(4, true)]).unwrap();
    assert_eq!(
        answer_probability(&Estimator::Exact, targets[3], four),
        Ok(0.0)
    );
}

/// An estimate says that it is one, and is counted.
#[test]
fn estimates_are_marked_and_counted() {
    let game = Lexio::default();
    let hand = tiles(SLOW);
    let unseen = Unseen::new(&game, game.deck() - hand, &[Seat::new(12, true); 4]).unwrap();
    let mut answers = AnswerProbabilities::new(unseen);
    for target in plays(&game, hand) {
        let answer = answers.of(target).unwrap();
        let five = target.kind().size() == 5;
        assert_eq!(answer.kind == AnswerKind::Estimated, five);
        assert_eq!(answer.error.unwrap() > 0.0, five);
    }
    assert_eq!(answers.estimated(), 21);
}
