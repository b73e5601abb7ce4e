//! Every course of a game at the clock up to a length: each press is reported once and in its order, and none that was not
//! made; and every course of reports, whatever they say.

use std::time::Duration;

use dgt_protocol::SideTime;

use super::*;

/// What may happen between two reports.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Act {
    /// A second passes.
    Second,
    /// Whoever is to move presses.
    Press,
    /// The same, as a second of the display passes.
    LatePress,
    /// Both press inside one report, or inside two if the first is lost.
    PressTwice,
    /// They press three times inside one report.
    PressThrice,
    /// The clock is stopped, or goes on.
    StopOrGo,
    /// An arbiter sets another time on a clock that stands.
    Set,
    /// Somebody pushes the lever of a clock that stands.
    Push,
    /// The clock is unplugged, or comes back.
    Unplug,
    /// The link to the board goes down and comes back.
    Forget,
}

const ACTS: [Act; 10] = [
    Act::Second,
    Act::Press,
    Act::LatePress,
    Act::PressTwice,
    Act::PressThrice,
    Act::StopOrGo,
    Act::Set,
    Act::Push,
    Act::Unplug,
    Act::Forget,
];

/// Acts in a row.
const DEPTH: usize = 6;

/// Seconds that a press adds.
const INCREMENT_S: u32 = 5;

/// A clock as it is made, and who sits at it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "what a clock is like, one by one")]
struct Model {
    /// Whose time counts.
    active: Side,
    /// Whether the lever is reported the other way round.
    inverted: bool,
    running: bool,
    connected: bool,
    left_s: u32,
    right_s: u32,
    /// Whether a press has shown the increment.
    is_increment_seen: bool,
    now: Timestamp,
}

/// What has to be reported of the lever.
type Reported = Vec<Tick>;

impl Model {
    fn new(inverted: bool) -> Self {
        Self {
            active: Side::Left,
            inverted,
            running: true,
            connected: true,
            left_s: 600,
            right_s: 600,
            is_increment_seen: false,
            now: Timestamp::ZERO,
        }
    }

    fn time(&mut self) -> &mut u32 {
        if self.active == Side::Left { &mut self.left_s } else { &mut self.right_s }
    }

    fn press(&mut self, seen: bool) -> Tick {
        let side = self.active;
        *self.time() += INCREMENT_S;
        self.active = side.other();
        Tick::Pressed { side, seen, increment_s: 0 }
    }

    /// Does something and returns what has to be reported; `None` if it cannot be done now.
    fn act(&mut self, act: Act) -> Option<Reported> {
        let is_watched = self.running && self.connected;
        self.now = self.now + Duration::from_secs(1);
        let reported = match act {
            Act::Second => {
                *self.time() -= u32::from(self.running);
                Reported::new()
            }
            Act::Press | Act::LatePress if is_watched => {
                if act == Act::LatePress {
                    *self.time() -= 1;
                }
                self.is_increment_seen = true;
                vec![self.press(true)]
            }
            // Before the increment is known, times that rise may be an arbiter's doing.
            Act::PressTwice if is_watched && self.is_increment_seen => {
                vec![self.press(false), self.press(false)]
            }
            Act::PressThrice if is_watched && self.is_increment_seen => {
                vec![self.press(false), self.press(false), self.press(true)]
            }
            Act::StopOrGo if self.connected => {
                self.running = !self.running;
                vec![if self.running {
                    Tick::Started { side: self.active, lever_moved: false }
                } else {
                    Tick::Stopped
                }]
            }
            Act::Set if self.connected && !self.running => {
                self.left_s += 300;
                Reported::new()
            }
            Act::Push if self.connected && !self.running => {
                self.active = self.active.other();
                Reported::new()
            }
            Act::Unplug => {
                self.connected = !self.connected;
                self.started(vec![Tick::Connected(self.connected)])
            }
            Act::Forget => self.started(vec![Tick::Connected(self.connected)]),
            Act::Press
            | Act::LatePress
            | Act::PressTwice
            | Act::PressThrice
            | Act::StopOrGo
            | Act::Set
            | Act::Push => return None,
        };
        Some(reported)
    }

    fn started(&self, mut reported: Reported) -> Reported {
        reported.extend(
            (self.running && self.connected)
                .then_some(Tick::Started { side: self.active, lever_moved: false }),
        );
        reported
    }

    fn report(&self) -> ClockReport {
        if !self.connected {
            return ClockReport::DISCONNECTED;
        }
        let time = |seconds| SideTime { time: ClockTime::from_seconds(seconds), ..SideTime::default() };
        let shown = if self.inverted { self.active.other() } else { self.active };
        ClockReport {
            left: time(self.left_s),
            right: time(self.right_s),
            running: self.running,
            lever: Lever::with_active(shown),
            battery_low: false,
            connected: true,
            turn: TurnBits::with_active(shown),
        }
    }
}

/// Returns what was reported beside what the displays show, without increments, which have to be those of the clock.
fn reported(ticks: &Ticks) -> Reported {
    let relevant = ticks.iter().filter(|tick| **tick != Tick::Shows);
    let without = relevant.map(|tick| match *tick {
        Tick::Pressed { side, seen, increment_s } => {
            assert!((INCREMENT_S - 1..=INCREMENT_S).contains(&increment_s), "{increment_s}");
            Tick::Pressed { side, seen, increment_s: 0 }
        }
        other @ (Tick::Started { .. }
        | Tick::Stopped
        | Tick::Flag { .. }
        | Tick::Connected(_)
        | Tick::LowBattery(_)
        | Tick::Shows) => other,
    });
    without.collect()
}

/// Goes through everything that may happen; returns how many courses there were.
fn go_on(clock: &ChessClock, model: Model, done: &mut Vec<Act>) -> u64 {
    if done.len() == DEPTH {
        return 1;
    }
    let mut courses = 0;
    for act in ACTS {
        let mut next = model;
        let Some(expected) = next.act(act) else { continue };
        done.push(act);
        let mut clock = clock.clone();
        if act == Act::Forget {
            clock.forget();
        }
        let mut ticks = clock.handle_report(next.report(), next.now);
        if act == Act::Unplug && model.running && model.connected {
            // One bit says so, of a clock that runs: nothing may contradict it for a while.
            assert!(ticks.is_empty(), "{done:?}");
            next.now = clock.deadline().unwrap();
            ticks = clock.handle_timeout(next.now);
        }
        assert_eq!(reported(&ticks), expected, "inverted {}: {done:?}", next.inverted);
        assert_eq!(clock.deadline(), None, "a true report needs no second one: {done:?}");
        let running = (next.running && next.connected).then_some(next.active);
        assert_eq!(clock.running(), running, "{done:?}");
        courses += go_on(&clock, next, done);
        done.pop();
    }
    courses
}

#[test]
fn every_press_is_reported_once_in_every_course_of_six_acts() {
    let mut clock = ChessClock::default();
    let model = Model::new(false);
    clock.handle_report(model.report(), model.now);
    let courses = go_on(&clock, model, &mut Vec::new());
    assert!(courses > 50_000, "{courses}");
}

#[test]
fn every_press_is_reported_once_with_an_inverted_lever() {
    let mut clock = ChessClock::default();
    let mut model = Model::new(true);
    clock.handle_report(model.report(), model.now);
    // The falling times show.
    for _ in 0..=CONTRADICTIONS {
        model.act(Act::Second).unwrap();
        clock.handle_report(model.report(), model.now);
    }
    let courses = go_on(&clock, model, &mut Vec::new());
    assert!(courses > 50_000, "{courses}");
}

/// Reports of all kinds, right or not, that may follow each other in any order.
fn any_reports() -> Vec<ClockReport> {
    let mut reports = vec![ClockReport::DISCONNECTED];
    let sides =
        [(0, false, false), (1, false, false), (0, true, true), (90, true, false), (35_999, false, false)];
    for (seconds, flag_shown, flag_blocked) in sides {
        let time = ClockTime::from_seconds(seconds);
        let any = SideTime { time, flag_blocked, flag_shown, increment: false };
        for (running, active, is_left) in [
            (true, Side::Left, true),
            (true, Side::Right, true),
            (false, Side::Left, true),
            (true, Side::Right, false),
        ] {
            let other = SideTime { time: ClockTime::from_seconds(30), ..SideTime::default() };
            let (left, right) = if is_left { (any, other) } else { (other, any) };
            let (lever, turn) = (Lever::with_active(active), TurnBits::with_active(active));
            let battery_low = seconds == 1;
            reports.push(ClockReport { left, right, running, lever, battery_low, connected: true, turn });
        }
    }
    reports
}

/// Gives every report after every other one, so many in a row, quickly or slowly, with the time that then passes.
fn give_all(
    clock: &ChessClock,
    running: Option<Side>,
    now: Timestamp,
    left: usize,
    reports: &[ClockReport],
) -> u64 {
    let mut given = 0;
    for report in reports {
        for pause_ms in [100, 2000] {
            let now = now + Duration::from_millis(pause_ms);
            let mut clock = clock.clone();
            let was_inverted = clock.inverted;
            let mut ticks = Vec::new();
            if clock.deadline().is_some_and(|due| due <= now) {
                ticks.extend(clock.handle_timeout(now));
            }
            ticks.extend(clock.handle_report(*report, now));
            let followed = ticks.iter().fold(running, |running, tick| match tick {
                Tick::Pressed { side, .. } => {
                    assert!(running.is_none_or(|running| running == *side), "{side:?} had no time running");
                    Some(side.other())
                }
                Tick::Started { side, .. } => Some(*side),
                Tick::Stopped | Tick::Connected(false) => None,
                Tick::Flag { .. } | Tick::Connected(true) | Tick::LowBattery(_) | Tick::Shows => running,
            });
            given += 1;
            // That the lever is reported the other way round changes who runs, and is no press.
            let followed = if clock.inverted == was_inverted { followed } else { clock.running() };
            assert_eq!(clock.running(), followed, "{ticks:?}");
            if left > 1 {
                given += give_all(&clock, followed, now, left - 1, reports);
            }
        }
    }
    given
}

#[test]
fn presses_alternate_and_who_runs_is_what_was_reported() {
    let given = give_all(&ChessClock::default(), None, Timestamp::ZERO, 3, &any_reports());
    assert!(given > 70_000, "{given}");
}
