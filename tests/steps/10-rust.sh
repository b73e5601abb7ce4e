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
check "the daemon without services, without warnings" \
	cargo clippy --locked --quiet -p jadoube --no-default-features --bins --lib -- -D warnings

# The core gets bytes and times: nothing that it is built of may know a runtime, files or the network.
worldly() {
	cargo tree --locked -p jadoube-core -e normal --prefix none --format '{p}' |
		grep -E '^(async-std|axum|hyper|mio|nix|notify|reqwest|rustix|rustls|serialport|smol|socket2|tempfile|tokio|ureq)[a-z0-9-]* '
}
if found=$(worldly); then
	failed "the core is built of what knows the world: $found"
else
	passed 1 "the core is built without a runtime, files and network"
fi

# For systems on which the program itself does not build: Windows, and one that has neither files nor a clock.
for triple in x86_64-pc-windows-gnu wasm32-unknown-unknown; do
	if rustup target list --installed 2>/dev/null | grep -qx "$triple"; then
		check "protocol and core for $triple" cargo check --locked --quiet --target "$triple" -p dgt-protocol -p jadoube-core
	else
		say "  not checked for $triple: rustup target add $triple"
	fi
done
