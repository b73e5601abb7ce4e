//! Watches electronic chessboards and informs the arbiter when a rule event happened.
//!
//! Each service is a feature of its own and on by default; without any of them the daemon reads boards and writes logs.
#![cfg_attr(
    not(all(feature = "http", feature = "hub", feature = "lichess", feature = "livechess")),
    allow(dead_code, unused_imports, reason = "what services share is not used by all of them")
)]

#[cfg(feature = "http")]
pub(crate) mod accounts;
#[cfg(any(feature = "http", feature = "mqtt"))]
pub(crate) mod audit;
pub mod cli;
pub mod config;
pub mod daemon;
#[cfg(feature = "http")]
pub mod desk;
#[cfg(test)]
#[path = "../tests/it/fuzz/harness.rs"]
mod fuzz;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "hub")]
pub mod hub;
#[cfg(feature = "lichess")]
pub mod lichess;
#[cfg(feature = "livechess")]
pub mod livechess;
pub(crate) mod metrics;
#[cfg(feature = "mqtt")]
pub mod mqtt;
#[cfg(feature = "notify")]
pub(crate) mod notify;
pub mod pairings;
#[cfg(feature = "pgn")]
pub mod pgn;
pub mod port;
pub mod published;
pub(crate) mod rounds;
pub mod service;
pub mod sinks;
pub mod view;
