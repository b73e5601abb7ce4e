//! What a press completed, in the words of facts.

use shakmaty::{Bitboard, Square};

use super::search::{Findings, Origin};
use crate::{
    alert::Confidence,
    fact::{Fact, Pressed, Reason, Verdict},
    game::Played,
    model::decision,
    position::{Position, other_kinds},
    tracker::{
        Tracker,
        evidence::ExplainedPly,
        explain::Explanation,
        offence,
        press::Outcome,
        progress::{InTheAir, count},
        window::Press,
    },
};

impl Tracker {
    /// Says what the best explanation makes of each press.
    pub(super) fn verdicts(&self, found: &Findings, presses: &[Press]) -> Vec<Pressed> {
        let Some((best, origin)) = found.best() else { return Vec::new() };
        let Some((base, mut position, known)) = self.start_of(origin) else { return Vec::new() };
        let offence_confidence = found.offence_confidence();
        // What was put elsewhere while the clock stood still is not explained by going back to an earlier position.
        let unexplained = self.window.paused && (best.faulty & !known).any();
        let is_contested = self.is_contested(&position, known)
            || unexplained && matches!(origin, Origin::Back(_)) && !best.is_regular();
        let next = found.explanations.get(1).map(|other| other.cost);
        let lead = decision::word(Some(decision::lead(best.cost, next)));
        let mut verdicts = Vec::new();
        let (mut played, mut shown) = (0, 0);
        for (press, outcome) in presses.iter().zip(&best.outcomes) {
            let upto = if let Outcome::Ply(index) = outcome { index + 1 } else { played };
            let mut before = position.clone();
            for (index, step) in (0..upto).zip(&best.steps).skip(played) {
                before = position;
                position = step.played.apply(&before);
                // His next move has completed an illegal one of which nobody saw the press (Art. 6.2.1.2).
                if index + 1 < upto && step.side == press.side && !step.played.is_legal() && !is_contested {
                    let press = Press { seen: false, increment_s: 0, clock: None, ..*press };
                    let verdict = verdict(Outcome::Ply(index), best, known, &before);
                    let ply = base + count(index + 1);
                    let most = self.most_sure_unpressed(&before, press, known, ply, step, offence_confidence);
                    let sure = offence_confidence.min(most);
                    if sure > Confidence::Possible {
                        let reported = self.pressed(press, verdict, ply, before.clone(), shown..step.shown);
                        verdicts.push(Pressed { confidence: sure, ..reported });
                    }
                }
            }
            let verdict = self.misread(verdict(*outcome, best, known, &before), best);
            let verdict = self.pawn_not_removed(verdict, *outcome, best);
            // It may stand there and not be read; that is not enough to say nothing.
            let step = best.steps.get(upto.wrapping_sub(1));
            let most = self
                .most_sure_at_ease(&before, *press, offence_confidence)
                .min(self.most_sure_where_read_otherwise(&before, *press, known, step))
                .min(self.most_sure_after_others(&before, base + count(upto), step))
                .min(self.most_sure_beside_hidden(&before, base + count(upto), step))
                .min(self.most_sure_of_reported_later(*press, step));
            let most = if verdict == Verdict::Nothing {
                most.min(self.most_sure_of_nothing(&before, *press, known))
                    .min(self.most_sure_where_unpressed(press.side, best, base, base + count(upto)))
                    .min(self.most_sure_where_reported_since(*press, base + count(upto)))
            } else {
                most
            };
            let incomplete = matches!(verdict, Verdict::Illegal(Reason::PromotionIncomplete));
            // What the pawn has become may stand beside the middle of its square.
            let unnoticed = incomplete && self.sensor_faults.is_late();
            let most = if is_contested || unnoticed { Confidence::Possible } else { most };
            let remains = matches!(verdict, Verdict::Illegal(Reason::PawnNotRemoved { .. }));
            let sure = if remains {
                // Two squares that are faulty would have to do it by chance.
                Confidence::Likely.min(most)
            } else if incomplete {
                offence_confidence.max(Confidence::Likely).min(most)
            } else if is_offence(&verdict) {
                offence_confidence.min(most)
            } else {
                lead.min(self.most_sure_of_legal(&before, &position, *press))
            };
            let has_high_residual =
                self.has_high_residual() && is_offence(&verdict) && sure > Confidence::Possible;
            let high_residual = has_high_residual
                && matches!(verdict, Verdict::Nothing | Verdict::Illegal(Reason::Pattern { .. }));
            let sure = if has_high_residual { Confidence::Possible } else { sure };
            // Presumed innocent: what a quirk of the sensors explains almost as well is no offence.
            let verdict = if sure == Confidence::Possible && is_offence(&verdict) && !high_residual {
                let squares = step.and_then(|step| match &step.played {
                    Played::Irregular(irregular) => self.displaced(&before, irregular, known),
                    Played::Legal(_) => None,
                });
                squares.map_or(Verdict::Reaction, Verdict::LegalWithMismatch)
            } else {
                verdict
            };
            let attempt = match best.steps.get(upto.wrapping_sub(1)).filter(|_| upto > played) {
                Some(step) => shown..step.shown,
                None => shown..self.window.changes().len(),
            };
            let ply = base + count(upto);
            verdicts.push(Pressed {
                confidence: sure,
                high_residual,
                ..self.pressed(*press, verdict, ply, before, attempt.clone())
            });
            if upto > played {
                (played, shown) = (upto, attempt.end);
            }
        }
        if !self.reporting.clock && presses.is_empty() {
            verdicts.extend(self.replied(found));
        }
        verdicts
    }

    /// Says which plies the opponent has replied to though they were illegal, where no clock reports presses.
    fn replied(&self, found: &Findings) -> Vec<Pressed> {
        let Some((best, origin)) = found.best() else { return Vec::new() };
        let Some((base, mut before, known)) = self.start_of(origin) else { return Vec::new() };
        let mut verdicts = Vec::new();
        let (completed, mut shown) = (self.completed(best, 0).0, 0);
        for (index, step) in best.steps.iter().take(completed).enumerate() {
            if !step.played.is_legal() && !self.is_contested(&before, known) {
                let at = self.shown_at(step.shown);
                let press =
                    Press { side: step.side, at, up_at: None, seen: false, increment_s: 0, clock: None };
                let verdict = verdict(Outcome::Ply(index), best, known, &before);
                // The reply between two moves may have been made and not read; pieces that go home are set up for the next game.
                let is_play = verdict != Verdict::Illegal(Reason::TwoMoves) && !self.goes_home(&step.played);
                let number = base + count(index + 1);
                let offence_confidence = found.offence_confidence();
                let most = self.most_sure_unpressed(&before, press, known, number, step, offence_confidence);
                if is_play && most > Confidence::Possible {
                    let reported = self.pressed(press, verdict, number, before.clone(), shown..step.shown);
                    verdicts.push(Pressed { confidence: Confidence::Likely, ..reported });
                }
            }
            before = step.played.apply(&before);
            shown = step.shown;
        }
        verdicts
    }

    /// Returns how sure it can be that a ply of this number, of which nobody saw the press, was an offence.
    fn most_sure_unpressed(
        &self,
        before: &Position,
        press: Press,
        known: Bitboard,
        number: u32,
        step: &ExplainedPly,
        offence_confidence: Confidence,
    ) -> Confidence {
        self.most_sure(before, press, offence_confidence)
            .min(self.most_sure_where_read_otherwise(before, press, known, Some(step)))
            .min(self.most_sure_after_others(before, number, Some(step)))
            .min(self.most_sure_beside_hidden(before, number, Some(step)))
    }

    /// Returns whether an irregular ply brings a piece to where one like it begins a game, or began this one.
    fn goes_home(&self, played: &Played) -> bool {
        let (Played::Irregular(irregular), Some(game)) = (played, &self.game) else { return false };
        let piece = irregular.board.piece_at(irregular.to);
        let begins_there = |start: &Position| start.board().piece_at(irregular.to) == piece;
        piece.is_some() && (begins_there(game.start()) || begins_there(&Position::initial()))
    }

    /// Adds the squares of moves that show another piece of the same colour than was put there.
    fn misread(&self, verdict: Verdict, best: &Explanation) -> Verdict {
        let other = other_kinds(best.position.board(), self.window.board());
        let squares = best.faulty & used(&best.steps) & other;
        match (&verdict, squares.any()) {
            (Verdict::Legal, true) => Verdict::LegalWithMismatch(squares),
            (Verdict::LegalWithMismatch(others), _) => Verdict::LegalWithMismatch(*others | squares),
            (_, _) => verdict,
        }
    }

    /// Accepts a promotion in which the pawn was not removed: nobody has touched the pawn, and the board shows it still.
    fn pawn_not_removed(&self, verdict: Verdict, outcome: Outcome, best: &Explanation) -> Verdict {
        let (Verdict::LegalWithMismatch(squares), Outcome::Ply(index)) = (&verdict, outcome) else {
            return verdict;
        };
        let Some(ExplainedPly { played: Played::Legal(m), side, .. }) = best.steps.get(index) else {
            return verdict;
        };
        let stands = |square: &Square| {
            m.is_promotion()
                && squares.contains(*square)
                && self.window.base().piece_at(*square) == Some(side.pawn())
                && self.window.board().piece_at(*square) == Some(side.pawn())
                && !self.window.touched().contains(*square)
        };
        match m.from().filter(stands) {
            Some(square) => Verdict::Illegal(Reason::PawnNotRemoved { square }),
            None => verdict,
        }
    }

    /// Returns the plies before an explanation, its first position, and the squares already known to be faulty.
    pub(super) fn start_of(&self, origin: Origin) -> Option<(u32, Position, Bitboard)> {
        match origin {
            Origin::Hypothesis(index) | Origin::Passed(index) => {
                let hypothesis = self.hypotheses.get(index)?;
                let plies = self.progress.plies_of(hypothesis);
                let passed = matches!(origin, Origin::Passed(_));
                let position = if passed { hypothesis.position.pass() } else { hypothesis.position.clone() };
                Some((plies, position, hypothesis.faulty))
            }
            Origin::Back(keep) => Some((keep, self.position_after(keep)?, self.faulty_squares())),
        }
    }

    /// Describes a press of which there is no doubt; `attempt` are the changes that belong to it.
    pub(super) fn pressed(
        &self,
        press: Press,
        verdict: Verdict,
        ply: u32,
        before: Position,
        attempt: std::ops::Range<usize>,
    ) -> Pressed {
        let changes = self.window.changes();
        let count = self.window.count_until(press.at);
        let off = |square: &Square| {
            let last = self.window.last_change_within(*square, count);
            last.is_some_and(|change| change.is.is_none() && !change.dumped)
        };
        let off = before.board().occupied().into_iter().filter(off).collect();
        Pressed {
            off,
            high_residual: false,
            side: press.side,
            at: press.at,
            seen: press.seen,
            verdict,
            confidence: Confidence::Certain,
            weight: None,
            ply,
            before,
            board: self.window.board().clone(),
            attempt: changes.iter().take(attempt.end).skip(attempt.start).copied().collect(),
            increment_s: press.increment_s,
            clock: press.clock,
        }
    }

    /// Makes a ply that breaks the rules no surer than what is said of its press; where nobody is accused of it, the position after it
    /// is in doubt.
    pub(super) fn bound_offences(&mut self, verdicts: &[Pressed]) {
        let Some(best) = self.hypotheses.first_mut() else { return };
        for pressed in verdicts {
            let index = pressed.ply.checked_sub(self.progress.settled + 1);
            let step = index.and_then(|index| best.steps.get_mut(usize::try_from(index).ok()?));
            let Some(step) = step.filter(|step| step.side == pressed.side) else { continue };
            if let (Verdict::LegalWithMismatch(remains), Played::Legal(m)) = (&pressed.verdict, &step.played)
            {
                // A pawn that still stands there beside the piece that it is to become has hardly promoted.
                if m.is_promotion() && m.from().is_some_and(|from| remains.contains(from)) {
                    step.most = step.most.min(Confidence::Likely);
                }
            } else if !step.played.is_legal() {
                step.most = step.most.min(pressed.confidence);
                if step.most == Confidence::Possible {
                    self.progress.trust = self.progress.trust.doubted();
                }
            }
        }
    }

    /// Passes the verdicts on; that on a piece in the air waits until it has come down.
    pub(super) fn report(&mut self, verdicts: Vec<Pressed>) {
        for mut pressed in verdicts {
            if let Verdict::InTheAir { from, .. } = pressed.verdict {
                self.progress.in_the_air = Some(InTheAir { pressed, from, back_at: None });
                continue;
            }
            if let Verdict::LegalWithMismatch(squares) = pressed.verdict {
                pressed.verdict = match self.note_mismatch(squares, pressed.at) {
                    Bitboard::EMPTY => Verdict::Legal,
                    reported => Verdict::LegalWithMismatch(reported),
                };
            }
            if is_offence(&pressed.verdict) {
                self.note_offence(&pressed);
            }
            if pressed.verdict == Verdict::Nothing && pressed.confidence < Confidence::Certain {
                self.progress.trust = self.progress.trust.unconfirmed();
            }
            self.facts.push(Fact::Pressed(Box::new(pressed)));
        }
    }
}

/// Says what a press completed; squares that were `known` to be faulty are no news.
fn verdict(outcome: Outcome, best: &Explanation, known: Bitboard, before: &Position) -> Verdict {
    match outcome {
        Outcome::Ply(index) => match best.steps.get(index).map(|step| &step.played) {
            Some(Played::Irregular(irregular)) => match offence::pawn_left(before, irregular) {
                Some(square) => Verdict::PromotionLeft(square),
                None => Verdict::Illegal(offence::reason(before, irregular)),
            },
            _ => match best.faulty & !known & !used(&best.steps) {
                Bitboard::EMPTY => Verdict::Legal,
                squares => Verdict::LegalWithMismatch(squares),
            },
        },
        Outcome::Nothing => Verdict::Nothing,
        // The pawn is gone and what it becomes is not there: nothing that stands on the board is a move.
        Outcome::InTheAir(from) if promotes_from(before, from, known) => {
            Verdict::Illegal(Reason::PromotionIncomplete)
        }
        Outcome::InTheAir(from) => Verdict::InTheAir { from, placed: None },
        Outcome::Reaction | Outcome::PressedBack | Outcome::NotDue => Verdict::Reaction,
    }
}

/// Returns whether a pawn on this square has legal moves to its last rank, and to none of its squares that are faulty.
fn promotes_from(before: &Position, from: Square, faulty: Bitboard) -> bool {
    let moves = before.legal_moves();
    let mut moves = moves.iter().filter(|m| m.from() == Some(from) && m.is_promotion()).peekable();
    moves.peek().is_some() && moves.all(|m| !faulty.contains(m.to()))
}

/// Returns the squares that moves went from and to, but for that of a pawn that became another piece: who puts that on the board may have
/// left the pawn there.
fn used(steps: &[ExplainedPly]) -> Bitboard {
    steps.iter().fold(Bitboard::EMPTY, |squares, step| match &step.played {
        Played::Legal(m) if m.is_promotion() => squares.with(m.to()),
        Played::Legal(m) => m.from().into_iter().fold(squares.with(m.to()), Bitboard::with),
        Played::Irregular(irregular) => squares.with(irregular.from).with(irregular.to),
    })
}

const fn is_offence(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Illegal(_) | Verdict::PromotionLeft(_) | Verdict::Nothing)
}
