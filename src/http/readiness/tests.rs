use std::sync::Arc;

use super::*;

const TABLES: &str = "
[event]
time_control = '90+30'
[[table]]
number = 7
serial = '23946'
white = 'Weiss'
black = 'Schwarz'
";

/// A board that is ready.
fn board() -> BoardView {
    let mut board = BoardView::new("23946".into());
    board.serial = Some("23946".to_owned());
    board.up = true;
    board.squares = Board::new();
    let times = Times { white: 5400, black: 5400 };
    let at = jiff::Timestamp::UNIX_EPOCH;
    board.clock = Some(ClockView { times, running: None, connected: true, low_battery: false, at });
    board
}

fn judged(text: &str, boards: impl IntoIterator<Item = BoardView>) -> Vec<Readiness> {
    let config = Config::parse("t", text, &[]).unwrap();
    judge(&config, &boards.into_iter().map(|board| (board.name.clone(), Arc::new(board))).collect())
}

#[track_caller]
fn check(change: impl FnOnce(&mut BoardView), state: State, expected: &str) {
    let mut board = board();
    change(&mut board);
    let [table] = &judged(TABLES, [board])[..] else { panic!("one table") };
    assert_eq!((table.state, table.table), (state, Some(7)));
    assert_eq!(serde_json::to_string(&table.findings).unwrap(), expected);
}

fn clock(board: &mut BoardView) -> &mut ClockView {
    board.clock.as_mut().unwrap()
}

#[test]
fn a_table_is_ready_where_nothing_is_to_be_done() {
    check(|_| {}, State::Ready, "[]");
    // Some clocks show the first increment before the first move.
    check(|board| clock(board).times = Times { white: 5430, black: 5430 }, State::Ready, "[]");
}

#[test]
fn boards_and_batteries() {
    check(|board| board.up = false, State::Wrong, r#"[{"finding":"board-silent"}]"#);
    check(|board| board.battery = Some(19), State::Look, r#"[{"finding":"board-battery","percent":19}]"#);
    check(|board| clock(board).low_battery = true, State::Look, r#"[{"finding":"clock-battery"}]"#);
    let [table] = &judged(TABLES, [])[..] else { panic!("one table") };
    assert_eq!((table.findings.as_slice(), table.board.as_deref()), (&[Finding::BoardMissing][..], None));
}

#[test]
fn clocks() {
    check(|board| board.clock = None, State::Wrong, r#"[{"finding":"clock-missing"}]"#);
    check(|board| clock(board).connected = false, State::Wrong, r#"[{"finding":"clock-missing"}]"#);
    check(|board| clock(board).running = Some(Color::White), State::Look, r#"[{"finding":"clock-runs"}]"#);
    check(
        |board| clock(board).times.black = 5399,
        State::Look,
        r#"[{"finding":"clock-times","shown":{"white":5400,"black":5399},"expected_s":5400}]"#,
    );
}

#[test]
fn pieces() {
    check(
        |board| {
            board.squares.discard_piece_at(Square::A1);
            board.squares.set_piece_at(Square::D8, Role::King.of(Color::Black));
            board.squares.set_piece_at(Square::E8, Role::Queen.of(Color::Black));
        },
        State::Wrong,
        concat!(
            r#"[{"finding":"pieces","squares":[{"square":"a1","expected":"R","shown":null},"#,
            r#"{"square":"d8","expected":"q","shown":"k"},{"square":"e8","expected":"k","shown":"q"}]}]"#
        ),
    );
    check(|board| board.squares.rotate_180(), State::Wrong, r#"[{"finding":"turned"}]"#);
    check(|board| board.squares = Board::empty(), State::Wrong, r#"[{"finding":"not-set-up","squares":32}]"#);
}

#[test]
fn chess960_has_any_pieces_opposite_to_each_other() {
    let found = |fen: &str| {
        let mut board = board();
        board.squares = Board::from_ascii_board_fen(fen.as_bytes()).unwrap();
        let text = format!("{TABLES}\n[game]\nchess960 = true");
        judged(&text, [board]).remove(0).findings
    };
    assert_eq!(found("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR"), []);
    let wrong = |square: &str, expected, shown| WrongSquare { square: square.to_owned(), expected, shown };
    assert_eq!(
        found("bbqnn1kr/pppppppp/8/8/8/8/PPPPPPPP/1BQNNRKR"),
        [Finding::Pieces { squares: vec![wrong("a1", Some(ANY), None), wrong("f8", Some('r'), None)] }]
    );
}

#[test]
fn a_running_game_needs_nothing_and_a_finished_one_a_result() {
    let event = |kind| jadoube_core::event::Event {
        at: jadoube_core::time::Timestamp::ZERO,
        board: "23946".into(),
        kind,
    };
    let played = |board: &mut BoardView| {
        use jadoube_core::{
            alert::Confidence,
            event::{EventKind, MoveEvent, SanText, UciText},
        };
        let start = EventKind::game_start(3, "");
        let first = EventKind::Move(Box::new(MoveEvent {
            game: 3,
            ply: 1,
            side: Color::White,
            uci: UciText::from("e2e4").unwrap(),
            san: SanText::from("e4").unwrap(),
            fen: String::new(),
            legal: true,
            completed: true,
            confidence: Confidence::Certain,
            clock: None,
            inferred: false,
            alternatives: None,
            entered: false,
            remark: None,
        }));
        for kind in [start, first] {
            board.apply(&"/dev/p".into(), &event(kind), jiff::Timestamp::UNIX_EPOCH, 1);
        }
    };
    check(
        |board| {
            played(board);
            board.squares.discard_piece_at(Square::E2);
            clock(board).running = Some(Color::Black);
        },
        State::Playing,
        "[]",
    );
    check(played, State::Look, r#"[{"finding":"no-result","game":3}]"#);
}

#[test]
fn names_tables_and_boards_that_do_not_fit() {
    let text = TABLES.replace("black = 'Schwarz'", "") + "[[table]]\nnumber = 8\nserial = '11111'";
    let other = BoardView { name: "5".into(), serial: Some("5".to_owned()), ..board() };
    let found = judged(&text, [other, board()]);
    let reported: Vec<_> =
        found.iter().map(|table| (table.table, table.board.as_deref(), table.findings.clone())).collect();
    let names = |white| Finding::NamesMissing { white, black: true };
    assert_eq!(
        reported,
        [
            (Some(7), Some("23946"), vec![names(false)]),
            (Some(8), None, vec![Finding::BoardMissing, names(true)]),
            (None, Some("5"), vec![Finding::NoTable]),
        ]
    );
    // Without tables, a board by itself is one.
    assert_eq!(judged("", [board()])[0].findings, []);
}

#[test]
fn a_round_that_has_begun_stops_no_clock() {
    let text = "[event]\ntime_control = '3+2'\n[[table]]\nnumber = 1\nserial = '1'\nwhite = 'A'\nblack = 'B'\n\
                [[table]]\nnumber = 2\nserial = '2'\nwhite = 'C'\nblack = 'D'\n";
    let table = |name: &str, running, seconds| {
        let mut board = BoardView { name: name.into(), serial: Some(name.to_owned()), ..board() };
        *clock(&mut board) = ClockView {
            times: Times { white: seconds, black: seconds },
            running,
            ..board.clock.clone().unwrap()
        };
        board
    };
    let states = |boards: [BoardView; 2]| {
        let found = judged(text, boards);
        found.into_iter().map(|table| (table.state, table.findings)).collect::<Vec<_>>()
    };
    let runs = Some(Color::White);
    assert_eq!(
        states([table("1", runs, 170), table("2", runs, 160)]),
        [(State::Playing, vec![]), (State::Playing, vec![])]
    );
    // One clock alone was started too early.
    let early = states([table("1", runs, 170), table("2", None, 180)]);
    assert_eq!(early, [(State::Look, vec![Finding::ClockRuns]), (State::Ready, vec![])]);
    // Clocks with another time control are reported all the same.
    let shown = Times { white: 300, black: 300 };
    let wrong = vec![Finding::ClockTimes { shown, expected_s: 180 }];
    assert_eq!(states([table("1", runs, 300), table("2", runs, 170)])[0], (State::Playing, wrong));
}
