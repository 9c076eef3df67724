//! Curling as a game for the searchers: [`Curling`].

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::PluginError;
use std::ops::RangeInclusive;

use crate::action::{Action, Kind};
use crate::board::{Board, Stone, Team};
use crate::candidates::candidates;
use crate::candidates::grid::lattice;
use crate::noise::{Deviation, NoiseModel};
use crate::options::{CurlingOptions, Objective, Zone};
use crate::physics::{Delivered, Model, Recorder, Simulator};
use crate::release::Release;
use crate::rules;
use crate::shots::Paths;
use crate::state::{Phase, State, Verdict};
use crate::win_table::{EndScores, WinTable};

/// The rules with their options, the ice and the noise.
#[derive(Debug, Clone)]
pub struct Curling {
    options: CurlingOptions,
    model: Model,
    paths: Paths,
    lattice: Vec<Action>,
    noise: NoiseModel,
    /// The outcomes of a throw when they can be listed, with their probabilities; else empty.
    outcomes: Vec<(Deviation, f64)>,
    table: WinTable,
}

/// Ends after which a match that is still level is drawn.
pub const MOST_ENDS: u8 = 255;

impl Curling {
    /// The game with these options.
    ///
    /// # Errors
    /// When an option is out of range, saying what would be right.
    pub fn new(options: CurlingOptions) -> Result<Self, PluginError> {
        options.check()?;
        let model = Model::new(options.ice);
        let noise = NoiseModel::of(options.noise, options.ice, model.max_speed());
        let outcomes = match (noise, options.noise_points) {
            (NoiseModel::None, _) => noise.quadrature(1),
            (_, 0) => Vec::new(),
            (_, points) => noise.quadrature(points.into()),
        };
        let paths = Paths::new(&model);
        Ok(Self {
            options,
            lattice: lattice(&paths),
            paths,
            model,
            noise,
            outcomes,
            table: WinTable::new(&EndScores::paper()),
        })
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &CurlingOptions {
        &self.options
    }

    /// The ice.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// The paths of a stone on this ice, for aiming.
    #[must_use]
    pub const fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The shots that are candidates whatever lies on the board.
    #[must_use]
    pub(crate) fn lattice(&self) -> &[Action] {
        &self.lattice
    }

    /// The execution noise.
    #[must_use]
    pub const fn noise(&self) -> &NoiseModel {
        &self.noise
    }

    /// The outcomes of a throw with their probabilities, when they can be listed: with `noise_points`
    /// or without noise. Else empty.
    #[must_use]
    pub fn outcomes(&self) -> &[(Deviation, f64)] {
        &self.outcomes
    }

    /// Who wins, by lead and ends left.
    #[must_use]
    pub const fn win_table(&self) -> &WinTable {
        &self.table
    }

    /// Shots of an end.
    #[must_use]
    pub const fn shots(&self) -> u8 {
        if self.options.doubles { 10 } else { 16 }
    }

    /// The stone that the next shot throws.
    #[must_use]
    pub fn stone(&self, state: &State) -> Stone {
        Stone::of(state.thrower(), usize::from(state.shot / 2))
    }

    /// Whether the free guard zone still holds at the next shot.
    #[must_use]
    pub const fn zone_holds(&self, state: &State) -> bool {
        match self.options.zone {
            Zone::Five => state.shot < 5,
            Zone::Four => state.shot < 4,
            Zone::None => false,
        }
    }

    /// The board after a release, by the rules of the free guard zone, and whether they were broken:
    /// then the other stones lie as before and the thrown one is gone.
    pub fn throw<R: Recorder>(
        &self,
        state: &State,
        release: Release,
        recorder: &mut R,
    ) -> (Board, Delivered, bool) {
        let stone = self.stone(state);
        let mut board = state.board;
        let delivered = self.model.deliver(&mut board, stone, release, recorder);
        let zone = self.options.zone;
        let foul = rules::zone_broken(zone, state.shot, stone.team(), &state.board, &board);
        if foul {
            return (state.board, delivered, true);
        }
        (board, delivered, false)
    }

    /// Goes on with `board` after the shot of `state`: the next shot, the next end, or the verdict.
    pub fn settle(&self, state: &mut State, board: Board) {
        state.board = board;
        state.shot += 1;
        state.phase = Phase::Aim;
        if state.shot < self.shots() {
            return;
        }
        if let Some((team, points)) = rules::score(&state.board) {
            state.points[team.index()] += u16::from(points);
            state.hammer = team.opponent();
        }
        state.end += 1;
        state.shot = 0;
        state.board = Board::EMPTY;
        let played = state.end >= self.options.ends;
        if played && state.points[0] != state.points[1] || state.end == MOST_ENDS {
            state.phase = Phase::Over(Verdict::Score);
        } else if state.horizon {
            state.phase = Phase::Over(Verdict::Horizon);
        }
    }

    /// The probability that `team` wins the match from the start of the end that comes next, by
    /// the win table.
    #[must_use]
    pub fn win_probability(&self, state: &State, team: Team) -> f64 {
        let left = self.options.ends.saturating_sub(state.end);
        let hammer = self.table.hammer(left.into(), state.lead(state.hammer));
        if team == state.hammer {
            hammer
        } else {
            1.0 - hammer
        }
    }
}

/// Draws one of the outcomes by their probabilities.
fn draw<R: Rng + ?Sized>(outcomes: &[(Deviation, f64)], rng: &mut R) -> Deviation {
    let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    for (outcome, probability) in outcomes {
        left -= probability;
        if left < 0.0 {
            return *outcome;
        }
    }
    // Rounding only: the probabilities sum to 1 within 1e-12.
    outcomes[outcomes.len() - 1].0
}

/// The seat of a team.
#[must_use]
pub const fn player_of(team: Team) -> Player {
    Player::new(team.index())
}

impl Game for Curling {
    type State = State;
    type Action = Action;
    type Chance = Deviation;
    type Observation = State;

    fn num_players(&self) -> usize {
        2
    }

    /// Seat 1 has the hammer in the first end, as in Digital Curling 3.
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> State {
        State::start(Team::Team1)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Aim => Turn::Player(player_of(state.thrower())),
            Phase::Place(team) => Turn::Player(player_of(team)),
            Phase::Throw(_) => Turn::Chance,
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if state.phase == Phase::Aim {
            candidates(self, state, out);
        }
    }

    /// Any shot in range, not only the candidates that are listed.
    fn apply(&self, state: &mut State, action: Action) {
        state.phase = match action.kind() {
            Kind::Shot(_) => Phase::Throw(action),
            Kind::Place(_) => state.phase,
            Kind::Concede => Phase::Over(Verdict::Conceded(state.thrower())),
        };
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> Deviation {
        match self.outcomes.as_slice() {
            [] => self.noise.sample(rng),
            outcomes => draw(outcomes, rng),
        }
    }

    fn apply_chance(&self, state: &mut State, deviation: Deviation) {
        let Phase::Throw(action) = state.phase else {
            return;
        };
        let Some(meant) = action.release() else {
            return;
        };
        let release = self.noise.execute(&self.model, meant, deviation);
        let (board, _, _) = self.throw(state, release, &mut ());
        self.settle(state, board);
    }

    fn returns(&self, state: &State) -> Returns {
        let lead = state.lead(Team::Team0);
        let value = match (state.phase, self.options.objective) {
            (Phase::Over(Verdict::Conceded(team)), Objective::Win) => {
                f64::from(2 * team.index() as i32 - 1)
            }
            (Phase::Over(Verdict::Horizon), Objective::Win) => {
                2.0 * self.win_probability(state, Team::Team0) - 1.0
            }
            (_, Objective::Win) => f64::from(lead.signum()),
            (_, Objective::Points) => f64::from(lead),
        };
        Returns::zero_sum(value)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        match self.options.objective {
            Objective::Win => -1.0..=1.0,
            Objective::Points => -2040.0..=2040.0,
        }
    }

    fn return_scale(&self) -> f64 {
        match self.options.objective {
            Objective::Win => 2.0,
            Objective::Points => 4.0,
        }
    }

    fn max_turns(&self) -> u32 {
        u32::from(MOST_ENDS) * 33
    }

    fn observe(&self, state: &State, _: Player) -> State {
        State {
            horizon: false,
            ..*state
        }
    }
}

/// Only of a game whose outcomes can be listed ([`Curling::outcomes`] is not empty): of continuous
/// noise nothing is listed.
impl ChanceOutcomes for Curling {
    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Deviation, f64)>) {
        out.clear();
        if matches!(state.phase, Phase::Throw(_)) {
            out.extend_from_slice(&self.outcomes);
        }
    }
}

/// The world of a search: the position itself, with the end of the end as its horizon.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThisEnd;

impl Determinizer<Curling> for ThisEnd {
    type Plan = ();
    const PERFECT_INFORMATION: bool = true;

    fn plan(&self, _: &Curling, _: &State) -> Result<(), Contradiction> {
        Ok(())
    }

    fn scratch(&self, _: &Curling, observation: &State, (): &()) -> State {
        *observation
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Curling,
        observation: &State,
        (): &(),
        _: &mut R,
        world: &mut State,
    ) -> LogWeight {
        *world = State {
            horizon: true,
            ..*observation
        };
        0.0
    }
}
