//! A player by the rules of curling strategy: [`Strategist`].

use search_core::policy::Policy;
use search_core::rng::SimRng;

use super::outlook::{Outlook, after_end};
use super::quick::Quick;
use crate::action::{Action, Placement};
use crate::board::{Point, Team, in_house};
use crate::candidates::named_shots;
use crate::game::Curling;
use crate::rules::guards;
use crate::shots::{Aim, Shot};
use crate::state::{Phase, State};

/// Decides by rules and tries out what they leave.
///
/// 1. It reads the score, the hammer, the shots left, who lies shot and how many, and the guards, and
///    drops what the rules of strategy speak against: centre guards are for the side without the
///    hammer and corner guards for the side with it, both while many shots are to come and never when
///    ahead late; a guard may be hit out only when the free guard zone no longer holds, and is worth
///    it only to protect a lead or to get at the shot stone; a stone is thrown through only for a
///    blank end.
/// 2. Each shot left is thrown once without noise on the ice of the game, and the boards are compared
///    by [`Outlook`].
/// 3. The `finalists` are thrown four times more, off by 1.2 standard deviations of the execution
///    noise along and across; the best mean wins.
///
/// Deterministic: no generator is used where a shot is to be thrown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strategist {
    /// -1 (keeps the sheet clean) to 1 (fills it).
    pub aggression: f64,
    /// How many shots are thrown more than once.
    pub finalists: usize,
    /// How boards are compared.
    pub outlook: Outlook,
}

impl Default for Strategist {
    fn default() -> Self {
        Self {
            aggression: 0.0,
            finalists: 6,
            outlook: Outlook::default(),
        }
    }
}

/// What a player sees before thinking of a shot.
#[derive(Debug, Clone, Copy)]
struct Reading {
    team: Team,
    hammer: bool,
    /// Shots to come, this one included.
    left: u8,
    /// Whether to play for a clean sheet.
    protect: bool,
    /// Points as the board lies, negative for the other team.
    lies: i32,
    centre_guards: usize,
    corner_guards: usize,
}

impl Reading {
    fn new(game: &Curling, state: &State, aggression: f64) -> Self {
        let team = state.thrower();
        let hammer = state.hammer == team;
        let ends = i32::from(game.options().ends.saturating_sub(state.end).max(1));
        // A lead is protected the sooner the fewer ends are left; the hammer is worth half a point.
        let lead = f64::from(state.lead(team)) + if hammer { 0.5 } else { -0.5 };
        let protect = lead > 0.6 + 0.35 * f64::from(ends) + 2.0 * aggression;
        let lies = game.score(&state.board).map_or(0, |(who, n)| {
            if who == team {
                i32::from(n)
            } else {
                -i32::from(n)
            }
        });
        let out = |side: fn(f32) -> bool| {
            let before = state.board.stones().filter(|(_, p)| is_guard(*p));
            before.filter(|(_, p)| side(p.x.abs())).count()
        };
        Self {
            team,
            hammer,
            left: game.shots().saturating_sub(state.shot),
            protect,
            lies,
            centre_guards: out(|x| x < 0.45),
            corner_guards: out(|x| x >= 0.45),
        }
    }

    /// Whether the rules leave a shot.
    fn allows(&self, game: &Curling, state: &State, shot: &Shot) -> bool {
        let last = self.left == 1;
        match *shot {
            Shot::Draw { to } if in_house(to) => true,
            Shot::Draw { .. } => {
                self.hammer && !self.protect && self.left > 6 && self.corner_guards < 2
            }
            Shot::Guard { of: None, .. } => {
                !last
                    && (self.lies > 0
                        || !self.hammer && !self.protect && self.left > 5 && self.centre_guards < 2)
            }
            Shot::Guard { of: Some(_), .. } => !last && self.lies > 0,
            Shot::TakeOut { stone, .. } => {
                let house = state.board.get(stone).is_some_and(in_house);
                let own = stone.team() == self.team;
                house || !own && !last && (self.protect || self.lies < 0)
            }
            Shot::Tick { .. } => self.hammer && self.protect && game.zone_holds(state),
            Shot::Raise { stone, .. } => stone.team() == self.team && self.left <= 8,
            Shot::Through { .. } => self.hammer && (last || self.protect && self.left > 8),
            Shot::ComeAround { .. }
            | Shot::Freeze { .. }
            | Shot::Double { .. }
            | Shot::HitAndRoll { .. } => true,
        }
    }
}

fn is_guard(point: Point) -> bool {
    !in_house(point) && point.y < Point::TEE.y
}

/// A shot that the rules leave, with its worth.
#[derive(Clone, Copy)]
struct Tried {
    aim: Aim,
    value: f64,
}

impl Strategist {
    /// The shot, one of the named ones; `None` when the rules leave none.
    #[must_use]
    pub fn shot(&self, game: &Curling, state: &State) -> Option<Action> {
        let reading = Reading::new(game, state, self.aggression);
        let mut tried: Vec<Tried> = Vec::new();
        named_shots(game, state, |shot, aim| {
            if reading.allows(game, state, shot) {
                let value = self.worth(game, state, &reading, aim);
                tried.push(Tried { aim: *aim, value });
            }
        });
        tried.sort_by(|a, b| b.value.total_cmp(&a.value));
        tried.truncate(self.finalists.max(1));
        for shot in &mut tried {
            shot.value = self.mean(game, state, &reading, shot);
        }
        let mut best = *tried.first()?;
        for shot in &tried[1..] {
            if shot.value > best.value {
                best = *shot;
            }
        }
        let aim = best.aim;
        Some(Action::polar(aim.speed, aim.angle, aim.spin))
    }

    /// The worth of the board after a throw without noise.
    fn worth(&self, game: &Curling, state: &State, reading: &Reading, aim: &Aim) -> f64 {
        let (board, _, _) = game.throw(state, aim.release(), &mut ());
        let mut after = *state;
        game.settle(&mut after, board);
        if after.end != state.end {
            return after_end(game, &after, reading.team);
        }
        let outlook = Outlook {
            clutter: self.outlook.clutter * (1.0 + self.aggression),
            ..self.outlook
        };
        let pull = 0.02 * self.aggression * f64::from(guards(&board, reading.team).count_ones());
        outlook.value(game, &after, reading.team) + pull
    }

    /// The mean worth with four deviations beside the throw as meant: weights that keep mean and
    /// variance of the noise.
    fn mean(&self, game: &Curling, state: &State, reading: &Reading, shot: &Tried) -> f64 {
        const FAR: f64 = 1.224_744_871_391_589;
        let aim = &shot.aim;
        let (across, along) = game.noise().spread_at(game.model(), aim.target);
        if across == 0.0 && along == 0.0 {
            return shot.value;
        }
        let mut sum = shot.value / 3.0;
        for (sx, sy) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let target = Point::new(
                (f64::from(aim.target.x) + sx * FAR * across) as f32,
                (f64::from(aim.target.y) + sy * FAR * along) as f32,
            );
            let weight = aim.left / game.paths().unit();
            let off = game.paths().aim(target, weight, aim.spin);
            sum += off.map_or(shot.value, |off| self.worth(game, state, reading, &off)) / 6.0;
        }
        sum
    }
}

impl Policy<Curling> for Strategist {
    fn choose(&self, game: &Curling, state: &State, legal: &[Action], rng: &mut SimRng) -> Action {
        let wanted = match state.phase {
            Phase::Aim => self
                .shot(game, state)
                .or_else(|| Quick::shot(game, state, rng)),
            _ => None,
        };
        wanted
            .or(legal.first().copied())
            .unwrap_or(Action::place(Placement::CentreHouse))
    }

    fn reads_legal(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Stone;
    use crate::options::CurlingOptions;

    /// What the rules say to these shots: a stone past the house, a tick, cover for an own stone.
    fn allowed(state: &State) -> [bool; 3] {
        let game = Curling::new(CurlingOptions::default()).unwrap();
        let reading = Reading::new(&game, state, 0.0);
        let of = Some(Stone::new(0));
        let distance = 3.0;
        [
            Shot::Through { x: 1.6 },
            Shot::Tick {
                stone: Stone::new(8),
                side: 1.0,
            },
            Shot::Guard { of, distance },
        ]
        .map(|shot| reading.allows(&game, state, &shot))
    }

    #[test]
    fn only_the_hammer_gives_a_stone_away() {
        // Four up after six ends: whoever throws protects the lead.
        for (shot, hammer) in [(2, false), (3, true)] {
            let mut state = State::start(Team::Team1);
            (state.end, state.shot) = (6, shot);
            let thrower = state.thrower();
            state.points[thrower.index()] = 4;
            assert_eq!(allowed(&state), [hammer, hammer, false], "{shot}");
            // Level, nobody does, but with the last stone to blank the end.
            state.points = [0, 0];
            assert_eq!(allowed(&state), [false; 3]);
            state.shot = 12 + shot;
            assert_eq!(allowed(&state), [hammer && state.shot == 15, false, false]);
        }
    }

    #[test]
    fn what_lies_first_is_guarded() {
        let mut state = State::start(Team::Team1);
        state.shot = 4;
        for (stone, guards) in [(0, true), (8, false)] {
            state.board = crate::board::Board::EMPTY;
            state.board.put(Stone::new(stone), Point::TEE);
            assert_eq!(allowed(&state)[2], guards);
        }
    }

    /// One up in the last end is worth protecting with the hammer and not without it.
    #[test]
    fn a_lead_is_protected_sooner_with_the_hammer() {
        let game = Curling::new(CurlingOptions::default()).unwrap();
        for (shot, hammer) in [(2, false), (3, true)] {
            let mut state = State::start(Team::Team1);
            (state.end, state.shot) = (7, shot);
            state.points[state.thrower().index()] = 1;
            assert_eq!(Reading::new(&game, &state, 0.0).protect, hammer);
        }
    }
}
