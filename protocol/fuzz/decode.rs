//! Feeds the decoders, the command parser and the log reader with whatever the fuzzer thinks of.
#![no_main]

#[path = "../tests/it/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|stream: &[u8]| {
    invariants::hold(stream, &[stream.len() % 13 + 1, 1]);
});
