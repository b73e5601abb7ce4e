//! Reads a pairing PGN: games of headers only, `Round` as `3.17` or with a `Board` beside it.

use shakmaty::Color;

use super::{Row, Wrong};

/// Reads the headers; moves, if there are any, are left out.
pub(super) fn parse(text: &str) -> Result<Vec<Row>, Wrong> {
    let mut rows: Vec<Row> = Vec::new();
    let mut in_headers = false;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if !line.starts_with('[') {
            in_headers = false;
            continue;
        }
        let Some((name, value)) = tag(line) else {
            // A comment among the moves may begin a line.
            if !in_headers && !rows.is_empty() {
                continue;
            }
            return Err((Some(number), format!("'{line}' is no header; expected [Name \"Value\"]")));
        };
        // Some programs leave no empty line between games.
        if !in_headers || name == "Event" {
            rows.push(Row { line: number, ..Row::default() });
            in_headers = true;
        }
        if let Some(row) = rows.last_mut() {
            take(row, name, &value).map_err(|reason| (Some(number), reason))?;
        }
    }
    Ok(rows)
}

fn take(row: &mut Row, name: &str, value: &str) -> Result<(), String> {
    let value = value.trim();
    let known = !matches!(value, "" | "?" | "-");
    if let Some((side, what)) = side(name) {
        let player = row.game.player(side);
        match what {
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

/// Reads `[Name "Value"]`.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.trim_start().split_once(char::is_whitespace)?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '\\' => value.push(chars.next()?),
            '"' => break,
            c => value.push(c),
        }
    }
    (chars.as_str().trim() == "]").then_some((name, value))
}
