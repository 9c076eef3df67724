//! Whether a child's action is legal in a world is asked once a child and must not take a search: every legal
//! action gets one of 64 places, by what it is made of.

use std::hash::{Hash, Hasher};

const PLACES: usize = 64;

/// Memory for the places of actions.
pub(crate) struct Places<A>(Option<Box<[A; PLACES]>>);

/// Actions, each at a place of its own.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a, A> {
    taken: u64,
    at: &'a [A; PLACES],
}

impl<A> Default for Places<A> {
    fn default() -> Self {
        Self(None)
    }
}

impl<A: Copy + Eq + Hash> Places<A> {
    /// Puts actions to their places; `None` when there are none, or when two have the same place, as many
    /// large ones will.
    #[inline]
    pub(super) fn of(&mut self, actions: &[A]) -> Option<Placed<'_, A>> {
        let &first = actions.first()?;
        let at = &mut **self.0.get_or_insert_with(|| Box::new([first; PLACES]));
        let mut taken = 0_u64;
        for &action in actions {
            let place = place(action);
            if taken & (1 << place) != 0 {
                return None;
            }
            taken |= 1 << place;
            at[place] = action;
        }
        Some(Placed { taken, at })
    }
}

impl<A: Copy + Eq + Hash> Placed<'_, A> {
    /// The places of all actions, one bit each.
    #[inline]
    pub(super) fn taken(self) -> u64 {
        self.taken
    }

    /// The place of an action, as a bit, if it is one of them.
    #[inline]
    pub(super) fn find(self, action: A) -> Option<u64> {
        let place = place(action);
        // What is at a place that is not taken is old.
        (self.taken >> place & 1 != 0 && self.at[place] == action).then_some(1 << place)
    }

    /// The `nth` of the actions at some of the places, in the order in which they are listed.
    pub(super) fn nth(self, actions: &[A], some: u64, nth: u32) -> A {
        let mut there = actions
            .iter()
            .filter(|action| some >> place(**action) & 1 != 0);
        *there.nth(nth as usize).unwrap_or(&actions[0])
    }
}

#[inline]
fn place(action: impl Hash) -> usize {
    let mut folded = Folded(0);
    action.hash(&mut folded);
    (folded.0 ^ (folded.0 >> 6)) as usize % PLACES
}

/// Puts the parts of an action one over the other: small numbers stay what they are.
struct Folded(u64);

impl Folded {
    #[inline]
    fn put(&mut self, part: u64) {
        self.0 = self.0.rotate_left(6) ^ part;
    }
}

impl Hasher for Folded {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.put(byte.into());
        }
    }

    #[inline]
    fn write_u8(&mut self, part: u8) {
        self.put(part.into());
    }

    #[inline]
    fn write_u16(&mut self, part: u16) {
        self.put(part.into());
    }

    #[inline]
    fn write_u32(&mut self, part: u32) {
        self.put(part.into());
    }

    #[inline]
    fn write_u64(&mut self, part: u64) {
        self.put(part);
    }

    #[inline]
    fn write_usize(&mut self, part: usize) {
        self.put(part as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_actions_put_to_places_are_found() {
        let mut places = Places::default();
        // Old actions stay in memory, and 64 more has the same place.
        for actions in [vec![0_u32, 1, 17, 63], vec![2, 17], vec![63]] {
            let placed = places.of(&actions).unwrap();
            assert_eq!(placed.taken().count_ones() as usize, actions.len());
            for action in 0..1_000 {
                let there = placed.find(action).is_some();
                assert_eq!(there, actions.contains(&action), "{action}");
            }
            let all = placed.taken();
            for (nth, action) in (0..).zip(&actions) {
                assert_eq!(placed.nth(&actions, all, nth), *action);
                let others = all & !placed.find(*action).unwrap();
                assert!((0..nth).all(|i| placed.nth(&actions, others, i) < *action));
            }
        }
    }

    #[test]
    fn actions_that_share_a_place_get_none() {
        let twin = (64..10_000_u32).find(|a| place(a) == place(5_u32)).unwrap();
        assert!(Places::default().of(&[5, twin]).is_none());
        assert!(Places::<u32>::default().of(&[]).is_none());
        let many: Vec<u32> = (0..65).collect();
        assert!(Places::default().of(&many).is_none());
    }
}
