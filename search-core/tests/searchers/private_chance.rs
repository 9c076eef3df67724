//! A coin that one player sees: what chance shows goes into the tree of who sees it.

use rand::Rng;
use std::ops::RangeInclusive;

use search_core::budget::Budget;
use search_core::game::{ActionObservation, Game, Player, Returns, Sight, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::rng::{Draw, Seed};
use search_core::search::{MoIsmcts, ObservedKey, Observers, RisMcts, Searcher, TreeSettings};

/// Player 0 does one of two things that do not matter; a coin falls, which player 1 alone sees; player 1
/// says how it fell, and wins 1 from player 0 if that is right, else loses it.
struct Peek;

#[derive(Debug, Clone, PartialEq)]
struct PeekState {
    turns: u8,
    coin: u8,
    said: u8,
}

/// The turns so far, and the coin for who knows it.
#[derive(Debug, Clone, PartialEq)]
struct PeekView(u8, Option<u8>);

impl Game for Peek {
    type State = PeekState;
    type Action = u8;
    type Chance = u8;
    type Observation = PeekView;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> PeekState {
        PeekState {
            turns: 0,
            coin: 0,
            said: 0,
        }
    }

    fn turn(&self, s: &PeekState) -> Turn {
        match s.turns {
            0 => Turn::Player(Player::new(0)),
            1 => Turn::Chance,
            2 => Turn::Player(Player::new(1)),
            _ => Turn::Terminal,
        }
    }

    fn legal_actions(&self, s: &PeekState, out: &mut Vec<u8>) {
        out.clear();
        if matches!(s.turns, 0 | 2) {
            out.extend([0, 1]);
        }
    }

    fn apply(&self, s: &mut PeekState, action: u8) {
        s.turns += 1;
        s.said = action;
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &PeekState, rng: &mut R) -> u8 {
        rng.below(2) as u8
    }

    fn apply_chance(&self, s: &mut PeekState, coin: u8) {
        s.turns += 1;
        s.coin = coin;
    }

    fn returns(&self, s: &PeekState) -> Returns {
        Returns::zero_sum(if s.said == s.coin { -1.0 } else { 1.0 })
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, s: &PeekState, player: Player) -> PeekView {
        let sees = s.turns > 2 || s.turns == 2 && player.index() == 1;
        PeekView(s.turns, sees.then_some(s.coin))
    }
}

impl ActionObservation for Peek {
    fn observe_action(&self, _: &PeekState, action: u8, _: Player) -> u64 {
        u64::from(action)
    }

    fn observe_chance(&self, _: &PeekState, coin: u8, observer: Player) -> u64 {
        if observer.index() == 1 {
            u64::from(coin)
        } else {
            7
        }
    }
}

#[derive(Clone, Copy)]
struct Unseen;

impl Determinizer<Peek> for Unseen {
    type Plan = ();

    fn plan(&self, _: &Peek, _: &PeekView) -> Result<(), Contradiction> {
        Ok(())
    }

    fn scratch(&self, game: &Peek, _: &PeekView, (): &()) -> PeekState {
        game.initial_state(&mut Seed(0).stream())
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Peek,
        view: &PeekView,
        (): &(),
        rng: &mut R,
        world: &mut PeekState,
    ) -> f64 {
        world.turns = view.0;
        world.coin = view.1.unwrap_or_else(|| rng.below(2) as u8);
        0.0
    }
}

#[test]
fn what_chance_shows_to_one_player_is_known_in_one_tree() {
    let settings = TreeSettings {
        keep_tree: true,
        ..TreeSettings::default()
    };
    let budget = Budget::simulations(4_000);
    let run = |observers| {
        let mut search = MoIsmcts::new(settings, Unseen, Sight::of_game());
        search.observers = observers;
        let decision = search
            .search(&Peek, &PeekView(0, None), &budget, Seed(1))
            .unwrap();
        let coins = search.trees().unwrap().nodes.iter();
        let coins = coins.filter(|n| matches!(n.key, ObservedKey::Chance { .. }));
        (decision.chosen().mean, coins.count())
    };
    let (value, coins) = run(Observers::EachPlayer);
    assert!(value < -0.95, "who sees the coin says it: {value}");
    // After each of two actions one that looks like nothing, and two.
    assert_eq!(coins, 2 + 4);
    let (value, coins) = run(Observers::SearcherOnly);
    assert!(
        value.abs() < 0.1,
        "in the searcher's tree nobody knows: {value}"
    );
    assert_eq!(coins, 2);
    let ris = RisMcts::new(settings, Unseen)
        .search(&Peek, &PeekView(0, None), &budget, Seed(1))
        .unwrap();
    assert!(
        ris.chosen().mean < -0.95,
        "in a tree of all that happened everybody knows"
    );
}

/// T-BU2: a simulation ends with the outcome that one tree cannot remember, even where another one
/// does. Every refusal is counted: after the action `first`, whose outcome the searcher's tree remembers,
/// the other's tree refuses it each time; after the other action both do.
#[test]
fn t_bu2_a_simulation_ends_where_one_tree_cannot_remember_an_outcome() {
    let settings = TreeSettings {
        keep_tree: true,
        ..TreeSettings::default()
    };
    let mut search = MoIsmcts::new(settings, Unseen, Sight::of_game());
    // Both actions in both trees, and one outcome in the searcher's.
    let budget = Budget::simulations(400).with_nodes(2 + 2 + 1);
    let decision = search
        .search(&Peek, &PeekView(0, None), &budget, Seed(1))
        .unwrap();
    let nodes = &search.trees().unwrap().nodes;
    let outcomes = nodes
        .iter()
        .filter(|n| matches!(n.key, ObservedKey::Chance { .. }));
    let parents: Vec<u32> = outcomes.map(|n| n.parent).collect();
    assert_eq!(parents.len(), 1);
    let ObservedKey::Action(first) = nodes[parents[0] as usize].key else {
        panic!("an outcome of nothing");
    };
    let visits = |action| decision.candidate(action).unwrap().visits;
    let refused = (visits(first) - 1) + 2 * (visits(1 - first) - 1);
    assert_eq!(decision.effort.refused_expansions, refused);
    assert_eq!(decision.effort.depth, 2);
}

/// After each action the coin falls once and ends the simulation, being new to both trees. The fifth
/// simulation goes on however it falls: the searcher's tree knows what the searcher sees of it.
#[test]
fn an_outcome_new_to_one_tree_ends_no_simulation() {
    for seed in 0..20 {
        // Both actions in turns.
        let settings = TreeSettings {
            exploration: 50.0,
            ..TreeSettings::default()
        };
        let mut search = MoIsmcts::new(settings, Unseen, Sight::of_game());
        let mut depth = |simulations| {
            let budget = Budget::simulations(simulations);
            let decision = search.search(&Peek, &PeekView(0, None), &budget, Seed(seed));
            decision.unwrap().effort.depth
        };
        assert_eq!([2, 4, 5].map(&mut depth), [1, 2, 3], "{seed}");
    }
}
