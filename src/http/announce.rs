//! Owns the name of the desk in the network of the hall, `jadoube.local`: multicast DNS (RFC 6762) announces it, and the service (RFC 6763),
//! as long as other machines reach the desk.
//!
//! It answers and remembers nothing of what others say, except that another machine has the name. In the sandbox of the unit it needs
//! what `jadoube open` lets through: the groups of multicast DNS, and the list of interfaces.

mod names;
mod network;
mod speaker;

use std::net::SocketAddr;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::speaker::Speaker;
use crate::{config::HttpConfig, metrics::Health};

/// What is to be announced in the network.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Wanted {
    name: String,
    address: SocketAddr,
    is_encrypted: bool,
}

impl Wanted {
    fn of(http: &HttpConfig) -> Option<Self> {
        http.local_host()?;
        let is_encrypted = http.certificate.is_some();
        Some(Self { name: http.local_name.clone(), address: http.listen, is_encrypted })
    }
}

/// Announces in the network where the desk is.
pub(super) struct Announcer {
    health: Health,
    shutdown: CancellationToken,
    wanted: Option<Wanted>,
    speaking: CancellationToken,
}

impl Announcer {
    pub(super) fn new(health: &Health, shutdown: &CancellationToken) -> Self {
        let speaking = shutdown.child_token();
        Self { health: health.clone(), shutdown: shutdown.clone(), wanted: None, speaking }
    }

    /// Follows the configuration; to be called whenever it may have changed.
    pub(super) fn follow(&mut self, http: Option<&HttpConfig>, tasks: &mut JoinSet<()>) {
        let wanted = http.and_then(Wanted::of);
        if wanted != self.wanted {
            // The network hears that the old name has gone.
            self.speaking.cancel();
            self.speaking = self.shutdown.child_token();
            if let Some(wanted) = &wanted {
                let speaker = Speaker::new(wanted.clone(), self.health.clone());
                tasks.spawn(speaker.run(self.speaking.clone()));
            }
            self.wanted = wanted;
        }
    }
}
