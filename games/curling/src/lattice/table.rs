//! The outcomes of all shots of a lattice in one position: [`Outcomes`].

use search_core::parallel;

use crate::board::{Board, Team};
use crate::evaluation::{Approach, Evaluation};
use crate::game::Curling;
use crate::lattice::grid::{Lattice, Shot};
use crate::state::State;

/// What a search knows besides the position.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    /// The rules.
    pub game: &'a Curling,
    /// How boards are valued.
    pub evaluation: &'a Evaluation,
    /// How take-outs come in.
    pub approach: &'a Approach,
    /// The team whose value it is.
    pub team: Team,
}

impl Judge<'_> {
    /// The value of a position for the team, in returns.
    #[must_use]
    pub fn value(&self, state: &State) -> f64 {
        self.evaluation
            .value(self.game, self.approach, state, self.team)
    }

    /// The position after a shot thrown exactly, and whether the simulator cut it short.
    #[must_use]
    pub fn after(&self, state: &State, shot: &Shot) -> (State, bool) {
        let (board, cut) = match shot.release {
            Some(release) => {
                let (board, delivered, _) = self.game.throw(state, release, &mut ());
                (board, delivered.cut_short)
            }
            None => (state.board, false),
        };
        (self.settled(state, board), cut)
    }

    /// The position after a stone that never reaches the far hog line.
    #[must_use]
    pub fn after_pass(&self, state: &State) -> State {
        self.settled(state, state.board)
    }

    fn settled(&self, state: &State, board: Board) -> State {
        let mut next = *state;
        self.game.settle(&mut next, board);
        next
    }
}

/// Shots a thread simulates in one go.
const CHUNK: usize = 64;

/// Every shot of a lattice thrown once from one position.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    /// The position after each shot, by the shot's number.
    pub states: Vec<State>,
    /// Its value.
    pub values: Vec<f64>,
    /// Shots simulated.
    pub simulated: u64,
    /// Of those, shots that the simulator cut short.
    pub cut_short: u64,
}

impl Outcomes {
    /// Throws every shot, on up to `threads` threads.
    #[must_use]
    pub fn new(judge: &Judge<'_>, lattice: &Lattice, state: &State, threads: usize) -> Self {
        let nothing = (*state, 0.0, false);
        let mut thrown = vec![nothing; lattice.simulated().len()];
        let mut jobs: Vec<_> = lattice
            .simulated()
            .chunks(CHUNK)
            .zip(thrown.chunks_mut(CHUNK))
            .collect();
        parallel::for_each(threads, &mut jobs, &|(numbers, results)| {
            for (number, result) in numbers.iter().zip(results.iter_mut()) {
                let (next, cut) = judge.after(state, &lattice.shots()[*number as usize]);
                *result = (next, judge.value(&next), cut);
            }
        });
        let mut outcomes = Self {
            states: vec![*state; lattice.shots().len()],
            values: vec![0.0; lattice.shots().len()],
            simulated: thrown.len() as u64,
            cut_short: thrown.iter().filter(|t| t.2).count() as u64,
        };
        for (number, (next, value, _)) in lattice.simulated().iter().zip(&thrown) {
            outcomes.states[*number as usize] = *next;
            outcomes.values[*number as usize] = *value;
        }
        for i in 0..lattice.shots().len() {
            let source = lattice.source(i);
            outcomes.states[i] = outcomes.states[source];
            outcomes.values[i] = outcomes.values[source];
        }
        outcomes
    }
}

/// The value of a position in which the other team throws, and what it took: shots simulated, and cut
/// short of those.
#[must_use]
pub fn best_reply(
    judge: &Judge<'_>,
    lattice: &Lattice,
    state: &State,
    pass: bool,
) -> (f64, u64, u64) {
    let mut values = vec![0.0; lattice.shots().len()];
    let mut cut = 0;
    for &number in lattice.simulated() {
        let (next, short) = judge.after(state, &lattice.shots()[number as usize]);
        values[number as usize] = judge.value(&next);
        cut += u64::from(short);
    }
    if lattice.thinned() {
        for i in 0..values.len() {
            values[i] = values[lattice.source(i)];
        }
    }
    let (mut sums, mut expected) = (Vec::new(), Vec::new());
    lattice.expect(&values, &mut sums, &mut expected);
    let wasted = if pass {
        judge.value(&judge.after_pass(state))
    } else {
        f64::INFINITY
    };
    let best = expected
        .iter()
        .enumerate()
        .filter(|(m, _)| lattice.meant(*m).release.is_some())
        .fold(wasted, |best, (_, value)| best.min(*value));
    let best = if best.is_finite() {
        best
    } else {
        judge.value(&judge.after_pass(state))
    };
    (best, lattice.simulated().len() as u64, cut)
}
