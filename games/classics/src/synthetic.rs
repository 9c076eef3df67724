//! Random game trees with hidden types, to order: [`Synthetic`].

mod plugin;

pub use plugin::SyntheticOptions;

use rand::Rng;
use search_core::game::{
    ActionObservation, ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, VisitDecision,
};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::{Draw, Seed, SimRng};
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// The synthetic trees of Long, Sturtevant, Buro & Furtak (2010), on which they asked when
/// perfect-information Monte Carlo does well. Two players with opposite returns are dealt a type each,
/// and choose left or right in turn, seen by both, until the tree ends in 1 or -1. The leaves depend on the
/// types, which each player knows only of itself. Three numbers from 0 to 1 say what the trees are like:
///
/// * `correlation`: how likely the two leaves below a last decision are the same, whatever is chosen;
///   otherwise one is won and one is lost;
/// * `bias`: how likely two leaves that are the same are won by the first player;
/// * `disambiguation`: at each decision of a player, the first included, the set of types that the other
///   may have is broken in half with this probability, and the halves are again, down to single
///   types. With 1 everybody knows everything; with 0 nobody learns anything.
///
/// A tree is a function of the options: the leaves are computed from `seed` where they are met, one
/// independent draw for each pair of types and each path. See
/// [`GameTree::bcd`](crate::solve::GameTree::bcd) for the way back from a game to the three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Synthetic {
    options: SyntheticOptions,
}

/// What a player chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// One way.
    Left,
    /// The other.
    Right,
}

/// Types that the other player may have: `len` of them, a power of two, from `start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    /// The lowest.
    pub start: u8,
    /// How many.
    pub len: u8,
}

impl Block {
    /// Whether a type is in it.
    #[must_use]
    pub const fn contains(self, kind: u8) -> bool {
        kind >= self.start && kind - self.start < self.len
    }

    /// The half that a type of it is in.
    const fn half(self, kind: u8) -> Self {
        let len = self.len / 2;
        let upper = kind - self.start >= len;
        let start = if upper { self.start + len } else { self.start };
        Self { start, len }
    }
}

/// Both types, the choices so far, and what each player knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SyntheticState {
    types: [u8; 2],
    /// The types that each player has not ruled out of the other.
    blocks: [Block; 2],
    path: Path,
}

/// Choices in order: one bit each below a leading one, set for right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Path(u32);

impl Path {
    const START: Self = Self(1);

    const fn len(self) -> u32 {
        self.0.ilog2()
    }

    const fn then(self, side: Side) -> Self {
        Self(self.0 << 1 | side as u32)
    }

    fn sides(self) -> impl Iterator<Item = Side> {
        (0..self.len()).rev().map(move |i| match self.0 >> i & 1 {
            0 => Side::Left,
            _ => Side::Right,
        })
    }
}

/// What one player knows. It is also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SyntheticView {
    player: Player,
    kind: u8,
    block: Block,
    path: Path,
    shown: Option<u8>,
}

impl SyntheticView {
    /// Who looks.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The own type.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.kind
    }

    /// The types that the other may have.
    #[must_use]
    pub const fn block(&self) -> Block {
        self.block
    }
}

impl Synthetic {
    /// The options that it was made with.
    #[must_use]
    pub const fn options(&self) -> &SyntheticOptions {
        &self.options
    }

    fn start(&self, types: [u8; 2]) -> SyntheticState {
        let all = Block {
            start: 0,
            len: self.options.worlds,
        };
        let mut state = SyntheticState {
            types,
            blocks: [all; 2],
            path: Path::START,
        };
        self.learn(&mut state);
        state
    }

    /// A stream of its own for everything that is drawn about a node of a tree.
    fn draws(&self, tag: u64, path: Path, detail: u64) -> SimRng {
        Seed(self.options.seed)
            .index(tag)
            .index(path.0.into())
            .simulation(detail)
    }

    /// Breaks up what the player to move knows of the other's type.
    fn learn(&self, state: &mut SyntheticState) {
        let Turn::Player(player) = self.turn(state) else {
            return;
        };
        let me = player.index();
        let block = &mut state.blocks[me];
        while block.len > 1 {
            let detail = [state.types[me], block.start, block.len, me as u8];
            let mut rng = self.draws(1, state.path, u32::from_le_bytes(detail).into());
            if rng.unit() >= self.options.disambiguation {
                break;
            }
            *block = block.half(state.types[1 - me]);
        }
    }

    /// Whether the first player wins.
    fn won(&self, state: &SyntheticState) -> bool {
        let detail = u16::from_le_bytes(state.types);
        let mut rng = self.draws(2, Path(state.path.0 >> 1), detail.into());
        if rng.unit() < self.options.correlation {
            rng.unit() < self.options.bias
        } else {
            (rng.unit() < 0.5) == (state.path.0 & 1 == 0)
        }
    }

    /// The state after these choices from the start.
    fn replay(&self, types: [u8; 2], path: Path) -> SyntheticState {
        let mut state = self.start(types);
        for side in path.sides() {
            self.apply(&mut state, side);
        }
        state
    }
}

impl Game for Synthetic {
    type State = SyntheticState;
    type Action = Side;
    type Chance = Infallible;
    type Observation = SyntheticView;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> SyntheticState {
        let worlds = u32::from(self.options.worlds);
        self.start([0; 2].map(|_: u8| rng.below(worlds) as u8))
    }

    #[inline]
    fn turn(&self, state: &SyntheticState) -> Turn {
        let depth = state.path.len();
        if depth >= self.options.depth {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(depth as usize % 2))
        }
    }

    fn legal_actions(&self, state: &SyntheticState, out: &mut Vec<Side>) {
        out.clear();
        if self.turn(state) != Turn::Terminal {
            out.extend([Side::Left, Side::Right]);
        }
    }

    fn apply(&self, state: &mut SyntheticState, action: Side) {
        state.path = state.path.then(action);
        self.learn(state);
    }

    fn returns(&self, state: &SyntheticState) -> Returns {
        Returns::zero_sum(if self.won(state) { 1.0 } else { -1.0 })
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        self.options.depth
    }

    fn observe(&self, state: &SyntheticState, player: Player) -> SyntheticView {
        let me = player.index() & 1;
        let over = self.turn(state) == Turn::Terminal;
        SyntheticView {
            player: Player::new(me),
            kind: state.types[me],
            block: state.blocks[me],
            path: state.path,
            shown: over.then_some(state.types[1 - me]),
        }
    }
}

impl ChanceOutcomes for Synthetic {
    fn chance_outcomes(&self, _: &SyntheticState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Synthetic {
    type Key = SyntheticView;
    fn info_key(&self, state: &SyntheticState, player: Player) -> SyntheticView {
        self.observe(state, player)
    }
}

impl InitialStates for Synthetic {
    fn initial_states(&self) -> Vec<(SyntheticState, f64)> {
        let types = 0..self.options.worlds;
        let pairs = types
            .clone()
            .flat_map(|a| types.clone().map(move |b| [a, b]));
        let share = 1.0 / f64::from(self.options.worlds).powi(2);
        pairs.map(|types| (self.start(types), share)).collect()
    }
}

/// Everybody sees the choice; whoever is to move next also learns something of the other's type.
impl ActionObservation for Synthetic {
    fn observe_action(&self, state: &SyntheticState, action: Side, observer: Player) -> u64 {
        let mut next = *state;
        self.apply(&mut next, action);
        let Block { start, len } = next.blocks[observer.index() & 1];
        u64::from(len) << 16 | u64::from(start) << 8 | action as u64
    }

    fn observe_chance(&self, _: &SyntheticState, outcome: Infallible, _: Player) -> u64 {
        match outcome {}
    }
}

impl History for Synthetic {
    fn decisions(
        &self,
        _: &SyntheticView,
        world: &SyntheticState,
        visit: &mut VisitDecision<'_, Self>,
    ) {
        let mut state = self.start(world.types);
        for side in world.path.sides() {
            if let Turn::Player(player) = self.turn(&state) {
                visit(&state, player, side);
            }
            self.apply(&mut state, side);
        }
    }
}

/// Gives the other player each type that is not ruled out with the same probability: nothing is read into
/// the other's choices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SyntheticWorlds;

impl Determinizer<Synthetic> for SyntheticWorlds {
    /// The worlds.
    type Plan = Vec<SyntheticState>;

    fn plan(
        &self,
        game: &Synthetic,
        view: &SyntheticView,
    ) -> Result<Vec<SyntheticState>, Contradiction> {
        let me = view.player.index();
        let block = view.block;
        let others = block.start..block.start.saturating_add(block.len);
        let worlds = others
            .filter(|other| view.shown.is_none_or(|shown| shown == *other))
            .map(|other| {
                let mut types = [view.kind, other];
                types.rotate_left(me);
                game.replay(types, view.path)
            });
        let worlds: Vec<SyntheticState> = worlds.collect();
        if worlds.is_empty() || worlds.iter().any(|world| world.blocks[me] != block) {
            return Err(Contradiction::new(
                "the player does not know so much, or so little, of the other's type here",
            ));
        }
        Ok(worlds)
    }

    fn scratch(
        &self,
        _: &Synthetic,
        _: &SyntheticView,
        worlds: &Vec<SyntheticState>,
    ) -> SyntheticState {
        worlds[0]
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Synthetic,
        _: &SyntheticView,
        worlds: &Vec<SyntheticState>,
        rng: &mut R,
        world: &mut SyntheticState,
    ) -> LogWeight {
        *world = worlds[rng.below(worlds.len() as u32) as usize];
        0.0
    }
}
