//! The luck of the noise rows: the official simulator's generator, so that both sides of a comparison
//! throw with the same deviations and no sampling error is left.

use super::row::Noise;
use crate::release::Release;

const WORDS: usize = 624;
const SHIFT: usize = 397;

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), 32 bits.
#[derive(Debug, Clone)]
struct MersenneTwister {
    words: [u32; WORDS],
    used: usize,
}

impl MersenneTwister {
    fn new(seed: u32) -> Self {
        let mut words = [seed; WORDS];
        for i in 1..WORDS {
            let last = words[i - 1];
            words[i] = (last ^ last >> 30)
                .wrapping_mul(1_812_433_253)
                .wrapping_add(i as u32);
        }
        Self { words, used: WORDS }
    }

    fn next(&mut self) -> u32 {
        if self.used == WORDS {
            for i in 0..WORDS {
                let joined = (self.words[i] & 1 << 31) | (self.words[(i + 1) % WORDS] & !(1 << 31));
                let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                self.words[i] = self.words[(i + SHIFT) % WORDS] ^ joined >> 1 ^ twist;
            }
            self.used = 0;
        }
        let mut y = self.words[self.used];
        self.used += 1;
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c_5680;
        y ^= y << 15 & 0xefc6_0000;
        y ^ y >> 18
    }

    /// In [0, 1), single precision.
    fn unit(&mut self) -> f32 {
        let below_one = f32::from_bits(1.0_f32.to_bits() - 1);
        (self.next() as f32 / 4_294_967_296.0).min(below_one)
    }
}

/// Normal numbers by the polar method (Marsaglia and Bray 1964): of each pair the second comes first,
/// the first is kept for the next call.
#[derive(Debug, Clone)]
struct Normal {
    sd: f32,
    kept: Option<f32>,
}

impl Normal {
    fn new(sd: f32) -> Self {
        Self { sd, kept: None }
    }

    fn sample(&mut self, bits: &mut MersenneTwister) -> f32 {
        if let Some(kept) = self.kept.take() {
            return kept * self.sd;
        }
        loop {
            let (x, y) = (2.0 * bits.unit() - 1.0, 2.0 * bits.unit() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square <= 1.0 {
                let scale = (-2.0 * libm::logf(square) / square).sqrt();
                self.kept = Some(x * scale);
                return y * scale * self.sd;
            }
        }
    }
}

/// The releases of a row's executions, in order.
#[derive(Debug, Clone)]
pub(super) struct Luck {
    bits: MersenneTwister,
    speed: Normal,
    angle: Normal,
}

impl Luck {
    pub(super) fn new(row: &Noise) -> Self {
        Self {
            bits: MersenneTwister::new(row.seed),
            speed: Normal::new(row.stddev_speed),
            angle: Normal::new(row.stddev_angle),
        }
    }

    /// Deviations of the speed, m/s, and of the angle, radians to the left.
    pub(super) fn next(&mut self) -> (f32, f32) {
        let speed = self.speed.sample(&mut self.bits);
        (speed, self.angle.sample(&mut self.bits))
    }
}

/// The shot of a row with these deviations, in single precision.
pub(super) fn thrown(row: &Noise, (speed, angle): (f32, f32)) -> Release {
    let (vx, vy) = (row.v0[0] as f32, row.v0[1] as f32);
    let speed = (vx * vx + vy * vy).sqrt().min(4.0) + speed;
    let angle = libm::atan2f(vy, vx) + angle;
    Release {
        vx: (speed * libm::cosf(angle)).into(),
        vy: (speed * libm::sinf(angle)).into(),
        omega: row.omega0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_thousandth_word_is_the_one_of_the_standard() {
        // ISO C++ 26.6.5 (rand.predef): the 10,000th value of a default mt19937 is 4123659995.
        let mut bits = MersenneTwister::new(5489);
        let last = (0..10_000).map(|_| bits.next()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
