//! Reads the texts of a configuration: its file, those of `conf.d` beside it, and variables of the environment.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use super::{ConfigError, DEFAULT_FILE, setting::VARIABLES};
use jadoube_runtime::private;

/// Name of a configuration file that has a directory of further files beside it; that of the hub has none.
const WITH_FURTHER: &str = "jadoube.toml";

/// The directory of further files.
const FURTHER: &str = "conf.d";

/// Returns names and texts of all files, in the order in which they are laid over one another.
pub(super) fn read_all(file: Option<&Path>) -> Result<Vec<(String, String)>, ConfigError> {
    let main = file.unwrap_or(Path::new(DEFAULT_FILE));
    let wrong = |name: &Path, source| ConfigError::Read { file: name.display().to_string(), source };
    let mut files = Vec::new();
    match contents(main) {
        Ok(text) => files.push((main.display().to_string(), text)),
        Err(error) if file.is_none() && error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(wrong(main, error)),
    }
    for further in files_beside(main).map_err(|error| wrong(&main.with_file_name(FURTHER), error))? {
        let text = contents(&further).map_err(|error| wrong(&further, error))?;
        files.push((further.display().to_string(), text));
    }
    Ok(files)
}

/// Returns the files `conf.d/*.toml` beside a `jadoube.toml`, in the order of their names.
///
/// # Errors
///
/// Returns the system's reason if there is such a directory and it cannot be listed.
pub(crate) fn files_beside(file: &Path) -> io::Result<Vec<PathBuf>> {
    if file.file_name() != Some(OsStr::new(WITH_FURTHER)) {
        return Ok(Vec::new());
    }
    let entries = match fs::read_dir(file.with_file_name(FURTHER)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let is_hidden =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    files.retain(|path| path.extension() == Some(OsStr::new("toml")) && !is_hidden(path));
    files.sort();
    Ok(files)
}

/// Returns the variables that are keys, in the order of their names; texts that are no UTF-8 are none.
pub(super) fn variables() -> Vec<(String, String)> {
    let all = std::env::vars_os()
        .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
    let mut variables: Vec<_> = all.filter(|(name, _)| name.starts_with(VARIABLES)).collect();
    variables.sort();
    variables
}

fn contents(file: &Path) -> io::Result<String> {
    if file == Path::new("-") {
        return private::text_of(io::stdin());
    }
    // A pipe is fine here, as shells make them.
    private::text_of(fs::File::open(file)?)
}
