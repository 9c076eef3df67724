//! `ismcts` 0.3: single-observer information-set search on one vector.
//!
//! It takes milliseconds and nothing else, and makes at least 2,048 simulations.

use std::marker::PhantomData;
use std::time::Instant;

use ismcts::action_list::ActionList;
use ismcts::inference::NoInference;
use ismcts::searcher::Searcher;
use ismcts::state::State;
use search_core::game::Turn;
use search_core::observation::Determinizer;
use search_core::rng::Draw;

use crate::games::{Scratch, Shared, play_out, settle, start};
use crate::measure::{Tree, processor_time};

/// Actions as bits, the cheapest list that the library can be given.
struct Actions<G>(u64, PhantomData<fn() -> G>);

impl<G> Clone for Actions<G> {
    fn clone(&self) -> Self {
        Self(self.0, self.1)
    }
}

impl<G: Shared> ActionList<G::Action> for Actions<G> {
    fn uninit() -> Self {
        Self(0, PhantomData)
    }

    #[inline]
    fn pop_random(&mut self) -> Option<G::Action> {
        if self.0 == 0 {
            return None;
        }
        let skip = G::with_scratch(|scratch| scratch.rng.below(self.0.count_ones()));
        let mut bits = self.0;
        for _ in 0..skip {
            bits &= bits - 1;
        }
        let number = bits.trailing_zeros();
        self.0 &= !(1 << number);
        Some(G::action(number))
    }

    #[inline]
    fn push(&mut self, action: G::Action) {
        self.0 |= 1 << G::number(action);
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    fn has(&self, action: &G::Action) -> bool {
        self.0 >> G::number(*action) & 1 == 1
    }

    #[inline]
    fn without(&self, other: &Self) -> Self {
        Self(self.0 & !other.0, self.1)
    }
}

/// A world, and what it is sampled from.
struct World<G: Shared> {
    state: G::State,
    root: &'static Root<G>,
}

impl<G: Shared> Clone for World<G> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

struct Root<G: Shared> {
    view: G::Observation,
    plan: <G::Worlds as Determinizer<G>>::Plan,
}

impl<G: Shared> State for World<G> {
    type Action = G::Action;
    type ActionList = Actions<G>;
    type Inference = NoInference;

    #[inline]
    fn turn(&self) -> usize {
        match G::default().turn(&self.state) {
            Turn::Player(player) => player.index(),
            _ => 0,
        }
    }

    #[inline]
    fn randomize(&self, _: usize, _: &NoInference) -> Self {
        let mut world = self.clone();
        let Root { view, plan } = self.root;
        G::with_scratch(|scratch| {
            let rng = &mut scratch.rng;
            G::Worlds::default().sample(&G::default(), view, plan, rng, &mut world.state);
        });
        world
    }

    #[inline]
    fn possible_actions(&self) -> Actions<G> {
        G::with_scratch(|scratch| {
            G::default().legal_actions(&self.state, &mut scratch.legal);
            let bits = scratch.legal.iter().map(|a| 1_u64 << G::number(*a));
            Actions(bits.fold(0, |set, bit| set | bit), PhantomData)
        })
    }

    /// Chance is drawn at once, the library having no turns of chance.
    #[inline]
    fn apply_action(&mut self, action: G::Action) {
        G::default().apply(&mut self.state, action);
        G::with_scratch(|scratch| settle::<G>(&mut self.state, &mut scratch.rng));
    }

    /// The library's own makes a list of bits a turn; this is faster.
    #[inline]
    fn do_rollout(&mut self) {
        G::with_scratch(|Scratch { legal, rng }| {
            play_out::<G>(&mut self.state, legal, rng);
        });
    }

    #[inline]
    fn is_terminal(&self) -> bool {
        G::default().turn(&self.state) == Turn::Terminal
    }

    #[inline]
    fn reward(&self, player: usize) -> f32 {
        G::default().returns(&self.state)[player] as f32
    }
}

/// About as many simulations as asked for.
pub fn search<G: Shared>(simulations: u64) -> Tree {
    let game = G::default();
    let state = start::<G>();
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!("a player begins")
    };
    let view = game.observe(&state, player);
    let plan = G::Worlds::default().plan(&game, &view).expect("a world");
    // The library keeps worlds, so what they refer to must last: as long as the process.
    let root = Box::leak(Box::new(Root { view, plan }));
    let world = World::<G> { state, root };
    // This library does not divide returns; ours does.
    let exploration = (0.7 * game.return_scale()) as f32;
    // How fast it is, to know how long it needs.
    let before = Instant::now();
    let tried = Searcher::new(exploration, 1).search(&world, &NoInference, 20);
    let rate = tried.num_simulations as f64 / before.elapsed().as_secs_f64();
    let milliseconds = 1000.0 * simulations as f64 / rate;

    let before = processor_time();
    let mut search = Searcher::new(exploration, 0);
    let result = search.search(&world, &NoInference, milliseconds as u128);
    let seconds = (processor_time() - before).as_secs_f64();
    Tree::new(result.num_simulations as u64, None, search).within(seconds)
}
