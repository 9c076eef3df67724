//! Liar's dice by name: options and notation.

use search_core::game::{ChanceOutcomes, Decisions, Game, History, ListOutcomes, Player, Turn};
use search_core::plugin::{Plugin, PluginError};
use serde::{Deserialize, Serialize};

use super::{LiarsAction, LiarsDice, LiarsState, LiarsThrows, LiarsView, Talk};
use crate::text::Facts;

/// The options of [`LiarsDice`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiarsDiceOptions {
    /// The sides of a die, 2 to 6.
    pub sides: u32,
}

impl Default for LiarsDiceOptions {
    fn default() -> Self {
        Self { sides: 6 }
    }
}

const KEYS: [&str; 4] = ["player", "die", "said", "shown"];
const EXAMPLE: &str = "player=1 die=3 said=1x2,2x2";

fn name(action: LiarsAction) -> String {
    match action {
        LiarsAction::Bid { quantity, face } => format!("{quantity}x{face}"),
        LiarsAction::Liar => "liar".into(),
    }
}

impl LiarsDice {
    /// What was said, in order.
    fn said(&self, talk: Talk) -> Vec<String> {
        let call = talk.called.then_some(LiarsAction::Liar);
        self.bids(talk).chain(call).map(name).collect()
    }

    fn read_talk(&self, facts: &Facts<'_>, said: &str) -> Result<Talk, PluginError> {
        // Only what has been said matters for what may be said.
        let mut state = LiarsState {
            dice: [1; 2],
            talk: Talk::default(),
        };
        let mut legal = Vec::new();
        for text in said.split(',').filter(|_| said != "-") {
            self.legal_actions(&state, &mut legal);
            let action = legal.iter().find(|action| name(**action) == text);
            match action {
                Some(action) => self.apply(&mut state, *action),
                None => return Err(facts.bad(&format!("`{text}` cannot be said in said={said}"))),
            }
        }
        Ok(state.talk)
    }

    fn face(&self, facts: &Facts<'_>, key: &str) -> Result<u8, PluginError> {
        match facts.number(key, u64::from(self.sides) + 1)? {
            0 => Err(facts.bad(&format!("{key}=0 should be 1 to {}", self.sides))),
            face => Ok(face as u8),
        }
    }
}

impl Plugin for LiarsDice {
    type Options = LiarsDiceOptions;
    type Determinizer = LiarsThrows;

    const NAME: &'static str = "liars-dice";
    const ABOUT: &'static str = "one hidden die each, rising bids, the highest face is wild";

    fn from_options(options: LiarsDiceOptions) -> Result<Self, PluginError> {
        Self::new(options.sides)
    }

    fn determinizer(&self) -> LiarsThrows {
        LiarsThrows
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    /// `2x5`: two fives; `liar`.
    fn format_action(&self, action: LiarsAction) -> String {
        name(action)
    }

    fn win_probability(&self, value: f64) -> Option<f64> {
        Some(0.5 * (value + 1.0))
    }

    fn picture(&self, view: &LiarsView) -> String {
        let me = view.player.index();
        let mut text = format!("player {me} has thrown {}", view.die);
        if let Some(die) = view.shown {
            text.push_str(&format!(", player {} {die}", 1 - me.min(1)));
        }
        text.push_str(&format!(" ({} is wild)", self.sides));
        for (ply, said) in self.said(view.talk).iter().enumerate() {
            text.push_str(&format!("\nplayer {}: {said}", ply % 2));
        }
        text.push_str(&match view.talk.turn() {
            Turn::Player(player) => format!("\nplayer {} to speak", player.index()),
            _ => "\nover".into(),
        });
        text
    }

    fn format_observation(&self, view: &LiarsView) -> Option<String> {
        let said = self.said(view.talk);
        let said = if said.is_empty() {
            "-".into()
        } else {
            said.join(",")
        };
        let shown = view
            .shown
            .map_or(String::new(), |die| format!(" shown={die}"));
        let player = view.player.index();
        Some(format!(
            "player={player} die={} said={said}{shown}",
            view.die
        ))
    }

    fn parse_observation(&self, text: &str) -> Result<LiarsView, PluginError> {
        let facts = Facts::read(Self::NAME, text, &KEYS, EXAMPLE)?;
        let talk = self.read_talk(&facts, facts.get("said").unwrap_or("-"))?;
        let player = match (facts.get("player"), talk.turn()) {
            (None, Turn::Player(player)) => player,
            _ => Player::new(facts.number("player", 2)? as usize),
        };
        let shown = facts.get("shown").map(|_| self.face(&facts, "shown"));
        Ok(LiarsView {
            player,
            die: self.face(&facts, "die")?,
            talk,
            shown: shown.transpose()?,
        })
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let sides = self.sides;
        vec![
            ("opening", format!("player=0 die={sides} said=-")),
            ("call it?", "player=1 die=1 said=2x1".into()),
            ("top bid", format!("player=1 die=1 said=2x{sides}")),
        ]
    }

    fn decisions(&self) -> Option<Decisions<Self>> {
        Some(<Self as History>::decisions)
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, loss -1)"
    }
}
