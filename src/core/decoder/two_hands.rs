//! Owns the evidence of a second hand in castling: how long king and rook were off the board together (7.5.4).

use shakmaty::{Color, Piece, Square};

use super::{
    logarithm::{share, weight},
    moment::Moment,
    position::Kind,
    price::Price,
    sensed::Sensed,
    token::Token,
};
use crate::position::castling_squares;

/// By how long both are off the board if it is as likely as not that there were two hands, milliseconds, and what a second more is worth,
/// nats. Fitted on emulated castlings.
const OVERLAP_MS: i32 = 330;

/// See [`OVERLAP_MS`].
const OVERLAP_NATS: i32 = 30;

/// Lifted, or put down, by so much one after the other there was time for one hand; what a second more is worth, nats. Fitted likewise.
const APART_MS: i32 = 280;

/// See [`APART_MS`].
const APART_NATS: i32 = 20;

/// Returns the probability that the last castling of a side was made with two hands, 1/65536, if the board showed all of it until then.
pub(crate) fn two_hands(token: &Token, sensed: &Sensed, side: Color, until: Moment) -> Option<u32> {
    let mut castlings = token.history.as_deref()?.chain();
    let made = castlings.find(|made| made.ply.kind == Kind::Castling && made.mover == side)?;
    let (king, to) = (made.ply.from, made.ply.to);
    let short = to.file() > king.file();
    let corner = Square::from_coords(if short { shakmaty::File::H } else { shakmaty::File::A }, king.rank());
    let beside = castling_squares(king, corner).1;
    let lifted = |square: Square| {
        let mut changes = sensed.log.iter().rev().filter(|change| change.at <= until);
        changes.find(|change| change.square == square && change.is.is_none()).map(|change| change.at)
    };
    let placed = |from: Moment, square: Square, piece: Piece| {
        let mut changes = sensed.log.iter().filter(|change| change.at >= from);
        changes.find(|change| change.square == square && change.is == Some(piece)).map(|change| change.at)
    };
    let (king_up, rook_up) = (lifted(king)?, lifted(corner)?);
    let (king_down, rook_down) = (placed(king_up, to, side.king())?, placed(rook_up, beside, side.rook())?);
    let overlap = king_down.min(rook_down).since(king_up.max(rook_up));
    let apart = |a: Moment, b: Moment| (a.since(b).saturating_abs() - APART_MS).max(0);
    let nats = (overlap - OVERLAP_MS) * OVERLAP_NATS
        - (apart(king_up, rook_up) + apart(king_down, rook_down)) * APART_NATS;
    let (two, one) = (weight(Price::FREE), weight(Price::NAT.for_ms(nats.clamp(-20_000, 20_000))));
    Some(share(two, two + one))
}
