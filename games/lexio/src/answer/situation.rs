//! Situations of self-play, on which estimators are measured and tables built.

use search_core::game::{Game, Player, Turn};
use search_core::policy::Policy;
use search_core::rng::{Draw, Seed};

use crate::action::Action;
use crate::combination::Combination;
use crate::easy::Easy;
use crate::observation::Observation;
use crate::rules::Lexio;

/// One decision met in self-play: what the player to move sees, and every play he could make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// The view of the player to move.
    pub observation: Observation,
    /// His legal plays; at least one.
    pub plays: Vec<Combination>,
}

impl Situation {
    /// Situation number `index` of a series: one decision of a round of its own, every decision with
    /// a legal play as likely as any other. All seats play [`Easy`], but one action in four is
    /// random, so that the hands are not those of one style.
    #[must_use]
    pub fn sample(game: &Lexio, seed: Seed, index: u64) -> Self {
        let mut rng = seed.simulation(index);
        let mut state = game.initial_state(&mut rng);
        let mut legal = Vec::new();
        let mut chosen = Self {
            observation: game.observe(&state, Player::new(0)),
            plays: Vec::new(),
        };
        let mut met = 0;
        while let Turn::Player(player) = game.turn(&state) {
            game.legal_actions(&state, &mut legal);
            let observation = game.observe(&state, player);
            if legal.iter().any(|a| !a.is_pass()) {
                met += 1;
                if rng.below(met) == 0 {
                    chosen.observation = observation;
                    chosen.plays.clear();
                    let plays = legal.iter().filter_map(|a| game.classify(*a));
                    chosen.plays.extend(plays);
                }
            }
            let action = if rng.below(4) == 0 {
                rng.pick(&legal).unwrap_or(Action::PASS)
            } else {
                Easy::default().choose(game, &observation, &legal, &mut rng)
            };
            game.apply(&mut state, action);
        }
        chosen
    }
}
