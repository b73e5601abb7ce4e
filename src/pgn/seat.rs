//! Who plays where, as the headers of a game tell it.

use shakmaty::Color;

use crate::config::{Config, TableSettings};
use jadoube_core::settings::same_serial;

/// A board's place in the event.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Seat {
    /// Number of the table; the serial number of a board that stands on none.
    pub(super) board: u64,
    /// Who has the white pieces.
    pub(super) white: PgnPlayer,
    /// Who has the black pieces.
    pub(super) black: PgnPlayer,
}

/// A player.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct PgnPlayer {
    /// `Last, First`.
    pub(super) name: String,
    /// Such as `GM`.
    pub(super) title: String,
    /// Number with FIDE.
    pub(super) fide_id: String,
    /// Rating.
    pub(super) elo: String,
    /// Name of the team.
    pub(super) team: String,
}

impl Seat {
    /// Returns the seat at the board with this serial number, if the number is one.
    pub(super) fn of(config: &Config, serial: &str) -> Option<Self> {
        let place = config.tables.iter().position(|table| same_serial(&table.serial, serial));
        match place.and_then(|place| config.tables.get(place).map(|table| (place, table))) {
            Some((place, table)) => Some(Self::at(place, table)),
            None => serial.parse().ok().map(|board| Self { board, ..Self::default() }),
        }
    }

    /// Returns the seat at a table of the configuration.
    pub(super) fn at(place: usize, table: &TableSettings) -> Self {
        let counted = u64::try_from(place).unwrap_or(u64::MAX).saturating_add(1);
        let player = |side| {
            let known = table.player(side);
            PgnPlayer {
                name: table.name(side).to_owned(),
                title: known.title.clone(),
                fide_id: known.fide_id.clone(),
                elo: known.elo.map(|elo| elo.to_string()).unwrap_or_default(),
                team: known.team.clone(),
            }
        };
        Self {
            board: table.number.map_or(counted, u64::from),
            white: player(Color::White),
            black: player(Color::Black),
        }
    }

    /// Tells whether it is known who plays.
    pub(super) const fn is_paired(&self) -> bool {
        !self.white.name.is_empty() || !self.black.name.is_empty()
    }
}
