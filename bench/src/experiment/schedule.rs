//! Who sits where: the duplicate design of a comparison.

use std::ops::Range;

/// One of the two sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arm {
    /// The candidate.
    A,
    /// What it is compared with.
    B,
}

impl Arm {
    /// Both arms.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// 0 for A, 1 for B.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// Matches that answer one question: how does one A do among Bs, say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Direction {
    /// In words.
    pub name: &'static str,
    /// Which matches of the block.
    pub matches: Range<usize>,
}

/// Every seating of one block, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    players: usize,
    seatings: Vec<Vec<Arm>>,
    directions: Vec<Direction>,
}

impl Schedule {
    /// The duplicate design for this many players.
    ///
    /// * three or more: one A in each seat among Bs, then one B in each seat among As: `2n` matches;
    /// * two: the two directions are the same matches, so there are two of them, `AB` and `BA`;
    /// * one: A alone and B alone.
    #[must_use]
    pub fn duplicate(players: usize) -> Self {
        let among = |focal: Arm| {
            (0..players).map(move |seat| {
                let mut seating = vec![focal.other(); players];
                seating[seat] = focal;
                seating
            })
        };
        let mut seatings: Vec<Vec<Arm>> = among(Arm::A).collect();
        let mut directions = vec![Direction {
            name: match players {
                1 => "a alone against b alone",
                2 => "one a against one b",
                _ => "one a among b's",
            },
            matches: 0..2.max(players),
        }];
        match players {
            1 => seatings.push(vec![Arm::B]),
            2 => {}
            _ => {
                seatings.extend(among(Arm::B));
                directions.push(Direction {
                    name: "one b among a's",
                    matches: players..2 * players,
                });
            }
        }
        Self {
            players,
            seatings,
            directions,
        }
    }

    /// Players of the game.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// The seatings of one block: who sits in seat 0, 1, ….
    #[must_use]
    pub fn seatings(&self) -> &[Vec<Arm>] {
        &self.seatings
    }

    /// The directions, each a range of the seatings; they count equally.
    #[must_use]
    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    /// The design in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let k = self.seatings.len();
        match self.players {
            1 => "a alone and b alone on every seed, with the same deal and chance events".into(),
            2 => {
                format!("{k} matches a seed: a in each seat against b, same deal and chance events")
            }
            _ => format!(
                "{k} matches a seed: one a in each seat among b's and one b in each seat among a's, \
                 same deal and chance events"
            ),
        }
    }
}

/// A seating as text, `ABB`.
#[must_use]
pub fn seating_text(seating: &[Arm]) -> String {
    let letter = |arm: &Arm| match arm {
        Arm::A => 'A',
        Arm::B => 'B',
    };
    seating.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::game::MAX_PLAYERS;

    #[test]
    fn every_arm_sits_equally_often_in_every_seat() {
        for players in 1..=MAX_PLAYERS {
            let schedule = Schedule::duplicate(players);
            let half = schedule.seatings().len() / 2;
            for seat in 0..players {
                let a = schedule.seatings().iter().filter(|s| s[seat] == Arm::A);
                assert_eq!(a.count(), half, "{players} players, seat {seat}");
            }
        }
    }

    #[test]
    fn seatings_are_distinct_and_directions_cover_them() {
        for players in 1..=MAX_PLAYERS {
            let schedule = Schedule::duplicate(players);
            let texts: Vec<String> = schedule
                .seatings()
                .iter()
                .map(|s| seating_text(s))
                .collect();
            let distinct: std::collections::HashSet<&String> = texts.iter().collect();
            assert_eq!(distinct.len(), texts.len());
            assert_eq!(texts.len(), if players < 3 { 2 } else { 2 * players });
            let covered: usize = schedule.directions().iter().map(|d| d.matches.len()).sum();
            assert_eq!(covered, texts.len());
        }
        let three = Schedule::duplicate(3);
        let texts: Vec<String> = three.seatings().iter().map(|s| seating_text(s)).collect();
        assert_eq!(texts, ["ABB", "BAB", "BBA", "BAA", "ABA", "AAB"]);
    }
}
