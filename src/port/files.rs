//! Owns where captures lie: `STATE_DIR/captures/PORT/START-PORT-gNNN.dgtcap`, one per port and game.
//!
//! `PORT` is the port's name as a file name, `START` the UTC millisecond in which the file was begun and `NNN` the number
//! of its game, so that a sorted listing is the order of play. The newest capture of a port is the unfinished one.

use std::{
    fs,
    io::{self, ErrorKind},
    mem,
    path::{Path, PathBuf},
};

use jiff::SignedDuration;
use tracing::warn;

use jadoube_core::{
    capture::{CaptureError, Header, Reader, Writer, is_mendable},
    replay,
};
use jadoube_runtime::{
    clock::SystemClock,
    private,
    replace::{Durability, replace},
};

/// The instant in a capture's name.
const START: &str = "%Y%m%dT%H%M%S.%3fZ";

/// The directory of captures in the state directory.
pub(crate) const CAPTURES: &str = "captures";

/// Ending of capture files.
const ENDING: &str = ".dgtcap";

/// Key in the head of a capture: the number that the board had reported before the capture began.
pub(super) const BOARD: &str = "board";

/// Returns a port's name as a file name: `/dev/ttyACM0` gives `ttyACM0`.
pub(crate) fn slug(port: &str) -> String {
    let name = port.strip_prefix("/dev/").unwrap_or(port).trim_start_matches('/');
    let mut slug = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') {
            slug.push(c);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    // No hidden files, and no way out of the directory.
    let slug = slug.trim_matches(['-', '.']);
    if slug.is_empty() {
        "port".to_owned()
    } else if is_reserved(slug) {
        format!("port-{slug}")
    } else {
        slug.to_owned()
    }
}

/// Returns whether Windows takes a name for that of a device, with any ending, in any directory: captures of a hall are also
/// copied there.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_numbered = |number: &str| number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    matches!(&*stem, "aux" | "con" | "nul" | "prn") || numbered.is_some_and(is_numbered)
}

/// Returns the name for the capture of a game, one that comes after those of all files there are: also when the
/// calendar was set back, the newest capture has the last name.
pub(crate) fn capture_path(state_dir: &Path, port: &str, started: jiff::Timestamp, game: u32) -> PathBuf {
    let slug = slug(port);
    let last = all(state_dir, port)
        .ok()
        .and_then(|captures| captures.iter().filter_map(|path| start_of(path)).max());
    let after = last.and_then(|last| last.checked_add(SignedDuration::from_millis(1)).ok());
    let start = after.map_or(started, |after| after.max(started));
    let name = format!("{}-{slug}-g{game:03}{ENDING}", start.strftime(START));
    state_dir.join(CAPTURES).join(slug).join(name)
}

/// Returns the instant in a capture's name.
pub(super) fn start_of(path: &Path) -> Option<jiff::Timestamp> {
    let (start, _) = path.file_name()?.to_str()?.split_once('-')?;
    let time = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%S.%fZ", start).ok()?;
    time.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|time| time.timestamp())
}

/// Returns the number of the game in a capture's name, 1 if it has none.
pub(crate) fn game_number(path: &Path) -> u32 {
    let stem = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(ENDING));
    stem.and_then(|stem| stem.rsplit_once("-g")).and_then(|(_, number)| number.parse().ok()).unwrap_or(1)
}

/// Returns the captures of a port, oldest first; the last one may be unfinished.
///
/// # Errors
///
/// Returns an error if the directory is there and cannot be read.
pub(crate) fn all(state_dir: &Path, port: &str) -> io::Result<Vec<PathBuf>> {
    captures_in(&state_dir.join(CAPTURES).join(slug(port)))
}

/// Returns the directories in which captures lie, one for each port.
///
/// # Errors
///
/// Returns an error if the directory above them is there and cannot be read.
pub(crate) fn capture_directories(state_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(state_dir.join(CAPTURES)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let ports = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut ports: Vec<PathBuf> = ports.filter(|path| path.is_dir()).collect();
    ports.sort();
    Ok(ports)
}

/// Returns the captures in a port's directory, oldest first.
///
/// # Errors
///
/// Returns an error if the directory is there and cannot be read.
pub(crate) fn captures_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        // A pipe would hold up whoever reads it.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .filter(|path| path.to_str().is_some_and(|path| path.ends_with(ENDING)))
        .collect();
    paths.sort();
    Ok(paths)
}

/// Returns whether a capture is a port's: two ports may share a directory, as names lose a little when they become
/// file names.
pub(crate) fn is_of(path: &Path, port: &str) -> bool {
    header_of(path, "port").is_none_or(|named| named == port)
}

/// Returns whether a capture has its head, of which the last line says when it began, or records in spite of that: power may have
/// failed when it was begun.
pub(crate) fn is_begun(path: &Path) -> bool {
    started(path).is_some() || fs::read(path).is_ok_and(|text| is_mendable(&text))
}

/// Returns whether a capture was written to after an instant.
pub(crate) fn is_written_since(path: &Path, since: jiff::Timestamp) -> bool {
    modified(path).is_some_and(|time| time > since)
}

/// Returns when a file was written to last, by the calendar as it was then.
pub(crate) fn modified(path: &Path) -> Option<jiff::Timestamp> {
    let time = fs::metadata(path).and_then(|meta| meta.modified()).ok()?;
    jiff::Timestamp::try_from(time).ok()
}

/// Returns the capture of a port that was written at an instant, or the newest.
///
/// # Errors
///
/// Returns an error if the directory is there and cannot be read.
pub(crate) fn capture_at(
    state_dir: &Path,
    port: &str,
    at: Option<jiff::Timestamp>,
) -> io::Result<Option<PathBuf>> {
    let mut captures = all(state_dir, port)?;
    captures.retain(|path| is_of(path, port));
    let newest = captures.last().cloned();
    let Some(at) = at else { return Ok(newest) };
    // A game that was taken along from another port has an older beginning than its name says.
    let begun = captures.into_iter().filter_map(|path| Some((started(&path)?, path)));
    let begun = begun.filter(|(started, _)| *started <= at);
    Ok(begun.max().map(|(_, path)| path))
}

/// Reads a capture that may end in a torn line, and cuts that line off the file; says whether there was one.
///
/// A disk that does not let it keeps the line until something is added.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(crate) fn read_whole(path: &Path) -> Result<(Vec<u8>, bool), CaptureError> {
    let io = |source| CaptureError::Io { name: path.display().to_string(), source };
    let mut bytes = private::read(path).map_err(io)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let torn = whole < bytes.len();
    if torn {
        let file = fs::OpenOptions::new().write(true).open(path);
        if let Err(error) = file.and_then(|file| file.set_len(u64::try_from(whole).unwrap_or(0))) {
            warn!(capture = %path.display(), %error, "the torn last line cannot be cut off yet");
        }
        bytes.truncate(whole);
    }
    Ok((bytes, torn))
}

/// Turns the last record of a capture into a remark, so that it is kept and not replayed.
///
/// # Errors
///
/// Returns an error if the file cannot be read or written.
pub(crate) fn leave_out_last(path: &Path) -> Result<(), CaptureError> {
    let io = |source| CaptureError::Io { name: path.display().to_string(), source };
    let (mut bytes, _) = read_whole(path)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let starts = lines.scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    });
    let Some((last, _)) = starts.filter(|(_, line)| !line.starts_with(b"#")).last() else { return Ok(()) };
    bytes.splice(last..last, *b"# left out, as it made the program fail: ");
    replace(path, &bytes, Durability::Volatile).map_err(io)
}

/// Replaces the text of a capture, and keeps the time of its last record.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub(crate) fn put_back(path: &Path, text: &[u8]) -> Result<(), CaptureError> {
    let io = |source| CaptureError::Io { name: path.display().to_string(), source };
    let written = fs::metadata(path).and_then(|meta| meta.modified()).map_err(io)?;
    replace(path, text, Durability::Volatile).map_err(io)?;
    fs::File::open(path).and_then(|file| file.set_modified(written)).map_err(io)
}

/// A capture that goes on where the captures of another port lie.
pub(crate) struct Copied {
    pub(crate) path: PathBuf,
    pub(crate) text: Vec<u8>,
    /// Why the disk does not take it, if it does not.
    pub(crate) failure: Option<io::Error>,
}

/// Copies a capture to where the captures of another port lie.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub(crate) fn copy(state_dir: &Path, port: &str, from: &Path) -> Result<Copied, CaptureError> {
    let io = |source| CaptureError::Io { name: from.display().to_string(), source };
    if header_of(from, "started").is_none() {
        return Err(io(io::Error::other("the header does not say when the capture started")));
    }
    // Named by the present, as the port's own captures are older; the header keeps the timeline.
    let path = capture_path(state_dir, port, SystemClock::start().started(), game_number(from));
    let text = copied(&fs::read(from).map_err(io)?, port);
    let directory = path.parent().map_or(Ok(()), private::make_directory);
    // Whole or not at all: what was cut off would be missing in the game.
    let failure = directory.and_then(|()| replace(&path, &text, Durability::Volatile)).err();
    // How long nothing was said is known from that.
    if failure.is_none()
        && let Ok(written) = fs::metadata(from).and_then(|meta| meta.modified())
    {
        fs::File::open(&path).and_then(|file| file.set_modified(written)).map_err(io)?;
    }
    Ok(Copied { path, text, failure })
}

/// Returns the text of a capture that goes on at another port.
fn copied(text: &[u8], port: &str) -> Vec<u8> {
    let is = |line: &[u8], what: &[u8]| {
        line.split(|byte| *byte == b' ').skip(1).take(2).eq(what.split(|byte| *byte == b' '))
    };
    let mut in_header = true;
    let mut open_at = None;
    let mut copy = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        in_header &= line.starts_with(b"#");
        // Recovery looks for the name of the port.
        if in_header && line.starts_with(b"# port:") {
            copy.extend_from_slice(format!("# port: {port}\n").as_bytes());
            continue;
        }
        if is(line, b"! open") {
            open_at = Some(copy.len());
        } else if is(line.trim_ascii_end(), b"! close") {
            open_at = None;
        }
        copy.extend_from_slice(line);
    }
    // The board is here, so whoever talks there at the moment is another one.
    copy.truncate(open_at.unwrap_or(copy.len()));
    copy
}

/// Makes the header of a capture.
pub(crate) fn header(
    port: &str,
    started: jiff::Timestamp,
    game: u32,
    board: Option<&str>,
    bus: &[String],
) -> Header {
    let mut header =
        Header::from([("started".to_owned(), started.to_string()), ("port".to_owned(), port.to_owned())]);
    let (key, value) = replay::ANSWERS;
    header.insert(key.to_owned(), value.to_owned());
    if !bus.is_empty() {
        header.insert(replay::BUS.to_owned(), bus.join(" "));
    }
    if game > 1 {
        header.insert(replay::GAME.to_owned(), game.to_string());
    }
    if let Some(board) = board {
        header.insert(BOARD.to_owned(), board.to_owned());
    }
    header
}

/// Returns a header as it stands in a capture.
pub(crate) fn head(header: &Header) -> Vec<u8> {
    Writer::new("", Vec::new(), header).map(|mut writer| mem::take(writer.output_mut())).unwrap_or_default()
}

/// Returns when the timeline of a capture began, as its head says.
pub(super) fn started(path: &Path) -> Option<jiff::Timestamp> {
    header_of(path, "started")?.parse().ok()
}

fn header_of(path: &Path, key: &str) -> Option<String> {
    let file = fs::File::open(path).ok()?;
    let reader = Reader::new("", io::BufReader::new(file)).ok()?;
    reader.header().get(key).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newest(state_dir: &Path, port: &str) -> Option<PathBuf> {
        all(state_dir, port).unwrap().into_iter().rfind(|path| is_of(path, port))
    }

    #[track_caller]
    fn check_slug(port: &str, expected: &str) {
        assert_eq!(slug(port), expected);
    }

    #[test]
    fn ports_make_file_names() {
        check_slug("/dev/ttyACM0", "ttyACM0");
        check_slug("/dev/dgt/23946", "dgt-23946");
        check_slug("tcp://10.0.0.7:4001", "tcp-10.0.0.7-4001");
        check_slug("tcp://[::1]:4001", "tcp-1-4001");
        check_slug("/dev/../../etc/passwd", "..-..-etc-passwd".trim_matches(['.', '-']));
        check_slug("/dev/..", "port");
        check_slug("COM3", "port-COM3");
        check_slug(r"\\.\COM3", "port-COM3");
        check_slug("/dev/lpt1.5", "port-lpt1.5");
        check_slug(r"\\.\COM12", "COM12");
        check_slug("/dev/console", "console");
        check_slug("", "port");
    }

    #[test]
    fn captures_sort_by_start_and_game() {
        let dir = tempfile::tempdir().unwrap();
        let at = |time: &str| time.parse().unwrap();
        let path = |time: &str, game| capture_path(dir.path(), "/dev/ttyACM0", at(time), game);
        let first = path("2026-11-21T20:54:03.12Z", 1);
        assert_eq!(
            first.strip_prefix(dir.path()).unwrap().to_str(),
            Some("captures/ttyACM0/20261121T205403.120Z-ttyACM0-g001.dgtcap")
        );
        assert_eq!(game_number(&path("2026-11-21T20:54:03Z", 12)), 12);
        assert_eq!(game_number(Path::new("/x.dgtcap")), 1);
        assert_eq!(newest(dir.path(), "/dev/ttyACM0"), None);
        fs::create_dir_all(first.parent().unwrap()).unwrap();
        fs::write(&first, "").unwrap();
        let second = path("2026-11-21T20:54:03.12Z", 1);
        assert_ne!(first, second);
        fs::write(&second, "# dgt-capture 1\n# port: /dev/ttyACM0\n").unwrap();
        let foreign = path("2026-12-21T20:54:03Z", 2);
        fs::write(&foreign, "# dgt-capture 1\n# port: ttyACM0\n").unwrap();
        assert_eq!(newest(dir.path(), "/dev/ttyACM0"), Some(second));
    }

    #[test]
    fn the_newest_capture_is_the_last_one_by_any_calendar() {
        let dir = tempfile::tempdir().unwrap();
        let path = |time: &str, game| capture_path(dir.path(), "a", time.parse().unwrap(), game);
        let before = path("2026-11-21T20:00:00Z", 9);
        fs::create_dir_all(before.parent().unwrap()).unwrap();
        fs::write(&before, "# dgt-capture 1\n# port: a\n").unwrap();
        let after = path("2026-11-21T19:00:00Z", 10);
        assert!(before < after, "{after:?}");
        fs::write(&after, "# dgt-capture 1\n# port: a\n").unwrap();
        assert_eq!(newest(dir.path(), "a"), Some(after));
        assert!(path("2026-11-21T21:00:00Z", 11).ends_with("20261121T210000.000Z-a-g011.dgtcap"));
    }

    #[test]
    fn a_copy_belongs_to_the_other_port() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path().join("20261121T205403.000Z-a-g003.dgtcap");
        let text = |port: &str| {
            format!(
                "# dgt-capture 1\n# port: {port}\n# started: 2026-11-21T20:54:03Z\n0.1 ! open a\n# port: x\n\
                 0.2 < 8e\n0.3 ! close\n"
            )
        };
        fs::write(&from, text("/dev/a") + "0.4 ! open a\n0.5 < 91\n").unwrap();
        let to = copy(dir.path(), "/dev/b", &from).unwrap().path;
        assert_eq!(fs::read_to_string(&to).unwrap(), text("/dev/b"));
        assert_eq!(game_number(&to), 3);
        assert_eq!(newest(dir.path(), "/dev/b"), Some(to));
        fs::write(&from, "# dgt-capture 1\n").unwrap();
        assert!(copy(dir.path(), "/dev/b", &from).is_err());
    }

    #[test]
    fn the_last_record_becomes_a_remark() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.dgtcap");
        let head = "# dgt-capture 1\n0.1 < 8e\n";
        fs::write(&path, format!("{head}0.2 < 8e\n# remark\n0.3 < 8")).unwrap();
        leave_out_last(&path).unwrap();
        let left = "# left out, as it made the program fail: ";
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{head}{left}0.2 < 8e\n# remark\n"));
        leave_out_last(&path).unwrap();
        leave_out_last(&path).unwrap();
        let head = format!("# dgt-capture 1\n{left}0.1 < 8e\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{head}{left}0.2 < 8e\n# remark\n"));
    }

    #[test]
    fn a_torn_last_line_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.dgtcap");
        fs::write(&path, "# dgt-capture 1\n0.1 < 8e\n0.2 < 8").unwrap();
        assert_eq!(read_whole(&path).unwrap(), (b"# dgt-capture 1\n0.1 < 8e\n".to_vec(), true));
        assert_eq!(fs::read_to_string(&path).unwrap(), "# dgt-capture 1\n0.1 < 8e\n");
        assert!(!read_whole(&path).unwrap().1);
    }
}
