# Helpers of the steps in tests/steps; each sources this file and is a bash script that runs alone as well.
#
# A step reports its results with passed, failed, counted and skip; tests/run adds them up. It runs in the directory
# of the checkout and keeps its files in $WORK, which is removed afterwards; its background jobs are ended.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}
# Tools that are installed for tests, kept from run to run.
CACHE=$CARGO_TARGET_DIR/test-tools
WORK=$(mktemp -d)
# Makes the Debian package.
CARGO_DEB=cargo-deb@3.8.0
# Captures and games outside of this repository; steps that need them are skipped without them.
SHARED=${JADOUBE_SHARED:-$ROOT/../shared}
# Tests of the workspace with steps of their own, for nextest.
MQTT_TESTS='package(jadoube) and test(/^(mqtt|hub)::/)'
LICHESS_TESTS='package(jadoube) and test(/lichess::/)'
# The exit status of a step that was skipped.
SKIPPED=77
# How long a step waits for something that has to happen, seconds: it only ends what hangs, as a machine may have other work to do.
PATIENCE=240
mkdir -p "$CACHE"

ended() {
	local status=$?
	local job
	for job in $(jobs -p); do
		kill "$job" 2>/dev/null || true
	done
	wait 2>/dev/null || true
	rm -rf "$WORK"
	exit "$status"
}
trap ended EXIT
# A signal ends the step through the trap above.
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '%s\n' "$*" >&2; }

# Passes a result to tests/run, if it runs the step.
record() {
	if [[ -n ${STEP_RESULTS:-} ]]; then printf '%s\n' "$*" >>"$STEP_RESULTS"; fi
	say "  $*"
}

# passed N WHAT: N checks passed.
passed() { record "passed $1 ${*:2}"; }

# failed WHAT: one check failed; the step continues.
failed() { record "failed 1 $*"; }

# skipped WHY: one check was impossible; the step continues.
skipped() { record "skipped 1 $*"; }

# skip WHY: ends a step that cannot run.
skip() {
	skipped "$@"
	exit "$SKIPPED"
}

# check WHAT COMMAND…: one check, passed if the command succeeds. Its output is shown if it fails.
check() {
	local what=$1
	if "${@:2}" >"$WORK/check" 2>&1; then
		passed 1 "$what"
	else
		failed "$what (exit status $?)"
		tail -n 60 "$WORK/check" >&2
	fi
}

# counted WHAT COMMAND…: runs a test runner and adds its counts (nextest, cargo test, pytest, unittest, node,
# or a line 'N passed, N failed, N skipped'). Its output goes to the log of the step.
counted() {
	local what=$1 status=0 good=0 bad=0 left=0
	"${@:2}" >"$WORK/counted" 2>&1 || status=$?
	cat "$WORK/counted" >&2
	read -r good bad left < <(counts "$WORK/counted")
	if ((good > 0)); then passed "$good" "$what"; fi
	if ((left > 0)); then record "skipped $left $what"; fi
	if ((bad > 0)); then record "failed $bad $what"; fi
	if ((status != 0 && bad == 0)); then failed "$what (exit status $status)"; fi
	if ((status == 0 && good + bad + left == 0)); then failed "$what: no test was run"; fi
}

# Prints how many tests passed, failed and were skipped according to a runner's output.
#
# nextest repeats the output of a failed test, which holds a 'test result:' of its own: where there is a summary of
# nextest, only summaries count.
counts() {
	sed 's/\x1b\[[0-9;]*m//g' "$1" | awk '
		function before(word,   i) { for (i = 2; i <= NF; i++) if ($i ~ "^" word "[,;.]?$") return $(i - 1) + 0; return 0 }
		# Tests that are run by hand only do not count as skipped.
		/^ *Summary \[/ { nextest = 1; passed += before("passed"); failed += before("failed") + before("timed"); next }
		/^test result: / || /[0-9]+ passed/ {
			good += before("passed"); bad += before("failed") + before("errors?") + before("timed")
			left += before("skipped") + before("ignored"); next
		}
		/^(#|ℹ) (pass|fail|skipped) [0-9]+$/ {
			if ($2 == "pass") good += $3; else if ($2 == "fail") bad += $3; else left += $3; next
		}
		/^Ran [0-9]+ tests? in / { ran = $2 }
		/^OK/ && ran { good += ran; ran = 0 }
		END { if (nextest) print passed + 0, failed + 0, 0; else print good + 0, bad + 0, left + 0 }'
}

# need PACKAGE…: installs Debian packages if allowed; otherwise the step is skipped.
need() {
	local package missing=()
	for package in "$@"; do
		[[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
	done
	((${#missing[@]})) || return 0
	((EUID == 0)) || skip "needs the Debian packages ${missing[*]}"
	say "  installing ${missing[*]}"
	# Several steps may run at once on one machine.
	(
		flock 9
		export DEBIAN_FRONTEND=noninteractive
		apt=(apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
		"${apt[@]}" install --no-install-recommends "${missing[@]}" ||
			{ "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; }
	) 9>"${TMPDIR:-/tmp}/jadoube-apt.lock" >"$WORK/apt" 2>&1 || {
		tail -n 5 "$WORK/apt" >&2
		skip "cannot install the Debian packages ${missing[*]}"
	}
}

# python_with PACKAGE…: prints a Python that has these packages from PyPI; 'name==version' works too.
python_with() {
	local directory=$CACHE/python
	(
		flock 9
		if [[ ! -x $directory/bin/python ]]; then
			python3 -m venv "$directory" || { rm -rf "$directory"; need python3-venv; python3 -m venv "$directory"; }
		fi
		local package missing=()
		for package in "$@"; do
			grep -qxF -- "$package" "$directory/has" 2>/dev/null || missing+=("$package")
		done
		if ((${#missing[@]})); then
			"$directory/bin/python" -m pip install --quiet --disable-pip-version-check --retries 3 "${missing[@]}" || exit
			printf '%s\n' "${missing[@]}" >>"$directory/has"
		fi
	) 9>"$CACHE/python.lock" >&2 || skip "cannot install the Python packages $*"
	printf '%s\n' "$directory/bin/python"
}

# node_with PACKAGE…: installs these packages from npm; NODE_MODULES names their directory, and require() and the PATH
# find what is in it. Without packages it only installs node.
node_with() {
	if ! command -v node >/dev/null; then need nodejs; fi
	NODE_MODULES=$CACHE/node/node_modules
	mkdir -p "$NODE_MODULES"
	local package missing=()
	for package in "$@"; do
		grep -qxF -- "$package" "$CACHE/node/has" 2>/dev/null || missing+=("$package")
	done
	if ((${#missing[@]})); then
		if ! command -v npm >/dev/null; then need npm; fi
		(
			flock 9
			# A registry that stops answering in the middle is waited for without end.
			install=(timeout 120 npm install --silent --no-audit --no-fund --prefix "$CACHE/node" "${missing[@]}")
			"${install[@]}" || "${install[@]}" || exit
			printf '%s\n' "${missing[@]}" >>"$CACHE/node/has"
		) 9>"$CACHE/node.lock" >&2 || skip "cannot install the Node packages ${missing[*]}"
	fi
	export NODE_MODULES NODE_PATH=$NODE_MODULES PATH="$NODE_MODULES/.bin:$PATH"
}

# cargo_with CRATE…: programs from crates.io, 'name' or 'name@version', found in the PATH afterwards.
cargo_with() {
	local crate name
	export PATH="$CACHE/cargo/bin:$PATH"
	for crate in "$@"; do
		name=${crate%@*}
		if command -v "$name" >/dev/null; then continue; fi
		say "  building $crate"
		(
			flock 9
			# They run for seconds, so a quick build is preferred; only what compresses a package would take long without optimisation.
			level=0
			if [[ $name == cargo-deb ]]; then level=1; fi
			export CARGO_PROFILE_RELEASE_OPT_LEVEL=$level CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
			export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_TARGET_DIR=$CACHE/cargo/build
			cargo install --quiet --locked --root "$CACHE/cargo" "$crate"
		) 9>"$CACHE/cargo.lock" >&2 || skip "cannot install the program $crate from crates.io"
		rm -rf "$CACHE/cargo/build"
	done
}

# ahead COMMAND…: where all steps run one after the other, runs it beside this one, with what this one leaves of the machine. What fails
# is reported by the step that needs it. The step waits for it at its end, for ever beside busy loops: there it is as urgent as they are.
ahead() {
	if [[ -z ${CI:-} ]]; then return; fi
	(
		unset STEP_RESULTS
		renice -n "${AHEAD_NICE:-19}" "$BASHPID" >/dev/null
		"$@" || true
	) &
}

# binary: builds the release and sets JADOUBE to its path; a given JADOUBE is used.
binary() {
	if [[ -z ${JADOUBE:-} ]]; then
		cargo build --release --locked --quiet
		JADOUBE=$CARGO_TARGET_DIR/release/jadoube
	fi
	export JADOUBE
}

# shared: skips the step without the captures and games outside of the repository.
shared() {
	[[ -d $SHARED ]] || skip "no directory ../shared beside the checkout, and JADOUBE_SHARED is not set"
}

# reserve_port NAME: sets the variable NAME to a TCP port of this machine that nobody else gets while the step runs. A job binds it and
# does not listen; programs that are to listen there do so nevertheless, since all of them set SO_REUSEADDR.
reserve_port() {
	mkfifo "$WORK/port-$1"
	python3 -c '
import errno, socket, sys, time
def bind(family, address):
    s = socket.socket(family)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(address)
    return s
while True:
    kept = [bind(socket.AF_INET, ("127.0.0.1", 0))]
    port = kept[0].getsockname()[1]
    try:
        if socket.has_ipv6: kept.append(bind(socket.AF_INET6, ("::1", port)))
    except OSError as error:
        if error.errno == errno.EADDRINUSE: continue
    break
print(port, flush=True)
sys.stdout.close()
while True: time.sleep(3600)' >"$WORK/port-$1" &
	read -r "$1" <"$WORK/port-$1"
}

# eventually SECONDS COMMAND…: repeats the command until it succeeds; fails after SECONDS.
eventually() {
	local end=$((SECONDS + $1))
	until "${@:2}" >/dev/null 2>&1; do
		if ((SECONDS >= end)); then
			say "  not within $1 s: ${*:2}"
			return 1
		fi
		sleep 0.1
	done
}
