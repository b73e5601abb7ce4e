//! Keys of the arbiters: who they are, for which tables, and what they may do.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use jadoube_core::laws::Language;

/// One arbiter; the token comes from `jadoube arbiter add`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
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
    /// Look only.
    Screen,
}

impl Role {
    /// Returns the name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chief => "chief",
            Self::Sector => "sector",
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
        let all = [Self::Chief, Self::Sector, Self::Screen];
        let found = all.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| format!("'{text}' is no role: chief, sector or screen"))
    }
}

/// Numbers of tables, written as `1-20,25`; the empty text stands for all tables.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TableSet(Vec<RangeInclusive<u32>>);

impl TableSet {
    /// Tells whether these are all tables.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells whether a table is one of these; a board without a table belongs to whoever has all of them.
    #[must_use]
    pub fn has(&self, table: Option<u32>) -> bool {
        self.is_all() || table.is_some_and(|table| self.0.iter().any(|range| range.contains(&table)))
    }
}

impl fmt::Display for TableSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            if range.start() == range.end() {
                write!(f, "{comma}{}", range.start())?;
            } else {
                write!(f, "{comma}{}-{}", range.start(), range.end())?;
            }
        }
        Ok(())
    }
}

impl FromStr for TableSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some(first..=last)
        };
        let ranges = parts.map(|part| {
            range(part).ok_or_else(|| format!("'{part}' is no table and no range of tables, as in '1-20,25'"))
        });
        ranges.collect::<Result<_, _>>().map(Self)
    }
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
            assert_eq!(set.has(table), has, "{table:?}");
        }
        let all = TableSet::default();
        assert!(all.is_all() && all.has(Some(7)) && all.has(None));
        for wrong in ["20-1", "a", "1-", "-5", "1-2-3", "4294967296"] {
            assert!(wrong.parse::<TableSet>().unwrap_err().contains("'1-20,25'"), "{wrong}");
        }
    }
}
