//! Looks for devices by the patterns of their names.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
};

use tokio::task::JoinHandle;
use tracing::error;

use jadoube_runtime::platform::{FileId, file_id};

/// Waits for what [`find`] returns; for ever if nobody looks.
pub(super) async fn result(scanning: &mut Option<JoinHandle<Vec<String>>>) -> Vec<String> {
    match scanning {
        Some(handle) => handle.await.unwrap_or_else(|error| {
            error!(%error, "looking for devices failed");
            Vec::new()
        }),
        None => std::future::pending().await,
    }
}

/// Returns the names that match a pattern, each device once, in the order of the patterns and then by name.
///
/// Devices in `taken` are left out, by whatever name they are called there. What cannot be read has no devices in it.
pub(crate) fn find(patterns: &[String], taken: &[String]) -> Vec<String> {
    let known: HashSet<&str> = taken.iter().map(String::as_str).collect();
    let paths: Vec<String> = patterns.iter().flat_map(|pattern| expand(pattern, &known)).collect();
    if paths.is_empty() {
        // Nearly always: the system is asked about no device then.
        return Vec::new();
    }
    let mut seen: BTreeSet<Device> = taken.iter().map(|name| device(name)).collect();
    paths.into_iter().filter(|path| seen.insert(device(path))).collect()
}

/// Returns whether a device's name matches a pattern.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let split =
        |path: &str| path.rsplit_once('/').map(|(directory, name)| (directory.to_owned(), name.to_owned()));
    match (split(pattern), split(name)) {
        (Some((pattern_dir, pattern)), Some((dir, name))) => pattern_dir == dir && wildcard(&pattern, &name),
        _ => pattern == name,
    }
}

/// Returns the names that match, but none of those in `known`.
fn expand(pattern: &str, known: &HashSet<&str>) -> Vec<String> {
    let Some((directory, pattern_name)) = pattern.rsplit_once('/') else { return Vec::new() };
    if !pattern_name.contains(['*', '?']) {
        let is_new = !known.contains(pattern) && Path::new(pattern).exists();
        return if is_new { vec![pattern.to_owned()] } else { Vec::new() };
    }
    let readable = if directory.is_empty() { "/" } else { directory };
    let Ok(entries) = fs::read_dir(readable) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let matching = names.filter(|name| wildcard(pattern_name, name));
    let mut paths: Vec<String> = matching.map(|name| format!("{directory}/{name}")).collect();
    paths.retain(|path| !known.contains(path.as_str()));
    paths.sort();
    paths
}

/// What a name stands for, which may be a link.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Device {
    /// What is there, by file system and number: one call, where following links would take one for each part of a
    /// name.
    There(FileId),
    /// Not there, or on a system that numbers no files.
    Named(PathBuf),
}

fn device(name: &str) -> Device {
    let there = fs::metadata(name).ok().and_then(|meta| file_id(&meta));
    there.map_or_else(|| Device::Named(PathBuf::from(name)), Device::There)
}

/// Matches `*` and `?`.
fn wildcard(pattern: &str, name: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => name.is_empty(),
        Some('*') => {
            let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            ends.into_iter().any(|at| wildcard(rest.as_str(), name.get(at..).unwrap_or("")))
        }
        Some(wanted) => {
            let mut given = name.chars();
            given.next().is_some_and(|c| wanted == '?' || wanted == c)
                && wildcard(rest.as_str(), given.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }

    #[test]
    fn wildcards_match() {
        check("/dev/ttyACM*", "/dev/ttyACM0", true);
        check("/dev/ttyACM*", "/dev/ttyACM", true);
        check("/dev/ttyACM*", "/dev/ttyUSB0", false);
        check("/dev/ttyACM?", "/dev/ttyACM12", false);
        check("/dev/ttyACM?", "/dev/ttyACM1", true);
        check("/dev/*M*1", "/dev/ttyACM11", true);
        check("/dev/*M*1", "/dev/ttyACM12", false);
        check("/dev/*", "/dev/dgt/1", false);
        check("/dev/ttyS0", "/dev/ttyS0", true);
        check("/dev/?", "/dev/é", true);
        check("ttyS*", "/dev/ttyS0", false);
    }

    #[test]
    fn finds_each_device_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        for name in ["ttyB", "ttyA", "other"] {
            fs::write(path(name), "").unwrap();
        }
        std::os::unix::fs::symlink(path("ttyA"), path("tty-link")).unwrap();
        assert_eq!(find(&[path("tty?")], &[]), [path("ttyA"), path("ttyB")]);
        assert_eq!(find(&[path("tty-*"), path("tty*")], &[]), [path("tty-link"), path("ttyB")]);
        assert_eq!(find(&[path("tty*")], &[path("tty-link")]), [path("ttyB")]);
        assert_eq!(find(&[path("ttyA"), path("tty-link")], &[path("ttyA")]), Vec::<String>::new());
        assert_eq!(find(&[path("ttyA"), path("none")], &[]), [path("ttyA")]);
        assert_eq!(find(&["/nowhere/x*".to_owned(), "relative*".to_owned()], &[]), Vec::<String>::new());
    }
}
