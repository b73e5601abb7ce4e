# `jadoube demo` as a new user runs it: it ends by itself, and the incidents at its tables are reported.
source "$(dirname "$0")/../lib.sh"
binary
# The demo leaves most of the machine for a minute: the test of the next step is built meanwhile.
ahead cargo test --release --locked --quiet -p jadoube-emulate --test behaviour --no-run

"$JADOUBE" demo --boards 20 --seconds 60 --listen 127.0.0.1:0 >"$WORK/demo" 2>"$WORK/errors" || failed "the demo ended with exit status $?"
cat "$WORK/demo"

# What the last line counts.
sum=$(tail -n 1 "$WORK/demo")
for code in illegal-move promotion-not-replaced press-without-move castling-rook-first touch-move-suspect \
	board-link line-noise board-mismatch flag-fall threefold-claimable checkmate; do
	check "$code is reported" grep -qE "[0-9]+ $code(,|$)" <<<"$sum"
done
check "an alert names its article and the table" grep -qE 'Art\. 7\.5\.1 .*White|Art\. 7\.5\.1 .*Black' "$WORK/demo"
check "nothing is left behind" bash -c '! ls -d "${TMPDIR:-/tmp}"/jadoube-demo-'"$$"'* 2>/dev/null'
check "no word on standard error" test ! -s "$WORK/errors"
wait
