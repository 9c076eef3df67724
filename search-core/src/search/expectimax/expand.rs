//! How a depth-first search lists what a player can do: [`Expand`].

use std::fmt::{self, Debug};
use std::ops::Deref;

use crate::game::Game;

/// The most actions that one player plays in a row as one [`Line`].
pub const MAX_LINE: usize = 4;

/// One to [`MAX_LINE`] actions of one player in a row, stored inline.
#[derive(Clone, Copy)]
pub struct Line<A> {
    actions: [A; MAX_LINE],
    len: u8,
}

impl<A: Copy> Line<A> {
    /// The line of one action.
    #[inline]
    pub const fn new(action: A) -> Self {
        Self {
            actions: [action; MAX_LINE],
            len: 1,
        }
    }

    /// The line of these actions; `None` when there is none or there are more than [`MAX_LINE`].
    #[must_use]
    pub fn from_slice(actions: &[A]) -> Option<Self> {
        let (&first, rest) = actions.split_first()?;
        if rest.len() >= MAX_LINE {
            return None;
        }
        let mut line = Self::new(first);
        for &action in rest {
            line.push(action);
        }
        Some(line)
    }

    /// Adds an action at the end.
    ///
    /// # Panics
    /// When the line has [`MAX_LINE`] actions already.
    #[inline]
    pub fn push(&mut self, action: A) {
        self.actions[usize::from(self.len)] = action;
        self.len += 1;
    }

    /// The first action.
    #[inline]
    pub const fn first(&self) -> A {
        self.actions[0]
    }
}

impl<A> Deref for Line<A> {
    type Target = [A];
    #[inline]
    fn deref(&self) -> &[A] {
        &self.actions[..usize::from(self.len)]
    }
}

impl<A: PartialEq> PartialEq for Line<A> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl<A: Eq> Eq for Line<A> {}

impl<A: Debug> Debug for Line<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

/// What a player can do at a decision: a line of actions and the state after all of them.
pub struct Continuation<G: Game> {
    /// The actions, all of the player who is to move.
    pub line: Line<G::Action>,
    /// The state after them.
    pub state: G::State,
}

impl<G: Game> Clone for Continuation<G> {
    fn clone(&self) -> Self {
        Self {
            line: self.line,
            state: self.state.clone(),
        }
    }
}

/// What follows one outcome of a chance node.
pub struct Branch<G: Game> {
    /// The outcome.
    pub outcome: G::Chance,
    /// Its probability.
    pub probability: f64,
    /// The state after it.
    pub state: G::State,
    /// What the player to move can do there: empty when [`Expand::expand_chance`] is asked.
    pub continuations: Vec<Continuation<G>>,
}

/// Lists the continuations of a decision.
///
/// A game in which a turn is several actions of one player lists whole turns here, one for each
/// state that a turn can lead to: the search then never values a position in the middle of a turn,
/// counts a turn as one ply, and looks at each result once.
///
/// Contract:
/// * `expand` and `expand_chance` are functions of their arguments;
/// * every continuation is reached by legal actions of the player to move, and there is at least
///   one at a player's turn;
/// * what can be played otherwise leads to a state that is listed.
///
/// The first continuation should be the likely best: without anything better to go by, the search
/// tries them in the order given here.
pub trait Expand<G: Game>: Send + Sync {
    /// Replaces the content of `out` with what the player to move can do at `state`, a player's
    /// turn.
    fn expand(&self, game: &G, state: &G::State, out: &mut Vec<Continuation<G>>);

    /// Fills in the continuations of every branch of the chance node `state` at which a player is
    /// to move, and returns `true`: for a game that can share work between its outcomes. Branches
    /// at which nobody is to move stay empty.
    ///
    /// The default returns `false` and leaves the branches as they are: the search then asks
    /// [`Expand::expand`] for one branch after the other, and only for those that it looks at.
    fn expand_chance(&self, game: &G, state: &G::State, branches: &mut [Branch<G>]) -> bool {
        let _ = (game, state, branches);
        false
    }

    /// Whether this is [`SingleActions`], which the search then does by itself without allocating.
    #[doc(hidden)]
    fn is_single_actions(&self) -> bool {
        false
    }
}

/// One continuation for each legal action, in ascending order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SingleActions;

impl<G: Game> Expand<G> for SingleActions {
    fn expand(&self, game: &G, state: &G::State, out: &mut Vec<Continuation<G>>) {
        single_actions(game, state, &mut Vec::new(), out);
    }

    fn is_single_actions(&self) -> bool {
        true
    }
}

/// Lists the legal actions one by one; `legal` is memory to use.
pub(super) fn single_actions<G: Game>(
    game: &G,
    state: &G::State,
    legal: &mut Vec<G::Action>,
    out: &mut Vec<Continuation<G>>,
) {
    game.legal_actions(state, legal);
    out.clear();
    out.extend(legal.iter().map(|&action| {
        let mut state = state.clone();
        game.apply(&mut state, action);
        let line = Line::new(action);
        Continuation { line, state }
    }));
}
