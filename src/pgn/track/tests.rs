use super::*;
use crate::view::{self, Boards};
use jadoube_core::{
    alert::Confidence,
    event::{Event, EventKind, MoveEvent, SanText, Times, UciText},
};

/// A board that is given events second by second, and its track.
struct Table {
    boards: Boards,
    track: Track,
    now: i64,
    delay: i64,
    /// Seconds by which the calendar is ahead of what it was.
    drift: i64,
    /// When the process began that looks at the board.
    started: i64,
    round: Option<u32>,
    /// Whether the game on the board is that of no table.
    nowhere: bool,
    shown_moves: Shown,
}

impl Table {
    fn new(delay: i64, round: Option<u32>) -> Self {
        Self {
            boards: Boards::new(),
            track: Track::default(),
            now: 1_000_000,
            delay,
            drift: 0,
            started: 0,
            round,
            nowhere: false,
            shown_moves: Shown::Made,
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn report(&mut self, kind: EventKind) {
        let event = Event { at: jadoube_core::time::Timestamp::ZERO, board: "23946".into(), kind };
        view::apply(&mut self.boards, &"/dev/ttyACM0".into(), &event, Self::at(self.now + self.drift), 1);
    }

    fn begin(&mut self, game: u32) {
        self.report(EventKind::game_start(game, "start"));
    }

    fn play(&mut self, game: u32, plies: std::ops::RangeInclusive<u32>) {
        self.make(game, plies, true);
    }

    fn make(&mut self, game: u32, plies: std::ops::RangeInclusive<u32>, completed: bool) {
        for ply in plies {
            self.report(EventKind::Move(Box::new(MoveEvent {
                game,
                ply,
                side: Color::White,
                uci: UciText::default(),
                san: SanText::from(&format!("{game}x{ply}")).unwrap(),
                fen: String::new(),
                legal: true,
                completed,
                confidence: Confidence::Certain,
                clock: None,
                inferred: false,
                alternatives: None,
                entered: false,
                remark: None,
            })));
        }
    }

    fn clock(&mut self, white: u32, running: Option<Color>) {
        let clock = Some(Times { white, black: 60 });
        self.report(EventKind::Clock { clock, running, connected: true, low_battery: false });
    }

    /// Lets seconds pass and returns what is shown: round and game, moves, result.
    fn after(&mut self, seconds: i64) -> String {
        for _ in 0..=seconds {
            let drift = SignedDuration::from_secs(self.drift);
            let instant = Instant::at(Self::at(self.now), drift, Self::at(self.started));
            let placing = match (self.nowhere, self.round) {
                (true, _) => Placing::Nowhere,
                (false, Some(round)) => Placing::Round(round),
                (false, None) => Placing::Uncounted,
            };
            self.track.observe(&self.boards["23946"], placing, self.shown_moves, instant);
            self.track.show(SignedDuration::from_secs(self.delay), Self::at(self.now));
            self.now += i64::from(seconds > 0);
        }
        self.track.shown().game.as_ref().map_or_else(String::new, |game| {
            let moves: Vec<&str> = game.moves.iter().map(|played| played.san.as_str()).collect();
            let result = game.result.map_or("*", |(result, _)| result);
            format!("{}.{} {} {result}", game.round, game.number, moves.join(" "))
        })
    }
}

#[test]
fn without_delay_everything_is_shown_at_once() {
    let mut table = Table::new(0, Some(1));
    table.begin(1);
    table.play(1, 1..=2);
    assert_eq!(table.after(0), "1.1 1x1 1x2 *");
    table.report(EventKind::Retract { game: 1, ply: 2 });
    assert_eq!(table.after(0), "1.1 1x1 *");
    table.report(EventKind::Result { game: 1, result: "1-0", by: "kings" });
    assert_eq!(table.after(0), "1.1 1x1 1-0");
}

#[test]
fn a_position_that_an_order_sets_is_where_the_game_starts() {
    let mut table = Table::new(0, Some(3));
    table.begin(1);
    table.play(1, 1..=2);
    assert_eq!(table.after(0), "3.1 1x1 1x2 *");
    table.report(EventKind::Retract { game: 1, ply: 1 });
    table.report(EventKind::game_start(1, "other"));
    table.play(1, 1..=1);
    assert_eq!(table.after(0), "3.1 1x1 *");
    assert_eq!(&*table.track.shown().game.as_ref().unwrap().start, "other");
}

#[test]
fn nothing_is_shown_before_its_time() {
    let mut table = Table::new(10, Some(1));
    table.begin(1);
    assert_eq!(table.after(5), "");
    table.play(1, 1..=1);
    assert_eq!(table.after(5), "1.1  *", "the pieces stand there");
    table.play(1, 2..=2);
    table.clock(55, Some(Color::White));
    assert_eq!(table.after(5), "1.1 1x1 *");
    assert_eq!(table.track.shown().clock, None, "the clock would show that somebody has moved");
    table.report(EventKind::Retract { game: 1, ply: 1 });
    table.play(1, 1..=1);
    table.report(EventKind::Result { game: 1, result: "0-1", by: "flag" });
    assert_eq!(table.after(5), "1.1 1x1 1x2 *", "neither the take-back nor the result shows through");
    assert_eq!(table.track.shown().clock.unwrap().white, 55);
    assert_eq!(table.after(6), "1.1 1x1 0-1");
}

#[test]
fn a_new_game_does_not_cut_the_delayed_one_short() {
    let mut table = Table::new(10, Some(1));
    table.begin(1);
    table.play(1, 1..=20);
    assert_eq!(table.after(3), "");
    table.play(1, 21..=21);
    table.after(1);
    table.round = Some(2);
    table.begin(2);
    let shown = table.after(7);
    assert!(shown.starts_with("1.1 ") && shown.ends_with(" 1x20 *"), "{shown}");
    let shown = table.after(1);
    assert!(shown.ends_with(" 1x21 *"), "{shown}");
    assert_eq!(table.after(9), "2.2  *");
}

#[test]
fn a_calendar_that_is_set_shows_nothing_before_its_time() {
    // Before the first look, after it, and between two moves, as on a machine that learns the time after its start.
    for (before, after) in [(-3600, -3600), (3600, 3600), (0, -3600), (0, 3600)] {
        let mut table = Table::new(10, Some(1));
        table.drift = before;
        table.begin(1);
        table.play(1, 1..=1);
        table.drift = after;
        table.now += 2;
        table.play(1, 2..=2);
        assert_eq!(table.after(7), "", "{before} {after}");
        assert_eq!(table.after(12), "1.1 1x1 1x2 *", "{before} {after}");
    }
}

#[test]
fn after_a_restart_what_is_old_enough_is_shown() {
    // The calendar stays, or is set before the end of a process or until the next one begins.
    for leap in [0, 3600, -3600] {
        for is_recovered in [true, false] {
            let mut table = Table::new(10, Some(1));
            table.begin(1);
            table.play(1, 1..=1);
            table.now += 8;
            table.play(1, 2..=2);
            table.now += 4;
            let end = Table::at(table.now);
            table.now += leap;
            table.started = table.now;
            let board = Arc::make_mut(table.boards.get_mut("23946").unwrap());
            board.recovered = is_recovered.then_some(end);
            // Only now it is looked at.
            let shown = if is_recovered { "1.1 1x1 *" } else { "" };
            assert_eq!(table.after(0), shown, "{leap}");
            assert_eq!(table.after(5), shown, "{leap}");
            assert_eq!(table.after(6), "1.1 1x1 1x2 *", "{leap}");
        }
    }
}

#[test]
fn a_game_of_no_table_does_not_take_the_place_of_one() {
    let mut table = Table::new(0, Some(3));
    table.begin(1);
    table.play(1, 1..=4);
    table.report(EventKind::Result { game: 1, result: "1-0", by: "kings" });
    table.after(0);
    table.nowhere = true;
    table.begin(2);
    table.play(2, 1..=9);
    assert_eq!(table.after(0), "3.1 1x1 1x2 1x3 1x4 1-0");
    // An arbiter says that it is one of the next round.
    (table.nowhere, table.round) = (false, Some(4));
    assert_eq!(table.after(0), "4.2 2x1 2x2 2x3 2x4 2x5 2x6 2x7 2x8 2x9 *");
    table.round = Some(5);
    assert!(table.after(0).starts_with("5.2 2x1 "), "or of another one");
}

#[test]
fn a_move_is_shown_once_it_is_completed_where_that_is_asked_for() {
    let mut table = Table::new(0, Some(1));
    table.shown_moves = Shown::Completed(SignedDuration::from_secs(5));
    table.begin(1);
    table.clock(60, Some(Color::White));
    table.make(1, 1..=1, false);
    assert_eq!(table.after(9), "1.1  *");
    table.play(1, 1..=1);
    table.make(1, 2..=2, false);
    assert_eq!(table.after(9), "1.1 1x1 *");
    table.report(EventKind::Result { game: 1, result: "1-0", by: "arbiter" });
    assert_eq!(table.after(0), "1.1 1x1 1x2 1-0");
}

#[test]
fn without_a_clock_a_move_is_shown_once_it_rests() {
    let mut table = Table::new(0, Some(1));
    table.shown_moves = Shown::Completed(SignedDuration::from_secs(5));
    table.begin(1);
    table.make(1, 1..=1, false);
    assert_eq!(table.after(3), "1.1  *");
    assert_eq!(table.after(3), "1.1 1x1 *");
}

#[test]
fn without_rounds_every_board_counts_its_games() {
    let mut table = Table::new(0, None);
    for game in 1..=2 {
        table.begin(game);
        table.after(0);
        table.play(game, 1..=1);
        table.report(EventKind::Result { game, result: "1/2-1/2", by: "kings" });
        assert_eq!(table.after(0), format!("{game}.{game} {game}x1 1/2-1/2"));
    }
    table.begin(3);
    assert_eq!(table.after(0), "2.2 2x1 1/2-1/2", "pieces that are put back are no game");
}

#[test]
fn a_clock_that_goes_on_as_clocks_do_is_no_news() {
    let mut table = Table::new(0, Some(1));
    table.begin(1);
    table.clock(60, Some(Color::White));
    table.after(0);
    let first = table.track.shown().clock;
    for left in (40..60).rev() {
        table.now += 1;
        table.clock(left, Some(Color::White));
        table.after(0);
    }
    assert_eq!(table.track.shown().clock, first);
    table.clock(100, Some(Color::White));
    table.after(0);
    assert_eq!(table.track.shown().clock.unwrap().white, 100, "somebody has set it");
    table.clock(100, None);
    table.after(0);
    assert_eq!(table.track.shown().clock.unwrap().running, None);
}
