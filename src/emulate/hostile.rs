//! Owns boards that are broken or meant to do harm: what kinds there are, and what each of them says.
//!
//! A [`HostileBoard`] is a value as a virtual board is: commands and times go in, bytes and what happens to its line
//! come out. It knows neither games nor players, because no board of these kinds says anything of them.

mod board;
mod fault;
mod says;

pub use self::{
    board::{HostileBoard, LineEvent},
    fault::{HostileFault, ParseHostileError},
};

/// A kind of broken or hostile board.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum HostileKind {
    /// Random bytes, as many as the line carries.
    RandomBytes,
    /// A piece on each of the 64 squares.
    FullBoard,
    /// Sixty kings.
    SixtyKings,
    /// Squares change all the time, as fast as the line carries it.
    Flicker,
    /// Clock messages whose digits and flags are random.
    ClockGarbage,
    /// The lever of the clock has moved at each scan, and no piece has.
    PressEveryScan,
    /// Serial numbers that are paths, topics, markup or orders to a terminal.
    SerialText,
    /// Another serial number ten times a second.
    SerialChanging,
    /// Nothing is answered.
    Silent,
    /// The port is gone and there again ten times a second.
    Reopening,
    /// A megabyte a second.
    Flood,
    /// The connection stays, and nothing is read or sent any more.
    Hang,
    /// The connection is reset as soon as the host has asked something.
    Reset,
}

impl HostileKind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::RandomBytes,
        Self::FullBoard,
        Self::SixtyKings,
        Self::Flicker,
        Self::ClockGarbage,
        Self::PressEveryScan,
        Self::SerialText,
        Self::SerialChanging,
        Self::Silent,
        Self::Reopening,
        Self::Flood,
        Self::Hang,
        Self::Reset,
    ];

    /// Returns the name that the command line knows it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RandomBytes => "random-bytes",
            Self::FullBoard => "full-board",
            Self::SixtyKings => "sixty-kings",
            Self::Flicker => "flicker",
            Self::ClockGarbage => "clock-garbage",
            Self::PressEveryScan => "press-every-scan",
            Self::SerialText => "serial-text",
            Self::SerialChanging => "serial-changing",
            Self::Silent => "silent",
            Self::Reopening => "reopening",
            Self::Flood => "flood",
            Self::Hang => "hang",
            Self::Reset => "reset",
        }
    }
}

#[cfg(test)]
mod tests;
