//! Experiments: what is played ([`schedule`]), how ([`match_driver`], [`referee`]), the record of
//! it ([`block`]), and what it says ([`summary`]), while it runs too ([`watch`], [`sequential`]).
//!
//! The unit of inference is the seed. One *block* is every seating of one deal: the same deal and
//! the same chance events in each, the same random numbers for whoever decides in a seat.

pub mod block;
pub mod capture;
pub mod checks;
pub mod compare;
pub mod digest;
#[cfg(test)]
mod fallback_tests;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod match_driver;
mod pairing;
pub mod range;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod seeds;
pub mod sequential;
pub mod stop;
pub mod summary;
pub mod times;
mod warnings;
pub mod watch;
#[cfg(test)]
mod watch_tests;
