# Figures on captures that are no part of this repository: recorded and simulated games with their truth, rule scenarios.
# Skipped where they are not at hand, see `shared` in tests/lib.sh. A floor here only ever rises.
source "$(dirname "$0")/../lib.sh"
shared
binary
python=$(python_with chess)

# corpus NAME GAMES PRECISION RECALL: the least share of exact games, and of alerts that are right and that are given.
corpus() {
	local name=$1 share precision recall failures
	"$python" "$SHARED/tools/score.py" "$JADOUBE" "$SHARED/corpus/$name" --json | tee "$WORK/score" >&2
	read -r share precision recall failures < <("$python" -c '
import json, sys
score = json.load(open(sys.argv[1]))
print(score["exact_share"], score["precision"], score["recall"], score["failed"])' "$WORK/score")
	at_least "$name: games that are exact" "$share" "$2"
	at_least "$name: precision of alerts" "$precision" "$3"
	at_least "$name: recall of alerts" "$recall" "$4"
	at_least "$name: captures that can be replayed" $((-failures)) 0
}

at_least() {
	local line
	line=$(printf '%s: %.3f, at least %s' "$1" "$2" "$3")
	if awk -v value="$2" -v floor="$3" 'BEGIN { exit !(value >= floor) }'; then passed 1 "$line"; else failed "$line"; fi
}

corpus hall 0.99 0.99 0.99
corpus faulty 0.9 0.95 0.95
corpus scramble 0.9 0.9 0.9
corpus outages 0.9 0.95 0.85

# Boards that are first heard of in the middle of a game, and evenings without any offence: nobody may be accused.
if [[ -d $SHARED/corpus/midgame ]]; then
	line=$("$python" "$SHARED/tools/midgame.py" "$JADOUBE" "$SHARED/corpus/midgame")
	say "$line"
	read -r games followed reported wanted wrong < <(sed -E 's,[^0-9]+, ,g' <<<"$line")
	at_least "midgame: games that are followed" "$(awk "BEGIN { print $followed / $games }")" 0.95
	at_least "midgame: offences that are reported" "$(awk "BEGIN { print $reported / $wanted }")" 0.8
	at_least "midgame: false accusations" $((-wrong)) 0
fi
if [[ -d $SHARED/corpus/evenings ]]; then
	line=$("$python" "$SHARED/tools/evenings.py" "$JADOUBE" "$SHARED/corpus/evenings")
	say "$line"
	read -r exact games invented wrong < <(sed -E 's,[^0-9]+, ,g' <<<"$line")
	at_least "evenings: games that are exact" "$(awk "BEGIN { print $exact / $games }")" 0.98
	at_least "evenings: games that nobody played" $((-invented)) 0
	at_least "evenings: false accusations" $((-wrong)) 0
fi

scenarios=$("$python" "$SHARED/tools/scenarios.py" score "$JADOUBE" "$SHARED/scenarios/scenarios.json" --show)
say "$scenarios"
read -r right all < <(sed -n 's/^scenarios \([0-9]*\) of \([0-9]*\)$/\1 \2/p' <<<"$scenarios")
passed "$right" "rule scenarios"
if ((right < all)); then record "failed $((all - right)) rule scenarios"; fi

# Real games of a World Cup, played by hands that do everything in every order; kings are put up early, late, slowly, quickly.
games=$SHARED/games/worldcup2025-rounds-1-4.jsonl
if [[ -f $games ]]; then
	"$python" tests/behaviour/worldcup.py pgn "$games" >"$WORK/worldcup.pgn"
	count=$(grep -c '^\[Event' "$WORK/worldcup.pgn")
	"$JADOUBE" emulate --captures "$WORK/worldcup" --boards "$count" --pgn "$WORK/worldcup.pgn" --time 90+30 --handling wild --seed 9 >&2
	line=$("$python" tests/behaviour/worldcup.py score "$JADOUBE" "$WORK/worldcup")
	say "$line"
	read -r games right results wrong < <(sed -E 's,[^0-9]+, ,g' <<<"$line")
	at_least "World Cup: games whose moves are right" "$(awk "BEGIN { print $right / $games }")" 0.985
	at_least "World Cup: results that are right" "$(awk "BEGIN { print $results / $games }")" 0.995
	at_least "World Cup: accusations at most two" $((-wrong)) -2
fi

# A real game on a real board: every move, and not one alert.
game=$SHARED/captures/real-blitz-1
"$JADOUBE" replay --format jsonl --control blitz "$game.dgtcap" >"$WORK/real"
"$python" - "$WORK/real" >"$WORK/moves" <<'END'
import json, sys
games = [event for event in map(json.loads, open(sys.argv[1])) if event["event"] == "game"]
print(*[move["uci"] for move in max(games, key=lambda game: len(game["moves"]))["moves"]])
END
check "the moves of a real game" diff <(tr -s ' \n' '\n\n' <"$game.moves" | sed '/^$/d') <(tr -s ' \n' '\n\n' <"$WORK/moves")
check "no alert in a real game" bash -c '! grep "\"event\":\"alert\"" "$1"' _ "$WORK/real"
