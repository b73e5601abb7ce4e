# Licences, sources and bans of everything that is linked into the program, by the rules in deny.toml.
source "$(dirname "$0")/../lib.sh"
cargo_with cargo-deny@0.20.2

# A build fetches only what is linked on this machine, and the rules hold for all others, too.
check "all packages are here" cargo fetch --locked --quiet
check "licences, bans and sources" cargo deny --offline --locked --workspace check --hide-inclusion-graph licenses bans sources
