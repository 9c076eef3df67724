//! Coverage by simulation: the t interval on seed blocks keeps its promise and
//! the interval that takes games for independent does not.

use searchlab::statistics::{cluster_mean, mean_interval};

/// Seeds per simulated run.
const SEEDS: usize = 8;
/// Cells (games) per seed.
const CELLS: usize = 10;
/// Simulated runs: the standard error of a coverage near 95 % is 0.34 points.
const RUNS: usize = 4000;
const TRUTH: f64 = 0.3;

/// A fixed generator: SplitMix64 with sums of twelve uniforms, normal enough
/// for coverage and free of any dependence on a platform's `ln` and `cos`.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// Scores with an intra-seed correlation of one half.
fn run(noise: &mut Noise) -> (Vec<f64>, Vec<u64>) {
    let (mut scores, mut seeds) = (Vec::new(), Vec::new());
    for seed in 0..SEEDS {
        let deal = noise.normal();
        for _ in 0..CELLS {
            scores.push(TRUTH + (deal + noise.normal()) * 0.5f64.sqrt());
            seeds.push(seed as u64);
        }
    }
    (scores, seeds)
}

fn share(hits: usize) -> f64 {
    hits as f64 / RUNS as f64
}

#[test]
fn t_on_seed_blocks_covers_and_games_as_independent_do_not() {
    let mut noise = Noise(20_240_607);
    let (mut by_block, mut by_cluster, mut by_game) = (0, 0, 0);
    for _ in 0..RUNS {
        let (scores, seeds) = run(&mut noise);
        let blocks: Vec<f64> = scores
            .chunks(CELLS)
            .map(|block| block.iter().sum::<f64>() / CELLS as f64)
            .collect();
        let covers = |values: &[f64]| {
            let result = mean_interval(values, 0.95).expect("finite scores");
            usize::from(result.interval.expect("scores differ").contains(TRUTH))
        };
        by_block += covers(&blocks);
        by_game += covers(&scores);
        let clustered = cluster_mean(&scores, &seeds, 0.95).expect("finite scores");
        let interval = clustered.interval_cr1.expect("scores differ");
        by_cluster += usize::from(interval.contains(TRUTH));
    }
    assert!(
        (0.93..=0.97).contains(&share(by_block)),
        "{}",
        share(by_block)
    );
    // Balanced clusters: CR1 with G - 1 degrees of freedom is the same interval.
    assert_eq!(by_cluster, by_block);
    assert!((0.5..=0.7).contains(&share(by_game)), "{}", share(by_game));
}
