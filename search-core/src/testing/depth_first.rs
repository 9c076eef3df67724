//! What a depth-first search is told of a game against its rules.

use std::collections::HashMap;

use super::{At, walk};
use crate::game::{Game, Player, Turn};
use crate::rng::Seed;
use crate::search::expectimax::{Branch, Continuation, DepthFirst, MAX_LINE};

/// At how many decisions every way of playing the turn is tried.
const TURNS: u64 = 200;

/// On `games` random games: different states have different keys; evaluations are finite and, for
/// two players, opposite; every continuation is reached by legal actions of the player to move;
/// where all of them end the turn, every way of playing it leads to one; and a chance node expanded
/// at once has the continuations of its outcomes one by one. Returns how many decisions it saw.
///
/// # Panics
/// At the first breach, naming the seed, the game and the ply.
pub fn check_depth_first<G: Game>(game: &G, parts: &DepthFirst<G>, games: u32, seed: Seed) -> u64 {
    let mut keys: HashMap<u128, G::State> = HashMap::new();
    let mut decisions = 0;
    walk(game, games, seed, |state, _, at| {
        if let Some(key) = parts.key {
            let first = keys
                .entry(key(game, state))
                .or_insert_with(|| state.clone());
            assert!(
                (parts.same)(first, state),
                "two states share the key {:#x} ({at})",
                key(game, state)
            );
        }
        match game.turn(state) {
            Turn::Terminal => return,
            Turn::Chance => check_branches(game, parts, state, at),
            Turn::Player(player) => {
                decisions += 1;
                check_lines(game, parts, (state, player), decisions <= TURNS, at);
            }
        }
        let returns = parts.evaluator.evaluate(game, state);
        let sum: f64 = returns.iter().sum();
        assert!(
            returns.len() == game.num_players() && sum.is_finite(),
            "the evaluation is {returns:?} ({at})"
        );
        assert!(
            returns.len() != 2 || sum.abs() < 1e-9,
            "the evaluation {returns:?} sums to {sum} ({at})"
        );
    });
    decisions
}

fn check_lines<G: Game>(
    game: &G,
    parts: &DepthFirst<G>,
    (state, player): (&G::State, Player),
    every_way: bool,
    at: At,
) {
    let mut continuations = Vec::new();
    parts.expand.expand(game, state, &mut continuations);
    assert!(!continuations.is_empty(), "no continuation ({at})");
    let mut legal = Vec::new();
    for Continuation { line, state: after } in &continuations {
        let mut reached = state.clone();
        for &action in &**line {
            assert!(
                game.turn(&reached) == Turn::Player(player),
                "{line:?} goes on when the turn has ended ({at})"
            );
            game.legal_actions(&reached, &mut legal);
            assert!(
                legal.contains(&action),
                "{action:?} in {line:?} is not legal ({at})"
            );
            game.apply(&mut reached, action);
        }
        assert!(
            (parts.same)(&reached, after),
            "{line:?} does not lead to the state that is given with it ({at})"
        );
    }
    let ends = |c: &Continuation<G>| game.turn(&c.state) != Turn::Player(player);
    if every_way && continuations.iter().all(ends) {
        let listed = |s: &G::State| continuations.iter().any(|c| (parts.same)(&c.state, s));
        play_on(game, (state, player), MAX_LINE, &mut |actions, after| {
            assert!(
                listed(after),
                "nothing that is listed leads where {actions:?} leads ({at})"
            );
        });
    }
}

/// Calls `end` for every way of playing a turn, with its actions and the state after it.
fn play_on<G: Game>(
    game: &G,
    (state, player): (&G::State, Player),
    most: usize,
    end: &mut impl FnMut(&[G::Action], &G::State),
) {
    let mut open = vec![(Vec::new(), state.clone())];
    while let Some((actions, state)) = open.pop() {
        if game.turn(&state) != Turn::Player(player) {
            end(&actions, &state);
            continue;
        }
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        for action in legal {
            if actions.len() < most {
                let (mut actions, mut after) = (actions.clone(), state.clone());
                actions.push(action);
                game.apply(&mut after, action);
                open.push((actions, after));
            }
        }
    }
}

fn check_branches<G: Game>(game: &G, parts: &DepthFirst<G>, state: &G::State, at: At) {
    let Some(outcomes) = parts.outcomes else {
        panic!("chance is to move and the outcomes are not given ({at})");
    };
    let mut listed = Vec::new();
    outcomes(game, state, &mut listed);
    let branch = |(outcome, probability)| {
        let mut state = state.clone();
        game.apply_chance(&mut state, outcome);
        Branch {
            outcome,
            probability,
            state,
            continuations: Vec::new(),
        }
    };
    let mut branches: Vec<Branch<G>> = listed.into_iter().map(branch).collect();
    let total: f64 = branches.iter().map(|b| b.probability).sum();
    assert!(
        (total - 1.0).abs() < 1e-9,
        "the probabilities sum to {total} ({at})"
    );
    if !parts.expand.expand_chance(game, state, &mut branches) {
        return;
    }
    for branch in &branches {
        let mut alone = Vec::new();
        if let Turn::Player(_) = game.turn(&branch.state) {
            parts.expand.expand(game, &branch.state, &mut alone);
        }
        let outcome = branch.outcome;
        assert_eq!(
            alone.len(),
            branch.continuations.len(),
            "continuations after {outcome:?}, alone and at once ({at})"
        );
        for one in &alone {
            let same = |c: &Continuation<G>| (parts.same)(&c.state, &one.state);
            assert!(
                branch.continuations.iter().any(same),
                "{:?} after {outcome:?} is not listed at once ({at})",
                one.line
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ChanceOutcomes, Returns};
    use crate::policy::Evaluator;
    use crate::rng::Draw;
    use crate::search::expectimax::{CutOff, Expand, Line};
    use rand::Rng;
    use std::ops::RangeInclusive;

    /// A coin is thrown, then two numbers from 0 to 2 are named, of which the sum counts.
    struct Coin;

    type State = (u8, u8, u8); // stage, coin, sum

    impl Game for Coin {
        type State = State;
        type Action = u8;
        type Chance = u8;
        type Observation = State;

        fn num_players(&self) -> usize {
            1
        }
        fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> State {
            (0, 0, 0)
        }
        fn turn(&self, s: &State) -> Turn {
            match s.0 {
                0 => Turn::Chance,
                1 | 2 => Turn::Player(Player::new(0)),
                _ => Turn::Terminal,
            }
        }
        fn legal_actions(&self, s: &State, out: &mut Vec<u8>) {
            out.clear();
            if let Turn::Player(_) = self.turn(s) {
                out.extend(0..3);
            }
        }
        fn apply(&self, s: &mut State, action: u8) {
            *s = (s.0 + 1, s.1, s.2 + action);
        }
        fn sample_chance<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> u8 {
            rng.below(2) as u8
        }
        fn apply_chance(&self, s: &mut State, outcome: u8) {
            *s = (1, outcome, 0);
        }
        fn returns(&self, s: &State) -> Returns {
            Returns::splat(1, f64::from(s.1 + s.2))
        }
        fn return_bounds(&self) -> RangeInclusive<f64> {
            0.0..=5.0
        }
        fn observe(&self, s: &State, _: Player) -> State {
            *s
        }
    }

    impl ChanceOutcomes for Coin {
        fn chance_outcomes(&self, _: &State, out: &mut Vec<(u8, f64)>) {
            out.clear();
            out.extend([(0, 0.5), (1, 0.5)]);
        }
    }

    /// Lists one line for each sum up to `most`, at once with the last `less` left out.
    struct Sums {
        most: u8,
        less: usize,
    }

    impl Expand<Coin> for Sums {
        fn expand(&self, game: &Coin, state: &State, out: &mut Vec<Continuation<Coin>>) {
            out.clear();
            for sum in 0..=self.most {
                let actions = [sum.div_ceil(2), sum / 2];
                let actions = match state.0 {
                    1 => &actions[..],
                    _ if sum < 3 => &[sum],
                    _ => break,
                };
                let mut state = *state;
                for &action in actions {
                    game.apply(&mut state, action);
                }
                let line = Line::from_slice(actions).expect("one or two actions");
                out.push(Continuation { line, state });
            }
        }

        fn expand_chance(&self, game: &Coin, _: &State, branches: &mut [Branch<Coin>]) -> bool {
            for branch in branches {
                self.expand(game, &branch.state, &mut branch.continuations);
                let left = branch.continuations.len() - self.less;
                branch.continuations.truncate(left);
            }
            true
        }
    }

    fn coin() -> DepthFirst<Coin> {
        DepthFirst::new(CutOff)
            .with_chance()
            .with_expand(Sums { most: 4, less: 0 })
            .with_key(|_, s| u128::from(s.0) << 16 | u128::from(s.1) << 8 | u128::from(s.2))
    }

    fn check(parts: &DepthFirst<Coin>) -> u64 {
        check_depth_first(&Coin, parts, 50, Seed(1))
    }

    #[test]
    fn sound_parts_pass() {
        assert_eq!(check(&coin()), 100);
    }

    #[test]
    #[should_panic(expected = "share the key")]
    fn a_key_without_the_coin_is_found() {
        check(&coin().with_key(|_, s| u128::from(s.0) << 8 | u128::from(s.2)));
    }

    #[test]
    #[should_panic(expected = "nothing that is listed leads where [2, 2] leads")]
    fn a_missing_turn_is_found() {
        check(&coin().with_expand(Sums { most: 3, less: 0 }));
    }

    #[test]
    #[should_panic(expected = "alone and at once")]
    fn a_branch_that_lacks_a_turn_is_found() {
        check(&coin().with_expand(Sums { most: 4, less: 1 }));
    }

    struct Nothing;
    impl Evaluator<Coin> for Nothing {
        fn evaluate(&self, _: &Coin, _: &State) -> Returns {
            Returns::splat(1, f64::NAN)
        }
    }

    #[test]
    #[should_panic(expected = "the evaluation is")]
    fn an_evaluation_that_is_no_number_is_found() {
        let mut parts = coin();
        parts.evaluator = std::sync::Arc::new(Nothing);
        check(&parts);
    }
}
