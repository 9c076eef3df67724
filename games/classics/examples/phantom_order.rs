//! Searches of phantom (4,4,4) against each other, two of which cheat: the order of Cowling, Powley &
//! Whitehouse 2012, section VIII.
//!
//! ```text
//! cargo run --release -p classics --example phantom_order -- GAMES SIMULATIONS ROW
//! ```
//!
//! Each pair plays GAMES games (100), first and second in turn, at SIMULATIONS a decision (10000). A draw is
//! half a point. With ROW, say `Determinized`, only its pairs with those below it. Searches that are to see no more than they may get an observation; the cheats get the
//! state, as the one world that there is.

use classics::Phantom;
use classics::phantom::{PhantomState, PhantomView};
use rand::Rng;
use search_core::budget::Budget;
use search_core::decision::SearchError;
use search_core::game::{Game, Player, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::{Ismcts, Pimc, PimcSettings, Searcher, TreeSettings};

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
    /// 40 worlds, a tree each.
    Determinized,
    /// SO-ISMCTS.
    SingleObserver,
    Random,
}

const ALL: [Who; 5] = [
    Who::CheatingEnsemble,
    Who::Cheating,
    Who::Determinized,
    Who::SingleObserver,
    Who::Random,
];

impl Who {
    fn choose(
        self,
        game: &Phantom,
        state: &PhantomState,
        player: Player,
        simulations: u64,
        seed: Seed,
    ) -> Result<<Phantom as Game>::Action, SearchError> {
        let view = game.observe(state, player);
        let pimc = |worlds| PimcSettings {
            worlds,
            ..PimcSettings::default()
        };
        let budget = Budget::simulations(simulations);
        let decision = match self {
            Self::CheatingEnsemble => {
                Pimc::new(pimc(40), Truth(*state)).search(game, &view, &budget, seed)
            }
            Self::Cheating => Pimc::new(pimc(1), Truth(*state)).search(game, &view, &budget, seed),
            Self::Determinized => {
                Pimc::new(pimc(40), game.determinizer()).search(game, &view, &budget, seed)
            }
            Self::SingleObserver => Ismcts::new(TreeSettings::default(), game.determinizer())
                .search(game, &view, &budget, seed),
            // One simulation tries one action, at random.
            Self::Random => Ismcts::new(TreeSettings::default(), game.determinizer()).search(
                game,
                &view,
                &Budget::simulations(1),
                seed,
            ),
        };
        decision.map(|decision| decision.action)
    }
}

/// The return of the first of two players.
fn play(pair: [Who; 2], simulations: u64, seed: Seed) -> Result<f64, SearchError> {
    let game = Phantom::default();
    let mut state = game.initial_state(&mut seed.simulation(0));
    let mut ply = 0;
    while let Turn::Player(player) = game.turn(&state) {
        ply += 1;
        let who = pair[player.index()];
        let action = who.choose(&game, &state, player, simulations, seed.index(ply))?;
        game.apply(&mut state, action);
    }
    Ok(game.returns(&state)[0])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |default| words.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (games, simulations) = (number(100)?, number(10_000)?);
    let only = words.next();
    println!("points of the row against the column, 95 % interval, and its losses");
    for (i, row) in ALL.into_iter().enumerate() {
        if only
            .as_ref()
            .is_some_and(|name| *name != format!("{row:?}"))
        {
            continue;
        }
        for (j, column) in ALL.into_iter().enumerate().skip(i + 1) {
            let (mut sum, mut squares, mut losses) = (0.0, 0.0, 0);
            for number in 0..games {
                let seed = Seed(1).index(i as u64).index(j as u64).index(number);
                let first = number % 2 == 0;
                let pair = if first { [row, column] } else { [column, row] };
                let value = play(pair, simulations, seed)? * if first { 1.0 } else { -1.0 };
                let points = 0.5 + 0.5 * value;
                sum += points;
                squares += points * points;
                losses += u32::from(value < 0.0);
            }
            let n = games as f64;
            let mean = sum / n;
            let error = ((squares / n - mean * mean) / (n - 1.0).max(1.0)).sqrt();
            println!(
                "{row:?} against {column:?}: {:.1} % ± {:.1}, {losses} of {games} lost",
                100.0 * mean,
                196.0 * error
            );
        }
    }
    Ok(())
}
