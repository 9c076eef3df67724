//! The contract of a game, checked on random play: call these from the tests of every game crate.
//!
//! Each check plays random games from a seed and panics at the first breach, naming the seed, the
//! game and the ply, so that the same call with the same arguments fails there again.
//!
//! ```
//! use rand::Rng;
//! use search_core::game::{Game, Player, Returns, Turn};
//! use search_core::rng::Seed;
//! use search_core::testing::check_contract;
//!
//! /// Take one to three; who takes the last one wins.
//! struct Nim;
//!
//! impl Game for Nim {
//!     type State = (u8, u8); // what is left, who is to move
//!     type Action = u8;
//!     type Chance = std::convert::Infallible;
//!     type Observation = (u8, u8);
//!     fn num_players(&self) -> usize { 2 }
//!     fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> (u8, u8) { (9, 0) }
//!     fn turn(&self, s: &(u8, u8)) -> Turn {
//!         if s.0 == 0 { Turn::Terminal } else { Turn::Player(Player::new(s.1.into())) }
//!     }
//!     fn legal_actions(&self, s: &(u8, u8), out: &mut Vec<u8>) {
//!         out.clear();
//!         out.extend(1..=s.0.min(3));
//!     }
//!     fn apply(&self, s: &mut (u8, u8), take: u8) { *s = (s.0 - take, 1 - s.1); }
//!     fn returns(&self, s: &(u8, u8)) -> Returns {
//!         Returns::zero_sum(if s.1 == 1 { 1.0 } else { -1.0 })
//!     }
//!     fn return_bounds(&self) -> std::ops::RangeInclusive<f64> { -1.0..=1.0 }
//!     fn observe(&self, s: &(u8, u8), _: Player) -> (u8, u8) { *s }
//! }
//!
//! check_contract(&Nim, 100, Seed(1));
//! ```

mod chance;
mod depth_first;
mod notation;
mod survival;
#[cfg(test)]
mod tests;
mod worlds;

pub use chance::{check_chance, chi_square};
pub use depth_first::check_depth_first;
pub use notation::check_notation;
pub use survival::check_survival;
pub use worlds::{check_determinizer, check_info_keys};

use rand_chacha::ChaCha8Rng;
use std::fmt;

use crate::game::{Game, Player, Returns, Turn};
use crate::rng::{Draw, Seed};

/// Where a check is, for its message.
#[derive(Clone, Copy)]
struct At {
    seed: Seed,
    game: u32,
    ply: u32,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}, game {}, ply {}",
            self.seed.0, self.game, self.ply
        )
    }
}

/// The legal actions in a fresh buffer.
fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut out = Vec::new();
    game.legal_actions(state, &mut out);
    out
}

/// What was played at one turn.
enum Step<G: Game> {
    Action(G::Action),
    Chance(G::Chance),
}

impl<G: Game> Step<G> {
    fn play(&self, game: &G, state: &mut G::State) {
        match *self {
            Self::Action(action) => game.apply(state, action),
            Self::Chance(outcome) => game.apply_chance(state, outcome),
        }
    }
}

/// Draws what happens next; `None` at the end of the game.
fn draw<G: Game>(game: &G, state: &G::State, rng: &mut ChaCha8Rng, at: At) -> Option<Step<G>> {
    match game.turn(state) {
        Turn::Terminal => None,
        Turn::Chance => Some(Step::Chance(game.sample_chance(state, rng))),
        Turn::Player(player) => {
            let Some(action) = rng.pick(&legal(game, state)) else {
                panic!("T-GC1: {player:?} is to move and has no legal action ({at})");
            };
            Some(Step::Action(action))
        }
    }
}

/// Plays random games and shows every state, the last included, to `visit`.
fn walk<G: Game>(
    game: &G,
    games: u32,
    seed: Seed,
    mut visit: impl FnMut(&G::State, &mut ChaCha8Rng, At),
) {
    for index in 0..games {
        let mut rng = seed.index(index.into()).stream();
        let mut state = game.initial_state(&mut rng);
        let mut at = At {
            seed,
            game: index,
            ply: 0,
        };
        loop {
            visit(&state, &mut rng, at);
            let Some(step) = draw(game, &state, &mut rng, at) else {
                break;
            };
            step.play(game, &mut state);
            at.ply += 1;
            let cap = game.max_turns();
            assert!(
                at.ply <= cap,
                "T-GC4: longer than max_turns() = {cap} ({at})"
            );
        }
    }
}

fn check_returns<G: Game>(game: &G, what: &str, returns: &Returns, at: At) {
    let (players, bounds) = (game.num_players(), game.return_bounds());
    assert_eq!(
        returns.len(),
        players,
        "T-GC3: {what} has one value a player ({at})"
    );
    for value in returns.iter() {
        assert!(
            value.is_finite() && bounds.contains(value),
            "T-GC3: {what} {returns:?} leaves the bounds {bounds:?} ({at})"
        );
    }
}

/// Turn, legal actions and, at the end, returns of two states that should be the same.
fn check_same<G: Game>(game: &G, what: &str, state: &G::State, twin: &G::State, at: At) {
    assert_eq!(
        game.turn(state),
        game.turn(twin),
        "{what}: turn differs ({at})"
    );
    assert_eq!(
        legal(game, state),
        legal(game, twin),
        "{what}: legal actions differ ({at})"
    );
    if game.turn(state) == Turn::Terminal {
        let (a, b) = (game.returns(state), game.returns(twin));
        assert!(a == b, "{what}: returns {a:?} and {b:?} ({at})");
    }
}

/// T-GC1, T-GC3, T-GC4 on `games` random games: legal actions strictly ascending, non-empty exactly
/// at a player's turn and a function of the state alone; copies (`clone` and `clone_from` over an
/// unrelated state) that stay the same game to the end and leave the original alone; returns finite,
/// within bounds, one a player; no game beyond `max_turns`.
///
/// # Panics
/// At the first breach, naming the seed, the game and the ply.
pub fn check_contract<G: Game>(game: &G, games: u32, seed: Seed) {
    let players = game.num_players();
    assert!(
        (1..=crate::game::MAX_PLAYERS).contains(&players),
        "T-GC3: {players} players"
    );
    let (bounds, scale) = (game.return_bounds(), game.return_scale());
    let finite = bounds.start().is_finite() && bounds.end().is_finite();
    assert!(
        finite && bounds.start() <= bounds.end(),
        "T-GC3: bounds {bounds:?}"
    );
    assert!(
        scale.is_finite() && scale > 0.0,
        "T-GC3: return_scale {scale}"
    );

    // Left over from elsewhere, on purpose: what a buffer or a copy held must not matter.
    let mut buffer: Vec<G::Action> = Vec::new();
    let mut twin: Option<G::State> = None;
    for index in 0..games {
        let mut rng = seed.index(index.into()).stream();
        let mut state = game.initial_state(&mut rng);
        let again = game.initial_state(&mut seed.index(index.into()).stream());
        let mut at = At {
            seed,
            game: index,
            ply: 0,
        };
        check_same(game, "the same seed twice", &state, &again, at);
        match &mut twin {
            Some(twin) => twin.clone_from(&state),
            None => twin = Some(state.clone()),
        }
        loop {
            let turn = game.turn(&state);
            game.legal_actions(&state, &mut buffer);
            assert_eq!(
                buffer,
                legal(game, &state),
                "T-GC1: depends on what the buffer held ({at})"
            );
            assert!(
                buffer.windows(2).all(|w| w[0] < w[1]),
                "T-GC1: not strictly ascending: {buffer:?} ({at})"
            );
            assert_eq!(
                !buffer.is_empty(),
                matches!(turn, Turn::Player(_)),
                "T-GC1: turn {turn:?} with legal actions {buffer:?} ({at})"
            );
            if let Turn::Player(player) = turn {
                assert!(
                    player.index() < players,
                    "T-GC3: {player:?} of {players} ({at})"
                );
            }
            if turn == Turn::Terminal {
                check_returns(game, "returns", &game.returns(&state), at);
                if let Some(sum) = game.returns_sum() {
                    let is: f64 = game.returns(&state).iter().sum();
                    assert!(
                        (is - sum).abs() < 1e-9,
                        "T-GC3: returns sum to {is}, returns_sum() says {sum} ({at})"
                    );
                }
            }
            if let Some(twin) = &twin {
                check_same(game, "T-GC2: clone_from", &state, twin, at);
            }
            check_returns(game, "cut_off_returns", &game.cut_off_returns(&state), at);
            for player in 0..players {
                let _ = game.observe(&state, Player::new(player));
            }
            let Some(step) = draw(game, &state, &mut rng, at) else {
                break;
            };
            let before = state.clone();
            step.play(game, &mut state);
            check_untouched(game, &before, &buffer, turn, at);
            if let Some(twin) = &mut twin {
                step.play(game, twin);
            }
            at.ply += 1;
            let cap = game.max_turns();
            assert!(
                at.ply <= cap,
                "T-GC4: longer than max_turns() = {cap} ({at})"
            );
        }
    }
}

/// Playing on the original must not reach into a clone made before.
fn check_untouched<G: Game>(
    game: &G,
    before: &G::State,
    actions: &[G::Action],
    turn: Turn,
    at: At,
) {
    assert_eq!(
        game.turn(before),
        turn,
        "T-GC2: a clone shares its turn ({at})"
    );
    assert_eq!(
        legal(game, before),
        actions,
        "T-GC2: a clone shares its actions ({at})"
    );
}
