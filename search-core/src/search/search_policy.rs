//! A policy that searches: [`SearchPolicy`].

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::budget::Budget;
use crate::decision::SearchError;
use crate::game::{Game, is_legal};
use crate::observation::Contradiction;
use crate::policy::Policy;
use crate::rng::{Draw, Seed, SimRng};
use crate::search::Searcher;

/// Plays what a search chooses, from the observation of whoever is to move: rollouts can then be played
/// by a search of each player, which knows no more than that player does.
///
/// The choice is a function of what it is asked and of the random numbers it is given. A search that
/// fails, or chooses what is not legal, is replaced by a random choice; that is counted, and
/// [`Policy::failure`] makes it end the search whose rollouts are played.
pub struct SearchPolicy<S> {
    make: Box<dyn Fn() -> S + Send + Sync>,
    budget: Budget,
    /// Searchers with their memory that no thread uses at the moment.
    idle: Mutex<Vec<S>>,
    failure: Mutex<Option<SearchError>>,
    failures: AtomicU64,
}

impl<S> SearchPolicy<S> {
    /// A policy that lets searchers made by `make` decide within `budget`, which may be empty for
    /// searchers whose settings say how much they do.
    ///
    /// # Errors
    /// [`SearchError::BadSetting`] for a budget in time, or one that can be cancelled: the policy would
    /// choose otherwise the next time.
    pub fn new(
        budget: Budget,
        make: impl Fn() -> S + Send + Sync + 'static,
    ) -> Result<Self, SearchError> {
        if budget.time.is_some() || budget.cancel.is_some() {
            return Err(SearchError::BadSetting {
                name: "budget",
                value: format!("{budget:?}"),
                expected: "simulations: a policy decides alike every time",
            });
        }
        Ok(Self {
            make: Box::new(make),
            budget,
            idle: Mutex::default(),
            failure: Mutex::default(),
            failures: AtomicU64::new(0),
        })
    }

    /// How many choices were random because the search failed.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    fn note(&self, error: SearchError) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        locked(&self.failure).get_or_insert(error);
    }
}

impl<S> fmt::Debug for SearchPolicy<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPolicy")
            .field("budget", &self.budget)
            .field("failures", &self.failures())
            .finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game, S: Searcher<G> + Send> Policy<G> for SearchPolicy<S> {
    fn choose(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action {
        if let [only] = legal {
            return *only;
        }
        let seed = Seed(rng.next());
        let idle = locked(&self.idle).pop();
        let mut searcher = idle.unwrap_or_else(|| (self.make)());
        let outcome = searcher.search(game, observation, &self.budget, seed);
        locked(&self.idle).push(searcher);
        match outcome {
            Ok(decision) if is_legal(game, observation, legal, decision.action) => {
                return decision.action;
            }
            Ok(decision) => {
                let reason = format!("a search in a rollout chose {:?}", decision.action);
                self.note(Contradiction::new(reason).into());
            }
            Err(error) => self.note(error),
        }
        legal[rng.below(legal.len() as u32) as usize]
    }

    fn failure(&self) -> Option<SearchError> {
        locked(&self.failure).take()
    }
}
