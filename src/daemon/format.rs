//! The version of what lies in the state directory: every later program reads it, an earlier one does not touch it.

use std::{io, path::Path};

use jadoube_runtime::{
    private,
    replace::{Durability, kept_aside, replace},
};

/// Name of the file.
const NAME: &str = "format";

/// What this program writes. 0.1.0 wrote the same, and no file that said so.
///
/// It grows when an earlier program would misread what is written; what it would ignore, such as a new file, changes nothing.
const CURRENT: u32 = 1;

/// Checks that this program may use the directory, and says in it what it is.
///
/// # Errors
///
/// Returns the version of the directory if it is newer. A disk that takes nothing is no error: games go on without it.
pub(super) fn check(state_dir: &Path) -> Result<(), String> {
    let path = state_dir.join(NAME);
    let written = match private::read(&path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).trim().to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            tracing::warn!("{}: {error}", path.display());
            return Ok(());
        }
    };
    // Every version is a number: what is none was damaged, and an empty file is what a power cut may leave.
    let written = written.filter(|version| {
        if !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()) {
            return true;
        }
        let aside = kept_aside(&path);
        tracing::warn!("{} is damaged, kept: {aside}; taken for version {CURRENT}", path.display());
        false
    });
    let Some(written) = written else {
        if let Err(error) = replace(&path, format!("{CURRENT}\n").as_bytes(), Durability::Volatile) {
            tracing::warn!("{}: {error}", path.display());
        }
        return Ok(());
    };
    match written.parse::<u32>() {
        Ok(version) if version <= CURRENT => Ok(()),
        Ok(_) | Err(_) => Err(written),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_what_a_newer_program_wrote_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(NAME);
        assert_eq!(check(dir.path()), Ok(()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "1\n");
        assert_eq!(check(dir.path()), Ok(()));
        fs::write(&file, "2\n").unwrap();
        assert_eq!(check(dir.path()), Err("2".to_owned()));
        fs::write(&file, "99999999999").unwrap();
        assert_eq!(check(dir.path()), Err("99999999999".to_owned()));
        // The last two are what a loss of power may leave.
        for noise in [b"\xff\x00".as_slice(), b"{}", b"1\0\0\0", b"\n", b""] {
            fs::write(&file, noise).unwrap();
            assert_eq!(check(dir.path()), Ok(()));
            assert_eq!(fs::read_to_string(&file).unwrap(), "1\n");
            assert_eq!(fs::read(dir.path().join("format.damaged")).unwrap(), noise);
        }
    }
}
