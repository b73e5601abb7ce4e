# Replays the corpora of the fuzz targets, and looks for new ways to break them for FUZZ_SECONDS (none by default).
source "$(dirname "$0")/../lib.sh"

for run in protocol/fuzz/run tests/fuzz/run; do
	[[ -x $run ]] || continue
	check "$run" env CARGO_TARGET_DIR="$CARGO_TARGET_DIR/fuzz" "./$run" "${FUZZ_SECONDS:-0}"
done
