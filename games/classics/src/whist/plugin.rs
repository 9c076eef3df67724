//! Whist by name.

use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, Decisions, History, ListOutcomes, Player};
use search_core::plugin::{Plugin, PluginError, SharedPolicy};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Suit, Whist, WhistDeals, WhistState, WhistView, agent, text};

/// Which suit is trumps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trump {
    /// No trumps.
    #[default]
    None,
    /// Clubs.
    Clubs,
    /// Diamonds.
    Diamonds,
    /// Hearts.
    Hearts,
    /// Spades.
    Spades,
}

/// The options of whist.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WhistOptions {
    /// The suit of trumps: `none`, `clubs`, `diamonds`, `hearts` or `spades`.
    pub trump: Trump,
}

impl Plugin for Whist {
    type Options = WhistOptions;
    type Determinizer = WhistDeals;

    const NAME: &'static str = "whist";
    const ABOUT: &'static str = "13 tricks, two against two, three hands hidden";

    fn from_options(options: WhistOptions) -> Result<Self, PluginError> {
        Ok(Self::new(match options.trump {
            Trump::None => None,
            Trump::Clubs => Some(Suit::Clubs),
            Trump::Diamonds => Some(Suit::Diamonds),
            Trump::Hearts => Some(Suit::Hearts),
            Trump::Spades => Some(Suit::Spades),
        }))
    }

    fn determinizer(&self) -> WhistDeals {
        WhistDeals
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn decisions(&self) -> Option<Decisions<Self>> {
        Some(<Self as History>::decisions)
    }

    fn picture(&self, view: &WhistView) -> String {
        text::picture(self, view)
    }

    /// `player=2 hand=3c,Kd,As played=5h,7h,Ah,2h/…`: the own hand and the tricks in order, `-` for nothing.
    fn format_observation(&self, view: &WhistView) -> Option<String> {
        Some(text::line(view))
    }

    /// Without `player=`, the player whose turn it is.
    fn parse_observation(&self, text: &str) -> Result<WhistView, PluginError> {
        text::read(self, text)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        // What is thrown away must not be trumps.
        let x = match self.trump() {
            Some(Suit::Hearts) => Suit::Spades.letter(),
            _ => Suit::Hearts.letter(),
        };
        vec![
            (
                "the lead",
                "hand=4c,9c,Jc,2d,6d,Kd,Ad,5h,7h,Th,3s,Qs,As played=-".into(),
            ),
            (
                "two players have shown voids",
                format!(
                    "hand=7c,Jc,5d,9d,Qd,2h,8h,Kh,4s,Ts played=Ac,2c,5c,4c/Kc,3c,6{x},6c/Qc,5{x},3{x},8c"
                ),
            ),
        ]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![(
            "high-low",
            "takes the trick if it can and the partner does not have it, else throws its lowest card",
        )]
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok((name == "high-low").then(|| Arc::new(agent::HighLow) as SharedPolicy<Self>))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "tricks of the side beyond 6.5"
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["tricks"]
    }

    fn metrics(&self, finished: &WhistState, player: Player) -> Vec<f64> {
        vec![f64::from(finished.table().tricks(player.index()))]
    }
}
