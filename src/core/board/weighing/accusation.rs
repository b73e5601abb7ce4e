//! Owns which verdicts accuse a player, and which of them the decoder has a say in.

use shakmaty::Bitboard;

use crate::{
    alert::Confidence,
    decoder::Completed,
    fact::{OtherStory, Pressed, Reason, Verdict},
    position::{Position, differences},
};

/// Returns what a verdict is called by the decoder; nothing for what accuses nobody, and for what no action of it leads to.
pub(super) fn accusations(verdict: &Verdict) -> &'static [Completed] {
    match verdict {
        Verdict::Illegal(
            Reason::Pattern { .. } | Reason::OpponentsPiece { .. } | Reason::TwoMoves | Reason::Other,
        ) => &[Completed::Illegal],
        Verdict::Nothing => &[Completed::Nothing],
        Verdict::InTheAir { .. } => &[Completed::Early, Completed::Nothing],
        Verdict::Illegal(_)
        | Verdict::PromotionLeft(_)
        | Verdict::Legal
        | Verdict::LegalWithMismatch(_)
        | Verdict::Reaction => &[],
    }
}

/// Returns whether the decoder has a say: not on two moves of which the tracker is certain and none can be a shove.
pub(super) fn is_weighed(pressed: &Pressed) -> bool {
    !is_beyond_decoder(pressed) && !castles(pressed) && !accusations(&pressed.verdict).is_empty()
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

/// Returns whether some legal move was made and, before or after it, a piece was displaced by one square.
pub(super) fn may_be_shoved(pressed: &Pressed) -> bool {
    let (before, shown) = (&pressed.before, &pressed.board);
    let changed = differences(before.board(), shown);
    (changed & shown.occupied()).into_iter().any(|to| {
        let Some(piece) = shown.piece_at(to) else { return false };
        let vacated = (changed & before.board().by_piece(piece)).into_iter();
        vacated.filter(|from| from.distance(to) == 1).any(|from| {
            let mut board = before.board().clone();
            board.discard_piece_at(from);
            board.set_piece_at(to, piece);
            [before, &before.with_board(board)].into_iter().any(|position| {
                position.legal_moves().into_iter().filter(|m| m.from() != Some(from)).any(|m| {
                    let after = position.board_after(m);
                    let placed = differences(position.board(), &after) & after.occupied();
                    (placed & differences(&after, shown)).is_empty()
                })
            })
        })
    })
}

/// Returns whether king and rook of the player were moved as in castling: what is meant as castling and is none, the decoder does not know
/// either. A king that goes no farther than to the next square was moved, or shoved.
fn castles(pressed: &Pressed) -> bool {
    let (before, after) = (pressed.before.board(), &pressed.board);
    let (king, rook) = (pressed.side.king(), pressed.side.rook());
    let (from, to) = (before.by_piece(king), after.by_piece(king));
    let far = from.into_iter().any(|from| to.into_iter().all(|to| from.distance(to) > 1));
    far && (before.by_piece(rook) & !after.by_piece(rook)).any()
}

/// Returns whether a verdict rests on where a piece stands that no square shows, as these squares read wrongly: nobody saw it arrive, and it may
/// stand elsewhere.
pub(super) fn rests_on_unseen(
    verdict: &Verdict,
    before: &Position,
    pressed: &Pressed,
    faulty: Bitboard,
) -> bool {
    let unseen = faulty & before.board().occupied();
    match verdict {
        Verdict::Illegal(Reason::Pattern { from, to, .. }) => unseen.contains(*from) || unseen.contains(*to),
        Verdict::Illegal(Reason::OpponentsPiece { from }) => unseen.contains(*from),
        Verdict::Illegal(Reason::KingInCheck { king }) => {
            let (board, them) = (&pressed.board, !pressed.side);
            unseen.any() && board.attacks_to(*king, them, board.occupied()).is_empty()
        }
        Verdict::Illegal(Reason::TwoMoves)
        | Verdict::PromotionLeft(_)
        | Verdict::Nothing
        | Verdict::InTheAir { .. }
        | Verdict::Legal
        | Verdict::LegalWithMismatch(_)
        | Verdict::Reaction => false,
        Verdict::Illegal(_) => unseen.any(),
    }
}

/// Returns what the arbiter reads of another story.
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
