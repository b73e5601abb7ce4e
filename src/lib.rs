//! Watches electronic chessboards and tells the arbiter when a rule event happened.

pub mod alert;
pub mod board;
pub mod capture;
pub mod cli;
pub mod clock;
pub mod config;
pub mod daemon;
pub mod emulate;
pub mod event;
pub mod fact;
pub mod game;
pub mod laws;
pub mod line;
pub mod order;
pub mod port;
pub mod position;
pub mod replay;
pub mod rules;
pub mod sinks;
pub mod time;
pub mod tracker;
pub mod view;
