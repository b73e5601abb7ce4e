//! What must hold for every stream of bytes, tried with invented ones and with the corpus of the fuzzer.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod properties;
