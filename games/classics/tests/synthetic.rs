//! Trees to order: they are what was ordered, and perfect-information Monte Carlo does in them what
//! Long, Sturtevant, Buro & Furtak (2010) say.

use classics::solve::{GameTree, InitialStates, Profile, cfr_plus, pimc_profile, sampled_bcd};
use classics::synthetic::{Side, SyntheticOptions, SyntheticState};
use classics::{ConnectFour, KuhnPoker, Synthetic, TicTacToe};
use search_core::game::{ActionObservation, Game, History, Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::testing::chi_square;
use std::collections::{BTreeMap, HashMap};

fn synthetic(correlation: f64, bias: f64, disambiguation: f64, seed: u64) -> Synthetic {
    let options = SyntheticOptions {
        depth: 6,
        worlds: 4,
        correlation,
        bias,
        disambiguation,
        seed,
    };
    Synthetic::new(options).unwrap()
}

fn tree(game: &Synthetic) -> GameTree<Synthetic> {
    GameTree::new(game, 100_000).unwrap()
}

fn first() -> Player {
    Player::new(0)
}

/// Whether a share of `n` is within five standard errors of `p`.
fn near(share: Option<f64>, p: f64, n: f64) -> bool {
    let bound = 5.0 * (p * (1.0 - p) / n).sqrt() + 1e-12;
    share.is_some_and(|share| (share - p).abs() <= bound)
}

/// The expected ratio of the size of a broken set to the size of the set: halved `d` of the time, and
/// the half again, down to one.
fn ratio(d: f64, size: u32) -> f64 {
    match size {
        1 => 1.0,
        _ => (1.0 - d) + d / 2.0 * ratio(d, size / 2),
    }
}

#[test]
fn trees_have_the_correlation_and_the_bias_that_were_ordered() {
    for (lc, b) in [(0.0, 0.5), (1.0, 0.3), (0.7, 0.9), (0.4, 0.0), (0.2, 1.0)] {
        let options = SyntheticOptions {
            correlation: lc,
            bias: b,
            ..SyntheticOptions::default()
        };
        let game = Synthetic::new(options).unwrap();
        let tree = tree(&game);
        assert_eq!(tree.len(), 1 + 64 * 511);
        let pairs = 64.0 * 128.0;
        let bcd = tree.bcd(first());
        assert!(near(bcd.correlation, lc, pairs), "{bcd:?}");
        if lc > 0.0 {
            assert!(near(bcd.bias, b, pairs * lc), "{bcd:?}");
            let other = tree.bcd(Player::new(1));
            assert!((other.bias.unwrap() + bcd.bias.unwrap() - 1.0).abs() < 1e-12);
        } else {
            assert_eq!(bcd.bias, None);
        }
        let sampled = sampled_bcd(&game, first(), 4_000, Seed(1));
        // Playouts draw from the 8,192 pairs, not from the distribution behind them.
        assert!(near(sampled.correlation, bcd.correlation.unwrap(), 4_000.0));
        assert_eq!(sampled.disambiguation, None);
    }
}

/// Both leaves of a pair that is not correlated are won equally often.
#[test]
fn leaves_that_differ_favour_neither_side() {
    let game = synthetic(0.0, 1.0, 0.0, 3);
    let mut left = 0_u32;
    let mut pairs = 0_u32;
    let mut states: Vec<SyntheticState> = game.initial_states().iter().map(|s| s.0).collect();
    for _ in 0..6 {
        let sides = [Side::Left, Side::Right];
        states = states
            .iter()
            .flat_map(|state| {
                sides.map(|side| {
                    let mut next = *state;
                    game.apply(&mut next, side);
                    next
                })
            })
            .collect();
    }
    for pair in states.chunks(2) {
        let [a, b] = [pair[0], pair[1]].map(|leaf| game.returns(&leaf)[0]);
        assert_eq!(a, -b);
        left += u32::from(a > 0.0);
        pairs += 1;
    }
    assert_eq!(pairs, 16 * 32);
    assert!(near(
        Some(f64::from(left) / f64::from(pairs)),
        0.5,
        pairs.into()
    ));
}

#[test]
fn information_sets_break_as_often_as_was_ordered() {
    // Over many deals and paths, from the second decision on: sets of 16 before the first.
    for d in [0.0, 0.3, 0.6, 1.0] {
        let (mut sum, mut count) = (0.0, 0_u32);
        for seed in 0..400 {
            let options = SyntheticOptions {
                depth: 1,
                worlds: 16,
                disambiguation: d,
                seed,
                ..SyntheticOptions::default()
            };
            let game = Synthetic::new(options).unwrap();
            for (state, share) in game.initial_states() {
                assert!((share - 1.0 / 256.0).abs() < 1e-15);
                let block = game.observe(&state, first()).block();
                sum += f64::from(block.len) / 16.0;
                count += 1;
            }
        }
        // 6,400 sets, each seen by its 16 members.
        let mean = sum / f64::from(count);
        assert!(
            (mean - ratio(d, 16)).abs() < 5.0 * 0.5 / 6_400_f64.sqrt(),
            "{d}: {mean}"
        );
    }
    // In the limit of large sets the three numbers lead back to `d`.
    for d in [0.1, 0.6, 1.0] {
        let rho = ratio(d, 1 << 30);
        assert!((2.0 * (1.0 - rho) / (2.0 - rho) - d).abs() < 1e-6);
    }
}

#[test]
fn disambiguation_is_measured_from_the_sizes_of_information_sets() {
    let whole = |d: f64| {
        let mut sum = 0.0;
        for seed in 0..6 {
            sum += tree(&synthetic(0.5, 0.5, d, seed))
                .bcd(first())
                .disambiguation
                .unwrap_or(1.0);
        }
        sum / 6.0
    };
    assert_eq!(whole(0.0), 0.0);
    assert_eq!(whole(1.0), 1.0);
    let (low, high) = (whole(0.2), whole(0.5));
    assert!(
        0.1 < low && low < 0.25 && low < high && high < 0.55,
        "{low} {high}"
    );
}

/// Leaf correlation 1/2, bias 1/2, disambiguation 0, as Long et al. 2010 have it, with every node counted
/// once. By random playouts the bias is 2/3: the first player's bets are answered twice as often.
#[test]
fn kuhn_poker_is_a_half_a_half_and_nothing() {
    let tree = GameTree::new(&KuhnPoker, 100).unwrap();
    let bcd = tree.bcd(first());
    assert_eq!(bcd.correlation, Some(0.5));
    assert_eq!(bcd.bias, Some(0.5));
    assert_eq!(bcd.disambiguation, Some(0.0));
    let sampled = sampled_bcd(&KuhnPoker, first(), 20_000, Seed(2));
    // Three of four games end with an answer to a bet.
    assert!(near(sampled.correlation, 0.5, 15_000.0), "{sampled:?}");
    assert!(near(sampled.bias, 2.0 / 3.0, 7_500.0), "{sampled:?}");
    // Without hidden information there is nothing to disambiguate.
    let sampled = sampled_bcd(&ConnectFour, first(), 200, Seed(2));
    assert!(sampled.disambiguation.is_none());
    let last = sampled_bcd(&TicTacToe, first(), 2_000, Seed(2));
    assert!(last.correlation.is_some());
}

/// With disambiguation 1 everybody knows everything, and perfect-information Monte Carlo is optimal.
#[test]
fn with_full_disambiguation_pimc_is_an_equilibrium() {
    for seed in 0..8 {
        let tree = tree(&synthetic(0.5, 0.5, 1.0, seed));
        assert!(tree.nash_conv(&pimc_profile(&tree)).abs() < 1e-12, "{seed}");
        assert!(tree.nash_conv(&tree.uniform()) > 0.1, "{seed}");
    }
}

/// What the first player loses to an equilibrium strategy by playing like perfect-information Monte
/// Carlo, and at random, as a mean over trees.
fn losses(correlation: f64, bias: f64, disambiguation: f64) -> (f64, f64) {
    let (mut pimc, mut random) = (0.0, 0.0);
    let trees = 8;
    for seed in 0..trees {
        let tree = tree(&synthetic(correlation, bias, disambiguation, seed));
        let nash = cfr_plus(&tree, 200);
        let value = tree.value(&nash)[0];
        assert!(tree.nash_conv(&nash) < 0.02, "{}", tree.nash_conv(&nash));
        let against = |profile: Profile| tree.value(&tree.with_player(&nash, first(), &profile))[0];
        pimc += value - against(pimc_profile(&tree));
        random += value - against(tree.uniform());
    }
    (pimc / trees as f64, random / trees as f64)
}

/// Perfect-information Monte Carlo loses where leaves are not correlated, wins against random play
/// where sets are disambiguated, and loses little where leaves are correlated.
#[test]
fn pimc_loses_at_low_correlation_and_disambiguation() {
    let (hard, _) = losses(0.1, 0.5, 0.0);
    let (easy, easy_random) = losses(0.9, 0.8, 0.6);
    assert!(hard > 0.1, "{hard}");
    assert!(easy < hard / 2.0, "{easy} {hard}");
    assert!(easy < easy_random, "{easy} {easy_random}");
}

/// T-DT2, T-DT3: the worlds of every information set are the deals it may be, equally likely.
#[test]
fn t_dt2_t_dt3_worlds_are_the_deals_of_the_information_set() {
    let game = synthetic(0.5, 0.5, 0.4, 7);
    // By enumeration: every state of every deal under its view.
    let mut states: Vec<SyntheticState> = game.initial_states().iter().map(|s| s.0).collect();
    let mut views: HashMap<_, Vec<SyntheticState>> = HashMap::new();
    let mut at = 0;
    while let Some(&state) = states.get(at) {
        at += 1;
        if let Turn::Player(player) = game.turn(&state) {
            views
                .entry(game.observe(&state, player))
                .or_default()
                .push(state);
            for side in [Side::Left, Side::Right] {
                let mut next = state;
                game.apply(&mut next, side);
                states.push(next);
            }
        }
    }
    let mut sizes = BTreeMap::new();
    for (i, (view, members)) in views.into_iter().enumerate() {
        let plan = game.determinizer().plan(&game, &view).unwrap();
        let mut listed = plan.clone();
        let mut expected = members;
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected);
        *sizes.entry(listed.len()).or_insert(0) += 1;
        if i % 50 == 0 {
            let mut counts = vec![0; plan.len()];
            let mut rng = Seed(8).simulation(i as u64);
            let mut world = plan[0];
            for _ in 0..2_000 {
                game.determinizer()
                    .sample(&game, &view, &plan, &mut rng, &mut world);
                counts[plan.iter().position(|w| *w == world).unwrap()] += 1;
            }
            chi_square(&counts, &vec![1.0; plan.len()]).unwrap();
        }
    }
    assert_eq!(sizes.keys().copied().collect::<Vec<_>>(), [1, 2, 4]);
    // T-DT6: a set that does not come about.
    for text in ["type=0 moves=- others=1-2", "type=0 moves=lr others=0-3"] {
        let sharp = synthetic(0.5, 0.5, 1.0, 7);
        let view = sharp.parse_observation(text).unwrap();
        assert!(sharp.determinizer().plan(&sharp, &view).is_err(), "{text}");
    }
}

/// What is told of an action: the action, and what the observer learns with it.
#[test]
fn tokens_show_the_choice_and_what_is_learned() {
    let game = synthetic(0.5, 0.5, 0.5, 9);
    let mut learned = 0;
    for (state, _) in game.initial_states() {
        for who in [0, 1].map(Player::new) {
            let token = |side| game.observe_action(&state, side, who);
            assert_ne!(token(Side::Left), token(Side::Right));
        }
        // The second player is to move next: two types of the first that look alike have one token.
        for (twin, _) in game.initial_states() {
            let same_view =
                game.observe(&twin, Player::new(1)) == game.observe(&state, Player::new(1));
            if same_view {
                let [a, b] = [state, twin].map(|mut s| {
                    let token = game.observe_action(&s, Side::Left, Player::new(1));
                    game.apply(&mut s, Side::Left);
                    (token, game.observe(&s, Player::new(1)))
                });
                assert_eq!(a.0 == b.0, a.1 == b.1);
                learned += u32::from(a.0 != b.0);
            }
        }
    }
    assert!(learned > 0);
}

#[test]
fn decisions_lead_to_the_world() {
    let game = synthetic(0.5, 0.5, 0.5, 9);
    let (mut state, _) = game.initial_states()[5];
    let mut before = Vec::new();
    for side in [Side::Left, Side::Right, Side::Right] {
        let Turn::Player(player) = game.turn(&state) else {
            panic!("over")
        };
        before.push((state, player, side));
        game.apply(&mut state, side);
    }
    let mut seen = Vec::new();
    let view = game.observe(&state, Player::new(1));
    History::decisions(&game, &view, &state, &mut |s, p, a| seen.push((*s, p, a)));
    assert_eq!(seen, before);
}
