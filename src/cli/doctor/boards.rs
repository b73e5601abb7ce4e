//! Boards and clocks: as a running daemon knows them, or as they answer while each line is listened to.

use std::{collections::BTreeMap, io, time::Duration};

use futures_util::future::join_all;
use tokio::{select, time::Instant, time::sleep_until};

use super::{Finding, Level};
use crate::{
    cli::{Exit, Failure},
    config::{Config, PortConfig},
    port::link::{Dialer, LinkEvent},
    sinks::{BOARDS_FILE, BoardSnapshot, read_boards},
};
use jadoube_core::{
    event::{EventKind, Known},
    line::{Line, Link, Output},
    time::Timestamp,
};
use jadoube_runtime::clock::SystemClock;

/// Charge below which a battery does not last a round, percent.
const LOW: u8 = 20;

/// Damaged bytes from which on a line is bad, for each second.
const NOISY: u64 = 1;

/// What is known of one board.
#[derive(Debug, Default)]
struct KnownBoard {
    name: String,
    port: String,
    version: Option<String>,
    battery: Option<u8>,
    /// Whether it is turned, if that is known.
    rotated: Option<bool>,
    /// Whether there is a clock, and whether it wants a battery.
    clock: Option<(bool, bool)>,
}

/// Says what a running daemon knows of its boards.
pub(super) fn known(config: &Config) -> Vec<Finding> {
    let file = config.state_dir.join(BOARDS_FILE);
    let boards = match read_boards(&file) {
        Ok(boards) => boards,
        Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => {
            let text = format!("cannot be read: {error}");
            return vec![
                Finding::new("board", Level::Fault, file.display().to_string(), text)
                    .remedy("run this as root, or as in sudo -u jadoube jadoube doctor"),
            ];
        }
    };
    if boards.is_empty() {
        return vec![no_board("")];
    }
    let mut findings = Vec::new();
    for (name, BoardSnapshot { port, up, clock, version, battery, rotated, low_battery, .. }) in boards {
        if !up {
            findings.push(
                Finding::new("board", Level::Fault, name, format!("does not answer on {port}"))
                    .remedy("check the cable and the board's power; journalctl -u jadoube says why"),
            );
            continue;
        }
        let clock = Some((clock.is_some(), low_battery));
        judge(&KnownBoard { name, port, version, battery, rotated: Some(rotated), clock }, &mut findings);
    }
    findings
}

/// Listens to each port for some time and says what answered.
pub(super) fn listened(
    config: &Config,
    ports: &[PortConfig],
    listen: Duration,
) -> Result<Vec<Finding>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Unavailable, format_args!("cannot start: {error}")))?;
    let all = runtime.block_on(join_all(ports.iter().map(|port| listen_to(config, port, listen))));
    // A device that blocks while it is opened does not delay the exit.
    runtime.shutdown_background();
    Ok(all.into_iter().flatten().collect())
}

/// Speaks with the boards on one port as the daemon does.
async fn listen_to(config: &Config, port: &PortConfig, listen: Duration) -> Vec<Finding> {
    let clock = SystemClock::start();
    let end = Timestamp::ZERO + listen;
    let mut dialer = Dialer::new(port.clone());
    let mut line = Line::new(config.line_settings(&port.path), &port.path, 1);
    let mut buffer = [0; 4096];
    let mut boards: Vec<KnownBoard> = Vec::new();
    let mut bytes = 0;
    while clock.now() < end {
        let due = line.poll_timeout().map_or(end, |(at, _)| at).min(end);
        let event = select! {
            event = dialer.next(&mut buffer) => Some(event),
            () = sleep_until(Instant::from_std(clock.instant(due))) => None,
        };
        let now = clock.now();
        match event {
            Some(LinkEvent::Up) => line.handle_link(Link::Up(&port.path), now),
            Some(LinkEvent::Bytes(count)) => {
                bytes += count;
                line.handle_bytes(buffer.get(..count).unwrap_or_default(), now);
            }
            Some(LinkEvent::Down(reason)) => line.handle_link(Link::Down(&reason), now),
            Some(LinkEvent::Trying) if dialer.failure().is_some() => break,
            Some(LinkEvent::Trying) | None => line.handle_timeout(now),
        }
        while let Some(output) = line.poll_output() {
            match output {
                Output::Send(command) if dialer.write(&command).await.is_ok() => {
                    line.handle_sent(&command, clock.now());
                }
                Output::Event(event) => note(&mut boards, &event.board, &port.path, event.kind),
                Output::Send(_) | Output::Question(_) => {}
            }
        }
    }
    if let Some(failure) = dialer.failure() {
        let text = format!("cannot be opened: {failure}");
        return vec![Finding::new("port", Level::Fault, &port.path, text)];
    }
    // Until a board has reported its number it has the port's name.
    let has_number = |board: &KnownBoard| board.name.bytes().all(|byte| byte.is_ascii_digit());
    let mut findings = Vec::new();
    for board in boards.iter().filter(|board| has_number(board)) {
        judge(board, &mut findings);
    }
    findings.extend(judge_line(&port.path, bytes, line.damaged(), listen));
    if findings.is_empty() || !boards.iter().any(has_number) {
        findings.push(no_board(&port.path));
    }
    findings
}

fn note(boards: &mut Vec<KnownBoard>, name: &str, port: &str, kind: EventKind) {
    if !boards.iter().any(|board| board.name == name) {
        boards.push(KnownBoard { name: name.to_owned(), port: port.to_owned(), ..KnownBoard::default() });
    }
    let Some(board) = boards.iter_mut().find(|board| board.name == name) else { return };
    if let EventKind::Board(reported) = kind {
        board.version = reported.version;
        board.battery = reported.battery;
        board.rotated = (reported.seats == Known::Known).then_some(reported.rotated);
    } else if let EventKind::Clock { connected, low_battery, .. } = kind {
        board.clock = Some((connected, low_battery));
    }
}

/// Says how a board and its clock are.
fn judge(board: &KnownBoard, findings: &mut Vec<Finding>) {
    let KnownBoard { name, port, version, battery, rotated, clock } = board;
    let version = version.as_ref().map_or("unknown".to_owned(), ToString::to_string);
    let seats = match rotated {
        Some(true) => "White sits on the other side than usual",
        Some(false) => "White sits as usual",
        None => "which way round is seen at the start position",
    };
    findings.push(Finding::new(
        "board",
        Level::Ok,
        name,
        format!("answers on {port}: firmware {version}, {seats}"),
    ));
    if let Some(percent) = battery {
        let level = if *percent < LOW { Level::Warning } else { Level::Ok };
        let finding = Finding::new("board", level, name, format!("its battery has {percent} %"));
        findings.push(if level == Level::Ok {
            finding
        } else {
            finding.remedy("charge it before the round")
        });
    }
    findings.push(match clock {
        Some((true, false)) => Finding::new("clock", Level::Ok, name, "is connected"),
        Some((true, true)) => Finding::new("clock", Level::Warning, name, "shows its battery sign")
            .remedy("put new batteries in before the round"),
        Some((false, _)) | None => {
            Finding::new("clock", Level::Warning, name, "the board has no clock: no press is seen")
                .remedy("push the cable of the clock in on both ends, and switch the clock on")
        }
    });
}

/// Says how good a line is.
fn judge_line(port: &str, bytes: usize, damaged: u64, listen: Duration) -> Option<Finding> {
    let text = format!("{bytes} bytes in {} s, {damaged} of them damaged", listen.as_secs());
    if damaged > NOISY * listen.as_secs().max(1) {
        let finding = Finding::new("line", Level::Fault, port, text);
        return Some(
            finding.remedy("use another cable or adapter, away from chargers; check baud in [[port]]"),
        );
    }
    (bytes > 0).then(|| Finding::new("line", Level::Ok, port, text))
}

fn no_board(port: &str) -> Finding {
    Finding::new("board", Level::Fault, port, "no board answers").remedy(
        "is it a DGT board, with power? On several boards with one cable, name them in [[port]] bus; see jadoube record",
    )
}
