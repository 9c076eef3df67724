//! Why a move cannot be played, and what a roll comes to, for a person at the board.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square};

use crate::board::{Wing, king_home};
use crate::dice::{Pool, Roll};
use crate::legality::most_dice;
use crate::micro_move::MicroMove;
use crate::moves::attacks;
use crate::position::{Phase, Position};

/// The name of a side.
#[must_use]
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

const fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// The dice as they lie on the table.
#[must_use]
pub fn dice_shown(pool: Pool) -> String {
    let each: Vec<String> = pool.letters().chars().map(|c| format!("[{c}]")).collect();
    each.join(" ")
}

/// What a roll means where it is rolled: who rolls, and how many of the dice can be spent.
#[must_use]
pub fn roll(before: &Position, roll: Roll) -> String {
    let side = side_name(before.side);
    let dice = dice_shown(roll.pool());
    match most_dice(&before.board, before.side, roll.pool()) {
        0 => format!("{side} rolls {dice}: no move, passes"),
        most if most < roll.pool().len() => {
            format!("{side} rolls {dice}: only {most} can be spent")
        }
        _ => format!("{side} rolls {dice}"),
    }
}

/// Why `text` is none of the legal moves, in one sentence; `None` where it is one.
#[must_use]
pub fn why_illegal(position: &Position, text: &str, legal: &[MicroMove]) -> Option<String> {
    let text = text.trim();
    if ["O-O", "O-O-O", "0-0", "0-0-0"]
        .iter()
        .any(|c| text.eq_ignore_ascii_case(c))
    {
        let home = king_home(position.side);
        return Some(format!(
            "castling is written as the king's move, as in {home}{}",
            Wing::King.king_to(position.side)
        ));
    }
    let mv: MicroMove = match text.parse() {
        Ok(mv) => mv,
        Err(error) => return Some(format!("{error}")),
    };
    if legal.contains(&mv) {
        return None;
    }
    let why = unowned(position, mv)
        .or_else(|| unpaid(position, mv))
        .or_else(|| unreachable(position, mv))
        .or_else(|| promotion(position, mv))
        .unwrap_or_else(|| too_few_dice(position, mv, legal));
    Some(format!("{mv}: {why}"))
}

/// Nothing stands there, or it is the opponent's.
fn unowned(position: &Position, mv: MicroMove) -> Option<String> {
    let from = mv.from();
    match position.board.at(from) {
        None => Some(format!("nothing stands on {from}")),
        Some((side, piece)) if side != position.side => Some(format!(
            "the {} on {from} is {}'s, and {} is to move",
            piece_name(piece),
            side_name(side),
            side_name(position.side)
        )),
        Some(_) => None,
    }
}

/// The king's move of two squares that castling is written as.
fn castling_wing(position: &Position, piece: Piece, mv: MicroMove) -> Option<Wing> {
    let at_home = piece == Piece::King && mv.from() == king_home(position.side);
    let wing = |w: &Wing| mv.to() == w.king_to(position.side);
    Wing::ALL.into_iter().filter(|_| at_home).find(wing)
}

/// Its die is not on the table.
fn unpaid(position: &Position, mv: MicroMove) -> Option<String> {
    let piece = position.board.piece_at(mv.from())?;
    let left = dice_shown(position.pool);
    if castling_wing(position, piece, mv).is_some() {
        let price = "castling costs a king die and a rook die";
        return (!position.pool.can_castle()).then(|| format!("{price}, and the dice are {left}"));
    }
    let name = piece_name(piece);
    (!position.pool.has(piece)).then(|| {
        format!(
            "the {name} on {} needs a {name} die, and the dice are {left}",
            mv.from()
        )
    })
}

/// The piece does not go there.
fn unreachable(position: &Position, mv: MicroMove) -> Option<String> {
    let (board, side) = (&position.board, position.side);
    let (from, to) = (mv.from(), mv.to());
    let piece = board.piece_at(from)?;
    let name = piece_name(piece);
    if let Some(wing) = castling_wing(position, piece, mv) {
        if board.may_castle(side, wing) {
            return None;
        }
        return Some(if !board.castling().has(side, wing) {
            "there is no right to castle there any more".into()
        } else if !board.of(side, Piece::Rook).has(wing.rook_from(side)) {
            format!("no rook stands on {} to castle with", wing.rook_from(side))
        } else {
            "something stands between king and rook".into()
        });
    }
    if board.targets(side, piece, from).has(to) {
        return None;
    }
    if let Some((owner, other)) = board.at(to) {
        if owner == side {
            return Some(format!("your own {} stands on {to}", piece_name(other)));
        }
        if piece == Piece::Pawn && from.file() == to.file() {
            return Some(format!(
                "a pawn does not capture straight ahead, and the {} on {to} blocks it",
                piece_name(other)
            ));
        }
    }
    let empty_board = attacks(side, piece, from, BitBoard::EMPTY).has(to);
    Some(match piece {
        Piece::Pawn if empty_board => {
            format!("a pawn goes aside only to capture, and there is nothing to capture on {to}")
        }
        _ if empty_board => format!("something is in the way of the {name} on {from}"),
        _ => format!("the {name} on {from} does not reach {to}"),
    })
}

/// A promotion without its piece, or a piece without a promotion.
fn promotion(position: &Position, mv: MicroMove) -> Option<String> {
    let (from, to) = (mv.from(), mv.to());
    let pawn = position.board.piece_at(from) == Some(Piece::Pawn);
    let takes_king = position.board.of(!position.side, Piece::King).has(to);
    let promotes = pawn && last_rank(position.side, to) && !takes_king;
    match mv.promotion() {
        None if promotes => Some(format!(
            "say what the pawn becomes: {mv}q, {mv}r, {mv}b or {mv}n"
        )),
        Some(_) if takes_king && pawn => Some(format!(
            "capturing the king ends the game before anything is promoted: write {from}{to}"
        )),
        Some(_) if !promotes => Some(format!("nothing is promoted there: write {from}{to}")),
        _ => None,
    }
}

fn last_rank(side: Color, square: Square) -> bool {
    square.rank()
        == match side {
            Color::White => Rank::Eighth,
            Color::Black => Rank::First,
        }
}

/// The maximum-dice rule (R6).
fn too_few_dice(position: &Position, mv: MicroMove, legal: &[MicroMove]) -> String {
    let Phase::Spend(still) = position.phase else {
        return "no dice are on the table".into();
    };
    let mut after = position.board;
    let Some(piece) = after.piece_at(mv.from()) else {
        return "nothing moves".into();
    };
    let mut pool = position.pool.without(piece);
    if after.castles(position.side, piece, mv).is_some() {
        pool = pool.without(Piece::Rook);
    }
    after.play(position.side, piece, mv);
    let paid = position.pool.len() - pool.len();
    let spent = paid + most_dice(&after, position.side, pool);
    let other = legal
        .iter()
        .any(|m| m.from() == mv.from() && m.to() == mv.to());
    let hint = if other {
        "; another promotion would do"
    } else {
        ""
    };
    let still_to = match still {
        1 => "1 die has".into(),
        n => format!("{n} dice have"),
    };
    if spent >= still {
        // The rest of this turn can only be spent by capturing the king.
        return format!(
            "from here the turn has to go on to capture the king, and this does not{hint}"
        );
    }
    format!(
        "a turn spends as many dice as it can: {still_to} to be spent, and after this only {spent} could be{hint}"
    )
}
