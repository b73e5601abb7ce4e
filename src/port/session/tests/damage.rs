//! Captures in which a line or two were damaged: the game goes on behind it, and nothing that the log has is told again.

use super::*;
use crate::port::beginning;

/// A run of two moves that the log tells of.
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
        let mut told = session.take_events();
        let count = told.len();
        // What the damaged line told is told otherwise, and what the log has is not.
        assert!(count < 7, "{damage}: {told:?}");
        let mut boards = session.take_history();
        let back = session.now() + Duration::from_millis(500);
        session.link_up(PORT, back);
        session.received(SERIAL, back + Duration::from_millis(50));
        session.received(&dump(AFTER_E4_E5), back + Duration::from_millis(150));
        session.received(&clock(575, 590, true), back + Duration::from_millis(200));
        for second in 1..=20 {
            session.tick(back + Duration::from_secs(second));
        }
        told.extend(session.take_events());
        for dated in &told {
            crate::view::apply(&mut boards, &port, &dated.event, dated.at, 0);
        }
        let plies = boards.iter().map(|(board, state)| {
            let game = state.game.as_ref();
            (board.to_string(), game.map_or(0, |game| game.moves.len()))
        });
        assert_eq!(plies.collect::<Vec<_>>(), [("23946".to_owned(), 2)], "{damage}: {told:?}");
        let kept = fs::read_to_string(&self.path).unwrap();
        assert!(lines.iter().all(|line| line.len() > 1000 || kept.contains(line)), "{damage}: {kept}");
    }

    /// Returns where the lines are that a game can do without: not the one that alone tells where it began.
    fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.lines.len()).filter(|number| !self.lines[*number].contains("< 86"))
    }
}

#[test]
fn a_game_goes_on_whichever_line_of_its_capture_is_damaged() {
    let run = Run::new();
    for number in run.places() {
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
fn a_game_goes_on_behind_a_bad_line_also_while_the_disk_takes_nothing() {
    let run = Run::new();
    let mut lines = run.lines.clone();
    lines.last_mut().unwrap().insert(0, '?');
    let name = run.path.file_name().unwrap().to_str().unwrap();
    // What replaces a file is written under this name first.
    fs::create_dir(run.path.with_file_name(format!(".{name}.part"))).unwrap();
    run.check(&lines, "a bad line that stays");
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
    assert!(session.take_sync(session.now() + SYNC).is_some());
    let kept = text(&mut session);
    assert!(kept.starts_with(&before) && kept.len() > before.len(), "{kept}");
    fs::remove_file(&path).unwrap();
    session.received(&clock(580, 580, true), session.now());
    assert!(session.finish().is_some());
    assert!(text(&mut session).starts_with(&kept));
    drop(session);
    assert_eq!(place.recover().path(), path);
}
