use std::sync::Arc;

use shakmaty::Color;

use super::*;
use crate::{rounds::Stage, view};
use jadoube_core::{
    alert::Confidence,
    event::{BoardEvent, Event, EventKind, MoveEvent, SanText, Times, UciText},
};

/// Boards of two tables, and what the book says of them.
struct Hall {
    boards: Boards,
    book: Book,
    config: Config,
    now: i64,
}

const TABLES: &str = "[event]\nround = 1\n[[table]]\nnumber = 1\nserial = '11111'\nwhite = 'A'\nblack = 'B'\n\
                      [[table]]\nnumber = 2\nserial = '22222'\nwhite = 'C'\nblack = 'D'\n";

impl Hall {
    fn new() -> Self {
        let config = Config::parse("test", TABLES, &[]).unwrap();
        let mut hall = Self { boards: Boards::new(), book: Book::default(), config, now: 1_716_000_000 };
        hall.look();
        hall
    }

    fn at(&self) -> Timestamp {
        Timestamp::from_second(self.now).unwrap()
    }

    fn look(&mut self) {
        self.now += 1;
        let now = self.at();
        self.book.plan(&self.config, &self.boards, now);
        // As the program has it: those who play at the boards in the place of those who are to play there.
        let mut seated = self.config.clone();
        self.book.seat(&mut seated, &self.boards);
        self.book.observe(&seated, &self.boards, now);
    }

    fn report(&mut self, board: &str, kind: EventKind) {
        let at = self.at();
        let port = jadoube_core::event::LinkState::Up;
        for kind in [
            EventKind::Link { state: port, port: board.to_owned() },
            EventKind::Board(Box::new(BoardEvent::of_serial(Some(board)))),
            kind,
        ] {
            let event = Event { at: jadoube_core::time::Timestamp::ZERO, board: board.into(), kind };
            view::apply(&mut self.boards, &board.into(), &event, at, 1);
        }
    }

    fn set_up(&mut self, board: &str, game: u32) {
        self.report(board, EventKind::game_start(game, "start"));
        self.look();
    }

    fn clock(&mut self, board: &str, running: Option<Color>) {
        let clock = Some(Times { white: 60, black: 60 });
        self.report(board, EventKind::Clock { clock, running, connected: true, low_battery: false });
        self.look();
    }

    fn play(&mut self, board: &str, game: u32, plies: std::ops::RangeInclusive<u32>, completed: bool) {
        for ply in plies {
            let played = MoveEvent {
                game,
                ply,
                side: Color::White,
                uci: UciText::default(),
                san: SanText::from("e4").unwrap(),
                fen: String::new(),
                legal: true,
                completed,
                confidence: Confidence::Certain,
                clock: Some(Times { white: 60, black: 60 }),
                inferred: false,
                alternatives: None,
                entered: false,
                remark: None,
            };
            self.report(board, EventKind::Move(Box::new(played)));
        }
        self.look();
    }

    fn result(&mut self, board: &str, game: u32, result: &'static str) {
        self.report(board, EventKind::Result { game, result, by: "kings" });
        self.look();
    }

    fn pair(&mut self, round: u32, white: &str) {
        self.config.event.round = Some(round);
        let tables = Arc::make_mut(&mut self.config.tables);
        white.clone_into(&mut tables[0].white);
        self.look();
    }

    fn place(&self, board: &str, game: u32) -> Option<Place> {
        self.book.place(board, game)
    }

    fn seated(&self) -> String {
        let mut config = self.config.clone();
        self.book.seat(&mut config, &self.boards);
        config.tables[0].white.clone()
    }
}

#[test]
fn a_game_is_that_of_its_table_and_the_next_one_is_none() {
    let mut hall = Hall::new();
    hall.set_up("11111", 1);
    assert_eq!((hall.place("11111", 1), hall.book.current().unwrap().stage()), (None, Stage::Planned));
    hall.play("11111", 1, 1..=2, true);
    assert_eq!(hall.place("11111", 1), Some(Place::Table(1, 1)));
    assert_eq!(hall.book.current().unwrap().stage(), Stage::Playing);
    hall.result("11111", 1, "1-0");
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=1, true);
    assert_eq!(hall.place("11111", 2), Some(Place::Unpaired(1)));
    let table = &hall.book.round(1).unwrap().tables[&1];
    assert_eq!(table.standing().score, Some(Score::White));
    // An arbiter says otherwise, and takes it back.
    let board = hall.boards["11111"].clone();
    hall.book.pair(1, 1, "11111", &Arc::new(board.game.clone().unwrap()), false).unwrap();
    assert_eq!(hall.place("11111", 2), Some(Place::Table(1, 1)));
    assert_eq!(hall.place("11111", 1), Some(Place::Unpaired(1)));
    hall.book.unpair(1, 1).unwrap();
    assert_eq!(hall.place("11111", 2), Some(Place::Unpaired(1)));
}

#[test]
fn a_result_that_comes_with_the_next_set_up_keeps_its_table() {
    let mut hall = Hall::new();
    hall.set_up("11111", 1);
    hall.play("11111", 1, 1..=2, true);
    // The board has the next game already when the book hears of the result.
    hall.book.take_result("11111", 1, Some(Score::White), "kings");
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=1, true);
    assert_eq!(
        (hall.place("11111", 1), hall.place("11111", 2)),
        (Some(Place::Table(1, 1)), Some(Place::Unpaired(1)))
    );
    // A result that is taken back leaves the game that of its table.
    hall.book.take_result("11111", 1, None, "arbiter");
    let table = &hall.book.round(1).unwrap().tables[&1];
    assert!(table.has("11111", 1) && table.standing().score.is_none());
}

#[test]
fn pieces_that_were_tried_out_are_no_game() {
    let mut hall = Hall::new();
    hall.set_up("11111", 1);
    hall.clock("11111", None);
    hall.play("11111", 1, 1..=3, false);
    assert_eq!(hall.place("11111", 1), None, "the clock stands still");
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=4, true);
    assert_eq!(hall.place("11111", 2), Some(Place::Table(1, 1)));
    hall.set_up("11111", 3);
    hall.play("11111", 3, 1..=1, true);
    assert_eq!(hall.place("11111", 3), Some(Place::Table(1, 1)), "a false start gives way");
    assert_eq!(hall.place("11111", 2), Some(Place::Unpaired(1)));
    hall.play("11111", 3, 2..=6, true);
    hall.set_up("11111", 4);
    hall.play("11111", 4, 1..=1, true);
    assert_eq!(hall.place("11111", 4), Some(Place::Unpaired(1)), "six moves with the clock do not");
}

#[test]
fn the_import_of_a_round_takes_nothing_from_the_one_before() {
    let mut hall = Hall::new();
    for board in ["11111", "22222"] {
        hall.set_up(board, 1);
        hall.play(board, 1, 1..=2, true);
    }
    hall.result("22222", 1, "0-1");
    hall.set_up("22222", 2);
    hall.play("22222", 2, 1..=30, true);
    hall.pair(2, "Next");
    // The game on the first table goes on, under the names with which it began; skittles stay skittles.
    hall.play("11111", 1, 3..=4, true);
    hall.play("22222", 2, 31..=32, true);
    assert_eq!(
        (hall.place("11111", 1), hall.place("22222", 2)),
        (Some(Place::Table(1, 1)), Some(Place::Unpaired(1)))
    );
    assert_eq!(hall.seated(), "A");
    hall.result("11111", 1, "1-0");
    assert_eq!(hall.seated(), "A");
    hall.set_up("11111", 2);
    assert_eq!(hall.seated(), "Next");
    assert!(hall.book.current().unwrap().started.is_none());
    hall.clock("11111", Some(Color::White));
    assert_eq!(hall.book.current().unwrap().started.as_ref().unwrap().by, "clock");
    hall.play("11111", 2, 1..=1, true);
    assert_eq!(hall.place("11111", 2), Some(Place::Table(2, 1)));
    hall.pair(2, "Corrected");
    assert_eq!(hall.book.round(2).unwrap().tables[&1].seat.white.name, "Next", "names are frozen");
}

#[test]
fn a_restart_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut hall = Hall::new();
    hall.set_up("11111", 1);
    hall.play("11111", 1, 1..=2, true);
    hall.result("11111", 1, "1/2-1/2");
    let rounds = crate::rounds::Rounds::open(dir.path());
    let now = hall.at();
    rounds.plan(&hall.config, &hall.boards, now);
    rounds.observe(&hall.config, &hall.boards, now);
    rounds
        .enter(
            1,
            2,
            Some(Entered { score: Some(Score::ForfeitBoth), by: "Ada".to_owned(), at: now, reason: None }),
        )
        .unwrap();
    rounds.save().unwrap();
    let again = crate::rounds::Rounds::open(dir.path());
    assert_eq!(again.read(|book| book.rounds().clone()), rounds.read(|book| book.rounds().clone()));
    assert_eq!(again.read(|book| book.place("11111", 1)), Some(Place::Table(1, 1)));
    // What was on the boards before the next round stays out of it, though nobody has seen how it got there.
    let again = crate::rounds::Rounds::open(dir.path());
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=9, true);
    hall.config.event.round = Some(2);
    let later = Timestamp::from_second(hall.now + 60).unwrap();
    again.plan(&hall.config, &Boards::new(), later);
    again.observe(&hall.config, &hall.boards, later);
    assert_eq!(again.read(|book| book.place("11111", 2)), Some(Place::Unpaired(2)));
}

#[test]
fn another_event_begins_with_rounds_of_its_own() {
    let mut hall = Hall::new();
    hall.set_up("11111", 1);
    hall.play("11111", 1, 1..=2, true);
    hall.result("11111", 1, "1-0");
    hall.now += 3 * 24 * 3600;
    hall.look();
    assert!(hall.book.current().unwrap().tables[&1].game.is_some(), "a long round stays");
    hall.pair(1, "Somebody else");
    assert!(hall.book.current().unwrap().tables[&1].game.is_none());
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=1, true);
    assert_eq!(hall.place("11111", 2), Some(Place::Table(1, 1)));
    assert_eq!(hall.seated(), "Somebody else");
}

#[test]
fn a_damaged_file_is_set_aside() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("rounds/round-1.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for damage in ["", "{\"number\": 1", "\0\0\0", "[]"] {
        std::fs::write(&file, damage).unwrap();
        let rounds = crate::rounds::Rounds::open(dir.path());
        assert!(rounds.read(|book| book.rounds().is_empty()) && !file.exists(), "{damage:?}");
    }
}

/// Lets the game of a board go on at another one.
fn go_on(hall: &mut Hall, board: &str, game: u32, before: (&str, u32)) {
    let continued = Some(jadoube_core::event::Continuation { board: before.0.into(), game: before.1 });
    hall.report(
        board,
        EventKind::GameStart { game, fen: "start".to_owned(), adopted: false, continued, players: None },
    );
    hall.play(board, game, 1..=2, true);
}

#[test]
fn a_game_that_goes_on_elsewhere_stays_that_of_its_table() {
    let mut hall = Hall::new();
    hall.set_up("33333", 1);
    hall.set_up("11111", 1);
    hall.play("11111", 1, 1..=2, true);
    go_on(&mut hall, "33333", 2, ("11111", 1));
    assert_eq!(
        (hall.place("11111", 1), hall.place("33333", 2)),
        (Some(Place::Left(1, 1)), Some(Place::Table(1, 1)))
    );
    let mut config = hall.config.clone();
    hall.book.seat(&mut config, &hall.boards);
    assert_eq!((config.tables[0].serial.as_str(), config.tables[0].white.as_str()), ("33333", "A"));
    hall.result("33333", 2, "0-1");
    let table = &hall.book.round(1).unwrap().tables[&1];
    assert_eq!((table.standing().score, table.serial.as_str()), (Some(Score::Black), "11111"));
    // What is played on the board that it has left is no game of the round.
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=1, true);
    assert_eq!(hall.place("11111", 2), Some(Place::Unpaired(1)));
    // And back, as itself: nobody has played on there.
    let before = jadoube_core::event::Continuation { board: "11111".into(), game: 1 };
    hall.book.go_on("11111", 1, &before);
    assert_eq!(
        (hall.place("11111", 1), hall.place("33333", 2)),
        (Some(Place::Table(1, 1)), Some(Place::Left(1, 1)))
    );
    // A restart keeps both.
    let text = serde_json::to_string(hall.book.round(1).unwrap()).unwrap();
    let mut book = Book::default();
    book.take(serde_json::from_str(&text).unwrap());
    assert_eq!(
        (book.place("11111", 1), book.place("33333", 2)),
        (Some(Place::Table(1, 1)), Some(Place::Left(1, 1)))
    );
}

#[test]
fn a_board_stands_in_until_that_of_the_table_is_up_again() {
    let mut hall = Hall::new();
    hall.set_up("33333", 1);
    hall.set_up("11111", 1);
    hall.play("11111", 1, 1..=2, true);
    let down = EventKind::Link { state: jadoube_core::event::LinkState::Down, port: "11111".to_owned() };
    let event = Event { at: jadoube_core::time::Timestamp::ZERO, board: "11111".into(), kind: down };
    let at = hall.at();
    view::apply(&mut hall.boards, &"11111".into(), &event, at, 1);
    go_on(&mut hall, "33333", 2, ("11111", 1));
    hall.result("33333", 2, "0-1");
    hall.pair(2, "Next");
    hall.set_up("33333", 3);
    let seated = |hall: &Hall| {
        let mut config = hall.config.clone();
        hall.book.seat(&mut config, &hall.boards);
        config
    };
    let config = seated(&hall);
    assert_eq!((config.tables[0].serial.as_str(), config.tables[0].white.as_str()), ("33333", "Next"));
    hall.play("33333", 3, 1..=1, true);
    assert_eq!(hall.place("33333", 3), Some(Place::Table(2, 1)));
    hall.pair(3, "Third");
    hall.set_up("33333", 4);
    hall.set_up("11111", 2);
    assert_eq!(seated(&hall).tables[0].serial, "11111");
}

#[test]
fn the_round_that_goes_on_is_the_one_that_is_played() {
    let mut hall = Hall::new();
    let going_on = |hall: &Hall| hall.book.going_on().unwrap().number;
    for board in ["11111", "22222"] {
        hall.set_up(board, 1);
        hall.play(board, 1, 1..=2, true);
    }
    hall.pair(2, "Next");
    assert_eq!(going_on(&hall), 1);
    hall.result("11111", 1, "1-0");
    hall.result("22222", 1, "1-0");
    assert_eq!(going_on(&hall), 2);
    hall.book.take_result("22222", 1, None, "arbiter");
    assert_eq!(going_on(&hall), 1);
    hall.set_up("11111", 2);
    hall.play("11111", 2, 1..=1, true);
    assert_eq!(going_on(&hall), 2);
}
