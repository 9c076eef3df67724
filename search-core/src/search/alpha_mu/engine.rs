//! The search of [`AlphaMu`](super::AlphaMu) below the root.

use std::collections::HashMap;

use super::front::Front;
use super::solver::{Halt, Question, WorldSolver};
use crate::decision::SearchError;
use crate::game::{Game, Player, Turn, token};
use crate::rng::mix64;
use crate::search::expectimax::StateKey;

/// What is known of a decision.
struct Known<A> {
    /// Decisions of the side that were searched.
    depth: u32,
    /// Whether the front is that of this depth, and not of a cut.
    exact: bool,
    /// Whether a line below was valued by the solver before its end.
    short: bool,
    /// A bound, optimistic for the side, for every depth from this one on.
    front: Front,
    /// What to try first.
    best: Option<A>,
}

/// The worlds after some actions, and the actions that follow.
struct Ply<G: Game> {
    states: Vec<G::State>,
    /// Each with the worlds in which it is legal.
    actions: Vec<(G::Action, u128)>,
}

/// What the worlds of a position have in common.
struct Position {
    /// Worlds in which the game is over and won.
    won: u128,
    /// Worlds in which it goes on.
    live: u128,
    /// Who is to move in these.
    player: Option<Player>,
}

/// One search in progress.
pub(super) struct Engine<'a, 'b, G: Game, W> {
    pub(super) game: &'a G,
    pub(super) solver: &'a mut W,
    pub(super) question: Question<'b>,
    /// Whether fronts of an earlier depth end decisions of the other side early.
    pub(super) cuts: bool,
    pub(super) key: Option<StateKey<G>>,
    plies: Vec<Ply<G>>,
    table: HashMap<u64, Known<G::Action>>,
    legal: Vec<G::Action>,
    /// Whether some line was valued by the solver before its end.
    pub(super) stopped_short: bool,
}

/// The bits of all worlds.
fn bits(mask: u128) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |m| Some(m & m.wrapping_sub(1)))
        .take_while(|m| *m != 0)
        .map(|m| m.trailing_zeros() as usize)
}

impl<'a, 'b, G: Game, W: WorldSolver<G>> Engine<'a, 'b, G, W> {
    pub(super) fn new(
        game: &'a G,
        solver: &'a mut W,
        question: Question<'b>,
        worlds: Vec<G::State>,
    ) -> Self {
        solver.reset();
        let root = Ply {
            states: worlds,
            actions: Vec::new(),
        };
        Self {
            game,
            solver,
            question,
            cuts: true,
            key: None,
            plies: vec![root],
            table: HashMap::new(),
            legal: Vec::new(),
            stopped_short: false,
        }
    }

    /// Positions in the table.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// The front of `action` at the root, with `depth` decisions of the side in all. `others` is what
    /// the actions before it have.
    pub(super) fn root_action(
        &mut self,
        action: G::Action,
        depth: u32,
        all: u128,
        others: &Front,
    ) -> Result<Front, Halt> {
        self.play(0, action, all);
        self.search(1, depth - 1, all, step(0, &action), others)
    }

    /// Plays `action` in the worlds of `mask`, into the next ply.
    fn play(&mut self, ply: usize, action: G::Action, mask: u128) {
        if self.plies.len() == ply + 1 {
            let states = self.plies[ply].states.clone();
            self.plies.push(Ply {
                states,
                actions: Vec::new(),
            });
        }
        let (before, after) = self.plies.split_at_mut(ply + 1);
        let (from, to) = (&before[ply].states, &mut after[0].states);
        for world in bits(mask) {
            to[world].clone_from(&from[world]);
            self.game.apply(&mut to[world], action);
        }
    }

    fn look(&self, ply: usize, mask: u128) -> Result<Position, Halt> {
        let mut position = Position {
            won: 0,
            live: 0,
            player: None,
        };
        for world in bits(mask) {
            let state = &self.plies[ply].states[world];
            match self.game.turn(state) {
                Turn::Terminal => {
                    let won = self.question.is_won(&self.game.returns(state))?;
                    position.won |= u128::from(won) << world;
                }
                Turn::Chance => {
                    let method = "alpha-mu";
                    return Err(Halt::Error(SearchError::ChanceTurn { method }));
                }
                Turn::Player(player) => {
                    position.live |= 1 << world;
                    if *position.player.get_or_insert(player) != player {
                        let player = player.index();
                        return Err(Halt::Error(SearchError::MixedWorlds { player }));
                    }
                }
            }
        }
        Ok(position)
    }

    /// The front of the worlds of `mask` at `ply`, with `depth` decisions of the side to go.
    fn search(
        &mut self,
        ply: usize,
        depth: u32,
        mask: u128,
        path: u64,
        alpha: &Front,
    ) -> Result<Front, Halt> {
        self.question.spend()?;
        let Position { won, live, player } = self.look(ply, mask)?;
        let Some(player) = player else {
            return Ok(Front::of(won));
        };
        if depth == 0 {
            self.stopped_short = true;
            let mut set = won;
            for world in bits(live) {
                let state = &self.plies[ply].states[world];
                let wins = self.solver.wins(self.game, state, &mut self.question)?;
                set |= u128::from(wins) << world;
            }
            return Ok(Front::of(set));
        }
        let key = self.key_of(ply, live, path);
        let ours = self.question.is_ours(player);
        let mut first = None;
        if let Some(known) = self.table.get(&key) {
            let same = known.exact && known.depth == depth;
            // With fewer decisions in advance it promised at least as much.
            let bound = self.cuts && !ours && known.depth <= depth;
            if same || bound && known.front.clone().with(won).within(alpha) {
                self.stopped_short |= known.short;
                return Ok(known.front.clone().with(won));
            }
            first = known.best;
        }
        self.list(ply, live, player, first)?;
        let before = std::mem::replace(&mut self.stopped_short, false);
        let (front, best, exact) = match ours {
            true => self.choose(ply, depth, live, path)?,
            false => self.suffer(ply, depth, live, path, (alpha, won))?,
        };
        let known = Known {
            depth,
            exact,
            short: self.stopped_short,
            front: front.clone(),
            best,
        };
        self.table.insert(key, known);
        self.stopped_short |= before;
        Ok(front.with(won))
    }

    /// A decision of the side: whatever any action offers.
    fn choose(
        &mut self,
        ply: usize,
        depth: u32,
        live: u128,
        path: u64,
    ) -> Result<(Front, Option<G::Action>, bool), Halt> {
        let mut front = Front::empty();
        let mut best = (None, 0);
        for i in 0..self.plies[ply].actions.len() {
            let (action, possible) = self.plies[ply].actions[i];
            self.play(ply, action, possible);
            let offered = self.search(ply + 1, depth - 1, possible, step(path, &action), &front)?;
            front.or(&offered);
            if best.0.is_none() || offered.most() > best.1 {
                best = (Some(action), offered.most());
            }
            if front.most() == live.count_ones() {
                break;
            }
        }
        Ok((front, best.0, true))
    }

    /// A decision of the others, who see the world: what is left whatever they do.
    fn suffer(
        &mut self,
        ply: usize,
        depth: u32,
        live: u128,
        path: u64,
        (alpha, won): (&Front, u128),
    ) -> Result<(Front, Option<G::Action>, bool), Halt> {
        let mut front = Front::of(live);
        let mut best = (None, u32::MAX);
        let count = self.plies[ply].actions.len();
        for i in 0..count {
            let (action, possible) = self.plies[ply].actions[i];
            self.play(ply, action, possible);
            let left = self.search(
                ply + 1,
                depth,
                possible,
                step(path, &action),
                &Front::empty(),
            )?;
            front = front.and(&left, possible);
            if left.most() < best.1 {
                best = (Some(action), left.most());
            }
            if front.most() == 0 {
                break;
            }
            if self.cuts && i + 1 < count && front.clone().with(won).within(alpha) {
                return Ok((front, best.0, false));
            }
        }
        Ok((front, best.0, true))
    }

    /// Lists the actions of a position with the worlds in which they are legal, `first` in front.
    fn list(
        &mut self,
        ply: usize,
        live: u128,
        player: Player,
        first: Option<G::Action>,
    ) -> Result<(), Halt> {
        let Ply { states, actions } = &mut self.plies[ply];
        actions.clear();
        for world in bits(live) {
            self.game.legal_actions(&states[world], &mut self.legal);
            if self.legal.is_empty() {
                let player = player.index();
                return Err(Halt::Error(SearchError::NoActions { player }));
            }
            for &action in &self.legal {
                match actions.binary_search_by_key(&action, |(a, _)| *a) {
                    Ok(i) => actions[i].1 |= 1 << world,
                    Err(i) => actions.insert(i, (action, 1 << world)),
                }
            }
        }
        if let Some(i) = first.and_then(|f| actions.iter().position(|(a, _)| *a == f)) {
            actions[..=i].rotate_right(1);
        }
        Ok(())
    }

    /// The position: what was played, or with keys of states what it led to.
    fn key_of(&self, ply: usize, live: u128, path: u64) -> u64 {
        let Some(key) = self.key else {
            return path;
        };
        let mask = mix64(live as u64) ^ mix64(!((live >> 64) as u64));
        bits(live).fold(mask, |sum, world| {
            let state = key(self.game, &self.plies[ply].states[world]);
            mix64(sum ^ mix64(state as u64) ^ mix64(!((state >> 64) as u64)))
        })
    }
}

/// The key of what was played, with one action more.
fn step<A: std::hash::Hash>(path: u64, action: &A) -> u64 {
    mix64(path ^ mix64(token(action)))
}
