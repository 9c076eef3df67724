//! Several trees without room for what happens: T-BU2, counted refusal by refusal.

use crate::common::{Climb, Redeal, climb_position};
use crate::multi_observer::{keep, observing};
use search_core::budget::Budget;
use search_core::game::{Game, Player, Sight};
use search_core::rng::Seed;
use search_core::search::{Observers, Parallel, Searcher};

/// A simulation ends with the first action that one of the trees cannot remember, even where others
/// do: it would go on from a place in that tree where it is not any more. In the beginning everybody
/// plays a card in turns, so that every refusal can be counted.
#[test]
fn t_bu2_a_simulation_ends_where_one_tree_cannot_remember() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 2, 0);
    let view = game.observe(&state, Player::new(0));
    let simulations = 200;
    // The first simulation makes as many edges of its first action as fit. Each of the others is
    // refused another action, follows the first one, and is refused by the trees that lack it; with an
    // edge in every tree it goes on to the next player, who is refused as well.
    for (cap, at_first, later) in [(1, 2, 1 + 2), (2, 1, 1 + 1), (3, 0, 1 + 1)] {
        let mut search = observing(
            Observers::EachPlayer,
            keep(Parallel::Serial),
            Redeal,
            Sight::public(),
        );
        let budget = Budget::simulations(simulations).with_nodes(cap);
        let decision = search.search(&game, &view, &budget, Seed(4)).unwrap();
        let expected = at_first + later * (simulations - 1);
        assert_eq!(decision.effort.refused_expansions, expected, "{cap}");
        assert_eq!(decision.effort.depth, 1, "{cap}");
    }
}
