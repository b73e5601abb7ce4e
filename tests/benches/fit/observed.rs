//! A game as a host heard it, beside the instants at which moves were made and the clock pressed.

use std::collections::BTreeMap;

use dgt_protocol::{Decoder, Message, Piece, Placement, Side};
use jadoube_core::time::Timestamp;
use shakmaty::{Color, Square, attacks};

use super::counted::Tally;

/// A piece that is read later than this stands beside the middle of its square, seconds. The slowest boards take less.
const OFF_CENTRE_S: f64 = 1.0;

/// A reading that comes later than this never comes, seconds.
const NEVER_S: f64 = 10.0;

/// A ply as it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) side: Color,
    /// When the piece was put down, seconds.
    pub(super) made: f64,
    /// When the clock was pressed, if it was.
    pub(super) pressed: Option<f64>,
}

/// What a board reported.
#[derive(Debug, Default)]
pub(super) struct Observed {
    rotated: bool,
    shown: Placement,
    /// By square: since when it shows what.
    squares: BTreeMap<Square, Vec<(f64, Piece)>>,
    /// When the clock was first reported to run for another side.
    levers: Vec<(f64, Side)>,
}

impl Observed {
    pub(super) fn new(rotated: bool) -> Self {
        Self { rotated, ..Self::default() }
    }

    /// Handles what was received.
    pub(super) fn receive(&mut self, decoder: &mut Decoder, mut bytes: &[u8], at: Timestamp) {
        while let Some(frame) = decoder.next_frame(&mut bytes) {
            let message = frame.message();
            if let Message::FieldUpdate { field, piece } = message {
                self.shown.set(field, piece);
                self.show(field.index(), piece, at);
            } else if let Message::BoardDump(placement) = message {
                for (field, piece) in placement.iter() {
                    if self.shown.set(field, piece) != piece {
                        self.show(field.index(), piece, at);
                    }
                }
            } else if let Message::Clock(report) = message
                && report.connected
                && report.running
                && self.levers.last().is_none_or(|(_, last)| *last != report.lever.active())
            {
                self.levers.push((at.as_secs(), report.lever.active()));
            }
        }
    }

    fn show(&mut self, index: usize, piece: Piece, at: Timestamp) {
        let index = if self.rotated { 63 - index } else { index };
        let Some(square) = u32::try_from(index).ok().map(Square::new) else { return };
        self.squares.entry(square.flip_vertical()).or_default().push((at.as_secs(), piece));
    }

    fn changes(&self, square: Square) -> &[(f64, Piece)] {
        self.squares.get(&square).map_or(&[], Vec::as_slice)
    }

    /// Returns what a square shows at an instant.
    fn shows(&self, square: Square, at: f64) -> Piece {
        let changes = self.changes(square);
        let after = changes.partition_point(|(when, _)| *when <= at);
        after.checked_sub(1).and_then(|last| changes.get(last)).map_or(Piece::Empty, |(_, piece)| *piece)
    }

    /// Counts what the plies of a game show.
    pub(super) fn count(&self, plies: &[Ply], tally: &mut Tally) {
        for (number, ply) in plies.iter().enumerate() {
            let before = number.checked_sub(1).and_then(|number| plies.get(number));
            self.count_ply(*ply, before, plies.get(number + 1), tally);
        }
    }

    fn count_ply(&self, ply: Ply, before: Option<&Ply>, next: Option<&Ply>, tally: &mut Tally) {
        let king = matches!(self.shows(ply.from, ply.made - 0.5).letter(), Some('K' | 'k'));
        if king && ply.from.distance(ply.to) > 1 {
            // Castling: king and rook are put down at two instants.
            return;
        }
        let begin = before.map_or(ply.made - NEVER_S, |before| before.made + 0.05);
        let end = next.map_or(f64::INFINITY, |next| next.made);
        let within = |square: Square, from: f64, until: f64| {
            self.changes(square).iter().filter(move |(at, _)| *at >= from && *at < until)
        };
        let read =
            within(ply.to, ply.made - 0.02, ply.made + NEVER_S).find(|(_, piece)| is_of(*piece, ply.side));
        // What is captured or goes on at once need not be read at all.
        let stays = next.is_none_or(|next| {
            (next.to != ply.to && next.from != ply.to) || next.made > ply.made + 2.0 * OFF_CENTRE_S
        });
        if let Some((at, _)) = read {
            tally.time("reading of a piece that was put down", at - ply.made);
            if stays {
                tally.count("sensors.off_centre", at - ply.made > OFF_CENTRE_S);
            }
        }
        if stays {
            tally.count("never read within 10 s", read.is_none());
        }
        let lifted =
            within(ply.from, begin, ply.made + 0.5).find(|(_, piece)| piece.is_empty()).map(|(at, _)| *at);
        if let (Some(lifted), Some((arrived, _))) = (lifted, read) {
            tally.time("in the hand", arrived - lifted);
            if is_of(self.shows(ply.to, begin), !ply.side) {
                let first = within(ply.to, begin, *arrived).any(|(_, piece)| piece.is_empty());
                tally.count("hands.victim", first);
            }
            let passed = attacks::between(ply.from, ply.to);
            if passed.any() {
                let slid = passed
                    .into_iter()
                    .any(|square| within(square, lifted, *arrived).any(|(_, piece)| is_of(*piece, ply.side)));
                tally.count("hands.slid", slid);
            }
        }
        if let Some(pressed) = before.and_then(|before| before.pressed).filter(|_| lifted.is_some()) {
            tally.count("moves.early_reply", lifted.is_some_and(|lifted| lifted < pressed));
        }
        let Some(pressed) = ply.pressed else { return };
        tally.time("from the placement to the press", pressed - ply.made);
        tally.count("pressed before the placement", pressed < ply.made);
        let until = next.and_then(|next| next.pressed).unwrap_or(end);
        let reported = self.levers.iter().find(|(at, _)| *at >= pressed && *at < until);
        if next.is_some_and(|next| next.pressed.is_some()) && !self.levers.is_empty() {
            tally.count("clock.unseen", reported.is_none());
        }
        if let Some((at, _)) = reported {
            tally.time("from the press to its report", at - pressed);
        }
    }
}

/// Returns whether this is a piece of a side.
fn is_of(piece: Piece, side: Color) -> bool {
    piece.letter().is_some_and(|letter| letter.is_ascii_uppercase() == side.is_white())
}
