//! Goofspiel by name: options and notation.

use search_core::game::{ChanceOutcomes, Decisions, History, ListOutcomes, Player, Sight};
use search_core::plugin::{Plugin, PluginError};
use serde::{Deserialize, Serialize};

use super::{Commit, Goofspiel, GoofspielHands, GoofspielView, MAX_CARDS};
use crate::text::Facts;

/// The options of [`Goofspiel`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoofspielOptions {
    /// Cards a hand, 2 to 13.
    pub cards: u32,
}

impl Default for GoofspielOptions {
    fn default() -> Self {
        Self { cards: 4 }
    }
}

const KEYS: [&str; 4] = ["player", "played", "prizes", "laid"];
const EXAMPLE: &str = "player=1 played=3,1 prizes=+= laid=hidden";

const fn sign(result: i8) -> char {
    match result {
        1 => '+',
        -1 => '-',
        _ => '=',
    }
}

impl Plugin for Goofspiel {
    type Options = GoofspielOptions;
    type Determinizer = GoofspielHands;

    const NAME: &'static str = "goofspiel";
    const ABOUT: &'static str = "one card a prize, laid face down; the higher takes it";

    fn from_options(options: GoofspielOptions) -> Result<Self, PluginError> {
        Self::new(options.cards)
    }

    fn determinizer(&self) -> GoofspielHands {
        GoofspielHands
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn picture(&self, view: &GoofspielView) -> String {
        let rounds = usize::from(view.rounds);
        let mut text = format!("player {} of goofspiel", view.player.index());
        for (round, card) in view.own[..rounds].iter().enumerate() {
            let prize = usize::from(self.cards) - round;
            let taken = match view.results[round] {
                1 => "takes it",
                -1 => "loses it",
                _ => "ties",
            };
            text.push_str(&format!("\nprize {prize}: {card} {taken}"));
        }
        if view.rounds == self.cards {
            text.push_str("\nover");
            return text;
        }
        let prize = self.cards - view.rounds;
        text.push_str(&match view.commit {
            Commit::None => format!("\nprize {prize}: player 0 is to lay a card"),
            Commit::Hidden => format!("\nprize {prize}: a card lies face down"),
            Commit::Own(card) => format!("\nprize {prize}: {card} lies face down"),
        });
        text
    }

    /// `prizes=` has `+` for the observer's, `-` for the other's and `=` for nobody's.
    fn format_observation(&self, view: &GoofspielView) -> Option<String> {
        let rounds = usize::from(view.rounds);
        let mut text = format!("player={}", view.player.index());
        if rounds > 0 {
            let own: Vec<String> = view.own[..rounds].iter().map(u8::to_string).collect();
            let prizes: String = view.results[..rounds].iter().map(|r| sign(*r)).collect();
            text.push_str(&format!(" played={} prizes={prizes}", own.join(",")));
        }
        match view.commit {
            Commit::None => {}
            Commit::Hidden => text.push_str(" laid=hidden"),
            Commit::Own(card) => text.push_str(&format!(" laid={card}")),
        }
        Some(text)
    }

    fn parse_observation(&self, text: &str) -> Result<GoofspielView, PluginError> {
        let facts = Facts::read(Self::NAME, text, &KEYS, EXAMPLE)?;
        let mut view = GoofspielView {
            player: Player::new(facts.number("player", 2)? as usize),
            own: [0; MAX_CARDS],
            results: [0; MAX_CARDS],
            rounds: 0,
            commit: Commit::None,
        };
        let end = u64::from(self.cards) + 1;
        let played: Vec<&str> = facts
            .get("played")
            .map_or(Vec::new(), |p| p.split(',').collect());
        let prizes = facts.get("prizes").unwrap_or("");
        if played.len() > usize::from(self.cards) || prizes.chars().count() != played.len() {
            return Err(facts.bad("prizes= should have one sign for each card of played="));
        }
        for (round, (card, prize)) in played.iter().zip(prizes.chars()).enumerate() {
            view.own[round] = facts.number_in("played", card, end)? as u8;
            view.results[round] = match prize {
                '+' => 1,
                '-' => -1,
                '=' => 0,
                other => return Err(facts.bad(&format!("`{other}` in prizes= is not +, - or ="))),
            };
            view.rounds += 1;
        }
        view.commit = match facts.get("laid") {
            None => Commit::None,
            Some("hidden") => Commit::Hidden,
            Some(_) => Commit::Own(facts.number("laid", end)? as u8),
        };
        Ok(view)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let mut positions = vec![
            ("first card", "player=0".to_string()),
            ("second card", "player=1 laid=hidden".to_string()),
        ];
        if self.cards > 2 {
            positions.push(("first prize lost", "player=0 played=1 prizes=-".to_string()));
        }
        positions
    }

    fn sight(&self) -> Option<Sight<Self>> {
        Some(Sight::of_game())
    }

    fn decisions(&self) -> Option<Decisions<Self>> {
        Some(<Self as History>::decisions)
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, draw 0, loss -1)"
    }
}
