//! The distinct results of a turn: [`TurnResults`], for one roll or for all 56 at once.
//!
//! Four turns in five reach a board that another turn with the same dice reaches too, mostly the same
//! moves in another order. So the boards after each multiset of dice are worked out from those after
//! the multisets with one die less, each board once. For all rolls together that is 83
//! multisets, each expanded once: the boards after a pawn and a knight serve the six rolls that
//! hold both.
//!
//! A **result** is the board after a legal turn before the turn is ended: pieces, castling rights
//! and en passant targets, compared exactly. The half-move clock is no part of it: where turns that reach
//! the same board differ in it (a pawn move first or last), the result has the lowest.

use cozy_chess::{Color, Piece};

use crate::board::{Board, Wing, king_home};
use crate::dice::{FACES, Pool, Roll};
use crate::micro_move::MicroMove;
use crate::position::LAST_HALF_MOVE;
use crate::turns::TurnMoves;

mod multisets;
mod table;

use multisets::{COUNT, index_of, multiset};
use table::Table;

/// A board within a turn.
#[derive(Debug, Clone, Copy)]
struct Node {
    board: Board,
    parent: u32,
    mv: MicroMove,
    clock: u8,
    takes_king: bool,
}

const ROOT: u32 = 0;

/// Nodes that belong together: from the first to before the last.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// One distinct result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnResult {
    /// The board, before the turn is ended.
    pub board: Board,
    /// Whether the king was captured.
    pub takes_king: bool,
    /// The lowest half-move clock with which a legal turn reaches it.
    pub half_move: u8,
    /// One legal turn that reaches it with that clock.
    pub moves: TurnMoves,
}

/// The distinct results of rolls. Keeps its memory: once it has grown, nothing is allocated.
#[derive(Debug, Clone)]
pub struct TurnResults {
    nodes: Vec<Node>,
    /// The boards after spending exactly a multiset of dice, without taking the king.
    quiet: [Span; COUNT],
    /// The boards on which the last die of a multiset has taken the king.
    taken: [Span; COUNT],
    table: Table,
    scratch: Vec<Node>,
    chosen: Vec<u32>,
}

impl Default for TurnResults {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            quiet: [Span::default(); COUNT],
            taken: [Span::default(); COUNT],
            table: Table::default(),
            scratch: Vec::new(),
            chosen: Vec::new(),
        }
    }
}

impl TurnResults {
    /// One without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Works out one pool of dice, from a board with this half-move clock.
    pub fn expand(&mut self, board: &Board, side: Color, pool: Pool, half_move: u8) {
        self.start(board, half_move);
        for index in 1..COUNT {
            if multisets::within(multiset(index), pool) {
                self.fill(index, side);
            }
        }
    }

    /// Works out all 56 rolls.
    pub fn expand_all(&mut self, board: &Board, side: Color, half_move: u8) {
        self.start(board, half_move);
        for index in 1..COUNT {
            self.fill(index, side);
        }
    }

    /// The dice that a turn with this pool must spend unless it takes the king. The pool must have been
    /// worked out.
    #[must_use]
    pub fn dice(&self, pool: Pool) -> u8 {
        (0..COUNT)
            .rev()
            .find(|&i| {
                multisets::within(multiset(i), pool)
                    && !(self.quiet[i].is_empty() && self.taken[i].is_empty())
            })
            .map_or(0, |i| multiset(i).len())
    }

    /// The distinct results of a pool that has been worked out: how many, king captures first. None
    /// means that the turn is passed.
    pub fn choose(&mut self, pool: Pool) -> Chosen<'_> {
        self.chosen.clear();
        let dice = self.dice(pool);
        let mut taken = 0;
        if dice > 0 {
            self.gather(pool, true, |_| true);
            taken = self.chosen.len();
            self.gather(pool, false, |m| m.len() == dice);
        }
        Chosen {
            nodes: &self.nodes,
            chosen: &self.chosen,
            taken,
        }
    }

    /// Adds the boards of the multisets within `pool` that are wanted, each board once.
    fn gather(&mut self, pool: Pool, taken: bool, wanted: impl Fn(Pool) -> bool) {
        let spans = if taken { &self.taken } else { &self.quiet };
        let of_pool = |i: &usize| {
            let set = multiset(*i);
            multisets::within(set, pool) && wanted(set) && !spans[*i].is_empty()
        };
        let spans_of = (1..COUNT).filter(of_pool).map(|i| spans[i]);
        if spans_of.clone().count() == 1 {
            spans_of.for_each(|s| self.chosen.extend(s.start..s.end));
            return;
        }
        self.table.clear();
        for span in spans_of {
            for id in span.start..span.end {
                let node = self.nodes[id as usize];
                let nodes = &self.nodes;
                let same = |other: u32| nodes[other as usize].board == node.board;
                match self.table.find_or_insert(&node.board, id, same) {
                    None => self.chosen.push(id),
                    Some(other) if node.clock < nodes[other as usize].clock => {
                        // The board stays, reached by the turn with the lower clock.
                        if let Some(slot) = self.chosen.iter_mut().find(|c| **c == other) {
                            *slot = id;
                        }
                        self.table.replace(&node.board, other, id);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn start(&mut self, board: &Board, half_move: u8) {
        self.nodes.clear();
        self.quiet = [Span::default(); COUNT];
        self.taken = [Span::default(); COUNT];
        self.nodes.push(Node {
            board: *board,
            parent: ROOT,
            mv: MicroMove::new(cozy_chess::Square::A1, cozy_chess::Square::A1),
            clock: half_move,
            takes_king: false,
        });
        self.quiet[0] = Span { start: 0, end: 1 };
    }

    /// Works out the boards after a multiset from those with a die less; for castling two less.
    fn fill(&mut self, index: usize, side: Color) {
        let set = multiset(index);
        self.table.clear();
        self.scratch.clear();
        let start = self.nodes.len() as u32;
        for face in set.faces() {
            let Span { start, end } = self.quiet[index_of(set.without(face))];
            for parent in start..end {
                let from = self.nodes[parent as usize].board;
                from.any_move(side, face, |mv| {
                    self.add(parent, side, face, mv);
                    false
                });
            }
        }
        if set.can_castle() {
            let before = set.without(Piece::King).without(Piece::Rook);
            let Span { start, end } = self.quiet[index_of(before)];
            for parent in start..end {
                for wing in Wing::ALL {
                    if self.nodes[parent as usize].board.may_castle(side, wing) {
                        let mv = MicroMove::new(king_home(side), wing.king_to(side));
                        self.add(parent, side, Piece::King, mv);
                    }
                }
            }
        }
        let end = self.nodes.len() as u32;
        self.quiet[index] = Span { start, end };
        self.keep_taken(index);
    }

    /// Plays a move; keeps the board if it is new.
    #[inline]
    fn add(&mut self, parent: u32, side: Color, piece: Piece, mv: MicroMove) {
        let from = &self.nodes[parent as usize];
        let mut board = from.board;
        let effect = board.play(side, piece, mv);
        let clock = if effect.resets_clock {
            0
        } else {
            (from.clock + 1).min(LAST_HALF_MOVE)
        };
        let node = Node {
            board,
            parent,
            mv,
            clock,
            takes_king: effect.takes_king,
        };
        if effect.takes_king {
            self.scratch.push(node);
            return;
        }
        let id = self.nodes.len() as u32;
        let nodes = &self.nodes;
        let same = |other: u32| nodes[other as usize].board == board;
        match self.table.find_or_insert(&board, id, same) {
            None => self.nodes.push(node),
            Some(other) => lower(&mut self.nodes[other as usize], node),
        }
    }

    /// Keeps the king captures of a multiset, each board once.
    fn keep_taken(&mut self, index: usize) {
        let start = self.nodes.len() as u32;
        self.table.clear();
        for node in self.scratch.drain(..) {
            let id = self.nodes.len() as u32;
            let nodes = &self.nodes;
            let same = |other: u32| nodes[other as usize].board == node.board;
            match self.table.find_or_insert(&node.board, id, same) {
                None => self.nodes.push(node),
                Some(other) => lower(&mut self.nodes[other as usize], node),
            }
        }
        let end = self.nodes.len() as u32;
        self.taken[index] = Span { start, end };
    }
}

/// Of two ways to one board, the one with the lower clock stays. Later moves can only keep the order of
/// two clocks, so this finds the lowest.
#[inline]
fn lower(known: &mut Node, other: Node) {
    if other.clock < known.clock {
        *known = other;
    }
}

/// The distinct results of one pool.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    nodes: &'a [Node],
    chosen: &'a [u32],
    taken: usize,
}

impl Chosen<'_> {
    /// How many results there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Whether the turn must be passed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// How many of them, the first ones, capture the king.
    #[must_use]
    pub const fn king_captures(&self) -> usize {
        self.taken
    }

    /// The board of a result, by number.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    #[must_use]
    pub fn board(&self, number: usize) -> &Board {
        &self.nodes[self.chosen[number] as usize].board
    }

    /// A result, by number.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn get(&self, number: usize) -> TurnResult {
        let node = self.nodes[self.chosen[number] as usize];
        let mut moves = [node.mv; 3];
        let (mut count, mut at) = (1, node.parent);
        while at != ROOT {
            let before = self.nodes[at as usize];
            moves[count] = before.mv;
            (count, at) = (count + 1, before.parent);
        }
        TurnResult {
            board: node.board,
            takes_king: node.takes_king,
            half_move: node.clock,
            moves: moves[..count]
                .iter()
                .rev()
                .fold(TurnMoves::PASS, |turn, &mv| turn.then(mv)),
        }
    }

    /// Every result, king captures first.
    pub fn iter(&self) -> impl Iterator<Item = TurnResult> {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// A shortest turn that takes the king, if the dice allow one.
#[must_use]
pub fn king_capture(board: &Board, side: Color, pool: Pool) -> Option<TurnMoves> {
    if let Some(roll) = Roll::of(pool)
        && !crate::capture::king_captures(board, side).has(roll)
    {
        return None;
    }
    (1..=pool.len()).find_map(|most| capture_within(board, side, pool, most, TurnMoves::PASS))
}

fn capture_within(
    board: &Board,
    side: Color,
    pool: Pool,
    most: u8,
    moves: TurnMoves,
) -> Option<TurnMoves> {
    let mut found = None;
    if most <= 1 {
        let kings = board.of(!side, Piece::King);
        for face in FACES.into_iter().filter(|&face| pool.has(face)) {
            let takes = |mv: MicroMove| {
                let hit = kings.has(mv.to());
                found = hit.then(|| moves.then(mv));
                hit
            };
            if board.any_move(side, face, takes) {
                break;
            }
        }
        return found;
    }
    board.any_paid(side, pool, |piece, mv, left| {
        let mut after = *board;
        if !after.play(side, piece, mv).takes_king {
            found = capture_within(&after, side, left, most - 1, moves.then(mv));
        }
        found.is_some()
    });
    found
}

#[cfg(test)]
mod tests;
