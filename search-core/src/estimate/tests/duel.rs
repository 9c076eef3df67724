//! A duel with dice, small enough to be solved: what dice chess is in one dimension.

use rand::Rng;

use super::super::{Absorption, Survival};
use crate::game::{Game, Player, Returns, Turn};
use crate::policy::RolloutPolicy;
use crate::rng::{Draw, SimRng};

/// The greatest distance.
pub(super) const FAR: u8 = 6;

/// Two shoot at each other from a distance of 1 to 6. A turn is a roll of two dice, one of which is
/// played. Up to 5 the die that shows the distance hits, at 1 and 2 also a six, at 0 every die. One
/// below the distance walks closer by as much, an even one above it makes it the distance, the
/// others cannot be played. A roll with nothing to play passes. After `limit` turns the duel is
/// drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Duel {
    pub(super) limit: u32,
}

pub(super) const ENDLESS: Duel = Duel { limit: u32::MAX };

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stand {
    pub(super) distance: u8,
    pub(super) mover: u8,
    pub(super) turns: u32,
    roll: Option<[u8; 2]>,
    hit: bool,
}

pub(super) fn stand(distance: u8) -> Stand {
    Stand {
        distance,
        mover: 0,
        turns: 0,
        roll: None,
        hit: false,
    }
}

/// What a die does.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Effect {
    Hit,
    Distance(u8),
    Blocked,
}

pub(super) fn effect(distance: u8, die: u8) -> Effect {
    if distance == 0 || (die == distance && die < FAR) || (distance <= 2 && die == 6) {
        Effect::Hit
    } else if die < distance {
        Effect::Distance(distance - die)
    } else if die > distance && die.is_multiple_of(2) {
        Effect::Distance(die)
    } else {
        Effect::Blocked
    }
}

pub(super) fn rolls() -> impl Iterator<Item = [u8; 2]> {
    (1..=6).flat_map(|a| (1..=6).map(move |b| [a, b]))
}

impl Duel {
    fn pass_on(self, s: &mut Stand) {
        s.roll = None;
        s.mover = 1 - s.mover;
        s.turns += 1;
    }
}

impl Game for Duel {
    type State = Stand;
    type Action = u8;
    type Chance = [u8; 2];
    type Observation = Stand;

    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Stand {
        stand(FAR)
    }
    fn turn(&self, s: &Stand) -> Turn {
        if s.hit || s.turns >= self.limit {
            Turn::Terminal
        } else if s.roll.is_some() {
            Turn::Player(Player::new(s.mover.into()))
        } else {
            Turn::Chance
        }
    }
    fn legal_actions(&self, s: &Stand, out: &mut Vec<u8>) {
        out.clear();
        if let Some(roll) = s.roll {
            out.extend(
                roll.iter()
                    .filter(|d| effect(s.distance, **d) != Effect::Blocked),
            );
            out.sort_unstable();
            out.dedup();
        }
    }
    fn apply(&self, s: &mut Stand, die: u8) {
        match effect(s.distance, die) {
            Effect::Hit => {
                s.hit = true;
                s.roll = None;
            }
            Effect::Distance(d) => {
                s.distance = d;
                self.pass_on(s);
            }
            Effect::Blocked => {}
        }
    }
    fn sample_chance<R: Rng + ?Sized>(&self, _: &Stand, rng: &mut R) -> [u8; 2] {
        [rng.below(6) as u8 + 1, rng.below(6) as u8 + 1]
    }
    fn apply_chance(&self, s: &mut Stand, roll: [u8; 2]) {
        s.roll = Some(roll);
        if roll
            .iter()
            .all(|d| effect(s.distance, *d) == Effect::Blocked)
        {
            self.pass_on(s);
        }
    }
    fn returns(&self, s: &Stand) -> Returns {
        let won = if s.mover == 0 { 1.0 } else { -1.0 };
        Returns::zero_sum(if s.hit { won } else { 0.0 })
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &Stand, _: Player) -> Stand {
        *s
    }
}

/// Hits whenever it can, and plays any other die with the same probability.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eager;

impl RolloutPolicy<Duel> for Eager {
    fn choose_in_world(
        &self,
        _: &Duel,
        s: &Stand,
        _: Player,
        legal: &[u8],
        rng: &mut SimRng,
    ) -> u8 {
        let hit = legal
            .iter()
            .find(|d| effect(s.distance, **d) == Effect::Hit);
        hit.copied().unwrap_or_else(|| rng.pick(legal).unwrap())
    }
}

/// How a roll is found on which the duel goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kernel {
    /// A roll without a hit; one that cannot be played passes.
    Exact,
    /// Any roll with something to play beside a hit: drops the hitting *dice*, not the rolls, and
    /// rolls again where the rules say to pass.
    DieFilter,
}

/// The duel between two eager players.
pub(super) struct Shooting {
    pub(super) kernel: Kernel,
    /// A valuation for the control variate: how often the player to roll wins, by distance.
    pub(super) value: Option<[f64; 7]>,
}

pub(super) const EXACT: Shooting = Shooting {
    kernel: Kernel::Exact,
    value: None,
};

/// Distances after a die that is not a hit, and how many there are.
fn quiet(distance: u8, roll: [u8; 2]) -> ([u8; 2], usize) {
    let (mut reached, mut n) = ([0; 2], 0);
    for (i, die) in roll.iter().enumerate() {
        if let Effect::Distance(to) = effect(distance, *die)
            && (i == 0 || roll[0] != *die)
        {
            reached[n] = to;
            n += 1;
        }
    }
    (reached, n)
}

impl Survival<Duel> for Shooting {
    type Memory = ();

    fn absorption(&self, _: &Duel, s: &Stand, (): &mut ()) -> Absorption {
        // Of 36 rolls those with one of two numbers, or with one.
        const HITS: [f64; 7] = [36.0, 20.0, 20.0, 11.0, 11.0, 11.0, 0.0];
        Absorption {
            probability: HITS[usize::from(s.distance)] / 36.0,
            returns: Returns::zero_sum(if s.mover == 0 { 1.0 } else { -1.0 }),
        }
    }

    fn survive(&self, game: &Duel, s: &mut Stand, (): &mut (), rng: &mut SimRng) -> f64 {
        let (from, mover) = (s.distance, s.mover);
        loop {
            let roll = game.sample_chance(s, rng);
            let (reached, n) = quiet(from, roll);
            let options = &reached[..n];
            let accepted = match self.kernel {
                Kernel::Exact => !hits(from, roll),
                Kernel::DieFilter => !options.is_empty(),
            };
            if accepted {
                s.distance = rng.pick(options).unwrap_or(from);
                game.pass_on(s);
                break;
            }
        }
        let Some(value) = self.value else { return 0.0 };
        let (mut sum, mut ways) = (0.0, 0.0);
        for roll in rolls().filter(|r| !hits(from, *r)) {
            let (reached, n) = quiet(from, roll);
            let options = &reached[..n];
            ways += 1.0;
            sum += if options.is_empty() {
                value[usize::from(from)]
            } else {
                let values = options.iter().map(|d| value[usize::from(*d)]);
                values.sum::<f64>() / options.len() as f64
            };
        }
        // `value` is that of the other player, who is to roll now.
        let luck = value[usize::from(s.distance)] - sum / ways;
        if mover == 0 { -luck } else { luck }
    }
}

fn hits(distance: u8, roll: [u8; 2]) -> bool {
    roll.iter().any(|d| effect(distance, *d) == Effect::Hit)
}

/// Who wins how often within `plies` turns, the player to roll first, then the other, drawn,
/// undecided: by recursion over rolls and dice as the rules have them, conditioning on nothing.
pub(super) fn solve(limit: u32, plies: u32) -> [[f64; 4]; 7] {
    let end = if limit == 0 {
        [0.0, 0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 0.0, 1.0]
    };
    if limit == 0 || plies == 0 {
        return [end; 7];
    }
    let later = solve(if limit == u32::MAX { limit } else { limit - 1 }, plies - 1);
    let mut table = [[0.0; 4]; 7];
    for (distance, row) in table.iter_mut().enumerate() {
        for roll in rolls() {
            let effects = roll.map(|d| effect(distance as u8, d));
            if effects.contains(&Effect::Hit) {
                row[0] += 1.0 / 36.0;
                continue;
            }
            let mut to: Vec<usize> = effects
                .iter()
                .filter_map(|e| match e {
                    Effect::Distance(d) => Some(usize::from(*d)),
                    _ => None,
                })
                .collect();
            if roll[0] == roll[1] {
                to.truncate(1);
            }
            if to.is_empty() {
                to.push(distance);
            }
            for d in &to {
                let [own, other, drawn, open] = later[*d];
                let share = 1.0 / 36.0 / to.len() as f64;
                for (sum, part) in row.iter_mut().zip([other, own, drawn, open]) {
                    *sum += share * part;
                }
            }
        }
    }
    table
}
