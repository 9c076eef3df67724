//! Liar's dice and goofspiel, and the values of the small games with hidden information: known values,
//! what is seen and remembered, and searchers against a player whose strategy is known.

mod common;

use classics::golden::check_row;
use classics::goofspiel::{Commit, GoofspielState};
use classics::kuhn::KuhnDeals;
use classics::leduc::LeducDeals;
use classics::liars_dice::{LiarsAction, LiarsState, LiarsThrows};
use classics::solve::{Behaviour, GameTree, InitialStates, Profile, Uniform, value_bounds};
use classics::{Goofspiel, KuhnPoker, LeducPoker, LiarsDice};
use common::{number, rows};
use rand::Rng;
use search_core::budget::Budget;
use search_core::game::{
    ActionObservation, ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn,
};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::{Outcome, Plugin};
use search_core::rng::{Draw, Seed};
use search_core::search::{Ismcts, Searcher, TreeSettings};
use serde_json::Value;
use std::ops::RangeInclusive;

const FIRST: Player = Player::new(0);
const SECOND: Player = Player::new(1);

fn efg_rows() -> Vec<Value> {
    rows(include_str!("data/efg_values.jsonl"))
}

#[test]
fn rows_of_the_file_pass() {
    let mut passed = 0;
    for row in efg_rows() {
        if row["game"] == "liars_dice" {
            continue; // takes seconds, and has a test of its own
        }
        assert_eq!(check_row(&row), Outcome::Pass, "{row}");
        passed += 1;
    }
    assert_eq!(passed, 7);
}

#[test]
fn liars_dice_with_six_sides_has_the_values_of_the_file() {
    let rows = efg_rows();
    let row = rows.iter().find(|row| row["game"] == "liars_dice").unwrap();
    let tree = GameTree::new(&LiarsDice::default(), 400_000).unwrap();
    let sets = |player| tree.info_sets().filter(|(_, s)| s.player == player).count();
    assert_eq!([sets(FIRST), sets(SECOND)], [12_288, 12_288]);
    let uniform = tree.uniform();
    for (value, key) in [
        (tree.value(&uniform)[0], "uniform_vs_uniform_p0"),
        (
            tree.best_response(&uniform, FIRST).value,
            "best_response_p0_vs_uniform",
        ),
        (
            tree.best_response(&uniform, SECOND).value,
            "best_response_p1_vs_uniform",
        ),
    ] {
        assert!((value - number(row, key)).abs() < 1e-9, "{key}: {value}");
    }
    // Known in closed form, and to nine places.
    let value = -7.0 / 258.0;
    assert!((value - number(row, "value_p0")).abs() < 1e-9);
    let bounds = value_bounds(&tree, 5e-3, 400);
    assert!(bounds.gap() <= 5e-3, "{bounds:?}");
    assert!(bounds.low <= value && value <= bounds.high);
}

#[test]
fn a_changed_answer_fails_and_is_named() {
    let rows = efg_rows();
    for game in ["liars_dice(numdice=1,dice_sides=3)", "kuhn_poker"] {
        let row = rows.iter().find(|row| row["game"] == game).unwrap();
        for (field, nudge) in [
            ("value_p0", 2e-4),
            ("uniform_vs_uniform_p0", 3e-9),
            ("best_response_p0_vs_uniform", 3e-9),
            ("best_response_p1_vs_uniform", 3e-9),
        ] {
            for nudge in [-nudge, nudge] {
                let mut row = row.clone();
                row[field] = Value::from(number(&row, field) + nudge);
                match check_row(&row) {
                    Outcome::Fail(reason) => assert!(reason.starts_with(field), "{reason}"),
                    other => panic!("{field}: {other:?}"),
                }
            }
        }
        let mut row = row.clone();
        row["infosets"] = serde_json::json!([5, 6]);
        assert!(matches!(check_row(&row), Outcome::Fail(reason) if reason.contains("infosets")));
        row["game"] = Value::from("liars_dice(numdice=2,dice_sides=3)");
        assert!(matches!(check_row(&row), Outcome::Skip(_)));
    }
}

/// The bounds hold and close in on the value, from which regret minimisation of another kind is not far.
#[test]
fn bounds_hold_the_value() {
    let tree = GameTree::new(&LiarsDice::new(3).unwrap(), 10_000).unwrap();
    let mut last = f64::INFINITY;
    for iterations in [1, 10, 100, 1_000] {
        let bounds = value_bounds(&tree, 0.0, iterations);
        assert_eq!(bounds.iterations, iterations);
        assert!(
            bounds.low <= 1.0 / 9.0 && 1.0 / 9.0 <= bounds.high,
            "{bounds:?}"
        );
        assert!(bounds.gap() <= last);
        last = bounds.gap();
    }
    assert!(last < 1e-4, "{last}");
    let plain = classics::solve::cfr_plus(&tree, 1_000);
    assert!((tree.value(&plain)[0] - 1.0 / 9.0).abs() < 1e-3);
    assert!(value_bounds(&tree, 0.01, 10_000).gap() <= 0.01);
}

#[test]
fn sets_merge_only_where_players_and_actions_agree() {
    let tree = GameTree::new(&KuhnPoker, 100).unwrap();
    let all = tree.merged(|_| ());
    assert!(all.is_err());
    // To forget one's own card is worth something to the other player only.
    let tree = GameTree::new(&KuhnPoker, 100).unwrap();
    let blind = tree.merged(|set| {
        (set.player == FIRST, set.player == SECOND, set.key.line, {
            (set.player == SECOND).then_some(set.key.card)
        })
    });
    let bounds = value_bounds(&blind.unwrap(), 1e-3, 20_000);
    assert!(bounds.high < -1.0 / 18.0 - 0.01, "{bounds:?}");
}

/// Every history of a game to its end, with the decisions that led there.
type Steps<G> = Vec<(Player, <G as Game>::Action)>;

fn histories<G: InitialStates>(game: &G) -> Vec<(G::State, Steps<G>)> {
    let starts = game.initial_states().into_iter();
    let mut all: Vec<(G::State, Steps<G>)> = starts.map(|(s, _)| (s, Vec::new())).collect();
    let mut at = 0;
    while at < all.len() {
        let (state, steps) = all[at].clone();
        if let Turn::Player(player) = game.turn(&state) {
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            for &action in &legal {
                let mut next = state.clone();
                game.apply(&mut next, action);
                let step = std::iter::once((player, action));
                all.push((next, steps.iter().copied().chain(step).collect()));
            }
        }
        at += 1;
    }
    all
}

/// What is remembered of a world is how it came about, state by state.
fn check_decisions<G>(game: &G)
where
    G: History + InitialStates<State: PartialEq + std::fmt::Debug>,
{
    let hook = |view: &G::Observation, world: &G::State| {
        let mut steps = Vec::new();
        let mut states = Vec::new();
        game.decisions(view, world, &mut |state, player, action| {
            assert_eq!(game.turn(state), Turn::Player(player));
            steps.push((player, action));
            states.push(state.clone());
        });
        (steps, states)
    };
    for (state, steps) in histories(game) {
        for player in [FIRST, SECOND] {
            let (told, states) = hook(&game.observe(&state, player), &state);
            assert_eq!(told, steps);
            for (i, (_, action)) in steps.iter().enumerate() {
                let mut next = states[i].clone();
                game.apply(&mut next, *action);
                assert_eq!(next, *states.get(i + 1).unwrap_or(&state));
            }
        }
    }
}

#[test]
fn decisions_are_told_as_they_were_made() {
    check_decisions(&LiarsDice::new(2).unwrap());
    check_decisions(&Goofspiel::new(3).unwrap());
    check_decisions(&Goofspiel::new(4).unwrap());
}

/// Two actions look the same to an observer exactly when what the observer knows afterwards is the same;
/// and over all histories, what was seen on the way and what is known at the end say the same.
#[test]
fn what_is_seen_of_goofspiel_is_what_is_known() {
    let game = Goofspiel::new(4).unwrap();
    let mut by_tokens = std::collections::BTreeMap::new();
    let mut by_view = std::collections::BTreeMap::new();
    for (end, steps) in histories(&game) {
        for observer in [FIRST, SECOND] {
            let mut state: GoofspielState = game.initial_states()[0].0;
            let mut tokens = Vec::new();
            for (player, action) in &steps {
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                let seen = legal.iter().map(|a| {
                    let mut next = state;
                    game.apply(&mut next, *a);
                    let token = game.observe_action(&state, *a, observer);
                    (token, game.observe(&next, observer))
                });
                let seen: Vec<_> = seen.collect();
                for (a, view) in &seen {
                    for (b, other) in &seen {
                        assert_eq!(a == b, view == other, "{state:?}");
                    }
                }
                if *player == observer {
                    let mut own: Vec<u64> = seen.iter().map(|(token, _)| *token).collect();
                    own.dedup();
                    assert_eq!(own.len(), legal.len());
                }
                tokens.push(game.observe_action(&state, *action, observer));
                game.apply(&mut state, *action);
            }
            assert_eq!(state, end);
            let view = game.observe(&end, observer);
            let key = (observer, tokens);
            let known = *by_tokens.entry(key.clone()).or_insert(view);
            assert_eq!(known, view);
            let known = by_view.entry(view).or_insert_with(|| key.clone());
            assert_eq!(*known, key);
        }
    }
    assert!(by_view.len() > 500);
    assert!(game.sight().is_some());
    assert!(!game.public_actions());
}

#[test]
fn goofspiel_plays_by_its_rules() {
    let game = Goofspiel::new(4).unwrap();
    let play = |cards: [u8; 6]| {
        let mut state = game.initial_states()[0].0;
        for card in cards {
            game.apply(&mut state, card);
        }
        assert_eq!(game.turn(&state), Turn::Terminal);
        (state.lead(), game.returns(&state)[0])
    };
    // Prizes 4, 3, 2, 1; the last cards play themselves.
    assert_eq!(play([4, 3, 3, 2, 2, 1]), (4 + 3 + 2 - 1, 1.0));
    assert_eq!(play([1, 4, 2, 1, 3, 2]), (-4 + 3 + 2 + 1, 1.0));
    assert_eq!(play([1, 4, 2, 2, 3, 1]), (-4 + 2 + 1, -1.0));
    assert_eq!(play([1, 1, 2, 2, 4, 4]), (0, 0.0));
    let state = game.initial_states()[0].0;
    let mut laid = state;
    game.apply(&mut laid, 3);
    let mut legal = Vec::new();
    game.legal_actions(&laid, &mut legal);
    assert_eq!(legal, [1, 2, 3, 4]);
    assert_eq!(game.observe(&laid, FIRST).commit, Commit::Own(3));
    assert_eq!(game.observe(&laid, SECOND).commit, Commit::Hidden);
    for cards in [1, 14] {
        assert!(Goofspiel::new(cards).is_err());
    }
}

#[test]
fn liars_dice_pays_as_the_rules_say() {
    use LiarsAction::{Bid, Liar};
    let game = LiarsDice::default();
    let bid = |quantity, face| Bid { quantity, face };
    for (dice, said, expected) in [
        ([3, 3], &[bid(2, 3), Liar][..], 1.0), // two threes are there
        ([3, 6], &[bid(2, 3), Liar], 1.0),     // sixes are wild
        ([3, 4], &[bid(2, 3), Liar], -1.0),
        ([3, 4], &[bid(1, 5), Liar], -1.0),
        ([3, 5], &[bid(1, 3), bid(1, 5), Liar], -1.0), // the second bid holds
        ([3, 4], &[bid(1, 3), bid(1, 5), Liar], 1.0),
        ([6, 6], &[bid(2, 6), Liar], 1.0),
        ([6, 5], &[bid(2, 6), Liar], -1.0), // nothing stands in for a six
    ] {
        let starts = game.initial_states();
        let (mut state, _): (LiarsState, f64) =
            *starts.iter().find(|(s, _)| s.dice() == dice).unwrap();
        let mut legal = Vec::new();
        for action in said {
            game.legal_actions(&state, &mut legal);
            assert!(legal.contains(action));
            game.apply(&mut state, *action);
        }
        assert_eq!(game.turn(&state), Turn::Terminal);
        assert_eq!(game.returns(&state)[..], [expected, -expected], "{dice:?}");
    }
    let mut legal = Vec::new();
    let top = game.parse_observation("player=1 die=1 said=2x6").unwrap();
    let world = LiarsThrows.scratch(&game, &top, &None);
    game.legal_actions(&world, &mut legal);
    assert_eq!(legal, [Liar]);
    for sides in [1, 7] {
        assert!(LiarsDice::new(sides).is_err());
    }
}

#[test]
fn t_dt6_contradictions_and_bad_positions_are_refused() {
    let liars = LiarsDice::default();
    let plan = |text: &str| {
        let view = liars.parse_observation(text).unwrap();
        liars.determinizer().plan(&liars, &view).map(|_| ())
    };
    assert!(plan("player=0 die=3 said=1x2,liar").is_err());
    assert!(plan("player=0 die=3 said=1x2 shown=3").is_err());
    assert!(plan("player=0 die=3 said=1x2,liar shown=3").is_ok());
    for (text, reason) in [
        ("die=0", "should be 1 to 6"),
        ("die=3 said=liar", "`liar` cannot be said"),
        ("die=3 said=1x3,1x3", "`1x3` cannot be said"),
        ("die=3 said=3x1", "`3x1` cannot be said"),
        ("die=3 said=1x3,liar", "`player=` is missing"),
    ] {
        let error = liars.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let cards = Goofspiel::new(4).unwrap();
    let plan = |text: &str| {
        let view = cards.parse_observation(text).unwrap();
        cards.determinizer().plan(&cards, &view).map(|_| ())
    };
    for text in [
        "player=0 played=1 prizes=+",       // nothing is lower than a one
        "player=0 played=3,4 prizes=+-",    // nothing is higher than a four
        "player=0 played=2,1 prizes=-=",    // leaves the last cards to be played: fine below
        "player=0 played=2,2 prizes=-=",    // the same card twice
        "player=0 played=2,1,3 prizes=-=+", // three rounds of four do not stay
        "player=0 played=0 prizes=-",
        "player=0 laid=hidden",
        "player=0 laid=0",
        "player=0 played=3 prizes=- laid=3",
        "player=1 laid=3",
        "player=0 played=1,2,3,4 prizes==++= laid=1",
    ] {
        let refused = plan(text).is_err();
        assert_eq!(refused, text != "player=0 played=2,1 prizes=-=", "{text}");
    }
    for (text, reason) in [
        ("player=0 played=1 prizes=", "one sign for each card"),
        ("player=0 played=1 prizes=x", "`x` in prizes="),
        ("player=0 played=5 prizes=+", "should be 0 to 4"),
        ("player=0 laid=x", "should be 0 to 4"),
        ("laid=hidden", "`player=` is missing"),
    ] {
        let error = cards.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

/// A game in which everybody but `me` plays uniformly at random and is part of chance.
struct AgainstUniform<G> {
    game: G,
    me: Player,
}

/// What chance draws there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Drawn<C, A> {
    Chance(C),
    Other(A),
}

impl<G: Game> Game for AgainstUniform<G> {
    type State = G::State;
    type Action = G::Action;
    type Chance = Drawn<G::Chance, G::Action>;
    type Observation = G::Observation;

    fn num_players(&self) -> usize {
        self.game.num_players()
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> G::State {
        self.game.initial_state(rng)
    }

    fn turn(&self, state: &G::State) -> Turn {
        match self.game.turn(state) {
            Turn::Player(player) if player != self.me => Turn::Chance,
            turn => turn,
        }
    }

    fn legal_actions(&self, state: &G::State, out: &mut Vec<G::Action>) {
        out.clear();
        if self.turn(state) == Turn::Player(self.me) {
            self.game.legal_actions(state, out);
        }
    }

    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.game.apply(state, action);
    }

    fn sample_chance<R: Rng + ?Sized>(&self, state: &G::State, rng: &mut R) -> Self::Chance {
        if self.game.turn(state) == Turn::Chance {
            return Drawn::Chance(self.game.sample_chance(state, rng));
        }
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        Drawn::Other(rng.pick(&legal).unwrap())
    }

    fn apply_chance(&self, state: &mut G::State, outcome: Self::Chance) {
        match outcome {
            Drawn::Chance(outcome) => self.game.apply_chance(state, outcome),
            Drawn::Other(action) => self.game.apply(state, action),
        }
    }

    fn returns(&self, state: &G::State) -> Returns {
        self.game.returns(state)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        self.game.return_bounds()
    }

    fn max_turns(&self) -> u32 {
        self.game.max_turns()
    }

    fn observe(&self, state: &G::State, player: Player) -> G::Observation {
        self.game.observe(state, player)
    }
}

/// Worlds of the game itself: against a uniformly random player nothing can be read into the play.
#[derive(Clone)]
struct Same<D>(D);

impl<G: Game, D: Determinizer<G>> Determinizer<AgainstUniform<G>> for Same<D> {
    type Plan = D::Plan;

    fn plan(
        &self,
        game: &AgainstUniform<G>,
        view: &G::Observation,
    ) -> Result<D::Plan, Contradiction> {
        self.0.plan(&game.game, view)
    }

    fn scratch(&self, game: &AgainstUniform<G>, view: &G::Observation, plan: &D::Plan) -> G::State {
        self.0.scratch(&game.game, view, plan)
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &AgainstUniform<G>,
        view: &G::Observation,
        plan: &D::Plan,
        rng: &mut R,
        world: &mut G::State,
    ) -> LogWeight {
        self.0.sample(&game.game, view, plan, rng, world)
    }
}

/// The action of a search in the information sets of `me`, uniform play elsewhere.
struct Searched<D> {
    me: Player,
    worlds: D,
    simulations: u64,
}

impl<G: InfoKey + Clone, D: Determinizer<G> + Clone> Behaviour<G> for Searched<D> {
    fn probabilities(
        &self,
        game: &G,
        player: Player,
        key: &G::Key,
        view: &G::Observation,
        legal: &[G::Action],
    ) -> Vec<f64> {
        if player != self.me {
            return Uniform.probabilities(game, player, key, view, legal);
        }
        let against = AgainstUniform {
            game: game.clone(),
            me: self.me,
        };
        let mut search = Ismcts::new(TreeSettings::default(), Same(self.worlds.clone()));
        let budget = Budget::simulations(self.simulations);
        let decision = search.search(&against, view, &budget, Seed(4)).unwrap();
        let chosen = |a: &G::Action| f64::from(u8::from(*a == decision.action));
        legal.iter().map(chosen).collect()
    }
}

/// What ISMCTS earns against uniform play as a share of what a best response earns more than uniform
/// play itself does, in either seat.
fn shares<G, D>(game: &G, worlds: &D, simulations: u64) -> [f64; 2]
where
    G: InfoKey + ChanceOutcomes + InitialStates + Clone,
    D: Determinizer<G> + Clone,
{
    let tree = GameTree::new(game, 100_000).unwrap();
    let uniform: Profile = tree.uniform();
    [FIRST, SECOND].map(|me| {
        let behaviour = Searched {
            me,
            worlds: worlds.clone(),
            simulations,
        };
        let profile = tree.tabulate(game, &behaviour).unwrap();
        let start = tree.value(&uniform).of(me);
        let best = tree.best_response(&uniform, me).value;
        (tree.value(&profile).of(me) - start) / (best - start)
    })
}

/// Pass mark 6 of the known answers: against a player who is known to play uniformly at random ISMCTS
/// comes to the best response, so that deals, chance, information sets and signs are right.
#[test]
fn ismcts_against_a_uniform_player_approaches_the_best_response() {
    let kuhn = shares(&KuhnPoker, &KuhnDeals, 20_000);
    for share in kuhn {
        assert!((share - 1.0).abs() < 1e-12, "Kuhn: {kuhn:?}");
    }
    let liars = shares(&LiarsDice::new(3).unwrap(), &LiarsThrows, 5_000);
    for share in liars {
        assert!((share - 1.0).abs() < 1e-12, "liar's dice: {liars:?}");
    }
    // Few simulations for each of 468 decisions a seat: the share grows with them.
    let [few, many] = [100, 4_000].map(|n| shares(&LeducPoker, &LeducDeals, n));
    println!("Leduc: {few:?} at 100 simulations, {many:?} at 4,000");
    for (few, many) in few.into_iter().zip(many) {
        assert!(many > few && many > 0.93 && many < 1.0 + 1e-12);
    }
}
