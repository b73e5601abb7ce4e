//! A game that began with pieces on wrong squares (Art. 7.2.1), and the move after which that stands (Art. A.5.1.2).

use std::time::Duration;

use shakmaty::{Bitboard, Board, ByRole, Color, Piece, Role, Square};

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    context::{RuleContext, completes},
    hears::Facts,
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::{Fact, Pressed},
    position::{Position, differences},
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "start-position",
    codes: &[Code::StartPositionWrong, Code::StartClaimClosed],
    summary: "All pieces stand in their camps, but not on their squares, when the first move is completed.",
    hears: Facts::TIME.and(Facts::GAME_STARTED).and(Facts::ODD_START).and(Facts::PRESSED),
    new: || Box::new(StartPosition::default()),
};

#[derive(Debug, Default)]
struct StartPosition {
    looked: bool,
    /// The side whose pieces stood wrong, until it is too late to claim.
    wrong: Option<Party>,
    /// Pieces of the wrong colour or kind that one dump has shown, and when they are named if no other shows them.
    odd: Option<(Timestamp, Vec<(Square, Piece)>)>,
}

/// Another dump comes sooner, if one can be asked for.
const ANOTHER_DUMP: Duration = Duration::from_secs(3);

impl Rule for StartPosition {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::OddStart { shown, again: false } => {
                self.odd =
                    Some((context.now + ANOTHER_DUMP, wrong_pieces(shown, context.game.start().board())));
            }
            Fact::OddStart { shown, again: true } => {
                let stand = |(square, piece): &(Square, Piece)| shown.piece_at(*square) == Some(*piece);
                // The game may have begun again with them.
                let odd = match self.odd.take() {
                    Some((_, odd)) => odd.into_iter().filter(stand).collect(),
                    None => wrong_pieces(context.game.start().board(), &Board::new()),
                };
                self.name_odd(odd, Confidence::Likely, context, alerts);
            }
            Fact::Pressed(pressed) if completes(&pressed.verdict) => {
                if !std::mem::replace(&mut self.looked, true) {
                    self.look(pressed, context, alerts);
                }
                self.close(pressed, context, alerts);
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.odd.as_ref().map(|(at, _)| (*at, "a wrong set-up is named"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if let Some((_, odd)) = self.odd.take_if(|(at, _)| *at <= context.now) {
            self.name_odd(odd, Confidence::Possible, context, alerts);
        }
    }
}

/// Returns the pieces that a board shows where none or others stand when the game begins.
fn wrong_pieces(shown: &Board, start: &Board) -> Vec<(Square, Piece)> {
    let wrong = differences(start, shown) & shown.occupied();
    wrong.into_iter().filter_map(|square| Some((square, shown.piece_at(square)?))).collect()
}

impl StartPosition {
    fn look(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if context.game.is_chess960() {
            return;
        }
        // Pieces may have come back to their camps in the part of the game that nobody saw.
        if context.game.is_adopted() {
            if let Some(confidence) = unplayed(context.game.start()) {
                let odd = wrong_pieces(context.game.start().board(), &Board::new());
                self.name_odd(odd, confidence, context, alerts);
            }
            return;
        }
        let Some((party, wrong)) = misplaced_pieces(context.game.start().board()) else { return };
        let code = Code::StartPositionWrong;
        let squares: Vec<String> = wrong.into_iter().map(|square| square.to_string()).collect();
        let squares = squares.join(", ");
        let values =
            [("squares", squares.as_str()), ("article", context.laws.article(code).unwrap_or_default())];
        let mut builder =
            AlertBuilder::new(code, party, pressed.ply, context.say(Phrase::StartWrong, &values));
        builder.pressed_at = Some(pressed.at);
        let values = [("authority", context.laws.authority(code).unwrap_or_default())];
        let builder = builder.act(&context.say(Phrase::CancelGame, &values));
        if alerts.raise(builder.squares(wrong), context).is_some() {
            self.wrong = Some(party);
        }
    }

    /// Names pieces of the wrong colour or kind.
    fn name_odd(
        &mut self,
        odd: Vec<(Square, Piece)>,
        confidence: Confidence,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        if odd.is_empty() {
            return;
        }
        let wrong = odd.iter().fold(Bitboard::EMPTY, |wrong, (square, _)| wrong.with(*square));
        let pieces: Vec<String> = odd
            .into_iter()
            .map(|(square, piece)| {
                let values = [("piece", &*context.coloured(piece)), ("square", &*square.to_string())];
                context.say(Phrase::PieceOn, &values)
            })
            .collect();
        let party = match (wrong & Bitboard::SOUTH, wrong & Bitboard::NORTH) {
            (_, black) if black.is_empty() => Color::White.into(),
            (white, _) if white.is_empty() => Color::Black.into(),
            _ => Party::Both,
        };
        let code = Code::StartPositionWrong;
        let pieces = pieces.join(", ");
        let values =
            [("pieces", pieces.as_str()), ("article", context.laws.article(code).unwrap_or_default())];
        let text = context.say(Phrase::StartOdd, &values);
        let values = [("authority", context.laws.authority(code).unwrap_or_default())];
        // A damaged dump looks the same.
        let builder = AlertBuilder::new(code, party, 0, text)
            .confidence(confidence)
            .act(&context.say(Phrase::LookAtSetUp, &values))
            .squares(wrong);
        if alerts.raise(builder, context).is_some() {
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
            AlertBuilder::new(code, party, pressed.ply, context.say(Phrase::StartClosed, &values));
        builder.pressed_at = Some(pressed.at);
        alerts.raise(builder.act(&context.say(Phrase::NoCastling, &[])), context);
    }
}

/// Counts the moves a side has completed up to a press, that press included.
fn completed(side: Color, pressed: &Pressed, context: &RuleContext<'_>) -> usize {
    let upto = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
    context.game.plies().iter().take(upto).filter(|ply| ply.side == side).count()
}

/// Returns whose pieces stand wrong, and where; `None` if all stand right, or if it is no ordinary game at all.
fn misplaced_pieces(board: &Board) -> Option<(Party, Bitboard)> {
    let right = Board::new();
    let camps = board.white() == right.white() && board.black() == right.black();
    let alike = |side| same_pieces(board, &right, side);
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

/// Most squares on which a position may differ from the initial one and still be a wrong set-up.
const MOST_WRONG: usize = 8;

/// Returns whether hardly any play leads to the position in which a game was first heard of, and how sure that is: pieces that no pawn
/// became, or White to move with one army as it was set up, and only pawns of the other elsewhere, such as on the third rank.
fn unplayed(start: &Position) -> Option<Confidence> {
    let (board, right) = (start.board(), Board::new());
    if differences(board, &right).count() > MOST_WRONG {
        return None;
    }
    let too_many = |side: Color| {
        let count = |board: &Board, role: Role| (board.by_role(role) & board.by_color(side)).count();
        let more = |role| count(board, role).saturating_sub(count(&right, role));
        Role::ALL.into_iter().map(more).sum::<usize>()
            > count(&right, Role::Pawn) - count(board, Role::Pawn).min(8)
    };
    if Color::ALL.into_iter().any(too_many) {
        return Some(Confidence::Likely);
    }
    // All other pieces may have come back.
    let pawns = |side: Color| board.by_piece(side.pawn()) != right.by_piece(side.pawn());
    let others = (differences(board, &right) & (board.occupied() & !board.pawns())).is_empty();
    let one_army = pawns(Color::White) != pawns(Color::Black);
    (one_army && others && start.turn() == Color::White).then_some(Confidence::Possible)
}

fn same_pieces(board: &Board, right: &Board, side: Color) -> bool {
    let count =
        |board: &Board| ByRole::new_with(|role: Role| (board.by_role(role) & board.by_color(side)).count());
    count(board) == count(right)
}
