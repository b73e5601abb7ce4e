//! Owns which verdicts accuse a player, and which of them the decoder has a say in.

use shakmaty::{Board, Role};

use crate::{
    alert::Confidence,
    decoder::Completed,
    fact::{OtherStory, Pressed, Reason, Verdict},
    position::differences,
};

/// Returns what a verdict is called by the decoder; nothing for what accuses nobody, and for what no action of it leads to.
pub(super) fn accusations(verdict: &Verdict) -> &'static [Completed] {
    match verdict {
        Verdict::Illegal(Reason::Pattern { .. } | Reason::TwoMoves | Reason::Other) => &[Completed::Illegal],
        Verdict::Nothing => &[Completed::Nothing],
        Verdict::InTheAir { .. } => &[Completed::Early, Completed::Nothing],
        Verdict::Illegal(_)
        | Verdict::PromotionLeft(_)
        | Verdict::Legal
        | Verdict::LegalWithMismatch(_)
        | Verdict::Reaction => &[],
    }
}

/// Returns whether the decoder has a say. It knows no move in the opponent's time: what may be one, of which the tracker is not certain, stays
/// as the tracker has it. So do two moves of which none can be a shove.
pub(super) fn is_weighed(pressed: &Pressed) -> bool {
    let in_time =
        pressed.verdict != Verdict::Illegal(Reason::TwoMoves) || pressed.confidence == Confidence::Certain;
    in_time
        && !is_beyond_decoder(pressed)
        && !moves_king_and_rook(pressed)
        && !accusations(&pressed.verdict).is_empty()
}

/// Returns whether a verdict stands that no story of the decoder has: what follows on it, no decoder that begins before it can weigh.
pub(super) fn is_beyond_decoder(pressed: &Pressed) -> bool {
    pressed.verdict == Verdict::Illegal(Reason::TwoMoves)
        && pressed.confidence == Confidence::Certain
        && !may_be_shoved(pressed)
        || captures_its_like(pressed)
}

/// Returns whether a piece is said to have captured one of its own kind and colour.
fn captures_its_like(pressed: &Pressed) -> bool {
    let Verdict::Illegal(Reason::Pattern { from, to, .. }) = pressed.verdict else { return false };
    let board = pressed.before.board();
    board.piece_at(from).is_some() && board.piece_at(from) == board.piece_at(to)
}

/// Returns whether some legal move was made and besides it a piece displaced by one square.
fn may_be_shoved(pressed: &Pressed) -> bool {
    let (before, shown) = (&pressed.before, &pressed.board);
    before.legal_moves().into_iter().any(|m| {
        let after = before.board_after(m);
        let placed = differences(before.board(), &after) & after.occupied();
        (placed & differences(&after, shown)).is_empty() && has_shoved_piece(&after, shown)
    })
}

/// Returns whether a piece has come to a square next to one that a piece of its kind has left.
fn has_shoved_piece(before: &Board, after: &Board) -> bool {
    let changed = differences(before, after);
    (changed & after.occupied()).into_iter().any(|to| {
        let left = changed & after.piece_at(to).map(|piece| before.by_piece(piece)).unwrap_or_default();
        left.into_iter().any(|from| from.distance(to) == 1)
    })
}

/// Returns whether king and rook of the player were moved: what is meant as castling and is none, the decoder does not know either.
fn moves_king_and_rook(pressed: &Pressed) -> bool {
    let (before, after) = (pressed.before.board(), &pressed.board);
    let left =
        |role: Role| (before.by_piece(role.of(pressed.side)) & !after.by_piece(role.of(pressed.side))).any();
    left(Role::King) && left(Role::Rook)
}

/// Returns what the arbiter is told of another story.
pub(super) const fn other_story(what: Completed) -> OtherStory {
    match what {
        Completed::Legal | Completed::Castling | Completed::Stands => OtherStory::Legal,
        Completed::Illegal => OtherStory::Illegal,
        Completed::Unreplaced => OtherStory::PromotionLeft,
        Completed::Early => OtherStory::MadeLater,
        Completed::Nothing => OtherStory::Nothing,
        Completed::Back => OtherStory::PressedBack,
    }
}
