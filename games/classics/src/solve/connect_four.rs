//! Connect four by alpha-beta, after Pascal Pons' "Solving Connect 4" (2015-2019).

use crate::connect_four::{BOTTOM, COLUMNS, Column, FULL, Position, ROWS, STRIDE, has_four};

/// The greatest score there is; scores lie between its negative and it.
const MAX_SCORE: i32 = 18;
/// Columns from the centre out.
const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// Solves positions of connect four exactly.
///
/// The score is 0 for a draw and `s > 0` when the player to move wins with `22 - s` stones of the
/// own on the board at the winning move (so the quicker the higher); negative when the other
/// player does. A finished game has the score of the player who would
/// be to move.
///
/// The search is a null-window alpha-beta with a transposition table of fixed size, moves that
/// lose at once left out, the rest ordered by the threats they make, centre first. On one core a
/// position takes below a millisecond from ply 20, some hundredths of a second around ply 12, and
/// on the order of a second at ply 10; earlier ones take long.
///
/// ```
/// use classics::connect_four::Position;
/// use classics::solve::ConnectFourSolver;
///
/// let mut solver = ConnectFourSolver::default();
/// let position: Position = "55117162247355447526".parse()?;
/// let scores = solver.move_scores(&position);
/// let best = scores.iter().flatten().max();
/// assert_eq!(best, Some(&solver.score(&position)));
/// # Ok::<(), search_core::plugin::PluginError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ConnectFourSolver {
    /// Key and bound; a key of 0 is an empty entry.
    table: Vec<(u64, i8)>,
    nodes: u64,
}

impl Default for ConnectFourSolver {
    /// A table of 2^20 entries, 16 MB.
    fn default() -> Self {
        Self::new(20)
    }
}

/// The stones of the player to move, and all stones.
#[derive(Clone, Copy)]
struct Stones {
    own: u64,
    all: u64,
}

impl Stones {
    /// Different for different positions: the stones of the player to move, plus one above the
    /// top stone of every column.
    const fn key(self) -> u64 {
        self.own + self.all + BOTTOM
    }

    const fn plies(self) -> i32 {
        self.all.count_ones() as i32
    }

    const fn open(self) -> u64 {
        (self.all + BOTTOM) & FULL
    }

    const fn play(self, cell: u64) -> Self {
        Self {
            own: self.own ^ self.all,
            all: self.all | cell,
        }
    }

    const fn other(self) -> u64 {
        self.own ^ self.all
    }

    /// The moves after which the other player cannot win at once; empty when there is none. Asks
    /// for a position in which the player to move cannot win at once either.
    const fn safe_moves(self) -> u64 {
        let threats = completes_four(self.other(), self.all);
        let mut moves = self.open();
        let forced = moves & threats;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return 0;
            }
            moves = forced;
        }
        moves & !(threats >> 1)
    }
}

/// The empty cells, within reach or not, that would complete a four for these stones.
pub(crate) const fn completes_four(stones: u64, all: u64) -> u64 {
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    let steps = [STRIDE, STRIDE - 1, STRIDE + 1];
    let mut i = 0;
    while i < steps.len() {
        let step = steps[i];
        let pair = (stones << step) & (stones << (2 * step));
        cells |= pair & (stones << (3 * step));
        cells |= pair & (stones >> step);
        let pair = (stones >> step) & (stones >> (2 * step));
        cells |= pair & (stones << step);
        cells |= pair & (stones >> (3 * step));
        i += 1;
    }
    cells & FULL & !all
}

const fn column_mask(column: usize) -> u64 {
    ((1 << ROWS) - 1) << (STRIDE * column)
}

impl ConnectFourSolver {
    /// A solver with a table of `2^bits` entries of 16 bytes; `bits` is kept within 8 to 28.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Self {
            table: vec![(0, 0); 1 << bits.clamp(8, 28)],
            nodes: 0,
        }
    }

    /// Positions visited so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a position for the player to move.
    pub fn score(&mut self, position: &Position) -> i32 {
        let (own, all) = position.boards();
        self.solve(Stones { own, all })
    }

    /// The score of every move for the player who makes it; `None` for a full column, and for all
    /// of them when the game is over.
    pub fn move_scores(&mut self, position: &Position) -> [Option<i32>; COLUMNS] {
        std::array::from_fn(|index| {
            let column = Column::new(index).filter(|c| position.is_legal(*c))?;
            let mut next = *position;
            next.drop_stone(column);
            Some(-self.score(&next))
        })
    }

    fn solve(&mut self, stones: Stones) -> i32 {
        if has_four(stones.other()) {
            return -(22 - stones.other().count_ones() as i32);
        }
        if completes_four(stones.own, stones.all) & stones.open() != 0 {
            return 21 - stones.own.count_ones() as i32;
        }
        let mut low = -(42 - stones.plies()) / 2;
        let mut high = (43 - stones.plies()) / 2;
        while low < high {
            // Near zero first: most of the work is to tell a win from a draw from a loss.
            let mut middle = low + (high - low) / 2;
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let score = self.search(stones, middle, middle + 1);
            if score <= middle {
                high = score;
            } else {
                low = score;
            }
        }
        low
    }

    /// Fail-soft towards the window; the player to move cannot win at once.
    fn search(&mut self, stones: Stones, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        let moves = stones.safe_moves();
        let left = 42 - stones.plies();
        if moves == 0 {
            return if left == 0 { 0 } else { -left / 2 };
        }
        if left <= 2 {
            return 0;
        }
        // Neither can win with the next move: the other wins with the one after at the earliest.
        let worst = -(left - 2) / 2;
        if alpha < worst {
            alpha = worst;
            if alpha >= beta {
                return alpha;
            }
        }
        let mut best_possible = (left - 1) / 2;
        let key = stones.key();
        let slot =
            (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.table.len().ilog2())) as usize;
        let (stored, bound) = self.table[slot];
        if stored == key {
            let bound = i32::from(bound);
            if bound > LOWER {
                // A lower bound.
                let floor = bound - LOWER - MAX_SCORE - 1;
                if floor > alpha {
                    alpha = floor;
                    if alpha >= beta {
                        return alpha;
                    }
                }
            } else {
                best_possible = best_possible.min(bound - MAX_SCORE - 1);
            }
        }
        if beta > best_possible {
            beta = best_possible;
            if alpha >= beta {
                return beta;
            }
        }

        let mut ordered = [(0_u32, 0_u64); COLUMNS];
        let mut count = 0;
        for column in ORDER {
            let cell = moves & column_mask(column);
            if cell != 0 {
                let threats = completes_four(stones.own | cell, stones.all | cell).count_ones();
                // Insertion from the end; equal threats keep the order of the columns.
                let mut at = count;
                while at > 0 && ordered[at - 1].0 < threats {
                    ordered[at] = ordered[at - 1];
                    at -= 1;
                }
                ordered[at] = (threats, cell);
                count += 1;
            }
        }
        for &(_, cell) in &ordered[..count] {
            let score = -self.search(stones.play(cell), -beta, -alpha);
            if score >= beta {
                self.table[slot] = (key, (score + LOWER + MAX_SCORE + 1) as i8);
                return score;
            }
            alpha = alpha.max(score);
        }
        self.table[slot] = (key, (alpha + MAX_SCORE + 1) as i8);
        alpha
    }
}

/// Table entries above this are lower bounds, the others upper bounds.
const LOWER: i32 = 2 * MAX_SCORE + 1;
