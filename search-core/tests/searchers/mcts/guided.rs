//! Heuristics, all moves as first, learning rollouts, multi-player backups and open loops.

use super::{kept, search};
use crate::common::{Lottery, LotteryState, Nim, NimState};
use search_core::budget::Budget;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::policy::Evaluator;
use search_core::rng::Seed;
use search_core::search::{
    AllMovesAsFirst, Backup, Chance, Learning, Mcts, MctsSettings, Searcher, TreeSettings,
};
use std::sync::Arc;

/// The true value of Nim for two.
struct Truth(f64);

impl Evaluator<Nim> for Truth {
    fn evaluate(&self, _: &Nim, s: &NimState) -> Returns {
        let value = if s.heap.is_multiple_of(4) { -1.0 } else { 1.0 };
        let mut returns = Returns::splat(2, -value * self.0);
        returns.set(Player::new(s.mover), value * self.0);
        returns
    }
}

/// How often 60 simulations find the move.
fn found(settings: MctsSettings, heuristic: Option<f64>) -> u32 {
    let game = Nim {
        players: 2,
        heap: 31,
    };
    let start = NimState { heap: 31, mover: 0 };
    let mut right = 0;
    for seed in 0..200 {
        let mut mcts = Mcts::new(settings, Identity);
        mcts.heuristic = heuristic.map(|sign| Arc::new(Truth(sign)) as Arc<dyn Evaluator<Nim>>);
        let budget = Budget::simulations(60);
        let decision = mcts.search(&game, &start, &budget, Seed(seed)).unwrap();
        right += u32::from(decision.action == 3);
    }
    right
}

/// Implicit minimax and progressive bias: a true heuristic helps, NaN does nothing. A false one harms the
/// bias; backed up two plies it is hardly false any more.
#[test]
fn heuristics_guide() {
    let plain = found(kept(), None);
    let minimax = MctsSettings {
        minimax: 0.5,
        ..kept()
    };
    let bias = MctsSettings {
        bias: 2.0,
        ..kept()
    };
    for settings in [minimax, bias] {
        let (right, wrong) = (found(settings, Some(1.0)), found(settings, Some(-1.0)));
        assert!(right > plain + 40, "{plain} {right}");
        assert!(
            wrong + 20 < plain || settings.bias == 0.0,
            "{plain} {wrong}"
        );
        assert_eq!(found(settings, Some(f64::NAN)), plain);
    }
}

/// Two ways to win on the first move of many, whatever follows; all moves as first sees it sooner.
/// Every player may play every number once; whoever holds the lower sum of `number * weight` loses.
struct Picks;

#[derive(Clone, Debug, PartialEq)]
struct Picked {
    taken: u32,
    sums: [u32; 2],
    ply: u32,
}

const PICKS: u8 = 20;

impl Game for Picks {
    type State = Picked;
    type Action = u8;
    type Chance = std::convert::Infallible;
    type Observation = Picked;
    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: rand::Rng + ?Sized>(&self, _: &mut R) -> Picked {
        Picked {
            taken: 0,
            sums: [0; 2],
            ply: 0,
        }
    }
    fn turn(&self, s: &Picked) -> Turn {
        if s.ply == 12 {
            return Turn::Terminal;
        }
        Turn::Player(Player::new(s.ply as usize % 2))
    }
    fn legal_actions(&self, s: &Picked, out: &mut Vec<u8>) {
        out.clear();
        if s.ply < 12 {
            out.extend((0..PICKS).filter(|a| s.taken >> a & 1 == 0));
        }
    }
    fn apply(&self, s: &mut Picked, a: u8) {
        s.taken |= 1 << a;
        s.sums[s.ply as usize % 2] += u32::from(a);
        s.ply += 1;
    }
    fn returns(&self, s: &Picked) -> Returns {
        Returns::zero_sum(f64::from(s.sums[0].cmp(&s.sums[1]) as i8))
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &Picked, _: Player) -> Picked {
        s.clone()
    }
}

/// Mean number that is picked first.
fn picked(settings: MctsSettings) -> f64 {
    let start = Picks.initial_state(&mut Seed(0).stream());
    let sum: f64 = (0..100)
        .map(|seed| f64::from(search(&Picks, &start, settings, 60, seed).action))
        .sum();
    sum / 100.0
}

/// Where what an action is worth hardly depends on when it is played, AMAF and history find the best
/// sooner.
#[test]
fn all_moves_as_first_and_history_share_what_is_alike() {
    let plain = picked(kept());
    let rave = |reference| MctsSettings {
        amaf: Some(AllMovesAsFirst {
            bias: 0.001,
            reference,
        }),
        tree: TreeSettings {
            exploration: 0.2,
            ..kept().tree
        },
        ..kept()
    };
    assert!(picked(rave(0)) > plain + 2.0, "{} {plain}", picked(rave(0)));
    assert!(
        picked(rave(30)) > plain + 2.0,
        "{} {plain}",
        picked(rave(30))
    );
    let history = MctsSettings {
        history: 3.0,
        ..kept()
    };
    assert!(picked(history) > plain + 1.0, "{} {plain}", picked(history));
}

/// Learning rollouts choose other actions, and what they find out stays right.
#[test]
fn learning_rollouts_still_find_the_move() {
    for learning in [
        Learning::Mast { epsilon: 0.1 },
        Learning::Mast { epsilon: 1.0 },
        Learning::LastGoodReply,
    ] {
        let settings = MctsSettings { learning, ..kept() };
        let game = Nim {
            players: 3,
            heap: 13,
        };
        let start = NimState { heap: 13, mover: 0 };
        let a = search(&game, &start, settings, 20_000, 1);
        let b = search(&game, &start, kept(), 20_000, 1);
        assert_eq!(a.action, b.action, "{learning:?}");
        assert_ne!(a.candidates, b.candidates, "{learning:?}");
    }
}

/// What returns are worth to a player.
type Worth<'a> = &'a dyn Fn(&Returns, Player) -> f64;

/// The value of a lottery for player 0 when everybody seeks what `worth` says.
fn value(game: &Lottery, s: &LotteryState, worth: Worth<'_>) -> Returns {
    let mut branches = Vec::new();
    match game.turn(s) {
        Turn::Terminal => game.returns(s),
        Turn::Player(player) => {
            game.legal_actions(s, &mut branches);
            let values = branches.iter().map(|&a| {
                let mut next = s.clone();
                game.apply(&mut next, a);
                value(game, &next, worth)
            });
            let best = values.max_by(|a, b| worth(a, player).total_cmp(&worth(b, player)));
            best.unwrap()
        }
        Turn::Chance => {
            use search_core::game::ChanceOutcomes;
            let mut outcomes = Vec::new();
            game.chance_outcomes(s, &mut outcomes);
            let mut mean = Returns::splat(game.players, 0.0);
            for (o, p) in outcomes {
                let mut next = s.clone();
                game.apply_chance(&mut next, o);
                let v = value(game, &next, worth);
                for q in (0..game.players).map(Player::new) {
                    mean.set(q, mean.of(q) + p * v.of(q));
                }
            }
            mean
        }
    }
}

/// Max^n, paranoid and coalition backups: the root's value is that of the game in which everybody seeks
/// what they are said to.
#[test]
fn backups_seek_what_they_say() {
    let (mut differ, mut close) = (0, 0);
    for seed in 0..12 {
        let game = Lottery {
            seed,
            players: 3,
            actions: 2,
            plies: 5,
            dice: false,
        };
        let coalition = |r: &Returns, p: Player| match p.index() {
            1 => r[1],
            _ => 0.5 * (r[0] + r[2]),
        };
        let paranoid = |r: &Returns, p: Player| if p.index() == 0 { r[0] } else { -r[0] };
        let own = |r: &Returns, p: Player| r.of(p);
        let cases: [(Backup, Worth<'_>); 3] = [
            (Backup::MaxN, &own),
            (Backup::Paranoid, &paranoid),
            (Backup::Coalition(0b101), &coalition),
        ];
        let mut values = Vec::new();
        for (backup, worth) in cases {
            let truth = value(&game, &game.start(), worth);
            let truth = worth(&truth, Player::new(0));
            let settings = MctsSettings { backup, ..kept() };
            let mut mcts = Mcts::new(settings, Identity);
            mcts.chance = Chance::explicit();
            let budget = Budget::simulations(40_000);
            let decision = mcts
                .search(&game, &game.start(), &budget, Seed(seed))
                .unwrap();
            let mean = decision.chosen().mean;
            // Where another player is nearly indifferent it takes longer.
            close += u32::from((mean - truth).abs() < 0.06);
            values.push(truth);
        }
        differ += u32::from(values[0] != values[1]);
    }
    assert!(close >= 33, "{close} of 36");
    assert!(differ > 4, "{differ}");
}

/// One player bets on a coin after seeing it: reacting is worth 1, the best plan 0.
struct Peek;

#[derive(Clone, Debug, PartialEq)]
struct Coin {
    shown: Option<bool>,
    bet: Option<bool>,
    began: bool,
}

impl Game for Peek {
    type State = Coin;
    type Action = bool;
    type Chance = bool;
    type Observation = Coin;
    fn num_players(&self) -> usize {
        1
    }
    fn initial_state<R: rand::Rng + ?Sized>(&self, _: &mut R) -> Coin {
        Coin {
            shown: None,
            bet: None,
            began: false,
        }
    }
    fn turn(&self, s: &Coin) -> Turn {
        match (s.began, s.shown, s.bet) {
            (false, ..) | (true, Some(_), None) => Turn::Player(Player::new(0)),
            (true, None, _) => Turn::Chance,
            _ => Turn::Terminal,
        }
    }
    fn legal_actions(&self, s: &Coin, out: &mut Vec<bool>) {
        out.clear();
        match self.turn(s) {
            Turn::Player(_) if !s.began => out.push(true),
            Turn::Player(_) => out.extend([false, true]),
            _ => {}
        }
    }
    fn apply(&self, s: &mut Coin, a: bool) {
        if s.began {
            s.bet = Some(a);
        }
        s.began = true;
    }
    fn sample_chance<R: rand::Rng + ?Sized>(&self, _: &Coin, rng: &mut R) -> bool {
        use search_core::rng::Draw;
        rng.unit() < 0.5
    }
    fn apply_chance(&self, s: &mut Coin, o: bool) {
        s.shown = Some(o);
    }
    fn returns(&self, s: &Coin) -> Returns {
        Returns::from_slice(&[if s.shown == s.bet { 1.0 } else { -1.0 }])
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &Coin, _: Player) -> Coin {
        s.clone()
    }
}

/// T-CN1: an open loop finds the best plan, and no more where reacting matters.
#[test]
fn t_cn1_open_loops_do_not_react() {
    let start = Peek.initial_state(&mut Seed(0).stream());
    let run = |chance| {
        let mut mcts = Mcts::new(kept(), Identity);
        mcts.chance = chance;
        let budget = Budget::simulations(20_000);
        mcts.search(&Peek, &start, &budget, Seed(1))
            .unwrap()
            .chosen()
            .mean
    };
    assert!(run(Chance::Sampled) > 0.95);
    let open = run(Chance::OpenLoop);
    assert!(open.abs() < 0.1, "{open}");
}
