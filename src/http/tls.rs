//! How connections of the desk come in: encrypted if there is a certificate, which is read again when its files change.
//!
//! With a certificate, clear text gets no more than the page on how to trust it, and is sent to https otherwise. A
//! certificate that cannot be used shuts the TLS listener: nothing is served in clear text by accident.

#[cfg(feature = "tls")]
mod keys;
#[cfg(not(feature = "tls"))]
mod keys {
    use std::sync::Arc;

    use tokio::sync::watch;

    use crate::{config::Config, metrics::Health};

    /// Whether the configuration wants what this program was built without.
    #[derive(Clone, Debug)]
    pub(crate) struct Keys(bool);

    impl Keys {
        #[expect(clippy::needless_pass_by_value, reason = "with encryption it is kept")]
        pub(crate) fn new(config: watch::Receiver<Arc<Config>>, health: &Health) -> Self {
            let wanted = config.borrow().http.as_ref().is_some_and(|http| http.certificate.is_some());
            if wanted {
                let reason = "http.certificate is set, but this program was built without the feature tls";
                health.set("http.certificate", Some(reason.to_owned()));
                tracing::error!(reason, "the desk is closed");
            }
            Self(wanted)
        }

        #[expect(clippy::unused_self, reason = "with encryption it reads files")]
        pub(crate) fn refresh(&self) {}

        pub(super) fn is_closed(&self) -> bool {
            self.0
        }
    }
}

use std::{io, net::IpAddr, sync::Arc};

use axum::Router;
use tokio::{net::TcpStream, sync::watch};

pub(crate) use self::keys::Keys;
#[cfg(feature = "tls")]
use self::keys::Lock;
use crate::config::Config;

/// First byte of a connection that is to be encrypted: the type of a handshake's record (RFC 8446, 5.1).
#[cfg(feature = "tls")]
const HANDSHAKE: u8 = 0x16;

/// What is behind an address.
#[derive(Clone)]
pub(crate) struct TlsListener {
    router: Router,
    /// What clear text gets where there is a certificate, and the certificate.
    keys: Option<(Router, Keys)>,
    /// Who the proxies are, if any are trusted here.
    config: Option<watch::Receiver<Arc<Config>>>,
}

/// A connection that has come in.
pub(crate) enum Opened {
    /// In clear text.
    Clear(TcpStream, Router),
    /// Encrypted.
    #[cfg(feature = "tls")]
    Encrypted(Box<tokio_rustls::server::TlsStream<TcpStream>>, Router),
}

impl TlsListener {
    /// Makes a TLS listener for clear text only.
    pub(crate) const fn clear(router: Router) -> Self {
        Self { router, keys: None, config: None }
    }

    /// Makes a TLS listener that is encrypted if there is a certificate; then `clear` is for clear text.
    pub(crate) fn new(router: Router, clear: Router, keys: &Keys) -> Self {
        Self { router, keys: Some((clear, keys.clone())), config: None }
    }

    /// Trusts the proxies of `http.trusted_proxies`.
    pub(crate) fn behind(self, config: watch::Receiver<Arc<Config>>) -> Self {
        Self { config: Some(config), ..self }
    }

    /// Returns whether the connections of an address are those of many clients.
    pub(super) fn is_shared(&self, address: IpAddr) -> bool {
        let is_proxy = |config: &watch::Receiver<Arc<Config>>| {
            config.borrow().http.as_ref().is_some_and(|http| http.trusts(address))
        };
        address.is_loopback() || self.config.as_ref().is_some_and(is_proxy)
    }

    /// Lets a connection in.
    #[cfg(feature = "tls")]
    pub(crate) async fn open(self, stream: TcpStream) -> io::Result<Opened> {
        let Some((clear, keys)) = self.keys else { return Ok(Opened::Clear(stream, self.router)) };
        let acceptor = match keys.lock() {
            Lock::Open => return Ok(Opened::Clear(stream, self.router)),
            Lock::Encrypted(config) => tokio_rustls::TlsAcceptor::from(config),
            Lock::Closed => return Err(io::Error::other("the certificate cannot be used")),
        };
        let mut first = [0];
        stream.peek(&mut first).await?;
        if first != [HANDSHAKE] {
            return Ok(Opened::Clear(stream, clear));
        }
        Ok(Opened::Encrypted(Box::new(acceptor.accept(stream).await?), self.router))
    }

    /// Lets a connection in.
    #[cfg(not(feature = "tls"))]
    #[expect(clippy::unused_async, reason = "with encryption it waits")]
    pub(crate) async fn open(self, stream: TcpStream) -> io::Result<Opened> {
        match self.keys {
            Some((_, keys)) if keys.is_closed() => Err(io::Error::other("this program cannot encrypt")),
            _ => Ok(Opened::Clear(stream, self.router)),
        }
    }
}
