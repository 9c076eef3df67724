//! Phantom (m,n,k): the rules against a second implementation, what is seen, and where the other's
//! marks may be.

use classics::grid::Square;
use classics::phantom::{PhantomState, PhantomView};
use classics::solve::BackwardInduction;
use classics::tic_tac_toe::{Board, Cell};
use classics::{Phantom, TicTacToe};
use search_core::budget::Budget;
use search_core::game::{ActionObservation, Game, History, Player, Turn, UNNOTICED};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::search::{
    Ismcts, MoIsmcts, ObservedKey, Observers, Pimc, PimcSettings, Searcher, TreeSettings,
};
use search_core::testing::chi_square;
use std::collections::{BTreeMap, HashMap};

const TIC_TAC_TOE: (usize, usize, u32) = (3, 3, 3);

fn phantom((width, height, in_a_row): (usize, usize, u32)) -> Phantom {
    Phantom::new(width, height, in_a_row).unwrap()
}

fn legal(game: &Phantom, state: &PhantomState) -> Vec<Square> {
    let mut out = Vec::new();
    game.legal_actions(state, &mut out);
    out
}

fn squares(text: &str) -> Vec<Square> {
    text.split_whitespace()
        .map(|name| Square::parse(name).unwrap())
        .collect()
}

fn play(game: &Phantom, tries: &str) -> PhantomState {
    let mut state = game.initial_state(&mut Seed(0).simulation(0));
    for square in squares(tries) {
        assert!(
            legal(game, &state).contains(&square),
            "{square:?} in {tries}"
        );
        game.apply(&mut state, square);
    }
    state
}

/// The rules once more, on a table of owners.
#[derive(Clone)]
struct Naive {
    size: (usize, usize, u32),
    owner: HashMap<(usize, usize), usize>,
    met: [Vec<(usize, usize)>; 2],
    mover: usize,
}

impl Naive {
    fn new(size: (usize, usize, u32)) -> Self {
        Self {
            size,
            owner: HashMap::new(),
            met: [Vec::new(), Vec::new()],
            mover: 0,
        }
    }

    fn open(&self) -> Vec<(usize, usize)> {
        let (width, height, _) = self.size;
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        all.filter(|at| self.owner.get(at) != Some(&self.mover))
            .filter(|at| !self.met[self.mover].contains(at))
            .collect()
    }

    /// Who has won, or 2 for a draw.
    fn result(&self) -> Option<usize> {
        let (width, height, k) = self.size;
        for (&(x, y), owner) in &self.owner {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let holds = |i: i32| {
                    let at = (x as i32 + i * dx, y as i32 + i * dy);
                    let at = (usize::try_from(at.0), usize::try_from(at.1));
                    matches!(at, (Ok(x), Ok(y)) if self.owner.get(&(x, y)) == Some(owner))
                };
                if (0..k as i32).all(holds) {
                    return Some(*owner);
                }
            }
        }
        (self.owner.len() == width * height).then_some(2)
    }

    fn play(&mut self, at: (usize, usize)) {
        if self.owner.contains_key(&at) {
            self.met[self.mover].push(at);
        } else {
            self.owner.insert(at, self.mover);
            self.mover = 1 - self.mover;
        }
    }
}

/// Plays every line of `depth` tries in both; returns how many games were won by each, and drawn.
fn compare(game: &Phantom, state: &PhantomState, naive: &Naive, depth: u32, ends: &mut [u64; 3]) {
    let over = game.turn(state) == Turn::Terminal;
    assert_eq!(over, naive.result().is_some());
    if let Some(result) = naive.result() {
        let value = [1.0, -1.0, 0.0][result];
        assert_eq!(game.returns(state)[..], [value, -value]);
        ends[result] += 1;
        return;
    }
    assert_eq!(game.turn(state), Turn::Player(Player::new(naive.mover)));
    let open = naive.open();
    let actions = legal(game, state);
    let places: Vec<_> = actions.iter().map(|s| (s.column(), s.row())).collect();
    assert_eq!(places, open);
    if depth == 0 {
        return;
    }
    for (square, place) in actions.into_iter().zip(open) {
        let (mut next, mut after) = (*state, naive.clone());
        game.apply(&mut next, square);
        after.play(place);
        compare(game, &next, &after, depth - 1, ends);
    }
}

#[test]
fn phantom_has_the_lines_of_a_second_implementation() {
    for (size, depth) in [(TIC_TAC_TOE, 5), ((4, 4, 4), 3), ((5, 3, 4), 3)] {
        let game = phantom(size);
        compare(
            &game,
            &play(&game, ""),
            &Naive::new(size),
            depth,
            &mut [0; 3],
        );
    }
    // To the end, where it is near: every game of a board of six squares, runs of three.
    let size = (3, 2, 3);
    let game = phantom(size);
    let mut ends = [0; 3];
    compare(&game, &play(&game, ""), &Naive::new(size), 12, &mut ends);
    // The second player's third mark is the last: a row of it would leave a row to the first.
    assert_eq!(ends, [3_528, 0, 167_832]);
}

#[test]
fn rows_are_found_in_all_directions_and_do_not_run_around_the_edge() {
    // Random sets of marks on boards of every size, against the second implementation.
    for (i, size) in [
        (5, 5, 5),
        (5, 5, 4),
        (5, 5, 3),
        (2, 5, 3),
        (5, 2, 4),
        (4, 4, 4),
    ]
    .into_iter()
    .enumerate()
    {
        let game = phantom(size);
        for round in 0..300 {
            let mut rng = Seed(i as u64).simulation(round);
            let (mut state, mut naive) = (play(&game, ""), Naive::new(size));
            while game.turn(&state) != Turn::Terminal {
                assert_eq!(naive.result(), None);
                let square = rng.pick(&legal(&game, &state)).unwrap();
                game.apply(&mut state, square);
                naive.play((square.column(), square.row()));
            }
            let value = [1.0, -1.0, 0.0][naive.result().unwrap()];
            assert_eq!(game.returns(&state)[0], value);
        }
    }
}

#[test]
fn who_meets_a_mark_knows_it_and_tries_again_and_the_other_hears_nothing() {
    let game = phantom(TIC_TAC_TOE);
    let [x, o] = [0, 1].map(Player::new);
    let before = play(&game, "b2");
    let after = play(&game, "b2 b2");
    assert_eq!(game.turn(&after), Turn::Player(o));
    assert_eq!(game.observe(&before, x), game.observe(&after, x));
    let view = game.observe(&after, o);
    assert_eq!((view.known(), view.own(), view.others()), (1 << 9, 0, 1));
    assert!(!legal(&game, &after).contains(&squares("b2")[0]));

    // What the other marks is not seen either, only that it is my turn.
    let marked: Vec<PhantomView> = ["b2 a1", "b2 b2 c3", "b2 a3"]
        .into_iter()
        .map(|tries| game.observe(&play(&game, tries), x))
        .collect();
    assert_eq!(marked[0], marked[1]);
    assert_eq!(marked[0], marked[2]);
    assert_eq!(marked[0].others(), 1);
    // At the end everything is shown.
    let over = play(&game, "a1 b1 a2 b2 a3");
    assert_ne!(
        game.observe(&over, o),
        game.observe(&play(&game, "a1 b1 a3 b2 a2"), o)
    );
}

/// T-HI2: a view does not depend on what the other has done, as long as as many marks were made and
/// the own tries met the same.
#[test]
fn t_hi2_a_view_is_a_function_of_the_own_record_and_the_turn() {
    let game = phantom(TIC_TAC_TOE);
    let mut seen: HashMap<String, PhantomView> = HashMap::new();
    for i in 0..500 {
        let mut rng = Seed(3).simulation(i);
        let mut state = play(&game, "");
        let mut record = [String::new(), String::new()];
        while let Turn::Player(player) = game.turn(&state) {
            for who in [0, 1] {
                let text = format!("{who} {} {}", record[who], player.index());
                let view = game.observe(&state, Player::new(who));
                assert_eq!(*seen.entry(text).or_insert(view), view);
            }
            let square = rng.pick(&legal(&game, &state)).unwrap();
            let met = state.marks(Player::new(1 - player.index())) & square.bit() != 0;
            record[player.index()].push_str(&format!("{square:?}{met} "));
            game.apply(&mut state, square);
        }
    }
}

#[test]
fn tokens_tell_apart_what_players_see_and_no_more() {
    let game = phantom(TIC_TAC_TOE);
    let [x, o] = [0, 1].map(Player::new);
    let state = play(&game, "a1 b1 a2 b2");
    let token = |square: &str, who: Player| game.observe_action(&state, squares(square)[0], who);
    // x sees the square, and whether it was free.
    let own: Vec<u64> = ["a3", "b1", "b2", "b3", "c1"].map(|s| token(s, x)).into();
    let mut different = own.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), own.len());
    let elsewhere = play(&game, "a1 c3 a2 b2");
    assert_ne!(
        token("b1", x),
        game.observe_action(&elsewhere, squares("b1")[0], x)
    );
    // o sees no square, but that the game is won, and nothing of a try that met a mark.
    assert_eq!(token("b1", o), UNNOTICED);
    assert_eq!(token("b2", o), UNNOTICED);
    assert_eq!(token("b3", o), 1);
    assert_eq!(token("c1", o), 1);
    assert_eq!(token("a3", o), 2);
    assert!(game.sight().is_some() && !game.public_actions());
}

/// The decisions of a world are those of the game that led to it.
#[test]
fn decisions_lead_to_the_world() {
    let game = Phantom::default();
    for i in 0..200 {
        let mut rng = Seed(4).simulation(i);
        let mut state = play(&game, "");
        let mut played = Vec::new();
        while let Turn::Player(player) = game.turn(&state) {
            let view = game.observe(&state, player);
            let plan = game.determinizer().plan(&game, &view).unwrap();
            let mut world = state;
            for world_is_true in [true, false] {
                if !world_is_true {
                    game.determinizer()
                        .sample(&game, &view, &plan, &mut rng, &mut world);
                }
                let (mut again, mut mine) = (play(&game, ""), Vec::new());
                let mut all = Vec::new();
                History::decisions(&game, &view, &world, &mut |before, who, square| {
                    assert_eq!(*before, again);
                    assert_eq!(game.turn(before), Turn::Player(who));
                    assert!(legal(&game, before).contains(&square));
                    game.apply(&mut again, square);
                    all.push(square);
                    if who == player {
                        mine.push(square);
                    }
                });
                assert_eq!(again, world, "world {world:?}");
                assert_eq!(mine, view.tries().squares());
                assert!(!world_is_true || all == played);
            }
            let square = rng.pick(&legal(&game, &state)).unwrap();
            played.push(square);
            game.apply(&mut state, square);
        }
    }
}

/// Every state that a view admits with the probability of the opponent's tries that lead to it, when
/// those are uniformly random: by playing all of them.
fn posterior(game: &Phantom, view: &PhantomView) -> BTreeMap<PhantomState, f64> {
    fn walk(
        game: &Phantom,
        view: &PhantomView,
        state: &PhantomState,
        weight: f64,
        found: &mut BTreeMap<PhantomState, f64>,
    ) {
        let me = view.player();
        if game.observe(state, me) == *view {
            *found.entry(*state).or_default() += weight;
            return;
        }
        match game.turn(state) {
            Turn::Player(player) if player == me => {
                let made = state.tries(me).squares().len();
                let Some(&square) = view.tries().squares().get(made) else {
                    return;
                };
                let mut next = *state;
                game.apply(&mut next, square);
                // What it met must be what it met.
                if (next.known(me) ^ view.known()) & square.bit() == 0 {
                    walk(game, view, &next, weight, found);
                }
            }
            Turn::Player(_) => {
                let actions = legal(game, state);
                for square in &actions {
                    let mut next = *state;
                    game.apply(&mut next, *square);
                    walk(game, view, &next, weight / actions.len() as f64, found);
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    walk(game, view, &play(game, ""), 1.0, &mut found);
    found
}

const VIEWS: [&str; 7] = [
    "player=0 tries=b2",
    "player=1 tries=b2!,a1",
    "player=1 tries=a1,b2!",
    "player=0 tries=a1,b2!,c3",
    "player=0 tries=a1,b1,b2!",
    "player=1 tries=a1,c3!,c2",
    "player=0 tries=a1,c1,a2",
];

/// T-DT2 and T-DT3: worlds, with all that is hidden in them, come with their exact probabilities given
/// an opponent who tries at random, and so do placements, which are uniform then.
#[test]
fn t_dt2_t_dt3_worlds_have_their_probabilities_against_random_tries() {
    let game = phantom(TIC_TAC_TOE);
    let mut worlds = 0;
    for (i, text) in VIEWS.into_iter().enumerate() {
        let view = game.parse_observation(text).unwrap();
        let other = Player::new(1 - view.player().index());
        let exact = posterior(&game, &view);
        let plan = game.determinizer().plan(&game, &view).unwrap();
        // Placements: the same ones, each with the same weight.
        let mut placements: BTreeMap<u64, f64> = BTreeMap::new();
        for (state, weight) in &exact {
            *placements.entry(state.marks(other)).or_default() += weight;
        }
        let mut listed = plan.placements().to_vec();
        listed.sort_unstable();
        assert_eq!(
            listed,
            placements.keys().copied().collect::<Vec<_>>(),
            "{text}"
        );
        let total: f64 = placements.values().sum();
        for weight in placements.values() {
            let share = weight / total * placements.len() as f64;
            assert!((share - 1.0).abs() < 1e-9, "{text}: {share}");
        }
        // Whole states, orders and met marks included.
        let mut counts: BTreeMap<PhantomState, u64> = exact.keys().map(|s| (*s, 0)).collect();
        let mut rng = Seed(5).simulation(i as u64);
        let mut world = game.determinizer().scratch(&game, &view, &plan);
        for _ in 0..200_000 {
            game.determinizer()
                .sample(&game, &view, &plan, &mut rng, &mut world);
            let count = counts.get_mut(&world);
            *count.unwrap_or_else(|| panic!("{text}: impossible {world:?}")) += 1;
        }
        let counts: Vec<u64> = counts.into_values().collect();
        let weights: Vec<f64> = exact.into_values().collect();
        chi_square(&counts, &weights).unwrap_or_else(|error| panic!("{text}: {error}"));
        worlds += counts.len();
    }
    assert!(worlds > 500, "{worlds}");
}

/// T-DT6: what cannot be is refused.
#[test]
fn t_dt6_views_without_a_world_are_contradictions() {
    let game = phantom((3, 2, 3));
    let view = game.parse_observation("player=1 tries=a1!,a2,b1!").unwrap();
    let plan = game.determinizer().plan(&game, &view).unwrap();
    assert_eq!(plan.placements(), [0b11]);
    let view = game
        .parse_observation("player=1 tries=a1!,a2,b1!,b2,c1!")
        .unwrap();
    let error = game.determinizer().plan(&game, &view).unwrap_err();
    assert!(error.reason.contains("hold a row"), "{error}");
    let game = phantom(TIC_TAC_TOE);
    for text in [
        "player=1 tries=b2!,a1!,c3",
        "player=0 tries=b2!",
        "player=1 tries=a1!,b1!,c1!,a2,b2,c3",
        "player=0 tries=a1,b1!,b2!,c3",
    ] {
        let refused = match game.parse_observation(text) {
            Ok(view) => game.determinizer().plan(&game, &view).is_err(),
            Err(_) => true,
        };
        assert!(refused, "{text}");
    }
    for (text, reason) in [
        ("tries=a1,a1", "tried twice"),
        ("tries=d1", "not a square of the board"),
        ("tries=a1,b1,c1", "over"),
        ("tries=- turn=1", "cannot be to move yet"),
        ("player=1 tries=a1,b2! turn=0", "cannot be to move yet"),
        ("player=0 tries=a1! turn=0", "not made so many"),
        ("player=2 tries=-", "0 to 1"),
        ("player=0", "missing"),
    ] {
        let error = game.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// The value of a state to the first player when everybody sees everything, one entry a state key.
fn value(game: &Phantom, state: &PhantomState, table: &mut HashMap<u128, f64>) -> f64 {
    let Turn::Player(player) = game.turn(state) else {
        return game.returns(state)[0];
    };
    let key = game.state_key().unwrap()(game, state);
    if let Some(value) = table.get(&key) {
        return *value;
    }
    let values = legal(game, state).into_iter().map(|square| {
        let mut next = *state;
        game.apply(&mut next, square);
        value(game, &next, table)
    });
    let sign = [1.0, -1.0][player.index()];
    let best = sign * values.fold(f64::NEG_INFINITY, |best, v| best.max(sign * v));
    table.insert(key, best);
    best
}

/// Everything visible, phantom tic-tac-toe is tic-tac-toe: to try a square that is taken only costs
/// time.
#[test]
fn seen_by_a_cheat_phantom_tic_tac_toe_is_tic_tac_toe() {
    let game = phantom(TIC_TAC_TOE);
    let mut table = HashMap::new();
    assert_eq!(value(&game, &play(&game, ""), &mut table), 0.0);
    let mut solver = BackwardInduction::new(&TicTacToe);
    let mut compared = 0;
    for i in 0..200 {
        let mut rng = Seed(7).simulation(i);
        let (mut state, mut board) = (play(&game, ""), Board::default());
        while let Turn::Player(player) = game.turn(&state) {
            assert_eq!(value(&game, &state, &mut table), solver.value(&board)[0]);
            compared += 1;
            let square = rng.pick(&legal(&game, &state)).unwrap();
            if state.marks(Player::new(1 - player.index())) & square.bit() == 0 {
                // Cells are counted from the top.
                let cell = Cell::new(3 * (2 - square.row()) + square.column()).unwrap();
                TicTacToe.apply(&mut board, cell);
            }
            game.apply(&mut state, square);
        }
    }
    assert!(compared > 1_000);
}

#[test]
fn state_keys_are_those_of_marks_and_what_is_known() {
    for size in [(5, 5, 5), (4, 4, 4), (5, 2, 3), (3, 4, 3)] {
        let game = phantom(size);
        let mut keys = HashMap::new();
        for i in 0..200 {
            let mut rng = Seed(8).simulation(i);
            let mut state = play(&game, "");
            loop {
                let facts = [0, 1].map(|p| {
                    let player = Player::new(p);
                    (state.marks(player), state.known(player))
                });
                let facts = (facts, game.turn(&state));
                let key = game.state_key().unwrap()(&game, &state);
                assert_eq!(*keys.entry(key).or_insert(facts), facts);
                let Some(square) = rng.pick(&legal(&game, &state)) else {
                    break;
                };
                game.apply(&mut state, square);
            }
        }
    }
}

/// Searches of hidden information run on it, and find the only square that does not lose at once.
#[test]
fn searches_see_what_they_may() {
    let game = phantom(TIC_TAC_TOE);
    // Two own marks in a row and the third square not known to be taken: winning if it is free.
    let view = game.parse_observation("player=0 tries=a1,a2").unwrap();
    let budget = Budget::simulations(4_000);
    let mut ismcts = Ismcts::new(TreeSettings::default(), game.determinizer());
    let decision = ismcts.search(&game, &view, &budget, Seed(6)).unwrap();
    assert_eq!(decision.action, squares("a3")[0]);
    let settings = PimcSettings::default();
    let mut pimc = Pimc::new(settings, game.determinizer());
    let decision = pimc
        .search(&game, &view, &Budget::simulations(400), Seed(6))
        .unwrap();
    assert_eq!(decision.action, squares("a3")[0]);
}

/// Nobody hears of the other's failed tries, and so nobody's tree tells from each other how many there were: a
/// turn of the other is one edge. In the searcher's own tree the tries have an edge, and nothing below.
#[test]
fn trees_do_not_branch_on_tries_of_the_other_that_failed() {
    let game = Phantom::default();
    let view = game.parse_observation("player=0 tries=a1,b2,c3").unwrap();
    for observers in [Observers::EachPlayer, Observers::SearcherOnly] {
        let settings = TreeSettings {
            keep_tree: true,
            ..TreeSettings::default()
        };
        let sight = game.sight().unwrap();
        let mut search = MoIsmcts::new(settings, game.determinizer(), sight);
        search.observers = observers;
        let budget = Budget::simulations(20_000);
        let decision = search.search(&game, &view, &budget, Seed(7)).unwrap();
        assert_eq!(decision.effort.refused_expansions, 0);
        let nodes = &search.trees().unwrap().nodes;
        let mut turns = 0;
        for node in nodes {
            let ObservedKey::Seen { by, token } = node.key else {
                continue;
            };
            turns += 1;
            assert!(observers == Observers::SearcherOnly || token != UNNOTICED);
            let parent = nodes[node.parent as usize].key;
            if let ObservedKey::Seen { by: before, token } = parent {
                assert_ne!(
                    token, UNNOTICED,
                    "{observers:?}: below what was not noticed"
                );
                assert_ne!(before, by, "{observers:?}: two edges for one turn");
            }
        }
        assert!(turns > 100, "{observers:?}: {turns}");
    }
}
