//! What a player knows during a search, as a key: [`Knowledge`].

use std::fmt;

use crate::game::{Game, InfoKey, MAX_PLAYERS, Player, Sight, UNNOTICED, token};
use crate::rng::mix64;

/// How a search tells apart what players know below the root.
pub enum Knowledge<G: Game> {
    /// 64 bits of the information set of a player in a state, [`InfoKey`] say: exact for everybody.
    Keys(fn(&G, &G::State, Player) -> u64),
    /// What players see of actions and outcomes on the way from the root. That, with what he knew at the
    /// root, is what the searching player knows; what the others knew there cannot be told this way, so
    /// they are taken to know the world.
    Sight(Sight<G>),
}

impl<G: Game> Clone for Knowledge<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Knowledge<G> {}

impl<G: Game> fmt::Debug for Knowledge<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keys(_) => "Keys",
            Self::Sight(_) => "Sight",
        })
    }
}

impl<G: Game> Knowledge<G> {
    /// The information sets of the game itself.
    #[must_use]
    pub fn of_keys() -> Self
    where
        G: InfoKey,
    {
        Self::Keys(|game, state, player| token(&game.info_key(state, player)))
    }
}

/// Mixes `next` into a key of what came before.
#[inline]
pub(super) const fn then(key: u64, next: u64) -> u64 {
    mix64(key ^ mix64(next))
}

/// What is seen, if anything is.
#[inline]
const fn noticed(token: u64) -> Option<u64> {
    if token == UNNOTICED {
        None
    } else {
        Some(token)
    }
}

/// What everybody has seen on one way down, in one world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trail {
    world: u64,
    /// Everything that happened: what somebody knows who sees all.
    all: u64,
    seen: [u64; MAX_PLAYERS],
}

impl Trail {
    pub(super) const fn new(world: u64) -> Self {
        Self {
            world,
            all: 0,
            seen: [0; MAX_PLAYERS],
        }
    }

    /// An action about to be played in `state`; `shared` where players' views of it still matter.
    pub(super) fn action<G: Game>(
        &mut self,
        knowledge: &Knowledge<G>,
        game: &G,
        state: &G::State,
        action: G::Action,
        shared: bool,
    ) {
        self.all = then(self.all, token(&action));
        if let Knowledge::Sight(sight) = knowledge
            && shared
        {
            self.note(game, |observer| {
                noticed((sight.action)(game, state, action, observer))
            });
        }
    }

    /// An outcome about to come out in `state`.
    pub(super) fn outcome<G: Game>(
        &mut self,
        knowledge: &Knowledge<G>,
        game: &G,
        state: &G::State,
        outcome: G::Chance,
        shared: bool,
    ) {
        self.all = then(self.all, !token(&outcome));
        if let Knowledge::Sight(sight) = knowledge
            && shared
        {
            self.note(game, |observer| {
                noticed((sight.chance)(game, state, outcome, observer)).map(|token| !token)
            });
        }
    }

    fn note<G: Game>(&mut self, game: &G, see: impl Fn(Player) -> Option<u64>) {
        for (i, seen) in self.seen.iter_mut().take(game.num_players()).enumerate() {
            if let Some(token) = see(Player::new(i)) {
                *seen = then(*seen, token);
            }
        }
    }

    /// The key of a decision that all worlds share in which `player` knows the same.
    pub(super) fn shared<G: Game>(
        &self,
        knowledge: &Knowledge<G>,
        game: &G,
        state: &G::State,
        player: Player,
        searcher: Player,
    ) -> u64 {
        let known = match knowledge {
            Knowledge::Keys(key) => key(game, state, player),
            Knowledge::Sight(_) if player == searcher => self.seen[player.index()],
            Knowledge::Sight(_) => then(self.seen[player.index()], self.world),
        };
        then(known, player.index() as u64 + 1)
    }

    /// The key of a decision in this world alone.
    pub(super) const fn alone(&self) -> u64 {
        // Apart from all shared keys.
        then(then(self.all, self.world), u64::MAX)
    }
}
