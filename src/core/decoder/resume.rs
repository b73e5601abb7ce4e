//! Owns the decoding of some plies from a known position on: what was sensed since goes in, posteriors of presses come out.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Square};

use super::{
    attempt::Attempted,
    beam::Beam,
    claims::Belief,
    moment::Moment,
    params::Params,
    position::{Ply, World},
    reading::ReadPly,
    token::Completed,
};
use crate::{alert::Probability, game::Irregular, position::Position, time::Timestamp};

/// A legal move that the decoder reads, completed by a press.
#[derive(Clone, Copy, Debug)]
pub struct ReadMove {
    /// The move.
    pub played: Move,
    /// Who made it.
    pub side: Color,
    /// When the board showed it.
    pub made_at: Timestamp,
    /// How probable it is that it was made after the moves before it.
    pub p: Probability,
}

/// What a press completed, and the position before it.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The position before it.
    pub before: Position,
    /// The ply, unless it has been taken back since, or there was none.
    pub played: Option<Irregular>,
    /// Whether it was the second one of its turn.
    pub twice: bool,
    /// Whether pieces lie amiss now.
    pub amiss: bool,
    /// Its number from the known position on; without a ply that of the last one before it.
    pub ply: u32,
}

/// A decoder that begins with a position that is known. Plies are counted from there, presses from 1.
#[derive(Clone, Debug)]
pub struct Decoder {
    origin: Timestamp,
    start: Position,
    beam: Beam,
}

impl Decoder {
    /// Begins with a position and what the board shows of it at that instant.
    ///
    /// Squares that are known to be faulty are `faulty`: what they do not show is paid for. `running` is the side whose time runs; without one
    /// the clock stands.
    #[must_use]
    pub fn at(
        position: &Position,
        shown: &Board,
        faulty: Bitboard,
        running: Option<Color>,
        params: &Params,
        now: Timestamp,
    ) -> Self {
        let moment = Moment::new(now, now);
        let mut beam = Beam::resume(World::of(position), shown.clone(), faulty, params, moment);
        if running.is_none() {
            beam.handle_stop(moment);
        }
        Self { origin: now, start: position.clone(), beam }
    }

    /// Handles what a square shows.
    pub fn handle_square(&mut self, square: Square, is: Option<Piece>, now: Timestamp) {
        let now = self.moment(now);
        self.beam.handle_square(square, is, now);
    }

    /// Handles a press; returns its number. `seen`: the lever was seen to move.
    pub fn handle_press(&mut self, side: Color, seen: bool, now: Timestamp) -> u32 {
        let now = self.moment(now);
        self.beam.handle_press(side.is_white(), seen, now)
    }

    /// Notes that the time of a side runs, after it stood.
    pub fn handle_start(&mut self, side: Color, now: Timestamp) {
        let now = self.moment(now);
        self.beam.handle_start(side.is_white(), now);
    }

    /// Notes that the clock stands.
    pub fn handle_stop(&mut self, now: Timestamp) {
        let now = self.moment(now);
        self.beam.handle_stop(now);
    }

    /// Notes that time has passed.
    pub fn look(&mut self, now: Timestamp) {
        let now = self.moment(now);
        self.beam.search(now, self.beam.params.search.depth_at_rest);
    }

    /// Returns the posterior of what a press completed, the most probable first; nothing if it was too long ago.
    pub fn beliefs(&mut self, press: u32, pressed: Timestamp, now: Timestamp) -> Vec<Belief> {
        let (pressed, now) = (self.moment(pressed), self.moment(now));
        self.beam.beliefs(press, pressed, now)
    }

    /// Returns what a press completed, in the best of the stories in which it was such a thing.
    #[must_use]
    pub fn attempt(&self, press: u32, what: Completed) -> Option<Attempt> {
        let Attempted { before, made, amiss, number } = self.beam.attempted(press, what)?;
        let mut attempt = Attempt {
            before: before.position(self.start.mode()),
            played: None,
            twice: false,
            amiss,
            ply: number,
        };
        if let Some(made) = made {
            let Ply { from, to, promotion, .. } = made.ply;
            let mut after = before.clone();
            after.make(made.ply);
            attempt.twice = made.twice && before.is_legal(made.ply, &after);
            attempt.played = Some(Irregular { from, to, promotion, board: after.board, set: None });
        }
        Some(attempt)
    }

    /// Returns the moves that were pressed since the beginning, if they are legal and lead to what the board shows, with what hands have begun
    /// since.
    pub fn moves(&mut self, now: Timestamp) -> Option<Vec<ReadMove>> {
        let plies = self.beam.reading(Moment::new(now, self.origin))?;
        let mut position = self.start.clone();
        let mut read = |ply: ReadPly| {
            let played = position.find(ply.from, ply.to, ply.promotion)?;
            let side = position.turn();
            position = position.play(played);
            let made_at = ply.shown.timestamp(self.origin);
            let p = Probability::new(ply.p);
            (side == ply.side).then_some(ReadMove { played, side, made_at, p })
        };
        plies.into_iter().map(&mut read).collect()
    }

    /// Returns the table by which a probability becomes a word.
    #[must_use]
    pub const fn params(&self) -> &Params {
        &self.beam.params
    }

    fn moment(&self, at: Timestamp) -> Moment {
        Moment::new(at, self.origin)
    }
}

#[cfg(test)]
mod tests;
