//! What may be played, and what beats what.

use std::fmt;

use crate::action::Action;
use crate::rules::Lexio;
use crate::set::Tiles;

/// The kinds of plays. The five-tile kinds are in order of strength: any play of a stronger kind
/// beats any play of a weaker one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// One tile.
    Single,
    /// Two tiles of a number.
    Pair,
    /// Three tiles of a number.
    Triple,
    /// Five numbers in a row, not all of one suit.
    Straight,
    /// Five tiles of a suit.
    Flush,
    /// A triple and a pair.
    FullHouse,
    /// Four tiles of a number and any fifth one.
    Four,
    /// A straight of one suit.
    StraightFlush,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Single,
        Self::Pair,
        Self::Triple,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::Four,
        Self::StraightFlush,
    ];

    /// How many tiles a play of this kind has.
    #[inline]
    #[must_use]
    pub const fn size(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Pair => 2,
            Self::Triple => 3,
            _ => 5,
        }
    }

    /// The name, say `full_house`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Pair => "pair",
            Self::Triple => "triple",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full_house",
            Self::Four => "four",
            Self::StraightFlush => "straight_flush",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What decides between two plays of the same size: the kind, then a number whose meaning depends
/// on the kind. Two plays of the same size without a common tile never have the same strength.
///
/// | kind | the number |
/// |---|---|
/// | single, pair | the strongest tile |
/// | triple, full house, four | the rank of the three or four |
/// | straight, straight flush | place in the order of straights, then the suit of the strongest tile |
/// | flush | the five ranks from the strongest down, then the suit |
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength {
    /// The kind of the play.
    pub kind: Kind,
    pub(crate) detail: u32,
}

/// A play with its strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combination {
    strength: Strength,
    action: Action,
}

impl Combination {
    /// What decides against another play of the same size.
    #[inline]
    #[must_use]
    pub const fn strength(self) -> Strength {
        self.strength
    }

    /// The kind.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.strength.kind
    }

    /// The tiles.
    #[inline]
    #[must_use]
    pub const fn tiles(self) -> Tiles {
        self.action.tiles()
    }

    /// The action that plays it.
    #[inline]
    #[must_use]
    pub const fn action(self) -> Action {
        self.action
    }

    /// Whether it may be played on `other`: as many tiles, and stronger.
    #[inline]
    #[must_use]
    pub fn beats(self, other: Self) -> bool {
        self.kind().size() == other.kind().size() && self.strength > other.strength
    }
}

impl Lexio {
    /// The play that these tiles are; `None` when they are none.
    #[must_use]
    pub fn combination(&self, tiles: Tiles) -> Option<Combination> {
        self.classify(Action::from_tiles(tiles)?)
    }

    /// The play that an action is; `None` for the pass and for tiles that are no play.
    #[inline]
    #[must_use]
    pub fn classify(&self, action: Action) -> Option<Combination> {
        if action.is_pass() {
            return None;
        }
        let size = action.len();
        let strongest = action.index(size - 1);
        let one_rank = action.index(0) >> 2 == strongest >> 2;
        let (kind, detail) = match size {
            1 => (Kind::Single, strongest),
            2 if one_rank => (Kind::Pair, strongest),
            3 if one_rank => (Kind::Triple, strongest >> 2),
            5 => self.classify_five(action)?,
            _ => return None,
        };
        let strength = Strength { kind, detail };
        Some(Combination { strength, action })
    }

    fn classify_five(&self, action: Action) -> Option<(Kind, u32)> {
        let index = [0, 1, 2, 3, 4].map(|i| action.index(i));
        let rank = index.map(|i| i >> 2);
        let suit = index[4] & 3;
        let one_suit = index.iter().all(|i| i & 3 == suit);
        let tiles = action.tiles();
        let ranks = tiles.ranks();
        match ranks.count_ones() {
            5 => {
                let straight = self.straights().order_of(ranks).map(|o| o << 2 | suit);
                match (straight, one_suit) {
                    (Some(detail), true) => Some((Kind::StraightFlush, detail)),
                    (Some(detail), false) => Some((Kind::Straight, detail)),
                    (None, true) => Some((Kind::Flush, flush_detail(rank, suit))),
                    (None, false) => None,
                }
            }
            // The middle tile belongs to the three of a full house and to the four of a four.
            2 if tiles.multiples().2 != 0 => Some((Kind::Four, rank[2])),
            2 => Some((Kind::FullHouse, rank[2])),
            _ => None,
        }
    }
}

/// The ranks from the strongest down, four bits each, then the suit.
const fn flush_detail(rank: [u32; 5], suit: u32) -> u32 {
    let [a, b, c, d, e] = rank;
    e << 18 | d << 14 | c << 10 | b << 6 | a << 2 | suit
}
