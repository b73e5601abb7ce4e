//! Ports: which there are, whether this user may open them, and who holds them.

use std::{fs, path::Path};

use super::{Finding, Level};
use crate::{
    config::{Config, PortConfig},
    daemon::scan,
};
use jadoube_runtime::platform;

/// Finds the ports, and says what keeps them from being opened; returns those that can be listened to.
pub(super) fn examine(
    root: &Path,
    config: &Config,
    is_running: bool,
    findings: &mut Vec<Finding>,
) -> Vec<PortConfig> {
    let listed: Vec<String> = config.listed.iter().map(|port| port.path.clone()).collect();
    let scanned = scan::find(&config.ports.scan, &listed);
    let ports: Vec<PortConfig> =
        config.listed.iter().cloned().chain(scanned.iter().map(|path| PortConfig::of(path))).collect();
    if ports.is_empty() {
        findings.push(
            Finding::new("port", Level::Fault, config.ports.scan.join(" "), "no port was found")
                .remedy("plug a board in, and look at dmesg; name other devices in [ports] scan or [[port]]"),
        );
    }
    let holders = holders(root);
    ports.into_iter().filter(|port| examine_port(port, &holders, is_running, findings)).collect()
}

/// Returns whether a port can be listened to.
fn examine_port(
    port: &PortConfig,
    holders: &[Holder],
    is_running: bool,
    findings: &mut Vec<Finding>,
) -> bool {
    if port.address().is_some() {
        return true;
    }
    let path = Path::new(&port.path);
    let Ok(device) = fs::canonicalize(path) else {
        findings.push(
            Finding::new("port", Level::Fault, &port.path, "there is no such device")
                .remedy("is the board plugged in? ls /dev/ttyACM* /dev/ttyUSB* /dev/dgt"),
        );
        return false;
    };
    let is_daemon = |holder: &&Holder| is_running && holder.program == "jadoube";
    let others: Vec<&Holder> =
        holders.iter().filter(|holder| holder.device == device && !is_daemon(holder)).collect();
    if let Some(Holder { program, process, .. }) = others.first() {
        findings.push(
            Finding::new(
                "port",
                Level::Fault,
                &port.path,
                format!("is held by {program} (process {process})"),
            )
            .remedy(format!("a port has one reader: stop it, as with kill {process}")),
        );
        return false;
    }
    if is_running {
        return false;
    }
    if let Err(error) = platform::check_device(&device) {
        findings.push(
            Finding::new("port", Level::Fault, &port.path, format!("cannot be opened: {error}")).remedy(
                "sudo usermod -aG dialout $USER, then log in again; the rules of udev give boards this group",
            ),
        );
        return false;
    }
    true
}

/// A program that has a device open.
struct Holder {
    device: std::path::PathBuf,
    program: String,
    process: String,
}

/// Returns who has devices open, this process excepted; who is not root sees only own processes.
fn holders(root: &Path) -> Vec<Holder> {
    let own = std::process::id().to_string();
    let processes = fs::read_dir(root.join("proc")).into_iter().flatten().filter_map(Result::ok);
    let mut holders = Vec::new();
    for process in processes {
        let name = process.file_name().to_string_lossy().into_owned();
        let is_process = name.bytes().all(|byte| byte.is_ascii_digit()) && name != own;
        let Some(descriptors) = is_process.then(|| fs::read_dir(process.path().join("fd")).ok()).flatten()
        else {
            continue;
        };
        let program = fs::read_to_string(process.path().join("comm")).unwrap_or_default().trim().to_owned();
        let open = descriptors.filter_map(Result::ok).filter_map(|entry| fs::read_link(entry.path()).ok());
        for device in open.filter(|path| path.starts_with("/dev")) {
            holders.push(Holder { device, program: program.clone(), process: name.clone() });
        }
    }
    holders
}
