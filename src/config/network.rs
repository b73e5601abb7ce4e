//! Addresses and networks, as keys name them: `10.0.0.7`, `10.0.0.0/24`, `fd00::/8`.

use std::{fmt, net::IpAddr, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// An address, or all that begin with the same bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Network {
    address: IpAddr,
    /// How many bits of the address count.
    bits: u8,
}

impl Network {
    /// Returns whether an address is in it. One of IPv4 that is written as one of IPv6 is the same address.
    #[must_use]
    pub fn has(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                prefix(u128::from(own.to_bits()), 32, self.bits)
                    == prefix(u128::from(other.to_bits()), 32, self.bits)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                prefix(own.to_bits(), 128, self.bits) == prefix(other.to_bits(), 128, self.bits)
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }

    /// Returns whether so many addresses are in it that it is no network of anybody's: no kind of addresses that a hall may use has as many
    /// (`10.0.0.0/8`, `fc00::/7`).
    #[must_use]
    pub const fn is_everybody(&self) -> bool {
        self.bits < if self.address.is_ipv4() { 8 } else { 7 }
    }

    /// Returns whether networks together have every address of a kind.
    #[must_use]
    pub fn are_everybody(all: &[Self]) -> bool {
        let begins = |first: u8| {
            [IpAddr::from([first, 0, 0, 0]), std::net::Ipv6Addr::from_bits(u128::from(first) << 120).into()]
        };
        let has = |address: IpAddr| all.iter().any(|network| network.bits <= 8 && network.has(address));
        [0, 1]
            .into_iter()
            .any(|kind| (0..=u8::MAX).filter_map(|first| begins(first).get(kind).copied()).all(has))
    }
}

/// Returns the first bits of an address that has `width` of them.
fn prefix(address: u128, width: u8, bits: u8) -> u128 {
    address.checked_shr(u32::from(width.saturating_sub(bits))).unwrap_or(0)
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no address and no network, as in '10.0.0.7' or '10.0.0.0/24'");
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address = IpAddr::from_str(address).map_err(|_| wrong())?.to_canonical();
        let width = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(width), u8::from_str).map_err(|_| wrong())?;
        if bits > width {
            return Err(format!("'{text}': an address has {width} bits"));
        }
        Ok(Self { address, bits })
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(network: &str, inside: &[&str], outside: &[&str]) {
        let network: Network = network.parse().unwrap();
        for (addresses, expected) in [(inside, true), (outside, false)] {
            for address in addresses {
                assert_eq!(network.has(address.parse().unwrap()), expected, "{network} {address}");
            }
        }
    }

    #[test]
    fn a_network_has_the_addresses_that_begin_like_it() {
        check("10.0.0.7", &["10.0.0.7", "::ffff:10.0.0.7"], &["10.0.0.6", "::10.0.0.7"]);
        check("10.0.0.0/24", &["10.0.0.0", "10.0.0.255"], &["10.0.1.0", "11.0.0.1"]);
        check("10.0.0.9/31", &["10.0.0.8", "10.0.0.9"], &["10.0.0.10"]);
        check("0.0.0.0/0", &["1.2.3.4"], &["::1"]);
        check("fd00::/8", &["fd00::1", "fdff::"], &["fe80::1", "10.0.0.1"]);
        check("::/0", &["::1"], &["127.0.0.1"]);
        check("::1", &["::1"], &["::2"]);
    }

    #[test]
    fn what_has_everybody_is_known() {
        let list =
            |text: &str| text.split(' ').map(|network| network.parse().unwrap()).collect::<Vec<Network>>();
        for (networks, expected) in [
            ("0.0.0.0/0", true),
            ("0.0.0.0/1 128.0.0.0/1", true),
            ("0.0.0.0/1 128.0.0.0/2 192.0.0.0/3", false),
            ("::/1 8000::/1", true),
            ("10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fd00::/8 ::1 127.0.0.1", false),
        ] {
            assert_eq!(Network::are_everybody(&list(networks)), expected, "{networks}");
        }
        let all = (0..=255).map(|first| format!("{first}.0.0.0/8")).collect::<Vec<_>>().join(" ");
        assert!(Network::are_everybody(&list(&all)) && !list(&all)[0].is_everybody());
        assert!(
            list("0.0.0.0/1 ::/6").iter().all(Network::is_everybody) && !list("fc00::/7")[0].is_everybody()
        );
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in ["", "proxy", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "1.2.3.4:80"]
        {
            let error = text.parse::<Network>().unwrap_err();
            assert!(error.starts_with(&format!("'{text}'")), "{error}");
        }
    }
}
