//! Whether an observation can be true at all.

use search_core::observation::Contradiction;

use crate::observation::Observation;
use crate::rules::{Lexio, MAX_SEATS, PassRule};
use crate::set::Tiles;
use crate::tile::Tile;

/// # Errors
/// Names the public facts that cannot all be true.
pub(crate) fn check(game: &Lexio, view: &Observation) -> Result<(), Contradiction> {
    tiles(game, view)?;
    trick(game, view)?;
    opening(game, view)
}

fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), Contradiction> {
    if holds {
        Ok(())
    } else {
        Err(Contradiction::new(reason()))
    }
}

/// Every tile in one place only, and as many of them as are said.
fn tiles(game: &Lexio, view: &Observation) -> Result<(), Contradiction> {
    let (seats, public) = (game.seats(), &view.public);
    ensure(view.players() == seats, || {
        format!(
            "the view is of {} players, the rules of {seats}",
            view.players
        )
    })?;
    let named = [
        view.me,
        public.turn,
        public.owner,
        public.cloud3.unwrap_or(0),
    ];
    ensure(named.iter().all(|&seat| usize::from(seat) < seats), || {
        format!("a seat beyond {} is named", seats - 1)
    })?;
    let outside = |set: Tiles| set - game.deck();
    let (me, hand) = (usize::from(view.me), view.hand);
    let mut seen = hand;
    ensure(outside(hand).is_empty(), || {
        format!("the hand holds {}, which are not in use", outside(hand))
    })?;
    for seat in 0..MAX_SEATS {
        let (played, left) = (public.played[seat], u32::from(view.left[seat]));
        if seat >= seats {
            ensure(played.is_empty() && left == 0, || {
                format!("seat {seat} is not at the table but has tiles")
            })?;
            continue;
        }
        ensure(outside(played).is_empty(), || {
            format!(
                "seat {seat} has played {}, which are not in use",
                outside(played)
            )
        })?;
        ensure(!played.intersects(seen), || {
            format!(
                "seat {seat} has played {}, which are elsewhere",
                played & seen
            )
        })?;
        seen |= played;
        let size = u32::from(game.hand_size());
        ensure(left + played.len() == size, || {
            format!(
                "seat {seat} has {left} tiles left and has played {}, but was dealt {size}",
                played.len()
            )
        })?;
        let (plays, shed) = (u32::from(public.plays[seat]), played.len());
        ensure(plays <= shed && shed <= 5 * plays, || {
            format!("seat {seat} has played {shed} tiles in {plays} plays")
        })?;
    }
    ensure(hand.len() == u32::from(view.left[me]), || {
        format!("the hand has {} tiles, not {}", hand.len(), view.left[me])
    })
}

/// The table, the turn and the passes fit together.
fn trick(game: &Lexio, view: &Observation) -> Result<(), Contradiction> {
    let public = &view.public;
    let (turn, owner) = (usize::from(public.turn), usize::from(public.owner));
    let out = (0..game.seats()).filter(|&seat| view.left[seat] == 0);
    let over = view.left[owner] == 0;
    ensure(out.clone().count() == usize::from(over), || {
        "the round ends with the first empty hand, that of the last play".to_owned()
    })?;
    ensure(usize::from(public.passed) >> game.seats() == 0, || {
        "a seat beyond the table has passed".to_owned()
    })?;
    let passed = |seat: usize| public.passed >> seat & 1 == 1;
    let made_pass = |seat: usize| public.passes[seat] > 0;
    ensure((0..MAX_SEATS).all(|s| made_pass(s) || !passed(s)), || {
        "a seat has passed in this trick but never in the round".to_owned()
    })?;
    // Between two plays of others a seat passes once at most, nobody passes a lead, and a play takes
    // a tile.
    let shed = public.all_played().len();
    for seat in 0..MAX_SEATS {
        let others = shed - public.played[seat].len();
        let passes = u32::from(public.passes[seat]);
        ensure(passes <= others, || {
            format!(
                "seat {seat} has passed {passes} times, but the others have played {others} tiles"
            )
        })?;
    }
    let Some(table) = public.table else {
        return ensure(turn == owner && public.passed == 0 && !over, || {
            "with an empty table the seat of the last play leads, and nobody has passed".to_owned()
        });
    };
    ensure(game.combination(table.tiles()) == Some(table), || {
        format!("{} on the table are not a play", table.tiles())
    })?;
    ensure(table.tiles().is_subset_of(public.played[owner]), || {
        format!(
            "{} on the table were not played by seat {owner}",
            table.tiles()
        )
    })?;
    if over {
        return ensure(turn == owner, || {
            "the round is over, nobody moves".to_owned()
        });
    }
    ensure(turn != owner, || {
        format!("seat {owner} cannot answer its own play")
    })?;
    let mut between = (1..game.seats())
        .map(|step| (owner + step) % game.seats())
        .take_while(|&seat| seat != turn);
    ensure(between.all(passed), || {
        format!("not every seat between {owner}, who played last, and {turn} has passed")
    })?;
    let hard = game.options().pass == PassRule::Hard;
    ensure(!(hard && (passed(turn) || passed(owner))), || {
        "under the hard pass a seat that has passed is out of the trick".to_owned()
    })
}

/// The cloud 3 is where the first lead showed it to be.
fn opening(game: &Lexio, view: &Observation) -> Result<(), Contradiction> {
    let public = &view.public;
    let Some(holder) = public.cloud3.map(usize::from) else {
        return Ok(());
    };
    let three = Tile::CLOUD_THREE;
    let played_by = (0..game.seats()).find(|&seat| public.played[seat].contains(three));
    let mine = view.hand.contains(three).then_some(usize::from(view.me));
    let seen_at = played_by.or(mine);
    ensure(seen_at.is_none_or(|seat| seat == holder), || {
        format!("seat {holder} was dealt the cloud 3, which is elsewhere")
    })?;
    if seen_at.is_none() {
        ensure(holder != usize::from(view.me), || {
            "the viewer was dealt the cloud 3 but has neither it nor played it".to_owned()
        })?;
        ensure(view.left[holder] > 0, || {
            format!("seat {holder} still holds the cloud 3 but has no tiles")
        })?;
    }
    let opening = public.is_opening();
    ensure(!opening || usize::from(public.owner) == holder, || {
        format!("seat {holder} leads the round for the cloud 3")
    })?;
    ensure(opening || public.plays[holder] > 0, || {
        format!("seat {holder} led the round but has played nothing")
    })?;
    let kept = game.options().first_play_has_cloud3 && !opening && played_by.is_none();
    ensure(!kept, || {
        "the first play has the cloud 3, which nobody has played".to_owned()
    })
}
