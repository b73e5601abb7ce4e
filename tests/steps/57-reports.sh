#!/usr/bin/env bash
# What a running daemon gives of its rounds is read by programs of others, and they find who played whom and how it ended: the report (TRF)
# by the Python package trf, the games by python-chess, the table of results by Python's csv. Where BBPPAIRINGS names a bbpPairings, it
# checks the points of the report and pairs the next round.
source "$(dirname "$0")/../lib.sh"
binary
python=$(python_with trf==1.1.1 chess)

reserve_port port
mkdir -p "$WORK/hall"
printf '[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 1-0\n' >"$WORK/games.pgn"
"$JADOUBE" emulate --boards 2 --dir "$WORK/hall" --pgn "$WORK/games.pgn" --speed 4 --seed 3 >"$WORK/serials" 2>/dev/null &
all_there() { (($(wc -l <"$WORK/serials") == 2)); }
eventually "$PATIENCE" all_there
mapfile -t serials < <(cut -d ' ' -f 1 "$WORK/serials")
(umask 077 && echo a-token-for-the-test >"$WORK/token")
cat >"$WORK/jadoube.toml" <<TOML
state_dir = "$WORK/state"
log_dir = "$WORK/log"
[event]
name = "Öpen Žižkov"
site = "Łódź"
rounds = 5
time_control = "3+2"
[ports]
scan = ["$WORK/hall/*"]
rescan_s = 1
[http]
listen = "127.0.0.1:$port"
token_file = "$WORK/token"
[pgn]
dir = "$WORK/pgn"
[[table]]
number = 1
serial = "${serials[0]}"
[[table]]
number = 2
serial = "${serials[1]}"
TOML
"$JADOUBE" run --config "$WORK/jadoube.toml" 2>"$WORK/run.log" &
up() { curl -sf "http://127.0.0.1:$port/api/hall"; }
check "the daemon is there" eventually "$PATIENCE" up
counted "reports of three rounds" "$python" tests/pgn/reports.py "http://127.0.0.1:$port" "$WORK/reports"

# It is in no registry of packages: who has built it names it.
if [[ -n ${BBPPAIRINGS:-} ]]; then
	check "bbpPairings pairs the round after the report" "$BBPPAIRINGS" --dutch "$WORK/reports/after.trf" -p "$WORK/reports/next"
	check "nobody meets again whom the report names" "$python" tests/pgn/reports.py --paired "$WORK/reports"
	# A report with other points than its results give is refused: it has read them.
	sed 's/^\(001    1.*\) 2\.5 /\1 2.0 /' "$WORK/reports/after.trf" >"$WORK/reports/wrong.trf"
	check "other points are there to be refused" test "$(diff "$WORK/reports/after.trf" "$WORK/reports/wrong.trf" | grep -c '^>')" = 1
	if "$BBPPAIRINGS" --dutch "$WORK/reports/wrong.trf" -p "$WORK/reports/none" >/dev/null 2>&1; then
		failed "bbpPairings accepts a report with wrong points"
	else passed 1 "bbpPairings refuses a report with wrong points"; fi
fi
