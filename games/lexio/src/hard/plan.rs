//! How many plays a hand needs: [`HandPlan`].

use crate::action::Action;
use crate::groups::leftover;
use crate::rules::Lexio;
use crate::set::Tiles;

/// The largest hand that any rules deal.
const MOST_TILES: u32 = 20;

/// More five-tile plays than 13 tiles can have: 1,287, all of one suit.
const MOST_FIVES: usize = 1_500;

/// A subset of the hand, as tiles and as places in the hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Part {
    tiles: Tiles,
    /// Bit `i` is the `i`-th weakest tile of the hand.
    places: u32,
}

/// The least number of plays that together are a hand, and any subset of it.
///
/// A dynamic programme over the subsets of the hand, filled as they are asked for and shared by all
/// of them: a subset without a five-tile play needs one play a number and one more where it holds all
/// four, and any other the least of that and of one more than what is left after one of its five-tile
/// plays. It keeps its memory from hand to hand, so that nothing is allocated after the first few.
#[derive(Debug, Clone)]
pub struct HandPlan {
    hand: Tiles,
    fives: Vec<Part>,
    /// The least number of plays by places; 0 where nobody has asked. Used with five-tile plays only.
    known: Vec<u8>,
    /// The place in the hand of each tile in it.
    place: [u8; 60],
}

impl Default for HandPlan {
    fn default() -> Self {
        Self {
            hand: Tiles::EMPTY,
            fives: Vec::new(),
            known: Vec::new(),
            place: [0; 60],
        }
    }
}

impl HandPlan {
    /// With room for any hand of 13, so that planning one allocates nothing.
    #[must_use]
    pub fn with_room() -> Self {
        Self {
            fives: Vec::with_capacity(MOST_FIVES),
            known: Vec::with_capacity(1 << 13),
            ..Self::default()
        }
    }

    /// Forgets the last hand and prepares for this one. More than 20 tiles, which no rules deal, are
    /// planned without their five-tile plays.
    pub fn prepare(&mut self, game: &Lexio, hand: Tiles) {
        self.hand = hand;
        self.fives.clear();
        if hand.len() < 5 || hand.len() > MOST_TILES {
            return;
        }
        let fives = &mut self.fives;
        game.for_each_five(hand, None, |five| {
            fives.push(Part {
                tiles: five.tiles(),
                places: 0,
            });
        });
        if self.fives.is_empty() {
            return;
        }
        for (place, tile) in (0..).zip(hand) {
            self.place[usize::from(tile.index())] = place;
        }
        for i in 0..self.fives.len() {
            self.fives[i].places = self.places(self.fives[i].tiles);
        }
        self.known.clear();
        self.known.resize(1 << hand.len(), 0);
    }

    /// The least number of plays for the whole hand.
    pub fn whole(&mut self) -> u32 {
        self.after(Action::PASS)
    }

    /// The least number of plays for what a play leaves of the hand.
    #[inline]
    pub fn after(&mut self, action: Action) -> u32 {
        self.of(self.hand - action.tiles())
    }

    /// The least number of plays for a subset of the hand. Tiles that are not in the hand do not count.
    pub fn of(&mut self, tiles: Tiles) -> u32 {
        let tiles = tiles & self.hand;
        if self.fives.is_empty() || tiles.len() < 5 {
            return leftover(tiles);
        }
        let places = self.places(tiles);
        u32::from(self.fewest(Part { tiles, places }))
    }

    fn fewest(&mut self, part: Part) -> u8 {
        let plain = leftover(part.tiles) as u8;
        if part.tiles.len() < 5 {
            return plain;
        }
        let known = self.known[part.places as usize];
        if known != 0 {
            return known;
        }
        let floor = at_least(part.tiles);
        let mut best = plain;
        for i in 0..self.fives.len() {
            if best <= floor {
                break;
            }
            let five = self.fives[i];
            if five.places & !part.places == 0 {
                let rest = Part {
                    tiles: part.tiles - five.tiles,
                    places: part.places & !five.places,
                };
                best = best.min(1 + self.fewest(rest));
            }
        }
        self.known[part.places as usize] = best;
        best
    }

    #[inline]
    fn places(&self, tiles: Tiles) -> u32 {
        let place = |tile: crate::Tile| 1 << self.place[usize::from(tile.index())];
        tiles.iter().map(place).sum()
    }
}

/// No plan has fewer plays: fives for all but the last few tiles, and these together, which takes two
/// of a number.
#[inline]
fn at_least(tiles: Tiles) -> u8 {
    let count = tiles.len();
    let last = count % 5;
    let more = if tiles.multiples().0 == 0 {
        last
    } else {
        u32::from(last > 0) + u32::from(last == 4)
    };
    (count / 5 + more) as u8
}
