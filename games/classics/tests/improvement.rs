//! Policy improvement by rollouts with exact values: H1, T-ES10, nested levels with hidden cards; and
//! SHOT on the toys.

use classics::kuhn::{KuhnDeals, KuhnState, Line, Rank};
use classics::solve::{BackwardInduction, FromFn, GameTree, Play};
use classics::tic_tac_toe::Board;
use classics::toy::ToyWorlds;
use classics::{ConnectFour, KuhnPoker, LeducPoker, Pig, SafeGuess, TicTacToe, TreeGame};
use search_core::budget::Budget;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Identity;
use search_core::plugin::Plugin;
use search_core::policy::{Policy, UniformRandom};
use search_core::rng::{Draw, Seed};
use search_core::search::{
    CommonNumbers, Flat, FlatSettings, PairedStop, RolloutImprovement, RolloutSettings, Searcher,
    Shot, ShotSettings, nested,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Every position of tic-tac-toe in which somebody is to move.
fn positions() -> Vec<Board> {
    let game = TicTacToe;
    let mut seen = BTreeSet::new();
    let mut stack = vec![game.initial_state(&mut Seed(0).stream())];
    let mut legal = Vec::new();
    while let Some(board) = stack.pop() {
        if matches!(game.turn(&board), Turn::Player(_)) && seen.insert(board) {
            game.legal_actions(&board, &mut legal);
            for &action in &legal {
                let mut next = board;
                game.apply(&mut next, action);
                stack.push(next);
            }
        }
    }
    assert_eq!(seen.len(), 4_520);
    seen.into_iter().collect()
}

fn improving(samples: u64, stop: Option<PairedStop>) -> RolloutSettings {
    RolloutSettings {
        samples,
        stop,
        ..RolloutSettings::default()
    }
}

/// H1: rollouts make at most a third of the errors of their random base, measured by exact regret;
/// paired stopping keeps that at less effort.
#[test]
fn h1_rollouts_reduce_exact_regret_on_tic_tac_toe() {
    let game = TicTacToe;
    let mut solver = BackwardInduction::new(&game);
    let (mut base, mut full, mut paired) = (0.0, 0.0, 0.0);
    let (mut spent, mut spent_paired) = (0, 0);
    for (i, board) in positions().into_iter().enumerate().step_by(3) {
        let Turn::Player(me) = game.turn(&board) else {
            unreachable!()
        };
        let values = solver.action_values(&board);
        let best = solver.value(&board).of(me);
        let regret = |action| {
            let value = values.iter().find(|(a, _)| *a == action).unwrap().1;
            best - value.of(me)
        };
        base += values.iter().map(|v| best - v.1.of(me)).sum::<f64>() / values.len() as f64;
        let run = |stop| {
            RolloutImprovement::new(improving(128, stop), Identity, UniformRandom, UniformRandom)
                .search(&game, &board, &Budget::default(), Seed(i as u64))
                .unwrap()
        };
        let (all, some) = (run(None), run(Some(PairedStop::default())));
        full += regret(all.action);
        paired += regret(some.action);
        spent += all.effort.simulations;
        spent_paired += some.effort.simulations;
    }
    println!("regret: random {base}, rollouts {full} ({spent}), paired {paired} ({spent_paired})");
    assert!(base >= 3.0 * full, "{base} for {full}");
    assert!(base >= 3.0 * paired, "{base} for {paired}");
    assert!(2 * spent_paired < spent, "{spent_paired} of {spent}");
}

/// What `me` earns from a position by playing `choose` against an opponent who plays at random.
fn against_random(
    board: &Board,
    me: Player,
    choose: &dyn Fn(&Board) -> classics::tic_tac_toe::Cell,
    table: &mut BTreeMap<Board, f64>,
) -> f64 {
    let game = TicTacToe;
    let Turn::Player(mover) = game.turn(board) else {
        return game.returns(board).of(me);
    };
    if let Some(&value) = table.get(board) {
        return value;
    }
    let mut legal = Vec::new();
    if mover == me {
        legal.push(choose(board));
    } else {
        game.legal_actions(board, &mut legal);
    }
    let mut sum = 0.0;
    for &action in &legal {
        let mut next = *board;
        game.apply(&mut next, action);
        sum += against_random(&next, me, choose, table);
    }
    let value = sum / legal.len() as f64;
    table.insert(*board, value);
    value
}

/// T-ES10 on tic-tac-toe: against the opponent that it models, the rollout policy earns at least what
/// its base does, exactly, from both seats; here far more.
#[test]
fn t_es10_the_rollout_policy_is_no_worse_than_its_base() {
    let game = TicTacToe;
    let start = game.initial_state(&mut Seed(0).stream());
    let mut uniform = BackwardInduction::with_play(&game, Play::Uniform);
    for me in [Player::new(0), Player::new(1)] {
        let choose = |board: &Board| {
            let settings = improving(64, None);
            let mut search =
                RolloutImprovement::new(settings, Identity, UniformRandom, UniformRandom);
            let decision = search.search(&game, board, &Budget::default(), Seed(3));
            decision.unwrap().action
        };
        let improved = against_random(&start, me, &choose, &mut BTreeMap::new());
        let base = uniform.value(&start).of(me);
        println!("{me:?}: {improved} for {base}");
        assert!(improved > base + 0.5, "{improved} for {base}");
    }
}

fn first(card: Rank, line: Line) -> KuhnState {
    let other = Rank::ALL.into_iter().find(|c| *c != card).unwrap();
    KuhnState::new([card, other], line).unwrap()
}

/// T-ES10 with hidden cards. Improving random play in Kuhn poker, by enumeration: the second player,
/// who decides once, plays the best response to random play and earns 5/12; the first player bets with
/// every card. One level up, against that, the first player checks with every card: the jack would be
/// called by queen and king, the queen by the king alone, and the king is bet into.
#[test]
fn t_es10_levels_in_kuhn_poker_are_those_of_enumeration() {
    let game = KuhnPoker;
    let tree = GameTree::new(&game, 1_000).unwrap();
    let uniform = tree.uniform();
    let level = |n| {
        let base: Arc<dyn Policy<KuhnPoker>> = Arc::new(UniformRandom);
        nested(n, improving(300, None), &KuhnDeals, None, base).unwrap()
    };
    let second = level(2);
    let policy = FromFn(|view: &_, legal: &[_]| {
        let choice = second.choose(&game, view, legal, &mut Seed(1).simulation(0));
        legal
            .iter()
            .map(|a| f64::from(u8::from(*a == choice)))
            .collect()
    });
    let improved = tree.tabulate(&game, &policy).unwrap();
    for (player, least) in [(0, 0.125), (1, 5.0 / 12.0)] {
        let player = Player::new(player);
        let value = tree
            .value(&tree.with_player(&uniform, player, &improved))
            .of(player);
        let base = tree.value(&uniform).of(player);
        println!("{player:?}: {value} for {base}");
        assert!(value > base && value >= least - 1e-12, "{value} for {base}");
    }
    let action = |policy: &dyn Policy<KuhnPoker>, card| {
        let state = first(card, Line::Start);
        let view = game.observe(&state, Player::new(0));
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let choice = policy.choose(&game, &view, &legal, &mut Seed(2).simulation(0));
        game.format_action(choice)
    };
    let third = nested(
        3,
        improving(60, None),
        &KuhnDeals,
        None,
        Arc::new(UniformRandom) as Arc<dyn Policy<KuhnPoker>>,
    )
    .unwrap();
    for card in Rank::ALL {
        assert_eq!(action(&*second, card), "bet", "{card:?}");
        assert_eq!(action(&*third, card), "check", "{card:?}");
    }
}

/// The theorem needs opponents that play as the model says: against best replies, what improves random
/// play against random replies is worse than random play.
#[test]
fn t_es10_against_other_opponents_nothing_is_promised() {
    let game = TreeGame::builtin("two_move").unwrap();
    let state = game.initial_state(&mut Seed(0).stream());
    let view = game.observe(&state, Player::new(0));
    let mut search = RolloutImprovement::new(
        improving(50_000, None),
        ToyWorlds,
        UniformRandom,
        UniformRandom,
    );
    let decision = search
        .search(&game, &view, &Budget::default(), Seed(1))
        .unwrap();
    assert_eq!(game.label(decision.action), "b2");
    let mut solver = BackwardInduction::new(&game);
    let mut value = |action| {
        let mut next = state;
        game.apply(&mut next, action);
        solver.value(&next).of(Player::new(0))
    };
    let (b1, b2) = (value(game.action("b1").unwrap()), value(decision.action));
    assert!((b1 - 0.48).abs() < 1e-12 && (b2 - 0.45).abs() < 1e-12);
    assert!(b2 < 0.5 * (b1 + b2));
}

/// A documented limit of SHOT: of two replies each gets half of the budget, however large it is, so
/// that it errs here as flat Monte Carlo does. And toys that it gets right.
#[test]
fn shot_on_the_toys() {
    let run = |id: &str| {
        let game = TreeGame::builtin(id).unwrap();
        let state = game.initial_state(&mut Seed(0).stream());
        let decision = Shot::new(ShotSettings::default())
            .search_state(&game, &state, &Budget::simulations(100_000), Seed(1))
            .unwrap();
        let label = game.label(decision.action).to_string();
        (label, decision.chosen().mean)
    };
    let (label, mean) = run("two_move");
    assert_eq!(label, "b2");
    // A sixth of the budget goes to the worst of three replies, the rest evenly to the other two.
    let exact = 0.62 / 6.0 + (0.45 + 0.58) * 5.0 / 12.0;
    assert!((mean - exact).abs() < 0.001, "{mean} for {exact}");
    for (id, choice) in [
        ("maxn3_consecutive", "l"),
        ("general_sum", "l"),
        ("chance_choice", "g2"),
        ("forced_root", "only"),
    ] {
        assert_eq!(run(id).0, choice, "{id}");
    }
}

/// Variance of the differences to the chosen action, summed over positions reached by random play.
fn spread<G: Plugin>(game: &G, numbers: CommonNumbers) -> f64 {
    let mut sum = 0.0;
    let mut legal = Vec::new();
    for seed in 0..16 {
        let mut rng = Seed(seed).simulation(0);
        let mut state = game.initial_state(&mut rng);
        let mut view = None;
        for ply in 0..4 {
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let outcome = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, outcome);
                }
                Turn::Player(me) => {
                    game.legal_actions(&state, &mut legal);
                    if legal.len() > 1 {
                        view = Some(game.observe(&state, me));
                    }
                    if ply % 4 == seed % 4 && view.is_some() {
                        break;
                    }
                    game.apply(&mut state, legal[rng.below(legal.len() as u32) as usize]);
                }
            }
        }
        let Some(view) = view else { continue };
        let settings = FlatSettings {
            numbers,
            ..FlatSettings::default()
        };
        let decision = Flat::new(settings, game.determinizer())
            .search(game, &view, &Budget::simulations(3_000), Seed(seed))
            .unwrap();
        let others = decision.candidates.iter().filter_map(|c| c.versus_chosen);
        sum += others
            .map(|d| d.std_error.powi(2) * d.worlds as f64)
            .sum::<f64>();
    }
    sum
}

/// T-ES3: sharing worlds and luck does not make differences noisier, keyed by event no more than as a
/// running stream. `safe-guess` is the exception that has `numbers=independent`: in one world one guess
/// is right and the other wrong, so that their difference varies most when they share it.
#[test]
fn t_es3_common_numbers_do_not_spread_differences() {
    fn ratio<G: Plugin>(game: &G) -> f64 {
        let keyed = spread(game, CommonNumbers::EventKeyed);
        let running = spread(game, CommonNumbers::Running);
        let independent = spread(game, CommonNumbers::Independent);
        println!("{}: {keyed:.1}, {running:.1}, {independent:.1}", G::NAME);
        assert!(keyed <= 1.1 * running, "{keyed} for {running}");
        keyed / independent
    }
    let shared = [
        ratio(&TicTacToe),
        ratio(&ConnectFour),
        ratio(&Pig::new(20, 2).unwrap()),
        ratio(&KuhnPoker),
        ratio(&LeducPoker),
    ];
    assert!(shared.iter().all(|&ratio| ratio <= 1.1), "{shared:?}");
    let opposed = ratio(&SafeGuess::default());
    assert!(opposed > 1.2, "{opposed}");
}
