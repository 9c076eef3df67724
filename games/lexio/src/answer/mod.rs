//! How likely somebody can answer a play: [`AnswerProbabilities`].
//!
//! ```
//! use lexio::answer::{AnswerProbabilities, Estimator, Seat, Unseen, answer_probability};
//! use lexio::{Lexio, Tiles, parse_tiles};
//!
//! // The start of a round of five, seen by a player who holds the four 3s, four 4s, three 2s, 5C.
//! let game = Lexio::default();
//! let hand = parse_tiles("3C 3H 3D 3S 4C 4H 4D 4S 5C 2C 2H 2D")?;
//! let seats = [Seat::new(12, true); 4];
//! let unseen = Unseen::new(&game, game.deck() - hand, &seats)?;
//! let play = game.combination(parse_tiles("2D")?).ok_or("a play")?;
//!
//! // Somebody holds the sun 2: all tiles are dealt. The product rule does not know.
//! assert_eq!(answer_probability(&Estimator::Exact, play, unseen)?, 1.0);
//! let product = answer_probability(&Estimator::IndepCount, play, unseen)?;
//! assert!((product - 0.68359375).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The model
//!
//! The unseen tiles are dealt uniformly to the seats (and to a stock, where the seats have room
//! for fewer). The event is: at least one eligible seat then holds a play that beats the given
//! one. Nothing is inferred from passes, for under every rule here one may pass with anything.
//! `docs/src/design/lexio-answers.md` says how it is computed and what was tried.

mod beaters;
mod calibrate;
mod calibration;
mod estimate;
mod five;
mod groups;
mod situation;
mod strongest;
mod triples;
mod unseen;

pub use beaters::Beaters;
pub use calibration::{CalibrationTable, Class, Event, GENERATOR_VERSION, Header, Row, rules_hash};
pub use estimate::{
    Answer, AnswerKind, AnswerProbabilities, Estimator, STEPS, WORLDS, answer_probability,
};
pub use situation::Situation;
pub use unseen::{AnswerError, Seat, Unseen};
