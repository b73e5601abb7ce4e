//! Asks a daemon over HTTP: the hall as it is, and the events from there on.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use ureq::{Agent, BodyReader, RequestBuilder, tls::TlsConfig, typestate::WithoutBody};

use crate::{
    cli::{Exit, Failure, NO_DAEMON},
    config::HttpConfig,
};

/// How long a daemon may take to answer.
const ANSWER: Duration = Duration::from_secs(10);

/// Longest silence of a stream; the daemon sends a keep-alive every ten seconds.
const SILENCE: Duration = Duration::from_secs(30);

/// Longest line of a stream, bytes.
const LONGEST: u64 = 1 << 20;

/// Longest token, bytes.
const LONGEST_TOKEN: u64 = 1024;

/// A daemon.
pub(super) struct Remote {
    url: String,
    agent: Agent,
    stream: Agent,
    /// The arbiter's token as it stands in the header of requests.
    authorization: Option<String>,
    /// The last event that is known.
    last: u64,
}

/// How a stream ended.
pub(super) enum StreamEnd {
    /// Events are missing: the hall has to be read again.
    Reset,
    /// The daemon has ended it, or the connection is lost.
    End,
}

/// The daemon that a command asks over HTTP.
#[derive(clap::Args, Debug)]
pub(crate) struct RemoteArgs {
    /// Ask the daemon there, such as 127.0.0.1:8080
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// File with the arbiter's token, for a daemon on another machine or one that delays games
    #[arg(long, value_name = "FILE", requires = "url")]
    pub(crate) token_file: Option<PathBuf>,
}

/// Reads the hall of the daemon at an address, with the token in a file if one is named.
pub(crate) fn hall(url: &str, token_file: Option<&Path>) -> Result<Value, Failure> {
    let mut remote = Remote::new(url);
    if let Some(file) = token_file {
        remote = remote.signed(file)?;
    }
    remote.hall()
}

/// Returns where a program of this machine finds what listens on an address.
fn on_this_machine(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Returns the address at which a program of this machine finds the desk.
pub(crate) fn own_desk(http: &HttpConfig) -> String {
    let scheme = if http.certificate.is_some() { "https" } else { "http" };
    format!("{scheme}://{}", on_this_machine(http.listen))
}

/// Says how to encrypt connections to [`own_desk`]: a certificate need not name addresses that only this machine uses,
/// and what does not leave the machine needs no proof of who answers.
pub(crate) fn own_tls() -> TlsConfig {
    TlsConfig::builder().disable_verification(true).build()
}

impl Remote {
    /// Makes the client of a daemon from an address, with or without a scheme.
    pub(super) fn new(url: &str) -> Self {
        Self::with(url, &TlsConfig::default())
    }

    fn with(url: &str, tls: &TlsConfig) -> Self {
        let url = url.trim_end_matches('/');
        let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let agent = |silence: Option<Duration>, all: Option<Duration>| {
            let config =
                Agent::config_builder().timeout_connect(Some(ANSWER)).timeout_recv_response(Some(ANSWER));
            config.tls_config(tls.clone()).timeout_per_read(silence).timeout_global(all).build().into()
        };
        Self {
            url,
            agent: agent(None, Some(ANSWER)),
            stream: agent(Some(SILENCE), None),
            authorization: None,
            last: 0,
        }
    }

    /// Signs in with the token in a file.
    pub(super) fn signed(self, file: &Path) -> Result<Self, Failure> {
        let mut token = String::new();
        let read = File::open(file).and_then(|file| file.take(LONGEST_TOKEN).read_to_string(&mut token));
        read.map_err(|error| Failure::io(file.display(), &error))?;
        Ok(Self { authorization: Some(format!("Bearer {}", token.trim())), ..self })
    }

    /// Makes the client of the daemon of this machine.
    pub(super) fn at(http: &HttpConfig) -> Self {
        Self::with(&own_desk(http), &own_tls())
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Reads the hall.
    pub(super) fn hall(&self) -> Result<Value, Failure> {
        let answer = self.request(&self.agent, &format!("{}/api/hall", self.url)).call();
        let text = answer.and_then(|mut answer| answer.body_mut().read_to_string());
        let text = text.map_err(|error| self.failure(&error))?;
        serde_json::from_str(&text).map_err(|error| {
            Failure::new(Exit::Data, format_args!("{}: no daemon of this kind: {error}", self.url))
        })
    }

    /// Reads the hall first: returns the open alerts, oldest first, in the form of stream events.
    pub(super) fn begin(&mut self, hall: &Value) -> Vec<Value> {
        self.last = hall.get("seq").and_then(Value::as_u64).unwrap_or(0);
        let mut open = Vec::new();
        for board in hall.get("boards").and_then(Value::as_array).into_iter().flatten() {
            for alert in board.get("alerts").and_then(Value::as_array).into_iter().flatten() {
                let Value::Object(mut alert) = alert.clone() else { continue };
                alert.insert("event".to_owned(), "alert".into());
                alert.insert("board".to_owned(), board.get("board").cloned().unwrap_or_default());
                open.push(Value::Object(alert));
            }
        }
        open.sort_by_key(|alert| alert.get("at").and_then(Value::as_str).map(str::to_owned));
        open
    }

    /// Opens the stream of alerts after the last known event; `None` if the daemon does not answer.
    pub(super) fn open(&self) -> Option<BodyReader<'static>> {
        let url = format!("{}/api/events?events=alert,alert-update&after={}", self.url, self.last);
        self.request(&self.stream, &url).call().ok().map(|answer| answer.into_body().into_reader())
    }

    /// Reads the stream until it ends, and hands every event to `report`.
    pub(super) fn listen(
        &mut self,
        stream: BodyReader<'static>,
        mut report: impl FnMut(&Value) -> Result<(), Failure>,
    ) -> Result<StreamEnd, Failure> {
        let mut lines = BufReader::new(stream);
        let mut reset = false;
        loop {
            let mut line = String::new();
            match lines.by_ref().take(LONGEST).read_line(&mut line) {
                Ok(0) | Err(_) => return Ok(StreamEnd::End),
                Ok(_) => {}
            }
            let line = line.trim_end();
            if line == "event: reset" {
                reset = true;
            } else if let Some(seq) = line.strip_prefix("id: ") {
                self.last = seq.parse().unwrap_or(self.last);
            } else if let Some(data) = line.strip_prefix("data: ") {
                if reset {
                    return Ok(StreamEnd::Reset);
                }
                if let Ok(event) = serde_json::from_str(data) {
                    report(&event)?;
                }
            }
        }
    }

    fn request(&self, agent: &Agent, url: &str) -> RequestBuilder<WithoutBody> {
        let request = agent.get(url);
        match &self.authorization {
            Some(authorization) => request.header("authorization", authorization),
            None => request,
        }
    }

    fn failure(&self, error: &ureq::Error) -> Failure {
        if matches!(error, ureq::Error::StatusCode(401)) {
            let text = format_args!(
                "{}: this needs the arbiter's token: --token-file FILE names the file that has it",
                self.url
            );
            return Failure::new(Exit::NoPermission, text);
        }
        Failure::new(
            Exit::Unavailable,
            format_args!(
                "{}: {error}; is the daemon running, with [http] in its configuration? {NO_DAEMON}",
                self.url
            ),
        )
    }
}
