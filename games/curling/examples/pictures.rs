//! Writes three pictures into a directory: the candidates of a position with their values, what noise
//! makes of one shot, and a whole end.
//!
//! ```sh
//! cargo run --release -p curling --example pictures -- target/pictures
//! ```
//!
//! Values are those of one step: the mean, over a few noisy throws, of the points that the end would
//! give if it were over after the shot.

use std::path::Path;

use curling::noise::Deviation;
use curling::options::Objective;
use curling::shots::describe;
use curling::svg::{self, Thrown};
use curling::{
    Action, Board, Curling, CurlingOptions, Point, Simulator, Spin, State, Stone, Team, rules,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search_core::game::Game;
use search_core::plugin::Rated;

/// Throws a candidate.
const THROWS: u32 = 400;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: pictures DIRECTORY")?;
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    let options = CurlingOptions {
        objective: Objective::Points,
        ..CurlingOptions::default()
    };
    let game = Curling::new(options)?;
    let state = position();
    let rated = one_step(&game, &state);
    // A draw around the guard to the tee, in the same position with the house open.
    let mut open = state;
    open.board = Board::EMPTY;
    open.board
        .put(Stone::of(Team::Team1, 1), Point::new(-0.35, 35.30));
    open.board
        .put(Stone::of(Team::Team1, 2), Point::new(0.50, 38.60));
    let draw = game.model().stop_at(Point::TEE, Spin::Ccw);
    let draw = Action::shot(draw.ok_or("the tee cannot be reached")?);
    let shots = greedy_end(&game);
    let name = |action| describe(&game, &state, action);
    for (file, text) in [
        (
            "candidates",
            svg::candidates_named(&game, &state, &rated, &name),
        ),
        ("cloud", svg::cloud(&game, &open, draw, 1000, 1)),
        ("end", svg::end(&game, &shots, "An end of one-step players")),
    ] {
        let path = directory.join(format!("{file}.svg"));
        std::fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The last but one shot of an end, with guards in front and stones in the house.
fn position() -> State {
    let mut state = State::start(Team::Team1);
    state.shot = 14;
    for (team, throw, x, y) in [
        (Team::Team0, 0, -0.20, 34.90),
        (Team::Team1, 1, 0.55, 35.30),
        (Team::Team1, 2, 0.12, 38.05),
        (Team::Team0, 3, -0.75, 38.30),
        (Team::Team1, 4, 1.15, 39.10),
        (Team::Team0, 5, 0.62, 37.55),
    ] {
        state.board.put(Stone::of(team, throw), Point::new(x, y));
    }
    state
}

fn points(board: &Board, team: Team) -> f64 {
    match rules::score(board) {
        None => 0.0,
        Some((best, n)) if best == team => f64::from(n),
        Some((_, n)) => -f64::from(n),
    }
}

fn one_step(game: &Curling, state: &State) -> Vec<Rated<Action>> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let rate = |action: &Action| {
        let release = action.release()?;
        // The same luck for every candidate.
        let mut rng = ChaCha8Rng::seed_from_u64(state.shot.into());
        let mut sum = 0.0;
        for _ in 0..THROWS {
            let deviation = game.noise().sample(&mut rng);
            let release = game.noise().execute(game.model(), release, deviation);
            sum += points(&game.throw(state, release, &mut ()).0, state.thrower());
        }
        Some(Rated {
            action: *action,
            value: sum / f64::from(THROWS),
            visits: THROWS.into(),
        })
    };
    legal.iter().filter_map(rate).collect()
}

/// Both sides throw the candidate of the best value, with noise.
fn greedy_end(game: &Curling) -> Vec<Thrown> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut state = State::start(Team::Team1);
    let mut shots = Vec::new();
    while state.end == 0 {
        let rated = one_step(game, &state);
        let Some(best) = rated.iter().max_by(|a, b| a.value.total_cmp(&b.value)) else {
            break;
        };
        let deviation: Deviation = game.noise().sample(&mut rng);
        shots.push(Thrown {
            before: state,
            action: best.action,
            deviation,
            name: String::new(),
        });
        game.apply(&mut state, best.action);
        game.apply_chance(&mut state, deviation);
    }
    shots
}
