//! Owns virtual boards: what a board does on the wire, and people who play on it.

pub mod board;
pub mod clock;
pub mod games;
pub mod people;
pub mod random;
pub mod simulate;
pub mod table;
pub mod truth;
pub mod wire;
pub mod hall;
