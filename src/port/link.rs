//! Owns the way to a device: opening it, opening it again, and saying once what is the matter.
//!
//! Only this file knows serial ports. Outside it a link is something to read from and to write to, so that a terminal server, a pseudo
//! terminal and a cable are the same. Links are read with `AsyncReadExt::read` only: of what else a `SerialStream` offers, `readable`
//! with `try_read` never clears the readiness, and so spins.

use std::{
    io::{self, ErrorKind},
    path::Path,
    pin::Pin,
    time::Duration,
};

use serialport::ClearBuffer;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::{Sleep, sleep, timeout},
};
use tokio_serial::{SerialPort as _, SerialStream};
use tracing::{debug, info, warn};

use super::{backoff::Backoff, start_slot::start_slot};
use crate::config::PortConfig;
use jadoube_core::time::Timestamp;
use jadoube_runtime::{clock::SystemClock, platform::is_absent};

/// How long a device may take to open before somebody hears of it.
const OPEN_LIMIT: Duration = Duration::from_secs(3);

/// How long a write may take; commands are a few bytes.
const WRITE_LIMIT: Duration = Duration::from_secs(1);

/// How long a link has to hold before the waits between attempts begin anew: a line that opens and hangs up again and
/// again is tried more and more rarely.
const GOOD: Duration = Duration::from_secs(10);

/// Something that bytes flow through.
trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {
    /// Has the other end notified at once when this one is dropped, whatever has not arrived.
    fn end_at_once(&self) {}
}

impl Duplex for SerialStream {}

impl Duplex for TcpStream {
    fn end_at_once(&self) {
        if let Err(error) = self.set_zero_linger() {
            debug!(%error, "a link that is given up ends slowly");
        }
    }
}

type Opening = Pin<Box<dyn Future<Output = Result<Box<dyn Duplex>, OpenError>> + Send>>;

/// Why a port cannot be opened, and what helps.
#[derive(Debug, thiserror::Error)]
#[error("{reason}{}{remedy}", if remedy.is_empty() { "" } else { ": " })]
pub(crate) struct OpenError {
    /// What kind of error it is.
    pub(crate) kind: ErrorKind,
    reason: String,
    remedy: &'static str,
}

/// What has happened to the link.
#[derive(Debug)]
pub(crate) enum LinkEvent {
    /// It is time to try again, or an attempt failed: nothing to do.
    Trying,
    /// It came up.
    Up,
    /// This many bytes were read.
    Bytes(usize),
    /// It went down, with the reason.
    Down(String),
}

/// A link that opens itself again and again.
pub(crate) struct Dialer {
    config: PortConfig,
    state: DialState,
    backoff: Backoff,
    clock: SystemClock,
    /// When the link came up last.
    up_at: Timestamp,
    said: Option<String>,
    failure: Option<OpenError>,
    /// How often the link was lost since it held for a while.
    losses: u32,
    /// A link through a network of which nothing is heard, until the next one is up.
    unheard: Option<Box<dyn Duplex>>,
}

enum DialState {
    Waiting(Pin<Box<Sleep>>),
    Opening(Opening),
    Up(Box<dyn Duplex>),
}

impl Dialer {
    /// Starts at once to open the port.
    pub(crate) fn new(config: PortConfig) -> Self {
        let backoff = Backoff::new(&config.path);
        let state = DialState::Opening(open(config.clone()));
        let clock = SystemClock::start();
        Self {
            config,
            state,
            backoff,
            clock,
            up_at: Timestamp::ZERO,
            said: None,
            failure: None,
            losses: 0,
            unheard: None,
        }
    }

    /// Begins with links that were lost before, on a device that comes and goes.
    pub(crate) fn after(self, losses: u32) -> Self {
        Self { losses, ..self }
    }

    /// Returns how often the link was lost since it held for a while.
    pub(crate) const fn losses(&self) -> u32 {
        self.losses
    }

    /// Waits for the next thing to happen; may be dropped and called again.
    pub(crate) async fn next(&mut self, buffer: &mut [u8]) -> LinkEvent {
        match &mut self.state {
            DialState::Waiting(pause) => {
                pause.await;
                self.state = DialState::Opening(open(self.config.clone()));
                LinkEvent::Trying
            }
            DialState::Opening(opening) => match opening.await {
                Ok(link) => {
                    self.state = DialState::Up(link);
                    // Now the other end hears that the earlier one is over: a terminal server has one client.
                    self.unheard = None;
                    self.up_at = self.clock.now();
                    self.failure = None;
                    info!("link is up");
                    LinkEvent::Up
                }
                Err(error) => {
                    self.say(&error);
                    self.failure = Some(error);
                    self.wait();
                    LinkEvent::Trying
                }
            },
            DialState::Up(link) => match link.read(buffer).await {
                // A serial line that was unplugged reads as nothing, for ever.
                Ok(0) => self.down("hung up"),
                Ok(count) => LinkEvent::Bytes(count),
                Err(error) => self.down(&error.to_string()),
            },
        }
    }

    /// Writes to the board.
    ///
    /// # Errors
    ///
    /// Returns the reason for which the link is down now. Nothing is flushed: to wait until a serial line has sent
    /// its bytes blocks the thread, and commands are shorter than any buffer.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), LinkEvent> {
        let DialState::Up(link) = &mut self.state else { return Err(LinkEvent::Trying) };
        match timeout(WRITE_LIMIT, link.write_all(bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.down(&error.to_string())),
            Err(_) => Err(self.down("takes no bytes")),
        }
    }

    /// Closes the link and tries again later.
    pub(crate) fn down(&mut self, reason: &str) -> LinkEvent {
        self.lose(self.is_up(), reason)
    }

    fn lose(&mut self, was_up: bool, reason: &str) -> LinkEvent {
        if was_up && self.clock.now().since(self.up_at) >= GOOD {
            self.backoff.reset();
            self.losses = 0;
            self.said = None;
        }
        self.losses = self.losses.saturating_add(1);
        // Dropped before anything else: while the handle is held a replugged device gets another name.
        self.wait();
        info!(reason, "link is down");
        if is_news(self.losses) {
            warn!(
                "{} was lost {} times, and never held for long: a loose cable?",
                self.config.path, self.losses
            );
        }
        LinkEvent::Down(reason.to_owned())
    }

    /// Does the same with a link through a network of which nothing is heard. Whoever serves one client learns only much later that the link is
    /// closed if it is sent while the network carries nothing: it is sent when it carries the next one.
    pub(crate) fn give_up(&mut self, reason: &str) -> LinkEvent {
        let state = std::mem::replace(&mut self.state, DialState::Waiting(Box::pin(sleep(Duration::ZERO))));
        let was_up = matches!(state, DialState::Up(_));
        if let DialState::Up(link) = state {
            link.end_at_once();
            self.unheard = Some(link);
        }
        self.lose(was_up, reason)
    }

    /// Returns whether bytes can flow.
    pub(crate) const fn is_up(&self) -> bool {
        matches!(self.state, DialState::Up(_))
    }

    /// Returns whether a network lies between.
    pub(crate) fn is_remote(&self) -> bool {
        self.config.address().is_some()
    }

    /// Returns why the last attempt failed, if it did.
    pub(crate) const fn failure(&self) -> Option<&OpenError> {
        self.failure.as_ref()
    }

    fn wait(&mut self) {
        self.state = DialState::Waiting(Box::pin(sleep(self.backoff.pause())));
    }

    /// Says each thing once, until the link has held for a while. That a device which comes and goes is not there is said the first time.
    fn say(&mut self, error: &OpenError) {
        let what = error.to_string();
        let comes_and_goes = self.losses > 1 && error.kind == ErrorKind::NotFound;
        if comes_and_goes || self.said.as_ref() == Some(&what) {
            debug!("{what}");
        } else {
            warn!("cannot open {}: {what}", self.config.path);
            self.said = Some(what);
        }
    }
}

/// Says which losses in a row are said: the tenth, the hundredth, and so on.
const fn is_news(losses: u32) -> bool {
    losses > 1 && 10_u32.pow(losses.ilog10()) == losses
}

fn open(config: PortConfig) -> Opening {
    match config.address().map(str::to_owned) {
        Some(address) => Box::pin(async move { open_tcp(&address).await }),
        None => Box::pin(open_serial(config)),
    }
}

async fn open_tcp(address: &str) -> Result<Box<dyn Duplex>, OpenError> {
    let stream = match timeout(OPEN_LIMIT, TcpStream::connect(address)).await {
        Ok(stream) => stream.map_err(|error| OpenError::of(&error))?,
        Err(_) => return Err(OpenError::of(&ErrorKind::TimedOut.into())),
    };
    // Commands are a few bytes and should not wait for more.
    stream.set_nodelay(true).map_err(|error| OpenError::of(&error))?;
    Ok(Box::new(stream))
}

async fn open_serial(config: PortConfig) -> Result<Box<dyn Duplex>, OpenError> {
    let path = config.path.clone();
    let slot = start_slot().await;
    // A sick adapter can block this for seconds. It is never given up: a second attempt would block as well.
    let mut blocking = tokio::task::spawn_blocking(move || open_blocking(&config));
    let opened = if let Ok(opened) = timeout(OPEN_LIMIT, &mut blocking).await {
        opened
    } else {
        warn!("opening {path} takes longer than {} s; a sick adapter?", OPEN_LIMIT.as_secs());
        blocking.await
    };
    drop(slot);
    Ok(Box::new(opened.map_err(|error| OpenError::of(&io::Error::other(error)))??))
}

fn open_blocking(config: &PortConfig) -> Result<SerialStream, OpenError> {
    if is_absent(Path::new(&config.path)) {
        return Err(OpenError::of(&ErrorKind::NotFound.into()));
    }
    let builder = serialport::new(&config.path, config.baud).timeout(Duration::ZERO);
    let mut port = SerialStream::open(&builder).map_err(|error| OpenError::serial(&error))?;
    // On a bus both lines have to be low or boards behave strangely; elsewhere they are left alone.
    let low_on_bus = (!config.bus.is_empty()).then_some(false);
    let levels = [
        config.dtr.or(low_on_bus).map(|level| port.write_data_terminal_ready(level)),
        config.rts.or(low_on_bus).map(|level| port.write_request_to_send(level)),
    ];
    // A pseudo terminal has no such lines.
    for error in levels.into_iter().flatten().filter_map(Result::err) {
        debug!(%error, "control line not set");
    }
    if let Err(error) = port.clear(ClearBuffer::Input) {
        debug!(%error, "stale input not cleared");
    }
    Ok(port)
}

impl OpenError {
    fn of(error: &io::Error) -> Self {
        let remedies = [
            (
                ErrorKind::PermissionDenied,
                "the user has to be in the group of the device: usermod -aG dialout USER, then log in again; for the \
                 service SupplementaryGroups=dialout, and DeviceAllow needs the driver loaded at boot \
                 (modules-load.d/jadoube.conf)",
            ),
            (
                ErrorKind::ResourceBusy,
                "another program uses it; fuser -v names it (often ModemManager or brltty)",
            ),
            (ErrorKind::NotFound, "is the board plugged in? It is opened as soon as it is there"),
        ];
        let remedy = remedies.into_iter().find(|(kind, _)| *kind == error.kind());
        Self {
            kind: error.kind(),
            reason: error.to_string(),
            remedy: remedy.map_or("", |(_, remedy)| remedy),
        }
    }

    fn serial(error: &serialport::Error) -> Self {
        let text = error.to_string();
        let kind = match error.kind {
            // Opening alone: TIOCEXCL and flock of another program are reported this way.
            serialport::ErrorKind::NoDevice => ErrorKind::ResourceBusy,
            serialport::ErrorKind::Io(kind) => kind,
            // EPERM has no kind of its own: the service manager's device filter says no.
            serialport::ErrorKind::Unknown if text.contains("permitted") => ErrorKind::PermissionDenied,
            serialport::ErrorKind::Unknown | serialport::ErrorKind::InvalidInput => ErrorKind::Other,
        };
        Self { reason: text, ..Self::of(&kind.into()) }
    }
}

#[cfg(test)]
mod tests;
