//! Answer probabilities against known values, brute force, sampling, and each other.

mod common;

use common::answering::{SLOW, can_answer, play, plays, within};
use common::{random_tiles, rules, tiles, variants};
use lexio::answer::{
    Answer, AnswerError, AnswerKind, AnswerProbabilities, Estimator, Seat, Situation, Unseen,
    answer_probability,
};
use lexio::{Action, Combination, Lexio, PassRule, Tiles};
use search_core::dealing::Problem;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::rng::{Seed, SimRng};

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
    let five = play(&game, "3H 4H 5H 6H 8H");
    let none = answer_probability(&Estimator::Sampled { worlds: 0 }, five, unseen);
    assert_eq!(none, Err(AnswerError::NoWorlds));
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
