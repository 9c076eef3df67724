//! Expectimax: depth-first search through decisions and chance nodes.

mod depth_first;
mod expand;

pub use depth_first::{CutOff, DepthFirst, Outcomes, SameState, Seen, StateKey};
pub use expand::{Branch, Continuation, Expand, Line, MAX_LINE, SingleActions};
