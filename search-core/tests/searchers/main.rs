//! The searchers by property, on small games whose values are known or easily enumerated.

mod allocation;
mod budgets;
mod chance;
mod common;
mod continuous;
mod determinism;
mod extremes;
mod flat;
mod full_trees;
mod ismcts;
mod mcts;
mod metamorphic;
mod multi_observer;
mod passing;
mod planned;
mod private_chance;
mod probes;
mod redealing;
mod rollouts;
mod shot;
mod uct;
mod unnoticed;
mod who_moved;
