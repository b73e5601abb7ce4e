# Every test of the workspace, and the examples in its documentation.
source "$(dirname "$0")/../lib.sh"

if command -v cargo-nextest >/dev/null; then
	counted "tests of the workspace" cargo nextest run --workspace --locked --no-fail-fast --hide-progress-bar \
		--status-level fail --final-status-level fail
else
	counted "tests of the workspace" cargo test --workspace --locked --no-fail-fast --quiet --lib --bins --tests
fi
check "examples in the documentation" cargo test --workspace --locked --quiet --doc
check "the protocol crate alone" cargo check --locked --quiet -p dgt-protocol --no-default-features
