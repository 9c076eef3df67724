//! Kuhn poker, Leduc poker and the guess, by exact computation over their whole trees.

mod common;

use classics::kuhn::{KuhnState, KuhnView, Line, Rank, equilibrium};
use classics::leduc::{Card, LeducAction, LeducState, LeducView};
use classics::safe_guess::SafeGuessView;
use classics::solve::{
    Behaviour, FromFn, GameTree, InfoSetIndex, InitialStates, Profile, Uniform, cfr_plus,
    iimc_profile, pimc_values,
};
use classics::{Goofspiel, KuhnPoker, LeducPoker, LiarsDice, SafeGuess};
use common::{number, rows};
use search_core::game::{ChanceOutcomes, Game, InfoKey, Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::testing::chi_square;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::hash::Hash;

const FIRST: Player = Player::new(0);
const SECOND: Player = Player::new(1);

fn kuhn() -> GameTree<KuhnPoker> {
    GameTree::new(&KuhnPoker, 1_000).unwrap()
}

fn leduc() -> GameTree<LeducPoker> {
    GameTree::new(&LeducPoker, 10_000).unwrap()
}

fn nash(tree: &GameTree<KuhnPoker>, alpha: f64) -> Profile {
    tree.tabulate(&KuhnPoker, &equilibrium(alpha).unwrap())
        .unwrap()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Every state of a game, each with its probability under uniformly random play.
fn states<G>(game: &G) -> Vec<(G::State, f64)>
where
    G: InitialStates + ChanceOutcomes,
{
    let mut all = game.initial_states();
    let mut at = 0;
    while at < all.len() {
        let (state, p) = all[at].clone();
        let (mut outcomes, mut legal) = (Vec::new(), Vec::new());
        if game.turn(&state) == Turn::Chance {
            game.chance_outcomes(&state, &mut outcomes);
        }
        for &(outcome, q) in &outcomes {
            let mut next = state.clone();
            game.apply_chance(&mut next, outcome);
            all.push((next, p * q));
        }
        game.legal_actions(&state, &mut legal);
        for &action in &legal {
            let mut next = state.clone();
            game.apply(&mut next, action);
            all.push((next, p / legal.len() as f64));
        }
        at += 1;
    }
    all
}

#[test]
fn values_are_those_of_the_file() {
    for row in rows(include_str!("data/efg_values.jsonl")) {
        match row["game"].as_str().unwrap() {
            "kuhn_poker" => check_values(&KuhnPoker, &kuhn(), &row),
            "leduc_poker" => check_values(&LeducPoker, &leduc(), &row),
            // The others are checked with their own games.
            _ => {}
        }
    }
}

fn check_values<G>(game: &G, tree: &GameTree<G>, row: &serde_json::Value)
where
    G: InfoKey + InitialStates + ChanceOutcomes,
{
    let sets = |player| tree.info_sets().filter(|(_, s)| s.player == player).count() as u64;
    assert_eq!(
        row["infosets"],
        serde_json::json!([sets(FIRST), sets(SECOND)])
    );
    let uniform = tree.tabulate(game, &Uniform).unwrap();
    assert_eq!(uniform, tree.uniform());
    let value = tree.value(&uniform);
    close(value[0], number(row, "uniform_vs_uniform_p0"), 1e-9);
    close(value[0] + value[1], 0.0, 1e-12);
    for (player, key) in [
        (FIRST, "best_response_p0_vs_uniform"),
        (SECOND, "best_response_p1_vs_uniform"),
    ] {
        let answer = tree.best_response(&uniform, player);
        close(answer.value, number(row, key), 1e-6);
        // The strategy earns what it claims, and no single change of one decision earns more.
        close(tree.value(&answer.profile).of(player), answer.value, 1e-12);
        close(
            tree.best_response(&answer.profile, player).value,
            answer.value,
            1e-12,
        );
    }
}

#[test]
fn kuhn_best_responses_to_uniform_are_those_of_the_file() {
    let row = &rows(include_str!("data/efg_values.jsonl"))[0];
    let tree = kuhn();
    for (player, key) in [
        (FIRST, "br_policy_p0_vs_uniform"),
        (SECOND, "br_policy_p1_vs_uniform"),
    ] {
        let answer = tree.best_response(&tree.uniform(), player).profile;
        let mut compared = 0;
        for (index, set) in tree.info_sets().filter(|(_, s)| s.player == player) {
            let line = match set.key.line {
                Line::Start => "",
                Line::Check => "p",
                Line::Bet => "b",
                _ => "pb",
            };
            let action = row[key][format!("{}{line}", set.key.card as u8)]
                .as_u64()
                .unwrap();
            assert_eq!(answer[index][action as usize], 1.0, "{:?}", set.key);
            compared += 1;
        }
        assert_eq!(compared, 6);
    }
}

#[test]
fn kuhn_equilibria_cannot_be_exploited() {
    let tree = kuhn();
    for alpha in [0.0, 0.1, 0.2, 1.0 / 3.0] {
        let profile = nash(&tree, alpha);
        close(tree.value(&profile)[0], -1.0 / 18.0, 1e-12);
        close(tree.nash_conv(&profile), 0.0, 1e-12);
    }
    for alpha in [-0.01, 0.4, f64::NAN] {
        assert!(equilibrium(alpha).is_err());
    }
    // Off the family it can: bluffing too much, and calling with the queen too rarely.
    let mut table = equilibrium(0.0).unwrap();
    let queen = KuhnView {
        player: SECOND,
        card: Rank::Queen,
        line: Line::Bet,
        shown: None,
    };
    table.insert(queen, vec![1.0, 0.0]);
    let profile = tree.tabulate(&KuhnPoker, &table).unwrap();
    assert!(tree.exploitability(&profile) > 0.01);
    table.insert(queen, vec![0.5, 0.4]);
    assert!(tree.tabulate(&KuhnPoker, &table).is_err());
    table.insert(queen, vec![1.5, -0.5]);
    assert!(tree.tabulate(&KuhnPoker, &table).is_err());
}

#[test]
fn regret_minimisation_finds_the_values() {
    let tree = kuhn();
    let profile = cfr_plus(&tree, 2_000);
    close(tree.value(&profile)[0], -1.0 / 18.0, 1e-4);
    assert!(tree.nash_conv(&profile) < 1e-3);

    let tree = leduc();
    let profile = cfr_plus(&tree, 600);
    let gap = tree.nash_conv(&profile);
    assert!(gap < 2e-3, "{gap}");
    // Each player secures the value to within the gap.
    let second = -tree.best_response(&profile, SECOND).value;
    let first = tree.best_response(&profile, FIRST).value;
    let value = -0.085_606_424;
    assert!(second <= value && value <= first && first - second < 2e-3);
    close(tree.value(&profile)[0], value, 1e-3);
}

#[test]
fn best_responses_are_the_best_of_all_pure_strategies() {
    // The responder's 64 pure strategies, one by one, against random opponents.
    let tree = kuhn();
    for index in 0..20 {
        let mut rng = Seed(21).simulation(index);
        let draws: BTreeMap<KuhnView, Vec<f64>> = tree
            .info_sets()
            .map(|(_, set)| {
                let p = rng.unit();
                (set.key, vec![p, 1.0 - p])
            })
            .collect();
        let profile = tree.tabulate(&KuhnPoker, &draws).unwrap();
        for player in [FIRST, SECOND] {
            let own: Vec<KuhnView> = draws
                .keys()
                .copied()
                .filter(|k| k.player == player)
                .collect();
            let mut best = f64::NEG_INFINITY;
            for bits in 0..64_u32 {
                let mut table = draws.clone();
                for (i, key) in own.iter().enumerate() {
                    let second = f64::from(bits >> i & 1);
                    table.insert(*key, vec![1.0 - second, second]);
                }
                let pure = tree.tabulate(&KuhnPoker, &table).unwrap();
                best = best.max(tree.value(&pure).of(player));
            }
            close(tree.best_response(&profile, player).value, best, 1e-12);
            // What the responder did before does not matter, even where it never came this way.
            for row in [[1.0, 0.0], [0.0, 1.0]] {
                let table: BTreeMap<KuhnView, Vec<f64>> =
                    own.iter().map(|key| (*key, row.to_vec())).collect();
                let before = tree.tabulate(&KuhnPoker, &table).unwrap();
                let before = tree.with_player(&profile, player, &before);
                close(tree.best_response(&before, player).value, best, 1e-12);
            }
        }
    }
}

/// T-HI1 and T-HI3 over every state: key, view and legal actions go together.
fn check_keys<G>(game: &G)
where
    G: InfoKey<Observation: Ord + Clone> + InitialStates + ChanceOutcomes,
{
    let mut by_key = BTreeMap::new();
    let mut by_view = BTreeMap::new();
    for (state, _) in states(game) {
        for player in (0..game.num_players()).map(Player::new) {
            let (key, view) = (game.info_key(&state, player), game.observe(&state, player));
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            let facts = (view.clone(), legal);
            let known = by_key.entry(key.clone()).or_insert_with(|| facts.clone());
            assert!(*known == facts, "{key:?}");
            let known = by_view.entry(view).or_insert_with(|| key.clone());
            assert!(*known == key, "{key:?}");
        }
    }
}

#[test]
fn t_hi1_t_hi3_keys_and_views_agree() {
    check_keys(&KuhnPoker);
    check_keys(&LeducPoker);
    check_keys(&SafeGuess::default());
    check_keys(&LiarsDice::new(4).unwrap());
}

/// T-HI2: replays `state` with another card for the other player; nothing that `player` sees may
/// change before the showdown.
#[test]
fn t_hi2_the_other_card_is_never_seen_before_the_showdown() {
    for (state, _) in states(&KuhnPoker) {
        for (me, card) in [0, 1].map(|me| state.cards().map(|c| (me, c))).concat() {
            let mut cards = state.cards();
            cards[1 - me] = card;
            for other in Rank::ALL {
                cards[1 - me] = other;
                let Some(twin) = KuhnState::new(cards, state.line()) else {
                    continue;
                };
                let player = Player::new(me);
                let same = KuhnPoker.observe(&state, player) == KuhnPoker.observe(&twin, player);
                assert_eq!(same, twin == state || !state.line().is_showdown());
            }
        }
    }
    let mut rng = Seed(22).simulation(0);
    let mut showdowns = 0;
    for _ in 0..3_000 {
        let mut state = LeducPoker.initial_state(&mut rng);
        let others = Card::all().filter(|c| !state.cards().contains(c));
        let mut twins: Vec<LeducState> = others
            .filter_map(|other| LeducState::new([state.cards()[0], other]))
            .collect();
        loop {
            let (mine, twin_views): (LeducView, Vec<LeducView>) = (
                LeducPoker.observe(&state, FIRST),
                twins.iter().map(|t| LeducPoker.observe(t, FIRST)).collect(),
            );
            if mine.shown.is_some() {
                assert!(twin_views.iter().all(|view| *view != mine));
                showdowns += 1;
            } else {
                assert!(twin_views.iter().all(|view| *view == mine));
            }
            match LeducPoker.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let card = LeducPoker.sample_chance(&state, &mut rng);
                    twins.retain(|twin| twin.cards()[1] != card);
                    LeducPoker.apply_chance(&mut state, card);
                    twins
                        .iter_mut()
                        .for_each(|t| LeducPoker.apply_chance(t, card));
                }
                Turn::Player(_) => {
                    let mut legal = Vec::new();
                    LeducPoker.legal_actions(&state, &mut legal);
                    let action = rng.pick(&legal).unwrap();
                    LeducPoker.apply(&mut state, action);
                    twins.iter_mut().for_each(|t| LeducPoker.apply(t, action));
                }
            }
        }
    }
    assert!(showdowns > 100);
}

/// T-DT2 and T-DT3: in every information set, exactly the states that are possible are drawn, and
/// each as often as chance alone makes it.
fn check_worlds<G, D>(game: &G, determinizer: &D, draws: u32)
where
    G: InfoKey<State: Ord + Debug, Observation: Ord + Hash> + InitialStates + ChanceOutcomes,
    D: Determinizer<G>,
{
    let mut sets: BTreeMap<(Player, G::Observation), BTreeSet<G::State>> = BTreeMap::new();
    for (state, _) in states(game) {
        if let Turn::Player(player) = game.turn(&state) {
            let view = game.observe(&state, player);
            sets.entry((player, view)).or_default().insert(state);
        }
    }
    for (index, ((_, view), worlds)) in sets.iter().enumerate() {
        let plan = determinizer.plan(game, view).unwrap();
        let mut world = determinizer.scratch(game, view, &plan);
        let mut rng = Seed(23).simulation(index as u64);
        let mut counts: BTreeMap<&G::State, u64> = worlds.iter().map(|w| (w, 0)).collect();
        for _ in 0..draws {
            let weight = determinizer.sample(game, view, &plan, &mut rng, &mut world);
            assert_eq!(weight, 0.0);
            match counts.get_mut(&world) {
                Some(count) => *count += 1,
                None => panic!("{world:?} is not possible"),
            }
        }
        let counts: Vec<u64> = counts.into_values().collect();
        assert!(counts.iter().all(|c| *c > 0), "{counts:?}");
        chi_square(&counts, &vec![1.0; counts.len()]).unwrap();
    }
}

#[test]
fn t_dt2_t_dt3_worlds_are_complete_and_uniform() {
    check_worlds(&KuhnPoker, &KuhnPoker.determinizer(), 2_000);
    check_worlds(&LeducPoker, &LeducPoker.determinizer(), 1_000);
    let liars = LiarsDice::new(3).unwrap();
    check_worlds(&liars, &liars.determinizer(), 1_000);
    for cards in [2, 3, 4] {
        let goofspiel = Goofspiel::new(cards).unwrap();
        check_worlds(&goofspiel, &goofspiel.determinizer(), 2_000);
    }
    check_worlds(
        &SafeGuess::default(),
        &SafeGuess::default().determinizer(),
        2_000,
    );
}

#[test]
fn deals_are_uniform() {
    let mut kuhn: BTreeMap<KuhnState, u64> = BTreeMap::new();
    let mut leduc: BTreeMap<LeducState, u64> = BTreeMap::new();
    let mut rng = Seed(24).simulation(0);
    for _ in 0..60_000 {
        *kuhn.entry(KuhnPoker.initial_state(&mut rng)).or_default() += 1;
        *leduc.entry(LeducPoker.initial_state(&mut rng)).or_default() += 1;
    }
    let check = |counts: Vec<u64>, deals: usize| {
        assert_eq!(counts.len(), deals);
        chi_square(&counts, &vec![1.0; deals]).unwrap();
    };
    check(kuhn.into_values().collect(), 6);
    check(leduc.into_values().collect(), 30);
    assert_eq!(KuhnPoker.initial_states().len(), 6);
    assert_eq!(LeducPoker.initial_states().len(), 30);
}

#[test]
fn t_dt6_contradictions_are_refused() {
    let kuhn = |text: &str| {
        let view = KuhnPoker.parse_observation(text).unwrap();
        KuhnPoker.determinizer().plan(&KuhnPoker, &view).is_err()
    };
    assert!(kuhn("player=0 card=K played=check,check"));
    assert!(kuhn("player=0 card=K played=check,check shown=K"));
    assert!(kuhn("player=0 card=K played=check shown=Q"));
    assert!(!kuhn("player=0 card=K played=check,check shown=Q"));
    let leduc = |text: &str| {
        let view = LeducPoker.parse_observation(text).unwrap();
        LeducPoker.determinizer().plan(&LeducPoker, &view).is_err()
    };
    assert!(leduc("card=Ks public=Ks played=call,call/"));
    assert!(leduc("card=Ks played=raise shown=Qs"));
    assert!(leduc(
        "player=0 card=Ks public=Qs played=call,call/call,call shown=Qs"
    ));
    assert!(leduc(
        "player=0 card=Ks public=Qs played=call,call/call,call"
    ));
    assert!(!leduc(
        "player=0 card=Ks public=Qs played=call,call/call,call shown=Kh"
    ));
    let guess = SafeGuess::default();
    let view = SafeGuessView {
        progress: classics::safe_guess::Progress::Choice,
        shown: Some(classics::safe_guess::Coin::Heads),
    };
    assert!(guess.determinizer().plan(&guess, &view).is_err());
}

#[test]
fn positions_that_cannot_be_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "`card=` is missing"),
        ("card=A", "not a card"),
        ("card=K played=bet,check", "`check` in played"),
        ("card=K played=check,check", "`player=` is missing"),
        ("player=2 card=K", "should be 0 to 1"),
        ("card=K hand=Q", "unknown key `hand`"),
        ("card=K card=Q", "given twice"),
        ("card", "has no `=`"),
    ] {
        let error = KuhnPoker.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    for (text, reason) in [
        ("card=K", "not a card"),
        ("card=Ks played=fold", "cannot be played"),
        ("player=0 card=Ks played=,,", "`` cannot be played"),
        ("player=0 card=Ks played=call,-", "`-` cannot be played"),
        ("card=Ks played=raise,raise,raise", "cannot be played"),
        ("card=Ks played=call,call/call", "needs public="),
        (
            "card=Ks public=Qs played=call",
            "before the first round is over",
        ),
        (
            "card=Ks public=Qs played=call,call/call,call/call",
            "needs public=",
        ),
    ] {
        let error = LeducPoker.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn leduc_pays_as_the_rules_say() {
    use LeducAction::{Call, Fold, Raise};
    let cases: [(&str, &[LeducAction], &str, f64); 6] = [
        ("JsQs", &[Raise, Fold], "", 1.0),
        ("KsQs", &[Call, Raise, Fold], "", -1.0),
        ("KsQs", &[Call, Call, Call, Call], "Js", 1.0),
        (
            "JsQs",
            &[Raise, Raise, Call, Raise, Raise, Call],
            "Jh",
            13.0,
        ),
        ("KsKh", &[Raise, Call, Call, Call], "Js", 0.0),
        ("KsQs", &[Raise, Call, Call, Raise, Call], "Qh", -7.0),
    ];
    for (cards, actions, public, expected) in cases {
        let card = |text: &str| Card::all().find(|c| c.to_string() == text).unwrap();
        let mut state = LeducState::new([card(&cards[..2]), card(&cards[2..])]).unwrap();
        for action in actions {
            if LeducPoker.turn(&state) == Turn::Chance {
                LeducPoker.apply_chance(&mut state, card(public));
            }
            LeducPoker.apply(&mut state, *action);
        }
        assert_eq!(LeducPoker.turn(&state), Turn::Terminal);
        assert_eq!(
            LeducPoker.returns(&state)[..],
            [expected, -expected],
            "{cards}"
        );
    }
}

/// Every way of breaking PIMC's ties in the seat of `player`: `profile` with that player's strategy
/// replaced.
fn pimc_profiles(tree: &GameTree<KuhnPoker>, profile: &Profile, player: Player) -> Vec<Profile> {
    let own: BTreeMap<InfoSetIndex, Vec<f64>> = pimc_values(tree).into_iter().collect();
    let mut tables: Vec<BTreeMap<KuhnView, Vec<f64>>> = vec![BTreeMap::new()];
    for (index, set) in tree.info_sets() {
        let values = &own[&index];
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let choices: Vec<usize> = (0..values.len())
            .filter(|i| best - values[*i] < 1e-9)
            .collect();
        tables = tables
            .iter()
            .flat_map(|table| {
                let choices = if set.player == player {
                    &choices[..]
                } else {
                    &[0]
                };
                choices.iter().map(|choice| {
                    let mut row = vec![0.0; values.len()];
                    row[*choice] = 1.0;
                    let mut table = table.clone();
                    table.insert(set.key, row);
                    table
                })
            })
            .collect();
    }
    tables
        .iter()
        .map(|table| {
            let pimc = tree.tabulate(&KuhnPoker, table).unwrap();
            tree.with_player(profile, player, &pimc)
        })
        .collect()
}

#[test]
fn t_is9_pimc_in_kuhn_is_what_enumeration_says() {
    let tree = kuhn();
    // In the first seat: -1/18 against every equilibrium, however its ties are broken …
    for alpha in [0.0, 0.2, 1.0 / 3.0] {
        let profiles = pimc_profiles(&tree, &nash(&tree, alpha), FIRST);
        assert!(!profiles.is_empty());
        for profile in profiles {
            close(tree.value(&profile)[0], -1.0 / 18.0, 1e-12);
        }
    }
    // … and -1/6 against a best response, in either seat and however its ties are broken.
    for (player, other) in [(FIRST, SECOND), (SECOND, FIRST)] {
        for profile in pimc_profiles(&tree, &tree.uniform(), player) {
            close(
                -tree.best_response(&profile, other).value,
                -1.0 / 6.0,
                1e-12,
            );
        }
    }
    // In the second seat against the equilibrium that never bluffs, the king after a check is a
    // tie, and it decides: +1/18 when it bets, 0 when it checks.
    let king = KuhnView {
        player: SECOND,
        card: Rank::King,
        line: Line::Check,
        shown: None,
    };
    let (index, _) = tree.info_sets().find(|(_, set)| set.key == king).unwrap();
    let profiles = pimc_profiles(&tree, &nash(&tree, 0.0), SECOND);
    let bets: Vec<f64> = profiles.iter().map(|p| p[index][1]).collect();
    assert!(bets.contains(&0.0) && bets.contains(&1.0));
    for (profile, bets) in profiles.iter().zip(bets) {
        close(tree.value(profile)[1], bets / 18.0, 1e-12);
    }
}

#[test]
fn random_play_in_kuhn_loses_what_the_table_says() {
    let tree = kuhn();
    let uniform = tree.uniform();
    close(
        tree.best_response(&uniform, SECOND).value,
        5.0 / 12.0,
        1e-12,
    );
    close(tree.best_response(&uniform, FIRST).value, 1.0 / 2.0, 1e-12);
}

#[test]
fn pimc_gambles_and_the_best_response_does_not() {
    let game = SafeGuess::default();
    let tree = GameTree::new(&game, 100).unwrap();
    let values: Vec<Vec<f64>> = pimc_values(&tree).into_iter().map(|(_, v)| v).collect();
    assert_eq!(values, [vec![0.3, 1.0], vec![0.0, 0.0]]);
    let best = tree.best_response(&tree.uniform(), FIRST);
    close(best.value, 0.3, 1e-12);
    let gamble = FromFn(|_: &SafeGuessView, _: &[_]| vec![0.0, 1.0]);
    let profile = tree.tabulate(&game, &gamble).unwrap();
    close(tree.value(&profile)[0], 0.0, 1e-12);
    close(tree.nash_conv(&profile), 0.3, 1e-12);
}

#[test]
fn the_equilibrium_agent_plays_its_probabilities() {
    let expr: search_core::expr::Expr = "equilibrium(alpha=0.3)".parse().unwrap();
    let agent = KuhnPoker
        .agent(&expr.name, &mut expr.settings())
        .unwrap()
        .unwrap();
    let table = equilibrium(0.3).unwrap();
    for (view, row) in &table {
        let world = KuhnPoker.determinizer().plan(&KuhnPoker, view).unwrap();
        let mut cards = [view.card; 2];
        cards[1 - view.player.index()] = world[0];
        let state = KuhnState::new(cards, view.line).unwrap();
        let mut legal = Vec::new();
        KuhnPoker.legal_actions(&state, &mut legal);
        let mut counts = [0; 2];
        for index in 0..10_000 {
            let mut rng = Seed(25).simulation(index);
            let action = agent.choose(&KuhnPoker, view, &legal, &mut rng);
            counts[legal.iter().position(|a| *a == action).unwrap()] += 1;
        }
        chi_square(&counts, row).unwrap();
        assert_eq!(
            Behaviour::<KuhnPoker>::probabilities(
                &table,
                &KuhnPoker,
                view.player,
                view,
                view,
                &legal
            ),
            *row
        );
    }
    for text in ["equilibrium(alpha=0.5)", "equilibrium(alpha=x)"] {
        let expr: search_core::expr::Expr = text.parse().unwrap();
        assert!(KuhnPoker.agent(&expr.name, &mut expr.settings()).is_err());
    }
}

/// What is best in Kuhn poker when from then on everybody plays at random, worked out by hand.
#[test]
fn iimc_over_random_play_is_best_before_random_play() {
    let tree = kuhn();
    let profile = iimc_profile(&tree, &tree.uniform());
    // Bets with everything: a king earns 1.5 by it and 0.75 by checking, a queen 0.5 and -0.25, a jack -0.5
    // and -1.25. After a check too: a jack's bet is worth -0.5, checking -1. Calls with all but the jack.
    for (index, set) in tree.info_sets() {
        let bets = match (set.key.card, set.key.line) {
            (Rank::Jack, Line::Bet | Line::CheckBet) => 0.0,
            _ => 1.0,
        };
        assert_eq!(profile[index][1], bets, "{:?}", set.key);
    }
    // And nothing is better against random play in the one place where all of it is to come.
    let against = tree.with_player(&tree.uniform(), FIRST, &profile);
    let best = tree.best_response(&tree.uniform(), FIRST).value;
    close(tree.value(&against)[0], best, 1e-12);
}
