//! The link that signs a phone in, as a text and as a picture (QR code).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use qrcode::{
    EcLevel, QrCode,
    render::{svg, unicode::Dense1x2},
};

use crate::config::HttpConfig;

/// Addresses that belong to nobody; asking the system for a way to one sends nothing.
const OUTSIDE: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1))];

/// A link that signs in whoever opens it.
#[derive(Clone, Debug)]
pub(crate) struct DeskLink(String);

impl DeskLink {
    /// Makes the link for a token; `desk` is where the desk is found. A browser sends no server what follows the `#`.
    pub(crate) fn new(desk: &str, token: &str) -> Self {
        Self(format!("{}/#/join/{token}", desk.trim_end_matches('/')))
    }

    /// Returns its address.
    pub(crate) fn url(&self) -> &str {
        &self.0
    }

    /// Draws it for a terminal, two squares a character: blocks are light, whatever the terminal's colours are.
    ///
    /// # Errors
    ///
    /// Returns an error if the link is too long.
    pub(crate) fn terminal(&self) -> Result<String, String> {
        let code = self.code()?;
        let mut picture = code.render::<Dense1x2>();
        Ok(picture.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).quiet_zone(true).build())
    }

    /// Draws it for a page.
    ///
    /// # Errors
    ///
    /// Returns an error if the link is too long.
    pub(crate) fn svg(&self) -> Result<String, String> {
        Ok(self.code()?.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build())
    }

    fn code(&self) -> Result<QrCode, String> {
        QrCode::with_error_correction_level(&self.0, EcLevel::M)
            .map_err(|error| format!("{} cannot be drawn: {error}", self.0))
    }
}

/// Draws any address for a page.
///
/// # Errors
///
/// Returns an error if the address is too long.
pub(crate) fn picture(url: &str) -> Result<String, String> {
    DeskLink(url.to_owned()).svg()
}

/// Draws any address for a terminal.
///
/// # Errors
///
/// Returns an error if the address is too long.
pub(crate) fn terminal_picture(url: &str) -> Result<String, String> {
    DeskLink(url.to_owned()).terminal()
}

/// Says where phones find the desk, as far as the configuration and the system know; `None` if only this machine does.
pub(crate) fn desk_address(http: &HttpConfig) -> Option<String> {
    if let Some(url) = &http.url {
        return Some(url.without_user());
    }
    let scheme = if http.certificate.is_some() { "https" } else { "http" };
    let port = http.listen.port();
    let ip = http.listen.ip();
    if ip.is_loopback() {
        return None;
    }
    if let Some(host) = http.hosts.first() {
        return Some(format!("{scheme}://{host}:{port}"));
    }
    let ip = if ip.is_unspecified() { own_address()? } else { ip };
    Some(format!("{scheme}://{}", SocketAddr::new(ip, port)))
}

/// Returns the address of this machine in its network.
pub(crate) fn own_address() -> Option<IpAddr> {
    let towards = |outside: &IpAddr| {
        let any = if outside.is_ipv4() {
            IpAddr::from(Ipv4Addr::UNSPECIFIED)
        } else {
            IpAddr::from(Ipv6Addr::UNSPECIFIED)
        };
        let socket = UdpSocket::bind((any, 0)).ok()?;
        socket.connect((*outside, 9)).ok()?;
        Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback())
    };
    OUTSIDE.iter().find_map(towards).or_else(listed_address)
}

/// Returns the address of the first interface: a hall without a way to the outside has addresses, too.
#[cfg(feature = "mdns")]
fn listed_address() -> Option<IpAddr> {
    let listed = || if_addrs::get_if_addrs().into_iter().flatten().map(|interface| interface.ip());
    let is_of_a_network = |ip: &IpAddr| !ip.is_loopback() && !ip.is_unspecified();
    listed()
        .find(|ip| is_of_a_network(ip) && ip.is_ipv4())
        .or_else(|| listed().find(|ip| is_of_a_network(ip) && !is_link_local(*ip)))
}

#[cfg(feature = "mdns")]
const fn is_link_local(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local())
}

#[cfg(not(feature = "mdns"))]
const fn listed_address() -> Option<IpAddr> {
    None
}
