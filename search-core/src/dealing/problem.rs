//! The statement of a dealing problem, and whether any world satisfies it.

use super::chain::Room;
use super::{DealError, MAX_BINS, MAX_ITEMS, bits};
use crate::observation::Contradiction;

/// Items, bins with capacities, and what is known about who may be where.
///
/// Every item may lie in every bin until a fact says otherwise; facts only ever take away, and
/// their order does not matter. See the [module documentation](super) for an example.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub(super) items: u64,
    pub(super) bins: usize,
    pub(super) room: Room,
    pub(super) allowed: [u16; MAX_ITEMS],
    pub(super) weights: Option<Box<[[f64; MAX_BINS]; MAX_ITEMS]>>,
}

impl Problem {
    /// A problem with the set bits of `items` as items, and a bin for every capacity.
    ///
    /// # Errors
    /// [`DealError::Bins`] for no bin or more than [`MAX_BINS`]; [`DealError::Room`] unless the
    /// capacities add up to the number of items.
    pub fn new(items: u64, capacities: &[u8]) -> Result<Self, DealError> {
        let bins = capacities.len();
        if bins == 0 || bins > MAX_BINS {
            return Err(DealError::Bins { bins });
        }
        let count = items.count_ones() as usize;
        let sum: usize = capacities.iter().map(|&c| usize::from(c)).sum();
        if sum != count {
            return Err(DealError::Room {
                items: count,
                room: sum,
            });
        }
        let mut room = [0; MAX_BINS];
        room[..bins].copy_from_slice(capacities);
        Ok(Self {
            items,
            bins,
            room,
            allowed: [u16::MAX >> (MAX_BINS - bins); MAX_ITEMS],
            weights: None,
        })
    }

    /// A problem with the items `0..items`.
    ///
    /// # Errors
    /// [`DealError::TooManyItems`] for more than [`MAX_ITEMS`], and those of [`Problem::new`].
    pub fn numbered(items: usize, capacities: &[u8]) -> Result<Self, DealError> {
        match items {
            0 => Self::new(0, capacities),
            1..=MAX_ITEMS => Self::new(u64::MAX >> (MAX_ITEMS - items), capacities),
            _ => Err(DealError::TooManyItems { items }),
        }
    }

    /// A fact: none of `items` lies in any of `bins`. Bits of `items` that are not items of the
    /// problem are ignored, so that a whole suit can be named.
    ///
    /// # Errors
    /// [`DealError::NoSuchBin`].
    pub fn forbid(&mut self, items: u64, bins: u16) -> Result<&mut Self, DealError> {
        if let Some(bin) = bits(u64::from(bins)).find(|&bin| bin >= self.bins) {
            return Err(DealError::NoSuchBin { bin });
        }
        for item in bits(items & self.items) {
            self.allowed[item] &= !bins;
        }
        Ok(self)
    }

    /// A fact: each of `items` lies in one of `bins`. Bits of `items` that are not items of the
    /// problem are ignored.
    ///
    /// # Errors
    /// [`DealError::NoSuchBin`].
    pub fn only(&mut self, items: u64, bins: u16) -> Result<&mut Self, DealError> {
        if let Some(bin) = bits(u64::from(bins)).find(|&bin| bin >= self.bins) {
            return Err(DealError::NoSuchBin { bin });
        }
        for item in bits(items & self.items) {
            self.allowed[item] &= bins;
        }
        Ok(self)
    }

    /// Sets the weight of an item in a bin, 1 before. Only the ratios between the weights of one
    /// item matter.
    ///
    /// # Errors
    /// [`DealError::NoSuchItem`], [`DealError::NoSuchBin`], and [`DealError::Weight`] unless
    /// `weight` is positive and finite.
    pub fn weigh(&mut self, item: usize, bin: usize, weight: f64) -> Result<&mut Self, DealError> {
        if item >= MAX_ITEMS || self.items >> item & 1 == 0 {
            return Err(DealError::NoSuchItem { item });
        }
        if bin >= self.bins {
            return Err(DealError::NoSuchBin { bin });
        }
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(DealError::Weight { item, bin, weight });
        }
        let weights = self
            .weights
            .get_or_insert_with(|| Box::new([[1.0; MAX_BINS]; MAX_ITEMS]));
        weights[item][bin] = weight;
        Ok(self)
    }

    /// Whether `item` may lie in `bin`, by the facts given and not by what follows from them.
    #[must_use]
    pub fn allows(&self, item: usize, bin: usize) -> bool {
        item < MAX_ITEMS
            && bin < self.bins
            && self.items >> item & 1 == 1
            && self.allowed[item] >> bin & 1 == 1
    }

    /// The weight of an item in a bin.
    pub(super) fn weight(&self, item: usize, bin: usize) -> f64 {
        self.weights
            .as_ref()
            .map_or(1.0, |weights| weights[item][bin])
    }

    /// Hall's condition: a world exists exactly if no set of bins is the only place for more items
    /// than it has room for. (Since the capacities add up to the number of items, a bin that too
    /// few items may fill shows as the set of all other bins.)
    pub(super) fn check(&self) -> Result<(), Contradiction> {
        let sets = 1_usize << self.bins;
        // By set of bins: the items that can only lie inside it.
        let mut confined = vec![0_u64; sets];
        for item in bits(self.items) {
            confined[usize::from(self.allowed[item])] |= 1 << item;
        }
        for bin in 0..self.bins {
            for set in 0..sets {
                if set >> bin & 1 == 1 {
                    confined[set] |= confined[set & !(1 << bin)];
                }
            }
        }
        let room = |set: usize| -> u32 { bits(set as u64).map(|b| u32::from(self.room[b])).sum() };
        let worst = (0..sets)
            .filter(|&set| confined[set].count_ones() > room(set))
            .min_by_key(|&set| {
                let size = set.count_ones();
                (size.min(self.bins as u32 - size), size, set)
            });
        let Some(set) = worst else {
            return Ok(());
        };
        let rest = (sets - 1) & !set;
        let inside = confined[set];
        Err(Contradiction::new(if set == 0 {
            format!("{} can lie in no bin", list("item", inside))
        } else if set.count_ones() <= rest.count_ones() {
            format!(
                "{} can lie only in {}, where there is room for {}",
                list("item", inside),
                list("bin", set as u64),
                room(set)
            )
        } else {
            let outside = self.items & !inside;
            format!(
                "{} must be filled with {}, but only {} can lie there",
                list("bin", rest as u64),
                room(rest),
                if outside == 0 {
                    "no item".to_owned()
                } else {
                    list("item", outside)
                }
            )
        }))
    }
}

/// "item 3" or "the 2 items 3, 5".
fn list(noun: &str, mask: u64) -> String {
    let numbers: Vec<String> = bits(mask).map(|bit| bit.to_string()).collect();
    if numbers.len() == 1 {
        format!("{noun} {}", numbers[0])
    } else {
        format!("the {} {noun}s {}", numbers.len(), numbers.join(", "))
    }
}
