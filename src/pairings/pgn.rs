//! Reads a pairing PGN: games of headers only, `Round` as `3.17` or with a `Board` beside it.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, Visitor};
use shakmaty::Color;

use super::{PairingRow, Wrong};

/// Longest header that is read, bytes.
const LONGEST: usize = 4096;

/// Reads the headers; moves, if there are any, are left out.
pub(super) fn parse(text: &str) -> Result<Vec<PairingRow>, Wrong> {
    let mut reader = Reader::build(text.as_bytes()).set_supported_tag_line_length(LONGEST).finish();
    let mut headers = Headers { lines: text.lines().zip(1..), line: 1, rows: Vec::new() };
    loop {
        match reader.read_game(&mut headers) {
            Ok(Some(outcome)) => outcome?,
            Ok(None) => break,
            Err(error) => return Err((Some(headers.line), format!("{error}; expected [Name \"Value\"]"))),
        }
    }
    // The reader passes over what is no header: a name must not be lost like that.
    let is_nameless = |row: &&PairingRow| row.game.white.name.is_empty() || row.game.black.name.is_empty();
    match headers.rows.iter().find(is_nameless) {
        Some(row) => Err((
            Some(row.line),
            "a game lacks a header; expected [White \"Name\"] and [Black \"Name\"]".to_owned(),
        )),
        None => Ok(headers.rows),
    }
}

/// Takes the headers of every game.
struct Headers<'a, L: Iterator<Item = (&'a str, u64)>> {
    /// The lines that are still to come, with their numbers: the reader tells headers without their place.
    lines: L,
    line: u64,
    rows: Vec<PairingRow>,
}

impl<'a, L: Iterator<Item = (&'a str, u64)>> Visitor for Headers<'a, L> {
    /// Whether a header of this game has been seen.
    type Tags = bool;
    type Movetext = ();
    type Output = Result<(), Wrong>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, bool> {
        ControlFlow::Continue(false)
    }

    fn tag(&mut self, begun: &mut bool, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let name = String::from_utf8_lossy(name);
        let name = name.trim();
        let is_here = |line: &str| {
            line.trim_start().strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(name))
        };
        self.line = self.lines.find(|(line, _)| is_here(line)).map_or(self.line, |(_, number)| number);
        // Some programs leave no empty line between games.
        if !std::mem::replace(begun, true) || name == "Event" {
            self.rows.push(PairingRow { line: self.line, ..PairingRow::default() });
        }
        let taken =
            self.rows.last_mut().map_or(Ok(()), |row| set_header(row, name, &value.decode_utf8_lossy()));
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(Err((Some(self.line), reason))),
        }
    }

    fn begin_movetext(&mut self, _: bool) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Break(Ok(()))
    }

    fn end_game(&mut self, (): ()) -> Self::Output {
        Ok(())
    }
}

fn set_header(row: &mut PairingRow, name: &str, value: &str) -> Result<(), String> {
    let value = value.trim();
    let known = !matches!(value, "" | "?" | "-");
    if let Some((side, what)) = side(name) {
        let player = row.game.player(side);
        match what {
            // Empty means that nobody plays there, and has been read all the same.
            "" if value.is_empty() => "?".clone_into(&mut player.name),
            "" => value.clone_into(&mut player.name),
            "Title" if known => value.clone_into(&mut player.more.title),
            "FideId" if known => value.clone_into(&mut player.more.fide_id),
            "Federation" | "Country" if known => value.clone_into(&mut player.more.federation),
            "Team" if known => value.clone_into(&mut player.more.team),
            "Elo" if known => player.more.elo = value.parse().ok().filter(|elo| *elo > 0),
            _ => {}
        }
    } else if name == "Round" && known {
        let (round, board) =
            value.split_once('.').map_or((value, None), |(round, board)| (round, Some(board)));
        let number = |text: &str| {
            text.parse::<u32>().map_err(|_| {
                format!("round '{value}' is no number; expected a round such as 3, or 3.17 with the table")
            })
        };
        row.round = Some(number(round)?);
        if let Some(board) = board {
            // Team events write round, match and board.
            let board = if board.contains('.') { None } else { Some(number(board)?) };
            row.game.table = row.game.table.or(board);
        }
    } else if name == "Board" && known {
        let table =
            value.parse().map_err(|_| format!("board '{value}' is no number; expected the table's"))?;
        row.game.table = Some(table);
    }
    Ok(())
}

fn side(name: &str) -> Option<(Color, &str)> {
    let white = name.strip_prefix("White").map(|what| (Color::White, what));
    white.or_else(|| name.strip_prefix("Black").map(|what| (Color::Black, what)))
}
