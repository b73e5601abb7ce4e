//! Owns the name of the desk in the network of the hall, `jadoube.local`: multicast DNS (RFC 6762) tells it, and the service (RFC 6763),
//! as long as other machines reach the desk.
//!
//! The library answers on a thread of its own, and looks for networks that come and go. In the sandbox of the unit it needs what
//! `jadoube open` lets through: the groups of multicast DNS, and the list of interfaces.

use std::net::SocketAddr;

use mdns_sd::{DaemonEvent, IfKind, RRType, Receiver, ServiceDaemon, ServiceInfo};
use tracing::{debug, info, warn};

use crate::config::HttpConfig;

/// What the network is to be told.
#[derive(Debug, Eq, PartialEq)]
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

/// Tells the network where the desk is.
#[derive(Default)]
pub(super) struct Announcer {
    wanted: Option<Wanted>,
    speaking: Option<Speaking>,
}

impl Announcer {
    /// Follows the configuration, and says what has become of the name; to be called now and then.
    pub(super) fn follow(&mut self, http: Option<&HttpConfig>) {
        let wanted = http.and_then(Wanted::of);
        if wanted != self.wanted {
            // The network hears that the old name has gone.
            self.speaking = None;
            self.speaking = wanted.as_ref().and_then(|wanted| {
                let started = Speaking::start(wanted);
                started.inspect_err(|error| warn!(%error, "the desk has no name in the network")).ok()
            });
            self.wanted = wanted;
        }
        if let Some(speaking) = &mut self.speaking {
            speaking.listen();
        }
    }
}

/// The library's thread.
struct Speaking {
    host: String,
    thread: ServiceDaemon,
    events: Receiver<DaemonEvent>,
    is_known: bool,
    has_failed: bool,
}

impl Speaking {
    fn start(wanted: &Wanted) -> mdns_sd::Result<Self> {
        let Wanted { name, address, is_encrypted } = wanted;
        let thread = ServiceDaemon::new()?;
        let events = thread.monitor()?;
        let (ip, host) = (address.ip(), format!("{name}.local"));
        let kind = if *is_encrypted { "_https._tcp.local." } else { "_http._tcp.local." };
        let service = |ip: &str| ServiceInfo::new(kind, name, &format!("{host}."), ip, address.port(), None);
        let service = if ip.is_unspecified() {
            thread.disable_interface(vec![IfKind::LoopbackV4, IfKind::LoopbackV6])?;
            if ip.is_ipv4() {
                thread.disable_interface(IfKind::IPv6)?;
            }
            service("")?.enable_addr_auto()
        } else {
            thread.disable_interface(IfKind::All)?;
            thread.enable_interface(IfKind::Addr(ip))?;
            service(&ip.to_string())?
        };
        thread.register(service)?;
        Ok(Self { host, thread, events, is_known: false, has_failed: false })
    }

    /// Says what has happened, each kind once.
    fn listen(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            debug!(?event, "multicast DNS");
            if matches!(event, DaemonEvent::Announce(..)) && !std::mem::replace(&mut self.is_known, true) {
                info!("the network finds the desk as {}", self.host);
            }
            if let DaemonEvent::Error(error) = &event
                && !std::mem::replace(&mut self.has_failed, true)
            {
                warn!(%error, "the network may not find the desk as {}", self.host);
            }
            if let DaemonEvent::NameChange(change) = event
                && matches!(change.rr_type, RRType::A | RRType::AAAA)
            {
                let new = change.new_name.trim_end_matches('.').to_owned();
                warn!(
                    "another machine in the network is called {}: this desk is {new} now; http.local_name gives it a name of \
                     its own, and http.hosts = [\"{new}\"] lets browsers use this one",
                    self.host
                );
                self.host = new;
            }
        }
    }
}

impl Drop for Speaking {
    fn drop(&mut self) {
        // It ends by itself, and says before that the name has gone; nobody waits.
        drop(self.thread.shutdown());
    }
}
