# The push to Lichess against a stand-in that enforces the documented rules.
. "$(dirname "$0")/../lib.sh"
counted "push to Lichess" cargo nextest run --locked --cargo-quiet -E 'test(/lichess::/)'
