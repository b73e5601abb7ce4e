//! Owns the keys of tokens: 64 bits that are the same on every machine and in every run.

/// A key in the making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix(u64);

impl Mix {
    /// Begins a key.
    pub(crate) const fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    /// Adds a number.
    pub(crate) const fn add(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        self.0 = (mixed ^ (mixed >> 32)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        self.0 ^= self.0 >> 29;
    }

    /// Returns the key.
    pub(crate) const fn key(self) -> u64 {
        self.0
    }
}
