//! What is asked of the two models over all rows of a kind.

use serde_json::Value;

use super::Held;
use super::fcv::{self, Throw};
use super::held::{MILLIMETRES, MILLISECONDS, Sample, Unit, read_all, share};
use super::row::{Collisions, Inverse, Traj, distance};
use super::single_row::{SLOW, models};
use crate::geometry::BACK_LINE;

/// Single stones on empty and on endless ice.
pub(super) fn traj(rows: &[&Value]) -> Vec<Held> {
    let mut held = Vec::new();
    let rows: Vec<Traj> = read_all(rows, &mut held);
    let steps: Vec<_> = rows.iter().map(fcv::steps).collect();
    let of = |f: fn(&fcv::Steps) -> f64| steps.iter().map(f).collect::<Sample>();
    held.push(of(|s| s.end).below("fcv1: single stone, end", 1.0, 0.01, MILLIMETRES));
    held.push(of(|s| s.path).below("fcv1: single stone, path", 1.0, 0.01, MILLIMETRES));
    held.push(of(|s| s.time).below(
        "fcv1: single stone, times of rest",
        1.0,
        1.5,
        Unit("steps", 1.0),
    ));
    for (name, model) in models() {
        let thrown: Vec<_> = rows
            .iter()
            .map(|row| (row, fcv::single(model, row)))
            .collect();
        let pick = |keep: fn(&Traj) -> bool, f: fn(&fcv::Single) -> f64| {
            thrown
                .iter()
                .filter(|(row, _)| keep(row))
                .map(|(_, s)| f(s))
                .filter(|figure| !figure.is_nan())
                .collect::<Sample>()
        };
        let slow = |row: &Traj| distance(row.v0, [0.0; 2]) < SLOW;
        let stays = |row: &Traj| row.out_of_sheet.is_none();
        let all = |_: &Traj| true;
        let single = |what: &str| format!("{name}: single stone, {what}");
        let bound = if *name == "fcv1" { 0.01 } else { 10.0 };
        held.push(pick(stays, |s| s.end).below(
            &single("staying on the sheet"),
            1.0,
            bound,
            MILLIMETRES,
        ));
        if *name == "fast" {
            held.push(pick(slow, |s| s.end).below(&single("up to 2.5 m/s"), 0.5, 2.0, MILLIMETRES));
            held.push(pick(slow, |s| s.end).below(
                &single("up to 2.5 m/s"),
                1.0,
                10.0,
                MILLIMETRES,
            ));
            held.push(pick(all, |s| s.end).below(&single("all speeds"), 0.5, 2.0, MILLIMETRES));
            // Single precision bends paths of 60 m and more by centimetres: no closed form follows.
            let parts: Sample = thrown
                .iter()
                .map(|(row, s)| (distance(row.end, [0.0; 2]), s.end))
                .filter(|(way, _)| *way > BACK_LINE)
                .map(|(way, off)| off / way)
                .filter(|part| !part.is_nan())
                .collect();
            held.push(parts.below(
                &single("beyond the sheet, up to 114 m, part of the way"),
                1.0,
                0.02,
                Unit("%", 100.0),
            ));
        }
        held.push(pick(all, |s| s.path).below(&single("path"), 1.0, 10.0, MILLIMETRES));
        let time = if *name == "fcv1" { 1.5 } else { 20.0 };
        held.push(pick(all, |s| s.time).below(&single("time"), 1.0, time, MILLISECONDS));
    }
    held
}

/// Stones that meet others.
pub(super) fn collisions(rows: &[&Value]) -> Vec<Held> {
    let mut held = Vec::new();
    let rows: Vec<Collisions> = read_all(rows, &mut held);
    for (name, model) in models() {
        let thrown: Vec<(u32, Throw)> = rows
            .iter()
            .filter_map(|row| Some((row.n_contacts, fcv::throw(model, row).ok()?)))
            .collect();
        let place = |least: u32, most: u32| {
            thrown
                .iter()
                .filter(|(n, _)| (least..=most).contains(n))
                .map(|(_, t)| t.place)
                .collect::<Sample>()
        };
        let mut push = |least, most, what: &str, q, bound| {
            let what = format!("{name}: {what}");
            held.push(place(least, most).below(&what, q, bound, MILLIMETRES));
        };
        if *name == "fcv1" {
            push(0, 0, "no contact", 1.0, 0.01);
            push(1, 1, "one contact", 0.99, 0.1);
            push(2, 3, "two or three contacts", 0.99, 0.2);
            push(4, u32::MAX, "four contacts and more", 1.0, 2.0);
        } else {
            push(0, 0, "no contact", 1.0, 10.0);
            push(1, 1, "one contact", 0.5, 2.0);
            push(1, 1, "one contact", 0.9, 20.0);
        }
        let count = |f: fn(&Throw) -> bool| thrown.iter().filter(|(_, t)| f(t)).count();
        let all = thrown.len();
        let (flips, strict) = if *name == "fcv1" {
            (0.2, false)
        } else {
            (3.0, true)
        };
        let what =
            format!("{name}: shots after which a stone is in play in one and not in the other");
        held.push(share(&what, count(|t| t.flips > 0), all, flips, strict));
        if *name == "fcv1" {
            // DC3 creates contacts in an order of its own, which matters when several act at once.
            held.push(share(
                "fcv1: shots with another number of contacts",
                count(|t| t.contacts != 0),
                all,
                1.0,
                false,
            ));
            held.push(share(
                "fcv1: removals for another reason",
                count(|t| t.reasons > 0),
                all,
                0.2,
                false,
            ));
            held.extend(meetings(&thrown));
        }
    }
    held
}

/// Contacts themselves.
fn meetings(thrown: &[(u32, Throw)]) -> Vec<Held> {
    let first = |f: fn(fcv::Meeting) -> f64| {
        thrown
            .iter()
            .filter_map(|(_, t)| t.first.map(f))
            .collect::<Sample>()
    };
    let events: Sample = thrown
        .iter()
        .filter(|(n, _)| (1..=3).contains(n))
        .map(|(_, t)| t.events.unwrap_or(f64::INFINITY))
        .collect();
    vec![
        first(|m| m.place).below("fcv1: place of the first contact", 1.0, 0.01, MILLIMETRES),
        first(|m| m.after).below(
            "fcv1: motion after the first contact",
            1.0,
            0.02,
            Unit("mm/s or mrad/s", 1e3),
        ),
        first(|m| m.impulse).below(
            "fcv1: impulse of the first contact",
            1.0,
            0.001,
            Unit("N s", 1.0),
        ),
        events.below(
            "fcv1: times of up to three contacts",
            0.99,
            1.5,
            MILLISECONDS,
        ),
    ]
}

/// Aiming.
pub(super) fn inverse(rows: &[&Value]) -> Vec<Held> {
    let mut held = Vec::new();
    let rows: Vec<Inverse> = read_all(rows, &mut held);
    let own: Sample = rows.iter().map(fcv::own_miss).collect();
    held.push(own.below(
        "fcv1: miss of the rows' own releases, less what they say",
        1.0,
        0.01,
        MILLIMETRES,
    ));
    for (name, model) in models() {
        let aimed: Vec<_> = rows
            .iter()
            .filter_map(|row| fcv::aim(model, row).ok())
            .collect();
        held.push(share(
            &format!("{name}: targets without a release"),
            rows.len() - aimed.len(),
            rows.len(),
            0.0,
            false,
        ));
        let of = |f: fn(&fcv::Aim) -> f64| aimed.iter().map(f).collect::<Sample>();
        let bound = if *name == "fcv1" { 10.0 } else { 2.0 };
        held.push(of(|a| a.residual).below(
            &format!("{name}: miss of our release"),
            1.0,
            bound,
            MILLIMETRES,
        ));
        let speeds = Unit("mm/s", 1e3);
        held.push(of(|a| a.release).below(
            &format!("{name}: release against the rows'"),
            1.0,
            0.5,
            speeds,
        ));
        held.push(of(|a| a.speed).below(&format!("{name}: speed at the target"), 1.0, 5.0, speeds));
    }
    held
}
