//! Windows. It is built and never run: what is here is as little as a system needs, without a call of its own.

use std::{
    env,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom},
    net::TcpListener,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{FileId, News, Room, SignalRequest};

pub(super) const fn set_mode(_options: &mut OpenOptions, _mode: u32) {}

pub(super) const fn set_directory_mode(_builder: &mut DirBuilder, _mode: u32) {}

pub(super) const fn mode(_meta: &Metadata) -> u32 {
    0
}

pub(super) const fn is_pipe(_meta: &Metadata) -> bool {
    false
}

pub(super) const fn file_id(_meta: &Metadata) -> Option<FileId> {
    None
}

pub(super) const fn is_removed(_meta: &Metadata) -> bool {
    false
}

pub(super) fn read_exact_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

pub(super) fn give_to(path: &Path, _owner: &Metadata) -> io::Result<()> {
    fs::metadata(path).map(|_| ())
}

pub(super) fn sync_file_system(_any: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn check_directory(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

#[expect(clippy::unnecessary_wraps, reason = "Unix knows before it opens a device")]
pub(super) const fn check_device(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "Unix asks the file system")]
pub(super) const fn room(_path: &Path) -> io::Result<Option<Room>> {
    Ok(None)
}

pub(super) fn is_device_name(name: &str) -> bool {
    let plain = name.strip_prefix(r"\\.\").unwrap_or(name);
    let number = plain.get(..3).filter(|start| start.eq_ignore_ascii_case("COM")).and(plain.get(3..));
    number.is_some_and(|number| number.parse::<u16>().is_ok())
}

pub(super) const fn is_absent(_device: &Path) -> bool {
    false
}

pub(super) const fn uptime_s() -> Option<i64> {
    None
}

pub(super) fn host_name() -> String {
    env::var("COMPUTERNAME").unwrap_or_default()
}

pub(super) const fn is_root() -> bool {
    false
}

pub(super) fn user_directories() -> Option<(PathBuf, PathBuf)> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    Some((named("APPDATA")?, named("LOCALAPPDATA")?))
}

#[expect(clippy::unnecessary_wraps, reason = "Unix has a limit")]
pub(super) const fn allow_many_files() -> io::Result<()> {
    Ok(())
}

pub(super) fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(io::Error::other)
}

pub(super) const fn columns() -> Option<usize> {
    None
}

pub(super) const fn standard_error() -> Option<FileId> {
    None
}

pub(super) const fn passed_sockets() -> Vec<(String, io::Result<TcpListener>)> {
    Vec::new()
}

#[expect(clippy::unnecessary_wraps, reason = "Unix has a service manager")]
pub(super) fn report_manager(news: &News) -> io::Result<()> {
    if let News::Status(text) = news {
        tracing::debug!(status = text, "nobody asks for it");
    }
    Ok(())
}

pub(super) const fn watchdog() -> Option<Duration> {
    None
}

/// Ctrl-C; there is no signal to reload.
#[derive(Debug)]
pub(super) struct Signals;

impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "Unix may refuse")]
    pub(super) const fn new(_hears_reload: bool) -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) async fn next(&mut self) -> SignalRequest {
        match tokio::signal::ctrl_c().await {
            Ok(()) => SignalRequest::End,
            Err(error) => {
                tracing::error!(%error, "Ctrl-C is not heard; end the process otherwise");
                std::future::pending().await
            }
        }
    }
}
