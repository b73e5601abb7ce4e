# Every test of the workspace but those of the steps mqtt and lichess, and the examples in the documentation.
source "$(dirname "$0")/../lib.sh"

# Installs what all steps need: mostly downloads, while the tests are built.
install_ahead() {
	local packages python node
	mapfile -t packages < <(sed -nE 's/^(if )?\(?need ([a-z0-9 .+-]+).*/\2/p' tests/steps/*.sh | tr ' ' '\n' | sort -u)
	mapfile -t python < <(sed -nE 's/^python=\$\(python_with ([^)]+)\)$/\1/p' tests/steps/*.sh | tr ' ' '\n' | sort -u)
	mapfile -t node < <(sed -nE 's/^node_with (.+)$/\1/p' tests/steps/*.sh | tr ' ' '\n' | sort -u)
	(need "${packages[@]}") || true
	(python_with "${python[@]}") >/dev/null || true
	(node_with "${node[@]}") || true
}

# Builds what later steps use: tests wait for boards half of the time.
build_ahead() {
	(cargo_with cargo-deny@0.20.2 "$CARGO_DEB") || true
	cargo build --release --locked --quiet
	cargo test --release --locked --quiet -p jadoube -p jadoube-emulate --test behaviour --no-run
}

ahead install_ahead

if command -v cargo-nextest >/dev/null; then
	check "the tests can be built" cargo nextest run --workspace --locked --no-run
	ahead build_ahead
	counted "tests of the workspace" cargo nextest run --workspace --locked --no-fail-fast --hide-progress-bar \
		--status-level fail --final-status-level fail -E "not ($MQTT_TESTS or $LICHESS_TESTS)"
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

# The program builds for Windows, too; the core also for a system that has neither files nor a clock.
# Tests do not run there: see src/runtime/platform.rs for what differs.
builds_for() {
	local what=$1 triple=$2
	shift 2
	if ! rustup target list --installed 2>/dev/null | grep -qx "$triple"; then
		say "  not checked for $triple: rustup target add $triple"
	else
		check "$what for $triple" cargo check --locked --quiet --target "$triple" "$@"
	fi
}
builds_for "protocol and core" wasm32-unknown-unknown -p dgt-protocol -p jadoube-core
# The cryptography of TLS is compiled by a C compiler.
if command -v x86_64-w64-mingw32-gcc >/dev/null; then
	builds_for "protocol, core and program" x86_64-pc-windows-gnu -p dgt-protocol -p jadoube-core -p jadoube
else
	builds_for "protocol and core" x86_64-pc-windows-gnu -p dgt-protocol -p jadoube-core
	say "  the program is not checked for x86_64-pc-windows-gnu: install gcc-mingw-w64-x86-64"
fi
wait
