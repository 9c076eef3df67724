//! Every named shot does what it says when it is thrown without noise.

use curling::geometry::{CONTACT, TEE};
use curling::physics::{Contact, Recorder};
use curling::shots::named::{HIT, PEEL};
use curling::shots::{Carrier, Shot, describe};
use curling::{
    Action, Board, Curling, CurlingOptions, Ice, Point, Simulator, Spin, State, Stone, Team,
};

fn game(ice: Ice) -> Curling {
    Curling::new(CurlingOptions {
        ice,
        ..CurlingOptions::default()
    })
    .expect("the defaults are in range")
}

const ICES: [Ice; 2] = [Ice::Fast, Ice::Uec];

/// Late in an end, so that no free guard zone holds; team 0 throws.
fn state(stones: &[(Stone, f32, f32)]) -> State {
    let mut state = State::start(Team::Team1);
    state.shot = 14;
    for &(stone, x, before_tee) in stones {
        state
            .board
            .put(stone, Point::new(x, TEE as f32 - before_tee));
    }
    state
}

fn theirs(throw: usize) -> Stone {
    Stone::of(Team::Team1, throw)
}

fn ours(throw: usize) -> Stone {
    Stone::of(Team::Team0, throw)
}

fn thrown(game: &Curling, state: &State, shot: Shot, spin: Spin) -> Board {
    let release = shot.release(game, state, spin);
    let release = release.unwrap_or_else(|| panic!("{shot} cannot be thrown"));
    // As an action holds it.
    let release = Action::shot(release).release().expect("a shot");
    game.throw(state, release, &mut ()).0
}

#[test]
fn a_draw_stops_within_two_centimetres_of_its_aim() {
    for ice in ICES {
        let game = game(ice);
        let state = state(&[]);
        for x in [-1.5_f32, -0.4, 0.0, 0.9] {
            for before in [-1.2_f32, 0.0, 2.2, 4.5] {
                let to = Point::new(x, TEE as f32 - before);
                for spin in Spin::BOTH {
                    let board = thrown(&game, &state, Shot::Draw { to }, spin);
                    let at = board.get(ours(7)).expect("it stays in play");
                    assert!(at.distance(to) < 0.02, "{ice:?} {to:?} {at:?}");
                }
            }
        }
    }
}

#[test]
fn the_table_of_paths_aims_as_the_model_does() {
    for ice in ICES {
        let game = game(ice);
        for x in [-1.7_f32, -0.3, 0.0, 1.1] {
            for weight in [0.0, 0.4, 1.5, 2.6].map(|weight| game.paths().held(weight)) {
                for spin in Spin::BOTH {
                    let to = Point::new(x, TEE as f32 - 0.7);
                    let aim = game.paths().aim(to, weight, spin).expect("in range");
                    let speed = weight * game.paths().unit();
                    let model = game.model();
                    let exact = if weight == 0.0 {
                        model.stop_at(to, spin)
                    } else {
                        model.pass_through(to, speed, spin)
                    };
                    let exact = exact.expect("in range");
                    assert!((aim.speed - exact.speed()).abs() < 1e-4 * exact.speed());
                    let off = (aim.angle - exact.angle()).abs();
                    assert!(off < 2e-5, "{ice:?} {x} {weight} {spin:?}: {off} rad");
                }
            }
        }
    }
}

#[test]
fn a_take_out_removes_its_stone_at_every_offset() {
    for ice in ICES {
        let game = game(ice);
        for (x, before) in [(0.0_f32, 0.0_f32), (-1.2, 0.5), (1.3, -0.4), (0.3, 3.0)] {
            let state = state(&[(theirs(2), x, before)]);
            for offset in [-0.6, -0.3, 0.0, 0.3, 0.6] {
                for weight in [HIT, PEEL] {
                    for spin in Spin::BOTH {
                        let stone = theirs(2);
                        let shot = Shot::TakeOut {
                            stone,
                            weight,
                            offset,
                        };
                        let board = thrown(&game, &state, shot, spin);
                        assert!(board.get(stone).is_none(), "{ice:?} {shot} {spin:?}");
                    }
                }
            }
        }
    }
}

#[derive(Default)]
struct First(Option<Contact>);

impl Recorder for First {
    fn contact(&mut self, contact: &Contact) {
        self.0.get_or_insert(*contact);
    }
}

/// The offset as the simulator sees it: where the thrown stone is when they meet.
#[test]
fn a_take_out_meets_its_stone_at_the_offset_asked_for() {
    for ice in ICES {
        let game = game(ice);
        let state = state(&[(theirs(0), 0.6, 0.2)]);
        for offset in [-0.7, -0.2, 0.0, 0.5] {
            for weight in [0.7, HIT, PEEL] {
                for spin in Spin::BOTH {
                    let shot = Shot::TakeOut {
                        stone: theirs(0),
                        weight,
                        offset,
                    };
                    let release = shot.release(&game, &state, spin).expect("it can be thrown");
                    let mut first = First::default();
                    game.throw(&state, release, &mut first);
                    let contact = first.0.expect("they meet");
                    let i = usize::from(contact.stones[0] != ours(7));
                    let (p, q) = (contact.places[i], contact.places[1 - i]);
                    let [vx, vy, _] = contact.before[i];
                    let speed = (vx * vx + vy * vy).sqrt();
                    let right = ((p[0] - q[0]) * vy - (p[1] - q[1]) * vx) / speed / CONTACT;
                    assert!((right - offset).abs() < 0.03, "{ice:?} {shot}: {right}");
                    let left = speed / game.paths().unit();
                    let weight = game.paths().held(weight);
                    assert!((left - weight).abs() < 0.05, "{ice:?} {shot}: {left} m/s");
                }
            }
        }
    }
}

/// Directions after contact by the closed form against the simulator, within three degrees.
#[test]
fn stones_leave_a_contact_as_the_closed_form_says() {
    let game = game(Ice::Fast);
    let state = state(&[(theirs(0), -0.3, 0.4)]);
    for offset in [-0.8, -0.4, 0.1, 0.6] {
        for spin in Spin::BOTH {
            let shot = Shot::TakeOut {
                stone: theirs(0),
                weight: HIT,
                offset,
            };
            let release = shot.release(&game, &state, spin).expect("it can be thrown");
            let mut first = First::default();
            game.throw(&state, release, &mut first);
            let contact = first.0.expect("they meet");
            let i = usize::from(contact.stones[0] != ours(7));
            let [vx, vy, _] = contact.before[i];
            let [sx, sy, _] = contact.after[1 - i];
            let seen = (sx * vy - sy * vx).atan2(sx * vx + sy * vy);
            let way = curling::shots::aim::after(offset, game.paths().slip(HIT, spin)).struck;
            let told = way.1.atan2(way.0);
            assert!(
                (seen - told).abs() < 0.05,
                "{offset} {spin:?}: {seen} {told}"
            );
        }
    }
}

#[test]
fn a_freeze_ends_within_five_centimetres_of_the_stone() {
    for ice in ICES {
        let game = game(ice);
        for (x, before) in [(0.0_f32, 0.0_f32), (-0.9, 0.6), (0.7, -0.8)] {
            let state = state(&[(theirs(1), x, before)]);
            let stone = state.board.get(theirs(1)).expect("it lies there");
            for side in [-0.8, 0.0, 0.8] {
                for spin in Spin::BOTH {
                    let shot = Shot::Freeze {
                        on: theirs(1),
                        side,
                    };
                    let board = thrown(&game, &state, shot, spin);
                    let at = board.get(ours(7)).expect("it stays in play");
                    let gap = at.distance(stone) - CONTACT;
                    assert!(
                        (-0.005..0.05).contains(&gap),
                        "{ice:?} {side} {spin:?}: {gap}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_double_removes_both_stones() {
    let boards = [
        // One behind the other at an angle: the struck stone goes on.
        (
            [(theirs(0), -0.2, 0.9), (theirs(1), 0.2, -0.2)],
            Carrier::Struck,
        ),
        (
            [(theirs(0), 0.5, 0.6), (theirs(1), 0.4, -0.8)],
            Carrier::Struck,
        ),
        // Side by side: the thrown stone rolls across.
        (
            [(theirs(0), -0.5, 0.3), (theirs(1), 0.5, 0.0)],
            Carrier::Thrown,
        ),
        (
            [(theirs(0), 0.6, 0.2), (theirs(1), -0.3, -0.2)],
            Carrier::Thrown,
        ),
    ];
    // The hardest hit on the ice of UEC leaves too little to remove both of these stones.
    for ice in [Ice::Fast] {
        let game = game(ice);
        for (stones, by) in boards {
            let state = state(&stones);
            for spin in Spin::BOTH {
                let shot = Shot::Double {
                    first: theirs(0),
                    second: theirs(1),
                    by,
                };
                let board = thrown(&game, &state, shot, spin);
                let left = board.of(Team::Team1).count();
                assert_eq!(left, 0, "{ice:?} {stones:?} {spin:?}");
            }
        }
    }
}

#[test]
fn a_raise_brings_its_stone_to_the_place() {
    for ice in ICES {
        let game = game(ice);
        for x in [-0.3_f32, 0.0, 0.25] {
            let state = state(&[(ours(0), x, 2.3)]);
            for spin in Spin::BOTH {
                let shot = Shot::Raise {
                    stone: ours(0),
                    to: Point::TEE,
                };
                let board = thrown(&game, &state, shot, spin);
                let at = board.get(ours(0)).expect("it stays in play");
                assert!(at.from_tee() < 0.1, "{ice:?} {x} {spin:?}: {at:?}");
            }
        }
    }
}

#[test]
fn a_come_around_ends_behind_its_guard_by_one_spin_at_least() {
    // Stones on the ice of UEC curl less: there the place is half covered.
    for (ice, aside) in [(Ice::Fast, 0.0), (Ice::Uec, 0.15)] {
        let game = game(ice);
        let state = state(&[(theirs(0), 0.1, 3.0)]);
        let guard = state.board.get(theirs(0)).expect("it lies there");
        let to = Point::new(0.1 + aside, TEE as f32);
        let shot = Shot::ComeAround {
            guard: theirs(0),
            to,
        };
        let open = Spin::BOTH.into_iter().filter(|spin| {
            let aim = shot
                .aim(game.paths(), &state.board, *spin)
                .expect("in range");
            let clear = game.is_open(&state.board, &shot, &aim);
            let board = thrown(&game, &state, shot, *spin);
            let at = board.get(ours(7));
            let arrived = at.is_some_and(|at| at.distance(to) < 0.02);
            assert_eq!(clear, arrived, "{ice:?} {spin:?}");
            assert!(!clear || board.get(theirs(0)).is_some_and(|p| p == guard));
            clear
        });
        assert!(open.count() > 0, "{ice:?}");
    }
}

/// Clearance against the throw itself: guards all over the way of a draw.
#[test]
fn a_way_is_open_exactly_when_the_throw_touches_nothing() {
    for ice in ICES {
        let game = game(ice);
        let shot = Shot::Draw { to: Point::TEE };
        let (mut open, mut closed) = (0, 0);
        for i in 0..60_u8 {
            let x = f32::from(i % 12) * 0.12 - 0.66;
            let before = f32::from(i / 12) * 1.1 + 0.5;
            let state = state(&[(theirs(0), x, before)]);
            for spin in Spin::BOTH {
                let aim = shot
                    .aim(game.paths(), &state.board, spin)
                    .expect("in range");
                let clear = game.paths().clearance(&aim, &state.board, 0);
                let (_, delivered, _) = game.throw(&state, aim.release(), &mut ());
                if clear.abs() > 0.01 {
                    assert_eq!(clear > 0.0, delivered.contacts == 0, "{ice:?} {x} {before}");
                }
                open += i32::from(clear > 0.0);
                closed += i32::from(clear <= 0.0);
            }
        }
        assert!(open > 10 && closed > 10);
    }
}

#[test]
fn a_hit_and_roll_removes_the_stone_and_stays_near_its_place() {
    let game = game(Ice::Fast);
    let state = state(&[(theirs(0), 0.9, 0.2)]);
    let to = Point::new(-0.4, TEE as f32 + 0.3);
    for spin in Spin::BOTH {
        let stone = theirs(0);
        let board = thrown(&game, &state, Shot::HitAndRoll { stone, to }, spin);
        assert!(board.get(stone).is_none());
        let at = board.get(ours(7)).expect("it stays in play");
        assert!(at.distance(to) < 0.35, "{spin:?}: {at:?}");
    }
}

#[test]
fn a_tick_moves_a_guard_aside_and_keeps_it_in_play() {
    let game = game(Ice::Fast);
    let state = state(&[(theirs(0), 0.0, 3.4)]);
    for side in [-1.0, 1.0] {
        for spin in Spin::BOTH {
            let stone = theirs(0);
            let board = thrown(&game, &state, Shot::Tick { stone, side }, spin);
            let at = board.get(stone).expect("it stays in play");
            assert!(f64::from(at.x) * side < -0.4, "{side} {spin:?}: {at:?}");
        }
    }
}

#[test]
fn shots_are_named_and_described_in_one_short_line() {
    let game = game(Ice::Fast);
    let state = state(&[
        (theirs(2), 0.0, 0.3),
        (theirs(5), 1.0, -0.2),
        (ours(3), -1.5, 0.2),
        (ours(4), 0.2, 3.1),
    ]);
    let hit = Shot::TakeOut {
        stone: theirs(5),
        weight: HIT,
        offset: -0.5,
    };
    assert_eq!(
        hit.to_string(),
        "take out #6 of team 1 (1.5 m/s left, half left)"
    );
    assert_eq!(
        Shot::Draw { to: Point::TEE }.to_string(),
        "draw to the button"
    );
    let guard = Shot::Guard {
        of: None,
        distance: 2.1,
    };
    assert_eq!(guard.to_string(), "guard 2.1 m before the tee");
    let mut all = Vec::new();
    curling::candidates::candidates(&game, &state, &mut all);
    for action in all.into_iter().chain([Action::CONCEDE]) {
        let text = describe(&game, &state, action);
        assert!(!text.is_empty() && text.chars().count() <= 48, "{text}");
    }
    let text = |shot: Shot| {
        let release = shot
            .release(&game, &state, Spin::Cw)
            .expect("it can be thrown");
        describe(&game, &state, Action::shot(release))
    };
    assert!(
        text(hit).starts_with("takes out #6 of team 1"),
        "{}",
        text(hit)
    );
    let aside = Shot::Draw {
        to: Point::new(-0.5, TEE as f32 + 0.9),
    };
    assert_eq!(text(aside), "draw to the 8-foot, 0.5 m left");
    let gone = Shot::Through { x: 0.8 };
    let empty = State::start(Team::Team1);
    let release = gone
        .release(&game, &empty, Spin::Cw)
        .expect("it can be thrown");
    let told = describe(&game, &empty, Action::shot(release));
    assert_eq!(told, "through the house");
}

#[test]
fn a_shot_in_a_mirror_is_the_mirrored_shot() {
    let game = game(Ice::Fast);
    let state = state(&[
        (theirs(2), 0.31, 0.3),
        (theirs(5), 1.0, -0.2),
        (ours(4), -0.2, 3.1),
    ]);
    let mirrored = state.board.mirrored();
    curling::candidates::named_shots(&game, &state, |shot, aim| {
        let other = shot
            .mirrored()
            .aim(game.paths(), &mirrored, aim.spin.opposite())
            .expect("as here");
        assert_eq!(
            Action::shot(other.release()),
            Action::shot(aim.release()).mirrored(),
            "{shot}"
        );
    });
}

/// A stone at the height of the tee and at the side of the house guards nothing.
#[test]
fn a_stone_beside_the_house_is_no_guard() {
    let game = game(Ice::Fast);
    let aside = game
        .model()
        .stop_at(Point::new(-2.1, TEE as f32 - 0.2), Spin::Ccw);
    let aside = Action::shot(aside.expect("a place on the sheet"));
    let name = describe(&game, &state(&[]), aside);
    assert_eq!(name, "draw beside the house, 2.1 m left");
    let guard = game
        .model()
        .stop_at(Point::new(-1.2, TEE as f32 - 2.2), Spin::Ccw);
    let guard = Action::shot(guard.expect("a place on the sheet"));
    assert!(describe(&game, &state(&[]), guard).starts_with("guard 2.2 m"));
}
