//! The hard player: [`Hard`].
//!
//! It judges every legal play by nine terms of what it takes and of what it leaves, and plays the one with
//! the best weighed sum; among equals the weakest. It plans its hand exactly ([`HandPlan`]), and asks how
//! likely somebody can answer ([`Foresight`]).

mod answers;
mod beatable;
mod finish;
mod plan;
mod settings;
mod weights;

use std::cell::RefCell;

use search_core::game::Player;
use search_core::policy::Policy;
use search_core::rng::SimRng;

use answers::Answers;
use finish::Finishes;

use crate::action::Action;
use crate::answer::Estimator;
use crate::combination::{Combination, Strength};
use crate::observation::Observation;
use crate::rules::Lexio;
use crate::set::Tiles;
use crate::settlement::Holding;

pub use plan::HandPlan;
pub use weights::{STEP, Term, Terms, Weights};

/// How answers to a play are foreseen.
#[derive(Debug, Clone, PartialEq)]
pub enum Foresight {
    /// By the probability that somebody can answer.
    Estimated(Estimator),
    /// An answer is certain where the unseen tiles hold a stronger play that fits in some hand: the fastest.
    Possible,
    /// Every play is answered.
    Nothing,
}

impl Default for Foresight {
    fn default() -> Self {
        Self::Estimated(Estimator::SumCount)
    }
}

impl Foresight {
    /// Whether singles are foreseen exactly.
    fn is_exact(&self) -> bool {
        matches!(
            self,
            Self::Estimated(Estimator::Exact | Estimator::Sampled { .. })
        )
    }
}

/// How far the others have emptied their hands, 0 at the deal to nearly 1: 1 less the tiles they have
/// left over those they were dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Urgency {
    /// Of the hand with the fewest tiles.
    #[default]
    Min,
    /// Of the mean over the others' hands.
    Mean,
}

/// How scores are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// In steps of [`STEP`] a term, so that the weaker play is preferred where the terms say the same.
    #[default]
    Quantised,
    /// As they are: any weight above 0, however small, decides between plays that are otherwise equal, and
    /// the preference for the weaker one is never asked.
    Raw,
}

/// What [`Term::LeadRetention`] is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LeadScale {
    /// Nothing.
    #[default]
    Plain,
    /// 1 less what [`Term::StrongTileCost`] says: a lead kept with strong tiles counts less.
    Cheap,
    /// 1 less the urgency: a lead counts less the nearer the end is.
    Calm,
}

/// Judges every play by nine terms, and plays the best; among equals the weakest. Deterministic.
///
/// Before anything else it goes out if it can and, with [`Hard::finish`], starts a chain of plays that
/// nobody can answer and that ends with its hand empty.
///
/// It keeps buffers from decision to decision, one for each thread, and nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct Hard {
    /// What each term is worth.
    pub weights: Weights,
    /// Whose hands make it urgent.
    pub urgency: Urgency,
    /// How answers are foreseen.
    pub foresight: Foresight,
    /// How scores are compared.
    pub ties: Ties,
    /// What keeping the lead is worth when.
    pub lead_scale: LeadScale,
    /// Whether a chain of plays that nobody can answer is looked for first.
    pub finish: bool,
}

impl Default for Hard {
    fn default() -> Self {
        Self {
            weights: Weights::TUNED,
            urgency: Urgency::default(),
            foresight: Foresight::default(),
            ties: Ties::default(),
            lead_scale: LeadScale::default(),
            finish: true,
        }
    }
}

/// The buffers of a decision.
#[derive(Debug)]
struct Scratch {
    plan: HandPlan,
    finishes: Finishes,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            plan: HandPlan::with_room(),
            finishes: Finishes::default(),
        }
    }
}

impl Scratch {
    fn chain(&mut self, game: &Lexio, view: &Observation, legal: &[Action]) -> Option<Action> {
        let answers = Answers::new(game, view, &Foresight::Possible);
        self.finishes.find(game, &answers, view.hand(), legal)
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Policy<Lexio> for Hard {
    fn choose(
        &self,
        game: &Lexio,
        observation: &Observation,
        legal: &[Action],
        _: &mut SimRng,
    ) -> Action {
        if let [only] = legal {
            return *only;
        }
        // Actions ascend by size first, so playing everything can only be the last.
        let hand = observation.hand();
        if let Some(last) = legal.last().filter(|a| a.tiles() == hand) {
            return *last;
        }
        SCRATCH.with_borrow_mut(|scratch| self.judge(game, observation, legal, scratch))
    }
}

impl Hard {
    /// As a bot that rewards keeping the lead and foresees answers by the product rule, with the
    /// comparison that turns this into a preference for strong tiles.
    #[must_use]
    pub const fn pre_repair() -> Self {
        Self {
            weights: Weights::PRE_REPAIR,
            urgency: Urgency::Min,
            foresight: Foresight::Estimated(Estimator::IndepCount),
            ties: Ties::Raw,
            lead_scale: LeadScale::Plain,
            finish: false,
        }
    }

    /// What each term says of `action`, which is legal for the player who sees `observation`.
    #[must_use]
    pub fn terms(&self, game: &Lexio, observation: &Observation, action: Action) -> Terms {
        let mut plan = HandPlan::default();
        Situation::new(self, game, observation, &mut plan).terms(action, game.classify(action))
    }

    /// The first play of a chain that wins the round whatever the others hold, if there is one: none
    /// but the last can be answered, and together they are the hand. Going out at once is one.
    #[must_use]
    pub fn certain_finish(
        game: &Lexio,
        observation: &Observation,
        legal: &[Action],
    ) -> Option<Action> {
        let hand = observation.hand();
        // Actions ascend by size first, so playing everything can only be the last.
        let out = legal.last().filter(|a| a.tiles() == hand).copied();
        out.or_else(|| SCRATCH.with_borrow_mut(|scratch| scratch.chain(game, observation, legal)))
    }

    fn judge(
        &self,
        game: &Lexio,
        observation: &Observation,
        legal: &[Action],
        scratch: &mut Scratch,
    ) -> Action {
        if self.finish
            && let Some(first) = scratch.chain(game, observation, legal)
        {
            return first;
        }
        let mut situation = Situation::new(self, game, observation, &mut scratch.plan);
        let mut best: Option<(Score, Option<Strength>, Action)> = None;
        for &action in legal {
            let play = game.classify(action);
            let terms = situation.terms(action, play);
            let score = match self.ties {
                Ties::Quantised => Score::Steps(terms.quantised(&self.weights)),
                Ties::Raw => Score::Sum(terms.raw(&self.weights)),
            };
            let strength = play.map(Combination::strength);
            let better = best.is_none_or(|(top, weakest, _)| {
                score.exceeds(top) || !top.exceeds(score) && strength < weakest
            });
            if better {
                best = Some((score, strength, action));
            }
        }
        best.map_or(Action::PASS, |(_, _, action)| action)
    }
}

/// A weighed sum, in steps or as it is.
#[derive(Debug, Clone, Copy)]
enum Score {
    Steps(i64),
    Sum(f64),
}

impl Score {
    fn exceeds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Steps(a), Self::Steps(b)) => a > b,
            (Self::Sum(a), Self::Sum(b)) => a > b,
            _ => false,
        }
    }
}

/// What the terms of all plays of one decision have in common.
struct Situation<'a> {
    game: &'a Lexio,
    answers: Answers<'a>,
    plan: &'a mut HandPlan,
    hand: Tiles,
    /// The least number of plays for the whole hand.
    needed: u32,
    urgency: f64,
    /// The strongest tile that is not seen, as the tiles above it.
    safe: Tiles,
    lead_scale: LeadScale,
}

impl<'a> Situation<'a> {
    fn new(
        hard: &Hard,
        game: &'a Lexio,
        observation: &Observation,
        plan: &'a mut HandPlan,
    ) -> Self {
        let hand = observation.hand();
        plan.prepare(game, hand);
        let answers = Answers::new(game, observation, &hard.foresight);
        let unseen = answers.unseen().bits();
        let above = u64::MAX
            .checked_shl(64 - unseen.leading_zeros())
            .unwrap_or(0);
        Self {
            needed: plan.whole(),
            urgency: urgency(hard.urgency, game, observation),
            safe: Tiles::from_bits(above),
            lead_scale: hard.lead_scale,
            game,
            answers,
            plan,
            hand,
        }
    }

    fn terms(&mut self, action: Action, play: Option<Combination>) -> Terms {
        let tiles = action.tiles();
        let rest = self.hand - tiles;
        let mut terms = Terms::default();
        let mut set = |term: Term, value: f64| terms.0[term as usize] = value;
        set(Term::SettlementExposure, self.exposure(rest));
        let Some(play) = play else {
            return terms;
        };
        let count = f64::from(tiles.len());
        let needed = self.plan.after(action);
        let extra = (1 + needed).saturating_sub(self.needed);
        let kept = 1.0 - self.answers.probability(play);
        set(Term::TilesShed, count / f64::from(self.hand.len()));
        set(Term::PlanGain, if extra == 0 { 1.0 } else { 0.0 });
        set(Term::StructureBreak, (f64::from(extra) / 4.0).min(1.0));
        let strong = f64::from((tiles & self.safe).len()) / count;
        let scale = match self.lead_scale {
            LeadScale::Plain => 1.0,
            LeadScale::Cheap => 1.0 - strong,
            LeadScale::Calm => 1.0 - self.urgency,
        };
        set(Term::LeadRetention, kept * scale);
        set(Term::EndgameBlock, kept * self.urgency);
        set(Term::StrongTileCost, strong);
        let disposal = f64::from(tiles.twos()) * (1.0 + self.urgency) / 4.0;
        set(Term::TwoDisposal, disposal.min(1.0));
        set(Term::FinishBonus, if needed == 1 { kept } else { 0.0 });
        terms
    }

    fn exposure(&self, rest: Tiles) -> f64 {
        let options = self.game.options();
        let effective = options.effective(Holding::from(rest)) as f64;
        let most = f64::from(self.game.hand_size()) * options.multiplier(1) as f64;
        (effective / most).min(1.0) * self.urgency
    }
}

fn urgency(kind: Urgency, game: &Lexio, observation: &Observation) -> f64 {
    let dealt = f64::from(game.hand_size());
    let left = match kind {
        Urgency::Min => f64::from(observation.fewest_left_to_others()),
        Urgency::Mean => {
            let seats = (0..observation.players()).map(Player::new);
            let others = seats.filter(|&seat| seat != observation.me());
            let sum: u32 = others.map(|seat| observation.left(seat)).sum();
            f64::from(sum) / (observation.players() as f64 - 1.0)
        }
    };
    1.0 - left / dealt
}
