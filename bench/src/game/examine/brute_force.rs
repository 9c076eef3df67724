//! Sampled worlds against brute force: deals thrown until they fit what a player sees.
//!
//! The distribution of worlds given an observation is taken from the rules alone: many deals are thrown as
//! the game deals them, played on as one random game was, and those kept in which the player to move sees
//! what was seen in that game. Where everybody sees every action and chance event, and nobody's choice is
//! taken as a hint, the deals that are left are distributed as the worlds must be. Where actions are hidden
//! that is so only until the first decision.

use std::collections::HashMap;

use search_core::game::{Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Finding, text};
use crate::experiment::match_driver::fingerprint;

/// Random games that are followed.
const GAMES: u64 = 6;
/// Fewer deals that fit say too little.
const FEWEST: usize = 100;
/// A failure where nothing is wrong, once in so many comparisons.
const CHANCE_OF_ERROR: f64 = 1e-6;

/// One turn of the game that is followed.
enum Step<P: Plugin> {
    Action(Player, P::Action),
    Chance(P::Chance),
}

pub(super) fn check<P: Plugin, D: Determinizer<P>>(
    game: &P,
    determinizer: &D,
    deals: usize,
) -> Finding {
    if D::PERFECT_INFORMATION {
        return Finding::Skipped("nothing is hidden".into());
    }
    if determinizer.pool().is_some() {
        return Finding::Skipped("its worlds come with weights".into());
    }
    let mut comparisons = 0;
    for index in 0..GAMES {
        let followed = Followed {
            game,
            determinizer,
            seed: Seed(index),
        };
        match followed.check(deals) {
            Ok(count) => comparisons += count,
            Err(what) => return Finding::Failed(format!("seed {index}, {what}")),
        }
    }
    match comparisons {
        0 => Finding::Skipped(format!(
            "no observation with several worlds fits {FEWEST} of {deals} deals"
        )),
        n => Finding::Passed(format!(
            "{n} observations, {deals} deals thrown for each game"
        )),
    }
}

/// One random game and what is compared along it.
struct Followed<'a, P: Plugin, D> {
    game: &'a P,
    determinizer: &'a D,
    seed: Seed,
}

impl<P: Plugin, D: Determinizer<P>> Followed<'_, P, D> {
    fn check(&self, deals: usize) -> Result<u64, String> {
        let game = self.game;
        let mut rng = self.seed.child("followed").stream();
        let mut truth = game.initial_state(&mut rng);
        let mut luck = self.seed.child("deals").stream();
        let mut pool: Vec<P::State> = (0..deals).map(|_| game.initial_state(&mut luck)).collect();
        let (mut legal, mut comparisons) = (Vec::new(), 0);
        for ply in 0..=u64::from(game.max_turns()) {
            let step: Step<P> = match game.turn(&truth) {
                Turn::Terminal => break,
                Turn::Chance => Step::Chance(game.sample_chance(&truth, &mut rng)),
                Turn::Player(mover) => {
                    let compared = self.compare(&truth, mover, &pool, ply);
                    comparisons += u64::from(compared.map_err(|e| format!("ply {ply}: {e}"))?);
                    if !game.public_actions() {
                        break;
                    }
                    game.legal_actions(&truth, &mut legal);
                    let Some(action) = rng.pick(&legal) else {
                        break;
                    };
                    Step::Action(mover, action)
                }
            };
            match step {
                Step::Action(_, action) => game.apply(&mut truth, action),
                Step::Chance(outcome) => game.apply_chance(&mut truth, outcome),
            }
            pool.retain_mut(|state| self.follows(state, &step, &mut luck, &mut legal));
            if pool.len() < FEWEST {
                break;
            }
        }
        Ok(comparisons)
    }

    /// Plays the step where it can be played; chance must draw it again.
    fn follows(
        &self,
        state: &mut P::State,
        step: &Step<P>,
        luck: &mut impl rand::Rng,
        legal: &mut Vec<P::Action>,
    ) -> bool {
        let game = self.game;
        match (step, game.turn(state)) {
            (Step::Action(mover, action), Turn::Player(player)) if player == *mover => {
                game.legal_actions(state, legal);
                let possible = legal.contains(action);
                if possible {
                    game.apply(state, *action);
                }
                possible
            }
            (Step::Chance(outcome), Turn::Chance) => {
                let again = game.sample_chance(state, luck) == *outcome;
                if again {
                    game.apply_chance(state, *outcome);
                }
                again
            }
            _ => false,
        }
    }

    /// Whether there was enough to compare.
    fn compare(
        &self,
        truth: &P::State,
        mover: Player,
        pool: &[P::State],
        ply: u64,
    ) -> Result<bool, String> {
        let game = self.game;
        let observation = game.observe(truth, mover);
        let wanted = text(game, &observation);
        let fits = |state: &&P::State| {
            game.turn(state) == Turn::Player(mover)
                && text(game, &game.observe(state, mover)) == wanted
        };
        let fitting: Vec<&P::State> = pool.iter().filter(fits).collect();
        if fitting.len() < FEWEST {
            return Ok(false);
        }
        let mut counts: HashMap<String, [u64; 2]> = HashMap::new();
        for state in &fitting {
            counts.entry(fingerprint(game, state)).or_default()[0] += 1;
        }
        if counts.len() < 2 {
            return Ok(false);
        }
        let plan = self.determinizer.plan(game, &observation);
        let plan = plan.map_err(|e| format!("the true observation is refused: {e}"))?;
        let mut world = self.determinizer.scratch(game, &observation, &plan);
        let seed = self.seed.child("worlds").index(ply);
        for index in 0..fitting.len() as u64 {
            let mut rng = seed.simulation(index);
            self.determinizer
                .sample(game, &observation, &plan, &mut rng, &mut world);
            counts.entry(fingerprint(game, &world)).or_default()[1] += 1;
        }
        let mut counts: Vec<[u64; 2]> = counts.into_values().collect();
        // The order of a hash map is no order.
        counts.sort_unstable();
        alike(&counts).map(|()| true)
    }
}

/// Whether two samples of equal size come from one distribution: the chi-square test of homogeneity,
/// classes with fewer than ten in all taken together.
fn alike(counts: &[[u64; 2]]) -> Result<(), String> {
    let (rare, common): (Vec<_>, Vec<_>) = counts.iter().partition(|c| c[0] + c[1] < 10);
    let rare = rare
        .into_iter()
        .fold([0, 0], |sum: [u64; 2], c: &[u64; 2]| {
            [sum[0] + c[0], sum[1] + c[1]]
        });
    let classes = common.into_iter().copied().chain([rare]);
    let classes: Vec<[u64; 2]> = classes.filter(|c| c[0] + c[1] > 0).collect();
    if classes.len() < 2 {
        return Ok(());
    }
    let statistic: f64 = classes
        .iter()
        .map(|[a, b]| {
            let (a, b) = (*a as f64, *b as f64);
            (a - b).powi(2) / (a + b)
        })
        .sum();
    let freedom = (classes.len() - 1) as f64;
    let chi = ChiSquared::new(freedom).map_err(|e| e.to_string())?;
    let bound = chi.inverse_cdf(1.0 - CHANCE_OF_ERROR);
    if statistic <= bound {
        return Ok(());
    }
    Err(format!(
        "{} worlds sampled and {} thrown do not have the same distribution: chi-square {statistic:.1} exceeds \
         {bound:.1} with {freedom} degrees of freedom",
        classes.iter().map(|c| c[1]).sum::<u64>(),
        classes.iter().map(|c| c[0]).sum::<u64>()
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use classics::{KuhnPoker, LeducPoker, LiarsDice};
    use rand::Rng;
    use search_core::game::Game;
    use search_core::observation::{Contradiction, LogWeight};

    use super::*;

    const DEALS: usize = 6000;

    /// A determinizer that draws twice and takes the world whose fingerprint comes first: every world is
    /// possible and shows the right observation, and only the shares are wrong.
    struct Partial<D>(D);

    impl<P: Plugin, D: Determinizer<P>> Determinizer<P> for Partial<D> {
        type Plan = D::Plan;

        fn plan(&self, game: &P, seen: &P::Observation) -> Result<D::Plan, Contradiction> {
            self.0.plan(game, seen)
        }

        fn scratch(&self, game: &P, seen: &P::Observation, plan: &D::Plan) -> P::State {
            self.0.scratch(game, seen, plan)
        }

        fn sample<R: Rng + ?Sized>(
            &self,
            game: &P,
            seen: &P::Observation,
            plan: &D::Plan,
            rng: &mut R,
            world: &mut P::State,
        ) -> LogWeight {
            let mut other = self.0.scratch(game, seen, plan);
            self.0.sample(game, seen, plan, rng, &mut other);
            let weight = self.0.sample(game, seen, plan, rng, world);
            if fingerprint(game, &other) < fingerprint(game, world) {
                world.clone_from(&other);
            }
            weight
        }
    }

    fn of<P: Plugin>() -> P {
        P::from_options(P::Options::default()).unwrap()
    }

    fn both<P: Plugin>() -> [Finding; 2] {
        let game: P = of();
        let right = check(&game, &game.determinizer(), DEALS);
        let wrong = check(&game, &Partial(game.determinizer()), DEALS);
        [right, wrong]
    }

    #[test]
    fn worlds_have_their_shares_and_a_partial_sampler_is_found() {
        for [right, wrong] in [
            both::<KuhnPoker>(),
            both::<LeducPoker>(),
            both::<LiarsDice>(),
        ] {
            assert!(matches!(right, Finding::Passed(_)), "{right:?}");
            assert!(
                matches!(&wrong, Finding::Failed(what) if what.contains("chi-square")),
                "{wrong:?}"
            );
        }
    }

    /// Says that the opponent holds the card of the observer.
    struct Blind;

    impl Determinizer<KuhnPoker> for Blind {
        type Plan = <<KuhnPoker as Plugin>::Determinizer as Determinizer<KuhnPoker>>::Plan;

        fn plan(
            &self,
            game: &KuhnPoker,
            seen: &<KuhnPoker as Game>::Observation,
        ) -> Result<Self::Plan, Contradiction> {
            game.determinizer().plan(game, seen)
        }

        fn scratch(
            &self,
            game: &KuhnPoker,
            seen: &<KuhnPoker as Game>::Observation,
            plan: &Self::Plan,
        ) -> <KuhnPoker as Game>::State {
            game.determinizer().scratch(game, seen, plan)
        }

        fn sample<R: Rng + ?Sized>(
            &self,
            game: &KuhnPoker,
            _: &<KuhnPoker as Game>::Observation,
            _: &Self::Plan,
            rng: &mut R,
            world: &mut <KuhnPoker as Game>::State,
        ) -> LogWeight {
            *world = game.initial_state(rng);
            0.0
        }
    }

    #[test]
    fn a_sampler_that_forgets_what_was_seen_is_found() {
        let game: KuhnPoker = of();
        let seeds = (0..10).map(Seed);
        let found = seeds.filter_map(|s| super::super::sampler::check(&game, &Blind, s).err());
        let found: Vec<String> = found.collect();
        // At the first decision only the card tells.
        let card = |what: &&String| what.contains("shows the player something else");
        assert!(found.iter().filter(card).count() > 3, "{found:?}");
        for seed in 0..10 {
            let worlds = super::super::sampler::check(&game, &game.determinizer(), Seed(seed));
            assert!(worlds.unwrap() > 0);
        }
    }

    #[test]
    fn what_breaks_the_contract_is_a_finding_and_no_panic() {
        let scope = super::super::Scope {
            time: Duration::from_millis(10),
            deals: 100,
        };
        let game: KuhnPoker = of();
        for what in [
            super::super::Examination::Contract,
            super::super::Examination::Notation,
            super::super::Examination::Sampler,
        ] {
            let finding = super::super::examine(&game, what, scope);
            assert!(matches!(finding, Finding::Passed(_)), "{finding:?}");
        }
    }

    #[test]
    fn two_samples_of_one_distribution_are_alike_and_of_two_are_not() {
        assert_eq!(alike(&[[500, 480], [520, 540], [3, 4]]), Ok(()));
        assert!(alike(&[[500, 700], [520, 320]]).is_err());
        assert_eq!(alike(&[[1, 1]]), Ok(()));
    }
}
