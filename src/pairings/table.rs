//! Reads a CSV: one game a line, columns by their names in the first line, in any order.

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

/// Reads all lines.
pub(super) fn parse(text: &str) -> Result<Vec<PairingRow>, Wrong> {
    let first = text.lines().next().unwrap_or_default();
    let count = |separator: u8| first.bytes().filter(|byte| *byte == separator).count();
    let separator = [b',', b';', b'\t'].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut columns: Option<(Vec<Option<Column>>, csv::StringRecord)> = None;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record
            .map_err(|error| (error.position().map(csv::Position::line), format!("is no CSV: {error}")))?;
        let line = record.position().map_or(1, csv::Position::line);
        let Some((columns, names)) = &columns else {
            columns = Some((header(&record).map_err(|reason| (Some(line), reason))?, record));
            continue;
        };
        if record.iter().all(str::is_empty) {
            continue;
        }
        check_width(names, &record, char::from(separator)).map_err(|reason| (Some(line), reason))?;
        let mut row = PairingRow { line, ..PairingRow::default() };
        for (column, value) in columns.iter().zip(&record).filter(|(_, value)| !value.is_empty()) {
            if let Some(column) = column {
                set_column(&mut row, *column, value).map_err(|reason| (Some(line), reason))?;
            }
        }
        rows.push(row);
    }
    Ok(rows)
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
    let columns: Vec<Option<Column>> = record.iter().map(column).collect();
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

fn column(name: &str) -> Option<Column> {
    let name = name.to_lowercase().replace([' ', '-', '.'], "_");
    let side = |name: &str| {
        let white = ["white_", "weiss_", "weiß_"].iter().find_map(|prefix| name.strip_prefix(prefix));
        let black = ["black_", "schwarz_"].iter().find_map(|prefix| name.strip_prefix(prefix));
        let white = white.map(|rest| (Color::White, rest.to_owned()));
        white.or_else(|| black.map(|rest| (Color::Black, rest.to_owned())))
    };
    match name.as_str() {
        "table" | "board" | "bo" | "tisch" | "brett" | "br" => return Some(Column::Table),
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
