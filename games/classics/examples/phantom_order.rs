//! Searches of phantom (4,4,4) against each other, two of which cheat: the order of Cowling, Powley &
//! Whitehouse 2012, section VIII, and what it is worth to postpone perfect information (Arjonilla, Saffidine &
//! Cazenave 2024).
//!
//! ```text
//! cargo run --release -p classics --example phantom_order -- GAMES SIMULATIONS PAIRS
//! ```
//!
//! Each pair plays GAMES games (100), first and second in turn with the same seed, at SIMULATIONS a decision
//! (10000). A draw is half a point; the interval is over such couples of games. PAIRS (all) are names from `cheats`,
//! `cheat`, `mo`, `pimc`, `so`, `pom`, `epimc2`, `epimc3` and `random`: `cheat-mo,mo-pimc`. `board=3` before them
//! plays phantom tic-tac-toe. Searches that are to see no more than they may get an observation; the cheats
//! get the state, as the one world that there is.

use classics::Phantom;
use classics::phantom::{PhantomState, PhantomView};
use rand::Rng;
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Sight, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::{
    Epimc, EpimcSettings, Ismcts, Knowledge, MoIsmcts, Observers, Pimc, PimcSettings, Searcher,
    TreeSettings,
};

/// The one world that a cheat knows.
#[derive(Clone)]
struct Truth(PhantomState);

impl Determinizer<Phantom> for Truth {
    type Plan = ();

    fn plan(&self, _: &Phantom, _: &PhantomView) -> Result<(), Contradiction> {
        Ok(())
    }

    fn scratch(&self, _: &Phantom, _: &PhantomView, (): &()) -> PhantomState {
        self.0
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Phantom,
        _: &PhantomView,
        (): &(),
        _: &mut R,
        world: &mut PhantomState,
    ) -> LogWeight {
        *world = self.0;
        0.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// 40 trees on the true state.
    CheatingEnsemble,
    /// One tree on the true state.
    Cheating,
    /// MO-ISMCTS.
    MultiObserver,
    /// 40 worlds, a tree each: PIMC, or determinized UCT.
    Determinized,
    /// SO-ISMCTS.
    SingleObserver,
    /// SO-ISMCTS with partially observable moves.
    HiddenMoves,
    /// EPIMC of this depth over 40 worlds.
    Postponing(u32),
    Random,
}

const ALL: [(&str, Who); 9] = [
    ("cheats", Who::CheatingEnsemble),
    ("cheat", Who::Cheating),
    ("mo", Who::MultiObserver),
    ("pimc", Who::Determinized),
    ("so", Who::SingleObserver),
    ("pom", Who::HiddenMoves),
    ("epimc2", Who::Postponing(2)),
    ("epimc3", Who::Postponing(3)),
    ("random", Who::Random),
];

type Searched = Result<Decision<<Phantom as Game>::Action>, SearchError>;

impl Who {
    fn choose(
        self,
        game: &Phantom,
        state: &PhantomState,
        player: Player,
        simulations: u64,
        seed: Seed,
    ) -> Searched {
        let view = game.observe(state, player);
        let tree = TreeSettings::default();
        let pimc = |worlds| PimcSettings {
            worlds,
            ..PimcSettings::default()
        };
        let budget = Budget::simulations(simulations);
        let worlds = game.determinizer();
        let observing = |observers| {
            let mut search = MoIsmcts::new(tree, game.determinizer(), Sight::of_game());
            search.observers = observers;
            search
        };
        match self {
            Self::CheatingEnsemble => {
                Pimc::new(pimc(40), Truth(*state)).search(game, &view, &budget, seed)
            }
            Self::Cheating => Pimc::new(pimc(1), Truth(*state)).search(game, &view, &budget, seed),
            Self::MultiObserver => {
                observing(Observers::EachPlayer).search(game, &view, &budget, seed)
            }
            Self::Determinized => Pimc::new(pimc(40), worlds).search(game, &view, &budget, seed),
            Self::SingleObserver => Ismcts::new(tree, worlds).search(game, &view, &budget, seed),
            Self::HiddenMoves => {
                observing(Observers::SearcherOnly).search(game, &view, &budget, seed)
            }
            Self::Postponing(depth) => {
                let settings = EpimcSettings {
                    depth,
                    pimc: pimc(40),
                };
                let knowledge = Knowledge::of_keys();
                Epimc::new(settings, knowledge, worlds).search(game, &view, &budget, seed)
            }
            // One simulation tries one action, at random.
            Self::Random => {
                Ismcts::new(tree, worlds).search(game, &view, &Budget::simulations(1), seed)
            }
        }
    }
}

/// The return of the first of two players.
fn play(game: &Phantom, pair: [Who; 2], simulations: u64, seed: Seed) -> Result<f64, SearchError> {
    let mut state = game.initial_state(&mut seed.simulation(0));
    let mut ply = 0;
    while let Turn::Player(player) = game.turn(&state) {
        ply += 1;
        let who = pair[player.index()];
        let decision = who.choose(game, &state, player, simulations, seed.index(ply))?;
        game.apply(&mut state, decision.action);
    }
    Ok(game.returns(&state)[0])
}

fn duel(
    game: &Phantom,
    [row, column]: [(&str, Who); 2],
    games: u64,
    simulations: u64,
) -> Result<(), SearchError> {
    let mut couples = Vec::new();
    let mut results = [0_u64; 3];
    let place = |who| ALL.iter().position(|(_, w)| *w == who).unwrap_or(0) as u64;
    for couple in 0..games.div_ceil(2) {
        let seed = Seed(1)
            .index(place(row.1))
            .index(place(column.1))
            .index(couple);
        let first = play(game, [row.1, column.1], simulations, seed)?;
        let second = -play(game, [column.1, row.1], simulations, seed)?;
        for value in [first, second] {
            results[if value > 0.0 {
                0
            } else if value < 0.0 {
                2
            } else {
                1
            }] += 1;
        }
        couples.push(0.5 + 0.25 * (first + second));
    }
    let n = couples.len() as f64;
    let mean = couples.iter().sum::<f64>() / n;
    let squares: f64 = couples.iter().map(|p| (p - mean) * (p - mean)).sum();
    let error = (squares / (n - 1.0).max(1.0) / n).sqrt();
    let [won, drawn, lost] = results;
    println!(
        "{:>6} against {:<6} {:>5.1} % ± {:.1}   {won} won, {drawn} drawn, {lost} lost",
        row.0,
        column.0,
        100.0 * mean,
        196.0 * error
    );
    Ok(())
}

fn named(name: &str) -> Result<(&'static str, Who), String> {
    let found = ALL.iter().find(|(known, _)| *known == name);
    found.copied().ok_or_else(|| {
        let names = ALL.map(|(name, _)| name).join(", ");
        format!("{name}: expected one of {names}")
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1).peekable();
    let mut game = Phantom::default();
    if let Some(side) = words.peek().and_then(|word| word.strip_prefix("board=")) {
        let side: usize = side.parse()?;
        game = Phantom::new(side, side, side as u32)?;
        words.next();
    }
    let mut number = |default| words.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (games, simulations) = (number(100)?, number(10_000)?);
    println!("points of the first against the second, 95 % interval");
    let Some(pairs) = words.next() else {
        for (i, row) in ALL.into_iter().enumerate() {
            for column in ALL.into_iter().skip(i + 1) {
                duel(&game, [row, column], games, simulations)?;
            }
        }
        return Ok(());
    };
    for pair in pairs.split(',') {
        let (row, column) = pair.split_once('-').ok_or("a pair is two names: so-pom")?;
        duel(&game, [named(row)?, named(column)?], games, simulations)?;
    }
    Ok(())
}
