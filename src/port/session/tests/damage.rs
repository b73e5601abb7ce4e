//! Captures in which a line or two were damaged: the game goes on behind it, and nothing that the log has is reported again.

use jiff::SignedDuration;

use super::*;
use crate::{port::beginning, published::Ordinal};

/// A run of two moves that the log reports of.
struct Run {
    place: Place,
    path: PathBuf,
    lines: Vec<String>,
}

impl Run {
    fn new() -> Self {
        let place = Place::new();
        let mut session = place.session();
        session.link_up(PORT, seconds(0));
        session.received(SERIAL, seconds(1));
        play(&mut session, 2);
        log(&place, session.take_events());
        let lines = text(&mut session).lines().map(str::to_owned).collect();
        Self { path: session.path(), lines, place }
    }

    /// Restarts with other lines in the capture; checks that the game is there once the board is back.
    #[track_caller]
    fn check(&self, lines: &[String], damage: &str) {
        fs::write(&self.path, lines.join("\n") + "\n").unwrap();
        let log = Arc::new(EventIndex::read(&self.place.dir.path().join("events.jsonl")));
        let (config, port) = (self.place.config(), Arc::from(PORT));
        let (mut session, _) = beginning::recover(&config, &port, false, Some(&log));
        assert_eq!(session.path(), self.path, "{damage}: the game goes on in the same file");
        let mut reported = session.take_events();
        let count = reported.len();
        // What the damaged line reported is reported otherwise, and what the log has is not.
        assert!(count < 7, "{damage}: {reported:?}");
        let mut boards = session.take_history();
        let back = session.now() + Duration::from_millis(500);
        session.link_up(PORT, back);
        session.received(SERIAL, back + Duration::from_millis(50));
        session.received(&dump(AFTER_E4_E5), back + Duration::from_millis(150));
        session.received(&clock(575, 590, true), back + Duration::from_millis(200));
        for second in 1..=20 {
            session.tick(back + Duration::from_secs(second));
        }
        reported.extend(session.take_events());
        for dated in &reported {
            crate::view::apply(&mut boards, &port, &dated.event, dated.at, 0);
        }
        let plies = boards.iter().map(|(board, state)| {
            let game = state.game.as_ref();
            (board.to_string(), game.map_or(0, |game| game.moves.len()))
        });
        assert_eq!(plies.collect::<Vec<_>>(), [("23946".to_owned(), 2)], "{damage}: {reported:?}");
        let kept = fs::read_to_string(&self.path).unwrap();
        assert!(lines.iter().all(|line| line.len() > 1000 || kept.contains(line)), "{damage}: {kept}");
    }
}

#[test]
fn a_game_goes_on_whichever_line_of_its_capture_is_damaged() {
    let run = Run::new();
    // Also the one that alone says where the game began: the log says that, too.
    for number in 0..run.lines.len() {
        // Where the head is cut short, the line is no bad one.
        let short = if run.lines[number].starts_with('#') { "# sta" } else { "?" };
        for damage in ["\0\0\0", short, "x: \u{1b}", &"x".repeat(1 << 19)] {
            let mut lines = run.lines.clone();
            lines[number] = damage.to_owned();
            run.check(
                &lines,
                &format!("{} by {}", run.lines[number], damage.chars().take(9).collect::<String>()),
            );
        }
    }
}

#[test]
fn a_game_goes_on_behind_lines_with_later_times() {
    let run = Run::new();
    let start = run.lines.iter().position(|line| line.contains("< 86")).unwrap();
    for number in start + 1..run.lines.len() {
        let mut lines = run.lines.clone();
        for line in lines.iter_mut().skip(number).take(2) {
            line.insert(0, '9');
        }
        run.check(&lines, &run.lines[number]);
    }
}

#[test]
fn a_game_goes_on_behind_a_bad_line_without_a_disk() {
    let run = Run::new();
    let mut lines = run.lines.clone();
    lines.last_mut().unwrap().insert(0, '?');
    let name = run.path.file_name().unwrap().to_str().unwrap();
    // What replaces a file is written under this name first.
    fs::create_dir(run.path.with_file_name(format!(".{name}.part"))).unwrap();
    run.check(&lines, "a bad line that stays");
}

/// Returns the boards of a session that has recovered, with the number of plies of their games.
fn games_of(session: &mut PortSession, reported: &[Dated]) -> Vec<(String, usize)> {
    let mut boards = session.take_history();
    for dated in reported {
        crate::view::apply(&mut boards, &PORT.into(), &dated.event, dated.at, 0);
    }
    let games = boards
        .iter()
        .map(|(board, state)| (board.to_string(), state.game.as_ref().map_or(0, |game| game.moves.len())));
    games.collect()
}

/// Plays two moves, cuts the capture in play to a length, plays on, and is killed; returns the games of the next start and how many
/// events it reports.
fn cut_in_play(
    length: impl Fn(&str) -> usize,
    is_noticed: bool,
    has_log: bool,
) -> (Vec<(String, usize)>, String) {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let second = play(&mut session, 2);
    assert!(session.take_unsynced().is_some());
    let path = session.path();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(length(&text(&mut session)).try_into().unwrap()).unwrap();
    session.received(&[0x8e, 0, 5, 51, 0], seconds(second + 1));
    session.received(&[0x8e, 0, 5, 35, 1], seconds(second + 2));
    if is_noticed {
        assert!(session.take_unsynced().is_some());
    }
    session.received(&clock(588, 590, false), seconds(second + 3));
    session.received(&[0x8e, 0, 5, 11, 0], seconds(second + 5));
    session.received(&[0x8e, 0, 5, 19, 7], seconds(second + 6));
    session.received(&clock(588, 587, true), seconds(second + 7));
    session.tick(seconds(second + 10));
    let index = log(&place, session.take_events());
    drop(session);
    let index = has_log.then(|| Arc::new(index));
    let (config, port) = (place.config(), Arc::from(PORT));
    let (mut session, _) = beginning::recover(&config, &port, false, index.as_ref());
    assert_eq!(session.path(), path, "the game goes on in the same file");
    let reported = session.take_events();
    let is_alert = |dated: &Dated| matches!(dated.event.kind, EventKind::Alert(_));
    assert!(!reported.iter().any(is_alert), "{reported:?}");
    let games = games_of(&mut session, &reported);
    drop(session);
    // What is mended is whole: the next start finds the same, with or without a log.
    let mut again = place.recover();
    let reported = again.take_events();
    let again = games_of(&mut again, &reported);
    assert_eq!(games, again, "{}", fs::read_to_string(&path).unwrap());
    (games, fs::read_to_string(&path).unwrap())
}

#[test]
fn a_capture_that_is_cut_in_play_gets_its_moves_from_the_log() {
    type Length<'a> = &'a dyn Fn(&str) -> usize;
    let whole = vec![("23946".to_owned(), 4)];
    let half = |text: &str| text.find("8e 00 05").unwrap();
    let line = |text: &str| text[..half(text)].rfind('\n').unwrap() + 1;
    let lengths: [(&str, Length<'_>); 4] = [
        ("all", &|_| 0),
        ("all but a part of the head", &|_| 30),
        ("all moves but half a line", &half),
        ("all moves", &line),
    ];
    for (what, length) in lengths {
        for is_noticed in [true, false] {
            let (games, text) = cut_in_play(length, is_noticed, true);
            assert_eq!(games, whole, "{what}, {is_noticed}: {text}");
        }
    }
}

/// Number, plies and result of a game.
type FoundGame = (u32, usize, Option<&'static str>);

/// Finishes a second game on a board, damages its capture, and starts twice; returns the games of both starts, and the text of the
/// capture.
fn finished_then(damage: impl Fn(&str) -> String, has_log: bool) -> ([Vec<FoundGame>; 2], String) {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let end = play(&mut session, 1);
    // Captures are called by their milliseconds: those of two games of a board never begin in one, but here.
    let begun = Timeline::start().started().as_millisecond();
    while Timeline::start().started().as_millisecond() <= begun {}
    begin_next_game(&mut session, end + 5);
    let begun = session.now();
    let second = |seconds| begun + Duration::from_secs(seconds);
    session.received(&clock(600, 600, true), second(5));
    for (at, from, to, code) in [(10, 51, 35, 1), (15, 11, 27, 7)] {
        session.received(&[0x8e, 0, 5, from, 0], second(at));
        session.received(&[0x8e, 0, 5, to, code], second(at + 1));
        session.received(&clock(590, 590, code == 7), second(at + 2));
    }
    let result = Order::parse(r#"{"order":"result","result":"1/2-1/2"}"#).unwrap();
    session.order("23946", &result, second(20)).unwrap();
    let index = log(&place, session.take_events());
    let path = session.path();
    fs::write(&path, damage(&text(&mut session))).unwrap();
    drop(session);
    let index = has_log.then(|| Arc::new(index));
    let (config, port) = (place.config(), Arc::from(PORT));
    let games = |index: Option<&Arc<EventIndex>>| {
        let (mut session, _) = beginning::recover(&config, &port, false, index);
        let reported = session.take_events();
        let is_alert = |dated: &Dated| matches!(dated.event.kind, EventKind::Alert(_));
        assert!(!reported.iter().any(is_alert), "{reported:?}");
        let boards = session.take_history();
        let games = boards.values().filter_map(|board| board.game.as_ref());
        games.map(|game| (game.number, game.moves.len(), game.result)).collect::<Vec<_>>()
    };
    // What was put back is whole: the next start finds the same without a log.
    let found = [games(index.as_ref()), games(None)];
    (found, fs::read_to_string(&path).unwrap())
}

#[test]
fn a_damaged_capture_of_a_finished_game_is_restored_by_the_log() {
    type Length<'a> = &'a dyn Fn(&str) -> usize;
    let whole = vec![(2, 2, Some("1/2-1/2"))];
    let head = |text: &str| text.find("\n0.0").unwrap() + 1;
    let moves = |text: &str| text.find("8e 00 05").unwrap();
    let result = |text: &str| text.find(" @ ").unwrap();
    let cuts: [(&str, Length<'_>); 5] = [
        ("all", &|_| 0),
        ("all but a part of the first line", &|_| 9),
        ("all but the head", &head),
        ("all moves but half a line", &moves),
        ("the result, but half a line", &result),
    ];
    for (what, cut) in cuts {
        let (games, text) = finished_then(|text| text[..cut(text)].to_owned(), true);
        assert_eq!(games, [whole.clone(), whole.clone()], "{what}: {text}");
    }
    let (_, text) = finished_then(str::to_owned, true);
    for (line, _) in text.lines().enumerate() {
        let cut = |text: &str| text.split_inclusive('\n').take(line).collect();
        let (games, text) = finished_then(cut, true);
        assert_eq!(games, [whole.clone(), whole.clone()], "{line} lines: {text}");
    }
    let (games, text) = finished_then(|text| "\0".repeat(text.len()), true);
    assert_eq!(games, [whole.clone(), whole], "zeros of a file system after a power cut: {text}");
}

/// Number, start and plies of a game.
type SetGame = (u32, String, usize);

/// Plays a move and another one that only a dump shows, sets the position after them by an order, and plays two more; damages the capture,
/// and starts twice; returns the games of both starts, and the text of the capture.
fn set_position_then(damage: impl Fn(&str) -> String) -> ([Vec<SetGame>; 2], String) {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let second = play(&mut session, 1);
    session.received(&dump(AFTER_E4_E5), seconds(second + 5));
    let set = Order::SetPosition { fen: SET.to_owned() };
    session.order("23946", &set, seconds(second + 10)).unwrap();
    for (at, from, to, code) in [(15, 51, 35, 1), (25, 11, 19, 7)] {
        session.received(&[0x8e, 0, 5, from, 0], seconds(second + at));
        session.received(&[0x8e, 0, 5, to, code], seconds(second + at + 1));
        session.received(&clock(580, 580, code == 7), seconds(second + at + 2));
    }
    session.tick(seconds(second + 40));
    let index = Arc::new(log(&place, session.take_events()));
    let path = session.path();
    fs::write(&path, damage(&text(&mut session))).unwrap();
    drop(session);
    let (config, port) = (place.config(), Arc::from(PORT));
    let games = |index: Option<&Arc<EventIndex>>| {
        let (mut session, _) = beginning::recover(&config, &port, false, index);
        let mut reported = session.take_events();
        let mut boards = session.take_history();
        let back = session.now() + Duration::from_millis(500);
        session.link_up(PORT, back);
        session.received(SERIAL, back + Duration::from_millis(50));
        session.received(&dump(AFTER_D4_D6), back + Duration::from_millis(150));
        session.received(&clock(580, 580, true), back + Duration::from_millis(200));
        (1..=20).for_each(|second| session.tick(back + Duration::from_secs(second)));
        reported.extend(session.take_events());
        for dated in &reported {
            crate::view::apply(&mut boards, &port, &dated.event, dated.at, 0);
        }
        let is_alert = |dated: &Dated| matches!(dated.event.kind, EventKind::Alert(_));
        let kept = fs::read_to_string(&path).unwrap();
        assert!(!reported.iter().any(is_alert), "{reported:?}\n{kept}");
        let games = boards.values().filter_map(|board| board.game.as_ref());
        games.map(|game| (game.number, game.start.clone(), game.moves.len())).collect::<Vec<_>>()
    };
    // What was put back is whole: the next start finds the same without a log.
    let found = [games(Some(&index)), games(None)];
    (found, fs::read_to_string(&path).unwrap())
}

/// The position from which the game starts.
const FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What an arbiter sets, and the board after two more moves.
const SET: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const AFTER_D4_D6: &str = "rnbqkbnrppp..ppp...p........p......PP...........PPP..PPPRNBQKBNR";

#[test]
fn a_position_that_an_arbiter_has_set_begins_no_later_game() {
    // What was played before it stays.
    let whole = vec![(1, FIRST.to_owned(), 4)];
    let (games, text) = set_position_then(str::to_owned);
    assert_eq!(games, [whole.clone(), whole.clone()], "without damage: {text}");
    let lines = text.lines().count();
    for number in 0..lines {
        let damage = |text: &str| {
            let lines = text.lines().enumerate();
            lines
                .map(|(at, line)| if at == number { "?\n".to_owned() } else { format!("{line}\n") })
                .collect()
        };
        let (games, text) = set_position_then(damage);
        assert_eq!(games, [whole.clone(), whole.clone()], "line {number}: {text}");
    }
    for cut in 0..lines {
        let (games, text) = set_position_then(|text| text.split_inclusive('\n').take(cut).collect());
        assert_eq!(games, [whole.clone(), whole.clone()], "{cut} lines: {text}");
    }
}

#[test]
fn an_emptied_capture_unknown_to_the_log_is_left_as_it_is() {
    let (games, text) = finished_then(|_| String::new(), false);
    assert_eq!(
        (games, text.as_str()),
        ([vec![(1, 1, None)], vec![(1, 1, None)]], ""),
        "the game before goes on"
    );
}

#[test]
fn a_capture_cut_in_play_goes_on_as_another_game_without_a_log() {
    let (_, text) = cut_in_play(|_| 0, true, false);
    assert!(text.starts_with("# dgt-capture 1\n") && text.contains("# records were cut away here"), "{text}");
    let (games, _) = cut_in_play(|_| 0, true, false);
    assert!(games.iter().all(|(board, _)| board == "23946"), "{games:?}");
}

#[test]
fn a_capture_that_is_taken_away_in_play_is_put_back() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    play(&mut session, 1);
    let path = session.path();
    let before = text(&mut session);
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    play(&mut session, 2);
    assert!(session.take_unsynced().is_some());
    let kept = text(&mut session);
    assert!(kept.starts_with(&before) && kept.len() > before.len(), "{kept}");
    fs::remove_file(&path).unwrap();
    session.received(&clock(580, 580, true), session.now());
    assert!(session.finish().is_some());
    assert!(text(&mut session).starts_with(&kept));
    // That it was moved away only its name reports, which is looked for now and then.
    fs::rename(&path, path.with_extension("away")).unwrap();
    let later = session.now() + Duration::from_secs(6);
    session.received(&clock(579, 580, true), later);
    assert!(session.take_unsynced().is_some());
    assert!(text(&mut session).starts_with(&kept));
    drop(session);
    assert_eq!(place.recover().path(), path);
}

#[test]
fn moves_that_were_due_after_the_last_record_are_not_lost() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let second = play(&mut session, 0);
    // Two moves at once, which are reported when the board has been at rest.
    let last = seconds(second + 10);
    session.received(&dump(AFTER_E4_E5), last);
    session.tick(seconds(second + 15));
    // A minute ago: what was due is over when the next start reads the capture.
    let ago = SignedDuration::from_mins(1);
    let begun = session.timeline().started();
    let events = session.take_events().into_iter().map(|dated| Dated {
        at: dated.at - ago,
        ordinal: dated
            .ordinal
            .map(|Ordinal { nth, .. }| Ordinal { capture: (begun - ago).as_microsecond(), nth }),
        ..dated
    });
    let events: Vec<_> = events.collect();
    let is_late = |dated: &&Dated| matches!(dated.event.kind, EventKind::Move(_)) && dated.event.at > last;
    assert!(events.iter().filter(is_late).count() >= 2, "{events:?}");
    let index = Arc::new(log(&place, events));
    let recorded = text(&mut session).replace(&begun.to_string(), &(begun - ago).to_string());
    let path = session.path();
    drop(session);
    fs::write(&path, &recorded).unwrap();
    let written = begun - ago + SignedDuration::from_secs(20);
    fs::File::open(&path).unwrap().set_modified(written.into()).unwrap();
    let (mut session, _) = beginning::recover(&place.config(), &Arc::from(PORT), false, Some(&index));
    let reported = session.take_events();
    let is_move = |dated: &Dated| matches!(dated.event.kind, EventKind::Move(_));
    assert!(!reported.iter().any(is_move), "{reported:?}");
    let kept = text(&mut session);
    assert_eq!(games_of(&mut session, &reported), [("23946".to_owned(), 2)], "{kept}");
    let added = kept.strip_prefix(&recorded).expect("what was recorded stays");
    assert!(!added.contains('<') && !added.contains('@'), "nothing is put back: {kept}");
}
