//! Owns virtual boards: what a board does on the wire, and people who play on it.
//!
//! ```text
//! games ──► people ──► acts with times ──► Table { VirtualBoard, ChessClock, Wire } ──► bytes ──► host
//!              │                                                                   ◄── commands ──┘
//!              └─────► Truth: the moves that stand, what has to be noticed
//! ```
//!
//! All of that are values: times go in, and from the same seed always the same bytes come out. Two users drive them:
//! [`simulate`] in virtual time, for captures with a truth beside them, and [`hall`] in real time, on terminals and
//! sockets; only the latter knows a runtime. Nothing here knows the program that watches the boards: what it makes of
//! a game is for it to find out.

pub mod board;
pub mod clock;
pub mod games;
pub mod hall;
pub mod people;
pub mod random;
pub mod simulate;
pub mod table;
pub mod truth;
pub mod wire;
