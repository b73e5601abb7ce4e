//! Watches electronic chessboards and informs the arbiter when a rule event happened.

use std::process::ExitCode;

fn main() -> ExitCode {
    jadoube::cli::main()
}
