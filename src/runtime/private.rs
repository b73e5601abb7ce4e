//! Opens files that only the service and its group may read, at their own place: no link is written through, and no pipe
//! holds up who reads or writes.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _, Write as _},
    path::Path,
};

use crate::platform;

/// Mode of files.
const FILE: u32 = 0o640;

/// Mode of files with secrets.
const SECRET: u32 = 0o600;

/// Longest text that people write, MiB: configurations, pairings, games.
const LONGEST_TEXT: u64 = 64;

/// Mode of directories.
const DIRECTORY: u32 = 0o750;

/// Opens a file to add to its end, and makes it and its directory if they are not there.
///
/// # Errors
///
/// Returns an error if the disk does not let it, or if something else has the name: a link, a pipe, a directory.
pub fn append(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.file_type().is_symlink() => {
            return Err(io::Error::other("is a symbolic link; remove it, and a file is made in its place"));
        }
        // A device is somebody's wish; a pipe would hold everything up.
        Ok(meta) if platform::is_pipe(&meta) => {
            return Err(io::Error::other(
                "is a pipe or a socket; remove it, and a file is made in its place",
            ));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(directory) = path.parent() {
                make_directory(directory)?;
            }
        }
        Err(error) => return Err(error),
    }
    platform::with_mode(FILE).append(true).read(true).create(true).open(path)
}

/// Opens a file to read it: one that is a pipe would hold everything up, and a device might never end.
///
/// # Errors
///
/// Returns an error if it is not there or cannot be read, or if something else than a file has the name.
pub fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("is no file but a directory, a pipe or a device; remove it"));
    }
    File::open(path)
}

/// Reads all of a file, as [`open`] does.
///
/// # Errors
///
/// Returns an error if it is not there or cannot be read, or if something else than a file has the name.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads all of a text, as [`open`] does.
///
/// # Errors
///
/// Returns an error if it is not there or cannot be read, is no text or too long for one that people write, or if something else than a
/// file has the name.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    text_of(open(path)?)
}

/// Reads a text that people write, wherever it comes from.
///
/// # Errors
///
/// Returns an error if it cannot be read, is no text, or is longer than anybody writes: a device, or a file by mistake.
pub fn text_of(source: impl io::Read) -> io::Result<String> {
    let bytes = bytes_of(source, LONGEST_TEXT)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "is no text in UTF-8"))
}

/// Reads so many MiB at most.
///
/// # Errors
///
/// Returns an error if there is more, or if it cannot be read.
pub fn bytes_of(source: impl io::Read, most_mib: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = most_mib << 20;
    source.take(most + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= most) {
        return Ok(bytes);
    }
    Err(io::Error::new(
        ErrorKind::FileTooLarge,
        format!("is longer than {most_mib} MiB; is it another file than meant?"),
    ))
}

/// Reads a secret that others are sent, as [`open`] does: one line, without its end.
///
/// # Errors
///
/// Returns an error if it is not there or cannot be read, or if there is no secret in it: it is empty, has several lines or is noise.
pub fn read_secret(path: &Path) -> io::Result<String> {
    let damaged = || io::Error::other("is not one line of text; write what it held into it again");
    let is_no_text = |error: &io::Error| error.kind() == ErrorKind::InvalidData;
    let text = read_to_string(path).map_err(|error| if is_no_text(&error) { damaged() } else { error })?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.trim().is_empty() {
        return Err(io::Error::other("is empty; write what it held into it again"));
    }
    if secret.contains(|character: char| character.is_control() && character != '\t') {
        return Err(damaged());
    }
    Ok(secret.to_owned())
}

/// Makes a file anew, in place of whatever has its name; a link is removed and not followed.
///
/// # Errors
///
/// Returns an error if the disk does not let it.
pub fn create(path: &Path) -> io::Result<File> {
    create_with(path, FILE)
}

/// Makes a file anew, as [`create`] does, that the group may not read.
///
/// # Errors
///
/// Returns an error if the disk does not let it.
pub fn create_secret(path: &Path) -> io::Result<File> {
    create_with(path, SECRET)
}

/// Makes a file anew, as [`create`] does, that everybody may read whom the umask lets.
///
/// # Errors
///
/// Returns an error if the disk does not let it.
pub fn create_public(path: &Path) -> io::Result<File> {
    create_with(path, 0o666)
}

fn create_with(path: &Path, mode: u32) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    platform::with_mode(mode).write(true).create_new(true).open(path)
}

/// Writes a file anew, as [`create`] does.
///
/// # Errors
///
/// Returns an error if the disk does not let it.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create(path)?.write_all(bytes)
}

/// Makes a directory and those above it.
///
/// # Errors
///
/// Returns an error if the disk does not let it.
pub fn make_directory(path: &Path) -> io::Result<()> {
    platform::directory_with_mode(DIRECTORY).recursive(true).create(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::{
        fs::{PermissionsExt as _, symlink},
        net::UnixListener,
    };

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_secret_is_one_line_that_is_not_empty() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("token");
        for (bytes, secret) in [("a b\n", "a b"), ("secret\r\n", "secret"), ("\u{fc}", "\u{fc}")] {
            fs::write(&file, bytes).unwrap();
            assert_eq!(read_secret(&file).unwrap(), secret);
        }
        for (bytes, reported) in [
            (b"".as_slice(), "is empty"),
            (b" \n", "is empty"),
            (b"a\nb\n", "is not one line of text"),
            (b"a\0\n", "is not one line of text"),
            (b"\xff\xfe\n", "is not one line of text"),
        ] {
            fs::write(&file, bytes).unwrap();
            assert!(read_secret(&file).unwrap_err().to_string().starts_with(reported), "{bytes:?}");
        }
    }

    #[test]
    fn nobody_else_reads_what_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let (log, state) = (dir.path().join("a/b/log"), dir.path().join("a/state"));
        append(&log).unwrap().write_all(b"1\n").unwrap();
        write(&state, b"2").unwrap();
        let secret = dir.path().join("a/secret");
        create_secret(&secret).unwrap();
        for (path, most) in
            [(&log, FILE), (&secret, SECRET), (&state, FILE), (&dir.path().join("a/b"), DIRECTORY)]
        {
            assert_eq!(mode(path) & !most, 0, "{}: {:o}", path.display(), mode(path));
        }
    }

    #[test]
    fn links_and_pipes_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (link, victim) = (dir.path().join("link"), dir.path().join("victim"));
        fs::write(&victim, "mine").unwrap();
        symlink(&victim, &link).unwrap();
        assert!(append(&link).unwrap_err().to_string().contains("is a symbolic link"));
        write(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        assert_eq!(fs::read_to_string(&link).unwrap(), "new");
        let socket = dir.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(append(&socket).unwrap_err().to_string().contains("is a pipe or a socket"));
    }

    #[test]
    fn nobody_waits_for_a_pipe_or_reads_a_device_without_end() {
        let dir = tempfile::tempdir().unwrap();
        let (file, pipe) = (dir.path().join("file"), dir.path().join("pipe"));
        write(&file, b"text").unwrap();
        assert_eq!(read(&file).unwrap(), b"text");
        assert_eq!(read_to_string(&file).unwrap(), "text");
        assert_eq!(read(&dir.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
        mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        for other in [pipe.as_path(), dir.path(), Path::new("/dev/zero")] {
            assert!(read(other).unwrap_err().to_string().contains("is no file"), "{}", other.display());
        }
    }
}
