//! What monitoring sees.

use std::{fmt, fs, os::unix::fs::PermissionsExt};

use rustix::process::Signal;

use super::Desk;
use crate::support::eventually;

#[test]
fn figures_have_the_format_of_prometheus() {
    let mut desk = Desk::start("");
    let _board = desk.plug();
    desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    // Events are counted a little after they can be seen.
    let metrics = eventually("the board is counted", || {
        Some(desk.get("/metrics"))
            .filter(|reported| reported.body.contains("dgt_events_total{event=\"board\"} 1"))
    });
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in [
        "dgt_board_up{serial=\"23946\",table=\"7\"} 1",
        "dgt_game_plies{serial=\"23946\"} 0",
        "dgt_healthy 1",
        "dgt_events_total{event=\"board\"} 1",
        "dgt_alerts_open{rule=\"\",severity=\"act\"} 0",
        "dgt_board_frame_errors_total{reason=\"broken\"} 0",
        "dgt_board_noise_bytes_total 0",
    ] {
        assert!(metrics.body.lines().any(|reported| reported == line), "no {line} in:\n{}", metrics.body);
    }
    assert!(metrics.body.contains("\ndgt_board_frames_total{type=\"serial\"} "), "{}", metrics.body);
    assert!(!metrics.body.contains("Weiß"), "no names of players");
    let families = metrics.body.lines().filter(|line| line.starts_with("# TYPE ")).count();
    assert_eq!(families, metrics.body.lines().filter(|line| line.starts_with("# HELP ")).count());

    // A server that reads the newer format gets it; there a counter is called without what its samples end with.
    let accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5";
    let newer = desk.ask(&format!("GET /metrics HTTP/1.1\nhost: {}\naccept: {accept}", desk.address), "");
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert_eq!(newer.header("content-type"), Some(kind));
    assert!(newer.body.ends_with("\n# EOF\n"), "{}", newer.body);
    assert!(newer.body.contains("\n# TYPE dgt_events counter\n"), "{}", newer.body);
    assert!(!metrics.body.contains("# EOF") && metrics.body.contains("# TYPE dgt_events_total counter"));
}

#[test]
fn health_is_red_with_a_reason_when_a_disk_is_gone() {
    let mut desk = Desk::start("");
    let _board = desk.plug();
    desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    // A log file that is open is not created again.
    eventually("the log has the board", || desk.hall.log("events.jsonl").contains("23946").then_some(()));
    let well = desk.get("/healthz");
    assert_eq!((well.status, well.body.as_str()), (200, "ok\n"));
    let log = desk.hall.dir.path().join("log");
    fs::rename(&log, desk.hall.dir.path().join("elsewhere")).unwrap();
    let ill = desk.get("/healthz");
    assert_eq!(ill.status, 503);
    assert!(ill.body.starts_with("log_dir: ") && ill.body.contains("No such file"), "{ill:?}");
    fs::create_dir(&log).unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(desk.get("/healthz").status, 200);
}

#[test]
fn a_configuration_with_errors_is_named_until_it_has_none() {
    let mut desk = Desk::start("");
    let file = desk.hall.dir.path().join("jadoube.toml");
    let good = fs::read_to_string(&file).unwrap();
    let mut reload_with = |text: &str, expected: &str| {
        fs::write(&file, text).unwrap();
        desk.hall.signal(Signal::HUP);
        let what = fmt::from_fn(|f| write!(f, "{expected} in {}", desk.hall.log("alerts.jsonl")));
        eventually(what, || desk.hall.log("alerts.jsonl").contains(expected).then_some(()));
    };
    reload_with(&format!("{good}\nnonsense = 1\n"), "configuration: not read anew, the old one counts: ");
    // Taken over, as far as it can be: the brokers' topics are live.
    let delayed = format!("{good}\n[pgn]\ndelay_s = 60\n[mqtt]\nurl = 'mqtt://192.0.2.1'\n");
    reload_with(&delayed, "mqtt.url: live moves leave this machine");
    reload_with(&good, "\"state\":\"corrected\"");
    let metrics = desk.get("/metrics").body;
    assert!(
        !metrics.contains("part=\"configuration\"") && metrics.contains("\ndgt_healthy 1\n"),
        "{metrics}"
    );
}

#[test]
fn a_part_that_does_not_work_is_named() {
    // Nobody listens at port 1.
    let desk = Desk::start("[mqtt]\nurl = 'mqtt://127.0.0.1:1'\n");
    let named = |metrics: &str| metrics.contains("\ndgt_degraded{part=\"mqtt\"} 1\n");
    let metrics = desk.wait_text("/metrics", named);
    assert!(metrics.contains("\ndgt_healthy 1\n"), "the fault is elsewhere: {metrics}");
}
