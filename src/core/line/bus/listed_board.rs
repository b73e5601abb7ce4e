//! A board that is expected on a line with several: how it is called, and at which address it answers.

use dgt_protocol::Address;

use crate::settings::{is_serial, plain_serial};

/// The bits of an address.
const MASK: u64 = (1 << 14) - 1;

/// An entry of `bus` in the configuration: a serial number, with the address after `@` where it is not the number itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedBoard {
    /// Serial number, as it was written.
    pub serial: String,
    /// Where the board is asked.
    pub address: Address,
    /// Whether it certainly answers there. Where boards with a number above 16383 answer is not documented: such a
    /// board is looked for at the lower 14 bits of its number, unless its entry has an address.
    pub is_certain: bool,
}

impl ListedBoard {
    /// Reads an entry.
    ///
    /// # Errors
    ///
    /// Returns the reason.
    pub fn parse(entry: &str) -> Result<Self, String> {
        let (serial, given) = match entry.split_once('@') {
            Some((serial, address)) => (serial.trim(), Some(address.trim())),
            None => (entry.trim(), None),
        };
        if !is_serial(serial) || plain_serial(serial).len() > 5 {
            return Err(format!("'{entry}' is no serial number of five digits"));
        }
        let number: u64 = plain_serial(serial).parse().unwrap_or(u64::MAX);
        let is_own = number <= MASK;
        let address = match given {
            Some(_) if is_own => {
                return Err(format!(
                    "'{entry}': a board with a number up to 16383 answers at its number: leave @ out"
                ));
            }
            Some(given) => {
                let address = Address::from_serial(given).filter(|address| *address != Address::BROADCAST);
                address.ok_or_else(|| format!("'{entry}': the address after @ has to be 1 to 16383"))?
            }
            None => {
                let address = u16::try_from(number & MASK).ok().and_then(Address::new);
                address.unwrap_or(Address::BROADCAST)
            }
        };
        Ok(Self { serial: serial.to_owned(), address, is_certain: is_own || given.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(entry: &str, serial: &str, address: u16, is_certain: bool) {
        let expected =
            ListedBoard { serial: serial.to_owned(), address: Address::new(address).unwrap(), is_certain };
        assert_eq!(ListedBoard::parse(entry), Ok(expected));
    }

    #[test]
    fn every_serial_number_has_an_address_where_it_is_looked_for() {
        check("01025", "01025", 1025, true);
        check("16383", "16383", 16383, true);
        check("45539", "45539", 12771, false);
        check("45539@1025", "45539", 1025, true);
    }

    #[test]
    fn entries_that_name_no_board_are_refused() {
        for (entry, reason) in [
            ("3000023946", "'3000023946' is no serial number of five digits"),
            ("x", "'x' is no serial number of five digits"),
            ("0", "'0' is no serial number of five digits"),
            ("01025@7", "'01025@7': a board with a number up to 16383 answers at its number: leave @ out"),
            ("45539@16384", "'45539@16384': the address after @ has to be 1 to 16383"),
            ("45539@0", "'45539@0': the address after @ has to be 1 to 16383"),
        ] {
            assert_eq!(ListedBoard::parse(entry), Err(reason.to_owned()));
        }
    }
}
