//! Owns what the board has told of its fields, dumps and damage included.

use dgt_protocol::{Field, Piece, Placement};

use super::damage_filter::DamageFilter;

/// What the board has told of its fields since the link came up.
#[derive(Debug)]
pub(super) struct Sensing {
    /// What each field shows.
    pub(super) codes: Placement,
    /// Whether a dump has told what stands on the board.
    pub(super) known: bool,
    /// A dump that contradicts the updates, until a second one agrees with it.
    pub(super) doubted: Option<Placement>,
    pub(super) damage_filter: DamageFilter,
    /// A message was thrown away: a dump would tell what it said.
    pub(super) unsure: bool,
    /// A sign that shows a result, where it stands, and whether a dump has shown it, too.
    pub(super) sign: Option<(Field, Piece, bool)>,
}

impl Default for Sensing {
    fn default() -> Self {
        Self {
            codes: Placement::EMPTY,
            known: false,
            doubted: None,
            damage_filter: DamageFilter::default(),
            unsure: false,
            sign: None,
        }
    }
}
