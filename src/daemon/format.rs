//! The version of what lies in the state directory: every later program reads it, an earlier one does not touch it.

use std::{fs, io, path::Path};

use jadoube_runtime::replace::{Durability, replace};

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
    let written = match fs::read_to_string(&path) {
        Ok(text) => text.trim().to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            tracing::warn!("{}: {error}", path.display());
            return Ok(());
        }
    };
    if written.is_empty() {
        if let Err(error) = replace(&path, format!("{CURRENT}\n").as_bytes(), Durability::Volatile) {
            tracing::warn!("{}: {error}", path.display());
        }
        return Ok(());
    }
    match written.parse::<u32>() {
        Ok(version) if version <= CURRENT => Ok(()),
        Ok(_) | Err(_) => Err(written),
    }
}

#[cfg(test)]
mod tests {
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
        // A loss of power may have emptied it.
        fs::write(&file, "").unwrap();
        assert_eq!(check(dir.path()), Ok(()));
    }
}
