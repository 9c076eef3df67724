//! Rows of small games with hidden information: values, uniform play, best responses to it.

use search_core::game::{ChanceOutcomes, InfoKey, Player};
use search_core::plugin::Outcome;
use serde_json::Value;

use super::{Checked, number, text};
use crate::kuhn::Rank;
use crate::leduc::LeducView;
use crate::solve::{GameTree, InfoSet, InitialStates, TooLarge, value_bounds};
use crate::{Goofspiel, KuhnPoker, LeducPoker, LiarsDice};

/// How close the two bounds on the value must come.
const GAP: f64 = 1e-4;
const ITERATIONS: u32 = 5_000;
/// Other numbers are given to nine places.
const PLACES: f64 = 1e-9;
/// Liar's dice with six sides has 294,877.
const NODES: usize = 400_000;

/// What a name in OpenSpiel's notation means here.
enum Named {
    Kuhn,
    Leduc,
    LeducRanks,
    Liars(u32),
    Goofspiel(u32),
}

impl Named {
    fn read(name: &str) -> Option<Self> {
        let between = |before: &str, after: &str| -> Option<u32> {
            let rest = name.strip_prefix(before)?;
            rest.strip_suffix(after)?.parse().ok()
        };
        let goofspiel = "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=";
        Some(match name {
            "kuhn_poker" => Self::Kuhn,
            "leduc_poker" => Self::Leduc,
            "leduc_poker(suit_isomorphism=True)" => Self::LeducRanks,
            "liars_dice" => Self::Liars(6),
            _ => {
                if let Some(sides) = between("liars_dice(numdice=1,dice_sides=", ")") {
                    Self::Liars(sides)
                } else {
                    // To win or lose is what is played for unless the name says otherwise.
                    let cards = between(goofspiel, ",points_order=descending))").or_else(|| {
                        between(
                            goofspiel,
                            ",points_order=descending,returns_type=win_loss))",
                        )
                    });
                    Self::Goofspiel(cards?)
                }
            }
        })
    }
}

pub(super) fn check(row: &Value) -> Checked {
    let name = text(row, "game")?;
    match Named::read(name) {
        Some(Named::Kuhn) => plain(row, &KuhnPoker),
        Some(Named::Leduc) => plain(row, &LeducPoker),
        Some(Named::LeducRanks) => {
            let tree = GameTree::new(&LeducPoker, NODES).and_then(|tree| tree.merged(ranks));
            extensive(row, tree)
        }
        Some(Named::Liars(sides)) => plain(row, &LiarsDice::new(sides).map_err(|e| e.to_string())?),
        Some(Named::Goofspiel(cards)) => {
            plain(row, &Goofspiel::new(cards).map_err(|e| e.to_string())?)
        }
        None => Ok(Outcome::Skip(format!("no game for {name} yet"))),
    }
}

/// What a player of Leduc poker knows apart from suits.
type Ranks = (Rank, Option<Rank>, [Vec<crate::leduc::LeducAction>; 2]);

fn ranks(set: &InfoSet<LeducPoker>) -> Ranks {
    let LeducView { card, table, .. } = &set.key;
    let played = [0, 1].map(|round| table.played(round).to_vec());
    (card.rank(), table.public().map(|card| card.rank()), played)
}

fn plain<G: InfoKey + ChanceOutcomes + InitialStates>(row: &Value, game: &G) -> Checked {
    extensive(row, GameTree::new(game, NODES))
}

fn extensive<G: InfoKey>(row: &Value, tree: Result<GameTree<G>, TooLarge>) -> Checked {
    let tree = tree.map_err(|e| e.to_string())?;
    let players = tree.info_sets().map(|(_, set)| set.player.index());
    let counts = players.fold([0_u64; 2], |mut counts, player| {
        counts[player] += 1;
        counts
    });
    if row["infosets"] != Value::from(counts.to_vec()) {
        return Err(format!(
            "infosets: expected {}, got {counts:?}",
            row["infosets"]
        ));
    }
    let [first, second] = [Player::new(0), Player::new(1)];
    let uniform = tree.uniform();
    let value = tree.value(&uniform).of(first);
    number(row, "uniform_vs_uniform_p0", Some(value), PLACES)?;
    let response = |player| Some(tree.best_response(&uniform, player).value);
    number(row, "best_response_p0_vs_uniform", response(first), PLACES)?;
    number(row, "best_response_p1_vs_uniform", response(second), PLACES)?;
    value_within(row, &tree)
}

/// The value lies between bounds that are proven and close together.
fn value_within<G: InfoKey>(row: &Value, tree: &GameTree<G>) -> Checked {
    let Some(expected) = row["value_p0"].as_f64() else {
        return Ok(Outcome::Pass);
    };
    let bounds = value_bounds(tree, GAP, ITERATIONS);
    let (low, high) = (bounds.low, bounds.high);
    if bounds.gap() > GAP {
        return Err(format!(
            "value_p0: after {ITERATIONS} iterations no nearer than {low} to {high}"
        ));
    }
    if (low - PLACES..=high + PLACES).contains(&expected) {
        return Ok(Outcome::Pass);
    }
    Err(format!(
        "value_p0: expected {expected}, proven to be {low} to {high}"
    ))
}
