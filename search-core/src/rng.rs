//! Randomness: named seeds, one stream per simulation, one draw per event.
//!
//! Nothing in this crate reads ambient entropy. Everything random is derived from a [`Seed`]:
//!
//! * a [`Seed`] makes child seeds by tag and by index, and a [`ChaCha8Rng`] for what is stored or
//!   named (deals, matches);
//! * a [`SimRng`] is the fast portable generator of one simulation. It is a pure function of
//!   `(seed, simulation index)`, so the order in which simulations run, or the thread, cannot
//!   change what they draw;
//! * an [`EventStream`] hands a [`SimRng`] to every event of a rollout. The *running* stream hands
//!   out the same generator each time; the *keyed* stream seeds a fresh one from
//!   `(simulation, event)`, which keeps common random numbers in step after two candidates have
//!   diverged (Heikes, Montgomery & Rardin 1976; `docs/src/design/randomness.md` has the measurement).

use rand::Rng;
use rand::rand_core::{SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;

use crate::game::Player;

const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): a bijection on 64 bits.
#[inline]
#[must_use]
pub const fn mix64(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The root of every random decision. Two equal seeds give equal results, bit for bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// A child seed for a purpose, say `"deal"` or `"chance"`.
    #[must_use]
    pub fn child(self, tag: &str) -> Self {
        // FNV-1a over the tag, then two rounds of mixing with the parent.
        let mut h = 0xCBF2_9CE4_8422_2325_u64;
        for byte in tag.bytes() {
            h = (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Self(mix64(mix64(self.0.wrapping_add(GOLDEN_GAMMA)) ^ h))
    }

    /// A child seed by number, say the 17th decision of player 2.
    #[inline]
    #[must_use]
    pub const fn index(self, index: u64) -> Self {
        let step = index.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA);
        Self(mix64(mix64(self.0) ^ mix64(step)))
    }

    /// The portable generator for what is stored or named: deals, chance events of a match.
    #[must_use]
    pub fn stream(self) -> ChaCha8Rng {
        // The key is spelled out here rather than left to `seed_from_u64`, whose expansion is
        // another crate's choice.
        let mut key = [0_u8; 32];
        for (i, word) in key.chunks_exact_mut(8).enumerate() {
            word.copy_from_slice(&self.index(i as u64).0.to_le_bytes());
        }
        ChaCha8Rng::from_seed(key)
    }

    /// The generator of simulation number `index` of a search seeded with this seed.
    #[inline]
    #[must_use]
    pub const fn simulation(self, index: u64) -> SimRng {
        SimRng::new(self.index(index).0)
    }
}

/// [`Seed::simulation`] for many simulations of one seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Streams(u64);

impl Streams {
    pub(crate) const fn of(seed: Seed) -> Self {
        Self(mix64(seed.0))
    }

    #[inline]
    pub(crate) const fn simulation(self, index: u64) -> SimRng {
        let step = index.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA);
        SimRng::new(mix64(self.0 ^ mix64(step)))
    }
}

/// SplitMix64: eight bytes of state, one multiplication chain a draw, the same on every machine.
///
/// It is seeded once a simulation, which is why a generator with a long set-up does not pay here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimRng {
    state: u64,
}

impl SimRng {
    /// A generator that starts from `key`.
    #[inline]
    #[must_use]
    pub const fn new(key: u64) -> Self {
        Self { state: key }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix64(self.state)
    }
}

impl TryRng for SimRng {
    type Error = Infallible;

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        for chunk in dst.chunks_mut(8) {
            let bytes = self.next().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
        Ok(())
    }
}

/// Draws with a fixed specification: the outputs are part of this crate's contract, unlike those
/// of a distribution in another crate, which may change between its releases.
pub trait Draw: Rng {
    /// Uniform in `0..n` without bias (Lemire 2019). Returns 0 for `n == 0`, drawing nothing.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let mut product = u64::from(self.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Uniform in `0..n` for 64-bit ranges, without bias. Returns 0 for `n == 0`.
    #[inline]
    fn below_u64(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Uniform in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A uniformly random element, or `None` from an empty slice.
    #[inline]
    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let i = self.below(items.len() as u32) as usize;
        items.get(i).copied()
    }

    /// Fisher-Yates, from the last element down.
    #[inline]
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }
}

impl<R: Rng + ?Sized> Draw for R {}

/// Where the random numbers of one rollout come from.
#[derive(Debug, Clone)]
pub struct EventStream {
    key: u64,
    keyed: bool,
    rng: SimRng,
    decisions: [u32; crate::game::MAX_PLAYERS],
    chances: u32,
}

impl EventStream {
    /// One running stream: every event draws from the same generator, in order.
    #[inline]
    #[must_use]
    pub fn running(rng: SimRng) -> Self {
        Self {
            key: 0,
            keyed: false,
            rng,
            decisions: [0; crate::game::MAX_PLAYERS],
            chances: 0,
        }
    }

    /// One generator an event, keyed by `(key, player, ordinal of that player's decision)` or
    /// `(key, ordinal of the chance event)`.
    #[inline]
    #[must_use]
    pub fn keyed(key: Seed) -> Self {
        Self {
            key: key.0,
            keyed: true,
            rng: SimRng::new(key.0),
            decisions: [0; crate::game::MAX_PLAYERS],
            chances: 0,
        }
    }

    /// The generator for the next decision of `player`.
    #[inline]
    pub fn decision(&mut self, player: Player) -> &mut SimRng {
        if self.keyed {
            let ordinal = &mut self.decisions[player.index()];
            *ordinal += 1;
            let event = (u64::from(*ordinal) << 8) | (player.index() as u64 + 1);
            self.rng = SimRng::new(mix64(self.key ^ mix64(event)));
        }
        &mut self.rng
    }

    /// The generator for the next chance event.
    #[inline]
    pub fn chance(&mut self) -> &mut SimRng {
        if self.keyed {
            self.chances += 1;
            let event = u64::from(self.chances) << 8;
            self.rng = SimRng::new(mix64(self.key ^ mix64(event)));
        }
        &mut self.rng
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_frozen() {
        // Golden values: a change here changes every stored result.
        let mut rng = Seed(0).simulation(0);
        let first: Vec<u64> = (0..3).map(|_| rng.next()).collect();
        assert_eq!(first, GOLDEN);
        for i in [0, 1, u64::MAX] {
            assert_eq!(Streams::of(Seed(9)).simulation(i), Seed(9).simulation(i));
        }
        assert_ne!(Seed(1).child("deal"), Seed(1).child("chance"));
        assert_ne!(Seed(1).index(0), Seed(1).index(1));
    }

    const GOLDEN: [u64; 3] = [
        6_235_967_106_033_911_276,
        4_964_577_235_801_436_555,
        5_009_519_748_041_543_987,
    ];

    #[test]
    fn below_is_uniform() {
        let mut rng = Seed(7).simulation(3);
        let mut counts = [0_u32; 7];
        let draws = 700_000;
        for _ in 0..draws {
            counts[rng.below(7) as usize] += 1;
        }
        let expected = f64::from(draws) / 7.0;
        let chi2: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - expected).powi(2) / expected)
            .sum();
        // 6 degrees of freedom: the 1 - 1e-6 quantile is 38.3.
        assert!(chi2 < 38.3, "chi-square {chi2}");
    }

    /// T-DE3: the first draws of neighbouring simulations.
    #[test]
    fn t_de3_adjacent_simulations_are_uncorrelated() {
        let n = 100_000_u64;
        let mut sum = 0.0;
        for i in 0..n {
            let a = Seed(5).simulation(i).unit() - 0.5;
            let b = Seed(5).simulation(i + 1).unit() - 0.5;
            sum += a * b;
        }
        // Var of a product of two centred uniforms is 1/144.
        let z = sum / (n as f64 / 144.0).sqrt();
        assert!(z.abs() < 5.0, "z = {z}");
    }

    /// T-DE3: every bit of a draw against every bit of the same draw of the next simulation, and of the next
    /// seed; and the bits themselves.
    #[test]
    fn t_de3_bits_of_neighbouring_streams_are_independent() {
        type Pair = fn(u64) -> [u64; 2];
        let n = 20_000_u64;
        let pairs: [(&str, Pair); 3] = [
            ("simulations", |i| {
                [i, i + 1].map(|i| Seed(5).simulation(i).next())
            }),
            ("seeds", |i| {
                [i, i + 1].map(|i| Seed(i).simulation(0).next())
            }),
            ("draws", |i| {
                let mut rng = Seed(6).simulation(i);
                [rng.next(), rng.next()]
            }),
        ];
        for (name, pair) in pairs {
            let mut equal = [[0_u32; 64]; 64];
            let mut ones = [0_u32; 64];
            for i in 0..n {
                // Far apart, so that no stream is in two pairs.
                let [a, b] = pair(3 * i);
                for bit in 0..64 {
                    ones[bit] += (a >> bit & 1) as u32;
                    let same = !(a.rotate_right(bit as u32) ^ b);
                    for (other, count) in equal[bit].iter_mut().enumerate() {
                        *count += (same >> other & 1) as u32;
                    }
                }
            }
            let half = n as f64 / 2.0;
            let z = |count: u32| (f64::from(count) - half) / (half / 2.0).sqrt();
            let most = ones.iter().chain(equal.as_flattened()).map(|c| z(*c).abs());
            // Of 4,160 normal variables one is beyond 6 with a probability of 1e-5.
            let most = most.fold(0.0, f64::max);
            assert!(most < 6.0, "{name}: {most}");
        }
    }

    /// T-DE3: the leading bytes of two neighbouring simulations, as often as every other pair of bytes.
    #[test]
    fn t_de3_pairs_of_neighbouring_draws_are_uniform() {
        let mut counts = vec![0_u32; 1 << 16];
        let n = 1 << 20;
        for i in 0..n {
            let [a, b] = [2 * i, 2 * i + 1].map(|i| Seed(7).simulation(i).next() >> 56);
            counts[((a << 8) | b) as usize] += 1;
        }
        let expected = n as f64 / counts.len() as f64;
        let chi2 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2));
        let freedom = counts.len() as f64 - 1.0;
        let z = (chi2.sum::<f64>() / expected - freedom) / (2.0 * freedom).sqrt();
        assert!(z.abs() < 5.0, "{z}");
    }

    /// T-DE3: as many decisions and draws as a game may have, for every player.
    #[test]
    fn t_de3_keyed_events_do_not_collide() {
        let mut seen = std::collections::HashSet::new();
        let mut stream = EventStream::keyed(Seed(11));
        for _ in 0..2_000 {
            for p in 0..crate::game::MAX_PLAYERS {
                assert!(seen.insert(stream.decision(Player::new(p)).state));
            }
            assert!(seen.insert(stream.chance().state));
        }
    }

    #[test]
    fn keyed_events_do_not_depend_on_what_was_drawn_between() {
        let mut a = EventStream::keyed(Seed(11));
        let mut b = EventStream::keyed(Seed(11));
        a.decision(Player::new(0)).next();
        b.decision(Player::new(0));
        b.decision(Player::new(1)).next();
        assert_eq!(
            a.decision(Player::new(0)).next(),
            b.decision(Player::new(0)).next()
        );
    }
}
