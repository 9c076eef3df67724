//! The rules alone: playouts, legal actions where they are slowest, worlds.

#[path = "common/mod.rs"]
mod common;

use classics::{ConnectFour, Domineering, Knightthrough, Othello, Phantom, TicTacToe, Whist};
use common::{Processor, criterion, playouts};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lexio::{Lexio, State, UniformDeal};
use search_core::game::{Game, Turn};
use search_core::observation::Determinizer;
use search_core::rng::{Draw, Seed};
use std::hint::black_box;

fn start<G: Game>(game: &G) -> G::State {
    game.initial_state(&mut Seed(0).simulation(0))
}

fn games(c: &mut Criterion<Processor>) {
    playouts_of(c, "tic-tac-toe/playouts", &TicTacToe);
    playouts_of(c, "connect-four/playouts", &ConnectFour);
    playouts_of(c, "othello/playouts", &Othello);
    playouts_of(c, "whist/playouts", &Whist::default());
    playouts_of(c, "domineering/playouts", &Domineering::default());
    playouts_of(c, "knightthrough/playouts", &Knightthrough::default());
    playouts_of(c, "phantom/playouts", &Phantom::default());
    for (players, name) in [
        (3, "lexio/playouts/3"),
        (4, "lexio/playouts/4"),
        (5, "lexio/playouts/5"),
    ] {
        playouts_of(c, name, &Lexio::for_players(players).expect("a game"));
    }
}

fn playouts_of<G: Game>(c: &mut Criterion<Processor>, name: &str, game: &G) {
    let state = start(game);
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("random", |b| b.iter(|| playouts(game, &state, 1_000)));
    group.finish();
}

/// Of the states in `rounds` random rounds, the one with the most legal actions.
fn slowest(game: &Lexio, rounds: u64) -> State {
    let (mut most, mut slowest) = (0, start(game));
    let mut legal = Vec::new();
    for i in 0..rounds {
        let mut rng = Seed(3).simulation(i);
        let mut state = game.initial_state(&mut rng);
        while game.turn(&state) != Turn::Terminal {
            game.legal_actions(&state, &mut legal);
            if legal.len() > most {
                (most, slowest) = (legal.len(), state);
            }
            let action = rng.pick(&legal).expect("an action");
            game.apply(&mut state, action);
        }
    }
    slowest
}

fn lexio(c: &mut Criterion<Processor>) {
    let game = Lexio::default();
    let hard = slowest(&game, 5_000);
    let mut legal = Vec::new();
    c.bench_function("lexio/safety/slow-hand", |b| {
        b.iter(|| {
            game.legal_actions(black_box(&hard), &mut legal);
            legal.len()
        });
    });
    let state = start(&game);
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!("a player leads")
    };
    let view = game.observe(&state, player);
    c.bench_function("lexio/plan", |b| {
        b.iter(|| UniformDeal.plan(&game, black_box(&view)));
    });
    let plan = UniformDeal.plan(&game, &view).expect("a world");
    let mut world = UniformDeal.scratch(&game, &view, &plan);
    let mut i = 0;
    c.bench_function("lexio/worlds", |b| {
        b.iter(|| {
            i += 1;
            let mut rng = Seed(5).simulation(i);
            UniformDeal.sample(&game, &view, &plan, &mut rng, &mut world);
            black_box(&world);
        });
    });
}

criterion_group! { name = benches; config = criterion(); targets = games, lexio }
criterion_main!(benches);
