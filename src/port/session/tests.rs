mod bus;
mod crash_points;
mod damage;
mod event_log;
mod standstill;

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::{
    port::{files, last_sent::ReportedBefore},
    published::{Published, SerializedEvent},
    sinks::EventIndex,
};
use jadoube_core::{capture::Reader, code::Code};

const PORT: &str = "/dev/ttyACM0";
const SERIAL: &[u8] = b"\x91\x00\x0823946";

/// Panics if the board asks for it: a bug that a board's bytes bring out, once or whenever they are seen.
pub(super) fn fail_if_wanted(entry: Entry<'_>, mode: OutputMode) {
    let Entry::Received(bytes) = entry else { return };
    let wants = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    let once = mode == OutputMode::Live && wants(b"please fail once");
    assert!(!once && !wants(b"please fail always"), "as wanted");
}

#[test]
fn a_capture_begins_when_the_board_speaks() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.sent(&[0x45], seconds(1));
    assert_eq!(place.captures(), Vec::<PathBuf>::new(), "a device that never answers leaves no file");
    session.received(SERIAL, seconds(2));
    let capture = text(&mut session);
    assert!(
        capture.starts_with("# dgt-capture 1\n# answers: recorded\n# port: /dev/ttyACM0\n# started: "),
        "{capture}"
    );
    assert!(
        capture
            .ends_with("0.000000 ! open /dev/ttyACM0\n1.000000 > 45\n2.000000 < 91 00 08 32 33 39 34 36\n"),
        "{capture}"
    );
    assert_eq!(session.take_identified(), Some(Identified::Own("23946".to_owned())));
}

#[test]
fn recovery_goes_on_in_the_same_file_and_says_nothing_twice() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(2));
    let before = text(&mut session);
    assert!(!session.take_events().is_empty());
    drop(session);
    let mut session = place.recover();
    let reported = reported(&mut session);
    assert!(matches!(reported.as_slice(), [EventKind::Link { state: LinkState::Down, .. }]), "{reported:?}");
    assert_eq!(session.serial(), Some("23946"));
    assert!(session.take_sends().is_empty(), "what was asked before is not asked again");
    let now = session.now();
    assert!(now >= seconds(2));
    session.link_up(PORT, now);
    let capture = text(&mut session);
    assert_eq!(capture, format!("{before}2.000000 ! close the program ended\n{now} ! open /dev/ttyACM0\n"));
    drop(session);
    assert_eq!(place.captures().len(), 1);
}

#[test]
fn a_restart_alerts_nobody_if_the_board_is_back_at_once() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    session.take_events();
    session.stop(seconds(2));
    let reported = reported(&mut session);
    assert!(
        !reported.is_empty()
            && reported.iter().all(|kind| matches!(kind, EventKind::Link { state: LinkState::Down, .. })),
        "{reported:?}"
    );
    assert!(text(&mut session).ends_with("2.000000 ! close stopped\n"));
    drop(session);
    let mut session = place.recover();
    let history = session.take_history();
    assert!(
        history.len() == 1 && history.values().all(|board| board.open_alerts().count() == 0),
        "{history:?}"
    );
    // It takes a while to open the port and to hear the board; then it has to be heard for as long as after any outage.
    let back = session.now() + Duration::from_secs(4);
    session.link_up(PORT, back);
    session.received(SERIAL, back);
    for second in 1..=20 {
        session.tick(back + Duration::from_secs(second));
    }
    let is_alert =
        |dated: &Dated| matches!(dated.event.kind, EventKind::Alert(_) | EventKind::AlertUpdate(_));
    assert!(!session.take_events().iter().any(is_alert));
    session.stop(session.now());
    drop(session);
    let mut session = place.recover();
    assert!(!session.take_events().iter().any(is_alert));
    assert!(session.wake().is_some());
    session.tick(session.now() + RETURN);
    assert!(session.take_events().iter().any(is_alert), "a board that does not come back is missed");
}

/// After e4 e5, as dumps list it.
const AFTER_E4_E5: &str = "rnbqkbnrpppp.ppp............p.......P...........PPPP.PPPRNBQKBNR";

#[test]
fn offences_in_the_seconds_after_a_restart_are_reported() {
    type Offence<'a> = &'a dyn Fn(&mut PortSession, Timestamp);
    let press = |session: &mut PortSession, at: Timestamp| session.received(&clock(570, 590, false), at);
    let king_to_e3 = |session: &mut PortSession, at: Timestamp| {
        session.received(&[0x8e, 0, 5, 60, 0], at);
        session.received(&[0x8e, 0, 5, 44, 5], at + Duration::from_millis(300));
        session.received(&clock(570, 590, false), at + Duration::from_millis(600));
    };
    let offences: [(Code, Offence<'_>); 2] =
        [(Code::PressWithoutMove, &press), (Code::IllegalMove, &king_to_e3)];
    for (code, commit) in offences {
        for after_ms in [250, 500, 1000, 2000, 4000] {
            let place = Place::new();
            let mut session = place.session();
            session.link_up(PORT, seconds(0));
            session.received(SERIAL, seconds(1));
            play(&mut session, 2);
            // Killed: nothing says so in the capture.
            drop(session);
            let mut session = place.recover();
            let back = session.now() + Duration::from_millis(500);
            session.link_up(PORT, back);
            session.received(SERIAL, back + Duration::from_millis(50));
            session.received(&dump(AFTER_E4_E5), back + Duration::from_millis(150));
            session.received(&clock(575, 590, true), back + Duration::from_millis(200));
            session.take_events();
            commit(&mut session, back + Duration::from_millis(after_ms));
            for second in 1..10 {
                session.tick(back + Duration::from_secs(second));
            }
            let reported = reported(&mut session);
            let is_it = |kind: &EventKind| matches!(kind, EventKind::Alert(alert) if alert.code == code);
            assert!(reported.iter().any(is_it), "{code:?} {after_ms} ms after the restart: {reported:?}");
        }
    }
}

#[test]
fn recovery_never_goes_back_in_time() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(100_000));
    session.link_down("", seconds(100_000));
    drop(session);
    assert!(place.recover().now() >= seconds(100_000));
}

#[test]
fn a_file_that_is_no_capture_is_refused() {
    let place = Place::new();
    let mut session = place.session();
    session.received(SERIAL, seconds(1));
    let path = session.path();
    fs::write(&path, "no capture\n1.0 is no record\n").unwrap();
    let error = PortSession::recover(place.config(), Arc::from(PORT), &path, None).unwrap_err();
    assert!(error.to_string().contains(":1: a capture begins with the line"), "{error}");
}

#[test]
fn a_game_goes_on_behind_a_bad_line_which_is_kept() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    play(&mut session, 2);
    let path = session.path();
    let whole = text(&mut session);
    drop(session);
    // A block of the disk that was written wrongly, in the middle of play.
    let at = whole.find(" < 8e 00 05 0c").unwrap();
    let (before, after) = whole.split_at(whole[..at].rfind('\n').unwrap() + 1);
    let bad = "\u{0}\u{0}12.0 < 8e 0\u{1b}\n";
    fs::write(&path, format!("{before}{bad}{after}")).unwrap();
    let mut session = place.recover();
    assert_eq!(session.path(), path, "the game goes on in the same file");
    assert_eq!(session.serial(), Some("23946"));
    let games: Vec<usize> = session
        .take_history()
        .values()
        .filter_map(|board| board.game.as_ref().map(|game| game.moves.len()))
        .collect();
    assert_eq!(games, [2]);
    let kept = text(&mut session);
    assert!(kept.starts_with(&format!("{before}# not in the format: {bad}{after}")), "{kept}");
    drop(session);
    place.recover();
}

#[test]
fn an_order_is_recorded_if_it_is_carried_out() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let refused = Order::Confirm { alert: "none".to_owned(), seconds: None, reason: None };
    assert!(session.order("23946", &refused, seconds(2)).is_err());
    assert!(!text(&mut session).contains('@'));
    session.order("23946", &Order::Flip, seconds(3)).unwrap();
    let kept = text(&mut session);
    // No game has begun.
    assert!(kept.ends_with("3.000000 @ {\"id\":\"23946-0-o1\",\"order\":\"flip\"}\n"), "{kept}");
    drop(session);
    place.recover();
}

#[test]
fn an_order_for_another_board_on_the_port_changes_nothing() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let before = text(&mut session);
    let error = session.order("11111", &Order::Flip, seconds(2)).unwrap_err();
    assert!(error.to_string().contains("board 11111 is not connected, and board 23946 is on"), "{error}");
    assert_eq!(text(&mut session), before);
    for (second, name) in [(3, "23946"), (4, PORT), (5, "ttyACM0")] {
        session.order(name, &Order::Flip, seconds(second)).unwrap();
    }
}

#[test]
fn a_game_goes_on_at_another_port_without_a_disk() {
    const OTHER: &str = "/dev/ttyACM1";
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let unplugged = play(&mut session, 2) + 1;
    session.link_down("unplugged", seconds(unplugged));
    let from = session.path();
    drop(session);
    // Something is in the way of the directory of captures.
    let in_the_way = place.dir.path().join(files::CAPTURES).join("ttyACM1");
    fs::write(&in_the_way, "").unwrap();
    let copy = files::copy(place.dir.path(), OTHER, &from).unwrap();
    let reason = copy.failure.unwrap();
    let text = String::from_utf8(copy.text.clone()).unwrap();
    let mut session =
        PortSession::adopt_unwritten(place.config(), OTHER.into(), &copy.path, copy.text, &reason).unwrap();
    assert_eq!(session.serial(), Some("23946"));
    let plies = session.take_history().values().map(|board| board.ply()).max();
    assert_eq!(plies, Some(2), "it goes on with the game");
    assert!(session.disk_failed());
    let now = session.now();
    session.link_up(OTHER, now);
    fs::remove_file(&in_the_way).unwrap();
    session.tick(now + RETRY);
    assert!(!session.disk_failed());
    let whole = fs::read_to_string(&copy.path).unwrap();
    assert!(whole.starts_with(&text) && whole.ends_with("! open /dev/ttyACM1\n"), "{whole}");
}

#[test]
fn another_board_is_cut_off() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    session.link_down("unplugged", seconds(2));
    let before = text(&mut session);
    session.link_up(PORT, seconds(3));
    session.take_identified();
    session.take_sends();
    session.received(b"\x91\x00\x0811111", seconds(3));
    assert_eq!(session.take_identified(), None, "it may be a damaged answer");
    assert_eq!(session.take_sends().first(), Some(&vec![0x45]));
    session.received(b"\x91\x00\x0811111", seconds(4));
    session.take_events();
    assert_eq!(session.take_identified(), Some(Identified::Other("11111".to_owned())));
    assert_ne!(text(&mut session), before);
    session.cut_foreign();
    assert_eq!(text(&mut session), before);
}

#[test]
fn a_damaged_number_is_no_other_board() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    session.link_down("unplugged", seconds(2));
    session.link_up(PORT, seconds(3));
    session.take_identified();
    for (damaged, at) in [(b"\x91\x00\x0829946", 4), (b"\x91\x00\x0823947", 5)] {
        session.received(damaged, seconds(at));
        assert_eq!(session.take_identified(), None);
    }
    session.received(SERIAL, seconds(6));
    assert_eq!(session.take_identified(), Some(Identified::Own("23946".to_owned())));
    session.received(b"\x91\x00\x0823947", seconds(7));
    assert_eq!(session.take_identified(), None);
    assert!(text(&mut session).ends_with("7.000000 < 91 00 08 32 33 39 34 37\n"), "nothing is lost");
}

#[test]
fn another_board_without_a_sign_leaves_what_was_recorded() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    session.take_identified();
    let before = text(&mut session);
    // A serial cable was moved: no link went down.
    session.received(b"\x91\x00\x0811111", seconds(4));
    session.received(b"\x91\x00\x0811111", seconds(4));
    assert_eq!(session.take_identified(), Some(Identified::Other("11111".to_owned())));
    session.cut_foreign();
    let capture = text(&mut session);
    assert!(
        capture.starts_with(&before) && capture.ends_with(" ! close another board is on the port\n"),
        "{capture}"
    );
}

#[test]
fn a_gap_in_the_capture_is_an_interrupted_link() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    // A file where the directory should be.
    fs::write(place.dir.path().join("captures"), "").unwrap();
    session.received(SERIAL, seconds(1));
    let noise = [0; 4096];
    for second in 2..40 {
        session.received(&noise, seconds(second));
    }
    fs::remove_file(place.dir.path().join("captures")).unwrap();
    let (at, why) = session.wake().unwrap();
    assert_eq!((at, why), (seconds(11), "disk"), "a disk is tried again after ten seconds");
    session.tick(seconds(50));
    session.received(SERIAL, seconds(51));
    let capture = text(&mut session);
    let kinds: Vec<&str> = capture.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    let kept = kinds.iter().filter(|kind| **kind == "<").count();
    assert!((10..39).contains(&kept), "{kept}");
    assert!(
        capture.contains("50.000000 ! close records were lost\n50.000000 ! open /dev/ttyACM0\n"),
        "{}",
        &capture[capture.len() - 200..]
    );
    assert!(capture.ends_with("51.000000 < 91 00 08 32 33 39 34 36\n"));
    drop(session);
    place.recover();
}

#[test]
fn records_are_made_durable_within_a_second_and_moves_at_once() {
    let place = Place::new();
    let mut session = place.session();
    let urgency = |session: &mut PortSession| session.unsynced().map(|(_, urgency)| urgency);
    session.link_up(PORT, seconds(0));
    assert_eq!(urgency(&mut session), None, "nothing is on disk before the board has said something");
    session.received(SERIAL, seconds(1));
    assert_eq!(urgency(&mut session), Some(Urgency::Second));
    assert!(session.take_unsynced().is_some());
    assert_eq!(urgency(&mut session), None, "nothing new");
    play(&mut session, 1);
    assert_eq!(urgency(&mut session), Some(Urgency::Soon));
    assert!(session.take_unsynced().is_some());
    session.received(&clock(580, 580, true), session.now());
    assert_eq!(urgency(&mut session), Some(Urgency::Second), "a move is pressing once");
}

#[test]
fn each_game_has_a_capture_of_its_own() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let mut at = play(&mut session, 2);
    let first = session.path();
    let kinds = reported(&mut session);
    assert_eq!(
        kinds.iter().filter(|kind| matches!(kind, EventKind::GameStart { game: 1, .. })).count(),
        1,
        "{kinds:?}"
    );
    assert!(kinds.iter().any(|kind| matches!(kind, EventKind::Move(_))), "{kinds:?}");
    // The pieces are set up again.
    session.take_message_counts();
    session.received(&dump(START), seconds(at));
    for _ in 0..20 {
        at += 1;
        session.tick(session.now().max(seconds(at)));
        if session.path() != first {
            break;
        }
    }
    let counts = session.take_message_counts();
    assert_eq!(counts.frames().collect::<Vec<_>>(), [("board", 1)], "what the board has sent, once");
    let second = session.path();
    assert_ne!(first, second, "{:?}", reported(&mut session));
    assert!(second.to_str().unwrap().ends_with("-g002.dgtcap"), "{second:?}");
    let begun = session.now();
    session.tick(begun + Duration::from_secs(30));
    let kinds = reported(&mut session);
    let starts = kinds.iter().filter(|kind| matches!(kind, EventKind::GameStart { game: 2, .. })).count();
    assert_eq!(starts, 1, "{kinds:?}");
    assert!(!kinds.iter().any(|kind| matches!(kind, EventKind::Link { .. })), "{kinds:?}");
    // Who sits where is not known of the new game: that is the only thing that may be reported of the board again.
    assert!(
        !kinds.iter().any(
            |kind| matches!(kind, EventKind::Board(board) if board.seats == jadoube_core::event::Known::Known)
        ),
        "{kinds:?}"
    );
    let capture = text(&mut session);
    assert!(
        capture.starts_with(
            "# dgt-capture 1\n# answers: recorded\n# board: 23946\n# game: 2\n# port: /dev/ttyACM0\n"
        ),
        "{capture}"
    );
    assert!(capture.contains(" ! open /dev/ttyACM0\n"), "{capture}");
    assert!(capture.contains(" < 91 00 08 32 33 39 34 36 86 00 43 "), "{capture}");
    drop(session);
    let mut session = place.recover();
    assert_eq!(session.path(), second);
    assert_eq!(session.serial(), Some("23946"));
    assert!(!reported(&mut session).iter().any(|kind| matches!(kind, EventKind::GameStart { .. })));
}

/// Sets up the pieces anew, and waits for the capture of the next game.
fn begin_next_game(session: &mut PortSession, mut at: u64) {
    session.tick(seconds(at));
    let first = session.path();
    session.received(&dump(START), seconds(at));
    while session.path() == first {
        at += 1;
        session.tick(session.now().max(seconds(at)));
    }
}

#[test]
fn alerts_of_a_game_end_when_the_next_one_begins() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let at = play(&mut session, 2);
    // White's king goes from e1 to e3.
    session.received(&[0x8e, 0, 5, 60, 0], seconds(at));
    session.received(&[0x8e, 0, 5, 44, 5], seconds(at + 1));
    session.received(&clock(580, 590, false), seconds(at + 2));
    // The clock has fallen by more than time has passed, and is believed a little later.
    begin_next_game(&mut session, at + 7);
    let states: Vec<_> = reported(&mut session)
        .into_iter()
        .filter_map(|kind| {
            if let EventKind::AlertUpdate(update) = kind {
                return Some((update.id, update.state));
            }
            let EventKind::Alert(alert) = kind else { return None };
            Some((alert.id, alert.state))
        })
        .collect();
    let last = states.iter().rev().find(|(id, _)| id == "23946-1-1").map(|(_, state)| *state);
    assert!(states.len() > 1 && last == Some(jadoube_core::alert::AlertState::Ended), "{states:?}");
}

#[test]
fn equipment_alerts_do_not_outlive_their_capture() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let at = play(&mut session, 2);
    let mut low = clock(580, 590, true);
    *low.last_mut().unwrap() |= 0x04;
    session.received(&low, seconds(at));
    // A second report says the same.
    session.received(&low, seconds(at + 1));
    begin_next_game(&mut session, at + 6);
    let mut open = BTreeMap::new();
    let mut raised = 0;
    for kind in reported(&mut session) {
        if let EventKind::Alert(alert) = &kind
            && alert.code == Code::ClockLowBattery
        {
            raised += 1;
            open.insert(alert.id.clone(), alert.game);
        } else if let EventKind::AlertUpdate(update) = &kind
            && update.state == jadoube_core::alert::AlertState::Ended
        {
            open.remove(&update.id);
        }
    }
    assert_eq!(raised, 2, "once in each game");
    assert!(open.keys().all(|id| id.starts_with("23946-2-")), "{open:?}");
}

/// Reports as far as `index` does not know it what the captures have, oldest first.
fn recover_all(place: &Place, index: &EventIndex) -> Vec<Dated> {
    let mut captures = files::all(place.dir.path(), PORT).unwrap();
    captures.retain(|path| files::is_begun(path));
    let Some(newest) = captures.pop() else { return Vec::new() };
    let mut reported = ReportedBefore::new(index);
    let mut events = Vec::new();
    for path in captures {
        events
            .extend(PortSession::unreported(place.config(), Arc::from(PORT), &path, &mut reported).unwrap());
    }
    let mut session = PortSession::recover(place.config(), Arc::from(PORT), &newest, Some(reported)).unwrap();
    events.extend(session.take_events());
    events
}

/// Writes a log with these events and reads it.
fn log(place: &Place, events: Vec<Dated>) -> EventIndex {
    let log = place.dir.path().join("events.jsonl");
    let line = |Dated { at, event, ordinal }: Dated| {
        let event = SerializedEvent::new(event, ordinal);
        Published::new(PORT.into(), event, at, 1).json().to_owned() + "\n"
    };
    fs::write(&log, events.into_iter().map(line).collect::<String>()).unwrap();
    EventIndex::read(&log)
}

#[test]
fn a_later_games_capture_brings_no_board_named_by_its_port() {
    let place = Place::new();
    let mut session = place.session();
    two_games(&mut session);
    let index = log(&place, session.take_events());
    drop(session);
    let second = files::all(place.dir.path(), PORT).unwrap().pop().unwrap();
    assert_eq!(files::game_number(&second), 2);
    let mut reported = ReportedBefore::new(&index);
    let unreported =
        PortSession::unreported(place.config(), Arc::from(PORT), &second, &mut reported).unwrap();
    assert!(unreported.is_empty(), "{unreported:?}");
}

#[test]
fn wherever_the_log_ends_recovery_reports_the_rest_once() {
    let count = {
        let place = Place::new();
        let mut session = place.session();
        two_games(&mut session);
        session.take_events().len()
    };
    for reported in 0..=count {
        let place = Place::new();
        let mut session = place.session();
        two_games(&mut session);
        let mut events = session.take_events();
        drop(session);
        let rest = events.split_off(reported);
        let recovered = recover_all(&place, &log(&place, events));
        let key = |dated: &Dated| serde_json::to_string(&dated.event).unwrap();
        // Recovery closes the link; what ends with a capture is in none.
        let is_down =
            |dated: &Dated| matches!(&dated.event.kind, EventKind::Link { state: LinkState::Down, .. });
        let recovered: Vec<_> = recovered.iter().filter(|dated| !is_down(dated)).map(key).collect();
        let rest: Vec<_> = rest.iter().filter(|dated| dated.ordinal.is_some()).map(key).collect();
        let differ = recovered.iter().zip(&rest).find(|(recovered, rest)| recovered != rest);
        assert_eq!(
            (differ, recovered.len()),
            (None, rest.len()),
            "after {reported} events: {:?}",
            recovered.last()
        );
    }
}

/// Plays a game with an alert, and the beginning of the next one.
fn two_games(session: &mut PortSession) {
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let at = play(session, 2);
    // White's king goes from e1 to e3.
    session.received(&[0x8e, 0, 5, 60, 0], seconds(at));
    session.received(&[0x8e, 0, 5, 44, 5], seconds(at + 1));
    session.received(&clock(580, 590, false), seconds(at + 2));
    begin_next_game(session, at + 5);
    let begun = session.now();
    session.received(&clock(600, 600, true), begun + Duration::from_secs(5));
    session.received(&[0x8e, 0, 5, 52, 0], begun + Duration::from_secs(10));
    session.received(&[0x8e, 0, 5, 36, 1], begun + Duration::from_secs(11));
    session.received(&clock(590, 600, false), begun + Duration::from_secs(15));
}

#[test]
fn a_replay_reports_what_was_reported_live() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let end = play(&mut session, 2);
    session.link_down("unplugged", seconds(end));
    let live: Vec<Event> = session.take_events().into_iter().map(|dated| dated.event).collect();
    assert!(live.iter().any(|event| matches!(event.kind, EventKind::Move(_))), "{live:?}");
    let capture = text(&mut session);
    let mut reader = Reader::new("a", capture.as_bytes()).unwrap();
    let mut replayed = Vec::new();
    replay::replay(&mut reader, place.config().line_settings(PORT), seconds(end), |event| {
        replayed.push(event);
    })
    .unwrap();
    // At its end a replay also reports the unfinished game.
    assert_eq!(replayed.get(..live.len()), Some(live.as_slice()), "{capture}");
}

/// The start position as a board reports it, from a8 to h1.
const START: &str = "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR";

/// Sets up the pieces, starts the clock and plays `plies` pawn moves; returns the second after it.
fn play(session: &mut PortSession, plies: usize) -> u64 {
    session.received(&dump(START), seconds(2));
    session.received(&clock(600, 600, true), seconds(5));
    let mut second = 10;
    for (ply, (from, to, code)) in [(52, 36, 0x01), (12, 28, 0x07)].into_iter().take(plies).enumerate() {
        session.received(&[0x8e, 0, 5, from, 0], seconds(second));
        session.received(&[0x8e, 0, 5, to, code], seconds(second + 1));
        session.received(&clock(590, 590, ply % 2 == 1), seconds(second + 2));
        second += 5;
    }
    session.tick(seconds(second));
    second
}

fn dump(squares: &str) -> Vec<u8> {
    let code = |piece: char| u8::try_from(".PRNBKQprnbkq".find(piece).unwrap()).unwrap();
    [0x86, 0, 67].into_iter().chain(squares.chars().map(code)).collect()
}

/// A report of a clock whose left side is White's.
fn clock(white: u32, black: u32, white_runs: bool) -> Vec<u8> {
    let bcd = |number: u32| u8::try_from(number / 10 * 16 + number % 10).unwrap();
    let time =
        |seconds: u32| [u8::try_from(seconds / 3600).unwrap(), bcd(seconds / 60 % 60), bcd(seconds % 60)];
    let status = if white_runs { 0x01 | 0x08 } else { 0x01 | 0x02 | 0x10 };
    [[0x8d, 0, 10].as_slice(), &time(black), &time(white), &[status]].concat()
}

fn reported(session: &mut PortSession) -> Vec<EventKind> {
    session.take_events().into_iter().map(|dated| dated.event.kind).collect()
}

/// A state directory.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn config(&self) -> Arc<Config> {
        Arc::new(Config { state_dir: self.dir.path().to_owned(), ..Config::default() })
    }

    fn session(&self) -> PortSession {
        PortSession::new(self.config(), Arc::from(PORT))
    }

    #[track_caller]
    fn recover(&self) -> PortSession {
        let path = self.captures().pop().unwrap();
        PortSession::recover(self.config(), Arc::from(PORT), &path, None).unwrap()
    }

    fn captures(&self) -> Vec<PathBuf> {
        files::all(self.dir.path(), PORT).unwrap().pop().into_iter().collect()
    }
}

fn text(session: &mut PortSession) -> String {
    fs::read_to_string(session.path()).unwrap()
}

fn seconds(seconds: u64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000)
}
