//! Recognises what is wrong with a board by what it says: squares that lose their piece for moments, wrong codes,
//! pieces that are noticed late, changes that only a dump shows.
//!
//! A hand that puts a piece right looks like a weak square, so only repetition counts, and only what is too quick for a
//! hand; a piece that becomes another one of its colour and changes back within a second was no hand's work. Each fault
//! is named once a game.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Piece, Rank, Square};

use super::{Tracker, cost};
use crate::{
    fact::{Change, Fact, MismatchCause},
    model::sensors,
    time::Timestamp,
};

/// What has been seen of a board's faults.
#[derive(Clone, Debug, Default)]
pub(super) struct SensorFaults {
    /// The last changes, oldest first.
    recent: ArrayVec<Change, { sensors::RECENT }>,
    /// When which square had lost its piece for a moment.
    blinks: ArrayVec<(Timestamp, Square), { sensors::MOST_BLINKS }>,
    /// Changes that a dump showed, while an update may still report them, too.
    unreported_changes: ArrayVec<Change, { sensors::RECENT }>,
    late: u8,
    /// Changes that came as updates, and those of squares that work which did not.
    reported: u32,
    unreported: u32,
    /// Squares counted as such, until they report again.
    lost: Bitboard,
    /// Whether changes have gone unreported in this game.
    loses: bool,
    /// What has been named in this game.
    named: ArrayVec<MismatchCause, 4>,
    /// Weak squares named in this game.
    weak: Bitboard,
}

impl SensorFaults {
    /// Begins a game; what the board loses it goes on losing.
    pub(super) fn forget(&mut self) {
        *self = Self { reported: self.reported, unreported: self.unreported, ..Self::default() };
    }

    /// Notes that changes of these squares, which work, were not reported; each counts until the square reports again.
    pub(super) fn note_lost(&mut self, squares: Bitboard) {
        let news = (squares & !self.lost).count();
        self.unreported = self.unreported.saturating_add(u32::try_from(news).unwrap_or(u32::MAX));
        self.lost |= squares;
    }

    /// Returns whether so many changes were reported, and none is known to be lost, that a move of which nothing was
    /// reported need not be thought of.
    pub(super) const fn is_proven(&self) -> bool {
        self.unreported == 0 && self.reported >= sensors::PROVEN
    }

    /// Returns whether more changes have been lost than a sound board loses.
    pub(super) fn loses_more_than_a_sound_one(&self) -> bool {
        self.cost_of_loss() < sensors::SOUND_LOSS
    }

    /// Returns whether pieces come in time, and nothing is known to have gone unreported.
    pub(super) fn reports_all(&self) -> bool {
        !self.is_late() && !self.loses_updates() && !self.loses_more_than_a_sound_one()
    }

    /// Returns what it costs that this board has not reported a change: its rate so far, beside a few reports of a sound
    /// board.
    pub(super) fn cost_of_loss(&self) -> u32 {
        let lost = f64::from(self.unreported) + sensors::SOUND_LOST;
        cost::of_one_in((f64::from(self.reported) + sensors::SOUND_REPORTS) / lost).min(cost::LOST_UPDATE)
    }

    /// Notes that a square has reported by itself what a dump may have shown before. If its piece `returns`, it had been taken up, and no
    /// report of it was lost.
    fn take_report(&mut self, square: Square, returns: bool) {
        self.reported = self.reported.saturating_add(1);
        if self.lost.remove(square) && returns {
            self.unreported = self.unreported.saturating_sub(1);
        }
        self.unreported_changes.retain(|unreported_changes| unreported_changes.square != square);
    }

    /// Returns whether pieces come late so often that the board is to blame.
    pub(super) const fn is_late(&self) -> bool {
        self.late >= sensors::LATE
    }

    /// Returns whether changes have gone unreported.
    pub(super) fn loses_updates(&self) -> bool {
        self.loses
    }

    /// Handles a change; returns what is wrong with which squares, if that is news. `from_unseen` says whether such a piece may come
    /// from where nobody sees it, `sound` whether line and times can be trusted, `clear` whether the line has damaged nothing of late.
    fn take(
        &mut self,
        change: Change,
        from_unseen: bool,
        sound: bool,
        clear: bool,
    ) -> Option<(MismatchCause, Bitboard)> {
        let found_by_dump = self.unreported_by_dump(change, clear);
        let found = found_by_dump
            .or_else(|| if change.dumped || !sound { None } else { self.compare(change, from_unseen) });
        if self.recent.is_full() {
            self.recent.remove(0);
        }
        self.recent.push(change);
        found
    }

    /// Compares a change with the one before it on its square.
    fn compare(&mut self, change: Change, from_unseen: bool) -> Option<(MismatchCause, Bitboard)> {
        let before = self.recent.iter().rfind(|before| before.square == change.square)?;
        let since = change.at.since(before.at);
        // What is read at once has waited: no pass over the squares shows one of them twice.
        if before.dumped || before.was != change.is || since > sensors::MOMENT || since.is_zero() {
            return None;
        }
        match (before.was, before.is) {
            // Another colour may be a capture and its recapture.
            (Some(was), Some(is)) if was.color == is.color => {
                self.name(MismatchCause::WrongCode, change.square.into())
            }
            (Some(_), None) if change.at.since(before.at) <= sensors::BLINK => {
                self.blink(change.square, change.at)
            }
            (None, Some(piece)) if !from_unseen && !self.was_taken_up(piece) => {
                self.name(MismatchCause::Stray, change.square.into())
            }
            (Some(_) | None, _) => None,
        }
    }

    /// Returns whether a hand may have carried such a piece over a square, or adjusted the one that stands there.
    fn was_taken_up(&self, piece: Piece) -> bool {
        self.recent.iter().any(|change| change.was == Some(piece))
    }

    fn blink(&mut self, square: Square, at: Timestamp) -> Option<(MismatchCause, Bitboard)> {
        self.blinks.retain(|(when, _)| at.since(*when) < sensors::MEMORY);
        if self.blinks.is_full() {
            self.blinks.remove(0);
        }
        self.blinks.push((at, square));
        let here = self.blinks.iter().filter(|(_, other)| *other == square).count();
        if here < sensors::BLINKS || self.weak.contains(square) {
            return None;
        }
        self.weak.add(square);
        Some((MismatchCause::Weak, square.into()))
    }

    /// Handles a change that a dump showed, or that an update reports now; returns which stay unreported. On a line that damages, the report
    /// was damaged, or the dump: the noise is reported, and nothing else is wrong.
    fn unreported_by_dump(&mut self, change: Change, clear: bool) -> Option<(MismatchCause, Bitboard)> {
        let reverted = |unreported_changes: &Change| {
            unreported_changes.square == change.square && unreported_changes.was == change.is
        };
        if change.dumped && self.unreported_changes.iter().any(reverted) {
            // The dump before was damaged, and nothing had changed.
            self.unreported_changes.retain(|unreported_changes| unreported_changes.square != change.square);
            return None;
        }
        let due = |unreported_changes: &&Change| change.at.since(unreported_changes.at) > sensors::MOMENT;
        let squares: Bitboard = self
            .unreported_changes
            .iter()
            .filter(due)
            .map(|unreported_changes| unreported_changes.square)
            .collect();
        self.note_lost(squares);
        self.unreported_changes
            .retain(|unreported_changes| change.at.since(unreported_changes.at) <= sensors::MOMENT);
        if change.dumped && !self.unreported_changes.is_full() {
            self.unreported_changes.push(change);
        }
        self.loses |= squares.any();
        if squares.any() && clear { self.name(MismatchCause::Unreported, squares) } else { None }
    }

    fn name(&mut self, cause: MismatchCause, squares: Bitboard) -> Option<(MismatchCause, Bitboard)> {
        if self.named.contains(&cause) || self.named.try_push(cause).is_err() {
            return None;
        }
        Some((cause, squares))
    }
}

impl Tracker {
    /// Notes that a square has reported by itself what it shows.
    pub(super) fn take_report(&mut self, square: Square, piece: Option<Piece>) {
        let best = self.hypotheses.first();
        let wanted = best.and_then(|best| best.position.board().piece_at(square));
        let returns = piece.is_some() && piece == wanted && self.window.board().piece_at(square).is_none();
        self.sensor_faults.take_report(square, returns);
    }

    /// Looks at a change for what is wrong with the board.
    pub(super) fn notice(&mut self, change: Change) {
        if !change.dumped || self.expects_updates() {
            let board = self.window.board();
            let before_last = |side: Color| Bitboard::from(side.fold_wb(Rank::Seventh, Rank::Second));
            let promotes = Bitboard::BACKRANKS.contains(change.square)
                || Color::ALL.into_iter().any(|side| (board.by_piece(side.pawn()) & before_last(side)).any());
            // It stands on a square that shows nothing, and is moved on over others.
            let hidden = self
                .hypotheses
                .first()
                .zip(change.was)
                .is_some_and(|(best, piece)| (best.faulty & best.position.board().by_piece(piece)).any());
            let sound = self.reporting.damage == 0 && !self.reporting.noisy;
            let sound = sound && !self.reporting.ignored_timing_at(change.at);
            let clear = !self.reporting.was_damaged_before(change.at);
            let found = self.sensor_faults.take(change, promotes || hidden, sound, clear);
            self.facts.extend(found.map(|(cause, squares)| Fact::Mismatch { squares, cause }));
            // It has just gone off the square again.
            let gone = found.filter(|(cause, _)| *cause == MismatchCause::Stray);
            self.facts.extend(gone.map(|(_, squares)| Fact::MismatchCleared { squares }));
        }
    }

    /// Returns whether a change is reported by an update: after a gap, or where dumps are all there is, none is to be expected.
    pub(super) const fn expects_updates(&self) -> bool {
        self.reporting.updates && !self.window.gap && !self.reporting.polled
    }

    /// Notes that a piece came down after its press, or was never seen to.
    pub(super) fn note_late(&mut self, square: Square) {
        self.sensor_faults.late = self.sensor_faults.late.saturating_add(1);
        if self.sensor_faults.is_late()
            && let Some((cause, squares)) = self.sensor_faults.name(MismatchCause::Late, square.into())
        {
            self.facts.push(Fact::Mismatch { squares, cause });
        }
    }
}
