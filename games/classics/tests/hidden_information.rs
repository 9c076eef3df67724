//! Searches that go beyond SO-ISMCTS, on games whose values are known.

use classics::kuhn::{KuhnAction, KuhnDeals, KuhnState, Line, Rank};
use classics::toy::ToyWorlds;
use classics::{KuhnPoker, LeducPoker, Pig, TreeGame};
use search_core::budget::Budget;
use search_core::decision::Decision;
use search_core::game::{Game, Player, Sight, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::search::{
    Ismcts, MoIsmcts, ObservedKey, Observers, Parallel, RisMcts, Searcher, TreeSettings,
};

fn keep() -> TreeSettings {
    TreeSettings {
        keep_tree: true,
        ..TreeSettings::default()
    }
}

fn hidden_moves<G: Game, D: Determinizer<G>>(deals: D, sight: Sight<G>) -> MoIsmcts<G, D> {
    let mut search = MoIsmcts::new(keep(), deals, sight);
    search.observers = Observers::SearcherOnly;
    search
}

/// The mean return over all simulations.
fn mean<A>(decision: &Decision<A>) -> f64 {
    let visited = decision.candidates.iter().filter(|c| c.visits > 0);
    visited.map(|c| c.mean * c.policy).sum()
}

/// Trap 29. The value is 0. A tree keyed by the true move tells the guesser what was hidden, and so does
/// the searcher's own tree, which knows it: the value becomes -1 whatever the luck. With a tree for each
/// player the guesser has one node. Two players who learn by UCB1 may then go round in step for ever, so that
/// a single search may report anything from -1 to 1, but they do not agree in which step.
#[test]
fn hidden_move_pennies_leak_through_one_tree_and_not_through_two() {
    let game = TreeGame::builtin("hidden_move_pennies").unwrap();
    let budget = Budget::simulations(2_000);
    let hide = game.view(Player::new(0), "hide").unwrap();
    let mut means = Vec::new();
    for seed in 0..100 {
        let so = Ismcts::new(keep(), ToyWorlds)
            .search(&game, &hide, &budget, Seed(seed))
            .unwrap();
        assert!(mean(&so) < -0.95, "{so:?}");
        let own = hidden_moves(ToyWorlds, Sight::of_game())
            .search(&game, &hide, &budget, Seed(seed))
            .unwrap();
        assert!(mean(&own) < -0.95, "{own:?}");
        let mut search = MoIsmcts::new(keep(), ToyWorlds, Sight::of_game());
        let mo = search.search(&game, &hide, &budget, Seed(seed)).unwrap();
        means.push(mean(&mo));
        for candidate in &mo.candidates {
            // The mixed strategy of the visits is near the equilibrium, 1/2 each.
            assert!((candidate.policy - 0.5).abs() < 0.1, "{mo:?}");
        }
        // The guesser's tree: one node after the hidden move, with two guesses.
        let trees = search.trees().unwrap();
        let root = |player| {
            let key = ObservedKey::Root(Player::new(player));
            trees.nodes.iter().position(|n| n.key == key).unwrap() as u32
        };
        let below = |node: u32| -> Vec<u32> {
            let all = trees.nodes.iter().enumerate().skip(1);
            let children = all.filter(|(_, n)| n.parent == node);
            children.map(|(i, _)| i as u32).collect()
        };
        let seen = below(root(1));
        assert_eq!(seen.len(), 1);
        assert_eq!(below(seen[0]).len(), 2);
        assert_eq!(below(root(0)).len(), 2);
    }
    let kept = means.iter().filter(|mean| **mean > -0.5).count();
    assert!(kept >= 55, "{kept} of 100: {means:.2?}");
    let average = means.iter().sum::<f64>() / 100.0;
    assert!(average > -0.5, "{average}");
}

#[test]
fn toys_with_hidden_worlds_are_decided_as_by_so_ismcts() {
    let budget = Budget::simulations(20_000);
    for (id, info_set, choice) in [
        ("strategy_fusion", "root", "L"),
        ("rare_move", "w_rare", "r"),
        ("rare_move", "w_common", "x"),
        ("non_locality", "M", "b"),
    ] {
        let game = TreeGame::builtin(id).unwrap();
        let view = game.view(Player::new(0), info_set).unwrap();
        let sight = Sight::of_game();
        let mut mo = MoIsmcts::new(keep(), ToyWorlds, sight);
        let mut pom = hidden_moves(ToyWorlds, sight);
        let mut ris = RisMcts::new(keep(), ToyWorlds);
        let all: [&mut dyn Searcher<TreeGame>; 3] = [&mut mo, &mut pom, &mut ris];
        for search in all {
            let decision = search.search(&game, &view, &budget, Seed(1)).unwrap();
            assert_eq!(game.label(decision.action), choice, "{id}");
        }
    }
}

/// The means of checking and betting with a king.
fn with_the_king(search: &mut impl Searcher<KuhnPoker>) -> [f64; 2] {
    let state = KuhnState::new([Rank::King, Rank::Jack], Line::Start).unwrap();
    let view = KuhnPoker.observe(&state, Player::new(0));
    let decision = search
        .search(&KuhnPoker, &view, &Budget::simulations(50_000), Seed(1))
        .unwrap();
    [KuhnAction::Check, KuhnAction::Bet].map(|a| decision.candidate(a).unwrap().mean)
}

/// T-IS7. In SO-ISMCTS the other player answers the king that is in every world, and folds: betting and
/// checking are worth 1. With a tree for each player nothing changes, since all moves are public and the
/// deal was before the search. Redealt, the other player with the queen may hope for a jack.
#[test]
fn t_is7_only_redeals_keep_the_king_from_the_other_player() {
    let so = with_the_king(&mut Ismcts::new(keep(), KuhnDeals));
    assert!(so.iter().all(|mean| (mean - 1.0).abs() < 0.05), "{so:?}");
    let mo = with_the_king(&mut MoIsmcts::new(keep(), KuhnDeals, Sight::public()));
    assert_eq!(mo, so);
    let mut search = RisMcts::new(keep(), KuhnDeals);
    let ris = with_the_king(&mut search);
    assert!(ris[1] > 1.2 && ris[1] < 1.8, "{ris:?}");
    // The other player holds a jack or a queen, against either other card: folding costs 1, calling earns
    // (0 - 2) / 2 and so costs 1, too; checking earns (0 - 1) / 2.
    let tree = search.shared_tree().unwrap();
    let edge = |actions: [KuhnAction; 2]| {
        let mut at = 0;
        for action in actions {
            let key = ObservedKey::Action(action);
            let nodes = tree.nodes.iter().enumerate().skip(1);
            let mut found = nodes.filter(|(_, n)| n.parent == at && n.key == key);
            at = found.next().unwrap().0 as u32;
        }
        &tree.nodes[at as usize]
    };
    for (actions, value, deviation) in [
        ([KuhnAction::Bet, KuhnAction::Fold], -1.0, 0.0),
        ([KuhnAction::Bet, KuhnAction::Call], -1.0, 3.0_f64.sqrt()),
        (
            [KuhnAction::Check, KuhnAction::Check],
            -0.5,
            0.75_f64.sqrt(),
        ),
    ] {
        let edge = edge(actions);
        let n = f64::from(edge.visits);
        let mean = edge.sum / n;
        // Choices depend on the means, so the bound is wider than that of a mean of independent ones.
        let bound = 5.0 * deviation / n.sqrt() + 1e-12;
        assert!((mean - value).abs() <= 2.0 * bound, "{actions:?}: {mean}");
    }
    let calls = edge([KuhnAction::Bet, KuhnAction::Call]);
    let folds = edge([KuhnAction::Bet, KuhnAction::Fold]);
    // What the searcher gets is from the world itself: 2 for a call, 1 for a fold, as often as they happen.
    let total = f64::from(calls.visits + folds.visits);
    let expected = (2.0 * f64::from(calls.visits) + f64::from(folds.visits)) / total;
    assert!((ris[1] - expected).abs() < 1e-3, "{ris:?}, {expected}");
}

/// T-IS3 where chance moves in public: drawn cards and dice.
#[test]
fn t_is3_with_public_chance_both_are_so_ismcts_bit_for_bit() {
    fn check<G: Plugin>(game: &G, seeds: u64) {
        for seed in 0..seeds {
            let mut rng = Seed(seed).simulation(0);
            let mut state = game.initial_state(&mut rng);
            while game.turn(&state) == Turn::Chance {
                let outcome = game.sample_chance(&state, &mut rng);
                game.apply_chance(&mut state, outcome);
            }
            let Turn::Player(me) = game.turn(&state) else {
                unreachable!()
            };
            let view = game.observe(&state, me);
            for parallel in [Parallel::Serial, Parallel::Batch { size: 5 }] {
                let settings = TreeSettings { parallel, ..keep() };
                let budget = Budget::simulations(3_000);
                let said = |d: Decision<G::Action>| format!("{:?}", (d.action, d.candidates));
                let so = Ismcts::new(settings, game.determinizer())
                    .search(game, &view, &budget, Seed(seed))
                    .unwrap();
                let mut search = MoIsmcts::new(settings, game.determinizer(), Sight::public());
                let so = said(so);
                for observers in [Observers::EachPlayer, Observers::SearcherOnly] {
                    search.observers = observers;
                    let mo = search.search(game, &view, &budget, Seed(seed)).unwrap();
                    assert_eq!(said(mo), so, "{observers:?} {parallel:?}");
                }
            }
        }
    }
    check(&LeducPoker, 6);
    check(&Pig::new(20, 2).unwrap(), 2);
}

/// T-IS6: whatever the other player holds, the search of one's own position is the same, bit for bit.
/// Returns how many pairs of positions differed in what is hidden.
fn check_hidden<G: Plugin>(game: &G) -> u32 {
    let determinizer = game.determinizer();
    let mut differed = 0;
    for seed in 0..40 {
        let mut rng = Seed(seed).simulation(0);
        let mut state = game.initial_state(&mut rng);
        let mut legal = Vec::new();
        loop {
            let me = match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let outcome = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, outcome);
                    continue;
                }
                Turn::Player(me) => me,
            };
            let view = game.observe(&state, me);
            let plan = determinizer.plan(game, &view).unwrap();
            let mut twin = determinizer.scratch(game, &view, &plan);
            determinizer.sample(game, &view, &plan, &mut rng, &mut twin);
            let other = Player::new(1 - me.index());
            let shown = |state| game.picture(&game.observe(state, other));
            differed += u32::from(shown(&state) != shown(&twin));
            let run = |state: &G::State| {
                let view = game.observe(state, me);
                let budget = Budget::simulations(200);
                let mut mo = MoIsmcts::new(keep(), game.determinizer(), Sight::public());
                let mut ris = RisMcts::new(keep(), game.determinizer());
                let one = mo.search(game, &view, &budget, Seed(seed)).unwrap();
                let two = ris.search(game, &view, &budget, Seed(seed)).unwrap();
                let sums = [mo.trees(), ris.shared_tree()].map(|t| t.unwrap().checksum);
                (format!("{one:?} {two:?}"), sums)
            };
            assert_eq!(run(&state), run(&twin));
            game.legal_actions(&state, &mut legal);
            let action = legal[rng.below(legal.len() as u32) as usize];
            game.apply(&mut state, action);
        }
    }
    differed
}

#[test]
fn t_is6_the_other_hand_does_not_change_a_search() {
    for differed in [check_hidden(&KuhnPoker), check_hidden(&LeducPoker)] {
        assert!(differed > 20, "{differed}");
    }
}

/// A player cannot tell actions apart exactly where the information sets say so.
#[test]
fn toys_show_what_their_information_sets_say() {
    use search_core::game::ActionObservation;
    let game = TreeGame::builtin("hidden_move_pennies").unwrap();
    let state = game.initial_state(&mut Seed(1).stream());
    let [h, t] = ["h", "t"].map(|label| game.action(label).unwrap());
    let seen = |action, player| game.observe_action(&state, action, Player::new(player));
    assert_ne!(seen(h, 0), seen(t, 0));
    assert_eq!(seen(h, 1), seen(t, 1));
    // Of the last guess everybody sees what it was, for the game is over and shown.
    let mut guessing = state;
    game.apply(&mut guessing, h);
    let seen = |action, player| game.observe_action(&guessing, action, Player::new(player));
    for player in [0, 1] {
        assert_ne!(seen(h, player), seen(t, player));
    }
}
