#!/usr/bin/env bash
# Every PGN that the program writes, finished or in the middle, is read by python-chess, chess.js and pgn-extract:
# emulated games with everything that goes wrong, Chess960, other starts, odd names; and a broadcaster that asks the web
# server gets what it expects.
source "$(dirname "$0")/../lib.sh"
binary
need pgn-extract
python=$(python_with chess)
node_with chess.js

# What all readers have to agree on: read FILE...
read_all() {
	"$python" tests/pgn/read.py "$@" && node tests/pgn/read.mjs "$@" || return 1
	local file games
	for file in "$@"; do
		games=$(grep -c '^\[Event ' "$file")
		/usr/games/pgn-extract -r "$file" >"$WORK/extract" 2>&1 || true
		if ! grep -q "$games games\? matched out of $games" "$WORK/extract"; then
			echo "$file: pgn-extract disagrees" && tail -n 15 "$WORK/extract" && return 1
		fi
	done
}

# Finished games, and the same cut off in the middle.
"$JADOUBE" emulate --boards 40 --incident all --captures "$WORK/captures" --seed 5 >/dev/null 2>&1
for until in 20 60 180 100000; do
	for ruling in "$WORK"/captures/*.dgtcap; do
		"$JADOUBE" replay --format pgn --until "$until" --set event.name='Ünï "cödé" \ Open' \
			--set event.time_control=3+2 "$ruling" 2>/dev/null
	done >"$WORK/until-$until.pgn"
	check "emulated games until second $until are read by all" read_all "$WORK/until-$until.pgn"
done
if ! grep -q 'stands[:,]' "$WORK"/until-*.pgn; then failed "no illegal move stood among the emulated games"; fi

# Chess960, games from other positions, illegal moves that stand: boards without a clock, as a script of ours plays them.
mkdir -p "$WORK/boards"
"$python" tests/pgn/capture.py "$WORK/boards" >"$WORK/list"
while IFS=$'\t' read -r -a line; do
	name=$(basename "${line[0]}" .dgtcap) settings=()
	for setting in "${line[@]:1}"; do settings+=(--set "$setting"); done
	"$JADOUBE" replay --format pgn "${settings[@]}" "${line[0]}" >"$WORK/$name.pgn" 2>/dev/null
	check "$name is read by all" read_all "$WORK/$name.pgn"
	case $name in
	chess960-518) ;;
	chess960-*) check "$name says so" grep -q '^\[Variant "Chess960"\]' "$WORK/$name.pgn" ;;
	start-*) check "$name carries its position" grep -q '^\[FEN "' "$WORK/$name.pgn" ;;
	esac
done <"$WORK/list"

# A broadcaster's round: emulated boards, files, addresses, tags.
reserve_port port
mkdir -p "$WORK/hall"
"$JADOUBE" emulate --boards 3 --dir "$WORK/hall" --speed 4 --seed 2 >"$WORK/serials" 2>/dev/null &
all_there() { (($(wc -l <"$WORK/serials") == 3)); }
eventually "$PATIENCE" all_there
mapfile -t serials < <(cut -d ' ' -f 1 "$WORK/serials")
{
	cat <<TOML
state_dir = "$WORK/state"
log_dir = "$WORK/log"
[event]
name = 'Open "Ä" \ 2026'
round = 4
time_control = "3+2"
[ports]
scan = ["$WORK/hall/*"]
rescan_s = 1
[http]
listen = "127.0.0.1:$port"
[pgn]
dir = "$WORK/pgn"
TOML
	for table in 0 1 2; do
		printf '[[table]]\nnumber = %d\nserial = "%s"\nwhite = "Wéiß, %d"\nblack = "Schwarz, O\u2019%d"\n' \
			$((table + 1)) "${serials[$table]}" "$table" "$table"
		if ((table == 2)); then echo 'delay_s = 3600'; fi
	done
} >"$WORK/jadoube.toml"
"$JADOUBE" run --config "$WORK/jadoube.toml" 2>"$WORK/run.log" &
url=http://127.0.0.1:$port
moves_there() { curl -sf "$url/round-4/games.pgn" | grep -qE '(^| )2\. '; }
check "games are published" eventually "$PATIENCE" moves_there
# On a machine that has other work the games may be over before the readers are done.
clocks_there() { curl -sf "$url/round-4/game-1.pgn" >"$WORK/one.pgn" && grep -q '^\[ReferenceTime "[WBN]/' "$WORK/one.pgn"; }
check "the clocks of a game that goes on" eventually "$PATIENCE" clocks_there
check "one game" grep -q '^\[Round "4.1"\]' "$WORK/one.pgn"
for _ in 1 2 3 4 5 6; do
	curl -sf "$url/current/games.pgn" >"$WORK/live.pgn"
	check "games that go on are read by all" read_all "$WORK/live.pgn"
	sleep 1
done
check "files" read_all "$WORK/pgn/round-4/games.pgn" "$WORK"/pgn/round-4/game-*.pgn
check "nothing but whole files" test -z "$(find "$WORK/pgn" -name '*.part' -size 0)"
curl -sf -D "$WORK/head" -o /dev/null "$url/round-4/game-3.pgn"
check "character set" grep -qi '^content-type: application/x-chess-pgn; charset=utf-8' "$WORK/head"
tag=$(sed -n 's/^etag: \(.*\)\r$/\1/Ip' "$WORK/head")
check "a strong tag" test "${tag:0:1}" = '"'
status=$(curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $tag" "$url/round-4/game-3.pgn")
check "a delayed game does not change, and 304 says so" test "$status" = 304
check "a delayed game shows no move" grep -qx '\*' <(curl -sf "$url/round-4/game-3.pgn")
for path in tournament.json round-4/index.json round-4/game-1.json; do
	check "LiveChess Cloud: $path" "$python" -m json.tool <(curl -sf "$url/$path")
done
check "no such round" test "$(curl -s -o /dev/null -w '%{http_code}' "$url/round-9/games.pgn")" = 404
