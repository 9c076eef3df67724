//! Reads an observation that a person may have written: what can be left out is filled in.

use search_core::plugin::PluginError;

use crate::combination::Combination;
use crate::consistency;
use crate::notation::parse_tiles;
use crate::observation::Observation;
use crate::rules::{LeadRule, Lexio, MAX_SEATS};
use crate::set::Tiles;
use crate::state::Public;
use crate::tile::Tile;

const KEYS: [&str; 11] = [
    "players", "me", "turn", "hand", "table", "left", "played", "passed", "plays", "passes",
    "cloud3",
];

/// The `key=value` pairs of a line, each key at most once.
struct Pairs<'a> {
    values: [Option<&'a str>; KEYS.len()],
}

impl<'a> Pairs<'a> {
    fn new(text: &'a str) -> Result<Self, PluginError> {
        let mut values = [None; KEYS.len()];
        let mut at = 0;
        for word in text.split_whitespace() {
            at += text[at..].find(word).unwrap_or(0);
            let column = text[..at].chars().count() + 1;
            let wrong = |what: String| {
                let known = KEYS.join(", ");
                PluginError(format!(
                    "{what} at column {column}: expected key=value pairs, keys {known}"
                ))
            };
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{word}` has no `=`")))?;
            let index = KEYS
                .iter()
                .position(|k| *k == key)
                .ok_or_else(|| wrong(format!("unknown key `{key}`")))?;
            if values[index].replace(value).is_some() {
                return Err(wrong(format!("`{key}` is there twice")));
            }
            at += word.len();
        }
        Ok(Self { values })
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        let index = KEYS.iter().position(|k| *k == key)?;
        self.values[index]
    }

    /// One number for each seat, separated by `/`.
    fn numbers(&self, key: &str, seats: usize) -> Result<Option<[u8; MAX_SEATS]>, PluginError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let mut numbers = [0; MAX_SEATS];
        let parts = per_seat(key, value, seats)?;
        for (number, part) in numbers.iter_mut().zip(parts) {
            *number = small(key, part)?;
        }
        Ok(Some(numbers))
    }

    fn seat(&self, key: &str, seats: usize) -> Result<Option<u8>, PluginError> {
        match self.get(key) {
            None | Some("-") => Ok(None),
            Some(value) => seat(key, value, seats).map(Some),
        }
    }
}

fn wrong<T>(key: &str, value: &str, expected: &str) -> Result<T, PluginError> {
    Err(PluginError(format!("`{key}={value}`: expected {expected}")))
}

fn per_seat<'a>(
    key: &str,
    value: &'a str,
    seats: usize,
) -> Result<impl Iterator<Item = &'a str> + use<'a>, PluginError> {
    let count = value.split('/').count();
    if count != seats {
        let expected = format!("{seats} values with `/` between them, not {count}");
        return wrong(key, value, &expected);
    }
    Ok(value.split('/'))
}

fn small(key: &str, value: &str) -> Result<u8, PluginError> {
    match value.parse() {
        Ok(number) => Ok(number),
        Err(_) => wrong(key, value, "a number from 0 to 255"),
    }
}

fn seat(key: &str, value: &str, seats: usize) -> Result<u8, PluginError> {
    match value.parse() {
        Ok(seat) if usize::from(seat) < seats => Ok(seat),
        _ => wrong(key, value, &format!("a seat from 0 to {}", seats - 1)),
    }
}

fn tiles(key: &str, value: &str) -> Result<Tiles, PluginError> {
    parse_tiles(value).map_err(|e| PluginError(format!("in `{key}`: {e}")))
}

/// Reads an observation: `key=value` pairs with spaces between them, in any order.
///
/// | key | value | if left out |
/// |---|---|---|
/// | `players` | how many | as in the rules |
/// | `me` | whose view, a seat from 0 | required |
/// | `hand` | own tiles, `3C,3D` | required |
/// | `turn` | who is to move | `me` |
/// | `played` | tiles played, one list a seat with `/` between them, `-` for none | none |
/// | `left` | tiles left a seat | what has not been played |
/// | `table` | the play to beat and whose it is, `4C,4H@2`; `-` for none | `-` |
/// | `passed` | the seats that have passed in this trick, `3,4`; `-` for none | who sits between the owner of the table and `turn` |
/// | `plays`, `passes` | how many in the round, a seat | the fewest there can be |
/// | `cloud3` | who led the round for the cloud 3; `-` for nobody | `me` if the hand has it, or who has played it, unless the rules let a winner lead |
///
/// # Errors
/// When something cannot be read, or the facts cannot all be true, saying which.
pub fn parse_observation(game: &Lexio, text: &str) -> Result<Observation, PluginError> {
    let n = game.seats();
    let pairs = Pairs::new(text)?;
    if let Some(value) = pairs.get("players").filter(|p| *p != n.to_string()) {
        return wrong("players", value, &format!("{n}, as in the rules"));
    }
    let require = |key: &str| {
        let missing = || PluginError(format!("`{key}=` is missing"));
        pairs.get(key).ok_or_else(missing)
    };
    let me = seat("me", require("me")?, n)?;
    let hand = tiles("hand", require("hand")?)?;
    let turn = pairs.seat("turn", n)?.unwrap_or(me);
    let mut played = [Tiles::EMPTY; MAX_SEATS];
    if let Some(value) = pairs.get("played") {
        for (set, part) in played.iter_mut().zip(per_seat("played", value, n)?) {
            *set = tiles("played", part)?;
        }
    }
    let (table, owner) = table(game, pairs.get("table").unwrap_or("-"))?.unzip();
    let owner = owner.unwrap_or(turn);
    let passed = passed(game, &pairs, owner, turn, table.is_some())?;
    let plays = pairs.numbers("plays", n)?;
    let passes = pairs.numbers("passes", n)?;
    let left = pairs.numbers("left", n)?;
    let cloud3 = match pairs.get("cloud3") {
        Some(_) => pairs.seat("cloud3", n)?,
        None => led_for_cloud3(game, me, hand, &played),
    };
    let dealt = |seat: usize| if seat < n { game.hand_size() } else { 0 };
    let all = [0, 1, 2, 3, 4];
    let view = Observation {
        me,
        players: n as u8,
        hand,
        left: left.unwrap_or(all.map(|s| dealt(s).saturating_sub(played[s].len() as u8))),
        public: Public {
            played,
            table,
            plays: plays.unwrap_or(played.map(|p| p.len().div_ceil(5) as u8)),
            passes: passes.unwrap_or(all.map(|s| passed >> s & 1)),
            owner,
            turn,
            passed,
            cloud3,
        },
    };
    consistency::check(game, &view).map_err(|e| PluginError(e.to_string()))?;
    Ok(view)
}

fn table(game: &Lexio, value: &str) -> Result<Option<(Combination, u8)>, PluginError> {
    if value == "-" {
        return Ok(None);
    }
    let expected = "the tiles of a play and the seat of its owner, say `4C,4H@2`, or `-`";
    let Some((text, owner)) = value.split_once('@') else {
        return wrong("table", value, expected);
    };
    match game.combination(tiles("table", text)?) {
        Some(play) => Ok(Some((play, seat("table", owner, game.seats())?))),
        None => wrong("table", value, expected),
    }
}

fn passed(
    game: &Lexio,
    pairs: &Pairs<'_>,
    owner: u8,
    turn: u8,
    in_trick: bool,
) -> Result<u8, PluginError> {
    let n = game.seats();
    match pairs.get("passed") {
        Some("-") => Ok(0),
        Some(value) => value.split(',').try_fold(0, |mask, part| {
            seat("passed", part, n).map(|seat| mask | 1 << seat)
        }),
        None if !in_trick => Ok(0),
        None => {
            let seats = (1..n).map(|step| (usize::from(owner) + step) % n);
            let between = seats.take_while(|&s| s != usize::from(turn) && owner != turn);
            Ok(between.fold(0, |mask, seat| mask | 1 << seat))
        }
    }
}

/// Who must have led for the cloud 3, as far as it is in sight.
fn led_for_cloud3(game: &Lexio, me: u8, hand: Tiles, played: &[Tiles; MAX_SEATS]) -> Option<u8> {
    let every_round = game.options().lead == LeadRule::CloudThree;
    let three = Tile::CLOUD_THREE;
    let by = (0..).zip(played).find(|(_, p)| p.contains(three));
    let holder = by
        .map(|(seat, _)| seat)
        .or(hand.contains(three).then_some(me));
    holder.filter(|_| every_round)
}
