//! Small classic games for search, with exact solvers to check a search against.
//!
//! ```
//! use classics::solve::ConnectFourSolver;
//! use classics::{ConnectFour, connect_four::Column};
//! use search_core::game::{Game, Player, Turn};
//! use search_core::plugin::Plugin;
//! use search_core::rng::{Draw, Seed};
//!
//! // A random game …
//! let (game, mut rng) = (ConnectFour, Seed(1).simulation(0));
//! let mut state = game.initial_state(&mut rng);
//! let mut legal: Vec<Column> = Vec::new();
//! while game.turn(&state) != Turn::Terminal {
//!     game.legal_actions(&state, &mut legal);
//!     game.apply(&mut state, legal[rng.below(legal.len() as u32) as usize]);
//! }
//! println!("{}", game.picture(&game.observe(&state, Player::new(0))));
//!
//! // … and the exact score of every column: only 3 and 7 win at once.
//! let position = game.parse_observation("445566")?;
//! let scores = ConnectFourSolver::default().move_scores(&position);
//! assert_eq!((scores[2], scores[6]), (Some(18), Some(18)));
//! # Ok::<(), search_core::plugin::PluginError>(())
//! ```
//!
//! | game | what it is good for |
//! |---|---|
//! | [`TicTacToe`] | solved completely; perfect information |
//! | [`ConnectFour`] | the benchmark: fast playouts, exact scores in the later game |
//! | [`Othello`] | long games with many moves, fast playouts |
//! | [`Whist`] | a trick game of four players and hidden hands: fast redeals and playouts |
//! | [`Pig`] | chance turns, two to six players |
//! | [`KuhnPoker`], [`LeducPoker`] | hidden cards and bluffs, with known equilibria |
//! | [`SafeGuess`] | strategy fusion, one player |
//! | [`TreeGame`] | little trees that show one difficulty each |
//! | [`Cliff`] | continuous actions with execution noise; the best aim in closed form |
//!
//! All of them but [`Cliff`], whose outcomes cannot be listed, and [`Whist`], whose deals cannot, implement [`Plugin`](search_core::plugin::Plugin),
//! [`ChanceOutcomes`](search_core::game::ChanceOutcomes),
//! [`InfoKey`](search_core::game::InfoKey) and [`solve::InitialStates`]; the solvers are in
//! [`solve`].

pub mod cliff;
pub mod connect_four;
pub mod golden;
pub mod kuhn;
pub mod leduc;
pub mod othello;
pub mod pig;
pub mod safe_guess;
pub mod solve;
mod status;
mod text;
pub mod tic_tac_toe;
pub mod toy;
pub mod whist;

pub use cliff::Cliff;
pub use connect_four::ConnectFour;
pub use kuhn::KuhnPoker;
pub use leduc::LeducPoker;
pub use othello::Othello;
pub use pig::Pig;
pub use safe_guess::SafeGuess;
pub use tic_tac_toe::TicTacToe;
pub use toy::TreeGame;
pub use whist::Whist;
