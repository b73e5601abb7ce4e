//! A feed: what one client has been sent of one board, and what is new for it.

use serde::Serialize;
use serde_json::Value;
use shakmaty::Board;

use super::{
    message::Refused,
    reconstruction::Reconstruction,
    shapes::{Clock, placement},
};
use crate::view::BoardView;
use jadoube_core::event::BoardId;

/// A feed of the kind `eboardevent`.
#[derive(Debug)]
pub(super) struct Feed {
    /// As the client calls it.
    pub(super) id: Value,
    /// Which board it is about.
    pub(super) board: BoardId,
    /// How the client wants to see the board; `None` as it lies. Other clients, and the arbiter, are not concerned.
    flip: Option<bool>,
    moves: Option<Reconstruction>,
    reported: Option<LastFeed>,
}

/// What the client has been sent last.
#[derive(Debug, PartialEq)]
struct LastFeed {
    squares: Board,
    flipped: bool,
    clock: Option<Clock>,
    /// Version of the moves, and whether the board shows the position after them.
    moves: Option<(u64, bool)>,
}

/// News of a board.
#[derive(Debug, Serialize)]
pub(super) struct BoardNews {
    serialnr: String,
    flipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[expect(clippy::option_option, reason = "not sent is something else than no clock")]
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Option<Clock>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<Vec<String>>,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matches: Option<bool>,
}

impl Feed {
    /// Opens a feed.
    pub(super) const fn new(id: Value, board: BoardId) -> Self {
        Self { id, board, flip: None, moves: None, reported: None }
    }

    /// Carries out a method of the feed.
    ///
    /// # Errors
    ///
    /// Returns why it is not carried out.
    pub(super) fn call(&mut self, method: &str, param: &Value) -> Result<(), Refused> {
        match method {
            "setup" => {
                let fen = param.get("fen").and_then(Value::as_str);
                let fen = fen.ok_or("setup needs param.fen, a FEN as text")?;
                self.moves = Some(Reconstruction::new(fen)?);
            }
            "flip" => {
                let flip = param.get("flip").and_then(Value::as_bool);
                self.flip = Some(flip.ok_or("flip needs param.flip, true or false")?);
            }
            other => return Err(format!("unknown method '{other}'; there are setup and flip").into()),
        }
        // Whoever has asked for something is sent the whole.
        self.reported = None;
        Ok(())
    }

    /// Returns what has changed since the last look; to be called at a steady pace.
    pub(super) fn news(&mut self, view: &BoardView) -> Option<BoardNews> {
        if let Some(moves) = &mut self.moves {
            moves.update(&view.squares, view.game.as_ref());
        }
        let flipped = self.flip.unwrap_or(view.rotated);
        let now = LastFeed {
            squares: view.squares.clone(),
            flipped,
            clock: view.clock.as_ref().and_then(Clock::of),
            moves: self.moves.as_ref().map(|moves| (moves.version(), moves.is_shown(&view.squares))),
        };
        if self.reported.as_ref() == Some(&now) {
            return None;
        }
        let board_reported = self.reported.as_ref().is_some_and(|reported| {
            (&reported.squares, reported.flipped, &reported.moves) == (&now.squares, now.flipped, &now.moves)
        });
        let clock_reported = self.reported.as_ref().is_some_and(|reported| reported.clock == now.clock);
        // A client was seen that plays the last move again in every frame that has it.
        let version = |sent: &LastFeed| sent.moves.map(|(version, _)| version);
        let moves_reported =
            self.reported.as_ref().is_some_and(|reported| version(reported) == version(&now));
        let moves = self.moves.as_ref().filter(|_| !moves_reported);
        let news = BoardNews {
            serialnr: self.board.to_string(),
            flipped,
            board: (!board_reported).then(|| placement(&view.squares, flipped != view.rotated)),
            clock: (!clock_reported).then_some(now.clock),
            start: moves.map(|moves| moves.start().to_owned()),
            san: moves.map(Reconstruction::san),
            matches: now.moves.filter(|_| !board_reported).map(|(_, shown)| shown),
        };
        self.reported = Some(now);
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use shakmaty::{Color, Piece, Square};

    use super::*;
    use crate::view::{self, Boards};
    use jadoube_core::{
        event::{Event, EventKind, Times},
        time::Timestamp,
    };

    /// A board that is given events.
    struct Table(Boards);

    impl Table {
        fn new() -> Self {
            let mut table = Self(Boards::new());
            for (square, piece) in Board::new() {
                table.report(EventKind::Place { square, piece });
            }
            table
        }

        fn report(&mut self, kind: EventKind) {
            let (port, board) = (Arc::from("/dev/ttyACM0"), Arc::from("23946"));
            let event = Event { at: Timestamp::ZERO, board, kind };
            view::apply(&mut self.0, &port, &event, jiff::Timestamp::UNIX_EPOCH, 1);
        }

        fn clock(&mut self, white: u32, running: Option<Color>) {
            let clock = Some(Times { white, black: 60 });
            self.report(EventKind::Clock { clock, running, connected: true, low_battery: false });
        }

        fn news(&self, feed: &mut Feed) -> String {
            let news = feed.news(self.0.get("23946").unwrap());
            news.map(|news| serde_json::to_string(&news).unwrap()).unwrap_or_default()
        }
    }

    fn feed() -> Feed {
        Feed::new(json!(1), "23946".into())
    }

    #[test]
    fn first_comes_all_and_then_what_is_new() {
        let (mut table, mut feed) = (Table::new(), feed());
        assert_eq!(
            table.news(&mut feed),
            "{\"serialnr\":\"23946\",\"flipped\":false,\
             \"board\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\",\"clock\":null}"
        );
        assert_eq!(table.news(&mut feed), "");
        let piece = Piece { color: Color::White, role: shakmaty::Role::Pawn };
        table.report(EventKind::Lift { square: Square::E2, piece });
        assert_eq!(
            table.news(&mut feed),
            "{\"serialnr\":\"23946\",\"flipped\":false,\
             \"board\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR\"}"
        );
        table.clock(60, Some(Color::White));
        assert_eq!(
            table.news(&mut feed),
            "{\"serialnr\":\"23946\",\"flipped\":false,\
             \"clock\":{\"white\":60,\"black\":60,\"run\":true,\"time\":0}}"
        );
        assert_eq!(table.news(&mut feed), "");
    }

    #[test]
    fn after_setup_all_moves_come_when_they_change() {
        let (mut table, mut feed) = (Table::new(), feed());
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        feed.call("setup", &json!({ "fen": fen })).unwrap();
        let reported: Value = serde_json::from_str(&table.news(&mut feed)).unwrap();
        assert_eq!(
            (&reported["start"], &reported["san"], &reported["match"]),
            (&json!(fen), &json!([]), &json!(true))
        );
        table.clock(60, None);
        assert!(!table.news(&mut feed).contains("san"), "the clock alone is no move");
        let piece = Piece { color: Color::White, role: shakmaty::Role::Knight };
        table.report(EventKind::Lift { square: Square::G1, piece });
        let reported: Value = serde_json::from_str(&table.news(&mut feed)).unwrap();
        assert_eq!(
            (&reported["san"], &reported["match"]),
            (&Value::Null, &json!(false)),
            "a piece in the air is no move"
        );
        table.report(EventKind::Place { square: Square::F3, piece });
        let frames: Vec<Value> =
            (0..9).filter_map(|_| serde_json::from_str(&table.news(&mut feed)).ok()).collect();
        let moved: Vec<&Value> = frames.iter().filter(|frame| frame["san"].is_array()).collect();
        let [moved] = moved.as_slice() else { panic!("a move is sent once: {frames:?}") };
        assert_eq!((&moved["san"], &moved["match"]), (&json!(["Nf3"]), &json!(true)));
        assert!(moved["board"].is_string(), "no frame is without a board or a clock");
    }

    #[test]
    fn a_flip_turns_the_board_for_this_client() {
        let (mut table, mut feed) = (Table::new(), feed());
        let piece = Piece { color: Color::White, role: shakmaty::Role::Pawn };
        table.report(EventKind::Lift { square: Square::A2, piece });
        feed.call("flip", &json!({ "flip": true })).unwrap();
        let reported = table.news(&mut feed);
        assert!(
            reported.contains("\"flipped\":true,\"board\":\"RNBKQBNR/PPPPPPP1/8/8/8/8/pppppppp/rnbkqbnr\""),
            "{reported}"
        );
        feed.call("flip", &json!({ "flip": false })).unwrap();
        let reported = table.news(&mut feed);
        assert!(
            reported.contains("\"flipped\":false,\"board\":\"rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR\""),
            "{reported}"
        );
    }

    #[test]
    fn methods_of_clients_with_known_faults_are_refused() {
        let mut feed = feed();
        for (method, param) in [
            ("setup", json!({ "flip": true })),
            ("flip", json!({ "fen": true })),
            ("setup", json!({ "fen": 5 })),
            ("setup", json!({ "fen": "nonsense" })),
            ("setup", Value::Null),
            ("pause", json!({})),
        ] {
            feed.call(method, &param).unwrap_err();
        }
    }
}
