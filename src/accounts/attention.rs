//! What arbiters have announced to each other: who has seen an alert, who goes to its table, and who looks after whose tables.
//!
//! The web server writes the file after every change; notifications read it, so that they go to whoever is responsible.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::Account;
use crate::config::TableSet;
use jadoube_runtime::private;

/// Name of the file in the state directory.
pub(crate) const ATTENTION_FILE: &str = "attention.json";

/// Seconds after which somebody who goes to an alert, and has not decided it, counts as held up: it is nobody's again.
pub(crate) const GOING_S: u32 = 180;

/// What arbiters have announced to each other.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct AttentionState {
    /// By the id of the alert.
    pub(crate) alerts: BTreeMap<String, Noticed>,
    /// Who watches which game, by board.
    pub(crate) watching: BTreeMap<String, Watched>,
    /// Who has handed the own tables over, and to whom.
    pub(crate) handed: BTreeMap<String, String>,
    /// The accounts that these names meant, whose tables and to whom: another account of the same name is somebody else.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) parties: BTreeMap<String, [String; 2]>,
}

/// What is known of one alert.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Noticed {
    /// Who has opened its page; the empty name is whoever has the token of the daemon and gave no name.
    pub(crate) seen: Vec<String>,
    /// Who is going to its table.
    pub(crate) going: Vec<Going>,
}

/// Who watches a board; it ends with the game.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Watched {
    /// The number of the game.
    pub(crate) game: u32,
    pub(crate) by: Vec<Going>,
}

/// Somebody on the way, or there.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Going {
    pub(crate) name: String,
    pub(crate) at: jiff::Timestamp,
}

impl Going {
    /// Returns whether they set out so long ago that they count as held up.
    pub(crate) fn is_late(&self, now: jiff::Timestamp) -> bool {
        now.duration_since(self.at).as_secs() >= i64::from(GOING_S)
    }
}

impl AttentionState {
    /// Reads what the web server has written; a file that cannot be read says nothing.
    #[cfg(feature = "notify")]
    pub(crate) fn read(state_dir: &Path) -> Self {
        let bytes = private::read(&state_dir.join(ATTENTION_FILE)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Returns whether somebody goes to the table of an alert, and is not held up; whoever has come has stopped the clock first.
    #[cfg(feature = "notify")]
    pub(crate) fn is_somebody_going(&self, alert: &str, now: jiff::Timestamp, clock_stands: bool) -> bool {
        let counts = |going: &Going| clock_stands || !going.is_late(now);
        self.alerts.get(alert).is_some_and(|noticed| noticed.going.iter().any(counts))
    }

    /// Returns who looks after the tables of this arbiter; arbiters who hand over in a circle keep their own.
    fn keeper<'a>(&'a self, name: &'a str, accounts: &[Account]) -> &'a str {
        let mut keeper = name;
        for _ in 0..=self.handed.len() {
            match self.handed.get(keeper) {
                Some(next) if self.is_between(keeper, next, accounts) => keeper = next,
                _ => return keeper,
            }
        }
        name
    }

    /// Returns whether tables were handed over between these accounts, and not between earlier ones with their names.
    pub(crate) fn is_between(&self, from: &str, to: &str, accounts: &[Account]) -> bool {
        let party = |name: &str| accounts.iter().find(|account| account.name == name);
        let (Some(giver), Some(taker)) = (party(from), party(to)) else { return false };
        // Earlier versions knew names only.
        self.parties.get(from).is_none_or(|[one, other]| *one == giver.id && *other == taker.id)
    }

    /// Notes that one account has handed its tables to another one.
    pub(crate) fn hand_over(&mut self, from: &Account, to: &Account) {
        self.handed.insert(from.name.clone(), to.name.clone());
        self.parties.insert(from.name.clone(), [from.id.clone(), to.id.clone()]);
    }

    /// Forgets what was handed over by or to accounts that are no more; says whether there was something.
    pub(crate) fn forget_gone(&mut self, accounts: &[Account]) -> bool {
        let before = (self.handed.clone(), self.parties.len());
        let gone: Vec<String> = self
            .handed
            .iter()
            .filter(|(from, to)| !self.is_between(from, to, accounts))
            .map(|(from, _)| from.clone())
            .collect();
        for from in gone {
            self.handed.remove(&from);
        }
        self.parties.retain(|from, _| self.handed.contains_key(from));
        let party = |name: &String| accounts.iter().find(|account| account.name == *name);
        let unknown: Vec<_> = self
            .handed
            .iter()
            .filter(|(from, _)| !self.parties.contains_key(*from))
            .filter_map(|(from, to)| Some((party(from)?, party(to)?)))
            .collect();
        for (from, to) in unknown {
            self.parties.insert(from.name.clone(), [from.id.clone(), to.id.clone()]);
        }
        before != (self.handed.clone(), self.parties.len())
    }

    /// Returns every arbiter's tables at present, own ones and those that were handed over.
    pub(crate) fn sectors(&self, accounts: &[Account]) -> BTreeMap<String, Vec<TableSet>> {
        let mut sectors: BTreeMap<String, Vec<TableSet>> =
            accounts.iter().map(|account| (account.name.clone(), Vec::new())).collect();
        for account in accounts {
            if let Some(sets) = sectors.get_mut(self.keeper(&account.name, accounts)) {
                sets.push(account.tables.clone());
            }
        }
        sectors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        accounts::{AccountFile, NewAccount},
        config::{Config, Role},
    };

    fn accounts() -> Vec<Account> {
        let dir = tempfile::tempdir().unwrap();
        let file = AccountFile::of(dir.path());
        for (name, tables) in [("Ada", "1-3"), ("Bob", "3-6"), ("Cy", "")] {
            let tables = tables.parse().unwrap();
            let new = NewAccount { name: name.to_owned(), tables, role: Role::Sector, language: None };
            file.add(new, "2026-11-23T10:00:00Z".parse().unwrap()).unwrap();
        }
        file.load(&Config::default()).unwrap()
    }

    #[track_caller]
    fn check(handed: &[(&str, &str)], expected: &[(&str, &[&str])]) {
        let handed = handed.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let attention = AttentionState { handed, ..AttentionState::default() };
        let sectors: Vec<(String, Vec<String>)> = attention
            .sectors(&accounts())
            .into_iter()
            .map(|(name, sets)| (name, sets.iter().map(ToString::to_string).collect()))
            .collect();
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(name, sets)| ((*name).to_owned(), sets.iter().map(|set| (*set).to_owned()).collect()))
            .collect();
        assert_eq!(sectors, expected);
    }

    #[test]
    fn another_account_of_the_same_name_is_handed_nothing() {
        let before = accounts();
        let mut attention = AttentionState::default();
        attention.hand_over(&before[0], &before[1]);
        assert_eq!(attention.sectors(&before)["Bob"].len(), 2);
        // Bob and then Ada were revoked and made anew while nobody looked.
        for other in [1, 0] {
            let mut after = before.clone();
            after[other].id = "0".to_owned();
            assert_eq!(attention.sectors(&after)["Bob"].len(), 1);
            let mut known = attention.clone();
            assert!(known.forget_gone(&after) && known.handed.is_empty() && known.parties.is_empty());
        }
        assert!(!attention.forget_gone(&before));
        // What earlier versions have written gets its accounts.
        attention.parties.clear();
        assert!(attention.forget_gone(&before) && attention.parties.len() == 1);
    }

    #[cfg(feature = "notify")]
    #[test]
    fn who_is_held_up_leaves_an_alert_to_others() {
        let at: jiff::Timestamp = "2026-11-23T10:00:00Z".parse().unwrap();
        let going = vec![Going { name: "Ada".to_owned(), at }];
        let mut attention = AttentionState::default();
        attention.alerts.insert("1-1-1".to_owned(), Noticed { seen: Vec::new(), going });
        let after = |seconds: u32| at + jiff::SignedDuration::from_secs(seconds.into());
        assert!(attention.is_somebody_going("1-1-1", after(GOING_S - 1), false));
        assert!(!attention.is_somebody_going("1-1-1", after(GOING_S), false));
        assert!(attention.is_somebody_going("1-1-1", after(GOING_S), true), "the clock was stopped");
        assert!(!attention.is_somebody_going("1-1-2", at, true));
    }

    #[test]
    fn tables_are_handed_over_and_nobodys_are_lost() {
        check(&[], &[("Ada", &["1-3"]), ("Bob", &["3-6"]), ("Cy", &[""])]);
        check(&[("Ada", "Bob")], &[("Ada", &[]), ("Bob", &["1-3", "3-6"]), ("Cy", &[""])]);
        check(&[("Ada", "Bob"), ("Bob", "Cy")], &[("Ada", &[]), ("Bob", &[]), ("Cy", &["1-3", "3-6", ""])]);
        check(&[("Ada", "Bob"), ("Bob", "Ada")], &[("Ada", &["1-3"]), ("Bob", &["3-6"]), ("Cy", &[""])]);
        check(&[("Ada", "gone")], &[("Ada", &["1-3"]), ("Bob", &["3-6"]), ("Cy", &[""])]);
    }
}
