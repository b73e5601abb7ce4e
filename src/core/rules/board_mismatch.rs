//! Squares that do not show what stands on them, or men that were knocked over (Art. 7.4.1).

use shakmaty::Bitboard;

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::{Fact, MismatchCause, Verdict},
};

pub(super) const SPEC: Spec = Spec {
    id: "board-mismatch",
    codes: &[Code::BoardMismatch],
    summary: "A legal move was pressed while other squares read wrongly, or the board cannot be explained.",
    hears: Facts::PRESSED.and(Facts::MISMATCH).and(Facts::MISMATCH_CLEARED).and(Facts::GAME_STARTED),
    new: || Box::new(BoardMismatch::default()),
};

/// Alerts that are followed at a time.
const MOST: usize = 4;

#[derive(Debug, Default)]
struct BoardMismatch {
    /// Squares that are known to read wrongly, and what was said of them.
    known: Vec<(u32, Bitboard, MismatchCause)>,
}

impl Rule for BoardMismatch {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::Pressed(pressed) => {
                if let Verdict::LegalWithMismatch(squares) = pressed.verdict {
                    let stray = squares & pressed.board.occupied();
                    let (phrase, cause) = if stray == squares {
                        (Phrase::StrayPieces, MismatchCause::Stray)
                    } else {
                        (Phrase::MismatchAtPress, MismatchCause::Missing)
                    };
                    let act =
                        if stray == squares { String::new() } else { context.say(Phrase::CentrePieces, &[]) };
                    let values = [
                        ("side", context.side(pressed.side)),
                        ("squares", &list(squares)),
                        ("article", article(context)),
                    ];
                    let builder =
                        AlertBuilder::at_press(Code::BoardMismatch, pressed, context.say(phrase, &values))
                            .confidence(Confidence::Likely)
                            .act(&act);
                    self.raise(builder, squares, cause, context, alerts);
                }
            }
            // Off-centre pieces are nobody's business before the next press.
            Fact::Mismatch { squares, cause } => {
                let phrase = match cause {
                    MismatchCause::Missing => return,
                    MismatchCause::Dead => Phrase::DeadSquares,
                    MismatchCause::Stray => Phrase::StrayPieces,
                    MismatchCause::Weak => Phrase::WeakSquares,
                    MismatchCause::WrongCode => Phrase::WrongCodes,
                    MismatchCause::Late => Phrase::LatePieces,
                    MismatchCause::Untold => Phrase::UntoldChanges,
                    MismatchCause::SeatsSwapped => Phrase::SeatsSwapped,
                    MismatchCause::Unexplained => Phrase::Unexplained,
                };
                let text =
                    context.say(phrase, &[("squares", &list(*squares)), ("article", article(context))]);
                let unexplained = *cause == MismatchCause::Unexplained;
                let act = if unexplained { context.say(Phrase::CompareSheet, &[]) } else { String::new() };
                let builder =
                    AlertBuilder::new(Code::BoardMismatch, Party::Both, context.game.len(), text).act(&act);
                self.raise(builder.confidence(Confidence::Likely), *squares, *cause, context, alerts);
            }
            Fact::MismatchCleared { squares } => {
                for known in &mut self.known {
                    known.1 &= !*squares;
                }
                self.forget(context, alerts, |known| known.1.is_empty());
            }
            // A dead square stays dead; everything else was about the game before.
            Fact::GameStarted => self.forget(context, alerts, |known| known.2 != MismatchCause::Dead),
            _ => {}
        }
    }
}

impl BoardMismatch {
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

const fn name(cause: MismatchCause) -> &'static str {
    match cause {
        MismatchCause::Missing => "missing",
        MismatchCause::Dead => "dead",
        MismatchCause::Stray => "stray",
        MismatchCause::Weak => "weak",
        MismatchCause::WrongCode => "wrong-code",
        MismatchCause::Late => "late",
        MismatchCause::Untold => "untold",
        MismatchCause::SeatsSwapped => "seats-swapped",
        MismatchCause::Unexplained => "unexplained",
    }
}

fn article(context: &RuleContext<'_>) -> &'static str {
    context.laws.article(Code::BoardMismatch).unwrap_or_default()
}

fn list(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}
