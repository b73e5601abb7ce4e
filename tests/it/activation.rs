//! Sockets that the service manager has opened: no connection is refused while the daemon is stopped.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    os::fd::OwnedFd,
    process::{Child, Command, Stdio},
};

use crate::support::{Hall, PATIENCE, PROGRAM};

/// Hands two sockets over as systemd does: as files 3 and 4, by name.
const HAND_OVER: &str = "exec 3<&0 4<&1 0</dev/null 1>&0
export LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=livechess:jadoube-http.socket
exec \"$@\"";

/// A service whose sockets outlive it.
struct Service {
    livechess: TcpListener,
    http: TcpListener,
    hall: Hall,
    child: Option<Child>,
}

impl Service {
    fn new() -> Self {
        let listen = || TcpListener::bind("127.0.0.1:0").unwrap();
        // Addresses that the daemon must not open by itself: they are in use.
        let (livechess, http) = (listen(), listen());
        let (one, two) = (livechess.local_addr().unwrap(), http.local_addr().unwrap());
        let hall = Hall::new(&format!(
            "[ports]\nscan = []\n[livechess]\nlisten = ['{one}']\n[http]\nlisten = '{two}'"
        ));
        Self { livechess, http, hall, child: None }
    }

    /// A service whose configuration has no section for its sockets.
    fn without_sections() -> Self {
        let mut service = Self::new();
        service.hall = Hall::new("[ports]\nscan = []");
        service
    }

    fn start(&mut self) {
        let socket = |listener: &TcpListener| Stdio::from(OwnedFd::from(listener.try_clone().unwrap()));
        let log = fs::File::options().create(true).append(true).open(self.log()).unwrap();
        let child = Command::new("/bin/sh")
            .args(["-c", HAND_OVER, "sh", PROGRAM, "run", "--config"])
            .arg(self.hall.dir.path().join("jadoube.toml"))
            .stdin(socket(&self.livechess))
            .stdout(socket(&self.http))
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
    }

    fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn log(&self) -> std::path::PathBuf {
        self.hall.dir.path().join("stderr")
    }

    /// Sends a request without reading the response.
    fn ask(listener: &TcpListener, path: &str) -> TcpStream {
        let address = listener.local_addr().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        stream
    }

    fn answer(&self, mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap_or_else(|error| {
            panic!("{error}; messages:\n{}", fs::read_to_string(self.log()).unwrap_or_default())
        });
        text
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            child.kill().unwrap_or_default();
            child.wait().map(|_| ()).unwrap_or_default();
        }
    }
}

#[test]
fn who_comes_before_or_during_a_restart_is_answered_after_it() {
    let mut service = Service::new();
    for _ in 0..2 {
        let boards = Service::ask(&service.livechess, "/api/v1.0/eboards");
        let health = Service::ask(&service.http, "/healthz");
        service.start();
        let boards = service.answer(boards);
        assert!(boards.starts_with("HTTP/1.1 200 ") && boards.ends_with("[]"), "{boards}");
        assert!(service.answer(health).contains("\r\n\r\nok\n"));
        service.kill();
    }
    let messages = fs::read_to_string(service.log()).unwrap();
    assert!(!messages.contains("cannot listen"), "{messages}");
}

#[test]
fn a_socket_without_its_section_answers_with_what_is_missing() {
    let mut service = Service::without_sections();
    service.start();
    for (listener, section) in [(&service.http, "[http]"), (&service.livechess, "[livechess]")] {
        let answer = service.answer(Service::ask(listener, "/"));
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains(section), "{answer}");
    }
}
