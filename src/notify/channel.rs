//! Channels of notifications: those of the configuration, and the phones that arbiters have switched on.

use std::path::PathBuf;

use super::{
    message::Notification,
    send::{self, SendError},
};
#[cfg(feature = "push")]
use crate::accounts::{AccountFile, Subscription, Subscriptions};
use crate::{
    accounts::Stamp,
    config::{Config, ConfigUrl, NotifyConfig},
};
use jadoube_core::alert::Severity;

/// Where messages go.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Target {
    /// A channel of the configuration, with its number there.
    Configured(usize, NotifyConfig),
    /// A phone of an arbiter.
    #[cfg(feature = "push")]
    Phone(String, Subscription),
}

impl Target {
    /// Returns all channels at this moment; reads who has switched phones on.
    pub(super) fn all(config: &Config) -> Vec<Self> {
        let configured = config.notify.iter().enumerate();
        let configured = configured.map(|(index, channel)| Self::Configured(index, channel.clone()));
        configured.chain(phones(config)).collect()
    }

    /// Names it for people; the configuration counts its channels from 1.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Configured(index, channel) => format!("notify {}: {}", index + 1, channel.kind.name()),
            #[cfg(feature = "push")]
            Self::Phone(arbiter, _) => format!("phone of {arbiter}"),
        }
    }

    /// Returns whether it is the phone of an arbiter.
    pub(super) const fn is_phone(&self) -> bool {
        match self {
            Self::Configured(..) => false,
            #[cfg(feature = "push")]
            Self::Phone(..) => true,
        }
    }

    /// Returns the arbiter whose tables it is for, if it is one's.
    pub(super) fn arbiter(&self) -> Option<&str> {
        match self {
            Self::Configured(_, channel) => channel.arbiter.as_deref(),
            #[cfg(feature = "push")]
            Self::Phone(arbiter, _) => Some(arbiter),
        }
    }

    /// Returns whether it is for a table, unless an arbiter's tables are known.
    pub(super) fn has(&self, table: Option<u32>) -> bool {
        match self {
            Self::Configured(_, channel) => channel.tables.has(None, table),
            #[cfg(feature = "push")]
            Self::Phone(..) => false,
        }
    }

    /// Returns the least urgent alerts that are sent.
    pub(super) const fn severity(&self) -> Severity {
        match self {
            Self::Configured(_, channel) => channel.severity,
            #[cfg(feature = "push")]
            Self::Phone(_, Subscription { soon: true, .. }) => Severity::Look,
            #[cfg(feature = "push")]
            Self::Phone(..) => Severity::Act,
        }
    }

    /// Returns whether names of players may leave by this channel.
    pub(super) const fn has_players(&self) -> bool {
        match self {
            Self::Configured(_, channel) => channel.players,
            #[cfg(feature = "push")]
            Self::Phone(..) => false,
        }
    }

    /// Sends a notification; may take a while.
    pub(super) fn send(&self, message: &Notification, sender: &Sender) -> Result<(), SendError> {
        // Only messages for phones say who sends.
        #[cfg(not(feature = "push"))]
        let _: &Sender = sender;
        match self {
            Self::Configured(_, channel) => send::send(channel, message),
            #[cfg(feature = "push")]
            Self::Phone(_, subscription) => {
                let contact = sender.contact.as_deref();
                let sent = super::push::send(subscription, message, &sender.state_dir, contact);
                if matches!(sent, Err(SendError::Gone(_)))
                    && let Err(error) = Subscriptions::of(&sender.state_dir).remove(&subscription.endpoint)
                {
                    tracing::warn!(%error, "a phone that is no more stays in the list");
                }
                sent
            }
        }
    }
}

/// Who sends.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    state_dir: PathBuf,
    /// Whom a push service may ask: the desk, if it has an address that others can use.
    contact: Option<String>,
}

impl Sender {
    pub(super) fn new(config: &Config) -> Self {
        let url = config.http.as_ref().and_then(|http| http.url.as_ref()).map(ConfigUrl::to_string);
        Self { state_dir: config.state_dir.clone(), contact: url.filter(|url| url.starts_with("https://")) }
    }
}

/// Says which phones there are; it changes with them.
#[cfg(feature = "push")]
pub(super) fn stamp(config: &Config) -> Stamp {
    Subscriptions::of(&config.state_dir).stamp()
}

/// Says that there are no phones.
#[cfg(not(feature = "push"))]
pub(super) const fn stamp(_config: &Config) -> Stamp {
    None
}

#[cfg(feature = "push")]
fn phones(config: &Config) -> Vec<Target> {
    let phones = Subscriptions::of(&config.state_dir).load().unwrap_or_else(|error| {
        tracing::warn!(%error, "no phone is rung");
        Vec::new()
    });
    if phones.is_empty() {
        return Vec::new();
    }
    let accounts = AccountFile::of(&config.state_dir).load(config).unwrap_or_default();
    let name_of = |id: String| Some(accounts.iter().find(|account| account.id == id)?.name.clone());
    phones.into_iter().filter_map(|(id, phone)| Some(Target::Phone(name_of(id)?, phone))).collect()
}

#[cfg(not(feature = "push"))]
const fn phones(_config: &Config) -> Vec<Target> {
    Vec::new()
}
