//! Who scores in an end, and how much.

use crate::board::{Board, Team};
use crate::geometry::{HOUSE_RADIUS, STONE_RADIUS};

/// Who scores in an end that is over and how much; `None` for a blank end. The team of the stone
/// nearest to the tee counts its stones nearer than the other's best; two best stones at exactly the
/// same distance score for nobody.
#[must_use]
pub fn score(board: &Board) -> Option<(Team, u8)> {
    score_within(board, HOUSE_RADIUS + STONE_RADIUS)
}

/// [`score`] where a stone counts whose centre is nearer to the tee than `limit` metres.
#[must_use]
pub fn score_within(board: &Board, limit: f64) -> Option<(Team, u8)> {
    let nearest = |team| {
        board
            .of(team)
            .map(|(_, p)| p.from_tee())
            .filter(|d| *d < limit)
            .fold(f64::INFINITY, f64::min)
    };
    let best = Team::BOTH.map(nearest);
    let team = match best[0].partial_cmp(&best[1])? {
        std::cmp::Ordering::Less => Team::Team0,
        std::cmp::Ordering::Greater => Team::Team1,
        std::cmp::Ordering::Equal => return None,
    };
    let limit = limit.min(best[team.opponent().index()]);
    let counted = board.of(team).filter(|(_, p)| p.from_tee() < limit).count();
    Some((team, counted as u8))
}
