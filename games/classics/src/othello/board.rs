//! Moves and turned discs on two bitboards: bit `8 * row + column`, row and column from the top left.
//!
//! Four of the eight directions lead to higher bits. Of the other four, three do once the board is turned
//! upside down, which is a swap of bytes; one, to the left, is left.

/// Columns b to g: what may lie between two discs of a line that is not vertical, so that no line
/// runs around the edge.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Steps to higher bits: right, down to the left, down, down to the right.
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The squares beyond each square in the four directions of [`STEPS`].
static RAYS: [[u64; 4]; 64] = {
    let mut rays = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (dx, dy) = STEPS[direction];
            let (mut column, mut row) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
            while column >= 0 && column < 8 && row < 8 {
                rays[square][direction] |= 1 << (8 * row + column);
                column += dx;
                row += dy;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The squares just beyond the runs of `other` that begin `STEP` bits above a disc of `own`. The runs
/// double in length with every fill: 1, 2, 4, 6 discs.
#[inline]
const fn beyond_up<const STEP: u32>(own: u64, other: u64) -> u64 {
    let mut run = other & (own << STEP);
    run |= other & (run << STEP);
    let pairs = other & (other << STEP);
    run |= pairs & (run << (2 * STEP));
    run |= pairs & (run << (2 * STEP));
    run << STEP
}

/// The same for the run to the left.
#[inline]
const fn run_left(own: u64, inner: u64) -> u64 {
    let mut run = inner & (own >> 1);
    run |= inner & (run >> 1);
    let pairs = inner & (inner >> 1);
    run |= pairs & (run >> 2);
    run |= pairs & (run >> 2);
    run
}

/// The directions down, on a board that may be upside down.
#[inline]
const fn beyond_down(own: u64, other: u64, inner: u64) -> u64 {
    beyond_up::<7>(own, inner) | beyond_up::<8>(own, other) | beyond_up::<9>(own, inner)
}

/// The squares on which `own` may put a disc: the empty ones next to a run of `other` that ends at a disc
/// of `own`.
#[inline]
pub(super) const fn moves(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    // To the right, adding the first disc of every run that follows an own disc carries to its end.
    let right = (inner.wrapping_add(inner & (own << 1))) & !inner;
    let left = run_left(own, inner) >> 1;
    let down = beyond_down(own, other, inner);
    let up = beyond_down(own.swap_bytes(), other.swap_bytes(), inner.swap_bytes());
    (right | left | down | up.swap_bytes()) & !(own | other)
}

/// The discs of `other` on a ray to higher bits that lie between its beginning and a disc of `own`.
#[inline]
const fn turned_on(ray: u64, own: u64, other: u64) -> u64 {
    // Adding one runs through everything that is not on the ray, then through the discs of `other`, and
    // stops at the first square of the ray that has none.
    let end = (other | !ray).wrapping_add(1) & own & ray;
    end.wrapping_sub((end != 0) as u64) & ray
}

/// The discs of `other` that a disc of `own` on the empty `square` (0 to 63) turns.
#[inline]
pub(super) fn turned(own: u64, other: u64, square: usize) -> u64 {
    let rays = &RAYS[square & 63];
    let right = turned_on(rays[0], own, other);
    let down = turned_on(rays[1], own, other)
        | turned_on(rays[2], own, other)
        | turned_on(rays[3], own, other);
    // Row r is row 7 - r of the board upside down.
    let rays = &RAYS[(square ^ 56) & 63];
    let (mirrored, others) = (own.swap_bytes(), other.swap_bytes());
    let up = turned_on(rays[1], mirrored, others)
        | turned_on(rays[2], mirrored, others)
        | turned_on(rays[3], mirrored, others);
    let run = run_left(1 << (square & 63), other & INNER);
    let ends = (run >> 1) & !run & own != 0;
    let left = run & (ends as u64).wrapping_neg();
    right | down | up.swap_bytes() | left
}
