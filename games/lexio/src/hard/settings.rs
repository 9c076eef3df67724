//! The hard player in the agent language.

use search_core::expr::{Expr, ExprError, Settings};
use search_core::plugin::Parameter;

use super::{Foresight, Hard, Term, Ties, Urgency, Weights};
use crate::answer::Estimator;

impl Hard {
    /// Reads `preset` (`default` or `pre_repair`), then what differs from it: the weight of each
    /// [`Term`] by its name, `urgency`, `estimator`, `ties`, `finish`.
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
        if settings.has("urgency") {
            hard.urgency = match settings.choice("urgency", &["min", "mean"])? {
                "mean" => Urgency::Mean,
                _ => Urgency::Min,
            };
        }
        if settings.has("estimator") {
            let words = ["exact", "sum_count", "indep_count", "possible", "none"];
            hard.foresight = match settings.choice("estimator", &words)? {
                "sum_count" => Foresight::Estimated(Estimator::SumCount),
                "indep_count" => Foresight::Estimated(Estimator::IndepCount),
                "possible" => Foresight::Possible,
                "none" => Foresight::Nothing,
                _ => Foresight::Estimated(Estimator::Exact),
            };
        }
        if settings.has("ties") {
            hard.ties = match settings.choice("ties", &["quantised", "raw"])? {
                "raw" => Ties::Raw,
                _ => Ties::Quantised,
            };
        }
        hard.finish = settings.get("finish", hard.finish)?;
        Ok(hard)
    }

    /// The weights, as settings that may be varied.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let parameter = |term: Term| Parameter {
            key: term.name(),
            value: self.weights.of(term),
            about: term.about(),
        };
        Term::ALL.map(parameter).into()
    }
}
