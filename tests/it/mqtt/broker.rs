//! A mosquitto of the test's own, and programs that listen to it and write to it: Debian's, not ours.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{PATIENCE, Reserved};

/// Where Debian puts the broker; no user has that directory in the PATH.
const MOSQUITTO: &str = "/usr/sbin/mosquitto";

/// How long a new listener waits before it asks for a sign that it listens.
const LOOK: Duration = Duration::from_millis(300);

/// Returns whether the broker is there; says why the test is left out if it is not.
pub(crate) fn is_missing(test: &str) -> bool {
    let missing =
        !Path::new(MOSQUITTO).exists() || Command::new("mosquitto_sub").arg("--help").output().is_err();
    if missing {
        println!("{test} is skipped: needs the Debian packages mosquitto and mosquitto-clients");
    }
    missing
}

/// A broker that can be killed and started again.
pub(crate) struct Broker {
    dir: PathBuf,
    pub(crate) port: u16,
    child: Option<Child>,
    _reserved: Reserved,
}

impl Broker {
    /// Starts a broker with further lines in its configuration; its files lie in `dir`.
    pub(crate) fn start(dir: &Path, config: &str) -> Self {
        let reserved = Reserved::new();
        let port = reserved.address.port();
        let dir = dir.join("broker");
        fs::create_dir_all(&dir).unwrap();
        let text =
            format!("user root\nlistener {port} 127.0.0.1\npersistence false\nlog_dest stderr\n{config}\n");
        fs::write(dir.join("conf"), text).unwrap();
        let mut broker = Self { dir, port, child: None, _reserved: reserved };
        broker.again();
        broker
    }

    /// Starts it again without its retained messages.
    pub(crate) fn again(&mut self) {
        let log = fs::File::create(self.dir.join("log")).unwrap();
        let mut command = Command::new(MOSQUITTO);
        command.arg("-c").arg(self.dir.join("conf")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().unwrap());
        wait(|| std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok(), "the broker listens");
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Makes it read its password and access files again.
    pub(crate) fn reload(&self) {
        kill_process(Pid::from_child(self.child.as_ref().unwrap()), Signal::HUP).unwrap();
    }

    /// Gives a user a password, effective after the next reload.
    pub(crate) fn let_in(&self, user: &str, password: &str) {
        let file = self.dir.join("passwords");
        let mut command = Command::new("mosquitto_passwd");
        if !file.exists() {
            command.arg("-c");
        }
        let status = command.arg("-b").arg(&file).args([user, password]).status().unwrap();
        assert!(status.success());
    }

    /// Writes a message.
    pub(crate) fn publish(&self, login: &[&str], topic: &str, payload: &str, more: &[&str]) {
        assert!(self.try_publish(login, topic, payload, more));
    }

    fn try_publish(&self, login: &[&str], topic: &str, payload: &str, more: &[&str]) -> bool {
        let port = self.port.to_string();
        let mut command = Command::new("mosquitto_pub");
        command.args(["-p", &port, "-q", "1", "-t", topic, "-m", payload]).args(login).args(more);
        command.status().unwrap().success()
    }

    /// Subscribes to all topics, retained messages included.
    pub(crate) fn listen(&self, login: &[&str]) -> Listener {
        let mut listener = Listener::new(self.port, login);
        // Once this message has arrived, the subscription is active.
        for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
            match listener.messages.recv_timeout(LOOK) {
                Ok(message) => {
                    let is_active = message.topic == "probe";
                    listener.seen.push(message);
                    if is_active {
                        return listener;
                    }
                }
                // A broker that has not read its passwords yet lets nobody in.
                Err(RecvTimeoutError::Disconnected) => {
                    thread::sleep(LOOK);
                    listener = Listener::new(self.port, login);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.try_publish(login, "probe", "1", &[]);
                }
            }
        }
        panic!("the broker lets nobody listen as {login:?}");
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            child.kill().unwrap_or_default();
            child.wait().map(|_| ()).unwrap_or_default();
        }
    }
}

/// A received message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) retained: bool,
    pub(crate) topic: String,
    pub(crate) payload: String,
}

impl Message {
    /// Returns the payload as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.payload).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A subscribed client.
pub(crate) struct Listener {
    child: Child,
    messages: Receiver<Message>,
    /// All messages received.
    pub(crate) seen: Vec<Message>,
}

impl Listener {
    fn new(port: u16, login: &[&str]) -> Self {
        let mut child = Command::new("mosquitto_sub")
            .args(["-p", &port.to_string(), "-q", "1", "-t", "#", "-F", "%r %t %p"])
            .args(login)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        thread::spawn(move || {
            lines.map_while(Result::ok).try_for_each(|line| {
                let mut fields = line.splitn(3, ' ').map(str::to_owned);
                let mut next = || fields.next().unwrap_or_default();
                sender.send(Message { retained: next() == "1", topic: next(), payload: next() })
            })
        });
        Self { child, messages, seen: Vec::new() }
    }

    /// Waits for a message whose topic ends with this, unless it has been received already.
    pub(crate) fn wait(&mut self, topic: &str, payload: &str) -> Message {
        let fits = |message: &Message| message.topic.ends_with(topic) && message.payload.contains(payload);
        if let Some(heard) = self.seen.iter().find(|message| fits(message)) {
            return heard.clone();
        }
        match self.try_wait(PATIENCE, fits) {
            Some(message) => message,
            None => panic!("no message {topic} {payload}, only {:#?}", self.seen),
        }
    }

    /// Waits for an empty retained message on a topic.
    pub(crate) fn wait_empty(&mut self, topic: &str) {
        let fits = |message: &Message| message.topic.contains(topic) && message.payload.is_empty();
        assert!(self.try_wait(PATIENCE, fits).is_some(), "{topic} stays, only {:#?}", self.seen);
    }

    fn try_wait(&mut self, patience: Duration, fits: impl Fn(&Message) -> bool) -> Option<Message> {
        loop {
            let message = self.messages.recv_timeout(patience).ok()?;
            self.seen.push(message.clone());
            if fits(&message) {
                return Some(message);
            }
        }
    }

    /// Returns the received events without duplicates.
    pub(crate) fn events(&self) -> Vec<Value> {
        let mut events: Vec<Value> = Vec::new();
        for message in &self.seen {
            if message.topic.ends_with("/move") || message.topic.ends_with("/event") {
                let event = message.json();
                if events.iter().all(|known| known["id"] != event["id"]) {
                    events.push(event);
                }
            }
        }
        events
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(|_| ()).unwrap_or_default();
    }
}

/// Waits until a condition holds.
pub(crate) fn wait(is_so: impl Fn() -> bool, what: &str) {
    for _ in 0..PATIENCE.as_millis() / 20 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("never: {what}");
}
