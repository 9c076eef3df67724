//! Many executions of one shot with the noise of Digital Curling 3: means, standard deviations and
//! removal rates on `fast` against the rows.
//!
//! Both sides are samples of 2,000 executions with different luck, so what is asked of the true
//! figures is asked here beside four standard errors of the two samples together:
//! - means within 2 mm: `|m1 - m2| <= 2 mm + 4 sqrt(s1^2/n1 + s2^2/n2)`;
//! - standard deviations within 5 %: `|ln(s1/s2)| <= ln 1.05 + 4 sqrt((k-1)/4 (1/n1 + 1/n2))`, where
//!   `k` is the kurtosis of our sample: the logarithm of a sample's standard deviation has the variance
//!   `(k-1)/4n`, which is `1/2n` for a normal distribution;
//! - removal rates within 3 percentage points, with 4 standard errors of the difference beside it
//!   and, apart, how many differ by more than 3 points outright.
//!
//! Means and deviations of a stone that stays in play in fewer than 100 executions of either side
//! are passed over: so few do not tell their own error.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::Held;
use super::held::{digits, read_all};
use super::row::{self, Noise};
use crate::board::{Board, Point, Stone, Team};
use crate::noise::{Deviation, NoiseModel};
use crate::physics::{Ice, Model, Simulator};

const SEED: u64 = 20_250_807;
const FEWEST: u32 = 100;
const ERRORS: f64 = 4.0;

/// The board of a row and the stone that is thrown: the thrower's first, the opponents' in order.
fn set_up(row: &Noise) -> Result<(Board, Stone), String> {
    let mut board = Board::EMPTY;
    if row.opponents.len() > 8 || row.stones.len() != row.opponents.len() + 1 {
        return Err(format!(
            "{} stones with {} opponents",
            row.stones.len(),
            row.opponents.len()
        ));
    }
    for (throw, [x, y]) in row.opponents.iter().enumerate() {
        board.put(Stone::of(Team::Team1, throw), Point::new(*x, *y));
    }
    Ok((board, Stone::of(Team::Team0, 0)))
}

/// The stones of a row in its order: the thrown one, then the opponents.
fn in_order(row: &Noise) -> impl Iterator<Item = Stone> {
    let opponents = (0..row.opponents.len()).map(|throw| Stone::of(Team::Team1, throw));
    std::iter::once(Stone::of(Team::Team0, 0)).chain(opponents)
}

fn place(board: &Board, stone: Stone) -> Option<[f64; 2]> {
    board.get(stone).map(|p| [p.x.into(), p.y.into()])
}

/// Contacts, and where the stones of a row lie after the shot as it was meant.
pub(super) fn meant(model: &Model, row: &Noise) -> Result<(u32, Vec<Option<[f64; 2]>>), String> {
    let (mut board, stone) = set_up(row)?;
    let release = row::release(row.v0, row.omega0);
    let delivered = model.deliver(&mut board, stone, release, &mut ());
    let ends = in_order(row).map(|stone| place(&board, stone)).collect();
    Ok((delivered.contacts, ends))
}

/// Sums of the powers of one coordinate, about a point near its mean.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    about: f64,
    n: f64,
    sums: [f64; 4],
}

impl Moments {
    fn add(&mut self, x: f64) {
        if self.n == 0.0 {
            self.about = x;
        }
        self.n += 1.0;
        let d = x - self.about;
        let mut power = 1.0;
        for sum in &mut self.sums {
            power *= d;
            *sum += power;
        }
    }

    fn mean(&self) -> f64 {
        self.about + self.sums[0] / self.n
    }

    /// Standard deviation (with n - 1) and kurtosis.
    fn shape(&self) -> (f64, f64) {
        let [a, b, c, d] = self.sums.map(|s| s / self.n);
        let second = b - a * a;
        let fourth = d - 4.0 * a * c + 6.0 * a * a * b - 3.0 * a * a * a * a;
        let sd = (second * self.n / (self.n - 1.0)).sqrt();
        (sd, fourth / (second * second))
    }
}

/// The executions of one row on one model.
fn execute(model: &Model, row: &Noise, seed: u64) -> Result<Vec<[Moments; 2]>, String> {
    let (board, stone) = set_up(row)?;
    let meant = row::release(row.v0, row.omega0);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = vec![[Moments::default(); 2]; row.stones.len()];
    for _ in 0..row.samples {
        let deviation: Deviation = NoiseModel::DC3.sample(&mut rng);
        let release = NoiseModel::DC3.execute(model, meant, deviation);
        let mut board = board;
        model.deliver(&mut board, stone, release, &mut ());
        for (moments, stone) in all.iter_mut().zip(in_order(row)) {
            if let Some([x, y]) = place(&board, stone) {
                moments[0].add(x);
                moments[1].add(y);
            }
        }
    }
    Ok(all)
}

/// The worst of many figures, each as a share of its bound.
#[derive(Debug, Default)]
struct Worst {
    count: usize,
    over: usize,
    share: f64,
    text: String,
}

impl Worst {
    fn add(&mut self, figure: f64, bound: f64, text: impl FnOnce() -> String) {
        self.count += 1;
        let share = figure / bound;
        self.over += usize::from(!(share <= 1.0));
        if self.count == 1 || !(share <= self.share) {
            self.share = share;
            self.text = text();
        }
    }

    fn held(self, what: &str, asked: &str, most_over: usize) -> Held {
        Held {
            what: what.to_owned(),
            asked: asked.to_owned(),
            measured: format!(
                "{} of {} beyond; worst {} of its bound: {}",
                self.over,
                self.count,
                digits(self.share),
                self.text
            ),
            holds: self.count > 0 && self.over <= most_over,
        }
    }
}

/// Means, standard deviations and removal rates over all rows, on `fast`.
pub(super) fn noise(rows: &[&Value]) -> Vec<Held> {
    let mut held = Vec::new();
    let rows: Vec<Noise> = read_all(rows, &mut held);
    let model = Model::new(Ice::Fast);
    let [mut means, mut deviations, mut rates, mut outright] = [(); 4].map(|()| Worst::default());
    for (k, row) in rows.iter().enumerate() {
        let Ok(ours) = execute(&model, row, SEED + k as u64) else {
            means.add(f64::INFINITY, 1.0, || {
                format!("{} cannot be set up", row.name)
            });
            continue;
        };
        for (i, (ours, theirs)) in ours.iter().zip(&row.stones).enumerate() {
            let all = f64::from(row.samples);
            let name = |what: &str| format!("{} stone {i} {what}", row.name);
            let (p, q) = (
                1.0 - ours[0].n / all,
                1.0 - f64::from(theirs.n_in_play) / all,
            );
            let error = ((p * (1.0 - p) + q * (1.0 - q)) / all).sqrt();
            let text = || name(&format!("{:.2} % against {:.2} %", 100.0 * p, 100.0 * q));
            rates.add((p - q).abs(), 0.03 + ERRORS * error, text);
            outright.add((p - q).abs(), 0.03, text);
            let (Some(mean), Some(sd)) = (theirs.mean, theirs.sd) else {
                continue;
            };
            if theirs.n_in_play < FEWEST || ours[0].n < f64::from(FEWEST) {
                continue;
            }
            for axis in 0..2 {
                let (m, (s, k)) = (ours[axis].mean(), ours[axis].shape());
                let (n1, n2) = (ours[axis].n, f64::from(theirs.n_in_play));
                let axis_name = ["x", "y"][axis];
                let error = (s * s / n1 + sd[axis] * sd[axis] / n2).sqrt();
                means.add((m - mean[axis]).abs(), 0.002 + ERRORS * error, || {
                    name(&format!("{axis_name} {m:.4} against {:.4} m", mean[axis]))
                });
                let error = ((k - 1.0) / 4.0 * (1.0 / n1 + 1.0 / n2)).sqrt();
                let apart = libm::log(s / sd[axis]).abs();
                deviations.add(apart, libm::log(1.05) + ERRORS * error, || {
                    name(&format!("{axis_name} {s:.4} against {:.4} m", sd[axis]))
                });
            }
        }
    }
    held.push(means.held("fast: means", "2 mm and 4 standard errors", 0));
    held.push(deviations.held("fast: standard deviations", "5 % and 4 standard errors", 0));
    held.push(rates.held("fast: removal rates", "3 points and 4 standard errors", 0));
    // A rate of one half differs by more than 3 points in one pair of samples of 2,000 in twenty.
    held.push(outright.held(
        "fast: removal rates outright",
        "3 points, 1 in 20 beyond",
        rows.len() / 20,
    ));
    held
}
