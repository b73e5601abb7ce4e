//! What is not as it should be with boards and tables: boards and tables that occur twice or are missing.

use std::{collections::BTreeSet, fmt};

use jadoube_core::settings::same_serial;
use serde::Serialize;

use crate::config::Config;

/// Most numbers that are named as missing: a table may have any number, by a slip of the finger as well.
const MOST_GAPS: usize = 100;

/// One of them.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub(crate) enum Problem {
    /// A board is on two tables.
    BoardTwice {
        /// Its serial number.
        serial: String,
        /// The tables.
        tables: [u32; 2],
    },
    /// A table has two boards.
    TableTwice {
        /// Its number.
        table: u32,
        /// The boards.
        serials: [String; 2],
    },
    /// Numbers below the last table that have no board.
    Gap {
        /// The numbers; the first [`MOST_GAPS`] of them.
        tables: Vec<u32>,
    },
    /// A board that answers is on no table.
    LeftOver {
        /// Its serial number.
        serial: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoardTwice { serial, tables: [first, second] } => {
                write!(f, "duplicate: board {serial} is on table {first} and on table {second}")
            }
            Self::TableTwice { table, serials: [first, second] } => {
                write!(f, "duplicate: table {table} has the boards {first} and {second}")
            }
            Self::Gap { tables } => {
                let tables: Vec<String> = tables.iter().map(u32::to_string).collect();
                write!(f, "gap: no board on table {}", tables.join(", "))
            }
            Self::LeftOver { serial } => write!(f, "left over: board {serial} is on no table"),
        }
    }
}

/// Returns the numbered tables with their boards, by number.
pub(crate) fn numbered(config: &Config) -> Vec<(u32, &str)> {
    let numbered = config.tables.iter().filter_map(|table| Some((table.number?, table.serial.as_str())));
    let mut tables: Vec<_> = numbered.filter(|(_, serial)| !serial.is_empty()).collect();
    tables.sort_unstable();
    tables
}

/// Returns what is wrong with these tables; `boards` are the serial numbers of the boards that answer.
pub(crate) fn problems<'a>(
    tables: &[(u32, &str)],
    boards: impl IntoIterator<Item = &'a str>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, (number, serial)) in tables.iter().enumerate() {
        for (other, other_serial) in tables.iter().skip(index + 1) {
            if same_serial(serial, other_serial) {
                let tables = [*number, *other];
                problems.push(Problem::BoardTwice { serial: (*serial).to_owned(), tables });
            } else if number == other {
                let serials = [*serial, *other_serial].map(str::to_owned);
                problems.push(Problem::TableTwice { table: *number, serials });
            }
        }
    }
    let last = tables.last().map_or(0, |(number, _)| *number);
    let numbers: BTreeSet<u32> = tables.iter().map(|(number, _)| *number).collect();
    let gaps: Vec<u32> = (1..=last).filter(|number| !numbers.contains(number)).take(MOST_GAPS).collect();
    if !gaps.is_empty() {
        problems.push(Problem::Gap { tables: gaps });
    }
    for serial in boards {
        if !tables.iter().any(|(_, other)| same_serial(other, serial)) {
            problems.push(Problem::LeftOver { serial: serial.to_owned() });
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_gaps_are_named() {
        let found = problems(&[(1, "7"), (3, "007"), (3, "9")], ["00007", "00008"]);
        assert_eq!(
            found.iter().map(Problem::to_string).collect::<Vec<_>>(),
            [
                "duplicate: board 7 is on table 1 and on table 3",
                "duplicate: table 3 has the boards 007 and 9",
                "gap: no board on table 2",
                "left over: board 00008 is on no table",
            ]
        );
    }

    #[test]
    fn a_table_with_any_number_costs_a_few_gaps() {
        let found = problems(&[(2, "7"), (u32::MAX, "8")], ["7", "8"]);
        let [Problem::Gap { tables }] = &found[..] else { panic!("{found:?}") };
        assert_eq!((tables.len(), &tables[..3]), (MOST_GAPS, [1, 3, 4].as_slice()));
    }
}
