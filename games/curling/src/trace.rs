//! What a shot did, kept for pictures and protocols: [`Trace`].

use crate::board::{STONES, Stone};
use crate::physics::{Contact, Out, Recorder, Sighting};

/// A stone that went out of play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Departure {
    /// Seconds since the release.
    pub time: f64,
    /// Which stone.
    pub stone: Stone,
    /// Its centre in shot coordinates, in metres.
    pub place: [f64; 2],
    /// Why.
    pub why: Out,
}

/// Collects the way of every stone, the contacts and the departures of one shot.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    paths: [Vec<Sighting>; STONES],
    contacts: Vec<Contact>,
    departures: Vec<Departure>,
}

/// Places nearer than this are one, in metres.
const SAME: f64 = 1e-6;

impl Trace {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the shot, and keeps the memory.
    pub fn clear(&mut self) {
        self.paths.iter_mut().for_each(Vec::clear);
        self.contacts.clear();
        self.departures.clear();
    }

    /// The way of a stone, in time order, without repeated places: at every sighting, contact and
    /// departure. Empty or of one entry for a stone that never moved.
    #[must_use]
    pub fn path(&self, stone: Stone) -> &[Sighting] {
        &self.paths[stone.index()]
    }

    /// The stones that moved, by index.
    pub fn moved(&self) -> impl Iterator<Item = Stone> + '_ {
        let all = (0..STONES).map(Stone::new);
        all.filter(|stone| self.path(*stone).len() > 1)
    }

    /// The impulses in the order they happened.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The stones that went out of play, in that order.
    #[must_use]
    pub fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Where a stone was at a time, by straight lines between what was seen, and where it was seen
    /// first or last outside that; `None` for a stone that was never seen.
    #[must_use]
    pub fn place_at(&self, stone: Stone, time: f64) -> Option<[f64; 2]> {
        let path = self.path(stone);
        let next = path.partition_point(|s| s.time <= time);
        let (before, after) = (path.get(next.wrapping_sub(1)), path.get(next));
        let (Some(a), Some(b)) = (before, after) else {
            return before.or(after).map(|s| s.place);
        };
        let share = (time - a.time) / (b.time - a.time);
        let between = |i: usize| a.place[i] + share * (b.place[i] - a.place[i]);
        Some([between(0), between(1)])
    }

    /// A stone that stays where it was seen last is not seen again.
    fn see(&mut self, sighting: Sighting) {
        let path = &mut self.paths[sighting.stone.index()];
        let stays = path.last().is_some_and(|last| {
            let [x, y] = [0, 1].map(|i| last.place[i] - sighting.place[i]);
            x.abs() < SAME && y.abs() < SAME
        });
        if stays && path.len() == 1 {
            // Still waiting: it sets off from here, and only now.
            path[0] = sighting;
        } else if !stays {
            path.push(sighting);
        }
    }
}

impl Recorder for Trace {
    fn sighting(&mut self, sighting: &Sighting) {
        self.see(*sighting);
    }

    fn contact(&mut self, contact: &Contact) {
        for i in 0..2 {
            self.see(Sighting {
                time: contact.time,
                stone: contact.stones[i],
                place: contact.places[i],
                velocity: contact.after[i],
            });
        }
        self.contacts.push(*contact);
    }

    fn out(&mut self, time: f64, stone: Stone, place: [f64; 2], why: Out) {
        self.see(Sighting {
            time,
            stone,
            place,
            velocity: [0.0; 3],
        });
        self.departures.push(Departure {
            time,
            stone,
            place,
            why,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Point, Team};
    use crate::physics::{Ice, Model, Simulator};
    use crate::release::{Release, Spin};

    const THROWN: Stone = Stone::of(Team::Team1, 0);
    const WAITING: Stone = Stone::of(Team::Team0, 0);

    fn throw(board: &mut Board, release: Release) -> Trace {
        let mut trace = Trace::new();
        Model::new(Ice::Fcv1).deliver(board, THROWN, release, &mut trace);
        trace
    }

    #[test]
    fn paths_end_where_the_stones_lie() {
        // Taken from the rows of known answers: a straight throw at the tee and the place it stops.
        let mut board = Board::EMPTY;
        board.put(WAITING, Point::new(-0.1, 38.0));
        let model = Model::new(Ice::Fcv1);
        let release = model
            .pass_through(Point::new(-0.1, 38.0), 0.8, Spin::Ccw)
            .unwrap();
        let trace = throw(&mut board, release);
        assert!(!trace.contacts().is_empty());
        assert_eq!(trace.moved().collect::<Vec<_>>(), [WAITING, THROWN]);
        for stone in trace.moved() {
            let path = trace.path(stone);
            assert!(path.is_sorted_by(|a, b| a.time < b.time));
            if let Some(rest) = board.get(stone) {
                let end = path.last().unwrap().place;
                assert!((end[0] - f64::from(rest.x)).abs() < 1e-3);
                assert!((end[1] - f64::from(rest.y)).abs() < 1e-3);
            }
        }
        // The waiting stone sets off at the contact, and the thrown one turns there.
        let contact = trace.contacts()[0];
        let start = trace.path(WAITING)[0];
        assert!((start.place[1] - 38.0).abs() < 1e-5);
        assert!((start.time - contact.time).abs() < 0.11);
        let turn = trace.path(THROWN).iter().any(|s| s.time == contact.time);
        assert!(turn);
    }

    #[test]
    fn departures_say_why() {
        let mut board = Board::EMPTY;
        let trace = throw(&mut board, Release::new(0.0, 1.0, Spin::Ccw));
        assert_eq!(trace.departures()[0].why, Out::Hog);
        // Known answer: a throw of 1 m/s stops at (-0.202, 5.484).
        let place = trace.departures()[0].place;
        assert!((place[0] + 0.202).abs() < 1e-3 && (place[1] - 5.484).abs() < 1e-3);
        let trace = throw(&mut board, Release::new(0.0, 3.5, Spin::Cw));
        assert_eq!(trace.departures()[0].why, Out::Side);
        assert!(board.is_empty());
    }

    #[test]
    fn places_between_sightings_lie_between() {
        let mut trace = Trace::new();
        let see = |trace: &mut Trace, time: f64, place| {
            trace.sighting(&Sighting {
                time,
                stone: THROWN,
                place,
                velocity: [0.0; 3],
            });
        };
        see(&mut trace, 0.0, [0.0, 0.0]);
        see(&mut trace, 2.0, [0.0, 4.0]);
        see(&mut trace, 3.0, [0.0, 4.0]);
        assert_eq!(trace.path(THROWN).len(), 2);
        assert_eq!(trace.place_at(THROWN, 0.5), Some([0.0, 1.0]));
        assert_eq!(trace.place_at(THROWN, -1.0), Some([0.0, 0.0]));
        assert_eq!(trace.place_at(THROWN, 9.0), Some([0.0, 4.0]));
        assert_eq!(trace.place_at(WAITING, 0.5), None);
        trace.clear();
        assert_eq!(trace.moved().count(), 0);
    }
}
