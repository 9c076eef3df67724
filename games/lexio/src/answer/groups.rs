//! Singles, pairs and triples: exact, by dealing rank after rank to all seats jointly.
//!
//! Tiles are dealt one by one, each to a seat with the chance of its share of the room that is
//! left, which is the uniform deal. What was dealt so far matters only by how many tiles every
//! seat has received, and the ranks in which nobody can hold a group need not be dealt at all.
//! From the strongest rank down, the probability that no seat has a group among the ranks so far
//! is what every play of the next rank asks for: one pass answers them all.

use crate::set::Tiles;
use crate::tile::RANKS;

use super::beaters::above;
use super::unseen::Bins;

/// Places a tile may go: the seats, and the rest.
const PLACES: usize = crate::rules::MAX_SEATS + 1;

/// The probability that an eligible seat holds a stronger tile than the one with this index.
pub(super) fn single(bins: &Bins, index: u32) -> f64 {
    let known = bins.known[..bins.len].iter();
    if known.into_iter().any(|&k| !above(k, index).is_empty()) {
        return 1.0;
    }
    let room: u32 = bins.room[..bins.len].iter().map(|&r| u32::from(r)).sum();
    let (mut rest, mut all) = (f64::from(bins.rest), f64::from(room) + f64::from(bins.rest));
    // Every stronger tile lies elsewhere.
    let mut nobody = 1.0;
    for _ in above(bins.free, index) {
        nobody *= rest / all;
        rest = (rest - 1.0).max(0.0);
        all -= 1.0;
    }
    1.0 - nobody
}

/// `FALLING[n][k]` is `n (n - 1) …` with `k` factors, 0 when `k > n`.
const FALLING: [[f64; 5]; 61] = falling();

const fn falling() -> [[f64; 5]; 61] {
    let mut table = [[1.0; 5]; 61];
    let mut n = 0;
    while n < 61 {
        let mut k = 0;
        while k < 4 {
            let factor = if n > k { (n - k) as f64 } else { 0.0 };
            table[n][k + 1] = table[n][k] * factor;
            k += 1;
        }
        n += 1;
    }
    table
}

/// For every rank, the probability that no seat holds `size` tiles of one rank at least as strong;
/// 1 in the last place.
pub(super) fn without_group(bins: &Bins, size: u8) -> [f64; RANKS as usize + 1] {
    let mut clear = [1.0; RANKS as usize + 1];
    let mut deal = Deal::new(bins, size);
    for rank in (0..usize::from(RANKS)).rev() {
        deal.rank(bins, rank as u32);
        clear[rank] = deal.probability();
    }
    clear
}

/// One way to spread the tiles of a rank over the places, and in how many orders of the tiles.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    counts: [u8; PLACES],
    ways: f64,
    /// By how much it moves the state.
    step: usize,
}

/// The distribution of the tiles received by every place, with no group so far.
struct Deal {
    /// The most tiles of a rank without a group.
    most: u8,
    /// Room of every place at the start. The last one takes what the others do not: how many it
    /// has received follows from the sum.
    room: [u8; PLACES],
    places: usize,
    /// How many different counts every place but the last can have, and the step between two.
    width: [usize; PLACES],
    step: [usize; PLACES],
    dealt: u32,
    now: Vec<f64>,
    next: Vec<f64>,
    spreads: Vec<Spread>,
}

impl Deal {
    fn new(bins: &Bins, size: u8) -> Self {
        let mut room = [0; PLACES];
        room[..bins.len].copy_from_slice(&bins.room[..bins.len]);
        room[bins.len] = bins.rest;
        let places = bins.len + usize::from(bins.rest > 0);
        let ranks = bins.free.ranks().count_ones() as u8;
        let (mut width, mut step, mut states) = ([1; PLACES], [0; PLACES], 1);
        for place in 0..places.saturating_sub(1) {
            width[place] = 1 + usize::from(room[place].min(ranks * (size - 1)));
            step[place] = states;
            states *= width[place];
        }
        let mut now = vec![0.0; states];
        now[0] = 1.0;
        Self {
            most: size - 1,
            room,
            places,
            width,
            step,
            dealt: 0,
            next: vec![0.0; states],
            now,
            spreads: Vec::with_capacity(64),
        }
    }

    fn probability(&self) -> f64 {
        self.now.iter().sum()
    }

    /// Deals the tiles of one rank.
    fn rank(&mut self, bins: &Bins, rank: u32) {
        let here = |tiles: Tiles| (tiles.bits() >> (4 * rank) & 0xF).count_ones() as u8;
        let tiles = here(bins.free);
        let mut limit = [u8::MAX; PLACES];
        let mut most_known = 0;
        for (limit, &known) in limit.iter_mut().zip(&bins.known[..bins.len]) {
            let known = here(known);
            most_known = most_known.max(known);
            if known > self.most {
                self.now.fill(0.0);
                return;
            }
            *limit = self.most - known;
        }
        if tiles + most_known <= self.most {
            return;
        }
        self.spread(tiles, &limit);
        self.deal(tiles);
    }

    /// Lists the ways to spread `tiles` tiles over the places within the limits.
    fn spread(&mut self, tiles: u8, limit: &[u8; PLACES]) {
        self.spreads.clear();
        let mut counts = [0; PLACES];
        // An odometer over all places but the last.
        loop {
            let sum: u8 = counts[..self.places - 1].iter().sum();
            if sum <= tiles && tiles - sum <= limit[self.places - 1] {
                let moved = counts.iter().zip(&self.step);
                let mut spread = Spread {
                    counts,
                    ways: 1.0,
                    step: moved.map(|(&c, step)| usize::from(c) * step).sum(),
                };
                spread.counts[self.places - 1] = tiles - sum;
                let mut left = u32::from(tiles);
                for &count in &spread.counts {
                    let ways = super::beaters::choose(left, u32::from(count));
                    spread.ways *= ways as f64;
                    left -= u32::from(count);
                }
                self.spreads.push(spread);
            }
            let Some(place) = (0..self.places - 1).find(|&p| counts[p] < limit[p].min(tiles))
            else {
                return;
            };
            counts[..place].fill(0);
            counts[place] += 1;
        }
    }

    /// Deals a rank of so many tiles: every state to every spread that fits.
    fn deal(&mut self, tiles: u8) {
        let total: u32 = self.room.iter().map(|&r| u32::from(r)).sum();
        let left = total - self.dealt;
        let orders: f64 = (0..u32::from(tiles)).map(|i| f64::from(left - i)).product();
        self.next.fill(0.0);
        let last = self.places - 1;
        let mut got = [0_u8; PLACES];
        for state in 0..self.now.len() {
            let probability = self.now[state];
            if probability > 0.0 {
                let others: u32 = got[..last].iter().map(|&g| u32::from(g)).sum();
                got[last] = (self.dealt - others) as u8;
                let share = probability / orders;
                // Zero where there is too little room, so no impossible state is ever entered.
                let mut falling = [[0.0; 5]; PLACES];
                for place in 0..self.places {
                    falling[place] = FALLING[usize::from(self.room[place] - got[place])];
                }
                for spread in &self.spreads {
                    let mut weight = share * spread.ways;
                    for (row, &count) in falling[..self.places].iter().zip(&spread.counts) {
                        weight *= row[usize::from(count)];
                    }
                    if weight > 0.0 {
                        self.next[state + spread.step] += weight;
                    }
                }
            }
            for (got, &width) in got[..last].iter_mut().zip(&self.width) {
                *got += 1;
                if usize::from(*got) < width {
                    break;
                }
                *got = 0;
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.dealt += u32::from(tiles);
    }
}
