//! A survival process against the game that it stands for.

use crate::estimate::{Moments, Rollouts, Survival};
use crate::game::{Game, Player};
use crate::policy::RolloutPolicy;
use crate::rng::Seed;
use crate::rollout::{Ending, LeafEvaluator, Rollout};

/// T-ES4: plays `games` games from `state` with `policy` for everybody, by the rules and knowing
/// nothing of the process, and as many survival rollouts. What each player wins must agree within
/// 5 standard errors of the difference (what neither decided is allowed for), and the four
/// masses sum to 1. A kernel that does not belong to the policy shows here and nowhere else.
///
/// The state should be one from which games end in reasonable time. 20,000 games see a bias of
/// about two points.
///
/// # Panics
/// When they disagree, naming the seed and the estimates.
pub fn check_survival<G: Game, S: Survival<G>, P: RolloutPolicy<G> + Clone>(
    game: &G,
    process: &S,
    policy: &P,
    state: &G::State,
    games: u32,
    seed: Seed,
) {
    let rollouts = Rollouts {
        rollouts: games.into(),
        plies: u32::MAX,
        epsilon: 1e-9,
        ..Rollouts::default()
    };
    let estimate = rollouts.estimate(game, process, state, seed, &mut |_| {});
    let equity = match estimate {
        Ok(equity) => equity,
        Err(error) => panic!("T-ES4: {error} (seed {})", seed.0),
    };
    let sum = equity.wins[0] + equity.wins[1] + equity.drawn + equity.undecided;
    assert!((sum - 1.0).abs() < 1e-12, "T-ES4: the masses sum to {sum}");

    let playing = Rollout::with_policy(policy.clone());
    let (mut played, mut open) = ([Moments::default(); 2], 0.0);
    let (mut world, mut legal) = (state.clone(), Vec::new());
    for index in 0..u64::from(games) {
        world.clone_from(state);
        let mut rng = seed.child("played").simulation(index);
        let end = playing.evaluate(game, &mut world, &mut rng, &mut legal);
        let [a, b] = [0, 1].map(|i| end.returns.of(Player::new(i)));
        let over = end.ending == Ending::Terminal;
        open += f64::from(u8::from(!over)) / f64::from(games);
        played[0].push(f64::from(u8::from(over && a > b)));
        played[1].push(f64::from(u8::from(over && b > a)));
    }
    for (player, played) in played.iter().enumerate() {
        let (wins, error) = (
            equity.wins[player],
            equity.std_error.hypot(played.std_error()),
        );
        let off = (wins - played.mean()).abs() - open - equity.undecided;
        assert!(
            off <= 5.0 * error + 1e-9,
            "T-ES4: player {player} wins {wins} of the rollouts and {} of the games, \
             {:.1} standard errors apart (seed {})",
            played.mean(),
            off / error,
            seed.0
        );
    }
}
