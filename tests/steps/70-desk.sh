#!/usr/bin/env bash
# The arbiter's desk in a browser, against the daemon and emulated boards.
#
# It makes the screenshots of the arbiters' page as well: UPDATE=1 puts them into src/desk/screenshots.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

need chromium
node_with playwright-core axe-core
binary
export WORK
# The day waits for its boards most of the time. DAY_BOARDS=60 makes it a day in a large hall.
node --test "$ROOT/tests/desk/day.test.mjs" >"$WORK/day.log" 2>&1 &
day=$!
day_ended() {
	local status=0
	wait "$day" || status=$?
	cat "$WORK/day.log"
	return "$status"
}
counted "the desk in Chromium" node --test --test-concurrency=1 "$ROOT/tests/desk/desk.test.mjs"
counted "rulings in Chromium" node --test --test-concurrency=1 "$ROOT/tests/desk/ruling.test.mjs"
counted "arbiters and their phones in Chromium" node --test --test-concurrency=1 "$ROOT/tests/desk/arbiters.test.mjs"
counted "hall and board in Chromium" node --test --test-concurrency=1 "$ROOT/tests/desk/hall.test.mjs"
counted "a day of three rounds" day_ended

if [[ -n ${UPDATE:-} ]]; then
	need pngquant
	for picture in src/desk/screenshots/*.png; do
		pngquant --force --speed 1 --output "$picture" 32 "$WORK/screenshots/$(basename "$picture")"
	done
fi
