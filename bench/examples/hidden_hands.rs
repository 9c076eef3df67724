//! A game with hidden hands: three players, twelve cards. It implements `Game`, and a `Determinizer`
//! that deals what is face down; `main` gives it every searcher and the whole command line:
//!
//! `cargo run --release --example hidden_hands -- compare --game one-suit-whist --a ismcts --b random`

use rand::Rng;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::plugin::{NoOptions, Plugin, PluginError};
use search_core::rng::Draw;

fn main() -> std::process::ExitCode {
    searchlab::main(searchlab::Registry::new().with::<Whist>())
}

/// Each trick everybody plays a card; the highest takes the trick and leads the next.
struct Whist;

/// Four cards each of twelve, as bits.
#[derive(Clone, PartialEq)]
struct Table {
    hands: [u16; 3],
    trick: [Option<u8>; 3],
    next: usize,
    tricks: [u8; 3],
}

impl Game for Whist {
    type State = Table;
    type Action = u8;
    type Chance = std::convert::Infallible;
    type Observation = (usize, Table); // who looks, and the table with the other hands face down

    fn num_players(&self) -> usize {
        3
    }
    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> Table {
        let mut table = Table {
            hands: [0; 3],
            trick: [None; 3],
            next: 0,
            tricks: [0; 3],
        };
        deal(0b1111_1111_1111, &mut table.hands, [4; 3], rng);
        table
    }
    fn turn(&self, table: &Table) -> Turn {
        match table.tricks.iter().sum::<u8>() {
            4 => Turn::Terminal,
            _ => Turn::Player(Player::new(table.next)),
        }
    }
    fn legal_actions(&self, table: &Table, out: &mut Vec<u8>) {
        out.clear();
        out.extend((0..12).filter(|card| table.hands[table.next] >> card & 1 == 1));
    }
    fn apply(&self, table: &mut Table, card: u8) {
        table.hands[table.next] &= !(1 << card);
        table.trick[table.next] = Some(card);
        table.next = (table.next + 1) % 3;
        if table.trick.iter().all(Option::is_some) {
            let winner = (0..3).max_by_key(|p| table.trick[*p]).unwrap_or(0);
            table.tricks[winner] += 1;
            (table.trick, table.next) = ([None; 3], winner);
        }
    }
    fn returns(&self, table: &Table) -> Returns {
        Returns::from_slice(&table.tricks.map(f64::from))
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        0.0..=4.0
    }
    fn observe(&self, table: &Table, player: Player) -> (usize, Table) {
        // Hidden cards move to the players' common pile: only how many each holds is public.
        (
            player.index(),
            Table {
                hands: face_down(table, player.index()),
                ..table.clone()
            },
        )
    }
}

/// The own hand as it is; the others' together in the first hidden seat.
fn face_down(table: &Table, me: usize) -> [u16; 3] {
    let pile = table.hands.iter().fold(0, |all, hand| all | hand) & !table.hands[me];
    let mut hands = [0; 3];
    (hands[(me + 1) % 3], hands[me]) = (pile, table.hands[me]);
    hands
}

/// Deals the cards of `pile` to the hands, `sizes` each, uniformly.
fn deal<R: Rng + ?Sized>(pile: u16, hands: &mut [u16; 3], sizes: [u32; 3], rng: &mut R) {
    let mut cards: Vec<u8> = (0..12).filter(|card| pile >> card & 1 == 1).collect();
    rng.shuffle(&mut cards);
    for (hand, size) in hands.iter_mut().zip(sizes) {
        for card in cards.drain(..size as usize) {
            *hand |= 1 << card;
        }
    }
}

/// Deals what is face down: a world that the looking player cannot tell from the true one.
#[derive(Clone)]
struct Redeal;

impl Determinizer<Whist> for Redeal {
    type Plan = ();

    fn plan(&self, _: &Whist, _: &(usize, Table)) -> Result<(), Contradiction> {
        Ok(())
    }
    fn scratch(&self, _: &Whist, seen: &(usize, Table), (): &()) -> Table {
        seen.1.clone()
    }
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Whist,
        (me, table): &(usize, Table),
        (): &(),
        rng: &mut R,
        world: &mut Table,
    ) -> f64 {
        let own = table.hands[*me].count_ones();
        let played = |p: usize| u32::from(table.trick[p].is_some());
        let left = own + played(*me); // everybody had as many when the trick began
        let sizes = std::array::from_fn(|p| if p == *me { 0 } else { left - played(p) });
        world.clone_from(table);
        world.hands = [0; 3];
        deal(table.hands[(me + 1) % 3], &mut world.hands, sizes, rng);
        world.hands[*me] = table.hands[*me];
        0.0 // drawn uniformly: no importance weight
    }
}

impl Plugin for Whist {
    type Options = NoOptions;
    type Determinizer = Redeal;
    const NAME: &'static str = "one-suit-whist";
    const ABOUT: &'static str = "three players, four cards each, the highest takes the trick";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }
    fn determinizer(&self) -> Redeal {
        Redeal
    }
    fn picture(&self, (me, table): &(usize, Table)) -> String {
        let own = (0..12).filter(|card| table.hands[*me] >> card & 1 == 1);
        let own: Vec<String> = own.map(|card| card.to_string()).collect();
        let trick = table
            .trick
            .map(|card| card.map_or("-".into(), |c| c.to_string()));
        let [a, b, c] = table.tricks;
        format!(
            "your cards {}\ntrick {}\ntricks won {a} {b} {c}",
            own.join(" "),
            trick.join(" ")
        )
    }
}
