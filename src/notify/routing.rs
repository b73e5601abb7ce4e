//! Whose phone rings: that of whoever looks after a table at this moment, and the chief's for what nobody goes to.

use std::collections::BTreeMap;

use super::{channel::Target, overdue::Overdue};
use crate::{
    accounts::{Account, AccountFile, AttentionState},
    config::{Config, Role, TableSet},
};

/// Who looks after which tables, and who goes where, as the files say it at this moment.
#[derive(Debug)]
pub(super) struct Routing {
    accounts: Vec<Account>,
    attention: AttentionState,
    sectors: BTreeMap<String, Vec<TableSet>>,
}

impl Routing {
    /// Reads the files.
    pub(super) fn read(config: &Config) -> Self {
        let accounts = AccountFile::of(&config.state_dir).load(config).unwrap_or_default();
        Self::new(accounts, AttentionState::read(&config.state_dir))
    }

    fn new(accounts: Vec<Account>, attention: AttentionState) -> Self {
        let sectors = attention.sectors(&accounts);
        Self { accounts, attention, sectors }
    }

    /// Returns whether a channel is for a table: one of its arbiter's, own or handed over, or one of its own.
    pub(super) fn concerns(&self, channel: &Target, table: Option<u32>, config: &Config) -> bool {
        let Some(arbiter) = channel.arbiter() else { return channel.has(table) };
        if let Some(sets) = self.sectors.get(arbiter) {
            return sets.iter().any(|tables| tables.has(None, table));
        }
        // Who has no token yet cannot hand anything over.
        let known = config.arbiters.iter().find(|known| known.name == arbiter);
        known.map_or_else(|| channel.has(table), |known| known.tables.has(None, table))
    }

    /// Returns whether a channel is a chief's.
    fn is_chief(&self, channel: &Target, config: &Config) -> bool {
        let Some(arbiter) = channel.arbiter() else { return false };
        let account = self.accounts.iter().find(|account| account.name == arbiter);
        let known = config.arbiters.iter().find(|known| known.name == arbiter);
        account.map(|account| account.role).or(known.map(|known| known.role)) == Some(Role::Chief)
    }

    /// Returns whether a channel gets what nobody goes to: a chief's that did not get it at first.
    pub(super) fn takes_escalated(&self, channel: &Target, table: Option<u32>, config: &Config) -> bool {
        self.is_chief(channel, config) && !self.concerns(channel, table, config)
    }

    /// Returns whether somebody goes to the table of an alert, and is not held up.
    pub(super) fn is_somebody_going(&self, alert: &Overdue<'_>, now: jiff::Timestamp) -> bool {
        self.attention.is_somebody_going(alert.id, now, alert.clock_stands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::NewAccount;

    fn routing(handed: &[(&str, &str)]) -> Routing {
        let dir = tempfile::tempdir().unwrap();
        let file = AccountFile::of(dir.path());
        for (name, tables, role) in
            [("Ada", "1-3", Role::Sector), ("Bob", "4-6", Role::Sector), ("Dora", "9", Role::Chief)]
        {
            let tables = tables.parse().unwrap();
            let new = NewAccount { name: name.to_owned(), tables, role, language: None };
            file.add(new, "2026-11-23T10:00:00Z".parse().unwrap()).unwrap();
        }
        let handed = handed.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let attention = AttentionState { handed, ..AttentionState::default() };
        Routing::new(file.load(&Config::default()).unwrap(), attention)
    }

    fn channels(text: &str) -> Config {
        Config::parse("t", text, &[]).unwrap()
    }

    #[test]
    fn what_was_handed_over_rings_at_who_has_it_now() {
        let config = channels(
            "[[arbiter]]\nname = 'Eve'\ntables = '8'\nrole = 'chief'\n\
             [[notify]]\nkind = 'command'\ncommand = ['x']\narbiter = 'Ada'\n\
             [[notify]]\nkind = 'command'\ncommand = ['x']\narbiter = 'Bob'\n\
             [[notify]]\nkind = 'command'\ncommand = ['x']\narbiter = 'Dora'\n\
             [[notify]]\nkind = 'command'\ncommand = ['x']\narbiter = 'Eve'\n\
             [[notify]]\nkind = 'command'\ncommand = ['x']\ntables = '2'\n",
        );
        let rings = |routing: &Routing, table: u32| -> Vec<bool> {
            Target::all(&config)
                .iter()
                .map(|channel| routing.concerns(channel, Some(table), &config))
                .collect()
        };
        let own = routing(&[]);
        assert_eq!(rings(&own, 2), [true, false, false, false, true]);
        assert_eq!(rings(&own, 8), [false, false, false, true, false]);
        let handed = routing(&[("Ada", "Bob")]);
        assert_eq!(rings(&handed, 2), [false, true, false, false, true]);
        assert_eq!(rings(&handed, 5), [false, true, false, false, false]);
        let chiefs: Vec<bool> = Target::all(&config)
            .iter()
            .map(|channel| own.takes_escalated(channel, Some(2), &config))
            .collect();
        assert_eq!(chiefs, [false, false, true, true, false]);
        let at_own_table: Vec<bool> = Target::all(&config)
            .iter()
            .map(|channel| own.takes_escalated(channel, Some(9), &config))
            .collect();
        assert_eq!(at_own_table, [false, false, false, true, false]);
    }
}
