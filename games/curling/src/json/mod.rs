//! Positions as a line of JSON.
//!
//! ```text
//! {"end":0,"shot":3,"hammer":"team1","points":[1,2],
//!  "stones":{"team0":[null,{"x":0.12,"y":36.4}],"team1":[{"x":-0.3,"y":38.2}]}}
//! ```
//!
//! | key | meaning | when it is missing |
//! |---|---|---|
//! | `end` | ends finished, 0 to 255 | 0 |
//! | `shot` | shots thrown in this end | the fewest that explain the stones |
//! | `hammer` | who throws last: `team0`, `team1` | as in the first end |
//! | `points` | points of both teams | 0 |
//! | `stones` | the stones of each team by the number of their throw, in shot coordinates in metres | none |
//! | `throwing` | the shot that is decided, as text: the noise of its throw comes next | |
//! | `conceded` | who gave up | |
//! | `decides`, `placing`, `power_play` | mixed doubles: who says how the stones are placed, whether it still has to, who had a power play | the team with the hammer; where nothing is thrown or placed; nobody |
//! | `horizon`, `over` | the end of the end is the horizon of a search, and was reached (`"horizon"`); never of a match | |
//!
//! A stone is `{"x":..,"y":..}`, `[x,y]`, or `null` when it is not in play; what is left out at the
//! end of a list is not in play. The `state` object of the protocol of Digital Curling 3 is read too:
//! its stones have `position` and `angle`, its points are in `scores` and `extra_end_score`, its
//! clocks are ignored, and a team that lost by time counts as having given up.
//!
//! Writing and reading gives the same state to the bit.

mod field;
mod read;
mod value;
mod write;

pub use read::read;
pub use write::write;
