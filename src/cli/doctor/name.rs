//! The name that the desk announces in the network of the hall: whether it is answered there, and whether it leads to this machine.

use std::{collections::BTreeSet, net::IpAddr, time::Duration};

use if_addrs::get_if_addrs;
use mdns_sd::{HostnameResolutionEvent, IfKind, ServiceDaemon};

use super::{Finding, Level};
use crate::config::HttpConfig;

/// How long the network may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks the network for the name, as a phone does; there is nothing to say where none is reported.
pub(super) fn examine(http: &HttpConfig) -> Option<Finding> {
    let host = http.local_host()?;
    let own: BTreeSet<IpAddr> =
        get_if_addrs().into_iter().flatten().map(|interface| interface.ip()).collect();
    let finding = |level, text: String| Finding::new("name", level, &host, text);
    Some(match addresses(&host) {
        Err(error) => finding(Level::Warning, format!("the network cannot be asked for it: {error}"))
            .remedy("phones find the desk at its address"),
        Ok(found) if found.is_empty() => {
            finding(Level::Warning, "nobody in the network answers to it, so phones need the address".to_owned())
                .remedy("'sudo jadoube open' lets multicast DNS through the address filter of the unit; some access points do not pass it on")
        }
        Ok(found) => {
            let listed: Vec<String> = found.iter().map(ToString::to_string).collect();
            let text = format!("leads to {}", listed.join(" and "));
            if found.is_subset(&own) {
                finding(Level::Ok, text)
            } else {
                finding(Level::Warning, format!("{text}, which is another machine"))
                    .remedy("give each desk a name of its own: http.local_name")
            }
        }
    })
}

/// Returns the addresses that machines in the network answer with.
fn addresses(host: &str) -> Result<BTreeSet<IpAddr>, mdns_sd::Error> {
    let thread = ServiceDaemon::new()?;
    thread.disable_interface(vec![IfKind::LoopbackV4, IfKind::LoopbackV6])?;
    let patience = u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX);
    let events = thread.resolve_hostname(&format!("{host}."), Some(patience))?;
    let mut found = BTreeSet::new();
    // The end of the search is an event, too.
    while let Ok(event) = events.recv_timeout(PATIENCE * 2) {
        if let HostnameResolutionEvent::AddressesFound(_, addresses) = &event {
            found.extend(addresses.iter().map(mdns_sd::ScopedIp::to_ip_addr));
        }
        if !matches!(event, HostnameResolutionEvent::SearchStarted(_)) {
            break;
        }
    }
    drop(thread.shutdown());
    Ok(found)
}
