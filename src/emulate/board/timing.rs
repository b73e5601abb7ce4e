//! How long bytes take on the line.

use std::time::Duration;

/// Duration of one byte at 9600 baud, 8N1 (protocol section 1.1).
pub(crate) const BYTE: Duration = Duration::from_micros(1042);

/// Returns the duration of this many bytes.
pub(crate) fn wire_time(bytes: usize) -> Duration {
    BYTE * u32::try_from(bytes).unwrap_or(u32::MAX)
}
