//! Reads the words of the scripts, and writes what the referee says in them.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Color, Piece, Square};

use super::super::*;
use crate::{
    alert::Confidence,
    fact::{CastlingFault, Change, MismatchCause, Reason, Withdrawal},
};

pub(super) fn context<'a>(game: &'a Game, clock: &'a ClockView, now: Timestamp) -> Context<'a> {
    Context { board: "4711", game, clock, sensed: game.position().board(), now }
}

/// Writes notices as the scripts do; a question says nothing.
pub(super) fn said(notices: &[Notice]) -> Vec<String> {
    notices.iter().map(shown).filter(|line| !line.is_empty()).collect()
}

fn shown(notice: &Notice) -> String {
    match notice {
        Notice::Raised(alert) => {
            let code = serde_json::to_value(alert.code).unwrap();
            let sure = match alert.confidence {
                Confidence::Certain => "",
                Confidence::Likely => "~",
                Confidence::Possible => "?",
            };
            let words = [code.as_str().unwrap(), &*alert.article, alert.side.name()];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ") + sure
        }
        Notice::Updated(update) => {
            let number = update.id.rsplit('-').next().unwrap();
            let state = serde_json::to_value(update.state).unwrap();
            format!("#{number} {}", state.as_str().unwrap())
        }
        Notice::Result(result) => format!("= {} {}", result.score(), result.by),
        Notice::Entered { text, .. } => format!("noted: {text}"),
        Notice::Question { .. } | Notice::Counted { .. } => String::new(),
    }
}

pub(super) fn color(name: &str) -> Color {
    match name {
        "white" => Color::White,
        "black" => Color::Black,
        _ => panic!("{name}"),
    }
}

pub(super) fn reason(name: &str, squares: &str) -> Reason {
    let (from, to): (Square, Square) = (squares[0..2].parse().unwrap(), squares[2..4].parse().unwrap());
    match name {
        "pattern" => Reason::Pattern { role: shakmaty::Role::Knight, from, to },
        "check" => Reason::KingInCheck { king: Square::E1 },
        "castling" => Reason::Castling { fault: CastlingFault::RookLeft },
        "king" => Reason::KingCaptured,
        _ => Reason::Other,
    }
}

pub(super) fn withdrawal(name: &str) -> Withdrawal {
    match name {
        "unfinished" => Withdrawal::Unfinished,
        "reconsidered" => Withdrawal::Reconsidered,
        "reinstated" => Withdrawal::Reinstated,
        "taken-back" => Withdrawal::TakenBack,
        "ordered" => Withdrawal::Ordered,
        _ => panic!("{name}"),
    }
}

/// Reads changes such as `e2- 1.00 e4P 1.40`, seconds after the last press.
pub(super) fn changes(before: &Board, words: &[&str], now: Timestamp) -> Vec<Change> {
    let mut board = before.clone();
    let origin = now.before(Duration::from_millis(1500));
    words
        .chunks(2)
        .map(|pair| {
            let square: Square = pair[0][..2].parse().unwrap();
            let is = pair[0].chars().nth(2).and_then(Piece::from_char);
            let was = board.piece_at(square);
            match is {
                Some(piece) => board.set_piece_at(square, piece),
                None => board.discard_piece_at(square),
            }
            let at = origin + Duration::from_secs_f64(pair[1].parse().unwrap());
            Change { at, square, was, is, dumped: false }
        })
        .collect()
}

pub(super) fn mismatch(name: &str) -> MismatchCause {
    match name {
        "dead" => MismatchCause::Dead,
        "unexplained" => MismatchCause::Unexplained,
        "missing" => MismatchCause::Missing,
        "stray" => MismatchCause::Stray,
        "weak" => MismatchCause::Weak,
        "wrong-code" => MismatchCause::WrongCode,
        "unidentified" => MismatchCause::Unidentified,
        "late" => MismatchCause::Late,
        "untold" => MismatchCause::Unreported,
        _ => panic!("{name}"),
    }
}

/// Reads squares such as `h1+h2`.
pub(super) fn squares(text: &str) -> Bitboard {
    text.split('+').map(|square| square.parse::<Square>().unwrap()).collect()
}
