//! Reads a CSV: one game a line, columns by their names in the first line that has them, in any order.
//!
//! Pairing programs export lists with a title above, and with one name for the columns of both players: `Bo.`, `Name`, `Rtg`, `Res.`,
//! `Name`, `Rtg`. The first of two such columns is White's, the second Black's.

use shakmaty::Color;

use super::{PairingRow, Wrong};

/// What a column holds.
#[derive(Clone, Copy)]
enum Column {
    Table,
    Serial,
    Round,
    Name(Color),
    Title(Color),
    FideId(Color),
    Elo(Color),
    Federation(Color),
    Team(Color),
}

/// The names of columns, in the spelling of most exports.
const KNOWN: &str = "table, serial, round, white, black, white_title, white_fide_id, white_elo, white_team, and the same of black";

/// Lines above the names of the columns that may be a title.
const MOST_ABOVE: usize = 10;

/// Reads all lines.
pub(super) fn parse(text: &str) -> Result<Vec<PairingRow>, Wrong> {
    let widest = |separator: u8| {
        let count = |line: &str| line.bytes().filter(|byte| *byte == separator).count();
        text.lines().take(MOST_ABOVE).map(count).max().unwrap_or(0)
    };
    let separator =
        [b',', b';', b'\t'].into_iter().max_by_key(|separator| widest(*separator)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut columns: Option<(Vec<Option<Column>>, csv::StringRecord)> = None;
    let mut rows = Vec::new();
    let (mut refused, mut round) = (None, None);
    for record in reader.records() {
        let record = record
            .map_err(|error| (error.position().map(csv::Position::line), format!("is no CSV: {error}")))?;
        let line = record.position().map_or(1, csv::Position::line);
        let Some((columns, names)) = &columns else {
            match header(&record) {
                Ok(known) => columns = Some((known, record)),
                // Titles stand above a list; what is wrong with the first line is reported if no other has the names.
                Err(reason) => {
                    round = round.or_else(|| record.iter().find_map(round_of));
                    let (first, reason) = refused.get_or_insert((line, reason)).clone();
                    if line.saturating_sub(first) > 10 {
                        return Err((Some(first), reason));
                    }
                }
            }
            continue;
        };
        if record.iter().all(str::is_empty) {
            continue;
        }
        check_width(names, &record, char::from(separator)).map_err(|reason| (Some(line), reason))?;
        let mut row = PairingRow { line, round, ..PairingRow::default() };
        for (column, value) in columns.iter().zip(&record).filter(|(_, value)| !value.is_empty()) {
            if let Some(column) = column {
                set_column(&mut row, *column, value).map_err(|reason| (Some(line), reason))?;
            }
        }
        rows.push(row);
    }
    match (columns, refused) {
        (None, Some((line, reason))) => Err((Some(line), reason)),
        _ => Ok(rows),
    }
}

/// Reads the number of a round from a title: `Round 5 on 2026/05/01`, `5. Runde`.
fn round_of(title: &str) -> Option<u32> {
    let words: Vec<String> = title.split([' ', ',', ':', '\u{a0}']).map(str::to_lowercase).collect();
    let index = words
        .iter()
        .position(|word| ["round", "runde", "rd.", "rd", "kolo", "tour", "ronda"].contains(&word.as_str()))?;
    let number = |word: &String| word.trim_end_matches('.').parse().ok();
    let after = words.get(index + 1).and_then(number);
    after.or_else(|| words.get(index.checked_sub(1)?).and_then(number))
}

/// Refuses a line with other columns than the first: whoever sits in them would be taken for somebody else, or left out.
/// Spreadsheets end lines with separators that nothing follows; those do no harm.
fn check_width(names: &csv::StringRecord, record: &csv::StringRecord, separator: char) -> Result<(), String> {
    if let Some(missing) = names.get(record.len()) {
        let (column, count) = (record.len() + 1, names.len());
        return Err(format!("column {column} ({missing}) is missing; the first line has {count} columns"));
    }
    let surplus = record.iter().enumerate().skip(names.len()).find(|(_, value)| !value.is_empty());
    surplus.map_or(Ok(()), |(index, value)| {
        let (column, count) = (index + 1, names.len());
        Err(format!(
            "column {column} ('{value}') is one too many, the first line has {count}; write a value with '{separator}' in \"quotes\""
        ))
    })
}

fn header(record: &csv::StringRecord) -> Result<Vec<Option<Column>>, String> {
    let mut columns: Vec<Option<Column>> = record.iter().map(column).collect();
    share(record, &mut columns);
    let has = |side| columns.iter().flatten().any(|column| matches!(column, Column::Name(of) if *of == side));
    if has(Color::White) && has(Color::Black) {
        return Ok(columns);
    }
    let first: Vec<&str> = record.iter().take(5).collect();
    Err(format!(
        "is neither PGN nor TRF, and for CSV the columns white and black are missing in '{}'; known: {KNOWN}",
        first.join(",")
    ))
}

/// Gives columns that stand there twice under one name to White and to Black.
fn share(record: &csv::StringRecord, columns: &mut [Option<Column>]) {
    let shared = |name: &str, side| match name.to_lowercase().trim_end_matches('.') {
        "name" | "spieler" | "player" => Some(Column::Name(side)),
        "rtg" | "rating" | "elo" => Some(Column::Elo(side)),
        "fed" | "land" => Some(Column::Federation(side)),
        "title" | "titel" => Some(Column::Title(side)),
        "team" | "club" | "verein" | "club/city" | "verein/ort" => Some(Column::Team(side)),
        _ => None,
    };
    for (index, (name, column)) in record.iter().zip(columns).enumerate() {
        let before = record.iter().take(index).filter(|other| *other == name).count();
        let side = [Color::White, Color::Black].get(before);
        if column.is_none()
            && record.iter().filter(|other| *other == name).count() == 2
            && let Some(side) = side
        {
            *column = shared(name, *side);
        }
    }
}

fn column(name: &str) -> Option<Column> {
    let name = name.to_lowercase().replace([' ', '-', '.'], "_");
    let side = |name: &str| {
        let white = ["white_", "weiss_", "weiß_"].iter().find_map(|prefix| name.strip_prefix(prefix));
        let black = ["black_", "schwarz_"].iter().find_map(|prefix| name.strip_prefix(prefix));
        let white = white.map(|rest| (Color::White, rest.to_owned()));
        white.or_else(|| black.map(|rest| (Color::Black, rest.to_owned())))
    };
    match name.as_str() {
        "table" | "board" | "bo" | "bo_" | "tisch" | "brett" | "br" | "br_" => return Some(Column::Table),
        "serial" | "serialnr" | "board_serial" | "seriennummer" => return Some(Column::Serial),
        "round" | "runde" => return Some(Column::Round),
        "white" | "weiss" | "weiß" => return Some(Column::Name(Color::White)),
        "black" | "schwarz" => return Some(Column::Name(Color::Black)),
        _ => {}
    }
    let (side, what) = side(&name)?;
    match what.as_str() {
        "name" => Some(Column::Name(side)),
        "title" | "titel" => Some(Column::Title(side)),
        "fide_id" | "fideid" | "id" => Some(Column::FideId(side)),
        "elo" | "rating" | "rtg" => Some(Column::Elo(side)),
        "federation" | "fed" => Some(Column::Federation(side)),
        "team" | "club" | "verein" => Some(Column::Team(side)),
        _ => None,
    }
}

fn set_column(row: &mut PairingRow, column: Column, value: &str) -> Result<(), String> {
    let number = |what: &str| value.parse::<u32>().map_err(|_| format!("{what} '{value}' is no number"));
    match column {
        Column::Table => row.game.table = Some(number("table")?),
        Column::Serial => row.game.serial = Some(value.to_owned()),
        Column::Round => row.round = Some(number("round")?),
        Column::Name(side) => value.clone_into(&mut row.game.player(side).name),
        Column::Title(side) => value.clone_into(&mut row.game.player(side).more.title),
        Column::FideId(side) => value.clone_into(&mut row.game.player(side).more.fide_id),
        Column::Elo(side) => row.game.player(side).more.elo = value.parse().ok().filter(|elo| *elo > 0),
        Column::Federation(side) => value.clone_into(&mut row.game.player(side).more.federation),
        Column::Team(side) => value.clone_into(&mut row.game.player(side).more.team),
    }
    Ok(())
}
