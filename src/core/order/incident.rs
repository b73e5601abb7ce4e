//! What an arbiter may see and no sensor does, as far as the Laws have an article on it.

use serde::{Deserialize, Serialize};

/// A kind of incident.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IncidentKind {
    /// A telephone or another electronic device (11.3.2.2; 2014: 11.3.b; 2009: 12.3.b).
    Telephone,
    /// Notes, sources of information, advice, analysis on another board (11.3.1; 2014: 11.3.a; 2009: 12.3.a).
    OutsideHelp,
    /// The player left the playing venue, or the playing area while to move (11.2; 2009: 12.2).
    LeftVenue,
    /// The player distracted or annoyed the opponent (11.5; 2009: 12.6).
    Disturbance,
    /// A fine, which has to be announced in advance (12.9.7; 2014: 12.9.g).
    Fine,
    /// The player asked for an explanation of the Laws (11.9; since 2014).
    Explanation,
    /// The player appeals against a decision (11.10; 2009: 12.10).
    Appeal,
    /// An assistant presses the clock for the player (6.2.6; 2014: 6.2.e; 2009: 6.7.d).
    ClockAssistant,
    /// Measures for a player who is disabled or needs medical attention (12.2.6; 2014: 12.2.f).
    SpecialMeasures,
}
