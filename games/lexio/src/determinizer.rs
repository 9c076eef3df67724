//! From an observation to worlds: the unseen tiles dealt to the other hands, each way of dealing
//! them as likely as any other.
//!
//! Under every rule of this crate a pass proves nothing, because one may always pass. What is
//! known of a hidden hand is its size, and who holds the cloud 3 if the round was led for it.

use rand::Rng;
use search_core::game::Player;
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::Draw;

use crate::consistency;
use crate::observation::Observation;
use crate::rules::{Lexio, MAX_SEATS};
use crate::set::Tiles;
use crate::state::State;
use crate::tile::Tile;

/// Deals the unseen tiles uniformly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UniformDeal;

/// What is computed once a decision.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The world without the hidden tiles: known tiles are in their hands.
    known: State,
    /// The hidden tiles that may be in any hand with room; the first `hidden` count.
    tiles: [Tile; 60],
    hidden: usize,
    /// How many of them each seat holds.
    room: [u8; MAX_SEATS],
}

impl Plan {
    /// Adds the hidden tiles to the hands of `known`: every deal is equally likely.
    ///
    /// Sequential drawing without replacement into fixed room, which is exact because any hidden
    /// tile may be in any hand. The last hand takes what is left.
    #[inline]
    fn fill<R: Rng + ?Sized>(&self, rng: &mut R, hands: &mut [Tiles; MAX_SEATS]) {
        let mut tiles = self.tiles;
        let mut left = self.hidden;
        for (hand, &room) in hands.iter_mut().zip(&self.room) {
            let room = usize::from(room);
            if room == left {
                *hand |= tiles[..left].iter().copied().collect();
                return;
            }
            for _ in 0..room {
                let drawn = rng.below(left as u32) as usize;
                hand.insert(tiles[drawn]);
                left -= 1;
                tiles[drawn] = tiles[left];
            }
        }
    }
}

impl Determinizer<Lexio> for UniformDeal {
    type Plan = Plan;

    fn plan(&self, game: &Lexio, observation: &Observation) -> Result<Plan, Contradiction> {
        consistency::check(game, observation)?;
        let me = usize::from(observation.me);
        let mut known = State {
            hands: [Tiles::EMPTY; MAX_SEATS],
            public: observation.public,
        };
        known.hands[me] = observation.hand;
        let mut unseen = observation.unseen(game);
        let three: Tiles = [Tile::CLOUD_THREE].into_iter().collect();
        if let Some(holder) = observation.public.cloud3
            && three.is_subset_of(unseen)
        {
            known.hands[usize::from(holder)] |= three;
            unseen -= three;
        }
        let mut plan = Plan {
            known,
            tiles: [Tile::CLOUD_THREE; 60],
            hidden: unseen.len() as usize,
            room: [0; MAX_SEATS],
        };
        for (place, tile) in plan.tiles.iter_mut().zip(unseen) {
            *place = tile;
        }
        for seat in 0..game.seats() {
            let held = known.hands[seat].len() as u8;
            plan.room[seat] = observation.left(Player::new(seat)) as u8 - held;
        }
        Ok(plan)
    }

    fn scratch(&self, _: &Lexio, _: &Observation, plan: &Plan) -> State {
        plan.known
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Lexio,
        _: &Observation,
        plan: &Plan,
        rng: &mut R,
        world: &mut State,
    ) -> LogWeight {
        world.clone_from(&plan.known);
        plan.fill(rng, &mut world.hands);
        0.0
    }
}
