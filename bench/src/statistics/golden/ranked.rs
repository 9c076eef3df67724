//! Evaluators of the rows about many arms, many games and rankings.

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::across_games::across_games as compare_across_games;
use super::super::alpha_rank::alpha_rank as rank_by_evolution;
use super::super::dunnett::dunnett as dunnett_test;
use super::super::elo::elo as elo_of_score;
use super::super::openskill::{Belief, Constants, update};
use super::super::plackett_luce::{Order, plackett_luce as fit};
use super::kinds::{Evaluate, read, reject};

pub(super) const EVALUATORS: &[(&str, Evaluate)] = &[
    ("statistics/across_games", across_games),
    ("statistics/alpha_rank", alpha_rank),
    ("statistics/dunnett", dunnett),
    ("statistics/elo", elo),
    ("statistics/openskill_pl", openskill),
    ("statistics/plackett_luce", plackett_luce),
];

#[derive(Deserialize)]
struct Games {
    score: Vec<Vec<f64>>,
    higher_is_better: bool,
}

fn across_games(input: &Value) -> Result<Vec<Value>, String> {
    let row: Games = read(input)?;
    let result = compare_across_games(&row.score, row.higher_is_better).map_err(reject)?;
    Ok(vec![json!({
        "friedman_chi2": result.friedman_chi2, "p": result.p,
        "average_rank": result.average_rank, "nemenyi_q05": result.nemenyi_q05,
        "critical_difference": result.critical_difference,
        "iman_davenport_F": result.iman_davenport,
    })])
}

#[derive(Deserialize)]
struct Arms {
    control: Vec<f64>,
    arms: Vec<Vec<f64>>,
}

fn dunnett(input: &Value) -> Result<Vec<Value>, String> {
    let row: Arms = read(input)?;
    let arms: Vec<&[f64]> = row.arms.iter().map(Vec::as_slice).collect();
    let result = dunnett_test(&row.control, &arms).map_err(reject)?;
    let result = result.ok_or("nothing varies within a group")?;
    Ok(vec![json!({"t": result.t, "p": result.p})])
}

#[derive(Deserialize)]
struct Score {
    score: f64,
    n: u64,
    sd_per_game: f64,
}

fn elo(input: &Value) -> Result<Vec<Value>, String> {
    let row: Score = read(input)?;
    let result = elo_of_score(row.score, row.n, row.sd_per_game, 0.95).map_err(reject)?;
    Ok(vec![json!({
        "elo": result.elo, "elo_lo": result.low, "elo_hi": result.high, "los": result.los,
        "nelo": result.normalized,
    })])
}

#[derive(Deserialize)]
struct Orders {
    n_items: usize,
    rankings_best_first: Vec<Order>,
    #[serde(default)]
    ridge: f64,
}

fn plackett_luce(input: &Value) -> Result<Vec<Value>, String> {
    let row: Orders = read(input)?;
    // The reference penalises with `ridge` times the sum of squares, without the half.
    let ridge = 2.0 * row.ridge;
    let result = fit(row.n_items, &row.rankings_best_first, ridge).map_err(reject)?;
    let difference = result.theta.first().zip(result.theta.get(1));
    Ok(vec![json!({
        "theta_centered": result.theta, "loglik": result.log_likelihood,
        "difference": difference.map(|(first, second)| first - second),
    })])
}

#[derive(Deserialize)]
struct Rated {
    n: usize,
    games: Vec<RatedGame>,
    mu: f64,
    sigma: f64,
    beta: f64,
    kappa: f64,
    tau: f64,
}

#[derive(Deserialize)]
struct RatedGame {
    players: Vec<usize>,
    ranks: Vec<u32>,
}

fn openskill(input: &Value) -> Result<Vec<Value>, String> {
    let row: Rated = read(input)?;
    let constants = Constants {
        beta: row.beta,
        kappa: row.kappa,
        tau: row.tau,
    };
    let new = Belief {
        mu: row.mu,
        sigma: row.sigma,
    };
    let mut beliefs = vec![new; row.n];
    for game in &row.games {
        let before: Option<Vec<Belief>> = game
            .players
            .iter()
            .map(|p| beliefs.get(*p).copied())
            .collect();
        let before = before.ok_or("a player that does not exist")?;
        let after = update(&before, &game.ranks, &constants).map_err(reject)?;
        for (player, belief) in game.players.iter().zip(after) {
            beliefs[*player] = belief;
        }
    }
    let mu: Vec<f64> = beliefs.iter().map(|b| b.mu).collect();
    let sigma: Vec<f64> = beliefs.iter().map(|b| b.sigma).collect();
    Ok(vec![json!({"mu": mu, "sigma": sigma})])
}

#[derive(Deserialize)]
struct Evolution {
    #[serde(alias = "win_rate")]
    payoff: Vec<Vec<f64>>,
    alpha: f64,
    m: u32,
    populations: u32,
}

fn alpha_rank(input: &Value) -> Result<Vec<Value>, String> {
    let row: Evolution = read(input)?;
    if row.populations != 1 {
        return Err("only rows with one population can be computed".into());
    }
    let shares = rank_by_evolution(&row.payoff, row.alpha, row.m).map_err(reject)?;
    Ok(vec![json!({"stationary": shares})])
}
