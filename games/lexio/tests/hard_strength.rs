//! That the hard player is better than easy, and worse with the product rule.

use lexio::hard::Hard;
use lexio::{Easy, Lexio};
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::policy::Policy;
use search_core::rng::{Seed, SimRng};

/// Points a round that one `a` among `b`s gains over one `b` among `a`s, on the same deals and in all seats:
/// mean and standard error over deals.
fn duel(game: &Lexio, a: &dyn Policy<Lexio>, b: &dyn Policy<Lexio>, deals: u64) -> (f64, f64) {
    let seats = game.num_players();
    let mut legal = Vec::new();
    let mut one = |deal: u64, focal: usize, lone: &dyn Policy<Lexio>, rest: &dyn Policy<Lexio>| {
        let mut state = game.initial_state(&mut Seed(500).simulation(deal));
        let mut rng: SimRng = Seed(501).simulation(deal);
        while let Turn::Player(player) = game.turn(&state) {
            game.legal_actions(&state, &mut legal);
            let policy = if player.index() == focal { lone } else { rest };
            let view = game.observe(&state, player);
            let action = policy.choose(game, &view, &legal, &mut rng);
            game.apply(&mut state, action);
        }
        game.returns(&state).of(Player::new(focal))
    };
    let values: Vec<f64> = (0..deals)
        .map(|deal| {
            let seat = |s| one(deal, s, a, b) - one(deal, s, b, a);
            let total: f64 = (0..seats).map(seat).sum();
            total / (2 * seats) as f64
        })
        .collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// L1.11: with one policy for all the duplicate design sees no difference, deal by deal.
#[test]
fn l1_11_equal_policies_differ_by_nothing() {
    let hard = Hard::default();
    assert_eq!(duel(&Lexio::default(), &hard, &hard, 20), (0.0, 0.0));
}

/// 5 standard errors above one point a round.
#[test]
fn hard_beats_easy_by_more_than_a_point() {
    let (mean, error) = duel(&Lexio::default(), &Hard::default(), &Easy::default(), 400);
    assert!(mean - 5.0 * error > 1.0, "{mean} +- {error}");
}

/// L3.1, L3.2: nothing but the rule for the probability is changed.
#[test]
fn l3_2_the_product_rule_costs_points() {
    let product = Hard::pre_repair();
    let expr: Expr = "hard(preset=pre_repair, estimator=sum_count)"
        .parse()
        .unwrap();
    let sum = Hard::from_settings(&mut expr.settings()).unwrap();
    let (mean, error) = duel(&Lexio::default(), &sum, &product, 200);
    assert!(mean - 5.0 * error > 1.0, "{mean} +- {error}");
    assert!(duel(&Lexio::default(), &product, &Easy::default(), 200).0 < 0.0);
}
