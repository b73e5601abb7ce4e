//! Replaces files as a whole: a reader sees the old content or the new one, never a part.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::private;

/// Whether content has to survive a power cut.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Durability {
    /// It can be made again: the system writes it when it likes.
    Volatile,
    /// It is on the disk before it takes the place of the old one.
    Synced,
}

/// Replaces a file, which need not exist; its directory has to.
///
/// Only the service and its group may read the new file. The content is written beside it as `.NAME.part`, which no program that looks for files by their ending takes, and
/// renamed.
///
/// # Errors
///
/// Returns an error if the disk does not take it; then the old content is still there.
pub fn replace(path: &Path, content: &[u8], durability: Durability) -> io::Result<()> {
    put(path, content, durability, private::create)
}

/// Replaces a file as [`replace`] does, synced; only the service may read it, from its first moment on.
///
/// # Errors
///
/// Returns an error if the disk does not take it; then the old content is still there.
pub fn replace_secret(path: &Path, content: &[u8]) -> io::Result<()> {
    put(path, content, Durability::Synced, private::create_secret)
}

/// Replaces a file as [`replace`] does; who may read the new one is decided by the umask.
///
/// # Errors
///
/// Returns an error if the disk does not take it; then the old content is still there.
pub fn replace_public(path: &Path, content: &[u8]) -> io::Result<()> {
    put(path, content, Durability::Volatile, private::create_public)
}

/// Moves a damaged file aside as [`set_aside`] does; returns, for a message, where it lies now, or why it is where it was.
#[must_use]
pub fn kept_aside(path: &Path) -> String {
    set_aside(path).map_or_else(|error| error.to_string(), |aside| aside.display().to_string())
}

/// Most files of one name that are kept beside it because something else than a file has the name of the first.
const MOST_ASIDE: u32 = 9;

/// Moves a damaged file to `NAME.damaged` beside it, so that a new one can take its place and nothing of it is lost; returns
/// where it lies now. An earlier one of that name gives way; where a directory has that name, it is `NAME.damaged-2` and so on.
///
/// # Errors
///
/// Returns an error if the directory does not let it; then the file is where it was.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".damaged");
        if number > 1 {
            name.push(format!("-{number}"));
        }
        let aside = path.with_file_name(name);
        match fs::rename(path, &aside) {
            Ok(()) => return Ok(aside),
            // A file takes the place of no directory, and a directory that of an empty one only.
            Err(_)
                if number < MOST_ASIDE
                    && fs::symlink_metadata(&aside).is_ok()
                    && fs::symlink_metadata(path).is_ok() =>
            {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

fn put(
    path: &Path,
    content: &[u8],
    durability: Durability,
    create: fn(&Path) -> io::Result<File>,
) -> io::Result<()> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".part");
    let part = path.with_file_name(name);
    let mut file = create(&part)?;
    file.write_all(content)?;
    if durability == Durability::Synced {
        file.sync_data()?;
    }
    fs::rename(&part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_old_content_or_its_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("boards.json");
        replace(&path, b"old", Durability::Volatile).unwrap();
        replace(&path, b"new", Durability::Synced).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
        fs::create_dir(dir.path().join(".boards.json.part")).unwrap();
        replace(&path, b"newer", Durability::Volatile).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_damaged_file_is_kept_beside_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sessions.json");
        fs::write(&path, "{").unwrap();
        let aside = set_aside(&path).unwrap();
        assert_eq!(aside, dir.path().join("sessions.json.damaged"));
        assert!(!path.exists());
        assert_eq!(fs::read(&aside).unwrap(), b"{");
        set_aside(&path).unwrap_err();
    }

    #[test]
    fn what_has_the_name_of_a_damaged_file_is_kept_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sessions.json");
        let aside = |name: &str| dir.path().join(name);
        fs::create_dir_all(aside("sessions.json.damaged/mine")).unwrap();
        fs::write(&path, "{").unwrap();
        assert_eq!(set_aside(&path).unwrap(), aside("sessions.json.damaged-2"));
        assert_eq!(fs::read(aside("sessions.json.damaged-2")).unwrap(), b"{");
        // A directory takes the place of no file.
        fs::create_dir(&path).unwrap();
        assert_eq!(set_aside(&path).unwrap(), aside("sessions.json.damaged-3"));
        assert_eq!(fs::read(aside("sessions.json.damaged-2")).unwrap(), b"{");
        assert!(aside("sessions.json.damaged/mine").is_dir());
        for number in 4..=9 {
            fs::create_dir_all(aside(&format!("sessions.json.damaged-{number}/mine"))).unwrap();
        }
        fs::create_dir_all(aside("sessions.json.damaged-3/mine")).unwrap();
        fs::remove_file(aside("sessions.json.damaged-2")).unwrap();
        fs::create_dir_all(aside("sessions.json.damaged-2/mine")).unwrap();
        fs::write(&path, "[").unwrap();
        set_aside(&path).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"[", "what cannot be kept elsewhere stays");
    }
}
