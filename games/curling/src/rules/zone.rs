//! The free guard zone and its relatives.

use crate::board::{Board, Point, Team};
use crate::geometry::{HOUSE_RADIUS, STONE_RADIUS, TEE};
use crate::options::Zone;

/// Shots of an end in which a guard on the centre line is protected.
const NO_TICK_SHOTS: u8 = 5;
/// Shots of an end of mixed doubles in which nothing may be taken out.
const EARLY_SHOTS: u8 = 3;

/// The stones of `team` in the free guard zone, one bit each: wholly in front of the tee line and not
/// touching the house.
#[must_use]
pub fn guards(board: &Board, team: Team) -> u16 {
    guards_outside(board, team, HOUSE_RADIUS + STONE_RADIUS)
}

/// [`guards`] where a stone touches the house whose centre is nearer to the tee than `touching`
/// metres.
#[must_use]
pub fn guards_outside(board: &Board, team: Team, touching: f64) -> u16 {
    board
        .of(team)
        .filter(|(_, p)| f64::from(p.y) + STONE_RADIUS < TEE && p.from_tee() >= touching)
        .fold(0, |mask, (stone, _)| mask | 1 << stone.index())
}

/// Whether the shot that is number `shot` of its end, from 0, broke the free guard zone: an
/// opponent's guard that was there before is out of play after it. One that was only moved is not
/// missed, wherever it lies now.
#[must_use]
pub fn zone_broken(zone: Zone, shot: u8, thrower: Team, before: &Board, after: &Board) -> bool {
    let touching = HOUSE_RADIUS + STONE_RADIUS;
    zone_broken_outside(zone, shot, thrower, before, after, touching)
}

/// [`zone_broken`] with the house of [`guards_outside`].
#[must_use]
pub fn zone_broken_outside(
    zone: Zone,
    shot: u8,
    thrower: Team,
    before: &Board,
    after: &Board,
    touching: f64,
) -> bool {
    let protected = match zone {
        Zone::Five => shot < 5,
        Zone::Four => shot < 4,
        Zone::None => false,
    };
    protected && guards_outside(before, thrower.opponent(), touching) & !after.mask() != 0
}

/// Whether the shot ticked a guard: in the first five shots an opponent's stone in the free guard
/// zone that touched the centre line is out of play or touches it no more (Digital Curling 4,
/// `NoTickShotRule`).
#[must_use]
pub fn ticked(shot: u8, thrower: Team, before: &Board, after: &Board, touching: f64) -> bool {
    let central = |p: Point| f64::from(p.x).abs() < STONE_RADIUS;
    let guards = guards_outside(before, thrower.opponent(), touching);
    shot < NO_TICK_SHOTS
        && before
            .of(thrower.opponent())
            .filter(|(stone, p)| guards >> stone.index() & 1 == 1 && central(*p))
            .any(|(stone, _)| !after.get(stone).is_some_and(central))
}

/// Mixed doubles: whether one of the first three shots of the end took out a stone of either
/// colour, wherever it lay, the placed ones included.
#[must_use]
pub fn removed_early(shot: u8, before: &Board, after: &Board) -> bool {
    shot < EARLY_SHOTS && before.mask() & !after.mask() != 0
}
