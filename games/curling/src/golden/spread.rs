//! Many executions of one shot with the noise of Digital Curling 3: means, standard deviations and
//! removal rates against the rows.
//!
//! Twice: with the very deviations of the rows, so that what differs is the model alone, and with our
//! own noise. With the same luck standard deviations are within 5 %, removal rates within 3 percentage
//! points and means within 5 mm: the steps of the official simulator and its single precision leave a
//! draw up to 4 mm short of the closed form, whatever the luck. The mean and deviation
//! of a stone that meets others hang on a few wild executions, so there the bounds have a standard
//! error of the mean, or of the deviation, of one sample beside them.
//!
//! With our own noise both sides are samples of 2,000 executions with different luck, so four
//! standard errors of the two samples together stand beside the bounds:
//! - `|m1 - m2| <= 2 mm + 4 sqrt(s1^2/n1 + s2^2/n2)`;
//! - `|ln(s1/s2)| <= ln 1.05 + 4 sqrt((k-1)/4 (1/n1 + 1/n2))`, where `k` is the kurtosis of our
//!   sample: the logarithm of a sample's standard deviation has the variance `(k-1)/4n`, which is
//!   `1/2n` for a normal distribution;
//! - removal rates `|p - q| <= 3 points + 4 sqrt((p(1-p) + q(1-q))/n)`.
//!
//! Means and deviations of a stone that stays in play in fewer than 100 executions of either side
//! are passed over: so few do not tell their own error.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::Held;
use super::held::{digits, read_all};
use super::luck::{self, Luck};
use super::row::{self, Noise};
use super::single_row::models;
use crate::board::{Board, Point, Stone, Team};
use crate::noise::NoiseModel;
use crate::physics::{Model, Simulator};
use crate::release::Release;

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

/// Where a stone lies, if it is in play.
type Place = Option<[f64; 2]>;

/// Contacts, and where the stones of a row lie after the shot as it was meant.
pub(super) fn meant(model: &Model, row: &Noise) -> Result<(u32, Vec<Place>), String> {
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
fn execute(
    model: &Model,
    row: &Noise,
    mut release: impl FnMut() -> Release,
) -> Result<Vec<[Moments; 2]>, String> {
    let (board, stone) = set_up(row)?;
    let mut all = vec![[Moments::default(); 2]; row.stones.len()];
    for _ in 0..row.samples {
        let mut board = board;
        model.deliver(&mut board, stone, release(), &mut ());
        for (moments, stone) in all.iter_mut().zip(in_order(row)) {
            if let Some([x, y]) = place(&board, stone) {
                moments[0].add(x);
                moments[1].add(y);
            }
        }
    }
    Ok(all)
}

/// With the deviations that the row had.
fn same_luck(model: &Model, row: &Noise) -> Result<Vec<[Moments; 2]>, String> {
    let mut luck = Luck::new(row);
    execute(model, row, || luck::thrown(row, luck.next()))
}

/// With our own noise.
fn own_luck(model: &Model, row: &Noise, seed: u64) -> Result<Vec<[Moments; 2]>, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let meant = row::release(row.v0, row.omega0);
    execute(model, row, || {
        NoiseModel::DC3.execute(model, meant, NoiseModel::DC3.sample(&mut rng))
    })
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
        self.over += usize::from(share > 1.0 || share.is_nan());
        if self.count == 1 || share > self.share || share.is_nan() {
            self.share = share;
            self.text = text();
        }
    }

    fn held(self, what: &str, asked: &str) -> Held {
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
            holds: self.count > 0 && self.over == 0,
        }
    }
}

/// Means, standard deviations and removal rates over all rows.
pub(super) fn noise(rows: &[&Value]) -> Vec<Held> {
    let mut held = Vec::new();
    let rows: Vec<Noise> = read_all(rows, &mut held);
    held.push(deviations(&rows));
    // Every third row is enough of what takes a second or two each.
    let some: Vec<Noise> = rows.iter().skip(1).step_by(3).cloned().collect();
    let [(_, fcv1), (_, fast)] = models();
    held.extend(compare(
        &some,
        "fcv1, same luck",
        &Bounds::SAME,
        |_, row| same_luck(fcv1, row),
    ));
    held.extend(compare(
        &rows,
        "fast, same luck",
        &Bounds::CLOSE,
        |_, row| same_luck(fast, row),
    ));
    held.extend(compare(
        &rows,
        "fast, our noise",
        &Bounds::SAMPLED,
        |k, row| own_luck(fast, row, SEED + k as u64),
    ));
    held
}

/// The deviations themselves: means and standard deviations of speed and angle in each row.
fn deviations(rows: &[Noise]) -> Held {
    let mut worst = Worst::default();
    for row in rows {
        let (mut luck, mut all) = (Luck::new(row), [Moments::default(); 2]);
        for _ in 0..row.samples {
            let (speed, angle) = luck.next();
            all[0].add(speed.into());
            all[1].add(angle.into());
        }
        let theirs = &row.measured_noise;
        let pairs = [
            (all[0].mean(), theirs.speed_mean),
            (all[1].mean(), theirs.angle_mean),
            (all[0].shape().0, theirs.speed_sd),
            (all[1].shape().0, theirs.angle_sd),
        ];
        for (a, b) in pairs {
            // Standard deviations with n or n - 1 differ in the fourth digit.
            worst.add((a - b).abs(), 3e-6, || {
                format!("{}: {a:e} against {b:e}", row.name)
            });
        }
    }
    worst.held(
        "deviations with the rows' seeds, mean and sd",
        "3e-6 m/s and rad",
    )
}

/// How far the figures of two samples may be apart.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Metres between means.
    mean: f64,
    /// Logarithm of the ratio of standard deviations.
    sd: f64,
    /// Between removal rates.
    rate: f64,
    /// Standard errors beside it, for stones that meet no other, for those that do, and for rates.
    errors: [f64; 3],
    /// How it is written.
    text: [&'static str; 3],
}

impl Bounds {
    const SAME: Self = Self {
        mean: 1e-4,
        sd: 1e-3,
        rate: 1e-3,
        errors: [0.0; 3],
        text: ["0.1 mm", "0.1 %", "0.1 points"],
    };
    const CLOSE: Self = Self {
        mean: 0.005,
        sd: 0.048_790_164_169_432,
        rate: 0.03,
        errors: [0.0, 1.0, 0.0],
        text: [
            "5 mm, among stones also one standard error",
            "5 %, among stones also one standard error",
            "3 points",
        ],
    };
    const SAMPLED: Self = Self {
        mean: 0.002,
        errors: [ERRORS; 3],
        text: [
            "2 mm and 4 standard errors of both",
            "5 % and 4 standard errors of both",
            "3 points and 4 standard errors of both",
        ],
        ..Self::CLOSE
    };
}

/// Compares the executions of all rows.
fn compare(
    rows: &[Noise],
    who: &str,
    bounds: &Bounds,
    executions: impl Fn(usize, &Noise) -> Result<Vec<[Moments; 2]>, String>,
) -> [Held; 3] {
    let [mut means, mut deviations, mut rates] = [(); 3].map(|()| Worst::default());
    for (k, row) in rows.iter().enumerate() {
        let ours = match executions(k, row) {
            Ok(ours) => ours,
            Err(why) => {
                means.add(f64::INFINITY, 1.0, || format!("{}: {why}", row.name));
                continue;
            }
        };
        let errors = bounds.errors[usize::from(!row.opponents.is_empty())];
        for (i, (ours, theirs)) in ours.iter().zip(&row.stones).enumerate() {
            let name = |what: &str| format!("{} stone {i} {what}", row.name);
            let all = f64::from(row.samples);
            let (p, q) = (
                1.0 - ours[0].n / all,
                1.0 - f64::from(theirs.n_in_play) / all,
            );
            let error = ((p * (1.0 - p) + q * (1.0 - q)) / all).sqrt();
            rates.add(
                (p - q).abs(),
                bounds.rate + bounds.errors[2] * error,
                || name(&format!("{:.2} % against {:.2} %", 100.0 * p, 100.0 * q)),
            );
            let (Some(mean), Some(sd)) = (theirs.mean, theirs.sd) else {
                continue;
            };
            if theirs.n_in_play < FEWEST || ours[0].n < f64::from(FEWEST) {
                continue;
            }
            for (axis, of) in ours.iter().enumerate() {
                let (m, (s, k)) = (of.mean(), of.shape());
                let inverse = 1.0 / of.n + 1.0 / f64::from(theirs.n_in_play);
                let x = ["x", "y"][axis];
                // A stone that nobody meets has no spread at all.
                let error = 0.5 * (s + sd[axis]) * inverse.sqrt();
                means.add((m - mean[axis]).abs(), bounds.mean + errors * error, || {
                    name(&format!("{x} {m:.5} against {:.5} m", mean[axis]))
                });
                if s.max(sd[axis]) > 1e-6 {
                    let error = ((k - 1.0) / 4.0 * inverse).sqrt();
                    let apart = libm::log(s / sd[axis]).abs();
                    deviations.add(apart, bounds.sd + errors * error, || {
                        name(&format!("{x} {s:.5} against {:.5} m", sd[axis]))
                    });
                }
            }
        }
    }
    [
        means.held(&format!("{who}: means"), bounds.text[0]),
        deviations.held(&format!("{who}: standard deviations"), bounds.text[1]),
        rates.held(&format!("{who}: removal rates"), bounds.text[2]),
    ]
}
