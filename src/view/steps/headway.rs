//! What is reported of the clock while times are set: with which seconds it is right, and what was given.

use serde::Serialize;

/// How far the arbiter is, as far as board and clock show it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Headway {
    /// The clock shows that the player got time.
    Given,
    /// Everything is done.
    Done,
}

/// Time that a player was seen to get.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Given {
    pub(super) side: &'static str,
    pub(super) seconds: u32,
}

/// From how many seconds to how many a display is right.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Range {
    pub(super) least: u32,
    pub(super) most: u32,
}

/// The ranges of both displays.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Ranges {
    pub(super) white: Range,
    pub(super) black: Range,
}
