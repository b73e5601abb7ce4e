//! The core of jadoube: bytes and times go in, events and alerts come out.
//!
//! ```text
//! bytes ──► line ──► board ──► tracker ──► game, rules ──► events
//! ```
//!
//! Everything here is a value. Nothing reads a clock, opens a file, spawns a task or knows a configuration file: time is
//! an argument, and [`settings`] are plain data. Live operation, replay and recovery make the same calls, see [`replay`].
//!
//! Order of calls: make a [`line::Line`] from [`settings::LineSettings`]; give it what happens with
//! [`line::Line::handle_link`], [`line::Line::handle_bytes`] and [`line::Line::handle_order`]; call
//! [`line::Line::handle_timeout`] when [`line::Line::poll_timeout`] says so; take what it has to say from
//! [`line::Line::poll_output`] until that is empty.

pub mod alert;
pub mod board;
pub mod capture;
pub mod clock;
pub mod code;
pub mod decoder;
pub mod event;
pub mod fact;
pub mod game;
pub mod laws;
pub mod line;
mod model;
pub mod order;
pub mod position;
pub mod printable;
pub mod replay;
pub mod rules;
pub mod score;
pub mod settings;
pub mod side;
pub mod time;
pub mod tracker;
pub mod words;

/// Compiles the example of the page.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
