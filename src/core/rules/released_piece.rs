//! A piece that had rested on another square where it could have stayed (Art. 4.7), or a completed move in whose place another one
//! was made.

use std::time::Duration;

use shakmaty::{Bitboard, ByColor, Color, Move, Role, Square};

use super::{
    Rule, Spec,
    attempt::{Attempt, returns},
    builder::AlertBuilder,
    context::RuleContext,
    hears::Facts,
    obligation,
    release::{Released, between, released_in},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed},
    laws::Topic,
    position::{Position, differences},
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "released-piece",
    codes: &[Code::ReleasedPieceMoved],
    summary: "The piece that was moved had rested on another legal square before.",
    hears: Facts::TIME.and(Facts::PRESSED).and(Facts::GAME_STARTED),
    new: || Box::new(ReleasedPiece::default()),
};

/// How soon the board is looked at again while the opponent thinks: later and later, as nobody takes a move back that was made long ago.
const LOOK: Duration = Duration::from_millis(500);

/// Returns when the board is looked at after a move that was pressed at an instant.
pub(super) fn next_look(pressed_at: Timestamp, now: Timestamp) -> Timestamp {
    now + LOOK.max(now.since(pressed_at) / 8)
}

#[derive(Debug, Default)]
struct ReleasedPiece {
    /// When each side pressed last.
    pressed: ByColor<Option<Timestamp>>,
    /// The move that the last press has completed, until the opponent replies.
    completed: Option<Completed>,
}

/// A completed move.
#[derive(Debug)]
struct Completed {
    ply: u32,
    side: Color,
    pressed_at: Timestamp,
    m: Move,
    before: Position,
    due: Timestamp,
    /// The other move that stood on the board when it was looked at last.
    other: Option<Move>,
}

impl Rule for ReleasedPiece {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.completed = None;
        let Fact::Pressed(pressed) = fact else { return };
        self.pressed.get_mut(pressed.side).replace(pressed.at);
        let began = *self.pressed.get(!pressed.side);
        let Some((m, ply)) = context.completed_move(pressed) else { return };
        self.completed = Some(Completed {
            ply: pressed.ply,
            side: pressed.side,
            pressed_at: pressed.at,
            m,
            before: pressed.before.clone(),
            due: next_look(pressed.at, context.now),
            other: None,
        });
        let Some(released) = rested(m, pressed).or_else(|| taken_back(m, pressed, began)) else { return };
        let builder = AlertBuilder::at_press(Code::ReleasedPieceMoved, pressed, String::new())
            .confidence(Confidence::Possible)
            .fact("rested_ms", u64::try_from(released.rest.as_millis()).unwrap_or(u64::MAX));
        alerts.raise(
            describe(builder, (released.role, released.square), pressed.side, &ply.san, context),
            context,
        );
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.completed.as_ref().map(|completed| (completed.due, "a completed move may be taken back"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let due = |completed: &mut Completed| completed.due <= context.now;
        let Some(mut completed) = self.completed.take_if(due) else { return };
        if context.game.len() != completed.ply || alerts.is_over(context) {
            return;
        }
        let other = completed.other_move(context);
        if let Some(other) = other.filter(|_| other == completed.other) {
            let text = String::new();
            let mut builder =
                AlertBuilder::new(Code::ReleasedPieceMoved, completed.side, completed.ply, text)
                    // Pieces that fell and were put up wrongly look the same.
                    .confidence(Confidence::Possible)
                    .fact("pressed_at", completed.pressed_at.as_secs());
            builder.pressed_at = Some(completed.pressed_at);
            let (piece, san) = ((completed.m.role(), completed.m.to()), completed.before.san(other));
            alerts.raise(describe(builder, piece, completed.side, &san, context), context);
            return;
        }
        completed.other = other;
        completed.due = next_look(completed.pressed_at, context.now);
        self.completed = Some(completed);
    }
}

impl Completed {
    /// Returns the move of another piece that the board shows in place of this one, while the opponent's time runs: a piece that stands
    /// elsewhere may have been displaced.
    fn other_move(&self, context: &RuleContext<'_>) -> Option<Move> {
        let changed = differences(self.before.board(), context.sensed);
        // Two squares change with a move, three or four with castling and en passant.
        let is_move = changed.count() >= 2 && changed.count() <= 4;
        if context.clock.running != Some(!self.side) || !is_move {
            return None;
        }
        let moves = self.before.legal_moves();
        let mut others = moves.iter().copied().filter(|other| other.from() != self.m.from());
        others.find(|other| self.before.board_after(*other) == *context.sensed)
    }
}

/// Says that a piece had rested on a square before another move was made.
fn describe(
    mut builder: AlertBuilder,
    (role, square): (Role, Square),
    side: Color,
    san: &str,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let pawn = role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
    let topic = if pawn { Topic::ReleasedPawn } else { Topic::Released };
    let article = context.laws.topic(topic);
    let square = square.to_string();
    let values = [
        ("side", context.side(side)),
        ("piece", &context.the(role)),
        ("square", square.as_str()),
        ("move", &context.san(san)),
        ("article", article),
        ("duty", article),
    ];
    builder.article = Some(article.into());
    builder.parts.happened = context.say(Phrase::ReleasedPiece, &values);
    builder
        .act(&context.say(Phrase::WasItReleased, &values))
        .act(&obligation::on_request(Code::ReleasedPieceMoved, side, context))
        .fact("square", square.clone())
}

/// Returns another square on which the moved piece rested where it could have stayed.
fn rested(m: Move, pressed: &Pressed) -> Option<Released> {
    let from = m.from()?;
    let piece = m.role().of(pressed.side);
    let final_square = if let Move::Castle { king, rook } = m {
        crate::position::castling_squares(king, rook).0
    } else {
        m.to()
    };
    let elsewhere = |place: &Change| place.is == Some(piece) && place.square != final_square;
    // Nearly all moves go straight to their squares.
    if !pressed.attempt.iter().any(|place| elsewhere(place) && place.square != from) {
        return None;
    }
    let attempt = Attempt::last(pressed)?;
    released_in(attempt.changes(), piece, from, pressed, elsewhere)
}

/// Returns a piece that was made a move with, released, and taken back before another one was played; not one that moved before the opponent's
/// press `began` the player's time: it may have been displaced.
fn taken_back(m: Move, pressed: &Pressed, began: Option<Timestamp>) -> Option<Released> {
    if pressed.attempt.iter().any(|change| change.dumped) {
        return None;
    }
    let back = returns(&pressed.attempt).into_iter().filter(|touch| touch.piece.color == pressed.side);
    // The rook that castles is moved as well: castling that was taken back and repeated is the same move.
    let is_moved =
        |square| m.from() == Some(square) || matches!(m, Move::Castle { rook, .. } if rook == square);
    back.filter(|touch| !is_moved(touch.square) && began.is_none_or(|began| began <= touch.lifted))
        .find_map(|touch| between(&touch, pressed))
}
