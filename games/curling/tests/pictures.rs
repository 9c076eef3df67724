//! Pictures: valid XML, the same bytes for the same input, everything in them that should be.

use curling::noise::Deviation;
use curling::physics::Ice;
use curling::svg::{self, Cloud, Thrown};
use curling::{Action, Curling, CurlingOptions, Point, Simulator, Spin, State, Stone, Team};
use roxmltree::Document;
use search_core::game::Game;
use search_core::plugin::Rated;

fn game() -> Curling {
    Curling::new(CurlingOptions::default()).unwrap()
}

fn position() -> State {
    let mut state = State::start(Team::Team1);
    state.shot = 14;
    for (team, throw, x, y) in [
        (Team::Team0, 0, -0.2, 34.9),
        (Team::Team1, 1, 0.55, 35.3),
        (Team::Team1, 2, 0.12, 38.05),
    ] {
        state.board.put(Stone::of(team, throw), Point::new(x, y));
    }
    state
}

/// A draw beside the stones, a hit, a shot far too weak, one that is no shot, and one without a value.
fn rated(game: &Curling) -> Vec<Rated<Action>> {
    let model = game.model();
    let draw = model.stop_at(Point::new(-1.0, 38.6), Spin::Ccw);
    let hit = model.pass_through(Point::new(0.12, 38.05), 1.5, Spin::Cw);
    let actions = [
        (Action::shot(draw.unwrap()), 0.25, 90),
        (Action::shot(hit.unwrap()), 0.75, 200),
        (Action::polar(1.0, 0.0, Spin::Ccw), -0.5, 10),
        (Action::CONCEDE, -1.0, 3),
        (Action::polar(2.4, 0.01, Spin::Cw), f64::NAN, 0),
    ];
    let rate = |(action, value, visits)| Rated {
        action,
        value,
        visits,
    };
    actions.map(rate).to_vec()
}

fn texts<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
    let nodes = document.descendants().filter(|n| n.has_tag_name("text"));
    nodes.filter_map(|n| n.text()).collect()
}

fn number(node: &roxmltree::Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

#[test]
fn candidates_are_listed_by_value() {
    let game = game();
    let named = |action: Action| {
        if action == Action::CONCEDE {
            "give <up> & go".to_string()
        } else {
            format!("shot at {:.2}", action.speed())
        }
    };
    let draw = || svg::candidates_named(&game, &position(), &rated(&game), &named);
    let picture = draw();
    assert_eq!(picture, draw());
    let document = Document::parse(&picture).unwrap();
    let texts = texts(&document);
    // A return of 0.75 is a win in 87.5 % of cases.
    let place = |text: &str| texts.iter().position(|t| *t == text).unwrap();
    assert!(place("87.5 %") < place("62.5 %") && place("62.5 %") < place("25.0 %"));
    // What has no value comes last.
    assert!(place("25.0 %") < place("0.0 %") && place("0.0 %") < place("–"));
    for text in ["0.0 %", "give <up> & go", "wins the match", "–"] {
        assert!(texts.contains(&text), "no `{text}` in {texts:?}");
    }
    for text in ["goes out of play", "200 visits"] {
        assert!(texts.iter().any(|t| t.contains(text)));
    }
    // Nothing is outside the picture, and it has a background of its own.
    let root = document.root_element();
    for node in document.descendants().filter(|n| n.has_tag_name("text")) {
        assert!((0.0..number(&root, "width")).contains(&number(&node, "x")));
        assert!((0.0..number(&root, "height")).contains(&number(&node, "y")));
    }
    let first = root.children().find(|n| n.has_tag_name("rect")).unwrap();
    assert_eq!(first.attribute("width"), root.attribute("width"));
    // Without candidates it is the sheet alone.
    let bare = svg::candidates(&game, &position(), &[]);
    assert!(Document::parse(&bare).is_ok());
}

#[test]
fn texts_of_a_picture_do_not_overlap() {
    let game = game();
    let mut legal = Vec::new();
    game.legal_actions(&position(), &mut legal);
    let rate = |(i, action): (usize, &Action)| Rated {
        action: *action,
        value: libm::sin(i as f64),
        visits: 1000 - i as u64,
    };
    let rated: Vec<_> = legal.iter().take(60).enumerate().map(rate).collect();
    let picture = svg::candidates(&game, &position(), &rated);
    let document = Document::parse(&picture).unwrap();
    let mut boxes: Vec<([f64; 4], &str)> = Vec::new();
    for node in document.descendants().filter(|n| n.has_tag_name("text")) {
        let text = node.text().unwrap();
        let size = number(&node, "font-size");
        // Letters and figures of sans-serif types are about half an em wide.
        let width = 0.5 * size * text.chars().count() as f64;
        let x = number(&node, "x");
        let left = match node.attribute("text-anchor") {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        let height = 0.72 * size;
        boxes.push(([left, number(&node, "y") - height, width, height], text));
    }
    for (i, (a, text)) in boxes.iter().enumerate() {
        for (b, other) in &boxes[..i] {
            let across = a[0] >= b[0] + b[2] || b[0] >= a[0] + a[2];
            let along = a[1] >= b[1] + b[3] || b[1] >= a[1] + a[3];
            assert!(across || along, "`{text}` lies over `{other}`");
        }
    }
}

#[test]
fn the_cloud_of_a_draw_has_the_spread_of_its_noise() {
    let game = Curling::new(CurlingOptions {
        ice: Ice::Fcv1,
        ..CurlingOptions::default()
    });
    let game = game.unwrap();
    let state = State::start(Team::Team1);
    let draw = game.model().stop_at(Point::TEE, Spin::Ccw).unwrap();
    let action = Action::shot(draw);
    let cloud = Cloud::throw(&game, &state, action, 400, 1);
    assert_eq!(cloud.clean.len(), 400);
    // Known: standard deviations (0.068, 0.262) m at the tee. Five standard errors of a standard
    // deviation of 400 throws are 18 %.
    for (axis, known) in [(0, 0.068), (1, 0.262)] {
        let mean = cloud.clean.iter().map(|p| p[axis]).sum::<f64>() / 400.0;
        let squares = cloud.clean.iter().map(|p| (p[axis] - mean).powi(2));
        let sd = (squares.sum::<f64>() / 399.0).sqrt();
        assert!((sd / known - 1.0).abs() < 0.18, "axis {axis}: {sd}");
    }
    let few = |seed| Cloud::throw(&game, &state, action, 20, seed);
    assert_eq!(few(1), few(1));
    assert_ne!(few(1), few(2));
    let picture = svg::cloud(&game, &state, action, 20, 1);
    assert_eq!(picture, svg::cloud(&game, &state, action, 20, 1));
    let document = Document::parse(&picture).unwrap();
    assert!(texts(&document).contains(&"20 throws"));
    let ellipses = document.descendants().filter(|n| n.has_tag_name("ellipse"));
    assert_eq!(ellipses.count(), 2);
    // No shot, no cloud.
    let none = Cloud::throw(&game, &state, Action::CONCEDE, 40, 1);
    assert_eq!(none, Cloud::default());
    let picture = svg::cloud(&game, &state, Action::CONCEDE, 4, 1);
    assert!(Document::parse(&picture).is_ok());
}

#[test]
fn an_end_has_a_panel_for_every_shot() {
    let game = game();
    let mut state = State::start(Team::Team1);
    let mut shots = Vec::new();
    for i in 0_u8..16 {
        let target = Point::new(0.3 * f32::from(i % 5) - 0.6, 38.0);
        let spin = Spin::BOTH[usize::from(i % 2)];
        let aim = game.model().stop_at(target, spin).unwrap();
        let shot = Thrown {
            before: state,
            action: Action::shot(aim),
            deviation: Deviation::NONE,
            name: format!("draw {i} with a name that is far too long for its panel"),
        };
        game.apply(&mut state, shot.action);
        game.apply_chance(&mut state, shot.deviation);
        shots.push(shot);
    }
    let picture = svg::end(&game, &shots, "One & only end");
    assert_eq!(picture, svg::end(&game, &shots, "One & only end"));
    let document = Document::parse(&picture).unwrap();
    let ids = document.descendants().filter_map(|n| n.attribute("id"));
    let ids: std::collections::BTreeSet<&str> = ids.collect();
    assert_eq!(ids.len(), 16);
    let texts = texts(&document);
    let named = texts.iter().filter(|t| t.starts_with("draw "));
    assert_eq!(named.count(), 16);
    // Whoever scores by the rules scores in the picture.
    let (team, points) = match state.points {
        [0, n] => ("yellow (team 1)", n),
        [n, _] => ("red (team 0)", n),
    };
    let words = format!("{team} scores {points}");
    assert!(
        texts.iter().any(|t| t.contains(&words)),
        "{words}: {texts:?}"
    );
    let none = svg::end(&game, &[], "none");
    assert!(Document::parse(&none).is_ok());
    for whole in [false, true] {
        let board = svg::board(&position().board, whole, 40.0);
        assert!(Document::parse(&board).is_ok());
    }
}

/// On the ice of 2015-16 a stone counts that lies up to 6 mm beyond the house of the others.
#[test]
fn an_end_is_scored_as_the_match_scores_it() {
    for (ice, words) in [
        (Ice::Fast, "nobody would score"),
        (Ice::Uec, "red (team 0) would score 1"),
    ] {
        let game = Curling::new(CurlingOptions {
            ice,
            ..CurlingOptions::default()
        })
        .unwrap();
        let mut before = State::start(Team::Team1);
        before.shot = 3;
        let edge = Point::new(1.977, 38.405);
        before.board.put(Stone::of(Team::Team0, 0), edge);
        let weak = Thrown {
            before,
            action: Action::polar(1.0, 0.0, Spin::Ccw),
            deviation: Deviation::NONE,
            name: String::new(),
        };
        let picture = svg::end(&game, &[weak], "one shot");
        let document = Document::parse(&picture).unwrap();
        let texts = texts(&document);
        assert!(texts.iter().any(|t| t.contains(words)), "{texts:?}");
        let standing = if ice == Ice::Uec { "red 1" } else { "–" };
        assert!(texts.contains(&standing), "{texts:?}");
    }
}
