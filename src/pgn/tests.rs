use super::*;
use crate::{rounds::Entered, view};
use jadoube_core::{
    alert::Confidence,
    event::{BoardEvent, Event, EventKind, MoveEvent, SanText, Times, UciText},
    score::Score,
};

const FOLDER: &str = "[[table]]\nnumber = 1\nserial = '11111'\nwhite = 'Ångström, A \"Ö\"'\nblack = 'B, B'\n\
                      [[table]]\nnumber = 2\nserial = '22222'\nwhite = 'C, C'\nblack = 'D, D'\ndelay_s = 100\n[pgn]\n";

/// A hall of boards, and what the public sees of it.
struct Hall {
    boards: Boards,
    publisher: Publisher,
    rounds: Rounds,
    config: Arc<Config>,
    now: i64,
}

impl Hall {
    fn new(config: &str) -> Self {
        let config = Arc::new(Config::parse("test", config, &[]).unwrap());
        let rounds = Rounds::default();
        let publisher = Publisher::new(GameStore::default(), rounds.clone(), TimeZone::UTC);
        let mut hall = Self { boards: Boards::new(), publisher, rounds, config, now: 1_716_000_000 };
        let (config, now) = (hall.config.clone(), Timestamp::from_second(hall.now).unwrap());
        for round in [1, config.event.round.unwrap_or(1)] {
            hall.publisher.restore_past(round, Vec::new(), &config, now);
        }
        hall
    }

    fn report(&mut self, board: &str, kind: EventKind) {
        let serial = EventKind::Board(Box::new(BoardEvent::of_serial(Some(board))));
        let at = Timestamp::from_second(self.now).unwrap();
        for kind in [serial, kind] {
            let event = Event { at: jadoube_core::time::Timestamp::ZERO, board: board.into(), kind };
            view::apply(&mut self.boards, &board.into(), &event, at, 1);
        }
    }

    fn begin(&mut self, board: &str) {
        self.begin_game(board, 1);
    }

    fn begin_game(&mut self, board: &str, game: u32) {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        self.report(board, EventKind::game_start(game, fen));
    }

    fn play(&mut self, board: &str, ply: u32, san: &str) {
        self.play_in(board, 1, ply, san);
    }

    fn play_in(&mut self, board: &str, game: u32, ply: u32, san: &str) {
        self.make(board, game, ply, san, true);
    }

    fn make(&mut self, board: &str, game: u32, ply: u32, san: &str, completed: bool) {
        let (side, next) =
            if ply % 2 == 1 { (shakmaty::Color::White, 'b') } else { (shakmaty::Color::Black, 'w') };
        let played = MoveEvent {
            game,
            ply,
            side,
            uci: UciText::default(),
            san: SanText::from(san).unwrap(),
            fen: format!("8/8/8/8/8/8/8/8 {next} - - 0 1"),
            legal: true,
            completed,
            confidence: Confidence::Certain,
            clock: Some(Times { white: 890, black: if ply == 1 { 900 } else { 880 } }),
            inferred: false,
            alternatives: None,
            entered: false,
            remark: None,
        };
        self.report(board, EventKind::Move(Box::new(played)));
    }

    fn update(&mut self) -> Changes {
        let now = Timestamp::from_second(self.now).unwrap();
        self.rounds.plan(&self.config, &self.boards, now);
        self.rounds.observe(&self.config, &self.boards, now);
        self.publisher.update(
            &self.config,
            &self.boards,
            Instant::at(now, SignedDuration::ZERO, Timestamp::UNIX_EPOCH),
        )
    }
}

fn names(files: &Changes) -> Vec<String> {
    files.iter().map(|(path, _)| path.display().to_string()).collect()
}

#[test]
fn who_is_to_play_is_known_before_anybody_moves() {
    let mut hall = Hall::new(&format!("[event]\nname = 'Open'\nround = 3\n{FOLDER}"));
    let files = hall.update();
    assert_eq!(
        names(&files),
        [
            "round-3/game-1.pgn",
            "round-3/game-2.pgn",
            "round-3/games.pgn",
            "round-3/index.json",
            "tournament.json"
        ]
    );
    assert!(hall.update().is_empty(), "nothing is written twice");
    let index = hall.publisher.games.index();
    let text = &index.rounds[&3].joined.text;
    assert!(
        text.starts_with("[Event \"Open\"]\n[Site \"?\"]\n[Date \"2024.05.18\"]\n[Round \"3.1\"]\n"),
        "{text}"
    );
    assert!(text.contains("[White \"Ångström, A 'Ö'\"]"), "{text}");
    assert!(text.contains("[Board \"1\"]\n\n*\n\n[Event"), "{text}");
    assert_eq!(index.current.tag, index.rounds[&3].joined.tag);
}

#[test]
fn a_running_game_has_its_clocks_and_a_finished_one_its_end() {
    let mut hall = Hall::new(&format!("[event]\ntime_control = '15+10'\n{FOLDER}"));
    hall.begin("11111");
    hall.play("11111", 1, "e4");
    let clock = Some(Times { white: 890, black: 900 });
    let running = Some(shakmaty::Color::Black);
    hall.report("11111", EventKind::Clock { clock, running, connected: true, low_battery: false });
    hall.update();
    let text = hall.publisher.games.index().rounds[&1].games[&1].pgn.text.clone();
    assert!(
        text.contains("[WhiteClock \"00:14:50\"]\n[BlackClock \"00:15:00\"]\n[ReferenceTime \"B/2024-05-18T02:40:00.000+00:00\"]"),
        "{text}"
    );
    assert!(text.ends_with("\n1. e4 {[%clk 0:14:50] [%emt 0:00:20]} *\n"), "{text}");
    hall.report("11111", EventKind::Result { game: 1, result: "1-0", by: "flag" });
    hall.update();
    let index = hall.publisher.games.index();
    let text = &index.rounds[&1].games[&1].pgn.text;
    assert!(text.contains("[Result \"1-0\"]") && text.contains("[Termination \"time forfeit\"]"), "{text}");
    assert!(!text.contains("Clock \""), "{text}");
    let json: serde_json::Value = serde_json::from_str(&index.rounds[&1].games[&1].json.text).unwrap();
    assert_eq!(json["moves"], serde_json::json!(["e4 890+20"]));
    assert_eq!((&json["result"], &json["live"]), (&serde_json::json!("WHITEWIN"), &serde_json::json!(false)));
    let index: serde_json::Value = serde_json::from_str(&index.rounds[&1].index.text).unwrap();
    assert_eq!(index["pairings"][0]["result"], "1-0");
    assert_eq!(index["date"], "2024-05-18");
}

#[test]
fn the_hour_that_comes_twice_in_autumn_is_distinguished() {
    let mut hall = Hall::new(FOLDER);
    hall.publisher.zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    // 2026-10-25, 02:59:50 in summer time.
    hall.now = 1_792_889_990;
    hall.begin("11111");
    hall.play("11111", 1, "e4");
    let clock = |white, black, running| EventKind::Clock {
        clock: Some(Times { white, black }),
        running: Some(running),
        connected: true,
        low_battery: false,
    };
    hall.report("11111", clock(890, 900, shakmaty::Color::Black));
    hall.update();
    let text = |hall: &Hall| hall.publisher.games.index().rounds[&1].games[&1].pgn.text.clone();
    let before = text(&hall);
    assert!(before.contains("[ReferenceTime \"B/2026-10-25T02:59:50.000+02:00\"]"), "{before}");
    hall.now += 20;
    hall.play("11111", 2, "e5");
    hall.report("11111", clock(890, 880, shakmaty::Color::White));
    hall.update();
    let after = text(&hall);
    assert!(after.contains("[ReferenceTime \"W/2026-10-25T02:00:10.000+01:00\"]"), "{after}");
    assert!(after.contains("e5 {[%clk 0:14:40] [%emt 0:00:20]}"), "{after}");
}

#[test]
fn a_table_may_have_a_delay_of_its_own_and_nothing_of_it_shows() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    hall.update();
    let before = hall.publisher.games.index();
    for ply in [(1, "e4"), (2, "e5")] {
        hall.begin("22222");
        hall.play("22222", ply.0, ply.1);
        hall.report("22222", EventKind::Result { game: 1, result: "0-1", by: "kings" });
        hall.now += 49;
        assert!(hall.update().is_empty());
    }
    let held = hall.publisher.games.index();
    assert_eq!(before.rounds[&1].joined, held.rounds[&1].joined, "neither the text nor its tag has changed");
    assert_eq!((&before.tournament, &before.rounds[&1].index), (&held.tournament, &held.rounds[&1].index));
    hall.begin("11111");
    hall.play("11111", 1, "d4");
    assert_eq!(names(&hall.update())[0], "round-1/game-1.pgn");
    hall.now += 100;
    assert_eq!(names(&hall.update())[0], "round-1/game-2.pgn");
}

#[test]
fn names_are_those_with_which_a_game_began() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    let text = |hall: &Hall| hall.publisher.games.index().rounds[&1].games[&1].pgn.text.clone();
    let rename = |hall: &mut Hall, round: u32, name: &str| {
        let mut config = hall.config.as_ref().clone();
        config.event.round = Some(round);
        name.clone_into(&mut Arc::make_mut(&mut config.tables)[0].white);
        hall.config = Arc::new(config);
        let now = Timestamp::from_second(hall.now).unwrap();
        hall.publisher.restore_past(round, Vec::new(), &hall.config.clone(), now);
        hall.update();
    };
    hall.begin("11111");
    rename(&mut hall, 1, "Right, Name");
    assert!(text(&hall).contains("[White \"Right, Name\"]"));
    hall.play("11111", 1, "e4");
    hall.update();
    rename(&mut hall, 1, "Late, Correction");
    assert!(text(&hall).contains("[White \"Right, Name\"]"));
    hall.rounds.rename(1, 1).unwrap();
    hall.update();
    assert!(text(&hall).contains("[White \"Late, Correction\"]"));
    rename(&mut hall, 2, "Next, Player");
    assert!(text(&hall).contains("[White \"Late, Correction\"]"));
    // What goes on is shown, until an arbiter says that it is over.
    let current = |hall: &Hall| hall.publisher.games.index().current.text.clone();
    assert!(current(&hall).contains("1. e4"), "{}", current(&hall));
    hall.rounds.finish(1, Timestamp::from_second(hall.now).unwrap()).unwrap();
    rename(&mut hall, 2, "Next, Player");
    assert!(current(&hall).contains("[White \"Next, Player\"]"), "{}", current(&hall));
    assert!(!current(&hall).contains("e4"), "{}", current(&hall));
}

#[test]
fn what_is_on_a_board_at_the_import_is_no_next_game() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    hall.begin("11111");
    hall.play("11111", 1, "e4");
    hall.report("11111", EventKind::Result { game: 1, result: "1-0", by: "kings" });
    hall.update();
    hall.begin_game("11111", 2);
    hall.play_in("11111", 2, 1, "a4");
    hall.update();
    let mut config = hall.config.as_ref().clone();
    config.event.round = Some(2);
    hall.config = Arc::new(config);
    let now = Timestamp::from_second(hall.now).unwrap();
    hall.publisher.restore_past(2, Vec::new(), &hall.config.clone(), now);
    hall.update();
    hall.play_in("11111", 2, 2, "a5");
    hall.update();
    let index = hall.publisher.games.index();
    assert!(
        index.rounds[&1].joined.text.contains("1. e4 {[%clk 0:14:50]} 1-0"),
        "{}",
        index.rounds[&1].joined.text
    );
    let all =
        [&index.rounds[&1].joined, &index.rounds[&2].joined].map(|joined| joined.text.to_string()).concat();
    assert!(!all.contains("a4") && !all.contains("a5"), "{all}");
    hall.begin_game("11111", 3);
    hall.play_in("11111", 3, 1, "c4");
    hall.update();
    assert!(hall.publisher.games.index().rounds[&2].joined.text.contains("1. c4"));
}

#[test]
fn a_round_known_before_the_configuration_is_published() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    hall.update();
    let before = hall.config.clone();
    let mut config = before.as_ref().clone();
    config.event.round = Some(2);
    hall.config = Arc::new(config);
    let now = Timestamp::from_second(hall.now).unwrap();
    hall.publisher.restore_past(2, Vec::new(), &hall.config.clone(), now);
    hall.rounds.plan(&hall.config, &hall.boards, now);
    let instant = Instant::at(now, SignedDuration::ZERO, Timestamp::UNIX_EPOCH);
    hall.publisher.update(&before, &hall.boards, instant);
    hall.update();
    let index = hall.publisher.games.index();
    assert!(index.rounds[&2].joined.text.contains("C, C"), "{}", index.rounds[&2].joined.text);
}

#[test]
fn a_result_is_entered_for_a_table_whatever_its_board_shows() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    hall.begin("11111");
    hall.play("11111", 1, "e4");
    hall.report("11111", EventKind::Result { game: 1, result: "1-0", by: "kings" });
    hall.update();
    hall.begin_game("11111", 2);
    hall.update();
    let text =
        |hall: &Hall, table| hall.publisher.games.index().rounds[&1].games[&table].pgn.text.to_string();
    let enter = |hall: &mut Hall, table, score| {
        let (by, at) = ("Ada".to_owned(), Timestamp::from_second(hall.now).unwrap());
        hall.rounds.enter(1, table, Some(Entered { score, by, at, reason: None })).unwrap();
        hall.update();
    };
    enter(&mut hall, 1, Some(Score::Neither));
    assert!(text(&hall, 1).contains("[Result \"0-0\"]"), "{}", text(&hall, 1));
    assert!(text(&hall, 1).ends_with("1. e4 {[%clk 0:14:50]} *\n"), "{}", text(&hall, 1));
    // Nobody came to the second table, which shows everything 100 seconds later.
    enter(&mut hall, 2, Some(Score::ForfeitBlack));
    assert!(text(&hall, 2).contains("[Result \"*\"]"), "{}", text(&hall, 2));
    hall.now += 100;
    hall.update();
    let forfeit = text(&hall, 2);
    assert!(
        forfeit.contains("[Result \"0-1\"]") && forfeit.contains("[Termination \"forfeit\"]"),
        "{forfeit}"
    );
    hall.rounds.enter(1, 1, None).unwrap();
    hall.update();
    assert!(text(&hall, 1).contains("[Result \"1-0\"]"), "{}", text(&hall, 1));
}

#[test]
fn a_held_table_shows_nothing_more_until_it_is_released() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    hall.begin("11111");
    hall.play("11111", 1, "e4");
    hall.update();
    let text = |hall: &Hall| hall.publisher.games.index().rounds[&1].games[&1].pgn.text.to_string();
    hall.rounds.hold(1, Some(1), true).unwrap();
    hall.play("11111", 2, "e5");
    hall.report("11111", EventKind::Result { game: 1, result: "1-0", by: "kings" });
    hall.update();
    assert!(text(&hall).contains("1. e4") && !text(&hall).contains("e5"), "{}", text(&hall));
    assert!(text(&hall).contains("[Result \"*\"]"), "{}", text(&hall));
    // What is played on the board afterwards is none of the table's.
    hall.begin_game("11111", 2);
    hall.play_in("11111", 2, 1, "a4");
    hall.update();
    hall.rounds.hold(1, None, false).unwrap();
    hall.update();
    assert!(text(&hall).contains("1. e4 {[%clk 0:14:50]} 1... e5"), "{}", text(&hall));
    assert!(text(&hall).contains("[Result \"1-0\"]") && !text(&hall).contains("a4"), "{}", text(&hall));
    assert!(hall.rounds.hold(1, Some(9), true).is_err() && hall.rounds.hold(2, None, true).is_err());
}

#[test]
fn a_restart_leaves_no_game_of_the_round_out() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    let now = Timestamp::from_second(hall.now).unwrap();
    let left =
        |day: &str, result: &str| format!("[Date \"{day}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n");
    let games =
        vec![(1, left("2024.05.18", "1-0")), (7, left("2024.05.17", "*")), (8, left("2023.01.01", "*"))];
    hall.publisher.restore_past(1, games, &hall.config.clone(), now);
    hall.update();
    let index = hall.publisher.games.index();
    assert_eq!(index.rounds[&1].games.keys().copied().collect::<Vec<_>>(), [1, 2, 7]);
    assert!(index.rounds[&1].games[&1].pgn.text.contains("e4 1-0"), "a pairing does not take a game's place");
}

#[test]
fn the_time_of_a_game_is_when_it_could_be_read() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    let start = hall.now;
    hall.update();
    let since = |hall: &Hall| {
        let index = hall.publisher.games.index();
        let round = &index.rounds[&1];
        let seconds = |document: &Document| document.since.unwrap().as_second() - start;
        [&round.games[&1].pgn, &round.games[&2].pgn, &round.joined, &index.current].map(seconds)
    };
    assert_eq!(since(&hall), [0, 0, 0, 0]);
    // The second table is delayed by 100 seconds.
    hall.now += 10;
    hall.begin("22222");
    hall.play("22222", 1, "e4");
    hall.update();
    assert_eq!(since(&hall), [0, 0, 0, 0], "a move that waits dates nothing");
    hall.now += 10;
    hall.begin("11111");
    hall.play("11111", 1, "d4");
    hall.update();
    assert_eq!(since(&hall), [20, 0, 20, 20]);
    hall.now += 90;
    hall.update();
    assert_eq!(since(&hall), [20, 110, 110, 110]);
}

#[test]
fn a_board_on_no_table_takes_no_table_s_place() {
    let mut hall = Hall::new(&format!("[event]\nround = 1\n{FOLDER}"));
    for board in ["11111", "00002", "00003"] {
        hall.begin(board);
        hall.play(board, 1, "d4");
    }
    hall.update();
    let index = hall.publisher.games.index();
    let games = &index.rounds[&1].games;
    assert_eq!(games.keys().copied().collect::<Vec<_>>(), [1, 2, 3]);
    let text = &games[&2].pgn.text;
    assert!(text.contains("[White \"C, C\"]") && !text.contains("d4"), "{text}");
}

#[test]
fn moves_are_published_when_they_are_made_or_completed() {
    for (publish, is_shown) in [("made", true), ("completed", false)] {
        let mut hall = Hall::new(&format!("{FOLDER}publish = '{publish}'\n"));
        hall.begin("11111");
        let text = |hall: &Hall| hall.publisher.games.index().rounds[&1].games[&1].pgn.text.clone();
        for completed in [false, true] {
            hall.make("11111", 1, 1, "e4", completed);
            hall.update();
            assert_eq!(text(&hall).contains("1. e4"), is_shown || completed, "{publish}");
        }
    }
}
