//! `jadoube open`: lets phones in the hall reach the desk: the address in the configuration, and the address filter of the unit.

mod listen;

use std::{
    fs,
    io::ErrorKind,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Command,
};

use super::{ConfigArgs, Exit, Failure, Output, home};
use crate::{
    accounts::{desk_address, terminal_picture},
    config::{Config, DEFAULT_FILE, HttpConfig},
};
use jadoube_runtime::{platform::give_to, replace::replace_public};

/// Where administrators put units and their drop-ins, and where packages put units.
const UNITS: [&str; 2] = ["etc/systemd/system", "usr/lib/systemd/system"];

const SERVICE: &str = "jadoube.service";
const SOCKET: &str = "jadoube-http.socket";

/// Name of the drop-ins.
const DROP_IN: &str = "hall.conf";

/// What every drop-in begins with.
const HEAD: &str = "# Made by 'jadoube open'; 'jadoube open --close' removes it.\n";

/// The networks of halls: addresses that are not passed on into the internet (RFC 1918, 3927, 4193, 4291).
const LOCAL: &str = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/10";

/// Where names are asked for in such a network (RFC 6762).
const MULTICAST: &str = "224.0.0.251 ff02::fb";

/// Arguments of `jadoube open`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Close it again: only this machine reaches the desk
    #[arg(long)]
    close: bool,
    /// Configuration file [default: as of all commands]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Change the units below this directory, for tests
    #[arg(long, value_name = "DIR", hide = true, default_value = "/")]
    root: PathBuf,
}

/// Opens the desk to the hall, or closes it.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let source = ConfigArgs { config: args.config.clone(), settings: Vec::new() };
    if args.config.as_deref() == Some(Path::new("-")) {
        return Err(Failure::new(Exit::Usage, "--config -: the file has to be changed, so name it"));
    }
    let file = source.file().unwrap_or_else(|| match source.home() {
        Some(home) if !home::is_configured(DEFAULT_FILE) => home.place().to_owned(),
        _ => PathBuf::from(DEFAULT_FILE),
    });
    let http = source.load()?.http.unwrap_or_default();
    let is_open = !http.listen.ip().is_loopback();
    let wanted = match (args.close, is_open) {
        // An address of one's own choice stays.
        (false, true) => http.listen,
        (false, false) => SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), http.listen.port()),
        (true, _) => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), http.listen.port()),
    };
    let mut output = Output::new();
    if wanted != http.listen {
        change(&file, wanted)?;
        if let Some(other) = source.load()?.http.map(|http| http.listen).filter(|listen| *listen != wanted) {
            let reason = format!(
                "{}: http.listen is {wanted} now, but another source says {other}; 'jadoube check' names it",
                file.display()
            );
            return Err(Failure::new(Exit::Config, reason));
        }
        output.line(&format!("{}: http.listen is {wanted} now", file.display()))?;
    }
    let address_filter = address_filter(args, wanted)?;
    for path in &address_filter {
        let did = if args.close { "was removed" } else { "lets the hall's networks in" };
        output.line(&format!("{}: {did}", path.display()))?;
    }
    if wanted != http.listen || !address_filter.is_empty() {
        // The service reads the default file, whoever has written in it.
        let is_its = file == Path::new(DEFAULT_FILE) && is_installed(&args.root, SERVICE);
        output.line(&restarted(&args.root, is_its || !address_filter.is_empty()))?;
    }
    if args.close {
        return output.line("Only this machine reaches the desk.");
    }
    report(&mut output, &HttpConfig { listen: wanted, ..http })
}

/// Changes the address in the configuration, and nothing else.
fn change(file: &Path, wanted: SocketAddr) -> Result<(), Failure> {
    let io = |error: &std::io::Error| Failure::io(file.display(), error);
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(io(&error)),
    };
    let name = file.display().to_string();
    let before = Config::parse(&name, &text, &[])?;
    let expected = Config {
        http: Some(HttpConfig { listen: wanted, ..before.http.clone().unwrap_or_default() }),
        ..before
    };
    // The text is changed line by line: what it says then has to be what is meant.
    let is_meant = |text: &String| Config::parse(&name, text, &[]).ok().as_ref() == Some(&expected);
    let Some(changed) = listen::set(&text, wanted).into_iter().find(is_meant) else {
        let reason = format!("{name}: write listen = \"{wanted}\" below [http] yourself, and call again");
        return Err(Failure::new(Exit::Config, reason));
    };
    // A link stays one; owner and mode stay as they are.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    file.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| io(&error))?;
    let meta = fs::metadata(&file).ok();
    replace_public(&file, changed.as_bytes()).map_err(|error| io(&error))?;
    let Some(meta) = meta else { return Ok(()) };
    let kept = fs::set_permissions(&file, meta.permissions());
    kept.and_then(|()| give_to(&file, &meta)).map_err(|error| io(&error))
}

/// Opens or closes the address filter of the units that are installed; returns the files that were changed.
fn address_filter(args: &Args, wanted: SocketAddr) -> Result<Vec<PathBuf>, Failure> {
    let [own, _] = UNITS.map(|place| args.root.join(place));
    // Which networks there are is asked over netlink.
    let service =
        format!("{HEAD}[Service]\nIPAddressAllow={LOCAL} {MULTICAST}\nRestrictAddressFamilies=AF_NETLINK\n");
    let socket = format!("{HEAD}[Socket]\nListenStream=\nListenStream={wanted}\n");
    let mut changed = Vec::new();
    for (unit, text) in [(SERVICE, service), (SOCKET, socket)] {
        let path = own.join(format!("{unit}.d")).join(DROP_IN);
        let io = |error: &std::io::Error| Failure::io(path.display(), error);
        let before = fs::read_to_string(&path).ok();
        if args.close && before.is_some() {
            fs::remove_file(&path).map_err(|error| io(&error))?;
        } else if !args.close && is_installed(&args.root, unit) && before.as_ref() != Some(&text) {
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| io(&error))?;
            replace_public(&path, text.as_bytes()).map_err(|error| io(&error))?;
        } else {
            continue;
        }
        changed.push(path);
    }
    Ok(changed)
}

fn is_installed(root: &Path, unit: &str) -> bool {
    UNITS.iter().any(|place| root.join(place).join(unit).exists())
}

/// Makes a daemon that systemd runs take it over; says what came of it.
fn restarted(root: &Path, has_units: bool) -> String {
    if !has_units || root != Path::new("/") {
        return "A daemon that runs takes it over when it is started anew.".to_owned();
    }
    let systemctl =
        |words: &[&str]| Command::new("systemctl").args(words).status().is_ok_and(|done| done.success());
    if systemctl(&["daemon-reload"]) && systemctl(&["try-restart", SOCKET, SERVICE]) {
        "The service was started anew, if it was running; games go on.".to_owned()
    } else {
        format!("systemctl daemon-reload && systemctl restart {SERVICE} makes it count.")
    }
}

/// Says where phones find the desk.
fn report(output: &mut Output, http: &HttpConfig) -> Result<(), Failure> {
    let Some(address) = desk_address(http) else {
        return output
            .line("This machine is in no network at present; phones find the desk at its address there.");
    };
    let by_name = match http.local_host() {
        Some(host) if cfg!(feature = "mdns") => {
            let scheme = if http.certificate.is_some() { "https" } else { "http" };
            format!(", and {scheme}://{host}:{}", http.listen.port())
        }
        _ => String::new(),
    };
    output.line(&format!("\nThe desk is open to the hall: {address}{by_name}\n"))?;
    if let Ok(picture) = terminal_picture(&address) {
        output.text(&picture)?;
    }
    output.line("\nPhones need a token: 'jadoube arbiter add NAME' makes one. 'jadoube check --network' tries it as a phone would.")?;
    if http.certificate.is_none() {
        output.line("The connection is not encrypted: 'jadoube certificate' makes a certificate. Without one, phones allow no notifications, and no screen that stays on.")?;
    }
    Ok(())
}
