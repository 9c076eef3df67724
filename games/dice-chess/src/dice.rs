//! Dice: [`Pool`], the dice that are left to spend, and [`Roll`], one of the 56 results of three dice (rules
//! R2 and R3).

use cozy_chess::Piece;
use std::fmt::{self, Debug};

/// The faces in the order of their letters `P N B R Q K`.
pub const FACES: [Piece; 6] = [
    Piece::Pawn,
    Piece::Knight,
    Piece::Bishop,
    Piece::Rook,
    Piece::Queen,
    Piece::King,
];

const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];

/// The letter of a face, in upper case.
#[must_use]
pub const fn letter(face: Piece) -> char {
    LETTERS[face as usize]
}

/// The face of a letter of either case.
#[must_use]
pub fn face(letter: char) -> Option<Piece> {
    let upper = letter.to_ascii_uppercase();
    let index = LETTERS.iter().position(|&l| l == upper)?;
    Some(FACES[index])
}

/// A multiset of at most three dice: two bits a face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pool(u16);

impl Pool {
    /// No dice.
    pub const EMPTY: Self = Self(0);

    /// The pool of these faces; `None` for more than three.
    #[must_use]
    pub fn new(faces: &[Piece]) -> Option<Self> {
        (faces.len() <= 3).then(|| faces.iter().fold(Self::EMPTY, |pool, &f| pool.with(f)))
    }

    /// With one more die. The caller keeps the number of dice at three or fewer.
    #[inline]
    #[must_use]
    pub const fn with(self, face: Piece) -> Self {
        Self(self.0 + (1 << (2 * face as u16)))
    }

    /// With one die less; the face must be there.
    #[inline]
    #[must_use]
    pub const fn without(self, face: Piece) -> Self {
        Self(self.0 - (1 << (2 * face as u16)))
    }

    /// How many dice show this face.
    #[inline]
    #[must_use]
    pub const fn count(self, face: Piece) -> u8 {
        ((self.0 >> (2 * face as u16)) & 3) as u8
    }

    /// Whether a die shows this face.
    #[inline]
    #[must_use]
    pub const fn has(self, face: Piece) -> bool {
        self.count(face) > 0
    }

    /// How many dice there are, 0 to 3.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u8 {
        // The number of dice is the sum of six two-bit fields: low bits once, high bits twice.
        ((self.0 & 0x555).count_ones() + 2 * (self.0 & 0xaaa).count_ones()) as u8
    }

    /// Whether no die is left.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a castling move can be paid: a king die and a rook die (R7).
    #[inline]
    #[must_use]
    pub const fn can_castle(self) -> bool {
        self.has(Piece::King) && self.has(Piece::Rook)
    }

    /// The different faces, ascending, each once.
    #[inline]
    pub fn faces(self) -> impl Iterator<Item = Piece> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let index = rest.trailing_zeros() as usize / 2;
            rest &= !(3 << (2 * index));
            Some(FACES[index])
        })
    }

    /// The letters in the order `P N B R Q K`, in upper case.
    #[must_use]
    pub fn letters(self) -> String {
        let one = |f: Piece| std::iter::repeat_n(letter(f), usize::from(self.count(f)));
        FACES.iter().flat_map(|&f| one(f)).collect()
    }

    /// The bits: two a face, the pawn's lowest.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

impl Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.letters())
    }
}

/// One of the 56 results of three dice without regard to order, by index: `PPP`, `PPN`, … `KKK`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll(u8);

const POOLS: [(Pool, u8); Roll::COUNT] = pools();

const fn pools() -> [(Pool, u8); Roll::COUNT] {
    let mut table = [(Pool::EMPTY, 0); Roll::COUNT];
    let (mut i, mut a) = (0, 0);
    while a < 6 {
        let mut b = a;
        while b < 6 {
            let mut c = b;
            while c < 6 {
                let pool = Pool::EMPTY.with(FACES[a]).with(FACES[b]).with(FACES[c]);
                let weight = if a == c {
                    1
                } else if a == b || b == c {
                    3
                } else {
                    6
                };
                table[i] = (pool, weight);
                i += 1;
                c += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

impl Roll {
    /// How many there are.
    pub const COUNT: usize = 56;
    /// The sum of their weights: the ordered results of three dice.
    pub const TOTAL_WEIGHT: u32 = 216;

    /// The roll with this index.
    ///
    /// # Panics
    /// If `index` is not below [`Roll::COUNT`].
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < Self::COUNT, "there are 56 rolls");
        Self(index as u8)
    }

    /// The roll of three dice; `None` for fewer.
    #[must_use]
    pub fn of(pool: Pool) -> Option<Self> {
        let index = POOLS.iter().position(|&(p, _)| p == pool)?;
        Some(Self(index as u8))
    }

    /// Every roll, by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::new)
    }

    /// The index, from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its dice.
    #[inline]
    #[must_use]
    pub const fn pool(self) -> Pool {
        POOLS[self.0 as usize].0
    }

    /// In how many of the 216 ordered results it comes up: 1, 3 or 6.
    #[inline]
    #[must_use]
    pub const fn weight(self) -> u32 {
        POOLS[self.0 as usize].1 as u32
    }

    /// The roll that the ordered results 0 to 215 come to: three uniform dice.
    #[inline]
    #[must_use]
    pub fn from_ordered(index: u32) -> Self {
        BY_ORDERED[index as usize]
    }
}

const BY_ORDERED: [Roll; 216] = by_ordered();

const fn by_ordered() -> [Roll; 216] {
    let mut table = [Roll(0); 216];
    let mut i = 0;
    while i < 216 {
        let pool = Pool::EMPTY
            .with(FACES[i % 6])
            .with(FACES[i / 6 % 6])
            .with(FACES[i / 36]);
        let mut roll = 0;
        while POOLS[roll].0.0 != pool.0 {
            roll += 1;
        }
        table[i] = Roll(roll as u8);
        i += 1;
    }
    table
}

impl Debug for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pool().letters())
    }
}
