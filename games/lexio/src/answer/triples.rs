//! Triples by inclusion and exclusion over (rank, seat), a tenth of the time of dealing rank by
//! rank.
//!
//! At most one seat can hold three tiles of a rank, so over the eligible seats `i`
//!
//! ```text
//! 1[nobody holds a triple of rank r] = 1 - Σ_i 1[i holds all three]                    (3 unseen)
//!                                    = 1 - Σ_i (Σ_triples 1[i holds it] - 3·1[i holds all four])
//! ```
//!
//! and the expected value of a product of such terms over ranks is that of certain tiles lying in
//! certain seats: `Π_i [n_i]_{k_i} / [U]_K` with falling factorials `[n]_k`, `k_i` the tiles
//! wanted of seat `i`, `K` their sum. Ranks with as many unseen tiles are alike, so it is enough to
//! count how many of each sort a seat is asked for, and seats are joined one after the other.

use crate::set::Tiles;
use crate::tile::RANKS;

use super::unseen::Bins;

/// Above this sum of absolute terms the result would lose digits that are promised.
const MOST_CANCELLATION: f64 = 1e3;

/// For every rank but the lowest, the probability that no seat holds three tiles of one rank at
/// least as strong; 1 in the last place. The lowest place repeats the next one: its triple beats
/// nothing. `None` where too much would cancel, or a known tile breaks the likeness of the ranks.
pub(super) fn without_triple(bins: &Bins) -> Option<[f64; RANKS as usize + 1]> {
    let count = |tiles: Tiles, rank: u32| (tiles.bits() >> (4 * rank) & 0xF).count_ones();
    let known = bins.known[..bins.len].iter();
    if known.into_iter().any(|known| known.bits() >> 4 != 0) {
        return None;
    }
    let ranks = 1..u32::from(RANKS);
    let with = |c| ranks.clone().filter(|&r| count(bins.free, r) == c).count();
    let (threes, fours) = (with(3), with(4));
    let sum = Sum::over(bins, threes, fours)?;
    let mut clear = [1.0; RANKS as usize + 1];
    let (mut threes, mut fours) = (0, 0);
    for rank in ranks.rev() {
        match count(bins.free, rank) {
            3 => threes += 1,
            4 => fours += 1,
            _ => {
                clear[rank as usize] = clear[rank as usize + 1];
                continue;
            }
        }
        clear[rank as usize] = sum.at(threes, fours);
    }
    clear[0] = clear[1];
    Some(clear)
}

/// The terms of all seats, by how many ranks of three, how many of four, and how many of the latter
/// are wanted whole.
struct Sum {
    /// Of each of the three.
    size: [usize; 3],
    terms: Vec<f64>,
    /// `1 / [U]_K` by `K`.
    deals: Vec<f64>,
}

impl Sum {
    fn over(bins: &Bins, threes: usize, fours: usize) -> Option<Self> {
        let rooms = &bins.room[..bins.len];
        let most = |tiles: u8| -> usize { rooms.iter().map(|&n| usize::from(n / tiles)).sum() };
        let size = [
            1 + threes.min(most(3)),
            1 + fours.min(most(3)),
            1 + fours.min(most(4)),
        ];
        let all = u32::from(bins.rest) + rooms.iter().map(|&n| u32::from(n)).sum::<u32>();
        let mut deals = vec![1.0];
        for k in 0..all {
            deals.push(deals[k as usize] / f64::from(all - k));
        }
        // Bounds the absolute sum: as if the terms of different ranks were independent.
        let (mut three, mut four) = (1.0, 1.0);
        for &n in rooms.iter().filter(|&&n| n >= 3) {
            let held = falling(n, 3) * deals[3];
            three += held;
            four += 4.0 * held + 3.0 * held * f64::from(n - 3) / f64::from(all - 3).max(1.0);
        }
        let exponents = [(three, threes), (four, fours)];
        let sum: f64 = exponents
            .iter()
            .map(|&(base, n)| (0..n).map(|_| base).product::<f64>())
            .product();
        if sum > MOST_CANCELLATION {
            return None;
        }
        let mut terms = vec![0.0; size[0] * size[1] * size[2]];
        terms[0] = 1.0;
        let mut sum = Self { size, terms, deals };
        for &room in rooms {
            sum.join(room);
        }
        Some(sum)
    }

    /// Multiplies by the terms of a seat with this much room: `[n]_k (-1)^a (-4)^b 3^d / (a! b! d!)`
    /// for `a` ranks of three, and of those of four `b` in part and `d` whole, `k = 3a + 3b + 4d`.
    fn join(&mut self, room: u8) {
        let mut next = vec![0.0; self.terms.len()];
        let [_, fours, wholes] = self.size;
        let mut triples_of_three = (0_u8, 1.0);
        while usize::from(triples_of_three.0) < self.size[0] && 3 * triples_of_three.0 <= room {
            let (a, weight_a) = triples_of_three;
            let mut parts = (0_u8, 1.0);
            while usize::from(parts.0) < fours && 3 * (a + parts.0) <= room {
                let (b, weight_b) = parts;
                let mut whole = (0_u8, 1.0);
                while usize::from(b + whole.0) < fours
                    && usize::from(whole.0) < wholes
                    && 3 * (a + b) + 4 * whole.0 <= room
                {
                    let (d, weight_d) = whole;
                    let tiles = 3 * (a + b) + 4 * d;
                    let weight = weight_a * weight_b * weight_d * falling(room, tiles);
                    self.add([a, b + d, d].map(usize::from), weight, &mut next);
                    whole = (d + 1, weight_d * 3.0 / f64::from(d + 1));
                }
                parts = (b + 1, weight_b * -4.0 / f64::from(b + 1));
            }
            triples_of_three = (a + 1, -weight_a / f64::from(a + 1));
        }
        self.terms = next;
    }

    /// Adds `weight` times every term, moved by `by`, to `next`.
    fn add(&self, by: [usize; 3], weight: f64, next: &mut [f64]) {
        let [threes, fours, wholes] = self.size;
        for a in 0..threes - by[0] {
            for b in 0..fours - by[1] {
                let from = (a * fours + b) * wholes;
                let to = ((a + by[0]) * fours + b + by[1]) * wholes + by[2];
                let width = wholes - by[2];
                let targets = &mut next[to..to + width];
                for (target, &term) in targets.iter_mut().zip(&self.terms[from..from + width]) {
                    *target += weight * term;
                }
            }
        }
    }

    /// The probability for so many ranks of three and of four.
    fn at(&self, threes: usize, fours: usize) -> f64 {
        let mut sum = 0.0;
        let mut ways_a = 1.0;
        for a in 0..self.size[0].min(threes + 1) {
            let mut ways_b = ways_a;
            for b in 0..self.size[1].min(fours + 1) {
                let from = (a * self.size[1] + b) * self.size[2];
                for whole in 0..self.size[2].min(b + 1) {
                    let tiles = 3 * (a + b) + whole;
                    if let Some(deals) = self.deals.get(tiles) {
                        sum += ways_b * self.terms[from + whole] * deals;
                    }
                }
                ways_b *= (fours - b) as f64;
            }
            ways_a *= (threes - a) as f64;
        }
        sum.clamp(0.0, 1.0)
    }
}

/// `n (n - 1) …`, `k` factors.
fn falling(n: u8, k: u8) -> f64 {
    (0..k).map(|i| f64::from(n.saturating_sub(i))).product()
}

#[cfg(test)]
mod tests {
    use search_core::rng::{Draw, Seed};

    use super::super::groups::without_group;
    use super::super::unseen::{Seat, Unseen};
    use super::*;
    use crate::rules::{DealRule, Lexio, Options};

    /// Dealing rank by rank and summing over (rank, seat) have nothing in common but the answer.
    #[test]
    fn inclusion_and_exclusion_agrees_with_dealing_rank_by_rank() {
        let mut rng = Seed(1).simulation(0);
        let (mut compared, mut refused) = (0, 0);
        for deal in [DealRule::Official, DealRule::AllTiles] {
            for players in 3..=5 {
                let game = Lexio::new(Options {
                    players,
                    deal,
                    ..Options::default()
                });
                let game = game.unwrap();
                for _ in 0..40 {
                    let mut tiles: Vec<_> = game.deck().iter().collect();
                    rng.shuffle(&mut tiles);
                    let most = u32::from(game.hand_size());
                    let mut seats = Vec::new();
                    for _ in 1..players {
                        seats.push(Seat::new(rng.below(most + 1) as u8, rng.below(4) > 0));
                    }
                    let held: usize = seats.iter().map(|s| usize::from(s.tiles)).sum();
                    let unseen = tiles[..held].iter().copied().collect();
                    let bins = Unseen::new(&game, unseen, &seats).unwrap().bins(3);
                    let dealt = without_group(&bins, 3);
                    let Some(summed) = without_triple(&bins) else {
                        refused += 1;
                        continue;
                    };
                    compared += 1;
                    for rank in 1..=usize::from(RANKS) {
                        let off = (dealt[rank] - summed[rank]).abs();
                        assert!(off < 1e-12, "{rank}: {} {}", dealt[rank], summed[rank]);
                    }
                }
            }
        }
        assert!(compared > 200, "{compared} {refused}");
    }
}
