//! The networks that the machine is in, and the sockets of multicast DNS.

use std::{
    collections::BTreeSet,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6},
};

use if_addrs::{IfAddr, Interface, get_if_addrs};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::UdpSocket;

/// The port of multicast DNS.
pub(super) const PORT: u16 = 5353;

const GROUP_V4: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 251);

const GROUP_V6: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 0xfb);

/// Interfaces that are looked at; a machine has a handful.
const MOST: usize = 64;

/// A network that the machine is in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Link {
    name: String,
    index: u32,
    addresses: Vec<IfAddr>,
}

impl Link {
    /// Lists the networks in which `listens` is reached.
    pub(super) fn all(listens: IpAddr) -> Vec<Self> {
        let is_reached = |interface: &Interface| {
            let ip = interface.ip();
            let is_any = listens.is_unspecified() && (listens.is_ipv6() || ip.is_ipv4());
            !ip.is_loopback() && (is_any || ip == listens)
        };
        let mut links: Vec<Self> = Vec::new();
        for interface in get_if_addrs().into_iter().flatten().filter(is_reached) {
            let Interface { name, addr, index, .. } = interface;
            if let Some(link) = links.iter_mut().find(|link| link.name == name) {
                link.addresses.push(addr);
            } else if links.len() < MOST {
                links.push(Self { name, index: index.unwrap_or(0), addresses: vec![addr] });
            }
        }
        links
    }

    /// Returns the addresses of the machine in it.
    pub(super) fn addresses(&self) -> Vec<IpAddr> {
        self.addresses.iter().map(IfAddr::ip).collect()
    }

    /// Returns whether somebody is in it: who asks from elsewhere is not answered (RFC 6762, 11).
    pub(super) fn has(&self, other: SocketAddr) -> bool {
        if let SocketAddr::V6(other) = other
            && other.scope_id() != 0
        {
            return other.scope_id() == self.index;
        }
        self.addresses.iter().any(|own| match (own, other.ip().to_canonical()) {
            (IfAddr::V4(own), IpAddr::V4(other)) => {
                let mask = own.netmask.to_bits();
                own.ip.to_bits() & mask == other.to_bits() & mask
            }
            (IfAddr::V6(own), IpAddr::V6(other)) => {
                let mask = own.netmask.to_bits();
                own.ip.to_bits() & mask == other.to_bits() & mask
            }
            (IfAddr::V4(_), IpAddr::V6(_)) | (IfAddr::V6(_), IpAddr::V4(_)) => false,
        })
    }

    fn ipv4(&self) -> Option<Ipv4Addr> {
        self.addresses.iter().find_map(|own| match own {
            IfAddr::V4(own) => Some(own.ip),
            IfAddr::V6(_) => None,
        })
    }

    fn has_ipv6(&self) -> bool {
        self.addresses.iter().any(|own| matches!(own, IfAddr::V6(_)))
    }
}

/// The sockets, one of each kind of address.
pub(super) struct Sockets {
    pub(super) v4: UdpSocket,
    /// Where the desk listens on IPv6, too.
    pub(super) v6: Option<UdpSocket>,
    joined: BTreeSet<(String, bool)>,
}

impl Sockets {
    /// Opens them.
    ///
    /// # Errors
    ///
    /// Returns an error if the port of multicast DNS cannot be shared.
    pub(super) fn open(with_ipv6: bool) -> io::Result<Self> {
        // A machine without IPv6 has none.
        let v6 = if with_ipv6 { open(Domain::IPV6, Ipv6Addr::UNSPECIFIED.into()).ok() } else { None };
        Ok(Self { v4: open(Domain::IPV4, Ipv4Addr::UNSPECIFIED.into())?, v6, joined: BTreeSet::new() })
    }

    /// Joins the group in networks that are new.
    pub(super) fn join(&mut self, links: &[Link]) {
        self.joined.retain(|(name, _)| links.iter().any(|link| link.name == *name));
        for link in links {
            if let Some(own) = link.ipv4()
                && self.joined.insert((link.name.clone(), false))
                && let Err(error) = SockRef::from(&self.v4).join_multicast_v4(&GROUP_V4, &own)
            {
                tracing::debug!(network = link.name, %error, "multicast DNS is not heard");
            }
            if let Some(socket) = &self.v6
                && link.has_ipv6()
                && self.joined.insert((link.name.clone(), true))
                && let Err(error) = SockRef::from(socket).join_multicast_v6(&GROUP_V6, link.index)
            {
                tracing::debug!(network = link.name, %error, "multicast DNS is not heard over IPv6");
            }
        }
    }

    /// Says something to all in a network.
    pub(super) async fn say(&self, link: &Link, packet: &[u8]) -> io::Result<()> {
        if let Some(own) = link.ipv4() {
            SockRef::from(&self.v4).set_multicast_if_v4(&own)?;
            self.v4.send_to(packet, (GROUP_V4, PORT)).await?;
        }
        if let Some(socket) = self.v6.as_ref().filter(|_| link.has_ipv6()) {
            SockRef::from(socket).set_multicast_if_v6(link.index)?;
            socket.send_to(packet, SocketAddrV6::new(GROUP_V6, PORT, 0, link.index)).await?;
        }
        Ok(())
    }

    /// Says something to one.
    pub(super) async fn report(&self, to: SocketAddr, packet: &[u8]) -> io::Result<()> {
        match &self.v6 {
            Some(socket) if to.is_ipv6() => socket.send_to(packet, to).await?,
            _ => self.v4.send_to(packet, to).await?,
        };
        Ok(())
    }
}

fn open(domain: Domain, any: IpAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(domain, Type::DGRAM, Some(Protocol::UDP))?;
    // Other programs of this machine answer for other names.
    socket.set_reuse_address(true)?;
    #[cfg(unix)]
    socket.set_reuse_port(true)?;
    // Nobody behind a router is meant (RFC 6762, 11).
    if domain == Domain::IPV6 {
        socket.set_only_v6(true)?;
        socket.set_multicast_hops_v6(255)?;
    } else {
        socket.set_multicast_ttl_v4(255)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&SocketAddr::from((any, PORT)).into())?;
    UdpSocket::from_std(socket.into())
}
