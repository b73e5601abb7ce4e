//! Certificate and key of the desk, as they are in their files at this moment.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio::sync::watch;
use tracing::{error, info};

use crate::{config::Config, metrics::Health};
use jadoube_runtime::platform::{self, FileId};

/// The part of the service that a certificate which cannot be used is reported for.
const PART: &str = "http.certificate";

/// How connections are taken at present.
#[derive(Clone, Debug)]
pub(crate) enum Lock {
    /// In clear text: there is no certificate.
    Open,
    /// Encrypted.
    Encrypted(Arc<ServerConfig>),
    /// Not at all: the certificate cannot be used.
    Closed,
}

/// Certificate and key; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Keys(Arc<KeyStore>);

#[derive(Debug)]
struct KeyStore {
    config: watch::Receiver<Arc<Config>>,
    health: Health,
    state: Mutex<Served>,
}

#[derive(Debug)]
struct Served {
    lock: Lock,
    read: Option<Files>,
}

/// Names and states of the files: a change of either is a new certificate.
type Files = (PathBuf, PathBuf, [Option<Stamp>; 2]);

/// Which file it is, and when it was changed.
type Stamp = (Option<FileId>, SystemTime);

impl Keys {
    /// Reads certificate and key, if there are any.
    pub(crate) fn new(config: watch::Receiver<Arc<Config>>, health: &Health) -> Self {
        let state = Mutex::new(Served { lock: Lock::Open, read: None });
        let keys = Self(Arc::new(KeyStore { config, health: health.clone(), state }));
        keys.refresh();
        keys
    }

    /// Returns how connections are taken at present.
    pub(crate) fn lock(&self) -> Lock {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).lock.clone()
    }

    /// Reads certificate and key again if they have changed; new ones that cannot be used change nothing.
    pub(crate) fn refresh(&self) {
        let http = self.0.config.borrow().http.clone().unwrap_or_default();
        let files = http.certificate.zip(http.key).map(|(certificate, key)| {
            let stamps = [stamp(&certificate), stamp(&key)];
            (certificate, key, stamps)
        });
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.read == files {
            return;
        }
        state.read.clone_from(&files);
        let Some((certificate, key, _)) = files else {
            state.lock = Lock::Open;
            self.0.health.set(PART, None);
            return;
        };
        match load(&certificate, &key) {
            Ok(config) => {
                info!(file = %certificate.display(), "the desk is encrypted with this certificate");
                state.lock = Lock::Encrypted(Arc::new(config));
                self.0.health.set(PART, None);
            }
            Err(reason) => {
                let is_served = matches!(state.lock, Lock::Encrypted(_));
                let effect =
                    if is_served { "the desk goes on with the old one" } else { "the desk is closed" };
                error!(reason, "{effect}");
                if !is_served {
                    state.lock = Lock::Closed;
                }
                self.0.health.set(PART, Some(format!("{reason}; {effect}")));
            }
        }
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    let meta = fs::metadata(file).ok()?;
    Some((platform::file_id(&meta), meta.modified().ok()?))
}

/// Reads certificate and key.
fn load(certificate: &Path, key: &Path) -> Result<ServerConfig, String> {
    let wrong = |file: &Path, reason: &dyn std::fmt::Display| format!("{}: {reason}", file.display());
    let certificates = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| wrong(certificate, &error))?;
    if certificates.is_empty() {
        return Err(wrong(certificate, &"holds no certificate in PEM"));
    }
    let mode = platform::mode(&fs::metadata(key).map_err(|error| wrong(key, &error))?);
    if mode & 0o027 != 0 {
        return Err(wrong(
            key,
            &"others can read it, or the group can write it: 'chmod 640' it, and make a new one",
        ));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
    // The provider is named here, so that none has to be installed for the whole process.
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = builder
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|error| wrong(certificate, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
