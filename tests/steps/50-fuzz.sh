# Replays the corpora of the fuzz targets, and looks for new ways to break them for FUZZ_SECONDS a target (none by default).
source "$(dirname "$0")/../lib.sh"

check "protocol/fuzz/run" env CARGO_TARGET_DIR="$CARGO_TARGET_DIR/fuzz" protocol/fuzz/run "${FUZZ_SECONDS:-0}"
# The step rust has tried the targets of tests/fuzz for a moment.
if ((${FUZZ_SECONDS:-0} > 0)); then
	counted "decoders, lines, captures, orders, pairings, configurations, requests, WebSocket messages, payloads of brokers" \
		env JADOUBE_FUZZ_S="$FUZZ_SECONDS" cargo test --locked --profile fuzz --lib --test it fuzz:: -- --test-threads=2 --nocapture
fi
