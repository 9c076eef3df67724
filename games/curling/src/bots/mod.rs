//! Who plays curling by rule: policies without memory.

pub mod outlook;
pub mod quick;
pub mod random;
pub mod strategist;

use std::sync::Arc;

use search_core::expr::{Expr, ExprError, Settings};
use search_core::plugin::SharedPolicy;

use crate::action::Action;
use crate::game::Curling;
use quick::Quick;
use random::RandomLegal;
use strategist::Strategist;

/// The policies by name, each with a line about it. The first stands in for an agent that fails.
pub const POLICIES: [(&str, &str); 3] = [
    (
        "strategist",
        "the rules of curling strategy, then the best of their shots by a few throws; `aggression` (0, -1 to 1), `finalists` (6)",
    ),
    (
        "quick",
        "hits the open shot stone, else draws or guards at random: microseconds, for rollouts",
    ),
    (
        "random-legal",
        "any of the listed shots with the same probability",
    ),
];

/// The policy of this name.
///
/// # Errors
/// When a setting cannot be used.
pub fn policy(
    name: &str,
    settings: &mut Settings<'_>,
) -> Result<Option<SharedPolicy<Curling>>, ExprError> {
    Ok(Some(match name {
        "strategist" => {
            let usual = Strategist::default();
            let aggression = settings.get("aggression", usual.aggression)?;
            if !(-1.0..=1.0).contains(&aggression) {
                let given = Expr::word(aggression.to_string());
                return Err(settings.bad("aggression", &given, "expected -1 to 1".to_owned()));
            }
            let finalists = settings.get("finalists", usual.finalists)?;
            if !(1..=100).contains(&finalists) {
                let given = Expr::word(finalists.to_string());
                return Err(settings.bad("finalists", &given, "expected 1 to 100".to_owned()));
            }
            Arc::new(Strategist {
                aggression,
                finalists,
                ..usual
            })
        }
        "quick" => Arc::new(Quick),
        "random-legal" => Arc::new(RandomLegal),
        _ => return Ok(None),
    }))
}

/// The listed shot that is most like `wanted`: the same one where it is listed. `None` when nothing
/// is listed.
#[must_use]
pub fn nearest(legal: &[Action], wanted: Action) -> Option<Action> {
    if legal.binary_search(&wanted).is_ok() {
        return Some(wanted);
    }
    // A thousandth of the speed and a milliradian both are some 7 cm at the tee.
    let off = |action: &Action| {
        let speed = (action.speed() - wanted.speed()) / wanted.speed().max(1e-3);
        let angle = action.angle() - wanted.angle();
        speed * speed + angle * angle + f64::from(u8::from(action.spin() != wanted.spin()))
    };
    legal
        .iter()
        .filter(|action| action.release().is_some())
        .min_by(|a, b| off(a).total_cmp(&off(b)))
        .or(legal.first())
        .copied()
}
