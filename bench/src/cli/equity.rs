//! `equity`: who will win from a position, by survival rollouts.

use search_core::expr::Expr;
use serde::Serialize;

use super::console::Console;
use super::text::{indent, seconds, shell, thousands};
use super::{about_flag, agent_expr, position_text, survivors};
use crate::error::{Error, Result};
use crate::game::{EquityReport, EquityRequest, EquityRow, EquityStep, Favour, Position};
use crate::registry::Registry;

/// Estimate who will win from a position: rollouts that add the exact probability of ending in the
/// coming turn instead of throwing for it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// The position as the game writes it, or its name in `games`, or a file that holds it;
    /// without it, the start of the match of --seed.
    #[arg(long, value_name = "TEXT|FILE", allow_hyphen_values = true)]
    position: Option<String>,
    /// What both players follow, one of those under `equity` in `games`; the first unless given.
    #[arg(long, value_name = "EXPR")]
    policy: Option<String>,
    /// The most rollouts.
    #[arg(long, default_value_t = 4096, allow_hyphen_values = true)]
    rollouts: u64,
    /// Stop once the standard error is no greater: looked at after 128, 256, 512 … rollouts.
    #[arg(long, value_name = "ERROR", allow_hyphen_values = true)]
    target_error: Option<f64>,
    /// The horizon: turns after which a rollout is left undecided.
    #[arg(long, default_value_t = 1000, allow_hyphen_values = true)]
    plies: u32,
    /// The seed of the start and of the rollouts.
    #[arg(long, default_value = "0", value_parser = super::seed, allow_hyphen_values = true)]
    seed: u64,
    /// Threads. They change how long it takes, never what comes out.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Take the luck of the draws out, as much as a pilot run of 256 rollouts finds best.
    #[arg(long)]
    control_variate: bool,
    /// Run as many plain rollouts beside it and compare the variances.
    #[arg(long)]
    naive: bool,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    game: &'a str,
    seed: u64,
    plies: u32,
    #[serde(flatten)]
    report: &'a EquityReport,
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let game = about_flag("--game", registry.open(&args.game))?;
    let policy = args.policy.as_deref();
    let policy = policy.map(|p| agent_expr("--policy", p)).transpose()?;
    let position = args.position.as_deref();
    let position = position
        .map(|text| position_text(&*game, text))
        .transpose()?;
    let request = EquityRequest {
        position: position.as_deref(),
        policy: policy.as_ref(),
        rollouts: args.rollouts,
        target_error: args.target_error,
        plies: args.plies,
        seed: args.seed,
        threads: args.threads.into(),
        control_variate: args.control_variate,
        naive: args.naive,
    };
    let name = &game.facts().game;
    let started = std::time::Instant::now();
    let mut watch = |step: EquityStep<'_>| {
        if args.json {
            return Ok(());
        }
        let text = match step {
            EquityStep::Begins(of) => head(name, args.seed, of),
            EquityStep::Look(row) => line(row),
        };
        console.print(&text)?;
        console.flush()
    };
    let report = game.equity(&request, &mut watch);
    let report = report.map_err(|error| with_alternatives(error, registry, name))?;
    let elapsed = started.elapsed().as_secs_f64();
    if args.json {
        console.json(&Output {
            game: name,
            seed: args.seed,
            plies: args.plies,
            report: &report,
        })?;
    } else {
        let text = foot(
            &report,
            &again(program, name, args, policy.as_ref()),
            console,
        );
        console.print(&text)?;
    }
    // Not on standard output: everything there comes out the same again.
    let runs = report.estimate.rollouts
        + report.estimate.pilot.unwrap_or(0)
        + report.naive.as_ref().map_or(0, |n| n.rollouts);
    console.say(&format!(
        "{} rollouts in {}, {} a second",
        thousands(runs),
        seconds(elapsed),
        thousands((runs as f64 / elapsed.max(1e-9)) as u64)
    ));
    Ok(0)
}

/// A game without survival gets the names of those with it.
fn with_alternatives(error: Error, registry: &Registry, name: &str) -> Error {
    let own = name.split('(').next().unwrap_or_default().trim();
    match error {
        Error::Input(message) if message.contains("no exact survival") => {
            let others = survivors(registry);
            Error::Input(if others.is_empty() {
                format!("--game: {message}; no game here has it")
            } else if others.iter().any(|other| other == own) {
                format!("--game: {message}; {own} for two players has it")
            } else {
                format!("--game: {message}; see {}", others.join(", "))
            })
        }
        other => other,
    }
}

fn again(program: &str, game: &str, args: &Args, policy: Option<&Expr>) -> String {
    let mut command = format!("{program} equity --game {}", shell(game));
    if let Some(text) = &args.position {
        command.push_str(&format!(" --position {}", shell(text)));
    }
    if let Some(policy) = policy {
        command.push_str(&format!(" --policy {}", shell(&policy.to_string())));
    }
    command.push_str(&format!(
        " --rollouts {} --plies {}",
        args.rollouts, args.plies
    ));
    if let Some(error) = args.target_error {
        command.push_str(&format!(" --target-error {error}"));
    }
    for (flag, given) in [
        (" --control-variate", args.control_variate),
        (" --naive", args.naive),
    ] {
        command.push_str(if given { flag } else { "" });
    }
    command.push_str(&format!(" --seed {}", args.seed));
    command
}

fn head(game: &str, seed: u64, of: &Position) -> String {
    let mut text = format!("{game} · both play {} · seed {seed}\n\n", of.policy);
    text.push_str(&indent(&of.picture, "  "));
    if let Some(position) = of.position.as_deref().filter(|p| !p.is_empty()) {
        text.push_str(&format!("\nposition  {position}\n"));
    }
    text.push_str(&format!(
        "\n  rollouts   {} wins, 95 %      undecided\n",
        of.players[0]
    ));
    text
}

/// Half of the width of the interval.
fn half(row: &EquityRow) -> f64 {
    (row.interval[1] - row.interval[0]) / 2.0
}

fn line(row: &EquityRow) -> String {
    format!(
        "{:>10}   {:.4} ± {:.4}   {:>12.6}\n",
        thousands(row.rollouts),
        row.wins[0],
        half(row),
        row.undecided
    )
}

fn foot(report: &EquityReport, again: &str, console: &Console) -> String {
    let row = &report.estimate;
    let [first, second] = report.of.players;
    let width = first.chars().count().max(second.chars().count()).max(9);
    let mut text = String::from("\n");
    let mut say = |name: &str, what: &str| {
        text.push_str(&format!("{name:<width$}  {what}\n"));
    };
    let of_first = if row.exact {
        "exact".to_string()
    } else {
        format!("95 % [{:.4}, {:.4}]", row.interval[0], row.interval[1])
    };
    say(first, &format!("{:.4}   {of_first}", row.wins[0]));
    say(second, &format!("{:.4}", row.wins[1]));
    say("drawn", &format!("{:.4}", row.drawn));
    say("undecided", &format!("{:.6}", row.undecided));
    say(
        "variance",
        &match row.variance_reduction {
            Some(factor) => format!("{factor:.2} times less than with 0 and 1, by p(1-p)/s²"),
            None => "none".into(),
        },
    );
    if let (Some(beta), Some(pilot), Some(gain)) = (row.beta, row.pilot, row.gain) {
        say(
            "luck",
            &format!(
                "taken out {beta:.3} times: {gain:.2} times less variance, for {pilot} rollouts \
                 before"
            ),
        );
    }
    if let Some(naive) = &report.naive {
        let error = naive.standard_error;
        let error = error.map_or(String::new(), |e| format!(", standard error {e:.4}"));
        let factor = naive.variance_reduction;
        let factor = factor.map_or(String::new(), |f| format!(": {f:.2} times the variance"));
        say(
            "plain",
            &format!(
                "{:.4}{error}, in as many plain rollouts{factor}",
                naive.wins[0]
            ),
        );
    }
    let verdict = if report.verdict.kind == Favour::Withheld {
        console.yellow(&report.verdict.text)
    } else {
        console.bold(&report.verdict.text)
    };
    say("verdict", &verdict);
    say("again", &console.dim(again));
    text
}
