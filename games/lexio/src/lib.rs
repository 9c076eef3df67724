//! Lexio: a climbing game with 60 tiles for 3 to 5 players.
//!
//! ```
//! use lexio::Lexio;
//! use search_core::game::{Game, Turn};
//! use search_core::plugin::Plugin;
//! use search_core::rng::{Draw, Seed};
//!
//! let game = Lexio::default(); // five players, the publisher's rules
//! let mut rng = Seed(7).stream();
//! let mut round = game.initial_state(&mut rng);
//! let mut legal = Vec::new();
//! while let Turn::Player(player) = game.turn(&round) {
//!     game.legal_actions(&round, &mut legal);
//!     let action = rng.pick(&legal).unwrap();
//!     println!("{player:?} plays {}", game.format_action(action));
//!     game.apply(&mut round, action);
//! }
//! assert_eq!(game.returns(&round).iter().sum::<f64>(), 0.0);
//! ```
//!
//! One [`Game`](search_core::game::Game) is one round; a match is several, see
//! [`Plugin::rounds`](search_core::plugin::Plugin::rounds).
//!
//! # Where to look
//!
//! * [`Tile`], [`Tiles`], [`Action`]: a tile is a byte, a set of tiles 60 bits, an action four
//!   bytes.
//! * [`Options`] and [`Lexio`]: the rules and their variants; [`Straights`] is the order of
//!   straights.
//! * [`Combination`]: what may be played and what beats what; [`Lexio::plays`] generates.
//! * [`State`] is the whole truth, [`Observation`] what one player knows, [`UniformDeal`] goes
//!   back from the one to the other.
//! * [`answer`]: how likely somebody can answer a play.
//! * [`Easy`] and [`Hard`] play; [`golden`] checks known answers.

mod action;
pub mod answer;
mod calibration;
mod combination;
mod consistency;
mod determinizer;
mod easy;
mod game;
mod generate;
pub mod golden;
mod groups;
pub mod hard;
mod history;
mod notation;
mod observation;
mod parse;
mod picture;
mod plugin;
mod rules;
mod set;
mod settlement;
mod state;
mod straight;
mod subsets;
mod tile;

pub use action::Action;
pub use combination::{Combination, Kind, Strength};
pub use determinizer::{Plan, UniformDeal};
pub use easy::Easy;
pub use groups::Groups;
pub use hard::Hard;
pub use notation::{format_observation, parse_play, parse_tiles};
pub use observation::Observation;
pub use parse::parse_observation;
pub use picture::picture;
pub use rules::{
    DealRule, LeadRule, Lexio, MAX_SEATS, Options, PassRule, SettleRule, StraightRule,
};
pub use set::{Iter, Tiles};
pub use settlement::Holding;
pub use state::{Public, State};
pub use straight::Straights;
pub use tile::{RANKS, Suit, Tile};
