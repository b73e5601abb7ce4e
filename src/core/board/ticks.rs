//! What the chess clock reports, in the colours of the players.

use dgt_protocol::{ClockReport, Side};
use shakmaty::Color;

use super::{Board, observed::Observation, weighing::Observed};
use crate::{
    clock::{ClockView, Countdown, Tick, Ticks, color},
    event::EventKind,
    fact::Fact,
    game::Game,
    time::Timestamp,
    tracker::Press,
};

impl Board {
    pub(super) fn handle_clock(&mut self, report: ClockReport, now: Timestamp) {
        let ticks = self.clock.handle_report(report, now);
        self.handle_ticks(&ticks, now);
        self.take_press_in_silence(now);
    }

    /// Handles the report of a clock that has done nothing since the last one but run, as nearly all are, if nothing else can follow
    /// from it; otherwise takes nothing. Returns what the clock shows if it did: then what is due, and when, is as before.
    pub(crate) fn count_down(&mut self, report: &ClockReport, now: Timestamp) -> Option<Countdown> {
        let is_settled = self.facts.is_empty() && !self.tracker.has_facts() && self.tracker.hears_clock();
        if !is_settled || !self.sensing.damage_filter.is_calm(now) {
            return None;
        }
        let (shows, countdown) = self.clock.count_down(report, self.white, now)?;
        if shows {
            self.show_clock(countdown.view, now);
        }
        Some(countdown)
    }

    /// Notes that since [`Board::count_down`], or since the last call, the running time has lost so many seconds within its minute,
    /// and that nothing else has happened.
    pub(crate) fn count_on(&mut self, countdown: &Countdown, seconds: u8, now: Timestamp) {
        self.clock.count_on(countdown.side, seconds, now);
        self.show_clock(countdown.view, now);
    }

    pub(super) fn handle_ticks(&mut self, ticks: &Ticks, now: Timestamp) {
        for tick in ticks {
            self.handle_tick(*tick, now);
        }
    }

    fn handle_tick(&mut self, tick: Tick, now: Timestamp) {
        match tick {
            Tick::Pressed { side, seen, increment_s } => {
                self.play_on_put_right(now);
                self.seat_evidence_of_press(side, seen, now);
                self.clock.forget_silence();
                self.take_press(side, seen, increment_s, now);
                if self.tracker.take_reopened() {
                    self.emit(now, EventKind::Result { game: self.games, result: "*", by: "play" });
                }
                self.note_press_after_game(now);
            }
            Tick::Started { side, lever_moved: true } if self.is_first_press(side.other()) => {
                self.handle_tick(Tick::Started { side: side.other(), lever_moved: false }, now);
                self.handle_tick(Tick::Pressed { side: side.other(), seen: false, increment_s: 0 }, now);
            }
            Tick::Started { side, .. } => {
                self.start_by_clock(now);
                self.begin_seat_evidence();
                self.take_lever(side, now);
                self.keep_observation(Observation::Running(Some(side)), now);
                self.weighing.note(Observed::Running(Some(color(side, self.white))), now);
                self.tracker.handle_running(Some(color(side, self.white)), now);
            }
            Tick::Stopped => {
                self.keep_observation(Observation::Running(None), now);
                self.weighing.note(Observed::Running(None), now);
                self.tracker.handle_running(None, now);
                self.report_played_on(u32::MAX, now);
            }
            Tick::Flag { side, blocked } => self.take_flag(side, blocked),
            Tick::Connected(connected) => {
                self.tracker.set_clock(connected, now);
                self.had_clock |= connected;
                if self.had_clock {
                    self.facts.push(Fact::ClockLink { connected });
                }
            }
            Tick::LowBattery(low) => self.facts.push(Fact::ClockBattery { low }),
            Tick::Shows => self.show_clock(self.view(), now),
        }
    }

    /// Returns whether a side has to make the first move of a game: a clock that has been started for it and runs for the other now, by a
    /// lever that was turned, was pressed. It accuses nobody, as the lever may have been turned before the clock was started.
    fn is_first_press(&self, side: Side) -> bool {
        let side = color(side, self.white);
        let begins = |game: &Game| {
            game.start().turn() == side && Color::ALL.into_iter().all(|side| game.completed_moves(side) == 0)
        };
        self.tracker.game().is_some_and(begins)
    }

    /// Handles what the displays show now.
    fn show_clock(&mut self, view: ClockView, now: Timestamp) {
        if let Some(times) = view.times {
            self.tracker.handle_times(times, now);
        }
        self.emit(
            now,
            EventKind::Clock {
                clock: view.times,
                running: view.running,
                connected: view.connected,
                low_battery: view.low_battery,
            },
        );
    }

    fn take_press(&mut self, side: Side, seen: bool, increment_s: u32, now: Timestamp) {
        self.adoption.pressed_before |= self.tracker.game().is_none();
        self.sensing.damage_filter.note_press(now);
        let shown = self.clock.report().map(|report| (report.left.seconds(), report.right.seconds()));
        self.keep_observation(Observation::Press { side, seen, increment_s, shown }, now);
        let side = color(side, self.white);
        self.weighing.note(Observed::Press(side, seen), now);
        let view = self.view();
        if seen {
            self.emit(now, EventKind::Press { side, clock: view.times.unwrap_or_default() });
        }
        if !self.reads_press_for_before(now) {
            let press = Press { side, at: now, up_at: None, seen, increment_s, clock: view.times };
            self.tracker.handle_press(press, now);
        }
    }

    /// Handles the press that fell into a moment in which the board could not be heard, when dump and clock have reported that nothing but
    /// the lever has moved.
    pub(super) fn take_press_in_silence(&mut self, now: Timestamp) {
        if self.sensing.known
            && let Some(press) = self.clock.take_press_in_silence()
        {
            self.take_press(press.side, true, press.increment_s, now);
            if self.clock.running().is_none() {
                self.handle_tick(Tick::Stopped, now);
            }
        }
    }

    /// Returns what is known about the clock.
    #[must_use]
    pub fn view(&self) -> ClockView {
        self.clock.view(self.white)
    }
}
