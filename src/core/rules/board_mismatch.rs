//! Squares that do not show what stands on them, or pieces that were knocked over (Art. 7.4.1).

use std::time::Duration;

use shakmaty::{Bitboard, ByColor, Color, Piece, Square};

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::{Fact, MismatchCause, Pressed, Verdict},
    game::Played,
    position::{differences, other_kinds},
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "board-mismatch",
    codes: &[Code::BoardMismatch],
    summary: "A legal move was pressed while other squares read wrongly, or the board cannot be explained.",
    hears: Facts::TIME
        .and(Facts::PRESSED)
        .and(Facts::MADE)
        .and(Facts::WITHDRAWN)
        .and(Facts::MISMATCH)
        .and(Facts::MISMATCH_CLEARED)
        .and(Facts::GAME_STARTED)
        .and(Facts::ODD_START),
    new: || Box::new(BoardMismatch::default()),
};

/// A player who has taken up a piece plays it sooner.
const HOLDS: Duration = Duration::from_secs(12);

/// In a scramble a player who takes up a piece while the opponent still moves puts it down sooner.
const REPLIES: Duration = Duration::from_secs(2);

/// Alerts that are followed at a time.
const MOST: usize = 4;

#[derive(Debug, Default)]
struct BoardMismatch {
    /// Squares that are known to read wrongly, and what was said of them.
    known: Vec<(u32, Bitboard, MismatchCause)>,
    /// When each side pressed last.
    pressed: ByColor<Option<Timestamp>>,
    missing: Option<Missing>,
    /// Squares on which wrong pieces have stood since before the game: a wrong set-up is no fault of the board.
    odd: Bitboard,
}

/// Squares that the opponent's pieces are gone from since a move; they may be in a hand.
#[derive(Clone, Copy, Debug)]
struct Missing {
    /// Whose move it was.
    side: Color,
    ply: u32,
    squares: Bitboard,
    pressed_at: Timestamp,
    due: Timestamp,
    /// They went off while the mover had a piece in the hand, when the opponent does not know yet what will be played.
    in_hand: bool,
    /// A move of the opponent's that the board showed before the press, between squares side by side.
    early: Option<(Square, Square)>,
}

impl Rule for BoardMismatch {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::OddStart { shown, .. } => {
                self.odd = differences(context.game.start().board(), shown) & shown.occupied();
            }
            Fact::Pressed(pressed) => {
                self.odd &= differences(context.game.position().board(), &pressed.board);
                if let Verdict::LegalWithMismatch(squares) = pressed.verdict {
                    self.at_press(squares, pressed, context, alerts);
                }
                self.note_put_back(pressed, context, alerts);
                self.watch(pressed, context, alerts);
                self.pressed.get_mut(pressed.side).replace(pressed.at);
            }
            Fact::Made { .. } | Fact::Withdrawn { .. } => self.missing = None,
            // Off-centre pieces are nobody's business before the next press.
            Fact::Mismatch { squares, cause } => {
                let phrase = match cause {
                    MismatchCause::Missing => return,
                    MismatchCause::Dead => Phrase::DeadSquares,
                    MismatchCause::Stray => Phrase::StrayPieces,
                    MismatchCause::Weak => Phrase::WeakSquares,
                    MismatchCause::WrongCode => Phrase::WrongCodes,
                    MismatchCause::Late => Phrase::LatePieces,
                    MismatchCause::Unreported => Phrase::UntoldChanges,
                    MismatchCause::Unidentified => Phrase::UnidentifiedPieces,
                    MismatchCause::SeatsSwapped => Phrase::SeatsSwapped,
                    MismatchCause::Unexplained => Phrase::Unexplained,
                };
                let all = *squares;
                let squares = all & !self.odd;
                if squares.is_empty() && all.any() {
                    return;
                }
                let text = context.say(phrase, &[("squares", &list(squares)), ("article", article(context))]);
                let unexplained = *cause == MismatchCause::Unexplained;
                let act = if unexplained { context.say(Phrase::CompareSheet, &[]) } else { String::new() };
                let builder =
                    AlertBuilder::new(Code::BoardMismatch, Party::Both, context.game.len(), text).act(&act);
                self.raise(builder.confidence(Confidence::Likely), squares, *cause, context, alerts);
            }
            Fact::MismatchCleared { squares } => {
                for known in &mut self.known {
                    known.1 &= !*squares;
                }
                self.forget(context, alerts, |known| known.1.is_empty());
            }
            // A dead square stays dead; everything else was about the game before.
            Fact::GameStarted => {
                self.missing = None;
                self.odd = Bitboard::EMPTY;
                self.pressed = ByColor::default();
                self.forget(context, alerts, |known| known.2 != MismatchCause::Dead);
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.missing.map(|missing| (missing.due, "a piece of the opponent's is still off the board"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if self.missing.is_some_and(|missing| missing.due <= context.now) {
            self.report_missing(context, alerts);
        }
    }
}

impl BoardMismatch {
    /// Reports pieces of the opponent's that are gone since a move, and not back.
    fn report_missing(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(missing) = self.missing.take() else { return };
        let squares = missing.early.map_or(missing.squares & !context.sensed.occupied(), |_| missing.squares);
        if squares.is_empty() || context.game.len() != missing.ply {
            return;
        }
        let named = missing.early.map_or_else(|| list(squares), |(from, to)| format!("{from}-{to}"));
        let values =
            [("side", context.side(missing.side)), ("squares", &*named), ("article", article(context))];
        let (phrase, sure) = if missing.early.is_some() {
            (Phrase::ShovedAtPress, Confidence::Possible)
        } else if missing.in_hand {
            (Phrase::DisplacedAtPress, Confidence::Likely)
        } else {
            (Phrase::MissingSince, Confidence::Possible)
        };
        let text = context.say(phrase, &values);
        let mut builder = AlertBuilder::new(Code::BoardMismatch, missing.side, missing.ply, text)
            .confidence(sure)
            .act(&context.say(Phrase::CentrePieces, &[]));
        builder.pressed_at = Some(missing.pressed_at);
        self.raise(builder, squares, MismatchCause::Missing, context, alerts);
    }

    /// Reports squares that read wrongly beside a legal move, of whoever had the move when the pieces went off them.
    fn at_press(
        &mut self,
        squares: Bitboard,
        pressed: &Pressed,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        let squares = squares & !self.odd;
        if squares.is_empty() {
            return;
        }
        let stray = squares & pressed.board.occupied();
        let theirs = squares & pressed.before.board().by_color(!pressed.side);
        let found = self.found_only(squares, pressed);
        let side = if found { !pressed.side } else { pressed.side };
        let pairs = shoved(squares, pressed);
        let other = other_kinds(context.game.position().board(), &pressed.board);
        let (phrase, cause) = if (squares & !other).is_empty() {
            (Phrase::MisreadPieces, MismatchCause::WrongCode)
        } else if !pairs.is_empty() {
            (Phrase::ShovedAtPress, MismatchCause::Missing)
        } else if stray == squares {
            (Phrase::StrayPieces, MismatchCause::Stray)
        } else if found || theirs == squares {
            (Phrase::DisplacedAtPress, MismatchCause::Missing)
        } else {
            (Phrase::MismatchAtPress, MismatchCause::Missing)
        };
        let act = if stray == squares && cause != MismatchCause::Missing {
            String::new()
        } else {
            context.say(Phrase::CentrePieces, &[])
        };
        let named = if pairs.is_empty() { list(squares) } else { pairs };
        let values = [("side", context.side(side)), ("squares", &*named), ("article", article(context))];
        let mut builder = AlertBuilder::at_press(Code::BoardMismatch, pressed, context.say(phrase, &values))
            .confidence(Confidence::Likely)
            .act(&act);
        builder.side = if cause == MismatchCause::WrongCode { Party::Both } else { side.into() };
        self.raise(builder, squares, cause, context, alerts);
    }

    /// Returns whether all these squares changed last before the opponent pressed: the presser has only found it.
    fn found_only(&self, squares: Bitboard, pressed: &Pressed) -> bool {
        let Some(began) = *self.pressed.get(!pressed.side) else { return false };
        squares.any()
            && squares.into_iter().all(|square| {
                let last = pressed.attempt.iter().rfind(|change| change.square == square);
                last.is_some_and(|change| !change.dumped && change.at <= began)
            })
    }

    /// Notes that pieces which were missing stand on their squares at a press.
    fn note_put_back(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let stand = context.game.position().board().occupied() & pressed.board.occupied();
        for (.., squares, _) in self.known.iter_mut().filter(|known| known.2 == MismatchCause::Missing) {
            *squares &= !stand;
        }
        self.forget(context, alerts, |known| known.1.is_empty());
    }

    /// Remembers the opponent's pieces that are off the board after a legal move, and are not known to be. Several that went before the press
    /// are in no hand that is about to move.
    fn watch(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.missing = None;
        if !matches!(pressed.verdict, Verdict::Legal | Verdict::LegalWithMismatch(_)) || !context.is_dated {
            return;
        }
        if context.game.len() != pressed.ply {
            self.watch_early(pressed, context);
            return;
        }
        let known = self.known.iter().fold(Bitboard::EMPTY, |all, known| all | known.1);
        let stand = context.game.position().board().by_color(!pressed.side);
        let squares = stand & pressed.before.board().occupied() & !pressed.board.occupied() & !known;
        let knocked = went_in_hand(squares, pressed);
        // What stands elsewhere was moved there by its player.
        let expected = context.game.position().board();
        let gone = |square: &Square| {
            let elsewhere = |piece| pressed.board.by_piece(piece) & !expected.by_piece(piece);
            expected.piece_at(*square).map(elsewhere).is_some_and(Bitboard::is_empty)
        };
        let early: Bitboard = (squares & pressed.off).into_iter().filter(gone).collect();
        let castles = (pressed.before.board().kings() & early).any();
        let fallen = early.more_than_one() && !(castles && early.count() == 2);
        let (squares, wait) = if fallen {
            (early, Duration::ZERO)
        } else if knocked.any() {
            (knocked, REPLIES)
        } else if early.any() {
            (early, REPLIES)
        } else {
            (squares.into_iter().filter(gone).collect(), HOLDS)
        };
        if squares.any() {
            self.missing = Some(Missing {
                side: pressed.side,
                ply: pressed.ply,
                squares,
                pressed_at: pressed.at,
                due: pressed.at + wait,
                in_hand: fallen || knocked.any(),
                early: None,
            });
        }
        if fallen {
            self.report_missing(context, alerts);
        }
    }

    /// Remembers a move of the opponent's that the board showed before the press: who replies so soon presses soon, or the piece was displaced.
    fn watch_early(&mut self, pressed: &Pressed, context: &RuleContext<'_>) {
        let ply = pressed.ply.saturating_add(1);
        let reply = context.game.ply(ply).filter(|reply| {
            context.game.len() == ply
                && reply.side != pressed.side
                && reply.made_at < pressed.at
                && !reply.completed
        });
        let Some(Played::Legal(m)) = reply.map(|reply| &reply.played) else { return };
        let Some(from) = m.from().filter(|from| from.distance(m.to()) == 1 && !m.is_capture()) else {
            return;
        };
        self.missing = Some(Missing {
            side: pressed.side,
            ply,
            squares: Bitboard::from(from).with(m.to()),
            pressed_at: pressed.at,
            due: pressed.at + REPLIES,
            in_hand: false,
            early: Some((from, m.to())),
        });
    }

    /// Raises an alert unless all its squares are known.
    fn raise(
        &mut self,
        builder: AlertBuilder,
        squares: Bitboard,
        cause: MismatchCause,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        let known = self.known.iter().fold(Bitboard::EMPTY, |all, known| all | known.1);
        if !squares.is_empty() && (squares & !known).is_empty() {
            return;
        }
        if self.known.len() == MOST {
            let (number, ..) = self.known.remove(0);
            alerts.close(AlertState::Expired, context.now, |entry| entry.number == number);
        }
        if let Some(number) = alerts.raise(builder.squares(squares).fact("cause", name(cause)), context) {
            self.known.push((number, squares, cause));
        }
    }

    fn forget(
        &mut self,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
        gone: impl Fn(&(u32, Bitboard, MismatchCause)) -> bool,
    ) {
        let numbers: Vec<u32> = self.known.iter().filter(|known| gone(known)).map(|known| known.0).collect();
        self.known.retain(|known| !gone(known));
        alerts.close(AlertState::Corrected, context.now, |entry| numbers.contains(&entry.number));
    }
}

/// Returns which of these squares went empty while the mover had a piece in the hand.
fn went_in_hand(squares: Bitboard, pressed: &Pressed) -> Bitboard {
    let own = |piece: Option<Piece>| piece.is_some_and(|piece| piece.color == pressed.side);
    let changes = pressed.attempt.iter();
    let lifted = changes.clone().position(|change| own(change.was));
    let placed = changes.clone().rposition(|change| own(change.is));
    let (Some(lifted), Some(placed)) = (lifted, placed) else { return Bitboard::EMPTY };
    let mut went = Bitboard::EMPTY;
    for change in changes.take(placed).skip(lifted) {
        if !change.dumped && squares.contains(change.square) {
            went.set(change.square, change.is.is_none());
        }
    }
    went
}

/// Returns where pieces went that stand beside their squares, as text; empty if some of these squares are of no such piece.
fn shoved(squares: Bitboard, pressed: &Pressed) -> String {
    let (before, board) = (pressed.before.board(), &pressed.board);
    let homes = squares & before.occupied() & !board.occupied();
    let beside = |from: Square| {
        let piece = before.piece_at(from);
        let stands = |to: &Square| to.distance(from) == 1 && board.piece_at(*to) == piece && piece.is_some();
        (squares & board.occupied()).into_iter().find(stands).map(|to| format!("{from}-{to}"))
    };
    let pairs: Vec<String> = homes.into_iter().filter_map(beside).collect();
    if 2 * pairs.len() == squares.count() { pairs.join(", ") } else { String::new() }
}

const fn name(cause: MismatchCause) -> &'static str {
    match cause {
        MismatchCause::Missing => "missing",
        MismatchCause::Dead => "dead",
        MismatchCause::Stray => "stray",
        MismatchCause::Weak => "weak",
        MismatchCause::WrongCode => "wrong-code",
        MismatchCause::Unidentified => "unidentified",
        MismatchCause::Late => "late",
        MismatchCause::Unreported => "untold",
        MismatchCause::SeatsSwapped => "seats-swapped",
        MismatchCause::Unexplained => "unexplained",
    }
}

fn article<'a>(context: &RuleContext<'a>) -> &'a str {
    context.laws.article(Code::BoardMismatch).unwrap_or_default()
}

fn list(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}
