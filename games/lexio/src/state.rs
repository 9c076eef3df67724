//! The whole truth about a round: [`State`], plain data of fixed size.

use rand::Rng;
use search_core::game::Player;
use search_core::plugin::PluginError;
use search_core::rng::Draw;

use crate::action::Action;
use crate::combination::Combination;
use crate::rules::{Lexio, MAX_SEATS, PassRule};
use crate::set::Tiles;
use crate::tile::Tile;

/// What everybody at the table sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Public {
    /// What each seat has played.
    pub(crate) played: [Tiles; MAX_SEATS],
    /// The play to beat; none when the seat to move leads.
    pub(crate) table: Option<Combination>,
    /// How many plays each seat has made.
    pub(crate) plays: [u8; MAX_SEATS],
    /// How many times each seat has passed.
    pub(crate) passes: [u8; MAX_SEATS],
    /// The seat of the last play; the leader before the first one.
    pub(crate) owner: u8,
    /// The seat to move.
    pub(crate) turn: u8,
    /// One bit for every seat that has passed in this trick.
    pub(crate) passed: u8,
    /// The seat that was dealt the cloud 3, when leading the round has shown it.
    pub(crate) cloud3: Option<u8>,
}

/// A round: what everybody sees, and the hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) hands: [Tiles; MAX_SEATS],
    pub(crate) public: Public,
}

impl Public {
    /// The start of a round.
    const fn start(leader: u8, cloud3: Option<u8>) -> Self {
        Self {
            played: [Tiles::EMPTY; MAX_SEATS],
            table: None,
            plays: [0; MAX_SEATS],
            passes: [0; MAX_SEATS],
            owner: leader,
            turn: leader,
            passed: 0,
            cloud3,
        }
    }

    /// Whether nothing has been played in this round.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.plays == [0; MAX_SEATS]
    }

    /// What `player` has played in this round.
    #[must_use]
    pub const fn played(&self, player: Player) -> Tiles {
        self.played[player.index()]
    }

    /// Everything played in this round.
    #[must_use]
    pub fn all_played(&self) -> Tiles {
        self.played.iter().fold(Tiles::EMPTY, |sum, &p| sum | p)
    }

    /// The play to beat; `None` when the player to move leads.
    #[must_use]
    pub const fn table(&self) -> Option<Combination> {
        self.table
    }

    /// Who made the last play; before the first one, who leads.
    #[must_use]
    pub const fn owner(&self) -> Player {
        Player::new(self.owner as usize)
    }

    /// Who is to move; who has won when the round is over.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        Player::new(self.turn as usize)
    }

    /// Whether `player` has passed in this trick, perhaps before his last play.
    #[must_use]
    pub const fn has_passed(&self, player: Player) -> bool {
        self.passed >> player.index() & 1 == 1
    }

    /// How many times `player` has passed in this round.
    #[must_use]
    pub const fn passes(&self, player: Player) -> u32 {
        self.passes[player.index()] as u32
    }

    /// How many plays `player` has made in this round.
    #[must_use]
    pub const fn plays(&self, player: Player) -> u32 {
        self.plays[player.index()] as u32
    }

    /// Who is known to have been dealt the cloud 3, having led the round for it.
    #[must_use]
    pub fn cloud_three(&self) -> Option<Player> {
        self.cloud3.map(|seat| Player::new(usize::from(seat)))
    }
}

impl State {
    /// What everybody sees.
    #[must_use]
    pub const fn public(&self) -> &Public {
        &self.public
    }

    /// A player's hand.
    #[must_use]
    pub const fn hand(&self, player: Player) -> Tiles {
        self.hands[player.index()]
    }

    /// Who has played the last tile, when the round is over.
    #[inline]
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        // Only who has just played can be out of tiles.
        let owner = self.public.owner;
        let out = self.hands[usize::from(owner)].is_empty();
        out.then(|| Player::new(usize::from(owner)))
    }

    /// The same public situation with other hands; `None` unless they are made of the same tiles
    /// in hands of the same sizes, with the cloud 3 where it is known to be.
    #[must_use]
    pub fn with_hands(&self, hands: [Tiles; MAX_SEATS]) -> Option<Self> {
        let union = |hands: &[Tiles]| hands.iter().fold(Tiles::EMPTY, |sum, &h| sum | h);
        let sizes_agree = (0..MAX_SEATS).all(|i| hands[i].len() == self.hands[i].len());
        let tiles_agree = union(&hands) == union(&self.hands);
        let three = Tile::CLOUD_THREE;
        let three_agrees = self.public.cloud3.is_none()
            || (0..MAX_SEATS).all(|i| hands[i].contains(three) == self.hands[i].contains(three));
        (sizes_agree && tiles_agree && three_agrees).then_some(Self { hands, ..*self })
    }
}

impl Lexio {
    /// Shuffles and deals. `leader` leads; without one the holder of the cloud 3 does.
    pub fn deal<R: Rng + ?Sized>(&self, leader: Option<Player>, rng: &mut R) -> State {
        let mut tiles = [Tile::CLOUD_THREE; 60];
        let mut count = 0;
        for (place, tile) in tiles.iter_mut().zip(self.deck()) {
            *place = tile;
            count += 1;
        }
        rng.shuffle(&mut tiles[..count]);
        let mut hands = [Tiles::EMPTY; MAX_SEATS];
        let size = usize::from(self.hand_size());
        for (hand, dealt) in hands.iter_mut().zip(tiles[..count].chunks_exact(size)) {
            *hand = dealt.iter().copied().collect();
        }
        Self::begin(hands, leader)
    }

    /// The start of a round with these hands. `leader` leads; without one the holder of the
    /// cloud 3 does.
    ///
    /// # Errors
    /// When the hands are not a deal of all tiles in use.
    pub fn start(&self, hands: &[Tiles], leader: Option<Player>) -> Result<State, PluginError> {
        let (seats, size) = (self.seats(), u32::from(self.hand_size()));
        let all = hands.iter().fold(Tiles::EMPTY, |sum, &h| sum | h);
        let sizes_fit = hands.len() == seats && hands.iter().all(|h| h.len() == size);
        if !sizes_fit || all != self.deck() {
            return Err(PluginError(format!(
                "a deal is {seats} hands of {size} tiles that together are the numbers 1 to {}",
                self.max_number()
            )));
        }
        if leader.is_some_and(|leader| leader.index() >= seats) {
            return Err(PluginError(format!(
                "the leader is one of 0 to {}",
                seats - 1
            )));
        }
        let mut fixed = [Tiles::EMPTY; MAX_SEATS];
        fixed[..seats].copy_from_slice(hands);
        Ok(Self::begin(fixed, leader))
    }

    fn begin(hands: [Tiles; MAX_SEATS], leader: Option<Player>) -> State {
        let holder = (0_u8..)
            .zip(&hands)
            .find(|(_, h)| h.contains(Tile::CLOUD_THREE));
        let holder = holder.map_or(0, |(seat, _)| seat);
        let public = match leader {
            Some(leader) => Public::start(leader.index() as u8, None),
            None => Public::start(holder, Some(holder)),
        };
        State { hands, public }
    }

    /// Whether whoever is to move must play the cloud 3.
    #[inline]
    pub(crate) fn must_open_with_cloud3(&self, public: &Public) -> bool {
        self.options().first_play_has_cloud3
            && public.is_opening()
            && public.cloud3 == Some(public.turn)
    }

    /// Takes an action that is legal, and passes the turn on.
    #[inline]
    pub(crate) fn advance(&self, state: &mut State, action: Action) {
        let State { hands, public } = state;
        let seat = usize::from(public.turn);
        if action.is_pass() {
            public.passed |= 1 << seat;
            public.passes[seat] += 1;
        } else {
            let tiles = action.tiles();
            hands[seat] -= tiles;
            public.played[seat] |= tiles;
            public.plays[seat] += 1;
            public.table = self.classify(action);
            public.owner = public.turn;
            if hands[seat].is_empty() {
                // The round ends at once: nobody answers.
                return;
            }
        }
        public.turn = self.next_turn(public);
        if public.turn == public.owner {
            // Everybody else has passed since the last play.
            public.table = None;
            public.passed = 0;
        }
    }

    /// The next seat clockwise that may still play in this trick. It is the owner of the table
    /// exactly when the trick is over.
    #[inline]
    fn next_turn(&self, public: &Public) -> u8 {
        let following = |seat: u8| {
            if seat + 1 == self.options().players {
                0
            } else {
                seat + 1
            }
        };
        let mut next = following(public.turn);
        if self.options().pass == PassRule::Hard {
            while next != public.owner && public.passed >> next & 1 == 1 {
                next = following(next);
            }
        }
        next
    }
}
