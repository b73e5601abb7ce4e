//! A daemon under test, and boards for it to talk to.
//!
//! Nothing here sleeps for a time that has to be enough: a test waits for a byte, a line or a notification, or asks again and
//! again ([`eventually`]), and gives up after [`PATIENCE`].

use jadoube_runtime::clock::SystemClock;
use std::{
    fmt::Display,
    fs,
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    os::{
        fd::OwnedFd,
        unix::{net::UnixDatagram, process::ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use rustix::{
    process::{Pid, Signal, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};
use tempfile::TempDir;
use tokio::net::TcpSocket;

/// How long a test waits for something that has to happen: it only ends tests that hang. A machine that has other work to do, or
/// whose disk is busy, may stand still for many seconds.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// Between two questions of [`eventually`].
const AGAIN: Duration = Duration::from_millis(10);

/// The name of the program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_jadoube");

/// Runs the program to its end and returns exit status, standard output and standard error.
pub(crate) fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(PROGRAM)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code().unwrap_or(-1), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Asks again and again until there is an answer; gives up after [`PATIENCE`] and says what it has waited for.
#[track_caller]
pub(crate) fn eventually<T>(what: impl Display, mut ask: impl FnMut() -> Option<T>) -> T {
    let clock = SystemClock::start();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(clock.now().as_secs() < PATIENCE.as_secs_f64(), "never: {what}");
        thread::sleep(AGAIN);
    }
}

/// A directory with a configuration, and the daemon that uses it.
pub(crate) struct Hall {
    pub(crate) dir: TempDir,
    notifications: UnixDatagram,
    running: Option<Running>,
}

struct Running {
    child: Child,
    stderr: Receiver<String>,
}

impl Hall {
    /// Makes a hall whose configuration is `config` after the directories.
    pub(crate) fn new(config: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let notifications = UnixDatagram::bind(dir.path().join("notify")).unwrap();
        notifications.set_read_timeout(Some(PATIENCE)).unwrap();
        let hall = Self { dir, notifications, running: None };
        hall.configure(config);
        hall
    }

    /// Writes the configuration.
    pub(crate) fn configure(&self, config: &str) {
        let path = |name: &str| self.dir.path().join(name).display().to_string();
        let text = format!("state_dir = '{}'\nlog_dir = '{}'\n{config}\n", path("state"), path("log"));
        // A daemon that reads it meanwhile sees the old one or the new one.
        fs::write(self.dir.path().join("new.toml"), text).unwrap();
        fs::rename(self.dir.path().join("new.toml"), self.dir.path().join("jadoube.toml")).unwrap();
    }

    /// Starts the daemon and waits until it is ready.
    pub(crate) fn start(&mut self) {
        self.start_with(&[]);
    }

    /// Starts the daemon with variables in its environment and waits until it is ready.
    pub(crate) fn start_with(&mut self, environment: &[(&str, &str)]) {
        self.launch(environment);
        self.wait_notification("READY=1");
    }

    /// Starts the daemon and does not wait for anything.
    pub(crate) fn launch(&mut self, environment: &[(&str, &str)]) {
        let mut command = Command::new(PROGRAM);
        command.args(["run", "--config"]).arg(self.dir.path().join("jadoube.toml"));
        self.launch_command(command, environment);
    }

    /// Starts the daemon in a shell that has done something before, and waits until it is ready.
    pub(crate) fn start_after(&mut self, shell: &str, environment: &[(&str, &str)]) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{shell} && exec \"$0\" run --config \"$1\""), PROGRAM]);
        command.arg(self.dir.path().join("jadoube.toml"));
        self.launch_command(command, environment);
        self.wait_notification("READY=1");
    }

    /// Returns the daemon's process.
    pub(crate) fn process(&self) -> Pid {
        Pid::from_child(&self.running.as_ref().unwrap().child)
    }

    fn launch_command(&mut self, mut command: Command, environment: &[(&str, &str)]) {
        // Messages of an earlier daemon are discarded.
        self.notifications.set_nonblocking(true).unwrap();
        while self.notifications.recv(&mut [0; 4096]).is_ok() {}
        self.notifications.set_nonblocking(false).unwrap();
        let mut child = command
            .env("NOTIFY_SOCKET", self.dir.path().join("notify"))
            .env("RUST_LOG", "jadoube=debug")
            .env_remove("JOURNAL_STREAM")
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, stderr) = channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        self.running = Some(Running { child, stderr });
    }

    /// Returns the next notification; goes on to wait if the process was stopped for a while, as the call ends then.
    fn heard(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.notifications.recv(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                heard => return heard,
            }
        }
    }

    /// Waits for a notification to the service manager.
    pub(crate) fn wait_notification(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        let mut seen = Vec::new();
        loop {
            let Ok(count) = self.heard(&mut buffer) else {
                panic!("no notification '{text}', only {seen:?}; messages:\n{}", self.drain_messages());
            };
            let notification = String::from_utf8_lossy(&buffer[..count]).into_owned();
            if notification.lines().any(|line| line == text) {
                return;
            }
            seen.push(notification);
        }
    }

    /// Waits for a status that contains all these texts.
    pub(crate) fn wait_status(&mut self, texts: &[&str]) {
        let mut buffer = [0; 4096];
        let mut seen = Vec::new();
        let clock = SystemClock::start();
        while clock.now().as_secs() < PATIENCE.as_secs_f64() {
            let count = self.heard(&mut buffer).unwrap_or_default();
            let notification = String::from_utf8_lossy(&buffer[..count]).into_owned();
            if notification.starts_with("STATUS=") && texts.iter().all(|text| notification.contains(text)) {
                return;
            }
            seen.push(notification);
        }
        panic!("no status with {texts:?}, only {seen:?}; messages:\n{}", self.drain_messages());
    }

    /// Waits until the service manager has been informed twice that all tasks live: once it may have been on its way.
    pub(crate) fn wait_alive(&self) {
        let mut buffer = [0; 4096];
        let mut seen = 0;
        while seen < 2 {
            let count = self.heard(&mut buffer).unwrap();
            seen += usize::from(buffer[..count].starts_with(b"WATCHDOG=1"));
        }
    }

    /// Waits for a line on standard error that holds this text, and returns it and those before it.
    pub(crate) fn wait_message(&mut self, text: &str) -> Vec<String> {
        let running = self.running.as_ref().unwrap();
        let mut seen = Vec::new();
        loop {
            let Ok(line) = running.stderr.recv_timeout(PATIENCE) else {
                panic!("no message '{text}', only:\n{}", seen.join("\n"));
            };
            let found = line.contains(text);
            seen.push(line);
            if found {
                return seen;
            }
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&mut self, signal: Signal) {
        let child = &self.running.as_ref().unwrap().child;
        kill_process(Pid::from_child(child), signal).unwrap();
    }

    /// Kills the daemon with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.wait();
    }

    /// Waits for the end; returns the exit status, or minus the signal that ended it.
    pub(crate) fn wait(&mut self) -> i32 {
        let mut running = self.running.take().unwrap();
        // The pipe closes when the process ends.
        while running.stderr.recv_timeout(PATIENCE).is_ok() {}
        let status = running.child.wait().unwrap();
        status.code().unwrap_or_else(|| -status.signal().unwrap_or(0))
    }

    /// Sends SIGTERM and returns the exit status.
    pub(crate) fn stop(&mut self) -> i32 {
        self.signal(Signal::TERM);
        self.wait()
    }

    /// Returns the captures, oldest first.
    pub(crate) fn captures(&self) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        for port in read_dir(&self.dir.path().join("state/captures")) {
            paths.extend(read_dir(&port));
        }
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "dgtcap"));
        paths.sort_by_key(|path| path.file_name().unwrap().to_owned());
        paths
    }

    /// Waits until all of earlier games is reported that the log lacked at the start.
    pub(crate) fn wait_past(&self) {
        let captures = self.dir.path().join("state/captures");
        let waits = || read_dir(&captures).iter().any(|port| port.join("untold.json").exists());
        eventually("earlier games are reported", || (!waits()).then_some(()));
    }

    /// Returns the only capture's text.
    pub(crate) fn capture(&self) -> String {
        let captures = self.captures();
        assert_eq!(captures.len(), 1, "{captures:?}");
        fs::read_to_string(&captures[0]).unwrap()
    }

    /// Returns what a log file holds.
    pub(crate) fn log(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join("log").join(name)).unwrap_or_default()
    }

    pub(crate) fn drain_messages(&self) -> String {
        let messages = self.running.iter().flat_map(|running| running.stderr.try_iter());
        messages.collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            running.child.kill().unwrap_or_default();
            running.child.wait().map(|_| ()).unwrap_or_default();
        }
    }
}

fn read_dir(path: &Path) -> Vec<PathBuf> {
    fs::read_dir(path).map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
}

/// A local address reserved for one test, while its daemon is stopped and started.
pub(crate) struct Reserved {
    /// Bound, but not listening.
    _socket: TcpSocket,
    pub(crate) address: SocketAddr,
}

impl Reserved {
    pub(crate) fn new() -> Self {
        Self::at(SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    fn at(address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        // With SO_REUSEADDR on both sockets the daemon can bind the same address.
        socket.set_reuseaddr(true).unwrap();
        socket.bind(address).unwrap();
        let address = socket.local_addr().unwrap();
        Self { _socket: socket, address }
    }
}

/// A TCP port at which a board can be plugged in.
pub(crate) struct Socket {
    listener: TcpListener,
}

impl Socket {
    pub(crate) fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    /// Closes the listener until the returned function is called.
    pub(crate) fn unplug(self) -> impl FnOnce() -> Self {
        let address = self.listener.local_addr().unwrap();
        drop(self);
        // Nobody else gets the address meanwhile.
        let reserved = Reserved::at(address);
        move || {
            let listener = TcpListener::bind(address).unwrap();
            drop(reserved);
            Self { listener }
        }
    }

    /// Returns the port's name for the configuration.
    pub(crate) fn port(&self) -> String {
        format!("tcp://{}", self.listener.local_addr().unwrap())
    }

    /// Plugs a board in: waits until the daemon opens the port.
    pub(crate) fn plug(&self) -> Board<TcpStream> {
        let (stream, _) = self.listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Board { stream }
    }
}

/// The initial position as a board dumps it, from a8 to h1.
pub(crate) const START: [u8; 64] = {
    let mut fields = [0; 64];
    let back = [2, 3, 4, 6, 5, 4, 3, 2];
    let mut file = 0;
    while file < 8 {
        fields[file] = back[file] + 6;
        fields[8 + file] = 7;
        fields[48 + file] = 1;
        fields[56 + file] = back[file];
        file += 1;
    }
    // Kings and queens have codes of their own.
    fields[3] = 0x0c;
    fields[4] = 0x0b;
    fields
};

/// The board's end of a link.
pub(crate) struct Board<S> {
    stream: S,
}

impl<S: Read + Write> Board<S> {
    /// Sends bytes to the daemon.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Sends the serial number.
    pub(crate) fn say_serial(&mut self, serial: &str) {
        assert_eq!(serial.len(), 5);
        self.send(&[[0x91, 0x00, 0x08].as_slice(), serial.as_bytes()].concat());
    }

    /// Waits until the daemon has asked with this command.
    pub(crate) fn wait_command(&mut self, command: u8) {
        let mut seen = Vec::new();
        let mut byte = [0];
        while byte[0] != command {
            match self.stream.read_exact(&mut byte) {
                Ok(()) => seen.push(byte[0]),
                Err(error) => panic!("no command {command:02x}, only {seen:02x?}: {error}"),
            }
        }
    }

    /// Waits until the daemon has closed the link.
    pub(crate) fn wait_end(&mut self) {
        let mut buffer = [0; 256];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("the link was not closed: {error}"),
            }
        }
    }
}

impl Board<TcpStream> {
    /// Closes the link after everything sent has arrived.
    pub(crate) fn hang_up(mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
        self.wait_end();
    }
}

impl Board<fs::File> {
    /// Returns another handle to the board's end.
    pub(crate) fn end(&self) -> fs::File {
        self.stream.try_clone().unwrap()
    }
}

/// The name of a device: it goes with the device, as another terminal may get the number of this one.
struct DeviceLink {
    name: PathBuf,
    device: PathBuf,
}

impl Drop for DeviceLink {
    fn drop(&mut self) {
        if fs::read_link(&self.name).is_ok_and(|device| device == self.device) {
            fs::remove_file(&self.name).unwrap_or_default();
        }
    }
}

/// A board on a pseudo terminal with a symbolic link of a fixed name.
pub(crate) struct Terminal {
    /// Dropped first.
    _link: DeviceLink,
    pub(crate) board: Board<fs::File>,
    /// The side that the daemon opens; kept open to preserve its settings.
    _device: fs::File,
}

impl Terminal {
    /// Makes a terminal with the link `name`.
    pub(crate) fn new(name: &Path) -> Self {
        let (master, device, path) = terminal();
        // A fresh terminal echoes and edits lines.
        let mut settings = tcgetattr(&device).unwrap();
        settings.make_raw();
        tcsetattr(&device, OptionalActions::Now, &settings).unwrap();
        fs::remove_file(name).unwrap_or_default();
        std::os::unix::fs::symlink(&path, name).unwrap();
        let link = DeviceLink { name: name.to_owned(), device: path };
        Self { _link: link, board: Board { stream: master }, _device: device }
    }
}

/// Makes a pseudo terminal: controlling side, terminal side, and name.
pub(crate) fn terminal() -> (fs::File, fs::File, PathBuf) {
    let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let path = PathBuf::from(ptsname(&master, Vec::new()).unwrap().into_string().unwrap());
    let device = fs::File::options().read(true).write(true).open(&path).unwrap();
    (fs::File::from(master), device, path)
}

/// A process with emulated boards.
pub(crate) struct Emulator {
    child: Child,
    /// Serial numbers and addresses from its output.
    pub(crate) boards: Vec<(String, String)>,
    pub(crate) messages: Receiver<String>,
}

impl Emulator {
    pub(crate) fn start(boards: usize, args: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["emulate", "--boards", &boards.to_string()])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_remove("JOURNAL_STREAM")
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let count = if args.contains(&"--bus") { 1 } else { boards };
        let boards = lines.take(count).map(|line| {
            let line = line.unwrap();
            let (serial, address) = line.split_once(' ').unwrap();
            (serial.to_owned(), address.to_owned())
        });
        let (sender, messages) = channel();
        let errors = BufReader::new(child.stderr.take().unwrap()).lines();
        thread::spawn(move || errors.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { boards: boards.collect(), child, messages }
    }

    /// Waits for a message that holds this text.
    pub(crate) fn wait_message(&self, text: &str) {
        while !self
            .messages
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| panic!("no message '{text}'"))
            .contains(text)
        {}
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(|_| ()).unwrap_or_default();
    }
}

/// Returns the records of a capture that match, without their times.
pub(crate) fn records(capture: &str, kind: char) -> Vec<String> {
    let lines = capture.lines().filter(|line| !line.starts_with('#'));
    let texts = lines.filter_map(|line| line.split_once(' ')).map(|(_, text)| text);
    texts.filter(|text| text.starts_with(kind)).map(str::to_owned).collect()
}
