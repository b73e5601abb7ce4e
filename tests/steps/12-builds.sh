# What is built in other ways: examples in the documentation, fewer features, other systems.
source "$(dirname "$0")/../lib.sh"

check "examples in the documentation" cargo test --workspace --locked --quiet --doc
# Dependencies that are there are not asked for again.
check "protocol and core can be published" cargo package --quiet --locked --offline --no-verify --allow-dirty -p dgt-protocol -p jadoube-core
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' protocol/Cargo.toml)
if toolchain=$(rustup toolchain list 2>/dev/null | grep -m 1 -o "^$oldest[^ ]*"); then
	check "the protocol crate with Rust $oldest" cargo "+$toolchain" check --locked --quiet -p dgt-protocol --target-dir "$WORK/oldest"
else
	say "  not checked with Rust $oldest: rustup toolchain install $oldest"
fi
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
