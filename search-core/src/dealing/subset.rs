//! Uniform subsets of a bit set, and uniform splits of one into parts of given sizes.

use rand::Rng;

use crate::rng::Draw;

/// One part of a split: `count` items go to bin `bin`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) bin: u8,
    pub(super) count: u8,
}

/// Sixteenths nearest to `k / n`: how dense the first guess of a `k`-subset of `n` items is.
const DENSITY: [[u8; 65]; 65] = {
    let mut table = [[0; 65]; 65];
    let mut n = 1;
    while n <= 64 {
        let mut k = 0;
        while k <= n {
            table[n][k] = ((16 * k + n / 2) / n) as u8;
            k += 1;
        }
        n += 1;
    }
    table
};

/// Below this many candidates an item is found by its rank rather than by guessing positions.
const SPARSE: u32 = 12;

/// 64 independent bits, each set with probability `sixteenths / 16`.
#[inline]
fn coins<R: Rng + ?Sized>(rng: &mut R, sixteenths: u8) -> u64 {
    match sixteenths {
        0 => 0,
        8 => rng.next_u64(),
        16.. => u64::MAX,
        _ => {
            // The binary expansion of the probability, from its last digit: a word or-ed in
            // sends p to (1 + p) / 2, a word and-ed in sends it to p / 2.
            let first = sixteenths.trailing_zeros();
            let mut mask = rng.next_u64();
            for digit in first + 1..4 {
                let word = rng.next_u64();
                if sixteenths >> digit & 1 == 1 {
                    mask |= word;
                } else {
                    mask &= word;
                }
            }
            mask
        }
    }
}

/// `set`, which has `size` items, without `drop` of them, chosen uniformly.
#[inline]
fn without<R: Rng + ?Sized>(rng: &mut R, mut set: u64, mut size: u32, mut drop: u32) -> u64 {
    while drop > 0 {
        if size < SPARSE {
            let mut from = set;
            for _ in 0..rng.below(size) {
                from &= from - 1;
            }
            set ^= from & from.wrapping_neg();
            size -= 1;
            drop -= 1;
            continue;
        }
        // Ten positions a word; one that is not in the set is passed over.
        let mut word = rng.next_u64();
        for _ in 0..10 {
            let position = word & 63;
            word >>= 6;
            let hit = set >> position & 1;
            set ^= hit << position;
            drop -= hit as u32;
            if drop == 0 {
                return set;
            }
        }
        size = set.count_ones();
    }
    set
}

/// A uniformly random subset of `k` of the `size` items of `set`; needs `k <= size`.
///
/// Independent coins give a subset that is uniform among those of its size; then the surplus is
/// dropped, or what is lacking is taken from the rest, uniformly. Every step treats all items
/// alike, so the law of the result is invariant under permutations of the items, and on the
/// `k`-subsets only the uniform law is. A Fisher-Yates shuffle would draw `k` numbers; this draws
/// a few words and repairs about `0.8 sqrt(size · p · (1 − p))` items, `p = k / size`.
#[inline]
pub(super) fn subset<R: Rng + ?Sized>(rng: &mut R, set: u64, size: u32, k: u32) -> u64 {
    debug_assert!(set.count_ones() == size && k <= size);
    if k == 0 {
        return 0;
    }
    if k == size {
        return set;
    }
    let guess = set & coins(rng, DENSITY[size as usize][k as usize]);
    let count = guess.count_ones();
    // Masks rather than branches: which of the two it is cannot be predicted.
    let lacking = u64::from(count > k).wrapping_sub(1);
    let source = (guess ^ lacking) & set;
    let candidates = (count ^ lacking as u32).wrapping_add(lacking as u32 & (size + 1));
    let kept = without(rng, source, candidates, count.abs_diff(k));
    (kept ^ lacking) & set
}

/// Adds to every part's bin in `out` its count of the `size` items of `set`, uniformly over all
/// ways to do so, and returns the items that are left.
#[inline]
pub(super) fn split<R: Rng + ?Sized>(
    rng: &mut R,
    set: u64,
    size: u32,
    parts: &[Part],
    out: &mut [u64],
) -> u64 {
    let total = total(parts);
    let chosen = subset(rng, set, size, total);
    if total > 0 {
        halve(rng, chosen, total, parts, out);
    }
    set & !chosen
}

#[inline]
fn total(parts: &[Part]) -> u32 {
    parts.iter().map(|part| u32::from(part.count)).sum()
}

/// Splits all `size` items of `set`: first between the halves of `parts`, then within.
fn halve<R: Rng + ?Sized>(rng: &mut R, set: u64, size: u32, parts: &[Part], out: &mut [u64]) {
    match parts {
        [] => {}
        [part] => out[part.bin as usize] |= set,
        [left, right] => {
            let chosen = subset(rng, set, size, u32::from(left.count));
            out[left.bin as usize] |= chosen;
            out[right.bin as usize] |= set & !chosen;
        }
        [a, b, c, d] => {
            let k = u32::from(a.count) + u32::from(b.count);
            let left = subset(rng, set, size, k);
            let right = set & !left;
            let first = subset(rng, left, k, u32::from(a.count));
            let third = subset(rng, right, size - k, u32::from(c.count));
            out[a.bin as usize] |= first;
            out[b.bin as usize] |= left & !first;
            out[c.bin as usize] |= third;
            out[d.bin as usize] |= right & !third;
        }
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let k = total(left);
            let chosen = subset(rng, set, size, k);
            halve(rng, chosen, k, left, out);
            halve(rng, set & !chosen, size - k, right, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn coins_have_the_density_they_promise() {
        let mut rng = Seed(1).simulation(0);
        for sixteenths in 0..=16_u8 {
            let words = 20_000;
            let ones: u64 = (0..words)
                .map(|_| u64::from(coins(&mut rng, sixteenths).count_ones()))
                .sum();
            let (p, n) = (f64::from(sixteenths) / 16.0, f64::from(words) * 64.0);
            let deviation = (ones as f64 - n * p).abs();
            assert!(
                deviation <= 5.0 * (n * p * (1.0 - p)).sqrt(),
                "{sixteenths}: {deviation}"
            );
        }
    }

    #[test]
    fn every_subset_size_is_met_and_stays_inside() {
        let mut rng = Seed(2).simulation(0);
        for size in 0..=64_u32 {
            // Spread over the word: the items need not be the lowest bits.
            let set = (0..size).fold(0_u64, |set, i| set | 1 << (i * 37 % 64));
            for k in 0..=size {
                let chosen = subset(&mut rng, set, size, k);
                assert_eq!(chosen & !set, 0);
                assert_eq!(chosen.count_ones(), k);
            }
        }
    }

    /// Pairs of items are chosen together as often as they should be, at every path of the code.
    #[test]
    fn subsets_are_uniform_in_pairs() {
        let mut rng = Seed(3).simulation(0);
        for (size, k) in [
            (48_u32, 24_u32),
            (30, 7),
            (64, 1),
            (64, 63),
            (13, 6),
            (11, 10),
            (40, 13),
        ] {
            let set = (0..size).fold(0_u64, |set, i| set | 1 << (i * 37 % 64));
            let items: Vec<usize> = super::super::bits(set).collect();
            let draws = 60_000;
            let mut singles = vec![0_u32; items.len()];
            let mut pairs = 0_u32;
            for _ in 0..draws {
                let chosen = subset(&mut rng, set, size, k);
                for (count, item) in singles.iter_mut().zip(&items) {
                    *count += u32::from(chosen >> item & 1 == 1);
                }
                let both = 1 << items[0] | 1 << items[items.len() - 1];
                pairs += u32::from(chosen & both == both);
            }
            let n = f64::from(draws);
            let (s, k) = (f64::from(size), f64::from(k));
            let close = |count: u32, p: f64| {
                (f64::from(count) - n * p).abs() <= 5.0 * (n * p * (1.0 - p)).sqrt() + 1e-9
            };
            assert!(singles.iter().all(|&c| close(c, k / s)), "{size} {k}");
            assert!(close(pairs, k * (k - 1.0) / (s * (s - 1.0))), "{size} {k}");
        }
    }
}
