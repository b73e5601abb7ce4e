//! Why a draw is claimed in the quickplay finish.

use serde::{Deserialize, Serialize};

/// The ground of a claim in the quickplay finish (Guidelines III.5; 2014: G.5; 2009: Art. 10.2).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The game cannot be won by normal means.
    NormalMeans,
    /// The opponent makes no effort to win by normal means.
    NoEffort,
}

impl Ground {
    /// Returns the name as the interface writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NormalMeans => "normal-means",
            Self::NoEffort => "no-effort",
        }
    }
}
