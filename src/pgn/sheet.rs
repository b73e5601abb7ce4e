//! What is written of a game: PGN, and the shapes of LiveChess Cloud.

use jiff::{Timestamp, tz::TimeZone};
use shakmaty::{CastlingMode, Color, fen::Fen};

use super::track::{PublicClock, PublicGame, PublicState};
use crate::{
    config::Config,
    rounds::{PgnPlayer, Seat},
};
use jadoube_core::{
    game::{Sheet, SheetEntry, Tags},
    position::Position,
    score::Score,
};

/// A game with all that its headers say.
pub(super) struct SheetRecord<'a> {
    /// What the public may know of it.
    pub(super) shown: &'a PublicState,
    /// Who plays.
    pub(super) seat: &'a Seat,
    /// Number of the round.
    pub(super) round: u32,
    /// The result as the public sees it, and what says so.
    pub(super) outcome: Option<(Score, &'a str)>,
    /// What the event is.
    pub(super) config: &'a Config,
    /// The day, for games that have not begun.
    pub(super) today: Timestamp,
    /// What times are shown in.
    pub(super) zone: &'a TimeZone,
}

impl SheetRecord<'_> {
    /// Writes PGN.
    pub(super) fn pgn(&self) -> String {
        self.with_sheet(|sheet| sheet.write())
    }

    /// Returns the moves of the main line: notation, seconds left, seconds spent.
    pub(super) fn moves(&self) -> Vec<(String, Option<u32>, Option<u32>)> {
        self.with_sheet(|sheet| {
            sheet.main_line_with_times().map(|(san, left, spent)| (san.to_owned(), left, spent)).collect()
        })
    }

    fn with_sheet<T>(&self, write: impl FnOnce(Sheet<'_>) -> T) -> T {
        let tags = self.tags();
        let game = self.shown.game.as_ref();
        let initial = Position::initial().fen();
        let start = game.map_or(initial.as_str(), |game| &game.start);
        let moves = game.map(entries).unwrap_or_default();
        let chess960 = start != initial && is_chess960(start, self.config.game.chess960);
        write(Sheet {
            tags: &tags,
            start,
            chess960,
            moves,
            result: self.outcome.map_or("*", |(score, _)| score.text()),
        })
    }

    /// Returns the last position as FEN, and the last move.
    pub(super) fn position(&self) -> (String, String) {
        let game = self.shown.game.as_ref();
        let last = game.and_then(|game| game.moves.last());
        let fen = last.map(|last| last.fen.to_string()).or_else(|| Some(game?.start.to_string()));
        (
            fen.unwrap_or_else(|| Position::initial().fen()),
            last.map(|last| last.san.to_string()).unwrap_or_default(),
        )
    }

    /// Returns whether the game goes on.
    pub(super) fn is_live(&self) -> bool {
        self.outcome.is_none() && self.shown.game.as_ref().is_some_and(|game| !game.moves.is_empty())
    }

    /// Returns the day of the game, `YYYY-MM-DD`.
    pub(super) fn day(&self) -> String {
        self.date().replace('.', "-")
    }

    /// Returns the points, such as `1-0`, or `*`.
    pub(super) fn points(&self) -> &'static str {
        self.outcome.map_or("*", |(score, _)| score.points())
    }

    /// Returns the day of the game, `YYYY.MM.DD`.
    fn date(&self) -> String {
        // Pieces may have been set up the evening before.
        let first = self.shown.game.as_ref().and_then(|game| game.moves.first());
        let at = first.map_or(self.today, |first| first.at);
        at.to_zoned(self.zone.clone()).strftime("%Y.%m.%d").to_string()
    }

    fn tags(&self) -> Tags {
        let (event, seat) = (&self.config.event, self.seat);
        let mut more = vec![("Board", seat.board.to_string())];
        for (side, player) in [(Color::White, &seat.white), (Color::Black, &seat.black)] {
            more.extend(headers(side, player));
        }
        match self.outcome {
            Some((_, by)) => more.push(("Termination", termination(by).to_owned())),
            None if self.shown.game.is_some() => {
                more.extend(self.shown.clock.iter().flat_map(|reading| self.clock(reading)));
            }
            None => {}
        }
        Tags {
            event: event.name.clone(),
            site: event.site.clone(),
            date: self.date(),
            round: format!("{}.{}", self.round, seat.board),
            white: seat.white.name.clone(),
            black: seat.black.name.clone(),
            time_control: event.time_control.clone(),
            more,
        }
    }

    /// Writes what the clocks show of a game that goes on.
    fn clock(&self, reading: &PublicClock) -> [(&'static str, String); 3] {
        let face =
            |seconds: u32| format!("{:0>8}", jadoube_core::time::ClockFace(seconds.into()).to_string());
        let running = match reading.running {
            Some(Color::White) => 'W',
            Some(Color::Black) => 'B',
            None => 'N',
        };
        let at = reading.at.to_zoned(self.zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string();
        [
            ("WhiteClock", face(reading.white)),
            ("BlackClock", face(reading.black)),
            ("ReferenceTime", format!("{running}/{at}")),
        ]
    }
}

fn headers(side: Color, player: &PgnPlayer) -> [(&'static str, String); 4] {
    let names = match side {
        Color::White => ["WhiteTitle", "WhiteElo", "WhiteFideId", "WhiteTeam"],
        Color::Black => ["BlackTitle", "BlackElo", "BlackFideId", "BlackTeam"],
    };
    let [title, elo, fide_id, team] = names;
    [
        (title, player.title.clone()),
        (elo, player.elo.clone()),
        (fide_id, player.fide_id.clone()),
        (team, player.team.clone()),
    ]
}

/// Says why a game ended in the words of the PGN standard, if that is known.
fn termination(by: &str) -> &'static str {
    match by {
        "flag" => "time forfeit",
        "mate" | "stalemate" => "normal",
        _ => "",
    }
}

fn entries(game: &PublicGame) -> Vec<SheetEntry<'_>> {
    let mut before: Option<Timestamp> = None;
    let entry = |played| {
        let played: &crate::view::MoveView = played;
        let elapsed = before.replace(played.at).map(|before| played.at.duration_since(before).as_secs());
        let black = played.fen.split(' ').nth(1) == Some("w");
        SheetEntry {
            side: if black { Color::Black } else { Color::White },
            san: &played.san,
            legal: played.legal,
            completed: played.completed,
            clock: played.clock,
            elapsed: elapsed.and_then(|seconds| u32::try_from(seconds).ok()),
            inferred: played.alternatives,
            after: Some(&played.fen),
            entered: played.entered,
            remark: played.remark.as_deref(),
        }
    };
    game.moves.iter().map(entry).collect()
}

/// Returns whether a game is one of Chess960: by its castling, or by its pieces if such games are played.
pub(super) fn is_chess960(start: &str, expected: bool) -> bool {
    let Ok(fen) = start.parse::<Fen>() else { return false };
    let context = fen.into_setup();
    CastlingMode::detect(&context).is_chess960() || expected && context.board.occupied().count() == 32
}
