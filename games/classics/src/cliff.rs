//! Shots at a cliff, the smallest game of execution noise: [`Cliff`].

mod plugin;
mod value;

pub use plugin::CliffOptions;
pub use value::{best_aim, value};

use rand::Rng;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::plugin::PluginError;
use search_core::rng::{Draw, SimRng};
use search_core::search::continuous::ContinuousActions;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

/// A stone is pushed along a table of length 1 and pays the way that it came, `x`; beyond the edge it
/// pays `-fall`, and `0` when it goes backwards. It stops `sigma` off the aim, normally distributed.
///
/// Played without noise the best aim is the edge; with noise it is [`best_aim`], a little before it,
/// which is the point of the game: curling in one dimension. The return is the mean over a player's
/// shots; for two players, who take turns, less the other's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cliff {
    players: u8,
    shots: u8,
    aims: u16,
    sigma: f64,
    fall: f64,
}

impl Default for Cliff {
    fn default() -> Self {
        Self {
            players: 1,
            shots: 1,
            aims: 11,
            sigma: 0.1,
            fall: 1.0,
        }
    }
}

/// Millionths: the unit of aims, far finer than any noise.
const UNIT: f64 = 1e-6;

/// Where a stone should stop, in millionths of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Aim(i32);

impl Aim {
    /// The aims there are, also those that are not listed.
    pub const RANGE: RangeInclusive<f64> = -100.0..=100.0;

    /// The aim nearest to `x`, which is taken into the range; 0 for what is no number.
    #[must_use]
    pub fn new(x: f64) -> Self {
        Self(libm::round(x.clamp(*Self::RANGE.start(), *Self::RANGE.end()) / UNIT) as i32)
    }

    /// The place, 0 to 1 on the table.
    #[must_use]
    pub fn x(self) -> f64 {
        f64::from(self.0) * UNIT
    }
}

/// How far off the aim a stone stops, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deviation(i32);

/// The shots made and what they paid; all of it is public.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CliffState {
    paid: [f64; 2],
    made: u8,
    aim: Option<Aim>,
}

impl CliffState {
    /// Shots made, of both players.
    #[must_use]
    pub const fn made(&self) -> u32 {
        self.made as u32
    }
}

impl Cliff {
    /// The game for these options.
    ///
    /// # Errors
    /// When one is out of range.
    pub fn new(options: &CliffOptions) -> Result<Self, PluginError> {
        let CliffOptions {
            players,
            shots,
            aims,
            sigma,
            fall,
        } = *options;
        let check = |fits: bool, what: String| fits.then_some(()).ok_or(PluginError(what));
        check(
            (1..=2).contains(&players),
            format!("cliff(players={players}): expected 1 or 2"),
        )?;
        check(
            (1..=100).contains(&shots),
            format!("cliff(shots={shots}): expected 1 to 100"),
        )?;
        check(
            (2..=1001).contains(&aims),
            format!("cliff(aims={aims}): expected 2 to 1001"),
        )?;
        check(
            (0.0..=0.25).contains(&sigma),
            format!("cliff(sigma={sigma}): expected 0 to 0.25"),
        )?;
        check(
            (0.0..=10.0).contains(&fall),
            format!("cliff(fall={fall}): expected 0 to 10"),
        )?;
        Ok(Self {
            players: players as u8,
            shots: shots as u8,
            aims: aims as u16,
            sigma,
            fall,
        })
    }

    /// Standard deviation of where a stone stops.
    #[must_use]
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// What is lost beyond the edge.
    #[must_use]
    pub const fn fall(&self) -> f64 {
        self.fall
    }

    /// What a stone pays that stops at `x`.
    #[must_use]
    pub fn pays(&self, x: f64) -> f64 {
        match x {
            x if x > 1.0 => -self.fall,
            x => x.max(0.0),
        }
    }

    fn all_shots(self) -> u8 {
        self.players * self.shots
    }

    /// A normal deviate by Box & Muller's method.
    fn deviation<R: Rng + ?Sized>(self, rng: &mut R) -> Deviation {
        let radius = (-2.0 * libm::log(1.0 - rng.unit())).sqrt();
        let normal = radius * libm::cos(TAU * rng.unit());
        Deviation(libm::round(self.sigma * normal / UNIT) as i32)
    }
}

impl Game for Cliff {
    type State = CliffState;
    type Action = Aim;
    type Chance = Deviation;
    type Observation = CliffState;

    fn num_players(&self) -> usize {
        usize::from(self.players)
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> CliffState {
        CliffState::default()
    }

    fn turn(&self, state: &CliffState) -> Turn {
        if state.aim.is_some() {
            Turn::Chance
        } else if state.made == self.all_shots() {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(usize::from(state.made % self.players)))
        }
    }

    /// Evenly spaced aims from 0 to the edge.
    fn legal_actions(&self, state: &CliffState, out: &mut Vec<Aim>) {
        out.clear();
        if matches!(self.turn(state), Turn::Player(_)) {
            let last = f64::from(self.aims - 1);
            out.extend((0..self.aims).map(|i| Aim::new(f64::from(i) / last)));
        }
    }

    fn accepts(&self, state: &CliffState, _: Aim) -> bool {
        matches!(self.turn(state), Turn::Player(_))
    }

    fn apply(&self, state: &mut CliffState, aim: Aim) {
        state.aim = Some(aim);
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &CliffState, rng: &mut R) -> Deviation {
        self.deviation(rng)
    }

    fn apply_chance(&self, state: &mut CliffState, deviation: Deviation) {
        let Some(aim) = state.aim.take() else {
            return;
        };
        let x = f64::from(aim.0.saturating_add(deviation.0)) * UNIT;
        state.paid[usize::from(state.made % self.players)] += self.pays(x);
        state.made += 1;
    }

    fn returns(&self, state: &CliffState) -> Returns {
        let mean = state.paid.map(|paid| paid / f64::from(self.shots));
        match self.players {
            1 => Returns::splat(1, mean[0]),
            _ => Returns::zero_sum(mean[0] - mean[1]),
        }
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        let other = f64::from(self.players - 1);
        -self.fall - other..=1.0 + other * self.fall
    }

    fn max_turns(&self) -> u32 {
        2 * u32::from(self.all_shots())
    }

    fn observe(&self, state: &CliffState, _: Player) -> CliffState {
        *state
    }
}

/// The aims between the listed ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnyAim;

impl ContinuousActions<Cliff> for AnyAim {
    fn execute(&self, game: &Cliff, _: &CliffState, aim: Aim, rng: &mut SimRng) -> Aim {
        let limit = Aim::new(*Aim::RANGE.end()).0;
        let x = aim.0.saturating_add(game.deviation(rng).0);
        Aim(x.clamp(-limit, limit))
    }

    fn kernel(&self, game: &Cliff, _: &CliffState, a: Aim, b: Aim) -> f64 {
        if a == b {
            return 1.0;
        }
        let z = (a.x() - b.x()) / game.sigma;
        libm::exp(-0.5 * z * z)
    }

    fn exactly(&self, _: &Cliff, _: &CliffState) -> Deviation {
        Deviation(0)
    }
}
