//! Other machines: what the daemon reports of itself, the broker, and what a phone would meet.

use std::{
    fs,
    net::{TcpStream, ToSocketAddrs as _},
    time::Duration,
};

use ureq::{
    Agent,
    tls::{Certificate, RootCerts, TlsConfig},
};

use super::{Finding, Level};
use crate::{
    cli::watch::{own_desk, own_tls},
    config::{AUTHORITY, BrokerAddress, Config, HttpConfig},
};

/// How long another machine may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Looks at all that listens or is called.
pub(super) fn examine(config: &Config, is_running: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(http) = &config.http {
        if is_running {
            findings.push(health(http));
        }
        #[cfg(feature = "tls")]
        findings.extend(super::certificate::examine(http));
        findings.push(phone(http, is_running));
        #[cfg(feature = "mdns")]
        if is_running {
            findings.extend(super::name::examine(http));
        }
    }
    if let Some(mqtt) = &config.mqtt {
        findings.push(broker(mqtt.url.secret()));
    }
    findings
}

fn agent(tls: TlsConfig) -> Agent {
    Agent::config_builder()
        .tls_config(tls)
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false)
        .build()
        .into()
}

/// Asks the daemon how it is.
fn health(http: &HttpConfig) -> Finding {
    let url = format!("{}/healthz", own_desk(http));
    match agent(own_tls()).get(&url).call() {
        Err(error) => Finding::new("daemon", Level::Fault, url, format!("does not answer: {error}"))
            .remedy("journalctl -u jadoube; another program may have the address"),
        Ok(mut answer) => {
            let is_well = answer.status().is_success();
            let text = answer.body_mut().read_to_string().unwrap_or_default();
            let text = text.trim().replace('\n', "; ");
            if is_well && text == "ok" {
                return Finding::new("daemon", Level::Ok, url, "is well");
            }
            let level = if is_well { Level::Warning } else { Level::Fault };
            Finding::new("daemon", level, url, text).remedy("journalctl -u jadoube")
        }
    }
}

/// Says which certificates a phone trusts: those of the local authority, if there is one.
fn phones_tls(http: &HttpConfig) -> TlsConfig {
    let authority = http.certificate.as_ref().map(|certificate| certificate.with_file_name(AUTHORITY));
    let authority = authority.and_then(|file| Certificate::from_pem(&fs::read(file).ok()?).ok());
    let roots = authority.map_or(RootCerts::WebPki, |authority| RootCerts::new_with_certs(&[authority]));
    TlsConfig::builder().root_certs(roots).build()
}

/// Says where phones look for the desk, if the configuration or this machine's network reports it.
#[cfg(feature = "http")]
fn address(http: &HttpConfig) -> Option<String> {
    crate::accounts::desk_address(http)
}

#[cfg(not(feature = "http"))]
fn address(http: &HttpConfig) -> Option<String> {
    http.url.as_ref().map(|url| url.secret().to_owned())
}

/// Says what somebody with a phone in the hall finds.
fn phone(http: &HttpConfig, is_running: bool) -> Finding {
    let finding = |level, subject: &str, text: String| Finding::new("phone", level, subject, text);
    let listen = http.listen.to_string();
    let Some(url) = address(http) else {
        if http.listen.ip().is_loopback() {
            return finding(Level::Note, &listen, "only this machine reaches the desk".to_owned())
                .remedy("'jadoube open' opens it to the hall; src/http/README.md says how it is encrypted");
        }
        let text = "phones would reach the desk, but this machine is in no network at present";
        return finding(Level::Note, &listen, text.to_owned());
    };
    match agent(phones_tls(http)).get(&url).call() {
        Ok(answer) if answer.status().is_success() => {
            if http.url.is_none() && http.certificate.is_none() {
                let text = "phones reach the desk without encryption: others can read along, and browsers allow no notifications";
                return finding(Level::Warning, &url, text.to_owned())
                    .remedy("'jadoube certificate' makes a certificate; http.url then says where phones find it");
            }
            finding(Level::Ok, &url, "opens the desk".to_owned())
        }
        Ok(answer) => finding(Level::Fault, &url, format!("answers with {}", answer.status()))
            .remedy("the proxy has to pass everything on to http.listen, with the name of the host; see http.hosts"),
        // Without the daemon nobody answers.
        Err(error) if !is_running => {
            finding(Level::Note, &url, format!("not checked, as no daemon runs: {error}"))
        }
        Err(error) if http.url.is_none() => finding(Level::Fault, &url, format!("a phone meets this: {error}"))
            .remedy("the unit keeps other machines out, or the daemon was not started anew: 'sudo jadoube open' lets the hall in"),
        Err(error) => finding(Level::Fault, &url, format!("a phone meets this: {error}"))
            .remedy("check name, certificate and proxy: the name has to lead to this machine, and phones have to trust it"),
    }
}

/// Says whether the broker can be reached; it sees no more than a connection.
fn broker(url: &str) -> Finding {
    let connect = || -> Result<(), String> {
        let BrokerAddress { host, port, .. } = BrokerAddress::parse(url)?;
        let addresses = (host.as_str(), port).to_socket_addrs().map_err(|error| error.to_string())?;
        let mut last = "its name has no address".to_owned();
        for address in addresses {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(_) => return Ok(()),
                Err(error) => last = error.to_string(),
            }
        }
        Err(last)
    };
    match connect() {
        Ok(()) => Finding::new("broker", Level::Ok, url, "can be reached"),
        Err(error) => Finding::new("broker", Level::Fault, url, format!("cannot be reached: {error}")).remedy(
            "is it running? The sandbox has to allow it: systemctl edit jadoube, [Service], IPAddressAllow=ADDRESS",
        ),
    }
}
