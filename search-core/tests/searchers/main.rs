//! The searchers by property, on small games whose values are known or easily enumerated.

mod budgets;
mod chance;
mod common;
mod continuous;
mod determinism;
mod extremes;
mod flat;
mod ismcts;
mod planned;
mod uct;
