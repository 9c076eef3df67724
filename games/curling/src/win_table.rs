//! Who wins a match of ends: the probability by lead and ends left, from the distribution of one end.
//!
//! Katoh, Iizuka & Yamamoto (2016), Table 1: as a match equity table in backgammon, by dynamic
//! programming over the ends.

/// The probabilities of the scores of one end, seen by the team with the hammer: index 0 is -8 (the
/// other team steals eight), 8 a blank end, 16 is +8. Sums to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndScores(pub [f64; 17]);

impl EndScores {
    /// A distribution that reproduces the paper's table within two points: -3 2 %, -2 5 %, -1 19 %,
    /// +1 36 %, +2 18 %, +3 15 %, +4 4 %, scaled to sum to 1.
    #[must_use]
    pub fn paper() -> Self {
        let mut p = [0.0; 17];
        let known = [
            (-3, 2.0),
            (-2, 5.0),
            (-1, 19.0),
            (1, 36.0),
            (2, 18.0),
            (3, 15.0),
            (4, 4.0),
        ];
        let total: f64 = known.iter().map(|(_, w)| w).sum();
        for (score, weight) in known {
            p[(score + 8) as usize] = weight / total;
        }
        Self(p)
    }
}

/// The most ends left that a table holds.
pub const MOST_ENDS: usize = 16;
/// Leads beyond this are as good as decided: values are kept up to it.
const MOST_LEAD: i32 = 40;

/// Probability that the team with the hammer wins the match.
#[derive(Debug, Clone)]
pub struct WinTable {
    rows: Vec<[f64; 2 * MOST_LEAD as usize + 1]>,
}

impl WinTable {
    /// The table of a distribution of end scores.
    #[must_use]
    pub fn new(scores: &EndScores) -> Self {
        let width = 2 * MOST_LEAD as usize + 1;
        let mut rows = vec![[0.0; 2 * MOST_LEAD as usize + 1]; MOST_ENDS + 1];
        // An extra end is repeated until somebody scores.
        let scored: f64 = scores
            .0
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != 8)
            .map(|(_, p)| p)
            .sum();
        let won: f64 = scores.0[9..].iter().sum();
        for (i, cell) in rows[0].iter_mut().enumerate() {
            *cell = match i as i32 - MOST_LEAD {
                0 if scored > 0.0 => won / scored,
                0 => 0.5,
                lead => f64::from(u8::from(lead > 0)),
            };
        }
        for ends in 1..=MOST_ENDS {
            for i in 0..width {
                let lead = i as i32 - MOST_LEAD;
                rows[ends][i] = scores
                    .0
                    .iter()
                    .enumerate()
                    .map(|(s, p)| {
                        let after = (lead + s as i32 - 8).clamp(-MOST_LEAD, MOST_LEAD);
                        let at = |lead: i32| rows[ends - 1][(lead + MOST_LEAD) as usize];
                        // Who scores throws first in the next end.
                        p * if s > 8 { 1.0 - at(-after) } else { at(after) }
                    })
                    .sum();
            }
        }
        Self { rows }
    }

    /// Probability that the team with the hammer wins, `lead` points ahead (negative: behind) with
    /// this many ends left to play. With none left a tie is an extra end, hammer and all.
    #[must_use]
    pub fn hammer(&self, ends_left: usize, lead: i32) -> f64 {
        let row = &self.rows[ends_left.min(MOST_ENDS)];
        row[(lead.clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD) as usize]
    }
}
