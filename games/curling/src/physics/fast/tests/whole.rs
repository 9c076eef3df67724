//! Whole shots against short steps.

use super::{board, reference, release, rng};
use crate::board::Stone;
use crate::physics::Simulator;
use crate::physics::fast::Fast;
use crate::physics::fast::shot::DELAY;

#[test]
fn shots_with_one_and_two_contacts_end_where_short_steps_lead() {
    let (fast, mut rng) = (Fast::new(), rng(11));
    let mut by_contacts = [0; 3];
    for _ in 0..60 {
        let before = board(&mut rng, 4);
        let release = release(&mut rng, &fast, &before);
        let (rest, contacts) = reference::throw(&before, 8, release, DELAY);
        if contacts > 2 {
            continue;
        }
        let mut after = before;
        let result = fast.deliver(&mut after, Stone::new(8), release, &mut ());
        assert_eq!(result.contacts, contacts, "{before:?} {release:?}");
        by_contacts[contacts as usize] += 1;
        for (i, place) in rest.iter().enumerate() {
            let ours = after.get(Stone::new(i));
            assert_eq!(
                ours.is_some(),
                place.is_some(),
                "{i} {before:?} {release:?}"
            );
            if let (Some(p), Some([x, y])) = (ours, place) {
                let off = (f64::from(p.x) - x).hypot(f64::from(p.y) - y);
                assert!(
                    off < 1e-4,
                    "stone {i} is off by {off}: {before:?} {release:?}"
                );
            }
        }
    }
    assert!(
        by_contacts[1] >= 10 && by_contacts[2] >= 4,
        "{by_contacts:?}"
    );
}
