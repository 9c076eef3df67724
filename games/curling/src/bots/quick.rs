//! A sensible shot in a few microseconds, for rollouts: [`Quick`].

use search_core::game::Player;
use search_core::policy::{Policy, RolloutPolicy};
use search_core::rng::{Draw, SimRng};

use super::nearest;
use crate::action::Action;
use crate::board::{Point, Stone, in_house};
use crate::game::Curling;
use crate::geometry::TEE;
use crate::release::Spin;
use crate::rules::guards;
use crate::shots::named::{HIT, PEEL};
use crate::shots::{Aim, Shot};
use crate::state::{Phase, State};

/// Hits the stone of the opponent that lies shot if a way to it is open, else draws to a random place
/// near the tee or, early in an end, guards.
///
/// Throws nothing to decide. In a rollout its shot need not be one of those listed, which any shot in
/// range may be; as a player it takes the listed shot that is most like it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quick;

/// Of ten turns in which a stone may be hit, in so many it is not.
const SPARED: u32 = 1;
/// Of ten early turns without anything to hit, in so many it guards.
const GUARDED: u32 = 4;

impl Quick {
    /// The shot, listed or not; `None` where no shot is to be thrown.
    #[must_use]
    pub fn shot(game: &Curling, state: &State, rng: &mut SimRng) -> Option<Action> {
        if state.phase != Phase::Aim {
            return None;
        }
        let first = if rng.below(2) == 0 {
            Spin::Ccw
        } else {
            Spin::Cw
        };
        let spins = [first, first.opposite()];
        let aim = hit(game, state, spins, rng).or_else(|| draw(game, state, spins, rng))?;
        Some(Action::polar(aim.speed, aim.angle, aim.spin))
    }
}

/// The opponent's stone nearest to the tee, if it is nearer than every own one.
fn shot_stone(state: &State) -> Option<Stone> {
    let inside = state.board.stones().filter(|(_, p)| in_house(*p));
    let (stone, _) = inside.min_by(|a, b| a.1.from_tee().total_cmp(&b.1.from_tee()))?;
    (stone.team() != state.thrower()).then_some(stone)
}

fn hit(game: &Curling, state: &State, spins: [Spin; 2], rng: &mut SimRng) -> Option<Aim> {
    let stone = shot_stone(state)?;
    if rng.below(10) < SPARED {
        return None;
    }
    let weight = if rng.below(2) == 0 { HIT } else { PEEL };
    let shot = Shot::TakeOut {
        stone,
        weight,
        offset: 0.0,
    };
    open(game, state, shot, spins)
}

fn draw(game: &Curling, state: &State, spins: [Spin; 2], rng: &mut SimRng) -> Option<Aim> {
    let (x, y) = (rng.unit() - 0.5, rng.unit() - 0.5);
    let few = guards(&state.board, state.thrower()).count_ones() < 2;
    let early = state.shots_left() > 8;
    let to = if early && few && rng.below(10) < GUARDED {
        Point::new((1.6 * x) as f32, (TEE - 3.0 + 1.2 * y) as f32)
    } else {
        Point::new(x as f32, (TEE - 0.2 + y) as f32)
    };
    let shot = Shot::Draw { to };
    open(game, state, shot, spins).or_else(|| shot.aim(game.paths(), &state.board, spins[0]))
}

/// The shot by the first spin whose way is open.
fn open(game: &Curling, state: &State, shot: Shot, spins: [Spin; 2]) -> Option<Aim> {
    spins.into_iter().find_map(|spin| {
        let aim = shot.aim(game.paths(), &state.board, spin)?;
        game.is_open(&state.board, &shot, &aim).then_some(aim)
    })
}

impl Policy<Curling> for Quick {
    fn choose(&self, game: &Curling, state: &State, legal: &[Action], rng: &mut SimRng) -> Action {
        let wanted = Self::shot(game, state, rng);
        wanted
            .and_then(|action| nearest(legal, action))
            .unwrap_or_else(|| legal[rng.below(legal.len() as u32) as usize])
    }
}

impl RolloutPolicy<Curling> for Quick {
    fn choose_in_world(
        &self,
        game: &Curling,
        world: &State,
        _: Player,
        legal: &[Action],
        rng: &mut SimRng,
    ) -> Action {
        Self::shot(game, world, rng)
            .unwrap_or_else(|| legal[rng.below(legal.len() as u32) as usize])
    }
}
