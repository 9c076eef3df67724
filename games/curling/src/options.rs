//! Options of the game on the command line: [`CurlingOptions`].

use search_core::plugin::PluginError;
use serde::{Deserialize, Serialize};

use crate::physics::Ice;
use crate::win_table::Scores;

/// What a match is played for, and what a search maximises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The match: 1 for the winner, -1 for the loser, 0 for a draw.
    #[default]
    Win,
    /// The difference of the points.
    Points,
}

/// The free guard zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zone {
    /// Holds for the first five stones of an end.
    #[default]
    Five,
    /// For the first four.
    Four,
    /// There is none.
    None,
}

/// The noise of every throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Noise {
    /// Digital Curling 3: normal speed and angle.
    #[default]
    Dc3,
    /// UEC cup 2015: normal around the target, 14.5 cm both ways.
    Uec,
    /// GAT 2015: half of that across, twice along.
    Gat,
    /// Student's t with five degrees of freedom in speed and angle, as in the KR-UCT paper.
    Student,
    /// None.
    None,
}

/// The shots that a searcher chooses among.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shots {
    /// What a player would call for: see [`crate::shots::Shot`].
    Named,
    /// A lattice of stopping places and a row of hits, the same on every board.
    Grid,
    /// Both.
    #[default]
    All,
}

/// The options.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CurlingOptions {
    /// Ends of a match, 1 to 16. A tie is followed by extra ends, unless only the points count.
    pub ends: u8,
    /// The team with the hammer in the first end, 0 or 1. In mixed doubles it says how the stones are
    /// placed in the first end.
    pub hammer: u8,
    /// The model of the ice.
    pub ice: Ice,
    /// The execution noise.
    pub noise: Noise,
    /// The free guard zone.
    pub zone: Zone,
    /// Whether a guard that touches the centre line may not be moved off it either, in the first
    /// five shots of an end.
    pub no_tick: bool,
    /// Mixed doubles: five stones a team, one placed before, and the power play. Nothing may be taken
    /// out before the fourth shot, unless `zone` is none.
    pub doubles: bool,
    /// Where the placed guard of mixed doubles lies, 0 (near the house) to 5.
    pub pattern: u8,
    /// What a match is played for.
    pub objective: Objective,
    /// 0: the noise is continuous. k: it is drawn from its rule of k x k points instead, whose
    /// outcomes can be listed, as expectimax and explicit chance nodes need; 1 to 15.
    pub noise_points: u8,
    /// The shots that a searcher chooses among.
    pub shots: Shots,
    /// The distribution of the scores of an end behind the win table.
    pub scores: Scores,
    /// So many shots of the first end are thrown by the policy `quick` before play starts, 0 to 15: 15
    /// leaves the hammer shot of a board that is different for every seed.
    pub thrown: u8,
}

impl Default for CurlingOptions {
    fn default() -> Self {
        Self {
            ends: 8,
            hammer: 1,
            ice: Ice::Fast,
            noise: Noise::Dc3,
            zone: Zone::Five,
            no_tick: false,
            doubles: false,
            pattern: 0,
            objective: Objective::Win,
            noise_points: 0,
            shots: Shots::default(),
            scores: Scores::Paper,
            thrown: 0,
        }
    }
}

impl CurlingOptions {
    /// Checks the ranges.
    ///
    /// # Errors
    /// When an option is out of range, saying what would be right.
    pub fn check(&self) -> Result<(), PluginError> {
        if !(1..=16).contains(&self.ends) {
            return Err(PluginError(format!(
                "curling(ends={}): expected 1 to 16 ends",
                self.ends
            )));
        }
        if self.hammer > 1 {
            return Err(PluginError(format!(
                "curling(hammer={}): expected 0 or 1, the team that throws last in the first end",
                self.hammer
            )));
        }
        if self.doubles && self.no_tick {
            return Err(PluginError::new(
                "curling(doubles=true,no_tick=true): mixed doubles has its own rule instead, leave out no_tick",
            ));
        }
        if self.thrown > 15 || self.doubles && self.thrown > 0 {
            return Err(PluginError(format!(
                "curling(thrown={}): expected 0 to 15 shots, and 0 in mixed doubles",
                self.thrown
            )));
        }
        if self.pattern > 5 {
            return Err(PluginError(format!(
                "curling(pattern={}): expected 0 to 5",
                self.pattern
            )));
        }
        if self.pattern > 0 && !self.doubles {
            return Err(PluginError(format!(
                "curling(pattern={}): only in mixed doubles are stones placed: leave it out, or play \
                 curling(doubles=true,pattern={0})",
                self.pattern
            )));
        }
        if self.noise_points > 15 {
            return Err(PluginError(format!(
                "curling(noise_points={}): expected 0 (continuous) to 15",
                self.noise_points
            )));
        }
        Ok(())
    }
}
