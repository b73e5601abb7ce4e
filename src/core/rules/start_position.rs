//! A game that began with men on wrong squares (Art. 7.2.1), and the move after which that stands (Art. A.5.1.2).

use shakmaty::{Bitboard, Board, ByRole, Color, Role};

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    context::{RuleContext, completes},
    hears::Facts,
    store::AlertStore,
    text::EntryText,
};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    fact::{Fact, Pressed},
    position::differences,
};

pub(super) const SPEC: Spec = Spec {
    id: "start-position",
    codes: &[Code::StartPositionWrong, Code::StartClaimClosed],
    summary: "All men stand in their camps, but not on their squares, when the first move is completed.",
    hears: Facts::GAME_STARTED.and(Facts::PRESSED),
    new: || Box::new(StartPosition::default()),
};

#[derive(Debug, Default)]
struct StartPosition {
    looked: bool,
    /// The side whose men stood wrong, until it is too late to claim.
    wrong: Option<Party>,
}

impl Rule for StartPosition {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::Pressed(pressed) if completes(&pressed.verdict) => {
                if !std::mem::replace(&mut self.looked, true) {
                    self.look(pressed, context, alerts);
                }
                self.close(pressed, context, alerts);
            }
            _ => {}
        }
    }
}

impl StartPosition {
    fn look(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        // Men may have come back to their camps in the part of the game that nobody saw.
        if context.game.is_chess960() || context.game.is_adopted() {
            return;
        }
        let Some((party, wrong)) = wrong_men(context.game.start().board()) else { return };
        let code = Code::StartPositionWrong;
        let squares: Vec<String> = wrong.into_iter().map(|square| square.to_string()).collect();
        let squares = squares.join(", ");
        let values =
            [("squares", squares.as_str()), ("article", context.laws.article(code).unwrap_or_default())];
        let mut builder =
            AlertBuilder::new(code, party, pressed.ply, context.say(EntryText::StartWrong, &values));
        builder.pressed_at = Some(pressed.at);
        let values = [("authority", context.laws.authority(code).unwrap_or_default())];
        let builder = builder.act(&context.say(EntryText::CancelGame, &values));
        if alerts.raise(builder.squares(wrong), context).is_some() {
            self.wrong = Some(party);
        }
    }

    fn close(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let (Some(party), Some(moves)) = (self.wrong, context.laws.start_claim_moves()) else { return };
        if Color::ALL.into_iter().any(|side| completed(side, pressed, context) < moves) {
            return;
        }
        self.wrong = None;
        let code = Code::StartClaimClosed;
        alerts.close(AlertState::Expired, context.now, |entry| entry.code == Code::StartPositionWrong);
        let number = moves.to_string();
        let values =
            [("moves", number.as_str()), ("article", context.laws.article(code).unwrap_or_default())];
        let mut builder =
            AlertBuilder::new(code, party, pressed.ply, context.say(EntryText::StartClosed, &values));
        builder.pressed_at = Some(pressed.at);
        alerts.raise(builder.act(&context.say(EntryText::NoCastling, &[])), context);
    }
}

/// Counts the moves a side has completed up to a press, that press included.
fn completed(side: Color, pressed: &Pressed, context: &RuleContext<'_>) -> usize {
    let upto = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
    context.game.plies().iter().take(upto).filter(|ply| ply.side == side).count()
}

/// Returns whose men stand wrong, and where; `None` if all stand right, or if it is no ordinary game at all.
fn wrong_men(board: &Board) -> Option<(Party, Bitboard)> {
    let right = Board::new();
    let camps = board.white() == right.white() && board.black() == right.black();
    let alike = |side| same_men(board, &right, side);
    if !camps || board.pawns() != right.pawns() || !alike(Color::White) || !alike(Color::Black) {
        return None;
    }
    let wrong = differences(board, &right);
    match (wrong & Bitboard::SOUTH, wrong & Bitboard::NORTH) {
        (white, black) if white.is_empty() && black.is_empty() => None,
        (white, black) if black.is_empty() => Some((Color::White.into(), white)),
        (white, black) if white.is_empty() => Some((Color::Black.into(), black)),
        _ => Some((Party::Both, wrong)),
    }
}

fn same_men(board: &Board, right: &Board, side: Color) -> bool {
    let count =
        |board: &Board| ByRole::new_with(|role: Role| (board.by_role(role) & board.by_color(side)).count());
    count(board) == count(right)
}
