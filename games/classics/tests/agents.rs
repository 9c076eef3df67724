//! The named agents do what their one line says.

use classics::pig::PigAction;
use classics::solve::PigSolution;
use classics::{ConnectFour, Pig, TicTacToe};
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::rng::{Draw, Seed};

fn agent<G: Plugin>(game: &G, text: &str) -> SharedPolicy<G> {
    let expr: Expr = text.parse().unwrap();
    let mut settings = expr.settings();
    let agent = game.agent(&expr.name, &mut settings).unwrap().unwrap();
    settings.finish().unwrap();
    agent
}

#[test]
fn perfect_tic_tac_toe_never_loses() {
    let perfect = agent(&TicTacToe, "perfect");
    let mut wins = 0;
    for index in 0..200 {
        let mut rng = Seed(51).simulation(index);
        let seat = Player::new(index as usize % 2);
        let mut board = TicTacToe.initial_state(&mut rng);
        let mut legal = Vec::new();
        while let Turn::Player(player) = TicTacToe.turn(&board) {
            TicTacToe.legal_actions(&board, &mut legal);
            let cell = if player == seat {
                perfect.choose(&TicTacToe, &board, &legal, &mut rng)
            } else {
                rng.pick(&legal).unwrap()
            };
            TicTacToe.apply(&mut board, cell);
        }
        let result = TicTacToe.returns(&board).of(seat);
        assert!(result >= 0.0);
        wins += u32::from(result > 0.0);
    }
    assert!(wins > 100, "{wins}");
}

#[test]
fn easy_connect_four_wins_before_it_blocks() {
    let easy = agent(&ConnectFour, "easy");
    let mut rng = Seed(52).simulation(0);
    let mut legal = Vec::new();
    // x has three in column 1, o in column 2.
    for (text, expected) in [
        ("121212", "1"),
        ("1212127", "2"),
        ("12121", "1"),
        ("717172", "7"),
    ] {
        let position = ConnectFour.parse_observation(text).unwrap();
        ConnectFour.legal_actions(&position, &mut legal);
        for _ in 0..20 {
            let column = easy.choose(&ConnectFour, &position, &legal, &mut rng);
            assert_eq!(ConnectFour.format_action(column), expected, "{text}");
        }
    }
    // With nothing to win or block, 16 tickets: four of them for the centre, one for either edge.
    let start = ConnectFour.initial_state(&mut rng);
    ConnectFour.legal_actions(&start, &mut legal);
    let mut counts = [0; 7];
    for _ in 0..16_000 {
        counts[easy.choose(&ConnectFour, &start, &legal, &mut rng).index()] += 1;
    }
    let weights = [1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0];
    search_core::testing::chi_square(&counts, &weights).unwrap();
}

#[test]
fn pig_agents_hold_where_they_say() {
    let pig = Pig::default();
    let solution = PigSolution::new(100);
    let agents = [
        (agent(&pig, "hold20"), Some(20)),
        (agent(&pig, "hold"), Some(20)),
        (agent(&pig, "hold(at=25)"), Some(25)),
        (agent(&pig, "optimal"), None),
    ];
    let mut rng = Seed(53).simulation(0);
    for scores in [[0, 0], [30, 60], [71, 70], [12, 70]] {
        for total in 0..29 {
            for player in 0..2 {
                let state = pig.choice(&scores, player, total).unwrap();
                let mut legal = Vec::new();
                pig.legal_actions(&state, &mut legal);
                let (me, other) = (scores[player], scores[1 - player]);
                for (agent, at) in &agents {
                    let holds = match at {
                        Some(at) => total >= *at,
                        None => matches!(
                            solution.action_values(me, other, total),
                            Some((roll, Some(hold))) if hold > roll
                        ),
                    };
                    let action = agent.choose(&pig, &state, &legal, &mut rng);
                    assert_eq!(
                        action == PigAction::Hold,
                        holds,
                        "{scores:?} {player} {total}"
                    );
                }
            }
        }
    }
    let three = Pig::new(100, 3).unwrap();
    let nobody = Expr::word("optimal");
    assert!(
        three
            .agent("optimal", &mut nobody.settings())
            .unwrap()
            .is_none()
    );
}
