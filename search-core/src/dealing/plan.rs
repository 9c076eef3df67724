//! A problem made ready to deal: [`Plan`].

use rand::Rng;
use std::sync::OnceLock;

use super::chain::{Chain, Room};
use super::graph::{Class, Graph};
use super::number::below_u128;
use super::subset::{Part, split};
use super::{MAX_BINS, MAX_ITEMS, bits};
use crate::rng::Draw;

/// Deals worlds of one [`Problem`](super::Problem): made once a decision, used once a simulation.
///
/// A plan never changes, so it can be shared by threads; what it deals is a function of the
/// generator alone.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) items: u64,
    pub(super) bins: usize,
    /// Items with one possible bin, by bin.
    pub(super) placed: [u64; MAX_BINS],
    /// What the placed items leave.
    pub(super) room: Room,
    /// The classes of the table, in the order they are dealt.
    pub(super) classes: Vec<Class>,
    pub(super) graph: Graph,
    pub(super) odds: Odds,
    pub(super) chain: Chain,
    pub(super) count: Option<u128>,
    pub(super) log_count: f64,
    pub(super) log_weight: f64,
    pub(super) marginals: OnceLock<Box<[[f64; MAX_BINS]; MAX_ITEMS]>>,
}

/// For every edge of the table, the sum of the totals up to it over the edges of its state.
#[derive(Debug, Clone)]
pub(super) enum Odds {
    /// Numbers of worlds.
    Exact(Vec<u128>),
    /// Probabilities.
    Float(Vec<f64>),
}

impl Plan {
    /// How many bins there are.
    #[must_use]
    pub const fn bins(&self) -> usize {
        self.bins
    }

    /// The items that are dealt.
    #[must_use]
    pub const fn items(&self) -> u64 {
        self.items
    }

    /// The number of worlds with positive probability, `None` from 2^128 on.
    #[must_use]
    pub const fn count(&self) -> Option<u128> {
        self.count
    }

    /// The natural logarithm of the number of worlds.
    #[must_use]
    pub const fn log_count(&self) -> f64 {
        self.log_count
    }

    /// The natural logarithm of `Z = Σ over worlds of Π_i w(i, x_i)`; equal to
    /// [`Plan::log_count`] without weights.
    #[must_use]
    pub const fn log_weight(&self) -> f64 {
        self.log_weight
    }

    /// The size of the counting table, 0 where a sequential fill is exact.
    #[must_use]
    pub fn table_len(&self) -> usize {
        self.graph.targets.len()
    }

    /// Draws a world: overwrites the first [`Plan::bins`] masks of `out` with the items of every
    /// bin. Allocates nothing.
    ///
    /// # Panics
    /// If `out` has fewer masks than there are bins.
    #[inline]
    pub fn deal<R: Rng + ?Sized>(&self, rng: &mut R, out: &mut [u64]) {
        let out = &mut out[..self.bins];
        out.copy_from_slice(&self.placed[..self.bins]);
        if self.classes.is_empty() {
            self.chain.deal(rng, &self.room, out);
        } else {
            let mut room = self.room;
            self.deal_classes(rng, &mut room, out);
            self.chain.deal(rng, &room, out);
        }
    }

    /// Draws a world: writes to `out[item]` the bin of every item. It is the world that
    /// [`Plan::deal`] draws from the same generator. Allocates nothing.
    ///
    /// # Panics
    /// If `out` does not reach as far as the highest item.
    pub fn deal_bins<R: Rng + ?Sized>(&self, rng: &mut R, out: &mut [u8]) {
        let mut masks = [0_u64; MAX_BINS];
        self.deal(rng, &mut masks);
        for (bin, &mask) in masks[..self.bins].iter().enumerate() {
            for item in bits(mask) {
                out[item] = bin as u8;
            }
        }
    }

    /// Deals the classes of the table and takes what they use off `room`.
    fn deal_classes<R: Rng + ?Sized>(&self, rng: &mut R, room: &mut Room, out: &mut [u64]) {
        let mut id = 0;
        for (k, class) in self.classes.iter().enumerate() {
            let mut parts = [Part::default(); MAX_BINS];
            let mut used = 0;
            let mut left = class.size() as u8;
            while usize::from(self.graph.states[id].class) == k {
                let (bin, count, target) = self.step(rng, id);
                parts[used] = Part { bin, count };
                used += 1;
                room[usize::from(bin)] -= count;
                left -= count;
                id = target;
            }
            let bin = class.last_bin();
            parts[used] = Part {
                bin: bin as u8,
                count: left,
            };
            room[bin] -= left;
            split(rng, class.items, class.size(), &parts[..=used], out);
        }
    }

    /// Draws the edge to leave a state by: the bin, what it gets, and the next state.
    #[inline]
    fn step<R: Rng + ?Sized>(&self, rng: &mut R, id: usize) -> (u8, u8, usize) {
        let state = self.graph.states[id];
        let first = state.first as usize;
        let edges = usize::from(state.edges);
        let i = if edges == 1 {
            0
        } else {
            match &self.odds {
                Odds::Exact(sums) => {
                    let sums = &sums[first..first + edges];
                    let u = below_u128(rng, sums[edges - 1]);
                    sums.iter().take_while(|&&sum| sum <= u).count()
                }
                Odds::Float(shares) => {
                    let u = rng.unit();
                    let shares = &shares[first..first + edges];
                    shares.iter().take_while(|&&share| share <= u).count()
                }
            }
        };
        (
            state.bin,
            state.low + i as u8,
            self.graph.targets[first + i] as usize,
        )
    }
}
