//! How the stones moved in a shot: the first frame, then what changes from frame to frame.

use serde::Serialize;

use super::read::Field;
use super::state::{StoneAt, Stones};
use super::{ProtocolError, check};
use crate::board::{STONES_PER_TEAM, Team};

/// One stone that is elsewhere than a frame before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// Whose stone.
    pub team: Team,
    /// The number of its throw, 0 to 7.
    pub index: u8,
    /// Where it is; none when it is gone.
    pub value: Option<StoneAt>,
}

/// The way of all stones. A server sends it only when it is configured to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trajectory {
    /// Seconds from frame to frame; the last one, when everything is at rest, may come earlier.
    pub seconds_per_frame: f64,
    /// The first frame: the stones with the thrown one at the hack.
    pub start: Stones,
    /// The stones in play afterwards, by all rules.
    pub finish: Stones,
    /// For every frame after the first, what differs from the one before.
    pub frames: Vec<Vec<Change>>,
}

impl Trajectory {
    /// All frames in full, the first one included.
    #[must_use]
    pub fn all(&self) -> Vec<Stones> {
        let mut frames = vec![self.start.clone()];
        let mut now = self.start.clone();
        for changes in &self.frames {
            for change in changes {
                let stones = now.of_mut(change.team);
                if let Some(slot) = stones.get_mut(usize::from(change.index)) {
                    *slot = change.value;
                }
            }
            frames.push(now.clone());
        }
        frames
    }

    /// From frames in full, of which the first is the start, and the stones that stay in play.
    #[must_use]
    pub fn from_frames(seconds_per_frame: f64, frames: &[Stones], finish: Stones) -> Self {
        let changes = |pair: &[Stones]| {
            let mut list = Vec::new();
            for team in Team::BOTH {
                let stones = pair[0].of(team).iter().zip(pair[1].of(team));
                for (index, (before, after)) in stones.enumerate() {
                    if before != after {
                        list.push(Change {
                            team,
                            index: index as u8,
                            value: *after,
                        });
                    }
                }
            }
            list
        };
        Self {
            seconds_per_frame,
            start: frames.first().cloned().unwrap_or_default(),
            finish,
            frames: frames.windows(2).map(changes).collect(),
        }
    }

    pub(super) fn check(&self) -> Result<(), ProtocolError> {
        check("trajectory.seconds_per_frame", self.seconds_per_frame)?;
        let stones = [&self.start, &self.finish].into_iter();
        let stones = stones
            .flat_map(|s| s.team0.iter().chain(&s.team1))
            .flatten();
        let changed = self
            .frames
            .iter()
            .flatten()
            .filter_map(|c| c.value.as_ref());
        stones.chain(changed).try_for_each(StoneAt::check)
    }

    pub(super) fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let mut frames = Vec::new();
        for frame in field.get("frames", "a list of frames")?.items()? {
            let changes = frame.items()?;
            let changes = changes.iter().map(Change::read);
            frames.push(changes.collect::<Result<Vec<_>, _>>()?);
        }
        let seconds = field.get("seconds_per_frame", "seconds")?;
        Ok(Self {
            seconds_per_frame: seconds.within(0.0, f64::MAX)?,
            start: StoneAt::read_all(&field.get("start", "the stones of both teams")?)?,
            finish: StoneAt::read_all(&field.get("finish", "the stones of both teams")?)?,
            frames,
        })
    }
}

impl Change {
    fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let index = field.get("index", "the number of a throw")?;
        let value = field.get("value", "a stone or null")?.nullable();
        Ok(Self {
            team: field.get("team", "\"team0\" or \"team1\"")?.team()?,
            index: index.whole(STONES_PER_TEAM as u64 - 1)? as u8,
            value: value.map(|v| StoneAt::read(&v)).transpose()?,
        })
    }
}
