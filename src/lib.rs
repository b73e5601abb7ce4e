//! Watches electronic chessboards and tells the arbiter when a rule event happened.

pub(crate) mod audit;
pub mod cli;
pub mod config;
pub mod daemon;
pub mod desk;
pub mod http;
pub mod hub;
pub mod lichess;
pub mod livechess;
pub(crate) mod metrics;
pub mod mqtt;
pub mod pairings;
pub mod pgn;
pub mod port;
pub mod published;
pub mod service;
pub mod sinks;
pub mod view;
