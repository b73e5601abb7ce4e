#!/usr/bin/env bash
# The arbiter's desk in a browser, against the daemon and emulated boards.
#
# It makes the screenshots of the arbiters' page as well: UPDATE=1 puts them into src/desk/screenshots. With LONG_MINUTES, one page stays
# open for so long, and nothing else is tried.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

need chromium mosquitto mosquitto-clients
# Without it, the test of a browser that trusts the local authority is left out.
(need libnss3-tools) || true
node_with playwright-core axe-core eslint globals jsqr pngjs
binary
export WORK
check "every name in the desk's scripts is defined and used" eslint --config "$ROOT/tests/desk/eslint.config.mjs" src/desk tests/desk

if [[ -n ${LONG_MINUTES:-} ]]; then
	counted "a page that stays open" node --test "$ROOT/tests/desk/long.test.mjs"
	exit
fi

# in_browser NAME…: runs the browser tests of these names, one after the other, and keeps what they say.
in_browser() {
	local name status
	for name in "$@"; do
		status=0
		node --test --test-concurrency=1 "$ROOT/tests/desk/$name.test.mjs" >"$WORK/$name.log" 2>&1 || status=$?
		echo "$status" >"$WORK/$name.status"
	done
}
ended_in_browser() {
	cat "$WORK/$1.log"
	return "$(<"$WORK/$1.status")"
}
# Browser tests wait for boards half of the time, so three run at once; each of the three takes about as long as the others.
# DAY_BOARDS=60 makes the day one in a large hall.
in_browser day hall queue &
in_browser ruling arbiters hub push home tasks &
in_browser desk touches
wait
counted "the desk in Chromium" ended_in_browser desk
counted "rulings in Chromium" ended_in_browser ruling
counted "arbiters and their phones in Chromium" ended_in_browser arbiters
counted "a desk of two halls in Chromium" ended_in_browser hub
counted "locked phones in Chromium" ended_in_browser push
counted "a board at home in Chromium" ended_in_browser home
counted "hall and board in Chromium" ended_in_browser hall
counted "the queue in Chromium" ended_in_browser queue
counted "a day of three rounds" ended_in_browser day
counted "what an arbiter's tasks take" ended_in_browser tasks
counted "a day of four rounds from a phone, with its touches" ended_in_browser touches

if [[ -n ${UPDATE:-} ]]; then
	need pngquant
	for picture in src/desk/screenshots/*.png; do
		pngquant --force --speed 1 --output "$picture" 32 "$WORK/screenshots/$(basename "$picture")"
	done
fi
