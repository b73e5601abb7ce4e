//! Corrections of the list of plies: some of it is replaced by other plies, and what follows stays as it was sensed.

use std::fmt::Write as _;

use shakmaty::{Board, Color};

use super::{Game, Irregular, Played, Ply, index};
use crate::position::{Position, destination};

/// A ply with what stood on the board after it.
#[derive(Clone, Debug)]
pub(crate) struct CutPly {
    ply: Ply,
    after: Board,
}

/// What a correction has changed, and how it is taken back.
#[derive(Clone, Debug)]
pub(crate) struct RecordEdit {
    /// Mark of the ply before it, 0 if it is at the start.
    anchor: u32,
    /// Plies that it took out.
    cut: Vec<CutPly>,
    /// Marks of those that it put in.
    entered: Vec<u32>,
    /// What was said beside the ply before it.
    remark: Option<Box<str>>,
    /// First ply that is another one now, or has another number.
    pub(crate) first: u32,
    /// Plies that it took out.
    pub(crate) removed: u32,
    /// Plies that it put in.
    pub(crate) added: u32,
}

impl RecordEdit {
    /// Returns whether something was said beside the ply before it.
    pub(crate) const fn has_remark(&self) -> bool {
        self.remark.is_some()
    }
}

impl Game {
    /// Replaces `removed` plies after the first `keep` by these.
    pub(crate) fn replace_plies(&mut self, keep: u32, removed: u32, with: Vec<CutPly>) -> RecordEdit {
        debug_assert!(keep + removed <= self.len(), "{keep} and {removed} of {} plies", self.len());
        let anchor = self.ply(keep).map_or(0, |ply| ply.mark);
        let remark = self.remark_after(keep).map(Into::into);
        let mut cut = self.cut_after(keep);
        let place = usize::try_from(removed).unwrap_or(usize::MAX).min(cut.len());
        let rest = cut.split_off(place);
        self.truncate(keep);
        let added = with.len();
        for ply in with.into_iter().chain(rest) {
            self.push_again(ply);
        }
        let of_edit = self.plies.iter().skip(usize::try_from(keep).unwrap_or(usize::MAX)).take(added);
        let entered = of_edit.map(|ply| ply.mark).collect();
        let removed = u32::try_from(cut.len()).unwrap_or(u32::MAX);
        let added = u32::try_from(added).unwrap_or(u32::MAX);
        RecordEdit { anchor, cut, entered, remark, first: keep + 1, removed, added }
    }

    /// Undoes a correction. Returns what has changed, by which that is taken back in its turn; the number of the first ply that is in
    /// its way if the plies that it put in are not there any more.
    pub(crate) fn take_edit_back(&mut self, edit: &RecordEdit) -> Result<RecordEdit, u32> {
        debug_assert_eq!(
            usize::try_from(edit.added),
            Ok(edit.entered.len()),
            "each ply that was put in has its mark"
        );
        let place = |mark: u32| self.plies.iter().position(|ply| ply.mark == mark).ok_or(edit.first);
        // What it put in is found wherever it is now; what it only took out stood after the ply before.
        let keep = match edit.entered.first() {
            Some(first) => place(*first)?,
            None if edit.anchor == 0 => 0,
            None => place(edit.anchor)? + 1,
        };
        let keep = u32::try_from(keep).unwrap_or(u32::MAX);
        for (number, mark) in (keep + 1..).zip(&edit.entered) {
            if self.ply(number).is_none_or(|ply| ply.mark != *mark) {
                return Err(number);
            }
        }
        let back = self.replace_plies(keep, edit.added, edit.cut.clone());
        self.set_remark(keep, edit.remark.clone());
        Ok(back)
    }

    /// Writes plies that are to be cut as a remark beside the ply before them.
    pub(crate) fn remark_on_cut(&mut self, keep: u32, edit: &RecordEdit) {
        if edit.cut.is_empty() {
            return;
        }
        let mut text = self.remark_after(keep).map_or_else(String::new, |before| format!("{before}; "));
        text.push_str("taken back:");
        let mut number = fullmoves(&self.position_after(keep));
        for (place, cut) in edit.cut.iter().enumerate() {
            let is_black = cut.ply.side.is_black();
            match (is_black, place) {
                (false, _) => write!(text, " {number}.").unwrap_or_default(),
                (true, 0) => write!(text, " {number}...").unwrap_or_default(),
                (true, _) => {}
            }
            write!(text, " {}", cut.ply.san).unwrap_or_default();
            number = number.saturating_add(u32::from(is_black));
        }
        self.set_remark(keep, Some(text.into()));
    }

    fn remark_after(&self, keep: u32) -> Option<&str> {
        self.ply(keep).map_or(&self.remark, |ply| &ply.remark).as_deref()
    }

    fn set_remark(&mut self, keep: u32, remark: Option<Box<str>>) {
        debug_assert!(keep <= self.len(), "ply {keep} of {}", self.len());
        match index(keep).and_then(|index| self.plies.get_mut(index)) {
            Some(ply) => ply.remark = remark,
            // It is emitted beside the first ply, once there is one.
            None => match self.plies.first_mut() {
                Some(first) => first.remark = remark,
                None => self.remark = remark,
            },
        }
    }

    /// Returns the plies after the first `keep`.
    fn cut_after(&self, keep: u32) -> Vec<CutPly> {
        debug_assert!(keep <= self.len(), "{keep} of {} plies", self.len());
        let mut position = self.position_after(keep);
        let after = |ply: &Ply| {
            position = ply.apply(&position);
            CutPly { ply: ply.clone(), after: position.board().clone() }
        };
        self.plies.iter().skip(usize::try_from(keep).unwrap_or(usize::MAX)).map(after).collect()
    }

    /// Appends a ply that was in the list before, or that an order enters. A move that is not legal here leaves the board as it was.
    fn push_again(&mut self, cut: CutPly) {
        let CutPly { ply, after } = cut;
        let passed = (self.position.turn() != ply.side).then(|| self.position.pass());
        let played = again(&ply.played, passed.as_ref().unwrap_or(&self.position), after);
        let number = self.push(ply.side, played, ply.made_at, ply.confidence);
        if let Some(last) = index(number).and_then(|index| self.plies.get_mut(index)) {
            last.completed = ply.completed;
            last.clock = ply.clock;
            last.inferred = ply.inferred;
            last.entered = ply.entered;
            last.remark = ply.remark.or_else(|| last.remark.take());
            if ply.mark != 0 {
                last.mark = ply.mark;
            }
        }
    }
}

impl CutPly {
    /// Makes a ply that an order enters, for a side to move.
    pub(crate) fn entered(played: Played, before: &Position, at: crate::time::Timestamp) -> Self {
        let side = before.turn();
        let after = played.apply(before).board().clone();
        let displaced = played.is_beside_displaced(before);
        let ply = Ply {
            side,
            played,
            uci: super::UciText::new(),
            san: super::SanText::new(),
            completed: true,
            confidence: super::Confidence::Certain,
            clock: None,
            made_at: at,
            key: 0,
            halfmoves: 0,
            inferred: None,
            entered: true,
            displaced,
            remark: None,
            mark: 0,
        };
        Self { ply, after }
    }

    /// Notes that nobody saw it, and that so many other paths remained.
    pub(crate) const fn inferred(mut self, others: u32) -> Self {
        self.ply.inferred = Some(others);
        self
    }

    /// Handles what the record says beside it.
    pub(crate) fn remarked(mut self, remark: String) -> Self {
        self.ply.remark = Some(remark.into());
        self
    }

    /// Returns the ply, to be filled in.
    pub(super) const fn ply_mut(&mut self) -> &mut Ply {
        &mut self.ply
    }

    /// Notes who has moved.
    pub(crate) const fn of(mut self, side: Color) -> Self {
        self.ply.side = side;
        self
    }

    /// Handles what the clock showed when it was completed.
    pub(crate) const fn with_clock(mut self, clock: Option<super::Times>) -> Self {
        self.ply.clock = clock;
        self
    }
}

/// Returns a ply as it is on this position: the same move if it is legal here, else what it left on the board.
fn again(played: &Played, before: &Position, after: Board) -> Played {
    let (from, to, promotion) = match played {
        Played::Irregular(irregular) if irregular.set.is_some() => return played.clone(),
        Played::Irregular(irregular) => (irregular.from, irregular.to, irregular.promotion),
        Played::Legal(m) => {
            if before.is_legal(*m) {
                return played.clone();
            }
            let Some(from) = m.from() else { return played.clone() };
            (from, destination(*m), m.promotion())
        }
    };
    let found = before.find(from, to, promotion);
    let is_same = |m: &shakmaty::Move| played.is_legal() || before.board_after(*m) == after;
    match found.filter(is_same) {
        Some(m) => Played::Legal(m),
        None => Played::Irregular(Box::new(Irregular { from, to, promotion, board: after, set: None })),
    }
}

/// Returns the number of the move that is to be played.
fn fullmoves(position: &Position) -> u32 {
    position.fen().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}
