"""Times OpenSpiel's C++ searches on its own games, beside ours.

    python3 -m venv target/openspiel
    target/openspiel/bin/pip install open_spiel==2.0.2
    target/openspiel/bin/python bench/peers/openspiel.py [--quick] [--json]

Every figure is the median of fresh processes by processor time, as in `peers`, which this runs for
our side of the table. OpenSpiel searches its own rules, so the factor is that of search and rules
together.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# Our name of the game, OpenSpiel's, its search, simulations of a run.
GAMES = [
    ("tic-tac-toe", "tic_tac_toe", "mcts", 200_000),
    ("connect-four", "connect_four", "mcts", 50_000),
    ("othello", "othello", "mcts", 3_000),
    ("kuhn-poker", "kuhn_poker", "ismcts", 200_000),
    ("leduc-poker", "leduc_poker", "ismcts", 100_000),
]
# What `peers` calls our search.
OURS = {"mcts": "searchlab uct", "ismcts": "searchlab ismcts"}


def child(game, search, simulations):
    """Searches once; prints processor seconds."""
    import pyspiel

    game = pyspiel.load_game(game)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    # The constant is on returns as they are; ours is 0.7 on returns divided by their range.
    constant = 0.7 * (game.max_utility() - game.min_utility())
    if search == "mcts":
        bot = pyspiel.MCTSBot(game, evaluator, constant, simulations, 4_000, False, 1, False)
        work = bot.mcts_search
    else:
        kind = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(1, evaluator, constant, simulations, -1, kind, False, False)
        work = bot.step
    start = time.process_time()
    work(state)
    print(time.process_time() - start)


def rate(game, search, simulations):
    words = [sys.executable, __file__, "--child", game, search, str(simulations)]
    seconds = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return simulations / float(seconds)


def ours(quick, report):
    if report:
        return rates(json.loads(pathlib.Path(report).read_text()))
    words = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(HERE / "Cargo.toml")]
    words += ["--", "--json"] + ["--quick"] * quick
    return rates(json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout))


def rates(report):
    return {
        (work["game"], row["library"]): row["simulations_per_second"]
        for work in report["works"]
        for row in work["rows"]
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the simulations, two rounds")
    parser.add_argument("--json", action="store_true", help="one object and nothing else")
    parser.add_argument("--ours", metavar="FILE", help="what `peers --json` printed, instead of running it")
    arguments = parser.parse_args()
    part, rounds = (10, 2) if arguments.quick else (1, 5)
    theirs = {name: [] for name, *_ in GAMES}
    for _ in range(rounds):
        for name, game, search, simulations in GAMES:
            theirs[name].append(rate(game, search, simulations // part))
    our_rates = ours(arguments.quick, arguments.ours)
    rows = []
    for name, _, search, _ in GAMES:
        our_rate = our_rates.get((name, OURS[search]))
        their_rate = statistics.median(theirs[name])
        rows.append(
            {
                "game": name,
                "search": search,
                "openspiel": round(their_rate),
                "min": round(min(theirs[name])),
                "max": round(max(theirs[name])),
                "ours": our_rate and round(our_rate),
                "factor": our_rate and our_rate / their_rate,
            }
        )
    if arguments.json:
        print(json.dumps({"rows": rows}))
        return
    print(f"{'game':<14}{'OpenSpiel 2.0.2':>18}{'min..max':>24}{'ours':>14}{'factor':>9}")
    for row in rows:
        spread = f"{row['min']:,}..{row['max']:,}"
        our_rate = f"{row['ours']:,}" if row["ours"] else "-"
        factor = f"{row['factor']:.1f}" if row["factor"] else "-"
        print(f"{row['game']:<14}{row['openspiel']:>18,}{spread:>24}{our_rate:>14}{factor:>9}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
