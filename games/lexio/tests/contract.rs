//! What every game must keep to (properties T-GC, T-HI), on random rounds of every variant.

mod common;

use common::{random_round, random_tiles, variants};
use lexio::{Action, Easy, Lexio, State, Tiles, UniformDeal};
use search_core::budget::Budget;
use search_core::game::{Game, InfoKey, Player, Turn};
use search_core::policy::Policy;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::{
    Flat, FlatSettings, Ismcts, Pimc, PimcSettings, RolloutImprovement, RolloutSettings, Searcher,
    TreeSettings,
};

/// T-GC1, T-GC3, T-GC4 and the zero sum over 10^5 rounds.
#[test]
fn t_gc1_t_gc3_t_gc4_random_rounds_keep_the_contract() {
    let games = variants();
    let rounds = 100_000_u64.div_ceil(games.len() as u64);
    let (mut legal, mut again) = (Vec::new(), Vec::new());
    for (v, game) in games.iter().enumerate() {
        let bounds = game.return_bounds();
        for i in 0..rounds {
            let mut rng = Seed(1).index(v as u64).simulation(i);
            let mut turns = 0;
            let end = random_round(game, &mut rng, &mut legal, |state, legal| {
                let at_turn = matches!(game.turn(state), Turn::Player(_));
                assert_eq!(at_turn, !legal.is_empty());
                assert!(legal.windows(2).all(|w| w[0] < w[1]), "{legal:?}");
                turns += u32::from(at_turn);
                if i % 16 == 0 {
                    game.legal_actions(&state.clone(), &mut again);
                    assert_eq!(legal, &again[..]);
                    kept_by_a_state(game, state, legal);
                }
            });
            assert!(turns <= game.max_turns());
            let returns = game.returns(&end);
            assert_eq!(returns.len(), game.num_players());
            assert_eq!(returns.iter().sum::<f64>(), 0.0);
            assert!(returns.iter().all(|r| r.is_finite() && bounds.contains(r)));
            // The emptied hand gains the most of its round.
            let winner = end.winner().unwrap();
            let best = returns.iter().copied().fold(f64::MIN, f64::max);
            assert_eq!(returns.of(winner), best);
        }
    }
}

/// The tiles are where they should be, and the pass is there exactly for who follows.
fn kept_by_a_state(game: &Lexio, state: &State, legal: &[Action]) {
    let public = state.public();
    let seats = (0..game.num_players()).map(Player::new);
    let mut all = Tiles::EMPTY;
    for seat in seats {
        for part in [state.hand(seat), public.played(seat)] {
            assert!(!all.intersects(part));
            all |= part;
        }
    }
    assert_eq!(all, game.deck());
    if legal.is_empty() {
        return;
    }
    assert_eq!(legal.contains(&Action::PASS), public.table().is_some());
    let hand = state.hand(public.to_move());
    for action in legal.iter().filter(|a| !a.is_pass()) {
        let play = game.classify(*action).unwrap();
        assert!(action.tiles().is_subset_of(hand));
        assert!(public.table().is_none_or(|table| play.beats(table)));
        assert_eq!(Action::from_tiles(action.tiles()), Some(*action));
    }
}

/// Hands of the same sizes with the tiles hidden from `player` permuted among the others.
fn permuted(state: &State, player: Player, rng: &mut SimRng) -> State {
    let three = state
        .public()
        .cloud_three()
        .map(|holder| state.hand(holder));
    let three = three.map_or(Tiles::EMPTY, |hand| hand & common::tiles("3C"));
    let mut hands = [0, 1, 2, 3, 4].map(|seat| state.hand(Player::new(seat)));
    let mut hidden = Tiles::EMPTY;
    for (seat, hand) in hands.iter().enumerate() {
        if seat != player.index() {
            hidden |= *hand - three;
        }
    }
    for (seat, hand) in hands.iter_mut().enumerate() {
        if seat != player.index() {
            let kept = *hand & three;
            let drawn = random_tiles(hidden, (*hand - three).len() as usize, rng);
            hidden -= drawn;
            *hand = kept | drawn;
        }
    }
    state.with_hands(hands).unwrap()
}

/// T-HI1 in part, T-HI2, T-HI3, T-PO1: permuting what is hidden changes neither the observation,
/// nor the key, nor what may be played, nor what the easy player chooses.
#[test]
fn t_hi1_t_hi2_t_hi3_t_po1_hidden_tiles_do_not_show() {
    let (mut legal, mut other_legal, mut changed) = (Vec::new(), Vec::new(), 0);
    for (v, game) in variants().iter().enumerate() {
        for i in 0..60 {
            let mut rng = Seed(4).index(v as u64).simulation(i);
            let mut states = Vec::new();
            random_round(game, &mut rng, &mut legal, |s, _| states.push(*s));
            for state in &states {
                let Turn::Player(player) = game.turn(state) else {
                    continue;
                };
                for seat in 0..game.num_players() {
                    let seat = Player::new(seat);
                    let other = permuted(state, seat, &mut rng);
                    changed += usize::from(other != *state);
                    assert_eq!(game.observe(state, seat), game.observe(&other, seat));
                    assert_eq!(game.info_key(state, seat), game.info_key(&other, seat));
                }
                let other = permuted(state, player, &mut rng);
                game.legal_actions(state, &mut legal);
                game.legal_actions(&other, &mut other_legal);
                assert_eq!(legal, other_legal);
                let choose = |s: &State, legal: &[Action], seed| {
                    let view = game.observe(s, player);
                    Easy::default().choose(game, &view, legal, &mut SimRng::new(seed))
                };
                let chosen = choose(state, &legal, 1);
                assert_eq!(chosen, choose(&other, &legal, 2));
                assert!(legal.contains(&chosen));
            }
        }
    }
    assert!(changed > 100_000, "{changed}");
}

/// T-IS6: a search of the same position with the hidden tiles permuted is the same search, bit for
/// bit, tree included.
#[test]
fn t_is6_hidden_tiles_do_not_change_a_search() {
    let mut changed = 0;
    for (v, game) in variants().iter().enumerate() {
        let mut rng = Seed(8).simulation(v as u64);
        let mut states = Vec::new();
        random_round(game, &mut rng, &mut Vec::new(), |s, _| states.push(*s));
        for state in states.iter().step_by(11) {
            let Turn::Player(me) = game.turn(state) else {
                continue;
            };
            let other = permuted(state, me, &mut rng);
            changed += u32::from(other != *state);
            let run = |state: &State| {
                let view = game.observe(state, me);
                let settings = TreeSettings {
                    keep_tree: true,
                    ..TreeSettings::default()
                };
                let mut ismcts = Ismcts::new(settings, UniformDeal);
                let mut pimc = Pimc::new(PimcSettings::default(), UniformDeal);
                let mut flat = Flat::new(FlatSettings::default(), UniformDeal);
                let easy = Easy::default();
                let settings = RolloutSettings {
                    samples: 4,
                    ..RolloutSettings::default()
                };
                let mut rollout = RolloutImprovement::new(settings, UniformDeal, easy, easy);
                let searchers: [&mut dyn Searcher<Lexio>; 4] =
                    [&mut ismcts, &mut pimc, &mut flat, &mut rollout];
                let decisions = searchers.map(|searcher| {
                    let budget = Budget::simulations(200);
                    let decision = searcher.search(game, &view, &budget, Seed(9)).unwrap();
                    format!("{decision:?}")
                });
                (decisions, ismcts.tree().unwrap().checksum)
            };
            assert_eq!(run(state), run(&other), "{:?}", game.options());
        }
    }
    assert!(changed > 100, "{changed}");
}

/// What a player does see shows: another own hand, another table, another count.
#[test]
fn own_tiles_show() {
    let game = Lexio::default();
    let mut seen = std::collections::HashSet::new();
    let mut states = 0;
    for i in 0..200 {
        let mut rng = Seed(5).simulation(i);
        random_round(&game, &mut rng, &mut Vec::new(), |state, _| {
            states += 1;
            seen.insert(game.observe(state, Player::new(0)));
        });
    }
    // A round never comes back to what it was.
    assert_eq!(seen.len(), states);
}

/// A copy with `clone_from` is the copy, and a fresh deal holds every tile once, in every seat.
#[test]
fn deals_are_uniform() {
    for game in variants().iter().filter(|g| g.options().players != 4) {
        let (n, tiles) = (game.num_players(), game.deck().len() as usize);
        let deals = 6_000;
        let mut held = vec![0_u32; n * 60];
        let mut led = vec![0_u32; n];
        for i in 0..deals {
            let state = game.initial_state(&mut Seed(6).simulation(i));
            for seat in 0..n {
                let hand = state.hand(Player::new(seat));
                assert_eq!(hand.len(), u32::from(game.hand_size()));
                for tile in hand {
                    held[seat * 60 + usize::from(tile.index())] += 1;
                }
            }
            let leader = state.public().to_move();
            assert!(state.hand(leader).contains(lexio::Tile::CLOUD_THREE));
            led[leader.index()] += 1;
        }
        // Each tile in each seat with probability 1/n: five standard deviations.
        let mean = deals as f64 / n as f64;
        let sigma = (mean * (1.0 - 1.0 / n as f64)).sqrt();
        let used = held.iter().filter(|&&h| h > 0);
        assert_eq!(used.clone().count(), n * tiles);
        for &count in used.chain(&led) {
            assert!(
                (f64::from(count) - mean).abs() < 5.0 * sigma,
                "{count} of {mean}"
            );
        }
    }
}

/// The scale is of the size of the spread in random play.
#[test]
fn the_scale_is_of_the_size_of_the_spread() {
    for (v, game) in variants().iter().enumerate() {
        let (mut squares, rounds) = (0.0, 4_000_u64);
        for i in 0..rounds {
            let mut rng = Seed(7).index(v as u64).simulation(i);
            let end = random_round(game, &mut rng, &mut Vec::new(), |_, _| ());
            squares += game
                .returns(&end)
                .of(Player::new(rng.below(3) as usize))
                .powi(2);
        }
        let deviation = (squares / rounds as f64).sqrt();
        let ratio = game.return_scale() / deviation;
        assert!(
            (1.0..4.0).contains(&ratio),
            "{ratio} for {:?}",
            game.options()
        );
    }
}
