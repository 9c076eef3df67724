//! Kuhn poker by name: notation, picture, and the equilibrium as an agent.

use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, Decisions, History, ListOutcomes, Player, Turn};
use search_core::plugin::{NoOptions, Plugin, PluginError, SharedPolicy};
use search_core::policy::Policy;
use search_core::rng::{Draw, SimRng};
use search_core::search::Knowledge;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::KuhnAction::{Bet, Call, Check, Fold};
use super::{KuhnAction, KuhnDeals, KuhnPoker, KuhnView, Line, Rank};
use crate::text::Facts;

/// An equilibrium of Kuhn poker, one for every `alpha` in `[0, 1/3]`, the probability that the
/// first player bets a jack. The second player has only one.
///
/// # Errors
/// When `alpha` lies outside.
pub fn equilibrium(alpha: f64) -> Result<BTreeMap<KuhnView, Vec<f64>>, PluginError> {
    if !(0.0..=1.0 / 3.0 + 1e-12).contains(&alpha) {
        return Err(PluginError::new(format!(
            "alpha = {alpha} gives no equilibrium: expected 0 to 1/3"
        )));
    }
    let third = 1.0 / 3.0;
    // The probability of the second action (bet or call), by card from the jack up.
    let rows = [
        (0, Line::Start, [alpha, 0.0, 3.0 * alpha]),
        (0, Line::CheckBet, [0.0, alpha + third, 1.0]),
        (1, Line::Check, [third, 0.0, 1.0]),
        (1, Line::Bet, [0.0, third, 1.0]),
    ];
    let mut table = BTreeMap::new();
    for (player, line, second) in rows {
        for (card, p) in Rank::ALL.into_iter().zip(second) {
            let p = f64::min(p, 1.0);
            let view = KuhnView {
                player: Player::new(player),
                card,
                line,
                shown: None,
            };
            table.insert(view, vec![1.0 - p, p]);
        }
    }
    Ok(table)
}

struct Equilibrium(BTreeMap<KuhnView, Vec<f64>>);

impl Policy<KuhnPoker> for Equilibrium {
    fn choose(
        &self,
        _: &KuhnPoker,
        view: &KuhnView,
        legal: &[KuhnAction],
        rng: &mut SimRng,
    ) -> KuhnAction {
        let first = self.0.get(view).map_or(0.5, |row| row[0]);
        legal[usize::from(rng.unit() >= first) % legal.len()]
    }

    fn probability(
        &self,
        _: &KuhnPoker,
        view: &KuhnView,
        legal: &[KuhnAction],
        action: KuhnAction,
    ) -> Option<f64> {
        let position = legal.iter().position(|a| *a == action);
        let row = self.0.get(view).map_or(&[0.5, 0.5][..], |row| row);
        Some(position.and_then(|i| row.get(i)).copied().unwrap_or(0.0))
    }
}

impl fmt::Display for KuhnView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let played: Vec<&str> = self.line.actions().iter().map(|a| a.name()).collect();
        write!(
            f,
            "player={} card={} played={}",
            self.player.index(),
            self.card.letter(),
            if played.is_empty() {
                "-".into()
            } else {
                played.join(",")
            }
        )?;
        match self.shown {
            Some(card) => write!(f, " shown={}", card.letter()),
            None => Ok(()),
        }
    }
}

impl std::str::FromStr for KuhnView {
    type Err = PluginError;

    fn from_str(text: &str) -> Result<Self, PluginError> {
        let keys = ["player", "card", "played", "shown"];
        let facts = Facts::read(KuhnPoker::NAME, text, &keys, "player=1 card=Q played=bet")?;
        let rank = |value: &str| {
            let mut letters = value.chars();
            match (letters.next().and_then(Rank::from_letter), letters.next()) {
                (Some(rank), None) => Ok(rank),
                _ => Err(facts.bad(&format!("`{value}` is not a card (J, Q, K)"))),
            }
        };
        let mut line = Line::Start;
        let played = facts.get("played").unwrap_or("-");
        for name in played.split(',').filter(|_| played != "-") {
            let actions = [Check, Bet, Fold, Call];
            let action = actions.into_iter().find(|a| a.name() == name);
            line = action
                .and_then(|action| line.then(action))
                .ok_or_else(|| facts.bad(&format!("`{name}` in played={played}")))?;
        }
        let player = match (facts.get("player"), line.turn()) {
            (None, Turn::Player(player)) => player,
            _ => Player::new(facts.number("player", 2)? as usize),
        };
        Ok(Self {
            player,
            card: rank(facts.need("card")?)?,
            line,
            shown: facts.get("shown").map(rank).transpose()?,
        })
    }
}

impl Plugin for KuhnPoker {
    type Options = NoOptions;
    type Determinizer = KuhnDeals;

    const NAME: &'static str = "kuhn-poker";
    const ABOUT: &'static str = "three cards, one each, one bet: the smallest poker with a bluff";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }

    fn determinizer(&self) -> KuhnDeals {
        KuhnDeals
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn format_action(&self, action: KuhnAction) -> String {
        action.name().into()
    }

    fn picture(&self, view: &KuhnView) -> String {
        let me = view.player.index();
        let mut text = format!("player {me} holds {:?}", view.card);
        if let Some(card) = view.shown {
            text.push_str(&format!(", player {} holds {card:?}", 1 - me.min(1)));
        }
        for (ply, action) in view.line.actions().iter().enumerate() {
            text.push_str(&format!("\nplayer {}: {}", ply % 2, action.name()));
        }
        text.push_str(&match view.line.turn() {
            Turn::Player(player) => format!("\nplayer {} to act", player.index()),
            _ => "\nover".into(),
        });
        text
    }

    fn format_observation(&self, view: &KuhnView) -> Option<String> {
        Some(view.to_string())
    }

    fn parse_observation(&self, text: &str) -> Result<KuhnView, PluginError> {
        text.parse()
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let position = |text: &str| text.to_string();
        vec![
            ("bluff?", position("player=0 card=J played=-")),
            ("bluff catcher", position("player=1 card=Q played=bet")),
            ("trap sprung", position("player=0 card=K played=check,bet")),
        ]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![(
            "equilibrium",
            "an optimal mixed strategy; alpha (0 to 1/3, default 0) is how often it bets a jack first",
        )]
    }

    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        if name != "equilibrium" {
            return Ok(None);
        }
        let alpha = settings.get("alpha", 0.0)?;
        let table = equilibrium(alpha).map_err(|error| ExprError::Other(error.to_string()))?;
        Ok(Some(Arc::new(Equilibrium(table))))
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
