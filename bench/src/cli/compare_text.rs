//! A comparison as a page for a person.

use super::compare::SelfCheck;
use super::console::Console;
use super::text::{decimals, labelled as line, percent, seconds, signed, table, thousands};
use crate::experiment::checks::Checks;
use crate::experiment::sequential::{AnyTime, Sequential};
use crate::experiment::summary::{ArmSummary, Difference, Fallbacks, Summary};
use crate::statistics::sequential::{Decision, FIRST_DECISION};

/// What stands beside the summary.
pub(super) struct Notes<'a> {
    /// a against itself.
    pub(super) self_check: Option<&'a SelfCheck>,
    /// Second opinions.
    pub(super) checks: &'a Checks,
    /// Blocks beyond the stop.
    pub(super) discarded: usize,
    /// The command that gives the same.
    pub(super) again: &'a str,
}

pub(super) fn page(summary: &Summary, notes: &Notes<'_>, console: &Console) -> String {
    let mut page = format!(
        "{}\n  a  {}\n  b  {}\n",
        console.bold(&summary.game),
        console.bold(&summary.a),
        console.bold(&summary.b)
    );
    line(
        &mut page,
        "design",
        &format!(
            "{} {} {}, {} matches\n{}",
            thousands(summary.seeds as u64),
            if summary.seeds == 1 { "seed" } else { "seeds" },
            summary.seed_range,
            thousands(summary.matches as u64),
            summary.design
        ),
    );
    page.push('\n');
    line(&mut page, "result", &console.bold(&verdict(summary)));
    line(&mut page, "difference", &result(summary));
    for direction in summary
        .directions
        .iter()
        .filter(|_| summary.directions.len() > 1)
    {
        let words = interval(&direction.difference, "");
        line(&mut page, "", &format!("{:<16} {words}", direction.name));
    }
    if let Some(any_time) = &summary.any_time {
        line(&mut page, "any-time", &any_time_words(summary, any_time));
    }
    if let Some(words) = stop_words(summary, notes.discarded) {
        line(&mut page, "stop", &words);
    }
    page.push('\n');
    page.push_str(&arms(summary));
    page.push('\n');
    line(&mut page, "pairing", &pairing(summary));
    if let Some(check) = notes.self_check {
        let words = format!("a against itself is exactly 0 on {} seeds", check.seeds);
        line(&mut page, "self-check", &words);
    }
    for warning in summary.warnings.iter().chain(&notes.checks.warnings) {
        line(&mut page, &console.yellow("warning   "), warning);
    }
    line(&mut page, "digest", &console.dim(&summary.digest[..16]));
    line(&mut page, "again", notes.again);
    page
}

fn verdict(summary: &Summary) -> String {
    if !summary.interpretable {
        return "withheld: the figures are not to be interpreted (see the warnings)".into();
    }
    let d = &summary.difference;
    // After a stop by the data only an interval that may be looked at any time counts.
    let any_time = summary.any_time.as_ref();
    let any_time = any_time.map_or((None, None), |a| (a.low, a.high));
    if let Some(test) = &summary.sequential {
        let told_apart = any_time.0 > Some(0.0) || any_time.1.is_some_and(|high| high < 0.0);
        if test.decision.is_some() || !told_apart {
            return tested(summary, test);
        }
    }
    let ends = if summary.stop.is_some() {
        any_time
    } else {
        (d.low, d.high)
    };
    match ends {
        (Some(low), _) if low > 0.0 => "a is better than b".into(),
        (_, Some(high)) if high < 0.0 => "b is better than a".into(),
        (Some(_), _) => format!("undecided: {} seeds do not tell a from b", summary.seeds),
        _ if summary.seeds > 1 && d.mean == 0.0 => "a and b came out exactly equal".into(),
        _ => "no verdict without an interval".into(),
    }
}

/// The verdict of a sequential test.
fn tested(summary: &Summary, test: &Sequential) -> String {
    let places = decimals(summary.difference.standard_error);
    let (h0, h1) = (signed(test.h0, places), signed(test.h1, places));
    let seeds = thousands(test.seeds_used);
    match test.decision {
        Some(Decision::H1) => format!(
            "H1 accepted after {seeds} seeds: a difference of {h1} fits better than one of {h0}"
        ),
        Some(Decision::H0) => format!(
            "H0 accepted after {seeds} seeds: a difference of {h0} fits better than one of {h1}"
        ),
        None if test.seeds_used < FIRST_DECISION => format!(
            "undecided: after {seeds} seeds, and the test decides nothing before {FIRST_DECISION}"
        ),
        None if test.llr.is_none() => format!(
            "undecided after {seeds} seeds: not every hypothesis lies between the least and the \
             greatest score of a block, so the test waits"
        ),
        None => format!("undecided after {seeds} seeds: the test accepted neither {h0} nor {h1}"),
    }
}

fn any_time_words(summary: &Summary, any_time: &AnyTime) -> String {
    let places = decimals(summary.difference.standard_error);
    let interval = match (any_time.low, any_time.high) {
        (Some(low), Some(high)) => format!(
            "{} [{}, {}], valid however often one looks",
            percent(any_time.level),
            signed(low, places),
            signed(high, places)
        ),
        _ => "no interval (see the warnings)".into(),
    };
    let [low, high] = any_time.range;
    format!(
        "{interval}\n({}, block scores within {}..{} {})",
        any_time.method,
        bound(low),
        bound(high),
        if any_time.declared {
            "as declared"
        } else {
            "by the rules"
        }
    )
}

/// The end of a range, without digits that say nothing.
fn bound(x: f64) -> String {
    format!("{}", (x * 1e6).round() / 1e6)
}

fn stop_words(summary: &Summary, discarded: usize) -> Option<String> {
    let rule = summary.stop.as_ref()?;
    let mut words = match &summary.sequential {
        Some(test) => format!(
            "LLR {}, bounds {} and {}; H0 {}, H1 {}, alpha {}, beta {} (nominal)",
            test.llr.map_or("–".into(), |llr| signed(llr, 2)),
            signed(test.lower, 2),
            signed(test.upper, 2),
            test.h0,
            test.h1,
            test.alpha,
            test.beta
        ),
        None => format!("rule `{rule}`: when the any-time interval excludes 0"),
    };
    words.push_str(&format!(
        "\n{} seeds used of {}",
        thousands(summary.seeds as u64),
        summary.seed_range
    ));
    if discarded > 0 {
        words.push_str(&format!(
            "; {discarded} later blocks were already there and do not count"
        ));
    }
    Some(words)
}

fn result(summary: &Summary) -> String {
    let d = &summary.difference;
    let unit = format!(" {}", summary.unit);
    let method = match d.low {
        Some(_) => format!(
            "{}, {} {} of freedom",
            d.method,
            thousands(d.degrees_of_freedom as u64),
            if d.degrees_of_freedom == 1 {
                "degree"
            } else {
                "degrees"
            }
        ),
        None => d.method.to_string(),
    };
    format!("{}\n({method})", interval(d, &unit))
}

/// The mean, its unit, and the interval if there is one.
fn interval(d: &Difference, unit: &str) -> String {
    let places = decimals(d.standard_error);
    let mean = signed(d.mean, places);
    match (d.low, d.high) {
        (Some(low), Some(high)) => format!(
            "{mean}{unit}   {} [{}, {}]",
            percent(d.level),
            signed(low, places),
            signed(high, places)
        ),
        _ => format!("{mean}{unit}"),
    }
}

fn arms(summary: &Summary) -> String {
    let both = [&summary.arms.a, &summary.arms.b];
    let places = decimals(summary.difference.standard_error).max(2);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: &dyn Fn(&ArmSummary) -> String| {
        rows.push(vec![name.into(), value(both[0]), value(both[1])]);
    };
    row("score", &|arm| signed(arm.score, places));
    for name in summary.arms.a.metrics.keys() {
        row(name, &|arm| match arm.metrics.get(name) {
            Some(value) if value.is_finite() => format!("{value:.3}"),
            _ => "–".into(),
        });
    }
    row("decisions", &|arm| thousands(arm.decisions));
    row("failures", &|arm| thousands(arm.fallbacks.failure));
    row("time-outs", &|arm| thousands(arm.fallbacks.timeout));
    row("not its own", &|arm| rate(&arm.fallbacks));
    row("a decision, median", &|arm| {
        seconds(arm.seconds_per_decision.p50)
    });
    row("99 of 100 within", &|arm| {
        seconds(arm.seconds_per_decision.p99)
    });
    table(&["", "a", "b"], &rows)
}

fn rate(f: &Fallbacks) -> String {
    format!(
        "{} of {} (≤ {})",
        thousands(f.failure + f.timeout),
        thousands(f.of),
        percent(f.upper)
    )
}

fn pairing(summary: &Summary) -> String {
    let factor = match summary.variance_reduction {
        None => "the difference does not vary".to_string(),
        Some(factor) => {
            let needed = (factor * summary.seeds as f64).round() as u64;
            let doubt = if summary.seeds < 8 {
                "; too few seeds to trust it"
            } else {
                ""
            };
            format!(
                "factor {factor:.2}: independent deals would need about {} seeds{doubt}",
                thousands(needed)
            )
        }
    };
    format!(
        "{factor}\n{} of {} deals distinct · {} blocks diverged",
        thousands(summary.distinct_deals as u64),
        thousands(summary.seeds as u64),
        thousands(summary.divergent_blocks as u64)
    )
}
