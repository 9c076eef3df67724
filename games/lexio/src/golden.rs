//! Known answers: rows of JSON against this implementation.

use search_core::dealing::Problem;
use search_core::plugin::PluginError;
use serde_json::Value;

use crate::action::Action;
use crate::answer::{AnswerError, AnswerKind, AnswerProbabilities, Estimator, Seat, Unseen};
use crate::combination::{Combination, Kind};
use crate::notation::parse_tiles;
use crate::rules::{Lexio, Options, SettleRule, StraightRule};
use crate::set::Tiles;
use crate::settlement::Holding;

pub use search_core::plugin::Outcome;

/// A row that fails or cannot be read.
type Checked = Result<Outcome, String>;

/// Checks one row of a file of known answers, by its `kind`.
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    let skip = |why: &str| Ok(Outcome::Skip(why.to_owned()));
    let checked = match row.get("kind").and_then(Value::as_str) {
        Some("header") => skip("a header"),
        Some("lexio/combo_counts") => combo_counts(row),
        Some("lexio/responses") => responses(row),
        Some("lexio/beat_count") => beat_count(row),
        Some("lexio/compare") => compare(row),
        Some("lexio/straight_order") => straight_order(row),
        Some("lexio/not_a_straight") => not_a_straight(row),
        Some("lexio/settle") => settle(row),
        Some("lexio/someone_can_beat") => someone_can_beat(row),
        Some("bigtwo/compare") if row.get("use") == Some(&Value::Bool(true)) => big_two(row),
        Some("bigtwo/compare") => skip("the rule sets differ here"),
        Some(other) => skip(&format!("`{other}` is not a kind of this game")),
        None => Err("field `kind` is missing or not a text".to_owned()),
    };
    checked.unwrap_or_else(Outcome::Fail)
}

fn expect<T: PartialEq + std::fmt::Debug>(
    field: &str,
    expected: &T,
    got: &T,
) -> Result<(), String> {
    if expected == got {
        Ok(())
    } else {
        Err(format!(
            "field `{field}`: expected {expected:?}, got {got:?}"
        ))
    }
}

fn field<'a>(row: &'a Value, name: &str) -> Result<&'a Value, String> {
    row.get(name)
        .ok_or_else(|| format!("field `{name}` is missing"))
}

fn integer(row: &Value, name: &str) -> Result<i64, String> {
    let value = field(row, name)?.as_i64();
    value.ok_or_else(|| format!("field `{name}` is not an integer"))
}

fn list<'a>(row: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    let value = field(row, name)?.as_array();
    value.ok_or_else(|| format!("field `{name}` is not a list"))
}

fn integers(row: &Value, name: &str) -> Result<Vec<i64>, String> {
    let items = list(row, name)?.iter().map(Value::as_i64);
    let all = items.collect::<Option<Vec<i64>>>();
    all.ok_or_else(|| format!("field `{name}` is not a list of integers"))
}

fn numbers(value: &Value) -> Option<[u8; 5]> {
    let items = value.as_array()?.iter();
    let numbers = items.map(|n| n.as_u64().and_then(|n| u8::try_from(n).ok()));
    numbers.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

fn tile_list(value: &Value, name: &str) -> Result<Tiles, String> {
    let wrong = || format!("field `{name}` is not a list of tiles");
    let items = value.as_array().ok_or_else(wrong)?;
    let words = items.iter().map(Value::as_str).collect::<Option<Vec<_>>>();
    let words = words.ok_or_else(wrong)?;
    let tiles = parse_tiles(&words.join(" ")).map_err(|e| format!("field `{name}`: {e}"))?;
    expect(name, &words.len(), &(tiles.len() as usize))?;
    Ok(tiles)
}

fn tiles(row: &Value, name: &str) -> Result<Tiles, String> {
    tile_list(field(row, name)?, name)
}

fn rules(row: &Value, straights: StraightRule) -> Result<Lexio, String> {
    let players = u8::try_from(integer(row, "players")?).unwrap_or(u8::MAX);
    let options = Options {
        players,
        straights,
        ..Options::default()
    };
    Lexio::new(options).map_err(|PluginError(message)| message)
}

fn play(game: &Lexio, tiles: Tiles, name: &str) -> Result<Combination, String> {
    let play = game.combination(tiles);
    play.ok_or_else(|| format!("field `{name}`: expected a play, got none for {tiles}"))
}

/// The plays of `hand` that beat `table`, and how many there are of a kind.
fn plays(game: &Lexio, hand: Tiles, table: Option<Combination>) -> Vec<Action> {
    let mut out = Vec::new();
    game.plays(hand, table, &mut out);
    out
}

fn count(game: &Lexio, plays: &[Action], kind: Kind) -> i64 {
    let kinds = plays.iter().filter_map(|a| game.classify(*a));
    kinds.filter(|c| c.kind() == kind).count() as i64
}

fn counts(game: &Lexio, found: &[Action], expected: &Value, name: &str) -> Result<(), String> {
    let map = expected
        .as_object()
        .ok_or_else(|| format!("field `{name}` is not a map"))?;
    for (key, value) in map {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == key);
        let kind = kind.ok_or_else(|| format!("field `{name}`: unknown kind `{key}`"))?;
        let got = count(game, found, kind);
        expect(&format!("{name}.{key}"), &value.as_i64(), &Some(got))?;
    }
    Ok(())
}

fn combo_counts(row: &Value) -> Checked {
    let hand = tiles(row, "hand")?;
    let game = rules(row, StraightRule::Official)?;
    let found = plays(&game, hand, None);
    counts(&game, &found, field(row, "counts")?, "counts")?;
    for (name, straights) in [
        ("total", StraightRule::Official),
        ("total_top12", StraightRule::Top12),
        ("total_no_low", StraightRule::NoLow),
    ] {
        let found = plays(&rules(row, straights)?, hand, None);
        expect(name, &integer(row, name)?, &(found.len() as i64))?;
    }
    Ok(Outcome::Pass)
}

fn responses(row: &Value) -> Checked {
    let game = rules(row, StraightRule::Official)?;
    let table = play(&game, tiles(row, "field")?, "field")?;
    let kind = field(row, "field_category")?.as_str();
    expect("field_category", &kind, &Some(table.kind().name()))?;
    let mut expected = Vec::new();
    for reply in list(row, "replies")? {
        expected.push(tile_list(reply, "replies")?);
    }
    let found = plays(&game, tiles(row, "hand")?, Some(table));
    let mut found: Vec<Tiles> = found.into_iter().map(Action::tiles).collect();
    expected.sort_unstable();
    found.sort_unstable();
    expect("replies", &expected, &found)?;
    expect("count", &integer(row, "count")?, &(found.len() as i64))?;
    Ok(Outcome::Pass)
}

fn beat_count(row: &Value) -> Checked {
    let game = rules(row, StraightRule::Official)?;
    let target = play(&game, tiles(row, "target")?, "target")?;
    let kind = field(row, "target_category")?.as_str();
    expect("target_category", &kind, &Some(target.kind().name()))?;
    let pool = tiles(row, "pool")?;
    let found = plays(&game, pool, Some(target));
    counts(&game, &found, field(row, "beaters")?, "beaters")?;
    // In closed form as well.
    let closed = game.beaters(pool, target);
    for kind in Kind::ALL {
        let listed = count(&game, &found, kind);
        expect(kind.name(), &listed, &(closed.of(kind) as i64))?;
    }
    expect("total", &integer(row, "total")?, &(found.len() as i64))?;
    Ok(Outcome::Pass)
}

/// Steps allowed for being exact about a row: enough for all deals of 24 tiles to two seats.
const STEPS: u64 = 1_000_000_000;

fn someone_can_beat(row: &Value) -> Checked {
    let game = rules(row, StraightRule::Official)?;
    let target = play(&game, tiles(row, "target")?, "target")?;
    let kind = field(row, "target_category")?.as_str();
    expect("target_category", &kind, &Some(target.kind().name()))?;
    let pool = tiles(row, "unseen")?;
    let seats = seats(row)?;
    let beaters = game.beaters(pool, target).total() as i64;
    expect("beating_combos", &integer(row, "beating_combos")?, &beaters)?;
    let listed = plays(&game, pool, Some(target)).len() as i64;
    expect("beating_combos", &beaters, &listed)?;

    let sizes: Vec<u8> = seats.iter().map(|seat| seat.tiles).collect();
    let dealt = Problem::new(pool.bits(), &sizes).and_then(|problem| problem.plan());
    let count = dealt.map_err(|e| e.to_string())?.count();
    let allocations = count.map(|count| count.to_string());
    let expected = field(row, "allocations")?.as_str();
    expect("allocations", &expected, &allocations.as_deref())?;

    let answer = |estimator: Estimator, seats: &[Seat]| -> Result<_, AnswerError> {
        let unseen = Unseen::new(&game, pool, seats)?;
        let mut all = AnswerProbabilities::with(estimator, unseen).with_limit(STEPS);
        all.of(target)
    };
    let exact = |seats: &[Seat]| {
        let answer = answer(Estimator::Exact, seats).map_err(|e| e.to_string())?;
        expect("kind", &AnswerKind::Exact, &answer.kind)?;
        Ok::<_, String>(answer.probability)
    };
    let got = exact(&seats)?;
    let expected = number(row, "num")? / number(row, "den")?;
    close("num / den", expected, got, 1e-12)?;
    close("p", number(row, "p")?, got, 1e-12)?;

    // Of every eligible seat alone; null for the others.
    let mut nobody = 1.0;
    let marginals = list(row, "per_seat")?;
    expect("per_seat", &seats.len(), &marginals.len())?;
    for (i, marginal) in marginals.iter().enumerate() {
        if !seats[i].eligible {
            expect("per_seat", &Value::Null, marginal)?;
            continue;
        }
        let expected = fraction(marginal).ok_or("field `per_seat`: not a fraction")?;
        let mut alone = seats.clone();
        for (j, seat) in alone.iter_mut().enumerate() {
            seat.eligible = i == j;
        }
        let got = exact(&alone)?;
        close("per_seat", expected, got, 1e-12)?;
        nobody *= 1.0 - got;
    }
    let approx = field(row, "approx")?;
    // Six digits are written.
    close(
        "indep_marginal",
        number(approx, "indep_marginal")?,
        1.0 - nobody,
        6e-7,
    )?;
    for (name, estimator) in [
        ("indep_count", Estimator::IndepCount),
        ("sum_count", Estimator::SumCount),
    ] {
        let got = answer(estimator, &seats).map_err(|e| e.to_string())?;
        close(name, number(approx, name)?, got.probability, 6e-7)?;
    }
    Ok(Outcome::Pass)
}

fn seats(row: &Value) -> Result<Vec<Seat>, String> {
    let eligible = list(row, "eligible")?.iter().map(Value::as_bool);
    let eligible = eligible.collect::<Option<Vec<_>>>();
    let eligible = eligible.ok_or("field `eligible` is not a list of true and false")?;
    let sizes = integers(row, "hand_sizes")?;
    expect("hand_sizes", &eligible.len(), &sizes.len())?;
    let small = |n: i64| u8::try_from(n).map_err(|_| "field `hand_sizes`: no hand size".to_owned());
    let seat = |(&size, &may): (&i64, &bool)| Ok(Seat::new(small(size)?, may));
    sizes.iter().zip(&eligible).map(seat).collect()
}

fn number(row: &Value, name: &str) -> Result<f64, String> {
    let value = field(row, name)?.as_f64();
    value.ok_or_else(|| format!("field `{name}` is not a number"))
}

/// The value of `"a/b"`.
fn fraction(value: &Value) -> Option<f64> {
    let (above, below) = value.as_str()?.split_once('/')?;
    Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?)
}

fn close(field: &str, expected: f64, got: f64, tolerance: f64) -> Result<(), String> {
    if (expected - got).abs() <= tolerance {
        Ok(())
    } else {
        Err(format!("field `{field}`: expected {expected}, got {got}"))
    }
}

/// 1 if `b` beats `a`, -1 if `a` beats `b`, null if neither.
fn verdict(a: Combination, b: Combination) -> Option<i64> {
    match (b.beats(a), a.beats(b)) {
        (true, _) => Some(1),
        (_, true) => Some(-1),
        _ => None,
    }
}

fn compare(row: &Value) -> Checked {
    let game = rules(row, StraightRule::Official)?;
    let a = play(&game, tiles(row, "a")?, "a")?;
    let b = play(&game, tiles(row, "b")?, "b")?;
    expect(
        "cat_a",
        &field(row, "cat_a")?.as_str(),
        &Some(a.kind().name()),
    )?;
    expect(
        "cat_b",
        &field(row, "cat_b")?.as_str(),
        &Some(b.kind().name()),
    )?;
    let expected = field(row, "b_beats_a")?;
    if !expected.is_null() && !expected.is_i64() {
        return Err("field `b_beats_a` is neither an integer nor null".to_owned());
    }
    expect("b_beats_a", &expected.as_i64(), &verdict(a, b))?;
    Ok(Outcome::Pass)
}

/// Verdicts of two Big Two programs that agree with Lexio for four players on the marked rows.
fn big_two(row: &Value) -> Checked {
    let game = Lexio::for_players(4).map_err(|PluginError(message)| message)?;
    let a = play(&game, tiles(row, "a")?, "a")?;
    let b = play(&game, tiles(row, "b")?, "b")?;
    expect(
        "cat_a",
        &field(row, "cat_a")?.as_str(),
        &Some(a.kind().name()),
    )?;
    expect(
        "cat_b",
        &field(row, "cat_b")?.as_str(),
        &Some(b.kind().name()),
    )?;
    for judge in ["lexio", "bigtwo_rl", "ppo"] {
        // An engine without an opinion says null.
        if let Some(expected) = field(row, judge)?.as_bool() {
            expect(judge, &expected, &b.beats(a))?;
        }
    }
    Ok(Outcome::Pass)
}

fn straight_order(row: &Value) -> Checked {
    let game = rules(row, StraightRule::Official)?;
    let sorted = |mut n: [u8; 5]| {
        n.sort_unstable();
        n
    };
    let expected = list(row, "straights")?.iter().map(numbers);
    let expected = expected.map(|n| n.map(sorted)).collect::<Option<Vec<_>>>();
    let expected = expected.ok_or("field `straights` is not a list of lists of five numbers")?;
    let found: Vec<[u8; 5]> = game.straights().numbers().map(sorted).collect();
    expect("straights", &expected, &found)?;
    Ok(Outcome::Pass)
}

fn not_a_straight(row: &Value) -> Checked {
    let game = rules(row, StraightRule::Official)?;
    let given = numbers(field(row, "numbers")?).ok_or("field `numbers` is not five numbers")?;
    expect("numbers", &false, &game.straights().contains_numbers(given))?;
    Ok(Outcome::Pass)
}

fn settle(row: &Value) -> Checked {
    let left = integers(row, "tiles_left")?;
    let twos = integers(row, "twos_held")?;
    expect("players", &integer(row, "players")?, &(left.len() as i64))?;
    expect("twos_held", &left.len(), &twos.len())?;
    let small = |n: i64| u32::try_from(n).map_err(|_| "a count is negative".to_owned());
    let mut holdings = Vec::new();
    for (&tiles, &twos) in left.iter().zip(&twos) {
        let (tiles, twos) = (small(tiles)?, small(twos)?);
        holdings.push(Holding { tiles, twos });
    }
    let players = left.len() as u8;
    for (name, settle) in [
        ("net_difference", SettleRule::Difference),
        ("net_payer_multiplier", SettleRule::PayerMultiplier),
        ("net_winner_only", SettleRule::WinnerOnly),
    ] {
        let options = Options {
            players,
            settle,
            ..Options::default()
        };
        let effective: Vec<i64> = holdings.iter().map(|h| options.effective(*h)).collect();
        expect("effective", &integers(row, "effective")?, &effective)?;
        let net = options.settle(&holdings);
        expect(
            name,
            &integers(row, name)?,
            &net[..holdings.len().min(net.len())].to_vec(),
        )?;
    }
    Ok(Outcome::Pass)
}
