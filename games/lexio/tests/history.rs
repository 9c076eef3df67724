//! What an observation still shows of the decisions before it, against the round as it was played.

use lexio::{Action, Lexio, Options, PassRule};
use search_core::game::{Game, History, Player, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};

fn rounds(
    options: &Options,
    mut check: impl FnMut(&Lexio, &lexio::State, Player, &[(lexio::State, Player, Action)]),
) {
    let game = Lexio::from_options(options.clone()).unwrap();
    for i in 0..60 {
        let mut rng = Seed(40).index(i).stream();
        let mut state = game.initial_state(&mut rng);
        let mut played = Vec::new();
        let mut legal = Vec::new();
        while let Turn::Player(player) = game.turn(&state) {
            check(&game, &state, player, &played);
            game.legal_actions(&state, &mut legal);
            // Passes are to be frequent.
            let action = match rng.below(2) {
                0 => legal[0],
                _ => legal[rng.below(legal.len() as u32) as usize],
            };
            played.push((state, player, action));
            game.apply(&mut state, action);
        }
    }
}

#[test]
fn the_passes_upon_the_last_play_are_all_there() {
    for players in 3..=5 {
        let options = Options {
            players,
            ..Options::default()
        };
        let mut passes = 0;
        rounds(&options, |game, state, player, played| {
            let mut shown = Vec::new();
            let seen = game.observe(state, player);
            History::decisions(game, &seen, state, &mut |s, p, a| shown.push((*s, p, a)));
            let since = played
                .iter()
                .rev()
                .take_while(|(_, _, a)| a.is_pass())
                .count();
            let leads = state.public().table().is_none();
            let since = if leads { 0 } else { since };
            assert_eq!(shown.len(), since);
            for (shown, real) in shown.iter().zip(&played[played.len() - since..]) {
                let (then, truth) = (shown.0.public(), real.0.public());
                assert_eq!((shown.1, shown.2), (real.1, real.2));
                for seat in 0..usize::from(players) {
                    let seat = Player::new(seat);
                    assert_eq!(shown.0.hand(seat), real.0.hand(seat));
                    assert_eq!(then.passes(seat), truth.passes(seat));
                    assert_eq!(then.plays(seat), truth.plays(seat));
                    assert_eq!(then.played(seat), truth.played(seat));
                }
                assert_eq!(then.to_move(), truth.to_move());
                assert_eq!((then.table(), then.owner()), (truth.table(), truth.owner()));
                passes += 1;
            }
        });
        assert!(passes > 500, "{passes}");
    }
}

#[test]
fn under_the_hard_rule_nothing_is_certain() {
    let options = Options {
        pass: PassRule::Hard,
        ..Options::default()
    };
    rounds(&options, |game, state, player, _| {
        let seen = game.observe(state, player);
        History::decisions(game, &seen, state, &mut |_, _, _| panic!("a guess"));
    });
}
