#!/usr/bin/env bash
# Every finding of lexio.md by the command that the page shows, in its order. --quick: the same with few
# seeds, to see that it runs. What a command captures or logs goes to target/lexio.
set -euo pipefail
cd "$(dirname "$0")/../../.."
out=target/lexio
seeds=256 few=32 many=512 positions=10000 situations=40000 samples=800 study=()
if [ "${1:-}" = --quick ]; then
  seeds=8 few=8 many=8 positions=100 situations=500 samples=50
  study=(--evals 12 --cell "lexio(players=5, rounds=3)")
fi
rm -rf "$out"
mkdir -p "$out"

cargo build --release --quiet
cargo build --release --quiet -p lexio --examples
lab() {
  printf '\n$ searchlab'
  for word in "$@"; do
    case $word in *[!a-z0-9=._/-]*) word="'$word'" ;; esac
    printf ' %s' "$word"
  done
  printf '\n'
  target/release/searchlab "$@"
}
game="lexio(players=5)"
before="hard(preset=pre_repair)"
repaired="hard(preset=pre_repair, estimator=exact)"

echo "== The answer probabilities against sampling (L1.9, L1.10)"
target/release/examples/answer_errors --positions "$positions"

echo "== One wrong probability (L3.1, L3.2)"
lab compare --game "$game" --a "$before" --b easy --seeds "$seeds"
lab compare --game "$game" --a "$repaired" --b easy --seeds "$seeds"
lab compare --game "$game" --a "$repaired" --b "$before" --seeds "$seeds"

echo "== Which term is it? (L3.3)"
lab ablate --game "$game" --agent "$before" --against easy --tuning "$seeds"
lab ablate --game "$game" --agent "$repaired" --against easy --tuning "$few"

echo "== By weight (L3.4, L3.5)"
lab sweep --game "$game" --agent "$before" --against easy --tuning "$many" \
  --keys lead_retention=-2,-1,-0.5,0,0.005,0.05,0.7,2

echo "== Kept for when it is cheap, or early (L3.6, L3.7)"
lab sweep --game "$game" --agent "$before" --against easy --tuning "$seeds" --keys lead_scale=plain,cheap,calm
lab sweep --game "$game" --agent "hard(preset=pre_repair, estimator=exact, lead_scale=calm)" --against easy \
  --tuning "$few" --keys lead_retention=0,0.35,0.7 endgame_block=0,0.6,1.2

echo "== Positions (L3.8, L3.9)"
lab capture --game "$game" --a "$before" --b "$repaired" --seeds "$few" --keep 20 --out "$out/positions"
first=$(find "$out/positions" -name '001-*.json')
lab replay "$first" >"$out/first.txt"
tail -n 20 "$out/first.txt"
# What the repaired bot chose becomes the answer that is wanted: a regression test.
want=$(sed -n '/"b_chose"/,/}/s/.*"action": "\(.*\)".*/\1/p' "$first")
if lab replay "$first" --check "$before" --want "$want" >"$out/before.txt"; then
  echo "unexpected: the bot before the repair passes"
  exit 1
fi
tail -n 3 "$out/before.txt"
lab replay "$first" --check "$repaired" --want "$want" | tail -n 3

echo "== Tuned (L3.10 to L3.12)"
lab tune --study docs/studies/lexio-hard.toml --out "$out/tune.jsonl" "${study[@]}"

echo "== Without two_disposal (L3.13)"
lab ablate --game "$game" --agent "$repaired" --against easy --keys two_disposal --tuning "$few"

echo "== A table of errors (L3.14, L3.15)"
lab calibrate --game "$game" --situations "$situations" --samples "$samples" --out "$out/table.json"
lab calibrate --game "$game" --check "$out/table.json" --regenerate
