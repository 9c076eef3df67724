//! The bots: what they choose, that whole turns are legal and complete, and known values.

#[path = "bots/keys.rs"]
mod keys;
#[path = "bots/kings.rs"]
mod kings;

use std::collections::HashSet;
use std::time::Duration;

use dice_chess::bots::choices;
use dice_chess::bots::evaluation::{Danger, Evaluation};
use dice_chess::bots::policies::{BestResult, CaptureAware, RandomTurn};
use dice_chess::bots::scores::{Aggressive, Cautious, Material, TurnScore, king_attacked};
use dice_chess::bots::whole_turns::{WholeTurns, depth_first};
use dice_chess::turns::legal_turns;
use dice_chess::{Board, DiceChess, DiceChessOptions, MicroMove, Outcome, Phase, Position, Roll};
use proptest::prelude::*;
use search_core::budget::{Budget, StopReason};
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::plugin::Plugin;
use search_core::policy::{Evaluator, Policy};
use search_core::rng::{Draw, Seed};
use search_core::search::expectimax::{Branch, Continuation, Expand};
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning};

fn position(dfen: &str) -> Position {
    dfen.parse().unwrap()
}

fn roll(letters: &str) -> Roll {
    dice_chess::plugin::parse_roll(letters).unwrap()
}

/// A game without draws, so that nothing but kings ends it.
fn endless() -> DiceChess {
    let options = DiceChessOptions {
        draw_clock: 0,
        max_plies: 0,
    };
    DiceChess::new(&options).unwrap()
}

fn legal(game: &DiceChess, state: &Position) -> Vec<MicroMove> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal
}

/// A decision somewhere in a random game, in the middle of a turn too; `None` if it ended before.
fn random_decision(seed: u64, events: u32) -> Option<Position> {
    let game = DiceChess::default();
    let mut rng = Seed(seed).simulation(0);
    let mut state = Position::start();
    let mut left = events;
    loop {
        match game.turn(&state) {
            Turn::Terminal => return None,
            Turn::Chance => {
                let outcome = game.sample_chance(&state, &mut rng);
                game.apply_chance(&mut state, outcome);
            }
            Turn::Player(_) if left == 0 => return Some(state),
            Turn::Player(_) => {
                let legal = legal(&game, &state);
                let action = legal[rng.below(legal.len() as u32) as usize];
                game.apply(&mut state, action);
            }
        }
        left = left.saturating_sub(1);
    }
}

/// Plays a policy to the end of the turn.
fn play_turn(policy: &impl Policy<DiceChess>, mut state: Position, seed: u64) -> Position {
    let game = DiceChess::default();
    let mover = state.side;
    let mut rng = Seed(seed).simulation(0);
    while matches!(state.phase, Phase::Spend(_)) && state.side == mover {
        let legal = legal(&game, &state);
        let action = policy.choose(&game, &state, &legal, &mut rng);
        assert!(legal.contains(&action), "{action} in {state}");
        game.apply(&mut state, action);
    }
    state
}

fn search(
    game: &DiceChess,
    expand: WholeTurns,
    depth: u32,
    state: &Position,
) -> (f64, Continuation<DiceChess>) {
    let settings = ExpectimaxSettings {
        depth,
        ..ExpectimaxSettings::default()
    };
    let mut search = Expectimax::new(settings, depth_first(Evaluation::default(), expand));
    let plan = search
        .search_state(game, state, &Budget::default())
        .unwrap();
    let mut after = *state;
    plan.line.iter().for_each(|mv| game.apply(&mut after, *mv));
    let value = plan.decision.chosen().mean;
    let line = plan.line;
    (value, Continuation { line, state: after })
}

#[test]
fn t25_a_pass_at_the_leaf_is_valued_for_the_side_that_rolls_next() {
    let game = DiceChess::default();
    let white = Player::new(0);
    let start = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let mut passed = start;
    game.apply_chance(&mut passed, roll("NNB"));
    assert_eq!(passed.phase, Phase::Roll);
    let evaluation = Evaluation::default();
    let value = |s: &Position| evaluation.evaluate(&game, s).of(white);
    let black = evaluation.before_roll(&passed.board, passed.side);
    assert!((value(&passed) + black).abs() < 1e-12);
    // Black is to roll and not White, for whom the roll is worth something.
    assert!(value(&passed) < value(&start) - 1e-3);

    // In a search: Black's turn before White's passes. Depth 2 from a black decision reaches White's
    // passes as leaves with Black to roll.
    let black_to_move = position("4k3/8/8/8/8/8/8/R3K3 b - - 0 1 NNK");
    let mut parts = depth_first(evaluation, WholeTurns::default());
    let settings = ExpectimaxSettings {
        depth: 2,
        pruning: Pruning::None,
        table: 0,
        exact_root: true,
        ..ExpectimaxSettings::default()
    };
    parts.key = None;
    let mut search = Expectimax::new(settings, parts);
    let plan = search
        .search_state(&game, &black_to_move, &Budget::default())
        .unwrap();
    let by_hand = |after: &Position| {
        let mut sum = 0.0;
        for roll in Roll::all() {
            let mut rolled = *after;
            game.apply_chance(&mut rolled, roll);
            let best = if matches!(rolled.phase, Phase::Spend(_)) {
                let after = |t: dice_chess::turns::PlayedTurn| {
                    let mut state = rolled;
                    t.moves.iter().for_each(|mv| game.apply(&mut state, mv));
                    state
                };
                choices::turns(&rolled)
                    .into_iter()
                    .map(|t| value(&after(t)))
                    .fold(f64::NEG_INFINITY, f64::max)
            } else {
                assert_eq!(rolled.side, cozy_chess::Color::Black);
                value(&rolled)
            };
            sum += f64::from(roll.weight()) * best;
        }
        -sum / f64::from(Roll::TOTAL_WEIGHT)
    };
    for line in &search.report().unwrap().lines {
        let mut after = black_to_move;
        line.line.iter().for_each(|mv| game.apply(&mut after, *mv));
        let got = line.value.unwrap().lower;
        let wanted = by_hand(&after);
        assert!(
            (got - wanted).abs() < 1e-9,
            "{:?}: {got} {wanted}",
            line.line
        );
    }
    assert!(plan.decision.effort.depth == 2);
}

#[test]
fn t26_the_deadline_is_watched_inside_a_search() {
    let game = DiceChess::default();
    let kiwipete =
        position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 NBQ");
    let settings = ExpectimaxSettings {
        depth: 6,
        ..ExpectimaxSettings::default()
    };
    let parts = game.depth_first().unwrap();
    let mut search = Expectimax::new(settings, parts);
    // Without a look at the clock inside the search either of these would take hours.
    let budget = Budget::time(Duration::from_millis(100));
    let plan = search.search_state(&game, &kiwipete, &budget).unwrap();
    assert_eq!(plan.decision.effort.stop, StopReason::Time);
    assert!(legal(&game, &kiwipete).contains(&plan.decision.action));

    let expr: Expr = "equity-guided(rollouts=1000000)".parse().unwrap();
    let mut settings = expr.settings();
    let agent = game.own_agent("equity-guided", &mut settings, &budget);
    let mut agent = agent.unwrap().unwrap();
    let choice = agent.decide(&game, &kiwipete, &legal(&game, &kiwipete), Seed(1));
    assert!(!choice.unwrap().deterministic);
}

/// Endings of three men are valued exactly, by the tables, for the side that rolls.
#[test]
fn three_men_are_leaves_with_exact_values() {
    let game = DiceChess::default();
    let evaluation = Evaluation::default();
    for (dfen, white) in [
        ("7k/8/8/8/8/8/8/3QK3 w - - 0 1", 0.9224),
        ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", 0.8927),
        ("r3k3/8/8/8/8/8/8/7K b - - 0 1", -0.8927),
    ] {
        let value = evaluation.evaluate(&game, &position(dfen));
        assert!(
            (value.of(Player::new(0)) - white).abs() < 1e-4,
            "{dfen}: {value:?}"
        );
    }
    // A right to castle is not in the tables.
    let may_castle = position("7k/8/8/8/8/8/8/R3K3 w Q - 0 1");
    let value = evaluation.evaluate(&game, &may_castle).of(Player::new(0));
    assert!((value - 0.8927).abs() > 1e-3, "{value}");
    // With the exact leaves depth 2 only says what depth 1 said: the tables solve Bellman's equation.
    let rolled = position("7k/8/8/8/8/8/8/R3K3 w - - 0 1 PRK");
    let value = |depth| {
        let settings = ExpectimaxSettings {
            depth,
            ..ExpectimaxSettings::default()
        };
        let mut search = Expectimax::new(settings, game.depth_first().unwrap());
        let plan = search.search_state(&game, &rolled, &Budget::default());
        plan.unwrap().decision.chosen().mean
    };
    assert!(
        (value(1) - value(2)).abs() < 4e-5,
        "{} {}",
        value(1),
        value(2)
    );
}

/// T11: a search that is interrupted never ranks an expectation that it has not finished. Whatever
/// the budget, the value of the choice is the one that a search in full of a depth gives it.
#[test]
fn t11_a_partial_expectation_is_never_ranked() {
    let game = DiceChess::default();
    let start = position("4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1 PPK");
    let search = |depth, nodes| {
        let settings = ExpectimaxSettings {
            depth,
            exact_root: true,
            ..ExpectimaxSettings::default()
        };
        let mut search = Expectimax::new(settings, game.depth_first().unwrap());
        let budget = Budget {
            nodes,
            ..Budget::default()
        };
        search.search_state(&game, &start, &budget)
    };
    let complete = [1, 2].map(|depth| search(depth, None).unwrap().decision);
    let all = search(2, None).unwrap().decision.effort.simulations;
    let mut interrupted = 0;
    for nodes in (1..all).step_by(7) {
        let Ok(plan) = search(2, Some(nodes as _)) else {
            continue;
        };
        let effort = &plan.decision.effort;
        assert!(effort.simulations <= nodes, "{effort:?}");
        let chosen = plan.decision.chosen();
        let finished = complete.iter().any(|decision| {
            let of_depth = decision.candidate(chosen.action);
            of_depth.is_some_and(|c| (c.mean - chosen.mean).abs() < 1e-12)
        });
        assert!(finished, "{nodes} positions: {chosen:?}");
        interrupted += u32::from(effort.stop != StopReason::Depth);
    }
    assert!(interrupted > 20, "{interrupted}");
}

#[test]
fn t27_preselection_never_drops_a_king_capture() {
    let game = DiceChess::default();
    let narrow = WholeTurns {
        root_candidates: Some(1),
        reply_candidates: Some(1),
        ..WholeTurns::default()
    };
    // Nxc5 after c2c4 is one turn of seven.
    let at_root = position("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 PPN");
    let (value, best) = search(&game, narrow, 1, &at_root);
    assert_eq!(value, 1.0);
    assert!(matches!(best.state.phase, Phase::Over(Outcome::Won(_))));

    // For every roll that can take a king, in replies as well.
    let queens = position("4k3/8/8/3q4/8/8/8/4K2R w - - 0 1");
    let mut branches: Vec<Branch<DiceChess>> = Roll::all()
        .map(|outcome| {
            let mut state = queens;
            game.apply_chance(&mut state, outcome);
            Branch {
                outcome,
                probability: 0.0,
                state,
                continuations: Vec::new(),
            }
        })
        .collect();
    assert!(narrow.expand_chance(&game, &queens, &mut branches));
    let mut captures = 0;
    for branch in &branches {
        let pool = branch.outcome.pool();
        let turns = legal_turns(&queens.board, queens.side, pool);
        let takes = turns.iter().any(|t| t.takes_king);
        let over = |c: &Continuation<DiceChess>| game.turn(&c.state) == Turn::Terminal;
        assert_eq!(takes, branch.continuations.first().is_some_and(over));
        assert!(takes || branch.continuations.len() == usize::from(!turns.is_empty()));
        captures += usize::from(takes);
    }
    // Two rooks' dice or more, with any third: six rolls of 56.
    assert_eq!(captures, 6);
}

/// Checks the expansion of one decision: legal lines to the states given, and every result there.
fn check_expansion(
    game: &DiceChess,
    state: &Position,
    continuations: &[Continuation<DiceChess>],
) -> Result<(), TestCaseError> {
    let mut boards = HashSet::new();
    for continuation in continuations {
        let mut played = *state;
        for (i, &mv) in continuation.line.iter().enumerate() {
            prop_assert!(i == 0 || played.side == state.side && played.phase != Phase::Roll);
            prop_assert!(legal(game, &played).contains(&mv), "{mv} in {played}");
            game.apply(&mut played, mv);
        }
        prop_assert_eq!(played, continuation.state);
        prop_assert!(!matches!(played.phase, Phase::Spend(_)));
        boards.insert(played.board);
    }
    let mut wanted = HashSet::new();
    for turn in choices::turns(state) {
        let mut played = *state;
        turn.moves.iter().for_each(|mv| game.apply(&mut played, mv));
        wanted.insert(played.board);
    }
    prop_assert_eq!(boards, wanted);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn whole_turns_are_legal_and_complete(seed: u64, events in 0_u32..60) {
        let game = DiceChess::default();
        let Some(state) = random_decision(seed, events) else { return Ok(()) };
        let mut out = Vec::new();
        WholeTurns::default().expand(&game, &state, &mut out);
        check_expansion(&game, &state, &out)?;
    }

    #[test]
    fn what_can_be_chosen_is_what_micro_moves_lead_to(seed: u64, events in 0_u32..60) {
        let game = DiceChess::default();
        let Some(state) = random_decision(seed, events) else { return Ok(()) };
        // Every way through the legal micro-moves.
        let mut ends = HashSet::new();
        let mut open = vec![state];
        while let Some(at) = open.pop() {
            for mv in legal(&game, &at) {
                let mut after = at;
                game.apply(&mut after, mv);
                if matches!(after.phase, Phase::Spend(_)) {
                    open.push(after);
                } else {
                    ends.insert(after.board);
                }
            }
        }
        let mut chosen = HashSet::new();
        for result in choices::results(&state) {
            let mut after = state;
            result.moves.iter().for_each(|mv| game.apply(&mut after, mv));
            chosen.insert(after.board);
        }
        prop_assert_eq!(chosen, ends);
    }

    #[test]
    fn simple_bots_reach_the_best_result_step_by_step(seed: u64, events in 0_u32..60) {
        let Some(state) = random_decision(seed, events) else { return Ok(()) };
        reaches_the_best(Material, &state, seed)?;
        reaches_the_best(Cautious::default(), &state, seed)?;
        reaches_the_best(Aggressive::default(), &state, seed)?;
        let takes = choices::turns(&state).iter().any(|t| t.takes_king);
        let after = play_turn(&CaptureAware, state, seed);
        prop_assert_eq!(takes, matches!(after.phase, Phase::Over(Outcome::Won(_))));
        play_turn(&RandomTurn, state, seed);
    }

    #[test]
    fn evaluations_are_bounded_and_opposite(seed: u64, events in 0_u32..60) {
        let game = DiceChess::default();
        let Some(state) = random_decision(seed, events) else { return Ok(()) };
        for danger in [Danger::Exact, Danger::Direct] {
            let evaluation = Evaluation { takes: danger, danger, ..Evaluation::default() };
            let returns = evaluation.evaluate(&game, &state);
            prop_assert!(returns[0].abs() <= 1.0);
            prop_assert_eq!(returns[0], -returns[1]);
            let board = &state.board;
            let exact = Danger::Exact.probability(board, state.side);
            prop_assert!(danger.probability(board, state.side) <= exact + 1e-12);
        }
    }
}

fn reaches_the_best<S: TurnScore + Copy>(
    score: S,
    state: &Position,
    seed: u64,
) -> Result<(), TestCaseError> {
    let side = state.side;
    let results = choices::results(state);
    let after = play_turn(&BestResult(score), *state, seed);
    if results[0].takes_king {
        prop_assert!(matches!(after.phase, Phase::Over(Outcome::Won(_))));
        return Ok(());
    }
    let best = results.iter().map(|r| score.score(&r.board, side)).max();
    // The targets that ending the turn drops have no part in a score.
    prop_assert_eq!(best, Some(score.score(&after.board, side)));
    Ok(())
}

#[test]
fn random_turns_are_uniform_over_turns() {
    // Two knights and a king: some turns share a first micro-move, some do not.
    let state = position("7k/8/8/8/8/8/7P/N6K w - - 0 1 PNN");
    let turns = choices::turns(&state);
    let mut counts = vec![0_u32; turns.len()];
    let game = DiceChess::default();
    let draws = 200 * turns.len() as u64;
    for seed in 0..draws {
        let mut rng = Seed(seed).simulation(1);
        let (mut at, mut played) = (state, Vec::new());
        while at.side == state.side {
            let legal = legal(&game, &at);
            let mv = RandomTurn.choose(&game, &at, &legal, &mut rng);
            played.push(mv);
            game.apply(&mut at, mv);
        }
        let found = turns
            .iter()
            .position(|t| t.moves.iter().eq(played.iter().copied()));
        counts[found.unwrap()] += 1;
    }
    let chi2: f64 = counts
        .iter()
        .map(|&c| (f64::from(c) - 200.0).powi(2) / 200.0)
        .sum();
    let freedom = turns.len() as f64 - 1.0;
    // Five standard deviations of chi-square.
    assert!(
        freedom > 10.0 && chi2 < freedom + 5.0 * (2.0 * freedom).sqrt(),
        "{chi2} of {freedom}"
    );
}

#[test]
fn scores_by_hand() {
    let board = |dfen: &str| -> Board { position(dfen).board };
    let white = cozy_chess::Color::White;
    // Queen and pawn against rook and knight: 1000 - 800.
    let b = board("4k3/8/8/3r1n2/8/8/4P3/Q3K3 w - - 0 1");
    assert_eq!(Material.score(&b, white), 200);
    assert!(!king_attacked(&b, white));
    assert!(king_attacked(
        &board("4k3/8/8/8/8/3n4/8/4K3 w - - 0 1"),
        white
    ));
    assert!(king_attacked(
        &board("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"),
        white
    ));
    assert!(!king_attacked(
        &board("4k3/8/8/8/8/4p3/8/4K3 w - - 0 1"),
        white
    ));
    assert!(king_attacked(
        &board("8/8/8/8/8/8/3k4/4K3 w - - 0 1"),
        white
    ));
    let attacked = board("4k3/8/8/8/8/3n4/8/4K3 w - - 0 1");
    assert_eq!(Cautious::default().score(&attacked, white), -300 - 2000);
    // A rook on a7 attacks d7, e7, f7 of the ring (not beyond), and its nearness is 7 - 4; the pawn
    // advanced by 2 ranks.
    let b = board("4k3/R7/8/8/4P3/8/8/4K3 w - - 0 1");
    assert_eq!(
        Aggressive::default().score(&b, white),
        600 + 2 * 10 + 3 * 10 + 3 * 20
    );
}

#[test]
fn agents_by_name_play_a_turn() {
    let game = DiceChess::default();
    let state = position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 PRK");
    let texts = [
        "selective(depth=2, candidates=4, replies=2)",
        "equity-guided(rollouts=4, candidates=3, plies=2)",
        "equity-guided(rollouts=4, candidates=3, plies=2, policy=greedy)",
    ];
    for text in texts {
        let play = |seed| {
            let expr: Expr = text.parse().unwrap();
            let mut settings = expr.settings();
            let agent = game.own_agent(&expr.name, &mut settings, &Budget::default());
            let mut agent = agent.unwrap().unwrap();
            settings.finish().unwrap();
            let (mut at, mut line) = (state, Vec::new());
            while at.side == state.side {
                let legal = legal(&game, &at);
                let choice = agent.decide(&game, &at, &legal, Seed(seed)).unwrap();
                assert!(choice.deterministic && legal.contains(&choice.action));
                line.push(choice.action);
                game.apply(&mut at, choice.action);
            }
            assert!(
                choices::turns(&state)
                    .iter()
                    .any(|t| t.moves.iter().eq(line.iter().copied()))
            );
            line
        };
        assert_eq!(play(3), play(3), "{text}");
    }
    for (name, setting) in [
        ("selective", "candidates=0"),
        ("equity-guided", "policy=clever"),
    ] {
        let expr: Expr = format!("{name}({setting})").parse().unwrap();
        let agent = game.own_agent(name, &mut expr.settings(), &Budget::default());
        assert!(agent.is_err(), "{setting}");
    }
}
