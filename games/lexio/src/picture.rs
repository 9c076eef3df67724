//! An observation as a person would like to see it.

use search_core::game::Player;
use std::fmt::Write;

use crate::observation::Observation;

/// What `view` shows, over several lines: the order of play, counts and tiles played of each seat,
/// the table, and the hand weak to strong.
#[must_use]
pub fn picture(view: &Observation) -> String {
    let public = view.public();
    let n = view.players();
    let over = view.left(public.owner()) == 0;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "Lexio, {n} players, seen from seat {}", view.me);
    for step in 0..n {
        let seat = (view.me().index() + step) % n;
        let player = Player::new(seat);
        let mark = if player == public.to_move() && !over {
            '>'
        } else {
            ' '
        };
        let mut notes = String::new();
        if player == view.me() {
            notes.push_str(" (you)");
        }
        if over && player == public.owner() {
            notes.push_str(" has won");
        }
        if public.has_passed(player) {
            notes.push_str(" passed");
        }
        let _ = writeln!(
            out,
            "{mark} seat {seat}  {:>2} left  played {}{notes}",
            view.left(player),
            public.played(player),
        );
    }
    match public.table() {
        None => out.push_str("table  empty, any play may be led\n"),
        Some(play) => {
            let name = play.kind().name().replace('_', " ");
            let _ = writeln!(
                out,
                "table  {} ({name}) by seat {}",
                play.tiles(),
                public.owner
            );
        }
    }
    let _ = write!(out, "hand   {}", view.hand());
    out
}
