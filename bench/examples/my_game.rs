//! A game of your own in under 100 lines. Everything below `main` is the whole game; `main` gives it
//! every searcher and the whole command line:
//!
//! `cargo run --release --example my_game -- compare --game two-heaps --a uct --b random`

use rand::Rng;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::plugin::{NoOptions, Plugin, PluginError};

fn main() -> std::process::ExitCode {
    searchlab::main(searchlab::Registry::new().with::<TwoHeaps>())
}

/// Two heaps; take any number from one of them. Who takes the last piece wins.
struct TwoHeaps;

#[derive(Clone)]
struct Heaps {
    left: [u8; 2],
    mover: usize,
}

impl Game for TwoHeaps {
    type State = Heaps;
    type Action = (u8, u8); // from which heap, how many
    type Chance = std::convert::Infallible; // no dice
    type Observation = Heaps; // nothing hidden

    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Heaps {
        let left = [6, 4];
        Heaps { left, mover: 0 }
    }
    fn turn(&self, heaps: &Heaps) -> Turn {
        match heaps.left {
            [0, 0] => Turn::Terminal,
            _ => Turn::Player(Player::new(heaps.mover)),
        }
    }
    fn legal_actions(&self, heaps: &Heaps, out: &mut Vec<(u8, u8)>) {
        out.clear();
        for (heap, left) in (0..).zip(heaps.left) {
            out.extend((1..=left).map(|taken| (heap, taken)));
        }
    }
    fn apply(&self, heaps: &mut Heaps, (heap, taken): (u8, u8)) {
        heaps.left[usize::from(heap)] -= taken;
        heaps.mover = 1 - heaps.mover;
    }
    fn returns(&self, heaps: &Heaps) -> Returns {
        // Whoever would be to move has lost.
        Returns::zero_sum(if heaps.mover == 0 { -1.0 } else { 1.0 })
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, heaps: &Heaps, _: Player) -> Heaps {
        heaps.clone()
    }
}

impl Plugin for TwoHeaps {
    type Options = NoOptions;
    type Determinizer = Identity;
    const NAME: &'static str = "two-heaps";
    const ABOUT: &'static str = "take any number from one of two heaps; the last piece wins";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }
    fn determinizer(&self) -> Identity {
        Identity
    }
    fn format_action(&self, (heap, taken): (u8, u8)) -> String {
        format!("{}{taken}", if heap == 0 { 'a' } else { 'b' })
    }
    fn picture(&self, heaps: &Heaps) -> String {
        let [a, b] = heaps.left.map(|n| "o".repeat(n.into()));
        format!("a {a}\nb {b}")
    }
}
