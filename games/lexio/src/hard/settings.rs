//! The hard player in the agent language.

use search_core::expr::{Expr, ExprError, Settings};

use super::{Foresight, Hard, LeadScale, Term, Ties, Urgency, Weights};
use crate::answer::Estimator;

const URGENCIES: [(&str, Urgency); 2] = [("min", Urgency::Min), ("mean", Urgency::Mean)];

const ESTIMATORS: [(&str, Foresight); 5] = [
    ("exact", Foresight::Estimated(Estimator::Exact)),
    ("sum_count", Foresight::Estimated(Estimator::SumCount)),
    ("indep_count", Foresight::Estimated(Estimator::IndepCount)),
    ("possible", Foresight::Possible),
    ("none", Foresight::Nothing),
];

const TIES: [(&str, Ties); 2] = [("quantised", Ties::Quantised), ("raw", Ties::Raw)];

const LEAD_SCALES: [(&str, LeadScale); 3] = [
    ("plain", LeadScale::Plain),
    ("cheap", LeadScale::Cheap),
    ("calm", LeadScale::Calm),
];

/// What the word at `key` means, or what is usual.
fn word<T: PartialEq + Clone>(
    settings: &mut Settings<'_>,
    key: &'static str,
    usual: T,
    words: &[(&'static str, T)],
) -> Result<T, ExprError> {
    // A choice falls back on its first word.
    let mut names: Vec<&'static str> = words.iter().map(|(name, _)| *name).collect();
    names.sort_by_key(|name| words.iter().any(|(n, t)| n == name && *t != usual));
    let chosen = settings.choice(key, &names)?;
    let found = words.iter().find(|(name, _)| *name == chosen);
    Ok(found.map_or(usual, |(_, value)| value.clone()))
}

impl Hard {
    /// Reads `preset` (`default` or `pre_repair`), then what differs from it: the weight of each
    /// [`Term`] by its name, `urgency`, `estimator`, `ties`, `lead_scale`, `finish`.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings<'_>) -> Result<Self, ExprError> {
        let mut hard = match settings.choice("preset", &["default", "pre_repair"])? {
            "pre_repair" => Self::pre_repair(),
            _ => Self::default(),
        };
        for term in Term::ALL {
            let weight = settings.get(term.name(), hard.weights.of(term))?;
            if !(weight.is_finite() && weight.abs() <= Weights::MOST) {
                let given = Expr::word(weight.to_string());
                let expected = format!("expected a number from -{0} to {0}", Weights::MOST);
                return Err(settings.bad(term.name(), &given, expected));
            }
            hard.weights.set(term, weight);
        }
        hard.urgency = word(settings, "urgency", hard.urgency, &URGENCIES)?;
        hard.foresight = word(settings, "estimator", hard.foresight, &ESTIMATORS)?;
        hard.ties = word(settings, "ties", hard.ties, &TIES)?;
        hard.lead_scale = word(settings, "lead_scale", hard.lead_scale, &LEAD_SCALES)?;
        hard.finish = settings.get("finish", hard.finish)?;
        Ok(hard)
    }
}
