//! Against recorded results of the official simulator.

use crate::board::{Board, Point, Stone};
use crate::physics::Simulator;
use crate::physics::fast::Fast;
use crate::release::Release;
use serde_json::Value;

fn rows(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn thrown(row: &Value) -> Release {
    Release {
        vx: number(&row["v0"][0]),
        vy: number(&row["v0"][1]),
        omega: number(&row["omega0"]),
    }
}

fn distance(point: Point, at: &Value) -> f64 {
    (f64::from(point.x) - number(&at[0])).hypot(f64::from(point.y) - number(&at[1]))
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * q) as usize]
}

#[test]
fn lone_stones_stop_where_the_official_simulator_stops_them() {
    let fast = Fast::new();
    let text = include_str!("../../../../tests/data/fast_lone.jsonl");
    let mut off: Vec<f64> = rows(text)
        .map(|row| distance(fast.stopping_point(thrown(&row)), &row["final"]))
        .collect();
    assert!(off.len() >= 100);
    assert!(
        quantile(&mut off, 0.5) < 0.002 && quantile(&mut off, 1.0) < 0.010,
        "{off:?}"
    );
}

#[test]
fn hits_end_where_the_official_simulator_ends_them() {
    let fast = Fast::new();
    let text = include_str!("../../../../tests/data/fast_collisions.jsonl");
    let (mut off, mut flips, mut shots) = (Vec::new(), 0, 0);
    for row in rows(text) {
        let mut board = Board::EMPTY;
        let places = |key: &str| row[key].as_array().expect("places").clone();
        for (i, at) in places("before")
            .iter()
            .enumerate()
            .filter(|(_, at)| !at.is_null())
        {
            let point = Point::new(number(&at[0]) as f32, number(&at[1]) as f32);
            board.put(Stone::new(i), point);
        }
        let shooter = Stone::new(number(&row["shooter"]) as usize);
        fast.deliver(&mut board, shooter, thrown(&row), &mut ());
        let mut worst = 0.0_f64;
        let mut flipped = false;
        for (i, at) in places("final").iter().enumerate() {
            let ours = board.get(Stone::new(i));
            flipped |= ours.is_some() == at.is_null();
            if let Some(point) = ours.filter(|_| !at.is_null()) {
                worst = worst.max(distance(point, at));
            }
        }
        shots += 1;
        flips += i32::from(flipped);
        if row["n_contacts"] == 1 {
            off.push(worst);
        }
    }
    assert!(off.len() >= 100);
    let (half, most) = (quantile(&mut off, 0.5), quantile(&mut off, 0.9));
    assert!(half < 0.002 && most < 0.020, "{half} {most}");
    assert!(100 * flips < 3 * shots, "{flips} of {shots}");
}
