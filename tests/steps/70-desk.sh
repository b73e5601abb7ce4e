#!/usr/bin/env bash
# The arbiter's desk in a browser, against the daemon and emulated boards; makes the screenshots of the arbiters' page.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

need chromium
node_with playwright-core axe-core
binary
export WORK
counted "the desk in Chromium" node --test --test-concurrency=1 "$ROOT/tests/desk/desk.test.mjs"
