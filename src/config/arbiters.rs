//! Keys of the arbiters: who they are, for which tables, and what they may do.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::topic_level;
use jadoube_core::laws::Language;

/// One arbiter; the token comes from `jadoube arbiter add`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArbiterConfig {
    /// The name that the list of orders and the other arbiters see.
    pub name: String,
    /// Tables that the arbiter looks after; all without it.
    #[serde(default)]
    pub tables: TableSet,
    /// What the arbiter may do.
    #[serde(default)]
    pub role: Role,
    /// Language of the desk for this arbiter; that of the event without it.
    #[serde(default)]
    pub language: Option<Language>,
}

/// What somebody who has signed in may do.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything, and the accounts of the others.
    Chief,
    /// Look, and give orders.
    #[default]
    Sector,
    /// Look, and give orders for the own tables and those that were handed over, no others.
    Tables,
    /// Look only.
    Screen,
}

impl Role {
    /// Returns whether such an account may give orders at all.
    #[must_use]
    pub const fn may_order(self) -> bool {
        match self {
            Self::Chief | Self::Sector | Self::Tables => true,
            Self::Screen => false,
        }
    }

    /// Returns the name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chief => "chief",
            Self::Sector => "sector",
            Self::Tables => "tables",
            Self::Screen => "screen",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Chief, Self::Sector, Self::Tables, Self::Screen];
        let found = all.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| format!("'{text}' is no role: chief, sector, tables or screen"))
    }
}

/// Numbers of tables, written as `1-20,25`; the empty text stands for all tables.
///
/// On a desk of many halls, `hall-a:1-20,25` are tables of that hall, and `hall-a:*` all of them; a hall counts until the next one
/// is named. Tables before any hall are those of every hall. The desk of one hall knows no other: only these are its.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TableSet(Vec<TableRange>);

/// Tables in a row.
#[derive(Clone, Debug, Eq, PartialEq)]
struct TableRange {
    /// The hall as topics name it; every hall without it.
    hall: Option<String>,
    /// All tables without it.
    tables: Option<RangeInclusive<u32>>,
}

impl TableSet {
    /// Returns whether these are all tables.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a table of a hall is one of these; a board without a table belongs to whoever has all of them.
    #[must_use]
    pub fn has(&self, hall: Option<&str>, table: Option<u32>) -> bool {
        self.is_all()
            || self.0.iter().any(|range| {
                let is_there = range.hall.is_none() || range.hall.as_deref() == hall;
                let has = |tables: &RangeInclusive<u32>| table.is_some_and(|table| tables.contains(&table));
                is_there && range.tables.as_ref().is_none_or(has)
            })
    }
}

impl fmt::Display for TableSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hall = &None;
        for (index, range) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "," })?;
            if &range.hall != hall {
                hall = &range.hall;
                write!(f, "{}:", hall.as_deref().unwrap_or_default())?;
            }
            match &range.tables {
                None => f.write_str("*")?,
                Some(tables) if tables.start() == tables.end() => write!(f, "{}", tables.start())?,
                Some(tables) => write!(f, "{}-{}", tables.start(), tables.end())?,
            }
        }
        Ok(())
    }
}

impl FromStr for TableSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |part: &str| format!("'{part}' is no table and no range of tables, as in '1-20,25'");
        let mut hall: Option<String> = None;
        let mut ranges = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let mut tables = part;
            if let Some((name, rest)) = part.split_once(':') {
                let name = topic_level(name);
                if name.is_empty() {
                    return Err(wrong(part));
                }
                (hall, tables) = (Some(name), rest.trim());
            }
            let is_whole_hall = tables == "*" && hall.is_some();
            let tables =
                if is_whole_hall { None } else { Some(table_range(tables).ok_or_else(|| wrong(part))?) };
            ranges.push(TableRange { hall: hall.clone(), tables });
        }
        Ok(Self(ranges))
    }
}

fn table_range(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some(first..=last)
}

impl Serialize for TableSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TableSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_written() {
        let set: TableSet = "1-20, 25,".parse().unwrap();
        assert_eq!(set.to_string(), "1-20,25");
        for (table, has) in
            [(Some(1), true), (Some(20), true), (Some(21), false), (Some(25), true), (None, false)]
        {
            assert_eq!(set.has(None, table), has, "{table:?}");
            assert_eq!(set.has(Some("hall-a"), table), has, "in every hall");
        }
        let all = TableSet::default();
        assert!(all.is_all() && all.has(None, Some(7)) && all.has(Some("b"), None));
        for wrong in ["20-1", "a", "1-", "-5", "1-2-3", "4294967296", "*", ":1", "a:", "a:b:1"] {
            assert!(wrong.parse::<TableSet>().unwrap_err().contains("'1-20,25'"), "{wrong}");
        }
    }

    #[test]
    fn tables_of_halls_are_distinguished() {
        let set: TableSet = "99, Hall A: 1-20, 25, hall-b:*".parse().unwrap();
        assert_eq!(set.to_string(), "99,hall-a:1-20,25,hall-b:*");
        assert_eq!(set.to_string().parse::<TableSet>().unwrap(), set);
        for (hall, table, has) in [
            (Some("hall-a"), Some(1), true),
            (Some("hall-a"), Some(25), true),
            (Some("hall-a"), Some(26), false),
            (Some("hall-a"), None, false),
            (Some("hall-b"), Some(26), true),
            (Some("hall-b"), None, true),
            (Some("hall-c"), Some(1), false),
            (Some("hall-c"), Some(99), true),
            (None, Some(1), false),
            (None, Some(99), true),
        ] {
            assert_eq!(set.has(hall, table), has, "{hall:?} {table:?}");
        }
    }
}
