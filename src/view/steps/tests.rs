use serde_json::json;

use super::*;

/// The position before 2. Ke2xe5 of nonsense: White's king on e1, a pawn on e5.
const BEFORE: &str = "4k3/8/8/4p3/8/8/4P3/4K3 w - - 0 1";

/// A board and a clock, and the plan for an illegal move of White: the king is on e3 instead of e1, the times at the
/// press were 100 and 200.
struct Table {
    plan: Plan,
    squares: Board,
    clock: Option<ClockView>,
    up: bool,
}

fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn offence() -> Map<String, Value> {
    fields(&json!({
        "side": "white",
        "facts": {
            "reinstate": BEFORE,
            "set_clock": { "white": 98, "black": 260 },
            "move_counter": { "white": 1, "black": 1 },
        },
        "proposal": { "add_s": 60, "to": "black", "take_back_s": 2, "from": "white" },
    }))
}

/// Writes what is wrong: a side, or a square with what it shows and what belongs there.
fn reported_wrong(wrong: &Value) -> String {
    let letter = |key: &str| wrong[key].as_str().unwrap_or("-").to_owned();
    let square = || format!("{}:{}>{}", letter("square"), letter("shows"), letter("wants"));
    wrong.as_str().map_or_else(square, str::to_owned)
}

impl Table {
    fn new() -> Self {
        let squares = "4k3/8/8/4p3/8/4K3/4P3/8".parse().unwrap();
        let clock = ClockView {
            times: Times { white: 100, black: 200 },
            running: Some(Color::Black),
            connected: true,
            low_battery: false,
            at: jiff::Timestamp::UNIX_EPOCH,
        };
        let plan = Plan::of(Code::IllegalMove, &offence()).unwrap();
        let mut table = Self { plan, squares, clock: Some(clock), up: true };
        table.note();
        table
    }

    fn note(&mut self) {
        self.plan.note(Sensed { squares: &self.squares, clock: self.clock.as_ref(), up: self.up });
    }

    fn run(&mut self, running: Option<Color>, white: u32, black: u32) -> &mut Self {
        let clock = self.clock.as_mut().unwrap();
        (clock.running, clock.times) = (running, Times { white, black });
        self.note();
        self
    }

    fn stand(&mut self, placement: &str) -> &mut Self {
        self.squares = placement.parse().unwrap();
        self.note();
        self
    }

    /// Returns the steps as they are reported: name, state, what is wrong.
    #[track_caller]
    fn check(&self, expected: &[(&str, &str, &str)]) {
        let steps =
            self.plan.steps(Sensed { squares: &self.squares, clock: self.clock.as_ref(), up: self.up });
        let reported: Vec<(String, String, String)> = steps
            .iter()
            .map(|step| {
                let step = serde_json::to_value(step).unwrap();
                let wrong = step["wrong"].as_array().map_or_else(
                    || step["running"].as_str().unwrap_or_default().to_owned(),
                    |wrong| wrong.iter().map(reported_wrong).collect::<Vec<_>>().join(" "),
                );
                let text = |key: &str| step[key].as_str().unwrap().to_owned();
                (text("step"), text("state"), wrong)
            })
            .collect();
        let reported: Vec<_> =
            reported.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
        assert_eq!(reported, expected);
    }
}

#[test]
fn the_steps_say_what_is_wrong_and_tick_themselves_off() {
    let mut table = Table::new();
    table.check(&[
        ("stop", "open", "black"),
        ("position", "open", "e1:->K e3:K>-"),
        ("times", "open", "white black"),
    ]);
    table.run(None, 100, 190);
    table.check(&[
        ("stop", "done", ""),
        ("position", "open", "e1:->K e3:K>-"),
        ("times", "open", "white black"),
    ]);
    table.stand("4k3/8/8/4p3/8/8/4P3/4K3");
    table.run(None, 98, 190);
    table.check(&[("stop", "done", ""), ("position", "done", ""), ("times", "open", "black")]);
    table.run(None, 98, 260);
    table.run(Some(Color::White), 98, 260);
    table.run(Some(Color::White), 97, 260);
    table.stand("4k3/8/8/4p3/8/8/4P3/3K4");
    table.run(Some(Color::Black), 90, 260);
    table.check(&[("stop", "done", ""), ("position", "done", ""), ("times", "done", "")]);
}

#[test]
fn any_order_of_steps_is_followed_and_undone_steps_are_open() {
    let mut table = Table::new();
    // Times first, then the clock runs by mistake, then the wrong piece is put back.
    table.run(None, 98, 260).run(Some(Color::Black), 98, 259);
    table.check(&[("stop", "open", "black"), ("position", "open", "e1:->K e3:K>-"), ("times", "done", "")]);
    table.stand("4k3/8/8/4p3/8/8/4P3/4Q3");
    table.run(None, 98, 255);
    table.check(&[("stop", "done", ""), ("position", "open", "e1:Q>K"), ("times", "open", "black")]);
    table.stand("4k3/8/8/4p3/8/8/4P3/4K3");
    // The clock is started before the times are right.
    table.run(Some(Color::White), 98, 255);
    table.check(&[("stop", "open", "white"), ("position", "done", ""), ("times", "open", "black")]);
    table.run(None, 97, 255).run(None, 98, 260).run(Some(Color::White), 96, 260);
    table.check(&[("stop", "done", ""), ("position", "done", ""), ("times", "done", "")]);
}

#[test]
fn a_clock_started_before_it_was_asked_shows_its_setting() {
    let mut table = Table::new();
    table.stand("4k3/8/8/4p3/8/8/4P3/4K3");
    table.run(Some(Color::White), 94, 260);
    table.check(&[("stop", "done", ""), ("position", "done", ""), ("times", "done", "")]);
}

#[test]
fn what_cannot_be_seen_is_neither_done_nor_wrong() {
    let mut table = Table::new();
    table.clock = None;
    table.check(&[("stop", "unseen", ""), ("position", "open", "e1:->K e3:K>-"), ("times", "unseen", "")]);
    table.up = false;
    table.check(&[("stop", "unseen", ""), ("position", "unseen", "e1:->K e3:K>-"), ("times", "unseen", "")]);
}

#[test]
fn there_is_no_step_where_nothing_is_to_be_done() {
    // A press without a move has left the position as it was.
    let mut table = Table::new();
    table.plan = Plan::of(Code::PressWithoutMove, &offence()).unwrap();
    table.squares = "4k3/8/8/4p3/8/8/4P3/4K3".parse().unwrap();
    table.note();
    table.check(&[("stop", "open", "black"), ("times", "open", "white black")]);
    // The opponent moves all the same.
    table.stand("4k3/8/8/8/4p3/8/4P3/4K3");
    table.check(&[
        ("stop", "open", "black"),
        ("position", "open", "e4:p>- e5:->p"),
        ("times", "open", "white black"),
    ]);
    let lost = fields(&json!({ "side": "white", "facts": {}, "proposal": { "result": "0-1" } }));
    assert!(Plan::of(Code::GameLostIllegal, &lost).is_none());
    let position = fields(&json!({ "side": "white", "facts": { "reinstate": BEFORE } }));
    table.plan = Plan::of(Code::IllegalMove, &position).unwrap();
    table.stand("4k3/8/8/4p3/8/4K3/4P3/8");
    table.check(&[("stop", "open", "black"), ("position", "open", "e1:->K e3:K>-")]);
}

#[test]
fn a_pawn_on_its_last_rank_becomes_a_queen() {
    let mut table = Table::new();
    let left = fields(&json!({
        "side": "white",
        "facts": { "square": "a8", "set_clock": { "white": 100, "black": 260 } },
        "proposal": { "add_s": 60, "to": "black" },
    }));
    table.plan = Plan::of(Code::PromotionNotReplaced, &left).unwrap();
    table.stand("P3k3/8/8/8/8/8/8/4K3");
    table.check(&[("stop", "open", "black"), ("position", "open", "a8:P>Q"), ("times", "open", "black")]);
    table.run(None, 100, 260);
    table.stand("Q3k3/8/8/8/8/8/8/4K3");
    table.check(&[("stop", "done", ""), ("position", "done", ""), ("times", "done", "")]);
}

#[test]
fn other_seconds_than_proposed_change_the_times_to_set() {
    let mut table = Table::new();
    let mut ruled = offence();
    ruled.insert("seconds".to_owned(), 120.into());
    table.plan.correct(&ruled);
    table.run(None, 98, 320);
    table.check(&[("stop", "done", ""), ("position", "open", "e1:->K e3:K>-"), ("times", "done", "")]);
}

fn progress(table: &Table) -> Option<Headway> {
    table.plan.progress(Sensed { squares: &table.squares, clock: table.clock.as_ref(), up: table.up })
}

/// Returns what the last step reports: the seconds that were given, and with which Black's display is right.
fn times(table: &Table) -> (Option<u64>, u64, u64) {
    let steps =
        table.plan.steps(Sensed { squares: &table.squares, clock: table.clock.as_ref(), up: table.up });
    let step = serde_json::to_value(steps.last().unwrap()).unwrap();
    let right = &step["right"]["black"];
    (step["given"]["seconds"].as_u64(), right["least"].as_u64().unwrap(), right["most"].as_u64().unwrap())
}

#[test]
fn a_clock_set_by_two_seconds_otherwise_is_right() {
    let mut table = Table::new();
    table.stand("4k3/8/8/4p3/8/8/4P3/4K3").run(None, 100, 200);
    assert_eq!((progress(&table), times(&table)), (None, (None, 260, 260)));
    table.run(None, 98, 258);
    table.check(&[("stop", "done", ""), ("position", "done", ""), ("times", "done", "")]);
    assert_eq!((progress(&table), times(&table).0), (Some(Headway::Done), Some(58)));
}

#[test]
fn what_was_given_is_seen_before_the_rest_is_done() {
    let mut table = Table::new();
    table.run(None, 100, 200).run(None, 100, 258);
    assert_eq!((progress(&table), times(&table)), (Some(Headway::Given), (Some(58), 260, 260)));
    // An hour by mistake is given, and not right.
    table.run(None, 100, 3800);
    assert_eq!(times(&table).0, Some(3600));
    // What the opponent's clock ran since the press is given back or not.
    for (shown, given) in [(245, 55), (250, 60), (260, 60), (265, 65)] {
        let mut table = Table::new();
        table.run(None, 100, 190).run(None, 100, shown);
        assert_eq!(times(&table).0, Some(given), "{shown}");
    }
    table.check(&[
        ("stop", "done", ""),
        ("position", "open", "e1:->K e3:K>-"),
        ("times", "open", "white black"),
    ]);
}

#[test]
fn times_follow_the_clock_while_it_runs() {
    let mut table = Table::new();
    table.stand("4k3/8/8/4p3/8/8/4P3/4K3").run(Some(Color::Black), 100, 80);
    assert_eq!(times(&table), (None, 140, 260));
    // The time that the opponent thought may be given back or not.
    for given in [142, 200, 262] {
        let mut table = table.plan.clone();
        let mut clock = ClockView {
            times: Times { white: 100, black: 80 },
            running: None,
            connected: true,
            low_battery: false,
            at: jiff::Timestamp::UNIX_EPOCH,
        };
        let squares = "4k3/8/8/4p3/8/8/4P3/4K3".parse().unwrap();
        table.note(Sensed { squares: &squares, clock: Some(&clock), up: true });
        clock.times = Times { white: 98, black: given };
        let sensed = Sensed { squares: &squares, clock: Some(&clock), up: true };
        table.note(sensed);
        assert_eq!(table.progress(sensed), Some(Headway::Done), "{given}");
    }
}

#[test]
fn play_that_goes_on_with_other_times_ends_the_steps() {
    let mut table = Table::new();
    table.stand("4k3/8/8/4p3/8/8/4P3/4K3").run(None, 100, 190).run(Some(Color::White), 100, 190);
    table.run(Some(Color::White), 75, 190);
    table.check(&[("stop", "open", "white"), ("position", "done", ""), ("times", "open", "black")]);
    table.run(Some(Color::White), 70, 190);
    table.check(&[]);
    assert_eq!(progress(&table), Some(Headway::Done));
}
