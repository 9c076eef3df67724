//! Keys of the transposition table.

use dice_chess::DiceChess;
use dice_chess::bots::whole_turns::key;
use std::collections::HashSet;

use super::{endless, position};

#[test]
fn keys_tell_apart_what_matters() {
    let game = DiceChess::default();
    let dfens = [
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 PNN",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 RNN",
        "4k3/8/8/8/8/8/8/R3K3 w - - 99 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 98 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 2499",
        "4k3/8/8/8/4P3/8/8/R3K3 b - e3 0 1",
        "4k3/8/8/8/4P3/8/8/R3K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/N3K3 w - - 0 1",
    ];
    let keys: HashSet<u128> = dfens.iter().map(|d| key(&game, &position(d))).collect();
    assert_eq!(keys.len(), dfens.len());
    let same = ["4k3/8/8/8/8/8/8/R3K3 w - - 7 30", dfens[0]];
    let same = same.map(|d| key(&game, &position(d)));
    assert_eq!(same[0], same[1]);
    let far = ["4k3/8/8/8/8/8/8/R3K3 w - - 99 2499", dfens[0]];
    let far = far.map(|d| key(&endless(), &position(d)));
    assert_eq!(far[0], far[1]);
}
