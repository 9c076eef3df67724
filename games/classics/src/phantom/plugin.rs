//! Phantom (m,n,k) by name: notation and picture.

use search_core::game::{ChanceOutcomes, Decisions, History, ListOutcomes, Player, Sight};
use search_core::plugin::{Plugin, PluginError};
use search_core::search::Knowledge;
use search_core::search::expectimax::StateKey;
use serde::{Deserialize, Serialize};

use super::{Phantom, PhantomState, PhantomView, PhantomWorlds, Tries};
use crate::grid::Square;
use crate::status::Status;
use crate::text::Facts;

/// The options of [`Phantom`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PhantomOptions {
    /// Columns, 2 to 5.
    pub width: usize,
    /// Rows, 2 to 5.
    pub height: usize,
    /// How many marks in a row win, 3 to the longer side.
    pub in_a_row: u32,
}

impl Default for PhantomOptions {
    fn default() -> Self {
        Self {
            width: 4,
            height: 4,
            in_a_row: 4,
        }
    }
}

const SIGNS: [char; 2] = ['x', 'o'];
const KEYS: [&str; 3] = ["player", "tries", "turn"];
const EXAMPLE: &str = "player=1 tries=b2!,a1";

impl Phantom {
    /// Reads the tries of one player, those that met a mark with a `!` behind.
    fn read_tries(&self, facts: &Facts<'_>) -> Result<(Tries, [u64; 2]), PluginError> {
        let (mut tries, mut sets) = (Tries::default(), [0, 0]);
        let text = facts.need("tries")?;
        for word in text.split(',').filter(|_| text != "-") {
            let name = word.strip_suffix('!').unwrap_or(word);
            let square = Square::parse(name).filter(|s| self.squares & s.bit() != 0);
            let square = square
                .ok_or_else(|| facts.bad(&format!("`{word}` is not a square of the board")))?;
            if (sets[0] | sets[1]) & square.bit() != 0 {
                return Err(facts.bad(&format!("{square:?} is tried twice")));
            }
            sets[usize::from(name != word)] |= square.bit();
            tries.push(square);
        }
        Ok((tries, sets))
    }

    fn sign(view: &PhantomView, shown: u64, square: Square) -> char {
        let me = view.player.index();
        if view.own & square.bit() != 0 {
            SIGNS[me]
        } else if (view.known | shown) & square.bit() != 0 {
            SIGNS[1 - me]
        } else {
            '.'
        }
    }

    /// The other's marks after the end.
    fn shown(view: &PhantomView) -> u64 {
        let tried = view.shown.squares().iter();
        tried.fold(0, |set, square| set | square.bit()) & !view.own
    }
}

impl Plugin for Phantom {
    type Options = PhantomOptions;
    type Determinizer = PhantomWorlds;

    const NAME: &'static str = "phantom";
    const ABOUT: &'static str = "k in a row without seeing the other's marks; phantom tic-tac-toe is phantom(width=3, height=3, in_a_row=3)";

    fn from_options(options: PhantomOptions) -> Result<Self, PluginError> {
        Self::new(options.width, options.height, options.in_a_row)
    }

    fn determinizer(&self) -> PhantomWorlds {
        PhantomWorlds
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn picture(&self, view: &PhantomView) -> String {
        let over = view.status.is_over();
        let shown = if over { Self::shown(view) } else { 0 };
        let board = self.size.picture(|square| Self::sign(view, shown, square));
        let (me, other) = (view.player.index(), 1 - view.player.index());
        let mut text = format!(
            "{board}   you are {}; {}",
            SIGNS[me],
            view.status.describe(SIGNS)
        );
        if !over {
            text.push_str(&format!(
                "; {} has {} marks, {} of them found",
                SIGNS[other],
                view.others(),
                view.known.count_ones()
            ));
        }
        text
    }

    /// `player=1 tries=b2!,a1`: squares in the order they were tried, `!` behind those that the other
    /// had marked. `turn=0` is added where the other is to move. None after the end.
    fn format_observation(&self, view: &PhantomView) -> Option<String> {
        if view.status.is_over() {
            return None;
        }
        let tries = view.tries.squares().iter().map(|square| {
            let met = view.known & square.bit() != 0;
            format!("{square:?}{}", if met { "!" } else { "" })
        });
        let tries: Vec<String> = tries.collect();
        let tries = match tries.is_empty() {
            true => "-".into(),
            false => tries.join(","),
        };
        let (me, mover) = (view.player.index(), view.status.mover());
        let turn = match me == mover {
            true => String::new(),
            false => format!(" turn={mover}"),
        };
        Some(format!("player={me} tries={tries}{turn}"))
    }

    fn parse_observation(&self, text: &str) -> Result<PhantomView, PluginError> {
        let facts = Facts::read(Self::NAME, text, &KEYS, EXAMPLE)?;
        let seat = |key: &str| -> Result<usize, PluginError> {
            facts.number(key, 2).map(|seat| seat as usize)
        };
        let player = match facts.get("player") {
            Some(_) => seat("player")?,
            None => 0,
        };
        let mover = match facts.get("turn") {
            Some(_) => seat("turn")?,
            None => player,
        };
        let (tries, [own, known]) = self.read_tries(&facts)?;
        let status = Status::after_move(1 - mover, false, false);
        let view = PhantomView {
            player: Player::new(player),
            own,
            known,
            tries,
            shown: Tries::default(),
            status,
        };
        let marks = own.count_ones() + view.others();
        let last = tries.squares().last().map_or(0, |square| square.bit());
        if self.has_row(own) || marks >= self.squares.count_ones() {
            return Err(facts.bad("the game would be over"));
        }
        if mover != player && (known & last != 0 || (player == 0 && own == 0)) {
            return Err(facts.bad("the other cannot be to move yet"));
        }
        if known.count_ones() > view.others() {
            return Err(facts.bad("the other has not made so many marks"));
        }
        Ok(view)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![
            ("start", "player=0 tries=-".into()),
            ("second mark", "player=0 tries=b2".into()),
            ("one met", EXAMPLE.into()),
        ]
    }

    /// The marks and what is known of them: what the players have tried before does not matter.
    fn state_key(&self) -> Option<StateKey<Self>> {
        Some(|game, state: &PhantomState| {
            // Row by row without the empty columns: 25 bits a set at most.
            let pack = |set: u64| {
                (0..game.size.height).fold(0_u128, |packed, row| {
                    packed << game.size.width | u128::from(set >> (8 * row) & game.squares & 31)
                })
            };
            let [x, o] = state.marks.map(pack);
            let [a, b] = state.known.map(pack);
            x << 100 | o << 75 | a << 50 | b << 25 | u128::from(state.status as u8)
        })
    }

    fn sight(&self) -> Option<Sight<Self>> {
        Some(Sight::of_game())
    }

    fn knowledge(&self) -> Option<Knowledge<Self>> {
        Some(Knowledge::of_keys())
    }

    fn decisions(&self) -> Option<Decisions<Self>> {
        Some(<Self as History>::decisions)
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, draw 0, loss -1)"
    }
}
