# Known weaknesses of what is linked into the program; the list of them is fetched, and the step skipped where it cannot be.
source "$(dirname "$0")/../lib.sh"
cargo_with cargo-deny@0.20.2

if ! timeout 60 cargo deny --workspace fetch db >"$WORK/fetch" 2>&1; then
	tail -n 5 "$WORK/fetch" >&2
	skip "the list of advisories cannot be fetched"
fi
check "advisories" cargo deny --locked --workspace check --disable-fetch --hide-inclusion-graph advisories
