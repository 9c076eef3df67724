//! The counting table: reachable capacity vectors, and how many items of a class a bin may get.

use std::collections::HashMap;

use super::chain::{Chain, Room};
use super::number::{Number, choose};
use super::{DealError, MAX_BINS, MAX_TABLE, bits};

/// Items with the same possible bins and the same weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Class {
    pub(super) items: u64,
    pub(super) bins: u16,
    /// Weights by bin; `None` where all are 1.
    pub(super) weights: Option<Box<[f64; MAX_BINS]>>,
}

impl Class {
    pub(super) const fn size(&self) -> u32 {
        self.items.count_ones()
    }

    /// The last bin of the class, which takes what the others leave.
    pub(super) const fn last_bin(&self) -> usize {
        15 - self.bins.leading_zeros() as usize
    }
}

/// A point of the walk: what was dealt before leaves a certain room, and the next bin of the
/// class gets `low + i` items along edge number `first + i`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct State {
    pub(super) first: u32,
    pub(super) edges: u8,
    pub(super) low: u8,
    /// Items of the class still to place.
    pub(super) left: u8,
    pub(super) class: u8,
    pub(super) bin: u8,
}

/// The states and edges; state 0 is the start.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    pub(super) states: Vec<State>,
    /// The state that every edge leads to.
    pub(super) targets: Vec<u32>,
    /// The states with edges, every one before those it leads to.
    pub(super) order: Vec<u32>,
    /// The states where the table is done and the chain begins.
    pub(super) ends: Vec<(u32, Room)>,
}

/// Capacity vectors that have been met, each with its state.
struct Met {
    strides: [u64; MAX_BINS],
    dense: Vec<u32>,
    sparse: HashMap<u64, u32>,
    list: Vec<Point>,
}

/// A capacity vector, its number in the mixed radix of the strides, and its state.
#[derive(Debug, Clone, Copy)]
struct Point {
    id: u32,
    key: u64,
    room: Room,
}

/// Up to this many capacity vectors are looked up by index.
const DENSE: u64 = 1 << 16;

impl Met {
    fn new(room: &Room) -> Self {
        let mut strides = [0; MAX_BINS];
        // At most 5^16 vectors: capacities add up to 64.
        let mut vectors = 1_u64;
        for (stride, &count) in strides.iter_mut().zip(room) {
            *stride = vectors;
            vectors *= u64::from(count) + 1;
        }
        let dense = if vectors <= DENSE {
            vectors as usize
        } else {
            0
        };
        Self {
            strides,
            dense: vec![u32::MAX; dense],
            sparse: HashMap::new(),
            list: Vec::new(),
        }
    }

    fn key(&self, room: &Room) -> u64 {
        let digits = self.strides.iter().zip(room);
        digits
            .map(|(&stride, &count)| stride * u64::from(count))
            .sum()
    }

    /// The state of the capacity vector with this key, a new one if it has not been met.
    #[inline]
    fn state(&mut self, key: u64, room: &Room, states: &mut Vec<State>) -> u32 {
        let slot = if self.dense.is_empty() {
            self.sparse.entry(key).or_insert(u32::MAX)
        } else {
            &mut self.dense[key as usize]
        };
        if *slot == u32::MAX {
            *slot = states.len() as u32;
            states.push(State::default());
            self.list.push(Point {
                id: *slot,
                key,
                room: *room,
            });
        }
        *slot
    }

    /// The vectors met, in the order they were met; none are met from now on.
    fn take(&mut self) -> Vec<Point> {
        let list = std::mem::take(&mut self.list);
        if self.dense.is_empty() {
            self.sparse.clear();
        } else {
            for point in &list {
                self.dense[point.key as usize] = u32::MAX;
            }
        }
        list
    }
}

impl Graph {
    /// All that can be reached from `room` by dealing `classes` in order. `later` says how many
    /// items of the chain may lie in a bin.
    pub(super) fn new(classes: &[Class], room: &Room, later: &Room) -> Result<Self, DealError> {
        let mut graph = Self::default();
        let (mut inside, mut beyond) = (Met::new(room), Met::new(room));
        let strides = inside.strides;
        beyond.state(beyond.key(room), room, &mut graph.states);
        let mut after: u32 = room.iter().map(|&count| u32::from(count)).sum();
        for (k, class) in classes.iter().enumerate() {
            after -= class.size();
            // Room that no later class can use must be used by this one.
            let mut usable = *later;
            for other in &classes[k + 1..] {
                for bin in bits(u64::from(other.bins)) {
                    usable[bin] += other.size() as u8;
                }
            }
            let last = class.last_bin();
            let mut rest = class.bins;
            let mut frontier = beyond.take();
            for bin in bits(u64::from(class.bins)).take_while(|&bin| bin != last) {
                rest &= !(1 << bin);
                let only_last = rest == 1 << last;
                for Point { id, key, room } in frontier {
                    let total: u32 = room.iter().map(|&count| u32::from(count)).sum();
                    let left = (total - after) as u8;
                    let elsewhere: u32 = bits(u64::from(rest)).map(|b| u32::from(room[b])).sum();
                    let low = u32::from(left)
                        .saturating_sub(elsewhere)
                        .max(u32::from(room[bin].saturating_sub(usable[bin])))
                        as u8;
                    let mut end = room[bin].min(left) + 1;
                    if only_last {
                        // What the last bin does not get from this class, later ones must fill.
                        end = end.min((left + usable[last] + 1).saturating_sub(room[last]));
                    }
                    graph.states[id as usize] = State {
                        first: graph.targets.len() as u32,
                        edges: end.saturating_sub(low),
                        low,
                        left,
                        class: k as u8,
                        bin: bin as u8,
                    };
                    graph.order.push(id);
                    for n in low..end {
                        let (mut key, mut room) = (key, room);
                        room[bin] -= n;
                        key -= strides[bin] * u64::from(n);
                        if only_last {
                            room[last] -= left - n;
                            key -= strides[last] * u64::from(left - n);
                        }
                        let met = if only_last || n == left {
                            &mut beyond
                        } else {
                            &mut inside
                        };
                        graph.targets.push(met.state(key, &room, &mut graph.states));
                    }
                    if graph.targets.len() > MAX_TABLE {
                        return Err(DealError::TooLarge { limit: MAX_TABLE });
                    }
                }
                frontier = inside.take();
            }
        }
        let ends = beyond.take();
        graph.ends = ends.iter().map(|point| (point.id, point.room)).collect();
        for &(id, _) in &graph.ends {
            graph.states[id as usize].class = classes.len() as u8;
        }
        Ok(graph)
    }

    /// The edges of a state: how many items of the class the bin gets, and the edge's number.
    pub(super) fn edges(&self, id: u32) -> impl Iterator<Item = (u8, usize)> + use<> {
        let state = self.states[id as usize];
        (0..state.edges).map(move |i| (state.low + i, state.first as usize + usize::from(i)))
    }

    /// How many items the last bin of the class gets if the walk goes along this edge.
    #[inline]
    pub(super) fn remainder(&self, state: State, n: u8, edge: usize) -> u8 {
        let target = self.states[self.targets[edge] as usize];
        if target.class == state.class {
            0
        } else {
            state.left - n
        }
    }

    /// The total over all worlds, and for every edge the total over the worlds that go along it
    /// from its state; `None` if a number does not fit. `power(class, bin, n)` is the weight of
    /// `n` items of a class in a bin.
    pub(super) fn totals<N: Number>(
        &self,
        classes: &[Class],
        chain: &Chain,
        power: impl Fn(usize, usize, u8) -> N,
    ) -> Option<(N, Vec<N>)> {
        let mut values = vec![N::ZERO; self.states.len()];
        let mut totals = vec![N::ZERO; self.targets.len()];
        for (id, room) in &self.ends {
            values[*id as usize] = chain.count(room)?;
        }
        for &id in self.order.iter().rev() {
            let state = self.states[id as usize];
            let k = usize::from(state.class);
            let mut sum = N::ZERO;
            for (n, edge) in self.edges(id) {
                let remainder = self.remainder(state, n, edge);
                let mut total = values[self.targets[edge] as usize]
                    .times_count(choose(u32::from(state.left), u32::from(n)))?;
                if classes[k].weights.is_some() {
                    total = total
                        .times(power(k, usize::from(state.bin), n))?
                        .times(power(k, classes[k].last_bin(), remainder))?;
                }
                totals[edge] = total;
                sum = sum.plus(total)?;
            }
            values[id as usize] = sum;
        }
        Some((values[0], totals))
    }
}
