//! The negative control: two greedy dealers fail the test that the exact one passes.

use crate::support::{chi_square, fit, six_cards};
use search_core::rng::{Draw, Seed, SimRng};

type Cards = [u8; 6];
const NOBODY: u8 = 9;

/// The 18 worlds of [`six_cards`], by card the seat that holds it.
fn worlds() -> Vec<Cards> {
    let brute = six_cards().brute();
    brute
        .iter()
        .map(|(world, _)| world[..].try_into().unwrap())
        .collect()
}

/// Whether some world agrees with what has been dealt.
fn possible(worlds: &[Cards], dealt: &Cards) -> bool {
    let agrees = |world: &Cards| (0..6).all(|c| dealt[c] == NOBODY || dealt[c] == world[c]);
    worlds.iter().any(agrees)
}

/// The next deals a greedy dealer chooses from, with equal probability: none when it is done.
type Greedy = fn(&[Cards], &Cards) -> Vec<Cards>;

/// Card by card in order: any seat that the card may lie with, that has room and that does not
/// lead to a dead end.
fn card_order(worlds: &[Cards], dealt: &Cards) -> Vec<Cards> {
    let Some(card) = dealt.iter().position(|&seat| seat == NOBODY) else {
        return Vec::new();
    };
    let choices = (0..3).map(|seat| {
        let mut next = *dealt;
        next[card] = seat;
        next
    });
    choices.filter(|next| possible(worlds, next)).collect()
}

/// Seat by seat in order: any two of the cards left that do not lead to a dead end.
fn seat_order(worlds: &[Cards], dealt: &Cards) -> Vec<Cards> {
    let Some(seat) = (0..3).find(|seat| !dealt.contains(seat)) else {
        return Vec::new();
    };
    let mut choices = Vec::new();
    for a in 0..6 {
        for b in a + 1..6 {
            if dealt[a] == NOBODY && dealt[b] == NOBODY {
                let mut next = *dealt;
                (next[a], next[b]) = (seat, seat);
                let full =
                    |s: u8| !next.contains(&s) || next.iter().filter(|&&x| x == s).count() == 2;
                if full(seat) && possible(worlds, &next) {
                    choices.push(next);
                }
            }
        }
    }
    choices
}

/// The exact law of a greedy dealer: the probability of every world.
fn law(greedy: Greedy, worlds: &[Cards]) -> Vec<f64> {
    fn visit(greedy: Greedy, worlds: &[Cards], dealt: Cards, p: f64, law: &mut [f64]) {
        let next = greedy(worlds, &dealt);
        if let Some(world) = worlds.iter().position(|world| *world == dealt) {
            law[world] += p;
        }
        for &deal in &next {
            visit(greedy, worlds, deal, p / next.len() as f64, law);
        }
    }
    let mut law = vec![0.0; worlds.len()];
    visit(greedy, worlds, [NOBODY; 6], 1.0, &mut law);
    law
}

fn sample(greedy: Greedy, worlds: &[Cards], rng: &mut SimRng) -> Cards {
    let mut dealt = [NOBODY; 6];
    while let Some(next) = rng.pick(&greedy(worlds, &dealt)) {
        dealt = next;
    }
    dealt
}

#[test]
fn t_dt5_greedy_dealers_fail() {
    let worlds = worlds();
    assert_eq!(worlds.len(), 18);
    let uniform: Vec<(Cards, f64)> = worlds.iter().map(|&world| (world, 1.0 / 18.0)).collect();
    // Total variation 7/36 = .194 card by card, 1/4 seat by seat; the least and the most that the
    // probability of a world is off by, as a factor.
    let cases: [(Greedy, f64, (f64, f64)); 2] = [
        (card_order, 7.0 / 36.0, (0.5625, 2.25)),
        (seat_order, 0.25, (0.5, 1.5)),
    ];
    for (greedy, variation, factors) in cases {
        let law = law(greedy, &worlds);
        assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let distance: f64 = law.iter().map(|p| (p - 1.0 / 18.0).abs()).sum::<f64>() / 2.0;
        assert!((distance - variation).abs() < 1e-12, "{distance}");
        let (least, most) = law
            .iter()
            .fold((1.0_f64, 0.0_f64), |(a, b), &p| (a.min(p), b.max(p)));
        assert!((least * 18.0 - factors.0).abs() < 1e-12, "{least}");
        assert!((most * 18.0 - factors.1).abs() < 1e-12, "{most}");
        // The test that the exact dealer passes has the power to see it.
        let chi = chi_square(&uniform, 5_000, |i| {
            sample(greedy, &worlds, &mut Seed(50).simulation(u64::from(i)))
        });
        assert!(chi > 3.0, "the greedy dealer passed with {chi}");
    }
    assert!(fit(&six_cards().problem(), 5_000, Seed(51)) < 1.0);
}
