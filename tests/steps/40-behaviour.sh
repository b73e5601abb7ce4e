# Results of games on faulty boards and lines, as numbers; tests/behaviour.txt holds them.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

counted "the table of behaviour" cargo test --release --locked --quiet -p jadoube-emulate --test behaviour
