//! Calibration tables: made the same every time, refused where they do not belong.

mod common;

use common::rules;
use lexio::answer::{
    AnswerError, AnswerKind, AnswerProbabilities, CalibrationTable, Estimator, Event, Seat,
    Situation, Unseen, rules_hash,
};
use lexio::{Lexio, SettleRule, StraightRule};
use search_core::rng::Seed;
use std::sync::Arc;

fn table(game: &Lexio, event: Event) -> CalibrationTable {
    CalibrationTable::build(game, event, Seed(20_260_806), 400, 100).unwrap()
}

/// L3.14: the same arguments give the same bytes, from any number of threads, and the header says
/// what the table was made of.
#[test]
fn regenerating_a_table_gives_the_same_bytes() {
    let make = || table(&Lexio::default(), Event::Anyone).to_json().unwrap();
    let text = make();
    for threads in [1, 2, 3, 7] {
        std::thread::scope(|scope| {
            let made: Vec<_> = (0..threads.min(2)).map(|_| scope.spawn(make)).collect();
            for made in made {
                assert_eq!(made.join().unwrap(), text);
            }
        });
    }
    let game = Lexio::default();
    let read = CalibrationTable::load(&text, &game, Event::Anyone).unwrap();
    assert_eq!(read.to_json().unwrap(), text);
    assert_eq!(read, table(&game, Event::Anyone));
    let header = &read.header;
    assert_eq!(
        (header.players, header.situations, header.samples),
        (5, 400, 100)
    );
    assert_eq!(header.seed, 20_260_806);
    assert!(read.rows().len() > 20, "{}", read.rows().len());
}

fn differs(result: Result<CalibrationTable, AnswerError>) -> &'static str {
    match result {
        Err(AnswerError::Table { field, .. }) => field,
        other => panic!("{other:?}"),
    }
}

/// L3.14 and L3.15: another number of players, other rules, another event or another version of
/// the builder are refused.
#[test]
fn a_table_for_something_else_is_refused() {
    let game = Lexio::default();
    let good = table(&game, Event::Anyone);
    let text = good.to_json().unwrap();
    let load = |text: &str, game: &Lexio| CalibrationTable::load(text, game, Event::Anyone);
    let three = Lexio::for_players(3).unwrap();
    assert_eq!(differs(load(&text, &three)), "players");
    let no_low = rules(|o| o.straights = StraightRule::NoLow);
    assert_eq!(differs(load(&text, &no_low)), "rules_hash");
    let one = table(&game, Event::OneSeat).to_json().unwrap();
    assert_eq!(differs(load(&one, &game)), "event");
    let mut old = good;
    old.header.generator_version += 1;
    assert_eq!(
        differs(load(&old.to_json().unwrap(), &game)),
        "generator_version"
    );
    // What settles a round has no part in it.
    let other = rules(|o| o.settle = SettleRule::WinnerOnly);
    assert_eq!(rules_hash(&other), rules_hash(&game));
    assert!(load(&text, &other).is_ok());
}

#[test]
fn what_is_no_table_is_refused() {
    let game = Lexio::default();
    let text = table(&game, Event::Anyone).to_json().unwrap();
    let swapped = {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.swap(1, 2);
        lines.join("\n")
    };
    for bad in [
        "",
        "{}",
        "[]",
        &text.replacen("\"probability\":", "\"probability\":2", 1),
        &swapped,
    ] {
        let read = CalibrationTable::load(bad, &game, Event::Anyone);
        assert!(matches!(read, Err(AnswerError::BadTable(_))), "{read:?}");
    }
    for (situations, samples) in [(0, 10), (10, 0)] {
        let made = CalibrationTable::build(&game, Event::Anyone, Seed(1), situations, samples);
        assert!(matches!(made, Err(AnswerError::BadTable(_))));
    }
}

/// An estimator refuses a table of one seat's answers where several may answer.
#[test]
fn the_estimator_checks_its_table() {
    let game = Lexio::default();
    let situation = Situation::sample(&game, Seed(3), 0);
    let unseen = Unseen::of(&game, &situation.observation).unwrap();
    let one = Arc::new(table(&game, Event::OneSeat));
    let estimator = Estimator::Calibrated(one);
    let mut answers = AnswerProbabilities::with(estimator.clone(), unseen);
    let refused = answers.of(situation.plays[0]);
    assert!(matches!(
        refused,
        Err(AnswerError::Table { field: "event", .. })
    ));
    // Where one seat may answer, anyone is that seat.
    let alone = [Seat::new(6, true)];
    let tiles = unseen.tiles();
    let alone = Unseen::new(&game, tiles, &alone).unwrap();
    assert!(
        AnswerProbabilities::with(estimator, alone)
            .of(situation.plays[0])
            .is_ok()
    );
}

/// On fresh self-play the table is nearer the truth than the rules that it corrects.
#[test]
fn a_table_corrects_the_sum_rule() {
    let game = Lexio::default();
    let table = CalibrationTable::build(&game, Event::Anyone, Seed(1), 12_000, 100).unwrap();
    let calibrated = Estimator::Calibrated(Arc::new(table));
    let mut squares = [0.0; 2];
    let mut stated = 0.0;
    for index in 0..150 {
        let situation = Situation::sample(&game, Seed(2), index);
        let unseen = Unseen::of(&game, &situation.observation).unwrap();
        let with = |estimator| AnswerProbabilities::with(estimator, unseen);
        let mut truth = with(Estimator::Sampled { worlds: 2_000 }).with_seed(Seed(5));
        let mut rules = [with(Estimator::SumCount), with(calibrated.clone())];
        for play in situation.plays.iter().filter(|p| p.kind().size() == 5) {
            let truth = truth.of(*play).unwrap().probability;
            for (sum, rule) in squares.iter_mut().zip(&mut rules) {
                let answer = rule.of(*play).unwrap();
                *sum += (answer.probability - truth).powi(2);
                if answer.error.is_some() {
                    assert_eq!(answer.kind, AnswerKind::Estimated);
                }
            }
            let error = rules[1].of(*play).unwrap().error;
            stated += error.unwrap_or(0.0).powi(2);
        }
    }
    assert!(squares[1] < 0.3 * squares[0], "{squares:?}");
    // What it states about itself is what is met, within a factor of two.
    assert!(
        squares[1] < 4.0 * stated && stated < 4.0 * squares[1],
        "{squares:?} {stated}"
    );
}
