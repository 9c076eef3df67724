//! A card game with a phase in which players hide things: everybody passes a card to the left unseen,
//! then each plays one card openly and the highest takes the trick.

use rand::Rng;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use search_core::game::{ActionObservation, Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::rng::{Draw, Seed};

pub(crate) const NONE: u8 = u8::MAX;

/// `players` players with `hand` cards each.
#[derive(Debug, Clone)]
pub(crate) struct Passing {
    pub(crate) players: usize,
    pub(crate) hand: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PassingState {
    pub(crate) hands: [u16; 4],
    /// What each has passed.
    pub(crate) passed: [u8; 4],
    pub(crate) played: [u8; 4],
    /// Turns so far.
    pub(crate) turns: u8,
}

/// Own cards, what was passed and received, what was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PassingView {
    pub(crate) me: usize,
    pub(crate) own: u16,
    pub(crate) passed: u8,
    pub(crate) received: u8,
    pub(crate) played: [u8; 4],
    pub(crate) turns: u8,
}

impl Passing {
    fn left(&self, player: usize) -> usize {
        (player + 1) % self.players
    }

    fn right(&self, player: usize) -> usize {
        (player + self.players - 1) % self.players
    }

    fn exchanged(&self, turns: u8) -> bool {
        usize::from(turns) >= self.players
    }
}

impl Game for Passing {
    type State = PassingState;
    type Action = u8;
    type Chance = Infallible;
    type Observation = PassingView;

    fn num_players(&self) -> usize {
        self.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> PassingState {
        let mut cards: Vec<u8> = (0..(self.players * self.hand) as u8).collect();
        rng.shuffle(&mut cards);
        let mut hands = [0; 4];
        for (i, card) in cards.iter().enumerate() {
            hands[i / self.hand] |= 1 << card;
        }
        PassingState {
            hands,
            passed: [NONE; 4],
            played: [NONE; 4],
            turns: 0,
        }
    }

    fn turn(&self, s: &PassingState) -> Turn {
        if usize::from(s.turns) == 2 * self.players {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(usize::from(s.turns) % self.players))
        }
    }

    fn legal_actions(&self, s: &PassingState, out: &mut Vec<u8>) {
        out.clear();
        if let Turn::Player(p) = self.turn(s) {
            out.extend((0..16).filter(|c| s.hands[p.index()] >> c & 1 == 1));
        }
    }

    fn apply(&self, s: &mut PassingState, card: u8) {
        let mover = usize::from(s.turns) % self.players;
        assert_eq!(s.hands[mover] >> card & 1, 1, "not in the hand");
        s.hands[mover] &= !(1 << card);
        if self.exchanged(s.turns) {
            s.played[mover] = card;
        } else {
            s.passed[mover] = card;
        }
        s.turns += 1;
        if usize::from(s.turns) == self.players {
            for p in 0..self.players {
                s.hands[self.left(p)] |= 1 << s.passed[p];
            }
        }
    }

    fn returns(&self, s: &PassingState) -> Returns {
        let mut returns = Returns::splat(self.players, -1.0);
        let winner = (0..self.players).max_by_key(|p| s.played[*p]).unwrap();
        returns.set(Player::new(winner), self.players as f64 - 1.0);
        returns
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=self.players as f64 - 1.0
    }

    fn max_turns(&self) -> u32 {
        8
    }

    fn observe(&self, s: &PassingState, p: Player) -> PassingView {
        let me = p.index();
        PassingView {
            me,
            own: s.hands[me],
            passed: s.passed[me],
            received: if self.exchanged(s.turns) {
                s.passed[self.right(me)]
            } else {
                NONE
            },
            played: s.played,
            turns: s.turns,
        }
    }
}

impl ActionObservation for Passing {
    fn observe_action(&self, s: &PassingState, card: u8, observer: Player) -> u64 {
        let mover = usize::from(s.turns) % self.players;
        if mover == observer.index() || self.exchanged(s.turns) {
            return u64::from(card) + 1;
        }
        if usize::from(s.turns) + 1 < self.players {
            return 0;
        }
        // The last card passed sets the exchange off, and shows what was received.
        let right = self.right(observer.index());
        let received = if right == mover {
            card
        } else {
            s.passed[right]
        };
        u64::from(received) + 1
    }

    fn observe_chance(&self, _: &PassingState, outcome: Infallible, _: Player) -> u64 {
        match outcome {}
    }
}

/// Deals what is unseen uniformly to where it may be.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DealPassing;

impl Determinizer<Passing> for DealPassing {
    type Plan = Vec<u8>;

    fn plan(&self, game: &Passing, view: &PassingView) -> Result<Vec<u8>, Contradiction> {
        let mut seen = view.own;
        let played = view.played.iter().chain([&view.passed]);
        for card in played.filter(|c| **c != NONE) {
            seen |= 1 << card;
        }
        let deck = (game.players * game.hand) as u8;
        let unseen: Vec<u8> = (0..deck).filter(|c| seen >> c & 1 == 0).collect();
        // The card passed on is known, wherever it is.
        let held = view.own.count_ones() as usize + usize::from(view.played[view.me] != NONE);
        let passed = view.passed != NONE && !game.exchanged(view.turns);
        if held + usize::from(passed) != game.hand {
            return Err(Contradiction::new(format!("{held} cards in the own hand")));
        }
        Ok(unseen)
    }

    fn scratch(&self, game: &Passing, _: &PassingView, _: &Vec<u8>) -> PassingState {
        game.initial_state(&mut Seed(0).stream())
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Passing,
        view: &PassingView,
        plan: &Vec<u8>,
        rng: &mut R,
        world: &mut PassingState,
    ) -> f64 {
        let mut cards = [0; 16];
        let cards = &mut cards[..plan.len()];
        cards.copy_from_slice(plan);
        rng.shuffle(cards);
        let mut cards = cards.iter().copied();
        *world = PassingState {
            hands: [0; 4],
            passed: [NONE; 4],
            played: view.played,
            turns: view.turns,
        };
        world.hands[view.me] = view.own;
        world.passed[view.me] = view.passed;
        let exchanged = game.exchanged(view.turns);
        let left = game.left(view.me);
        if exchanged && !view.played.contains(&view.passed) {
            world.hands[left] |= 1 << view.passed;
        }
        for p in (0..game.players).filter(|p| *p != view.me) {
            if !exchanged && p < usize::from(view.turns) {
                world.passed[p] = cards.next().unwrap();
            }
            let gone = if exchanged {
                usize::from(view.played[p] != NONE)
            } else {
                usize::from(p < usize::from(view.turns))
            };
            while (world.hands[p].count_ones() as usize) < game.hand - gone {
                world.hands[p] |= 1 << cards.next().unwrap();
            }
        }
        if exchanged {
            world.passed[game.right(view.me)] = view.received;
            for p in (0..game.players).filter(|p| *p != view.me && game.left(*p) != view.me) {
                // Any of the left neighbour's cards may be the one received.
                let to = game.left(p);
                let hand = world.hands[to] | (1_u32 << (view.played[to] & 31)) as u16;
                let held: Vec<u8> = (0..16).filter(|c| hand >> c & 1 == 1).collect();
                world.passed[p] = rng.pick(&held).unwrap();
            }
        }
        0.0
    }
}

/// A position after so many turns at random.
pub(crate) fn passing_position(game: &Passing, seed: u64, turns: usize) -> PassingState {
    let mut rng = Seed(seed).child("passing").stream();
    let mut state = game.initial_state(&mut rng);
    let mut legal = Vec::new();
    for _ in 0..turns {
        game.legal_actions(&state, &mut legal);
        game.apply(&mut state, rng.pick(&legal).unwrap());
    }
    state
}
