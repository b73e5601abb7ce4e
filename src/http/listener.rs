//! Listening sockets of a service: on an address, or those that the service manager has opened (socket activation).
//!
//! An address that another program uses is said once, with the remedy, and tried again until it is free.

use std::{
    io::{self, ErrorKind},
    net::{self, SocketAddr},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{Interval, MissedTickBehavior, interval, sleep},
};
use tracing::{debug, error, info, warn};

use crate::metrics::Health;
use jadoube_runtime::platform;

/// How often an address that cannot be had is tried.
const RETRY: Duration = Duration::from_secs(2);

/// How long no connection is accepted after the system has run out of something.
const EXHAUSTED: Duration = Duration::from_millis(200);

/// Sockets of the service manager that no service has taken yet, by name.
static PASSED: Mutex<Option<Vec<(String, net::TcpListener)>>> = Mutex::new(None);

/// A listening socket, opened when it is first needed and again whenever its address changes.
#[derive(Debug)]
pub(crate) struct Listener {
    service: &'static str,
    source: Binding,
    socket: Option<TcpListener>,
    retry: Interval,
    complained: bool,
    /// Whether the system has run out of something, so that no connection can be accepted.
    exhausted: bool,
    health: Health,
}

#[derive(Debug)]
enum Binding {
    /// An address, which a reload may change.
    Address(watch::Receiver<Option<SocketAddr>>),
    /// The service manager's socket.
    Passed,
}

impl Listener {
    /// Listens on an address from the first call of [`Listener::accept`] on, and not while there is none.
    pub(crate) fn at(service: &'static str, address: watch::Receiver<Option<SocketAddr>>) -> Self {
        Self::new(service, Binding::Address(address), None)
    }

    /// Returns the sockets that the service manager has opened for a service; they are handed out once.
    ///
    /// Their name in the service manager's `FileDescriptorName` is that of the service.
    pub(crate) fn passed(service: &'static str) -> Vec<Self> {
        let mut passed = PASSED.lock().unwrap_or_else(PoisonError::into_inner);
        let all = passed.get_or_insert_with(passed_listeners);
        let mine: Vec<_> = all.extract_if(.., |(name, _)| is_for(name, service)).collect();
        let open = |(_, listener): (String, net::TcpListener)| {
            let opened = listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener));
            match opened {
                Ok(listener) => Some(Self::new(service, Binding::Passed, Some(listener))),
                Err(error) => {
                    error!(service, %error, "a socket of the service manager cannot be used");
                    None
                }
            }
        };
        mine.into_iter().filter_map(open).collect()
    }

    fn new(service: &'static str, source: Binding, socket: Option<TcpListener>) -> Self {
        let mut retry = interval(RETRY);
        retry.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            service,
            source,
            socket,
            retry,
            complained: false,
            exhausted: false,
            health: Health::default(),
        }
    }

    /// Reports errors to `health`.
    pub(crate) fn watched(self, health: &Health) -> Self {
        Self { health: health.clone(), ..self }
    }

    /// Waits for a connection; cancel safe.
    pub(crate) async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            let Some(listener) = &self.socket else {
                self.retry.tick().await;
                self.open().await;
                continue;
            };
            let accepted = match &mut self.source {
                // The last one may have been taken with the last handle; then nobody comes to show that there are more.
                _ if self.exhausted => {
                    let Some(accepted) = listener.accept().now_or_never() else {
                        self.recover();
                        continue;
                    };
                    accepted
                }
                Binding::Passed => listener.accept().await,
                Binding::Address(address) => tokio::select! {
                    accepted = listener.accept() => accepted,
                    changed = address.changed() => {
                        if changed.is_err() {
                            return std::future::pending().await;
                        }
                        if *address.borrow_and_update() != listener.local_addr().ok() {
                            self.socket = None;
                            self.complained = false;
                            self.retry.reset_immediately();
                        }
                        continue;
                    }
                },
            };
            match accepted {
                Ok((stream, from)) => {
                    self.recover();
                    return (stream, from);
                }
                Err(error) if is_of_the_client(error.kind()) => {
                    debug!(%error, "the client left before its connection was accepted");
                }
                Err(error) => {
                    if !std::mem::replace(&mut self.exhausted, true) {
                        warn!(service = self.service, %error, "no connection can be accepted; tried again");
                        let reason = format!("no connection can be accepted: {error}");
                        self.health.set(self.service, Some(reason));
                    }
                    sleep(EXHAUSTED).await;
                }
            }
        }
    }

    /// Withdraws that no connection can be accepted.
    fn recover(&mut self) {
        if std::mem::take(&mut self.exhausted) {
            self.health.set(self.service, None);
        }
    }

    async fn open(&mut self) {
        let Binding::Address(address) = &mut self.source else { return };
        let Some(address) = *address.borrow_and_update() else { return };
        let service = self.service;
        match TcpListener::bind(address).await {
            Ok(listener) => {
                let address = listener.local_addr().unwrap_or(address);
                info!(service, %address, "listens");
                self.socket = Some(listener);
                if std::mem::take(&mut self.complained) {
                    self.health.set(service, None);
                }
            }
            Err(error) => {
                // A machine without IPv6 has no ::1, and nobody misses it.
                if error.kind() != ErrorKind::AddrNotAvailable || !address.ip().is_loopback() {
                    self.health.set(service, Some(format!("not listening on {address}: {error}")));
                }
                if !std::mem::replace(&mut self.complained, true) {
                    let remedy = remedy(service, address, &error);
                    error!(service, %address, %error, "cannot listen: {remedy}; tried again");
                }
            }
        }
    }
}

fn remedy(service: &str, address: SocketAddr, error: &io::Error) -> String {
    let kind = error.kind();
    if kind == ErrorKind::AddrInUse {
        let port = address.port();
        format!(
            "another program uses the port ('ss -ltnp sport = :{port}' names it); end it or set {service}.listen"
        )
    } else if kind == ErrorKind::AddrNotAvailable {
        format!("this machine does not have the address {}; set {service}.listen", address.ip())
    } else if kind == ErrorKind::PermissionDenied {
        format!("ports below 1024 need CAP_NET_BIND_SERVICE; set {service}.listen to a higher one")
    } else {
        format!("set {service}.listen")
    }
}

/// Returns whether an error concerns one client only.
const fn is_of_the_client(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionRefused
            | ErrorKind::Interrupted
    )
}

/// A unit may name several sockets alike: `http`, or `jadoube-http.socket` where it names none.
fn is_for(name: &str, service: &str) -> bool {
    name == service
        || name.strip_prefix("jadoube-").is_some_and(|name| name.trim_end_matches(".socket") == service)
}

fn passed_listeners() -> Vec<(String, net::TcpListener)> {
    let mut passed = Vec::new();
    for (name, socket) in platform::passed_sockets() {
        match socket {
            Ok(listener) => passed.push((name, listener)),
            Err(error) => error!(name, %error, "the service manager's socket takes no TCP connections"),
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_known_by_the_name_of_the_service() {
        assert!(is_for("http", "http"));
        assert!(is_for("jadoube-http.socket", "http"));
        assert!(!is_for("livechess", "http"));
        assert!(!is_for("", "http"));
    }

    #[tokio::test]
    async fn an_address_in_use_is_tried_until_it_is_free() {
        let taken = net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let (_sender, receiver) = watch::channel(Some(address));
        let mut listener = Listener::at("http", receiver);
        listener.retry.tick().await;
        listener.open().await;
        assert!(listener.socket.is_none() && listener.complained);
        drop(taken);
        listener.open().await;
        assert!(listener.socket.is_some() && !listener.complained);
    }
}
