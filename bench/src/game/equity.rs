//! `equity`: who will win from a position, by survival rollouts.

use search_core::estimate::{
    Control, ControlReport, Equity, EstimateError, Mode, Rollouts, SharedEquity, Verdict,
};
use search_core::expr::{Expr, ExprError, hint};
use search_core::game::{Player, Turn};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use serde::Serialize;

use super::analyse::read_world;
use crate::error::{Error, Result};
use crate::experiment::match_driver::MatchSeeds;

/// The widest interval that allows a verdict.
const VERDICT_WIDTH: f64 = 0.1;
/// Rollouts of the run that sets the coefficient of a control variate.
const PILOT: u64 = 256;

/// What to estimate.
#[derive(Debug, Clone)]
pub struct EquityRequest<'a> {
    /// The position as text; without it, the start of the match of `seed`.
    pub position: Option<&'a str>,
    /// What both players follow; the first policy of the game unless given.
    pub policy: Option<&'a Expr>,
    /// The most rollouts.
    pub rollouts: u64,
    /// The standard error at which it stops earlier.
    pub target_error: Option<f64>,
    /// The horizon in turns.
    pub plies: u32,
    /// The seed of the start and of the rollouts.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Whether to use the luck of the draws as a control variate.
    pub control_variate: bool,
    /// Whether to run as many plain rollouts beside it, for comparison.
    pub naive: bool,
}

/// What is being estimated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Position {
    /// The position as text, where the game has a notation.
    pub position: Option<String>,
    /// The position for a person.
    pub picture: String,
    /// The policy as an expression.
    pub policy: String,
    /// What the players are called.
    pub players: [&'static str; 2],
}

/// An estimate. Numbers that are not finite are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EquityRow {
    /// Rollouts so far.
    pub rollouts: u64,
    /// How often each player wins within the horizon.
    pub wins: [f64; 2],
    /// How often the game is drawn within the horizon.
    pub drawn: f64,
    /// What the rollouts left open.
    pub undecided: f64,
    /// The standard error of the first player's wins; none below two rollouts.
    pub standard_error: Option<f64>,
    /// The 95 % interval of the first player's wins.
    pub interval: [f64; 2],
    /// The expected return of the first player.
    pub score: f64,
    /// `p̄(1 - p̄)/s²`; none where it is infinite.
    pub variance_reduction: Option<f64>,
    /// Nothing was drawn at random.
    pub exact: bool,
    /// The coefficient of the control variate, if one was used.
    pub beta: Option<f64>,
    /// The rollouts of its pilot run.
    pub pilot: Option<u64>,
    /// The variance without it over that with it.
    pub gain: Option<f64>,
}

/// Plain rollouts of the same process.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NaiveRow {
    /// How many.
    pub rollouts: u64,
    /// How often each player wins.
    pub wins: [f64; 2],
    /// The standard error of the first player's wins.
    pub standard_error: Option<f64>,
    /// Their variance over that of the survival rollouts; none where that is 0.
    pub variance_reduction: Option<f64>,
    /// The same of the returns, which need not be 0 or 1.
    pub score_variance_reduction: Option<f64>,
}

/// Who is favoured, if that may be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Favour {
    /// The interval is too wide.
    Withheld,
    /// A player wins more often, whatever becomes of the undecided mass.
    Favoured,
    /// A player wins more often as far as it is decided.
    Ahead,
    /// No difference can be told from none.
    Level,
}

/// The verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictRow {
    /// Its kind.
    pub kind: Favour,
    /// Whom it is about, from 0.
    pub player: Option<usize>,
    /// How many more rollouts would allow one.
    pub more_rollouts: Option<u64>,
    /// In words.
    pub text: String,
}

/// The estimate of one position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EquityReport {
    /// What was estimated.
    #[serde(flatten)]
    pub of: Position,
    /// After 64, 128, 256 … rollouts.
    pub looks: Vec<EquityRow>,
    /// The last of them.
    pub estimate: EquityRow,
    /// Plain rollouts, if they were asked for.
    pub naive: Option<NaiveRow>,
    /// The verdict.
    pub verdict: VerdictRow,
}

/// What there is to see while it goes on.
#[derive(Debug)]
pub enum EquityStep<'a> {
    /// Before the first rollout.
    Begins(&'a Position),
    /// An estimate.
    Look(&'a EquityRow),
}

pub(super) fn equity<P: Plugin>(
    game: &P,
    request: &EquityRequest<'_>,
    watch: &mut dyn FnMut(EquityStep<'_>) -> Result<()>,
) -> Result<EquityReport> {
    // Known when this is compiled: nothing below is made for other games.
    if !P::HAS_SURVIVAL {
        return Err(no_survival(P::NAME));
    }
    let (source, policy) = source(game, request)?;
    let rollouts = Rollouts {
        rollouts: request.rollouts,
        plies: request.plies,
        target_error: request.target_error,
        threads: request.threads,
        control: if request.control_variate {
            Control::Pilot(PILOT)
        } else {
            Control::Off
        },
        ..Rollouts::default()
    };
    rollouts.check().map_err(refused)?;
    let (observation, state) = position(game, request)?;
    let of = Position {
        position: game.format_observation(&observation),
        picture: game.picture(&observation),
        policy: policy.to_string(),
        players: source.players(),
    };
    let seed = Seed(request.seed).child("equity");
    let (mut looks, mut begun, mut gone) = (Vec::new(), false, Ok(()));
    let mut look = |equity: &Equity| {
        let row = row(equity);
        if gone.is_ok() && !begun {
            gone = watch(EquityStep::Begins(&of));
            begun = true;
        }
        if gone.is_ok() {
            gone = watch(EquityStep::Look(&row));
        }
        looks.push(row);
    };
    let equity = source
        .estimate(game, &state, &rollouts, seed, &mut look)
        .map_err(refused)?;
    gone?;
    let naive = if request.naive {
        let plain = Rollouts {
            rollouts: equity.rollouts,
            mode: Mode::Naive,
            control: Control::Off,
            target_error: None,
            ..rollouts
        };
        let seed = seed.child("naive");
        let run = source.estimate(game, &state, &plain, seed, &mut |_| {});
        Some(naive_row(&run.map_err(refused)?, &equity))
    } else {
        None
    };
    Ok(EquityReport {
        verdict: verdict(&equity, of.players),
        of,
        looks,
        estimate: row(&equity),
        naive,
    })
}

fn no_survival(name: &str) -> Error {
    Error::input(format!(
        "{name} has no exact survival: what a turn is worth cannot be computed before it is played"
    ))
}

/// The process that a policy makes.
fn source<P: Plugin>(game: &P, request: &EquityRequest<'_>) -> Result<(SharedEquity<P>, Expr)> {
    let policies = game.survival_policies();
    let Some((first, _)) = policies.first() else {
        return Err(no_survival(P::NAME));
    };
    let policy = request
        .policy
        .cloned()
        .unwrap_or_else(|| Expr::word(*first));
    let mut settings = policy.settings();
    let found = game.survival(&policy.name, &mut settings, request.control_variate);
    let found = found.and_then(|found| {
        let source = found.ok_or_else(|| ExprError::UnknownName {
            what: "policy",
            name: policy.name.clone(),
            hint: hint(&policy.name, policies.iter().map(|(name, _)| *name)),
        })?;
        settings.finish()?;
        Ok(source)
    });
    let found = found
        .map_err(|e| Error::input(format!("--policy: {e}\n  see: searchlab games {}", P::NAME)))?;
    Ok((found, policy))
}

fn position<P: Plugin>(
    game: &P,
    request: &EquityRequest<'_>,
) -> Result<(P::Observation, P::State)> {
    if let Some(text) = request.position {
        let (seen, state) = read_world(game, text)?;
        let player = match game.turn(&state) {
            Turn::Player(player) => player,
            _ => return Ok((seen, state)),
        };
        // Who wins is asked before the roll: a position that shows one stands for that.
        return Ok(match game.before_chance(&state) {
            Some(before) => (game.observe(&before, player), before),
            None => (seen, state),
        });
    }
    let mut rng = MatchSeeds::new(request.seed).deal(0).stream();
    let state = game.initial_state(&mut rng);
    let player = match game.turn(&state) {
        Turn::Player(player) => player,
        _ => Player::new(0),
    };
    Ok((game.observe(&state, player), state))
}

/// The flag in front of what is wrong with it.
fn refused(error: EstimateError) -> Error {
    match error {
        EstimateError::Setting {
            name,
            value,
            expected,
        } => Error::input(format!(
            "--{}: {value} cannot be used; expected {expected}",
            name.replace(' ', "-")
        )),
        EstimateError::Start(error) => Error::input(format!("--position: {error}")),
        EstimateError::Players(_) => Error::input(format!("--game: {error}")),
        EstimateError::Process { .. } => Error::Failed(error.to_string()),
    }
}

fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

fn row(e: &Equity) -> EquityRow {
    let (low, high) = e.interval();
    let control = |of: fn(&ControlReport) -> f64| e.control.as_ref().map(of).and_then(finite);
    EquityRow {
        rollouts: e.rollouts,
        wins: e.wins,
        drawn: e.drawn,
        undecided: e.undecided,
        standard_error: finite(e.std_error),
        interval: [low, high],
        score: e.score,
        variance_reduction: finite(e.variance_reduction),
        exact: e.exact,
        beta: control(|c| c.beta),
        pilot: e.control.map(|c| c.pilot),
        gain: control(|c| c.gain),
    }
}

fn naive_row(naive: &Equity, equity: &Equity) -> NaiveRow {
    NaiveRow {
        rollouts: naive.rollouts,
        wins: naive.wins,
        standard_error: finite(naive.std_error),
        variance_reduction: finite(naive.variance / equity.variance),
        score_variance_reduction: finite(naive.score_variance / equity.score_variance),
    }
}

fn verdict(equity: &Equity, players: [&str; 2]) -> VerdictRow {
    let named = |player: Player| players[player.index().min(1)];
    let (kind, player, more_rollouts, text) = match equity.verdict(VERDICT_WIDTH) {
        Verdict::Withheld {
            width,
            needed,
            more,
        } => (
            Favour::Withheld,
            None,
            Some(more),
            if width > needed {
                format!(
                    "no verdict: the interval is {width:.2} wide, {needed} is needed; about {more} \
                     more rollouts would do"
                )
            } else {
                format!("no verdict: too few rollouts to trust the interval; {more} more would do")
            },
        ),
        Verdict::Favoured(player) => (
            Favour::Favoured,
            Some(player.index()),
            None,
            format!("{} is favoured", named(player)),
        ),
        Verdict::Ahead(player) => (
            Favour::Ahead,
            Some(player.index()),
            None,
            format!(
                "{} is ahead as far as it is decided; the undecided {:.1} % could turn it, more \
                 --plies would tell",
                named(player),
                100.0 * equity.undecided
            ),
        ),
        Verdict::Level if equity.undecided > VERDICT_WIDTH => (
            Favour::Level,
            None,
            None,
            format!(
                "nobody is favoured as far as it is decided; {:.1} % is not, more --plies would tell",
                100.0 * equity.undecided
            ),
        ),
        Verdict::Level => (
            Favour::Level,
            None,
            None,
            "nobody is favoured as far as these rollouts can tell".into(),
        ),
    };
    VerdictRow {
        kind,
        player,
        more_rollouts,
        text,
    }
}
