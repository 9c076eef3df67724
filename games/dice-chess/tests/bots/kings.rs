//! King against king: the search finds the optimal values.

use dice_chess::bots::evaluation::Evaluation;
use dice_chess::bots::whole_turns::{WholeTurns, depth_first};
use dice_chess::{DiceChess, Phase, Position, Roll};
use search_core::budget::Budget;
use search_core::game::Game;
use search_core::search::expectimax::CutOff;
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning};

use super::{endless, position};

/// The values of the side to roll in a king against king, by the number of turns: the end of the
/// game counts 1 or -1, everything else 0.
const KINGS: [(&str, [f64; 4]); 8] = [
    (
        "8/8/4k3/8/4K3/8/8/8 w - - 0 1",
        [
            0.074_074_074_074_074_07,
            0.029_599_622_770_919_07,
            0.056_267_424_617_690_395,
            0.040_296_316_976_361_206,
        ],
    ),
    (
        "8/8/8/8/8/k7/8/K7 w - - 0 1",
        [
            0.074_074_074_074_074_07,
            0.005_486_968_449_931_413,
            0.046_667_015_952_852_71,
            0.008_433_978_765_987_206,
        ],
    ),
    (
        "8/8/8/5k2/3K4/8/8/8 w - - 0 1",
        [
            0.074_074_074_074_074_07,
            0.029_599_622_770_919_07,
            0.056_267_424_617_690_395,
            0.040_296_316_976_361_206,
        ],
    ),
    (
        "8/8/8/8/3K2k1/8/8/8 w - - 0 1",
        [
            0.004_629_629_629_629_629,
            0.001_950_445_816_186_556_6,
            0.003_500_899_411_929_076,
            0.002_603_646_173_652_155,
        ],
    ),
    (
        "8/8/8/8/1k6/8/1K6/8 w - - 0 1",
        [
            0.074_074_074_074_074_07,
            0.029_599_622_770_919_07,
            0.056_267_424_617_690_395,
            0.039_908_703_577_425_576,
        ],
    ),
    (
        "8/8/8/8/8/8/7k/7K w - - 0 1",
        [
            0.421_296_296_296_296_3,
            0.177_490_569_272_976_66,
            0.318_581_846_485_545_9,
            0.236_931_801_802_346_1,
        ],
    ),
    (
        "8/8/8/8/8/2K1k3/8/8 w - - 0 1",
        [
            0.074_074_074_074_074_07,
            0.029_599_622_770_919_07,
            0.056_267_424_617_690_395,
            0.040_296_316_976_361_206,
        ],
    ),
    (
        "8/4k3/8/8/4K3/8/8/8 w - - 0 1",
        [
            0.004_629_629_629_629_629,
            0.001_950_445_816_186_556_6,
            0.003_500_899_411_929_076,
            0.002_603_646_173_652_155,
        ],
    ),
];

/// The value before the roll by a search of every roll, for the side to roll.
fn before_roll(
    game: &DiceChess,
    search: &mut Expectimax<DiceChess>,
    state: &Position,
    turns: u32,
) -> f64 {
    if turns == 0 {
        return 0.0;
    }
    let mut passed = None;
    let mut sum = 0.0;
    for roll in Roll::all() {
        let mut after = *state;
        game.apply_chance(&mut after, roll);
        let value = if matches!(after.phase, Phase::Spend(_)) {
            search.settings.depth = turns;
            let plan = search
                .search_state(game, &after, &Budget::default())
                .unwrap();
            plan.decision.chosen().mean
        } else {
            // Every pass leads to the same position.
            let known = passed.take();
            *passed.insert(known.unwrap_or_else(|| -before_roll(game, search, &after, turns - 1)))
        };
        sum += f64::from(roll.weight()) * value;
    }
    sum / f64::from(Roll::TOTAL_WEIGHT)
}

#[test]
fn kings_alone_have_their_optimal_values() {
    let game = endless();
    let mut parts = depth_first(Evaluation::default(), WholeTurns::default());
    parts.evaluator = std::sync::Arc::new(CutOff);
    for pruning in [Pruning::Star2, Pruning::Star1, Pruning::None] {
        let settings = ExpectimaxSettings {
            pruning,
            deepening: false,
            ..ExpectimaxSettings::default()
        };
        let mut search = Expectimax::new(settings, parts.clone());
        for (dfen, values) in KINGS {
            // Near a corner there is less to search.
            let most = match pruning {
                Pruning::Star2 if dfen.contains("7K") => 4,
                Pruning::Star2 => 3,
                _ => 2,
            };
            for (turns, wanted) in (1..).zip(values).take(most) {
                let got = before_roll(&game, &mut search, &position(dfen), turns);
                assert!(
                    (got - wanted).abs() < 1e-9,
                    "{dfen}, {turns} turns, {pruning:?}: expected {wanted}, got {got}"
                );
            }
        }
    }
}
