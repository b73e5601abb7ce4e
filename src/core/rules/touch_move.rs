//! A piece that was held and put back, or that binds since an illegal move was taken back, and another one moved (Art. 4.3, 7.5.1).

use std::time::Duration;

use shakmaty::{Bitboard, Board, ByColor, Color, Move, MoveList, Square};

use super::{
    Rule, Spec,
    attempt::{ReturnedPiece, TOUCH, returns},
    builder::AlertBuilder,
    context::RuleContext,
    hears::Facts,
    obligation::{self, Binding, captured},
    release,
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed},
    laws::Topic,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "touch-move",
    codes: &[Code::TouchMoveSuspect],
    summary: "A piece that could be moved, or captured, was held for longer than adjusting takes, or binds from an earlier attempt, and another was played.",
    hears: Facts::GAME_STARTED.and(Facts::CLOCK_STARTED).and(Facts::PRESSED).and(Facts::RIGHTED),
    new: || Box::new(TouchMove::default()),
};

/// Pieces that leave their squares within this were not taken up one by one.
const SWEPT: Duration = Duration::from_millis(300);

#[derive(Debug, Default)]
struct TouchMove {
    /// When each side pressed last: what happened before that was not done by the player then put on move.
    pressed: ByColor<Option<Timestamp>>,
    /// When the clock began to run again: what was touched while it stood still is not judged.
    resumed: Timestamp,
    /// What binds each side in a move that it has to make again.
    bound: ByColor<Option<EarlierObligation>>,
}

/// What binds a player since an earlier press in the same position.
#[derive(Debug)]
struct EarlierObligation {
    pressed_at: Timestamp,
    before: Board,
    binding: Binding,
    words: String,
}

impl EarlierObligation {
    fn is_broken_by(&self, m: Move, pressed: &Pressed) -> bool {
        self.before == *pressed.before.board() && !self.binding.is_met_by(m)
    }
}

impl Rule for TouchMove {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::ClockStarted { .. } => self.resumed = context.now,
            // It was no illegal move: nothing that came of it binds.
            Fact::Righted { pressed_at, side, overturned: true } => {
                self.bound.get_mut(*side).take_if(|bound| bound.pressed_at == *pressed_at);
            }
            Fact::Pressed(pressed) => {
                if let Some((m, _)) = context.completed_move(pressed) {
                    let earlier = self.bound.get_mut(pressed.side).take();
                    if let Some(touch) = self.broken(m, pressed) {
                        alerts.raise(build(touch, pressed, context), context);
                    } else if let Some(earlier) = earlier.filter(|earlier| earlier.is_broken_by(m, pressed)) {
                        alerts.raise(again(&earlier, pressed, context), context);
                    }
                }
                self.bind(pressed, context, alerts);
                self.pressed.get_mut(pressed.side).replace(pressed.at);
            }
            _ => {}
        }
    }
}

impl TouchMove {
    /// Remembers what binds a player who has pressed and has to move again; what came first stays first.
    fn bind(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &AlertStore) {
        let offence = alerts.present().rev().find(|entry| {
            entry.pressed_at == Some(pressed.at)
                && entry.is_of(pressed.side)
                && matches!(entry.code, Code::IllegalMove | Code::PressWithoutMove)
        });
        if offence.is_none_or(|entry| entry.confidence < Confidence::Likely) {
            return;
        }
        let since = self.on_move_since(pressed.side);
        let bound = self.bound.get_mut(pressed.side);
        let before = pressed.before.board();
        if bound.as_ref().is_some_and(|earlier| earlier.before == *before) {
            return;
        }
        *bound = obligation::lasting(pressed, since, context).map(|(binding, words)| EarlierObligation {
            pressed_at: pressed.at,
            before: before.clone(),
            binding,
            words,
        });
    }

    /// Returns since when what is touched is touched by this side, to move.
    fn on_move_since(&self, side: Color) -> Timestamp {
        self.pressed.get(!side).unwrap_or(Timestamp::ZERO).max(self.resumed)
    }

    /// Returns the touch that the move does not honour: the first own piece touched must move, the first of the
    /// opponent's must be taken, as far as the rules allow (Art. 4.3, 4.5).
    fn broken(&self, m: Move, pressed: &Pressed) -> Option<ReturnedPiece> {
        let since = self.on_move_since(pressed.side);
        if pressed.attempt.iter().any(|change| change.dumped) {
            return None;
        }
        let touches: Vec<ReturnedPiece> = returns(&pressed.attempt)
            .into_iter()
            .filter(|touch| touch.dwell() >= TOUCH && touch.lifted >= since)
            .filter(|touch| pressed.before.board().piece_at(touch.square) == Some(touch.piece))
            .filter(|touch| !part_of_castling(touch, m, pressed))
            .filter(|touch| !fell_with_others(touch, pressed))
            // What had been released on another square stays there (Art. 4.7).
            .filter(|touch| release::between(touch, pressed).is_none())
            .collect();
        if touches.is_empty() {
            return None;
        }
        let moves = pressed.before.legal_moves();
        let first = |side: Color, binding: fn(&MoveList, Square) -> bool| {
            touches.iter().find(|touch| touch.piece.color == side && binding(&moves, touch.square)).copied()
        };
        let own = first(pressed.side, |moves, square| moves.iter().any(|m| starts_at(*m, square)));
        let theirs = first(!pressed.side, |moves, square| moves.iter().any(|m| captured(*m) == Some(square)));
        if let Some(own) = own
            && !starts_at(m, own.square)
        {
            return Some(own);
        }
        theirs.filter(|theirs| captured(m) != Some(theirs.square)).filter(|theirs| {
            // A piece of his own that he must move need not be able to take the other.
            own.is_none_or(|own| {
                moves.iter().any(|m| starts_at(*m, own.square) && captured(*m) == Some(theirs.square))
            })
        })
    }
}

/// Returns whether a rook was lifted together with its king: castling that was undone and done again.
fn part_of_castling(touch: &ReturnedPiece, m: Move, pressed: &Pressed) -> bool {
    let Move::Castle { king, rook } = m else { return false };
    let meanwhile = touch.lifted..=touch.placed;
    let moved = pressed.attempt.iter().any(|change| change.square == king && meanwhile.contains(&change.at));
    touch.square == rook && moved
}

/// Returns whether a move is one of the piece on this square; castling is the king's.
fn starts_at(m: Move, square: Square) -> bool {
    m.from() == Some(square)
}

/// Says that the move which was made again is not the one that was due.
fn again(earlier: &EarlierObligation, pressed: &Pressed, context: &RuleContext<'_>) -> AlertBuilder {
    let code = Code::TouchMoveSuspect;
    let played = context.game.ply(pressed.ply).map(|ply| context.san(&ply.san)).unwrap_or_default();
    let values =
        [("side", context.side(pressed.side)), ("played", played.as_str()), ("duty", earlier.words.as_str())];
    AlertBuilder::at_press(code, pressed, context.say(Phrase::TouchedBefore, &values))
        .confidence(Confidence::Possible)
        .act(&obligation::on_request(code, pressed.side, context))
        .fact("bound_at", earlier.pressed_at.as_secs())
}

fn build(touch: ReturnedPiece, pressed: &Pressed, context: &RuleContext<'_>) -> AlertBuilder {
    let code = Code::TouchMoveSuspect;
    let own = touch.piece.color == pressed.side;
    let phrase = if own { Phrase::TouchedOwn } else { Phrase::TouchedTheirs };
    let square = touch.square.to_string();
    let held = context.tenths(touch.dwell());
    // The clause of the article; the alert has the article as a whole.
    let article = context.laws.topic(if own { Topic::TouchedOwn } else { Topic::TouchedTheirs });
    let values = [
        ("side", context.side(pressed.side)),
        ("piece", &context.object(touch.piece.role)),
        ("square", square.as_str()),
        ("held", held.as_str()),
        ("article", article),
        ("duty", context.laws.topic(Topic::Adjusting)),
    ];
    AlertBuilder::at_press(code, pressed, context.say(phrase, &values))
        .confidence(Confidence::Possible)
        .act(&context.say(Phrase::WasItAdjusted, &values))
        .act(&obligation::on_request(code, pressed.side, context))
        .fact("square", square.clone())
        .fact("lifted_at", touch.lifted.as_secs())
        .fact("placed_at", touch.placed.as_secs())
}

/// Returns whether two others at least left their squares with a piece: they were knocked over, which is no deliberate touch (Art. 4.2.2).
fn fell_with_others(touch: &ReturnedPiece, pressed: &Pressed) -> bool {
    let with = |change: &&Change| {
        let apart = change.at.since(touch.lifted).max(touch.lifted.since(change.at));
        change.is.is_none() && change.square != touch.square && apart <= SWEPT
    };
    let others = pressed.attempt.iter().filter(with).map(|change| change.square);
    others.collect::<Bitboard>().count() > 1
}
