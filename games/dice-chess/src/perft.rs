//! What `perft` counts: the legal turns of a position, roll by roll.

use search_core::plugin::{PerftTable, PluginError};

use crate::dfen::parse_dice;
use crate::dice::{Pool, Roll};
use crate::legality::most_dice;
use crate::position::{Phase, Position};
use crate::turns::{TurnCounts, count_turns_spending};

/// Counts the legal turns of a position over the 56 rolls; with `only`, of these dice alone. The
/// dice of a position that has some are the only ones, unless `only` is `all`.
///
/// # Errors
/// When `only` is neither dice nor `all`.
pub fn table(position: &Position, only: Option<&str>) -> Result<PerftTable, PluginError> {
    let cases: Vec<(Pool, u32, u8)> = match (only.map(str::trim), position.phase) {
        (None, Phase::Spend(still)) => vec![(position.pool, weight(position.pool), still)],
        (None | Some("all"), _) => Roll::all()
            .map(|r| (r.pool(), r.weight(), most(position, r.pool())))
            .collect(),
        (Some(dice), _) => {
            let pool = parse_dice(dice).ok().filter(|p| !p.is_empty());
            let pool = pool.ok_or_else(|| {
                PluginError(format!(
                    "`{dice}`: expected one to three of the letters P, N, B, R, Q, K, as in PNB, or all"
                ))
            })?;
            vec![(pool, weight(pool), most(position, pool))]
        }
    };
    let counted = cases.into_iter().map(|(pool, weight, still)| {
        let counts = count_turns_spending(&position.board, position.side, pool, still);
        (pool, u64::from(weight), counts)
    });
    Ok(tabulate(&counted.collect::<Vec<_>>()))
}

/// What is left within a turn is no roll, and counts once.
fn weight(pool: Pool) -> u32 {
    Roll::of(pool).map_or(1, Roll::weight)
}

fn most(position: &Position, pool: Pool) -> u8 {
    most_dice(&position.board, position.side, pool)
}

fn tabulate(counted: &[(Pool, u64, TurnCounts)]) -> PerftTable {
    let sum = |of: &dyn Fn(&TurnCounts) -> u64| {
        let weighted = counted
            .iter()
            .map(|(_, weight, counts)| weight * of(counts));
        weighted.sum::<u64>() as f64
    };
    let weights = sum(&|_| 1);
    let turns = sum(&|c| c.turns);
    PerftTable {
        case: "roll",
        columns: vec![
            "of 216",
            "turns",
            "king captures",
            "results",
            "micro-moves",
            "dice spent",
        ],
        rows: counted
            .iter()
            .map(|(pool, weight, c)| {
                let counts = vec![
                    *weight,
                    c.turns,
                    c.king_captures,
                    c.results,
                    c.micro_moves,
                    u64::from(c.dice),
                ];
                (pool.letters(), counts)
            })
            .collect(),
        totals: vec![
            ("ordered rolls", weights),
            ("legal turns, weighted", turns),
            ("mean turns a roll", turns / weights),
            ("micro-moves in them, weighted", sum(&|c| c.micro_moves)),
            ("different results, weighted", sum(&|c| c.results)),
            (
                "turns that capture the king, weighted",
                sum(&|c| c.king_captures),
            ),
            ("rolls that pass", sum(&|c| u64::from(c.turns == 0))),
            (
                "rolls that can capture the king",
                sum(&|c| u64::from(c.king_captures > 0)),
            ),
        ],
    }
}
