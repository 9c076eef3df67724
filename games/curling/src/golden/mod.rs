//! Known answers: rows of JSON against this implementation.

mod fcv;
mod row;

use serde_json::Value;

pub use search_core::plugin::{Held, Outcome};

/// Checks one row of a file of known answers, by its `kind`.
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    match row.get("kind").and_then(Value::as_str) {
        None => Outcome::Fail("field `kind` is missing or not a text".to_owned()),
        Some("header") => Outcome::Skip("a header".to_owned()),
        Some(kind) => Outcome::Skip(format!("`{kind}` is not a kind of this game")),
    }
}

/// What holds over all rows of one kind together: quantiles, rates, distributions.
#[must_use]
pub fn check_all(kind: &str, rows: &[Value]) -> Vec<Held> {
    let _ = (kind, rows);
    Vec::new()
}

pub fn probe(kind: &str, rows: &[Value]) {
    use crate::physics::{Ice, Model};
    let q = |name: &str, v: &[f64]| {
        let mut v: Vec<f64> = v.iter().copied().filter(|x| !x.is_nan()).collect();
        v.sort_by(f64::total_cmp);
        if v.is_empty() { println!("{name}: none"); return; }
        let at = |p: f64| v[((v.len() as f64 * p) as usize).min(v.len() - 1)];
        println!("{name}: n {} p50 {:.3e} p90 {:.3e} p99 {:.3e} max {:.3e}", v.len(), at(0.5), at(0.9), at(0.99), v[v.len() - 1]);
    };
    for ice in [Ice::Fcv1] {
        let model = Model::new(ice);
        println!("== {kind} {ice:?}");
        match kind {
            "traj" => {
                let rows: Vec<row::Traj> = rows.iter().map(|r| row::read(r).unwrap()).collect();
                let s: Vec<_> = rows.iter().map(fcv::steps).collect();
                q("steps end", &s.iter().map(|s| s.end).collect::<Vec<_>>());
                q("steps path", &s.iter().map(|s| s.path).collect::<Vec<_>>());
                q("steps vel", &s.iter().map(|s| s.velocity).collect::<Vec<_>>());
                q("steps time", &s.iter().map(|s| s.time).collect::<Vec<_>>());
                for fastest in [2.5, 9.0] {
                let s: Vec<_> = rows.iter().filter(|r| r.v0[0].hypot(r.v0[1]) < fastest + 1e-3).map(|r| fcv::single(&model, r)).collect();
                q("end", &s.iter().map(|s| s.end).collect::<Vec<_>>());
                q("path", &s.iter().map(|s| s.path).collect::<Vec<_>>());
                q("time", &s.iter().map(|s| s.time).collect::<Vec<_>>());
                }
                for r in &rows {
                    let rel = row::release(r.v0, r.omega0);
                    let p = crate::physics::Simulator::stopping_point(&model, rel);
                    let e = [f64::from(p.x) - r.end[0], f64::from(p.y) - r.end[1]];
                    let f = [e[0] - 0.0005 * rel.vx, e[1] - 0.0005 * rel.vy];
                    if e[0].hypot(e[1]) > 6e-3 && e[0].hypot(e[1]) < 0.1 { println!("far {} {:?} {:?} {:.5} {:.5}", rel.speed(), rel.angle(), e, e[0].hypot(e[1]), f[0].hypot(f[1])); }
                    let s = fcv::single(&model, r);
                    let o = s.out.map(row::why).filter(|w| *w != "hog");
                    if o != r.out_of_sheet.as_deref() { println!("out {o:?} {r:?}"); }
                }
            }
            "collisions" => {
                let rows: Vec<row::Collisions> = rows.iter().map(|r| row::read(r).unwrap()).collect();
                let t: Vec<_> = rows.iter().map(|r| fcv::throw(&model, r).unwrap()).collect();
                for (lo, hi) in [(0, 0), (1, 1), (2, 3), (4, 99)] {
                    let of = |f: &dyn Fn(&fcv::Throw) -> f64| rows.iter().zip(&t).filter(|(r, _)| (lo..=hi).contains(&r.n_contacts)).map(|(_, t)| f(t)).collect::<Vec<_>>();
                    println!("-- contacts {lo}..={hi}");
                    q("place", &of(&|t| t.place));
                    q("flips", &of(&|t| t.flips.into()));
                    q("contacts", &of(&|t| t.contacts.abs() as f64));
                    q("time", &of(&|t| t.time));
                    q("reasons", &of(&|t| t.reasons.into()));
                    q("rem t", &of(&|t| t.removal.0));
                    q("rem at", &of(&|t| t.removal.1));
                    q("first t", &of(&|t| t.first.map_or(f64::NAN, |f| f.time)));
                    q("first place", &of(&|t| t.first.map_or(f64::NAN, |f| f.place)));
                    q("first before", &of(&|t| t.first.map_or(f64::NAN, |f| f.before)));
                    q("first after", &of(&|t| t.first.map_or(f64::NAN, |f| f.after)));
                    q("first imp", &of(&|t| t.first.map_or(f64::NAN, |f| f.impulse)));
                    q("events", &of(&|t| t.events.unwrap_or(f64::NAN)));
                }
            }
            _ => {
                let rows: Vec<row::Inverse> = rows.iter().map(|r| row::read(r).unwrap()).collect();
                let t: Vec<_> = rows.iter().map(|r| fcv::aim(&model, r).unwrap()).collect();
                q("release", &t.iter().map(|s| s.release).collect::<Vec<_>>());
                q("residual", &t.iter().map(|s| s.residual).collect::<Vec<_>>());
                q("speed", &t.iter().map(|s| s.speed).collect::<Vec<_>>());
            }
        }
    }
}
