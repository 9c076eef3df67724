//! The hard player: its plan against brute force, its terms by hand, its ties, its certain finishes and
//! its settings.

mod common;

use common::{action, random_round, random_tiles, tiles, variants};
use lexio::hard::{Foresight, HandPlan, Hard, LeadScale, Term, Terms, Ties, Urgency, Weights};
use lexio::{Action, Combination, Kind, Lexio, Observation, Tiles, parse_observation};
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::plugin::Plugin;
use search_core::policy::Policy;
use search_core::rng::{Draw, Seed};

fn hard(text: &str) -> Hard {
    let expr: Expr = text.parse().unwrap();
    let mut settings = expr.settings();
    let hard = Hard::from_settings(&mut settings).unwrap();
    settings.finish().unwrap();
    hard
}

fn view(text: &str) -> Observation {
    parse_observation(&Lexio::default(), text).unwrap()
}

fn legal(game: &Lexio, view: &Observation) -> Vec<Action> {
    let mut all = Vec::new();
    game.plays(view.hand(), view.public().table(), &mut all);
    if view.public().table().is_some() {
        all.insert(0, Action::PASS);
    }
    all
}

fn chosen(hard: &Hard, game: &Lexio, view: &Observation) -> Action {
    let mut rng = Seed(0).simulation(0);
    hard.choose(game, view, &legal(game, view), &mut rng)
}

/// The least number of plays of every subset of a hand, from the classification of all sets of tiles alone.
fn fewest_by_brute_force(game: &Lexio, hand: Tiles) -> Vec<u32> {
    let list: Vec<_> = hand.iter().collect();
    let set = |mask: usize| -> Tiles {
        let places = (0..list.len()).filter(|i| mask >> i & 1 == 1);
        places.map(|i| list[i]).collect()
    };
    let size = 1 << list.len();
    let is_play = |mask: &usize| mask.count_ones() <= 5 && game.combination(set(*mask)).is_some();
    let plays: Vec<usize> = (1..size).filter(is_play).collect();
    let mut fewest = vec![0; size];
    for mask in 1..size {
        let lowest = mask & mask.wrapping_neg();
        let first = plays
            .iter()
            .filter(|p| **p & lowest != 0 && **p & !mask == 0);
        fewest[mask] = 1 + first.map(|p| fewest[mask & !p]).min().unwrap();
    }
    fewest
}

#[test]
fn plans_are_the_shortest_for_every_subset_of_a_hand() {
    let mut rng = Seed(11).simulation(0);
    let mut plan = HandPlan::default();
    for (number, game) in variants().iter().enumerate() {
        // Few suits or few numbers make many five-tile plays.
        let deck = game.deck();
        let two_suits: Tiles = deck.iter().filter(|t| t.index() % 4 < 2).collect();
        let five_numbers: Tiles = deck.iter().filter(|t| t.rank() < 5).collect();
        for pool in [deck, two_suits, five_numbers] {
            let size = 5 + rng.below(if number < 4 { 9 } else { 6 }) as usize;
            let hand = random_tiles(pool, size, &mut rng);
            let list: Vec<_> = hand.iter().collect();
            plan.prepare(game, hand);
            for (mask, fewest) in fewest_by_brute_force(game, hand).into_iter().enumerate() {
                let places = (0..list.len()).filter(|i| mask >> i & 1 == 1);
                let part: Tiles = places.map(|i| list[i]).collect();
                assert_eq!(plan.of(part), fewest, "{part} of {hand}");
            }
            assert_eq!(plan.whole(), plan.of(hand));
        }
    }
}

#[test]
fn a_play_can_be_beaten_when_the_generator_finds_a_play_that_beats_it() {
    let mut rng = Seed(12).simulation(0);
    let (mut plays, mut beating, mut seen) = (Vec::new(), Vec::new(), [[0; 2]; 8]);
    for game in variants() {
        for _ in 0..60 {
            let size = 5 + rng.below(8) as usize;
            let hand = random_tiles(game.deck(), size, &mut rng);
            let size = 1 + rng.below(24) as usize;
            let others = random_tiles(game.deck() - hand, size, &mut rng);
            game.plays(hand, None, &mut plays);
            for &play in &plays {
                let play = game.classify(play).unwrap();
                game.plays(others, Some(play), &mut beating);
                let beaten = !beating.is_empty();
                assert_eq!(game.beatable(others, play), beaten, "{play:?} by {others}");
                seen[play.kind() as usize][usize::from(beaten)] += 1;
            }
        }
    }
    assert!(
        seen[..Kind::Four as usize]
            .iter()
            .flatten()
            .all(|n| *n > 20),
        "{seen:?}"
    );
}

/// 12 tiles each, so that everybody has yet to play.
const SLOW: &str = "players=5 me=0 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C";

#[test]
fn terms_are_what_they_say() {
    let game = Lexio::default();
    let view = view(SLOW);
    let of = |play: &str| {
        hard("hard(estimator=possible)")
            .terms(&game, &view, action(play))
            .0
    };
    // The hand has nine numbers. A flush of 7C 9C 10C 2C and one tile of a pair leaves that pair's other
    // tile, two pairs, the 5 and the 11: six plays.
    let mut plan = HandPlan::default();
    plan.prepare(&game, view.hand());
    assert_eq!(plan.whole(), 6);
    // The flush takes its fifth tile from another pair.
    assert_eq!(
        of("3C 3D"),
        [2.0 / 12.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
    // Without the cloud 2 a flush takes a tile each of two pairs: it, two singles, a pair, the 5, the 11.
    let two = of("2C");
    assert_eq!(two[..3], [1.0 / 12.0, 0.0, 0.25]);
    assert_eq!(two[Term::TwoDisposal as usize], 0.25);
    // The sun 2 has been played, so that nothing unseen beats the moon 2.
    let late = "players=5 me=1 hand=7D,11H,13H,2D table=4H@0 \
        played=3C,3H,4C,4H,9D,14C,15C,15S,1C,2C/3S,6H,6S,7S,11C,12S,2H,2S/9C,12H,1H/3D,9S,15D,1S/5C,13C \
        passed=- plays=6/4/3/2/2 passes=2/3/4/3/5 cloud3=0";
    let view = parse_observation(&game, late).unwrap();
    let urgent = 1.0 - 2.0 / 12.0;
    let terms = Hard::default().terms(&game, &view, action("2D")).0;
    let effective = 3.0 / 24.0;
    let expected = [
        0.25,
        1.0,
        0.0,
        1.0,
        urgent,
        1.0,
        (1.0 + urgent) / 4.0,
        effective * urgent,
        0.0,
    ];
    assert_eq!(terms, expected);
    // Passing is worth nothing but what one is left with: four tiles and a 2.
    let pass = Hard::default().terms(&game, &view, Action::PASS).0;
    let mut nothing = [0.0; Term::COUNT];
    nothing[Term::SettlementExposure as usize] = 8.0 / 24.0 * urgent;
    assert_eq!(pass, nothing);
    let mean = hard("hard(urgency=mean)")
        .terms(&game, &view, action("2D"))
        .0;
    let left = f64::from(
        (0..5)
            .filter(|s| *s != 1)
            .map(|s| view.left(Player::new(s)))
            .sum::<u32>(),
    );
    let urgent = 1.0 - left / 4.0 / 12.0;
    assert!((mean[Term::EndgameBlock as usize] - urgent).abs() < 1e-12);
}

#[test]
fn weights_count_with_the_sign_of_their_term() {
    for term in Term::ALL {
        let mut terms = Terms::default();
        terms.0[term as usize] = 0.5;
        let mut weights = Weights([0.0; Term::COUNT]);
        weights.set(term, 2.0);
        assert_eq!(terms.raw(&weights), term.sign());
        assert_eq!(terms.quantised(&weights), 100 * term.sign() as i64);
        // Below half a step a weight says nothing.
        weights.set(term, 0.009);
        assert_eq!(terms.quantised(&weights), 0);
        assert!(terms.raw(&weights) * term.sign() > 0.0);
    }
}

/// L3.4, the exact part: where all other terms say the same, any weight of a term that prefers strong
/// plays undoes the preference for the weaker play, unless scores are compared in steps.
#[test]
fn l3_4_only_raw_ties_are_decided_by_a_weight_next_to_nothing() {
    let game = Lexio::default();
    let view = view(
        "players=5 me=1 hand=5H,7D,9C,11H,13H,2D table=3C@0 \
         played=3C/3H,4H,6S,8S,10D,12S/-/-/- passed=- plays=1/6/0/0/0 passes=0/0/1/1/1 cloud3=0",
    );
    let zero = "tiles_shed=1, plan_gain=0, structure_break=0, endgame_block=0, strong_tile_cost=0, \
        two_disposal=0, settlement_exposure=0, finish_bonus=0, estimator=indep_count, finish=false";
    let play = |ties: &str, weight: &str| {
        let text = format!("hard({zero}, ties={ties}, lead_retention={weight})");
        chosen(&hard(&text), &game, &view)
    };
    // The lowest lead answered with the cheapest tile, and with the strongest.
    let (cheap, dear) = (action("5H"), action("2D"));
    for ties in ["raw", "quantised"] {
        assert_eq!(play(ties, "0"), cheap);
    }
    for weight in ["0.000001", "0.0049", "0.7"] {
        assert_eq!(play("raw", weight), dear, "{weight}");
    }
    for weight in ["0.000001", "0.0049"] {
        assert_eq!(play("quantised", weight), cheap, "{weight}");
    }
}

#[test]
fn weights_below_half_a_step_change_no_decision() {
    let game = Lexio::default();
    let base = hard("hard(preset=pre_repair, ties=quantised, lead_retention=0)");
    let mut nearly = base.clone();
    nearly.weights.set(Term::LeadRetention, 0.0049);
    let (mut rng, mut all, mut compared) = (Seed(13).simulation(0), Vec::new(), 0);
    for _ in 0..20 {
        random_round(&game, &mut rng, &mut all, |state, legal| {
            if let Turn::Player(player) = game.turn(state) {
                let view = game.observe(state, player);
                let mut rng = Seed(0).simulation(0);
                let one = base.choose(&game, &view, legal, &mut rng);
                assert_eq!(one, nearly.choose(&game, &view, legal, &mut rng));
                compared += usize::from(legal.len() > 1);
            }
        });
    }
    assert!(compared > 300, "{compared}");
}

/// What the lead keeps cannot be taken: whoever starts such a chain wins without another's play between.
#[test]
fn a_certain_finish_wins_whatever_the_others_do() {
    let (mut rng, mut all, mut chains) = (Seed(14).simulation(0), Vec::new(), 0);
    for game in variants() {
        let mut starts = Vec::new();
        for _ in 0..12 {
            random_round(&game, &mut rng, &mut all, |state, legal| {
                if let Turn::Player(player) = game.turn(state) {
                    let view = game.observe(state, player);
                    let first = Hard::certain_finish(&game, &view, legal);
                    starts.extend(first.map(|_| (*state, player)));
                }
            });
        }
        for (mut state, me) in starts {
            let mut moves = 0;
            while let Turn::Player(player) = game.turn(&state) {
                game.legal_actions(&state, &mut all);
                let action = if player == me {
                    moves += 1;
                    let view = game.observe(&state, me);
                    Hard::certain_finish(&game, &view, &all).unwrap()
                } else {
                    assert_eq!(all, [Action::PASS], "{player:?} can answer {me:?}");
                    Action::PASS
                };
                game.apply(&mut state, action);
            }
            assert_eq!(state.winner(), Some(me));
            chains += usize::from(moves > 1);
        }
    }
    assert!(chains > 100, "{chains}");
}

/// The search for a chain misses none: every order of all plays is tried.
#[test]
fn a_certain_finish_is_found_where_there_is_one() {
    fn exists(game: &Lexio, unseen: Tiles, largest: u32, hand: Tiles, legal: &[Action]) -> bool {
        legal.iter().any(|play| {
            let Some(combination) = game.classify(*play) else {
                return false;
            };
            let rest = hand - play.tiles();
            let mut beating = Vec::new();
            game.plays(unseen, Some(combination), &mut beating);
            let safe = beating.is_empty() || largest < play.len();
            let mut next = Vec::new();
            game.plays(rest, None, &mut next);
            rest.is_empty() || safe && exists(game, unseen, largest, rest, &next)
        })
    }
    let (mut rng, mut all, mut found) = (Seed(15).simulation(0), Vec::new(), [0; 2]);
    let game = Lexio::default();
    for deal in 0..60 {
        // Player 0 is dealt the 2s, which nothing beats, and keeps them in every second deal.
        let twos = Tiles::TWOS;
        let mut left = game.deck() - twos;
        let mut hands = [Tiles::EMPTY; 5];
        for (seat, hand) in hands.iter_mut().enumerate() {
            *hand = random_tiles(left, if seat == 0 { 8 } else { 12 }, &mut rng);
            left -= *hand;
        }
        hands[0] |= twos;
        let mut state = game.start(&hands, None).unwrap();
        while let Turn::Player(player) = game.turn(&state) {
            game.legal_actions(&state, &mut all);
            let view = game.observe(&state, player);
            if view.hand().len() <= 6 {
                let others = (0..5).map(Player::new).filter(|p| *p != player);
                let largest = others.map(|p| view.left(p)).max().unwrap();
                let expected = exists(&game, view.unseen(&game), largest, view.hand(), &all);
                let chain = Hard::certain_finish(&game, &view, &all);
                assert_eq!(chain.is_some(), expected, "{view:?}");
                found[usize::from(expected)] += 1;
            }
            if deal % 2 == 0 && player.index() == 0 {
                let keeps = |a: &Action| a.tiles().twos() == 0;
                all.retain(keeps);
                if all.is_empty() {
                    break;
                }
            }
            game.apply(&mut state, rng.pick(&all).unwrap());
        }
    }
    assert!(found.iter().all(|n| *n > 30), "{found:?}");
}

/// Where the others hold a tile each, no pair can be answered: four of them and any last tile win.
#[test]
fn a_certain_finish_may_be_long() {
    let game = Lexio::default();
    let hand = tiles("4C 4H 6C 6H 8C 8H 10C 10H 12C");
    let mine = tiles("3C 5C 7C");
    let mut rest: Vec<_> = (game.deck() - hand - mine).iter().collect();
    let mut played = vec![format!("{mine}").replace(' ', ",")];
    for _ in 0..4 {
        let all: Tiles = rest.drain(..11).collect();
        played.push(format!("{all}").replace(' ', ","));
    }
    let view = view(&format!(
        "players=5 me=0 hand={} played={} passed=- plays=3/11/11/11/11 passes=0/0/0/0/0 cloud3=0",
        format!("{hand}").replace(' ', ","),
        played.join("/"),
    ));
    let chain = Hard::certain_finish(&game, &view, &legal(&game, &view));
    assert_eq!(chain.map(Action::len), Some(2));
}

#[test]
fn settings_are_read_and_refused() {
    assert_eq!(hard("hard"), Hard::default());
    assert_eq!(hard("hard(preset=pre_repair)"), Hard::pre_repair());
    assert_eq!(hard("hard(preset=default)"), Hard::default());
    let changed =
        hard("hard(preset=pre_repair, lead_retention=-0.5, estimator=none, ties=quantised)");
    assert_eq!(changed.weights.of(Term::LeadRetention), -0.5);
    assert_eq!(
        changed.weights.of(Term::PlanGain),
        Weights::PRE_REPAIR.of(Term::PlanGain)
    );
    assert_eq!(
        (changed.foresight, changed.ties),
        (Foresight::Nothing, Ties::Quantised)
    );
    let game = Lexio::default();
    for (text, expected) in [
        ("hard(tiles_shed=inf)", "from -100 to 100"),
        ("hard(finish_bonus=101)", "from -100 to 100"),
        ("hard(plan_gain=many)", "number"),
        ("hard(estimator=best)", "indep_count"),
        ("hard(urgency=max)", "min, mean"),
        ("hard(preset=new)", "pre_repair"),
        ("hard(ties=no)", "quantised, raw"),
    ] {
        let expr: Expr = text.parse().unwrap();
        let error = game
            .agent("hard", &mut expr.settings())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let expr: Expr = "hard(lead_retension=1)".parse().unwrap();
    let mut settings = expr.settings();
    assert!(game.agent("hard", &mut settings).is_ok());
    let error = settings.finish().unwrap_err().to_string();
    assert!(error.contains("lead_retention"), "{error}");
}

/// Every weight can be set by its name, and what is not given is what the preset says.
#[test]
fn settings_are_told_with_the_defaults_of_the_preset() {
    let game = Lexio::default();
    let told = |text: &str, key: &str| {
        let expr: Expr = text.parse().unwrap();
        let mut settings = expr.settings();
        game.agent(&expr.name, &mut settings).unwrap();
        let found = settings.asked().iter().find(|asked| asked.key == key);
        found.and_then(|asked| asked.default.clone())
    };
    for term in Term::ALL {
        let usual = Weights::TUNED.of(term).to_string();
        assert_eq!(told("hard", term.name()), Some(usual));
    }
    let before = "hard(preset=pre_repair)";
    for (key, value) in [
        ("lead_retention", "0.7"),
        ("estimator", "indep_count"),
        ("ties", "raw"),
        ("urgency", "min"),
        ("lead_scale", "plain"),
        ("finish", "false"),
    ] {
        assert_eq!(told(before, key).as_deref(), Some(value), "{key}");
    }
    assert_eq!(hard(before), Hard::pre_repair());
    let scaled = hard("hard(preset=pre_repair, lead_scale=calm, urgency=mean)");
    assert_eq!(scaled.lead_scale, LeadScale::Calm);
    assert_eq!((scaled.urgency, scaled.ties), (Urgency::Mean, Ties::Raw));
    assert_eq!(told("easy", "twos").as_deref(), Some("8"));
}

/// Legal, and the same whatever was decided before and in which thread.
#[test]
fn decisions_are_legal_and_depend_on_what_is_seen_alone() {
    let (mut rng, mut all) = (Seed(16).simulation(0), Vec::new());
    let players = [
        "hard",
        "hard(preset=pre_repair)",
        "hard(estimator=exact, urgency=mean)",
    ];
    for game in variants() {
        let mut asked: Vec<(Observation, Vec<Action>)> = Vec::new();
        random_round(&game, &mut rng, &mut all, |state, legal| {
            if let Turn::Player(player) = game.turn(state) {
                asked.push((game.observe(state, player), legal.to_vec()));
            }
        });
        // Sampled answers take a while.
        asked.truncate(24);
        for hard in players.map(hard) {
            let decide = |(view, legal): &(Observation, Vec<Action>)| {
                let choice = hard.choose(&game, view, legal, &mut Seed(1).simulation(0));
                assert!(legal.contains(&choice), "{choice} of {legal:?}");
                choice
            };
            let here: Vec<Action> = asked.iter().map(decide).collect();
            let mut there: Vec<Action> = std::thread::scope(|scope| {
                let other = scope.spawn(|| asked.iter().rev().map(decide).collect());
                other.join().unwrap()
            });
            there.reverse();
            assert_eq!(here, there);
        }
    }
}

/// Every unseen tile is in a hand, so a stronger tile that is unseen can be played by somebody.
#[test]
fn l1_6_a_single_is_answered_exactly_if_a_stronger_tile_is_unseen() {
    let game = Lexio::default();
    let view = view("players=5 me=0 hand=3C,3H,3D,3S,4C,4H,4D,4S,5C,2C,2H,2D");
    let kept = |text: &str| {
        let terms = hard(text).terms(&game, &view, action("2D"));
        terms.0[Term::LeadRetention as usize]
    };
    assert_eq!(kept("hard(estimator=exact)"), 0.0);
    assert_eq!(kept("hard(estimator=possible)"), 0.0);
    assert_eq!(kept("hard(estimator=sum_count)"), 0.0);
    // The product rule: 1 - (1 - (3/4)^4).
    assert!((kept("hard(estimator=indep_count)") - 0.75_f64.powi(4)).abs() < 1e-12);
}

#[test]
fn among_equals_the_weakest_play_is_chosen() {
    let game = Lexio::default();
    let zero = hard(
        "hard(tiles_shed=0, plan_gain=0, structure_break=0, lead_retention=0, endgame_block=0, \
         strong_tile_cost=0, two_disposal=0, settlement_exposure=0, finish_bonus=0, finish=false)",
    );
    assert_eq!(chosen(&zero, &game, &view(SLOW)), action("3C"));
    let strength = |a: &Action| game.classify(*a).map(Combination::strength);
    let (mut rng, mut all) = (Seed(17).simulation(0), Vec::new());
    random_round(&game, &mut rng, &mut all, |state, legal| {
        if let Turn::Player(player) = game.turn(state) {
            let view = game.observe(state, player);
            let goes_out = legal.last().is_some_and(|a| a.tiles() == view.hand());
            if !goes_out {
                let choice = zero.choose(&game, &view, legal, &mut Seed(0).simulation(0));
                let weakest = legal.iter().map(strength).min().unwrap();
                assert_eq!(strength(&choice), weakest);
            }
        }
    });
}
