//! Reads the configuration anew while the daemon runs, unless its file has plainly lost what somebody wrote into it.

use std::{
    io::{Error, ErrorKind},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::ConfigArgs;
use crate::config::{Config, ConfigError, DEFAULT_FILE, files_beside};
use jadoube_runtime::private;

/// What is wrong with a file, and what to do.
const EMPTY: &str =
    "is empty, or gone; put it there again and reload, or restart the service to go on without";
const CUT: &str =
    "was cut off: it ends in the middle of a line that was longer; put it there whole and reload";
const NO_TEXT: &str = "is no text in UTF-8; put it there again and reload";

/// Where the configuration comes from, and the texts of it that were read last.
pub(super) struct ConfigSource {
    args: ConfigArgs,
    last: Mutex<Vec<(PathBuf, String)>>,
}

impl ConfigSource {
    /// Makes a source of a configuration that has been read already.
    pub(super) fn new(args: &ConfigArgs) -> Self {
        let source = Self { args: args.clone(), last: Mutex::default() };
        // Who cannot read it now, as it came through a pipe, cannot compare with it later, either.
        let last = source.texts().unwrap_or_default();
        Self { last: Mutex::new(last), ..source }
    }

    /// Reads the configuration anew.
    ///
    /// # Errors
    ///
    /// Returns an error with file, key and remedy; a file that was emptied or cut off is one.
    pub(super) fn load(&self) -> Result<Config, ConfigError> {
        if self.args.config.as_deref() == Some(Path::new("-")) {
            let error = Error::other("standard input has been read and cannot be read again");
            return Err(wrong(&self.file(), error));
        }
        let texts = self.texts()?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        for (file, text) in &texts {
            let old = last.iter().find(|(other, _)| other == file).map_or("", |(_, old)| old);
            if let Some(loss) = loss(old, text) {
                return Err(wrong(file, Error::other(loss)));
            }
        }
        let config = self.args.load_for(true)?;
        *last = texts;
        Ok(config)
    }

    fn file(&self) -> PathBuf {
        self.args.file().unwrap_or_else(|| DEFAULT_FILE.into())
    }

    /// Reads all files; the default one may be missing.
    fn texts(&self) -> Result<Vec<(PathBuf, String)>, ConfigError> {
        let main = self.file();
        let further = files_beside(&main).map_err(|error| wrong(&main, error))?;
        let mut texts = Vec::new();
        for file in std::iter::once(main.clone()).chain(further) {
            let text = match private::read_to_string(&file) {
                Err(error)
                    if error.kind() == ErrorKind::NotFound && file == main && self.args.file().is_none() =>
                {
                    String::new()
                }
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    return Err(wrong(&file, Error::other(NO_TEXT)));
                }
                read => read.map_err(|error| wrong(&file, error))?,
            };
            texts.push((file, text));
        }
        Ok(texts)
    }
}

fn wrong(file: &Path, source: Error) -> ConfigError {
    ConfigError::Read { file: file.display().to_string(), source }
}

/// Says what is wrong with a text that can be read, but is not what somebody wrote in place of the old one.
///
/// One that ends with a line may be meant: its last lines were removed.
fn loss(old: &str, new: &str) -> Option<&'static str> {
    if new.trim().is_empty() && !old.trim().is_empty() {
        return Some(EMPTY);
    }
    let rest = old.strip_prefix(new)?;
    let ends_with_a_line = new.ends_with('\n') || rest.is_empty() || rest.starts_with(['\r', '\n']);
    (!ends_with_a_line).then_some(CUT)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const WHOLE: &str =
        "state_dir = '/s'\nlog_dir = '/l'\n[pgn]\ndelay_s = 3600 # an hour\n\n[[port]]\npath = '/dev/a'\n";

    #[test]
    fn a_file_that_was_emptied_cut_or_overwritten_is_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("jadoube.toml");
        fs::write(&file, WHOLE).unwrap();
        let args = ConfigArgs { config: Some(file.clone()), settings: Vec::new() };
        let source = ConfigSource::new(&args);
        let whole = source.load().unwrap();
        let read = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            source.load().map_err(|error| {
                let error = error.to_string();
                assert!(error.starts_with(&file.display().to_string()), "{error}");
                error
            })
        };
        for len in 0..WHOLE.len() {
            let text = &WHOLE[..len];
            let outcome = read(text.as_bytes());
            let ends_with_a_line = text.ends_with('\n') || WHOLE[len..].starts_with(['\r', '\n']);
            assert!(outcome.is_err() || ends_with_a_line && !text.is_empty(), "{text:?}");
            assert_eq!(read(WHOLE.as_bytes()), Ok(whole.clone()), "{text:?}");
        }
        let noise: Vec<u8> = WHOLE.bytes().map(|byte| byte ^ 0xa5).collect();
        for (bytes, reported) in [
            (b"\n  \n".as_slice(), EMPTY),
            (noise.as_slice(), NO_TEXT),
            (&vec![0; WHOLE.len()], ":1:"),
            (&WHOLE.as_bytes()[..WHOLE.len() - 4], ""),
        ] {
            assert!(read(bytes).unwrap_err().contains(reported), "{reported}");
        }
        fs::remove_file(&file).unwrap();
        assert!(source.load().unwrap_err().to_string().contains("No such file"));
        assert_eq!(read(WHOLE.as_bytes()), Ok(whole));
    }

    #[test]
    fn a_value_that_was_cut_is_not_taken_for_a_shorter_one() {
        assert_eq!(loss("delay_s = 3600\n", "delay_s = 36"), Some(CUT));
        assert_eq!(loss("delay_s = 3600\n", "delay_s = 36\n"), None, "somebody wrote this");
        assert_eq!(loss("a = 1\r\nb = 2\r\n", "a = 1"), None, "an editor that ends no line");
        assert_eq!(loss("", ""), None);
    }
}
