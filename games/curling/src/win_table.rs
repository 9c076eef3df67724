//! Who wins a match of ends: the probability by lead and ends left, from the distribution of one end.
//!
//! Katoh, Iizuka & Yamamoto (2016), Table 1: as a match equity table in backgammon, by dynamic
//! programming over the ends. The ends are taken as independent and alike, whoever leads.

use search_core::plugin::PluginError;
use serde::{Deserialize, Serialize};

/// Points of the highest score of an end.
const MOST_POINTS: usize = 8;
/// Where a blank end stands in [`EndScores`].
const BLANK: usize = MOST_POINTS;

/// The distributions of the scores of an end that come with this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scores {
    /// [`EndScores::paper`].
    #[default]
    Paper,
    /// [`EndScores::ohto`].
    Ohto,
    /// [`EndScores::willoughby_kostuk`].
    Willoughby,
}

/// The probabilities of the scores of one end, seen by the team with the hammer: index 0 is -8 (the
/// other team steals eight), 8 a blank end, 16 is +8. Sums to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndScores(pub [f64; 2 * MOST_POINTS + 1]);

impl EndScores {
    /// In proportion to weights by the score of the team with the hammer: counts of ends, say.
    ///
    /// # Errors
    /// When a score is beyond 8, a weight negative or not a number, or all are zero.
    pub fn from_weights(weights: &[(i32, f64)]) -> Result<Self, PluginError> {
        let mut p = [0.0; 2 * MOST_POINTS + 1];
        for &(score, weight) in weights {
            let index = usize::try_from(score + MOST_POINTS as i32).ok();
            let cell = index.and_then(|i| p.get_mut(i));
            match cell {
                Some(cell) if weight >= 0.0 && weight.is_finite() => *cell += weight,
                Some(_) => {
                    return Err(PluginError(format!(
                        "score {score} has weight {weight}: expected a number from 0 up"
                    )));
                }
                None => {
                    return Err(PluginError(format!("score {score}: expected -8 to 8")));
                }
            }
        }
        let total: f64 = p.iter().sum();
        if total <= 0.0 || !total.is_finite() {
            return Err(PluginError(format!(
                "the weights of the scores sum to {total}: expected more than 0"
            )));
        }
        Ok(Self(p.map(|w| w / total)))
    }

    /// The distribution of observed ends, by the score of the team with the hammer.
    ///
    /// # Errors
    /// When there is none, or a score is beyond 8.
    pub fn observed(scores: &[i32]) -> Result<Self, PluginError> {
        let weights: Vec<_> = scores.iter().map(|&score| (score, 1.0)).collect();
        Self::from_weights(&weights)
    }

    /// A distribution that reproduces the paper's table within two points: -3 2 %, -2 5 %, -1 19 %,
    /// +1 36 %, +2 18 %, +3 15 %, +4 4 %, scaled to sum to 1. The paper does not print its own.
    #[must_use]
    pub fn paper() -> Self {
        known(&[
            (-3, 2.0),
            (-2, 5.0),
            (-1, 19.0),
            (1, 36.0),
            (2, 18.0),
            (3, 15.0),
            (4, 4.0),
        ])
    }

    /// The prior of Ohto's program of 2015-16, seen by the other team and scaled to sum to 1.
    #[must_use]
    pub fn ohto() -> Self {
        known(&[
            (-3, 0.02),
            (-2, 0.07),
            (-1, 0.22),
            (0, 0.05),
            (1, 0.50),
            (2, 0.25),
            (3, 0.09),
        ])
    }

    /// The last ends of 221 matches between people (Willoughby & Kostuk, as shown by Ahmad, Holte &
    /// Bowling 2016).
    #[must_use]
    pub fn willoughby_kostuk() -> Self {
        known(&[
            (-4, 1.0),
            (-3, 5.0),
            (-2, 4.0),
            (-1, 39.0),
            (0, 12.0),
            (1, 113.0),
            (2, 34.0),
            (3, 8.0),
            (4, 4.0),
            (5, 1.0),
        ])
    }

    /// The probability that the team with the hammer wins extra ends, of which blank ones are
    /// repeated; a half where nobody ever scores.
    #[must_use]
    pub fn extra_end(&self) -> f64 {
        let won: f64 = self.0[BLANK + 1..].iter().sum();
        let lost: f64 = self.0[..BLANK].iter().sum();
        if won + lost > 0.0 {
            won / (won + lost)
        } else {
            0.5
        }
    }
}

fn known(weights: &[(i32, f64)]) -> EndScores {
    EndScores::from_weights(weights).unwrap_or(EndScores([0.0; 2 * MOST_POINTS + 1]))
}

/// The most ends left that a table holds.
pub const MOST_ENDS: usize = 16;
/// Leads beyond this are as good as decided: values are kept up to it.
const MOST_LEAD: i32 = 40;
const WIDTH: usize = 2 * MOST_LEAD as usize + 1;

/// Probability that the team with the hammer wins the match.
#[derive(Debug, Clone)]
pub struct WinTable {
    rows: Vec<[f64; WIDTH]>,
}

impl WinTable {
    /// The table of a distribution of end scores.
    #[must_use]
    pub fn new(scores: &EndScores) -> Self {
        Self::with_extra_end(scores, scores.extra_end())
    }

    /// The table of one of the known distributions. Ohto's prior has its own figure for the extra
    /// end, 78.1 % for the team with the hammer.
    #[must_use]
    pub fn of(scores: Scores) -> Self {
        match scores {
            Scores::Paper => Self::new(&EndScores::paper()),
            Scores::Ohto => Self::with_extra_end(&EndScores::ohto(), 1.0 - 0.219),
            Scores::Willoughby => Self::new(&EndScores::willoughby_kostuk()),
        }
    }

    /// The table of a distribution, with another probability that the team with the hammer wins when
    /// all ends are played and the match is level.
    ///
    /// # Panics
    /// If `extra_end` is not in 0 to 1.
    #[must_use]
    pub fn with_extra_end(scores: &EndScores, extra_end: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&extra_end),
            "{extra_end} is no probability"
        );
        let mut rows = vec![[0.0; WIDTH]; MOST_ENDS + 1];
        for (i, cell) in rows[0].iter_mut().enumerate() {
            *cell = match i as i32 - MOST_LEAD {
                0 => extra_end,
                lead => f64::from(u8::from(lead > 0)),
            };
        }
        for ends in 1..=MOST_ENDS {
            let (before, after) = rows.split_at_mut(ends);
            for (i, cell) in after[0].iter_mut().enumerate() {
                *cell = one_end(scores, &before[ends - 1], i as i32 - MOST_LEAD);
            }
        }
        Self { rows }
    }

    /// Probability that the team with the hammer wins, `lead` points ahead (negative: behind) with
    /// this many ends left to play, at most [`MOST_ENDS`]. With none left a tie is an extra end,
    /// hammer and all.
    #[inline]
    #[must_use]
    pub fn hammer(&self, ends_left: usize, lead: i32) -> f64 {
        let row = &self.rows[ends_left.min(MOST_ENDS)];
        row[(lead.clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD) as usize]
    }

    /// The same for the team without the hammer, `lead` points ahead.
    #[inline]
    #[must_use]
    pub fn other(&self, ends_left: usize, lead: i32) -> f64 {
        1.0 - self.hammer(ends_left, -lead)
    }
}

/// The value of an end for the team with the hammer, from the values of what follows.
fn one_end(scores: &EndScores, next: &[f64; WIDTH], lead: i32) -> f64 {
    let at = |lead: i32| next[(lead.clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD) as usize];
    let outcomes = scores.0.iter().enumerate();
    let worth = |score: usize| {
        let after = lead + score as i32 - BLANK as i32;
        // Who scores throws first in the next end.
        if score > BLANK {
            1.0 - at(-after)
        } else {
            at(after)
        }
    };
    outcomes.map(|(score, p)| p * worth(score)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 1 as printed, in percent: lead of the team with the hammer; 3, 2, 1 and 0 ends left. The
    /// first entry is lost.
    const PRINTED: [(i32, [Option<f64>; 4]); 7] = [
        (3, [None, Some(97.0), Some(99.0), Some(100.0)]),
        (2, [Some(88.0), Some(91.0), Some(96.0), Some(100.0)]),
        (1, [Some(77.0), Some(80.0), Some(87.0), Some(100.0)]),
        (0, [Some(62.0), Some(61.0), Some(73.0), Some(73.0)]),
        (-1, [Some(45.0), Some(39.0), Some(47.0), Some(0.0)]),
        (-2, [Some(29.0), Some(22.0), Some(24.0), Some(0.0)]),
        (-3, [Some(16.0), Some(10.0), Some(8.0), Some(0.0)]),
    ];

    #[test]
    fn the_printed_table_within_two_points() {
        let table = WinTable::of(Scores::Paper);
        for (lead, row) in PRINTED {
            for (column, printed) in row.into_iter().enumerate() {
                let ours = 100.0 * table.hammer(3 - column, lead);
                if let Some(printed) = printed {
                    assert!(
                        (ours - printed).abs() <= 2.0,
                        "{lead} {column}: {ours} {printed}"
                    );
                }
            }
        }
        let lost = 100.0 * table.hammer(3, 3);
        assert!((94.0..95.5).contains(&lost), "{lost}");
    }

    #[test]
    fn farther_from_the_end_as_reconstructed() {
        let table = WinTable::of(Scores::Paper);
        let rows = [
            (4, [92.0, 85.0, 74.0, 60.0, 44.0, 30.0, 18.0]),
            (5, [90.0, 82.0, 72.0, 59.0, 45.0, 32.0, 21.0]),
            (8, [85.0, 77.0, 68.0, 57.0, 46.0, 35.0, 26.0]),
        ];
        for (ends, row) in rows {
            for (i, percent) in row.into_iter().enumerate() {
                let ours = 100.0 * table.hammer(ends, 3 - i as i32);
                assert!(
                    (ours - percent).abs() <= 1.5,
                    "{ends} left, {i}: {ours} {percent}"
                );
            }
        }
    }

    /// Plays every sequence of scores, following who has the hammer, without a table.
    fn played(scores: &EndScores, ends: usize, points: [i32; 2], hammer: usize) -> f64 {
        if ends == 0 {
            return match points[0].cmp(&points[1]) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => {
                    let won: f64 = scores.0[9..].iter().sum();
                    let extra = won / (1.0 - scores.0[8]);
                    if hammer == 0 { extra } else { 1.0 - extra }
                }
            };
        }
        let mut value = 0.0;
        for (i, p) in scores.0.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let score = i as i32 - 8;
            let scorer = if score > 0 { hammer } else { 1 - hammer };
            let (mut points, mut next) = (points, hammer);
            if score != 0 {
                points[scorer] += score.abs();
                next = 1 - scorer;
            }
            value += p * played(scores, ends - 1, points, next);
        }
        value
    }

    #[test]
    fn equals_playing_every_sequence_of_scores() {
        for scores in [
            EndScores::paper(),
            EndScores::ohto(),
            EndScores::willoughby_kostuk(),
        ] {
            let table = WinTable::new(&scores);
            for ends in 0..=3 {
                for lead in -4..=4 {
                    let with = played(&scores, ends, [lead, 0], 0);
                    let without = played(&scores, ends, [lead, 0], 1);
                    assert!((table.hammer(ends, lead) - with).abs() < 1e-12);
                    assert!((table.other(ends, lead) - without).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_lead_helps_and_the_teams_share_one() {
        for scores in [Scores::Paper, Scores::Ohto, Scores::Willoughby] {
            let table = WinTable::of(scores);
            for ends in 0..=MOST_ENDS {
                for lead in -12..=12 {
                    let value = table.hammer(ends, lead);
                    assert!((-1e-12..=1.0 + 1e-12).contains(&value), "{value}");
                    assert!(value <= table.hammer(ends, lead + 1) + 1e-12);
                    assert!((value + table.other(ends, -lead) - 1.0).abs() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn an_extra_end_is_repeated_until_somebody_scores() {
        let scores = EndScores::from_weights(&[(-1, 1.0), (0, 6.0), (2, 3.0)]).unwrap();
        // One blank end after another: 0.3 (1 + 0.6 + 0.36 + ...).
        assert!((scores.extra_end() - 0.3 / 0.4).abs() < 1e-12);
        assert_eq!(EndScores::observed(&[0, 0]).unwrap().extra_end(), 0.5);
        assert_eq!(WinTable::of(Scores::Ohto).hammer(0, 0), 0.781);
    }

    #[test]
    fn observed_ends_become_a_distribution() {
        let scores = EndScores::observed(&[1, 1, -2, 0]).unwrap();
        assert_eq!((scores.0[9], scores.0[6], scores.0[8]), (0.5, 0.25, 0.25));
        for bad in [vec![], vec![9], vec![-9]] {
            assert!(EndScores::observed(&bad).is_err());
        }
        for weight in [-1.0, f64::NAN, f64::INFINITY, 0.0] {
            assert!(EndScores::from_weights(&[(1, weight)]).is_err());
        }
    }
}
