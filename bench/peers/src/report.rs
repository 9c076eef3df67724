//! Medians, ratios, and how they look.

use std::fmt::Write;

use serde::Serialize;

use crate::measure::Measured;
use crate::works::{Role, Work};

/// All comparisons.
#[derive(Serialize)]
pub struct Report {
    works: Vec<Compared>,
    targets: Vec<Target>,
}

/// One game.
#[derive(Serialize)]
struct Compared {
    game: &'static str,
    simulations: u64,
    rows: Vec<Row>,
}

/// One library on it.
#[derive(Serialize)]
struct Row {
    library: &'static str,
    #[serde(skip)]
    role: Role,
    simulations_per_second: f64,
    min: f64,
    max: f64,
    /// Of what no search can be faster than.
    share_of_ceiling: f64,
    /// To the fastest of the other crates.
    ratio_to_best_peer: Option<f64>,
    bytes_per_simulation: Option<f64>,
    peak_bytes_per_simulation: Option<f64>,
    resident_bytes_per_simulation: Option<f64>,
    /// Of ours an edge, tried or not; of others a node that was visited.
    bytes_per_node: Option<f64>,
    resident_bytes_per_node: Option<f64>,
    nodes: Option<u64>,
    drop_ms: Option<f64>,
}

/// What was asked for.
#[derive(Serialize)]
struct Target {
    what: String,
    asked: &'static str,
    measured: String,
    holds: bool,
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl Row {
    /// The first run weighed, the others timed.
    fn of(library: &crate::works::Library, runs: &[Measured]) -> Self {
        let (weighed, timed) = (&runs[0], &runs[1..]);
        let rates: Vec<f64> = timed
            .iter()
            .map(|m| m.simulations as f64 / m.seconds)
            .collect();
        let simulations = weighed.simulations as f64;
        let per_simulation = |bytes: Option<u64>| bytes.map(|b| b as f64 / simulations);
        let per_node = |bytes: Option<u64>| Some(bytes? as f64 / weighed.nodes? as f64);
        let drops: Option<Vec<f64>> = timed.iter().map(|m| m.drop_seconds).collect();
        let searched = library.role != Role::Ceiling;
        Self {
            library: library.name,
            role: library.role,
            simulations_per_second: median(rates.clone()),
            min: rates.iter().copied().fold(f64::INFINITY, f64::min),
            max: rates.iter().copied().fold(0.0, f64::max),
            share_of_ceiling: 1.0,
            ratio_to_best_peer: None,
            bytes_per_simulation: per_simulation(weighed.live),
            peak_bytes_per_simulation: per_simulation(weighed.peak).filter(|_| searched),
            resident_bytes_per_simulation: per_simulation(weighed.resident),
            bytes_per_node: per_node(weighed.live),
            resident_bytes_per_node: per_node(weighed.resident),
            nodes: weighed.nodes,
            drop_ms: drops.map(|d| 1000.0 * median(d)),
        }
    }
}

impl Compared {
    fn of(work: &Work, runs: &[Vec<Measured>]) -> Self {
        let libraries = work.libraries.iter().zip(runs);
        let mut rows: Vec<Row> = libraries.map(|(l, runs)| Row::of(l, runs)).collect();
        let fastest = |role| {
            let rows = rows.iter().filter(|r| r.role == role);
            rows.map(|r| r.simulations_per_second).fold(0.0, f64::max)
        };
        let (ceiling, peer) = (fastest(Role::Ceiling), fastest(Role::Peer));
        for row in &mut rows {
            row.share_of_ceiling = row.simulations_per_second / ceiling;
            if row.role != Role::Ceiling {
                row.ratio_to_best_peer = Some(row.simulations_per_second / peer);
            }
        }
        Self {
            game: work.name,
            simulations: work.simulations,
            rows,
        }
    }

    fn targets(&self) -> Vec<Target> {
        let Some(ours) = self.rows.iter().find(|r| r.role == Role::Ours) else {
            return Vec::new();
        };
        let (ratio, share) = (ours.ratio_to_best_peer, ours.share_of_ceiling);
        let mut targets = Vec::new();
        let mut target = |what: &str, asked, measured, holds| {
            let what = format!("{}: {what}", self.game);
            targets.push(Target {
                what,
                asked,
                measured,
                holds,
            });
        };
        let mut faster = |asked, least| {
            if let Some(ratio) = ratio {
                let measured = format!("{ratio:.2}");
                target("times the best peer", asked, measured, ratio >= least);
            }
        };
        match self.game {
            "tic-tac-toe" => faster("1.7", 1.7),
            "connect-four" => faster("1.8", 1.8),
            "othello" => faster("1.08", 1.08),
            "kuhn-poker" | "leduc-poker" => faster("2", 2.0),
            _ => {}
        }
        let percent = format!("{:.0} %", 100.0 * share);
        match self.game {
            "tic-tac-toe" => target("of the ceiling", "32 %", percent, share >= 0.32),
            "connect-four" => target("of the ceiling", "43 %", percent, share >= 0.43),
            "othello" => target("of the ceiling", "98 %", percent, share >= 0.98),
            "whist" => {
                let rate = ours.simulations_per_second;
                let measured = format!("{percent}, {}", thousands(rate));
                let holds = share >= 0.62 || rate >= 600_000.0;
                target("of the ceiling", "62 %, or 600,000 /s", measured, holds);
            }
            _ => {}
        }
        if self.game == "connect-four"
            && let (Some(nodes), Some(bytes), Some(drop)) =
                (ours.nodes, ours.resident_bytes_per_node, ours.drop_ms)
        {
            let measured = format!("{bytes:.1}");
            target("bytes an edge", "32", measured, bytes < 32.5);
            let for_400k = drop * 400_000.0 / nodes as f64;
            let measured = format!("{for_400k:.2} ms");
            target("drop of 400,000 nodes", "2 ms", measured, for_400k <= 2.0);
        }
        targets
    }

    fn page(&self, page: &mut String) {
        let _ = writeln!(
            page,
            "{}, {} simulations\n",
            self.game,
            thousands(self.simulations as f64)
        );
        let header = [
            "library",
            "simulations/s",
            "min..max",
            "ceiling",
            "best peer",
            "bytes/sim",
            "peak",
            "resident",
            "bytes/node",
            "drop",
        ];
        let mut rows = vec![header.map(String::from)];
        for row in &self.rows {
            let number = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.0}"));
            rows.push([
                row.library.into(),
                thousands(row.simulations_per_second),
                format!("{}..{}", thousands(row.min), thousands(row.max)),
                format!("{:.0} %", 100.0 * row.share_of_ceiling),
                row.ratio_to_best_peer
                    .map_or("-".into(), |r| format!("{r:.2}")),
                number(row.bytes_per_simulation),
                number(row.peak_bytes_per_simulation),
                number(row.resident_bytes_per_simulation),
                number(row.bytes_per_node),
                row.drop_ms.map_or("-".into(), |ms| format!("{ms:.2} ms")),
            ]);
        }
        page.push_str(&columns(&rows));
        page.push('\n');
    }
}

impl Report {
    pub fn of(works: &[Work], runs: &[Vec<Vec<Measured>>]) -> Self {
        let pairs = works.iter().zip(runs);
        let works: Vec<Compared> = pairs.map(|(w, runs)| Compared::of(w, runs)).collect();
        let targets = works.iter().flat_map(Compared::targets).collect();
        Self { works, targets }
    }

    pub fn page(&self) -> String {
        let mut page = String::new();
        for work in &self.works {
            work.page(&mut page);
        }
        let mut rows = vec![["target", "asked", "measured", ""].map(String::from)];
        for target in &self.targets {
            rows.push([
                target.what.clone(),
                target.asked.into(),
                target.measured.clone(),
                if target.holds { "reached" } else { "missed" }.into(),
            ]);
        }
        page.push_str(&columns(&rows));
        page
    }
}

/// Columns of text, the first to the left.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, (width, cell)) in widths.iter().zip(row).enumerate() {
            let _ = match i {
                0 => write!(line, "{cell:<width$}"),
                _ => write!(line, "   {cell:>width$}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// `1,234,567`.
fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
