//! The checks must notice: one sound game, and one breach at a time.

use rand::Rng;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::*;
use crate::expr::{ExprError, Settings};
use crate::game::{ChanceOutcomes, InfoKey};
use crate::observation::{Contradiction, Determinizer, LogWeight};
use crate::plugin::{NoOptions, Plugin, PluginError, SharedPolicy};
use crate::policy::Policy;
use crate::rng::SimRng;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Sound,
    Unsorted,
    KeepsBuffer,
    NoActions,
    ActionsAtEnd,
    InfiniteReturn,
    LargeReturn,
    ShortReturns,
    Endless,
    ForgetfulCloneFrom,
    ChanceSum,
    ChanceTwice,
    ChanceImpossible,
    ChanceBiased,
    ChanceUnlisted,
    Refuses,
    WrongWorld,
    WrongTurn,
    KeepsScratch,
    NoWeight,
    CoarseKey,
    SameNames,
    Misreads,
    ReadsNonsense,
    TwoLines,
    OtherPosition,
    NoAgent,
    IllegalAgent,
}
use Fault::*;

/// A hidden coin; player 0 moves, chance draws, player 1 moves.
#[derive(Debug, Clone, Copy)]
struct Coin(Fault);

#[derive(Debug)]
struct State {
    fault: Fault,
    coin: u8,
    turns: u32,
    sum: u8,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let sum = self.sum;
        *self = source.clone();
        if self.fault == ForgetfulCloneFrom {
            self.sum = sum;
        }
    }
}

/// The turn, what was played, and whether it is player 0, who sees the coin.
type View = (u32, u8, Option<u8>);

const CHANCES: [(u8, f64); 3] = [(0, 0.5), (1, 0.25), (2, 0.25)];

impl Game for Coin {
    type State = State;
    type Action = u8;
    type Chance = u8;
    type Observation = View;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> State {
        State {
            fault: self.0,
            coin: rng.below(2) as u8,
            turns: 0,
            sum: 0,
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.turns {
            0 => Turn::Player(Player::new(0)),
            1 => Turn::Chance,
            2 => Turn::Player(Player::new(1)),
            _ if self.0 == Endless => Turn::Chance,
            _ => Turn::Terminal,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<u8>) {
        if self.0 != KeepsBuffer {
            out.clear();
        }
        match (self.0, self.turn(state)) {
            (NoActions, _) => {}
            (Unsorted, Turn::Player(_)) => out.extend([2, 1]),
            (_, Turn::Player(_)) => out.extend([1, 2, 3 + state.sum % 2]),
            (ActionsAtEnd, Turn::Terminal) => out.push(1),
            _ => {}
        }
    }

    fn apply(&self, state: &mut State, action: u8) {
        state.turns += 1;
        state.sum = state.sum * 4 + action;
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> u8 {
        match self.0 {
            ChanceBiased => rng.below(3) as u8,
            ChanceUnlisted => 3,
            _ => [0, 0, 1, 2][rng.below(4) as usize],
        }
    }

    fn apply_chance(&self, state: &mut State, outcome: u8) {
        state.turns += 1;
        state.sum = state.sum * 4 + outcome;
    }

    fn returns(&self, state: &State) -> Returns {
        let value = f64::from(state.sum ^ state.coin) / 256.0;
        match self.0 {
            InfiniteReturn => Returns::zero_sum(f64::NAN),
            LargeReturn => Returns::zero_sum(value + 1.0),
            ShortReturns => Returns::splat(1, value),
            _ => Returns::zero_sum(value),
        }
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        3
    }

    fn observe(&self, state: &State, player: Player) -> View {
        let coin = (player.index() == 0).then_some(state.coin);
        (state.turns, state.sum, coin)
    }
}

impl ChanceOutcomes for Coin {
    fn chance_outcomes(&self, _: &State, out: &mut Vec<(u8, f64)>) {
        out.clear();
        out.extend(CHANCES);
        match self.0 {
            ChanceSum => out[0].1 = 0.4,
            ChanceTwice => out[1].0 = 2,
            ChanceImpossible => out.push((4, 0.0)),
            _ => {}
        }
    }
}

impl InfoKey for Coin {
    type Key = View;
    fn info_key(&self, state: &State, player: Player) -> View {
        match self.0 {
            CoarseKey => (state.turns, 0, None),
            _ => self.observe(state, player),
        }
    }
}

impl Determinizer<Coin> for Coin {
    type Plan = ();

    fn plan(&self, _: &Coin, _: &View) -> Result<(), Contradiction> {
        match self.0 {
            Refuses => Err(Contradiction::new("whatever")),
            _ => Ok(()),
        }
    }

    fn scratch(&self, _: &Coin, view: &View, (): &()) -> State {
        State {
            fault: Fault::Sound,
            coin: 0,
            turns: view.0,
            sum: view.1,
        }
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Coin,
        view: &View,
        (): &(),
        rng: &mut R,
        world: &mut State,
    ) -> LogWeight {
        let coin = rng.below(2) as u8;
        if self.0 != KeepsScratch {
            (world.turns, world.sum) = (view.0, view.1);
        }
        world.coin = match (self.0, view.2) {
            (WrongWorld, Some(coin)) => 1 - coin,
            (_, known) => known.unwrap_or(coin),
        };
        if self.0 == WrongTurn {
            world.turns = 3;
        }
        if self.0 == NoWeight {
            f64::NEG_INFINITY
        } else {
            0.0
        }
    }
}

struct Always(u8);

impl Policy<Coin> for Always {
    fn choose(&self, _: &Coin, _: &View, _: &[u8], _: &mut SimRng) -> u8 {
        self.0
    }
}

impl Plugin for Coin {
    type Options = NoOptions;
    type Determinizer = Self;
    const NAME: &'static str = "coin";
    const ABOUT: &'static str = "a coin";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self(Fault::Sound))
    }

    fn determinizer(&self) -> Self {
        *self
    }

    fn format_action(&self, action: u8) -> String {
        match self.0 {
            SameNames => "move".into(),
            _ => action.to_string(),
        }
    }

    fn parse_action(&self, text: &str, legal: &[u8]) -> Result<u8, PluginError> {
        match (self.0, text.trim().parse()) {
            (Misreads, _) => Ok(legal[0]),
            (ReadsNonsense, Err(_)) => Ok(legal[0]),
            (_, Ok(action)) if legal.contains(&action) => Ok(action),
            _ => Err(PluginError::new("no")),
        }
    }

    fn picture(&self, _: &View) -> String {
        "a coin".into()
    }

    fn format_observation(&self, view: &View) -> Option<String> {
        let coin = view.2.map_or("-".into(), |coin| coin.to_string());
        let gap = if self.0 == TwoLines { "\n" } else { " " };
        Some(format!("{} {}{gap}{coin}", view.0, view.1))
    }

    fn parse_observation(&self, text: &str) -> Result<View, PluginError> {
        let bad = |_| PluginError::new("no");
        let words: Vec<&str> = text.split_whitespace().collect();
        let [turns, sum, coin] = words[..] else {
            return Err(PluginError::new("no"));
        };
        let coin = match coin {
            "-" => None,
            coin => Some(coin.parse().map_err(bad)?),
        };
        let turns = turns.parse().map_err(bad)?;
        let turns = if self.0 == OtherPosition { 0 } else { turns };
        Ok((turns, sum.parse().map_err(bad)?, coin))
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![("one", "plays one")]
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        let action = if self.0 == IllegalAgent { 9 } else { 1 };
        let known = name == "one" && self.0 != NoAgent;
        Ok(known.then(|| Arc::new(Always(action)) as SharedPolicy<Self>))
    }
}

type Check = fn(&Coin);

/// The message of the breach, if there is one.
fn message(fault: Fault, check: Check) -> Option<String> {
    let outcome = catch_unwind(AssertUnwindSafe(|| check(&Coin(fault))));
    outcome.err().map(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(_) => "a panic without a message".into(),
    })
}

const CONTRACT: Check = |game| check_contract(game, 50, Seed(1));
const CHANCE: Check = |game| {
    check_chance(game, 50, Seed(1));
};
const WORLDS: Check = |game| check_determinizer(game, game, 20, 4, Seed(1));
const KEYS: Check = |game| {
    check_info_keys(game, 50, Seed(1));
};
const NOTATION: Check = |game| check_notation(game, 20, Seed(1));

#[test]
fn a_sound_game_passes() {
    for check in [CONTRACT, CHANCE, WORLDS, KEYS, NOTATION] {
        assert_eq!(message(Fault::Sound, check), None);
    }
    assert_eq!(check_chance(&Coin(Fault::Sound), 50, Seed(1)), 50);
}

#[test]
fn every_breach_is_noticed_and_named() {
    let breaches: [(Fault, Check, &str); 27] = [
        (Unsorted, CONTRACT, "T-GC1: not strictly ascending: [2, 1]"),
        (
            KeepsBuffer,
            CONTRACT,
            "T-GC1: depends on what the buffer held",
        ),
        (
            NoActions,
            CONTRACT,
            "T-GC1: turn Player(P0) with legal actions []",
        ),
        (
            ActionsAtEnd,
            CONTRACT,
            "T-GC1: turn Terminal with legal actions [1]",
        ),
        (InfiniteReturn, CONTRACT, "T-GC3: returns"),
        (LargeReturn, CONTRACT, "T-GC3: returns"),
        (
            ShortReturns,
            CONTRACT,
            "T-GC3: returns has one value a player",
        ),
        (Endless, CONTRACT, "T-GC4: longer than max_turns() = 3"),
        (ForgetfulCloneFrom, CONTRACT, "T-GC2: clone_from"),
        (ChanceSum, CHANCE, "T-CH1: probabilities sum to 0.9"),
        (ChanceTwice, CHANCE, "T-CH1: 2 occurs twice"),
        (ChanceImpossible, CHANCE, "T-CH1: 4 has probability 0"),
        (ChanceBiased, CHANCE, "T-CH1: sample_chance: chi-square"),
        (ChanceUnlisted, CHANCE, "T-CH1: drew 3"),
        (Refuses, WORLDS, "T-DT1: the true observation is refused"),
        (WrongWorld, WORLDS, "T-DT1: world 0 shows P0 something else"),
        (WrongTurn, WORLDS, "T-DT1: a sampled world: turn differs"),
        (KeepsScratch, WORLDS, "T-DT8: the same generator twice"),
        (NoWeight, WORLDS, "T-DT1: log-weight -inf"),
        (CoarseKey, KEYS, "T-HI1: (2, 0, None) means"),
        (SameNames, NOTATION, "T-FA1: `move`"),
        (Misreads, NOTATION, "T-FA1: `2`"),
        (ReadsNonsense, NOTATION, "T-FA1: `?!` is read as Ok(1)"),
        (TwoLines, NOTATION, "T-FA1: more than one line"),
        (OtherPosition, NOTATION, "T-FA1: reads back differently"),
        (
            NoAgent,
            NOTATION,
            "T-FA1: agent one is listed and does not exist",
        ),
        (IllegalAgent, NOTATION, "T-FA1: agent one plays 9"),
    ];
    for (fault, check, expected) in breaches {
        let Some(message) = message(fault, check) else {
            panic!("{fault:?} passes");
        };
        assert!(message.contains(expected), "{fault:?}: {message}");
        let placed = message.contains("(seed ") && message.contains(", game ");
        assert!(placed || fault == NoAgent, "{fault:?}: {message}");
    }
}

#[test]
fn chi_square_has_power_and_patience() {
    assert_eq!(chi_square(&[500, 510, 490], &[1.0, 1.0, 1.0]), Ok(()));
    assert!(chi_square(&[700, 400, 400], &[1.0, 1.0, 1.0]).is_err());
    assert!(chi_square(&[1_000, 1], &[1.0, 0.0]).is_err());
    assert_eq!(chi_square(&[1_000, 0], &[1.0, 0.0]), Ok(()));
    // Many rare classes are pooled.
    let mut weights = vec![0.001; 100];
    weights.push(0.9);
    let mut counts = vec![1; 100];
    counts.push(900);
    assert_eq!(chi_square(&counts, &weights), Ok(()));
    counts[7] = 300;
    assert!(chi_square(&counts, &weights).is_err());
}
