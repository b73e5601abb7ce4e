//! The devices that are signed in: listed, and signed out each by itself.

use std::net::IpAddr;

use serde::Serialize;
use tokio::task::spawn_blocking;
use tracing::warn;

use super::{Open, Session, Sessions, now, public_id};
use crate::accounts::AccountFile;
use jadoube_core::printable::is_seen;

/// Longest name of a device, characters.
const LONGEST_DEVICE: usize = 200;

/// A device that is signed in.
#[derive(Clone, Debug, Serialize)]
pub(in crate::http) struct Device {
    /// Distinguishes it from all others; nobody can sign in with it.
    pub(in crate::http) id: String,
    pub(in crate::http) arbiter: String,
    pub(super) since: Option<jiff::Timestamp>,
    pub(super) until: jiff::Timestamp,
    pub(super) address: Option<IpAddr>,
    #[serde(rename = "device")]
    pub(super) name: String,
}

impl Sessions {
    /// Notes what the browser of a session calls itself.
    pub(in crate::http) async fn name_device(&self, session: &Session, name: &str) {
        let name: String = name.chars().filter(|sign| is_seen(*sign)).take(LONGEST_DEVICE).collect();
        if let Some(open) = self.state().open.get_mut(&session.key) {
            open.device = name;
        }
        self.save().await;
    }

    /// Lists the devices that are signed in, the latest first; those of one account, or all.
    pub(in crate::http) fn devices(&self, of: Option<&str>) -> Vec<Device> {
        let now = now();
        let state = self.state();
        let device = |(key, open): (&String, &Open)| {
            let account = state.accounts.iter().find(|account| account.id == open.account)?;
            let is_wanted = open.until > now && of.is_none_or(|name| name == account.name);
            is_wanted.then(|| Device {
                id: public_id(key),
                arbiter: account.name.clone(),
                since: open.since,
                until: open.until,
                address: open.address,
                name: open.device.clone(),
            })
        };
        let mut devices: Vec<Device> = state.open.iter().filter_map(device).collect();
        devices.sort_by_key(|device| std::cmp::Reverse(device.until));
        devices
    }

    /// Signs one device out; says whether there was one of this id.
    pub(in crate::http) async fn sign_out_device(&self, id: &str) -> bool {
        let before = self.state().open.len();
        self.state().open.retain(|key, _| public_id(key) != id);
        let is_gone = self.state().open.len() < before;
        if is_gone {
            self.changes.send_replace(());
            self.end_links(id.to_owned(), None).await;
            self.save().await;
        }
        is_gone
    }

    /// Ends the links that a device has made, of one account or of all: whoever had it would come back by them.
    pub(super) async fn end_links(&self, device: String, of: Option<String>) {
        let file = AccountFile::of(&self.config.borrow().state_dir);
        let ended = spawn_blocking(move || file.end_links(&device, of.as_deref())).await;
        let error = match ended {
            Ok(ended) => ended.err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(error) = error {
            warn!(%error, "links that a device has made count on after it was signed out");
        }
        self.refresh();
    }
}
