//! The match driver: keyed randomness, substitutes, broken rules.

use std::ops::ControlFlow;

use crate::common::tricks::{Options, State, Tricks};
use search_core::agent::{Choice, Substitute};
use search_core::decision::SearchError;
use search_core::rng::Seed;
use searchlab::experiment::match_driver::{Host, Made, MatchSeeds, Point, play_match};

/// Plays the card that `choose` says, and writes down what happened.
struct Recorder<F> {
    choose: F,
    chances: Vec<u8>,
    seeds: Vec<(u32, usize, Seed)>,
    made: Vec<Made<u8>>,
}

impl<F: FnMut(&[u8]) -> Result<u8, SearchError>> Recorder<F> {
    fn new(choose: F) -> Self {
        Self {
            choose,
            chances: Vec::new(),
            seeds: Vec::new(),
            made: Vec::new(),
        }
    }
}

impl<F: FnMut(&[u8]) -> Result<u8, SearchError>> Host<Tricks> for Recorder<F> {
    fn decide(
        &mut self,
        _: &Tricks,
        point: &Point<'_, Tricks>,
    ) -> ControlFlow<(), Result<Choice<u8>, SearchError>> {
        self.seeds
            .push((point.round, point.seat.index(), point.seed));
        ControlFlow::Continue((self.choose)(point.legal).map(Choice::plain))
    }

    fn decided(&mut self, _: &Tricks, made: &Made<u8>) {
        self.made.push(made.clone());
    }

    fn drawn(&mut self, _: &Tricks, _: u32, _: &State, outcome: u8) {
        self.chances.push(outcome);
    }
}

fn game(rounds: u32) -> Tricks {
    Tricks(Options {
        rounds,
        ..Options::default()
    })
}

#[test]
fn deals_and_chance_do_not_depend_on_what_is_played() {
    for seed in 0..50 {
        let mut low = Recorder::new(|legal: &[u8]| Ok(legal[0]));
        let mut high = Recorder::new(|legal: &[u8]| Ok(legal[legal.len() - 1]));
        let one = play_match(&game(4), seed, &mut low).unwrap();
        let two = play_match(&game(4), seed, &mut high).unwrap();
        assert_eq!(low.chances, high.chances);
        assert_eq!(one.deal, two.deal);
        // The same seeds for the same decisions, whoever comes first.
        low.seeds.sort();
        high.seeds.sort();
        assert_eq!(low.seeds, high.seeds);
    }
}

#[test]
fn every_event_has_a_seed_of_its_own() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..20 {
        let seeds = MatchSeeds::new(seed);
        for round in 0..5 {
            assert!(seen.insert(seeds.deal(round)));
            for ordinal in 0..20 {
                assert!(seen.insert(seeds.chance(round, ordinal)));
                for seat in 0..6 {
                    let seat = search_core::game::Player::new(seat);
                    assert!(seen.insert(seeds.decision(round, seat, ordinal)));
                }
            }
        }
    }
}

#[test]
fn matches_differ_between_seeds() {
    // A hundred seeds, a hundred deals: nobody shares a generator by accident.
    let deals = (0..100).map(|seed| {
        let mut host = Recorder::new(|legal: &[u8]| Ok(legal[0]));
        play_match(&game(1), seed, &mut host).unwrap().deal
    });
    assert_eq!(deals.collect::<std::collections::HashSet<_>>().len(), 100);
}

#[test]
fn what_cannot_be_played_is_replaced_and_counted() {
    let mut asked = 0;
    let mut host = Recorder::new(|legal: &[u8]| {
        asked += 1;
        match asked % 3 {
            0 => Err(SearchError::EmptyBudget),
            1 => Ok(77),
            _ => Ok(legal[0]),
        }
    });
    play_match(&game(2), 5, &mut host).unwrap();
    let failures = host
        .made
        .iter()
        .filter(|m| m.substitute == Some(Substitute::Failure));
    assert_eq!((host.made.len(), failures.count()), (18, 12));
    let reasons: Vec<&str> = host
        .made
        .iter()
        .filter_map(|m| m.reason.as_deref())
        .collect();
    assert_eq!(reasons[0], "`c77` is not a legal action");
    assert!(reasons[1].contains("the budget is empty"));
    // The substitute is a function of the decision's seed too.
    let again = || {
        let mut host = Recorder::new(|_: &[u8]| Ok(77));
        play_match(&game(2), 5, &mut host).unwrap().history
    };
    assert_eq!(again(), again());
}
