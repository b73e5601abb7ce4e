//! Keys of notifications: where alerts go, and which.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{ConfigUrl, TableSet};
use jadoube_core::alert::Severity;

/// One way for alerts to locked phones.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NotifyConfig {
    /// What is on the other side.
    pub kind: NotifyKind,
    /// Its address: of an ntfy topic, of a Gotify server, of a webhook.
    #[serde(default)]
    pub url: ConfigUrl,
    /// File with the token of the server.
    #[serde(default)]
    pub token_file: Option<PathBuf>,
    /// Body of a webhook's request, with `{table}` and the like; JSON without it.
    #[serde(default)]
    pub template: Option<String>,
    /// A program and its arguments, with `{table}` and the like.
    #[serde(default)]
    pub command: Vec<String>,
    /// Only alerts of the tables of this arbiter.
    #[serde(default)]
    pub arbiter: Option<String>,
    /// Only alerts of these tables; all without it.
    #[serde(default)]
    pub tables: TableSet,
    /// The least urgent alerts that are sent.
    #[serde(default = "act")]
    pub severity: Severity,
    /// Whether names of players are sent.
    #[serde(default)]
    pub players: bool,
}

/// What notifications are sent to.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NotifyKind {
    /// A topic of an ntfy server.
    Ntfy,
    /// A Gotify server.
    Gotify,
    /// Whatever takes a POST request.
    Webhook,
    /// A program on this machine.
    Command,
}

impl NotifyKind {
    /// Returns the name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ntfy => "ntfy",
            Self::Gotify => "gotify",
            Self::Webhook => "webhook",
            Self::Command => "command",
        }
    }
}

impl NotifyConfig {
    /// Says what is missing, if anything: the key and what it is for.
    pub(super) fn lacks(&self) -> Option<(&'static str, &'static str)> {
        match self.kind {
            NotifyKind::Command if self.command.is_empty() => {
                Some(("command", "is missing: a program and its arguments"))
            }
            NotifyKind::Command => None,
            NotifyKind::Ntfy | NotifyKind::Gotify | NotifyKind::Webhook => (!self.url.is_web())
                .then_some(("url", "is no address: https://…, or http://… in the hall's own network")),
        }
    }
}

const fn act() -> Severity {
    Severity::Act
}
