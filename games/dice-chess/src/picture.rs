//! A position drawn for a terminal.

use cozy_chess::{Color, File, Rank, Square};

use crate::dfen::capturable_targets;
use crate::dice::letter;
use crate::explain::{dice_shown, side_name as name};
use crate::position::{Outcome, Phase, Position};

/// The board from White's side, whose turn it is and the dice: upper case is White.
#[must_use]
pub fn picture(position: &Position) -> String {
    let mut out = String::new();
    for rank in (0..8).rev() {
        out.push_str(&format!("  {} ", rank + 1));
        for file in 0..8 {
            let square = Square::new(File::index(file), Rank::index(rank));
            out.push(' ');
            out.push(letter_at(position, square));
        }
        if let Some(note) = notes(position).get(7 - rank) {
            out.push_str("    ");
            out.push_str(note);
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out.push_str("     a b c d e f g h\n");
    out
}

fn letter_at(position: &Position, square: Square) -> char {
    match position.board.at(square) {
        Some((Color::White, piece)) => letter(piece),
        Some((Color::Black, piece)) => letter(piece).to_ascii_lowercase(),
        None => '.',
    }
}

/// The lines beside the board, from the top.
fn notes(position: &Position) -> Vec<String> {
    let side = name(position.side);
    let mut notes = vec![format!(
        "move {} · WHITE in capitals, black in small letters",
        position.full_move
    )];
    notes.push(match position.phase {
        Phase::Roll => format!("{side} is to roll"),
        Phase::Spend(still) => {
            let shown = dice_shown(position.pool);
            let less = if still < position.pool.len() {
                format!("  ({still} of them to spend)")
            } else {
                String::new()
            };
            format!("{side} has the dice {shown}{less}")
        }
        Phase::Over(Outcome::Won(winner)) => format!("{} captured the king", name(winner)),
        Phase::Over(Outcome::Drawn) => "drawn".to_owned(),
    });
    let targets = capturable_targets(&position.board, position.side);
    if !targets.is_empty() {
        let squares: Vec<String> = targets.into_iter().map(|s| s.to_string()).collect();
        notes.push(format!("en passant on {}", squares.join(", ")));
    }
    if position.half_move >= 50 {
        notes.push(format!(
            "{} micro-moves without a capture or a pawn",
            position.half_move
        ));
    }
    notes
}
