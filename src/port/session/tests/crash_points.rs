//! Every point at which a program can be killed between two writes: captures that end at any byte, with a log that ends at any
//! event that was known by then.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::*;

/// Events that are no states; a state is reported anew when it changes.
const HAPPENINGS: [&str; 9] =
    ["lift", "place", "press", "move", "retract", "alert", "alert-update", "game-start", "result"];

/// What a run has left, and what it reported.
struct Run {
    /// Paths below the state directory and contents, oldest first.
    captures: Vec<(PathBuf, String)>,
    reported: Vec<Reported>,
}

/// An event as it was reported.
struct Reported {
    /// Which of the captures it is of; `None` for what is in none.
    capture: Option<usize>,
    at: Timestamp,
    /// What happened, if it is no state.
    what: Option<String>,
    /// The line of the log.
    line: String,
}

/// Returns what happened, without the time: a link that ends with the program brings some things forward.
fn what(event: &Event) -> Option<String> {
    let Value::Object(mut event) = serde_json::to_value(event).ok()? else { return None };
    let is_happening = HAPPENINGS.contains(&event["event"].as_str()?);
    // A restart raises alerts about the link, which are reported only if the board does not return.
    let is_link = event.get("code").is_some_and(|code| code == "board-link");
    event.remove("t");
    event.remove("clock");
    (is_happening && !is_link).then(|| Value::Object(event).to_string())
}

impl Run {
    fn new(then: impl FnOnce(&mut PortSession)) -> Self {
        let place = Place::new();
        let mut session = place.session();
        two_games(&mut session);
        then(&mut session);
        let events = session.take_events();
        drop(session);
        let paths = files::all(place.dir.path(), PORT).unwrap();
        let captures: Vec<(PathBuf, String)> = paths
            .iter()
            .map(|path| {
                (path.strip_prefix(place.dir.path()).unwrap().into(), fs::read_to_string(path).unwrap())
            })
            .collect();
        assert_eq!(captures.len(), 2);
        let began: Vec<i64> = captures.iter().map(|(_, text)| began(text)).collect();
        let reported = events.into_iter().map(|dated| {
            let what = dated.ordinal.and_then(|_| what(&dated.event));
            let capture =
                dated.ordinal.map(|ordinal| began.iter().position(|at| *at == ordinal.capture).unwrap());
            let Dated { at, event, ordinal } = dated;
            let time = event.at;
            let event = SerializedEvent::new(event, ordinal);
            let line = Published::new(PORT.into(), event, at, 1).json().to_owned() + "\n";
            Reported { capture, at: time, what, line }
        });
        let reported = reported.collect();
        Self { captures, reported }
    }

    /// Returns how many events were reported before the last of these records was taken, and how many may have been after it.
    fn known(&self, capture: usize, whole: &str) -> (usize, usize) {
        let mut times = whole.lines().filter_map(|line| line.split(' ').next()?.parse::<Timestamp>().ok());
        let last = times.next_back();
        let before = times.next_back();
        let count = |until: Option<Timestamp>| {
            // In the order in which they were reported; what belongs to no capture counts with what follows it.
            let is_later = |reported: &Reported| {
                reported.capture.is_some_and(|of| {
                    of > capture || of == capture && until.is_none_or(|until| reported.at > until)
                })
            };
            self.reported.iter().position(is_later).unwrap_or(self.reported.len())
        };
        (count(before), count(last))
    }

    /// Lets a program begin where another has been killed, with captures that end at `end` of the last of them and a log of so
    /// many events; returns what is reported in the end, by both.
    fn recover(&self, capture: usize, end: usize, logged: usize) -> Vec<String> {
        let place = Place::new();
        for (index, (path, text)) in self.captures.iter().enumerate().take(capture + 1) {
            let copy = place.dir.path().join(path);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::write(&copy, if index == capture { &text[..end] } else { text }).unwrap();
        }
        let log = place.dir.path().join("events.jsonl");
        let reported = &self.reported[..logged];
        fs::write(&log, reported.iter().map(|reported| reported.line.as_str()).collect::<String>()).unwrap();
        let recovered = recover_all(&place, &EventIndex::read(&log));
        let recovered = recovered.iter().filter_map(|dated| what(&dated.event));
        let mut all: Vec<String> =
            reported.iter().filter_map(|reported| reported.what.clone()).chain(recovered).collect();
        all.sort_unstable();
        all
    }

    /// Checks captures that end here, with a log of each of these lengths: nothing is lost, nothing sent twice.
    fn check(&self, capture: usize, end: usize, logged: RangeInclusive<usize>) {
        let text = &self.captures[capture].1[..end];
        let records =
            text.split_inclusive('\n').filter(|line| line.ends_with('\n') && !line.starts_with('#'));
        // To a log without any line everything is reported.
        let whole = self.recover(capture, end, 0);
        if records.count() > 1 {
            let (sure, _) = self.known(capture, &text[..=text.rfind('\n').unwrap()]);
            for what in self.reported[..sure].iter().filter_map(|reported| reported.what.as_ref()) {
                assert!(whole.contains(what), "not in {end} bytes of capture {capture}: {what}");
            }
        }
        let count = |all: &[String], what: &String| all.iter().filter(|other| *other == what).count();
        let live: Vec<String> = self.reported.iter().filter_map(|reported| reported.what.clone()).collect();
        for logged in logged {
            let all = self.recover(capture, end, logged);
            for what in &all {
                // What the last record and the next one report has the same time, and may be in the log.
                let most = count(&whole, what).max(count(&live, what));
                assert!(
                    count(&all, what) <= most,
                    "twice with {end} bytes of capture {capture} and {logged} events: {what}"
                );
            }
            for what in &whole {
                assert!(
                    count(&all, what) >= count(&whole, what),
                    "lost with {end} bytes of capture {capture} and {logged} events: {what}"
                );
            }
        }
    }
}

/// Gives orders in the second game, and pulls the cable for a while.
fn order_and_outage(session: &mut PortSession) {
    let at = |session: &PortSession, seconds| session.now() + Duration::from_secs(seconds);
    for order in
        [r#"{"order":"penalty","side":"black","seconds":120}"#, r#"{"order":"draw-offer","side":"white"}"#]
    {
        let now = at(session, 1);
        session.order("23946", &Order::parse(order).unwrap(), now).unwrap();
    }
    let away = at(session, 1);
    session.link_down("unplugged", away);
    session.link_up(PORT, away + Duration::from_secs(2));
    let back = away + Duration::from_secs(2);
    session.received(SERIAL, back + Duration::from_millis(50));
    session.received(
        &dump("rnbqkbnrpppppppp....................P...........PPPP.PPPRNBQKBNR"),
        back + Duration::from_millis(150),
    );
    session.received(&clock(590, 598, false), back + Duration::from_millis(200));
    for second in 1..10 {
        session.tick(back + Duration::from_secs(second));
    }
    let end = at(session, 1);
    session.order("23946", &Order::parse(r#"{"order":"result","result":"1-0"}"#).unwrap(), end).unwrap();
}

/// Returns when a capture began, microseconds since 1970.
fn began(text: &str) -> i64 {
    let started = text.lines().find_map(|line| line.strip_prefix("# started: ")).unwrap();
    started.parse::<jiff::Timestamp>().unwrap().as_microsecond()
}

#[test]
fn between_two_writes_nothing_is_lost_or_reported_twice() {
    let run = Run::new(order_and_outage);
    let mut points = 0;
    for (capture, (_, text)) in run.captures.iter().enumerate() {
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            end += line.len();
            // The record is written; of what follows from it and from all before it the log has nothing, a part, or all.
            let (_, to) = run.known(capture, &text[..end]);
            run.check(capture, end, 0..=to);
            points += 1 + to;
        }
    }
    assert!(points > run.reported.len(), "{points}");
}

#[test]
fn a_record_that_was_torn_at_any_byte_loses_itself_only() {
    let run = Run::new(|_| {});
    for (capture, (_, text)) in run.captures.iter().enumerate() {
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            let (_, known) = run.known(capture, &text[..begin]);
            // All bytes of short records; of long ones the ends.
            for cut in (1..line.len()).filter(|cut| *cut < 40 || cut + 8 > line.len()) {
                run.check(capture, begin + cut, known..=known);
            }
            begin += line.len();
        }
    }
}
