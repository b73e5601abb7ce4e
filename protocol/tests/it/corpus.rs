//! Replays the corpus of the fuzzer.

use crate::invariants;
use std::{fs, path::Path};

#[test]
fn corpus_holds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/decode");
    let mut files = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let stream = fs::read(entry.unwrap().path()).unwrap();
        for chunks in [&[1][..], &[2], &[3, 1], &[7, 64]] {
            invariants::hold(&stream, chunks);
        }
        files += 1;
    }
    assert!(files >= 30, "only {files} files: is the corpus there?");
}
