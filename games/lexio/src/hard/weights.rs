//! The nine terms by which a play is judged, and what each is worth: [`Term`], [`Weights`].

/// What a play is judged by. Each is worth 0 to 1, and [`Term::sign`] says whether that is good.
///
/// *u* is how far the others have emptied their hands, see [`Urgency`](super::Urgency), and *P* the probability
/// that somebody can answer the play, see [`Foresight`](super::Foresight). A pass has no tiles, and *P* = 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Term {
    /// Tiles played / tiles in hand.
    TilesShed,
    /// 1 if what is left needs one play less than the hand does.
    PlanGain,
    /// How many plays more than that the rest needs, in fours, 1 at most. A cost.
    StructureBreak,
    /// 1 - *P*.
    LeadRetention,
    /// (1 - *P*) *u*.
    EndgameBlock,
    /// The share of the tiles played that are stronger than all unseen ones. A cost.
    StrongTileCost,
    /// 2s played, times (1 + *u*) / 4, 1 at most.
    TwoDisposal,
    /// The effective count left, in fractions of a whole hand with one 2, 1 at most, times *u*. A cost.
    SettlementExposure,
    /// 1 - *P* if what is left is one play.
    FinishBonus,
}

impl Term {
    /// How many terms there are.
    pub const COUNT: usize = 9;

    /// All terms, in the order of [`Weights`].
    pub const ALL: [Self; Self::COUNT] = [
        Self::TilesShed,
        Self::PlanGain,
        Self::StructureBreak,
        Self::LeadRetention,
        Self::EndgameBlock,
        Self::StrongTileCost,
        Self::TwoDisposal,
        Self::SettlementExposure,
        Self::FinishBonus,
    ];

    /// The name in the agent language, say `tiles_shed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TilesShed => "tiles_shed",
            Self::PlanGain => "plan_gain",
            Self::StructureBreak => "structure_break",
            Self::LeadRetention => "lead_retention",
            Self::EndgameBlock => "endgame_block",
            Self::StrongTileCost => "strong_tile_cost",
            Self::TwoDisposal => "two_disposal",
            Self::SettlementExposure => "settlement_exposure",
            Self::FinishBonus => "finish_bonus",
        }
    }

    /// One line about it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::TilesShed => "share of the hand that is played",
            Self::PlanGain => "the rest needs one play less",
            Self::StructureBreak => "cost: plays that the rest needs beyond that",
            Self::LeadRetention => "probability that nobody can answer",
            Self::EndgameBlock => "the same, times the urgency",
            Self::StrongTileCost => "cost: tiles that nothing unseen beats",
            Self::TwoDisposal => "2s played, more with the urgency",
            Self::SettlementExposure => "cost: effective count left, times the urgency",
            Self::FinishBonus => "one play is left and nobody can answer",
        }
    }

    /// 1 for what is good, -1 for a cost.
    #[must_use]
    pub const fn sign(self) -> f64 {
        match self {
            Self::StructureBreak | Self::StrongTileCost | Self::SettlementExposure => -1.0,
            _ => 1.0,
        }
    }
}

/// What each [`Term`] is worth. A positive weight rewards what is good and punishes a cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights(pub [f64; Term::COUNT]);

impl Weights {
    /// Found by coordinate descent on the seeds 0..64.
    pub const TUNED: Self = Self([3.0, 0.08, 0.2, -0.2, 0.23, 0.0, 0.0, 0.0, 2.8]);

    /// Those of a bot before its answer probabilities were repaired, which rewards keeping the lead.
    pub const PRE_REPAIR: Self = Self([1.0, 0.8, 0.6, 0.7, 0.6, 0.5, 0.3, 0.4, 1.0]);

    /// The largest weight, either way.
    pub const MOST: f64 = 100.0;

    /// The weight of a term.
    #[inline]
    #[must_use]
    pub const fn of(&self, term: Term) -> f64 {
        self.0[term as usize]
    }

    /// Sets the weight of a term.
    pub const fn set(&mut self, term: Term, weight: f64) {
        self.0[term as usize] = weight;
    }
}

/// The unit in which [`Ties::Quantised`](super::Ties::Quantised) counts what a term contributes.
pub const STEP: f64 = 1.0 / STEPS_IN_ONE;

const STEPS_IN_ONE: f64 = 100.0;

/// What each term of a play is worth, unweighed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Terms(pub [f64; Term::COUNT]);

impl Terms {
    /// The weighed sum.
    #[must_use]
    pub fn raw(&self, weights: &Weights) -> f64 {
        let each = Term::ALL.iter();
        each.map(|&term| self.contribution(weights, term)).sum()
    }

    /// The weighed sum with each contribution rounded to a multiple of [`STEP`], in such steps: a term
    /// whose weight is below half a step contributes nothing.
    #[must_use]
    pub fn quantised(&self, weights: &Weights) -> i64 {
        let each = Term::ALL.iter();
        each.map(|&term| nearest(self.contribution(weights, term) * STEPS_IN_ONE))
            .sum()
    }

    fn contribution(&self, weights: &Weights, term: Term) -> f64 {
        term.sign() * weights.of(term) * self.0[term as usize]
    }
}

/// The nearest whole number, halves away from 0. By truncation, which takes no call.
#[inline]
fn nearest(value: f64) -> i64 {
    (value + 0.5_f64.copysign(value)) as i64
}
