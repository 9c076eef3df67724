//! Trap 27: what two players do may look the same, and is not.

use crate::multi_observer::{BOTH, keep, observing};
use rand::Rng;
use search_core::budget::Budget;
use search_core::game::{ActionObservation, Game, Player, Returns, Sight, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::rng::{Draw, Seed};
use search_core::search::{Ismcts, ObservedKey, Parallel, Searcher};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::RangeInclusive;

/// Player 2 moves, then a hidden coin says whether player 0 or player 1 does, who have one action that
/// looks the same; then player 2 guesses who it was, having seen whose turn it was.
struct WhoMoved;

/// The coin, and turns so far with the guess.
#[derive(Debug, Clone, PartialEq)]
struct WhoState {
    coin: u8,
    turns: u8,
    guess: u8,
}

/// The turns so far, who is to move, and the coin once it shows.
#[derive(Debug, Clone, PartialEq)]
struct WhoView(u8, Turn, Option<u8>);

impl Game for WhoMoved {
    type State = WhoState;
    type Action = u8;
    type Chance = Infallible;
    type Observation = WhoView;

    fn num_players(&self) -> usize {
        3
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> WhoState {
        WhoState {
            coin: rng.below(2) as u8,
            turns: 0,
            guess: 0,
        }
    }

    fn turn(&self, s: &WhoState) -> Turn {
        match s.turns {
            1 => Turn::Player(Player::new(usize::from(s.coin))),
            3 => Turn::Terminal,
            _ => Turn::Player(Player::new(2)),
        }
    }

    fn legal_actions(&self, s: &WhoState, out: &mut Vec<u8>) {
        out.clear();
        match s.turns {
            0 | 1 => out.push(0),
            2 => out.extend([0, 1]),
            _ => {}
        }
    }

    fn apply(&self, s: &mut WhoState, action: u8) {
        s.turns += 1;
        s.guess = action;
    }

    fn returns(&self, s: &WhoState) -> Returns {
        let right = f64::from(u8::from(s.guess == s.coin));
        Returns::from_slice(&[0.0, 0.0, right])
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }

    fn observe(&self, s: &WhoState, _: Player) -> WhoView {
        WhoView(s.turns, self.turn(s), (s.turns > 0).then_some(s.coin))
    }
}

impl ActionObservation for WhoMoved {
    fn observe_action(&self, _: &WhoState, action: u8, _: Player) -> u64 {
        u64::from(action)
    }

    fn observe_chance(&self, _: &WhoState, outcome: Infallible, _: Player) -> u64 {
        match outcome {}
    }
}

#[derive(Clone, Copy)]
struct Coin;

impl Determinizer<WhoMoved> for Coin {
    type Plan = ();

    fn plan(&self, _: &WhoMoved, _: &WhoView) -> Result<(), Contradiction> {
        Ok(())
    }

    fn scratch(&self, game: &WhoMoved, _: &WhoView, (): &()) -> WhoState {
        game.initial_state(&mut Seed(0).stream())
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &WhoMoved,
        view: &WhoView,
        (): &(),
        rng: &mut R,
        world: &mut WhoState,
    ) -> f64 {
        world.turns = view.0;
        world.coin = view.2.unwrap_or_else(|| rng.below(2) as u8);
        0.0
    }
}

/// Trap 27: a peer's nodes lacked the player, so equal texts of two players shared one.
#[test]
fn equal_tokens_of_two_players_are_two_edges() {
    for observers in BOTH {
        let settings = keep(Parallel::Serial);
        let mut search = observing(observers, settings, Coin, Sight::of_game());
        let start = WhoView(0, Turn::Player(Player::new(2)), None);
        let decision = search
            .search(&WhoMoved, &start, &Budget::simulations(4_000), Seed(1))
            .unwrap();
        let value = decision.chosen().mean;
        assert!(value > 0.95, "{observers:?}: {value}");
        let trees = search.trees().unwrap();
        let by: BTreeSet<usize> = trees
            .nodes
            .iter()
            .filter_map(|node| match node.key {
                ObservedKey::Seen { by, token: 0 } => Some(by.index()),
                _ => None,
            })
            .collect();
        assert!(by.contains(&0) && by.contains(&1));
    }
    // Whose tree forgets who moved can only guess.
    let start = WhoView(0, Turn::Player(Player::new(2)), None);
    let so = Ismcts::new(keep(Parallel::Serial), Coin)
        .search(&WhoMoved, &start, &Budget::simulations(4_000), Seed(1))
        .unwrap();
    assert!(so.chosen().mean < 0.6, "{}", so.chosen().mean);
}
