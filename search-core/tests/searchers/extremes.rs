//! Settings, budgets and games at the far end of what can be asked for.

use crate::common::{Climb, Redeal, climb_position};
use rand::Rng;
use search_core::agent::{Agent, SearchAgent};
use search_core::budget::{Budget, StopReason};
use search_core::decision::SearchError;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, Identity, LogWeight};
use search_core::policy::Policy;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::{
    Flat, FlatSettings, Ismcts, Parallel, Pimc, PimcSettings, RolloutImprovement, RolloutSettings,
    Searcher, TreeSettings, Uct,
};
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// One decision between this many actions; action `a` is worth `-a`.
struct Wide(u32);

impl Game for Wide {
    type State = Option<u32>;
    type Action = u32;
    type Chance = Infallible;
    type Observation = Option<u32>;

    fn num_players(&self) -> usize {
        1
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Option<u32> {
        None
    }

    fn turn(&self, state: &Option<u32>) -> Turn {
        state.map_or(Turn::Player(Player::new(0)), |_| Turn::Terminal)
    }

    fn legal_actions(&self, state: &Option<u32>, out: &mut Vec<u32>) {
        out.clear();
        if state.is_none() {
            out.extend(0..self.0);
        }
    }

    fn apply(&self, state: &mut Option<u32>, action: u32) {
        *state = Some(action);
    }

    fn returns(&self, state: &Option<u32>) -> Returns {
        Returns::splat(1, -state.map_or(0.0, f64::from))
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -f64::from(self.0)..=0.0
    }

    fn observe(&self, state: &Option<u32>, _: Player) -> Option<u32> {
        *state
    }
}

#[derive(Clone, Copy)]
struct Last;

impl Policy<Wide> for Last {
    fn choose(&self, _: &Wide, _: &Option<u32>, legal: &[u32], _: &mut SimRng) -> u32 {
        legal[legal.len() - 1]
    }
}

const MANY: u32 = 70_000;

#[test]
fn tens_of_thousands_of_actions_fit_into_memory() {
    let flat = Flat::new(FlatSettings::default(), Identity)
        .search(&Wide(MANY), &None, &Budget::simulations(140_000), Seed(1))
        .unwrap();
    assert_eq!((flat.action, flat.effort.simulations), (0, 140_000));
    // The base's choice comes first, and every other action is still paired with it.
    let settings = RolloutSettings {
        samples: 2,
        gate: 1.0,
        ..RolloutSettings::default()
    };
    let improved = RolloutImprovement::new(settings, Identity, Last, Last)
        .search(&Wide(MANY), &None, &Budget::default(), Seed(1))
        .unwrap();
    assert_eq!(improved.action, 0);
    let base = improved.candidate(MANY - 1).unwrap();
    let gain = base.versus_chosen.unwrap();
    assert_eq!((gain.mean, gain.worlds), (-f64::from(MANY - 1), 2));
}

#[test]
fn an_agent_whose_tree_has_no_room_says_so() {
    let none: Option<u32> = None;
    let full = |game: &Wide, budget: Budget| {
        let mut legal = Vec::new();
        game.legal_actions(&none, &mut legal);
        SearchAgent {
            searcher: Uct::default(),
            budget,
        }
        .decide(game, &none, &legal, Seed(1))
        .map(|choice| choice.action)
    };
    let few = Budget::simulations(50).with_nodes(9);
    assert_eq!(
        full(&Wide(10), few),
        Err(SearchError::NoRoom { actions: 10 })
    );
    let enough = Budget::simulations(50).with_nodes(10);
    assert!(full(&Wide(10), enough).is_ok());
    let plenty = Budget::simulations(50);
    let actions = MANY as usize;
    assert_eq!(
        full(&Wide(MANY), plenty),
        Err(SearchError::NoRoom { actions })
    );
}

#[test]
fn one_world_passes_no_gate() {
    let run = |gate| {
        let settings = RolloutSettings {
            samples: 1,
            gate,
            ..RolloutSettings::default()
        };
        RolloutImprovement::new(settings, Identity, Last, Last)
            .search(&Wide(5), &None, &Budget::default(), Seed(1))
            .unwrap()
            .action
    };
    assert_eq!(run(0.0), 0);
    assert_eq!(run(1.0), 4, "one world has no standard error to pass by");
}

#[test]
fn worlds_beyond_the_time_are_not_searched() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 1, 2);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let settings = PimcSettings {
        worlds: u32::MAX,
        search: TreeSettings {
            threads: usize::MAX,
            ..TreeSettings::default()
        },
        ..PimcSettings::default()
    };
    let started = Instant::now();
    let decision = Pimc::new(settings, Redeal)
        .search(
            &game,
            &view,
            &Budget::time(Duration::from_millis(20)),
            Seed(1),
        )
        .unwrap();
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(decision.effort.stop, StopReason::Time);
    assert!(!decision.effort.deterministic && decision.effort.worlds > 0);
}

#[test]
fn a_time_that_no_clock_counts_to_is_no_limit() {
    let budget = Budget {
        time: Some(Duration::MAX),
        ..Budget::simulations(20)
    };
    let decision = Ismcts::new(TreeSettings::default(), Identity)
        .search(&Wide(5), &None, &budget, Seed(1))
        .unwrap();
    assert_eq!(decision.effort.simulations, 20);
    assert_eq!(decision.effort.stop, StopReason::Simulations);
}

/// Worlds of which every other one is over.
struct HalfOver;

impl Determinizer<Wide> for HalfOver {
    type Plan = ();

    fn plan(&self, _: &Wide, _: &Option<u32>) -> Result<(), Contradiction> {
        Ok(())
    }

    fn scratch(&self, _: &Wide, _: &Option<u32>, (): &()) -> Option<u32> {
        None
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Wide,
        _: &Option<u32>,
        (): &(),
        rng: &mut R,
        world: &mut Option<u32>,
    ) -> LogWeight {
        *world = (rng.below(2) == 0).then_some(0);
        0.0
    }
}

#[test]
fn worlds_with_another_to_move_are_refused() {
    let budget = Budget::simulations(400);
    let mixed = |searcher: &mut dyn Searcher<Wide>| {
        let seeds = (0..20).map(Seed);
        let mut errors = seeds.filter_map(|seed| {
            let outcome = searcher.search(&Wide(3), &None, &budget, seed);
            // Some seeds look at a world that is over first.
            outcome.err().filter(|e| *e != SearchError::TerminalRoot)
        });
        errors.next()
    };
    let wanted = Some(SearchError::MixedWorlds { player: 0 });
    assert_eq!(
        mixed(&mut Pimc::new(PimcSettings::default(), HalfOver)),
        wanted
    );
    assert_eq!(
        mixed(&mut Flat::new(FlatSettings::default(), HalfOver)),
        wanted
    );
    assert_eq!(
        mixed(&mut Ismcts::new(TreeSettings::default(), HalfOver)),
        wanted
    );
}

#[test]
fn trees_are_counted_in_sixteen_bits() {
    let search = |trees| {
        let settings = TreeSettings {
            parallel: Parallel::Root { trees },
            threads: usize::MAX,
            ..TreeSettings::default()
        };
        Uct::new(settings).search(&Wide(3), &None, &Budget::simulations(100), Seed(1))
    };
    assert_eq!(search(65_535).unwrap().effort.simulations, 100);
    for trees in [0, 65_536, u32::MAX] {
        let refused = search(trees).unwrap_err().to_string();
        assert!(refused.contains("1 to 65535 trees"), "{refused}");
    }
}
