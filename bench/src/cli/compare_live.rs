//! What is known while a comparison runs, on one line under the progress bar.

use super::text::{decimals, percent, signed, thousands};
use crate::experiment::watch::Progress;

/// The difference, its any-time interval, the likelihood ratio and the fallbacks, each where there is
/// one; nothing before the first seed.
pub(super) fn live(so_far: &Progress, level: f64) -> String {
    if so_far.seeds == 0 {
        return String::new();
    }
    let places = so_far.standard_error.map_or(2, decimals).clamp(2, 4);
    let mut parts = vec![format!("diff {}", signed(so_far.mean, places))];
    if let Some(interval) = so_far.any_time {
        let ends = [interval.low, interval.high].map(|end| signed(end, places));
        let (low, high) = (&ends[0], &ends[1]);
        parts.push(format!("any-time {} [{low}, {high}]", percent(level)));
    }
    if let Some((llr, lower, upper)) = so_far.llr {
        let llr = llr.map_or("–".into(), |llr| signed(llr, 2));
        parts.push(format!("LLR {llr} ({lower:.2}, {upper:.2})"));
    }
    let (fallbacks, decisions) = (so_far.fallbacks, so_far.decisions);
    parts.push(format!(
        "fallback {}/{}",
        thousands(fallbacks),
        thousands(decisions)
    ));
    parts.join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::interval::Interval;

    #[test]
    fn the_line_says_what_is_known() {
        let mut so_far = Progress {
            seeds: 37,
            mean: 0.412,
            standard_error: Some(0.21),
            any_time: Some(Interval {
                low: 0.021,
                high: 0.83,
            }),
            llr: Some((Some(1.984), -2.944, 2.944)),
            fallbacks: 0,
            decisions: 9120,
        };
        assert_eq!(
            live(&so_far, 0.95),
            "diff +0.41   any-time 95 % [+0.02, +0.83]   LLR +1.98 (-2.94, 2.94)   fallback 0/9,120"
        );
        so_far.any_time = None;
        so_far.llr = Some((None, -2.944, 2.944));
        assert_eq!(
            live(&so_far, 0.95),
            "diff +0.41   LLR – (-2.94, 2.94)   fallback 0/9,120"
        );
        so_far.seeds = 0;
        assert_eq!(live(&so_far, 0.95), "");
    }
}
