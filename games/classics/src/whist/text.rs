//! Observations as one line, and pictures.

use search_core::game::{Player, Turn};
use search_core::plugin::{Plugin, PluginError};

use super::{Card, PLAYERS, Suit, Table, Whist, WhistView};
use crate::text::Facts;

const KEYS: [&str; 3] = ["player", "hand", "played"];
const EXAMPLE: &str = "player=3 hand=4c,9c,… played=5h,7h,Ah";

fn list(cards: impl IntoIterator<Item = Card>) -> String {
    let names: Vec<String> = cards.into_iter().map(|card| card.to_string()).collect();
    names.join(",")
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}

fn tricks(table: &Table) -> String {
    let tricks: Vec<String> = table
        .played()
        .chunks(PLAYERS)
        .map(|trick| list(trick.iter().copied()))
        .collect();
    tricks.join("/")
}

pub(super) fn line(view: &WhistView) -> String {
    format!(
        "player={} hand={} played={}",
        view.player.index(),
        or_nothing(list(Card::of(view.hand))),
        or_nothing(tricks(&view.table))
    )
}

pub(super) fn read(game: &Whist, text: &str) -> Result<WhistView, PluginError> {
    let facts = Facts::read(Whist::NAME, text, &KEYS, EXAMPLE)?;
    let cards = |names: &str| -> Result<Vec<Card>, PluginError> {
        let card = |name: &str| {
            Card::from_text(name)
                .ok_or_else(|| facts.bad(&format!("`{name}` is not a card (2c, Td, Kh, As)")))
        };
        match names {
            "-" => Ok(Vec::new()),
            names => names.split([',', '/']).map(card).collect(),
        }
    };
    let played = facts.get("played").unwrap_or("-");
    for trick in played.split('/').rev().skip(1) {
        if trick.split(',').count() != PLAYERS {
            return Err(facts.bad(&format!("`{trick}` is not a trick of four cards")));
        }
    }
    let last = played.rsplit('/').next().unwrap_or("-");
    if last.split(',').count() > PLAYERS {
        return Err(facts.bad("a trick has four cards; write `/` between tricks"));
    }
    let played = cards(played)?;
    let mut hand = 0;
    for card in cards(facts.need("hand")?)? {
        if hand & card.bit() != 0 {
            return Err(facts.bad(&format!("{card} is twice in the hand")));
        }
        hand |= card.bit();
    }
    let bad = |error: PluginError| facts.bad(&error.0);
    let player = match facts.get("player") {
        Some(_) => Player::new(facts.number("player", PLAYERS as u64)? as usize),
        None => {
            let (table, _) = Table::replay(game.trump, &played, Player::new(0)).map_err(bad)?;
            Player::new(table.seat())
        }
    };
    WhistView::new(game, player, hand, &played).map_err(bad)
}

fn suits(hand: u64) -> String {
    let suits = Suit::ALL.iter().rev().map(|suit| {
        let cards: Vec<String> = Card::of(hand & suit.mask())
            .map(|card| card.to_string())
            .collect();
        cards.into_iter().rev().collect::<Vec<_>>().join(" ")
    });
    let held: Vec<String> = suits.filter(|cards| !cards.is_empty()).collect();
    or_nothing(held.join("   "))
}

pub(super) fn picture(game: &Whist, view: &WhistView) -> String {
    let (me, table) = (view.player.index(), &view.table);
    let mut text = format!("player {me} holds {}", suits(view.hand));
    let trumps = match game.trump {
        Some(suit) => format!("{suit:?} are trumps").to_lowercase(),
        None => "no trumps".into(),
    };
    text.push_str(&format!(
        "\n{trumps}; tricks: {} for 0 and 2, {} for 1 and 3",
        table.tricks(0),
        table.tricks(1)
    ));
    let trick = table.trick();
    if !trick.is_empty() {
        let leader = table.seat() + PLAYERS - trick.len();
        let cards: Vec<String> = trick
            .iter()
            .enumerate()
            .map(|(i, card)| format!("{} {card}", (leader + i) % PLAYERS))
            .collect();
        text.push_str(&format!("\non the table: {}", cards.join(", ")));
    }
    for seat in (0..PLAYERS).filter(|seat| *seat != me) {
        let shown: Vec<String> = Suit::ALL
            .iter()
            .filter(|suit| table.is_void(seat, **suit))
            .map(|suit| format!("{suit:?}").to_lowercase())
            .collect();
        if !shown.is_empty() {
            text.push_str(&format!("\nplayer {seat} has no {}", shown.join(", ")));
        }
    }
    match table.turn() {
        Turn::Player(player) => text.push_str(&format!("\nplayer {} to play", player.index())),
        _ => text.push_str("\nover"),
    }
    text
}
