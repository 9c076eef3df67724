//! The searchers with their keys: what is refused, and what works.

use crate::common::lab_of;
use searchlab::Registry;

/// That each agent is refused for its game, with words that say why.
fn refused(cases: &[(&str, &str, &[&str])]) {
    for (game, agent, words) in cases {
        let args = ["compare", "--game", game, "--a", agent, "--b", "random"];
        let ran = lab_of(&Registry::standard(), &args, "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        for word in *words {
            assert!(ran.err.contains(word), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn flat_searchers_are_refused_where_they_make_no_sense() {
    let cases: [(&str, &str, &[&str]); 22] = [
        (
            "pig",
            "flat(allocation=best)",
            &["even, halving, ocba, gumbel"],
        ),
        (
            "pig",
            "flat(time=1ms, allocation=gumbel)",
            &["give sims as well"],
        ),
        ("pig", "flat(warm_up=5)", &["only allocation=ocba"]),
        ("pig", "flat(allocation=ocba, warm_up=1)", &["at least 2"]),
        (
            "pig",
            "flat(allocation=ocba, priors=random)",
            &["only allocation=gumbel"],
        ),
        ("pig", "flat(considered=5)", &["only allocation=gumbel"]),
        (
            "pig",
            "flat(allocation=gumbel, epsilon=0.1)",
            &["give priors"],
        ),
        ("pig", "flat(allocation=gumbel, considered=0)", &["1 to"]),
        ("pig", "flat(allocation=gumbel, c_scale=-1)", &["0 or more"]),
        (
            "pig",
            "flat(allocation=gumbel, priors=uct)",
            &["decides at once"],
        ),
        ("lexio", "shot", &["`shot` sees everything", "use `ismcts`"]),
        ("pig", "shot(time=1ms)", &["give sims as well"]),
        ("pig", "shot(parallel=root)", &["give `threads`"]),
        ("pig", "shot(chance=explicit)", &["searched together"]),
        ("pig", "rollout(z=2)", &["without stop=paired"]),
        ("pig", "rollout(stop=paired, first_look=1)", &["at least 2"]),
        ("pig", "rollout(stop=paired, z=-1)", &["0 or more"]),
        ("pig", "rollout(value=cut-off)", &["give turns"]),
        (
            "lexio",
            "rollout(turns=5, value=evaluation)",
            &["no evaluation"],
        ),
        ("pig", "rollout(inner=5)", &["give level"]),
        ("pig", "rollout(level=5)", &["1 to 4"]),
        ("pig", "rollout(level=two)", &["1 to 4"]),
    ];
    refused(&cases);
}

#[test]
fn searches_of_hidden_moves_need_to_know_what_is_seen() {
    let cases: [(&str, &str, &[&str]); 5] = [
        (
            "safe-guess",
            "mo-ismcts",
            &["a tree for each player", "safe-guess", "use `ismcts`"],
        ),
        (
            "safe-guess",
            "ismcts(moves=hidden)",
            &["ismcts(moves=hidden)", "safe-guess", "`ris-mcts`"],
        ),
        (
            "kuhn-poker",
            "ismcts(moves=unseen)",
            &["expected one of seen, hidden"],
        ),
        (
            "kuhn-poker",
            "ris-mcts(chance=explicit)",
            &["its worlds differ"],
        ),
        ("kuhn-poker", "mo-ismcts(moves=hidden)", &["no setting"]),
    ];
    refused(&cases);
}

#[test]
fn flat_searchers_are_built_from_what_they_understand() {
    for (game, agent) in [
        ("tic-tac-toe", "flat(sims=50, allocation=ocba, warm_up=3)"),
        (
            "tic-tac-toe",
            "flat(sims=50, allocation=gumbel, priors=perfect, epsilon=0.1)",
        ),
        ("kuhn-poker", "flat(sims=50, allocation=gumbel)"),
        ("tic-tac-toe", "shot(sims=50, threads=2)"),
        ("pig", "rollout(stop=paired, turns=6, samples=16)"),
        (
            "kuhn-poker",
            "rollout(base=random, level=2, samples=4, inner=2)",
        ),
        ("lexio", "rollout(turns=0, samples=2)"),
    ] {
        let args = ["search", "--game", game, "--agent", agent];
        let ran = lab_of(&Registry::standard(), &args, "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn searches_of_hidden_moves_work_as_printed() {
    for row in searchlab::agents::searchers::SEARCHERS {
        if !["mo-ismcts", "ris-mcts"].contains(&row.name) {
            continue;
        }
        let args = ["search", "--game", "kuhn-poker", "--agent", row.example];
        let ran = lab_of(&Registry::standard(), &args, "");
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let hidden = "ismcts(moves=hidden, sims=200)";
    let args = ["search", "--game", "leduc-poker", "--agent", hidden];
    assert_eq!(lab_of(&Registry::standard(), &args, "").code, 0);
}

#[test]
fn guided_searches_are_refused_where_they_make_no_sense() {
    let cases: [(&str, &str, &[&str]); 18] = [
        (
            "pig",
            "uct(parallel=shared, chance=explicit)",
            &["chance=explicit", "share a tree draw outcomes"],
        ),
        (
            "connect-four",
            "uct(reuse=true, parallel=root)",
            &["reuse=true", "parallel=batch"],
        ),
        (
            "connect-four",
            "graph-uct(threads=2)",
            &["graph-uct(threads=2)", "one thread searches the graph"],
        ),
        (
            "connect-four",
            "uct(parallel=shared, select=tuned)",
            &["parallel=shared", "plain counters"],
        ),
        ("tic-tac-toe", "mo-ismcts", &["hides nothing", "use `uct`"]),
        ("tic-tac-toe", "epimc", &["hides nothing", "use `uct`"]),
        ("tic-tac-toe", "uct(select=best)", &["ucb1, tuned, puct"]),
        (
            "tic-tac-toe",
            "uct(epsilon=0.1)",
            &["no setting", "epsilon"],
        ),
        ("tic-tac-toe", "uct(select=greedy, epsilon=2)", &["0 to 1"]),
        ("tic-tac-toe", "uct(prior_eps=0.1)", &["no setting"]),
        ("tic-tac-toe", "uct(prior=nobody)", &["nobody"]),
        ("tic-tac-toe", "uct(backup=0+5)", &["0+2", "from 0 to 1"]),
        ("tic-tac-toe", "uct(final=tau-0)", &["tau-1"]),
        ("tic-tac-toe", "uct(k=0)", &["above 0"]),
        ("lexio", "ismcts(minimax=0.5)", &["no evaluation"]),
        ("lexio", "ismcts(solver=true)", &["hides something"]),
        ("tic-tac-toe", "uct(expand=0)", &["expand"]),
        ("tic-tac-toe", "uct(minimax=2)", &["0 to 1"]),
    ];
    refused(&cases);
}

#[test]
fn guided_searches_are_built_from_what_they_understand() {
    for (game, agent) in [
        (
            "tic-tac-toe",
            "uct(sims=90, select=tuned, expand=2, solver=true)",
        ),
        (
            "tic-tac-toe",
            "uct(sims=90, select=puct, prior=perfect, prior_eps=0.1)",
        ),
        (
            "connect-four",
            "uct(sims=90, minimax=0.2, bias=1, heuristic=yes)",
        ),
        (
            "connect-four",
            "uct(sims=90, rave=0.01, grave=20, learn=mast, mast_eps=0.3)",
        ),
        ("pig", "uct(sims=90, chance=open, final=tau-0.5)"),
        (
            "pig",
            "uct(sims=90, chance=explicit, solver=true, select=thompson)",
        ),
        (
            "lexio",
            "ismcts(sims=90, select=puct, prior=easy, backup=paranoid)",
        ),
        (
            "lexio",
            "ismcts(sims=90, k=2, alpha=0.5, history=0.3, learn=lgr)",
        ),
        (
            "lexio",
            "ismcts(sims=90, backup=0+2, select=greedy, epsilon=0.2)",
        ),
    ] {
        let args = ["search", "--game", game, "--agent", agent];
        let ran = lab_of(&Registry::standard(), &args, "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
}
