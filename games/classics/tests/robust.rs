//! Bad input is refused, and what is not refused can be used.

use classics::{
    BearOff, ConnectFour, Domineering, Ewn, Goofspiel, Knightthrough, KuhnPoker, LeducPoker,
    LiarsDice, Phantom, Pig, SafeGuess, Synthetic, TicTacToe, TreeGame,
};
use proptest::prelude::*;
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;

/// Reads a text; what it means must have a picture and, unless it contradicts itself, a world.
fn read<G: Plugin>(game: &G, text: &str) {
    let mut legal = Vec::new();
    if let Ok(observation) = game.parse_observation(text) {
        assert!(!game.picture(&observation).is_empty());
        let determinizer = game.determinizer();
        if let Ok(plan) = determinizer.plan(game, &observation) {
            let mut world = determinizer.scratch(game, &observation, &plan);
            let mut rng = Seed(41).simulation(0);
            determinizer.sample(game, &observation, &plan, &mut rng, &mut world);
            game.legal_actions(&world, &mut legal);
        }
    }
    let _ = game.parse_action(text, &legal);
    let _ = game.parse_action(text, &[]);
}

fn read_all(text: &str) {
    read(&TicTacToe, text);
    read(&ConnectFour, text);
    read(&KuhnPoker, text);
    read(&LeducPoker, text);
    read(&Pig::default(), text);
    read(&Pig::new(3, 6).unwrap(), text);
    read(&Ewn::new(3, 3, true).unwrap(), text);
    read(&Ewn::new(8, 1, true).unwrap(), text);
    read(&BearOff::default(), text);
    read(&BearOff::new(6, 15).unwrap(), text);
    read(&LiarsDice::new(3).unwrap(), text);
    read(&Goofspiel::default(), text);
    read(&SafeGuess::default(), text);
    read(&TreeGame::builtin("non_locality").unwrap(), text);
    read(&Phantom::new(3, 3, 3).unwrap(), text);
    read(&Phantom::default(), text);
    read(&Synthetic::default(), text);
    read(&Domineering::new(3, 3).unwrap(), text);
    read(&Knightthrough::new(4, 4).unwrap(), text);
    assert!(TreeGame::from_json(text).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text(text in "\\PC{0,40}") {
        read_all(&text);
    }

    #[test]
    fn boards(text in "[xo./]{9,11}", columns in "[0-8]{0,44}") {
        read_all(&text);
        read_all(&columns);
    }

    #[test]
    fn boards_of_rows(text in "[wb.#]{3,4}(/[wb.#]{3,4}){2,3} [wbvhx]") {
        read_all(&text);
    }

    #[test]
    fn tries_and_moves(
        player in "(player=[0-2] )?",
        tries in "([a-e][1-5]!?)(,[a-e][1-5]!?){0,7}|-",
        turn in "( turn=[0-2])?",
        moves in "[lrx]{0,8}|-",
        others in "[0-9](-[0-9])?",
    ) {
        read_all(&format!("{player}tries={tries}{turn}"));
        read_all(&format!("{player}type=3 moves={moves} others={others}"));
    }

    #[test]
    fn facts(
        facts in proptest::collection::vec(
            (
                "player|card|public|played|shown|scores|total|rolling|first|second|die|dice|checkers|said|prizes|laid",
                "-|yes|no|hidden|J|Q|K|[JQK][sh]|[0-9]{1,3}(,[0-9]{1,3})?|[+=-]{0,3}|[0-4](,[0-4]){0,3}(/[0-3](,[0-3]){0,2})?|[a-i][0-9](,[a-c][1-3]|,-){0,2}|([12]x[1-3],?){0,3}|(check|bet|fold|call|raise|/|,){0,9}",
            ),
            0..6,
        )
    ) {
        let words: Vec<String> = facts.iter().map(|(k, v)| format!("{k}={v}")).collect();
        read_all(&words.join(" "));
    }

    #[test]
    fn little_trees(text in "[0-9{}\\[\\],.:\"tcpia ]{0,60}") {
        let _ = TreeGame::from_json(&text);
        let _ = TreeGame::from_json(&format!("{{\"players\": 2, \"root\": {{\"p\": 0, \"i\": \"a\", \"a\": {text}}}}}"));
    }
}

#[test]
fn deep_trees_are_refused_without_overflowing_the_stack() {
    let mut text = r#"{"t": [0]}"#.to_string();
    for i in 0..5_000 {
        text = format!(r#"{{"p": 0, "i": "{i}", "a": {{"x": {text}}}}}"#);
    }
    assert!(TreeGame::from_json(&format!(r#"{{"players": 1, "root": {text}}}"#)).is_err());
}
