//! `replay --check`: a captured position as a regression test.

use serde::Serialize;

use crate::cli::agent_expr;
use crate::cli::console::Console;
use crate::error::{Error, Result};
use crate::experiment::capture::file::Captured;
use crate::game::OpenGame;

/// What an agent chose at a position, and whether that will do.
#[derive(Debug, Serialize)]
pub(super) struct Checked {
    /// The agent.
    pub(super) agent: String,
    /// What it chose.
    pub(super) chose: String,
    /// What was wanted.
    pub(super) want: Option<String>,
    /// What was to be avoided.
    pub(super) avoid: Option<String>,
    /// Why it did not decide itself, if it did not.
    pub(super) failure: Option<String>,
    /// Whether it would choose the same again.
    pub(super) deterministic: bool,
    /// Whether it chose what was wanted, or not what was to be avoided.
    pub(super) holds: bool,
}

pub(super) fn check(
    game: &dyn OpenGame,
    captured: &Captured,
    agent: &str,
    want: Option<&str>,
    avoid: Option<&str>,
) -> Result<Checked> {
    let expr = agent_expr("--check", agent)?;
    let texts: Vec<&str> = want.into_iter().chain(avoid).collect();
    if texts.is_empty() {
        return Err(Error::input(format!(
            "nothing is wanted: set `want` or `avoid` in the file to an action, or give --want {}",
            captured.b_chose.action
        )));
    }
    let answer = game.answer(&captured.script(), &expr, &texts)?;
    let mut texts = answer.texts.into_iter();
    let want = want.and_then(|_| texts.next());
    let avoid = avoid.and_then(|_| texts.next());
    let chose = answer.chosen.action;
    let failure = answer.chosen.substitute.map(|what| {
        answer
            .reason
            .map_or(what.clone(), |reason| format!("{what}: {reason}"))
    });
    let as_wanted = want.as_ref().is_none_or(|want| *want == chose);
    let avoided = avoid.as_ref().is_none_or(|avoid| *avoid != chose);
    Ok(Checked {
        agent: expr.to_string(),
        holds: failure.is_none() && as_wanted && avoided,
        chose,
        want,
        avoid,
        failure,
        deterministic: answer.deterministic,
    })
}

/// The verdict.
pub(super) fn line(checked: &Checked, console: &Console) -> String {
    let mut verdict = match (&checked.failure, checked.holds) {
        (Some(failure), _) => format!("it did not decide itself ({failure})"),
        (None, true) => "holds".into(),
        (None, false) => "DOES NOT HOLD".into(),
    };
    if let Some(want) = &checked.want {
        verdict.push_str(&format!(", {want} is wanted"));
    }
    if let Some(avoid) = &checked.avoid {
        verdict.push_str(&format!(", {avoid} is to be avoided"));
    }
    if !checked.deterministic {
        verdict.push_str(" (it may choose otherwise next time)");
    }
    let line = format!("{} chooses {}: {verdict}", checked.agent, checked.chose);
    format!("check      {}\n", console.bold(&line))
}
