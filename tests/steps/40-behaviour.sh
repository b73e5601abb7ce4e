# Results of games on faulty boards and lines, as numbers; tests/behaviour.txt holds them.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# Beside the program it has the features of its libraries, so that most of those that the program was built of are built already.
counted "the table of behaviour" cargo test --release --locked --quiet -p jadoube -p jadoube-emulate --test behaviour
