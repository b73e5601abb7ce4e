#!/usr/bin/env bash
# LiveChess clients with emulated boards: WebSockets of Python and Node, and a client that follows whole games
# without a mismatch.
source "$(dirname "$0")/../lib.sh"
binary
python=$(python_with websockets chess)
node_with ws

reserve_port port
"$JADOUBE" emulate --boards 2 --dir "$WORK/boards" --pgn tests/livechess/games.pgn --speed 4 --seed 7 \
	>"$WORK/serials" 2>"$WORK/emulate.log" &
cat >"$WORK/jadoube.toml" <<TOML
state_dir = "$WORK/state"
log_dir = "$WORK/log"
[ports]
scan = ["$WORK/boards/*"]
rescan_s = 1
[livechess]
listen = ["127.0.0.1:$port", "[::1]:$port"]
TOML
mkdir -p "$WORK/boards"
"$JADOUBE" run --config "$WORK/jadoube.toml" 2>"$WORK/run.log" &
boards_there() {
	python3 - "$port" <<'PY'
import json, sys, urllib.request
boards = json.load(urllib.request.urlopen(f"http://localhost:{sys.argv[1]}/api/v1.0/eboards", timeout=5))
sys.exit(len(boards) != 2 or any(board["state"] != "ACTIVE" for board in boards))
PY
}
if ! eventually "$PATIENCE" boards_there; then
	tail -n 20 "$WORK/run.log" "$WORK/emulate.log" >&2
	failed "the boards are not listed"
	exit 1
fi
mapfile -t serials < <(cut -d ' ' -f 1 "$WORK/serials")

"$python" tests/livechess/play.py "ws://localhost:$port/api/v1.0" tests/livechess/games.pgn "${serials[@]}" \
	>"$WORK/play.log" 2>&1 &
play=$!
counted "rules, Python websockets" "$python" tests/livechess/rules.py "$port" "${serials[@]}"
counted "rules, Node ws" node tests/livechess/rules.mjs "$port" "${serials[@]}"
wait "$play" || true
counted "a whole game a board without a mismatch" cat "$WORK/play.log"
if grep -E 'ERROR|panic' "$WORK/run.log" >&2; then failed "the daemon has complained"; fi
