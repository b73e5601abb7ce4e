//! What becomes of judgements: offences that are put right, squares that go on reading wrongly.

use shakmaty::Bitboard;

use super::Tracker;
use crate::{
    fact::{Change, Fact, MismatchCause, Pressed, Verdict},
    game::Played,
    model::{decision, effort},
    position::differences,
    time::Timestamp,
};

/// An offence that a press completed.
#[derive(Clone, Debug)]
pub(super) struct JudgedOffence {
    pub(super) ply: u32,
    side: shakmaty::Color,
    pressed_at: Timestamp,
    /// What was played, if anything.
    played: Option<Played>,
}

/// Squares that read wrongly.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Suspects {
    /// At the last judgement.
    once: Bitboard,
    /// At two judgements in a row, and so reported.
    reported: Bitboard,
    /// At a press that was judged.
    at_press: Bitboard,
    /// At a press that was judged, where they have been reported once: they wait for the next dump.
    unconfirmed: Bitboard,
    /// What only the last dump has shown, where an update should have.
    in_last_dump: Bitboard,
    /// What only the dump that comes in has shown.
    since: Bitboard,
    /// What updates have reported since the last dump.
    updated: Bitboard,
}

impl Tracker {
    /// Remembers an offence, for when it is put right.
    pub(super) fn note_offence(&mut self, pressed: &Pressed) {
        if self.progress.offences.len() == effort::MOST_OFFENCES {
            self.progress.offences.remove(0);
        }
        let played = self.game.as_ref().and_then(|game| game.ply(pressed.ply)).map(|ply| ply.played.clone());
        let played = played.filter(Played::is_illegal);
        self.progress.offences.push(JudgedOffence {
            ply: pressed.ply,
            side: pressed.side,
            pressed_at: pressed.at,
            played,
        });
    }

    /// Returns the presses of which an offence was reported, and whose they were.
    pub(crate) fn accused(&self) -> impl Iterator<Item = (Timestamp, shakmaty::Color)> {
        self.progress.offences.iter().map(|offence| (offence.pressed_at, offence.side))
    }

    /// Reports offences in whose place the game has a legal move: put right by hand, if pieces were seen to move on
    /// its squares since, or overturned by better evidence; and of presses that completed a move after all.
    pub(super) fn right_offences(&mut self, changes: &[Change], verdicts: &[Pressed]) {
        let Some(game) = &self.game else { return };
        let settle = self.tuning.settle;
        let facts = &mut self.facts;
        self.progress.offences.retain(|offence| {
            let (pressed_at, side) = (offence.pressed_at, offence.side);
            let completed = |pressed: &Pressed| {
                (pressed.at, pressed.side) == (pressed_at, side)
                    && matches!(
                        pressed.verdict,
                        Verdict::Legal | Verdict::LegalWithMismatch(_) | Verdict::Reaction
                    )
            };
            let irregular = match &offence.played {
                Some(Played::Irregular(irregular)) => irregular,
                None if verdicts.iter().any(completed) => {
                    facts.push(Fact::Righted { pressed_at, side, overturned: true });
                    return false;
                }
                Some(Played::Legal(_)) | None => return true,
            };
            let Some(ply) = game.ply(offence.ply).filter(|ply| ply.is_exact() && ply.side == offence.side)
            else {
                return true;
            };
            let before = game.position_after(offence.ply - 1);
            let squares = differences(&irregular.board, ply.apply(&before).board());
            let by_hand = |change: &Change| {
                !change.dumped && squares.contains(change.square) && change.at > pressed_at + settle
            };
            let overturned = !changes.iter().any(by_hand);
            facts.push(Fact::Righted { pressed_at, side, overturned });
            false
        });
    }

    /// Forgets offences after a ply: they are known to be put right, and no later evidence overturns them.
    pub(super) fn forget_offences_after(&mut self, keep: u32) {
        self.progress.offences.retain(|offence| offence.ply <= keep);
    }

    /// Notes squares that read wrongly at a press, for when they read right again; returns those that are reported now. What only a
    /// dump has shown, or a line that damages, may be damaged: it waits for the next dump.
    pub(super) fn note_mismatch(&mut self, squares: Bitboard, pressed_at: Timestamp) -> Bitboard {
        let mut once = self.suspects.in_last_dump | self.suspects.since;
        if self.reporting.was_damaged_before(pressed_at) {
            once |= self.suspects.updated;
        }
        let confirmed = squares & !once;
        self.suspects.at_press |= confirmed;
        self.suspects.unconfirmed |= squares & !confirmed;
        confirmed
    }

    /// Notes that a dump is complete: reports pieces where none should stand that it shows as well.
    pub(super) fn confirm_mismatch(&mut self) {
        self.suspects.in_last_dump = std::mem::take(&mut self.suspects.since);
        self.suspects.updated = Bitboard::EMPTY;
        let waiting = std::mem::take(&mut self.suspects.unconfirmed);
        let Some(best) = self.hypotheses.first().filter(|_| waiting.any()) else { return };
        let board = self.window.board();
        let squares = waiting & board.occupied() & differences(best.position.board(), board);
        if squares.any() {
            self.suspects.at_press |= squares;
            self.facts.push(Fact::Mismatch { squares, cause: MismatchCause::Stray });
        }
    }

    /// Reports squares that have read wrongly at two judgements in a row.
    pub(super) fn suspect_squares(&mut self) {
        // What hypotheses that are almost as good as the best do not agree on is not said.
        let near = self.hypotheses.iter().take_while(|other| other.cost < decision::LIKELY);
        let corrupted =
            near.map(|other| differences(other.position.board(), self.window.board()) & other.faulty);
        let Some(odd) = corrupted.reduce(std::ops::BitAnd::bitand) else { return };
        let fresh = odd & self.suspects.once & !self.suspects.reported;
        self.suspects.once = odd;
        self.suspects.reported |= fresh;
        let board = self.window.board();
        let groups = [
            (fresh & !board.occupied() & !self.seen_squares, MismatchCause::Dead),
            (fresh & !board.occupied() & self.seen_squares, MismatchCause::Missing),
        ];
        for (squares, cause) in groups {
            if squares.any() {
                self.facts.push(Fact::Mismatch { squares, cause });
            }
        }
    }

    /// Notes that a square has reported something: it reads right again.
    pub(super) fn clear_suspect(&mut self, square: shakmaty::Square, dumped: bool, now: Timestamp) {
        self.suspects.in_last_dump.discard(square);
        let doubtful = self.expects_updates() || self.reporting.was_damaged_before(now);
        self.suspects.since.set(square, dumped && doubtful);
        self.suspects.updated.set(square, !dumped);
        self.suspects.once.discard(square);
        self.suspects.unconfirmed.discard(square);
        let at_press = self.suspects.at_press.remove(square);
        if self.suspects.reported.remove(square) || at_press {
            self.facts.push(Fact::MismatchCleared { squares: Bitboard::from(square) });
        }
    }
}
