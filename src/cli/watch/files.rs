//! Follows log files that grow and are rotated.

use std::{
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use jadoube_runtime::platform::{FileId, file_id};

/// How many bytes before the end existing lines are searched for.
const TAIL: u64 = 64 * 1024;

/// Reads a file that grows, and the one that takes its place.
pub(super) struct Follower<'a> {
    path: &'a Path,
    file: Option<File>,
    /// Which file is open; a system that does not say is asked for its length only.
    id: Option<FileId>,
    position: u64,
    /// The beginning of a line whose end is not written yet.
    rest: Vec<u8>,
    /// Whether nothing has been read yet: then only the last lines are returned.
    fresh: bool,
}

impl<'a> Follower<'a> {
    pub(super) const fn new(path: &'a Path) -> Self {
        Self { path, file: None, id: None, position: 0, rest: Vec::new(), fresh: true }
    }

    /// Returns the whole lines that were added since the last call; at first, those near the end.
    pub(super) fn read(&mut self) -> io::Result<String> {
        let fresh = std::mem::take(&mut self.fresh);
        let meta = match fs::metadata(self.path) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
            Err(error) => return Err(error),
        };
        if self.file.is_none() || file_id(&meta) != self.id || meta.len() < self.position {
            self.file = Some(File::open(self.path)?);
            self.id = file_id(&meta);
            self.position = if fresh { meta.len().saturating_sub(TAIL) } else { 0 };
            self.rest.clear();
        }
        let Some(file) = &mut self.file else { return Ok(String::new()) };
        let start = self.position;
        file.seek(SeekFrom::Start(start))?;
        let read = file.read_to_end(&mut self.rest)?;
        self.position += u64::try_from(read).unwrap_or(0);
        if fresh && start > 0 {
            // The tail may begin in the middle of a line.
            let end = self.rest.iter().position(|byte| *byte == b'\n').map_or(self.rest.len(), |end| end + 1);
            self.rest.drain(..end);
        }
        let whole = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines: Vec<u8> = self.rest.drain(..whole).collect();
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }
}

/// Returns the last lines of a text.
pub(super) fn last_lines(text: &str, count: usize) -> &str {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let start = starts.len().checked_sub(count + 1).and_then(|first| starts.get(first)).copied().unwrap_or(0);
    text.get(start..).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_last_lines() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc\n");
        assert_eq!(last_lines("a\nb\n", 2), "a\nb\n");
        assert_eq!(last_lines("a\n", 2), "a\n");
        assert_eq!(last_lines("", 2), "");
    }

    #[test]
    fn begins_with_whole_lines_near_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("alerts.log");
        fs::write(&path, "0123456789\n".repeat(10_000)).unwrap();
        let text = Follower::new(&path).read().unwrap();
        assert!(text.len() < 65_536 && text.len() > 65_000, "{}", text.len());
        assert!(text.starts_with("0123456789\n"));
    }

    #[test]
    fn follows_a_file_that_grows_and_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("alerts.log");
        let mut log = Follower::new(&path);
        assert_eq!(log.read().unwrap(), "");
        fs::write(&path, "a\nb").unwrap();
        assert_eq!(log.read().unwrap(), "a\n");
        fs::write(&path, "a\nbc\n").unwrap();
        assert_eq!(log.read().unwrap(), "bc\n");
        fs::rename(&path, dir.path().join("old")).unwrap();
        assert_eq!(log.read().unwrap(), "");
        fs::write(&path, "d\n").unwrap();
        assert_eq!(log.read().unwrap(), "d\n");
        fs::write(&path, "").unwrap();
        fs::write(&path, "e\n").unwrap();
        fs::write(&path, "").unwrap();
        assert_eq!(log.read().unwrap(), "");
        fs::write(&path, "f\n").unwrap();
        assert_eq!(log.read().unwrap(), "f\n");
    }
}
