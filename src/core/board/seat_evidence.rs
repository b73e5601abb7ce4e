//! What presses and squares show of the seats: whose pieces moved before which side pressed, and which way pawns went.

use std::time::Duration;

use arrayvec::ArrayVec;
use dgt_protocol::{Field, Piece, Placement, Side};
use shakmaty::Color;

use super::{Board, from_code};
use crate::{
    clock::color,
    model::{cost, decision, wait},
    time::Timestamp,
};

/// What stood on the board at the last press, and the press that is to be weighed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeatEvidence {
    /// What stood there, pieces in the opponent's hand included; `None` if nobody knows.
    reference: Option<Placement>,
    /// A press that is still to be weighed.
    due: Option<Due>,
    /// Empty fields that have reported to be empty since: what stood there was never reported.
    unseen: [Option<Field>; 2],
    /// Colours, White first, of which a piece has been lifted since the last press.
    touched: [bool; 2],
    /// Dumps since the last press.
    dumps: u8,
}

/// A press before which no colour alone was seen to have moved.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// When what was sensed late is in.
    at: Timestamp,
    pressed_at: Timestamp,
    side: Side,
    /// The only colour that had lifted something. What is lifted later is the other side's reply.
    lifted: Option<Color>,
    /// Colours, White first, of which a piece had been lifted or put down. What others move later is the reply.
    touched: [bool; 2],
    /// What had changed, if a piece had come from nowhere: its lift may be sensed late.
    nowhere: Option<Interval>,
}

impl SeatEvidence {
    /// Returns when the last press is to be weighed.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.due.map(|due| due.at)
    }

    /// Notes that an empty field reports to be empty.
    pub(super) const fn note_unseen(&mut self, field: Field) {
        self.unseen = [Some(field), self.unseen[0]];
    }

    /// Notes that a field that showed this has become empty.
    pub(super) fn note_lift(&mut self, was: Piece) {
        if let Some(piece) = from_code(was)
            && let Some(touched) = self.touched.get_mut(usize::from(piece.color.is_black()))
        {
            *touched = true;
        }
    }

    /// Goes on from a dump after the link was lost.
    pub(super) fn resume(&mut self, codes: &Placement) {
        self.reference.get_or_insert(*codes);
    }

    /// Begins anew from what stands on the board.
    pub(super) fn begin(&mut self, codes: Option<Placement>) {
        *self = Self { reference: codes, dumps: self.dumps, ..Self::default() };
    }
}

/// A list with one entry for each field at most.
type PerField<T> = ArrayVec<T, 64>;

/// What changed on the board from one press to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// What stands there now; what the other side has in its hand stands where it stood.
    pub(super) after: Placement,
    /// What the fields show now.
    shown: Placement,
    /// Colours that have reached a square.
    moved: [bool; 2],
    /// The only colour that has lifted something, if nothing that was lifted has reached a square.
    lifted: Option<Color>,
    /// A pawn that went from one field to another.
    pawn: Option<(Color, Field, Field)>,
    /// A piece has come from nowhere, to this field: it was in a hand when the board was first heard of, or nobody
    /// heard that it was put down or lifted.
    pub(super) from_nowhere: Option<(shakmaty::Piece, Field)>,
    /// Fields from which a piece may have gone that nobody saw.
    pub(super) unseen: [Option<Field>; 2],
}

impl Interval {
    fn of(before: &Placement, codes: &Placement) -> Self {
        let mut interval = Self {
            after: *before,
            shown: *codes,
            moved: [false; 2],
            lifted: None,
            pawn: None,
            from_nowhere: None,
            unseen: [None; 2],
        };
        // Nearly all fields show what they showed: only the others are looked at.
        let changed: PerField<(Field, Piece, Piece)> =
            before.differences(codes).map(|field| (field, before.get(field), codes.get(field))).collect();
        if changed.is_empty() {
            return interval;
        }
        let (mut vacated, mut reached) = (PerField::new(), PerField::new());
        for (field, was, is) in &changed {
            let (was, is) = (from_code(*was), from_code(*is));
            if was == is {
                continue;
            }
            vacated.extend(was.map(|piece| (*field, piece)));
            if let Some(piece) = is {
                if let Some(moved) = interval.moved.get_mut(usize::from(piece.color.is_black())) {
                    *moved = true;
                }
                reached.push((*field, piece));
            }
        }
        let count = |list: &[(Field, shakmaty::Piece)], piece| {
            list.iter().filter(|(_, other)| *other == piece).count()
        };
        let promoted = |color: Color| vacated.iter().any(|(_, piece)| *piece == color.pawn());
        let from_nowhere = reached.iter().find(|(_, piece)| {
            count(&reached, *piece) > count(&vacated, *piece) && !promoted(piece.color)
                || *piece == piece.color.pawn() && count(&reached, *piece) > count(&vacated, *piece)
        });
        interval.from_nowhere = from_nowhere.map(|(field, piece)| (*piece, *field));
        interval.pawn = interval.mover().and_then(|side| {
            let own = |(_, piece): &&(Field, shakmaty::Piece)| piece.color == side;
            let (mut vacated, mut reached) = (vacated.iter().filter(own), reached.iter().filter(own));
            match (vacated.next(), vacated.next(), reached.next(), reached.next()) {
                (Some((from, piece)), None, Some((to, arrived)), None)
                    if *piece == side.pawn() && piece == arrived =>
                {
                    Some((side, *from, *to))
                }
                _ => None,
            }
        });
        // Nothing that has come to stand was lifted from the board, as the queen of the wrong colour at a promotion.
        let only_nowhere = reached.iter().all(|(_, piece)| count(&vacated, *piece) == 0);
        let side = |color: Color| vacated.iter().any(|(_, piece)| piece.color == color);
        interval.lifted = match (only_nowhere, side(Color::White), side(Color::Black)) {
            (true, true, false) => Some(Color::White),
            (true, false, true) => Some(Color::Black),
            _ => None,
        };
        // Where nothing has moved, what was lifted is still to be put down.
        if !interval.is_empty() {
            interval.after = *codes;
        }
        // What the other side has done is its reply: what it has lifted stands again. Where both have moved, the move that was
        // under way came first.
        let mover = interval.mover().or(interval.from_nowhere.map(|(piece, _)| piece.color));
        if let Some(mover) = mover {
            for (field, was, is) in changed {
                let hand = from_code(if is == Piece::Empty { was } else { is });
                if hand.is_some_and(|piece| piece.color != mover) {
                    interval.after.set(field, was);
                }
            }
        }
        interval
    }

    /// Returns the only colour that has moved.
    pub(super) const fn mover(&self) -> Option<Color> {
        match self.moved {
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }

    /// Returns whether such a piece as came from nowhere has left another field since: that is where it came from.
    fn is_explained(&self, codes: &Placement) -> bool {
        let vacated = |(piece, to)| {
            let mut changed = self.after.differences(codes).filter(|field| *field != to);
            changed.any(|field| from_code(self.after.get(field)) == Some(piece))
        };
        self.from_nowhere.is_none_or(vacated)
    }

    /// Returns whether nothing has reached another square.
    pub(super) const fn is_empty(&self) -> bool {
        matches!(self.moved, [false, false])
    }
}

impl Board {
    /// What was put right before the clock started shows nothing of the seats.
    pub(super) fn begin_seat_evidence(&mut self) {
        if self.sensing.known && self.tracker.game().is_some_and(crate::game::Game::is_empty) {
            self.seat_evidence.begin(Some(self.sensing.codes));
        }
    }

    /// Handles a press; it is weighed at once if one colour alone has moved, otherwise when what is sensed late is in.
    pub(super) fn seat_evidence_of_press(&mut self, side: Side, seen: bool, now: Timestamp) {
        if !seen {
            // Two presses inside one poll: what moved before them is weighed with the next one.
            self.seat_evidence.due = None;
            return;
        }
        self.judge_press_before(now);
        if self.tracker.is_polled_by_dumps() {
            // The next dump shows what was moved before the press, and maybe the reply. With fewer dumps since the last press, what
            // it shows may be the reply alone.
            let is_plain = std::mem::take(&mut self.seat_evidence.dumps) >= decision::DUMPS_BETWEEN;
            let at = now + wait::SLOWEST_DUMPS;
            let due = Due { at, pressed_at: now, side, lifted: None, touched: [true; 2], nowhere: None };
            self.seat_evidence.due = is_plain.then_some(due);
            return;
        }
        let interval = self.interval();
        let lifted =
            interval.as_ref().and_then(|interval| match (interval.is_empty(), self.seat_evidence.touched) {
                (true, [true, false]) => Some(Color::White),
                (true, [false, true]) => Some(Color::Black),
                _ => interval.lifted,
            });
        let settle = Duration::from_millis(self.settings.board.settle_ms.into());
        let [white, black] = interval.as_ref().map_or([false; 2], |interval| interval.moved);
        let touched = [self.seat_evidence.touched[0] || white, self.seat_evidence.touched[1] || black];
        let nowhere = interval.filter(|interval| interval.from_nowhere.is_some());
        self.seat_evidence.due =
            Some(Due { at: now + settle, pressed_at: now, side, lifted, touched, nowhere });
        self.judge_interval(interval, false, now);
    }

    /// Weighs the last press by a dump, where nothing else shows what is played.
    pub(super) fn seat_evidence_of_dump(&mut self, now: Timestamp) {
        let is_first = self.seat_evidence.dumps == 0;
        self.seat_evidence.dumps = self.seat_evidence.dumps.saturating_add(1);
        if !self.tracker.is_polled_by_dumps() {
            return;
        }
        if self.seat_evidence.due.is_some() {
            self.judge_interval(self.interval(), true, now);
        } else if is_first {
            self.seat_evidence.reference = Some(self.sensing.codes);
        }
    }

    /// Returns what has changed since the last press.
    fn interval(&self) -> Option<Interval> {
        self.seat_evidence.reference.map(|before| Interval::of(&before, &self.sensing.codes))
    }

    /// Judges a press that still waits when the next one follows at once, if its side has moved before it, or a piece had come
    /// from nowhere.
    ///
    /// What that side moved would otherwise speak against the one that pressed without a move.
    fn judge_press_before(&mut self, now: Timestamp) {
        if let Some(Due { side, nowhere, .. }) = self.seat_evidence.due
            && let Some(interval) = self.interval()
            && (nowhere.is_some()
                || self.belief.knows(self.seats()) && interval.mover() == Some(color(side, self.white)))
        {
            self.judge_interval(Some(interval), true, now);
        }
    }

    /// Judges the last press when it is time.
    pub(super) fn judge_last_press(&mut self, now: Timestamp) {
        if self.seat_evidence.due.is_some_and(|due| due.at <= now) {
            self.judge_interval(self.interval(), true, now);
        }
    }

    /// Judges the last press by what has changed since the one before; without `force` only if one colour is seen to have moved.
    fn judge_interval(&mut self, interval: Option<Interval>, force: bool, now: Timestamp) {
        let (Some(Due { pressed_at, side, lifted, touched, nowhere, .. }), Some(mut interval)) =
            (self.seat_evidence.due, interval)
        else {
            self.seat_evidence.begin(self.sensing.known.then_some(self.sensing.codes));
            return;
        };
        if let Some(early) = nowhere.filter(|early| force && !early.is_explained(&self.sensing.codes)) {
            interval = early;
        }
        // It is the opponent's, and was put down before the move that was pressed for.
        let other = |(piece, _): &(shakmaty::Piece, Field)| piece.color != color(side, self.white);
        if interval.mover().is_none() && interval.from_nowhere.as_ref().is_some_and(other) {
            interval.after = interval.shown;
        }
        interval.unseen = self.seat_evidence.unseen;
        interval.lifted = lifted.filter(|_| interval.mover().is_none());
        if !force && (interval.mover().is_none() || interval.from_nowhere.is_some()) {
            return;
        }
        self.seat_evidence.reference = Some(interval.after);
        self.seat_evidence.due = None;
        self.seat_evidence.touched = [false; 2];
        // What left unseen before this press may come down before the next one, and no later.
        self.seat_evidence.unseen = [None, self.seat_evidence.unseen[0]];
        if self.tracker.is_playing() {
            let mut lever = None;
            // What White had taken up before the press may be put down where it is seen late.
            let [white_touched, _] = touched;
            let black_begins = self.black_begins(&interval, side).filter(|_| !white_touched);
            if black_begins.is_some() {
                self.belief.set_lever(Color::Black, side);
            }
            if !interval.is_empty() || interval.lifted.is_some() {
                lever = self.belief.settle_lever();
            } else if let Some(running) = self.clock.running() {
                self.take_lever(running, now);
            }
            let [white, black] = touched;
            let before = |mover: &Color| if mover.is_white() { white } else { black };
            if let Some(mover) = interval.mover().filter(before).filter(|_| interval.from_nowhere.is_none()) {
                self.belief.take_press(side, mover, lever);
            }
            if let Some(mover) = interval.lifted {
                self.belief.add(|seats| color(side, seats.white) != mover, cost::OTHER_COLOUR_LIFTED);
            }
            if let Some((mover, from, to)) = interval.pawn {
                // Fields are numbered from the eighth rank down.
                let down = from.number() / 8 < to.number() / 8;
                self.belief.add(|seats| (down == mover.is_white()) != seats.rotated, cost::PAWN_BACKWARDS);
            }
            self.take_interval(&interval, side, now);
            match black_begins {
                Some(first) => self.let_black_begin(first, (side, pressed_at), now),
                None => self.weigh_second_move(&interval, (side, pressed_at), now),
            }
        }
        self.review(now);
    }
}
