//! MO-ISMCTS and ISMCTS with hidden moves: T-IS1, T-IS2, T-IS3, T-IS6, T-DE1, and traps 21, 23, 25.

use crate::common::{Climb, Nim, NimState, Redeal, climb_position};
use crate::passing::{DealPassing, Passing, PassingState, PassingView, passing_position};
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{ActionObservation, Game, Player, Sight, Turn};
use search_core::observation::{Determinizer, Identity};
use search_core::rng::{Draw, Seed, SimRng};
use search_core::rollout::Rollout;
use search_core::search::{
    Ismcts, MoIsmcts, ObservedKey, Observers, Parallel, RisMcts, Searcher, TreeSettings, Uct,
};
use search_core::tree::{Boxed, Bump, Indexed, Snapshot, Storage, Typed};
use std::collections::BTreeMap;

const CLIMB: Climb = Climb {
    players: 3,
    hand: 4,
};
const PASSING: Passing = Passing {
    players: 3,
    hand: 3,
};

pub(crate) fn keep(parallel: Parallel) -> TreeSettings {
    TreeSettings {
        keep_tree: true,
        parallel,
        ..TreeSettings::default()
    }
}

pub(crate) fn observing<G: Game, D: Determinizer<G>>(
    observers: Observers,
    settings: TreeSettings,
    determinizer: D,
    sight: Sight<G>,
) -> MoIsmcts<G, D> {
    let mut search = MoIsmcts::new(settings, determinizer, sight);
    search.observers = observers;
    search
}

pub(crate) const BOTH: [Observers; 2] = [Observers::EachPlayer, Observers::SearcherOnly];

/// Visits, sum and availability by what happened, for the edges that `of` gives a name.
type Edges<K> = BTreeMap<Vec<K>, (u32, f64, u32)>;

fn edges<K: Copy, N: Clone + Ord>(tree: &Snapshot<K>, of: impl Fn(K) -> N) -> Edges<N> {
    let mut histories: Vec<Vec<N>> = vec![Vec::new()];
    let mut edges = BTreeMap::new();
    for node in &tree.nodes[1..] {
        let mut history = histories[node.parent as usize].clone();
        history.push(of(node.key));
        histories.push(history.clone());
        let known = edges.insert(history, (node.visits, node.sum, node.availability));
        assert!(known.is_none(), "two siblings with one key");
    }
    edges
}

/// What a search chose and thought, bit for bit, without what it took.
fn thoughts<A: std::fmt::Debug>(decision: &Decision<A>) -> String {
    format!("{:?} {:?}", decision.action, decision.candidates)
}

#[test]
fn t_is3_with_public_moves_both_are_so_ismcts_bit_for_bit() {
    let modes = [
        Parallel::Serial,
        Parallel::Root { trees: 3 },
        Parallel::Batch { size: 7 },
    ];
    for seed in 0..6 {
        let state = climb_position(&CLIMB, seed, seed as usize);
        let view = CLIMB.observe(&state, Player::new(state.mover as usize));
        for parallel in modes {
            let budget = Budget::simulations(2_003);
            let so = Ismcts::new(keep(parallel), Redeal)
                .search(&CLIMB, &view, &budget, Seed(seed))
                .unwrap();
            for observers in BOTH {
                let mo = observing(observers, keep(parallel), Redeal, Sight::public())
                    .search(&CLIMB, &view, &budget, Seed(seed))
                    .unwrap();
                assert_eq!(thoughts(&mo), thoughts(&so), "{parallel:?} {observers:?}");
                if observers == Observers::SearcherOnly {
                    assert_eq!(mo.effort.edges, so.effort.edges);
                    assert_eq!(mo.effort.depth, so.effort.depth);
                } else {
                    assert_eq!(mo.effort.edges, 3 * so.effort.edges);
                }
            }
        }
    }
}

/// The action behind a public token.
fn actions_by_token() -> BTreeMap<u64, u8> {
    let state = climb_position(&CLIMB, 0, 0);
    let sight = Sight::<Climb>::public();
    (0..=16)
        .map(|a| ((sight.action)(&CLIMB, &state, a, Player::new(0)), a))
        .collect()
}

#[test]
fn t_is3_every_tree_is_the_one_of_so_ismcts() {
    let by_token = actions_by_token();
    assert_eq!(by_token.len(), 17);
    for seed in 0..4 {
        let state = climb_position(&CLIMB, seed, seed as usize);
        let me = Player::new(state.mover as usize);
        let view = CLIMB.observe(&state, me);
        let budget = Budget::simulations(2_000);
        let mut so = Ismcts::new(keep(Parallel::Serial), Redeal);
        so.search(&CLIMB, &view, &budget, Seed(seed)).unwrap();
        let so = edges(so.tree().unwrap(), |key| key.action().unwrap());
        let mover = |history: &[u8]| (me.index() + history.len() - 1) % 3;
        for observers in BOTH {
            let sight = Sight::public();
            let mut mo = observing(observers, keep(Parallel::Serial), Redeal, sight);
            mo.search(&CLIMB, &view, &budget, Seed(seed)).unwrap();
            let trees = edges(mo.trees().unwrap(), |key| match key {
                ObservedKey::Action(action) => action,
                ObservedKey::Seen { token, .. } => by_token[&token],
                ObservedKey::Root(player) => 100 + player.index() as u8,
                ObservedKey::Chance { .. } => unreachable!(),
            });
            if observers == Observers::SearcherOnly {
                assert_eq!(trees, so);
                continue;
            }
            for owner in 0..3 {
                let root = 100 + owner as u8;
                let own: Edges<u8> = trees
                    .iter()
                    .filter(|(history, _)| history[0] == root && history.len() > 1)
                    .map(|(history, edge)| (history[1..].to_vec(), *edge))
                    .collect();
                assert_eq!(own.len(), so.len());
                for (history, edge) in &own {
                    let same = so[history];
                    if mover(history) == owner {
                        assert_eq!(*edge, same, "{history:?}");
                    } else {
                        assert_eq!(edge.0, same.0, "{history:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn t_is2_with_perfect_information_it_is_uct() {
    let game = Nim {
        players: 2,
        heap: 14,
    };
    let state = NimState { heap: 14, mover: 0 };
    let runs = 40;
    let share = |mo: bool| {
        let shares: Vec<f64> = (0..runs)
            .map(|seed| {
                let budget = Budget::simulations(2_000);
                let settings = TreeSettings::default();
                let decision = if mo {
                    MoIsmcts::new(settings, Identity, Sight::public()).search(
                        &game,
                        &state,
                        &budget,
                        Seed(seed),
                    )
                } else {
                    Uct::default().search(&game, &state, &budget, Seed(1_000 + seed))
                };
                decision.unwrap().candidate(2).unwrap().policy
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / runs as f64;
        let var = shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (runs as f64 - 1.0);
        (mean, var / runs as f64)
    };
    let (a, b) = (share(true), share(false));
    let z = (a.0 - b.0) / (a.1 + b.1).sqrt();
    assert!(z.abs() < 5.0, "{a:?} {b:?} z = {z}");
}

/// What one player saw: an own card, or of whose action what.
type Saw = (u8, u64);

/// One node of the plain re-implementation: the options met so far, and those of every visit.
#[derive(Default)]
struct Plain {
    children: Vec<Saw>,
    visits: Vec<Vec<Saw>>,
    births: BTreeMap<Saw, usize>,
}

/// The node of a tree: whose it is and what was seen.
type At = (usize, Vec<Saw>);

struct PlainSearch<'a> {
    observers: Observers,
    me: usize,
    nodes: BTreeMap<At, Plain>,
    edges: BTreeMap<At, (u32, f64)>,
    view: &'a PassingView,
}

fn step(at: &At, saw: Saw) -> At {
    let mut next = at.clone();
    next.1.push(saw);
    next
}

impl PlainSearch<'_> {
    /// What the owner of a tree sees of an action.
    fn saw(&self, state: &PassingState, card: u8, mover: usize, owner: usize) -> Saw {
        if mover == owner {
            (9, u64::from(card))
        } else {
            let token = PASSING.observe_action(state, card, Player::new(owner));
            (mover as u8, token)
        }
    }

    /// Cowling, Powley & Whitehouse 2012, algorithms 2 and 3, from the paper.
    fn simulate(&mut self, mut rng: SimRng) {
        let plan = DealPassing.plan(&PASSING, self.view).unwrap();
        let mut world = DealPassing.scratch(&PASSING, self.view, &plan);
        DealPassing.sample(&PASSING, self.view, &plan, &mut rng, &mut world);
        let owners: Vec<usize> = match self.observers {
            Observers::EachPlayer => vec![0, 1, 2],
            Observers::SearcherOnly => vec![self.me],
        };
        let mut at: Vec<At> = owners.iter().map(|o| (*o, Vec::new())).collect();
        let mut path: Vec<(At, usize)> = Vec::new();
        let mut legal = Vec::new();
        while let Turn::Player(mover) = PASSING.turn(&world) {
            let mover = mover.index();
            PASSING.legal_actions(&world, &mut legal);
            let tree = owners.iter().position(|o| *o == mover).unwrap_or(0);
            let here = at[tree].clone();
            let looks: Vec<Saw> = legal
                .iter()
                .map(|c| self.saw(&world, *c, mover, here.0))
                .collect();
            let mut options: Vec<Saw> = Vec::new();
            for look in &looks {
                if !options.contains(look) {
                    options.push(*look);
                }
            }
            let (option, new) = self.choose(&here, &options, &mut rng);
            let alike: Vec<u8> = (0..legal.len())
                .filter(|i| looks[*i] == option)
                .map(|i| legal[i])
                .collect();
            let card = if alike.len() > 1 {
                rng.pick(&alike).unwrap()
            } else {
                alike[0]
            };
            for (i, owner) in owners.iter().enumerate() {
                let saw = if i == tree {
                    option
                } else {
                    self.saw(&world, card, mover, *owner)
                };
                at[i] = step(&at[i], saw);
                let credit = match self.observers {
                    Observers::EachPlayer => *owner,
                    Observers::SearcherOnly => mover,
                };
                path.push((at[i].clone(), credit));
            }
            PASSING.apply(&mut world, card);
            if new {
                break;
            }
        }
        while PASSING.turn(&world) != Turn::Terminal {
            PASSING.legal_actions(&world, &mut legal);
            let card = legal[rng.below(legal.len() as u32) as usize];
            PASSING.apply(&mut world, card);
        }
        let returns = PASSING.returns(&world);
        for (edge, credit) in path {
            let edge = self.edges.entry(edge).or_default();
            edge.0 += 1;
            edge.1 += returns[credit];
        }
    }

    fn choose(&mut self, here: &At, options: &[Saw], rng: &mut SimRng) -> (Saw, bool) {
        let node = self.nodes.entry(here.clone()).or_default();
        node.visits.push(options.to_vec());
        let visit = node.visits.len();
        let untried: Vec<Saw> = options
            .iter()
            .copied()
            .filter(|o| !node.children.contains(o))
            .collect();
        if !untried.is_empty() {
            let option = untried[rng.below(untried.len() as u32) as usize];
            node.children.push(option);
            node.births.insert(option, visit);
            return (option, true);
        }
        let mut best = (f64::NEG_INFINITY, (0, 0), 0);
        for &option in node.children.iter().filter(|o| options.contains(o)) {
            let available = node.visits[node.births[&option] - 1..visit - 1]
                .iter()
                .filter(|o| o.contains(&option))
                .count() as f64;
            let (visits, sum) = self.edges[&step(here, option)];
            let n = f64::from(visits);
            let bonus = 0.7 * libm::log(available).sqrt();
            let score = sum * (1.0 / n) * (1.0 / PASSING.return_scale()) + bonus * (1.0 / n.sqrt());
            if score > best.0 {
                best = (score, option, 1);
            } else if score == best.0 {
                best.2 += 1;
                if rng.below(best.2) == 0 {
                    best.1 = option;
                }
            }
        }
        (best.1, false)
    }

    /// Visits in which the option was there, since its edge was made.
    fn recount(&self, edge: &At) -> u32 {
        let (option, before) = edge.1.split_last().unwrap();
        let node = self.nodes.get(&(edge.0, before.to_vec()));
        let born = node.and_then(|node| Some((node, *node.births.get(option)?)));
        born.map_or(0, |(node, birth)| {
            let since = node.visits[birth - 1..].iter();
            since.filter(|options| options.contains(option)).count() as u32
        })
    }
}

/// T-IS1, traps 24 and 25: a second implementation agrees edge by edge in every tree, and the
/// availabilities are those of a recount from a log.
#[test]
fn t_is1_trees_and_availability_against_a_second_implementation() {
    for (seed, turns) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)] {
        let state = passing_position(&PASSING, seed, turns);
        let me = turns % 3;
        let view = PASSING.observe(&state, Player::new(me));
        for observers in BOTH {
            let mut plain = PlainSearch {
                observers,
                me,
                nodes: BTreeMap::new(),
                edges: BTreeMap::new(),
                view: &view,
            };
            let n = 2_000;
            for i in 0..n {
                plain.simulate(Seed(seed).simulation(i));
            }
            let settings = keep(Parallel::Serial);
            let mut ours = observing(observers, settings, DealPassing, Sight::of_game());
            let decision = ours
                .search(&PASSING, &view, &Budget::simulations(n), Seed(seed))
                .unwrap();
            let saw = |key| match key {
                ObservedKey::Action(card) => (9, u64::from(card)),
                ObservedKey::Seen { by, token } => (by.index() as u8, token),
                ObservedKey::Root(player) => (100, player.index() as u64),
                ObservedKey::Chance { .. } => unreachable!(),
            };
            let mut found = 0;
            for (history, edge) in edges(ours.trees().unwrap(), saw) {
                let (owner, history) = match observers {
                    Observers::EachPlayer => (history[0].1 as usize, &history[1..]),
                    Observers::SearcherOnly => (me, &history[..]),
                };
                if history.is_empty() {
                    continue;
                }
                let at = (owner, history.to_vec());
                let (visits, sum) = plain.edges[&at];
                let expected = (visits, sum, plain.recount(&at));
                assert_eq!(edge, expected, "seed {seed}, tree {owner}, {history:?}");
                assert!(edge.2 == 0 || edge.0 <= edge.2);
                found += 1;
            }
            assert_eq!(found, plain.edges.len());
            assert_eq!(decision.effort.edges, found as u64);
            assert!(found > 10, "{found}");
        }
    }
}

/// Trap 23: searching where players hide things crashes a peer. Every decision of some games, for
/// every searcher, with few and with some simulations.
#[test]
fn a_phase_in_which_things_are_hidden_can_be_searched() {
    for seed in 0..12 {
        for turns in 0..6 {
            let state = passing_position(&PASSING, seed, turns);
            let view = PASSING.observe(&state, Player::new(turns % 3));
            let mut legal = Vec::new();
            PASSING.legal_actions(&state, &mut legal);
            let settings = TreeSettings::default();
            let sight = Sight::of_game();
            let mut so = Ismcts::new(settings, DealPassing);
            let mut mo = MoIsmcts::new(settings, DealPassing, sight);
            let mut pom = observing(Observers::SearcherOnly, settings, DealPassing, sight);
            let mut ris = RisMcts::new(settings, DealPassing);
            let all: [&mut dyn Searcher<Passing>; 4] = [&mut so, &mut mo, &mut pom, &mut ris];
            for search in all {
                for n in [1, 2, 3, 200] {
                    let decision = search
                        .search(&PASSING, &view, &Budget::simulations(n), Seed(seed))
                        .unwrap();
                    assert!(legal.contains(&decision.action));
                    assert_eq!(decision.effort.simulations, n);
                    let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
                    assert_eq!(visits, n);
                    assert_eq!(decision.effort.failed_redeals, 0);
                }
            }
        }
    }
}

/// The worlds of [`Passing`] are worlds: seen again they look the same.
#[test]
fn passing_worlds_look_like_the_truth() {
    for seed in 0..200 {
        let turns = seed as usize % 6;
        let state = passing_position(&PASSING, seed, turns);
        for me in (0..3).map(Player::new) {
            let view = PASSING.observe(&state, me);
            let plan = DealPassing.plan(&PASSING, &view).unwrap();
            let mut world = DealPassing.scratch(&PASSING, &view, &plan);
            DealPassing.sample(&PASSING, &view, &plan, &mut Seed(seed).stream(), &mut world);
            assert_eq!(PASSING.observe(&world, me), view, "{state:?} {world:?}");
            let count = |s: &PassingState| s.hands.map(u16::count_ones);
            assert_eq!(count(&world), count(&state));
        }
    }
}

/// T-IS6, trap 21: whatever is hidden, cards and passes, the searches are the same bit for bit.
#[test]
fn t_is6_what_is_hidden_does_not_matter() {
    let mut differed = 0;
    for seed in 0..20 {
        for turns in 0..6 {
            let state = passing_position(&PASSING, seed, turns);
            let me = Player::new(turns % 3);
            let view = PASSING.observe(&state, me);
            let plan = DealPassing.plan(&PASSING, &view).unwrap();
            let mut twin = state.clone();
            let rng = &mut Seed(seed).stream();
            DealPassing.sample(&PASSING, &view, &plan, rng, &mut twin);
            differed += u32::from(twin != state);
            let run = |state: &PassingState| {
                let view = PASSING.observe(state, me);
                let settings = keep(Parallel::Serial);
                let budget = Budget::simulations(150);
                let mut said = Vec::new();
                for observers in BOTH {
                    let sight = Sight::of_game();
                    let mut search = observing(observers, settings, DealPassing, sight);
                    let decision = search.search(&PASSING, &view, &budget, Seed(seed)).unwrap();
                    said.push((format!("{decision:?}"), search.trees().unwrap().checksum));
                }
                let mut ris = RisMcts::new(settings, DealPassing);
                let decision = ris.search(&PASSING, &view, &budget, Seed(seed)).unwrap();
                said.push((format!("{decision:?}"), ris.shared_tree().unwrap().checksum));
                said
            };
            assert_eq!(run(&state), run(&twin));
        }
    }
    assert!(differed > 80, "{differed}");
}

#[test]
fn all_storages_hold_the_same_trees() {
    fn checksum<S: Storage<ObservedKey<u8>>>(storage: S) -> (String, u64) {
        let state = passing_position(&PASSING, 3, 1);
        let view = PASSING.observe(&state, Player::new(1));
        let mut search: MoIsmcts<Passing, _, Rollout, S> = MoIsmcts::with(
            keep(Parallel::Serial),
            DealPassing,
            Sight::of_game(),
            Rollout::default(),
            storage,
        );
        let decision = search
            .search(&PASSING, &view, &Budget::simulations(1_000), Seed(5))
            .unwrap();
        (thoughts(&decision), search.trees().unwrap().checksum)
    }
    let indexed = checksum(Indexed::default());
    assert_eq!(checksum(Bump::default()), indexed);
    assert_eq!(checksum(Typed), indexed);
    assert_eq!(checksum(Boxed), indexed);
}

/// T-DE1, and a batch of one is the serial search.
#[test]
fn t_de1_threads_do_not_matter() {
    let state = passing_position(&PASSING, 8, 0);
    let view = PASSING.observe(&state, Player::new(0));
    let run = |which: usize, parallel, threads| {
        let settings = TreeSettings {
            threads,
            ..keep(parallel)
        };
        let budget = Budget::simulations(1_003);
        let sight = Sight::of_game();
        if which == 2 {
            let mut ris = RisMcts::new(settings, DealPassing);
            let decision = ris.search(&PASSING, &view, &budget, Seed(7)).unwrap();
            return format!("{decision:?} {}", ris.shared_tree().unwrap().checksum);
        }
        let mut search = observing(BOTH[which], settings, DealPassing, sight);
        let decision = search.search(&PASSING, &view, &budget, Seed(7)).unwrap();
        let trees = search.trees().unwrap();
        assert!(trees.nodes.iter().all(|node| node.in_flight == 0));
        format!("{decision:?} {}", trees.checksum)
    };
    for which in 0..3 {
        let root = Parallel::Root { trees: 5 };
        for parallel in [Parallel::Serial, root, Parallel::Batch { size: 13 }] {
            let one = run(which, parallel, 1);
            for threads in [1, 2, 3, 7] {
                assert_eq!(run(which, parallel, threads), one, "{which} {parallel:?}");
            }
        }
        let batch_of_one = run(which, Parallel::Batch { size: 1 }, 1);
        assert_eq!(batch_of_one, run(which, Parallel::Serial, 1));
        assert_ne!(batch_of_one, run(which, Parallel::Batch { size: 13 }, 1));
    }
}

#[test]
fn t_bu2_the_caps_hold_for_all_trees_together() {
    let state = passing_position(&PASSING, 8, 0);
    let view = PASSING.observe(&state, Player::new(0));
    for observers in BOTH {
        for cap in [0_u64, 1, 2, 3, 10, 50] {
            let settings = keep(Parallel::Serial);
            let mut search = observing(observers, settings, DealPassing, Sight::of_game());
            let budget = Budget::simulations(2_000).with_nodes(cap);
            let decision = search.search(&PASSING, &view, &budget, Seed(1)).unwrap();
            assert_eq!(decision.effort.edges, cap, "{observers:?}");
            assert_eq!(decision.effort.simulations, 2_000);
            assert!(decision.effort.refused_expansions > 0);
        }
        for bytes in [400_u64, 4_000] {
            let mut search = observing(
                observers,
                TreeSettings::default(),
                DealPassing,
                Sight::of_game(),
            );
            let budget = Budget::simulations(2_000).with_bytes(bytes);
            let decision = search.search(&PASSING, &view, &budget, Seed(1)).unwrap();
            assert!(decision.effort.bytes <= bytes);
        }
    }
    let mut search = MoIsmcts::new(TreeSettings::default(), DealPassing, Sight::of_game());
    let none = Budget::simulations(10).with_bytes(1);
    assert_eq!(
        search.search(&PASSING, &view, &none, Seed(1)).unwrap_err(),
        SearchError::NoRoom { actions: 3 }
    );
}
