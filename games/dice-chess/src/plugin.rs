//! Dice chess driven by name.

use cozy_chess::{Color, Piece};
use search_core::agent::Agent;
use search_core::budget::Budget;
use search_core::estimate::SharedEquity;
use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, ListOutcomes, Player};
use search_core::observation::Identity;
use search_core::plugin::{PerftTable, Plugin, PluginError, SharedPolicy};
use search_core::search::expectimax::DepthFirst;
use std::sync::Arc;

use crate::bots;
use crate::dfen::{dice_field, parse_dice};
use crate::dice::{Pool, Roll};
use crate::explain;
use crate::game::DiceChess;
use crate::micro_move::MicroMove;
use crate::notation;
use crate::options::DiceChessOptions;
use crate::perft;
use crate::picture;
use crate::position::{Outcome, Phase, Position};
use crate::survival::{Policy, PolicyProcess};

/// Positions to try: name and DFEN.
pub const POSITIONS: [(&str, &str); 6] = [
    (
        "opening",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 NBQ",
    ),
    ("two-knights", "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1 NNK"),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 PRK"),
    (
        "king-capture-in-two",
        "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 PPN",
    ),
    ("rook-ending", "7k/8/8/8/8/8/8/R3K3 w - - 0 1 RRK"),
];

impl Plugin for DiceChess {
    type Options = DiceChessOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "dice-chess";
    const ABOUT: &'static str =
        "Chess with three dice a turn that say which pieces move: capture the king to win";

    fn from_options(options: DiceChessOptions) -> Result<Self, PluginError> {
        Self::new(&options)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn format_action(&self, action: MicroMove) -> String {
        action.to_string()
    }

    /// UCI; a promotion must say the piece.
    fn parse_action(&self, text: &str, legal: &[MicroMove]) -> Result<MicroMove, PluginError> {
        let mv: MicroMove = text.parse().map_err(|e| refused(&format!("{e}"), legal))?;
        if legal.binary_search(&mv).is_ok() {
            return Ok(mv);
        }
        Err(refused(&why_not(mv, legal), legal))
    }

    fn format_chance(&self, outcome: Roll) -> String {
        outcome.pool().letters()
    }

    fn picture(&self, observation: &Position) -> String {
        picture::picture(observation)
    }

    fn explain_illegal(
        &self,
        observation: &Position,
        text: &str,
        legal: &[MicroMove],
    ) -> Option<String> {
        explain::why_illegal(observation, text, legal)
    }

    fn explain_chance(&self, before: &Position, roll: Roll) -> Option<String> {
        Some(explain::roll(before, roll))
    }

    fn perft_table(
        &self,
        observation: &Position,
        only: Option<&str>,
    ) -> Result<Option<PerftTable>, PluginError> {
        if matches!(observation.phase, Phase::Over(Outcome::Won(_))) {
            return Err(PluginError::new("the game is over there: nothing to count"));
        }
        perft::table(observation, only).map(Some)
    }

    /// A DFEN, and `must=N` behind it where the board does not say how many dice must be spent.
    fn format_observation(&self, observation: &Position) -> Option<String> {
        Some(notation::write(observation))
    }

    /// A DFEN. Without dice it is a position before the roll; without one of the kings, or with the
    /// counters of a draw before a roll, the game is over. `must=N` may follow.
    fn parse_observation(&self, text: &str) -> Result<Position, PluginError> {
        let mut position = notation::read(text)?;
        let kings = |side| position.board.of(side, Piece::King).len();
        let winner = match (kings(Color::White), kings(Color::Black)) {
            (1, 1) => None,
            (1, 0) => Some(Color::White),
            (0, 1) => Some(Color::Black),
            (white, black) => {
                return Err(PluginError(format!(
                    "board: {white} white and {black} black kings, a game needs one a side"
                )));
            }
        };
        if let Some(side) = winner {
            if !position.pool.is_empty() {
                return Err(PluginError::new(
                    "board: a king is missing, so the game is over and there are no dice",
                ));
            }
            position.phase = Phase::Over(Outcome::Won(side));
        } else if position.phase == Phase::Roll
            && self
                .draw_policy()
                .draws(position.half_move, position.plies())
        {
            position.phase = Phase::Over(Outcome::Drawn);
        }
        if position.phase == Phase::Spend(0) {
            return Err(PluginError(format!(
                "dice `{}`: none of them can be spent here, so the turn is passed: give other dice, or none",
                dice_field(position.pool, position.side)
            )));
        }
        Ok(position)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        POSITIONS
            .iter()
            .map(|(n, d)| (*n, (*d).to_owned()))
            .collect()
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        bots::POLICIES.to_vec()
    }

    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        bots::policy(name, settings)
    }

    fn own_agents(&self) -> Vec<(&'static str, &'static str)> {
        bots::agents::AGENTS.to_vec()
    }

    fn own_agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        budget: &Budget,
    ) -> Result<Option<Box<dyn Agent<Self>>>, ExprError> {
        bots::agents::agent(name, settings, budget)
    }

    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        let expand = bots::whole_turns::WholeTurns::default();
        let evaluation = bots::evaluation::Evaluation::default();
        Some(bots::whole_turns::depth_first(evaluation, expand))
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn before_chance(&self, state: &Position) -> Option<Position> {
        let rolled = matches!(state.phase, Phase::Spend(_)) && state.pool.len() == 3;
        rolled.then(|| state.with_pool(Pool::EMPTY))
    }

    const HAS_SURVIVAL: bool = true;

    fn survival_policies(&self) -> Vec<(&'static str, &'static str)> {
        Policy::ALL.map(|p| (p.name(), p.about())).to_vec()
    }

    /// `draws`: whether games are drawn as the options say; without, the horizon ends them.
    fn survival(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        control: bool,
    ) -> Result<Option<SharedEquity<Self>>, ExprError> {
        let Ok(policy) = name.parse::<Policy>() else {
            return Ok(None);
        };
        Ok(Some(Arc::new(PolicyProcess {
            policy,
            draws: settings.get("draws", false)?,
            luck: control,
        })))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, loss -1)"
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["win_rate", "draw_rate", "plies"]
    }

    /// Whether the player captured the king, whether the game was drawn, and its length in turns.
    fn metrics(&self, finished: &Position, player: Player) -> Vec<f64> {
        let flag = |holds| if holds { 1.0 } else { 0.0 };
        let won = matches!(finished.phase, Phase::Over(Outcome::Won(side))
            if crate::game::player_of(side) == player);
        vec![
            flag(won),
            flag(finished.phase == Phase::Over(Outcome::Drawn)),
            finished.plies() as f64,
        ]
    }
}

fn refused(why: &str, legal: &[MicroMove]) -> PluginError {
    let shown: Vec<String> = legal.iter().take(24).map(MicroMove::to_string).collect();
    let more = match legal.len() - shown.len() {
        0 => String::new(),
        _ => format!(", … ({} in all)", legal.len()),
    };
    PluginError(format!("{why}; legal: {}{more}", shown.join(", ")))
}

/// What keeps a well-written move from being played, as far as the legal ones tell.
fn why_not(mv: MicroMove, legal: &[MicroMove]) -> String {
    let same = |m: &&MicroMove| m.from() == mv.from() && m.to() == mv.to();
    if legal.iter().any(|m| same(&m) && m.promotion().is_some()) {
        return format!(
            "{mv}: say what the pawn becomes, as in {mv}q, and leave enough dice to spend"
        );
    }
    if legal.iter().any(|m| same(&m)) {
        return format!("{mv}: no pawn is promoted there");
    }
    if legal.iter().any(|m| m.from() == mv.from()) {
        return format!("{mv}: the piece on {} cannot go there now", mv.from());
    }
    format!(
        "{mv}: nothing on {} can move now: its die is not there, it is not yours, or a turn that begins so spends too few dice",
        mv.from()
    )
}

/// Reads three dice in any order and case, as in `PNB`.
///
/// # Errors
/// When they are not three faces.
pub fn parse_roll(text: &str) -> Result<Roll, PluginError> {
    let pool = parse_dice(text.trim()).map_err(|e| PluginError(format!("{e}")))?;
    Roll::of(pool).ok_or_else(|| PluginError(format!("dice `{text}`: expected three letters")))
}
