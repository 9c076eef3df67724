//! The search against a plain recursion on random games.

mod budgets;
mod exact;
mod graph;
