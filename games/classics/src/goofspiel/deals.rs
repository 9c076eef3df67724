//! Worlds of goofspiel: what the other player may have played.

use rand::Rng;
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::Draw;

use super::{Commit, Goofspiel, GoofspielState, GoofspielView, MAX_CARDS, result};

/// Draws the other player's cards, in the order they were played, uniformly from all orders that give
/// the prizes to whom they went; a card that lies face down is any that is left then. Nothing is read
/// into what the other player might have preferred.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GoofspielHands;

/// How many ways there are to go on, by the set of the other's cards that are gone: the number of cards
/// in the set says which round is next.
#[derive(Debug, Clone)]
pub struct Ways {
    ways: Vec<u64>,
    /// Cards of the other player to be found.
    length: usize,
}

/// Whether the other player may have played `card` in this round.
fn fits(view: &GoofspielView, round: usize, card: u8) -> bool {
    round >= usize::from(view.rounds) || result([view.own[round], card]) == view.results[round]
}

impl Ways {
    fn count(game: Goofspiel, view: &GoofspielView) -> Self {
        let length = usize::from(view.rounds) + usize::from(view.commit == Commit::Hidden);
        let mut ways = vec![0; 1 << game.cards];
        for gone in (0..ways.len()).rev() {
            let round = gone.count_ones() as usize;
            ways[gone] = match round.cmp(&length) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => {
                    let next = left(game, gone).filter(|card| fits(view, round, *card));
                    next.map(|card| ways[gone | bit(card)]).sum()
                }
            };
        }
        Self { ways, length }
    }
}

const fn bit(card: u8) -> usize {
    1 << (card - 1)
}

fn left(game: Goofspiel, gone: usize) -> impl Iterator<Item = u8> {
    (1..=game.cards).filter(move |card| gone & bit(*card) == 0)
}

fn check(game: Goofspiel, view: &GoofspielView) -> Result<(), &'static str> {
    if view.player.index() > 1 {
        return Err("there are two players");
    }
    if view.rounds > game.cards || view.rounds + 1 == game.cards {
        return Err("the last cards play themselves, and there are no more");
    }
    let committed = match (view.commit, view.player.index()) {
        (Commit::None, _) => None,
        (Commit::Own(card), 0) => Some(card),
        (Commit::Hidden, 1) => None,
        _ => return Err("the card that lies face down is player 0's"),
    };
    if view.rounds == game.cards && view.commit != Commit::None {
        return Err("a card lies on the table after the end");
    }
    let own = view.own[..usize::from(view.rounds)].iter().copied();
    let mut gone = 0;
    for card in own.chain(committed) {
        if !(1..=game.cards).contains(&card) || gone & bit(card) != 0 {
            return Err("a card that is not in the hand");
        }
        gone |= bit(card);
    }
    Ok(())
}

impl Determinizer<Goofspiel> for GoofspielHands {
    type Plan = Ways;

    fn plan(&self, game: &Goofspiel, view: &GoofspielView) -> Result<Ways, Contradiction> {
        check(*game, view).map_err(Contradiction::new)?;
        let ways = Ways::count(*game, view);
        if ways.ways[0] == 0 {
            return Err(Contradiction::new(
                "no cards of the other player give these results",
            ));
        }
        Ok(ways)
    }

    fn scratch(&self, game: &Goofspiel, _: &GoofspielView, _: &Ways) -> GoofspielState {
        game.start()
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Goofspiel,
        view: &GoofspielView,
        plan: &Ways,
        rng: &mut R,
        world: &mut GoofspielState,
    ) -> LogWeight {
        let mut others = [0_u8; MAX_CARDS];
        let mut gone = 0;
        for (round, place) in others[..plan.length].iter_mut().enumerate() {
            let mut ticket = rng.below_u64(plan.ways[gone]);
            for card in left(*game, gone).filter(|card| fits(view, round, *card)) {
                let ways = plan.ways[gone | bit(card)];
                if ticket < ways {
                    *place = card;
                    gone |= bit(card);
                    break;
                }
                ticket -= ways;
            }
        }
        let me = view.player.index() & 1;
        *world = game.start();
        let rounds = usize::from(view.rounds);
        for (own, other) in view.own.iter().zip(others).take(rounds) {
            let cards = if me == 0 {
                [*own, other]
            } else {
                [other, *own]
            };
            game.resolve(world, cards);
        }
        world.committed = match view.commit {
            Commit::None => 0,
            Commit::Own(card) => card,
            Commit::Hidden => others[rounds],
        };
        0.0
    }
}
