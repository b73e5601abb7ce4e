//! FNV-1a, a checksum against accidents that is the same in each version.

/// The checksum of nothing.
pub const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns the checksum of what had this one, with these bytes behind it.
#[must_use]
pub fn extended(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
