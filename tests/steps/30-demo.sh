# `jadoube demo` as a new user runs it: it ends by itself, and the incidents at its tables are reported.
source "$(dirname "$0")/../lib.sh"
need curl
binary
# The demo leaves most of the machine for a minute: the test of the next step is built meanwhile.
ahead cargo test --release --locked --quiet -p jadoube -p jadoube-emulate --test behaviour --no-run

codes=(illegal-move promotion-not-replaced press-without-move castling-rook-first touch-move-suspect
	board-link line-noise board-mismatch flag-fall threefold-claimable checkmate)

# All is reported within a minute, on a machine that has other work later: the demo goes on until it is.
"$JADOUBE" demo --boards 20 --seconds $((PATIENCE + 60)) --listen 127.0.0.1:0 >"$WORK/demo" 2>"$WORK/errors" &
demo=$!
desk_there() { desk=$(sed -n 's,.*desk: \(http://[^ ]*\)/.*,\1,p' "$WORK/demo") && [[ $desk ]]; }
check "it says where the desk is" eventually "$PATIENCE" desk_there
all_reported() {
	local code
	curl -fsS "$desk/metrics" >"$WORK/metrics" || return 1
	for code in "${codes[@]}"; do
		grep -q "^dgt_alerts_total{.*\"$code\"" "$WORK/metrics" || return 1
	done
}
eventually "$PATIENCE" all_reported || true
kill -TERM "$demo" || true
wait "$demo" || failed "the demo ended with exit status $?"
cat "$WORK/demo"

# What the last line counts.
sum=$(tail -n 1 "$WORK/demo")
for code in "${codes[@]}"; do
	check "$code is reported" grep -qE "[0-9]+ $code(,|$)" <<<"$sum"
done
check "an alert names its article and the table" grep -qE 'Art\. 7\.5\.1 .*White|Art\. 7\.5\.1 .*Black' "$WORK/demo"
check "it ends by itself" "$JADOUBE" demo --seconds 3 --listen 127.0.0.1:0
check "nothing is left behind" bash -c '! ls -d "${TMPDIR:-/tmp}"/jadoube-demo-'"$$"'* 2>/dev/null'
check "no word on standard error" test ! -s "$WORK/errors"
wait
