//! Owns one board's decoding: messages and times go in, claims and games come out.
//!
//! How the board lies is not known at first: two beams follow it until one is far more likely. On which side of the clock White sits is
//! part of each token.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use dgt_protocol::{Message, Placement, Side};
use shakmaty::{Board, CastlingMode, Color, Piece, Square};

use super::{
    beam::Beam,
    claims::Belief,
    moment::Moment,
    params::Params,
    position::World,
    publish::{ClaimReport, ClaimReporter, Listed, describe, list},
};
use crate::{
    clock::{ChessClock, Tick},
    position::Position,
    time::Timestamp,
};

/// By how much one orientation has to lead: 400 times as likely.
const KNOWN: i64 = 6 * 256;

/// Plies after which a start position that stands again is another game.
const SAME_GAME: u32 = 3;

/// Most outputs that wait.
const WAITING: usize = 256;

/// Something that has become known.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A claim is reported, changes or is withdrawn.
    Claim(ClaimReport),
    /// A flag has fallen.
    Flag {
        /// Whose.
        side: Color,
        /// The last ply before it.
        ply: u32,
    },
    /// A game is over, with its moves.
    Game(Vec<Listed>),
}

/// A board as it lies in one of two ways.
#[derive(Clone, Debug)]
struct View {
    rotated: bool,
    beam: Beam,
    reporter: ClaimReporter,
}

/// What follows a board.
#[derive(Clone, Debug)]
pub struct Follower {
    params: Params,
    start: World,
    mode: CastlingMode,
    origin: Timestamp,
    clock: ChessClock,
    views: ArrayVec<View, 2>,
    /// Nothing has been heard since the link came up.
    gap: bool,
    /// Flags that were reported in this game.
    flags: ArrayVec<Color, 2>,
    outputs: VecDeque<(Timestamp, Output)>,
}

impl Follower {
    /// Makes one for a board of which nothing is known; games start from `start`.
    #[must_use]
    pub fn new(params: &Params, start: &Position) -> Self {
        Self {
            params: *params,
            start: World::of(start),
            mode: start.mode(),
            origin: Timestamp::ZERO,
            clock: ChessClock::default(),
            views: ArrayVec::new(),
            gap: false,
            flags: ArrayVec::new(),
            outputs: VecDeque::new(),
        }
    }

    /// Notes that the link came up: what the board shows next may differ by any number of plies.
    pub fn handle_link_up(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        self.gap = !self.views.is_empty();
        self.clock.forget();
    }

    /// Handles a message of the board.
    pub fn handle_message(&mut self, message: &Message<'_>, now: Timestamp) {
        self.handle_timeout(now);
        match message {
            Message::BoardDump(placement) => self.handle_dump(placement, now),
            Message::FieldUpdate { field, piece } => {
                self.handle_square(field.number(), piece.letter().and_then(Piece::from_char), now);
            }
            Message::Clock(report) => {
                let ticks = self.clock.handle_report(*report, now);
                self.handle_ticks(&ticks, now);
            }
            // Nothing of these bears on play.
            Message::ClockAck(_)
            | Message::ClockZero
            | Message::Serial(_)
            | Message::LongSerial(_)
            | Message::BusAddress(_)
            | Message::Trademark(_)
            | Message::Version(_)
            | Message::HardwareVersion(_)
            | Message::Battery(_)
            | Message::DraughtsDump { .. }
            | Message::BoardDump100(_)
            | Message::EventLog(_)
            | Message::Idle
            | Message::Unknown { .. }
            | Message::Malformed { .. } => {}
        }
        self.settle_orientation();
    }

    /// Returns when to call [`Follower::handle_timeout`].
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        let looks = self.known().and_then(|view| view.reporter.deadline());
        let looks = looks.map(|due| due.timestamp(self.origin));
        [looks, self.clock.deadline()].into_iter().flatten().min()
    }

    /// Handles the time.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        let moment = self.moment(now);
        while self.look(moment) {}
        if self.clock.deadline().is_some_and(|due| due <= now) {
            let ticks = self.clock.handle_timeout(now);
            self.handle_ticks(&ticks, now);
        }
    }

    /// Ends the recording: the game so far is emitted.
    pub fn finish(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        let moment = self.moment(now);
        for view in &mut self.views {
            view.beam.search(moment, self.params.search.depth_at_rest);
        }
        self.report_game(now);
    }

    /// Returns the next thing that has become known, and when it did.
    pub fn poll_output(&mut self) -> Option<(Timestamp, Output)> {
        self.outputs.pop_front()
    }

    /// Returns the posterior of what a press completed, the most probable first.
    pub fn beliefs(&mut self, press: u32, pressed: Timestamp, now: Timestamp) -> Vec<Belief> {
        let (pressed, now) = (self.moment(pressed), self.moment(now));
        self.views.first_mut().map_or_else(Vec::new, |view| view.beam.beliefs(press, pressed, now))
    }

    /// Returns the number of presses that were heard of in this game; the last one has this number.
    #[must_use]
    pub fn presses(&self) -> u32 {
        self.views.first().map_or(0, |view| view.beam.presses)
    }

    /// Returns the moves of the best story.
    #[must_use]
    pub fn moves(&self) -> Vec<Listed> {
        self.lead().and_then(|view| view.beam.best()).map_or_else(Vec::new, |token| list(token, self.mode))
    }

    /// Describes the best stories, one line each, for whoever wants to know why something was reported.
    #[must_use]
    pub fn stories(&self, most: usize) -> Vec<String> {
        let tokens = self
            .views
            .iter()
            .flat_map(|view| view.beam.tokens.iter().take(most).map(move |token| (view, token)));
        tokens.map(|(view, token)| format!("{} {}", view.beam.base, describe(token, view.rotated))).collect()
    }

    /// Returns how many stories are alive, and how many were looked at so far.
    #[must_use]
    pub fn effort(&self) -> (usize, u64) {
        let alive = self.views.iter().map(|view| view.beam.tokens.len()).sum();
        (alive, self.views.iter().map(|view| view.beam.made).sum())
    }

    fn moment(&self, at: Timestamp) -> Moment {
        Moment::new(at, self.origin)
    }

    /// Returns the board as it lies, if that is known.
    fn known(&self) -> Option<&View> {
        let [view] = self.views.as_slice() else { return None };
        Some(view)
    }

    /// Returns the board as it probably lies.
    fn lead(&self) -> Option<&View> {
        self.views.iter().min_by_key(|view| view.beam.base)
    }

    fn look(&mut self, now: Moment) -> bool {
        let [view] = self.views.as_mut_slice() else { return false };
        let (origin, outputs) = (self.origin, &mut self.outputs);
        view.reporter
            .look(&mut view.beam, now, |claim, at| push(outputs, at.timestamp(origin), Output::Claim(claim)))
    }

    fn handle_dump(&mut self, placement: &Placement, now: Timestamp) {
        if self.views.is_empty() {
            self.begin(placement, now);
            return;
        }
        let (gap, moment) = (std::mem::take(&mut self.gap), self.moment(now));
        for view in &mut self.views {
            view.beam.handle_dump(&board_of(placement, view.rotated), gap, moment);
        }
    }

    /// Handles the first placement.
    fn begin(&mut self, placement: &Placement, now: Timestamp) {
        self.origin = now;
        let moment = self.moment(now);
        let boards = [false, true].map(|rotated| (rotated, board_of(placement, rotated)));
        let known = boards.iter().find(|(_, board)| *board == self.start.board).map(|(rotated, _)| *rotated);
        for (rotated, board) in boards {
            if known.is_none_or(|known| known == rotated) {
                let beam = Beam::new(board, self.start.clone(), &self.params, moment);
                self.views.extend([View { rotated, beam, reporter: ClaimReporter::default() }]);
            }
        }
    }

    fn handle_square(&mut self, number: u8, is: Option<Piece>, now: Timestamp) {
        let moment = self.moment(now);
        for view in &mut self.views {
            view.beam.handle_square(square_of(number, view.rotated), is, moment);
        }
        let over = |view: &View| {
            view.beam.shows_start() && view.beam.best().is_some_and(|token| token.plies() > SAME_GAME)
        };
        if self.known().is_some_and(over) {
            self.report_game(now);
            self.flags.clear();
            for view in &mut self.views {
                view.beam.restart(moment);
            }
        }
    }

    fn handle_ticks(&mut self, ticks: &[Tick], now: Timestamp) {
        let moment = self.moment(now);
        for tick in ticks {
            for view in &mut self.views {
                view.beam.sensed.clock |=
                    matches!(tick, Tick::Connected(true) | Tick::Pressed { .. } | Tick::Started { .. });
                match *tick {
                    Tick::Pressed { side, seen, .. } => {
                        let press = view.beam.handle_press(side == Side::Left, seen, moment);
                        view.reporter.note(press, &view.beam, moment);
                    }
                    Tick::Started { side, .. } => view.beam.handle_start(side == Side::Left, moment),
                    Tick::Stopped => view.beam.handle_stop(moment),
                    Tick::Flag { .. } | Tick::Connected(_) | Tick::LowBattery(_) | Tick::Shows => {}
                }
            }
            if let Tick::Flag { side, .. } = *tick {
                self.report_flag(side == Side::Left, now);
            }
        }
    }

    fn report_flag(&mut self, left: bool, now: Timestamp) {
        let Some(token) = self.known().and_then(|view| view.beam.best()) else { return };
        let (side, ply) = (token.color_at(left), token.plies());
        if !self.flags.contains(&side) {
            self.flags.extend([side]);
            push(&mut self.outputs, now, Output::Flag { side, ply });
        }
    }

    fn report_game(&mut self, now: Timestamp) {
        let moves = self.moves();
        if !moves.is_empty() {
            push(&mut self.outputs, now, Output::Game(moves));
        }
    }

    /// Drops the way in which the board does not lie.
    fn settle_orientation(&mut self) {
        let [plain, rotated] = self.views.as_slice() else { return };
        let lead = rotated.beam.base - plain.beam.base;
        if lead.abs() > KNOWN {
            self.views.remove(usize::from(lead > 0));
        }
    }
}

/// Adds an output; of too many, the oldest is lost.
fn push(outputs: &mut VecDeque<(Timestamp, Output)>, at: Timestamp, output: Output) {
    if outputs.len() >= WAITING {
        outputs.pop_front();
    }
    outputs.push_back((at, output));
}

/// Returns the square of a field, on a board that lies one way or the other.
fn square_of(number: u8, rotated: bool) -> Square {
    let number = if rotated { 63_u8.saturating_sub(number) } else { number };
    Square::try_from(number).map_or(Square::A1, Square::flip_vertical)
}

fn board_of(placement: &Placement, rotated: bool) -> Board {
    let mut board = Board::empty();
    for (field, piece) in placement.iter() {
        if let Some(piece) = piece.letter().and_then(Piece::from_char) {
            board.set_piece_at(square_of(field.number(), rotated), piece);
        }
    }
    board
}

#[cfg(test)]
mod tests;
