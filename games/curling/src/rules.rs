//! The rules around a shot: the score of an end and the free guard zone.

use crate::board::{Board, Team, in_house};
use crate::geometry::{HOUSE_RADIUS, STONE_RADIUS, TEE};
use crate::options::Zone;

/// Who scores in an end that is over and how much; `None` for a blank end. The team of the stone
/// nearest to the tee counts its stones nearer than the other's best; two best stones at exactly the
/// same distance score for nobody.
#[must_use]
pub fn score(board: &Board) -> Option<(Team, u8)> {
    let nearest = |team| {
        board
            .of(team)
            .filter(|(_, p)| in_house(*p))
            .map(|(_, p)| p.from_tee())
            .fold(f64::INFINITY, f64::min)
    };
    let best = Team::BOTH.map(nearest);
    let team = match best[0].partial_cmp(&best[1])? {
        std::cmp::Ordering::Less => Team::Team0,
        std::cmp::Ordering::Greater => Team::Team1,
        std::cmp::Ordering::Equal => return None,
    };
    let limit = best[team.opponent().index()];
    let counted = board
        .of(team)
        .filter(|(_, p)| in_house(*p) && p.from_tee() < limit)
        .count();
    Some((team, counted as u8))
}

/// The stones of `team` in the free guard zone, one bit each: wholly in front of the tee line and not
/// touching the house.
#[must_use]
pub fn guards(board: &Board, team: Team) -> u16 {
    board
        .of(team)
        .filter(|(_, p)| {
            f64::from(p.y) + STONE_RADIUS < TEE && p.from_tee() >= HOUSE_RADIUS + STONE_RADIUS
        })
        .fold(0, |mask, (stone, _)| mask | 1 << stone.index())
}

/// Whether the shot that is number `shot` of its end, from 0, broke the free guard zone: an
/// opponent's guard that was there before is out of play after it.
#[must_use]
pub fn zone_broken(zone: Zone, shot: u8, thrower: Team, before: &Board, after: &Board) -> bool {
    let protected = match zone {
        Zone::Five => shot < 5,
        Zone::Four => shot < 4,
        Zone::None => false,
    };
    protected && guards(before, thrower.opponent()) & !after.mask() != 0
}
