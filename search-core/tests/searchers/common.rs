//! Small games for the tests of the searchers, whose values are known or easily enumerated.
#![allow(dead_code, unreachable_pub)]

use rand::Rng;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use search_core::game::{ChanceOutcomes, Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::rng::{Draw, Seed, mix64};

/// Nim for any number of players: take 1 to 3 from one heap; who takes the last wins.
#[derive(Debug, Clone)]
pub struct Nim {
    pub players: usize,
    pub heap: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NimState {
    pub heap: u32,
    pub mover: usize,
}

impl Game for Nim {
    type State = NimState;
    type Action = u32;
    type Chance = Infallible;
    type Observation = NimState;

    fn num_players(&self) -> usize {
        self.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> NimState {
        NimState {
            heap: self.heap,
            mover: 0,
        }
    }

    fn turn(&self, s: &NimState) -> Turn {
        if s.heap == 0 {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(s.mover))
        }
    }

    fn legal_actions(&self, s: &NimState, out: &mut Vec<u32>) {
        out.clear();
        out.extend(1..=s.heap.min(3));
    }

    fn apply(&self, s: &mut NimState, a: u32) {
        s.heap -= a;
        s.mover = (s.mover + 1) % self.players;
    }

    fn returns(&self, s: &NimState) -> Returns {
        let winner = (s.mover + self.players - 1) % self.players;
        let loss = -1.0 / (self.players as f64 - 1.0);
        let mut returns = Returns::splat(self.players, loss);
        returns.set(Player::new(winner), 1.0);
        returns
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, s: &NimState, _: Player) -> NimState {
        s.clone()
    }
}

/// One decision between arms that pay 0 or 1.
#[derive(Debug, Clone)]
pub struct Bandit {
    pub chances: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Pull {
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

    fn turn(&self, s: &Pull) -> Turn {
        match s {
            Pull::Choose => Turn::Player(Player::new(0)),
            Pull::Draw(_) => Turn::Chance,
            Pull::Paid(_) => Turn::Terminal,
        }
    }

    fn legal_actions(&self, s: &Pull, out: &mut Vec<u8>) {
        out.clear();
        if *s == Pull::Choose {
            out.extend(0..self.chances.len() as u8);
        }
    }

    fn apply(&self, s: &mut Pull, a: u8) {
        *s = Pull::Draw(a);
    }

    fn sample_chance<R: Rng + ?Sized>(&self, s: &Pull, rng: &mut R) -> bool {
        let Pull::Draw(arm) = s else { unreachable!() };
        rng.unit() < self.chances[*arm as usize]
    }

    fn apply_chance(&self, s: &mut Pull, paid: bool) {
        *s = Pull::Paid(paid);
    }

    fn returns(&self, s: &Pull) -> Returns {
        let paid = matches!(s, Pull::Paid(true));
        Returns::from_slice(&[f64::from(u8::from(paid))])
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }

    fn observe(&self, s: &Pull, _: Player) -> Pull {
        s.clone()
    }
}

/// A climbing game with hidden hands: `players` times `hand` cards, play a higher card or pass;
/// when all others have passed the last player leads; the first without cards takes 1 from
/// everybody.
#[derive(Debug, Clone)]
pub struct Climb {
    pub players: usize,
    pub hand: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClimbState {
    pub hands: [u16; 4],
    pub table: Option<u8>,
    pub passes: u8,
    pub mover: u8,
    pub played: u16,
}

/// Own cards, the table, how many cards everybody holds, what was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClimbView {
    pub me: u8,
    pub own: u16,
    pub counts: [u8; 4],
    pub table: Option<u8>,
    pub passes: u8,
    pub mover: u8,
    pub played: u16,
}

pub const PASS: u8 = 16;

impl Climb {
    pub fn deck(&self) -> u16 {
        ((1_u32 << (self.players * self.hand)) - 1) as u16
    }
}

impl Game for Climb {
    type State = ClimbState;
    type Action = u8;
    type Chance = Infallible;
    type Observation = ClimbView;

    fn num_players(&self) -> usize {
        self.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> ClimbState {
        let mut cards: Vec<u8> = (0..(self.players * self.hand) as u8).collect();
        rng.shuffle(&mut cards);
        let mut hands = [0; 4];
        for (i, card) in cards.iter().enumerate() {
            hands[i / self.hand] |= 1 << card;
        }
        ClimbState {
            hands,
            table: None,
            passes: 0,
            mover: 0,
            played: 0,
        }
    }

    fn turn(&self, s: &ClimbState) -> Turn {
        if s.hands[..self.players].contains(&0) {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(s.mover as usize))
        }
    }

    fn legal_actions(&self, s: &ClimbState, out: &mut Vec<u8>) {
        out.clear();
        if self.turn(s) == Turn::Terminal {
            return;
        }
        let hand = s.hands[s.mover as usize];
        let from = s.table.map_or(0, |t| t + 1);
        out.extend((from..16).filter(|c| hand >> c & 1 == 1));
        if s.table.is_some() {
            out.push(PASS);
        }
    }

    fn apply(&self, s: &mut ClimbState, a: u8) {
        if a == PASS {
            s.passes += 1;
            if usize::from(s.passes) == self.players - 1 {
                s.passes = 0;
                s.table = None;
            }
        } else {
            s.hands[s.mover as usize] &= !(1 << a);
            s.played |= 1 << a;
            s.table = Some(a);
            s.passes = 0;
        }
        s.mover = ((s.mover as usize + 1) % self.players) as u8;
    }

    fn returns(&self, s: &ClimbState) -> Returns {
        let mut returns = Returns::splat(self.players, -1.0);
        for p in 0..self.players {
            if s.hands[p] == 0 {
                returns.set(Player::new(p), self.players as f64 - 1.0);
            }
        }
        returns
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=self.players as f64 - 1.0
    }

    fn observe(&self, s: &ClimbState, p: Player) -> ClimbView {
        ClimbView {
            me: p.index() as u8,
            own: s.hands[p.index()],
            counts: s.hands.map(|h| h.count_ones() as u8),
            table: s.table,
            passes: s.passes,
            mover: s.mover,
            played: s.played,
        }
    }
}

/// Deals the unseen cards to the others, uniformly.
#[derive(Debug, Clone, Copy, Default)]
pub struct Redeal;

impl Determinizer<Climb> for Redeal {
    type Plan = u16;

    fn plan(&self, game: &Climb, view: &ClimbView) -> Result<u16, Contradiction> {
        let unseen = game.deck() & !view.own & !view.played;
        let hidden: u32 = (0..game.players)
            .filter(|p| *p != view.me as usize)
            .map(|p| u32::from(view.counts[p]))
            .sum();
        if hidden == unseen.count_ones() {
            Ok(unseen)
        } else {
            Err(Contradiction::new(format!(
                "{} cards unseen, {hidden} in the other hands",
                unseen.count_ones()
            )))
        }
    }

    fn scratch(&self, _: &Climb, view: &ClimbView, _: &u16) -> ClimbState {
        ClimbState {
            hands: [0; 4],
            table: view.table,
            passes: view.passes,
            mover: view.mover,
            played: view.played,
        }
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Climb,
        view: &ClimbView,
        unseen: &u16,
        rng: &mut R,
        world: &mut ClimbState,
    ) -> f64 {
        let mut cards = [0_u8; 16];
        let mut n = 0;
        for card in 0..16 {
            if unseen >> card & 1 == 1 {
                cards[n] = card;
                n += 1;
            }
        }
        rng.shuffle(&mut cards[..n]);
        let mut at = 0;
        *world = self.scratch(game, view, unseen);
        for p in 0..game.players {
            if p == view.me as usize {
                world.hands[p] = view.own;
            } else {
                for &card in &cards[at..at + view.counts[p] as usize] {
                    world.hands[p] |= 1 << card;
                }
                at += view.counts[p] as usize;
            }
        }
        0.0
    }
}

/// A position of `Climb` after some random play.
pub fn climb_position(game: &Climb, seed: u64, plies: usize) -> ClimbState {
    let mut rng = search_core::rng::Seed(seed).stream();
    let mut legal = Vec::new();
    loop {
        let mut state = game.initial_state(&mut rng);
        for _ in 0..plies {
            game.legal_actions(&state, &mut legal);
            if let Some(action) = rng.pick(&legal) {
                game.apply(&mut state, action);
            }
        }
        if game.turn(&state) != Turn::Terminal {
            return state;
        }
    }
}

/// Players choose and chance draws in turns, for so many plies; everything is hashed out of the
/// seed and the path, and all values are known.
#[derive(Debug, Clone)]
pub struct Lottery {
    pub seed: u64,
    pub players: usize,
    pub actions: u8,
    pub plies: u32,
    /// Chance throws three dice: 56 outcomes. Otherwise it has two to seven.
    pub dice: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LotteryState {
    pub path: u64,
    pub ply: u32,
}

impl Lottery {
    pub fn start(&self) -> LotteryState {
        LotteryState {
            path: mix64(self.seed),
            ply: 0,
        }
    }

    /// How likely each outcome is, as whole numbers.
    fn weights(&self, s: &LotteryState) -> Vec<u32> {
        if !self.dice {
            let outcomes = 2 + mix64(s.path ^ 77) % 6;
            let weight = |i| 1 + (mix64(s.path ^ (i + 1)) % 20) as u32;
            return (0..outcomes).map(weight).collect();
        }
        let mut weights = Vec::new();
        for a in 1..=6 {
            for b in a..=6 {
                for c in b..=6 {
                    let pairs = u32::from(a == b) + u32::from(b == c);
                    weights.push([6, 3, 1][pairs as usize]);
                }
            }
        }
        weights
    }

    fn step(s: &mut LotteryState, branch: u8) {
        s.path = mix64(s.path ^ mix64(u64::from(branch) + 1000));
        s.ply += 1;
    }

    /// What every player gets when each chooses the best for itself.
    pub fn value(&self, s: &LotteryState) -> Returns {
        let after = |branch| {
            let mut next = s.clone();
            Self::step(&mut next, branch);
            self.value(&next)
        };
        match self.turn(s) {
            Turn::Terminal => self.returns(s),
            Turn::Player(player) => {
                let values = (0..self.actions).map(after);
                let best = values.max_by(|a, b| a.of(player).total_cmp(&b.of(player)));
                best.unwrap()
            }
            Turn::Chance => {
                let weights = self.weights(s);
                let total = f64::from(weights.iter().sum::<u32>());
                let mut mean = Returns::splat(self.players, 0.0);
                for (branch, weight) in (0..).zip(weights) {
                    let value = after(branch);
                    for p in (0..self.players).map(Player::new) {
                        mean.set(p, mean.of(p) + f64::from(weight) / total * value.of(p));
                    }
                }
                mean
            }
        }
    }
}

impl Game for Lottery {
    type State = LotteryState;
    type Action = u8;
    type Chance = u8;
    type Observation = LotteryState;

    fn num_players(&self) -> usize {
        self.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> LotteryState {
        self.start()
    }

    fn turn(&self, s: &LotteryState) -> Turn {
        if s.ply == self.plies {
            Turn::Terminal
        } else if s.ply.is_multiple_of(2) {
            Turn::Player(Player::new(s.ply as usize / 2 % self.players))
        } else {
            Turn::Chance
        }
    }

    fn legal_actions(&self, s: &LotteryState, out: &mut Vec<u8>) {
        out.clear();
        if matches!(self.turn(s), Turn::Player(_)) {
            out.extend(0..self.actions);
        }
    }

    fn apply(&self, s: &mut LotteryState, a: u8) {
        Self::step(s, a);
    }

    fn sample_chance<R: Rng + ?Sized>(&self, s: &LotteryState, rng: &mut R) -> u8 {
        let weights = self.weights(s);
        let mut ticket = rng.below(weights.iter().sum());
        let mut outcome = 0;
        while ticket >= weights[outcome] {
            ticket -= weights[outcome];
            outcome += 1;
        }
        outcome as u8
    }

    fn apply_chance(&self, s: &mut LotteryState, outcome: u8) {
        Self::step(s, outcome);
    }

    fn returns(&self, s: &LotteryState) -> Returns {
        let mut returns = Returns::splat(self.players, 0.0);
        for p in 0..self.players {
            let unit = Seed(s.path).index(p as u64).simulation(0).unit();
            returns.set(Player::new(p), 2.0 * unit - 1.0);
        }
        returns
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, s: &LotteryState, _: Player) -> LotteryState {
        s.clone()
    }
}

impl ChanceOutcomes for Lottery {
    fn chance_outcomes(&self, s: &LotteryState, out: &mut Vec<(u8, f64)>) {
        out.clear();
        if self.turn(s) == Turn::Chance {
            let weights = self.weights(s);
            let total = f64::from(weights.iter().sum::<u32>());
            out.extend((0..).zip(weights).map(|(o, w)| (o, f64::from(w) / total)));
        }
    }
}
