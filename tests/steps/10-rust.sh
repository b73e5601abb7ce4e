# Every test of the workspace but those of the steps mqtt and lichess.
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
	cargo build --release --locked --quiet
	cargo test --release --locked --quiet -p jadoube -p jadoube-emulate --test behaviour --no-run
}

ahead install_ahead

if command -v cargo-nextest >/dev/null; then
	check "the tests can be built" cargo nextest run --workspace --locked --no-run
	ahead build_ahead
	# Most wait for boards, clocks and limits of time.
	threads=$((2 * $(nproc)))
	counted "tests of the workspace" cargo nextest run --workspace --locked --no-fail-fast --hide-progress-bar \
		--test-threads "$threads" --status-level fail --final-status-level fail -E "not ($MQTT_TESTS or $LICHESS_TESTS)"
else
	counted "tests of the workspace" cargo test --workspace --locked --no-fail-fast --quiet --lib --bins --tests
fi
wait
