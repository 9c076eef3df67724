//! The rules against boards judged by hand, a scorer by brute force, and a book kept beside.

mod common;

use common::{board, doubles, game, legal, of_ends, rng, strewn};
use curling::action::{Action, Placement};
use curling::options::{Objective, Zone};
use curling::rules::doubles::PLACED;
use curling::rules::{self, Foul};
use curling::{
    Board, Curling, CurlingOptions, Ice, Phase, Point, Spin, State, Stone, Team, Verdict,
};
use search_core::game::{Game, Player, Turn};
use search_core::rng::{Draw, Seed};

/// All stones in order of distance: the team of the first scores until the other's first.
fn by_sorting(board: &Board, limit: f64) -> Option<(Team, u8)> {
    let mut all: Vec<(f64, Team)> = board
        .stones()
        .map(|(stone, p)| {
            let (x, y) = (f64::from(p.x), f64::from(p.y) - 38.405);
            ((x * x + y * y).sqrt(), stone.team())
        })
        .filter(|(d, _)| *d < limit)
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (nearest, team) = *all.first()?;
    if all.iter().any(|(d, t)| *t != team && *d == nearest) {
        return None;
    }
    let counted = all.iter().take_while(|(_, t)| *t == team).count();
    Some((team, counted as u8))
}

#[test]
fn scores_are_those_of_a_sorted_list() {
    let (mut blank, mut most) = (0, 0);
    for i in 0..20_000 {
        let mut rng = rng("score", i);
        let stones = rng.below(17);
        let mut board = strewn(&mut rng, stones);
        if i % 5 == 0 {
            // Only one team's stones, so that more than one point is common.
            for throw in 0..8 {
                board.remove(Stone::of(Team::BOTH[i as usize / 5 % 2], throw));
            }
        }
        let scored = rules::score(&board);
        assert_eq!(scored, by_sorting(&board, 1.974), "{board:?}");
        assert_eq!(rules::score(&board.mirrored()), scored);
        blank += u32::from(scored.is_none());
        most = most.max(scored.map_or(0, |s| s.1));
    }
    assert!(blank > 500 && most > 5, "{blank} blank, at most {most}");
}

#[test]
fn the_house_ends_where_the_simulator_says() {
    let at = |d: f32| board(&[Some((d, 38.405))], &[]);
    let ice = |ice| {
        game(CurlingOptions {
            ice,
            ..CurlingOptions::default()
        })
    };
    for (d, dc3, uec) in [
        (1.973, true, true),
        (1.975, false, true),
        (1.979, false, true),
        (1.981, false, false),
    ] {
        let one = Some((Team::Team0, 1));
        assert_eq!(ice(Ice::Fcv1).score(&at(d)), one.filter(|_| dc3), "{d}");
        assert_eq!(ice(Ice::Fast).score(&at(d)), one.filter(|_| dc3), "{d}");
        assert_eq!(ice(Ice::Uec).score(&at(d)), one.filter(|_| uec), "{d}");
    }
}

#[test]
fn two_best_stones_at_one_distance_score_for_nobody() {
    let tie = board(
        &[Some((0.5, 38.0)), Some((0.0, 38.9))],
        &[Some((-0.5, 38.0))],
    );
    assert_eq!(rules::score(&tie), Some((Team::Team0, 1)));
    let tie = board(
        &[Some((0.5, 38.0)), Some((0.0, 39.9))],
        &[Some((-0.5, 38.0))],
    );
    assert_eq!(rules::score(&tie), None);
}

const GUARD: (f32, f32) = (0.1, 35.0);
const WIDE_GUARD: (f32, f32) = (1.0, 34.5);
const IN_HOUSE: (f32, f32) = (0.0, 38.0);

/// What lies in the free guard zone: the edges of the house and of the tee line.
#[test]
fn guards_lie_before_the_tee_line_and_off_the_house() {
    for (place, is_guard) in [
        (GUARD, true),
        (IN_HOUSE, false),
        ((0.0, 36.430), true),
        ((0.0, 36.432), false),
        ((2.1, 38.259), true),
        ((2.1, 38.261), false),
        ((2.1, 39.0), false),
        ((0.0, 40.37), false),
    ] {
        let one = board(&[], &[Some(place)]);
        assert_eq!(rules::guards(&one, Team::Team1) != 0, is_guard, "{place:?}");
        assert_eq!(rules::guards(&one, Team::Team0), 0);
    }
}

/// Team 0 throws; team 1 has the stones of `before`, and `after` says where they are then.
fn judged(
    options: CurlingOptions,
    shot: u8,
    before: &[Option<(f32, f32)>],
    after: &[Option<(f32, f32)>],
) -> Option<Foul> {
    let thrown = [Some((-1.0, 38.0))];
    let (before, after) = (board(&[], before), board(&thrown, after));
    let foul = rules::foul(&options, shot, Team::Team0, &before, &after);
    let mirrored = rules::foul(
        &options,
        shot,
        Team::Team0,
        &before.mirrored(),
        &after.mirrored(),
    );
    assert_eq!(foul, mirrored);
    // The thrower's own stones are never protected by these rules.
    if !options.doubles {
        assert_eq!(
            rules::foul(&options, shot, Team::Team1, &before, &after),
            None
        );
    }
    foul
}

#[test]
fn a_guard_may_be_moved_but_not_taken_out() {
    let options = |zone| CurlingOptions {
        zone,
        ..CurlingOptions::default()
    };
    let taken = |zone, shot| judged(options(zone), shot, &[Some(GUARD)], &[None]).is_some();
    for shot in 0..16 {
        assert_eq!(taken(Zone::Five, shot), shot < 5);
        assert_eq!(taken(Zone::Four, shot), shot < 4);
        assert!(!taken(Zone::None, shot));
    }
    let five = options(Zone::Five);
    let [guard, wide, house] = [GUARD, WIDE_GUARD, IN_HOUSE].map(Some);
    for (before, after, foul) in [
        // Pushed into the house, and behind it: still in play.
        (vec![guard], vec![Some((0.3, 38.6))], None),
        (vec![guard], vec![Some((0.3, 40.3))], None),
        // In the house it is free to take.
        (vec![house], vec![None], None),
        (vec![guard, house], vec![guard, None], None),
        (vec![guard, house], vec![None, house], Some(Foul::Zone)),
        (vec![guard, wide], vec![guard, None], Some(Foul::Zone)),
        (vec![guard, wide], vec![wide, guard], None),
        (vec![None, wide], vec![None, wide], None),
    ] {
        assert_eq!(
            judged(five, 4, &before, &after),
            foul,
            "{before:?} {after:?}"
        );
        assert_eq!(judged(five, 5, &before, &after), None);
    }
}

#[test]
fn no_tick_keeps_a_guard_on_the_centre_line() {
    let options = CurlingOptions {
        no_tick: true,
        ..CurlingOptions::default()
    };
    let off = Some((0.2, 35.0));
    let on = Some((-0.14, 35.3));
    let guard = Some(GUARD);
    for (before, after, foul) in [
        (guard, off, Some(Foul::Tick)),
        (guard, on, None),
        (guard, guard, None),
        // Touching the line somewhere else is enough, even in the house.
        (guard, Some((0.0, 38.4)), None),
        (guard, Some((0.1451, 35.0)), Some(Foul::Tick)),
        (guard, Some((0.1449, 35.0)), None),
        // Taken out it is the other foul, as long as that one holds.
        (guard, None, Some(Foul::Zone)),
        // Off the line it was not protected.
        (off, Some((0.5, 36.0)), None),
        (Some(IN_HOUSE), Some((0.5, 38.0)), None),
    ] {
        for shot in 0..8 {
            let expected = foul.filter(|_| shot < 5);
            assert_eq!(judged(options, shot, &[before], &[after]), expected);
            let plain = CurlingOptions::default();
            let expected = expected.filter(|f| *f == Foul::Zone);
            assert_eq!(judged(plain, shot, &[before], &[after]), expected);
        }
    }
    // Without a zone, or after its four shots, taking it out is the tick.
    let four = CurlingOptions {
        zone: Zone::Four,
        ..options
    };
    assert_eq!(judged(four, 4, &[guard], &[None]), Some(Foul::Tick));
    let none = CurlingOptions {
        zone: Zone::None,
        ..options
    };
    assert_eq!(judged(none, 0, &[guard], &[None]), Some(Foul::Tick));
}

#[test]
fn in_doubles_nothing_is_taken_out_before_the_fourth_shot() {
    let options = *doubles(8).options();
    for place in [GUARD, IN_HOUSE, (0.0, 40.3)] {
        for shot in 0..10 {
            let foul = judged(options, shot, &[Some(place)], &[None]);
            assert_eq!(foul, (shot < 3).then_some(Foul::Early));
            assert_eq!(
                judged(options, shot, &[Some(place)], &[Some((0.4, 39.0))]),
                None
            );
        }
    }
    // Nor one's own.
    let before = board(&[Some(IN_HOUSE)], &[]);
    let foul = |shot| rules::foul(&options, shot, Team::Team0, &before, &Board::EMPTY);
    assert_eq!([2, 3].map(foul), [Some(Foul::Early), None]);
    let free = CurlingOptions {
        zone: Zone::None,
        ..options
    };
    assert_eq!(judged(free, 0, &[Some(GUARD)], &[None]), None);
}

/// A shot through a guard in the first shots leaves the board as before, without the thrown stone.
#[test]
fn a_foul_restores_the_board_and_counts_the_shot() {
    let game = of_ends(8);
    let mut state = game.start();
    state.board = board(&[], &[Some((0.0, 35.0)), Some((0.9, 38.5))]);
    state.shot = 4;
    let aim = Point::new(0.0, 35.0);
    let shot = curling::Simulator::pass_through(game.model(), aim, 2.0, Spin::Ccw).unwrap();
    let (after, delivered, foul) = game.throw(&state, shot, &mut ());
    assert!(foul && delivered.contacts > 0);
    assert_eq!(after, state.board);
    let before = state;
    game.settle(&mut state, after);
    assert_eq!(
        (state.shot, state.board, state.phase),
        (5, before.board, Phase::Aim)
    );
    // One shot later the same is allowed.
    state.shot = 6;
    let (after, _, foul) = game.throw(&state, shot, &mut ());
    assert!(!foul && after.get(Stone::of(Team::Team1, 0)).is_none());
}

/// What a referee writes down of a match, from the scores of its ends alone.
#[derive(Debug, PartialEq, Clone, Copy)]
struct Book {
    points: [u16; 2],
    last: Team,
    ends: u8,
}

/// Boards of random ends, most of them with few stones, so that blank ends and ties happen.
fn random_end(index: u64) -> Board {
    let mut rng = rng("ends", index);
    let stones = rng.below(6);
    strewn(&mut rng, stones)
}

#[test]
fn the_hammer_goes_to_who_did_not_score() {
    let (mut extra, mut blank) = (0, 0);
    for i in 0..500_u64 {
        let hammer = (i % 2) as u8;
        let game = game(CurlingOptions {
            ends: 3,
            hammer,
            ..CurlingOptions::default()
        });
        let mut book = Book {
            points: [0; 2],
            last: Team::BOTH[usize::from(hammer)],
            ends: 0,
        };
        let (mut state, mut mirror) = (game.start(), game.start());
        while state.phase == Phase::Aim {
            let Turn::Player(first) = game.turn(&state) else {
                panic!("{state:?}")
            };
            assert_eq!(first.index(), book.last.opponent().index());
            let board = random_end(1000 * i + u64::from(book.ends));
            for shot in 0..16 {
                assert_eq!((state.shot, state.phase), (shot, Phase::Aim));
                let last = shot % 2 == 1;
                let thrower = if last {
                    book.last
                } else {
                    book.last.opponent()
                };
                assert_eq!(state.thrower(), thrower);
                assert_eq!(
                    game.stone(&state),
                    Stone::of(thrower, usize::from(shot) / 2)
                );
                game.settle(&mut state, board);
                game.settle(&mut mirror, board.mirrored());
            }
            match by_sorting(&board, 1.974) {
                Some((team, points)) => {
                    book.points[team.index()] += u16::from(points);
                    book.last = team.opponent();
                }
                None => blank += 1,
            }
            book.ends += 1;
            let kept = Book {
                points: state.points,
                last: state.hammer,
                ends: state.end,
            };
            assert_eq!(kept, book);
            assert_eq!(state, mirror.mirrored());
            let over = book.ends >= 3 && book.points[0] != book.points[1];
            assert_eq!(state.phase == Phase::Over(Verdict::Score), over);
            extra += u32::from(book.ends > 3);
        }
        let result = f64::from(state.lead(Team::Team0).signum());
        assert_eq!(game.returns(&state).of(Player::new(0)), result);
    }
    assert!(
        extra > 50 && blank > 100,
        "{extra} extra ends, {blank} blank"
    );
}

#[test]
fn a_match_of_blank_ends_is_drawn_after_255() {
    let game = of_ends(1);
    let mut state = game.start();
    let mut shots = 0;
    while state.phase == Phase::Aim {
        game.settle(&mut state, Board::EMPTY);
        shots += 1;
    }
    assert_eq!((shots, state.end), (255 * 16, 255));
    assert_eq!(state.phase, Phase::Over(Verdict::Score));
    assert_eq!(*game.returns(&state), [0.0, 0.0]);
    assert_eq!(state.hammer, Team::Team1);
}

#[test]
fn the_placed_stones_lie_where_the_pattern_says() {
    let placed = |pattern, placement, decider| {
        let game = game(CurlingOptions {
            doubles: true,
            pattern,
            hammer: decider,
            ..CurlingOptions::default()
        });
        let mut state = game.start();
        game.apply(&mut state, Action::place(placement));
        assert_eq!(
            (state.phase, state.shot, state.board.len()),
            (Phase::Aim, 0, 2)
        );
        let place = |team| {
            let p = state.board.get(Stone::of(team, PLACED)).unwrap();
            (p.x, p.y)
        };
        (
            Team::BOTH.map(place),
            state.hammer,
            state.doubles.power_play,
        )
    };
    let house = (0.0, 38.870);
    let no = [false; 2];
    use Placement::{CentreGuard, CentreHouse, PowerPlayLeft, PowerPlayRight};
    for (pattern, y, x) in [
        (0, 35.350, 1.093),
        (1, 35.060, 1.087),
        (2, 34.435, 1.073),
        (3, 34.145, 1.067),
        (4, 33.520, 1.053),
        (5, 33.230, 1.047),
    ] {
        // The stone in the house throws last, whoever decides.
        let guard = (0.0, y);
        assert_eq!(
            placed(pattern, CentreHouse, 1),
            ([guard, house], Team::Team1, no)
        );
        assert_eq!(
            placed(pattern, CentreHouse, 0),
            ([house, guard], Team::Team0, no)
        );
        assert_eq!(
            placed(pattern, CentreGuard, 1),
            ([house, guard], Team::Team0, no)
        );
        assert_eq!(
            placed(pattern, CentreGuard, 0),
            ([guard, house], Team::Team1, no)
        );
        let right = [(x, y), (1.219, 38.260)];
        let left = [(-x, y), (-1.219, 38.260)];
        let used = [false, true];
        assert_eq!(
            placed(pattern, PowerPlayRight, 1),
            (right, Team::Team1, used)
        );
        assert_eq!(placed(pattern, PowerPlayLeft, 1), (left, Team::Team1, used));
    }
}

/// Plays an end of mixed doubles in which `board` is left.
fn doubles_end(game: &Curling, state: &mut State, placement: Placement, left: Board) {
    game.apply(state, Action::place(placement));
    let hammer = state.hammer;
    for shot in 0..10 {
        let thrower = if shot % 2 == 1 {
            hammer
        } else {
            hammer.opponent()
        };
        assert_eq!((state.shot, state.thrower()), (shot, thrower));
        assert!(game.stone(state).throw() < 5);
        game.settle(state, left);
    }
}

#[test]
fn who_decides_in_doubles_is_who_did_not_score() {
    let game = doubles(8);
    let ours = board(&[Some(IN_HOUSE)], &[]);
    let theirs = board(&[], &[Some(IN_HOUSE)]);
    let mut state = game.start();
    let blank = Board::EMPTY;
    assert_eq!(state.phase, Phase::Place(Team::Team1));
    for (placement, left, decides, points) in [
        (Placement::CentreHouse, theirs, Team::Team0, [0, 1]),
        (Placement::CentreGuard, theirs, Team::Team0, [0, 2]),
        (Placement::CentreHouse, blank, Team::Team1, [0, 2]),
        (Placement::CentreGuard, blank, Team::Team0, [0, 2]),
        (Placement::PowerPlayLeft, ours, Team::Team1, [1, 2]),
        (Placement::PowerPlayRight, ours, Team::Team1, [2, 2]),
        (Placement::CentreHouse, blank, Team::Team0, [2, 2]),
        (Placement::CentreGuard, blank, Team::Team1, [2, 2]),
        (Placement::CentreHouse, theirs, Team::Team0, [2, 3]),
    ] {
        doubles_end(game, &mut state, placement, left);
        assert_eq!((state.doubles.decider, state.points), (decides, points));
        assert_eq!(state.hammer, decides);
        if state.end < 9 {
            assert_eq!(state.phase, Phase::Place(decides), "end {}", state.end);
        }
    }
    assert_eq!(state.phase, Phase::Over(Verdict::Score));
}

#[test]
fn a_power_play_is_had_once_and_in_no_extra_end() {
    let game = doubles(2);
    let names = |state: &State| legal(game, state).len();
    let mut state = game.start();
    assert_eq!(names(&state), 4);
    let theirs = board(&[], &[Some(IN_HOUSE)]);
    let ours = board(&[Some(IN_HOUSE)], &[]);
    doubles_end(game, &mut state, Placement::PowerPlayLeft, ours);
    assert_eq!((state.phase, names(&state)), (Phase::Place(Team::Team1), 2));
    assert!(!game.may_place(&state, Placement::PowerPlayRight));
    assert!(game.may_place(&state, Placement::CentreHouse));
    // The other team still has its own, but not in an extra end.
    let mut other = state;
    other.phase = Phase::Place(Team::Team0);
    other.doubles.decider = Team::Team0;
    assert_eq!(names(&other), 4);
    doubles_end(game, &mut state, Placement::CentreHouse, theirs);
    assert_eq!((state.phase, state.end), (Phase::Place(Team::Team0), 2));
    assert_eq!(names(&state), 2);
}

#[test]
fn giving_up_loses_whatever_the_points() {
    let value = |objective, points, team| {
        let game = game(CurlingOptions {
            objective,
            ..CurlingOptions::default()
        });
        let mut state = game.start();
        state.points = points;
        state.shot = 1 - u8::from(team == state.thrower());
        assert_eq!(state.thrower(), team);
        game.apply(&mut state, Action::CONCEDE);
        assert_eq!(state.phase, Phase::Over(Verdict::Conceded(team)));
        game.returns(&state).of(Player::new(0))
    };
    assert_eq!(value(Objective::Win, [5, 0], Team::Team0), -1.0);
    assert_eq!(value(Objective::Win, [0, 5], Team::Team1), 1.0);
    assert_eq!(value(Objective::Points, [5, 0], Team::Team0), -1.0);
    assert_eq!(value(Objective::Points, [0, 5], Team::Team0), -5.0);
    assert_eq!(value(Objective::Points, [2, 2], Team::Team1), 1.0);
    // In mixed doubles it is the team that decides, not the one that would throw.
    let game = doubles(8);
    let mut state = game.start();
    game.apply(&mut state, Action::CONCEDE);
    assert_eq!(state.phase, Phase::Over(Verdict::Conceded(Team::Team1)));
}

#[test]
#[should_panic = "in phase"]
fn a_placing_in_the_game_of_four_is_a_mistake() {
    let mut state = State::start(Team::Team1);
    of_ends(8).apply(&mut state, Action::place(Placement::CentreGuard));
}

#[test]
#[should_panic = "in phase"]
fn a_second_power_play_is_a_mistake() {
    let game = doubles(8);
    let mut state = game.start();
    state.doubles.power_play = [true; 2];
    game.apply(&mut state, Action::place(Placement::PowerPlayLeft));
}

#[test]
#[should_panic = "in phase"]
fn a_shot_before_the_placing_is_a_mistake() {
    let game = doubles(8);
    let mut state = game.start();
    game.apply(&mut state, Action::polar(2.4, 0.0, Spin::Cw));
}

/// A search that is cut off scores the end as the board lies.
#[test]
fn a_cut_off_scores_as_the_board_lies() {
    let win = of_ends(8);
    let mut state = win.start();
    let worth = |game: &Curling, state: &State| game.cut_off_returns(state).of(Player::new(0));
    // Seen by team 0 where team 1 has the hammer.
    let table = |ends, lead| 2.0 * (1.0 - win.win_table().hammer(ends, lead)) - 1.0;
    // Nothing has begun: what the table says, with the hammer at team 1.
    let start = table(8, 0);
    assert_eq!(worth(win, &state), start);
    // Two points for team 0: the other has the hammer, seven ends to go.
    state.shot = 7;
    state.board = board(&[Some(IN_HOUSE), Some((0.6, 38.4))], &[Some((1.2, 38.4))]);
    let after = table(7, -2);
    assert_eq!(worth(win, &state), after);
    state.phase = Phase::Throw(Action::polar(2.4, 0.0, Spin::Cw));
    assert_eq!(worth(win, &state), after);
    // In the last end it is the result, unless it is level.
    state.end = 7;
    assert_eq!(worth(win, &state), 1.0);
    state.points = [1, 3];
    assert_eq!(worth(win, &state), table(0, 0));
    let points = game(CurlingOptions {
        objective: Objective::Points,
        ..CurlingOptions::default()
    });
    assert_eq!(worth(points, &state), 0.0);
    state.points = [1, 7];
    assert_eq!(worth(points, &state), -4.0);
    // Mixed doubles, before the stones are placed: who decides counts as having the hammer.
    let doubles = doubles(8);
    assert_eq!(worth(doubles, &doubles.start()), start);
}

#[test]
fn a_match_for_points_has_no_extra_ends() {
    let options = |objective| CurlingOptions {
        ends: 1,
        objective,
        ..CurlingOptions::default()
    };
    for (objective, over) in [(Objective::Points, true), (Objective::Win, false)] {
        let game = Curling::new(options(objective)).expect("in range");
        let mut state = State {
            shot: 15,
            ..State::start(Team::Team1)
        };
        game.settle(&mut state, Board::EMPTY);
        assert_eq!(game.turn(&state) == Turn::Terminal, over, "{objective:?}");
    }
}

#[test]
fn shots_thrown_before_leave_a_board_that_the_seed_decides() {
    let game = Curling::new(CurlingOptions {
        thrown: 15,
        ..CurlingOptions::default()
    })
    .expect("in range");
    let start = |seed| game.initial_state(&mut Seed(seed).stream());
    assert_eq!(start(1), start(1));
    assert_ne!(start(1).board, start(2).board);
    let states: Vec<State> = (0..40).map(start).collect();
    for state in &states {
        assert_eq!((state.shot, state.end, state.phase), (15, 0, Phase::Aim));
        assert_eq!(state.board.get(game.stone(state)), None);
    }
    let stones: usize = states.iter().map(|state| state.board.len()).sum();
    assert!(stones > 80, "{stones} stones on forty boards");
}
