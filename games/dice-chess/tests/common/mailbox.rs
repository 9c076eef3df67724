//! A second implementation of the rules, R2 to R11, on sixty-four letters: slow, plain, and sharing
//! nothing with the crate. Squares are numbers, a1 = 0, b1 = 1, … h8 = 63.

use std::collections::BTreeMap;

/// A position: `.` is an empty square, capitals are White's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    pub squares: [char; 64],
    pub white: bool,
    /// `K`, `Q`, `k`, `q`, in this order.
    pub rights: [bool; 4],
    pub en_passant: [bool; 64],
    pub half_move: u32,
    pub full_move: u64,
    /// Capital letters.
    pub dice: Vec<char>,
}

/// From, to, and the letter of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    pub from: usize,
    pub to: usize,
    pub promotion: Option<char>,
}

pub fn name(square: usize) -> String {
    let file = (b'a' + (square % 8) as u8) as char;
    format!("{file}{}", square / 8 + 1)
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", name(self.from), name(self.to))?;
        self.promotion.map_or(Ok(()), |p| write!(f, "{p}"))
    }
}

const KNIGHT: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn shifted(square: usize, (dx, dy): (i32, i32)) -> Option<usize> {
    let (x, y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
    ((0..8).contains(&x) && (0..8).contains(&y)).then_some((8 * y + x) as usize)
}

impl Mailbox {
    pub fn empty(white: bool) -> Self {
        Self {
            squares: ['.'; 64],
            white,
            rights: [false; 4],
            en_passant: [false; 64],
            half_move: 0,
            full_move: 1,
            dice: Vec::new(),
        }
    }

    /// Reads a DFEN that is known to be one.
    pub fn read(dfen: &str) -> Self {
        let fields: Vec<&str> = dfen.split(' ').collect();
        let mut position = Self::empty(fields[1] == "w");
        for (i, rank) in fields[0].split('/').enumerate() {
            let mut square = 8 * (7 - i);
            for c in rank.chars() {
                if let Some(n) = c.to_digit(10) {
                    square += n as usize;
                } else {
                    position.squares[square] = c;
                    square += 1;
                }
            }
        }
        for (i, c) in "KQkq".chars().enumerate() {
            position.rights[i] = fields[2].contains(c);
        }
        for square in 0..64 {
            position.en_passant[square] = fields[3].contains(&name(square));
        }
        position.half_move = fields.get(4).map_or(0, |f| f.parse().unwrap());
        position.full_move = fields.get(5).map_or(1, |f| f.parse().unwrap());
        let dice = fields.get(6).copied().unwrap_or("");
        position.dice = dice.to_uppercase().chars().filter(|c| *c != '-').collect();
        position
    }

    pub fn write(&self) -> String {
        let mut board = Vec::new();
        for rank in (0..8).rev() {
            let text: String = self.squares[8 * rank..8 * rank + 8].iter().collect();
            let mut text = text;
            for n in (1..=8).rev() {
                text = text.replace(&".".repeat(n), &n.to_string());
            }
            board.push(text);
        }
        let or_dash = |s: String| if s.is_empty() { "-".to_owned() } else { s };
        let rights = "KQkq".chars().zip(self.rights).filter(|r| r.1).map(|r| r.0);
        let targets = (0..64).filter(|s| self.en_passant[*s]).map(name);
        let mut text = format!(
            "{} {} {} {} {} {}",
            board.join("/"),
            if self.white { "w" } else { "b" },
            or_dash(rights.collect()),
            or_dash(targets.collect()),
            self.half_move,
            self.full_move
        );
        let mut dice: Vec<char> = self.dice.clone();
        dice.sort_by_key(|d| "PNBRQK".find(*d));
        if !dice.is_empty() {
            let dice: String = dice.into_iter().collect();
            let dice = if self.white {
                dice
            } else {
                dice.to_lowercase()
            };
            text = format!("{text} {dice}");
        }
        text
    }

    fn mine(&self, square: usize) -> bool {
        let c = self.squares[square];
        c != '.' && c.is_ascii_uppercase() == self.white
    }

    fn theirs(&self, square: usize) -> bool {
        self.squares[square] != '.' && !self.mine(square)
    }

    fn letter(&self, kind: char) -> char {
        if self.white {
            kind
        } else {
            kind.to_ascii_lowercase()
        }
    }

    /// R4, R8, R9: where the piece on `from` goes, castling apart.
    fn piece_moves(&self, from: usize, out: &mut Vec<Move>) {
        let kind = self.squares[from].to_ascii_uppercase();
        let plain = |to| Move {
            from,
            to,
            promotion: None,
        };
        match kind {
            'P' => self.pawn_moves(from, out),
            'N' | 'K' => {
                let king: Vec<(i32, i32)> = STRAIGHT.into_iter().chain(DIAGONAL).collect();
                let steps = if kind == 'N' { KNIGHT.to_vec() } else { king };
                let squares = steps.into_iter().filter_map(|s| shifted(from, s));
                out.extend(squares.filter(|to| !self.mine(*to)).map(plain));
            }
            _ => {
                let mut lines = Vec::new();
                if kind != 'B' {
                    lines.extend(STRAIGHT);
                }
                if kind != 'R' {
                    lines.extend(DIAGONAL);
                }
                for step in lines {
                    let mut at = from;
                    while let Some(to) = shifted(at, step) {
                        if self.mine(to) {
                            break;
                        }
                        out.push(plain(to));
                        if self.theirs(to) {
                            break;
                        }
                        at = to;
                    }
                }
            }
        }
    }

    fn pawn_moves(&self, from: usize, out: &mut Vec<Move>) {
        let up = if self.white { 1 } else { -1 };
        let (home, last, en_passant_rank) = if self.white { (1, 7, 5) } else { (6, 0, 2) };
        let mut targets = Vec::new();
        let free = |square: &usize| self.squares[*square] == '.';
        if let Some(one) = shifted(from, (0, up)).filter(free) {
            targets.push(one);
            let two = shifted(from, (0, 2 * up)).filter(|_| from / 8 == home);
            targets.extend(two.filter(free));
        }
        for side in [-1, 1] {
            let Some(to) = shifted(from, (side, up)) else {
                continue;
            };
            // The pawn that pushed twice stands behind its target, on an empty square (T9).
            let pawn = shifted(to, (0, -up)).map_or('.', |s| self.squares[s]);
            let theirs = if self.white { 'p' } else { 'P' };
            let passing = self.en_passant[to]
                && to / 8 == en_passant_rank
                && self.squares[to] == '.'
                && pawn == theirs;
            if self.theirs(to) || passing {
                targets.push(to);
            }
        }
        for to in targets {
            let king = self.squares[to].eq_ignore_ascii_case(&'K');
            if to / 8 == last && !king {
                out.extend("nbrq".chars().map(|p| Move {
                    from,
                    to,
                    promotion: Some(p),
                }));
            } else {
                out.push(Move {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
    }

    /// R7: king's home, rook's home, where the king goes, what must be empty, which right.
    fn castlings(&self) -> Vec<(Move, usize, usize)> {
        let base = if self.white { 0 } else { 56 };
        let mut out = Vec::new();
        for (right, rook, to, rook_to, between) in
            [(0, 7, 6, 5, vec![5, 6]), (1, 0, 2, 3, vec![1, 2, 3])]
        {
            let right = if self.white { right } else { right + 2 };
            let free = between.iter().all(|s| self.squares[base + s] == '.');
            let king = self.squares[base + 4] == self.letter('K');
            let has_rook = self.squares[base + rook] == self.letter('R');
            if self.rights[right] && free && king && has_rook {
                let mv = Move {
                    from: base + 4,
                    to: base + to,
                    promotion: None,
                };
                out.push((mv, base + rook, base + rook_to));
            }
        }
        out
    }

    /// R3: every micro-move the dice pay for, and what is left on the table and board after it;
    /// `true` when it takes the king.
    pub fn micro_moves(&self) -> Vec<(Move, Self, bool)> {
        let mut out = Vec::new();
        let mut kinds = self.dice.clone();
        kinds.sort_unstable();
        kinds.dedup();
        for die in kinds {
            let mut moves = Vec::new();
            for from in (0..64).filter(|s| self.squares[*s] == self.letter(die)) {
                self.piece_moves(from, &mut moves);
            }
            for mv in moves {
                let mut after = self.clone();
                after.spend(die);
                let king = after.play(mv);
                out.push((mv, after, king));
            }
        }
        if self.dice.contains(&'K') && self.dice.contains(&'R') {
            for (mv, rook, rook_to) in self.castlings() {
                let mut after = self.clone();
                after.spend('K');
                after.spend('R');
                after.squares[mv.to] = after.squares[mv.from];
                after.squares[rook_to] = after.squares[rook];
                after.squares[mv.from] = '.';
                after.squares[rook] = '.';
                after.clear_rights(self.white);
                after.half_move = (after.half_move + 1).min(127);
                out.push((mv, after, false));
            }
        }
        out
    }

    fn spend(&mut self, die: char) {
        let at = self.dice.iter().position(|d| *d == die).unwrap();
        self.dice.remove(at);
    }

    fn clear_rights(&mut self, white: bool) {
        let first = if white { 0 } else { 2 };
        self.rights[first] = false;
        self.rights[first + 1] = false;
    }

    /// The corner squares and the rights that go with them.
    fn leave_corner(&mut self, square: usize) {
        for (corner, right) in [(7, 0), (0, 1), (63, 2), (56, 3)] {
            if square == corner {
                self.rights[right] = false;
            }
        }
    }

    /// Moves a piece; whether it takes the king.
    fn play(&mut self, mv: Move) -> bool {
        let white = self.white;
        let piece = self.squares[mv.from];
        let taken = self.squares[mv.to];
        let pawn = piece.eq_ignore_ascii_case(&'P');
        let passing = pawn && mv.from % 8 != mv.to % 8 && taken == '.';
        let king = taken.eq_ignore_ascii_case(&'K');
        self.half_move = if pawn || taken != '.' {
            0
        } else {
            (self.half_move + 1).min(127)
        };
        self.squares[mv.from] = '.';
        self.squares[mv.to] = mv
            .promotion
            .map_or(piece, |p| self.letter(p.to_ascii_uppercase()));
        if passing {
            let victim = if white { mv.to - 8 } else { mv.to + 8 };
            self.squares[victim] = '.';
        }
        // R7: rights.
        if piece.eq_ignore_ascii_case(&'K') {
            self.clear_rights(white);
        }
        let own_back = if white { 0 } else { 7 };
        if piece.eq_ignore_ascii_case(&'R') && mv.from / 8 == own_back {
            self.leave_corner(mv.from);
        }
        if taken != '.' && mv.to / 8 == 7 - own_back {
            self.leave_corner(mv.to);
        }
        if king {
            self.clear_rights(!white);
        }
        // R8: a target is there as long as its pawn stands before it and nothing stands on it.
        for square in 0..64 {
            let owner = match square / 8 {
                2 => self.squares[square + 8] == 'P',
                5 => self.squares[square - 8] == 'p',
                _ => false,
            };
            let landed = square == mv.to;
            if !owner || landed {
                self.en_passant[square] = false;
            }
        }
        let home = if white { 1 } else { 6 };
        let double = mv.from.abs_diff(mv.to) == 16;
        if pawn && double && mv.from / 8 == home {
            self.en_passant[usize::midpoint(mv.from, mv.to)] = true;
        }
        king
    }

    /// R10.
    pub fn end_turn(&mut self) {
        let stale = if self.white { 5 } else { 2 };
        for square in 0..64 {
            if square / 8 == stale {
                self.en_passant[square] = false;
            }
        }
        if !self.white {
            self.full_move = (self.full_move + 1).min(i32::MAX as u64);
        }
        self.white = !self.white;
        self.dice.clear();
    }

    /// R6: every legal turn with the position after it; empty when the roll passes. Straight from
    /// the definition: list every sequence there is, find the most dice, keep what is legal.
    pub fn turns(&self) -> BTreeMap<String, Self> {
        let mut all = Vec::new();
        self.sequences("", 0, &mut all);
        let most = all.iter().map(|(_, spent, ..)| *spent).max().unwrap_or(0);
        let legal = |(_, spent, king, _): &(String, usize, bool, Self)| *king || *spent == most;
        all.retain(legal);
        all.into_iter()
            .map(|(moves, _, _, after)| (moves, after))
            .collect()
    }

    /// How many sequences there are at most: what [`Mailbox::turns`] costs.
    fn sequences(&self, path: &str, spent: usize, all: &mut Vec<(String, usize, bool, Self)>) {
        for (mv, after, king) in self.micro_moves() {
            let path = format!("{path} {mv}").trim_start().to_owned();
            let spent = spent + self.dice.len() - after.dice.len();
            if !king {
                after.sequences(&path, spent, all);
            }
            let mut done = after;
            done.end_turn();
            all.push((path, spent, king, done));
        }
    }

    /// The same position with the colours exchanged and the board turned over.
    pub fn mirrored(&self) -> Self {
        let mut other = self.clone();
        for square in 0..64 {
            let c = self.squares[square ^ 56];
            other.squares[square] = if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            };
            other.en_passant[square] = self.en_passant[square ^ 56];
        }
        let [a, b, c, d] = self.rights;
        other.rights = [c, d, a, b];
        other.white = !self.white;
        other
    }
}
