//! Dice chess: three dice say which pieces move, capturing the king wins.

pub mod board;
pub mod bots;
pub mod capture;
pub mod dfen;
pub mod dice;
pub mod explain;
pub mod game;
pub mod golden;
pub mod legality;
pub mod micro_move;
pub mod moves;
pub mod notation;
pub mod options;
pub mod perft;
pub mod picture;
pub mod plugin;
pub mod position;
pub mod results;
pub mod sampler;
pub mod survival;
pub mod tablebase;
pub mod turns;
mod view;

#[cfg(test)]
mod test_positions;

pub use board::Board;
pub use dice::{Pool, Roll};
pub use game::DiceChess;
pub use micro_move::MicroMove;
pub use options::{DiceChessOptions, DrawPolicy};
pub use position::{Outcome, Phase, Position};
