//! Where the other's marks may be: [`PhantomWorlds`].

use rand::Rng;
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::Draw;

use super::{MAX_SQUARES, Phantom, PhantomState, PhantomView, Tries};
use crate::grid::{Square, squares};

/// Places the other's marks that are not known on unknown squares, each placement that holds no row
/// with the same probability, as determinizations of this game usually are (Cowling, Powley &
/// Whitehouse 2012).
///
/// That is also exact against an opponent who tries squares at random. Such an opponent marks each
/// free square next with the same probability, whatever has been run into on the way, so that a
/// placement weighs what it has orders. An own try that met a mark says that the mark was made before;
/// an own try that met none says nothing that the own mark does not say. So the marks that are known have
/// to be early enough, the others may come in any order, and every placement has as many orders as every
/// other.
///
/// The rest of a world is drawn to fit: an order of the marks, uniformly; and the tries with which the
/// other has run into own marks, as a player does who tries squares at random. Of a turn of the
/// other's that is not over yet, no tries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PhantomWorlds;

/// The placements of an observation, and what is known about the order of the marks.
#[derive(Debug, Clone)]
pub struct PhantomPlan {
    /// Every set of squares that the other may have marked.
    placements: Vec<u64>,
    /// How many those are.
    marks: usize,
    /// The marks that are known, in the order in which they were run into, each with how many marks
    /// there were at that time.
    known: Vec<(Square, usize)>,
    /// The own marks in order.
    own: Vec<Square>,
    /// The finished game, where everything is shown.
    over: Option<PhantomState>,
}

impl PhantomPlan {
    /// Every set of squares that the other may have marked, each once and all equally likely.
    #[must_use]
    pub fn placements(&self) -> &[u64] {
        &self.placements
    }
}

impl Phantom {
    /// Calls `visit` with every set of `more` squares of `rest`, joined with `marks`, that holds no row.
    fn placements(&self, marks: u64, mut rest: u64, more: u32, visit: &mut Vec<u64>) {
        if self.has_row(marks) {
            return;
        }
        if more == 0 {
            visit.push(marks);
            return;
        }
        while rest.count_ones() >= more {
            let square = Square::lowest(rest).bit();
            rest &= !square;
            self.placements(marks | square, rest, more - 1, visit);
        }
    }

    /// Reads the record of the tries: the own marks, and the known marks with their times.
    fn record(&self, view: &PhantomView) -> Result<PhantomPlan, Contradiction> {
        let mut plan = PhantomPlan {
            placements: Vec::new(),
            marks: view.others() as usize,
            known: Vec::new(),
            own: Vec::new(),
            over: None,
        };
        let seat = view.player.index();
        for &square in view.tries.squares() {
            if view.known & square.bit() == 0 {
                plan.own.push(square);
                continue;
            }
            // The marks alternate, the first player's first.
            let there = plan.own.len() + seat;
            if plan.known.len() >= there {
                return Err(Contradiction::new(format!(
                    "{square:?} cannot have been met: all marks were known by then"
                )));
            }
            plan.known.push((square, there));
        }
        Ok(plan)
    }
}

impl Determinizer<Phantom> for PhantomWorlds {
    type Plan = PhantomPlan;

    fn plan(&self, game: &Phantom, view: &PhantomView) -> Result<PhantomPlan, Contradiction> {
        let mut plan = game.record(view)?;
        if view.status.is_over() {
            let mut tries = [view.tries, view.shown];
            if view.player.index() == 1 {
                tries.reverse();
            }
            plan.over = Some(game.replay(tries, &mut |_, _, _| {}));
            return Ok(plan);
        }
        let rest = game.squares & !(view.own | view.known);
        let more = plan.marks.checked_sub(plan.known.len());
        let more = more.ok_or_else(|| Contradiction::new("more marks are known than there are"))?;
        game.placements(view.known, rest, more as u32, &mut plan.placements);
        if plan.placements.is_empty() {
            return Err(Contradiction::new(
                "wherever the other's marks are, they hold a row",
            ));
        }
        Ok(plan)
    }

    fn scratch(&self, _: &Phantom, _: &PhantomView, _: &PhantomPlan) -> PhantomState {
        PhantomState::default()
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Phantom,
        view: &PhantomView,
        plan: &PhantomPlan,
        rng: &mut R,
        world: &mut PhantomState,
    ) -> LogWeight {
        if let Some(over) = plan.over {
            *world = over;
            return 0.0;
        }
        let marks = plan.placements[rng.below(plan.placements.len() as u32) as usize];
        let order = order(plan, marks & !view.known, rng);
        let (tries, known) = tries(game, view, plan, &order, rng);
        let me = view.player.index();
        world.marks[me] = view.own;
        world.marks[1 - me] = marks;
        world.known[me] = view.known;
        world.known[1 - me] = known;
        world.tries[me] = view.tries;
        world.tries[1 - me] = tries;
        world.status = view.status;
        0.0
    }
}

/// An order of the other's marks in which the known ones are early enough, uniformly: each of them
/// gets one of the places before its time that those before it left, then the others get the rest.
fn order<R: Rng + ?Sized>(plan: &PhantomPlan, unknown: u64, rng: &mut R) -> [Square; MAX_SQUARES] {
    let mut order = [Square::default(); MAX_SQUARES];
    let mut free: u32 = (1 << plan.marks) - 1;
    for (i, &(square, there)) in plan.known.iter().enumerate() {
        let place = nth(free.into(), rng.below((there - i) as u32));
        order[place.index()] = square;
        free &= !(place.bit() as u32);
    }
    let mut left = free.count_ones();
    for square in squares(unknown) {
        let place = nth(free.into(), rng.below(left));
        order[place.index()] = square;
        free &= !(place.bit() as u32);
        left -= 1;
    }
    order
}

/// What the other has tried, and what that made known, when squares that are not known are tried at
/// random until one is free: how many own marks are met on the way does not depend on which it is.
fn tries<R: Rng + ?Sized>(
    game: &Phantom,
    view: &PhantomView,
    plan: &PhantomPlan,
    order: &[Square; MAX_SQUARES],
    rng: &mut R,
) -> (Tries, u64) {
    let all = game.squares.count_ones();
    let (mut tries, mut known, mut hidden) = (Tries::default(), 0, 0_u64);
    let mut own = plan.own.iter();
    // The first player makes a mark before the other's first.
    let mut made = 0;
    for (turn, &square) in order[..plan.marks].iter().enumerate() {
        let before = turn + 1 - view.player.index();
        while made < before {
            hidden |= own.next().map_or(0, |mark| mark.bit());
            made += 1;
        }
        let free = all - (turn + before) as u32;
        loop {
            let met = hidden.count_ones();
            let draw = if met == 0 { 0 } else { rng.below(met + free) };
            if draw >= met {
                break;
            }
            let mark = nth(hidden, draw);
            hidden &= !mark.bit();
            known |= mark.bit();
            tries.push(mark);
        }
        tries.push(square);
    }
    (tries, known)
}

/// The `n`-th square of a set, from 0.
#[inline]
fn nth(mut set: u64, n: u32) -> Square {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    Square::lowest(set)
}
