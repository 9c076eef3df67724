//! What happens in a match, in words: for `play` and for `replay`.

use super::text::{indent, signed};
use crate::game::Event;

/// Whose pictures are shown at the beginning of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Viewer {
    /// Everybody's.
    All,
    /// Nobody's: a human at the table is shown the own one when asked.
    Human,
    /// One seat's, at the end too.
    Seat(usize),
}

/// An event, with the agents in the order of the seats.
pub(super) fn in_words(event: &Event, agents: &[String], viewer: Viewer) -> String {
    match event {
        Event::RoundStart { round, pictures } => {
            let shown = match viewer {
                Viewer::Human => String::new(),
                _ => seen_by(pictures, viewer),
            };
            format!("\nround {}\n{shown}", round + 1)
        }
        Event::Decision {
            seat,
            action,
            description,
            substitute,
            reason,
            ..
        } => {
            let agent = agents.get(*seat).map_or("", String::as_str);
            let mut text = format!("  seat {seat} {agent}  {action}");
            if let Some(description) = description {
                text.push_str(&format!("   {description}"));
            }
            if let Some(substitute) = substitute {
                let reason = reason
                    .as_ref()
                    .map(|r| format!(": {r}"))
                    .unwrap_or_default();
                text.push_str(&format!(
                    "   (a substitute's, after a {substitute}{reason})"
                ));
            }
            text + "\n"
        }
        Event::Chance {
            meaning: Some(meaning),
            ..
        } => format!("  chance  {meaning}\n"),
        Event::Chance { outcome, .. } => format!("  chance  {outcome}\n"),
        Event::RoundEnd {
            round,
            returns,
            pictures,
            ..
        } => format!(
            "{}round {} {}\n",
            seen_by(pictures, viewer),
            round + 1,
            by_seat(returns, agents)
        ),
    }
}

/// Values in the order of the seats.
pub(super) fn by_seat(values: &[f64], agents: &[String]) -> String {
    let seats = agents.iter().zip(values).enumerate();
    let each = seats.map(|(i, (agent, v))| format!("seat {i} {agent} {}", signed(*v, 2)));
    each.collect::<Vec<_>>().join(" · ")
}

fn seen_by(pictures: &[String], viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => {
            let picture = pictures.get(seat).map_or("", String::as_str);
            indent(picture, "  ")
        }
        Viewer::All | Viewer::Human => all(pictures),
    }
}

/// The pictures of all seats: one where all see the same.
fn all(pictures: &[String]) -> String {
    match pictures {
        [first, rest @ ..] if rest.iter().all(|p| p == first) => indent(first, "  "),
        _ => {
            let seats = pictures.iter().enumerate();
            let each = seats.map(|(i, p)| format!("  seat {} sees\n{}", i, indent(p, "    ")));
            each.collect()
        }
    }
}
