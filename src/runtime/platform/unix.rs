//! Linux; what only Linux has says so here, and other kinds of Unix go without.

use std::{
    env,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, Read as _},
    net::TcpListener,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{
            DirBuilderExt as _, FileExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _, chown,
        },
        net::{SocketAddr, UnixDatagram},
    },
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use listenfd::ListenFd;
use rustix::{
    fs::{Access, StatVfsMountFlags, access, statvfs},
    process::{Resource, geteuid, getrlimit, setrlimit},
};
use sd_notify::NotifyState;
use tokio::{
    select,
    signal::unix::{Signal, SignalKind, signal},
};

use super::{FileId, News, Room, SignalRequest};

pub(super) fn set_mode(options: &mut OpenOptions, mode: u32) {
    options.mode(mode);
}

pub(super) fn set_directory_mode(builder: &mut DirBuilder, mode: u32) {
    builder.mode(mode);
}

pub(super) fn mode(meta: &Metadata) -> u32 {
    meta.mode()
}

pub(super) fn is_pipe(meta: &Metadata) -> bool {
    meta.file_type().is_fifo() || meta.file_type().is_socket()
}

#[expect(clippy::unnecessary_wraps, reason = "elsewhere a file has no number")]
pub(super) fn file_id(meta: &Metadata) -> Option<FileId> {
    Some(FileId { system: meta.dev(), file: meta.ino() })
}

pub(super) fn is_removed(meta: &Metadata) -> bool {
    meta.nlink() == 0
}

pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(bytes, at)
}

pub(super) fn give_to(path: &Path, owner: &Metadata) -> io::Result<()> {
    let now = fs::metadata(path)?;
    if (now.uid(), now.gid()) == (owner.uid(), owner.gid()) {
        return Ok(());
    }
    match chown(path, Some(owner.uid()), Some(owner.gid())) {
        // It is in the right hands; an ordinary user may not choose every group.
        Err(_) if now.uid() == owner.uid() => Ok(()),
        outcome => outcome,
    }
}

pub(super) fn sync_file_system(any: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return Ok(rustix::fs::syncfs(any)?);
    #[cfg(not(target_os = "linux"))]
    return any.sync_data().and(Err(io::ErrorKind::Unsupported.into()));
}

pub(super) fn check_directory(path: &Path) -> io::Result<()> {
    Ok(access(path, Access::WRITE_OK | Access::EXEC_OK)?)
}

pub(super) fn check_device(path: &Path) -> io::Result<()> {
    Ok(access(path, Access::READ_OK | Access::WRITE_OK)?)
}

pub(super) fn room(path: &Path) -> io::Result<Option<Room>> {
    let disk = statvfs(path)?;
    Ok(Some(Room {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        is_read_only: disk.f_flag.contains(StatVfsMountFlags::RDONLY),
    }))
}

pub(super) fn is_device_name(name: &str) -> bool {
    name.starts_with('/')
}

pub(super) fn is_absent(device: &Path) -> bool {
    !device.exists()
}

pub(super) fn uptime_s() -> Option<i64> {
    // A long, which has 32 bits on some machines and 64 on others.
    rustix::system::sysinfo().uptime.to_string().parse().ok()
}

pub(super) fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

pub(super) fn is_root() -> bool {
    geteuid().is_root()
}

pub(super) fn user_directories() -> Option<(PathBuf, PathBuf)> {
    // Relative paths in these variables are to be ignored.
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let below = |path: &str| named("HOME").map(|home| home.join(path));
    Some((
        named("XDG_CONFIG_HOME").or_else(|| below(".config"))?,
        named("XDG_STATE_HOME").or_else(|| below(".local/state"))?,
    ))
}

pub(super) fn allow_many_files() -> io::Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}

pub(super) fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    File::open("/dev/urandom")?.read_exact(bytes)
}

pub(super) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

pub(super) fn standard_error() -> Option<FileId> {
    file_id(&fs::metadata("/proc/self/fd/2").ok()?)
}

pub(super) fn passed_sockets() -> Vec<(String, io::Result<TcpListener>)> {
    // Their names first: taking the sockets clears the environment.
    let names: Vec<String> = sd_notify::listen_fds_with_names()
        .map_or_else(|_| Vec::new(), |fds| fds.map(|(_, name)| name).collect());
    let mut fds = ListenFd::from_env();
    let sockets = names.into_iter().enumerate();
    sockets.filter_map(|(index, name)| Some((name, fds.take_tcp_listener(index).transpose()?))).collect()
}

/// The socket from which the service manager is informed, open from the first message on: a service that has no handle left can
/// still say that it lives, and is not ended.
static REPORTS: Mutex<Option<UnixDatagram>> = Mutex::new(None);

pub(super) fn report_manager(news: &News) -> io::Result<()> {
    let state = match news {
        News::Ready => NotifyState::Ready,
        News::Status(text) => NotifyState::Status(text),
        News::Alive => NotifyState::Watchdog,
        News::Stopping => NotifyState::Stopping,
    };
    let Some(name) = env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    let manager = match name.as_bytes().strip_prefix(b"@") {
        #[cfg(target_os = "linux")]
        Some(name) => <SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(&name)?,
    };
    let mut reports = REPORTS.lock().unwrap_or_else(PoisonError::into_inner);
    let socket = match reports.take() {
        Some(socket) => socket,
        None => UnixDatagram::unbound()?,
    };
    reports.insert(socket).send_to_addr(format!("{state}\n").as_bytes(), &manager)?;
    Ok(())
}

pub(super) fn watchdog() -> Option<Duration> {
    sd_notify::watchdog_enabled()
}

#[derive(Debug)]
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Option<Signal>,
}

impl Signals {
    pub(super) fn new(hears_reload: bool) -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: if hears_reload { Some(signal(SignalKind::hangup())?) } else { None },
        })
    }

    pub(super) async fn next(&mut self) -> SignalRequest {
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => None,
            }
        };
        select! {
            Some(()) = self.terminate.recv() => SignalRequest::End,
            Some(()) = self.interrupt.recv() => SignalRequest::End,
            Some(()) = hang_up => SignalRequest::Reload,
            else => std::future::pending().await,
        }
    }
}
