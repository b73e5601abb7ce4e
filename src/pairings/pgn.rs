//! Reads a pairing PGN: games of headers only, `Round` as `3.17` or with a `Board` beside it.

use jadoube_core::game::{PgnReader, PgnToken};
use shakmaty::Color;

use super::{PairingRow, Wrong};

/// Reads the headers; moves, if there are any, are left out.
pub(super) fn parse(text: &str) -> Result<Vec<PairingRow>, Wrong> {
    let mut reader = PgnReader::new(text);
    let mut rows: Vec<PairingRow> = Vec::new();
    let mut begun = false;
    while let Some(token) = reader.next() {
        match token {
            Ok(PgnToken::Game) => begun = false,
            Ok(PgnToken::Tag { name, value }) => {
                // Some programs leave no empty line between games.
                if !std::mem::replace(&mut begun, true) || name == "Event" {
                    rows.push(PairingRow { line: reader.line(), ..PairingRow::default() });
                }
                let taken = rows.last_mut().map_or(Ok(()), |row| set_header(row, name, &value));
                taken.map_err(|reason| (Some(reader.line()), reason))?;
            }
            Ok(PgnToken::Moves | PgnToken::Move(_) | PgnToken::Comment(_) | PgnToken::Outcome(_)) => {}
            Err(error) => return Err((Some(reader.line()), format!("{error}; expected [Name \"Value\"]"))),
        }
    }
    // The reader passes over what is no header: a name must not be lost like that.
    let is_nameless = |row: &&PairingRow| row.game.white.name.is_empty() || row.game.black.name.is_empty();
    match rows.iter().find(is_nameless) {
        Some(row) => Err((
            Some(row.line),
            "a game lacks a header; expected [White \"Name\"] and [Black \"Name\"]".to_owned(),
        )),
        None => Ok(rows),
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
