//! Who plays where, as the headers of a game report it.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::config::{Config, PlayerSettings, TableSettings};
use jadoube_core::{order::Players, settings::same_serial};

/// A board's place in the event.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Seat {
    /// Number of the table; the serial number of a board that stands on none.
    pub(crate) board: u64,
    /// Who has the white pieces.
    pub(crate) white: PgnPlayer,
    /// Who has the black pieces.
    pub(crate) black: PgnPlayer,
}

/// A player.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct PgnPlayer {
    /// `Last, First`.
    pub(crate) name: String,
    /// Such as `GM`.
    pub(crate) title: String,
    /// Number with FIDE.
    pub(crate) fide_id: String,
    /// Rating.
    pub(crate) elo: String,
    /// Federation, three letters.
    #[serde(default)]
    pub(crate) federation: String,
    /// Name of the team.
    pub(crate) team: String,
}

impl PgnPlayer {
    fn settings(&self) -> PlayerSettings {
        PlayerSettings {
            title: self.title.clone(),
            fide_id: self.fide_id.clone(),
            elo: self.elo.parse().ok(),
            federation: self.federation.clone(),
            team: self.team.clone(),
        }
    }
}

impl Seat {
    /// Returns the seat at the board with this serial number: its table, or else the number itself, if that is one and no table's.
    pub(crate) fn of(config: &Config, serial: &str) -> Option<Self> {
        let tables = || config.tables.iter().enumerate();
        if let Some((place, table)) = tables().find(|(_, table)| same_serial(&table.serial, serial)) {
            return Some(Self::at(place, table));
        }
        let board = serial.parse().ok()?;
        // A spare board whose serial number is a small one must not take the place of a game.
        let is_free = tables().all(|(place, table)| number(place, table) != board);
        is_free.then(|| Self { board, ..Self::default() })
    }

    /// Returns the seat at a table of the configuration.
    pub(crate) fn at(place: usize, table: &TableSettings) -> Self {
        let player = |side| {
            let known = table.player(side);
            PgnPlayer {
                name: table.name(side).to_owned(),
                title: known.title.clone(),
                fide_id: known.fide_id.clone(),
                elo: known.elo.map(|elo| elo.to_string()).unwrap_or_default(),
                federation: known.federation.clone(),
                team: known.team.clone(),
            }
        };
        Self { board: number(place, table), white: player(Color::White), black: player(Color::Black) }
    }

    /// Puts the players in the place of others whom an order has named.
    pub(crate) fn named(mut self, players: Option<&Players>) -> Self {
        let Some(Players { white, black }) = players else { return self };
        for (player, name) in [(&mut self.white, white), (&mut self.black, black)] {
            if let Some(name) = name.as_ref().filter(|name| **name != player.name) {
                *player = PgnPlayer { name: name.clone(), ..PgnPlayer::default() };
            }
        }
        self
    }

    /// Writes who plays into a table of the configuration.
    pub(crate) fn fill(&self, table: &mut TableSettings) {
        table.white.clone_from(&self.white.name);
        table.black.clone_from(&self.black.name);
        table.white_player = self.white.settings();
        table.black_player = self.black.settings();
    }

    /// Returns whether it is known who plays.
    pub(crate) const fn is_paired(&self) -> bool {
        !self.white.name.is_empty() || !self.black.name.is_empty()
    }
}

/// Returns the number of a table, or its place among all.
pub(super) fn number(place: usize, table: &TableSettings) -> u64 {
    let counted = u64::try_from(place).unwrap_or(u64::MAX).saturating_add(1);
    table.number.map_or(counted, u64::from)
}
