//! `jadoube watch`: the alerts in a terminal, as they come.
//!
//! Source is the daemon over HTTP if it answers, otherwise its log files.

mod files;
mod line;
mod remote;

use std::{
    collections::BTreeMap,
    fs,
    io::{IsTerminal as _, stderr, stdout},
    thread::sleep,
    time::Duration,
};

use serde_json::Value;

use self::{
    files::Follower,
    line::{Style, TableSeat},
    remote::{Remote, StreamEnd},
};
use super::{ConfigArgs, Exit, Failure, NO_DAEMON, Output, complain};
use crate::{config::Config, daemon, sinks::LogFile};
use jadoube_core::{
    alert::{Confidence, Severity},
    code::Code,
    settings::plain_serial,
};
use jadoube_runtime::platform;

pub(super) use self::remote::{RemoteArgs, hall, own_desk, own_tls};

/// How often a file is read.
const PERIOD: Duration = Duration::from_millis(250);

/// Delay before a lost connection is opened again.
const RETRY: Duration = Duration::from_secs(1);

/// How many of the lines that are there already are shown.
const LINES: usize = 10;

/// Most alerts that are remembered.
const REMEMBERED: usize = 4096;

/// Arguments of `jadoube watch`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    remote: RemoteArgs,
    /// Only this table; may be given several times
    #[arg(long, value_name = "NUMBER")]
    table: Vec<u32>,
    /// Only this board; may be given several times
    #[arg(long, value_name = "SERIAL")]
    board: Vec<String>,
    /// Only this code, e.g. illegal-move; may be given several times
    #[arg(long, value_parser = code)]
    code: Vec<String>,
    /// Only what is at least this urgent, as at the desk: act, look (with equipment), info
    #[arg(long, value_parser = severity)]
    severity: Option<Severity>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Show the last alerts and end
    #[arg(long)]
    once: bool,
}

/// Parses the name of a code; with one that is misspelt nothing would ever be shown.
fn code(name: &str) -> Result<String, String> {
    let rules = jadoube_core::rules::ALL.iter().flat_map(|spec| spec.codes);
    let is_known = rules.chain(&[Code::ServiceDegraded]).any(|code| code.name() == name);
    if is_known {
        Ok(name.to_owned())
    } else {
        Err("there is no such code; 'jadoube rules' lists them".to_owned())
    }
}

fn severity(name: &str) -> Result<Severity, String> {
    // The words of 0.1.0.
    let name = match name {
        "critical" => "act",
        "warning" => "look",
        name => name,
    };
    severity_named(name).ok_or_else(|| "expected act, look, equipment or info".to_owned())
}

fn severity_named(name: &str) -> Option<Severity> {
    Severity::ALL.into_iter().find(|severity| severity.name() == name)
}

/// Returns how urgent an alert is; what a daemon of an earlier version does not say follows from code and confidence.
fn severity_of(event: &Value) -> Severity {
    let text = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or_default();
    severity_named(text("severity")).unwrap_or_else(|| {
        let codes = jadoube_core::rules::ALL.iter().flat_map(|spec| spec.codes);
        let confidence =
            if text("confidence") == "possible" { Confidence::Possible } else { Confidence::Certain };
        let code = codes.copied().find(|code| code.name() == text("code"));
        code.map_or(Severity::Look, |code| Severity::of(code, confidence))
    })
}

/// Prints the last alerts and then each new one, until it is interrupted.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config.load()?;
    let mut screen = Screen::new(args, &config);
    if let Some(url) = &args.remote.url {
        let remote = Remote::new(url);
        let remote = match &args.remote.token_file {
            Some(file) => remote.signed(file)?,
            None => remote,
        };
        return follow_daemon(&mut screen, remote, args.once);
    }
    if let Some(http) = config.http.as_ref().filter(|_| daemon::is_running(&config.state_dir)) {
        let remote = Remote::at(http);
        // Without permission to read the token, the log files are shown.
        let remote = remote.signed(&http.token_file).unwrap_or_else(|_| Remote::at(http));
        if remote.hall().is_ok() {
            return follow_daemon(&mut screen, remote, args.once);
        }
    }
    if let Err(error) = fs::metadata(&config.log_dir) {
        let (exit, dir) = (Exit::of(error.kind()), config.log_dir.display());
        return Err(Failure::new(exit, format_args!("{dir}: {error}; {NO_DAEMON}")));
    }
    if screen.reports_status && !daemon::is_running(&config.state_dir) {
        complain(&format!("these are the last alerts of the log; {NO_DAEMON}"));
    }
    let plain = screen.is_plain();
    let file = if plain { LogFile::AlertsText } else { LogFile::AlertsJson };
    let path = config.log_dir.join(file.name());
    let mut log = Follower::new(&path);
    let read = |log: &mut Follower<'_>| log.read().map_err(|error| Failure::io(path.display(), &error));
    let text = read(&mut log)?;
    let mut text = if plain { files::last_lines(&text, LINES).to_owned() } else { text };
    let mut first = true;
    loop {
        if plain {
            screen.output.text(&text)?;
        } else {
            let events = text.lines().filter_map(|line| serde_json::from_str(line).ok());
            screen.show_all(events, std::mem::take(&mut first).then_some(LINES))?;
        }
        if args.once {
            return Ok(());
        }
        sleep(PERIOD);
        text = read(&mut log)?;
    }
}

/// Follows the daemon's event stream, also over lost connections and restarts.
fn follow_daemon(screen: &mut Screen, mut remote: Remote, once: bool) -> Result<(), Failure> {
    let mut connected = true;
    let mut hall = Some(remote.hall()?);
    loop {
        if let Some(hall) = hall.take() {
            screen.read_hall(&hall);
            let news: Vec<Value> =
                remote.begin(&hall).into_iter().filter_map(|alert| screen.news(alert)).collect();
            screen.show_all(news.into_iter(), None)?;
        }
        if once {
            return Ok(());
        }
        if let Some(stream) = remote.open() {
            screen.status(&mut connected, true, remote.url());
            match remote.listen(stream, |event| screen.show(event))? {
                // The hall contains everything that was missed.
                StreamEnd::Reset => hall = remote.hall().ok(),
                StreamEnd::End => {}
            }
        }
        if hall.is_none() {
            screen.status(&mut connected, false, remote.url());
            sleep(RETRY);
        }
    }
}

/// What is shown, and how.
struct Screen {
    output: Output,
    style: Style,
    json: bool,
    wanted: AlertFilter,
    /// Tables and players by board.
    seats: BTreeMap<String, TableSeat>,
    /// The alerts that have been reported of, by id.
    known: BTreeMap<String, KnownAlert>,
    reports_status: bool,
}

/// What is remembered of an alert.
#[derive(Clone)]
struct KnownAlert {
    code: String,
    severity: Severity,
    state: String,
}

/// Which alerts somebody wants to see; empty lists want all.
struct AlertFilter {
    tables: Vec<u32>,
    boards: Vec<String>,
    codes: Vec<String>,
    severity: Option<Severity>,
}

impl AlertFilter {
    const fn is_all(&self) -> bool {
        self.tables.is_empty() && self.boards.is_empty() && self.codes.is_empty() && self.severity.is_none()
    }

    fn wants(&self, board: &str, table: Option<u32>, code: &str, severity: Severity) -> bool {
        let is_in = |list: &[String], word: &str| list.is_empty() || list.iter().any(|item| item == word);
        is_in(&self.boards, board)
            && is_in(&self.codes, code)
            && self.severity.is_none_or(|least| severity.urgency() >= least.urgency())
            && (self.tables.is_empty() || table.is_some_and(|table| self.tables.contains(&table)))
    }
}

impl Screen {
    fn new(args: &Args, config: &Config) -> Self {
        let seats = config.tables.iter().map(|table| {
            let (white, black) = (table.white.clone(), table.black.clone());
            (plain_serial(&table.serial).to_owned(), TableSeat { table: table.number, white, black })
        });
        let is_terminal = stdout().is_terminal();
        Self {
            output: Output::new(),
            style: Style::of(
                is_terminal && std::env::var_os("NO_COLOR").is_none(),
                config.event.language,
                if is_terminal { platform::columns() } else { None },
            ),
            json: args.json,
            wanted: AlertFilter {
                tables: args.table.clone(),
                boards: args.board.clone(),
                codes: args.code.clone(),
                severity: args.severity,
            },
            seats: seats.collect(),
            known: BTreeMap::new(),
            reports_status: is_terminal && stderr().is_terminal(),
        }
    }

    /// Returns whether the log for people is what is asked for.
    const fn is_plain(&self) -> bool {
        self.wanted.is_all() && !self.json && !self.style.is_coloured()
    }

    /// Updates tables and players of the boards.
    fn read_hall(&mut self, hall: &Value) {
        for board in hall.get("boards").and_then(Value::as_array).into_iter().flatten() {
            let text = |key: &str| board.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let table = board.get("table").and_then(Value::as_u64);
            let seat = TableSeat {
                table: table.and_then(|number| u32::try_from(number).ok()),
                white: text("white"),
                black: text("black"),
            };
            self.seats.insert(plain_serial(&text("board")).to_owned(), seat);
        }
    }

    /// Returns what is new about an alert that is open: all of it, its state, or nothing.
    fn news(&self, mut alert: Value) -> Option<Value> {
        let known = alert.get("id").and_then(Value::as_str).and_then(|id| self.known.get(id));
        let Some(known) = known else { return Some(alert) };
        if alert.get("state").and_then(Value::as_str) == Some(&known.state) {
            return None;
        }
        if let Some(fields) = alert.as_object_mut() {
            fields.insert("event".to_owned(), "alert-update".into());
        }
        Some(alert)
    }

    fn show_all(&mut self, events: impl Iterator<Item = Value>, most: Option<usize>) -> Result<(), Failure> {
        let mut lines: Vec<String> = events.filter_map(|event| self.line(&event)).collect();
        let first = most.map_or(0, |most| lines.len().saturating_sub(most));
        for line in lines.drain(first..) {
            self.output.line(&line)?;
        }
        self.output.text("")
    }

    fn show(&mut self, event: &Value) -> Result<(), Failure> {
        match self.line(event) {
            Some(line) => self.output.text(&(line + "\n")),
            None => Ok(()),
        }
    }

    /// Makes the line for an event, unless nobody wants to see it.
    fn line(&mut self, event: &Value) -> Option<String> {
        let text = |key: &str| event.get(key).and_then(Value::as_str);
        let board = text("board")?;
        let seat = self.seats.get(plain_serial(board)).cloned().unwrap_or_default();
        let id = text("id")?;
        let is_alert = text("event") == Some("alert");
        let state = text("state").unwrap_or_default().to_owned();
        let known = if is_alert {
            let code = text("code")?.to_owned();
            Some(KnownAlert { code, severity: severity_of(event), state })
        } else if text("event") == Some("alert-update") {
            self.known.get(id).map(|known| KnownAlert { state, ..known.clone() })
        } else {
            return None;
        };
        let (code, severity) = match known {
            Some(known) => {
                let (code, severity) = (known.code.clone(), known.severity);
                self.remember(id, known);
                (code, severity)
            }
            // The alert itself was before the lines that are remembered.
            None if self.wanted.is_all() => (String::new(), Severity::Info),
            None => return None,
        };
        if !self.wanted.wants(board, seat.table, &code, severity) {
            return None;
        }
        if self.json {
            return Some(event.to_string());
        }
        Some(if is_alert {
            self.style.alert(event, &seat, &code, severity)
        } else {
            self.style.update(event, &seat, &code)
        })
    }

    fn remember(&mut self, id: &str, known: KnownAlert) {
        if self.known.len() >= REMEMBERED && !self.known.contains_key(id) {
            self.known.pop_first();
        }
        self.known.insert(id.to_owned(), known);
    }

    /// Prints a line, in text output only, when the connection is lost or restored.
    fn status(&self, connected: &mut bool, now: bool, url: &str) {
        if std::mem::replace(connected, now) != now && self.reports_status {
            complain(&if now {
                format!("{url} is there again")
            } else {
                format!("{url} cannot be heard; tried again")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> AlertFilter {
        AlertFilter {
            tables: vec![7],
            boards: Vec::new(),
            codes: vec!["flag-fall".to_owned()],
            severity: None,
        }
    }

    #[test]
    fn urgency_has_the_words_of_the_desk() {
        let of = |event: &str| severity_of(&serde_json::from_str(event).unwrap());
        assert_eq!(of(r#"{"code":"flag-fall","severity":"look"}"#), Severity::Look);
        assert_eq!(of(r#"{"code":"flag-fall","confidence":"certain"}"#), Severity::Act);
        assert_eq!(of(r#"{"code":"flag-fall","confidence":"possible"}"#), Severity::Look);
        assert_eq!(of(r#"{"code":"of-another-version"}"#), Severity::Look);
        assert_eq!(severity("critical"), severity("act"));
        assert!(severity("loud").is_err());
    }

    #[test]
    fn an_alert_has_to_be_all_that_is_wanted() {
        assert!(wanted().wants("1", Some(7), "flag-fall", Severity::Act));
        assert!(!wanted().wants("1", Some(8), "flag-fall", Severity::Act));
        assert!(!wanted().wants("1", None, "flag-fall", Severity::Act));
        assert!(!wanted().wants("1", Some(7), "stalemate", Severity::Look));
        let urgent =
            AlertFilter { severity: Some(Severity::Look), tables: Vec::new(), codes: Vec::new(), ..wanted() };
        assert!(urgent.wants("1", None, "stalemate", Severity::Look));
        assert!(urgent.wants("1", None, "board-link", Severity::Equipment));
        assert!(!urgent.wants("1", None, "draw-offer", Severity::Info));
    }
}
