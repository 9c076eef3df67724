//! What an observer does not notice at all leaves him where he is.

use crate::multi_observer::{BOTH, keep, observing};
use rand::Rng;
use search_core::budget::Budget;
use search_core::game::{ActionObservation, Game, Player, Returns, Sight, Turn, UNNOTICED};
use search_core::observation::{Contradiction, Determinizer};
use search_core::rng::{Draw, Seed};
use search_core::search::{
    Epimc, EpimcSettings, Knowledge, ObservedKey, Parallel, PimcSettings, Searcher,
};
use std::ops::RangeInclusive;

/// Player 0 moves, a clock ticks once or twice, unnoticed by player 0, who then guesses how often. It is
/// wound by chance or by player 1, who does not care: nobody can be right more often than half of the time.
struct Ticks {
    by_chance: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    Ticking,
    Guess,
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Clock {
    stage: Stage,
    ticks: u8,
    guess: u8,
}

const START: Clock = Clock {
    stage: Stage::Start,
    ticks: 0,
    guess: 0,
};

impl Ticks {
    /// After the tick that is the last, 0, or not, 1.
    fn tick(clock: &mut Clock, more: u8) {
        clock.ticks += 1;
        if more == 0 {
            clock.stage = Stage::Guess;
        }
    }
}

impl Game for Ticks {
    type State = Clock;
    type Action = u8;
    type Chance = u8;
    type Observation = Stage;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Clock {
        START
    }

    fn turn(&self, clock: &Clock) -> Turn {
        match clock.stage {
            Stage::Ticking if self.by_chance => Turn::Chance,
            Stage::Ticking => Turn::Player(Player::new(1)),
            Stage::Over => Turn::Terminal,
            Stage::Start | Stage::Guess => Turn::Player(Player::new(0)),
        }
    }

    fn legal_actions(&self, clock: &Clock, out: &mut Vec<u8>) {
        out.clear();
        match clock.stage {
            Stage::Start => out.push(0),
            Stage::Ticking if !self.by_chance && clock.ticks == 0 => out.extend([0, 1]),
            Stage::Ticking if !self.by_chance => out.push(0),
            Stage::Guess => out.extend([1, 2]),
            Stage::Ticking | Stage::Over => {}
        }
    }

    fn apply(&self, clock: &mut Clock, action: u8) {
        match clock.stage {
            Stage::Start => clock.stage = Stage::Ticking,
            Stage::Guess => {
                clock.guess = action;
                clock.stage = Stage::Over;
            }
            Stage::Ticking | Stage::Over => Self::tick(clock, action),
        }
    }

    fn sample_chance<R: Rng + ?Sized>(&self, clock: &Clock, rng: &mut R) -> u8 {
        if clock.ticks == 0 {
            rng.below(2) as u8
        } else {
            0
        }
    }

    fn apply_chance(&self, clock: &mut Clock, outcome: u8) {
        Self::tick(clock, outcome);
    }

    fn returns(&self, clock: &Clock) -> Returns {
        let right = f64::from(u8::from(clock.guess == clock.ticks));
        Returns::from_slice(&[right, 0.0])
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }

    fn observe(&self, clock: &Clock, _: Player) -> Stage {
        clock.stage
    }
}

impl ActionObservation for Ticks {
    fn observe_action(&self, clock: &Clock, action: u8, observer: Player) -> u64 {
        if clock.stage == Stage::Ticking && observer.index() == 0 {
            UNNOTICED
        } else {
            u64::from(action)
        }
    }

    fn observe_chance(&self, _: &Clock, outcome: u8, observer: Player) -> u64 {
        if observer.index() == 0 {
            UNNOTICED
        } else {
            u64::from(outcome)
        }
    }
}

#[derive(Clone, Copy)]
struct AtTheStart;

impl Determinizer<Ticks> for AtTheStart {
    type Plan = ();

    fn plan(&self, _: &Ticks, view: &Stage) -> Result<(), Contradiction> {
        if *view == Stage::Start {
            Ok(())
        } else {
            Err(Contradiction::new("the test searches the start only"))
        }
    }

    fn scratch(&self, _: &Ticks, _: &Stage, (): &()) -> Clock {
        START
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Ticks,
        _: &Stage,
        (): &(),
        _: &mut R,
        world: &mut Clock,
    ) -> f64 {
        *world = START;
        0.0
    }
}

fn budget() -> Budget {
    Budget::simulations(4_000)
}

/// A search that counted the ticks would always guess right.
fn is_even(value: f64, what: &str) {
    assert!((0.4..0.65).contains(&value), "{what}: {value}");
}

#[test]
fn who_does_not_notice_how_often_something_happens_does_not_know() {
    for by_chance in [false, true] {
        let game = Ticks { by_chance };
        for observers in BOTH {
            for parallel in [Parallel::Serial, Parallel::Batch { size: 8 }] {
                let settings = keep(parallel);
                let mut search = observing(observers, settings, AtTheStart, Sight::of_game());
                let found = search.search(&game, &Stage::Start, &budget(), Seed(3));
                let what = format!("{observers:?}, by chance: {by_chance}");
                is_even(found.unwrap().chosen().mean, &what);
                // In the searcher's tree: the move, then two guesses; what ticks has no way on.
                let nodes = &search.trees().unwrap().nodes;
                let guesses = nodes.iter().filter(|node| {
                    let guess = matches!(node.key, ObservedKey::Action(1 | 2));
                    let above = nodes[node.parent as usize].key;
                    guess && above == ObservedKey::Action(0) && node.visits > 0
                });
                let own = if observers == BOTH[0] { 2 } else { 1 };
                let of_searcher = guesses.filter(|node| node.depth == own + 1).count();
                assert_eq!(of_searcher, 2, "{what}");
                let below = nodes.iter().filter(|node| {
                    matches!(nodes[node.parent as usize].key, ObservedKey::Seen { token, .. }
                        if token == UNNOTICED)
                });
                assert_eq!(below.count(), 0, "{what}");
            }
        }
    }
}

#[test]
fn postponed_decisions_do_not_tell_apart_what_was_not_noticed() {
    for by_chance in [false, true] {
        // The guess is the fourth decision at the latest.
        let settings = EpimcSettings {
            depth: 4,
            pimc: PimcSettings::default(),
        };
        let knowledge = Knowledge::Sight(Sight::of_game());
        let mut search = Epimc::new(settings, knowledge, AtTheStart);
        let found = search.search(&Ticks { by_chance }, &Stage::Start, &budget(), Seed(3));
        is_even(found.unwrap().chosen().mean, "epimc");
    }
}

/// As if every tick were heard.
fn audible() -> Sight<Ticks> {
    const fn heard(token: u64) -> u64 {
        if token == UNNOTICED { 7 } else { token }
    }
    Sight {
        action: |game, clock, action, observer| heard(game.observe_action(clock, action, observer)),
        chance: |game, clock, outcome, observer| {
            heard(game.observe_chance(clock, outcome, observer))
        },
    }
}

/// The control: who hears every tick, and nothing else, counts them, and is always right.
#[test]
fn who_notices_that_something_happens_counts() {
    for by_chance in [false, true] {
        let game = Ticks { by_chance };
        let know = |value: f64, what: &str| assert!(value > 0.9, "{what}: {value}");
        for observers in BOTH {
            let settings = keep(Parallel::Serial);
            let mut search = observing(observers, settings, AtTheStart, audible());
            let found = search.search(&game, &Stage::Start, &budget(), Seed(3));
            know(found.unwrap().chosen().mean, &format!("{observers:?}"));
        }
        let settings = EpimcSettings {
            depth: 4,
            pimc: PimcSettings::default(),
        };
        let mut search = Epimc::new(settings, Knowledge::Sight(audible()), AtTheStart);
        let found = search.search(&game, &Stage::Start, &budget(), Seed(3));
        know(found.unwrap().chosen().mean, "epimc");
    }
}
