//! What `replay` says around the turns.

use super::{Args, Content, Tape};
use crate::cli::capture::cost_text;
use crate::cli::console::Console;
use crate::cli::events::by_seat;
use crate::cli::text::{indent, shell, signed};
use crate::experiment::capture::file::Captured;
use crate::game::{PlayReport, StandingReport};

pub(super) fn head(tape: &Tape) -> String {
    let seats = tape.agents.iter().enumerate();
    let seats: Vec<String> = seats.map(|(i, a)| format!("seat {i} {a}")).collect();
    format!(
        "{} · seed {} · {}\n",
        tape.game,
        tape.seed,
        seats.join(" · ")
    )
}

/// The position and both choices.
pub(super) fn position(
    captured: &Captured,
    standing: &StandingReport,
    args: &Args,
    console: &Console,
) -> String {
    let mut text = format!(
        "\n{}\n",
        console.bold(&format!(
            "seat {} is to move: round {}, turn {}",
            captured.seat,
            captured.round + 1,
            captured.steps.len()
        ))
    );
    if args.as_seen_by.is_some_and(|seat| seat != captured.seat) {
        return text;
    }
    text.push_str(&indent(&standing.picture, "  "));
    let width = captured.a.chars().count().max(captured.b.chars().count());
    let choices = [
        ("a", &captured.a, &captured.a_chose),
        ("b", &captured.b, &captured.b_chose),
    ];
    for (letter, agent, chosen) in choices {
        let meaning = chosen.description.as_ref();
        let meaning = meaning.map(|d| format!("   {d}")).unwrap_or_default();
        let substitute = chosen.substitute.as_ref();
        let substitute = substitute.map(|s| format!("   (a substitute's, after a {s})"));
        text.push_str(&format!(
            "{letter}  {agent:width$}  {}{meaning}{}\n",
            chosen.action,
            substitute.unwrap_or_default()
        ));
    }
    let brought = signed(captured.round_return, 2);
    text.push_str(&format!("a played on; the round brought {brought}\n"));
    if let Some(cost) = &captured.cost {
        text.push_str(&format!(
            "a's choice cost {} in {} continuations by {}: {} after it, {} after b's\n",
            cost_text(cost),
            cost.continuations,
            cost.by,
            signed(cost.after_a, 2),
            signed(cost.after_b, 2)
        ));
    }
    text
}

pub(super) fn foot(
    content: &Content,
    tape: &Tape,
    report: Option<&PlayReport>,
    command: Option<(&str, &str)>,
) -> String {
    let turns = tape.steps.len();
    let mut text = String::new();
    match content {
        Content::Match(record) => {
            if let Some(scores) = report.and_then(|r| r.scores.as_ref()) {
                text.push_str(&format!("\nscore      {}\n", by_seat(scores, &tape.agents)));
            }
            if record.result.is_none() {
                text.push_str("\nThe record was interrupted: the match goes on after this.\n");
            } else if report.is_some_and(|r| r.scores.is_none()) {
                text.push_str("\nSomebody left here; the match has no score.\n");
            }
        }
        Content::Position(captured) => {
            // With one seat's eyes nothing is said of what another would do.
            if let Some((program, name)) = command {
                text.push_str(&format!(
                    "check      {program} replay {} --check {} --want {}\n",
                    shell(name),
                    shell(&captured.a),
                    shell(&captured.b_chose.action)
                ));
            }
        }
    }
    let plural = if turns == 1 { "" } else { "s" };
    text.push_str(&format!(
        "verified   {turns} turn{plural}, each as it was recorded\n"
    ));
    text
}
