//! What the benches share: time on the processor, and the searches that are measured, each with
//! the ceiling it is measured against.

#![allow(dead_code, unused_imports)] // Each bench uses its part.

mod processor;

pub(crate) use processor::{Processor, criterion, processor_time};

use classics::kuhn::KuhnDeals;
use classics::leduc::LeducDeals;
use classics::whist::WhistDeals;
use classics::{ConnectFour, KuhnPoker, LeducPoker, Othello, Pig, TicTacToe, Whist};
use lexio::{Lexio, UniformDeal};
use search_core::budget::Budget;
use search_core::game::{Game, Turn};
use search_core::observation::Determinizer;
use search_core::rng::Seed;
use search_core::rollout::{LeafEvaluator, Rollout};
use search_core::search::{Chance, Ismcts, Searcher, TreeSettings, Uct};
use search_core::tree::{Boxed, Bump, Indexed, Typed};
use std::hint::black_box;

/// A search and what it cannot be faster than.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) ceiling_name: &'static str,
    /// Simulations of one search.
    pub(crate) simulations: u64,
    /// Runs the search; bytes an edge.
    pub(crate) search: Box<dyn FnMut() -> f64>,
    /// The same number of playouts, or of redeals and playouts.
    pub(crate) ceiling: Box<dyn FnMut()>,
}

/// Playouts from one state, each with the generator of its simulation.
#[inline(never)]
pub(crate) fn playouts<G: Game>(game: &G, start: &G::State, count: u64) {
    let mut world = start.clone();
    let mut legal = Vec::new();
    for i in 0..count {
        let mut rng = Seed(1).simulation(i);
        world.clone_from(start);
        black_box(Rollout::random().evaluate(game, &mut world, &mut rng, &mut legal));
    }
}

/// Worlds sampled from an observation, each played out.
#[inline(never)]
pub(crate) fn redeals<G: Game, D: Determinizer<G>>(
    game: &G,
    determinizer: &D,
    view: &G::Observation,
    count: u64,
) {
    let plan = determinizer.plan(game, view).expect("a world");
    let mut world = determinizer.scratch(game, view, &plan);
    let mut legal = Vec::new();
    for i in 0..count {
        let mut rng = Seed(1).simulation(i);
        determinizer.sample(game, view, &plan, &mut rng, &mut world);
        black_box(Rollout::random().evaluate(game, &mut world, &mut rng, &mut legal));
    }
}

/// One search; bytes an edge.
#[inline(never)]
fn run<G: Game>(
    searcher: &mut impl Searcher<G>,
    game: &G,
    view: &G::Observation,
    simulations: u64,
) -> f64 {
    let budget = Budget::simulations(simulations);
    let decision = searcher
        .search(game, view, &budget, Seed(1))
        .expect("a decision");
    decision.effort.bytes as f64 / (decision.effort.edges + 1) as f64
}

fn perfect<G, S>(name: &'static str, game: G, simulations: u64, mut searcher: S) -> Subject
where
    G: Game<Observation = <G as Game>::State> + Copy + 'static,
    S: Searcher<G> + 'static,
{
    let start = game.initial_state(&mut Seed(0).simulation(0));
    let from = start.clone();
    Subject {
        name,
        ceiling_name: "playouts",
        simulations,
        search: Box::new(move || run(&mut searcher, &game, &start, simulations)),
        ceiling: Box::new(move || playouts(&game, &from, simulations)),
    }
}

/// From the first deal of seed 0.
fn hidden<G, D>(name: &'static str, game: G, determinizer: D, simulations: u64) -> Subject
where
    G: Game + Clone + 'static,
    D: Determinizer<G> + Copy + 'static,
{
    let state = game.initial_state(&mut Seed(0).simulation(0));
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!("the deal is part of the initial state")
    };
    let view = game.observe(&state, player);
    let (other_game, other_view) = (game.clone(), view.clone());
    let mut searcher = Ismcts::new(TreeSettings::default(), determinizer);
    Subject {
        name,
        ceiling_name: "redeals-and-playouts",
        simulations,
        search: Box::new(move || run(&mut searcher, &game, &view, simulations)),
        ceiling: Box::new(move || redeals(&other_game, &determinizer, &other_view, simulations)),
    }
}

/// Every search with its ceiling; a `part`-th of the simulations of each.
pub(crate) fn subjects(part: u64) -> Vec<Subject> {
    let settings = TreeSettings::default();
    let random = Rollout::random();
    let deep = 400_000 / part;
    let four = ConnectFour;
    let mut explicit = Uct::with(settings, random, Indexed::default());
    explicit.chance = Chance::explicit();
    vec![
        perfect(
            "uct/tic-tac-toe/indexed",
            TicTacToe,
            deep,
            Uct::with(settings, random, Indexed::default()),
        ),
        perfect(
            "uct/connect-four/indexed",
            four,
            deep,
            Uct::with(settings, random, Indexed::default()),
        ),
        perfect(
            "uct/connect-four/bumpalo",
            four,
            deep,
            Uct::with(settings, random, Bump::default()),
        ),
        perfect(
            "uct/connect-four/typed-arena",
            four,
            deep,
            Uct::with(settings, random, Typed),
        ),
        perfect(
            "uct/connect-four/boxed",
            four,
            deep,
            Uct::with(settings, random, Boxed),
        ),
        perfect(
            "uct/othello/indexed",
            Othello,
            deep / 10,
            Uct::with(settings, random, Indexed::default()),
        ),
        perfect(
            "uct/pig/sampled",
            Pig::default(),
            deep,
            Uct::with(settings, random, Indexed::default()),
        ),
        perfect("uct/pig/explicit", Pig::default(), deep, explicit),
        hidden("ismcts/kuhn-poker", KuhnPoker, KuhnDeals, 3_000_000 / part),
        hidden(
            "ismcts/leduc-poker",
            LeducPoker,
            LeducDeals,
            1_500_000 / part,
        ),
        hidden("ismcts/whist", Whist::default(), WhistDeals, 200_000 / part),
        hidden("ismcts/lexio", Lexio::default(), UniformDeal, 20_000 / part),
    ]
}
