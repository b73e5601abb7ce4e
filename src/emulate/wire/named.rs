//! Faults as the command line names them.

use std::str::FromStr;

use thiserror::Error;

use super::Faults;

/// What stands before the name of a fault that what the host says shall have.
const COMMANDS: &str = "commands.";

/// One fault of a line, by name: `drop=0.001`, `hang=0.0001:3`, `commands.flip=0.01`.
#[derive(Clone, Copy, Debug)]
pub struct NamedFault {
    /// Whether it applies to what the host sends.
    commands: bool,
    set: fn(&mut Faults, f64, f64),
    share: f64,
    seconds: f64,
}

/// Why a text names no fault.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "'{0}' is no fault: expected NAME=SHARE[:SECONDS] with a share from 0 to 1 and NAME one of drop, flip, insert, \
     duplicate, delay, cut, hang, lose-updates, or commands.NAME"
)]
pub struct ParseFaultError(String);

impl NamedFault {
    /// Puts the faults of one direction together.
    #[must_use]
    pub fn joined(faults: &[Self], commands: bool) -> Faults {
        let mut joined = Faults::NONE;
        for fault in faults.iter().filter(|fault| fault.commands == commands) {
            (fault.set)(&mut joined, fault.share, fault.seconds);
        }
        joined
    }
}

impl FromStr for NamedFault {
    type Err = ParseFaultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseFaultError(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let (share, seconds) = value.split_once(':').unwrap_or((value, "1"));
        let number = |text: &str, most: f64| {
            text.parse().ok().filter(|number: &f64| (0.0..=most).contains(number)).ok_or_else(wrong)
        };
        let set: fn(&mut Faults, f64, f64) = match name.strip_prefix(COMMANDS).unwrap_or(name) {
            "drop" => |faults, share, _| faults.drop = share,
            "flip" => |faults, share, _| faults.flip = share,
            "insert" => |faults, share, _| faults.insert = share,
            "duplicate" => |faults, share, _| faults.duplicate = share,
            "delay" => |faults, share, seconds| (faults.delay, faults.delay_s) = (share, seconds),
            "cut" => |faults, share, _| faults.cut = share,
            "hang" => |faults, share, seconds| (faults.hang, faults.hang_s) = (share, seconds),
            "lose-updates" => |faults, share, _| faults.lose_updates = share,
            _ => return Err(wrong()),
        };
        let commands = name.starts_with(COMMANDS);
        Ok(Self { commands, set, share: number(share, 1.0)?, seconds: number(seconds, 3600.0)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named_for_each_direction() {
        let names = ["drop=0.001", "hang=0.5:3", "commands.flip=1", "commands.delay=0.2:0.05"];
        let faults: Vec<NamedFault> = names.iter().map(|name| name.parse().unwrap()).collect();
        let replies = Faults { drop: 0.001, hang: 0.5, hang_s: 3.0, ..Faults::NONE };
        assert_eq!(NamedFault::joined(&faults, false), replies);
        let commands = Faults { flip: 1.0, delay: 0.2, delay_s: 0.05, ..Faults::NONE };
        assert_eq!(NamedFault::joined(&faults, true), commands);
        for wrong in ["drop", "drop=2", "drop=x", "melt=0.1", "hang=0.1:-1", "=0.1", "commands=0.1"] {
            let error = wrong.parse::<NamedFault>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("'{wrong}' is no fault")), "{error}");
        }
    }
}
