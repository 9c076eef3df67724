//! Estimating how a position will end: [`Survival`] says with what probability the coming turn ends
//! the game.

mod survival;

pub use survival::{Absorption, Survival};
