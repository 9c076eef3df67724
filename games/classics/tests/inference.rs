//! What the others did, and what players know: inference by a policy in Kuhn and Leduc poker against
//! enumeration, and EPIMC on the games of strategy fusion.

use classics::kuhn::{KuhnAction, KuhnDeals, KuhnState, KuhnView, Line, Rank, equilibrium};
use classics::leduc::{Card, LeducAction, LeducDeals, LeducState, LeducView};
use classics::safe_guess::{FairCoin, SafeGuessAction};
use classics::solve::InitialStates;
use classics::{KuhnPoker, LeducPoker, SafeGuess, TreeGame};
use search_core::budget::Budget;
use search_core::decision::SearchError;
use search_core::game::{ChanceOutcomes, Game, History, Player, Turn};
use search_core::inference::Inferring;
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::policy::{Policy, UniformRandom};
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::{
    Epimc, EpimcSettings, Flat, FlatSettings, Ismcts, Knowledge, Pimc, PimcSettings, Searcher,
    TreeSettings,
};
use search_core::weights::{Pool, Weights};

/// Bets and calls with a king only; says so only when asked to choose.
#[derive(Clone)]
struct KingsOnly;

impl Policy<KuhnPoker> for KingsOnly {
    fn choose(
        &self,
        _: &KuhnPoker,
        seen: &KuhnView,
        legal: &[KuhnAction],
        _: &mut SimRng,
    ) -> KuhnAction {
        legal[usize::from(seen.card == Rank::King)]
    }
}

/// The equilibrium, which can tell its probabilities.
fn alpha(alpha: f64) -> search_core::plugin::SharedPolicy<KuhnPoker> {
    let expr: search_core::expr::Expr = format!("equilibrium(alpha={alpha})").parse().unwrap();
    let mut settings = expr.settings();
    KuhnPoker
        .agent("equilibrium", &mut settings)
        .unwrap()
        .unwrap()
}

fn bet_upon(card: Rank) -> KuhnView {
    KuhnView {
        player: Player::new(1),
        card,
        line: Line::Bet,
        shown: None,
    }
}

fn kuhn<P: Policy<KuhnPoker>>(policy: P, epsilon: f64) -> Inferring<KuhnPoker, KuhnDeals, P> {
    let pool = Pool {
        worlds: 4_000,
        least: 0.0,
    };
    let decisions = <KuhnPoker as History>::decisions;
    let inferring = Inferring::new(KuhnDeals, decisions, policy, epsilon);
    inferring.unwrap().with_pool(pool)
}

/// The posterior of the first player's card, world by world.
fn posterior<P: Policy<KuhnPoker>>(policy: P, epsilon: f64, seen: &KuhnView) -> Vec<(Rank, f64)> {
    let inferring = kuhn(policy, epsilon);
    let others: Vec<Rank> = Rank::ALL.into_iter().filter(|r| *r != seen.card).collect();
    let logs: Vec<f64> = others
        .iter()
        .map(|&card| {
            let world = KuhnState::new([card, seen.card], seen.line).unwrap();
            let mut rng = Seed(1).simulation(0);
            inferring.log_likelihood(&KuhnPoker, seen, &world, &mut rng)
        })
        .collect();
    let weights = Weights::from_logs(&logs).unwrap();
    others
        .into_iter()
        .zip(weights.as_slice().to_vec())
        .collect()
}

#[test]
fn who_bets_with_kings_only_has_the_king() {
    let seen = bet_upon(Rank::Queen);
    assert_eq!(
        posterior(KingsOnly, 0.0, &seen),
        [(Rank::Jack, 0.0), (Rank::King, 1.0)]
    );
    // 0.8 + 0.2 / 2 against 0.2 / 2.
    let [(_, jack), (_, king)] = posterior(KingsOnly, 0.2, &seen)[..] else {
        panic!("two worlds");
    };
    assert!((jack - 0.1).abs() < 1e-12 && (king - 0.9).abs() < 1e-12);
    // The equilibrium bets a jack with probability alpha and a king with 3 alpha; a queen never.
    let [(_, jack), (_, king)] = posterior(alpha(0.2), 0.0, &seen)[..] else {
        panic!("two worlds");
    };
    assert!((jack - 0.25).abs() < 1e-12 && (king - 0.75).abs() < 1e-12);
    let table = equilibrium(0.2).unwrap();
    assert!(
        (table[&KuhnView {
            player: Player::new(0),
            card: Rank::King,
            line: Line::Start,
            shown: None
        }][1]
            - 0.6)
            .abs()
            < 1e-12
    );
    // With the jack in hand the queen never bets, so nothing but the king is left.
    assert_eq!(posterior(alpha(0.2), 0.0, &bet_upon(Rank::Jack))[0].1, 0.0);
}

/// T-DT9: what the searcher did tells the searcher nothing, however unlikely it was: this equilibrium never
/// checks with a king.
#[test]
fn t_dt9_own_decisions_are_not_weighed() {
    let seen = KuhnView {
        player: Player::new(0),
        card: Rank::King,
        line: Line::CheckBet,
        shown: None,
    };
    let inferring = kuhn(alpha(1.0 / 3.0), 0.0);
    let log = |other| {
        let world = KuhnState::new([Rank::King, other], seen.line).unwrap();
        let mut rng = Seed(1).simulation(0);
        inferring.log_likelihood(&KuhnPoker, &seen, &world, &mut rng)
    };
    // A jack bluffs once in three, a queen never.
    assert!((log(Rank::Jack) - libm::log(1.0 / 3.0)).abs() < 1e-12);
    assert_eq!(log(Rank::Queen), f64::NEG_INFINITY);
}

/// The value of calling is that under the posterior, in every search.
#[test]
fn searches_believe_the_posterior() {
    let seen = bet_upon(Rank::Queen);
    let budget = Budget::simulations(8_000);
    let inferring = kuhn(KingsOnly, 0.2);
    let mut searchers: Vec<(Box<dyn Searcher<KuhnPoker>>, f64)> = vec![
        (
            Box::new(Flat::new(FlatSettings::default(), inferring.clone())),
            4_000.0,
        ),
        (
            Box::new(Ismcts::new(TreeSettings::default(), inferring.clone())),
            100.0,
        ),
        (
            Box::new(Pimc::<KuhnPoker, _>::new(
                PimcSettings {
                    worlds: 400,
                    ..PimcSettings::default()
                },
                inferring,
            )),
            400.0,
        ),
    ];
    for (searcher, worlds) in &mut searchers {
        let decision = searcher
            .search(&KuhnPoker, &seen, &budget, Seed(3))
            .unwrap();
        assert_eq!(decision.action, KuhnAction::Fold);
        let effort = &decision.effort;
        // (1/2)^2 / ((0.9^2 + 0.1^2) / 2) of the worlds.
        assert_eq!(effort.worlds, 4_000);
        assert!((effort.effective_sample_size / 4_000.0 - 0.25 / 0.41).abs() < 0.03);
        let call = decision.candidate(KuhnAction::Call).unwrap();
        // 2 against the jack and -2 against the king, and the share of kings in the pool.
        let variance = 16.0 * 0.09 * (1.0 / *worlds + 1.0 / effort.effective_sample_size);
        assert!((call.mean + 1.6).abs() < 5.0 * variance.sqrt(), "{call:?}");
    }
}

#[test]
fn a_uniform_policy_tells_nothing() {
    let budget = Budget::simulations(4_000);
    for seen in [bet_upon(Rank::Queen), bet_upon(Rank::Jack)] {
        for epsilon in [0.0, 0.3, 1.0] {
            let mut inferring = Flat::new(FlatSettings::default(), kuhn(UniformRandom, epsilon));
            let found = inferring
                .search(&KuhnPoker, &seen, &budget, Seed(4))
                .unwrap();
            assert_eq!(found.effort.effective_sample_size, 4_000.0);
            let mut plain = Flat::new(FlatSettings::default(), KuhnDeals);
            let other = plain.search(&KuhnPoker, &seen, &budget, Seed(5)).unwrap();
            for (a, b) in found.candidates.iter().zip(&other.candidates) {
                let sigma = (a.std_error.powi(2) + b.std_error.powi(2) + 4.0 / 4_000.0).sqrt();
                assert!((a.mean - b.mean).abs() <= 5.0 * sigma, "{a:?} {b:?}");
            }
        }
    }
    // And with a policy that is never believed.
    let [(_, a), (_, b)] = posterior(KingsOnly, 1.0, &bet_upon(Rank::Queen))[..] else {
        panic!("two worlds");
    };
    assert_eq!((a, b), (0.5, 0.5));
}

#[test]
fn impossible_histories_and_settings_are_errors() {
    let mut flat = Flat::new(FlatSettings::default(), kuhn(KingsOnly, 0.0));
    // Holding the king oneself, nobody else would have bet.
    let seen = bet_upon(Rank::King);
    let error = flat.search(&KuhnPoker, &seen, &Budget::simulations(50), Seed(1));
    assert!(matches!(error, Err(SearchError::NoWeight(_))), "{error:?}");
    for epsilon in [-0.1, 1.1, f64::NAN] {
        let decisions = <KuhnPoker as History>::decisions;
        let made = Inferring::new(KuhnDeals, decisions, KingsOnly, epsilon);
        assert!(matches!(made.err(), Some(SearchError::BadSetting { .. })));
    }
}

/// Raises with the better cards, most of the time; folds the worst ones.
struct Loose;

impl Loose {
    fn table(&self, seen: &LeducView, legal: &[LeducAction]) -> Vec<f64> {
        let pair = seen
            .table
            .public()
            .is_some_and(|p| p.rank() == seen.card.rank());
        let wish = |action: &LeducAction| match action {
            LeducAction::Raise => {
                0.1 + 0.4 * f64::from(seen.card.rank() as u8) + 2.0 * f64::from(u8::from(pair))
            }
            LeducAction::Call => 0.7,
            LeducAction::Fold => 0.9 - 0.4 * f64::from(seen.card.rank() as u8).min(2.0) + 0.2,
        };
        let sum: f64 = legal.iter().map(wish).sum();
        legal.iter().map(|a| wish(a) / sum).collect()
    }
}

impl Policy<LeducPoker> for Loose {
    fn choose(
        &self,
        _: &LeducPoker,
        seen: &LeducView,
        legal: &[LeducAction],
        rng: &mut SimRng,
    ) -> LeducAction {
        let mut ticket = rng.unit();
        for (action, p) in legal.iter().zip(self.table(seen, legal)) {
            if ticket < p {
                return *action;
            }
            ticket -= p;
        }
        legal[0]
    }

    fn probability(
        &self,
        _: &LeducPoker,
        seen: &LeducView,
        legal: &[LeducAction],
        action: LeducAction,
    ) -> Option<f64> {
        let i = legal.iter().position(|a| *a == action)?;
        Some(self.table(seen, legal)[i])
    }
}

/// The same policy, which does not say how likely it plays what.
struct Silent;

impl Policy<LeducPoker> for Silent {
    fn choose(
        &self,
        game: &LeducPoker,
        seen: &LeducView,
        legal: &[LeducAction],
        rng: &mut SimRng,
    ) -> LeducAction {
        Loose.choose(game, seen, legal, rng)
    }
}

const EPSILON: f64 = 0.2;

/// The probability of every world of `seen`, by playing all games from all deals.
fn enumerated(seen: &LeducView) -> Vec<(LeducState, f64)> {
    let game = LeducPoker;
    let mut found: Vec<(LeducState, f64)> = Vec::new();
    let mut open = game.initial_states();
    while let Some((state, p)) = open.pop() {
        if game.observe(&state, seen.player) == *seen {
            found.push((state, p));
        }
        match game.turn(&state) {
            Turn::Terminal => {}
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance_outcomes(&state, &mut outcomes);
                for (outcome, q) in outcomes {
                    let mut next = state;
                    game.apply_chance(&mut next, outcome);
                    open.push((next, p * q));
                }
            }
            Turn::Player(player) => {
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                let table = Loose.table(&game.observe(&state, player), &legal);
                for (action, q) in legal.iter().zip(table) {
                    let mut next = state;
                    game.apply(&mut next, *action);
                    let soft = (1.0 - EPSILON) * q + EPSILON / legal.len() as f64;
                    // What the observer did himself says nothing.
                    let q = if player == seen.player { 1.0 } else { soft };
                    open.push((next, p * q));
                }
            }
        }
    }
    let sum: f64 = found.iter().map(|(_, p)| p).sum();
    found.iter_mut().for_each(|(_, p)| *p /= sum);
    found
}

/// T-DT9 for worlds by inference: in Leduc poker, exactly for a policy that tells its probabilities, within
/// 5 sigma for one that does not.
#[test]
fn t_dt9_the_posterior_of_leduc_poker_is_that_of_enumeration() {
    let game = LeducPoker;
    for text in [
        "player=1 card=Qs played=raise",
        "player=0 card=Js played=call,raise",
        "player=0 card=Ks public=Qh played=call,raise,call/call,raise",
        "player=1 card=Qs public=Jh played=raise,raise,call/raise",
    ] {
        let seen = game.parse_observation(text).unwrap();
        let truth = enumerated(&seen);
        assert!(truth.len() >= 4, "{text}");
        let decisions = <LeducPoker as History>::decisions;
        let exact = Inferring::new(LeducDeals, decisions, Loose, EPSILON).unwrap();
        let mut rng = Seed(9).simulation(0);
        let logs: Vec<f64> = truth
            .iter()
            .map(|(world, _)| exact.log_likelihood(&game, &seen, world, &mut rng))
            .collect();
        let weights = Weights::from_logs(&logs).unwrap();
        for ((world, p), w) in truth.iter().zip(weights.as_slice()) {
            assert!((p - w).abs() < 1e-12, "{text}: {world:?} {p} {w}");
        }
        let silent = Inferring::new(LeducDeals, decisions, Silent, EPSILON).unwrap();
        let plan = silent.plan(&game, &seen).unwrap();
        let mut world = silent.scratch(&game, &seen, &plan);
        let n = 40_000;
        let (mut logs, mut cards) = (Vec::new(), Vec::new());
        for i in 0..n {
            let mut rng = Seed(10).simulation(i);
            logs.push(silent.sample(&game, &seen, &plan, &mut rng, &mut world));
            cards.push(world.cards()[1 - seen.player.index()]);
        }
        let weights = Weights::from_logs(&logs).unwrap();
        for (state, p) in &truth {
            let card: Card = state.cards()[1 - seen.player.index()];
            let share = weights.mean(cards.iter().map(|c| f64::from(u8::from(*c == card))));
            let sigma = (p * (1.0 - p) / weights.effective_sample_size()).sqrt();
            assert!(
                (share - p).abs() < 5.0 * sigma,
                "{text}: {card} {share} {p}"
            );
        }
    }
}

fn epimc(depth: u32) -> EpimcSettings {
    EpimcSettings {
        depth,
        pimc: PimcSettings {
            worlds: 400,
            ..PimcSettings::default()
        },
    }
}

/// T-IS4: PIMC gambles, at a value near 1; EPIMC from depth 2 on and ISMCTS take the sure payment.
#[test]
fn t_is4_postponing_takes_the_sure_payment() {
    let game = SafeGuess::default();
    let seen = game.parse_observation("choice").unwrap();
    // The mean of so many coins is 0 within 0.05.
    let budget = Budget::simulations(20_000);
    for seed in 0..10 {
        let ask = |depth| {
            let keys = Knowledge::of_keys();
            let mut epimc: Epimc<SafeGuess, _> = Epimc::new(epimc(depth), keys, FairCoin);
            epimc.search(&game, &seen, &budget, Seed(seed)).unwrap()
        };
        let mut pimc: Pimc<SafeGuess, _> = Pimc::new(epimc(1).pimc, FairCoin);
        let gamble = pimc.search(&game, &seen, &budget, Seed(seed)).unwrap();
        assert_eq!(gamble.action, SafeGuessAction::Gamble);
        assert!(gamble.chosen().mean > 0.8);
        assert_eq!(ask(1), gamble);
        for depth in 2..=3 {
            assert_eq!(ask(depth).action, SafeGuessAction::Safe, "depth {depth}");
        }
        let mut ismcts: Ismcts<SafeGuess, _> = Ismcts::new(TreeSettings::default(), FairCoin);
        let safe = ismcts.search(&game, &seen, &budget, Seed(seed)).unwrap();
        assert_eq!(safe.action, SafeGuessAction::Safe);
    }
}

/// It does not correct where nothing is fused: a world that is seen before the guess may be used.
#[test]
fn what_will_be_seen_may_be_planned_with() {
    for (id, right, value) in [
        ("strategy_fusion", "L", 0.6),
        ("revealed_before_guess", "R", 1.0),
    ] {
        let game = TreeGame::builtin(id).unwrap();
        let seen = game.view(Player::new(0), "root").unwrap();
        for depth in 2..=4 {
            let keys = game.knowledge().unwrap();
            let mut search: Epimc<TreeGame, _> =
                Epimc::new(epimc(depth), keys, game.determinizer());
            let budget = Budget::simulations(4_000);
            let decision = search.search(&game, &seen, &budget, Seed(2)).unwrap();
            assert_eq!(game.label(decision.action), right, "{id} depth {depth}");
            assert!((decision.chosen().mean - value).abs() < 0.1);
        }
    }
}
