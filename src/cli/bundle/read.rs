//! Reads a bundle for `jadoube replay`: its configuration and its captures.

use std::{
    fs::File,
    io::{Read, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use flate2::read::GzDecoder;
use tar::Archive;

use super::{CAPTURES, CONFIG};
use crate::{
    cli::{Exit, Failure},
    config::own_rules::BUNDLED,
};

/// What a compressed file begins with.
const MAGIC: [u8; 2] = [0x1F, 0x8B];

/// Most bytes that the captures of a bundle may have in memory.
const MOST: u64 = 2 << 30;

/// What a replay needs of a bundle.
pub(in crate::cli) struct Contents {
    /// Text of the configuration.
    pub(in crate::cli) config: String,
    /// Text of the event's own rules, if it has some.
    pub(in crate::cli) rules: Option<String>,
    /// Captures with their names.
    pub(in crate::cli) captures: Vec<(PathBuf, Arc<[u8]>)>,
    /// What is wrong with the rest of it.
    pub(in crate::cli) failure: Option<Failure>,
}

/// Reads a bundle; `None` if the file is none.
///
/// # Errors
///
/// Returns an error with file and reason if it is damaged or too large, and nothing comes before that.
pub(in crate::cli) fn contents(path: &Path) -> Result<Option<Contents>, Failure> {
    let wrong = |error: std::io::Error| Failure::io(path.display(), &error);
    // A pipe has no beginning to go back to, and is no bundle.
    let is_file = std::fs::metadata(path).is_ok_and(|meta| meta.is_file());
    let Some(mut file) = is_file.then(|| File::open(path).ok()).flatten() else { return Ok(None) };
    let mut magic = [0; 2];
    if file.read_exact(&mut magic).is_err() || magic != MAGIC {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(0)).map_err(wrong)?;
    let mut archive = Archive::new(GzDecoder::new(file));
    let mut contents = Contents { config: String::new(), rules: None, captures: Vec::new(), failure: None };
    match contents.fill(path, &mut archive) {
        Ok(()) if contents.captures.is_empty() => Err(Failure::new(
            Exit::Data,
            format_args!("{}: there is no capture in it; is it from 'jadoube bundle'?", path.display()),
        )),
        Ok(()) => Ok(Some(contents)),
        Err(failure) if contents.captures.is_empty() => Err(failure),
        Err(failure) => Ok(Some(Contents { failure: Some(failure), ..contents })),
    }
}

impl Contents {
    fn fill(&mut self, path: &Path, archive: &mut Archive<impl Read>) -> Result<(), Failure> {
        // What such an error says may be bytes of the file.
        let damaged = |_| {
            let text = format!(
                "{0}: is no bundle of 'jadoube bundle', or not all of it; a capture that is compressed by itself is read by 'gunzip -c {0} | \
             jadoube replay -'",
                path.display()
            );
            Failure::new(Exit::Data, text)
        };
        let mut total = 0;
        for entry in archive.entries().map_err(damaged)? {
            let mut entry = entry.map_err(damaged)?;
            let name = entry.path().map_err(damaged)?.into_owned();
            let inside: PathBuf = name.components().skip(1).collect();
            let is_capture =
                inside.starts_with(CAPTURES) && inside.extension().is_some_and(|ending| ending == "dgtcap");
            let is_rules = inside == Path::new(BUNDLED);
            if inside != Path::new(CONFIG) && !is_rules && !is_capture {
                continue;
            }
            total += entry.size();
            if total > MOST {
                let text = format!(
                    "{}: its captures have more than {} MiB; unpack it, and replay them one by one",
                    path.display(),
                    MOST >> 20
                );
                return Err(Failure::new(Exit::Data, text));
            }
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(damaged)?;
            if is_capture {
                self.captures.push((path.join(inside), bytes.into()));
            } else if is_rules {
                self.rules = Some(String::from_utf8_lossy(&bytes).into_owned());
            } else {
                self.config = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        Ok(())
    }
}
