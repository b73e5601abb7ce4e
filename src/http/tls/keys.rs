//! Certificate and key of the desk, as they are in their files at this moment.

use std::{
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use rustls::{
    Error, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio::sync::watch;
use tracing::{error, info};

use crate::{config::Config, metrics::Health};
use jadoube_runtime::{
    platform::{self, FileId},
    private,
};

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

/// Reads certificate and key; a reason names the file and what to do.
fn load(certificate: &Path, key: &Path) -> Result<ServerConfig, String> {
    let wrong = |file: &Path, reason: &dyn Display| format!("{}: {reason}", file.display());
    let damaged = |file: &Path, reason: &dyn Display| {
        wrong(
            file,
            &format_args!(
                "{reason}; put the whole file there, or make certificate and key with 'jadoube certificate'"
            ),
        )
    };
    let text = private::read(certificate).map_err(|error| wrong(certificate, &error))?;
    let certificates = CertificateDer::pem_slice_iter(&text)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| damaged(certificate, &error))?;
    if certificates.is_empty() {
        return Err(damaged(certificate, &"holds no certificate in PEM"));
    }
    let mode = platform::mode(&fs::metadata(key).map_err(|error| wrong(key, &error))?);
    if mode & 0o027 != 0 {
        return Err(wrong(
            key,
            &"others can read it, or the group can write it: 'chmod 640' it, and make a new one",
        ));
    }
    let text = private::read(key).map_err(|error| wrong(key, &error))?;
    // What is in the file is nobody's business.
    let secret = PrivateKeyDer::from_pem_slice(&text)
        .map_err(|_| damaged(key, &"holds no key in PEM, or not all of it"))?;
    // The provider is named here, so that none has to be installed for the whole process.
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let pair = builder.with_no_client_auth().with_single_cert(certificates, secret);
    let mut config = pair.map_err(|error| {
        if matches!(error, Error::InconsistentKeys(_)) {
            let reason = format_args!("does not belong to {}: put both there that do", key.display());
            wrong(certificate, &reason)
        } else if matches!(error, Error::InvalidCertificate(_)) {
            damaged(certificate, &error)
        } else {
            damaged(key, &error)
        }
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use rcgen::{CertifiedKey, generate_simple_self_signed};
    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;
    use crate::config::HttpConfig;

    /// Puts new bytes in the place of a file, as whoever installs a certificate does.
    fn put(file: &Path, bytes: &[u8]) {
        let beside = file.with_extension("new");
        fs::write(&beside, bytes).unwrap();
        fs::set_permissions(&beside, fs::Permissions::from_mode(0o600)).unwrap();
        fs::rename(&beside, file).unwrap();
    }

    #[test]
    fn a_damaged_certificate_or_key_is_named_and_the_old_ones_go_on() {
        let dir = tempfile::tempdir().unwrap();
        let [certificate, key] = ["desk.pem", "desk.key"].map(|name| dir.path().join(name));
        let pair = || {
            let CertifiedKey { cert, signing_key } =
                generate_simple_self_signed(["localhost".to_owned()]).unwrap();
            [cert.pem(), signing_key.serialize_pem()].map(String::into_bytes)
        };
        let (whole, [_, other_key]) = (pair(), pair());
        put(&certificate, &whole[0]);
        put(&key, &whole[1]);
        let http = HttpConfig {
            certificate: Some(certificate.clone()),
            key: Some(key.clone()),
            ..HttpConfig::default()
        };
        let config = Config { http: Some(http), ..Config::default() };
        let (_sender, config) = watch::channel(Arc::new(config));
        let health = Health::default();
        let keys = Keys::new(config, &health);
        let served = || {
            let lock = keys.lock();
            let Lock::Encrypted(config) = lock else { panic!("{lock:?}") };
            config
        };
        let first = served();
        let check = |file: &Path, whole: &[u8], bytes: &[u8], remedy: &str| {
            put(file, bytes);
            keys.refresh();
            assert!(Arc::ptr_eq(&first, &served()), "{remedy}: {}", bytes.escape_ascii());
            let reported = health.failing().remove(PART).unwrap();
            assert!(
                reported.contains(&file.display().to_string()) && reported.contains(remedy),
                "{reported}"
            );
            assert!(reported.ends_with("; the desk goes on with the old one"), "{reported}");
            put(file, whole);
        };
        for (file, whole) in [(&certificate, &whole[0]), (&key, &whole[1])] {
            for len in 0..whole.trim_ascii_end().len() {
                check(file, whole, &whole[..len], "'jadoube certificate'");
            }
            check(file, whole, &vec![0; whole.len()], "'jadoube certificate'");
            check(
                file,
                whole,
                &whole.iter().map(|byte| byte ^ 0xa5).collect::<Vec<_>>(),
                "'jadoube certificate'",
            );
            let in_base64 = String::from_utf8_lossy(whole).replace('M', "N");
            check(file, whole, in_base64.as_bytes(), "'jadoube certificate'");
            fs::remove_file(file).unwrap();
            mkfifoat(CWD, file, Mode::RUSR | Mode::WUSR).unwrap();
            keys.refresh();
            assert!(health.failing().remove(PART).unwrap().contains("is no file"));
            assert!(Arc::ptr_eq(&first, &served()));
            put(file, whole);
        }
        check(&key, &whole[1], &other_key, "does not belong to");
        keys.refresh();
        assert!(health.failing().is_empty());
        assert!(!Arc::ptr_eq(&first, &served()));
    }
}
