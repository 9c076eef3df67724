//! A decision of the hard player in Lexio, on inputs that make it slow rather than on lucky ones.

use criterion::{Criterion, criterion_group, criterion_main};
use lexio::hard::{Foresight, HandPlan, Hard};
use lexio::{Action, Lexio, Observation, answer::Estimator};
use search_core::game::{Game, Turn};
use search_core::plugin::Plugin;
use search_core::policy::Policy;
use search_core::rng::Seed;
use std::hint::black_box;

/// Deals in which the leader's hand with the most plays is sought.
const DEALS: u64 = 200_000;

/// A decision: what is seen, and what may be played.
type Asked = (Observation, Vec<Action>);

fn slow_hand(game: &Lexio) -> Option<Asked> {
    let positions = game.positions();
    let (_, text) = positions.iter().find(|(name, _)| *name == "slow-hand")?;
    let view = game.parse_observation(text).ok()?;
    let mut legal = Vec::new();
    game.plays(view.hand(), None, &mut legal);
    Some((view, legal))
}

fn most_plays(game: &Lexio) -> Option<Asked> {
    let (mut legal, mut worst) = (Vec::new(), None);
    let mut most = 0;
    for i in 0..DEALS {
        let state = game.initial_state(&mut Seed(1).simulation(i));
        game.legal_actions(&state, &mut legal);
        if let Turn::Player(player) = game.turn(&state)
            && legal.len() > most
        {
            most = legal.len();
            worst = Some((game.observe(&state, player), legal.clone()));
        }
    }
    worst
}

fn decisions(c: &mut Criterion) {
    let game = Lexio::default();
    let with = |foresight| Hard {
        foresight,
        ..Hard::default()
    };
    let players = [
        ("", Hard::default()),
        ("/possible", with(Foresight::Possible)),
        ("/exact", with(Foresight::Estimated(Estimator::Exact))),
    ];
    let positions = [
        ("slow-hand", slow_hand(&game)),
        ("most-plays", most_plays(&game)),
    ];
    let mut group = c.benchmark_group("lexio/decision/hard");
    group.sample_size(30);
    for (name, asked) in positions {
        let Some((view, legal)) = asked else {
            continue;
        };
        println!("{name}: {} plays, {}", legal.len(), view.hand());
        for (kind, hard) in &players {
            group.bench_function(format!("{name}{kind}"), |b| {
                let mut rng = Seed(2).simulation(0);
                b.iter(|| hard.choose(&game, black_box(&view), &legal, &mut rng));
            });
        }
        group.bench_function(format!("{name}/plan"), |b| {
            let mut plan = HandPlan::default();
            b.iter(|| {
                plan.prepare(&game, black_box(view.hand()));
                legal.iter().map(|play| plan.after(*play)).sum::<u32>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, decisions);
criterion_main!(benches);
