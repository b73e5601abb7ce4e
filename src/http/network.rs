//! From which network somebody comes: what limits are counted by.
//!
//! Whoever has an IPv6 network has 2^64 addresses in it, so that a limit for each of them would be none.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The bits of an IPv6 address that name its network (RFC 4291, 2.5.4).
const NETWORK: u128 = !0 << 64;

/// Returns the address by which limits count: an IPv4 address as it is, of an IPv6 address its network of 64 bits.
///
/// All loopback addresses are one: each program of this machine has them all.
pub(crate) fn counted(address: IpAddr) -> IpAddr {
    let address = address.to_canonical();
    if address.is_loopback() {
        return Ipv4Addr::LOCALHOST.into();
    }
    match address {
        IpAddr::V6(one) => Ipv6Addr::from_bits(one.to_bits() & NETWORK).into(),
        IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_counts_once_however_many_addresses_it_has() {
        for (address, expected) in [
            ("10.0.0.7", "10.0.0.7"),
            ("::ffff:10.0.0.7", "10.0.0.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2::9", "2001:db8:1:2::"),
            ("2001:db8:1:3::9", "2001:db8:1:3::"),
            ("fe80::1:2", "fe80::"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.9.9.9", "127.0.0.1"),
            ("::1", "127.0.0.1"),
        ] {
            assert_eq!(counted(address.parse().unwrap()), expected.parse::<IpAddr>().unwrap(), "{address}");
        }
    }
}
