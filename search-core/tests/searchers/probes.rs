//! What breaks other frameworks, asked of ours: a player who moves twice, chains of many thousand
//! plies on a small stack, and budgets of next to nothing. `docs/src/experiments/speed.md` lists what
//! each of them did.

use rand::Rng;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use search_core::budget::Budget;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{
    Flat, FlatSettings, GameKey, Ismcts, Parallel, Pimc, PimcSettings, Searcher, TreeSettings, Uct,
};
use search_core::tree::{Boxed, Bump, Indexed, Storage, Typed};

/// The first player moves twice in a row, then the second once. The one right first move is 2: it
/// wins by a right second move, whatever the other does; all others lose.
struct Twice;

type Moves = Vec<u8>;

impl Game for Twice {
    type State = Moves;
    type Action = u8;
    type Chance = Infallible;
    type Observation = Moves;

    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Moves {
        Moves::new()
    }
    fn turn(&self, moves: &Moves) -> Turn {
        match moves.len() {
            0 | 1 => Turn::Player(Player::new(0)),
            2 => Turn::Player(Player::new(1)),
            _ => Turn::Terminal,
        }
    }
    fn legal_actions(&self, moves: &Moves, out: &mut Vec<u8>) {
        out.clear();
        if moves.len() < 3 {
            out.extend(0..4);
        }
    }
    fn apply(&self, moves: &mut Moves, action: u8) {
        moves.push(action);
    }
    fn returns(&self, moves: &Moves) -> Returns {
        let right = moves[0] == 2 && moves[1] == 1;
        Returns::zero_sum(if right { 1.0 } else { -1.0 })
    }
    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, moves: &Moves, _: Player) -> Moves {
        moves.clone()
    }
}

fn first_move(searcher: &mut impl Searcher<Twice>, simulations: u64, seed: u64) -> u8 {
    let budget = Budget::simulations(simulations);
    let decision = searcher.search(&Twice, &Moves::new(), &budget, Seed(seed));
    decision.unwrap().action
}

/// A search that takes every ply for the other player's fails on all of them.
/// Trap 6.
#[test]
fn a_player_who_moves_twice_finds_the_one_right_move() {
    for seed in 0..20 {
        let batch = TreeSettings {
            parallel: Parallel::Batch { size: 8 },
            ..TreeSettings::default()
        };
        let uct = first_move(&mut Uct::default(), 500, seed);
        let batched = first_move(&mut Uct::new(batch), 500, seed);
        let ismcts = Ismcts::new(TreeSettings::default(), Identity);
        let ismcts = first_move(&mut { ismcts }, 500, seed);
        let flat = first_move(
            &mut Flat::new(FlatSettings::default(), Identity),
            2_000,
            seed,
        );
        let mut pimc = Pimc::new(PimcSettings::default(), Identity);
        let pimc = first_move(&mut pimc, 4_000, seed);
        assert_eq!([uct, batched, ismcts, flat, pimc], [2; 5], "seed {seed}");
    }
}

/// Trap 5.
#[test]
fn budgets_of_one_and_two_give_a_move() {
    for seed in 0..20 {
        for simulations in [1, 2] {
            assert!(first_move(&mut Uct::default(), simulations, seed) < 4);
            let mut ismcts = Ismcts::new(TreeSettings::default(), Identity);
            assert!(first_move(&mut ismcts, simulations, seed) < 4);
        }
    }
}

/// One player, one action, many plies.
struct Chain(u32);

impl Game for Chain {
    type State = u32;
    type Action = u8;
    type Chance = Infallible;
    type Observation = u32;

    fn num_players(&self) -> usize {
        1
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> u32 {
        0
    }
    fn turn(&self, ply: &u32) -> Turn {
        if *ply < self.0 {
            Turn::Player(Player::new(0))
        } else {
            Turn::Terminal
        }
    }
    fn legal_actions(&self, ply: &u32, out: &mut Vec<u8>) {
        out.clear();
        out.extend((*ply < self.0).then_some(0));
    }
    fn apply(&self, ply: &mut u32, _: u8) {
        *ply += 1;
    }
    fn returns(&self, _: &u32) -> Returns {
        Returns::splat(1, 1.0)
    }
    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }
    fn max_turns(&self) -> u32 {
        self.0
    }
    fn observe(&self, ply: &u32, _: Player) -> u32 {
        *ply
    }
}

/// The depth that each search comes to: one ply a simulation, and at last the end of the chain.
fn depths<S: Storage<GameKey<Chain>>>(storage: impl Fn() -> S) -> [u32; 2] {
    // The whole chain in the tree, and a long one whose playouts are most of it.
    [(700, 900), (20_000, 300)].map(|(length, simulations)| {
        let settings = TreeSettings::default();
        let budget = Budget::simulations(simulations);
        let game = Chain(length);
        let mut uct = Uct::with(settings, Rollout::random(), storage());
        let uct = uct.search(&game, &0, &budget, Seed(1)).unwrap();
        let mut ismcts = Ismcts::with(settings, Identity, Rollout::random(), storage());
        let ismcts = ismcts.search(&game, &0, &budget, Seed(1)).unwrap();
        assert_eq!(uct.effort.depth, ismcts.effort.depth);
        assert_eq!(uct.candidates[0].mean, 1.0);
        uct.effort.depth
    })
}

#[test]
fn chains_of_many_plies_are_searched_on_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(128 * 1024);
    let search = || {
        assert_eq!(depths(Indexed::default), [700, 300]);
        assert_eq!(depths(|| Typed), [700, 300]);
        assert_eq!(depths(|| Boxed), [700, 300]);
        assert_eq!(depths(Bump::default), [700, 300]);
    };
    thread.spawn(search).unwrap().join().unwrap();
}
