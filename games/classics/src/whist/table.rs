//! What everybody sees: [`Table`].

use search_core::game::{Player, Turn};
use search_core::plugin::PluginError;

use super::card::{Card, RANKS, Suit};

/// Seats at the table.
pub const PLAYERS: usize = 4;
/// Cards a hand, and so tricks a game.
pub const TRICKS: usize = RANKS;
/// The pack, bit [`Card::index`] a card.
pub const DECK: u64 = 0x1FFF_1FFF_1FFF_1FFF;

const CARDS: usize = PLAYERS * TRICKS;

/// The suit led when none has been.
const NONE: u8 = 4;

/// The cards of the suit led; none when a player leads.
const LED: [u64; 8] = {
    let mut led = [0; 8];
    let mut suit = 0;
    while suit < 4 {
        led[suit] = Suit::ALL[suit].mask();
        suit += 1;
    }
    led
};

/// The cards played in order, whose turn it is, the trick on the table, tricks taken, and which suits
/// players have shown to have no more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    record: [Card; CARDS],
    plies: u8,
    seat: u8,
    /// The suit led to the trick, or [`NONE`].
    led: u8,
    /// [`bid`] of the card that has the trick, 0 before there is one.
    best: u8,
    /// Tricks of seats 0 and 2.
    tricks: u8,
    /// Bit `4 * seat + suit`: the seat did not follow that suit.
    voids: u16,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            record: [Card::of_lowest(1); CARDS],
            plies: 0,
            seat: 0,
            led: NONE,
            best: 0,
            tricks: 0,
            voids: 0,
        }
    }
}

/// The card of `seat` in a trick to which `led` was led, as a number that is greater the better the card:
/// whether it is a trump, whether it is of the suit led, the rank, and in the last two bits the seat.
#[inline]
const fn bid(card: Card, seat: u8, led: u8, trump: Option<Suit>) -> u8 {
    let suit = card.suit_number();
    let trump = match trump {
        Some(trump) => trump as u8,
        None => NONE,
    };
    let class = ((suit == led) as u8) << 4 | ((suit == trump) as u8) << 5;
    (class | card.rank()) << 2 | seat
}

/// One player's cards in order, each with the suit that had been led before.
pub(super) type OwnPlays = [Option<(Card, Option<Suit>)>; TRICKS];

impl Table {
    /// Whose turn it is, or that the game is over.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Turn {
        if self.plies < CARDS as u8 {
            Turn::Player(Player::new(self.seat()))
        } else {
            Turn::Terminal
        }
    }

    /// The seat to play; after the end, the one that took the last trick.
    #[inline]
    pub(super) const fn seat(&self) -> usize {
        self.seat as usize % PLAYERS
    }

    /// The cards played, in order.
    #[must_use]
    pub fn played(&self) -> &[Card] {
        &self.record[..usize::from(self.plies).min(CARDS)]
    }

    /// The cards played, bit [`Card::index`] a card.
    #[must_use]
    pub fn played_mask(&self) -> u64 {
        self.played().iter().fold(0, |mask, card| mask | card.bit())
    }

    /// The cards of the trick on the table, in order.
    #[must_use]
    pub fn trick(&self) -> &[Card] {
        let played = self.played();
        &played[played.len() - played.len() % PLAYERS..]
    }

    /// The suit that was led to the trick; `None` for who leads.
    #[must_use]
    pub fn led(&self) -> Option<Suit> {
        Suit::ALL.get(usize::from(self.led)).copied()
    }

    /// Who would take the trick on the table as it lies; `None` when there is none.
    #[must_use]
    pub const fn winning(&self) -> Option<Player> {
        if self.best == 0 {
            None
        } else {
            Some(Player::new(self.best as usize % PLAYERS))
        }
    }

    /// Tricks taken by the side of a seat.
    #[must_use]
    pub const fn tricks(&self, seat: usize) -> u8 {
        if seat.is_multiple_of(2) {
            self.tricks
        } else {
            self.plies / PLAYERS as u8 - self.tricks
        }
    }

    /// Whether a seat has shown that it has no more of a suit.
    #[must_use]
    pub const fn is_void(&self, seat: usize, suit: Suit) -> bool {
        self.voids >> (4 * (seat % PLAYERS) + suit as usize) & 1 == 1
    }

    /// How many cards a seat has left.
    #[must_use]
    pub const fn left(&self, seat: usize) -> u8 {
        let leader = self.seat as usize + PLAYERS - self.plies as usize % PLAYERS;
        // How far behind the leader the seat is, and whether it has played to the trick.
        let place = (seat + 2 * PLAYERS - leader) % PLAYERS;
        let has_played = place < self.plies as usize % PLAYERS;
        TRICKS as u8 - self.plies / PLAYERS as u8 - has_played as u8
    }

    /// Replaces the content of `out` with the cards of `hand` that may be played, in order.
    #[inline]
    pub(super) fn playable(&self, hand: u64, out: &mut Vec<Card>) {
        let led = self.led & 7;
        let follow = hand & LED[usize::from(led)];
        if follow != 0 {
            Card::list_suit(follow >> (16 * led), led, out);
            return;
        }
        // Whoever leads or cannot follow may play anything: a card for each trick to come. A counted iterator
        // asks for room once.
        let mut rest = hand;
        out.clear();
        out.extend((self.plies / PLAYERS as u8..TRICKS as u8).map(|_| {
            let card = Card::of_lowest(rest);
            rest &= rest.wrapping_sub(1);
            card
        }));
    }

    /// Whether a card would be the best of the trick.
    pub(super) const fn would_win(&self, card: Card, trump: Option<Suit>) -> bool {
        self.led == NONE || bid(card, self.seat, self.led, trump) > self.best
    }

    /// Plays a card of the seat whose turn it is. Arithmetic rather than branches: which card wins and who
    /// follows suit cannot be predicted.
    #[inline]
    pub(super) fn play(&mut self, card: Card, trump: Option<Suit>) {
        let (seat, suit) = (self.seat & 3, card.suit_number());
        // All ones for who leads.
        let leads = (self.led >> 2).wrapping_neg();
        let led = (self.led & 3) | (suit & leads);
        self.led = led;
        self.record[usize::from(self.plies)] = card;
        self.voids |= u16::from(suit != led) << (4 * seat + led);
        self.best = self.best.max(bid(card, seat, led, trump));
        self.plies += 1;
        self.seat = (seat + 1) & 3;
        if self.plies.is_multiple_of(PLAYERS as u8) {
            self.seat = self.best & 3;
            self.tricks += 1 - (self.seat & 1);
            self.led = NONE;
            self.best = 0;
        }
    }

    /// The table after these cards, and what `player` played.
    pub(super) fn replay(
        trump: Option<Suit>,
        played: &[Card],
        player: Player,
    ) -> Result<(Self, OwnPlays), PluginError> {
        let mut table = Self::default();
        let mut own = [None; TRICKS];
        let mut seen = 0;
        for card in played {
            let (seat, suit) = (table.seat(), card.suit());
            if seen & card.bit() != 0 {
                return Err(PluginError::new(format!("{card} is played twice")));
            }
            if table.is_void(seat, suit) {
                return Err(PluginError::new(format!(
                    "player {seat} plays {card} after having shown that there is none of the suit"
                )));
            }
            seen |= card.bit();
            if seat == player.index() {
                own[usize::from(table.plies) / PLAYERS] = Some((*card, table.led()));
            }
            table.play(*card, trump);
        }
        Ok((table, own))
    }
}
