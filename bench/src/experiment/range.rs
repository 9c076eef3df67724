//! The range that a block score cannot leave, by the rules of the game.

use super::schedule::Schedule;
use crate::statistics::confidence_sequence::KnownRange;

/// Bounds so many times as wide as the scale of one return make an any-time interval useless.
const WIDE: f64 = 10.0;

/// What a game says about the returns of one player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReturnBounds {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// What the returns of all players sum to, where that is always the same.
    pub sum: Option<f64>,
    /// Their typical spread.
    pub scale: f64,
}

impl ReturnBounds {
    /// The range of the block score under a duplicate design; none where every return is the same.
    ///
    /// A difference of two means of returns lies within plus or minus the width of the bounds. With a
    /// known sum `S` of three or more players it is `n / (n - 1) / 2` of that: the mean over both
    /// directions is `n (x - y) / (2 (n - 1))`, where `x` is the mean return of an a alone and `y` that
    /// of a b alone.
    #[must_use]
    pub fn block_range(&self, schedule: &Schedule) -> Option<KnownRange> {
        let players = schedule.players() as f64;
        let share = match self.sum {
            Some(_) if schedule.players() > 2 => 0.5 * players / (players - 1.0),
            _ => 1.0,
        };
        let most = share * (self.high - self.low);
        KnownRange::new(-most, most).ok()
    }

    /// Whether these bounds are so far beyond what usually happens that a narrower range should be
    /// declared.
    #[must_use]
    pub fn wide(&self) -> bool {
        self.high - self.low > WIDE * self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(players: usize, sum: Option<f64>) -> (f64, f64) {
        let bounds = ReturnBounds {
            low: -10.0,
            high: 30.0,
            sum,
            scale: 4.0,
        };
        assert!(!bounds.wide());
        assert!(
            ReturnBounds {
                scale: 3.9,
                ..bounds
            }
            .wide()
        );
        let range = bounds.block_range(&Schedule::duplicate(players)).unwrap();
        (range.low(), range.high())
    }

    #[test]
    fn the_range_is_the_width_or_less_where_the_sum_is_known() {
        assert_eq!(range(1, None), (-40.0, 40.0));
        assert_eq!(range(2, Some(0.0)), (-40.0, 40.0));
        assert_eq!(range(5, None), (-40.0, 40.0));
        assert_eq!(range(5, Some(0.0)), (-25.0, 25.0));
        let constant = ReturnBounds {
            low: 1.0,
            high: 1.0,
            sum: None,
            scale: 1.0,
        };
        assert_eq!(constant.block_range(&Schedule::duplicate(2)), None);
    }
}
