# Known weaknesses of what is linked into the program: by the whole list where it can be fetched, otherwise by the dated copy of what it
# says of these crates (tests/advisories.txt).
source "$(dirname "$0")/../lib.sh"

by_copy() {
	say "  $1: the copy of $(sed -n '1s/.*; \([0-9-]*\).*/\1/p' tests/advisories.txt) is used"
	counted "advisories, by the copy" cargo nextest run --locked --test it -E 'test(tidy::advisories)'
	exit
}

if ! timeout 60 git ls-remote --quiet --exit-code https://github.com/rustsec/advisory-db HEAD >/dev/null 2>&1; then
	by_copy "the list of advisories cannot be fetched"
fi
cargo_with cargo-deny@0.20.2
if ! timeout 60 cargo deny --workspace fetch db >"$WORK/fetch" 2>&1; then
	tail -n 5 "$WORK/fetch" >&2
	by_copy "the list of advisories cannot be fetched"
fi
check "advisories" cargo deny --locked --workspace check --disable-fetch --hide-inclusion-graph advisories
