//! Curling as a game for the searchers: [`Curling`].

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::PluginError;
use search_core::rng::SimRng;
use std::ops::RangeInclusive;

use crate::action::{Action, Kind, Placement};
use crate::board::{Board, Stone, Team};
use crate::bots::quick::Quick;
use crate::candidates::candidates;
use crate::candidates::grid::lattice;
use crate::noise::{Deviation, NoiseModel};
use crate::options::{CurlingOptions, Objective, Zone};
use crate::physics::{Delivered, Model, Recorder, Simulator};
use crate::release::Release;
use crate::rules::{self, Foul, House, doubles};
use crate::shots::Paths;
use crate::state::{Phase, State, Verdict};
use crate::win_table::WinTable;

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
/// The most points of a team: eight in each of 255 ends. Counting stops there in a match that was set
/// up with more than its ends can bring.
pub const MOST_POINTS: u16 = 2040;

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
            table: WinTable::of(options.scores),
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
        if self.options.doubles {
            doubles::SHOTS
        } else {
            16
        }
    }

    /// Shots still to come in this end, the next one included.
    #[must_use]
    pub const fn shots_left(&self, state: &State) -> u8 {
        self.shots().saturating_sub(state.shot)
    }

    /// The state in which a match begins.
    #[must_use]
    pub const fn start(&self) -> State {
        let hammer = Team::BOTH[(self.options.hammer & 1) as usize];
        if self.options.doubles {
            State::start_doubles(hammer)
        } else {
            State::start(hammer)
        }
    }

    /// The stone that the next shot throws.
    #[must_use]
    pub fn stone(&self, state: &State) -> Stone {
        Stone::of(state.thrower(), usize::from(state.shot / 2))
    }

    /// Whether the free guard zone still holds at the next shot, or in mixed doubles the rule that
    /// stands for it.
    #[must_use]
    pub const fn zone_holds(&self, state: &State) -> bool {
        match self.options.zone {
            Zone::Five | Zone::Four if self.options.doubles => state.shot < 3,
            Zone::Five => state.shot < 5,
            Zone::Four => state.shot < 4,
            Zone::None => false,
        }
    }

    /// Who would score how much if the end were over as the board lies.
    #[must_use]
    pub fn score(&self, board: &Board) -> Option<(Team, u8)> {
        rules::score_within(board, House::of(self.options.ice).scoring)
    }

    /// The board after a release, by the rules of the free guard zone, and whether they were broken:
    /// then the other stones lie as before and the thrown one is gone.
    pub fn throw<R: Recorder>(
        &self,
        state: &State,
        release: Release,
        recorder: &mut R,
    ) -> (Board, Delivered, bool) {
        let (board, delivered, foul) = self.throw_judged(state, release, recorder);
        (board, delivered, foul.is_some())
    }

    /// [`Curling::throw`] with which rule was broken.
    pub fn throw_judged<R: Recorder>(
        &self,
        state: &State,
        release: Release,
        recorder: &mut R,
    ) -> (Board, Delivered, Option<Foul>) {
        let stone = self.stone(state);
        let mut board = state.board;
        let delivered = self.model.deliver(&mut board, stone, release, recorder);
        let foul = rules::foul(
            &self.options,
            state.shot,
            stone.team(),
            &state.board,
            &board,
        );
        let board = if foul.is_some() { state.board } else { board };
        (board, delivered, foul)
    }

    /// Goes on with `board` after the shot of `state`: the next shot, the next end, or the verdict.
    pub fn settle(&self, state: &mut State, board: Board) {
        state.board = board;
        state.shot += 1;
        state.phase = Phase::Aim;
        if state.shot < self.shots() {
            return;
        }
        let scored = self.score(&state.board);
        if let Some((team, points)) = scored {
            let sum = state.points[team.index()] + u16::from(points);
            state.points[team.index()] = sum.min(MOST_POINTS);
            state.hammer = team.opponent();
        }
        state.end += 1;
        state.shot = 0;
        state.board = Board::EMPTY;
        if self.options.doubles {
            let decider = state.doubles.next_decider(scored.map(|(team, _)| team));
            state.doubles.decider = decider;
            state.hammer = decider;
            state.phase = Phase::Place(decider);
        }
        if self.decided(state) {
            state.phase = Phase::Over(Verdict::Score);
        } else if state.horizon {
            state.phase = Phase::Over(Verdict::Horizon);
        }
    }

    /// Whether a match with these ends behind it and these points is over.
    #[must_use]
    pub const fn decided(&self, state: &State) -> bool {
        let played = state.end >= self.options.ends;
        let points_alone = matches!(self.options.objective, Objective::Points);
        played && (points_alone || state.points[0] != state.points[1]) || state.end == MOST_ENDS
    }

    /// Whether the end is an extra end.
    #[must_use]
    pub const fn is_extra_end(&self, state: &State) -> bool {
        state.end >= self.options.ends
    }

    /// Mixed doubles: whether the team that decides may place the stones so.
    #[must_use]
    pub const fn may_place(&self, state: &State, placement: Placement) -> bool {
        let extra = self.is_extra_end(state);
        matches!(state.phase, Phase::Place(_)) && state.doubles.allows(placement, extra)
    }

    fn place(&self, state: &mut State, placement: Placement) {
        let decider = state.doubles.decider;
        if doubles::is_power_play(placement) {
            state.doubles.power_play[decider.index()] = true;
        }
        (state.board, state.hammer) = doubles::place(placement, decider, self.options.pattern);
        state.phase = Phase::Aim;
    }

    /// The state with its end scored as the board lies; unchanged where no end has begun.
    #[must_use]
    pub fn scored_as_it_lies(&self, state: &State) -> State {
        let mut state = *state;
        let begun = state.shot > 0 || !state.board.is_empty();
        if begun && matches!(state.phase, Phase::Aim | Phase::Throw(_)) {
            let board = state.board;
            state.shot = self.shots() - 1;
            self.settle(&mut state, board);
        }
        state
    }

    /// What a state is worth to team 0: the result where the match is over, and elsewhere the
    /// winning chance at the start of an end by the win table, or the lead.
    fn value(&self, state: &State) -> f64 {
        let lead = state.lead(Team::Team0);
        match (state.phase, self.options.objective) {
            (Phase::Over(Verdict::Conceded(team)), Objective::Win) => {
                f64::from(2 * team.index() as i32 - 1)
            }
            (Phase::Over(Verdict::Conceded(Team::Team0)), Objective::Points) => {
                f64::from(lead.min(-1))
            }
            (Phase::Over(Verdict::Conceded(Team::Team1)), Objective::Points) => {
                f64::from(lead.max(1))
            }
            (Phase::Over(Verdict::Score), Objective::Win) => f64::from(lead.signum()),
            (_, Objective::Win) => 2.0 * self.win_probability(state, Team::Team0) - 1.0,
            (_, Objective::Points) => f64::from(lead),
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

    /// Seat 1 has the hammer in the first end, as in Digital Curling 3, unless the options say
    /// otherwise. With `thrown` shots gone, by the policy `quick` and the game's own noise.
    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> State {
        let mut state = self.start();
        if self.options.thrown > 0 {
            let mut luck = SimRng::new(rng.next_u64());
            while state.shot < self.options.thrown {
                let Some(shot) = Quick::shot(self, &state, &mut luck) else {
                    break;
                };
                self.apply(&mut state, shot);
                let deviation = self.sample_chance(&state, &mut luck);
                self.apply_chance(&mut state, deviation);
            }
        }
        state
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
        match state.phase {
            Phase::Aim => candidates(self, state, out),
            Phase::Place(_) => out.extend(
                Placement::ALL
                    .into_iter()
                    .filter(|p| self.may_place(state, *p))
                    .map(Action::place),
            ),
            Phase::Throw(_) | Phase::Over(_) => {}
        }
    }

    /// Any shot, not only the candidates that are listed, and giving up. An action that does not
    /// belong to the phase leaves the state as it is; that is a mistake of the caller, which a build
    /// with debug assertions stops at.
    fn apply(&self, state: &mut State, action: Action) {
        match (action.kind(), state.phase) {
            (Kind::Shot(_), Phase::Aim) => state.phase = Phase::Throw(action),
            (Kind::Place(placement), Phase::Place(_)) if self.may_place(state, placement) => {
                self.place(state, placement);
            }
            (Kind::Concede, Phase::Aim) => {
                state.phase = Phase::Over(Verdict::Conceded(state.thrower()));
            }
            (Kind::Concede, Phase::Place(team)) => {
                state.phase = Phase::Over(Verdict::Conceded(team));
            }
            (_, phase) => debug_assert!(false, "{action:?} in phase {phase:?}"),
        }
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> Deviation {
        match self.outcomes.as_slice() {
            [] => self.noise.sample(rng),
            outcomes => draw(outcomes, rng),
        }
    }

    fn apply_chance(&self, state: &mut State, deviation: Deviation) {
        let Some(meant) = state.aimed() else {
            debug_assert!(false, "a throw in phase {:?}", state.phase);
            return;
        };
        let release = self.noise.execute(&self.model, meant, deviation);
        let (board, _, _) = self.throw(state, release, &mut ());
        self.settle(state, board);
    }

    /// For the objective `win` 1, 0 or -1; for `points` the lead, and at least a point for the other
    /// team where one gave up.
    fn returns(&self, state: &State) -> Returns {
        Returns::zero_sum(self.value(state))
    }

    /// The end as the board lies: scored now, and the match valued from there.
    fn cut_off_returns(&self, state: &State) -> Returns {
        Returns::zero_sum(self.value(&self.scored_as_it_lies(state)))
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        match self.options.objective {
            Objective::Win => -1.0..=1.0,
            Objective::Points => -f64::from(MOST_POINTS)..=f64::from(MOST_POINTS),
        }
    }

    fn return_scale(&self) -> f64 {
        match self.options.objective {
            Objective::Win => 2.0,
            Objective::Points => 4.0,
        }
    }

    /// Two turns a shot, and one for the placing of mixed doubles.
    fn max_turns(&self) -> u32 {
        u32::from(MOST_ENDS) * 33
    }

    /// Every shot that a player can intend, and giving up.
    fn accepts(&self, observation: &State, action: Action) -> bool {
        let aiming = observation.phase == Phase::Aim;
        match action.kind() {
            Kind::Shot(_) => aiming && action.speed() <= self.model.max_speed(),
            Kind::Place(_) => false,
            Kind::Concede => self.turn(observation) != Turn::Terminal,
        }
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
