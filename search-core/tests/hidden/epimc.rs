//! EPIMC: fusion goes away with depth, and depth 1 is PIMC.

use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Returns, Sight};
use search_core::observation::Determinizer;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::rollout::{Ending, Evaluation, LeafEvaluator};
use search_core::search::{
    Epimc, EpimcSettings, Knowledge, Pimc, PimcSettings, Searcher, TreeSettings,
};

use super::common::{AnyWorld, At, Veiled};

const WORLDS: u32 = 12;

fn settings(depth: u32, worlds: u32) -> EpimcSettings {
    EpimcSettings {
        depth,
        pimc: PimcSettings {
            worlds,
            ..PimcSettings::default()
        },
    }
}

fn search(game: &Veiled, depth: u32, sims: u64, seed: u64) -> Decision<u8> {
    let mut settings = settings(depth, WORLDS);
    // Much exploration: PIMC spends little on an action in the worlds where another is better, and so sees
    // less in it than there is.
    settings.pimc.search.exploration = 1.4;
    let mut epimc: Epimc<Veiled, _> = Epimc::new(settings, Knowledge::of_keys(), AnyWorld);
    let budget = Budget::simulations(sims);
    epimc
        .search(game, &game.seen(), &budget, Seed(seed))
        .unwrap()
}

/// T-IS5: over random games of one player with three decisions and hidden worlds. What a search of a depth
/// believes in is what there is to be had by planning so many decisions and seeing everything after them.
#[test]
fn t_is5_fusion_and_error_do_not_grow_with_depth() {
    let sims = u64::from(WORLDS) * 8_000;
    for reveal in [false, true] {
        let games: Vec<Veiled> = (0..16)
            .map(|i| {
                let mut rng = Seed(700).index(i).simulation(u64::from(reveal));
                let mut leaf = |rng: &mut SimRng| 2.0 * rng.unit() - 1.0;
                Veiled::random(8, &[0; 3], 3, reveal, &mut rng, &mut leaf)
            })
            .collect();
        let (mut fused, mut errors, mut regrets) = (vec![], vec![], vec![]);
        for depth in 1..=3 {
            let (mut count, mut error, mut regret, mut off) = (0, 0.0, 0.0, 0.0);
            for (seed, game) in (0..).zip(&games) {
                let worlds = game.drawn(WORLDS, Seed(seed));
                let truth = game.planned(0, &worlds, 9);
                let decision = search(game, depth, sims, seed);
                let believed = decision.chosen().mean;
                let chosen = game.children(0)[usize::from(decision.action)];
                count += u32::from(believed > truth + 0.1);
                off += (believed - game.planned(0, &worlds, depth)).abs();
                error += (believed - truth).abs();
                regret += truth - game.planned(chosen, &worlds, 9);
            }
            let n = games.len() as f64;
            let most = [0.2, 0.1, 0.05][depth as usize - 1];
            assert!(off / n < most, "depth {depth}: {}", off / n);
            fused.push(count);
            errors.push(error / n);
            regrets.push(regret / n);
        }
        let text = format!("{reveal}: {fused:?} {errors:?} {regrets:?}");
        // Within what PIMC's simulations do not reach, up to 0.2 of a value at depth 1.
        assert!(fused.is_sorted_by(|a, b| a + 1 >= *b), "{text}");
        assert!(errors.is_sorted_by(|a, b| a + 0.02 >= *b), "{text}");
        assert!(regrets.is_sorted_by(|a, b| a >= b), "{text}");
        assert!(fused[0] >= 8 && fused[2] == 0, "{text}");
        assert!(errors[2] < 0.3 * errors[0], "{text}");
        assert!(regrets[2] < 0.5 * regrets[0], "{text}");
    }
}

#[test]
fn t_is4_depth_1_is_pimc_bit_for_bit() {
    let mut rng = Seed(71).simulation(0);
    let mut leaf = |rng: &mut SimRng| 2.0 * rng.unit() - 1.0;
    let game = Veiled::random(8, &[0, 1, 0], 3, true, &mut rng, &mut leaf);
    for seed in 0..10 {
        let settings = settings(1, 20);
        let budget = Budget::simulations(1_000);
        let mut epimc: Epimc<Veiled, _> = Epimc::new(settings, Knowledge::of_keys(), AnyWorld);
        let mut pimc: Pimc<Veiled, _> = Pimc::new(settings.pimc, AnyWorld);
        let one = epimc.search(&game, &game.seen(), &budget, Seed(seed));
        let other = pimc.search(&game, &game.seen(), &budget, Seed(seed));
        assert_eq!(one, other);
    }
}

/// In every world both searches value the root's actions alike at depth 1, whatever the machinery: the mean
/// of the worlds' own values.
#[test]
fn with_one_world_every_depth_finds_its_value() {
    for i in 0..10 {
        let mut rng = Seed(72).index(i).simulation(0);
        let mut leaf = |rng: &mut SimRng| f64::from(rng.below(3)) - 1.0;
        let game = Veiled::random(1, &[0, 1, 0, 1], 2, false, &mut rng, &mut leaf);
        let truth = game.open(0, 0);
        for depth in 1..=4 {
            let decision = search(&game, depth, 20_000, i);
            let chosen = game.children(0)[usize::from(decision.action)];
            assert_eq!(game.open(chosen, 0), truth, "depth {depth}");
            let believed = decision.chosen().mean;
            assert!((believed - truth).abs() < 0.2, "{believed} {truth}");
        }
    }
}

/// The opponent sees the world: with tokens it is taken to, with keys it is known to.
#[test]
fn keys_and_sight_agree_where_the_others_know_the_world() {
    let sight = Knowledge::Sight(Sight::public());
    for i in 0..10 {
        let mut rng = Seed(73).index(i).simulation(0);
        let mut leaf = |rng: &mut SimRng| 2.0 * rng.unit() - 1.0;
        let game = Veiled::random(4, &[0, 1, 0], 2, false, &mut rng, &mut leaf);
        let decide = |knowledge| {
            let mut epimc: Epimc<Veiled, _> = Epimc::new(settings(3, 32), knowledge, AnyWorld);
            let budget = Budget::simulations(12_800);
            epimc.search(&game, &game.seen(), &budget, Seed(i)).unwrap()
        };
        let (keys, tokens) = (decide(Knowledge::of_keys()), decide(sight));
        // They differ by which nodes share worlds drawn twice.
        assert_eq!(keys.action, tokens.action);
        assert!((keys.chosen().mean - tokens.chosen().mean).abs() < 0.1);
    }
}

#[test]
fn the_result_depends_on_the_seed_alone() {
    let mut rng = Seed(74).simulation(0);
    let mut leaf = |rng: &mut SimRng| 2.0 * rng.unit() - 1.0;
    let game = Veiled::random(8, &[0, 1, 0], 3, true, &mut rng, &mut leaf);
    let budget = Budget::simulations(2_000);
    let mut decisions = Vec::new();
    let mut used: Epimc<Veiled, _> = Epimc::new(settings(2, 16), Knowledge::of_keys(), AnyWorld);
    used.search(&game, &game.seen(), &budget, Seed(5)).unwrap();
    for threads in [1, 2, 3, 7] {
        used.pimc.settings.search = TreeSettings {
            threads,
            ..TreeSettings::default()
        };
        decisions.push(used.search(&game, &game.seen(), &budget, Seed(6)).unwrap());
    }
    assert!(decisions.iter().all(|d| *d == decisions[0]));
    assert_eq!(decisions[0].effort.simulations, 2_000);
    assert!(decisions[0].effort.deterministic);
}

#[test]
fn small_budgets_and_caps() {
    let mut rng = Seed(75).simulation(0);
    let mut leaf = |rng: &mut SimRng| 2.0 * rng.unit() - 1.0;
    let game = Veiled::random(8, &[0, 1, 0], 3, true, &mut rng, &mut leaf);
    let mut epimc: Epimc<Veiled, _> = Epimc::new(settings(2, 16), Knowledge::of_keys(), AnyWorld);
    let mut ask = |budget: Budget| epimc.search(&game, &game.seen(), &budget, Seed(1));
    assert_eq!(ask(Budget::simulations(0)), Err(SearchError::EmptyBudget));
    for sims in [1, 2, 3] {
        let decision = ask(Budget::simulations(sims)).unwrap();
        let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
        assert_eq!((visits, decision.effort.worlds), (sims, sims));
        assert!(decision.action < 3);
    }
    let decision = ask(Budget::simulations(500).with_nodes(9)).unwrap();
    assert!(decision.effort.edges <= 9 && decision.effort.refused_expansions > 0);
    let decision = ask(Budget::simulations(500).with_bytes(600)).unwrap();
    assert!(decision.effort.bytes <= 600 && decision.effort.refused_expansions > 0);
    let decision = ask(Budget::simulations(500).with_nodes(2)).unwrap();
    assert!(decision.candidates.iter().all(|c| c.visits == 0));
}

#[test]
fn settings_and_broken_information_sets_are_errors() {
    let mut game = Veiled::new(2, 1);
    let leaf = game.leaf(&[1.0, 0.0]);
    let (two, three) = (game.decide(0, &[leaf; 2]), game.decide(0, &[leaf; 3]));
    let game = game.root(0, &[two, three]);
    let budget = Budget::simulations(100);
    let ask = |depth, worlds, knowledge| {
        let mut epimc: Epimc<Veiled, _> = Epimc::new(settings(depth, worlds), knowledge, AnyWorld);
        epimc.search(&game, &game.seen(), &budget, Seed(1))
    };
    let keys = Knowledge::of_keys();
    for (depth, worlds) in [(0, 5), (2, 0)] {
        let error = ask(depth, worlds, keys).unwrap_err();
        assert!(matches!(error, SearchError::BadSetting { .. }), "{error}");
    }
    let broken = Knowledge::Keys(|_: &Veiled, _: &At, _: Player| 1);
    assert_eq!(
        ask(2, 5, broken),
        Err(SearchError::MixedActions { player: 0 })
    );
    let over = At {
        world: 0,
        node: leaf,
    };
    let seen = game.observe(&over, Player::new(0));
    assert!(AnyWorld.plan(&game, &seen).is_ok());
    let mut epimc: Epimc<Veiled, _> = Epimc::new(settings(2, 5), keys, AnyWorld);
    let error = epimc.search(&game, &seen, &budget, Seed(1));
    assert_eq!(error, Err(SearchError::TerminalRoot));
}

/// Not a number.
struct Nonsense;

impl LeafEvaluator<Veiled> for Nonsense {
    fn evaluate(&self, _: &Veiled, _: &mut At, _: &mut SimRng, _: &mut Vec<u8>) -> Evaluation {
        Evaluation {
            returns: Returns::zero_sum(f64::NAN),
            ending: Ending::CutOff,
        }
    }
}

#[test]
fn returns_that_are_no_numbers_are_errors() {
    let mut rng = Seed(76).simulation(0);
    let mut leaf = |_: &mut SimRng| 0.0;
    let game = Veiled::random(2, &[0, 1, 0], 2, false, &mut rng, &mut leaf);
    for depth in 1..=3 {
        let keys = Knowledge::of_keys();
        let mut epimc: Epimc<Veiled, _, _> =
            Epimc::with(settings(depth, 2), keys, AnyWorld, Nonsense);
        let error = epimc.search(&game, &game.seen(), &Budget::simulations(9), Seed(1));
        assert!(matches!(error, Err(SearchError::NonFiniteReturn { .. })));
    }
}

/// Trap 27: keys of two players that happen to be equal are two decisions. Player 1 would give player 0
/// nothing but -1 behind the first action, player 0 takes 0.5 behind the second.
#[test]
fn equal_keys_of_two_players_are_two_decisions() {
    let mut game = Veiled::new(1, 2);
    let [good, bad, half, worst] = [1.0, -1.0, 0.5, -0.9].map(|v| game.leaf(&[v]));
    let theirs = game.decide(1, &[good, bad]);
    let own = game.decide(0, &[half, worst]);
    let game = game.root(0, &[theirs, own]);
    let one_key = Knowledge::Keys(|_, _, _| 5);
    let mut epimc: Epimc<Veiled, _> = Epimc::new(settings(3, 1), one_key, AnyWorld);
    let budget = Budget::simulations(6_000);
    let decision = epimc.search(&game, &game.seen(), &budget, Seed(1)).unwrap();
    assert_eq!(decision.action, 1);
    let [theirs, own] = [0, 1].map(|i| decision.candidates[i].mean);
    assert!(theirs < -0.6, "{theirs}: what player 0 would do there");
    assert!((own - 0.5).abs() < 0.1, "{own}");
}
