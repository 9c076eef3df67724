//! Every built-in game under examination: what `doctor` says of them, without the searchers.

use std::time::Duration;

use search_core::plugin::Plugin;

use super::{Examination, Finding, Scope, examine};

fn sound<P: Plugin>(brute_force: bool) {
    let game = P::from_options(P::Options::default()).unwrap();
    let scope = Scope {
        time: Duration::from_millis(10),
        deals: 2000,
    };
    let all = [
        Examination::Contract,
        Examination::Notation,
        Examination::Sampler,
        Examination::BruteForce,
    ];
    for what in all {
        let finding = examine(&game, what, scope);
        let compared = matches!(finding, Finding::Passed(_));
        let failed = matches!(finding, Finding::Failed(_));
        let expected = what != Examination::BruteForce || compared == brute_force;
        assert!(!failed && expected, "{}: {what:?}: {finding:?}", P::NAME);
    }
}

#[test]
fn games_with_something_hidden_are_sound() {
    sound::<classics::KuhnPoker>(true);
    sound::<classics::LeducPoker>(true);
    sound::<classics::LiarsDice>(true);
    sound::<classics::Whist>(false);
    sound::<lexio::Lexio>(false);
}

#[test]
fn games_with_hidden_actions_are_sound() {
    sound::<classics::Goofspiel>(false);
    sound::<classics::Phantom>(false);
}

#[test]
fn games_with_nothing_hidden_are_sound() {
    sound::<classics::TicTacToe>(false);
    sound::<classics::Pig>(false);
    sound::<classics::Ewn>(false);
    sound::<classics::BearOff>(false);
    sound::<dice_chess::DiceChess>(false);
}
