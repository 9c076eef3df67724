//! Who pays whom at the end of a round.

use crate::rules::{MAX_SEATS, Options, SettleRule};
use crate::set::Tiles;

/// What a player holds when the round ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holding {
    /// How many tiles.
    pub tiles: u32,
    /// How many of them are 2s.
    pub twos: u32,
}

impl From<Tiles> for Holding {
    fn from(hand: Tiles) -> Self {
        Self {
            tiles: hand.len(),
            twos: hand.twos(),
        }
    }
}

impl Options {
    /// By how much the 2s in a hand multiply: `two_factor` for each, or once for any number of
    /// them. There are four 2s, and more count as four.
    #[must_use]
    pub const fn multiplier(&self, twos: u32) -> i64 {
        let times = if self.two_stack || twos == 0 { twos } else { 1 };
        (self.two_factor as i64).pow(if times > 4 { 4 } else { times })
    }

    /// The effective count of a hand: its tiles, multiplied for its 2s.
    #[must_use]
    pub const fn effective(&self, holding: Holding) -> i64 {
        holding.tiles as i64 * self.multiplier(holding.twos)
    }

    /// What each player gains; the sum is 0. Seats beyond the holdings stay 0.
    ///
    /// Where only the winner is paid that is the player without tiles, or, if the round was cut
    /// off before there was one, the first player with the smallest effective count.
    #[must_use]
    pub fn settle(&self, holdings: &[Holding]) -> [i64; MAX_SEATS] {
        let mut net = [0; MAX_SEATS];
        let seats = holdings.len().min(MAX_SEATS);
        let mut pay = |from: usize, to: usize, amount: i64| {
            net[from] -= amount;
            net[to] += amount;
        };
        let winner = (0..seats).min_by_key(|&seat| self.effective(holdings[seat]));
        for from in 0..seats {
            let payer = holdings[from];
            if self.settle == SettleRule::WinnerOnly {
                pay(from, winner.unwrap_or(from), self.effective(payer));
                continue;
            }
            for (to, &payee) in holdings.iter().enumerate().take(seats) {
                let amount = match self.settle {
                    SettleRule::PayerMultiplier => {
                        let more = i64::from(payer.tiles) - i64::from(payee.tiles);
                        more * self.multiplier(payer.twos)
                    }
                    _ => self.effective(payer) - self.effective(payee),
                };
                pay(from, to, amount.max(0));
            }
        }
        net
    }
}

/// Hard bounds on what a round pays one player.
///
/// The most one gets is as the winner, when all others keep whole hands with all four 2s among
/// them: in one hand if 2s stack, since `a^i + a^j <= a^(i+j) + 1`, and otherwise one in each. The
/// most one loses is with a whole hand and all 2s, when nobody else holds more than one tile.
pub(crate) fn bounds(options: &Options, hand_size: u8) -> (f64, f64) {
    let hand = i64::from(hand_size);
    let losers = i64::from(options.players) - 1;
    let (factor, worst) = (options.multiplier(1), options.multiplier(4));
    let most = if options.two_stack {
        hand * worst + (losers - 1) * hand
    } else {
        losers * hand * factor
    };
    let least = match options.settle {
        SettleRule::Difference => losers * hand * worst - (losers - 1),
        SettleRule::PayerMultiplier => worst * (hand + (losers - 1) * (hand - 1)),
        SettleRule::WinnerOnly => hand * worst,
    };
    (-least as f64, most as f64)
}
