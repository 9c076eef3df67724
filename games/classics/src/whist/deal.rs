//! Worlds of whist: [`WhistDeals`].

use rand::Rng;
use search_core::dealing::{Plan, Problem};
use search_core::observation::{Contradiction, Determinizer, LogWeight};

use super::{PLAYERS, Suit, Whist, WhistState, WhistView};

/// Seats that are not the observer's.
const OTHERS: usize = PLAYERS - 1;

/// Deals the unseen cards to the others, each as many as it must hold and none of a suit that it has shown
/// not to have: every such deal with the same probability. Nothing more is read into what was played.
///
/// Without voids that is two splits of a bit set; with voids, the exact dealing of
/// [`search_core::dealing`], with a table if they are not nested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WhistDeals;

/// The deals of one observation.
#[derive(Debug, Clone)]
pub struct WhistPlan {
    /// Bin `b` is the seat `b + 1` places after the observer.
    deals: Plan,
}

impl WhistPlan {
    /// How many deals there are.
    #[must_use]
    pub const fn count(&self) -> Option<u128> {
        self.deals.count()
    }
}

impl Determinizer<Whist> for WhistDeals {
    type Plan = WhistPlan;

    fn plan(&self, _: &Whist, view: &WhistView) -> Result<WhistPlan, Contradiction> {
        let seats = [1, 2, 3].map(|after| (view.player.index() + after) % PLAYERS);
        let mut problem = Problem::new(view.unseen(), &seats.map(|seat| view.table.left(seat)))?;
        for (bin, &seat) in seats.iter().enumerate() {
            for suit in Suit::ALL {
                if view.table.is_void(seat, suit) {
                    problem.forbid(suit.mask(), 1 << bin)?;
                }
            }
        }
        Ok(WhistPlan {
            deals: problem.plan()?,
        })
    }

    fn scratch(&self, _: &Whist, view: &WhistView, _: &WhistPlan) -> WhistState {
        WhistState {
            hands: [0; PLAYERS],
            table: view.table,
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Whist,
        view: &WhistView,
        plan: &WhistPlan,
        rng: &mut R,
        world: &mut WhistState,
    ) -> LogWeight {
        let mut others = [0; OTHERS];
        plan.deals.deal(rng, &mut others);
        let me = view.player.index();
        world.hands[me % PLAYERS] = view.hand;
        for (after, hand) in others.into_iter().enumerate() {
            world.hands[(me + after + 1) % PLAYERS] = hand;
        }
        world.table = view.table;
        0.0
    }
}
