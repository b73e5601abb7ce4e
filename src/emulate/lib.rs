//! Owns virtual boards: their behaviour on the wire, and simulated players.
//!
//! ```text
//! games ──► people ──► actions with times ──► Table { VirtualBoard, ChessClock, Wire } ──► bytes ──► host
//!              │                                                                   ◄── commands ──┘
//!              └─────► Truth: the moves that stand, what has to be noticed
//! ```
//!
//! All of these are values: times go in, and the same seed always gives the same bytes. Two users drive them:
//! [`simulate`] in virtual time, for captures with a truth beside them, and [`hall`] in real time, on terminals and
//! sockets; only the latter knows a runtime. Nothing here depends on the daemon: it judges the
//! games by their bytes alone.

pub mod board;
pub mod clock;
pub mod games;
pub mod hall;
pub mod hostile;
pub mod incident;
pub mod people;
pub mod random;
pub mod simulate;
pub mod table;
pub mod truth;
pub mod wire;
