//! Invariants for every stream of bytes, tested with generated streams and the corpus of the fuzzer.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod states;
