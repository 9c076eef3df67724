//! The text of a plugin.

use rand_chacha::ChaCha8Rng;

use super::{At, check_same, legal, walk};
use crate::expr::Expr;
use crate::game::{Player, Turn, is_legal};
use crate::observation::Determinizer;
use crate::plugin::Plugin;
use crate::rng::{Draw, Seed};

/// Texts that mean nothing in any game: none may panic.
const NONSENSE: [&str; 6] = ["?!", "☃ ☃", "=", ",,/,,", "99999999999999999999", "(()"];

/// T-FA1 and the rest of a [`Plugin`]'s text on `games` random games: every legal action is
/// formatted without spaces at the ends, differently from the others, and read back, with spaces
/// around it too; observations with a notation are one line that reads back to the same line and
/// to a position with the same turn and actions; the listed positions and agents exist, the agents
/// play legal actions; and nonsense is refused without a panic.
///
/// # Panics
/// At the first breach, naming the seed, the game and the ply.
pub fn check_notation<G: Plugin>(game: &G, games: u32, seed: Seed) {
    walk(game, games, seed, |state, rng, at| {
        for viewer in (0..game.num_players()).map(Player::new) {
            let observation = game.observe(state, viewer);
            assert!(
                !game.picture(&observation).is_empty(),
                "T-FA1: no picture ({at})"
            );
            let Some(text) = game.format_observation(&observation) else {
                continue;
            };
            let back = read_back(game, &text, at);
            for _ in 0..3 {
                let _ = game.parse_observation(&damaged(&text, rng));
            }
            if game.turn(state) == Turn::Player(viewer) {
                check_world(game, &back, state, &text, at);
            }
        }
        let actions = legal(game, state);
        let mut names: Vec<String> = Vec::new();
        for action in &actions {
            let text = game.format_action(*action);
            assert_eq!(text, text.trim(), "T-FA1: spaces at the ends ({at})");
            assert!(!text.is_empty(), "T-FA1: {action:?} has no name ({at})");
            for typed in [text.clone(), format!(" {text} ")] {
                assert_eq!(
                    game.parse_action(&typed, &actions).as_ref(),
                    Ok(action),
                    "T-FA1: `{typed}` ({at})"
                );
            }
            let _ = game.parse_action(&damaged(&text, rng), &actions);
            names.push(text);
        }
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(
            names.len(),
            all,
            "T-FA1: two actions have one name: {names:?} ({at})"
        );
        for text in NONSENSE {
            let read = game.parse_action(text, &actions);
            assert!(read.is_err(), "T-FA1: `{text}` is read as {read:?} ({at})");
        }
    });
    for text in NONSENSE {
        let refused = game.parse_observation(text).is_err();
        assert!(refused, "T-FA1: `{text}` is read as a position");
    }
    for (name, text) in game.positions() {
        let observation = game.parse_observation(&text);
        let Ok(observation) = observation else {
            panic!("T-FA1: position {name}, `{text}`, cannot be read");
        };
        let plan = game.determinizer().plan(game, &observation).map(|_| ());
        assert_eq!(
            plan,
            Ok(()),
            "T-FA1: position {name}, `{text}`, has no world"
        );
    }
    check_agents(game, seed);
}

/// One character dropped, doubled or replaced.
fn damaged(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = rng.below(chars.len() as u32) as usize;
    if let Some(&c) = chars.get(at) {
        match rng.below(3) {
            0 => drop(chars.remove(at)),
            1 => chars.insert(at, c),
            _ => chars[at] = rng.pick(&['0', '9', 'x', ',', ' ', '☃']).unwrap_or('z'),
        }
    }
    chars.into_iter().collect()
}

fn read_back<G: Plugin>(game: &G, text: &str, at: At) -> G::Observation {
    assert_eq!(
        text.lines().count().max(1),
        1,
        "T-FA1: more than one line: {text} ({at})"
    );
    match game.parse_observation(text) {
        Ok(back) => {
            assert_eq!(
                game.format_observation(&back).as_deref(),
                Some(text),
                "T-FA1: reads back differently ({at})"
            );
            back
        }
        Err(error) => panic!("T-FA1: `{text}`: {error} ({at})"),
    }
}

/// A world of an observation that was read from text is the same decision as the true state.
fn check_world<G: Plugin>(
    game: &G,
    observation: &G::Observation,
    state: &G::State,
    text: &str,
    at: At,
) {
    let determinizer = game.determinizer();
    let plan = match determinizer.plan(game, observation) {
        Ok(plan) => plan,
        Err(error) => panic!("T-FA1: `{text}`: {error} ({at})"),
    };
    let mut world = determinizer.scratch(game, observation, &plan);
    let mut rng = at.seed.simulation(at.ply.into());
    determinizer.sample(game, observation, &plan, &mut rng, &mut world);
    check_same(game, &format!("T-FA1: `{text}`"), state, &world, at);
}

/// Every listed agent exists without settings and plays a legal action at each of its turns in one
/// random game; a name that nobody has is nobody.
fn check_agents<G: Plugin>(game: &G, seed: Seed) {
    let nobody = Expr::word("nobody-has-this-name");
    let found = game.agent(&nobody.name, &mut nobody.settings());
    assert!(
        matches!(found, Ok(None)),
        "T-FA1: an agent under a name that nobody has"
    );
    for (name, _) in game.agents() {
        let expr = Expr::word(name);
        let policy = match game.agent(name, &mut expr.settings()) {
            Ok(Some(policy)) => policy,
            Ok(None) => panic!("T-FA1: agent {name} is listed and does not exist"),
            Err(error) => panic!("T-FA1: agent {name}: {error}"),
        };
        walk(game, 1, seed.child(name), |state, _, at| {
            if let Turn::Player(player) = game.turn(state) {
                let (observation, actions) = (game.observe(state, player), legal(game, state));
                let mut rng = at.seed.simulation(at.ply.into());
                let action = policy.choose(game, &observation, &actions, &mut rng);
                assert!(
                    is_legal(game, &observation, &actions, action),
                    "T-FA1: agent {name} plays {action:?}, which is not legal ({at})"
                );
                let text = game.format_action(action);
                assert_eq!(
                    game.parse_action(&text, &actions).ok(),
                    Some(action),
                    "T-FA1: agent {name} plays `{text}`, which reads back otherwise ({at})"
                );
            }
        });
    }
}
