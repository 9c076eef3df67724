//! Value iteration and proven bounds, whatever the material.

/// By how much the bounds of a table with this many smaller tables below it may miss the value.
///
/// Powers of two, so that the weighted average of a constant is exact and rounding cannot disturb
/// the comparison where nothing happens. Each table needs more than the ones it leads to: the
/// step into a smaller table is then a gain.
pub(super) const MARGIN: [f64; 3] = [
    1.0 / (1u64 << 33) as f64,
    1.0 / (1u64 << 32) as f64,
    1.0 / (1u64 << 31) as f64,
];

/// A strict gain must exceed the rounding of an average of values below one.
const ROUNDING: f64 = 4e-15;

/// A sweep that moves no value by more than this ends the iteration.
const STILL: f64 = 1e-14;

/// Sweeps before giving up.
const MAX_SWEEPS: u32 = 5_000;

/// Which of the three sets of values of a smaller table to lean on.
pub(super) const MIDDLE: usize = 0;
pub(super) const LOWER: usize = 1;
pub(super) const UPPER: usize = 2;

/// The one-turn operators of a material. All values are the strong side's.
pub(super) trait Model {
    /// Place in [`MARGIN`]: the length of the longest chain of tables below this one.
    fn depth(&self) -> usize;
    /// Which indices are positions.
    fn valid(&self) -> Vec<bool>;
    /// Values with the strong side to roll from those with the weak side to roll.
    fn strong_turn(&self, bound: usize, weak: &[f64], strong: &mut [f64]);
    /// Values with the weak side to roll from those with the strong side to roll.
    fn weak_turn(&self, bound: usize, strong: &[f64], weak: &mut [f64]);
}

/// Values with the strong and with the weak side to roll.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) strong: Vec<f64>,
    pub(super) weak: Vec<f64>,
}

/// Values, and what is proven about them.
#[derive(Clone, Debug)]
pub(super) struct Bounded {
    /// Middle, lower and upper values.
    pub(super) values: [Pair; 3],
    pub(super) valid: Vec<bool>,
    /// Sweeps (a turn of each side) until the values stood still.
    pub(super) sweeps: u32,
    /// Further sweeps until both bounds were proven.
    pub(super) proof_sweeps: u32,
}

/// Finds the values and proves an interval around them.
pub(super) fn solve(model: &dyn Model) -> Bounded {
    let valid = model.valid();
    let (middle, sweeps) = iterate(model, &valid);
    let (lower, low_sweeps) = prove(model, &valid, &middle, LOWER);
    let (upper, high_sweeps) = prove(model, &valid, &middle, UPPER);
    let proof_sweeps = low_sweeps + high_sweeps;
    Bounded {
        values: [middle, lower, upper],
        valid,
        sweeps,
        proof_sweeps,
    }
}

/// Value iteration from 0: after n sweeps the values are those of a game that is undecided, and
/// worth 0, after so many turns.
fn iterate(model: &dyn Model, valid: &[bool]) -> (Pair, u32) {
    let mut pair = Pair {
        strong: vec![0.0; valid.len()],
        weak: vec![0.0; valid.len()],
    };
    let mut next = pair.weak.clone();
    for sweep in 1..=MAX_SWEEPS {
        model.strong_turn(MIDDLE, &pair.weak, &mut pair.strong);
        model.weak_turn(MIDDLE, &pair.strong, &mut next);
        let change =
            changes(valid, &pair.weak, &next).fold(0.0, |most: f64, c| most.max(c.1.abs()));
        std::mem::swap(&mut pair.weak, &mut next);
        if change < STILL {
            model.strong_turn(MIDDLE, &pair.weak, &mut pair.strong);
            return (pair, sweep);
        }
    }
    panic!("the values still move after {MAX_SWEEPS} sweeps");
}

/// For each position: the old value and the change.
fn changes<'a>(
    valid: &'a [bool],
    old: &'a [f64],
    new: &'a [f64],
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let pairs = old.iter().zip(new).zip(valid).filter(|&(_, &valid)| valid);
    pairs.map(|((&old, &new), _)| (old, new - old))
}

/// Shifts the values by the margin and iterates until they are a proven bound.
///
/// The proof is Everett's for recursive games (infinite play pays 0), told for the lower bound
/// `L`, with `H` the operator of one turn of each side. If `H(L) >= L`, and `H(L) > L` wherever
/// `L > 0`, then the strong side that plays as `H(L)` says makes `L` of the position a bounded
/// process that does not fall on average. It rises by a fixed amount on average wherever it is
/// positive, so undecided play ends up where `L <= 0`, and pays 0 there: on average the side gets
/// at least `L`. Moves into smaller tables lead to values with a proof of their own.
fn prove(model: &dyn Model, valid: &[bool], middle: &Pair, bound: usize) -> (Pair, u32) {
    let sign = if bound == LOWER { 1.0 } else { -1.0 };
    let margin = MARGIN[model.depth()];
    let shift = |value: &f64| (value - sign * margin).clamp(-1.0, 1.0);
    let weak: Vec<f64> = middle.weak.iter().map(shift).collect();
    let mut pair = Pair {
        strong: vec![0.0; valid.len()],
        weak,
    };
    let mut next = pair.weak.clone();
    for sweep in 1..=MAX_SWEEPS {
        model.strong_turn(bound, &pair.weak, &mut pair.strong);
        model.weak_turn(bound, &pair.strong, &mut next);
        if holds(valid, [&pair.weak, &next], sign, margin) {
            return (pair, sweep);
        }
        std::mem::swap(&mut pair.weak, &mut next);
    }
    panic!("no proof after {MAX_SWEEPS} sweeps");
}

/// Whether `old` meets the conditions of a bound, given the values `new` one sweep later; `sign`
/// is 1 for a lower bound and -1 for an upper one.
///
/// The equality allowed at `L <= 0` is asked only of positions that stay exactly at the margin,
/// where the averages are exact; every other one must gain more than rounding can feign.
pub(super) fn holds(valid: &[bool], [old, new]: [&[f64]; 2], sign: f64, margin: f64) -> bool {
    let still = |old: f64, change: f64| change == 0.0 && old == -sign * margin;
    changes(valid, old, new).all(|(old, change)| sign * change > ROUNDING || still(old, change))
}
