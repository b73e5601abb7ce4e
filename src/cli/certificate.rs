//! `jadoube certificate`: a local authority, and a certificate of it for the desk on this machine.

mod local;

use std::{
    collections::BTreeSet,
    fs,
    net::IpAddr,
    path::{Path, PathBuf},
};

pub(in crate::cli) use self::local::Authority;
use super::{ConfigArgs, Exit, Failure, Output};
use crate::{
    accounts::own_address,
    config::{AUTHORITY, Config},
};
use jadoube_runtime::{
    clock::SystemClock,
    platform::{give_to, host_name},
    private,
    replace::{Durability, replace, replace_secret},
};

/// Names of the files beside that of the authority's certificate.
const AUTHORITY_KEY: &str = "authority.key";
const DESK: &str = "desk.pem";
const DESK_KEY: &str = "desk.key";

/// Arguments of `jadoube certificate`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A further name or address of this machine; may be given several times
    #[arg(long = "name", value_name = "NAME", value_parser = name)]
    names: Vec<String>,
    /// Directory of the files [default: tls in the state directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Makes the certificate, and the authority if there is none.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config.load()?;
    let dir = args.dir.clone().unwrap_or_else(|| config.state_dir.join("tls"));
    let path = |name: &str| dir.join(name);
    let names = names(&config, &args.names);
    let now = SystemClock::start().started();
    let io = |file: &Path, error: &std::io::Error| Failure::io(file.display(), error);
    let failed =
        |error: local::Error| Failure::new(Exit::Software, format_args!("{}: {error}", dir.display()));

    private::make_directory(&dir).map_err(|error| io(&dir, &error))?;
    let (authority_file, authority_key) = (path(AUTHORITY), path(AUTHORITY_KEY));
    let is_new = !authority_key.exists();
    let authority = if is_new {
        let authority = Authority::generate(&names, now).map_err(failed)?;
        write(&authority_key, authority.key().as_bytes(), true)
            .map_err(|error| io(&authority_key, &error))?;
        write(&authority_file, authority.certificate().as_bytes(), false)
            .map_err(|error| io(&authority_file, &error))?;
        authority
    } else {
        let read = |file: &Path| fs::read_to_string(file).map_err(|error| io(file, &error));
        Authority::read(&read(&authority_key)?, read(&authority_file)?).map_err(failed)?
    };
    let (certificate, key) = authority.sign(&names, now).map_err(failed)?;
    let (desk, desk_key) = (path(DESK), path(DESK_KEY));
    write(&desk_key, key.as_bytes(), true).map_err(|error| io(&desk_key, &error))?;
    write(&desk, certificate.as_bytes(), false).map_err(|error| io(&desk, &error))?;
    // An administrator may have called: the service has to be able to read what it serves. The authority's key stays.
    for file in [&dir, &authority_file, &desk, &desk_key] {
        give(file, &config.state_dir).map_err(|error| io(file, &error))?;
    }

    let fingerprint = authority.fingerprint().map_err(failed)?;
    let mut output = Output::new();
    output.line(&format!(
        "The certificate is for {} and counts for {} days.",
        names.join(", "),
        local::DAYS
    ))?;
    output.line(&format!("Into the configuration, below [http]; a reload makes it count:\n\ncertificate = \"{}\"\nkey = \"{}\"\n", desk.display(), desk_key.display()))?;
    let authority = if is_new { "A new authority was made" } else { "The authority is as before" };
    output.line(&format!("{authority}: phones that trust it open the desk without a warning; /trust of the desk says how.\nIts SHA-256 fingerprint, to compare on the phone: {fingerprint}"))
}

/// Handles what a browser may have in its address; a certificate with anything else may count nowhere.
fn name(text: &str) -> Result<String, String> {
    let is_part = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let mut parts = text.strip_prefix("*.").unwrap_or(text).split('.');
    if text.parse::<IpAddr>().is_ok() || text.len() <= 253 && parts.all(is_part) {
        return Ok(text.to_owned());
    }
    Err("expected a name or an address without port, such as hall.example or 192.0.2.7".to_owned())
}

/// Returns the names and addresses by which browsers may reach this machine.
fn names(config: &Config, more: &[String]) -> Vec<String> {
    let http = config.http.clone().unwrap_or_default();
    let mut names = BTreeSet::from(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    let host = host_name().to_lowercase();
    if !host.is_empty() && host != "localhost" {
        names.insert(format!("{}.local", host.split('.').next().unwrap_or(&host)));
        names.insert(host);
    }
    let listens = Some(http.listen.ip()).filter(|ip| !ip.is_unspecified());
    names.extend([listens, own_address()].into_iter().flatten().map(|ip: IpAddr| ip.to_string()));
    let url = http.url.and_then(|url| {
        Some(url::Url::parse(url.secret()).ok()?.host_str()?.trim_matches(['[', ']']).to_owned())
    });
    names.extend(Some(&http.local_name).filter(|name| !name.is_empty()).map(|name| format!("{name}.local")));
    names.extend(http.hosts.into_iter().chain(url).chain(more.iter().cloned()));
    names.into_iter().collect()
}

fn write(file: &Path, bytes: &[u8], is_secret: bool) -> std::io::Result<()> {
    if is_secret { replace_secret(file, bytes) } else { replace(file, bytes, Durability::Synced) }
}

/// Gives a file to the owner of a directory, if that is somebody else.
fn give(file: &Path, directory: &Path) -> std::io::Result<()> {
    let Ok(owner) = fs::metadata(directory) else { return Ok(()) };
    give_to(file, &owner)
}
