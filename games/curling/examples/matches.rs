//! Random matches on every model of the ice, counting what must not happen and what may:
//! `cargo run --release -p curling --example matches -- 1000 [ICE [THREADS…]]`.
//!
//! Plays that many matches of eight ends with random listed shots, under the rules of the game of
//! four and of mixed doubles, on one or all of `fast`, `fcv1` and `uec`; the step by step models get
//! a twentieth. Every figure comes with what it is out of, and the digest of all results must not
//! depend on the number of threads: 1, 2, 3 and 7 are tried unless others are named.

use curling::physics::{Contact, Recorder};
use curling::{Curling, CurlingOptions, Ice, Phase, State, Verdict};
use search_core::game::{Game, Turn};
use search_core::rng::{Draw, Seed};
use std::time::Instant;

/// Counts over many matches; sums only, so they can be added in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    matches: u64,
    shots: u64,
    stones: u64,
    not_finite: u64,
    overlaps: u64,
    impacts: u64,
    gained: u64,
    cut_short: u64,
    fouls: u64,
    ends: u64,
    blank: u64,
    extra: u64,
    draws: u64,
    digest: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.matches += other.matches;
        self.shots += other.shots;
        self.stones += other.stones;
        self.not_finite += other.not_finite;
        self.overlaps += other.overlaps;
        self.impacts += other.impacts;
        self.gained += other.gained;
        self.cut_short += other.cut_short;
        self.fouls += other.fouls;
        self.ends += other.ends;
        self.blank += other.blank;
        self.extra += other.extra;
        self.draws += other.draws;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// Kinetic energy, before and after every moment of impact. A stone may be hit twice in one moment,
/// one impulse after the other: its first state before and its last state after count. `fast` never
/// gains any; simultaneous contacts of `fcv1` may, as in the official simulator, whose sweeps over them
/// do not bound it.
#[derive(Default)]
struct Energy {
    time: f64,
    seen: u16,
    before: [f64; 16],
    after: [f64; 16],
    impacts: u64,
    gained: u64,
}

impl Energy {
    fn close(&mut self) {
        if self.seen != 0 {
            self.impacts += 1;
            let [before, after] = [&self.before, &self.after].map(|e| e.iter().sum::<f64>());
            // Single precision has seven digits.
            self.gained += u64::from(after > before * (1.0 + 1e-6) + 1e-9);
        }
        (self.seen, self.before, self.after) = (0, [0.0; 16], [0.0; 16]);
    }
}

impl Recorder for Energy {
    const SIGHTINGS: bool = false;

    fn contact(&mut self, contact: &Contact) {
        if contact.time != self.time {
            self.close();
            self.time = contact.time;
        }
        // A disc: its moment of inertia is half its mass times the radius squared.
        let energy = |[vx, vy, w]: [f64; 3]| vx * vx + vy * vy + 0.5 * 0.145 * 0.145 * w * w;
        for (i, stone) in contact.stones.iter().enumerate() {
            if self.seen >> stone.index() & 1 == 0 {
                self.seen |= 1 << stone.index();
                self.before[stone.index()] = energy(contact.before[i]);
            }
            self.after[stone.index()] = energy(contact.after[i]);
        }
    }
}

fn mix(digest: u64, value: u64) -> u64 {
    let mut x = (digest ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
}

fn throw(game: &Curling, state: &mut State, seed: &mut impl rand::Rng, counts: &mut Counts) {
    let deviation = game.sample_chance(state, seed);
    let Some(meant) = state.aimed() else { return };
    let release = game.noise().execute(game.model(), meant, deviation);
    let mut energy = Energy::default();
    let (board, delivered, foul) = game.throw(state, release, &mut energy);
    energy.close();
    counts.shots += 1;
    counts.stones += board.len() as u64;
    counts.not_finite += board
        .stones()
        .filter(|(_, p)| !(p.x.is_finite() && p.y.is_finite()))
        .count() as u64;
    counts.overlaps += u64::from(board.overlap().is_some_and(|o| o.2 > 0.001));
    counts.impacts += energy.impacts;
    counts.gained += energy.gained;
    counts.cut_short += u64::from(delivered.cut_short);
    counts.fouls += u64::from(foul);
    for (stone, p) in board.stones() {
        let place = u64::from(p.x.to_bits()) << 32 | u64::from(p.y.to_bits());
        counts.digest = mix(counts.digest, place ^ stone.index() as u64);
    }
    let (end, points) = (state.end, state.points);
    game.settle(state, board);
    if state.end != end {
        counts.ends += 1;
        counts.extra += u64::from(end >= game.options().ends);
        counts.blank += u64::from(state.points == points);
    }
}

fn play(game: &Curling, index: u64) -> Counts {
    let mut seed = Seed(2016).child("matches").index(index).stream();
    let mut counts = Counts {
        matches: 1,
        digest: index,
        ..Counts::default()
    };
    let mut state = game.initial_state(&mut seed);
    let mut actions = Vec::new();
    loop {
        match game.turn(&state) {
            Turn::Terminal => break,
            Turn::Chance => throw(game, &mut state, &mut seed, &mut counts),
            Turn::Player(_) => {
                game.legal_actions(&state, &mut actions);
                match seed.pick(&actions) {
                    Some(action) => game.apply(&mut state, action),
                    None => break,
                }
            }
        }
    }
    let level = state.points[0] == state.points[1];
    counts.draws += u64::from(level && state.phase == Phase::Over(Verdict::Score));
    let points = u64::from(state.points[0]) << 16 | u64::from(state.points[1]);
    counts.digest = mix(counts.digest, points);
    counts
}

/// The threads take the matches in turn; sums do not depend on who played which.
fn all(game: &Curling, matches: u64, threads: u64) -> Counts {
    std::thread::scope(|scope| {
        let share = |first: u64| {
            move || {
                let mut counts = Counts::default();
                for index in (first..matches).step_by(threads as usize) {
                    counts.add(&play(game, index));
                }
                counts
            }
        };
        let running: Vec<_> = (0..threads).map(|t| scope.spawn(share(t))).collect();
        let mut counts = Counts::default();
        for thread in running {
            match thread.join() {
                Ok(part) => counts.add(&part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        counts
    })
}

fn report(name: &str, c: &Counts) {
    println!("{name}: {} matches", c.matches);
    println!(
        "  not finite        {:>8} of {} stones at rest",
        c.not_finite, c.stones
    );
    println!("  overlap > 1 mm    {:>8} of {} shots", c.overlaps, c.shots);
    println!(
        "  energy gained     {:>8} of {} moments of impact",
        c.gained, c.impacts
    );
    println!(
        "  cut short         {:>8} of {} shots",
        c.cut_short, c.shots
    );
    println!("  fouls             {:>8} of {} shots", c.fouls, c.shots);
    println!("  blank ends        {:>8} of {} ends", c.blank, c.ends);
    println!("  extra ends        {:>8} of {} ends", c.extra, c.ends);
    println!(
        "  draws             {:>8} of {} matches",
        c.draws, c.matches
    );
}

fn main() {
    let mut args = std::env::args().skip(1);
    let matches: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(1000);
    let only = args.next();
    let mut threads: Vec<u64> = args
        .filter_map(|a| a.parse().ok())
        .filter(|t| *t > 0)
        .collect();
    if threads.is_empty() {
        threads = vec![1, 2, 3, 7];
    }
    let mut same = true;
    for (name, ice, share) in [
        ("fast", Ice::Fast, 1),
        ("fcv1", Ice::Fcv1, 20),
        ("uec", Ice::Uec, 20),
    ] {
        if only.as_deref().is_some_and(|o| o != name) {
            continue;
        }
        let matches = if only.is_some() {
            matches
        } else {
            matches.div_ceil(share)
        };
        for doubles in [false, true] {
            let options = CurlingOptions {
                ice,
                doubles,
                ..CurlingOptions::default()
            };
            let game = match Curling::new(options) {
                Ok(game) => game,
                Err(error) => {
                    eprintln!("{error}");
                    std::process::exit(2);
                }
            };
            let mut first: Option<Counts> = None;
            for &threads in &threads {
                let start = Instant::now();
                let counts = all(&game, matches, threads);
                let seconds = start.elapsed().as_secs_f64();
                if first.is_none() {
                    let rules = if doubles { "mixed doubles" } else { "four" };
                    report(&format!("{name}, {rules}"), &counts);
                }
                same &= *first.get_or_insert(counts) == counts;
                println!(
                    "  {threads} threads: digest {:016x}, {:.0} shots/s",
                    counts.digest,
                    counts.shots as f64 / seconds
                );
            }
        }
    }
    println!(
        "{}",
        if same {
            "digests agree"
        } else {
            "DIGESTS DIFFER"
        }
    );
    std::process::exit(i32::from(!same));
}
