//! Who wins a world in which everything is visible: [`WorldSolver`], [`ProofSearch`].

use std::collections::HashMap;
use std::time::Instant;

use crate::budget::{Budget, StopReason};
use crate::decision::SearchError;
use crate::game::{Game, Player, Returns, Turn};
use crate::search::expectimax::StateKey;
use crate::search::root::usable;

/// Who plays together with the player to move at the root. The others play together against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Nobody.
    #[default]
    Alone,
    /// Every other seat, as in bridge.
    Pairs,
}

impl Side {
    /// Whether `player` is on the side of `root`.
    #[must_use]
    pub const fn has(self, root: Player, player: Player) -> bool {
        match self {
            Self::Alone => root.index() == player.index(),
            Self::Pairs => root.index() % 2 == player.index() % 2,
        }
    }
}

/// Why a solver gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Halt {
    /// The budget ended.
    Budget(StopReason),
    /// The game cannot be solved.
    Error(SearchError),
}

impl From<SearchError> for Halt {
    fn from(error: SearchError) -> Self {
        Self::Error(error)
    }
}

/// What is asked of a solver, and how much it may spend on it.
#[derive(Debug)]
pub struct Question<'a> {
    root: Player,
    side: Side,
    above: f64,
    budget: &'a Budget,
    most: u64,
    started: Instant,
    /// Positions looked at so far.
    pub(super) positions: u64,
}

/// The clock is looked at once in so many positions.
const CLOCK: u64 = 256;

impl<'a> Question<'a> {
    pub(super) fn new(root: Player, side: Side, above: f64, budget: &'a Budget) -> Self {
        let most = |n: Option<u64>| n.unwrap_or(u64::MAX);
        Self {
            root,
            side,
            above,
            budget,
            most: most(budget.simulations).min(most(budget.nodes)),
            started: Instant::now(),
            positions: 0,
        }
    }

    /// Whether `player` plays for the asking side.
    #[must_use]
    pub fn is_ours(&self, player: Player) -> bool {
        self.side.has(self.root, player)
    }

    /// Whether the asking side has won with these returns.
    ///
    /// # Errors
    /// When the return is not finite.
    pub fn is_won(&self, returns: &Returns) -> Result<bool, Halt> {
        let value = returns.of(self.root);
        if usable(value) {
            return Ok(value > self.above);
        }
        Err(Halt::Error(SearchError::NonFiniteReturn {
            player: self.root.index(),
            value,
            action: "a sampled world".into(),
        }))
    }

    /// Counts one position.
    ///
    /// # Errors
    /// When the budget is spent.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Halt> {
        if self.positions >= self.most {
            return Err(Halt::Budget(StopReason::Simulations));
        }
        self.positions += 1;
        if self.positions.is_multiple_of(CLOCK) {
            return self.look_at_clock();
        }
        Ok(())
    }

    fn look_at_clock(&self) -> Result<(), Halt> {
        if self
            .budget
            .cancel
            .as_ref()
            .is_some_and(|c| c.is_cancelled())
        {
            return Err(Halt::Budget(StopReason::Cancelled));
        }
        match self.budget.time {
            Some(time) if self.started.elapsed() >= time => Err(Halt::Budget(StopReason::Time)),
            _ => Ok(()),
        }
    }
}

/// Says who wins a world in which everything is visible.
pub trait WorldSolver<G: Game>: Send {
    /// Forgets what it knows: another question will be asked.
    fn reset(&mut self) {}

    /// Whether the asking side wins `state` against best play, both seeing everything.
    ///
    /// # Errors
    /// When the budget of the question ends first, or the game cannot be solved.
    fn wins(
        &mut self,
        game: &G,
        state: &G::State,
        question: &mut Question<'_>,
    ) -> Result<bool, Halt>;
}

/// Depth-first search for a proof, to the end of the game: alpha-beta with two values. With a key it
/// remembers what was proven.
pub struct ProofSearch<G: Game> {
    key: Option<StateKey<G>>,
    proven: HashMap<u128, bool>,
    frames: Vec<Frame<G>>,
}

/// A decision on the way down.
struct Frame<G: Game> {
    state: G::State,
    legal: Vec<G::Action>,
    next: usize,
    ours: bool,
    key: u128,
}

/// What is remembered at most, some hundred megabytes.
const MOST_PROVEN: usize = 4_000_000;

impl<G: Game> Default for ProofSearch<G> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<G: Game> Clone for ProofSearch<G> {
    /// With nothing remembered.
    fn clone(&self) -> Self {
        Self::new(self.key)
    }
}

impl<G: Game> ProofSearch<G> {
    /// With a key, equal for states from which the game goes on in the same way.
    #[must_use]
    pub fn new(key: Option<StateKey<G>>) -> Self {
        Self {
            key,
            proven: HashMap::new(),
            frames: Vec::new(),
        }
    }

    /// The key of states, if there is one.
    pub(super) const fn key(&self) -> Option<StateKey<G>> {
        self.key
    }

    /// Answers for the state of frame `depth`, or prepares the frame for its actions.
    fn enter(
        &mut self,
        game: &G,
        depth: usize,
        question: &mut Question<'_>,
    ) -> Result<Option<bool>, Halt> {
        question.spend()?;
        let frame = &mut self.frames[depth];
        let player = match game.turn(&frame.state) {
            Turn::Terminal => return question.is_won(&game.returns(&frame.state)).map(Some),
            Turn::Chance => {
                let method = "alpha-mu";
                return Err(Halt::Error(SearchError::ChanceTurn { method }));
            }
            Turn::Player(player) => player,
        };
        if let Some(key) = self.key {
            frame.key = key(game, &frame.state);
            if let Some(&known) = self.proven.get(&frame.key) {
                return Ok(Some(known));
            }
        }
        game.legal_actions(&frame.state, &mut frame.legal);
        frame.next = 0;
        frame.ours = question.is_ours(player);
        if frame.legal.is_empty() {
            let player = player.index();
            return Err(Halt::Error(SearchError::NoActions { player }));
        }
        Ok(None)
    }

    /// Loads `state` into frame `depth`.
    fn load(&mut self, depth: usize, state: &G::State) {
        match self.frames.get_mut(depth) {
            Some(frame) => frame.state.clone_from(state),
            None => self.frames.push(Frame {
                state: state.clone(),
                legal: Vec::new(),
                next: 0,
                ours: false,
                key: 0,
            }),
        }
    }
}

impl<G: Game> WorldSolver<G> for ProofSearch<G> {
    fn reset(&mut self) {
        self.proven.clear();
    }

    fn wins(
        &mut self,
        game: &G,
        state: &G::State,
        question: &mut Question<'_>,
    ) -> Result<bool, Halt> {
        // Without recursion: games may be of any length.
        self.load(0, state);
        let mut depth = 0;
        let mut answer = self.enter(game, 0, question)?;
        loop {
            let Some(won) = answer else {
                // The next action of the deepest decision.
                if depth + 1 == self.frames.len() {
                    let state = self.frames[depth].state.clone();
                    self.load(depth + 1, &state);
                }
                let (upper, lower) = self.frames.split_at_mut(depth + 1);
                let (frame, child) = (&mut upper[depth], &mut lower[0]);
                child.state.clone_from(&frame.state);
                game.apply(&mut child.state, frame.legal[frame.next]);
                frame.next += 1;
                depth += 1;
                answer = self.enter(game, depth, question)?;
                continue;
            };
            if depth == 0 {
                return Ok(won);
            }
            depth -= 1;
            let frame = &self.frames[depth];
            let settled = won == frame.ours || frame.next == frame.legal.len();
            answer = settled.then_some(won);
            if settled && self.key.is_some() && self.proven.len() < MOST_PROVEN {
                self.proven.insert(frame.key, won);
            }
        }
    }
}
