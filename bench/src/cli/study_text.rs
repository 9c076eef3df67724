//! Studies as pages for a person.

use serde::Serialize;

use super::console::Console;
use super::text::{decimals, labelled as line, percent, signed, table_of_text, thousands};
use crate::experiment::summary::Difference;
use crate::study::Row;
use crate::study::effect::Effect;
use crate::study::grid::{GridReport, Step};
use crate::study::held_out::HeldOut;
use crate::study::tune::{Fate, TuneReport};

/// A report with the command that gives it again.
#[derive(Serialize)]
pub(super) struct WithAgain<'a, R> {
    #[serde(flatten)]
    pub(super) report: &'a R,
    pub(super) again: &'a str,
}

fn head(game: &str, agent: &str, against: &str, console: &Console) -> String {
    format!(
        "{}\n  agent    {}\n  against  {}\n",
        console.bold(game),
        console.bold(agent),
        console.bold(against)
    )
}

pub(super) fn grid(report: &GridReport, again: &str, console: &Console) -> String {
    let mut page = head(&report.game, &report.base.agent, &report.against, console);
    let family = match report.family {
        1 => "one effect".to_string(),
        n => format!("{n} effects, p adjusted together (Holm)"),
    };
    line(
        &mut page,
        "design",
        &format!(
            "tuning seeds {}; every variant on the same deals against the same opponent\n\
             effect = score of the variant minus score of the agent as it is, paired over seeds\n\
             {family}; * = p below {:.2}",
            report.tuning,
            1.0 - report.base.score.level
        ),
    );
    page.push('\n');
    page.push_str(&rows(report));
    page.push('\n');
    for skipped in &report.skipped {
        let words: Vec<String> = skipped
            .values
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        line(
            &mut page,
            "left out",
            &format!("{}: {}", words.join(", "), skipped.why),
        );
    }
    for step in &report.steps {
        line(&mut page, &console.yellow("step at 0 "), &step_words(step));
    }
    if let Some(held_out) = &report.held_out {
        line(&mut page, "best", &console.bold(&held_out.chosen));
        held_out_lines(&mut page, held_out, &report.unit);
    }
    for warning in &report.warnings {
        line(&mut page, &console.yellow("warning   "), warning);
    }
    line(&mut page, "again", again);
    page
}

fn rows(report: &GridReport) -> String {
    let keys: Vec<&str> = match report.rows.first() {
        Some(row) if report.verb == "sweep" => row.values.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let metrics: Vec<&String> = report.base.metrics.keys().collect();
    let mut header: Vec<&str> = if keys.is_empty() {
        vec!["without"]
    } else {
        keys.clone()
    };
    let text_columns = header.len();
    header.extend(["score", "effect", "interval", "p (Holm)"]);
    header.extend(metrics.iter().map(|m| m.as_str()));
    let places = decimals(report.base.score.standard_error).max(2);
    let cells = |first: Vec<String>, row: &Row| {
        let mut cells = first;
        cells.push(if row.interpretable {
            signed(row.score.mean, places)
        } else {
            "withheld".into()
        });
        cells.extend(effect_cells(row, report.base.score.level));
        cells.extend(metrics.iter().map(|m| match row.metrics.get(*m) {
            Some(value) if value.is_finite() => format!("{value:.3}"),
            _ => "–".into(),
        }));
        cells
    };
    let mut first = vec![String::new(); text_columns];
    first[0] = "as it is".into();
    let mut table = vec![cells(first, &report.base)];
    for row in &report.rows {
        let first = if keys.is_empty() {
            row.values.keys().cloned().collect()
        } else {
            keys.iter().map(|k| row.values[*k].clone()).collect()
        };
        table.push(cells(first, row));
    }
    table_of_text(&header, &table, text_columns)
}

/// The effect, its interval, and its p value.
fn effect_cells(row: &Row, level: f64) -> [String; 3] {
    let Some(effect) = row.effect.as_ref().filter(|_| row.interpretable) else {
        return ["–".into(), String::new(), String::new()];
    };
    if effect.seeds_that_differ == 0 {
        return ["0".into(), "scores alike".into(), String::new()];
    }
    let places = decimals(effect.standard_error);
    let p = effect.p_holm.map_or(String::new(), |p| {
        let star = if p < 1.0 - level { " *" } else { "  " };
        format!("{}{star}", p_value(p))
    });
    [signed(effect.mean, places), ends(effect, places), p]
}

fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "< 0.0001".into(),
        p if p < 0.1 => format!("{p:.4}"),
        p => format!("{p:.2}"),
    }
}

fn ends(effect: &Effect, places: usize) -> String {
    match (effect.low, effect.high) {
        (Some(low), Some(high)) => {
            format!("[{}, {}]", signed(low, places), signed(high, places))
        }
        _ => "no interval".into(),
    }
}

/// The mean of an effect with its interval.
fn effect_words(effect: &Effect) -> String {
    let places = decimals(effect.standard_error);
    format!("{} {}", signed(effect.mean, places), ends(effect, places))
}

fn step_words(step: &Step) -> String {
    let far = (step.large - step.small) / step.small;
    format!(
        "{key}: 0 against {small} is worth {}; {small} against {large}, {far:.0} times as far, {}.\n\
         So small a value weighs next to nothing: what changes at 0 is who decides ties",
        effect_words(&step.jump),
        effect_words(&step.rest),
        key = step.key,
        small = step.small,
        large = step.large,
    )
}

fn score_words(score: &Difference) -> String {
    let places = decimals(score.standard_error);
    match (score.low, score.high) {
        (Some(low), Some(high)) => format!(
            "{} {} [{}, {}]",
            signed(score.mean, places),
            percent(score.level),
            signed(low, places),
            signed(high, places)
        ),
        _ => signed(score.mean, places),
    }
}

fn held_out_lines(page: &mut String, held_out: &HeldOut, unit: &str) {
    line(
        page,
        "held out",
        &format!("seeds {}, {unit}", held_out.seeds),
    );
    for cell in &held_out.cells {
        let words = if cell.interpretable {
            format!(
                "{}: effect {} · score {} (was {})",
                cell.game,
                effect_words(&cell.effect),
                score_words(&cell.chosen),
                score_words(&cell.unchanged)
            )
        } else {
            format!("{}: withheld", cell.game)
        };
        line(page, "", &words);
    }
    if let (Some(tuning), Some(shrinkage)) = (held_out.on_tuning, held_out.shrinkage) {
        line(
            page,
            "",
            &format!(
                "the tuning seeds said {}: shrinkage {}",
                signed(tuning, 3),
                signed(shrinkage, 3)
            ),
        );
    }
}

pub(super) fn tuning(report: &TuneReport, again: &str, console: &Console) -> String {
    let mut page = head(&report.game, &report.base.agent, &report.against, console);
    let trials = report.trials.len() as u64;
    line(
        &mut page,
        "design",
        &format!(
            "tuning seeds {}, {} of {} evaluations used: {}",
            report.tuning,
            (report.evaluations * 100.0).round() / 100.0,
            report.plan.evaluations,
            report.ended
        ),
    );
    page.push('\n');
    page.push_str(&trial_rows(report));
    let count = |fate| report.trials.iter().filter(|t| t.fate == fate).count();
    line(
        &mut page,
        "tried",
        &format!(
            "{} changes: {} accepted, {} worse, {} undecided, {} that score alike, {} refused",
            thousands(trials),
            count(Fate::Accepted),
            count(Fate::Rejected),
            count(Fate::Undecided),
            count(Fate::Alike),
            count(Fate::Refused)
        ),
    );
    page.push('\n');
    if report.best.agent == report.base.agent {
        line(&mut page, "found", "nothing better than the agent as it is");
    } else {
        line(&mut page, "found", &console.bold(&report.best.agent));
    }
    let changed = report.best.effect.as_ref();
    if let Some(effect) = changed.filter(|e| e.seeds_that_differ > 0) {
        line(
            &mut page,
            "on tuning",
            &format!(
                "{} {}; score {} (was {})",
                effect_words(effect),
                report.unit,
                score_words(&report.best.score),
                score_words(&report.base.score)
            ),
        );
    }
    if let Some(held_out) = &report.held_out {
        held_out_lines(&mut page, held_out, &report.unit);
    }
    for warning in &report.warnings {
        line(&mut page, &console.yellow("warning   "), warning);
    }
    line(&mut page, "again", again);
    page
}

/// The steps that were taken; a bandit's trials are too many and too noisy to be read one by one.
fn trial_rows(report: &TuneReport) -> String {
    let taken = report
        .trials
        .iter()
        .filter(|t| t.fate == Fate::Accepted && t.effect.is_some());
    let rows: Vec<Vec<String>> = taken
        .map(|trial| {
            vec![
                trial.change.clone(),
                trial.evaluation.to_string(),
                signed(trial.score, 3),
                trial.effect.as_ref().map(effect_words).unwrap_or_default(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let header = [
        "accepted",
        "evaluation",
        "score",
        "effect on the agent so far",
    ];
    format!("{}\n", table_of_text(&header, &rows, 1))
}
