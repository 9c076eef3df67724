//! The sheet, in metres: shot coordinates, the hack the origin, y growing towards the house.
//!
//! The figures are those of Digital Curling 3 (`detail/coordinate.hpp`). The older UEC simulator has
//! its own frame and a slightly different sheet: see [`crate::physics::uec`].

/// Radius of a stone.
pub const STONE_RADIUS: f64 = 0.145;
/// Mass of a stone, in kilograms.
pub const STONE_MASS: f64 = 19.96;
/// Distance of two centres in contact.
pub const CONTACT: f64 = 2.0 * STONE_RADIUS;
/// Width of the sheet: x from minus half of it to plus half.
pub const SHEET_WIDTH: f64 = 4.75;
/// The far hog line.
pub const HOG_LINE: f64 = 32.004;
/// The tee: the centre of the house is at x = 0 on it.
pub const TEE: f64 = 38.405;
/// The back line.
pub const BACK_LINE: f64 = 40.234;
/// The back board behind the thrower.
pub const NEAR_BOARD: f64 = -1.829;
/// Radius of the house (the 12-foot ring).
pub const HOUSE_RADIUS: f64 = 1.829;
/// Radius of the 8-foot ring.
pub const EIGHT_FOOT: f64 = 1.219;
/// Radius of the 4-foot ring.
pub const FOUR_FOOT: f64 = 0.610;
/// Radius of the button.
pub const BUTTON: f64 = 0.152;
/// Middle of the sheet, the origin in which the official simulator computes.
pub const SHEET_CENTRE: f64 = 21.0315;
