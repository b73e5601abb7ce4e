//! The desk's certificate: for how long it counts, and for which name.
//!
//! Whether phones trust it is seen where the desk is asked as a phone would ask it.

use std::{fs, path::Path, time::Duration};

use jadoube_runtime::clock::SystemClock;
use rustls::{
    CertificateError, Error, RootCertStore,
    client::{verify_server_cert_signed_by_trust_anchor, verify_server_name},
    crypto::ring::default_provider,
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
    server::ParsedCertificate,
};

use super::{Finding, Level};
use crate::config::{AUTHORITY, HttpConfig};

/// A certificate that ends sooner than this is reported.
const SOON: Duration = Duration::from_hours(30 * 24);

/// What makes a new one.
const RENEW: &str =
    "'jadoube certificate' makes a new one, or ask whoever made it; the desk takes it without a restart";

/// Looks at the desk's certificate, if it has one.
pub(super) fn examine(http: &HttpConfig) -> Option<Finding> {
    let path = http.certificate.as_deref()?;
    let now = SystemClock::start().started().as_second();
    let now = Duration::from_secs(u64::try_from(now).unwrap_or_default());
    let url = http.url.as_ref().and_then(|url| url::Url::parse(url.secret()).ok());
    let host = url.as_ref().and_then(url::Url::host_str).map(|host| host.trim_matches(['[', ']']));
    Some(judge(path, host, now))
}

/// Judges the certificate in a file, for the desk's host and the time since 1970.
pub(super) fn judge(path: &Path, host: Option<&str>, now: Duration) -> Finding {
    let found = |level, text: String| Finding::new("certificate", level, path.display().to_string(), text);
    let chain = match read(path) {
        Ok(chain) => chain,
        Err(error) => {
            return found(Level::Fault, format!("cannot be read: {error}"))
                .remedy("make it readable for the user of the daemon; 'jadoube certificate' makes one");
        }
    };
    let authority = read(&path.with_file_name(AUTHORITY)).unwrap_or_default();
    let Some(leaf) = chain.first() else {
        return found(Level::Fault, "holds no certificate".to_owned()).remedy(RENEW);
    };
    let leaf = match ParsedCertificate::try_from(leaf) {
        Ok(leaf) => leaf,
        Err(error) => return found(Level::Fault, format!("cannot be used: {error}")).remedy(RENEW),
    };
    let others = chain.get(1..).unwrap_or_default();
    let counts = |at: Duration| counts(&leaf, others, authority.first().or(others.last()), at);
    match counts(now) {
        Err(Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        )) => {
            return found(Level::Fault, "has ended: phones refuse it".to_owned()).remedy(RENEW);
        }
        Err(error) => {
            return found(Level::Warning, format!("it is not known until when it counts: {error}"))
                .remedy("the file needs the certificates of whoever signed it, behind that of the desk");
        }
        Ok(()) => {}
    }
    if let Some(host) = host
        && let Ok(name) = ServerName::try_from(host)
        && verify_server_name(&leaf, &name).is_err()
    {
        return found(Level::Fault, format!("is not for {host}, which http.url names"))
            .remedy("'jadoube certificate --name NAME' makes one for it; or change http.url");
    }
    match counts(now + SOON) {
        Ok(()) => found(Level::Ok, "counts for more than 30 days".to_owned()),
        Err(_) => found(Level::Warning, "ends within 30 days".to_owned()).remedy(RENEW),
    }
}

fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let text = fs::read(path).map_err(|error| error.to_string())?;
    CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Returns whether a certificate counts at a time since 1970, if who signed it is trusted.
fn counts(
    leaf: &ParsedCertificate<'_>,
    others: &[CertificateDer<'_>],
    signer: Option<&CertificateDer<'_>>,
    at: Duration,
) -> Result<(), Error> {
    let mut roots = RootCertStore::empty();
    if let Some(signer) = signer {
        roots.add(signer.clone().into_owned())?;
    }
    let algorithms = default_provider().signature_verification_algorithms.all;
    verify_server_cert_signed_by_trust_anchor(
        leaf,
        &roots,
        others,
        UnixTime::since_unix_epoch(at),
        algorithms,
    )
}
