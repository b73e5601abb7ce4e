# Helpers of the steps in tests/steps; each sources this file and is a bash script that runs alone as well.
#
# A step says what came of it with passed, failed, counted and skip; tests/run sums that up. It works in the directory
# of the checkout, keeps its files in $WORK, which is gone afterwards together with all that the step started.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}
# What is installed for tests, kept from run to run.
CACHE=$CARGO_TARGET_DIR/test-tools
WORK=$(mktemp -d)
# Captures and games that are no part of this repository; steps that measure with them are skipped without them.
SHARED=${JADOUBE_SHARED:-$ROOT/../shared}
# The exit status of a step that ended before its time for want of something.
SKIPPED=77
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
# Signals end the step by way of the above.
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '%s\n' "$*" >&2; }

# Hands a result to tests/run, if it runs the step.
record() {
	if [[ -n ${STEP_RESULTS:-} ]]; then printf '%s\n' "$*" >>"$STEP_RESULTS"; fi
	say "  $*"
}

# passed N WHAT: so many checks were right.
passed() { record "passed $1 ${*:2}"; }

# failed WHAT: one check was wrong; the step goes on.
failed() { record "failed 1 $*"; }

# skipped WHY: one check could not be made; the step goes on.
skipped() { record "skipped 1 $*"; }

# skip WHY: the step cannot be run; it ends.
skip() {
	skipped "$@"
	exit "$SKIPPED"
}

# check WHAT COMMAND…: one check, right if the command succeeds. What it prints is shown if it does not.
check() {
	local what=$1
	if "${@:2}" >"$WORK/check" 2>&1; then
		passed 1 "$what"
	else
		failed "$what (exit status $?)"
		tail -n 60 "$WORK/check" >&2
	fi
}

# counted WHAT COMMAND…: runs a test runner and takes over its counts (nextest, cargo test, pytest, unittest, node,
# or a line 'N passed, N failed, N skipped'). What it prints goes to the step's log.
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
		# Tests that are marked to be run by hand, for their figures, are no part of the whole.
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

# need PACKAGE…: Debian packages, installed where that is allowed; else the step is skipped.
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
			"$directory/bin/python" -m pip install --quiet --disable-pip-version-check --retries 3 "${missing[@]}"
			printf '%s\n' "${missing[@]}" >>"$directory/has"
		fi
	) 9>"$CACHE/python.lock" >&2 || skip "cannot install the Python packages $*"
	printf '%s\n' "$directory/bin/python"
}

# node_with PACKAGE…: installs these packages from npm; NODE_MODULES names their directory, and require() and the PATH
# find what is in it. Without packages it only sees to it that there is node.
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
			npm install --silent --no-audit --no-fund --prefix "$CACHE/node" "${missing[@]}"
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
			# They run for seconds: built quickly rather than well.
			export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
			export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_TARGET_DIR=$CACHE/cargo/build
			cargo install --quiet --locked --root "$CACHE/cargo" "$crate"
		) 9>"$CACHE/cargo.lock" >&2 || skip "cannot install the program $crate from crates.io"
		rm -rf "$CACHE/cargo/build"
	done
}

# binary: builds the program as it is released and sets JADOUBE to its path; one that is given there is used.
binary() {
	if [[ -z ${JADOUBE:-} ]]; then
		cargo build --release --locked --quiet
		JADOUBE=$CARGO_TARGET_DIR/release/jadoube
	fi
	export JADOUBE
}

# shared: skips the step where the captures and games from outside are not to be had.
shared() {
	[[ -d $SHARED ]] || skip "no directory ../shared beside the checkout, and JADOUBE_SHARED is not set"
}

# free_port: prints a TCP port on which nothing listens.
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# eventually SECONDS COMMAND…: tries the command until it succeeds; fails when the time is up.
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
