#!/usr/bin/env python3
"""Breaks the code on purpose, in many ways, and asks whether a test notices.

    python3 bench/mutants/run.py [--only NAME]... [--list] [--jobs N] [--runs N] [--limit SECONDS]

`mutants.toml` lists the mutants. All of them are compiled into one copy of the workspace, in
`target/mutants/tree`, each behind a number that the environment switches on; so there is one build,
and then one run of one test binary a mutant. The checkout itself is never touched.

Exit status: 0 when every mutant is killed, 1 when one survives or no longer applies, 2 when the
tests fail without a mutant or the copy does not build. Python 3.11 or later, and nothing else.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "mutants"
COPY = WORK / "tree"
LEFT_OUT = {"target", ".git"}
VARIABLE = "MUTANT"
# A mutant may search for ever, and remember all of it.
MOST_MEMORY = 6 << 20  # KiB
SWITCH = f"""
/// Whether this mutant is switched on.
#[doc(hidden)]
pub fn mutant(number: u32) -> bool {{
    static ON: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {{
        let number = std::env::var("{VARIABLE}").ok();
        number.and_then(|n| n.parse().ok()).unwrap_or(0)
    }});
    *ON == number
}}
"""


class Mutant:
    """One entry of the list, with the number that switches it on."""

    def __init__(self, number, entry):
        self.number = number
        self.name = entry["name"]
        self.breaks = entry["breaks"]
        self.file = entry["file"]
        self.find = entry["find"]
        self.within = entry.get("within", self.find)
        self.replace = entry["with"]
        self.package, self.target, *self.filters = entry["test"].split()

    def span(self, text):
        """Where its text is: None unless there is one such place."""
        if text.count(self.within) != 1 or self.within.count(self.find) != 1:
            return None
        start = text.index(self.within) + self.within.index(self.find)
        return start, start + len(self.find)

    def tests(self):
        return " ".join([self.package, self.target, *self.filters])

    def switch(self):
        crate = "crate" if self.file.startswith("search-core/") else "search_core"
        return f"{crate}::mutant({self.number})"


def read_list():
    with open(HERE / "mutants.toml", "rb") as file:
        entries = tomllib.load(file)["mutant"]
    mutants = [Mutant(number, entry) for number, entry in enumerate(entries, 1)]
    names = [mutant.name for mutant in mutants]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"two mutants with one name: {', '.join(sorted(twice))}")
    return mutants


def mutated(text, placed, start, end):
    """`text[start:end]` with the mutants `placed`, which lie within it, behind their switches."""
    result, at = "", start
    spans = sorted({span for span, _ in placed}, key=lambda span: (span[0], -span[1]))
    for first, last in spans:
        if first < at:
            continue  # Within the one before.
        here = [mutant for span, mutant in placed if span == (first, last)]
        within = [
            (span, mutant)
            for span, mutant in placed
            if span != (first, last) and first <= span[0] and span[1] <= last
        ]
        result += text[at:first] + "("
        for mutant in here:
            result += f"if {mutant.switch()} {{ {mutant.replace} }} else "
        result += f"{{ {mutated(text, within, first, last)} }})"
        at = last
    return result + text[at:end]


def write(path, content):
    """Leaves a file that is right already as old as it is, so that nothing is built again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_tree(mutants):
    """Copies the workspace with the mutants in it. Returns those that do not apply."""
    lost, by_file = [], {}
    for mutant in mutants:
        path = ROOT / mutant.file
        text = path.read_text() if path.exists() else ""
        span = mutant.span(text)
        if span is None:
            lost.append(mutant)
        else:
            by_file.setdefault(mutant.file, []).append((span, mutant))
    wanted = set()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in files:
            source = Path(folder) / name
            relative = source.relative_to(ROOT)
            content = source.read_bytes()
            placed = by_file.get(relative.as_posix())
            if placed:
                text = content.decode()
                content = mutated(text, placed, 0, len(text)).encode()
            if relative.as_posix() == "search-core/src/lib.rs":
                content += SWITCH.encode()
            write(COPY / relative, content)
            wanted.add(relative)
    for folder, _, files in os.walk(COPY):
        for name in files:
            path = Path(folder) / name
            if path.relative_to(COPY) not in wanted:
                path.unlink()
    return lost


def build(tests, jobs):
    """Builds the test binaries, and returns where they are by package and target."""
    packages = sorted({package for package, _ in tests})
    command = ["cargo", "test", "--no-run", "--message-format=json-render-diagnostics"]
    for package in packages:
        command += ["-p", package]
    for target in sorted({target for _, target in tests}):
        command += ["--lib"] if target == "lib" else ["--test", target]
    if jobs:
        command += ["-j", str(jobs)]
    environment = dict(
        os.environ,
        CARGO_TARGET_DIR=str(WORK / "build"),
        CARGO_INCREMENTAL="0",
        # The switches are no beautiful Rust.
        RUSTFLAGS="--cap-lints=allow",
    )
    done = subprocess.run(command, cwd=COPY, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print("the copy does not build", file=sys.stderr)
        sys.exit(2)
    binaries = {}
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact" or not message.get("executable"):
            continue
        if not message["profile"]["test"]:
            continue
        package = Path(message["manifest_path"]).parent
        target = "lib" if "lib" in message["target"]["kind"] else message["target"]["name"]
        name = re.search(r'^name = "(.*)"', (package / "Cargo.toml").read_text(), re.M).group(1)
        binaries[name, target] = (message["executable"], package)
    return binaries


def run_tests(binary, filters, number, limit):
    """What the tests say with a mutant (0 for none): "passed", "failed", "hung" or "none"."""
    executable, package = binary
    environment = dict(os.environ, **{VARIABLE: str(number)}, RUST_BACKTRACE="0")
    begin = time.monotonic()
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", f'ulimit -v {MOST_MEMORY}; exec "$@"', "sh", executable, *filters],
            cwd=package,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return "hung", limit, ""
    took = time.monotonic() - begin
    if re.search(r"^running 0 tests", done.stdout, re.M):
        return "none", took, ""
    failed = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED", done.stdout, re.M)
    if done.returncode == 0:
        return "passed", took, ""
    return "failed", took, failed[0] if failed else "the process died"


def main():
    parser = argparse.ArgumentParser(description="Runs the mutants of mutants.toml.")
    parser.add_argument("--only", action="append", metavar="NAME", help="this one; may be repeated, may end in *")
    parser.add_argument("--list", action="store_true", help="say what there is and stop")
    parser.add_argument("--jobs", type=int, metavar="N", help="of the build; cargo's own choice without")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="test runs side by side (1)")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="after which a run has hung (120)")
    options = parser.parse_args()

    def chosen(name):
        wanted = options.only or ["*"]
        return any(name == w or w.endswith("*") and name.startswith(w[:-1]) for w in wanted)

    mutants = [mutant for mutant in read_list() if chosen(mutant.name)]
    if not mutants:
        sys.exit("no mutant has that name; --list shows them")
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:44} {mutant.breaks:22} {mutant.tests()}")
        return 0

    lost = copy_tree(mutants)
    for mutant in lost:
        print(f"{'DOES NOT APPLY':14} {mutant.name:44} {mutant.file}", flush=True)
    mutants = [mutant for mutant in mutants if mutant not in lost]
    binaries = build({(mutant.package, mutant.target) for mutant in mutants}, options.jobs)

    def run_one(mutant, number, limit):
        binary = binaries.get((mutant.package, mutant.target))
        return run_tests(binary, mutant.filters, number, limit) if binary else ("none", 0, "")

    with ThreadPoolExecutor(max(options.runs, 1)) as pool:
        first = {mutant.tests(): mutant for mutant in mutants}
        verdicts = pool.map(lambda m: run_one(m, 0, 10 * options.limit), first.values())
        whole = dict(zip(first, verdicts))
        bad = {tests: verdict for tests, verdict in whole.items() if verdict[0] != "passed"}
        for tests, (verdict, _, test) in bad.items():
            print(f"without a mutant: {tests}: {verdict} {test}")
        if bad:
            return 2

        def limit(mutant):
            return max(options.limit, 20 * whole[mutant.tests()][1])

        survived = 0
        verdicts = pool.map(lambda m: run_one(m, m.number, limit(m)), mutants)
        for mutant, (verdict, took, test) in zip(mutants, verdicts):
            killed = verdict in ("failed", "hung")
            survived += not killed
            said = {"failed": test, "hung": "does not end"}.get(verdict, mutant.tests())
            word = "killed" if killed else "SURVIVED"
            print(f"{word:14} {mutant.name:44} {took:5.1f} s  {said}", flush=True)
    killed = len(mutants) - survived
    print(f"{killed} of {len(mutants) + len(lost)} killed, {survived} survived, {len(lost)} do not apply")
    return 1 if survived or lost else 0


if __name__ == "__main__":
    sys.exit(main())
