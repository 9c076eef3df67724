//! Five-tile plays: the distribution of the strongest one that an eligible seat holds.
//!
//! One distribution answers every five-tile play of a decision. It is exact where the unseen
//! tiles can be laid out in all ways, and otherwise a sample of deals shared by all plays.

use search_core::dealing::{DealError, Problem};
use search_core::rng::Seed;

use crate::combination::Strength;
use crate::rules::{Lexio, MAX_SEATS};
use crate::set::Tiles;

use super::beaters::choose;
use super::strongest::{key, strongest_five};
use super::unseen::{Bins, Unseen};

/// How often the strongest play of the eligible seats is which.
#[derive(Debug, Clone)]
pub(super) struct Distribution {
    /// Keys of strengths, ascending, and how many deals have their strongest play at least there.
    keys: Vec<u32>,
    at_least: Vec<u64>,
    deals: u64,
    exact: bool,
}

impl Distribution {
    fn new(mut found: Vec<(u32, u64)>, deals: u64, exact: bool) -> Self {
        found.retain(|&(key, count)| key > 0 && count > 0);
        found.sort_unstable();
        let mut sum = 0;
        let mut at_least = vec![0; found.len()];
        for (sum_here, &(_, count)) in at_least.iter_mut().zip(&found).rev() {
            sum += count;
            *sum_here = sum;
        }
        let keys = found.iter().map(|&(key, _)| key).collect();
        Self {
            keys,
            at_least,
            deals,
            exact,
        }
    }

    /// The share of deals in which an eligible seat holds a stronger play.
    pub(super) fn stronger(&self, than: Strength) -> f64 {
        let bound = key(than);
        let at = self.keys.partition_point(|&k| k <= bound);
        let count = self.at_least.get(at).copied().unwrap_or(0);
        count as f64 / self.deals as f64
    }

    /// The error to expect of a share: 0 when all deals were counted, and never 0 otherwise, for a
    /// sample without a case is no proof.
    pub(super) fn error(&self, share: f64) -> f64 {
        if self.exact {
            return 0.0;
        }
        let deals = self.deals as f64;
        // As if one deal more had been of either kind, so that it is never 0.
        let share = (share * deals + 1.0) / (deals + 2.0);
        (share * (1.0 - share) / deals).sqrt()
    }

    /// Over `worlds` deals drawn uniformly.
    pub(super) fn sampled(unseen: &Unseen, worlds: u32, seed: Seed) -> Result<Self, DealError> {
        let bins = unseen.bins(5);
        let seats = bins.len;
        let mut room = [0; MAX_SEATS + 1];
        room[..seats].copy_from_slice(&bins.room[..seats]);
        room[seats] = bins.rest;
        let plan = Problem::new(bins.free.bits(), &room[..=seats])?.plan()?;
        let mut keys = Vec::with_capacity(worlds as usize);
        let mut hands = [0; MAX_SEATS + 1];
        for world in 0..worlds {
            plan.deal(&mut seed.simulation(u64::from(world)), &mut hands[..=seats]);
            let hands = hands[..seats].iter().zip(&bins.known);
            let best = hands.map(|(&dealt, &known)| {
                strongest_five(unseen.game, Tiles::from_bits(dealt) | known)
            });
            keys.push(best.max().unwrap_or(0));
        }
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        let found = runs.map(|run| (run[0], run.len() as u64)).collect();
        Ok(Self::new(found, u64::from(worlds), false))
    }

    /// Over all deals, when that takes at most `limit` steps.
    pub(super) fn exact(unseen: &Unseen, limit: u64) -> Option<Self> {
        let bins = unseen.bins(5);
        if bins.len == 0 {
            return Some(Self::new(Vec::new(), 1, true));
        }
        let deals = deals(&bins)?;
        let size = unseen.tiles.len();
        let subsets = (1_u64 << size.min(40)) * u64::from(size.div_ceil(4));
        if size > MAX_TABLE_TILES || deals.checked_mul(8)?.checked_add(subsets)? > limit {
            return None;
        }
        let table = Table::new(unseen.game, unseen.tiles);
        let mut found = vec![0; table.keys.len()];
        let seats = bins.room.iter().zip(&bins.known).take(bins.len);
        let seats: Vec<_> = seats
            .map(|(&room, &known)| (u32::from(room), table.compress(known)))
            .collect();
        table.count(&seats, table.compress(bins.free), 0, &mut found);
        let found = table.keys.iter().copied().zip(found).collect();
        Some(Self::new(found, deals, true))
    }
}

/// The most tiles of which all subsets are listed.
const MAX_TABLE_TILES: u32 = 24;

/// In how many ways the free tiles can be dealt; `None` beyond 64 bits.
fn deals(bins: &Bins) -> Option<u64> {
    let mut left = bins.free.len();
    let mut ways = 1_u64;
    for &room in &bins.room[..bins.len] {
        ways = ways.checked_mul(binomial(left, u32::from(room))?)?;
        left -= u32::from(room);
    }
    Some(ways)
}

fn binomial(n: u32, k: u32) -> Option<u64> {
    let k = k.min(n - k);
    if k <= 5 {
        return Some(choose(n, k));
    }
    // Every partial product is a binomial itself.
    let mut value = 1_u64;
    for i in 0..k {
        value = value.checked_mul(u64::from(n - i))? / u64::from(i + 1);
    }
    Some(value)
}

/// The strongest play of every subset of the unseen tiles.
struct Table {
    tiles: Tiles,
    /// Keys of the plays, ascending; 0 first, for none.
    keys: Vec<u32>,
    /// For every subset, by the positions of its tiles among the unseen ones, the place in `keys`.
    best: Vec<u16>,
}

impl Table {
    fn new(game: &Lexio, tiles: Tiles) -> Self {
        let mut table = Self {
            tiles,
            keys: vec![0],
            best: vec![0; 1 << tiles.len()],
        };
        let mut plays = Vec::new();
        game.for_each_five(tiles, None, |play| {
            if let Some(play) = game.classify(play) {
                plays.push((key(play.strength()), table.compress(play.tiles())));
            }
        });
        plays.sort_unstable();
        for (key, subset) in plays {
            if table.keys.last() != Some(&key) {
                table.keys.push(key);
            }
            table.best[subset as usize] = (table.keys.len() - 1) as u16;
        }
        // The best of a set is the best of its own play and of the set without any one tile.
        for tile in 0..tiles.len() {
            for block in table.best.chunks_exact_mut(2 << tile) {
                let (without, with) = block.split_at_mut(1 << tile);
                for (with, &without) in with.iter_mut().zip(&*without) {
                    *with = without.max(*with);
                }
            }
        }
        table
    }

    /// The set as bits that number the unseen tiles without gaps.
    fn compress(&self, set: Tiles) -> u32 {
        let tiles = (0..).zip(self.tiles.iter());
        tiles.fold(0, |bits, (i, tile)| {
            bits | u32::from(set.contains(tile)) << i
        })
    }

    /// Counts all deals of `left` to the seats, each with its room and what it is known to hold, by
    /// their strongest play.
    fn count(&self, seats: &[(u32, u32)], left: u32, best: u16, found: &mut [u64]) {
        let Some((&(room, known), seats)) = seats.split_first() else {
            found[usize::from(best)] += 1;
            return;
        };
        subsets(left, room, known, &mut |hand| {
            let here = self.best[hand as usize];
            self.count(seats, left & !hand, best.max(here), found);
        });
    }
}

/// Every subset of `size` bits, joined with `chosen`.
fn subsets(from: u32, size: u32, chosen: u32, emit: &mut impl FnMut(u32)) {
    if size == 0 {
        emit(chosen);
        return;
    }
    if from.count_ones() == size {
        emit(chosen | from);
        return;
    }
    let mut from = from;
    while from.count_ones() >= size {
        let low = from & from.wrapping_neg();
        from ^= low;
        subsets(from, size - 1, chosen | low, emit);
    }
}
