//! Owns the acknowledgements that a clock sends in place of times, and the buttons in them.
//! Does not know which command is pending.

use crate::{Version, command::ClockMessage};

#[cfg(test)]
mod tests;

/// The reply of the clock to a clock message, or an unrequested report (protocol section 3.5).
///
/// Four bytes of eight bits, packed into seven data bytes without top bits.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ack(pub [u8; 4]);

/// The meaning of an acknowledgement.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum AckEvent {
    /// The clock message with this command byte was carried out.
    Done(u8),
    /// The clock's version, as asked for: 1.x is an XL, 2.x a DGT 3000.
    Version(Version),
    /// The clock message with this command byte was refused: setting times needs mode 23 (XL) or 25 (DGT 3000).
    Refused(u8),
    /// Unasked: the clock is ready.
    Ready,
    /// Unasked: a button was pressed. `None` if the clock did not say which.
    Button(Option<Button>),
    /// Unasked: the clock's mode was changed, perhaps to this one.
    ModeChanged(u8),
    /// Unasked: the clock is not in the mode that lets a computer set it.
    NotInPcMode,
    /// Undocumented.
    Other,
}

/// A button of the clock. The lever is not a button: it shows in the next [`ClockReport`](crate::ClockReport).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[expect(missing_docs, reason = "the names are printed on the clock")]
pub enum Button {
    Back,
    Plus,
    Run,
    Minus,
    Ok,
}

impl Ack {
    /// Makes the answer to a clock message that was carried out.
    #[must_use]
    pub fn done(message: &ClockMessage) -> Self {
        Self([NORMAL, message.code(), 0, 0])
    }

    /// Makes the answer to a clock message that was refused.
    #[must_use]
    pub fn refused(message: &ClockMessage) -> Self {
        Self([ERROR, message.code(), 0, 0])
    }

    /// Makes the answer to the question for the clock's version, each part up to 15.
    #[must_use]
    pub const fn version(version: Version) -> Self {
        Self([NORMAL, VERSION, version.major << 4 | version.minor & 0x0F, 0])
    }

    /// Makes the report that a button was pressed.
    #[must_use]
    pub const fn button(button: Button) -> Self {
        let (mask, code) = button.codes();
        Self([NORMAL, BUTTON, mask, code])
    }

    /// Makes the report that the clock is ready.
    #[must_use]
    pub const fn ready() -> Self {
        Self([NORMAL, READY, 0, 0])
    }

    /// Makes the report that the clock is not in the mode that lets a computer set it.
    #[must_use]
    pub const fn not_in_pc_mode() -> Self {
        Self([NORMAL, NOT_IN_PC_MODE, 0, 0])
    }

    /// Returns its meaning.
    #[must_use]
    pub fn event(self) -> AckEvent {
        let [status, about, third, fourth] = self.0;
        match (status, about) {
            (_, READY) => AckEvent::Ready,
            (_, BUTTON) => AckEvent::Button(Button::from_codes(third, fourth)),
            (_, MODE) => AckEvent::ModeChanged(fourth),
            (_, NOT_IN_PC_MODE) => AckEvent::NotInPcMode,
            (_, 0x80..) => AckEvent::Other,
            (NORMAL, VERSION) => AckEvent::Version(Version { major: third >> 4, minor: third & 0x0F }),
            (NORMAL, command) => AckEvent::Done(command),
            (ERROR, command) => AckEvent::Refused(command),
            _ => AckEvent::Other,
        }
    }

    /// Reads the seven data bytes, or `None` if neither hour byte carries the mark of an acknowledgement.
    #[inline]
    #[must_use]
    pub const fn decode(data: &[u8; 7]) -> Option<Self> {
        let &[d0, d1, d2, d3, d4, d5, _] = data;
        if d0 & 0x0F != MARK && d3 & 0x0F != MARK {
            return None;
        }
        Some(Self([
            d1 & 0x7F | d3 << 3 & 0x80,
            d2 & 0x7F | d3 << 2 & 0x80,
            d4 & 0x7F | d0 << 3 & 0x80,
            d5 & 0x7F | d0 << 2 & 0x80,
        ]))
    }

    /// Gets the seven data bytes, both hour bytes marked.
    #[must_use]
    pub const fn encode(self) -> [u8; 7] {
        let [ack0, ack1, ack2, ack3] = self.0;
        let d0 = MARK | (ack2 & 0x80) >> 3 | (ack3 & 0x80) >> 2;
        let d3 = MARK | (ack0 & 0x80) >> 3 | (ack1 & 0x80) >> 2;
        [d0, ack0 & 0x7F, ack1 & 0x7F, d3, ack2 & 0x7F, ack3 & 0x7F, 0]
    }
}

impl Button {
    /// All five buttons.
    pub const ALL: [Self; 5] = [Self::Back, Self::Plus, Self::Run, Self::Minus, Self::Ok];

    /// Gets the mask (its lowest bit always set) and the code that a clock sends.
    const fn codes(self) -> (u8, u8) {
        match self {
            Self::Back => (0x05, 0x31),
            Self::Plus => (0x09, 0x32),
            Self::Run => (0x11, 0x33),
            Self::Minus => (0x21, 0x34),
            Self::Ok => (0x41, 0x35),
        }
    }

    /// Uses the code, then the mask; some clocks send only one of them.
    fn from_codes(mask: u8, code: u8) -> Option<Self> {
        let by_code = Self::ALL.into_iter().find(|button| button.codes().1 == code);
        by_code.or_else(|| Self::ALL.into_iter().find(|button| button.codes().0 == mask))
    }
}

/// What marks an acknowledgement, in a place where a time has its hours.
const MARK: u8 = 0x0A;

const NORMAL: u8 = 0x10;
const ERROR: u8 = 0x40;

const VERSION: u8 = 0x09;
const READY: u8 = 0x81;
const BUTTON: u8 = 0x88;
const MODE: u8 = 0x8A;
const NOT_IN_PC_MODE: u8 = 0x90;
