# The push to Lichess, to a test server that enforces the documented rules.
. "$(dirname "$0")/../lib.sh"
counted "push to Lichess" cargo nextest run --workspace --locked --cargo-quiet -E "$LICHESS_TESTS"
