//! Two-player Pig by value iteration.

/// The probability of winning for the player to move in every state of two-player Pig, when both
/// play for the win (Neller & Presser 2004).
///
/// Scores only grow, so the states split into pairs of scores that refer to each other, and each
/// pair is iterated on its own, from the highest scores down, until it is still: an error there
/// shrinks by at least the factor 1/6 to 5/6 a sweep, and the sweeps stop below 1e-15.
///
/// ```
/// let pig = classics::solve::PigSolution::new(10);
/// assert!((pig.win_probability(0, 0, 0).unwrap() - 0.709424323).abs() < 1e-9);
/// ```
#[derive(Debug, Clone)]
pub struct PigSolution {
    target: usize,
    /// By own score, other score, turn total; ragged, so found through `rows`.
    wins: Vec<f64>,
    rows: Vec<usize>,
}

impl PigSolution {
    /// Solves the game to `target`, at least 1. The time and the memory grow with its cube: some
    /// tenths of a second and 4 MB for 100.
    #[must_use]
    pub fn new(target: u32) -> Self {
        let target = target.max(1) as usize;
        let mut rows = Vec::with_capacity(target * target);
        let mut size = 0;
        for me in 0..target {
            for _ in 0..target {
                rows.push(size);
                size += target - me;
            }
        }
        let mut solution = Self {
            target,
            wins: vec![0.5; size],
            rows,
        };
        for sum in (0..2 * target - 1).rev() {
            for me in (sum + 1).saturating_sub(target)..=sum / 2 {
                solution.settle(me, sum - me);
            }
        }
        solution
    }

    /// Iterates the states with these two scores, whoever is to move.
    fn settle(&mut self, a: usize, b: usize) {
        loop {
            let mut change = self.sweep(a, b);
            if a != b {
                change = change.max(self.sweep(b, a));
            }
            if change < 1e-15 {
                return;
            }
        }
    }

    fn sweep(&mut self, me: usize, other: usize) -> f64 {
        let row = self.rows[me * self.target + other];
        let mut change = 0.0_f64;
        for total in (0..self.target - me).rev() {
            let (roll, hold) = self.values(me, other, total);
            let value = hold.map_or(roll, |hold| roll.max(hold));
            change = change.max((value - self.wins[row + total]).abs());
            self.wins[row + total] = value;
        }
        change
    }

    /// The values of rolling and of holding, which needs something to hold.
    fn values(&self, me: usize, other: usize, total: usize) -> (f64, Option<f64>) {
        let wins = |a: usize, b: usize, t: usize| self.wins[self.rows[a * self.target + b] + t];
        let mut roll = 1.0 - wins(other, me, 0);
        for pips in 2..=6 {
            let total = total + pips;
            roll += if me + total >= self.target {
                1.0
            } else {
                wins(me, other, total)
            };
        }
        let hold = (total > 0).then(|| 1.0 - wins(other, me + total, 0));
        (roll / 6.0, hold)
    }

    fn place(&self, me: u32, other: u32, total: u32) -> Option<(usize, usize, usize)> {
        let [me, other, total] = [me, other, total].map(|n| n as usize);
        let inside = other < self.target && me.checked_add(total)? < self.target;
        inside.then_some((me, other, total))
    }

    /// The probability of winning with `me` banked against `other` and `total` gathered in this
    /// turn; `None` when the game would be over.
    #[must_use]
    pub fn win_probability(&self, me: u32, other: u32, total: u32) -> Option<f64> {
        let (me, other, total) = self.place(me, other, total)?;
        Some(self.wins[self.rows[me * self.target + other] + total])
    }

    /// The probability of winning by rolling and by holding (`None` with nothing to hold).
    #[must_use]
    pub fn action_values(&self, me: u32, other: u32, total: u32) -> Option<(f64, Option<f64>)> {
        let (me, other, total) = self.place(me, other, total)?;
        Some(self.values(me, other, total))
    }

    /// The least turn total at which holding is best; `None` when rolling always is.
    #[must_use]
    pub fn hold_at(&self, me: u32, other: u32) -> Option<u32> {
        let totals = 1..(self.target as u32).saturating_sub(me);
        totals.into_iter().find(|&total| {
            let values = self.action_values(me, other, total);
            matches!(values, Some((roll, Some(hold))) if hold > roll)
        })
    }
}
