//! Owns how probable an accusation is.
//!
//! What the sensors and the clock tell is kept since the oldest of some positions that the board showed exactly. When a press seems to
//! have completed no legal move, a decoder reads it from there on, follows what comes for some seconds, and says how probable that is.
//! The tracker's verdict counts as one more observation. In calm play nothing is searched.

mod accusation;
mod second_reading;

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board as Shown, Color, Piece, Square};

use self::{
    accusation::{accusations, is_beyond_decoder, is_weighed, may_be_shoved, other_story},
    second_reading::Difference,
};
use super::Board;
use crate::{
    alert::{Confidence, Probability},
    decoder::{Belief, Decoder, Params},
    fact::{Fact, Pressed, Reason, Verdict, Weight, Withdrawal},
    game::Game,
    model::effort,
    position::{Position, differences},
    time::{Due, Timestamp, sooner, soonest},
};

/// What the sensors or the clock told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told {
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
    told: u64,
}

impl Known {
    /// Returns the squares that do not show what stands there.
    fn faulty(&self) -> Bitboard {
        differences(self.position.board(), &self.shown)
    }
}

/// An accusation that is weighed.
#[derive(Debug)]
struct Watched {
    pressed: Pressed,
    /// Which look at it comes next.
    look: usize,
    /// What was said last, if it was said.
    said: Option<(Confidence, Probability)>,
}

/// A decoder, and the numbers of the presses that it has heard of.
#[derive(Debug)]
struct Weigher {
    decoder: Decoder,
    presses: ArrayVec<(Timestamp, Color, u32), { effort::ASKED_PRESSES }>,
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
    told: VecDeque<(Timestamp, Told)>,
    /// Observations that are not kept any more.
    gone: u64,
    known: VecDeque<Known>,
    case: Option<Box<Case>>,
    difference: Difference,
    /// Until then what is told has an order and no times.
    undated_until: Timestamp,
}

/// What to do about an accusation that was weighed before.
enum Change {
    /// It may be made now.
    Make(Box<Pressed>),
    /// It is made, and is more or less probable now.
    Weigh { pressed_at: Timestamp, side: Color, sure: Confidence, weight: Weight },
    /// It is made, and not probable any more.
    Withdraw { pressed_at: Timestamp, side: Color },
}

impl Weighing {
    /// Notes what the sensors or the clock tell.
    pub(super) fn note(&mut self, told: Told, now: Timestamp) {
        if let Some(case) = &mut self.case {
            case.weigher.take(told, now);
        }
        if self.known.is_empty() {
            return;
        }
        self.told.push_back((now, told));
        while self.told.len() > effort::WEIGHED_OBSERVATIONS {
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
        at: Timestamp,
    ) {
        if at < self.undated_until {
            return;
        }
        if self.known.len() >= effort::WEIGHED_POSITIONS {
            self.forget_oldest();
        }
        debug_assert!(self.known.back().is_none_or(|known| known.at <= at), "positions are noted in order");
        let told = self.gone + u64::try_from(self.told.len()).unwrap_or_default();
        self.known.push_back(Known { position, shown, plies, running, at, told });
    }

    /// Forgets the oldest position, and what was told before the next one.
    fn forget_oldest(&mut self) {
        self.known.pop_front();
        let kept = self.known.front().map_or(u64::MAX, |known| known.told);
        let gone = usize::try_from(kept.saturating_sub(self.gone)).unwrap_or(usize::MAX).min(self.told.len());
        self.told.drain(..gone);
        self.gone += u64::try_from(gone).unwrap_or_default();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self { undated_until: self.undated_until, ..Self::default() };
    }

    /// Notes that up to an instant changes come out of a board's log, which tells their order and not their times.
    pub(super) fn doubt_times(&mut self, until: Timestamp) {
        self.undated_until = self.undated_until.max(until);
        self.clear();
    }

    /// Notes that this ply and those after it were not made.
    fn withdraw(&mut self, ply: u32) {
        self.known.retain(|known| known.plies < ply);
        if self.known.is_empty() {
            self.told.clear();
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
            let weigher = self.begin(pressed.ply, faulty)?;
            self.case = Some(Box::new(Case { weigher, watched: ArrayVec::new() }));
        }
        self.case.as_mut()?.weigher.weigh(pressed, now)
    }

    /// Begins with the oldest position, and reads what was told since. The first press after it is not what is weighed.
    fn begin(&self, ply: u32, faulty: Bitboard) -> Option<Weigher> {
        let known = self.known.front()?;
        if known.plies > 0 && known.plies + 2 > ply {
            return None;
        }
        Some(self.read_since(known, faulty, &Params::DEFAULT))
    }

    /// Reads what was told since a position.
    fn read_since(&self, known: &Known, faulty: Bitboard, params: &Params) -> Weigher {
        let decoder = Decoder::at(&known.position, &known.shown, faulty, known.running, params, known.at);
        let mut weigher = Weigher { decoder, presses: ArrayVec::new() };
        let skipped = usize::try_from(known.told.saturating_sub(self.gone)).unwrap_or(usize::MAX);
        for (at, told) in self.told.iter().skip(skipped) {
            weigher.take(*told, *at);
        }
        weigher
    }

    /// Weighs an accusation: returns it with its word and probability, or `None` if nobody is accused, for now or for good.
    fn judge(&mut self, pressed: &Pressed, faulty: Bitboard, now: Timestamp) -> Option<Pressed> {
        let Some(weight) = self.weigh(pressed, faulty, now) else {
            // Nobody knows whether the second move was a shove.
            let shoved = pressed.verdict == Verdict::Illegal(Reason::TwoMoves) && may_be_shoved(pressed);
            let most = if shoved { Confidence::Likely } else { Confidence::Certain };
            let confidence = pressed.confidence.min(most);
            return (!pressed.strained).then(|| Pressed { confidence, ..pressed.clone() });
        };
        let said = word(pressed.confidence, weight.p);
        let case = self.case.as_mut()?;
        case.watched
            .retain(|watched| watched.pressed.at != pressed.at || watched.pressed.side != pressed.side);
        if case.watched.is_full() {
            case.watched.pop_at(0);
        }
        // There is room: the oldest has gone.
        case.watched.extend([Watched { pressed: pressed.clone(), look: 0, said }]);
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
        soonest([due, self.second_reading_due()])
    }

    /// Weighs again what is due; returns what has changed.
    fn weigh_again(&mut self, now: Timestamp) -> Vec<Change> {
        let Some(case) = &mut self.case else { return Vec::new() };
        let mut changes = Vec::new();
        for watched in &mut case.watched {
            while watched.due().is_some_and(|due| due <= now) {
                watched.look += 1;
                let Some(weight) = case.weigher.weigh(&watched.pressed, now) else { continue };
                changes.extend(watched.change(weight));
            }
        }
        case.watched.retain(|watched| watched.due().is_some());
        if case.watched.is_empty() {
            self.case = None;
        }
        changes
    }
}

impl Watched {
    /// Returns when it is weighed next.
    fn due(&self) -> Option<Timestamp> {
        Params::DEFAULT.claims.again.get(self.look).map(|after| self.pressed.at + *after)
    }

    /// Notes how probable it is now.
    fn change(&mut self, weight: Weight) -> Option<Change> {
        let claims = &Params::DEFAULT.claims;
        let (pressed_at, side) = (self.pressed.at, self.pressed.side);
        let said = word(self.pressed.confidence, weight.p);
        match (self.said, said) {
            (None, Some((sure, p))) => {
                self.said = said;
                let weight = Some(Weight { p, ..weight });
                let pressed = Pressed { confidence: sure, weight, ..self.pressed.clone() };
                Some(Change::Make(Box::new(pressed)))
            }
            (Some((before, _)), Some((sure, p))) if before != sure => {
                self.said = said;
                Some(Change::Weigh { pressed_at, side, sure, weight: Weight { p, ..weight } })
            }
            (Some(_), None) if combined(self.pressed.confidence, weight.p) < claims.withdrawn => {
                self.said = None;
                Some(Change::Withdraw { pressed_at, side })
            }
            _ => None,
        }
    }
}

/// Returns the word for an accusation that the tracker is so sure of and the decoder finds so probable, and the probability of both.
fn word(sure: Confidence, p: Probability) -> Option<(Confidence, Probability)> {
    let claims = &Params::DEFAULT.claims;
    if p.parts() >= claims.certain {
        return Some((Confidence::Certain, p));
    }
    let both = combined(sure, p).min(claims.certain - 1);
    claims.word(both).map(|word| (word, Probability::new(both)))
}

/// Returns the probability by the decoder and the tracker's verdict, whose odds multiply.
fn combined(sure: Confidence, p: Probability) -> u32 {
    let claims = &Params::DEFAULT.claims;
    let odds = match sure {
        Confidence::Certain => claims.odds_of_certain,
        Confidence::Likely => claims.odds_of_likely,
        Confidence::Possible => 1,
    };
    let (for_it, against) = (u64::from(p.parts()) * u64::from(odds), u64::from(Probability::ONE - p.parts()));
    u32::try_from(for_it * u64::from(Probability::ONE) / (for_it + against).max(1)).unwrap_or_default()
}

impl Weigher {
    /// Handles what the sensors or the clock told.
    fn take(&mut self, told: Told, at: Timestamp) {
        match told {
            Told::Square(square, piece) => self.decoder.handle_square(square, piece, at),
            Told::Press(side, seen) => {
                let press = self.decoder.handle_press(side, seen, at);
                if self.presses.is_full() {
                    self.presses.pop_at(0);
                }
                // There is room: the oldest has gone.
                self.presses.extend([(at, side, press)]);
            }
            Told::Running(Some(side)) => self.decoder.handle_start(side, at),
            Told::Running(None) => self.decoder.handle_stop(at),
        }
    }

    /// Returns how probable a verdict is, `None` if the press is not remembered.
    fn weigh(&mut self, pressed: &Pressed, now: Timestamp) -> Option<Weight> {
        let is_it = |(at, side, _): &&(Timestamp, Color, u32)| (*at, *side) == (pressed.at, pressed.side);
        let (_, _, press) = *self.presses.iter().find(is_it)?;
        self.decoder.look(now);
        let beliefs = self.decoder.beliefs(press, pressed.at, now);
        let accused = accusations(&pressed.verdict);
        let is_it = |belief: &&Belief| belief.side == pressed.side && accused.contains(&belief.what);
        let p = beliefs.iter().filter(is_it).map(|belief| belief.p).sum();
        let other = beliefs.iter().find(|belief| !is_it(belief));
        let otherwise = other.map(|belief| other_story(belief.what));
        (!beliefs.is_empty()).then(|| Weight { p: Probability::new(p), otherwise })
    }
}

impl Board {
    /// Returns a fact with its accusation weighed, `None` if nothing is to be said.
    pub(super) fn weighed(&mut self, fact: Fact, now: Timestamp) -> Fact {
        let Fact::Pressed(mut pressed) = fact else { return fact };
        if !is_weighed(&pressed) {
            if is_beyond_decoder(&pressed) {
                self.weighing.clear();
            }
            if pressed.strained {
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
            self.weighing.know(position, self.tracker.board().clone(), ply, running, now);
        }
    }

    /// Weighs accusations again whose time has come.
    pub(super) fn weigh_again(&mut self, now: Timestamp) {
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
