//! The recursion over any position: [`Engine`], its nodes counted and its budget watched.

use super::bound::{Bound, Window};
use super::chance::Outlook;
use super::decision::{Options, Plan};
use super::depth_first::DepthFirst;
use super::table::{Found, Table};
use super::{ExpectimaxSettings, Nodes, Pruning};
use crate::budget::StopReason;
use crate::decision::SearchError;
use crate::game::{Game, Player, Returns, Turn};
use crate::search::meter::Meter;
use crate::search::root::usable;

/// Why the recursion was left before its end.
pub(super) enum Halt {
    /// The budget.
    Stop(StopReason),
    /// An error.
    Fail(Box<SearchError>),
}

impl Halt {
    #[cold]
    pub(super) fn fail(error: SearchError) -> Self {
        Self::Fail(Box::new(error))
    }

    /// As an error of the search, where there is nothing to fall back on.
    pub(super) fn into_error(self) -> SearchError {
        match self {
            Self::Fail(error) => *error,
            Self::Stop(_) => SearchError::EmptyBudget,
        }
    }
}

/// What is known of a value after looking, for player 0.
pub(super) type Answer = Result<Bound, Halt>;

/// Memory that outlives a search. None of it changes a result.
pub(super) struct Memory<G: Game> {
    pub(super) table: Table,
    /// What decisions and chance nodes work with, as many as the search was deep.
    options: Vec<Options<G>>,
    pub(super) outlooks: Vec<Outlook<G>>,
    pub(super) legal: Vec<G::Action>,
}

impl<G: Game> Default for Memory<G> {
    fn default() -> Self {
        Self {
            table: Table::default(),
            options: Vec::new(),
            outlooks: Vec::new(),
            legal: Vec::new(),
        }
    }
}

/// One search. Values are those of player 0: player 1 minimises.
pub(super) struct Engine<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) parts: &'a DepthFirst<G>,
    pub(super) settings: ExpectimaxSettings,
    pub(super) memory: &'a mut Memory<G>,
    pub(super) meter: Meter<'a>,
    pub(super) nodes: Nodes,
    /// Every value lies in here.
    pub(super) range: Bound,
    /// Differences below this are rounding.
    pub(super) tie: f64,
    /// Whether decisions are expanded here, without asking.
    pub(super) single_actions: bool,
}

impl<G: Game> Engine<'_, G> {
    /// Whether anything may be left out.
    pub(super) fn prunes(&self) -> bool {
        self.settings.pruning != Pruning::None
    }

    /// Counts a node, unless the budget is spent.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<(), Halt> {
        if let Some(reason) = self.meter.stop(self.nodes.visited, 0) {
            return Err(Halt::Stop(reason));
        }
        self.nodes.visited += 1;
        Ok(())
    }

    /// The value of any position, searched to `depth`.
    pub(super) fn value(&mut self, state: &G::State, depth: u32, window: Window) -> Answer {
        self.enter()?;
        match self.game.turn(state) {
            Turn::Terminal => self.terminal(state),
            _ if depth == 0 => self.leaf(state),
            Turn::Chance => self.chance(state, depth, window),
            Turn::Player(player) => {
                let mut options = self.memory.options.pop().unwrap_or_default();
                let Options {
                    continuations,
                    plan,
                } = &mut options;
                self.open(state, depth, plan);
                let answer = self.decision((state, player, depth), window, continuations, plan);
                self.memory.options.push(options);
                answer
            }
        }
    }

    /// Begins with a decision: what does the table know?
    pub(super) fn open(&mut self, state: &G::State, depth: u32, plan: &mut Plan) {
        let (key, found) = self.look_up(state, depth);
        plan.reset(key, found, self.range);
    }

    /// The key of a state, and what the table knows of it.
    #[inline]
    pub(super) fn look_up(&self, state: &G::State, depth: u32) -> (Option<u128>, Found) {
        if self.settings.table == 0 {
            return (None, Found::default());
        }
        let Some(key) = self.parts.key else {
            return (None, Found::default());
        };
        let key = key(self.game, state);
        (Some(key), self.memory.table.get(key, depth))
    }

    /// The end of the game.
    pub(super) fn terminal(&mut self, state: &G::State) -> Answer {
        self.nodes.leaves += 1;
        let value = self.of_player_0(&self.game.returns(state))?;
        Ok(Bound::exact(value, true))
    }

    /// Where the search stops.
    pub(super) fn leaf(&mut self, state: &G::State) -> Answer {
        self.nodes.leaves += 1;
        Ok(Bound::exact(self.evaluate(state)?, false))
    }

    /// The evaluation of a position, cut to the bounds of the game.
    pub(super) fn evaluate(&self, state: &G::State) -> Result<f64, Halt> {
        let returns = self.parts.evaluator.evaluate(self.game, state);
        let value = self.of_player_0(&returns)?;
        Ok(value.clamp(self.range.lower, self.range.upper))
    }

    /// Player 0's part of the returns, of which player 1's is the opposite.
    #[inline]
    pub(super) fn of_player_0(&self, returns: &Returns) -> Result<f64, Halt> {
        let value = returns.of(Player::new(0));
        if !usable(value) {
            return Err(Halt::fail(SearchError::NonFiniteReturn {
                player: 0,
                value,
                action: "a line of the search".into(),
            }));
        }
        if returns.len() == 2 {
            let sum = value + returns.of(Player::new(1));
            if sum.is_nan() || sum.abs() > 1e-9 * (1.0 + value.abs()) {
                return Err(Halt::fail(SearchError::NotZeroSum { sum }));
            }
        }
        Ok(value)
    }
}
