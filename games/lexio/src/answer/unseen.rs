//! What is not seen: tiles, and the seats that hold them.

use search_core::game::Player;
use search_core::observation::Contradiction;
use thiserror::Error;

use crate::observation::Observation;
use crate::rules::{Lexio, MAX_SEATS, PassRule};
use crate::set::Tiles;
use crate::tile::Tile;

/// Why an answer probability could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// More seats than a table has.
    #[error("{0} seats hold unseen tiles: a table has at most {MAX_SEATS} seats")]
    Seats(usize),
    /// The seats hold more tiles than are unseen.
    #[error("the seats hold {held} tiles, of {unseen} unseen ones")]
    Room {
        /// What the seats hold together.
        held: u32,
        /// How many tiles are unseen.
        unseen: u32,
    },
    /// A tile that a seat is known to hold is not unseen, or also known elsewhere, or the seat
    /// holds fewer tiles.
    #[error("seat {seat} cannot be known to hold {known}")]
    Known {
        /// The place in the list of seats.
        seat: usize,
        /// What it was said to hold.
        known: Tiles,
    },
    /// The play is made of tiles that the caller calls unseen.
    #[error("{0} is to be played, so none of it is unseen")]
    PlayUnseen(Tiles),
    /// A sample of no deals.
    #[error("a sample needs at least one deal")]
    NoWorlds,
    /// The deal could not be planned.
    #[error(transparent)]
    Deal(Contradiction),
    /// A calibration table made for something else.
    #[error("the calibration table is for {field} = {table}, here it is {here}")]
    Table {
        /// What differs.
        field: &'static str,
        /// What the table was made for.
        table: String,
        /// What it is wanted for.
        here: String,
    },
    /// A calibration table that cannot be read or built.
    #[error("calibration table: {0}")]
    BadTable(String),
}

/// One hand that is not seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seat {
    /// How many tiles it holds.
    pub tiles: u8,
    /// Whether it may answer.
    pub eligible: bool,
    /// Tiles it is known to hold, among the unseen ones; usually none. The cloud 3 is known after
    /// its holder has led the round.
    pub known: Tiles,
}

impl Seat {
    /// A hand of this many tiles of which nothing is known.
    #[must_use]
    pub const fn new(tiles: u8, eligible: bool) -> Self {
        Self {
            tiles,
            eligible,
            known: Tiles::EMPTY,
        }
    }
}

/// The unseen tiles and the seats among which they are dealt.
///
/// Where the seats hold fewer tiles than are unseen, the others lie in a stock.
#[derive(Debug, Clone, Copy)]
pub struct Unseen<'a> {
    pub(super) game: &'a Lexio,
    pub(super) tiles: Tiles,
    seats: [Seat; MAX_SEATS],
    len: usize,
}

impl<'a> Unseen<'a> {
    /// These tiles dealt to these seats.
    ///
    /// # Errors
    /// When there are too many seats, or they hold more tiles than there are, or what is known of
    /// them cannot be.
    pub fn new(game: &'a Lexio, tiles: Tiles, seats: &[Seat]) -> Result<Self, AnswerError> {
        if seats.len() > MAX_SEATS {
            return Err(AnswerError::Seats(seats.len()));
        }
        let held = seats.iter().map(|s| u32::from(s.tiles)).sum();
        let unseen = tiles.len();
        if held > unseen {
            return Err(AnswerError::Room { held, unseen });
        }
        let mut left = tiles;
        for (seat, &Seat { tiles, known, .. }) in seats.iter().enumerate() {
            if !known.is_subset_of(left) || known.len() > u32::from(tiles) {
                return Err(AnswerError::Known { seat, known });
            }
            left -= known;
        }
        let mut all = [Seat::default(); MAX_SEATS];
        all[..seats.len()].copy_from_slice(seats);
        Ok(Self {
            game,
            tiles,
            seats: all,
            len: seats.len(),
        })
    }

    /// What is unseen to a player, with whoever may still play in this trick eligible: every
    /// other seat, but under the hard pass only those that have not passed. The cloud 3 lies where
    /// it is known to be.
    ///
    /// # Errors
    /// When the observation contradicts itself.
    pub fn of(game: &'a Lexio, observation: &Observation) -> Result<Self, AnswerError> {
        let public = observation.public();
        let unseen = observation.unseen(game);
        let hard = game.options().pass == PassRule::Hard && public.table().is_some();
        let others = (0..observation.players()).map(Player::new);
        let mut seats = [Seat::default(); MAX_SEATS];
        let mut len = 0;
        for player in others.filter(|p| *p != observation.me()) {
            let mut seat = Seat::new(
                observation.left(player) as u8,
                !(hard && public.has_passed(player)),
            );
            if public.cloud_three() == Some(player) && unseen.contains(Tile::CLOUD_THREE) {
                seat.known.insert(Tile::CLOUD_THREE);
            }
            seats[len] = seat;
            len += 1;
        }
        Self::new(game, unseen, &seats[..len])
    }

    /// The rules.
    #[must_use]
    pub const fn game(&self) -> &'a Lexio {
        self.game
    }

    /// The unseen tiles.
    #[must_use]
    pub const fn tiles(&self) -> Tiles {
        self.tiles
    }

    /// The seats that hold them.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats[..self.len]
    }

    /// The eligible seats with at least `size` tiles, and everything else as one place.
    pub(super) fn bins(&self, size: u8) -> Bins {
        let may = |seat: &&Seat| seat.eligible && seat.tiles >= size;
        let mut bins = Bins {
            free: self.tiles,
            room: [0; MAX_SEATS],
            known: [Tiles::EMPTY; MAX_SEATS],
            len: 0,
            rest: 0,
        };
        let mut elsewhere = self.tiles.len();
        for seat in self.seats().iter().filter(may) {
            bins.room[bins.len] = seat.tiles - seat.known.len() as u8;
            bins.known[bins.len] = seat.known;
            bins.free -= seat.known;
            bins.len += 1;
            elsewhere -= u32::from(seat.tiles);
        }
        for seat in self.seats().iter().filter(|seat| !may(seat)) {
            bins.free -= seat.known;
            elsewhere -= seat.known.len();
        }
        bins.rest = elsewhere as u8;
        bins
    }
}

/// Where the tiles that could be anywhere may lie: the seats that matter, and the rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bins {
    /// The tiles of which it is not known where they are.
    pub(super) free: Tiles,
    /// How many of them each seat holds.
    pub(super) room: [u8; MAX_SEATS],
    /// What each seat is known to hold besides.
    pub(super) known: [Tiles; MAX_SEATS],
    /// How many seats.
    pub(super) len: usize,
    /// How many of the free tiles lie in none of them.
    pub(super) rest: u8,
}
