//! Solves the endings of two and three men, with proven bounds.
//!
//! The strategy value of a position is what optimal play by both gets on average when a captured
//! king counts 1 or -1 and play without end counts 0. Value iteration from 0 finds it: with the
//! values after the turn given, the best turn for a pool of dice is a dynamic program over what
//! is left of the pool (most dice first, then the best value; a king capture beats everything,
//! whatever its length, R5 and R6), and the rolls are averaged with their weights.
//!
//! Iterating from -1 and from 1 would not close in on the value: two kings that keep away from
//! each other may do so for ever, so "undecided is lost" and "undecided is won" are different
//! games. The bounds are instead the values moved aside by a margin and iterated until they
//! satisfy the conditions of H. Everett, "Recursive games" (Contributions to the Theory of Games
//! III, 1957), which hold for lower and upper bounds only.

mod kings;
mod model;
mod officer;
mod pawn;
#[cfg(test)]
mod tests;

use cozy_chess::{Piece, Square};

use super::position::{Material, Men};
use model::{Bounded, LOWER, MIDDLE, Model, UPPER};

/// A solved material.
#[derive(Clone, Debug)]
pub struct Solved {
    material: Material,
    bounded: Bounded,
}

impl Solved {
    fn new(material: Material, model: &dyn Model) -> Self {
        Self {
            material,
            bounded: model::solve(model),
        }
    }

    /// What was solved.
    #[must_use]
    pub fn material(&self) -> Material {
        self.material
    }

    /// Positions with either side to roll, not reduced by symmetry.
    #[must_use]
    pub fn positions(&self) -> usize {
        2 * self.bounded.valid.iter().filter(|&&valid| valid).count()
    }

    /// Sweeps (one turn of each side) until no value moved by more than 1e-14.
    #[must_use]
    pub fn sweeps(&self) -> u32 {
        self.bounded.sweeps
    }

    /// Sweeps until the lower and the upper bound were proven, together.
    #[must_use]
    pub fn proof_sweeps(&self) -> u32 {
        self.bounded.proof_sweeps
    }

    /// The widest proven interval over all positions.
    #[must_use]
    pub fn width(&self) -> f64 {
        let [_, lower, upper] = &self.bounded.values;
        let gap = |low: &[f64], high: &[f64]| {
            let pairs = low.iter().zip(high).zip(&self.bounded.valid);
            pairs
                .filter(|&(_, &valid)| valid)
                .fold(0.0, |most: f64, ((l, h), _)| most.max(h - l))
        };
        gap(&lower.strong, &upper.strong).max(gap(&lower.weak, &upper.weak))
    }

    /// The value for the side to roll; `None` for other material or an impossible position.
    #[must_use]
    pub fn value(&self, men: &Men) -> Option<f64> {
        let value = self.strong_value(men, MIDDLE)?;
        Some(if men.strong_to_move { value } else { -value })
    }

    /// The proven interval of the value for the side to roll.
    #[must_use]
    pub fn interval(&self, men: &Men) -> Option<[f64; 2]> {
        let [low, high] = [
            self.strong_value(men, LOWER)?,
            self.strong_value(men, UPPER)?,
        ];
        Some(if men.strong_to_move {
            [low, high]
        } else {
            [-high, -low]
        })
    }

    fn strong_value(&self, men: &Men, bound: usize) -> Option<f64> {
        if !men.is_valid() || men.material() != Some(self.material) {
            return None;
        }
        let kings = men.weak as usize * 64 + men.strong as usize;
        let index = men
            .piece
            .map_or(kings, |(_, square)| kings * 64 + square as usize);
        let pair = &self.bounded.values[bound];
        Some(if men.strong_to_move {
            pair.strong[index]
        } else {
            pair.weak[index]
        })
    }
}

/// Solves king against king.
///
/// # Panics
///
/// As all solvers here, if the values do not settle or the bounds cannot be proven.
#[must_use]
pub fn kings() -> Solved {
    Solved::new(Material::Kings, &kings::Kings)
}

/// Solves a king and an officer against a king.
///
/// # Panics
///
/// If `piece` is a pawn or a king, or `kings` is not the solution of two kings.
#[must_use]
pub fn officer(piece: Piece, kings: &Solved) -> Solved {
    assert!(pawn::OFFICERS.contains(&piece), "{piece:?} is no officer");
    assert_eq!(kings.material, Material::Kings);
    let model = officer::Officer::new(piece, &kings.bounded);
    Material::with(piece).map_or_else(|| unreachable!(), |material| Solved::new(material, &model))
}

/// Solves a king and a pawn against a king, over the endings it can turn into.
///
/// # Panics
///
/// If one of the other five solutions is missing.
#[must_use]
pub fn pawn(solved: &[Solved]) -> Solved {
    let find = |material| {
        let found = solved.iter().find(|table| table.material == material);
        &found
            .unwrap_or_else(|| panic!("{material:?} is not solved"))
            .bounded
    };
    let officers = pawn::OFFICERS.map(|piece| find(Material::with(piece).expect("an officer")));
    Solved::new(
        Material::Pawn,
        &pawn::Pawn::new(find(Material::Kings), officers),
    )
}

/// Solves everything, in the order of [`Material::ALL`].
///
/// # Panics
///
/// If the values do not settle or the bounds cannot be proven.
#[must_use]
pub fn all() -> Vec<Solved> {
    let bare = kings();
    let mut solved: Vec<Solved> = pawn::OFFICERS
        .iter()
        .map(|&piece| officer(piece, &bare))
        .collect();
    solved.push(bare);
    solved.push(pawn(&solved));
    solved.sort_by_key(Solved::material);
    solved
}

/// The value of king against king, for the side to roll, of a game that is undecided, and worth
/// 0, after `turns` turns.
#[must_use]
pub fn kings_within(turns: u32, mover: Square, other: Square) -> f64 {
    // By symmetry the values with the other side to roll are the negated transpose.
    let mut values = vec![0.0; 64 * 64];
    for _ in 0..turns {
        let after: Vec<f64> = (0..64 * 64)
            .map(|at| -values[at % 64 * 64 + at / 64])
            .collect();
        kings::Kings.strong_turn(MIDDLE, &after, &mut values);
    }
    values[other as usize * 64 + mover as usize]
}
