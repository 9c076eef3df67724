//! The rules of a game: [`Game`], [`Player`], [`Turn`], [`Returns`].

use rand::Rng;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{Deref, RangeInclusive};

/// The most players a game may have. A [`Returns`] is a fixed array of this length.
pub const MAX_PLAYERS: usize = 6;

/// One of the players, counted from 0 in seat order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Player(u8);

impl Player {
    /// The player with this index.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_PLAYERS`].
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_PLAYERS, "player index out of range");
        Self(index as u8)
    }

    /// The index, from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.0)
    }
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A player chooses an action.
    Player(Player),
    /// Chance draws an outcome.
    Chance,
    /// The game is over.
    Terminal,
}

/// One value a player; higher is better for that player. Never negated for anybody.
#[derive(Clone, Copy, PartialEq)]
pub struct Returns {
    values: [f64; MAX_PLAYERS],
    len: u8,
}

impl Returns {
    /// The same value for `players` players.
    ///
    /// # Panics
    /// If `players` exceeds [`MAX_PLAYERS`].
    #[inline]
    #[must_use]
    pub const fn splat(players: usize, value: f64) -> Self {
        assert!(players <= MAX_PLAYERS, "too many players");
        Self {
            values: [value; MAX_PLAYERS],
            len: players as u8,
        }
    }

    /// One value a player, in seat order.
    ///
    /// # Panics
    /// If there are more values than [`MAX_PLAYERS`].
    #[inline]
    #[must_use]
    pub fn from_slice(values: &[f64]) -> Self {
        let mut returns = Self::splat(values.len(), 0.0);
        returns.values[..values.len()].copy_from_slice(values);
        returns
    }

    /// `value` for player 0 and `-value` for player 1.
    #[inline]
    #[must_use]
    pub const fn zero_sum(value: f64) -> Self {
        Self {
            values: [value, -value, 0.0, 0.0, 0.0, 0.0],
            len: 2,
        }
    }

    /// The value for one player.
    #[inline]
    #[must_use]
    pub const fn of(&self, player: Player) -> f64 {
        self.values[player.index()]
    }

    /// Sets the value for one player.
    #[inline]
    pub const fn set(&mut self, player: Player, value: f64) {
        self.values[player.index()] = value;
    }
}

impl Deref for Returns {
    type Target = [f64];
    #[inline]
    fn deref(&self) -> &[f64] {
        &self.values[..self.len as usize]
    }
}

impl Debug for Returns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

/// The rules of a game with their options (player count, house rules): immutable, shared by
/// reference. The state is plain data.
///
/// A turn is a player's, or chance's, or the game is over. One player may move several times in a
/// row; a game may have one to [`MAX_PLAYERS`] players and need not be zero-sum. Simultaneous
/// moves are out of scope: split them into hidden consecutive ones.
///
/// Contract, checked for every game by [`crate::testing`]:
/// * `legal_actions` is strictly ascending and non-empty exactly at a player's turn, and depends
///   on the state alone;
/// * `apply` takes every legal action, every one that `accepts` allows, and nothing else is asked of it;
/// * `returns` of a terminal state are finite and within `return_bounds`;
/// * `observe` hides what the player may not know.
pub trait Game: Send + Sync + Sized {
    /// The whole truth. Of fixed size where that is possible: the searchers copy it once a
    /// simulation with `clone_from`.
    type State: Clone + Send + Sync;
    /// What a player does. At most 8 bytes, 4 advised: it is stored on every edge of a tree.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// What chance draws; [`Infallible`](std::convert::Infallible) where there is none.
    type Chance: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// All that one player may know. `State` itself for a game of perfect information.
    type Observation: Clone + Send + Sync;

    /// How many players, 1 to [`MAX_PLAYERS`].
    fn num_players(&self) -> usize;

    /// The state in which play starts: shuffled and dealt, if the game begins that way.
    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State;

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Replaces the content of `out` with the legal actions, ascending, without duplicates.
    /// Empty when it is not a player's turn.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Plays a legal action.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Draws an outcome at a chance turn.
    ///
    /// # Panics
    /// The default panics: a game with chance turns implements it.
    fn sample_chance<R: Rng + ?Sized>(&self, state: &Self::State, rng: &mut R) -> Self::Chance {
        let _ = (state, rng);
        unreachable!("this game has no chance turns")
    }

    /// Plays an outcome at a chance turn.
    ///
    /// # Panics
    /// The default panics: a game with chance turns implements it.
    fn apply_chance(&self, state: &mut Self::State, outcome: Self::Chance) {
        let _ = (state, outcome);
        unreachable!("this game has no chance turns")
    }

    /// The returns of a terminal state, one value a player.
    fn returns(&self, state: &Self::State) -> Returns;

    /// Hard bounds on one player's return: what [`Game::return_scale`] and
    /// [`Game::cut_off_returns`] default to, and [`crate::testing`] checks. Selection does not use
    /// them.
    fn return_bounds(&self) -> RangeInclusive<f64>;

    /// What the returns of all players sum to at every end of the game, where that is always the same: 0
    /// in a zero-sum game. What is proven of one player then says something of the others.
    fn returns_sum(&self) -> Option<f64> {
        None
    }

    /// The typical spread of one player's return, by which selection divides: a constant of the
    /// rules, never a running range. The default is the width of the bounds.
    ///
    /// A game that can cost hundreds of points and usually costs ten should say ten: with the
    /// bounds alone the exploitation term would vanish beside exploration.
    fn return_scale(&self) -> f64 {
        let bounds = self.return_bounds();
        bounds.end() - bounds.start()
    }

    /// The most turns (players' and chance's) from any state to the end. A rollout that reaches it
    /// is stopped, valued at [`Game::cut_off_returns`] and counted as truncated.
    fn max_turns(&self) -> u32 {
        10_000
    }

    /// What a rollout is worth that was stopped before the end: the middle of the bounds for
    /// everybody unless the game knows better.
    fn cut_off_returns(&self, state: &Self::State) -> Returns {
        let _ = state;
        let bounds = self.return_bounds();
        Returns::splat(self.num_players(), 0.5 * (bounds.start() + bounds.end()))
    }

    /// Whether the player who sees `observation` and is to move may play `action` although
    /// [`Game::legal_actions`] does not list it: for games whose list is a sample of a continuum, and
    /// only for them. [`Game::apply`] must then take it.
    fn accepts(&self, observation: &Self::Observation, action: Self::Action) -> bool {
        let _ = (observation, action);
        false
    }

    /// What `player` may know of `state`. Also asked for players who are not to move, and after the
    /// end. For the player to move it must hold enough to tell the legal actions.
    fn observe(&self, state: &Self::State, player: Player) -> Self::Observation;
}

/// Whether an action may be played: it is listed, or the game accepts it unlisted.
#[inline]
#[must_use]
pub fn is_legal<G: Game>(
    game: &G,
    observation: &G::Observation,
    legal: &[G::Action],
    action: G::Action,
) -> bool {
    legal.contains(&action) || game.accepts(observation, action)
}

/// Chance outcomes with their probabilities: what expectimax and exact evaluation need.
pub trait ChanceOutcomes: Game {
    /// Replaces the content of `out` with every outcome and its probability (positive, summing to
    /// 1 within 1e-12, no outcome twice) at a chance turn.
    fn chance_outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Chance, f64)>);
}

/// [`ChanceOutcomes::chance_outcomes`] as a value: how code that works with any game asks for the
/// outcomes of those games that can list them.
pub type ListOutcomes<G> = fn(&G, &<G as Game>::State, &mut Vec<(<G as Game>::Chance, f64)>);

/// A key that two states share exactly when `player` cannot tell them apart and is to move in
/// both: the information set. Exact solvers need it.
pub trait InfoKey: Game {
    /// The key type.
    type Key: Clone + Eq + Ord + Hash + Debug + Send + Sync;
    /// The information set of `player` at `state`.
    fn info_key(&self, state: &Self::State, player: Player) -> Self::Key;
}

/// What an observer sees of an action or an outcome that the observer does not notice at all: not what
/// it was, and not that anything happened either. Searches leave the observer where he is.
pub const UNNOTICED: u64 = u64::MAX;

/// What players see of what happens: what searches with a tree for each player need.
///
/// The tokens of one state are compared with each other, and with those of states that `observer` cannot
/// tell from it: two actions (or outcomes) have the same token for `observer` exactly when `observer` cannot
/// tell them apart as they happen. Who is to move counts as known. Where `observer` cannot know how often
/// something happened, it is to be [`UNNOTICED`].
pub trait ActionObservation: Game {
    /// What `observer` sees when `action` is played in `state`. The player who plays it sees it whole.
    fn observe_action(&self, state: &Self::State, action: Self::Action, observer: Player) -> u64;

    /// What `observer` sees when chance draws `outcome` in `state`.
    fn observe_chance(&self, state: &Self::State, outcome: Self::Chance, observer: Player) -> u64;
}

/// [`ActionObservation`] as a value: how code that works with any game asks what is seen.
pub struct Sight<G: Game> {
    /// [`ActionObservation::observe_action`].
    pub action: fn(&G, &G::State, G::Action, Player) -> u64,
    /// [`ActionObservation::observe_chance`].
    pub chance: fn(&G, &G::State, G::Chance, Player) -> u64,
}

impl<G: Game> Clone for Sight<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Sight<G> {}

impl<G: Game> Debug for Sight<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sight")
    }
}

impl<G: Game> Sight<G> {
    /// Everybody sees every action and every outcome.
    #[must_use]
    pub fn public() -> Self {
        Self {
            action: |_, _, action, _| token(&action),
            chance: |_, _, outcome, _| token(&outcome),
        }
    }

    /// What the game itself says.
    #[must_use]
    pub fn of_game() -> Self
    where
        G: ActionObservation,
    {
        Self {
            action: G::observe_action,
            chance: G::observe_chance,
        }
    }
}

/// 64 bits that tell values apart, the same on every machine that hashes them alike.
pub(crate) fn token(value: &impl Hash) -> u64 {
    let mut hasher = crate::tree::Fnv::new();
    value.hash(&mut hasher);
    std::hash::Hasher::finish(&hasher)
}

/// What has been decided so far, as far as everybody saw it: what inference from the others' actions
/// needs.
pub trait History: Game {
    /// Calls `visit` with every decision before `observation` was made, in order: the state it was made
    /// in, who made it, and what was chosen, as they were if `world` is the truth. `world` is a world of
    /// `observation`. Decisions of which `observation` shows only a part may be left out.
    fn decisions(
        &self,
        observation: &Self::Observation,
        world: &Self::State,
        visit: &mut VisitDecision<'_, Self>,
    );
}

/// Called with a decision: the state before it, who made it, and what was chosen.
pub type VisitDecision<'a, G> = dyn FnMut(&<G as Game>::State, Player, <G as Game>::Action) + 'a;

/// [`History::decisions`] as a value.
pub type Decisions<G> =
    fn(&G, &<G as Game>::Observation, &<G as Game>::State, &mut VisitDecision<'_, G>);
