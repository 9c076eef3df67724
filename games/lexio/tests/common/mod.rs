//! What several test files share.
#![allow(dead_code)]

pub(crate) mod answering;

use lexio::{
    Action, DealRule, LeadRule, Lexio, Options, PassRule, SettleRule, State, StraightRule, Tiles,
    parse_tiles,
};
use search_core::game::{Game, Turn};
use search_core::rng::{Draw, SimRng};

/// The tiles of a text.
pub(crate) fn tiles(text: &str) -> Tiles {
    parse_tiles(text).unwrap()
}

/// The play of a text.
pub(crate) fn action(text: &str) -> Action {
    Action::from_tiles(tiles(text)).unwrap()
}

/// The rules with some options changed.
pub(crate) fn rules(change: impl FnOnce(&mut Options)) -> Lexio {
    let mut options = Options::default();
    change(&mut options);
    Lexio::new(options).unwrap()
}

/// Every number of players with every single variant, and some together.
pub(crate) fn variants() -> Vec<Lexio> {
    let mut all = Vec::new();
    for players in 3..=5 {
        let mut add = |change: &dyn Fn(&mut Options)| {
            all.push(rules(|o| {
                o.players = players;
                change(o);
            }));
        };
        add(&|_| {});
        add(&|o| o.straights = StraightRule::Top12);
        add(&|o| o.straights = StraightRule::NoLow);
        add(&|o| o.straights = StraightRule::LowWeak);
        add(&|o| o.pass = PassRule::Hard);
        add(&|o| o.first_play_has_cloud3 = true);
        add(&|o| o.settle = SettleRule::PayerMultiplier);
        add(&|o| o.settle = SettleRule::WinnerOnly);
        add(&|o| o.two_stack = false);
        add(&|o| o.deal = DealRule::AllTiles);
        add(&|o| {
            o.pass = PassRule::Hard;
            o.two_factor = 3;
            o.lead = LeadRule::LastWinner;
            o.deal = DealRule::AllTiles;
            o.straights = StraightRule::Top12;
        });
    }
    all
}

/// Some of the tiles in use, each set of that size as likely as any other.
pub(crate) fn random_tiles(from: Tiles, count: usize, rng: &mut SimRng) -> Tiles {
    let mut list: Vec<_> = from.iter().collect();
    rng.shuffle(&mut list);
    list.into_iter().take(count).collect()
}

/// Plays a random round, showing every state before its action, and the final one.
pub(crate) fn random_round(
    game: &Lexio,
    rng: &mut SimRng,
    legal: &mut Vec<Action>,
    mut show: impl FnMut(&State, &[Action]),
) -> State {
    let mut state = game.initial_state(rng);
    while let Turn::Player(_) = game.turn(&state) {
        game.legal_actions(&state, legal);
        show(&state, legal);
        game.apply(&mut state, rng.pick(legal).unwrap());
    }
    game.legal_actions(&state, legal);
    show(&state, legal);
    state
}
