//! Simple regret of root allocations on bandits: what the chosen arm lacks, on average.
//!
//! 16 arms that pay 1 with probabilities drawn from Beta(4, 4), else 0. Prints a table of the mean over
//! so many bandits (the first argument, 2,000 by default) with its standard error, in units of 0.0001.

use rand::Rng;
use search_core::budget::Budget;
use search_core::decision::SearchError;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::rng::{Draw, Seed};
use search_core::search::{
    Allocation, CommonNumbers, FinalChoice, Flat, FlatSettings, Gumbel, GumbelSettings, Searcher,
    TreeSettings, Uct,
};

/// One decision between arms.
struct Bandit(Vec<f64>);

#[derive(Debug, Clone, PartialEq)]
enum Pull {
    Choose,
    Draw(u8),
    Paid(bool),
}

impl Game for Bandit {
    type State = Pull;
    type Action = u8;
    type Chance = bool;
    type Observation = Pull;
    fn num_players(&self) -> usize {
        1
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Pull {
        Pull::Choose
    }
    fn turn(&self, state: &Pull) -> Turn {
        match state {
            Pull::Choose => Turn::Player(Player::new(0)),
            Pull::Draw(_) => Turn::Chance,
            Pull::Paid(_) => Turn::Terminal,
        }
    }
    fn legal_actions(&self, state: &Pull, out: &mut Vec<u8>) {
        out.clear();
        if *state == Pull::Choose {
            out.extend(0..self.0.len() as u8);
        }
    }
    fn apply(&self, state: &mut Pull, arm: u8) {
        *state = Pull::Draw(arm);
    }
    fn sample_chance<R: Rng + ?Sized>(&self, state: &Pull, rng: &mut R) -> bool {
        matches!(state, Pull::Draw(arm) if rng.unit() < self.0[*arm as usize])
    }
    fn apply_chance(&self, state: &mut Pull, paid: bool) {
        *state = Pull::Paid(paid);
    }
    fn returns(&self, state: &Pull) -> Returns {
        Returns::splat(1, f64::from(u8::from(*state == Pull::Paid(true))))
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        0.0..=1.0
    }
    fn observe(&self, state: &Pull, _: Player) -> Pull {
        state.clone()
    }
}

/// The middle one of seven uniform draws has the distribution Beta(4, 4).
fn bandit(seed: Seed) -> Bandit {
    let mut rng = seed.child("arms").simulation(0);
    let arms = (0..16).map(|_| {
        let mut draws: [f64; 7] = std::array::from_fn(|_| rng.unit());
        draws.sort_by(f64::total_cmp);
        draws[3]
    });
    Bandit(arms.collect())
}

fn flat(allocation: Allocation, numbers: CommonNumbers) -> Box<dyn Searcher<Bandit>> {
    let settings = FlatSettings {
        allocation,
        numbers,
        ..FlatSettings::default()
    };
    Box::new(Flat::new(settings, Identity))
}

fn ucb(exploration: f64, final_choice: FinalChoice) -> Box<dyn Searcher<Bandit>> {
    Box::new(Uct::<Bandit>::new(TreeSettings {
        exploration,
        final_choice,
        ..TreeSettings::default()
    }))
}

fn gumbel(numbers: CommonNumbers) -> Box<dyn Searcher<Bandit>> {
    let settings = GumbelSettings {
        numbers,
        ..GumbelSettings::default()
    };
    Box::new(Gumbel::new(settings, Identity))
}

fn searchers() -> Vec<(&'static str, Box<dyn Searcher<Bandit>>)> {
    let (alone, common) = (CommonNumbers::Independent, CommonNumbers::EventKeyed);
    let halving = Allocation::SequentialHalving;
    let ocba = |warm_up| Allocation::Ocba { warm_up };
    let root2 = std::f64::consts::SQRT_2;
    vec![
        ("even", flat(Allocation::Even, alone)),
        ("UCB1, c = 1.41", ucb(root2, FinalChoice::Robust)),
        ("UCB1, c = 1.41, best mean", ucb(root2, FinalChoice::Max)),
        ("UCB1, c = 0.5", ucb(0.5, FinalChoice::Robust)),
        ("UCB1, c = 0.5, best mean", ucb(0.5, FinalChoice::Max)),
        ("halving", flat(halving, alone)),
        ("ocba, warm_up 2", flat(ocba(2), alone)),
        ("ocba, warm_up 8", flat(ocba(8), alone)),
        ("gumbel, uniform priors", gumbel(alone)),
        ("even, common numbers", flat(Allocation::Even, common)),
        ("halving, common numbers", flat(halving, common)),
        ("ocba, warm_up 8, common numbers", flat(ocba(8), common)),
    ]
}

fn main() -> Result<(), SearchError> {
    let bandits = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(2_000_u64);
    let budgets = [128, 512, 2_048];
    println!("| allocation | T = 128 | T = 512 | T = 2048 |\n|---|---|---|---|");
    for (name, mut searcher) in searchers() {
        print!("| {name} ");
        for budget in budgets {
            let (mut sum, mut squares) = (0.0, 0.0);
            for seed in (0..bandits).map(|i| Seed(17).index(i)) {
                let game = bandit(seed);
                let limit = Budget::simulations(budget);
                let decision = searcher.search(&game, &Pull::Choose, &limit, seed)?;
                let best = game.0.iter().copied().fold(0.0, f64::max);
                let regret = best - game.0[decision.action as usize];
                sum += regret;
                squares += regret * regret;
            }
            let n = bandits as f64;
            let mean = sum / n;
            let error = ((squares / n - mean * mean) / n).sqrt();
            print!("| {:.0} ± {:.0} ", 1e4 * mean, 1e4 * error);
        }
        println!("|");
    }
    Ok(())
}
