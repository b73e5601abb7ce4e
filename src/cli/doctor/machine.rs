//! The machine: drivers, programs that take ports away, rules of udev, disks, the time.

use std::{fs, path::Path};

use super::{Finding, Level};
use crate::config::Config;
use jadoube_runtime::platform;

/// Adapters of boards, by the numbers of vendor and product, with the module of the kernel that serves them.
pub(super) const ADAPTERS: [(&str, &str, &str); 2] =
    [("0403", "6001", "ftdi_sio"), ("045b", "8111", "cdc_acm")];

/// Where rules of udev lie.
const RULES: [&str; 4] = ["etc/udev/rules.d", "run/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d"];

/// The file with the rules for boards.
const OWN_RULES: &str = "70-jadoube.rules";

/// Programs that set the time.
const TIME_KEEPERS: [&str; 3] = ["chronyd", "ntpd", "openntpd"];

/// Says who has synchronised the time.
const SYNCHRONISED: &str = "run/systemd/timesync/synchronized";

/// Bytes below which captures soon have no room, and below which they have none.
const LITTLE: u64 = 1 << 30;
const NONE: u64 = 16 << 20;

/// Finds a Bluetooth adapter without a board: the kernel makes the device of a board only once it is bound.
fn bluetooth(root: &Path) -> Option<Finding> {
    let has_any = |directory: &str, beginning: &str| {
        let entries = fs::read_dir(root.join(directory)).ok()?;
        entries
            .filter_map(Result::ok)
            .any(|entry| entry.file_name().to_string_lossy().starts_with(beginning))
            .then_some(())
    };
    has_any("sys/class/bluetooth", "hci")?;
    if has_any("dev", "rfcomm").is_some() {
        return Some(Finding::new("bluetooth", Level::Ok, "", "a device is bound to a serial port"));
    }
    let text = "there is an adapter, and no board is bound to a serial port";
    let remedy = "for a board over Bluetooth: bluetoothctl (scan on, pair ADDRESS, trust ADDRESS), then rfcomm bind 0 ADDRESS; see systemd/README.md";
    Some(Finding::new("bluetooth", Level::Note, "", text).remedy(remedy))
}

/// Looks at the machine below `root`.
pub(super) fn examine(root: &Path, config: &Config) -> Vec<Finding> {
    let programs = programs(root);
    let runs = |name: &str| programs.iter().any(|program| program == name);
    let mut findings = Vec::new();
    let has_rules = RULES.iter().any(|directory| root.join(directory).join(OWN_RULES).exists());
    findings.push(if has_rules {
        Finding::new("udev", Level::Ok, "", "the rules for boards are installed")
    } else {
        Finding::new("udev", Level::Warning, "", "the rules for boards are missing: FTDI adapters delay bytes by 16 ms")
            .remedy("install -m 644 systemd/70-jadoube.rules /etc/udev/rules.d/ && udevadm control --reload && udevadm trigger")
    });
    if runs("brltty") {
        let text = "takes FTDI adapters for Braille displays, and their ports vanish";
        findings.push(
            Finding::new("brltty", Level::Fault, "", text).remedy("systemctl mask --now brltty brltty-udev"),
        );
    }
    if runs("ModemManager") && !has_rules {
        let text = "probes new ports as modems, so that boards do not answer for half a minute";
        findings.push(
            Finding::new("modemmanager", Level::Fault, "", text)
                .remedy("install the rules of udev, or systemctl mask --now ModemManager"),
        );
    }
    findings.extend(drivers(root));
    findings.extend(bluetooth(root));
    findings.push(if runs_time(root, &programs) {
        Finding::new("time", Level::Ok, "", "the time is synchronised")
    } else {
        Finding::new(
            "time",
            Level::Warning,
            "",
            "nothing synchronises the time: reports and captures may have wrong hours",
        )
        .remedy("timedatectl set-ntp true")
    });
    for (key, directory) in [("state_dir", &config.state_dir), ("log_dir", &config.log_dir)] {
        findings.push(disk(key, directory));
    }
    findings
}

/// Returns the names of all running programs.
fn programs(root: &Path) -> Vec<String> {
    let processes = fs::read_dir(root.join("proc")).into_iter().flatten().filter_map(Result::ok);
    let names = processes.filter_map(|process| fs::read_to_string(process.path().join("comm")).ok());
    names.map(|name| name.trim().to_owned()).collect()
}

fn runs_time(root: &Path, programs: &[String]) -> bool {
    root.join(SYNCHRONISED).exists()
        || programs.iter().any(|program| TIME_KEEPERS.contains(&program.as_str()))
}

/// Finds adapters that are plugged in and that nothing serves.
fn drivers(root: &Path) -> Vec<Finding> {
    let devices = fs::read_dir(root.join("sys/bus/usb/devices")).into_iter().flatten().filter_map(Result::ok);
    let unserved = devices.filter_map(|device| {
        let path = device.path();
        let read = |file: &str| fs::read_to_string(path.join(file)).map(|text| text.trim().to_owned()).ok();
        let (vendor, product) = (read("idVendor")?, read("idProduct")?);
        let (.., module) = ADAPTERS
            .iter()
            .find(|(adapter_vendor, id, _)| (*adapter_vendor, *id) == (&*vendor, &*product))?;
        (!has_terminal(&path)).then(|| {
            let name = device.file_name().to_string_lossy().into_owned();
            let text = format!("adapter {vendor}:{product} is plugged in, and no driver serves it");
            Finding::new("driver", Level::Fault, name, text).remedy(format!(
                "modprobe {module}; if it stays so: dmesg, and systemctl mask --now brltty brltty-udev"
            ))
        })
    });
    unserved.collect()
}

/// Returns whether an interface of a USB device has a terminal.
fn has_terminal(device: &Path) -> bool {
    let below = |path: &Path| -> Vec<_> {
        fs::read_dir(path).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect()
    };
    let is_terminal =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tty"));
    below(device).iter().any(|interface| below(interface).iter().any(|entry| is_terminal(entry)))
}

fn disk(key: &str, directory: &Path) -> Finding {
    let name = directory.display().to_string();
    // The daemon makes what is missing.
    let existing = directory.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(directory);
    if !existing.is_dir() {
        let text = format!("{} is no directory", existing.display());
        return Finding::new("disk", Level::Fault, name, text).remedy(format!("remove it, or set {key}"));
    }
    if let Err(error) = platform::check_directory(existing) {
        return Finding::new("disk", Level::Fault, name, format!("cannot be written to: {error}")).remedy(
            format!("run this as the user of the daemon, as in sudo -u jadoube jadoube doctor; or set {key}"),
        );
    }
    match platform::room(existing) {
        Err(error) => Finding::new("disk", Level::Fault, name, error.to_string()).remedy("dmesg"),
        Ok(Some(disk)) => room(name, disk.free),
        Ok(None) => Finding::new("disk", Level::Ok, name, "this system does not say how much is free"),
    }
}

/// Judges how much room there is; a board records about 10 MiB in a day.
pub(super) fn room(directory: String, free: u64) -> Finding {
    let text = format!("{} MiB are free", free >> 20);
    let level = if free < NONE {
        Level::Fault
    } else if free < LITTLE {
        Level::Warning
    } else {
        return Finding::new("disk", Level::Ok, directory, text);
    };
    Finding::new("disk", level, directory, text).remedy("make room: the oldest captures are in state_dir")
}
