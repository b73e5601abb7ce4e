//! Where a piece rested though it could have stayed there (Art. 4.7): what a rule and a player's obligation both ask.

use std::time::Duration;

use shakmaty::{Bitboard, Piece, Role, Square};

use super::attempt::ReturnedPiece;
use crate::fact::{Change, Pressed};

/// A hand that only passes by lets a piece rest for less than this.
const RELEASE: Duration = Duration::from_millis(1500);

/// A piece that rested where it could have stayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Released {
    pub(super) role: Role,
    pub(super) square: Square,
    pub(super) rest: Duration,
}

/// Returns where a piece rested between being lifted and put back, if it could have stayed there.
pub(super) fn between(touch: &ReturnedPiece, pressed: &Pressed) -> Option<Released> {
    if touch.piece.color != pressed.side {
        return None;
    }
    let meanwhile = |change: &&Change| (touch.lifted..=touch.placed).contains(&change.at);
    let changes: Vec<Change> = pressed.attempt.iter().filter(meanwhile).copied().collect();
    released_in(&changes, touch.piece, touch.square, pressed, |place| place.is == Some(touch.piece))
}

/// Returns a piece of the player to move that rested on a square to which it could move from `from`, and left again.
pub(super) fn released_in(
    changes: &[Change],
    piece: Piece,
    from: Square,
    pressed: &Pressed,
    counts: impl Fn(&Change) -> bool,
) -> Option<Released> {
    changes.iter().enumerate().filter(|(_, place)| counts(place) && place.square != from).find_map(
        |(index, place)| {
            let mut later = changes.iter().skip(index + 1);
            let departure = later.find(|change| change.square == place.square)?;
            let rest = departure.at.since(place.at);
            let promotion = (piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(place.square))
                .then_some(Role::Queen);
            let legal = pressed.before.find(from, place.square, promotion).is_some();
            (legal && departure.was == Some(piece) && rest >= RELEASE).then_some(Released {
                role: piece.role,
                square: place.square,
                rest,
            })
        },
    )
}
