//! `search`: one position, every candidate.

use search_core::agent::Agent;
use search_core::budget::StopReason;
use search_core::decision::Decision;
use search_core::expr::Expr;
use search_core::game::{Player, Turn, is_legal};
use search_core::observation::Determinizer;
use search_core::plugin::{Plugin, PluginError, Rated};
use search_core::rng::Seed;
use search_core::search::GameKey;
use search_core::tree::{EdgeKey, Snapshot};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::experiment::match_driver::MatchSeeds;

/// What to analyse.
#[derive(Debug, Clone)]
pub struct SearchRequest<'a> {
    /// The position as text; without it, the start of the match of `seed`.
    pub position: Option<&'a str>,
    /// Who analyses.
    pub agent: &'a Expr,
    /// The seed of the start and of the search.
    pub seed: u64,
    /// Threads of the search.
    pub threads: usize,
    /// Whether the tree is wanted.
    pub keep_tree: bool,
    /// Whether a drawing of the position with the candidates is wanted.
    pub draw: bool,
}

/// One candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateRow {
    /// The action.
    pub action: String,
    /// What it means in this position, where the game says so.
    pub description: Option<String>,
    /// Simulations that began with it.
    pub visits: u64,
    /// Their mean return; none without any.
    pub mean: Option<f64>,
    /// The mean as a probability of winning, where the game says that it is one.
    pub win: Option<f64>,
    /// The standard error of the mean; none below two.
    pub standard_error: Option<f64>,
    /// Simulations in which it was legal.
    pub availability: u64,
    /// Its share of the improved policy.
    pub policy: f64,
    /// Its mean less the chosen action's over the same worlds, for searches that pair them.
    pub versus_chosen: Option<f64>,
    /// The standard error of that difference; none with one world.
    pub versus_chosen_error: Option<f64>,
}

/// A node of the tree with the edge that leads to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeRow {
    /// Its number, from 0 at the root.
    pub id: usize,
    /// The number of its parent; none at the root.
    pub parent: Option<u32>,
    /// Edges from the root.
    pub depth: u32,
    /// The action or chance outcome; none at the root.
    pub edge: Option<String>,
    /// Whether chance drew it.
    pub chance: bool,
    /// Visits.
    pub visits: u32,
    /// Mean return of the player who chose it; none where nobody did.
    pub mean: Option<f64>,
    /// Times it was available, in information-set searches.
    pub availability: u32,
}

/// What the search took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EffortRow {
    /// Simulations.
    pub simulations: u64,
    /// Edges of the tree.
    pub edges: u64,
    /// Bytes of the tree.
    pub bytes: u64,
    /// The longest path in the tree.
    pub depth: u32,
    /// Worlds sampled.
    pub worlds: u64,
    /// Effective number of worlds.
    pub effective_sample_size: f64,
    /// Pools of worlds whose weights were flattened.
    pub flattened_weights: u64,
    /// Rollouts stopped before the end.
    pub truncated_rollouts: u64,
    /// Expansions refused because the tree was full.
    pub refused_expansions: u64,
    /// Priors that were no distribution and were replaced by the uniform one.
    pub unusable_priors: u64,
    /// Worlds that could not be redealt as another player sees them.
    pub failed_redeals: u64,
    /// Expansions left to another thread, in a tree that threads share.
    pub lost_expansions: u64,
    /// Visits of the root that were there before, in a tree that was kept.
    pub inherited: u64,
    /// Why it stopped.
    pub stop: &'static str,
}

/// The analysis of one position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchReport {
    /// The position as text, where the game has a notation.
    pub position: Option<String>,
    /// The position for a person.
    pub picture: String,
    /// Who is to move, from 0.
    pub seat: usize,
    /// The chosen action.
    pub action: String,
    /// What it means, where the game says so.
    pub description: Option<String>,
    /// Every candidate, the most visited first and of equals the best; empty for an agent that does not
    /// search.
    pub candidates: Vec<CandidateRow>,
    /// What it took; none for an agent that does not search.
    pub effort: Option<EffortRow>,
    /// Whether the same command gives the same result again.
    pub deterministic: bool,
    /// How long it took.
    pub elapsed_seconds: f64,
    /// The tree, where it was asked for and there is one.
    #[serde(skip)]
    pub tree: Option<Vec<TreeRow>>,
    /// The drawing as SVG, where it was asked for.
    #[serde(skip)]
    pub drawing: Option<String>,
}

/// A position: what the player to move knows, and may do.
struct Position<P: Plugin> {
    player: Player,
    observation: P::Observation,
    legal: Vec<P::Action>,
}

pub(super) fn search<P: Plugin>(
    game: &P,
    mut agent: Box<dyn Agent<P>>,
    request: &SearchRequest<'_>,
) -> Result<SearchReport> {
    let position = match request.position {
        Some(text) => read_position(game, text)?,
        None => start(game, request.seed)?,
    };
    // Before the search, which may take long.
    if request.draw && game.drawing(&position.observation, &[]).is_none() {
        return Err(Error::input(format!("--svg: {} has no drawing", P::NAME)));
    }
    let seed = MatchSeeds::new(request.seed).decision(0, position.player, 0);
    let started = std::time::Instant::now();
    let choice = agent
        .decide(game, &position.observation, &position.legal, seed)
        .map_err(|e| Error::Failed(format!("{}: {e}", request.agent)))?;
    let elapsed_seconds = started.elapsed().as_secs_f64();
    let action = game.format_action(choice.action);
    if !is_legal(game, &position.observation, &position.legal, choice.action) {
        return Err(Error::Failed(format!(
            "{} chose `{action}`, which is not legal here",
            request.agent
        )));
    }
    let observation = &position.observation;
    let drawing = request
        .draw
        .then(|| game.drawing(observation, &rated(choice.action, choice.decision.as_ref())));
    Ok(SearchReport {
        position: game.format_observation(observation),
        picture: game.picture(observation),
        seat: position.player.index(),
        action,
        description: game.describe_action(observation, choice.action),
        effort: choice.decision.as_ref().map(effort),
        candidates: choice
            .decision
            .map_or_else(Vec::new, |d| candidates(game, observation, d)),
        deterministic: choice.deterministic,
        elapsed_seconds,
        tree: agent.tree().map(|tree| tree_rows(game, tree)),
        drawing: drawing.flatten(),
    })
}

/// The candidates for a drawing, the most visited first; of an agent that does not search the action
/// that it chose, without a value.
fn rated<A: Copy>(chosen: A, decision: Option<&Decision<A>>) -> Vec<Rated<A>> {
    let Some(decision) = decision else {
        return vec![Rated {
            action: chosen,
            value: f64::NAN,
            visits: 0,
        }];
    };
    let each = decision.candidates.iter().map(|c| Rated {
        action: c.action,
        value: c.mean,
        visits: c.visits,
    });
    let mut rated: Vec<Rated<A>> = each.collect();
    rated.sort_by_key(|r| std::cmp::Reverse(r.visits));
    rated
}

fn tree_rows<P: Plugin>(game: &P, tree: &Snapshot<GameKey<P>>) -> Vec<TreeRow> {
    let rows = tree.nodes.iter().enumerate().map(|(id, node)| {
        let inner = id > 0;
        let chance = inner && matches!(node.key, EdgeKey::Chance(_));
        TreeRow {
            id,
            parent: inner.then_some(node.parent),
            depth: node.depth,
            edge: inner.then(|| match node.key {
                EdgeKey::Action(action) => game.format_action(action),
                EdgeKey::Chance(outcome) => game.format_chance(outcome),
            }),
            chance,
            visits: node.visits,
            mean: (inner && !chance && node.visits > 0).then(|| node.sum / f64::from(node.visits)),
            availability: node.availability,
        }
    });
    rows.collect()
}

/// The first decision of the match of a seed: what `play` and `compare` begin with.
fn start<P: Plugin>(game: &P, seed: u64) -> Result<Position<P>> {
    let seeds = MatchSeeds::new(seed);
    let mut state = game.initial_state(&mut seeds.deal(0).stream());
    for ordinal in 0..=u64::from(game.max_turns()) {
        match game.turn(&state) {
            Turn::Chance => {
                let mut rng = seeds.chance(0, ordinal).stream();
                let outcome = game.sample_chance(&state, &mut rng);
                game.apply_chance(&mut state, outcome);
            }
            Turn::Player(player) => {
                let observation = game.observe(&state, player);
                return position(game, &state, player, observation);
            }
            Turn::Terminal => break,
        }
    }
    Err(Error::input(format!(
        "the match of seed {seed} ends before anybody decides; try another --seed"
    )))
}

/// An observation from its text, and a world that agrees with it.
pub(super) fn read_world<P: Plugin>(game: &P, text: &str) -> Result<(P::Observation, P::State)> {
    let observation = read_observation(game, text)?;
    let world = world(game, &observation)?;
    Ok((observation, world))
}

/// What a text says, or what stands behind a position's name from `games`.
pub(super) fn read_observation<P: Plugin>(game: &P, text: &str) -> Result<P::Observation> {
    parse_observation(game, text).map_err(|e| {
        let hint = not_a_name(game, text);
        Error::input(format!("--position: {e}{hint}"))
    })
}

/// For a text that may have been meant as a name or a file: that it is neither.
fn not_a_name<P: Plugin>(game: &P, text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./\\".contains(c);
    if !text.contains(char::is_alphabetic) || !text.chars().all(plain) {
        return String::new();
    }
    let positions = game.positions();
    let names: Vec<&str> = positions.iter().map(|(name, _)| *name).collect();
    let names = match names.as_slice() {
        [] => "none here".to_string(),
        names => names.join(", "),
    };
    format!("\n  nor is `{text}` a file, or the name of a position ({names})")
}

/// The same with the game's own words about what is wrong.
pub(super) fn parse_observation<P: Plugin>(
    game: &P,
    text: &str,
) -> Result<P::Observation, PluginError> {
    let positions = game.positions();
    let named = positions.iter().find(|(name, _)| *name == text);
    game.parse_observation(named.map_or(text, |(_, text)| text.as_str()))
}

/// A world that agrees with an observation.
pub(super) fn world<P: Plugin>(game: &P, observation: &P::Observation) -> Result<P::State> {
    let determinizer = game.determinizer();
    let plan = determinizer
        .plan(game, observation)
        .map_err(|e| Error::input(format!("--position: {e}")))?;
    let mut world = determinizer.scratch(game, observation, &plan);
    let mut rng = Seed(0).child("position").stream();
    determinizer.sample(game, observation, &plan, &mut rng, &mut world);
    Ok(world)
}

/// A position from its text. Who is to move and what is legal is read off a world that agrees with
/// it: both are the same in all of them.
fn read_position<P: Plugin>(game: &P, text: &str) -> Result<Position<P>> {
    let (observation, world) = read_world(game, text)?;
    match game.turn(&world) {
        Turn::Player(player) => {
            let seen = game.observe(&world, player);
            let (theirs, given) = (
                game.format_observation(&seen),
                game.format_observation(&observation),
            );
            if theirs != given {
                return Err(Error::input(format!(
                    "--position: seat {} is to move there, and this is not what that player sees; \
                     give the position as the player to move sees it",
                    player.index() + 1
                )));
            }
            position(game, &world, player, observation)
        }
        Turn::Chance => Err(Error::input(
            "--position: chance is to move there, not a player; give the position after that, \
             with what was drawn (the dice, say)",
        )),
        Turn::Terminal => Err(Error::input(
            "--position: the game is over there, nothing to decide",
        )),
    }
}

fn position<P: Plugin>(
    game: &P,
    world: &P::State,
    player: Player,
    observation: P::Observation,
) -> Result<Position<P>> {
    let mut legal = Vec::new();
    game.legal_actions(world, &mut legal);
    if legal.is_empty() {
        return Err(Error::Failed(format!(
            "{player:?} is to move and has no legal action: the rules of the game are broken"
        )));
    }
    Ok(Position {
        player,
        observation,
        legal,
    })
}

fn candidates<P: Plugin>(
    game: &P,
    observation: &P::Observation,
    decision: Decision<P::Action>,
) -> Vec<CandidateRow> {
    let finite = |x: f64| x.is_finite().then_some(x);
    let mut rows: Vec<CandidateRow> = decision
        .candidates
        .into_iter()
        .map(|c| CandidateRow {
            action: game.format_action(c.action),
            description: game.describe_action(observation, c.action),
            visits: c.visits,
            mean: finite(c.mean),
            win: finite(c.mean).and_then(|mean| game.win_probability(mean)),
            standard_error: finite(c.std_error),
            availability: c.availability,
            policy: c.policy,
            versus_chosen: c.versus_chosen.map(|d| d.mean),
            versus_chosen_error: c.versus_chosen.and_then(|d| finite(d.std_error)),
        })
        .collect();
    // Stable: equals stay in the order of the actions.
    let mean = |row: &CandidateRow| row.mean.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| {
        let visits = b.visits.cmp(&a.visits);
        visits.then_with(|| mean(b).total_cmp(&mean(a)))
    });
    rows
}

fn effort<A>(decision: &Decision<A>) -> EffortRow {
    let e = &decision.effort;
    EffortRow {
        simulations: e.simulations,
        edges: e.edges,
        bytes: e.bytes,
        depth: e.depth,
        worlds: e.worlds,
        effective_sample_size: e.effective_sample_size,
        flattened_weights: e.flattened_weights,
        truncated_rollouts: e.truncated_rollouts,
        refused_expansions: e.refused_expansions,
        unusable_priors: e.unusable_priors,
        failed_redeals: e.failed_redeals,
        lost_expansions: e.lost_expansions,
        inherited: e.inherited,
        stop: match e.stop {
            StopReason::Simulations => "simulations",
            StopReason::Time => "time",
            StopReason::Cancelled => "cancelled",
            StopReason::Settled => "settled",
            StopReason::Depth => "depth",
        },
    }
}
