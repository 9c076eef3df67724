//! Classes with nested sets of bins: dealt by a sequential fill, without a table.
//!
//! The proof that this is exact is in the documentation of the parent module.

use rand::Rng;

use super::MAX_BINS;
use super::number::{Number, choose};
use super::subset::{Part, split};

/// What is left of every bin.
pub(super) type Room = [u8; MAX_BINS];

/// The items of one class, and the bins that no narrower class of the chain may use.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shell {
    items: u64,
    size: u8,
    bins: Vec<u8>,
}

/// The shells, from the widest class to the narrowest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Chain {
    shells: Vec<Shell>,
}

impl Chain {
    /// The chain of classes `(items, bins)`, whose sets of bins strictly widen.
    pub(super) fn new(classes: &[(u64, u16)]) -> Self {
        let mut narrower = 0_u16;
        let mut shells: Vec<Shell> = classes
            .iter()
            .map(|&(items, bins)| {
                debug_assert!(narrower & !bins == 0 && narrower != bins);
                let own = super::bits(u64::from(bins & !narrower))
                    .map(|bin| bin as u8)
                    .collect();
                narrower = bins;
                Shell {
                    items,
                    size: items.count_ones() as u8,
                    bins: own,
                }
            })
            .collect();
        shells.reverse();
        Self { shells }
    }

    /// Adds to every bin of `out` as many items as it has room for.
    #[inline]
    pub(super) fn deal<R: Rng + ?Sized>(&self, rng: &mut R, room: &Room, out: &mut [u64]) {
        let mut left = 0_u64;
        let mut size = 0_u32;
        for shell in &self.shells {
            let mut parts = [Part::default(); MAX_BINS];
            let parts = &mut parts[..shell.bins.len()];
            let mut taken = 0;
            for (part, &bin) in parts.iter_mut().zip(&shell.bins) {
                let count = room[bin as usize];
                *part = Part { bin, count };
                taken += u32::from(count);
            }
            size += u32::from(shell.size);
            left = split(rng, left | shell.items, size, parts, out);
            size -= taken;
        }
    }

    /// The number of ways to fill `room` exactly.
    pub(super) fn count<N: Number>(&self, room: &Room) -> Option<N> {
        let mut pool = 0_u32;
        let mut ways = N::ONE;
        for shell in &self.shells {
            pool += u32::from(shell.size);
            for &bin in &shell.bins {
                let count = u32::from(room[bin as usize]);
                if count > pool {
                    return Some(N::ZERO);
                }
                ways = ways.times_count(choose(pool, count))?;
                pool -= count;
            }
        }
        let all: u32 = room.iter().map(|&c| u32::from(c)).sum();
        let own: u32 = self.shells.iter().map(|shell| u32::from(shell.size)).sum();
        Some(if pool == 0 && all == own {
            ways
        } else {
            N::ZERO
        })
    }

    /// The items of every class.
    pub(super) fn groups(&self) -> impl Iterator<Item = u64> + '_ {
        self.shells.iter().map(|shell| shell.items)
    }

    /// Calls `add(items, bin, p)` with the probability that an item of the class `items` goes to
    /// `bin`, for a `room` that can be filled.
    pub(super) fn marginals(&self, room: &Room, mut add: impl FnMut(u64, usize, f64)) {
        // For the classes seen so far: the probability that an item of theirs is still to place.
        let mut waiting: Vec<(u64, f64)> = Vec::with_capacity(self.shells.len());
        let mut pool = 0_u32;
        for shell in &self.shells {
            waiting.push((shell.items, 1.0));
            pool += u32::from(shell.size);
            let before = f64::from(pool);
            for &bin in &shell.bins {
                let count = u32::from(room[bin as usize]);
                pool -= count;
                for &(items, still) in &waiting {
                    add(items, bin as usize, still * f64::from(count) / before);
                }
            }
            for (_, still) in &mut waiting {
                *still *= f64::from(pool) / before;
            }
        }
    }
}
