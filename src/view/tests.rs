use super::*;
use jadoube_core::{
    alert::Confidence,
    event::{BoardEvent, Event, EventKind, LinkState, MoveEvent, SanText, Times, UciText},
    order::Order,
    time::Timestamp,
};
use shakmaty::{ByColor, Color, Piece, Role, Square};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Applies events to a view, numbered from 1.
struct Hub {
    view: View,
    seq: u64,
}

impl Hub {
    fn new() -> Self {
        Self { view: View::default(), seq: 0 }
    }

    fn report(&mut self, board: &str, kind: EventKind) -> Arc<BoardView> {
        self.seq += 1;
        let event = Event { at: Timestamp::ZERO, board: board.into(), kind };
        let at = jiff::Timestamp::UNIX_EPOCH;
        self.view.apply(&Published::new("/dev/p".into(), event.into(), at, self.seq));
        self.view.board(board).unwrap()
    }
}

fn played(ply: u32, san: &str, completed: bool) -> EventKind {
    EventKind::Move(Box::new(MoveEvent {
        game: 1,
        ply,
        side: if ply % 2 == 1 { Color::White } else { Color::Black },
        uci: UciText::from("e2e4").unwrap(),
        san: SanText::from(san).unwrap(),
        fen: format!("after {san}"),
        legal: true,
        completed,
        confidence: Confidence::Certain,
        clock: None,
        inferred: false,
        alternatives: None,
        entered: false,
        remark: None,
    }))
}

fn sans(board: &BoardView) -> Vec<&str> {
    board.game.as_ref().unwrap().moves.iter().map(|view| view.san.as_str()).collect()
}

#[test]
fn a_board_is_known_by_its_number_as_soon_as_it_reports_it() {
    let mut hub = Hub::new();
    hub.report("p", EventKind::Link { state: LinkState::Up, port: "/dev/p".to_owned() });
    let version = Some("1.08".to_owned());
    let board = BoardEvent { version, ..BoardEvent::of_serial(Some("23946")) };
    let board = hub.report("23946", EventKind::Board(Box::new(board)));
    assert!(board.up, "the link came up while it had no name");
    assert_eq!(board.name.as_ref(), "23946");
    assert_eq!(hub.view.read().1.len(), 1);
    assert_eq!(hub.view.seq(), 2);
}

#[test]
fn a_board_with_its_long_number_only_is_the_connected_one() {
    let mut hub = Hub::new();
    hub.report("p", EventKind::Link { state: LinkState::Up, port: "/dev/p".to_owned() });
    let long_serial = Some("0300012345".to_owned());
    let board = BoardEvent { long_serial, ..BoardEvent::of_serial(None) };
    let board = hub.report("0300012345", EventKind::Board(Box::new(board)));
    assert!(board.up, "the link came up while it had no name");
    assert_eq!(hub.view.read().1.len(), 1);
}

#[test]
fn moves_come_go_and_are_completed() {
    let mut hub = Hub::new();
    hub.report("1", EventKind::game_start(1, START));
    hub.report("1", played(1, "e4", false));
    hub.report("1", played(2, "e5", false));
    let board = hub.report("1", played(1, "e4", true));
    assert_eq!(sans(&board), ["e4", "e5"]);
    assert_eq!(board.game.as_ref().unwrap().fen(), "after e5");
    assert!(board.game.as_ref().unwrap().moves[0].completed);
    let board = hub.report("1", EventKind::Retract { game: 1, ply: 2 });
    assert_eq!(sans(&board), ["e4"]);
    assert_eq!(board.game.as_ref().unwrap().fen(), "after e4");
    let board = hub.report("1", EventKind::Retract { game: 1, ply: 1 });
    assert_eq!(board.game.as_ref().unwrap().fen(), START);
    hub.report("1", EventKind::game_start(2, START));
    let board = hub.report("1", played(1, "late", true));
    assert!(sans(&board).is_empty(), "a move of the game before");
}

#[test]
fn presses_are_reported_where_they_are_not_the_moves() {
    let mut hub = Hub::new();
    hub.report("1", EventKind::Link { state: LinkState::Up, port: "p".to_owned() });
    hub.report("1", EventKind::game_start(1, START));
    let press = |side| EventKind::Press { side, clock: Times { white: 60, black: 60 } };
    let counter = |board: &BoardView| board.game.as_ref().unwrap().counter();
    // Black lets White's clock run: no move.
    hub.report("1", press(Color::Black));
    hub.report("1", press(Color::White));
    let board = hub.report("1", played(1, "e4", true));
    assert_eq!(counter(&board), None);
    // Black presses, puts it back, and presses again.
    hub.report("1", press(Color::Black));
    hub.report("1", press(Color::Black));
    let board = hub.report("1", played(2, "e5", true));
    assert_eq!(counter(&board), Some(ByColor { white: 1, black: 2 }));
    let board = hub.report("1", EventKind::Link { state: LinkState::Down, port: "p".to_owned() });
    assert_eq!(counter(&board), None, "nobody sees what is pressed meanwhile");
}

#[test]
fn a_game_that_starts_from_another_position_is_the_same_game() {
    let mut hub = Hub::new();
    let before = hub.report("1", EventKind::game_start(1, START));
    hub.report("1", EventKind::Counts { game: 1, white: 1, black: 0 });
    hub.report("1", EventKind::Retract { game: 1, ply: 1 });
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_owned();
    let board = hub.report("1", EventKind::game_start(1, &fen));
    let game = board.game.as_ref().unwrap();
    assert_eq!((game.fen(), game.began), (&*fen, before.game.as_ref().unwrap().began));
    assert_eq!(board.confirmed, Some(ByColor { white: 1, black: 0 }));
}

#[test]
fn squares_and_clock_are_what_the_board_says() {
    let mut hub = Hub::new();
    let (square, piece) = (Square::E4, Piece { color: Color::White, role: Role::Pawn });
    let board = hub.report("1", EventKind::Place { square, piece });
    assert_eq!(board.squares.piece_at(square), Some(piece));
    let clock = Some(Times { white: 60, black: 61 });
    let shown =
        |clock| EventKind::Clock { clock, running: Some(Color::Black), connected: true, low_battery: false };
    hub.report("1", EventKind::Lift { square, piece });
    let board = hub.report("1", shown(clock));
    assert!(board.squares.occupied().is_empty());
    assert_eq!(board.clock.as_ref().unwrap().times, Times { white: 60, black: 61 });
}

#[test]
fn a_mute_that_is_taken_back_mutes_no_longer() {
    let mut hub = Hub::new();
    let mut enter = |order: &str, id: &str| {
        let order = Box::new(Order::parse(order).unwrap());
        let entry = EventKind::Entry { order, text: String::new(), id: Some(id.to_owned()) };
        hub.report("1", entry).muted_until
    };
    let long = enter(r#"{"order":"mute","seconds":600}"#, "1-1-o1");
    assert!(long.is_some());
    assert!(enter(r#"{"order":"mute","seconds":60}"#, "1-1-o2") < long);
    assert_eq!(enter(r#"{"order":"undo","id":"1-1-o2"}"#, "1-1-o3"), long);
    assert_eq!(enter(r#"{"order":"undo","id":"1-1-o1"}"#, "1-1-o4"), None);
    assert!(enter(r#"{"order":"undo","id":"1-1-o4"}"#, "1-1-o5") >= long);
    assert_eq!(enter(r#"{"order":"undo","what":"mute"}"#, "1-1-o6"), None);
}

#[test]
fn what_has_been_read_stays_as_it_was() {
    let mut hub = Hub::new();
    let before = hub.report("1", EventKind::game_start(1, START));
    hub.report("1", played(1, "e4", false));
    assert_eq!(before.ply(), 0);
    assert_eq!(hub.view.board("1").unwrap().ply(), 1);
}

#[test]
fn what_a_hub_hears_is_reported_board_by_board() {
    let view = View::after(7);
    let (mut restored, mut updated) = (view.restorations(), view.updates());
    let board = |name: &str, seq| {
        let board = BoardView { seq, ..BoardView::new(name.into()) };
        (board.name.clone(), Arc::new(board))
    };
    let mut reported = |boards: Boards| {
        view.update(boards);
        let is_new = |receiver: &mut watch::Receiver<u64>| {
            let is_new = receiver.has_changed().unwrap();
            receiver.mark_unchanged();
            is_new
        };
        (is_new(&mut updated), is_new(&mut restored), view.seq())
    };
    let (one, two) = (board("1", 8), board("2", 9));
    assert_eq!(reported([one.clone(), two.clone()].into()), (true, false, 9));
    assert_eq!(reported([board("1", 10), two.clone()].into()), (true, false, 10));
    assert_eq!(reported([one.clone(), two.clone()].into()), (false, true, 10), "another one stands for it");
    assert_eq!(reported([two].into()), (false, true, 10), "one is gone");
}
