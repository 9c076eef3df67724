//! Metamorphic tests: what must not matter, or must carry over, when a game is told differently.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::common::{Bandit, Nim, NimState, Pull};
use rand::Rng;
use search_core::budget::{Budget, StopReason};
use search_core::decision::Decision;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::search::{Mcts, MctsSettings, Searcher, Uct};

const NIM: Nim = Nim {
    players: 2,
    heap: 13,
};

fn uct<G: Game<Observation = <G as Game>::State>>(
    game: &G,
    state: &G::State,
    simulations: u64,
    seed: u64,
) -> Decision<G::Action> {
    let budget = Budget::simulations(simulations);
    Uct::default()
        .search(game, state, &budget, Seed(seed))
        .unwrap()
}

fn at(heap: u32, mover: usize) -> NimState {
    NimState { heap, mover }
}

/// Nim told differently: actions renamed, returns scaled and shifted, seats added.
struct Retold {
    nim: Nim,
    /// The name of taking `i + 1`.
    names: [u32; 3],
    factor: f64,
    shift: f64,
    seats: usize,
}

impl Retold {
    fn plain(nim: Nim) -> Self {
        Self {
            seats: nim.players,
            nim,
            names: [1, 2, 3],
            factor: 1.0,
            shift: 0.0,
        }
    }

    fn taken(&self, name: u32) -> u32 {
        1 + self.names.iter().position(|n| *n == name).unwrap() as u32
    }
}

impl Game for Retold {
    type State = NimState;
    type Action = u32;
    type Chance = Infallible;
    type Observation = NimState;

    fn num_players(&self) -> usize {
        self.seats
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> NimState {
        self.nim.initial_state(rng)
    }

    fn turn(&self, s: &NimState) -> Turn {
        self.nim.turn(s)
    }

    fn legal_actions(&self, s: &NimState, out: &mut Vec<u32>) {
        self.nim.legal_actions(s, out);
        for a in &mut *out {
            *a = self.names[*a as usize - 1];
        }
        out.sort_unstable();
    }

    fn apply(&self, s: &mut NimState, a: u32) {
        self.nim.apply(s, self.taken(a));
    }

    fn returns(&self, s: &NimState) -> Returns {
        let mut returns = Returns::splat(self.seats, self.shift);
        for (p, r) in self.nim.returns(s).iter().enumerate() {
            returns.set(Player::new(p), self.factor * r + self.shift);
        }
        returns
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        self.shift - self.factor..=self.shift + self.factor
    }

    fn observe(&self, s: &NimState, _: Player) -> NimState {
        s.clone()
    }
}

/// Visits of taking `i + 1`, summed over seeds.
fn visits(game: &Retold, simulations: u64, seeds: u64) -> [Vec<f64>; 3] {
    let mut all = [const { Vec::new() }; 3];
    for seed in 0..seeds {
        for c in uct(game, &at(13, 0), simulations, seed).candidates {
            all[game.taken(c.action) as usize - 1].push(c.visits as f64);
        }
    }
    all
}

fn same_in_distribution(a: &[f64], b: &[f64]) {
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let variance = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n)
    };
    let ((a, va), (b, vb)) = (moments(a), moments(b));
    assert!((a - b).abs() <= 5.0 * (va + vb).sqrt(), "{a} {b}");
}

#[test]
fn t_mm1_the_order_of_actions_does_not_matter() {
    let renamed = Retold {
        names: [9, 4, 7],
        ..Retold::plain(NIM)
    };
    let (a, b) = (
        visits(&Retold::plain(NIM), 300, 300),
        visits(&renamed, 300, 300),
    );
    for (a, b) in a.iter().zip(&b) {
        same_in_distribution(a, b);
    }
}

/// Traps 8 and 9: nor does it matter who is called the last player.
#[test]
fn t_mm2_seats_may_be_rotated() {
    for players in [2, 3, 4, 5] {
        let nim = Nim { players, heap: 11 };
        let expected = uct(&nim, &at(11, 0), 2_000, 3);
        for mover in 1..players {
            let decision = uct(&nim, &at(11, mover), 2_000, 3);
            assert_eq!(decision.candidates, expected.candidates);
        }
    }
}

#[test]
fn t_mm3_returns_may_be_scaled_and_shifted() {
    let plain = uct(&NIM, &at(13, 0), 2_000, 5);
    for factor in [0.25, 8.0] {
        let scaled = Retold {
            factor,
            ..Retold::plain(NIM)
        };
        let decision = uct(&scaled, &at(13, 0), 2_000, 5);
        for (a, b) in plain.candidates.iter().zip(&decision.candidates) {
            assert_eq!(a.visits, b.visits);
            assert_eq!(a.mean * factor, b.mean);
        }
    }
    let shifted = Retold {
        shift: 3.0,
        ..Retold::plain(NIM)
    };
    let (a, b) = (
        visits(&Retold::plain(NIM), 300, 200),
        visits(&shifted, 300, 200),
    );
    for (a, b) in a.iter().zip(&b) {
        same_in_distribution(a, b);
    }
    let decision = uct(&shifted, &at(13, 0), 20_000, 5);
    assert_eq!(decision.action, 1);
    assert!((decision.chosen().mean - 4.0).abs() < 0.3);
}

/// A second name for the best arm: the value stays, and the two share what the one had, but for what
/// exploring one more arm costs.
#[test]
fn t_mm5_an_action_may_have_two_names() {
    let one = Bandit {
        chances: vec![0.3, 0.5, 0.8],
    };
    let two = Bandit {
        chances: vec![0.3, 0.5, 0.8, 0.8],
    };
    let share = |game: &Bandit, arms: &[usize]| {
        let shares = (0..60).map(|seed| {
            let decision = uct(game, &Pull::Choose, 3_000, seed);
            let visits = arms.iter().map(|&i| decision.candidates[i].visits);
            visits.sum::<u64>() as f64 / 3_000.0
        });
        shares.collect::<Vec<_>>()
    };
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (a, b) = (mean(&share(&one, &[2])), mean(&share(&two, &[2, 3])));
    assert!((a - b).abs() < 0.02, "{a} {b}");
    let decision = uct(&two, &Pull::Choose, 20_000, 1);
    let [x, y] = [2, 3].map(|i| decision.candidates[i].mean);
    assert!((x - 0.8).abs() < 0.03 && (y - 0.8).abs() < 0.03);
}

/// Nim in which every move is followed by a forced one and by a draw with one outcome.
struct Padded(Nim);

impl Game for Padded {
    type State = (NimState, u8);
    type Action = u32;
    type Chance = ();
    type Observation = (NimState, u8);

    fn num_players(&self) -> usize {
        self.0.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        (self.0.initial_state(rng), 0)
    }

    fn turn(&self, s: &Self::State) -> Turn {
        match (self.0.turn(&s.0), s.1) {
            (Turn::Terminal, _) => Turn::Terminal,
            (_, 1) => Turn::Chance,
            (turn, _) => turn,
        }
    }

    fn legal_actions(&self, s: &Self::State, out: &mut Vec<u32>) {
        out.clear();
        match self.turn(s) {
            Turn::Player(_) if s.1 == 2 => out.push(77),
            Turn::Player(_) => self.0.legal_actions(&s.0, out),
            _ => {}
        }
    }

    fn apply(&self, s: &mut Self::State, a: u32) {
        if s.1 == 2 {
            s.1 = 0;
        } else {
            self.0.apply(&mut s.0, a);
            s.1 = 1;
        }
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &Self::State, _: &mut R) {}

    fn apply_chance(&self, s: &mut Self::State, (): ()) {
        s.1 = 2;
    }

    fn returns(&self, s: &Self::State) -> Returns {
        self.0.returns(&s.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        self.0.return_bounds()
    }

    fn observe(&self, s: &Self::State, _: Player) -> Self::State {
        s.clone()
    }
}

#[test]
fn t_mm6_forced_moves_and_certain_draws_change_no_value() {
    for heap in [5, 8, 13] {
        let nim = Nim { players: 2, heap };
        let plain = uct(&nim, &at(heap, 0), 40_000, 1);
        let padded = uct(&Padded(nim.clone()), &(at(heap, 0), 0), 40_000, 1);
        // In a lost position every move is as good.
        assert!(heap == 8 || plain.action == padded.action, "{heap}");
        assert!(
            (plain.chosen().mean - padded.chosen().mean).abs() < 0.1,
            "{heap}"
        );
    }
}

/// Nim one token at a time: go on taking, up to three, or stop.
struct Piecewise(Nim);

impl Game for Piecewise {
    type State = (NimState, u32);
    type Action = bool;
    type Chance = Infallible;
    type Observation = (NimState, u32);

    fn num_players(&self) -> usize {
        self.0.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        (self.0.initial_state(rng), 0)
    }

    fn turn(&self, s: &Self::State) -> Turn {
        if s.0.heap == s.1 && s.1 > 0 || s.0.heap == 0 {
            return Turn::Terminal;
        }
        Turn::Player(Player::new(s.0.mover))
    }

    fn legal_actions(&self, s: &Self::State, out: &mut Vec<bool>) {
        out.clear();
        if self.turn(s) != Turn::Terminal {
            if s.1 > 0 {
                out.push(false);
            }
            if s.1 < 3 {
                out.push(true);
            }
        }
    }

    fn apply(&self, s: &mut Self::State, more: bool) {
        if more {
            s.1 += 1;
        } else {
            self.0.apply(&mut s.0, s.1);
            s.1 = 0;
        }
    }

    fn returns(&self, s: &Self::State) -> Returns {
        let mut end = s.0.clone();
        if s.1 > 0 {
            self.0.apply(&mut end, s.1);
        }
        self.0.returns(&end)
    }

    fn returns_sum(&self) -> Option<f64> {
        self.0.returns_sum()
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        self.0.return_bounds()
    }

    fn observe(&self, s: &Self::State, _: Player) -> Self::State {
        s.clone()
    }
}

#[test]
fn t_mm7_a_move_may_be_split() {
    let solver = MctsSettings {
        solver: true,
        ..MctsSettings::default()
    };
    let budget = Budget::simulations(200_000);
    for heap in 1..12 {
        let nim = Nim { players: 2, heap };
        let mut whole = Mcts::new(solver, Identity);
        let whole = whole.search(&nim, &at(heap, 0), &budget, Seed(1)).unwrap();
        let game = Piecewise(nim);
        let mut split = Mcts::new(solver, Identity);
        let split = split
            .search(&game, &(at(heap, 0), 0), &budget, Seed(1))
            .unwrap();
        assert_eq!(whole.effort.stop, StopReason::Settled);
        assert_eq!(split.effort.stop, StopReason::Settled);
        assert_eq!(whole.chosen().mean, split.chosen().mean, "{heap}");
    }
    let piecewise = uct(&Piecewise(NIM), &(at(13, 0), 0), 40_000, 1);
    let whole = uct(&NIM, &at(13, 0), 40_000, 1);
    assert!((piecewise.chosen().mean - whole.chosen().mean).abs() < 0.1);
}

#[test]
fn t_mm8_seats_that_nobody_plays_change_nothing() {
    let nim = Nim {
        players: 3,
        heap: 13,
    };
    let plain = uct(&nim, &at(13, 0), 2_000, 1);
    let padded = Retold {
        seats: 6,
        ..Retold::plain(nim)
    };
    assert_eq!(uct(&padded, &at(13, 0), 2_000, 1), plain);
}
