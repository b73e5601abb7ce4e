//! Answers monitoring: whether the service is well, and its figures for Prometheus.

use std::{collections::BTreeMap, path::Path, time::Duration};

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::task::spawn_blocking;

use super::{App, access, public, rounds, serve::Peer};
use crate::{
    config::Config,
    metrics::{Export, Exposition, Format, MetricKind, Value},
    view::{BoardView, Boards},
};
use jadoube_core::{alert::Severity, line::MessageCounts, side::side_name};
use jadoube_runtime::platform;

mod process;

/// How long a disk may take to say how it is.
const DISK: Duration = Duration::from_secs(2);

/// Bytes below which a disk is as good as full: a round of a large hall.
const SPARE: u64 = 16 << 20;

/// Media type that a server names in `Accept` if it reads the newer format.
const OPEN_METRICS: &str = "application/openmetrics-text";

/// `GET /healthz`: 200 and `ok`, or 503 and what is wrong, one thing a line; then what is degraded.
///
/// Who may not read what is live gets no reason: reasons name ports, boards and games.
pub(super) async fn healthz(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    let mut lines = wrong(&app).await;
    if !access::may_read(&app, peer, &headers).await {
        return public::word(lines.is_empty());
    }
    let status = if lines.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    if lines.is_empty() {
        lines.push("ok".to_owned());
    }
    lines.extend(rounds::line(&app));
    let degraded = app.daemon().figures().health.degraded();
    lines.extend(degraded.into_iter().map(|(part, fails)| format!("degraded: {part}: {fails}")));
    let text = lines.join("\n") + "\n";
    (status, [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], text).into_response()
}

async fn wrong(app: &App) -> Vec<String> {
    let mut wrong = app.daemon().figures().health.wrong();
    let config = app.config();
    let look = move || {
        let dirs = [("state_dir", &config.state_dir), ("log_dir", &config.log_dir)];
        dirs.into_iter().filter_map(|(key, dir)| Some(format!("{key}: {}", disk(dir)?))).collect::<Vec<_>>()
    };
    match app.disks().look(DISK, look).await {
        Some(found) => wrong.extend(found),
        None => wrong.push("disk: does not answer".to_owned()),
    }
    wrong
}

/// Says what is wrong with the disk of a directory.
fn disk(directory: &Path) -> Option<String> {
    let name = directory.display();
    if let Err(error) = platform::check_directory(directory) {
        return Some(format!("{name}: {error}"));
    }
    match platform::room(directory) {
        Err(error) => Some(format!("{name}: {error}")),
        Ok(Some(room)) if room.is_read_only => Some(format!("{name}: is read-only")),
        Ok(Some(room)) if room.free < SPARE => {
            Some(format!("{name}: the disk is full but for {} KiB", room.free >> 10))
        }
        Ok(_) => None,
    }
}

/// `GET /metrics`.
pub(super) async fn metrics(State(app): State<App>, headers: HeaderMap) -> Response {
    let well = wrong(&app).await.is_empty();
    // What cannot be read is 0.
    let process = spawn_blocking(process::read).await.ok().and_then(Result::ok).unwrap_or_default();
    let (seq, boards) = app.daemon().view().read();
    let mut text = Exposition::default();
    text.family("dgt_build_info", MetricKind::Gauge, "The program's version.")
        .add(&[("version", env!("CARGO_PKG_VERSION"))], 1_u32);
    text.family(
        "dgt_healthy",
        MetricKind::Gauge,
        "Whether nothing is wrong with the service (see /healthz).",
    )
    .add(&[], well);
    text.family("dgt_hub_sequence", MetricKind::Gauge, "Number of the last event, also over restarts.")
        .add(&[], seq);
    text.family("dgt_ws_clients", MetricKind::Gauge, "Clients of the event stream.")
        .add(&[], app.feed().clients());
    happened(&app, &mut text);
    said(app.daemon().figures().traffic.read(), &mut text);
    exported(&app, &mut text);
    of_boards(&boards, &app.config(), &mut text);
    of_bus(&app, &mut text);
    process.write(app.started(), &mut text);
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let (format, kind) = if accepted.into_iter().any(|accepted| accepted.contains(OPEN_METRICS)) {
        (Format::OpenMetrics, "application/openmetrics-text; version=1.0.0; charset=utf-8")
    } else {
        (Format::Prometheus, "text/plain; version=0.0.4; charset=utf-8")
    };
    match text.finish(format) {
        Ok(text) => ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "the figures for monitoring cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Writes what has been counted since the service began.
fn happened(app: &App, text: &mut Exposition) {
    let counted = app.counts().read();
    let events = text.family("dgt_events_total", MetricKind::Counter, "Events sent to the outside.");
    for (kind, count) in &counted.events {
        events.add(&[("event", kind)], *count);
    }
    let alerts = text.family("dgt_alerts_total", MetricKind::Counter, "Alerts raised.");
    for (code, count) in &counted.alerts {
        alerts.add(&[("rule", code)], *count);
    }
    text.family("dgt_export_missed_total", MetricKind::Counter, "Events that an output was too slow for.")
        .add(&[("sink", "http")], counted.missed);
    let links =
        text.family("dgt_board_reconnects_total", MetricKind::Counter, "Times the link came up again.");
    for (board, count) in &counted.links {
        links.add(&[("serial", board)], count.saturating_sub(1));
    }
}

/// Writes what boards have said on their lines.
fn said(said: MessageCounts, text: &mut Exposition) {
    let frames = text.family("dgt_board_frames_total", MetricKind::Counter, "Messages of boards.");
    for (kind, count) in said.frames() {
        frames.add(&[("type", kind)], count);
    }
    let errors = text.family(
        "dgt_board_frame_errors_total",
        MetricKind::Counter,
        "Messages of boards that the line has damaged: broken is cut short, of a wrong length or checksum.",
    );
    // A line without errors has 0 of them: a rate needs something to begin from.
    let broken = said.errors().find(|(reason, _)| *reason == "broken");
    errors.add(&[("reason", "broken")], broken.map_or(0, |(_, count)| count));
    for (reason, count) in said.errors().filter(|(reason, _)| *reason != "broken") {
        errors.add(&[("reason", reason)], count);
    }
    text.family("dgt_board_noise_bytes_total", MetricKind::Counter, "Bytes that belong to no message.")
        .add(&[], said.noise);
}

/// Writes what has left for others, and what does less than it should.
fn exported(app: &App, text: &mut Exposition) {
    let exports = app.daemon().figures().exports.read();
    let mut family = |name, kind, help, value: fn(&Export) -> Option<Value>| {
        let family = text.family(name, kind, help);
        for (sink, export) in &exports {
            if let Some(value) = value(export) {
                family.add(&[("sink", sink)], value);
            }
        }
    };
    let (counter, gauge) = (MetricKind::Counter, MetricKind::Gauge);
    family("dgt_export_successes_total", counter, "Times that an output was taken.", |export| {
        Some(export.successes.into())
    });
    family("dgt_export_failures_total", counter, "Times that an output was not taken.", |export| {
        Some(export.failures.into())
    });
    family("dgt_export_last_success_timestamp_seconds", gauge, "When an output was taken last.", |export| {
        export.last_success.map(|at| at.as_duration().as_secs_f64().into())
    });
    family("dgt_export_refused_games", gauge, "Games that are not taken while others are.", |export| {
        Some(export.refused_games.into())
    });
    let degraded =
        text.family("dgt_degraded", MetricKind::Gauge, "What does less than it should (see /healthz).");
    for part in app.daemon().figures().health.failing().keys() {
        degraded.add(&[("part", part)], 1_u32);
    }
}

fn of_boards(boards: &Boards, config: &Config, text: &mut Exposition) {
    let tables: Vec<(&BoardView, String)> = boards
        .values()
        .map(|board| {
            let table = board.serial.as_deref().and_then(|serial| config.table(serial)?.number);
            (&**board, table.map(|table| table.to_string()).unwrap_or_default())
        })
        .collect();
    let family = text.family("dgt_board_up", MetricKind::Gauge, "Whether the board can be heard.");
    for (board, table) in &tables {
        family.add(&[("serial", &board.name), ("table", table)], board.up);
    }
    let family = text.family(
        "dgt_board_last_message_timestamp_seconds",
        MetricKind::Gauge,
        "When the last event became known.",
    );
    for (board, _) in &tables {
        if let Some(updated) = board.updated {
            family.add(&[("serial", &board.name)], updated.as_duration().as_secs_f64());
        }
    }
    let family = text.family("dgt_board_battery_ratio", MetricKind::Gauge, "Charge of the board's battery.");
    for (board, _) in &tables {
        if let Some(percent) = board.battery {
            family.add(&[("serial", &board.name)], f64::from(percent) / 100.0);
        }
    }
    let family = text.family("dgt_game_plies", MetricKind::Gauge, "Plies of the present game.");
    for (board, _) in &tables {
        family.add(&[("serial", &board.name)], board.ply());
    }
    let family = text.family("dgt_clock_remaining_seconds", MetricKind::Gauge, "What the clock shows.");
    for (board, _) in &tables {
        for side in shakmaty::Color::ALL {
            if let Some(clock) = &board.clock {
                family.add(&[("serial", &board.name), ("side", side_name(side))], clock.times.of(side));
            }
        }
    }
    let family = text.family("dgt_clock_connected", MetricKind::Gauge, "Whether the board has a clock.");
    for (board, _) in &tables {
        let connected = board.clock.as_ref().is_some_and(|clock| clock.connected);
        family.add(&[("serial", &board.name)], connected);
    }
    let mut open: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    // A severity without alerts is 0 and not unknown.
    for severity in Severity::ALL {
        open.insert(("", severity.name()), 0);
    }
    for (_, alert) in tables.iter().flat_map(|(board, _)| board.open_alerts()) {
        *open.entry((alert.code.name(), alert.severity().name())).or_default() += 1;
    }
    let family = text.family("dgt_alerts_open", MetricKind::Gauge, "Alerts that wait for somebody.");
    for ((rule, severity), count) in &open {
        family.add(&[("rule", rule), ("severity", severity)], *count);
    }
}

/// Writes how long lines with several boards take to ask all of them.
fn of_bus(app: &App, text: &mut Exposition) {
    let rounds = app.daemon().view().bus_rounds();
    let family = text.family(
        "dgt_bus_round_seconds",
        MetricKind::Gauge,
        "How long it takes to ask every board of a line once: the delay of what they report.",
    );
    for (port, round) in &rounds {
        family.add(&[("port", port)], round.as_secs_f64());
    }
}
