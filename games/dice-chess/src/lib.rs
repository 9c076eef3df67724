//! Dice chess: three dice say which pieces move, capturing the king wins.
pub mod tablebase;
