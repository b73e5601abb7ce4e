//! Who can still mate: by material, by search, late or never.

use super::*;
use crate::rules::mating::{is_locked, material};

#[test]
fn material_says_who_can_mate() {
    use Winnability::{Unknown, Unwinnable, Winnable};
    for (pieces, answer) in [
        ("k", Unwinnable),
        ("kq", Unwinnable),
        ("kQ", Winnable),
        ("kR", Winnable),
        ("kP", Unknown),
        ("kNP", Unknown),
        ("kN", Unwinnable),
        ("kqN", Unwinnable),
        ("krN", Winnable),
        ("kbN", Winnable),
        ("knN", Winnable),
        ("kpN", Unknown),
        ("kNN", Winnable),
        ("kNB", Winnable),
        ("kB", Unwinnable),
        ("krB", Unwinnable),
        ("kqB", Unwinnable),
        ("knB", Winnable),
        ("kpB", Unknown),
    ] {
        assert_eq!(material(&board(pieces), Color::White), answer, "{pieces}");
        let mut mirrored = board(pieces);
        mirrored.flip_vertical();
        mirrored.swap_colors();
        assert_eq!(material(&mirrored, Color::Black), answer, "{pieces} mirrored");
    }
}

/// Puts White's king on e1, Black's on e8, and the other pieces where they are not in the way.
fn board(pieces: &str) -> Board {
    let mut board = Board::empty();
    board.set_piece_at(Square::E1, Color::White.king());
    let squares = [Square::E8, Square::A2, Square::B4, Square::C6];
    for (piece, square) in pieces.chars().zip(squares) {
        board.set_piece_at(square, Piece::from_char(piece).unwrap());
    }
    board
}

#[test]
fn bishops_count_by_colour() {
    for (fen, answer) in [
        ("4k3/8/8/8/8/8/8/B1B1K3", Winnability::Unwinnable),
        ("4k3/8/8/8/8/8/8/BB2K3", Winnability::Winnable),
        ("b3k3/8/8/8/8/8/8/B3K3", Winnability::Winnable),
        ("1b2k3/8/8/8/8/8/8/B3K3", Winnability::Unwinnable),
    ] {
        let board: Board = fen.parse().unwrap();
        assert_eq!(material(&board, Color::White), answer, "{fen}");
    }
}

#[test]
fn the_search_proves_what_material_cannot() {
    for (fen, white, black) in [
        ("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1", true, false),
        ("8/8/5k2/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", false, false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, true),
        ("4k3/8/4n3/8/8/8/8/Q3K3 w - - 0 1", true, false),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", false, false),
        ("8/8/8/8/4k3/8/4P3/4K2R w - - 0 1", true, false),
        ("8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - - 0 1", false, false),
        ("8/1k6/1p1p2p1/1P1Pp1Pp/4P2P/8/7K/8 w - - 0 1", false, false),
        ("5b1k/p7/Pp6/1Pp5/2Pp4/3PpBp1/4P1Pp/7K w - - 0 1", true, false),
        ("5b1k/1p2p1p1/4P1P1/8/8/4p1p1/1P2P1P1/5B1K w - - 0 1", false, false),
        ("1q2Q2k/8/5p1K/7P/8/8/8/8 b - - 0 1", false, false),
        ("8/2k5/5p2/2p1n3/2P1P3/2K5/5N2/8 w - - 0 1", true, true),
        ("r1bqkb1r/1pp2ppp/p1nppn2/8/8/P1NPPN2/1PP2PPP/R1BQKB1R w KQkq - 0 1", true, true),
    ] {
        let position = Position::from_fen(fen, CastlingMode::Standard).unwrap();
        let expected = |can| if can { Winnability::Winnable } else { Winnability::Unwinnable };
        assert_eq!(unwinnable::verdict(&position, Color::White), expected(white), "{fen}");
        assert_eq!(unwinnable::verdict(&position, Color::Black), expected(black), "{fen}");
    }
}

#[test]
fn the_search_leaves_open_what_it_cannot_read() {
    for fen in ["4k3/8/8/8/Q7/8/8/4K2r w - - 0 1", "4P1k1/8/8/8/8/8/8/4K3 b - - 0 1"] {
        let position = Position::from_fen(fen, CastlingMode::Standard).unwrap();
        assert!(position.lawful().is_none(), "{fen}");
        assert_eq!(unwinnable::verdict(&position, Color::White), Winnability::Unknown, "{fen}");
    }
}

#[test]
fn only_walls_are_locked() {
    for (fen, locked) in [
        ("8/8/5k2/1p1p1p1p/1P1P1P1P/8/8/4K3", true),
        ("8/8/5k2/1p1p1p1p/1P1P1P1P/8/6P1/4K3", false),
        ("8/8/5k2/1p1p1pnp/1P1P1P1P/8/8/4K3", false),
        ("8/8/5k2/1pp5/1P6/8/8/4K3", false),
        ("8/8/5k2/8/8/8/8/4K3", false),
    ] {
        assert_eq!(is_locked(&fen.parse().unwrap()), locked, "{fen}");
    }
}

const PAWN: &str = "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1";

#[test]
fn an_alert_waits_a_second_for_its_answer() {
    let mut hall = Hall::new("2023", PAWN);
    hall.answers = false;
    hall.run("flag white\nwait 0.6\nwait 0.8\nwait 0.2 => flag-fall 6.9 white");
    assert_eq!(hall.alert().facts["mate"], "unknown");
    let text = hall.alert().text.clone();
    assert!(text.contains("Check whether the position is blocked"), "{text}");
}

#[test]
fn an_answer_in_time_decides_between_loss_and_draw() {
    for (answer, expected) in [
        ("yes", "flag-fall 6.9 white"),
        ("no", "flag-fall-draw 6.9 white"),
        ("perhaps", "flag-fall 6.9 white"),
    ] {
        let mut hall = Hall::new("2023", PAWN);
        hall.answers = false;
        hall.run(&format!("flag white\nwait 0.6\nanswer {answer} => {expected}\nwait 5"));
    }
}

#[test]
fn a_late_answer_changes_the_proposal() {
    let mut hall = Hall::new("2023", PAWN);
    hall.answers = false;
    hall.run("flag white\nwait 2 => flag-fall 6.9 white\nanswer no => #1 open");
    let Some(Notice::Updated(update)) = hall.said.first() else { panic!("{:?}", hall.said) };
    assert_eq!(update.facts["mate"], "impossible");
    assert_eq!(update.facts["proposal"], serde_json::json!({"result": "1/2-1/2"}));
    let alert = hall.referee.open_alerts().next().unwrap();
    assert_eq!(alert.proposal.as_ref().unwrap().result, Some("1/2-1/2"));
}

/// The question about a lost game asks for the position that is put back, with the offender to move.
#[test]
fn questions_carry_the_position_to_be_tested() {
    let fen = "4k3/7p/8/8/8/8/8/4K3 w - - 0 1";
    let mut hall = Hall::new("2014 rapid", fen);
    hall.answers = false;
    hall.run("bad e1e3 pattern => illegal-move 7.5.a white");
    let (alert, position, winner) = hall.questions.first().unwrap();
    assert_eq!((alert.as_str(), position.fen().as_str(), *winner), ("4711-1-2", fen, Color::Black));
    hall.run("answer yes => game-lost-illegal A.4.b white");
    assert_eq!(hall.alert().id, "4711-1-2");
}

#[test]
fn what_is_overturned_while_it_waits_is_not_raised() {
    let mut hall = Hall::new("2014 rapid", "4k3/7p/8/8/8/8/8/4K3 w - - 0 1");
    hall.answers = false;
    hall.run("bad e1e3 pattern => illegal-move 7.5.a white\noverturned white => #1 withdrawn\nanswer yes");
}
