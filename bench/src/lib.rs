//! The laboratory.

pub mod statistics;
