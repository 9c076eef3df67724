//! Synthetic trees by name: options, notation and picture.

use search_core::game::{ChanceOutcomes, Decisions, Game, History, ListOutcomes, Player};
use search_core::game::{Sight, Turn};
use search_core::plugin::{Plugin, PluginError};
use search_core::search::expectimax::StateKey;
use serde::{Deserialize, Serialize};

use super::{Block, Path, Side, Synthetic, SyntheticState, SyntheticView, SyntheticWorlds};
use crate::text::Facts;

/// The options of [`Synthetic`]. The defaults are the point that is like Hearts in Furtak & Buro (2013).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SyntheticOptions {
    /// Decisions from the root to a leaf, 1 to 20.
    pub depth: u32,
    /// Types of each player: 1, 2, 4, 8, 16 or 32.
    pub worlds: u8,
    /// Leaf correlation, 0 to 1.
    pub correlation: f64,
    /// Bias, 0 to 1.
    pub bias: f64,
    /// Disambiguation, 0 to 1.
    pub disambiguation: f64,
    /// Which tree of this kind.
    pub seed: u64,
}

impl Default for SyntheticOptions {
    fn default() -> Self {
        Self {
            depth: 8,
            worlds: 8,
            correlation: 0.9,
            bias: 0.8,
            disambiguation: 0.6,
            seed: 1,
        }
    }
}

impl Synthetic {
    /// The tree with these options.
    ///
    /// # Errors
    /// When one is out of range.
    pub fn new(options: SyntheticOptions) -> Result<Self, PluginError> {
        let bad = |what: String, right: &str| {
            Err(PluginError(format!("synthetic({what}): expected {right}")))
        };
        let SyntheticOptions { depth, worlds, .. } = options;
        if !(1..=20).contains(&depth) {
            return bad(format!("depth={depth}"), "1 to 20");
        }
        if worlds > 32 || !worlds.is_power_of_two() {
            return bad(format!("worlds={worlds}"), "1, 2, 4, 8, 16 or 32");
        }
        for (name, value) in [
            ("correlation", options.correlation),
            ("bias", options.bias),
            ("disambiguation", options.disambiguation),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return bad(format!("{name}={value}"), "0 to 1");
            }
        }
        Ok(Self { options })
    }
}

const KEYS: [&str; 4] = ["player", "type", "moves", "others"];
const EXAMPLE: &str = "player=0 type=3 moves=lr others=4-7";

fn moves(path: Path) -> String {
    let letters = path.sides().map(|side| match side {
        Side::Left => 'l',
        Side::Right => 'r',
    });
    let letters: String = letters.collect();
    match letters.is_empty() {
        true => "-".into(),
        false => letters,
    }
}

impl Synthetic {
    fn read_path(&self, facts: &Facts<'_>) -> Result<Path, PluginError> {
        let mut path = Path::START;
        let text = facts.need("moves")?;
        for c in text.chars().filter(|_| text != "-") {
            path = path.then(match c.to_ascii_lowercase() {
                'l' => Side::Left,
                'r' => Side::Right,
                other => return Err(facts.bad(&format!("`{other}` is neither l nor r"))),
            });
            if path.len() >= self.options.depth {
                return Err(facts.bad("the game would be over"));
            }
        }
        Ok(path)
    }

    fn read_block(&self, facts: &Facts<'_>) -> Result<Block, PluginError> {
        let text = facts.need("others")?;
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let worlds = self.options.worlds.into();
        let first = facts.number_in("others", first, worlds)?;
        let last = facts.number_in("others", last, worlds)?;
        if last < first {
            return Err(facts.bad(&format!("others={text} is the wrong way round")));
        }
        Ok(Block {
            start: first as u8,
            len: (last + 1 - first) as u8,
        })
    }
}

impl Plugin for Synthetic {
    type Options = SyntheticOptions;
    type Determinizer = SyntheticWorlds;

    const NAME: &'static str = "synthetic";
    const ABOUT: &'static str =
        "random binary trees with hidden types: leaf correlation, bias and disambiguation to order";

    fn from_options(options: SyntheticOptions) -> Result<Self, PluginError> {
        Self::new(options)
    }

    fn determinizer(&self) -> SyntheticWorlds {
        SyntheticWorlds
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn format_action(&self, action: Side) -> String {
        format!("{action:?}").to_lowercase()
    }

    fn picture(&self, view: &SyntheticView) -> String {
        let (me, other) = (view.player.index(), 1 - view.player.index());
        let Block { start, len } = view.block;
        let knows = match view.shown {
            Some(kind) => format!("{kind}"),
            None if len == 1 => format!("{start}"),
            None => format!("one of {start} to {}", start + len - 1),
        };
        let turn = match view.path.len() {
            depth if depth >= self.options.depth => "over".into(),
            depth => format!("player {} to move", depth % 2),
        };
        format!(
            "player {me} has type {}, player {other} has type {knows}\nplayed: {}\n{turn}",
            view.kind,
            moves(view.path)
        )
    }

    /// `player=0 type=3 moves=lr others=4-7`: the own type, the choices so far, and the types that the
    /// other may have. None after the end.
    fn format_observation(&self, view: &SyntheticView) -> Option<String> {
        if view.path.len() >= self.options.depth {
            return None;
        }
        let Block { start, len } = view.block;
        let others = match len {
            1 => format!("{start}"),
            _ => format!("{start}-{}", start + len - 1),
        };
        Some(format!(
            "player={} type={} moves={} others={others}",
            view.player.index(),
            view.kind,
            moves(view.path)
        ))
    }

    fn parse_observation(&self, text: &str) -> Result<SyntheticView, PluginError> {
        let facts = Facts::read(Self::NAME, text, &KEYS, EXAMPLE)?;
        let path = self.read_path(&facts)?;
        let player = match facts.get("player") {
            Some(_) => facts.number("player", 2)? as usize,
            None => path.len() as usize % 2,
        };
        Ok(SyntheticView {
            player: Player::new(player),
            kind: facts.number("type", self.options.worlds.into())? as u8,
            block: self.read_block(&facts)?,
            path,
            shown: None,
        })
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let state = self.start([0; 2]);
        let view = match self.turn(&state) {
            Turn::Player(player) => self.observe(&state, player),
            _ => return Vec::new(),
        };
        let start = self.format_observation(&view);
        start.map(|text| ("start", text)).into_iter().collect()
    }

    /// What the players know follows from their types and the path.
    fn state_key(&self) -> Option<StateKey<Self>> {
        Some(|_, state: &SyntheticState| {
            u128::from(u16::from_le_bytes(state.types)) << 32 | u128::from(state.path.0)
        })
    }

    fn sight(&self) -> Option<Sight<Self>> {
        Some(Sight::of_game())
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
