//! Tries a target with the corpus of `tests/fuzz`, and with what comes from varying that. The program's own tests include this
//! file for what only they can reach.

use std::{fs, path::Path, time::Duration};

use jadoube_runtime::clock::SystemClock;

/// Inputs that are tried in a usual test run, for each target.
const USUAL: u64 = 12;

/// Longest input; longer ones add no new cases.
const LONGEST: usize = 20_000;

/// Entries of the corpus that are longer than this are taken where they are drawn once in [`RARELY`] times: a whole log of a
/// board, of 8000 bytes, takes as long as a hundred other inputs. Pieces of them are joined to others as often as of those.
const LONG: usize = 2048;

/// See [`LONG`].
const RARELY: usize = 16;

/// Tries a target with its corpus in `tests/fuzz`, and with what comes from varying that.
pub(crate) fn fuzz(name: &str, target: impl FnMut(&[u8])) {
    fuzz_from(&format!("tests/fuzz/{name}"), name, target);
}

/// Tries a target with the corpus in a directory of the repository, and with what comes from varying that.
pub(crate) fn fuzz_from(directory: &str, name: &str, mut target: impl FnMut(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut paths: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let corpus: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!corpus.is_empty());
    for input in &corpus {
        target(input);
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seconds, wanted) = (number("JADOUBE_FUZZ_S"), number("JADOUBE_FUZZ_N"));
    let mut random = Random(number("JADOUBE_SEED").unwrap_or(1) ^ 0x9e37_79b9_7f4a_7c15);
    let clock = SystemClock::start();
    let mut count = 0;
    let is_over = |count| match (seconds, wanted) {
        (None, None) => count >= USUAL,
        (seconds, wanted) => {
            let limit = seconds.map_or(f64::INFINITY, |seconds| Duration::from_secs(seconds).as_secs_f64());
            wanted.is_some_and(|wanted| count >= wanted) || clock.now().as_secs() >= limit
        }
    };
    while !is_over(count) {
        let input = vary(&corpus, &mut random);
        let shown = Shown(&input);
        target(&input);
        std::mem::forget(shown);
        count += 1;
    }
    eprintln!("{name}: {count} executions in {:.1} s", clock.now().as_secs());
}

/// Prints the input if the target panics.
struct Shown<'a>(&'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        eprintln!("input: b\"{}\"", self.0.escape_ascii());
    }
}

/// A xorshift generator: the same numbers on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap() % bound.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

/// Draws the entry of the corpus that an input begins as.
fn drawn<'a>(corpus: &'a [Vec<u8>], random: &mut Random) -> &'a Vec<u8> {
    loop {
        let entry = &corpus[random.below(corpus.len())];
        if entry.len() <= LONG || random.below(RARELY) == 0 {
            return entry;
        }
    }
}

/// Makes an input from the corpus: changed, cut, repeated, joined.
fn vary(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = drawn(corpus, random).clone();
    for _ in 0..=random.below(12) {
        let (from, to) = (random.below(input.len() + 1), random.below(input.len() + 1));
        let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 200));
        match random.below(7) {
            0 if from < input.len() => input[from] = random.byte(),
            1 if from < input.len() => input[from] ^= 1 << random.below(8),
            2 => input.insert(from, random.byte()),
            3 => drop(input.drain(from..to)),
            4 => {
                let piece = input[from..to].to_vec();
                let place = random.below(input.len() + 1);
                input.splice(place..place, piece);
            }
            5 => {
                let other = &corpus[random.below(corpus.len())];
                let start = random.below(other.len() + 1);
                let end = (start + random.below(200)).min(other.len());
                input.splice(from..from, other[start..end].iter().copied());
            }
            _ => input.truncate(input.len().max(1)),
        }
    }
    input.truncate(LONGEST);
    input
}
