//! From an observation to worlds: the unseen tiles dealt to the other hands, each way of dealing
//! them as likely as any other.
//!
//! Under every rule of this crate a pass proves nothing, because one may always pass. What is
//! known of a hidden hand is its size, and who holds the cloud 3 if the round was led for it.

use rand::Rng;
use search_core::dealing::{self, Problem};
use search_core::game::Player;
use search_core::observation::{Contradiction, Determinizer, LogWeight};

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
    /// The world without the hidden tiles.
    known: State,
    /// How the hidden tiles may lie.
    deals: dealing::Plan,
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
        let room: Vec<u8> = (0..game.seats())
            .map(|seat| match seat {
                _ if seat == me => 0,
                _ => observation.left(Player::new(seat)) as u8,
            })
            .collect();
        let unseen = observation.unseen(game);
        let mut problem = Problem::new(unseen.bits(), &room)?;
        let three: Tiles = [Tile::CLOUD_THREE].into_iter().collect();
        if let Some(holder) = observation.public.cloud3 {
            problem.only(three.bits(), 1 << holder)?;
        }
        let deals = problem.plan()?;
        Ok(Plan { known, deals })
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
        let mut hidden = [0; MAX_SEATS];
        plan.deals.deal(rng, &mut hidden[..plan.deals.bins()]);
        for (hand, tiles) in world.hands.iter_mut().zip(hidden) {
            *hand |= Tiles::from_bits(tiles);
        }
        0.0
    }
}
