//! Owns how probable an accusation is.
//!
//! What the sensors and the clock report is kept since the oldest of some positions that the board showed exactly. When a press seems to
//! have completed no legal move, a decoder reads it from there on, follows what comes for some seconds, and says how probable that is.
//! The tracker's verdict counts as one more observation. In calm play nothing is searched.

mod accusation;
mod doubt;
mod second_reading;
mod watched;
mod weigher;

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board as Shown, Color, Piece, Square};

use self::{
    accusation::{accusations, is_beyond_decoder, is_weighed, may_be_shoved},
    doubt::Soundness,
    second_reading::Difference,
    watched::{Change, Watched},
    weigher::Weigher,
};
use super::Board;
use crate::{
    alert::Confidence,
    decoder::{Decoder, Params},
    fact::{Fact, Pressed, Reason, Verdict, Weight, Withdrawal},
    game::Game,
    model::effort,
    position::{Position, differences},
    time::{Due, Timestamp, sooner, soonest},
};

/// What the sensors or the clock reported.
#[derive(Clone, Copy, Debug)]
pub(super) enum Observed {
    /// A square shows something.
    Square(Square, Option<Piece>),
    /// A player pressed; whether the lever was seen to move.
    Press(Color, bool),
    /// A player's time runs after the clock stood, or it stands.
    Running(Option<Color>),
}

/// A position that the board showed exactly.
#[derive(Debug)]
struct Known {
    position: Position,
    /// What the board showed: the same, but for squares that are known to read wrongly.
    shown: Shown,
    plies: u32,
    running: Option<Color>,
    at: Timestamp,
    /// How many observations were made before it.
    observed: u64,
    /// Whether nothing was known against the board then.
    sound: bool,
}

impl Known {
    /// Returns the squares that do not show what stands there.
    fn faulty(&self) -> Bitboard {
        differences(self.position.board(), &self.shown)
    }

    /// Returns whether a ply of this number is the second one after it at least, or any ply of a game that begins with it.
    const fn is_before(&self, ply: u32) -> bool {
        self.plies == 0 || self.plies + 2 <= ply
    }
}

/// A decoder at work, and what it is asked.
#[derive(Debug)]
struct Case {
    weigher: Weigher,
    watched: ArrayVec<Watched, { effort::WEIGHED_PRESSES }>,
}

/// What is kept to weigh accusations by.
#[derive(Debug, Default)]
pub(super) struct Weighing {
    observed: VecDeque<(Timestamp, Observed)>,
    /// Observations that are not kept any more.
    gone: u64,
    known: VecDeque<Known>,
    case: Option<Box<Case>>,
    /// Presses of which the tracker accuses nobody without being sure, until the decoder looks at them first.
    doubts: ArrayVec<Pressed, { effort::WEIGHED_PRESSES }>,
    difference: Difference,
    soundness: Soundness,
    /// Until then what is reported has an order and no times.
    undated_until: Timestamp,
}

impl Weighing {
    /// Notes what the sensors or the clock report.
    pub(super) fn note(&mut self, observed: Observed, now: Timestamp) {
        if let Some(case) = &mut self.case {
            case.weigher.take(observed, now);
        }
        if self.known.is_empty() {
            return;
        }
        debug_assert!(self.observed.back().is_none_or(|(at, _)| *at <= now), "observations come in order");
        self.observed.push_back((now, observed));
        while self.observed.len() > effort::WEIGHED_OBSERVATIONS {
            self.forget_oldest();
        }
    }

    /// Notes that the board shows a position exactly, after so many plies of a game.
    pub(super) fn know(
        &mut self,
        position: Position,
        shown: Shown,
        plies: u32,
        running: Option<Color>,
        sound: bool,
        at: Timestamp,
    ) {
        if at < self.undated_until {
            return;
        }
        if self.known.len() >= effort::WEIGHED_POSITIONS {
            self.forget_oldest();
        }
        debug_assert!(self.known.back().is_none_or(|known| known.at <= at), "positions are noted in order");
        let observed = self.gone + u64::try_from(self.observed.len()).unwrap_or_default();
        self.known.push_back(Known { position, shown, plies, running, at, observed, sound });
    }

    /// Forgets the oldest position, and what was reported before the next one.
    fn forget_oldest(&mut self) {
        self.known.pop_front();
        let kept = self.known.front().map_or(u64::MAX, |known| known.observed);
        debug_assert!(kept >= self.gone, "what is known was observed later");
        let gone =
            usize::try_from(kept.saturating_sub(self.gone)).unwrap_or(usize::MAX).min(self.observed.len());
        self.observed.drain(..gone);
        self.gone += u64::try_from(gone).unwrap_or_default();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self { undated_until: self.undated_until, soundness: self.soundness, ..Self::default() };
    }

    /// Notes that up to an instant changes come out of a board's log, which reports their order and not their times.
    pub(super) fn doubt_times(&mut self, until: Timestamp) {
        self.undated_until = self.undated_until.max(until);
        self.clear();
    }

    /// Notes that this ply and those after it were not made.
    fn withdraw(&mut self, ply: u32) {
        self.known.retain(|known| known.plies < ply);
        if self.known.is_empty() {
            self.observed.clear();
        }
    }

    /// Notes that an accusation needs no weighing any more: the tracker has settled it.
    fn settle(&mut self, pressed_at: Timestamp, side: Color) {
        if let Some(case) = &mut self.case {
            case.watched.retain(|watched| watched.pressed.at != pressed_at || watched.pressed.side != side);
        }
    }

    /// Returns how probable a verdict is by now, `None` if nothing is known of what went before.
    fn weigh(&mut self, pressed: &Pressed, faulty: Bitboard, now: Timestamp) -> Option<Weight> {
        if self.case.is_none() {
            self.open_case(pressed.ply, faulty);
        }
        self.case.as_mut()?.weigher.weigh(pressed, accusations(&pressed.verdict), now)
    }

    /// Lets a decoder read what came before a press that is to be weighed, if enough is known of it.
    fn open_case(&mut self, ply: u32, faulty: Bitboard) {
        if let Some(weigher) = self.begin(ply, faulty) {
            self.case = Some(Box::new(Case { weigher, watched: ArrayVec::new() }));
        }
    }

    /// Begins with the oldest position that the board showed whole, or that it showed at all, and reads what was observed since. The first press
    /// after it is not what is weighed.
    fn begin(&self, ply: u32, faulty: Bitboard) -> Option<Weigher> {
        let known =
            self.oldest_sound(ply).or_else(|| self.known.front().filter(|known| known.is_before(ply)))?;
        Some(self.read_since(known, faulty, &Params::DEFAULT))
    }

    /// Reads what was reported since a position.
    fn read_since(&self, known: &Known, faulty: Bitboard, params: &Params) -> Weigher {
        let decoder = Decoder::at(&known.position, &known.shown, faulty, known.running, params, known.at);
        let sound_since = known.sound.then_some(known.at);
        let faulty = faulty | known.faulty();
        let mut weigher =
            Weigher { decoder, plies: known.plies, faulty, sound_since, presses: ArrayVec::new() };
        let skipped = usize::try_from(known.observed.saturating_sub(self.gone)).unwrap_or(usize::MAX);
        for (at, observed) in self.observed.iter().skip(skipped) {
            weigher.take(*observed, *at);
        }
        weigher
    }

    /// Weighs an accusation: returns it with its word and probability, or `None` if nobody is accused, for now or for good.
    fn judge(&mut self, pressed: &Pressed, faulty: Bitboard, now: Timestamp) -> Option<Pressed> {
        let Some(weight) = self.weigh(pressed, faulty, now) else {
            // Nobody knows whether the second move was a shove.
            let shoved = pressed.verdict == Verdict::Illegal(Reason::TwoMoves) && may_be_shoved(pressed);
            let most = if shoved { Confidence::Possible } else { Confidence::Certain };
            let confidence = pressed.confidence.min(most);
            return (!pressed.high_residual).then(|| Pressed { confidence, ..pressed.clone() });
        };
        let case = self.case.as_mut()?;
        case.watched
            .retain(|watched| watched.pressed.at != pressed.at || watched.pressed.side != pressed.side);
        if case.watched.is_full() {
            case.watched.pop_at(0);
        }
        let mut watched = Watched {
            pressed: pressed.clone(),
            accused: accusations(&pressed.verdict),
            most: Confidence::Certain,
            look: 0,
            said: None,
        };
        let said = watched.word(weight.p);
        watched.said = said;
        // There is room: the oldest has gone.
        case.watched.extend([watched]);
        let (sure, p) = said?;
        Some(Pressed {
            confidence: sure.min(pressed.confidence.max(Confidence::Likely)),
            weight: Some(Weight { p, ..weight }),
            ..pressed.clone()
        })
    }

    /// Returns when an accusation is weighed again.
    pub(super) fn deadline(&self) -> Due {
        let watched = self.case.iter().flat_map(|case| &case.watched);
        let due =
            watched.fold(None, |due, watched| sooner(due, watched.due(), "an accusation is weighed again"));
        soonest([due, self.doubt_due(), self.second_reading_due()])
    }

    /// Returns whether something is to be weighed again by now.
    fn is_due(&self, now: Timestamp) -> bool {
        let mut watched = self.case.iter().flat_map(|case| &case.watched);
        watched.any(|watched| watched.due().is_some_and(|due| due <= now))
    }

    /// Weighs again what is due; returns what has changed.
    fn weigh_again(&mut self, now: Timestamp) -> Vec<Change> {
        let Some(case) = &mut self.case else { return Vec::new() };
        let mut changes = Vec::new();
        for watched in &mut case.watched {
            while watched.due().is_some_and(|due| due <= now) {
                watched.look += 1;
                changes.extend(watched.weigh(&mut case.weigher, now));
            }
        }
        case.watched.retain(|watched| watched.due().is_some());
        if case.watched.is_empty() {
            self.case = None;
        }
        changes
    }
}

impl Board {
    /// Returns a fact with its accusation weighed, `None` if nothing is to be said.
    pub(super) fn weighed(&mut self, fact: Fact, now: Timestamp) -> Fact {
        let Fact::Pressed(mut pressed) = fact else { return fact };
        if matches!(pressed.verdict, Verdict::Nothing | Verdict::InTheAir { .. })
            && self.sensing.damage_filter.has_damaged_press(pressed.at)
        {
            pressed.verdict = Verdict::Reaction;
            return Fact::Pressed(pressed);
        }
        if self.may_be_of_usual_kind(&pressed) {
            pressed.confidence = pressed.confidence.min(Confidence::Possible);
            return Fact::Pressed(pressed);
        }
        if !is_weighed(&pressed) {
            if is_beyond_decoder(&pressed) {
                self.weighing.clear();
            }
            self.note_doubt(&pressed, now);
            if pressed.high_residual {
                pressed.verdict = Verdict::Reaction;
            }
            return Fact::Pressed(pressed);
        }
        let faulty = self.tracker.faulty_squares();
        match self.weighing.judge(&pressed, faulty, now) {
            Some(judged) => *pressed = judged,
            None => pressed.verdict = Verdict::Reaction,
        }
        Fact::Pressed(pressed)
    }

    /// Notes what a fact says of the position.
    pub(super) fn note_position(&mut self, fact: &Fact, now: Timestamp) {
        self.weighing.soundness.note(fact, now);
        match *fact {
            Fact::GameStarted => {
                self.weighing.clear();
                self.know_position(0, now);
            }
            Fact::Completed { ply } => self.know_position(ply, now),
            Fact::Withdrawn { ply, because } => match because {
                Withdrawal::Unfinished | Withdrawal::Reconsidered | Withdrawal::TakenBack => {
                    self.weighing.withdraw(ply);
                }
                Withdrawal::Reinstated | Withdrawal::Ordered => self.weighing.clear(),
            },
            Fact::Ended => self.weighing.clear(),
            Fact::Righted { pressed_at, side, .. } => self.weighing.settle(pressed_at, side),
            Fact::Made { .. }
            | Fact::OddStart { .. }
            | Fact::PlayStarted
            | Fact::Pressed(_)
            | Fact::Touched { .. }
            | Fact::Flag { .. }
            | Fact::ClockStopped
            | Fact::ClockStarted { .. }
            | Fact::Mismatch { .. }
            | Fact::MismatchCleared { .. }
            | Fact::Link { .. }
            | Fact::ClockLink { .. }
            | Fact::ClockBattery { .. }
            | Fact::BoardBattery { .. }
            | Fact::Noise { .. } => {}
        }
    }

    /// Forgets what went before an order: nobody reads again what an arbiter has entered.
    pub(super) fn forget_readings(&mut self, now: Timestamp) {
        self.weighing.clear();
        self.know_position(self.tracker.game().map_or(0, Game::len), now);
    }

    /// Notes the position after a ply, if the board shows it and nothing has been played since.
    fn know_position(&mut self, ply: u32, now: Timestamp) {
        let Some(game) = self.tracker.game().filter(|game| game.len() == ply) else { return };
        let position = game.position_after(ply);
        let odd = differences(position.board(), self.tracker.board());
        if (odd & !self.tracker.faulty_squares()).is_empty() {
            let running = self.view().running;
            let sound = self.tracker.is_sound_board();
            self.weighing.know(position, self.tracker.board().clone(), ply, running, sound, now);
        }
    }

    /// Weighs accusations again whose time has come.
    pub(super) fn weigh_again(&mut self, now: Timestamp) {
        self.look_at_doubts(now);
        if self.weighing.is_due(now) && !self.may_doubt_still() {
            self.weighing.drop_doubts();
        }
        for change in self.weighing.weigh_again(now) {
            match change {
                Change::Make(pressed) => {
                    let fact = Fact::Pressed(pressed);
                    self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
                }
                Change::Weigh { pressed_at, side, sure, weight } => {
                    self.with_referee(now, |referee, context, out| {
                        referee.weigh(pressed_at, side, sure, weight, context, out);
                    });
                }
                Change::Withdraw { pressed_at, side } => {
                    let fact = Fact::Righted { pressed_at, side, overturned: true };
                    self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
                }
            }
        }
    }
}
