//! What a careful reader would object to, raised by the tool itself.

use super::summary::{ArmSummary, Comparison, FALLBACK_LIMIT, Summary};

/// Seeds below which an interval is hardly worth printing.
const FEW_SEEDS: usize = 8;

/// An agent against itself must differ by exactly 0.
pub(super) fn self_match_differs(summary: &Summary) -> bool {
    summary.a == summary.b && summary.per_seed.iter().any(|d| *d != 0.0)
}

/// Every warning that applies, the gravest first.
pub(super) fn all(comparison: &Comparison, summary: &Summary) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(withheld("a", &summary.arms.a));
    warnings.extend(withheld("b", &summary.arms.b));
    if self_match_differs(summary) {
        warnings.push(
            "a and b are the same agent and yet differ: it remembers something between decisions, \
             or reads the clock; its figures are not to be interpreted"
                .into(),
        );
    }
    warnings.extend(repeatability(comparison, summary));
    warnings.extend(sample(summary));
    warnings.extend(spread(summary));
    if summary.cut_off_rounds > 0 {
        warnings.push(format!(
            "{} rounds were stopped at the game's limit of turns and valued there",
            summary.cut_off_rounds
        ));
    }
    warnings
}

fn withheld(name: &str, arm: &ArmSummary) -> Option<String> {
    let f = &arm.fallbacks;
    (f.rate > FALLBACK_LIMIT).then(|| {
        let why = f.first_failure.as_ref();
        let why = why.map(|w| format!("; it first failed because {w}"));
        format!(
            "WITHHELD: a substitute decided for {name} in {:.1} % of {} decisions (limit {:.0} %): \
             the difference is not {name}'s{}",
            100.0 * f.rate,
            f.of,
            100.0 * FALLBACK_LIMIT,
            why.unwrap_or_default()
        )
    })
}

fn repeatability(comparison: &Comparison, summary: &Summary) -> Option<String> {
    if comparison.clock {
        return Some(
            "an agent has a wall-clock budget or time-out: another run or machine gives other \
             figures; prefer sims=…"
                .into(),
        );
    }
    (!summary.deterministic)
        .then(|| "an agent says that its decisions would not come out the same again".into())
}

fn sample(summary: &Summary) -> Vec<String> {
    let mut warnings = Vec::new();
    let seeds = summary.seeds;
    if seeds < FEW_SEEDS {
        warnings.push(format!(
            "only {seeds} seed{}: an interval needs {FEW_SEEDS}, better 32",
            if seeds == 1 { "" } else { "s" }
        ));
    }
    if summary.distinct_deals > 1 && summary.distinct_deals < seeds {
        warnings.push(format!(
            "{seeds} seeds gave only {} distinct deals",
            summary.distinct_deals
        ));
    }
    if summary.distinct_blocks < seeds {
        warnings.push(format!(
            "{seeds} seeds gave only {} different blocks of play: so small a game is better \
             enumerated",
            summary.distinct_blocks
        ));
    }
    if summary.divergent_blocks == 0 && summary.a != summary.b {
        warnings.push("a and b decided alike everywhere: no block diverged".into());
    }
    warnings
}

fn spread(summary: &Summary) -> Vec<String> {
    let mut warnings = Vec::new();
    let seeds = summary.seeds as f64;
    if let Some(factor) = summary.variance_reduction.filter(|f| *f < 1.0) {
        let noisy = if summary.seeds < 32 {
            " (a noisy figure below 32 seeds)"
        } else {
            ""
        };
        warnings.push(format!(
            "sharing deals did not help: pairing factor {factor:.2}{noisy}"
        ));
    }
    let mean = summary.difference.mean;
    let squares = summary.per_seed.iter().map(|d| (d - mean).powi(2));
    let (total, largest) = squares.fold((0.0, 0.0_f64), |(t, l), x| (t + x, l.max(x)));
    // Of few normal numbers the largest always has a large share: 12/N is beyond 3.4 sigma.
    let limit = (12.0 / seeds).clamp(0.1, 0.5);
    if summary.seeds >= FEW_SEEDS && largest > limit * total {
        warnings.push(format!(
            "one seed carries {:.0} % of the sum of squares",
            100.0 * largest / total
        ));
    }
    warnings
}
