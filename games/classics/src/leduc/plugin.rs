//! Leduc poker by name: notation and picture.

use search_core::game::{ChanceOutcomes, Decisions, History, ListOutcomes, Player, Turn};
use search_core::plugin::{NoOptions, Plugin, PluginError};
use search_core::search::Knowledge;
use std::fmt;
use std::str::FromStr;

use super::{Card, LeducAction, LeducDeals, LeducPoker, LeducView, Table};
use crate::text::Facts;

const KEYS: [&str; 5] = ["player", "card", "public", "played", "shown"];
const EXAMPLE: &str = "player=0 card=Ks public=Qh played=call,raise,call/raise,raise";

/// `call,raise,call/raise`: the rounds apart by `/`, `-` for nothing at all.
fn played(table: &Table) -> String {
    let round = |round| {
        let names: Vec<&str> = table.played(round).iter().map(|a| a.name()).collect();
        names.join(",")
    };
    let (first, second) = (round(0), round(1));
    match (first.is_empty(), table.public()) {
        (true, _) => "-".into(),
        (false, None) => first,
        (false, Some(_)) => format!("{first}/{second}"),
    }
}

impl fmt::Display for LeducView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player={} card={}", self.player.index(), self.card)?;
        if let Some(card) = self.table.public() {
            write!(f, " public={card}")?;
        }
        write!(f, " played={}", played(&self.table))?;
        match self.shown {
            Some(card) => write!(f, " shown={card}"),
            None => Ok(()),
        }
    }
}

impl FromStr for LeducView {
    type Err = PluginError;

    fn from_str(text: &str) -> Result<Self, PluginError> {
        let facts = Facts::read(LeducPoker::NAME, text, &KEYS, EXAMPLE)?;
        let card = |value: &str| {
            Card::from_text(value)
                .ok_or_else(|| facts.bad(&format!("`{value}` is not a card (Js, Jh, Qs … Kh)")))
        };
        let public = facts.get("public").map(card).transpose()?;
        let played = facts.get("played").unwrap_or("-");
        let mut table = Table::default();
        for (round, names) in played.split('/').enumerate() {
            if round > 0 {
                match public {
                    Some(card) if table.turn() == Turn::Chance => table.turn_up(card),
                    _ => {
                        return Err(facts
                            .bad("the second round needs public= and a first round that is over"));
                    }
                }
            }
            // Nothing yet is `-` for the hand and an empty second round.
            let nothing = if round == 0 { "-" } else { "" };
            for name in names.split(',').filter(|_| names != nothing) {
                let mut legal = Vec::new();
                table.legal_actions(&mut legal);
                let Some(action) = legal.into_iter().find(|a| a.name() == name) else {
                    return Err(facts.bad(&format!("`{name}` cannot be played in played={played}")));
                };
                table.play(action);
            }
        }
        match public {
            Some(card) if table.turn() == Turn::Chance => table.turn_up(card),
            Some(_) if table.public().is_none() => {
                return Err(facts.bad("public= before the first round is over"));
            }
            _ => {}
        }
        let player = match (facts.get("player"), table.turn()) {
            (None, Turn::Player(player)) => player,
            _ => Player::new(facts.number("player", 2)? as usize),
        };
        Ok(Self {
            player,
            card: card(facts.need("card")?)?,
            table,
            shown: facts.get("shown").map(card).transpose()?,
        })
    }
}

impl Plugin for LeducPoker {
    type Options = NoOptions;
    type Determinizer = LeducDeals;

    const NAME: &'static str = "leduc-poker";
    const ABOUT: &'static str = "six cards, one each and one public, two rounds of betting";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }

    fn determinizer(&self) -> LeducDeals {
        LeducDeals
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn format_action(&self, action: LeducAction) -> String {
        action.name().into()
    }

    /// Reads `check` for a call that costs nothing, too.
    fn parse_action(&self, text: &str, legal: &[LeducAction]) -> Result<LeducAction, PluginError> {
        let wanted = text.trim().to_lowercase();
        let can_fold = legal.contains(&LeducAction::Fold);
        let name = match wanted.as_str() {
            "check" if !can_fold => "call",
            name => name,
        };
        let found = legal.iter().find(|a| a.name() == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = legal.iter().map(|a| a.name()).collect();
            PluginError::new(format!(
                "`{wanted}` is not a legal action here; legal: {}",
                names.join(", ")
            ))
        })
    }

    fn format_chance(&self, outcome: Card) -> String {
        outcome.to_string()
    }

    fn picture(&self, view: &LeducView) -> String {
        let me = view.player.index();
        let mut text = format!("player {me} holds {}", view.card);
        if let Some(card) = view.shown {
            text.push_str(&format!(", player {} holds {card}", 1 - me.min(1)));
        }
        if let Some(card) = view.table.public() {
            text.push_str(&format!("; public card {card}"));
        }
        for round in 0..2 {
            let actions = view.table.played(round);
            if !actions.is_empty() {
                let names: Vec<String> = actions
                    .iter()
                    .enumerate()
                    .map(|(ply, action)| format!("{} {}", ply % 2, action.name()))
                    .collect();
                text.push_str(&format!("\nround {}: {}", round + 1, names.join(", ")));
            }
        }
        let [first, second] = view.table.chips();
        text.push_str(&format!("\nchips in: {first} and {second}; "));
        text.push_str(&match view.table.turn() {
            Turn::Player(player) => format!("player {} to act", player.index()),
            Turn::Chance => "the public card is to come".into(),
            Turn::Terminal => "over".into(),
        });
        text
    }

    fn format_observation(&self, view: &LeducView) -> Option<String> {
        Some(view.to_string())
    }

    fn parse_observation(&self, text: &str) -> Result<LeducView, PluginError> {
        text.parse()
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![
            ("opening with a king", "player=0 card=Ks played=-".into()),
            (
                "a pair to trap with",
                "player=0 card=Js public=Jh played=raise,call/".into(),
            ),
            (
                "raised with a bluff catcher",
                "player=1 card=Qs public=Jh played=call,raise,call/raise".into(),
            ),
        ]
    }

    fn knowledge(&self) -> Option<Knowledge<Self>> {
        Some(Knowledge::of_keys())
    }

    fn decisions(&self) -> Option<Decisions<Self>> {
        Some(<Self as History>::decisions)
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "chips per hand"
    }
}
