//! Makes what a connection needs of the configuration: address, credentials, certificates.

use std::{io, path::Path, sync::Arc};

use rumqttc::{MqttOptions, TlsConfiguration, Transport};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use crate::config::{BrokerAddress, MqttConfig};
use jadoube_runtime::private;

/// How often the broker hears from us at least; one and a half times that, and it publishes our last will.
const KEEP_ALIVE_S: u16 = 10;

/// Largest packet that is sent.
const LARGEST_OUT: usize = 1 << 20;

/// Makes the options of a connection; `largest` bytes are taken in one packet.
///
/// # Errors
///
/// Returns what is wrong with a file that the configuration names.
pub(crate) fn options(
    config: &MqttConfig,
    client_id: &str,
    window: u16,
    largest: usize,
) -> Result<MqttOptions, String> {
    let address = BrokerAddress::parse(config.url.secret())?;
    // Only brackets distinguish an IPv6 address from its port.
    let host = if address.host.contains(':') { format!("[{}]", address.host) } else { address.host };
    let mut options = MqttOptions::new(client_id, (host, address.port));
    options.set_keep_alive(KEEP_ALIVE_S).set_clean_session(true).set_inflight(window);
    options.set_max_packet_size(largest, LARGEST_OUT);
    if !config.user.is_empty() {
        options.set_credentials(&config.user, password(config)?);
    }
    if address.tls {
        let tls = tls(config.ca_file.as_deref())?;
        options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(Arc::new(tls))));
    }
    Ok(options)
}

fn password(config: &MqttConfig) -> Result<String, String> {
    let Some(file) = &config.password_file else { return Ok(String::new()) };
    private::read_secret(file).map_err(|error| format!("mqtt.password_file: {}: {error}", file.display()))
}

fn tls(ca_file: Option<&Path>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    let certificates = match ca_file {
        Some(file) => {
            read_certificates(file).map_err(|error| format!("mqtt.ca_file: {}: {error}", file.display()))?
        }
        None => rustls_native_certs::load_native_certs().certs,
    };
    let (added, _) = roots.add_parsable_certificates(certificates);
    if added == 0 {
        let what = ca_file.map_or("the system has no certificates; set mqtt.ca_file".to_owned(), |file| {
            format!("mqtt.ca_file: {}: holds no certificate", file.display())
        });
        return Err(what);
    }
    // The provider is named here, so that none has to be installed for the whole process.
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn read_certificates(file: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    let bytes = private::read(file)?;
    let certificates = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
    certificates.map_err(|error| io::Error::other(format!("no certificate in PEM: {error}")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rumqttc::ConnectAuth;

    use super::*;
    use std::fs;

    #[track_caller]
    fn check_error(config: &MqttConfig, expected: &str) {
        let error = options(config, "c", 10, 100).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn a_wrong_file_is_named_with_its_key() {
        let dir = tempfile::tempdir().unwrap();
        let empty = dir.path().join("empty");
        fs::write(&empty, "").unwrap();
        let url = "mqtts://b".to_owned();
        let missing = MqttConfig {
            user: "u".to_owned(),
            password_file: Some(PathBuf::from("/nowhere")),
            ..MqttConfig::default()
        };
        check_error(&missing, "mqtt.password_file: /nowhere: No such file");
        let missing =
            MqttConfig { url: url.into(), ca_file: Some(PathBuf::from("/nowhere")), ..MqttConfig::default() };
        check_error(&missing, "mqtt.ca_file: /nowhere: No such file");
        let empty = MqttConfig { ca_file: Some(empty), ..missing };
        let error = options(&empty, "c", 10, 100).unwrap_err();
        assert!(error.ends_with("holds no certificate"), "{error}");
    }

    #[test]
    fn a_password_file_may_end_in_a_line_end() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("password");
        fs::write(&file, "secret\n").unwrap();
        let config = MqttConfig { user: "u".to_owned(), password_file: Some(file), ..MqttConfig::default() };
        let options = options(&config, "c", 10, 100).unwrap();
        let expected = ConnectAuth::UsernamePassword { username: "u".to_owned(), password: "secret".into() };
        assert_eq!(options.auth(), &expected);
    }
}
