//! How close the models come to recorded results of the official simulator.
//!
//! `cargo run --release -p curling --example accuracy -- DIRECTORY`, the directory holding
//! `curling_traj.jsonl`, `curling_collisions.jsonl` and `curling_noise.jsonl`.

use std::error::Error;
use std::path::Path;

use curling::physics::Simulator;
use curling::{Board, Ice, Model, Point, Release, Stone};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn rows(directory: &Path, name: &str) -> Outcome<Vec<Value>> {
    let text = std::fs::read_to_string(directory.join(format!("curling_{name}.jsonl")))?;
    let rows: Result<Vec<Value>, _> = text.lines().skip(1).map(serde_json::from_str).collect();
    Ok(rows?)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn release(row: &Value) -> Release {
    Release {
        vx: number(&row["v0"][0]),
        vy: number(&row["v0"][1]),
        omega: number(&row["omega0"]),
    }
}

fn place(value: &Value) -> Option<[f64; 2]> {
    value
        .is_array()
        .then(|| [number(&value[0]), number(&value[1])])
}

fn quantiles(name: &str, mut values: Vec<f64>) {
    values.sort_unstable_by(f64::total_cmp);
    if values.is_empty() {
        return;
    }
    let at = |q: f64| 1e3 * values[((values.len() - 1) as f64 * q) as usize];
    println!(
        "  {name}: n {} p50 {:.3} p90 {:.3} p99 {:.3} max {:.3} mm",
        values.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

fn single(model: &Model, rows: &[Value]) {
    let miss = |row: &Value| {
        let point = model.stopping_point(release(row));
        let [x, y] = place(&row["final"])?;
        let (dx, dy) = (f64::from(point.x) - x, f64::from(point.y) - y);
        Some(dx.hypot(dy))
    };
    quantiles("single stone", rows.iter().filter_map(miss).collect());
}

fn collisions(model: &Model, rows: &[Value]) {
    let mut by_contacts: [Vec<f64>; 4] = Default::default();
    let (mut flips, mut shots, mut cut) = (0, 0, 0);
    for row in rows {
        let mut board = Board::EMPTY;
        for i in 0..16 {
            if let Some([x, y]) = place(&row["before"][i]) {
                board.put(Stone::new(i), Point::new(x as f32, y as f32));
            }
        }
        let stone = Stone::new(row["shooter"].as_u64().unwrap_or(0) as usize);
        let result = model.deliver(&mut board, stone, release(row), &mut ());
        cut += u32::from(result.cut_short);
        let contacts = row["n_contacts"].as_u64().unwrap_or(0);
        let (mut worst, mut flipped) = (0.0_f64, false);
        for i in 0..16 {
            match (board.get(Stone::new(i)), place(&row["final"][i])) {
                (Some(p), Some([x, y])) => {
                    worst = worst.max((f64::from(p.x) - x).hypot(f64::from(p.y) - y));
                }
                (None, None) => {}
                _ => flipped = true,
            }
        }
        shots += 1;
        flips += i32::from(flipped);
        let class = match contacts {
            0 => 0,
            1 => 1,
            2 | 3 => 2,
            _ => 3,
        };
        by_contacts[class].push(worst);
    }
    let names = ["0 contacts", "1 contact", "2-3 contacts", "4+ contacts"];
    for (name, values) in names.into_iter().zip(by_contacts) {
        quantiles(name, values);
    }
    println!("  in/out flips {flips} of {shots} shots, cut short {cut}");
}

struct Gaussian(u64);

impl Gaussian {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn draw(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Means within 4 standard errors and 2 mm, deviations within 5 %, removals within 3 points; the
/// samples of both sides count.
fn noise(model: &Model, rows: &[Value], samples: u32) {
    let (mut bad, mut checked, mut worst) = (0, 0, [0.0_f64; 3]);
    for row in rows {
        let meant = release(row);
        let mut start = Board::EMPTY;
        for (i, stone) in row["opponents"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            if let Some([x, y]) = place(stone) {
                start.put(Stone::new(8 + i), Point::new(x as f32, y as f32));
            }
        }
        let mut all: Vec<Vec<[f64; 2]>> = vec![Vec::new(); 16];
        let mut gaussian = Gaussian(row["seed"].as_u64().unwrap_or(0));
        for _ in 0..samples {
            let speed = meant.speed().min(4.0) + 0.0076 * gaussian.draw();
            let angle = meant.angle() + 0.0018 * gaussian.draw();
            let mut board = start;
            let thrown = Release::polar(speed, angle, meant.spin());
            model.deliver(&mut board, Stone::new(0), thrown, &mut ());
            for (stone, p) in board.stones() {
                all[stone.index()].push([p.x.into(), p.y.into()]);
            }
        }
        for (k, stone) in row["stones"].as_array().into_iter().flatten().enumerate() {
            let values = &all[if k == 0 { 0 } else { 7 + k }];
            let n = values.len() as f64;
            let theirs = number(&stone["n_in_play"]);
            let rate = (n / f64::from(samples) - theirs / 2000.0).abs();
            checked += 1;
            worst[2] = worst[2].max(rate);
            let mut wrong = rate > 0.03;
            if n > 200.0 && theirs > 200.0 {
                for axis in 0..2 {
                    let mean = values.iter().map(|v| v[axis]).sum::<f64>() / n;
                    let var = values.iter().map(|v| (v[axis] - mean).powi(2)).sum::<f64>() / n;
                    let sd = number(&stone["sd"][axis]);
                    let off = (mean - number(&stone["mean"][axis])).abs();
                    let error = (sd * sd / theirs + var / n).sqrt();
                    let ratio = if sd > 1e-4 {
                        (var.sqrt() / sd - 1.0).abs()
                    } else {
                        0.0
                    };
                    worst[0] = worst[0].max((off - 0.002) / error.max(1e-9));
                    worst[1] = worst[1].max(ratio);
                    if off > 4.0 * error + 0.002 || ratio > 0.05 {
                        wrong = true;
                        println!(
                            "    {} stone {k} axis {axis}: mean off {off:.4} (s.e. {error:.4}), sd {:.4} against {sd:.4}",
                            row["name"],
                            var.sqrt()
                        );
                    }
                }
            }
            bad += i32::from(wrong);
        }
    }
    println!(
        "  noise: {bad} of {checked} stones out of tolerance; worst mean {:.2} s.e. beyond 2 mm, sd {:.2} %, removals {:.2} points",
        worst[0],
        100.0 * worst[1],
        100.0 * worst[2]
    );
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("a directory is needed")?;
    let samples: u32 = arguments.next().map_or(Ok(20_000), |n| n.parse())?;
    let directory = Path::new(&directory);
    for (ice, samples) in [(Ice::Fast, samples), (Ice::Fcv1, samples / 200)] {
        let model = Model::new(ice);
        println!("{ice:?}");
        single(&model, &rows(directory, "traj")?);
        collisions(&model, &rows(directory, "collisions")?);
        noise(&model, &rows(directory, "noise")?, samples);
    }
    Ok(())
}
