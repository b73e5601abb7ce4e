//! What captures of a line with several boards have lost comes back from the event log, for each board its own.

use jadoube_core::laws::Control;
use jadoube_emulate::{
    clock::Speed,
    games,
    hall::{self, HallOptions, bus_line::BusLine},
    people::{Handling, Thinking},
    wire::Faults,
};

use super::*;
use crate::{config::PortConfig, port::beginning};

const BOARDS: [&str; 3] = ["01025", "01026", "01027"];

fn options(faults: Faults) -> HallOptions {
    HallOptions {
        first_serial: 1025,
        first_address: None,
        boards: BOARDS.len(),
        games: games::famous(),
        incidents: Vec::new(),
        ruling: None,
        handling: Handling::plain(),
        thinking: Thinking::About(4.0),
        time_control: "15+10".parse().unwrap(),
        flag_control: None,
        control: Control::Rapid,
        speed: Speed::REAL,
        faults,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: true,
        seed: 3,
    }
}

/// A session with several boards, in virtual time.
struct Run {
    place: Place,
    config: Arc<Config>,
    boards: BusLine,
    session: PortSession,
    now: Timestamp,
}

impl Run {
    fn new(faults: Faults) -> Self {
        let place = Place::new();
        let bus = BOARDS.map(str::to_owned).to_vec();
        let listed = vec![PortConfig { bus, ..PortConfig::of(PORT) }];
        let config = Arc::new(Config { listed, ..Config::clone(&place.config()) });
        let (boards, _) = hall::bus(&options(faults));
        let mut session = PortSession::new(config.clone(), Arc::from(PORT));
        session.link_up(PORT, Timestamp::ZERO);
        Self { place, config, boards, session, now: Timestamp::ZERO }
    }

    fn run(&mut self, end: Timestamp) {
        loop {
            let next = [self.boards.poll_timeout(), self.session.wake().map(|(at, _)| at)];
            let Some(now) = next.into_iter().flatten().min().filter(|at| *at <= end) else { return };
            self.now = now.max(self.now);
            self.boards.handle_timeout(self.now);
            while let Some(bytes) = self.boards.poll_output(self.now) {
                self.session.received(&bytes, self.now);
            }
            self.session.tick(self.now);
            for bytes in self.session.take_sends() {
                self.now = self.now + Duration::from_millis(1);
                self.boards.handle_command_bytes(&bytes, self.now);
                self.session.sent(&bytes, self.now);
            }
        }
    }
}

/// Returns the moves of each board of a session that has recovered.
fn moves_of(session: &mut PortSession, reported: Vec<Dated>) -> BTreeMap<String, Vec<String>> {
    let mut boards = session.take_history();
    for dated in reported {
        crate::view::apply(&mut boards, &PORT.into(), &dated.event, dated.at, 0);
    }
    let moves = boards.iter().map(|(board, state)| {
        let moves = state.game.iter().flat_map(|game| &game.moves).map(|played| played.uci.to_string());
        (board.to_string(), moves.collect())
    });
    moves.collect()
}

/// Lets three boards play, damages their capture, and starts again with a log; returns the moves before and after, and the capture.
fn played_then(damage: impl Fn(&[&str]) -> String) -> (BTreeMap<String, Vec<String>>, String) {
    played_on(Faults::NONE, damage)
}

/// The same on a line with faults.
fn played_on(faults: Faults, damage: impl Fn(&[&str]) -> String) -> (BTreeMap<String, Vec<String>>, String) {
    let mut run = Run::new(faults);
    run.run(seconds(240));
    let reported = run.session.take_events();
    let live = moves_of(&mut run.session, reported.clone());
    assert!(BOARDS.iter().all(|board| live[*board].len() > 5), "{live:?}");
    let index = Arc::new(log(&run.place, reported));
    let path = run.session.path();
    let text = text(&mut run.session);
    fs::write(&path, damage(&text.split_inclusive('\n').collect::<Vec<_>>())).unwrap();
    drop(run.session);
    let (mut session, _) = beginning::recover(&run.config, &PORT.into(), false, Some(&index));
    assert_eq!(session.path(), path);
    let reported = session.take_events();
    let is_alert = |dated: &Dated| matches!(dated.event.kind, EventKind::Alert(_) | EventKind::Move(_));
    assert!(!reported.iter().any(is_alert), "{reported:?}");
    let games = moves_of(&mut session, reported);
    let kept = fs::read_to_string(&path).unwrap();
    assert_eq!(games, live, "{kept}");
    drop(session);
    // What is mended is whole: the next start finds the same without a log.
    let (mut session, _) = beginning::recover(&run.config, &PORT.into(), false, None);
    let reported = session.take_events();
    assert_eq!(moves_of(&mut session, reported), live, "{kept}");
    (games, kept)
}

#[test]
fn a_hole_in_the_capture_of_several_boards_is_filled_for_each() {
    let share = |lines: &[&str], part: usize| lines.len() * part / 12;
    // Lines that are damaged, and lines that are gone.
    let damaged = |lines: &[&str], from: usize, to: usize| {
        let bad = lines[from..to].iter().map(|_| "\0\0\0\n");
        lines[..from].iter().copied().chain(bad).chain(lines[to..].iter().copied()).collect::<String>()
    };
    for (from, to) in [(4, 6), (7, 11), (1, 8)] {
        played_then(|lines| damaged(lines, share(lines, from), share(lines, to)));
    }
    let (_, kept) =
        played_then(|lines| [&lines[..share(lines, 6)], &lines[share(lines, 9)..]].concat().concat());
    assert!(kept.contains("# put back from the event log:"), "{kept}");
}

/// A line that damages reports a dump twice before what it shows is believed, and so does what is put back.
#[test]
fn a_hole_in_the_capture_of_a_damaging_line_is_filled() {
    let faults = Faults { flip: 0.0005, ..Faults::NONE };
    let (_, kept) = played_on(faults, |lines| {
        [&lines[..lines.len() / 2], &lines[lines.len() * 3 / 4..]].concat().concat()
    });
    assert!(kept.contains("# put back from the event log:"), "{kept}");
}

#[test]
fn an_emptied_capture_of_several_boards_is_restored_by_the_log() {
    played_then(|_| String::new());
    played_then(|lines| lines[..5].concat());
}
