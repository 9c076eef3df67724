//! The bots play legally, the same for the same seed, and the better ones win.

use curling::bots::quick::Quick;
use curling::bots::random::RandomLegal;
use curling::bots::strategist::Strategist;
use curling::bots::{POLICIES, policy};
use curling::geometry::TEE;
use curling::shots::describe;
use curling::{Action, Curling, CurlingOptions, Point, State, Stone, Team};
use search_core::expr::Expr;
use search_core::game::{Game, Turn};
use search_core::policy::Policy;
use search_core::rng::Seed;

fn game(ends: u8) -> Curling {
    Curling::new(CurlingOptions {
        ends,
        ..CurlingOptions::default()
    })
    .expect("in range")
}

/// The return of the first policy, which sits in seat `seat`.
fn play(
    game: &Curling,
    a: &dyn Policy<Curling>,
    b: &dyn Policy<Curling>,
    seat: usize,
    seed: u64,
) -> f64 {
    let mut rng = Seed(seed).simulation(0);
    let mut luck = Seed(seed).simulation(1);
    let mut state = game.initial_state(&mut rng);
    let mut legal = Vec::new();
    loop {
        match game.turn(&state) {
            Turn::Terminal => return game.returns(&state)[seat],
            Turn::Chance => {
                let deviation = game.sample_chance(&state, &mut luck);
                game.apply_chance(&mut state, deviation);
            }
            Turn::Player(player) => {
                game.legal_actions(&state, &mut legal);
                let policy = if player.index() == seat { a } else { b };
                let action = policy.choose(game, &state, &legal, &mut rng);
                assert!(game.accepts(&state, action));
                game.apply(&mut state, action);
            }
        }
    }
}

/// Wins less losses of `a` in matches of two ends, each seat as often.
fn lead(a: &dyn Policy<Curling>, b: &dyn Policy<Curling>, pairs: u64) -> f64 {
    let game = game(2);
    (0..2 * pairs)
        .map(|i| play(&game, a, b, (i % 2) as usize, 77 + i / 2))
        .sum()
}

#[test]
fn the_strategist_beats_chance_in_nearly_every_match() {
    let won = lead(&Strategist::default(), &RandomLegal, 20);
    assert!(won >= 36.0, "{won} of 40");
}

/// Five standard deviations above an even match.
#[test]
fn quick_beats_chance() {
    let won = lead(&Quick, &RandomLegal, 60);
    assert!(won > 5.0 * 120.0_f64.sqrt(), "{won} of 120");
}

#[test]
fn the_strategist_beats_quick() {
    let won = lead(&Strategist::default(), &Quick, 40);
    assert!(won > 5.0 * 80.0_f64.sqrt(), "{won} of 80");
}

#[test]
fn the_strategist_decides_without_chance() {
    let game = game(4);
    let mut state = State::start(Team::Team1);
    state.shot = 5;
    let stones = [(0, 0.2_f32, 0.4_f32), (8, -0.7, 0.1), (9, 0.1, 3.0)];
    for (stone, x, before) in stones {
        let place = Point::new(x, TEE as f32 - before);
        state.board.put(Stone::new(stone), place);
    }
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let bot = Strategist::default();
    let choose = |seed| bot.choose(&game, &state, &legal, &mut Seed(seed).simulation(0));
    assert_eq!(choose(1), choose(2));
}

fn decide(game: &Curling, state: &State) -> (Action, String) {
    let action = Strategist::default().shot(game, state).expect("a shot");
    (action, describe(game, state, action))
}

fn last_stone(stones: &[(usize, f32, f32)]) -> State {
    let mut state = State::start(Team::Team1);
    state.shot = 15;
    state.end = 3;
    for &(stone, x, before) in stones {
        let place = Point::new(x, TEE as f32 - before);
        state.board.put(Stone::new(stone), place);
    }
    state
}

/// With the last stone of the match, level, against an open stone in the house and none of its own:
/// the score must be its own afterwards.
#[test]
fn the_last_stone_wins_an_open_house() {
    let game = game(4);
    let state = last_stone(&[(0, 0.9, 0.6)]);
    let (action, told) = decide(&game, &state);
    let (board, _, _) = game.throw(&state, action.release().expect("a shot"), &mut ());
    let scored = curling::rules::score(&board).map(|s| s.0);
    assert_eq!(scored, Some(Team::Team1), "{told}");
}

/// With the last stone of the match and the shot stone far from the tee but its own, ahead by one:
/// nothing may be given away.
#[test]
fn a_won_end_is_not_given_away() {
    let game = game(4);
    let mut state = last_stone(&[(8, 0.4, 0.6), (0, 0.9, 0.9)]);
    state.points = [2, 2];
    let (action, told) = decide(&game, &state);
    let (board, _, _) = game.throw(&state, action.release().expect("a shot"), &mut ());
    let scored = curling::rules::score(&board).map(|s| s.0);
    assert_eq!(scored, Some(Team::Team1), "{told}");
}

#[test]
fn quick_hits_the_open_shot_stone_nine_times_in_ten() {
    let game = game(4);
    let mut state = State::start(Team::Team1);
    state.shot = 9;
    let place = Point::new(0.3, TEE as f32 - 0.2);
    state.board.put(Stone::of(Team::Team0, 1), place);
    let mut rng = Seed(5).simulation(0);
    let thrown = 200;
    let hits = (0..thrown)
        .filter(|_| {
            let action = Quick::shot(&game, &state, &mut rng).expect("a shot");
            let (board, _, _) = game.throw(&state, action.release().expect("a shot"), &mut ());
            board.get(Stone::of(Team::Team0, 1)).is_none()
        })
        .count();
    let off = (hits as f64 - 180.0).abs();
    assert!(off <= 5.0 * 18.0_f64.sqrt(), "{hits} of {thrown}");
}

#[test]
fn the_bots_choose_the_same_whatever_is_listed_and_only_what_the_game_accepts() {
    let game = game(4);
    let state = State::start(Team::Team0);
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for name in ["strategist", "quick"] {
        let expr: Expr = name.parse().expect("a name");
        let made = policy(name, &mut expr.settings()).expect("settings");
        let policy = made.expect("a policy of that name");
        assert!(!policy.reads_legal());
        let choices = [&legal[..], &legal[..1], &[]]
            .map(|list| policy.choose(&game, &state, list, &mut Seed(3).simulation(5)));
        assert!(game.accepts(&state, choices[0]), "{name}");
        assert_eq!([choices[0]; 3], choices, "{name}");
    }
}

#[test]
fn policies_are_made_by_name_and_refuse_what_is_out_of_range() {
    for (name, about) in POLICIES {
        assert!(!about.is_empty());
        let expr = Expr::word(name);
        assert!(
            matches!(policy(name, &mut expr.settings()), Ok(Some(_))),
            "{name}"
        );
    }
    let expr = Expr::word("nobody");
    assert!(matches!(policy("nobody", &mut expr.settings()), Ok(None)));
    for bad in [
        "strategist(aggression=7)",
        "strategist(finalists=0)",
        "strategist(aggression=nan)",
    ] {
        let expr: Expr = bad.parse().expect("an expression");
        assert!(policy("strategist", &mut expr.settings()).is_err(), "{bad}");
    }
}
