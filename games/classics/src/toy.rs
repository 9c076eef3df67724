//! Little game trees written out in JSON: [`TreeGame`].
//!
//! A node is `{"t": [returns]}`, `{"c": [[probability, node], …]}` or
//! `{"p": player, "i": "information set", "a": {"action": node, …}}`. Chance at the root is the
//! deal and belongs to [`Game::initial_state`]; chance further down is a chance turn.
//!
//! ```
//! use classics::toy::TreeGame;
//! use search_core::game::Game;
//!
//! let game = TreeGame::from_json(
//!     r#"{"players": 1, "root": {"c": [
//!         [0.5, {"p": 0, "i": "blind", "a": {"l": {"t": [1]}, "r": {"t": [0]}}}],
//!         [0.5, {"p": 0, "i": "blind", "a": {"l": {"t": [0]}, "r": {"t": [1]}}}]]}}"#,
//! )?;
//! assert_eq!(game.num_players(), 1);
//! # Ok::<(), search_core::plugin::PluginError>(())
//! ```

mod build;
mod plugin;
mod seen;

pub use plugin::ToyOptions;

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::Draw;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::solve::InitialStates;

/// A game given by its tree, with chance, information sets and up to six players. Cheap to clone.
#[derive(Debug, Clone)]
pub struct TreeGame(Arc<Tree>);

#[derive(Debug)]
struct Tree {
    id: String,
    note: String,
    players: usize,
    bounds: (f64, f64),
    depth: u32,
    nodes: Vec<Node>,
    deals: Vec<(ToyState, f64)>,
    actions: Vec<String>,
    info_sets: Vec<InfoSet>,
    worlds: BTreeMap<ToyView, Arc<[(ToyState, f64)]>>,
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    /// Each player's last information set and action on the way here.
    memory: Vec<Option<(InfoSetId, ToyAction)>>,
}

#[derive(Debug)]
enum Kind {
    Terminal(Returns),
    Chance(Vec<(ToyState, f64)>),
    Decision {
        info_set: InfoSetId,
        moves: Vec<(ToyAction, ToyState)>,
    },
}

#[derive(Debug)]
struct InfoSet {
    player: Player,
    label: String,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToyState(u32);

/// An action: the alphabetical position of its label among those of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToyAction(u16);

/// A branch of a chance turn, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch(u16);

/// An information set of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfoSetId(u16);

/// What one player knows, and which information set that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToyView {
    /// Who looks.
    pub player: Player,
    /// What there is to see.
    pub sight: Sight,
}

/// What there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// The observer is to move, in this information set.
    ToMove(InfoSetId),
    /// Somebody else is to move (`None`: chance); the observer remembers the last own decision.
    Waiting {
        /// Whose turn it is.
        turn: Option<Player>,
        /// The observer's last information set and action.
        memory: Option<(InfoSetId, ToyAction)>,
    },
    /// The game is over and everything is shown.
    Over(ToyState),
}

impl TreeGame {
    /// The name it was given, or nothing.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// What it shows.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.0.note
    }

    /// The text of an action; empty for one of another tree.
    #[must_use]
    pub fn label(&self, action: ToyAction) -> &str {
        self.0
            .actions
            .get(usize::from(action.0))
            .map_or("", |label| label)
    }

    /// The action with this text.
    #[must_use]
    pub fn action(&self, label: &str) -> Option<ToyAction> {
        let found = self.0.actions.iter().position(|l| l == label)?;
        Some(ToyAction(found as u16))
    }

    /// What a player sees who is to move in the information set with this label.
    #[must_use]
    pub fn view(&self, player: Player, label: &str) -> Option<ToyView> {
        let found = self
            .0
            .info_sets
            .iter()
            .position(|s| s.player == player && s.label == label)?;
        let sight = Sight::ToMove(InfoSetId(found as u16));
        Some(ToyView { player, sight })
    }

    /// The player and the label of an information set.
    #[must_use]
    pub fn info_set(&self, id: InfoSetId) -> Option<(Player, &str)> {
        let set = self.0.info_sets.get(usize::from(id.0))?;
        Some((set.player, &set.label))
    }

    /// The states that a view admits, with their weights: the probability of the chance outcomes
    /// on the way times that of the other players' moves, each taken as uniformly random.
    #[must_use]
    pub fn worlds(&self, view: &ToyView) -> &[(ToyState, f64)] {
        self.0.worlds.get(view).map_or(&[], |worlds| worlds)
    }

    fn kind(&self, state: ToyState) -> &Kind {
        &self.0.nodes[state.0 as usize].kind
    }
}

impl Tree {
    fn turn(&self, state: ToyState) -> Turn {
        match &self.nodes[state.0 as usize].kind {
            Kind::Terminal(_) => Turn::Terminal,
            Kind::Chance(_) => Turn::Chance,
            Kind::Decision { info_set, .. } => {
                Turn::Player(self.info_sets[usize::from(info_set.0)].player)
            }
        }
    }

    fn observe(&self, state: ToyState, player: Player) -> ToyView {
        let node = &self.nodes[state.0 as usize];
        let turn = match self.turn(state) {
            Turn::Player(turn) => Some(turn),
            _ => None,
        };
        let sight = match &node.kind {
            Kind::Terminal(_) => Sight::Over(state),
            Kind::Decision { info_set, .. } if turn == Some(player) => Sight::ToMove(*info_set),
            _ => Sight::Waiting {
                turn,
                memory: node.memory.get(player.index()).copied().flatten(),
            },
        };
        ToyView { player, sight }
    }
}

/// Draws the states of a view in proportion to [`TreeGame::worlds`]' weights, which is uniform
/// over the deals where these are equally likely. Nothing is read into the other players' moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToyWorlds;

impl Determinizer<TreeGame> for ToyWorlds {
    /// The states with their weights.
    type Plan = Arc<[(ToyState, f64)]>;

    fn plan(&self, game: &TreeGame, view: &ToyView) -> Result<Self::Plan, Contradiction> {
        let worlds = game.0.worlds.get(view);
        worlds
            .cloned()
            .ok_or_else(|| Contradiction::new("the tree has no such information set"))
    }

    fn scratch(&self, _: &TreeGame, _: &ToyView, plan: &Self::Plan) -> ToyState {
        plan[0].0
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &TreeGame,
        _: &ToyView,
        plan: &Self::Plan,
        rng: &mut R,
        world: &mut ToyState,
    ) -> LogWeight {
        *world = draw(plan, rng);
        0.0
    }
}

/// One entry in proportion to its weight.
fn draw<R: Rng + ?Sized>(weighted: &[(ToyState, f64)], rng: &mut R) -> ToyState {
    weighted[draw_index(weighted, rng)].0
}

fn draw_index<R: Rng + ?Sized>(weighted: &[(ToyState, f64)], rng: &mut R) -> usize {
    let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let mut ticket = rng.unit() * total;
    for (index, (_, weight)) in weighted.iter().enumerate() {
        if ticket < *weight {
            return index;
        }
        ticket -= weight;
    }
    weighted.len() - 1
}

impl Game for TreeGame {
    type State = ToyState;
    type Action = ToyAction;
    type Chance = Branch;
    type Observation = ToyView;

    fn num_players(&self) -> usize {
        self.0.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> ToyState {
        draw(&self.0.deals, rng)
    }

    fn turn(&self, state: &ToyState) -> Turn {
        self.0.turn(*state)
    }

    fn legal_actions(&self, state: &ToyState, out: &mut Vec<ToyAction>) {
        out.clear();
        if let Kind::Decision { moves, .. } = self.kind(*state) {
            out.extend(moves.iter().map(|(action, _)| *action));
        }
    }

    fn apply(&self, state: &mut ToyState, action: ToyAction) {
        if let Kind::Decision { moves, .. } = self.kind(*state)
            && let Some((_, next)) = moves.iter().find(|(a, _)| *a == action)
        {
            *state = *next;
        }
    }

    fn sample_chance<R: Rng + ?Sized>(&self, state: &ToyState, rng: &mut R) -> Branch {
        match self.kind(*state) {
            Kind::Chance(branches) => Branch(draw_index(branches, rng) as u16),
            _ => Branch(0),
        }
    }

    fn apply_chance(&self, state: &mut ToyState, outcome: Branch) {
        if let Kind::Chance(branches) = self.kind(*state)
            && let Some((next, _)) = branches.get(usize::from(outcome.0))
        {
            *state = *next;
        }
    }

    fn returns(&self, state: &ToyState) -> Returns {
        match self.kind(*state) {
            Kind::Terminal(returns) => *returns,
            _ => Returns::splat(self.0.players, 0.0),
        }
    }

    /// The least and the greatest return of anybody.
    fn return_bounds(&self) -> RangeInclusive<f64> {
        self.0.bounds.0..=self.0.bounds.1
    }

    /// The width of the bounds, or 1 where every return is the same.
    fn return_scale(&self) -> f64 {
        let width = self.0.bounds.1 - self.0.bounds.0;
        if width > 0.0 { width } else { 1.0 }
    }

    fn max_turns(&self) -> u32 {
        self.0.depth
    }

    fn observe(&self, state: &ToyState, player: Player) -> ToyView {
        self.0.observe(*state, player)
    }
}

impl ChanceOutcomes for TreeGame {
    fn chance_outcomes(&self, state: &ToyState, out: &mut Vec<(Branch, f64)>) {
        out.clear();
        if let Kind::Chance(branches) = self.kind(*state) {
            let numbered = branches.iter().enumerate();
            out.extend(numbered.map(|(i, (_, p))| (Branch(i as u16), *p)));
        }
    }
}

impl InfoKey for TreeGame {
    type Key = ToyView;
    fn info_key(&self, state: &ToyState, player: Player) -> ToyView {
        self.0.observe(*state, player)
    }
}

impl InitialStates for TreeGame {
    fn initial_states(&self) -> Vec<(ToyState, f64)> {
        self.0.deals.clone()
    }
}
