//! Tiles, plays and observations as text, and back.

use search_core::plugin::PluginError;

use crate::action::Action;
use crate::observation::Observation;
use crate::set::Tiles;
use crate::tile::{Suit, Tile};

const TILE_HELP: &str = "a tile is a number from 1 to 15 and a suit of C H D S, say `12H`";

/// Reads tiles such as `3C 3D`, in any order and with any or no separators.
///
/// # Errors
/// Names the column of the first thing that is not a tile, or that is there twice.
pub fn parse_tiles(text: &str) -> Result<Tiles, PluginError> {
    let mut tiles = Tiles::EMPTY;
    let mut chars = text.chars().enumerate().peekable();
    while let Some(&(at, first)) = chars.peek() {
        if !first.is_alphanumeric() {
            chars.next();
            continue;
        }
        let wrong = |what: String| {
            let column = at + 1;
            PluginError(format!(
                "{what} at column {column} of `{text}`: {TILE_HELP}"
            ))
        };
        let mut number = 0_u32;
        let mut word = String::new();
        while let Some((_, digit)) = chars.next_if(|(_, c)| c.is_ascii_digit()) {
            word.push(digit);
            number = number
                .saturating_mul(10)
                .saturating_add(digit.to_digit(10).unwrap_or(0));
        }
        let letter = chars.next_if(|(_, c)| c.is_alphanumeric()).map(|(_, c)| c);
        word.extend(letter);
        let suit = letter.and_then(Suit::from_letter);
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        let tile = suit.and_then(|suit| Tile::new(number, suit));
        let tile = tile.ok_or_else(|| wrong(format!("`{word}` is not a tile")))?;
        if tiles.contains(tile) {
            return Err(wrong(format!("{tile} is there twice")));
        }
        tiles.insert(tile);
    }
    Ok(tiles)
}

/// Reads `pass` or the tiles of a play.
///
/// # Errors
/// As [`parse_tiles`], and when there is no tile or there are more than five.
pub fn parse_play(text: &str) -> Result<Action, PluginError> {
    if text.trim().eq_ignore_ascii_case("pass") {
        return Ok(Action::PASS);
    }
    let tiles = parse_tiles(text)?;
    let action = Action::from_tiles(tiles).filter(|_| !tiles.is_empty());
    action.ok_or_else(|| {
        PluginError(format!(
            "`{}` has {} tiles: a play is 1, 2, 3 or 5 tiles, or `pass`",
            text.trim(),
            tiles.len()
        ))
    })
}

/// The tiles with commas between them; `-` for none.
fn commas(tiles: Tiles) -> String {
    tiles.to_string().replace(' ', ",")
}

fn seats<T: ToString>(values: &[T], separator: &str) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    texts.join(separator)
}

/// An observation on one line: what [`crate::parse_observation`] reads.
#[must_use]
pub fn format_observation(view: &Observation) -> String {
    let n = view.players();
    let public = view.public();
    let table = public.table.map_or("-".to_owned(), |table| {
        format!("{}@{}", commas(table.tiles()), public.owner)
    });
    let passed: Vec<usize> = (0..n).filter(|s| public.passed >> s & 1 == 1).collect();
    let passed = if passed.is_empty() {
        "-".to_owned()
    } else {
        seats(&passed, ",")
    };
    let played: Vec<String> = public.played[..n].iter().map(|&t| commas(t)).collect();
    let cloud3 = public
        .cloud3
        .map_or("-".to_owned(), |seat| seat.to_string());
    format!(
        "players={n} me={} turn={} hand={} table={table} left={} played={} passed={passed} \
         plays={} passes={} cloud3={cloud3}",
        view.me,
        public.turn,
        commas(view.hand),
        seats(&view.left[..n], "/"),
        played.join("/"),
        seats(&public.plays[..n], "/"),
        seats(&public.passes[..n], "/"),
    )
}
