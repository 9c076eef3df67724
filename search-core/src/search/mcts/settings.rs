//! The settings of [`Mcts`](super::Mcts).

use super::Selector;
use crate::decision::SearchError;
use crate::search::tree_search::{TreeSettings, not_negative};
use crate::search::widening::{Rave, Widening};

/// Whose return a player at a node of the tree is taken to seek.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backup {
    /// Everybody their own (max^n, Luckhardt & Irani 1986; in trees Sturtevant 2008).
    #[default]
    MaxN,
    /// Everybody but the searcher seeks the least for the searcher (Sturtevant & Korf 2000).
    Paranoid,
    /// Two teams: the players of this set of bits (bit 0 is player 0) and the others. Everybody seeks
    /// the mean return of the own team.
    Coalition(u8),
}

/// All moves as first (AMAF) values of actions, from tables at the nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AllMovesAsFirst {
    /// `b` of the weight `m / (n + m + b n m)` of `m` simulations in which the player played the action
    /// at any later turn, against `n` visits. 0 or more; infinite for none.
    pub bias: f64,
    /// 0 for RAVE (Gelly & Silver 2007): a node uses its own table. Above, GRAVE (Cazenave 2015): that
    /// of the closest node on the way up that has so many visits.
    pub reference: u32,
}

impl AllMovesAsFirst {
    pub(super) fn weight(self, n: u32, m: u32) -> f64 {
        let rave = Rave {
            bias: self.bias,
            alike: false,
        };
        rave.weight(f64::from(n), f64::from(m))
    }
}

/// What rollouts learn from those before them. What is learnt changes which actions a rollout plays,
/// never what a rollout is worth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Learning {
    /// Nothing.
    #[default]
    Nothing,
    /// The move-average sampling technique (MAST, Finnsson & Björnsson 2008): the action with the best
    /// mean over all simulations in which this player played it, anywhere. Unknown ones come first.
    Mast {
        /// How often the rollout's own policy plays instead, 0 to 1.
        epsilon: f64,
    },
    /// Last good reply with forgetting (LGRF-1, Baier & Drake 2010): what this player last answered the
    /// same action with when the simulation came out above the player's mean so far; forgotten when
    /// it came out below.
    LastGoodReply,
}

/// Settings of [`Mcts`](super::Mcts). With the defaults it is UCT, or SO-ISMCTS over sampled worlds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MctsSettings {
    /// What every tree search has.
    pub tree: TreeSettings,
    /// How a child is chosen.
    pub selector: Selector,
    /// A node is a leaf until it was visited so often: 1 or more, 1 by default.
    pub expand_after: u32,
    /// How many children of a decision are considered, the likeliest by the priors first (Coulom 2007;
    /// Chaslot et al. 2008): no limit by default.
    pub actions: Widening,
    /// How many outcomes a chance node keeps, where they are drawn (Couëtoux et al. 2011): no limit by
    /// default. At the limit one of those met is followed, in proportion to its visits.
    pub outcomes: Widening,
    /// Progressive bias (Chaslot et al. 2008): `bias * H / (n + 1)` on top, where `H` is the heuristic's
    /// value over the scale or, without one, the prior. 0 by default.
    pub bias: f64,
    /// Progressive history (Nijssen & Winands 2011): `history * h / (n (1 - q) + 1)` on top, where `h`
    /// is the mean over all simulations in which this player played the action, between 0 and 1 within
    /// the bounds of returns, as is `q` of the child. 0 by default.
    pub history: f64,
    /// All moves as first, if at all.
    pub amaf: Option<AllMovesAsFirst>,
    /// What rollouts learn.
    pub learning: Learning,
    /// Implicit minimax backups (Lanctot et al. 2014): the weight, 0 to 1, of the heuristic's values
    /// backed up by the best child, against the mean. 0 by default.
    pub minimax: f64,
    /// Whether proven values are kept and used (MCTS-Solver, Winands et al. 2008; bounds as in
    /// Cazenave & Saffidine 2010).
    pub solver: bool,
    /// Whose return is sought.
    pub backup: Backup,
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self {
            tree: TreeSettings::default(),
            selector: Selector::Ucb1,
            expand_after: 1,
            actions: Widening::NONE,
            outcomes: Widening::NONE,
            bias: 0.0,
            history: 0.0,
            amaf: None,
            learning: Learning::Nothing,
            minimax: 0.0,
            solver: false,
            backup: Backup::MaxN,
        }
    }
}

impl MctsSettings {
    pub(super) fn check(&self) -> Result<(), SearchError> {
        let bad = |name, value: String, expected| {
            Err(SearchError::BadSetting {
                name,
                value,
                expected,
            })
        };
        not_negative("bias", self.bias)?;
        not_negative("history", self.history)?;
        self.actions.check()?;
        self.outcomes.check()?;
        if self.expand_after == 0 {
            return bad("expand_after", "0".into(), "1 or more visits");
        }
        if !(0.0..=1.0).contains(&self.minimax) {
            return bad("minimax", self.minimax.to_string(), "a weight from 0 to 1");
        }
        let share = match (self.selector, self.learning) {
            (Selector::EpsilonGreedy { epsilon }, _) if !(0.0..=1.0).contains(&epsilon) => epsilon,
            (_, Learning::Mast { epsilon }) if !(0.0..=1.0).contains(&epsilon) => epsilon,
            _ => 0.0,
        };
        if share != 0.0 {
            return bad("epsilon", share.to_string(), "a share from 0 to 1");
        }
        if let Some(amaf) = self.amaf
            && (amaf.bias.is_nan() || amaf.bias < 0.0)
        {
            return bad("bias", amaf.bias.to_string(), "0 or more, or infinity");
        }
        if self.solver && self.backup != Backup::MaxN {
            let expected = "max^n backups: proofs are of everybody's own return";
            return bad("solver", "true".into(), expected);
        }
        Ok(())
    }

    /// Whether rollouts have to say who played what.
    pub(super) fn notes_play(&self) -> bool {
        self.amaf.is_some() || self.history > 0.0 || self.learning != Learning::Nothing
    }

    /// Whether means of actions over whole simulations are kept.
    pub(super) fn keeps_means(&self) -> bool {
        self.history > 0.0 || matches!(self.learning, Learning::Mast { .. })
    }
}
