//! Rows of `curling/uec`: shots of the UEC simulator in its own frame.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::row::executions;
use super::{Held, Outcome};
use crate::board::{Board, STONES, Stone, Team};
use crate::noise::NoiseModel;
use crate::physics::uec::{self, Uec, from_sheet, to_sheet};
use crate::physics::{Delivered, Simulator};
use crate::release::{Release, Spin};

/// How far a draw may end from where the original ends, in metres.
const DRAW: f64 = 0.001;

/// One row taken apart.
struct Row {
    kind: String,
    release: Option<Release>,
    shot: usize,
    before: Board,
    truth: Vec<Option<[f64; 2]>>,
    noise: Option<Noise>,
}

/// Many executions of one shot.
struct Noise {
    id: u64,
    target: [f64; 2],
    spin: Spin,
    count: u32,
    in_play: f64,
    mean: [f64; 2],
    sd: [f64; 2],
}

fn number(value: &Value, what: &str) -> Result<f64, String> {
    value
        .as_f64()
        .ok_or_else(|| format!("field `{what}`: expected a number, found {value}"))
}

fn pair(value: &Value, what: &str) -> Result<[f64; 2], String> {
    let array = value.as_array().filter(|a| a.len() == 2);
    let array =
        array.ok_or_else(|| format!("field `{what}`: expected two numbers, found {value}"))?;
    Ok([number(&array[0], what)?, number(&array[1], what)?])
}

/// A place, `None` for (0, 0).
fn place(value: &Value, what: &str) -> Result<Option<[f64; 2]>, String> {
    let place = pair(value, what)?;
    Ok((place != [0.0, 0.0]).then_some(place))
}

fn places(value: &Value, what: &str) -> Result<Vec<Option<[f64; 2]>>, String> {
    let list = value.as_array().filter(|a| a.len() == STONES);
    let list = list.ok_or_else(|| format!("field `{what}`: expected sixteen places"))?;
    list.iter().map(|v| place(v, what)).collect()
}

/// Stones are numbered in the order of the throws.
fn stone(number: usize) -> Stone {
    Stone::of(Team::BOTH[number % 2], number / 2)
}

fn read(row: &Value) -> Result<Row, String> {
    let field = |name: &str| {
        row.get(name)
            .ok_or_else(|| format!("field `{name}` is missing"))
    };
    let kind = field("shot_kind")?.as_str().unwrap_or_default().to_owned();
    let angle = field("angle")?.as_u64().filter(|a| *a < 2);
    let angle = angle.ok_or("field `angle`: expected 0 or 1")? as u8;
    let mut parsed = Row {
        release: row
            .get("v0")
            .map(|v| pair(v, "v0"))
            .transpose()?
            .map(|v| uec::release(v, angle)),
        kind,
        shot: 0,
        before: Board::EMPTY,
        truth: Vec::new(),
        noise: None,
    };
    match parsed.kind.as_str() {
        "noise" => {
            let count = executions(field("n")?).map_err(|e| format!("field `n`: {e}"))?;
            parsed.noise = Some(Noise {
                id: field("id")?.as_u64().unwrap_or_default(),
                target: pair(field("target")?, "target")?,
                spin: uec::spin(angle),
                count,
                in_play: number(field("in_play")?, "in_play")? / f64::from(count),
                mean: pair(field("mean")?, "mean")?,
                sd: pair(field("sd")?, "sd")?,
            });
        }
        "draw" | "raw" => parsed.truth = vec![place(field("final")?, "final")?],
        _ => {
            let shot = field("shot_num")?.as_u64().filter(|s| *s < STONES as u64);
            parsed.shot = shot.ok_or("field `shot_num`: expected 0 to 15")? as usize;
            parsed.truth = places(field("final")?, "final")?;
            for (i, place) in places(field("before")?, "before")?.into_iter().enumerate() {
                if let Some(place) = place.filter(|_| i < parsed.shot) {
                    parsed.before.put(stone(i), to_sheet(place));
                }
            }
        }
    }
    Ok(parsed)
}

/// What became of one row here and there.
struct Compared {
    delivered: Delivered,
    /// Stones that were on the sheet or thrown, and how many of them are in on one side only.
    stones: usize,
    flips: usize,
    /// The largest distance between the places of a stone that both have in play, metres.
    worst: f64,
}

fn compare(row: &Row) -> Result<Compared, String> {
    let release = row.release.ok_or("field `v0` is missing")?;
    let mut board = row.before;
    let delivered = Uec.deliver(&mut board, stone(row.shot), release, &mut ());
    let mut compared = Compared {
        delivered,
        stones: row.before.len() + 1,
        flips: 0,
        worst: 0.0,
    };
    for (i, truth) in row.truth.iter().enumerate() {
        match (board.get(stone(i)).map(from_sheet), truth) {
            (Some(a), Some(b)) => {
                let apart = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
                compared.worst = compared.worst.max(apart);
            }
            (None, None) => {}
            _ => compared.flips += 1,
        }
    }
    Ok(compared)
}

/// Checks a draw or a raw shot on an empty sheet; the rest is held together.
pub(super) fn check_row(row: &Value) -> Outcome {
    let outcome = read(row).and_then(|row| {
        if row.kind != "draw" && row.kind != "raw" {
            return Ok(Outcome::Skip(format!(
                "`{}` rows are held together",
                row.kind
            )));
        }
        let compared = compare(&row)?;
        if compared.flips > 0 {
            return Err(format!(
                "field `final`: expected {:?} in play or not",
                row.truth[0]
            ));
        }
        if compared.worst > DRAW {
            return Err(format!(
                "field `final`: {:.2} mm away",
                1e3 * compared.worst
            ));
        }
        Ok(Outcome::Pass)
    });
    outcome.unwrap_or_else(Outcome::Fail)
}

/// Agreement over all rows: shots on boards by the number of contacts, and the noise.
pub(super) fn check_all(rows: &[Value]) -> Vec<Held> {
    let rows: Vec<Row> = rows.iter().filter_map(|row| read(row).ok()).collect();
    let mut held = Vec::new();
    let boards: Vec<Compared> = rows
        .iter()
        .filter(|row| row.kind.starts_with("board"))
        .filter_map(|row| compare(row).ok())
        .collect();
    // The original is in single precision: a place is rounded to 4 um in each of 2,500 steps, and what
    // that leaves grows with every contact.
    let groups: [(&str, std::ops::Range<u32>, f64, f64); 4] = [
        ("no contact", 0..1, 0.3, 0.6),
        ("one contact", 1..2, 0.4, 2.0),
        ("two or three contacts", 2..4, 0.8, 10.0),
        ("four contacts or more", 4..u32::MAX, 2.0, 20.0),
    ];
    for (name, contacts, half, most) in groups {
        let group: Vec<&Compared> = boards
            .iter()
            .filter(|c| contacts.contains(&c.delivered.contacts))
            .collect();
        if !group.is_empty() {
            held.push(deviation(name, &group, half, most));
        }
    }
    if !boards.is_empty() {
        held.push(flips(&boards));
    }
    held.extend(rows.iter().filter_map(|row| row.noise.as_ref().map(spread)));
    held
}

/// As many executions here: means within four standard errors and 2 mm, standard deviations within
/// four standard errors and 5 %, shares in play within 1 %.
fn spread(truth: &Noise) -> Held {
    let mut rng = ChaCha8Rng::seed_from_u64(truth.id);
    let meant = uec::create_shot(to_sheet(truth.target), truth.spin);
    let (mut stayed, mut sum, mut squares) = (0.0, [0.0; 2], [0.0; 2]);
    for _ in 0..truth.count {
        let deviation = NoiseModel::UEC.sample(&mut rng);
        let thrown = NoiseModel::UEC.execute(&Uec, meant, deviation);
        let mut board = Board::EMPTY;
        Uec.deliver(&mut board, stone(0), thrown, &mut ());
        if let Some(point) = board.get(stone(0)) {
            stayed += 1.0;
            for (i, v) in from_sheet(point).into_iter().enumerate() {
                sum[i] += v - truth.target[i];
                squares[i] += (v - truth.target[i]).powi(2);
            }
        }
    }
    let n = f64::from(truth.count);
    let offset = sum.map(|s| s / stayed);
    let mean = [0, 1].map(|i| truth.target[i] + offset[i]);
    let sd = [0, 1].map(|i| (squares[i] / stayed - offset[i] * offset[i]).sqrt());
    let holds = (0..2).all(|i| {
        let error = truth.sd[i] * (2.0 / n).sqrt();
        let off = (sd[i] - truth.sd[i]).abs() - 4.0 * error / 2.0_f64.sqrt();
        (mean[i] - truth.mean[i]).abs() < 4.0 * error + 0.002 && off < 0.05 * truth.sd[i]
    });
    let spin = truth.spin.name();
    let show = |mean: [f64; 2], sd: [f64; 2]| {
        format!(
            "mean ({:.4}, {:.4}), sd ({:.4}, {:.4})",
            mean[0], mean[1], sd[0], sd[1]
        )
    };
    Held {
        what: format!("uec: noise around {:?} {spin}", truth.target),
        asked: format!(
            "{}, within 4 standard errors and 2 mm, 5 %",
            show(truth.mean, truth.sd)
        ),
        measured: format!("{} of {stayed} in play", show(mean, sd)),
        holds: holds && (stayed / n - truth.in_play).abs() < 0.01,
    }
}

fn deviation(name: &str, group: &[&Compared], half: f64, most: f64) -> Held {
    let mut worst: Vec<f64> = group.iter().map(|c| 1e3 * c.worst).collect();
    worst.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| worst[((worst.len() - 1) as f64 * share).round() as usize];
    let (p50, p90) = (at(0.5), at(0.9));
    Held {
        what: format!("uec: {name}, stones still in play, p50 and p90"),
        asked: format!("< {half} mm and < {most} mm"),
        measured: format!(
            "{p50:.3} mm and {p90:.3} mm of {} shots, at most {:.1} mm",
            worst.len(),
            at(1.0)
        ),
        holds: p50 < half && p90 < most,
    }
}

fn flips(boards: &[Compared]) -> Held {
    let stones: usize = boards.iter().map(|c| c.stones).sum();
    let flips: usize = boards.iter().map(|c| c.flips).sum();
    let share = 100.0 * flips as f64 / stones as f64;
    Held {
        what: "uec: stones in play on one side only".to_owned(),
        asked: "< 0.5 %".to_owned(),
        measured: format!(
            "{share:.2} % ({flips} of {stones} stones, {} shots)",
            boards.len()
        ),
        holds: share < 0.5,
    }
}
