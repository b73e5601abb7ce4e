use super::*;
use jadoube_core::{
    event::{Event, EventKind, LinkState},
    time::Timestamp,
};

fn published(seq: u64, board: &str) -> Published {
    let kind = EventKind::Link { state: LinkState::Up, port: "p".to_owned() };
    let event = Event { at: Timestamp::ZERO, board: board.into(), kind };
    Published::new("p".into(), event.into(), jiff::Timestamp::UNIX_EPOCH, seq)
}

fn feed(events: std::ops::RangeInclusive<u64>) -> Feed {
    let feed = Feed::default();
    feed.reset(events.start() - 1);
    for seq in events {
        feed.push(&published(seq, "1"));
    }
    feed
}

#[track_caller]
fn check(feed: &Feed, after: Option<u64>, expected: &[(&str, u64)]) {
    let (missed, _) = feed.subscribe(after, false);
    let missed: Vec<_> = missed.iter().map(|message| (message.kind, message.seq)).collect();
    assert_eq!(missed, expected);
}

#[test]
fn a_client_that_comes_back_gets_what_it_missed() {
    let feed = feed(11..=13);
    check(&feed, None, &[]);
    check(&feed, Some(13), &[]);
    check(&feed, Some(11), &[("link", 12), ("link", 13)]);
    check(&feed, Some(10), &[("link", 11), ("link", 12), ("link", 13)]);
}

#[test]
fn a_client_that_was_away_too_long_begins_anew() {
    let feed = feed(11..=13);
    check(&feed, Some(9), &[("reset", 13)]);
    // Numbers of a log that is gone.
    check(&feed, Some(14), &[("reset", 13)]);
    feed.reset(20);
    check(&feed, Some(13), &[("reset", 20)]);
    check(&feed, Some(20), &[]);
}

#[test]
fn a_page_that_comes_back_reads_what_it_missed_from_the_view() {
    let feed = feed(11..=60_000);
    let missed =
        |after| feed.subscribe(Some(after), true).0.iter().map(|message| message.kind).collect::<Vec<_>>();
    assert!(feed.past.lock().unwrap().before > 11, "events are kept for a while only");
    assert_eq!((missed(10), missed(60_000)), (vec![], vec![]));
    assert_eq!((missed(9), missed(60_001)), (vec!["reset"], vec!["reset"]), "of another process");
}

#[test]
fn the_past_is_bounded() {
    let feed = feed(1..=60_000);
    let past = feed.past.lock().unwrap();
    assert!(past.bytes <= KEPT && past.before > 0, "{} bytes", past.bytes);
    assert_eq!(past.messages.front().unwrap().seq, past.before + 1);
}

#[test]
fn an_event_is_one_message() {
    let feed = feed(7..=7);
    let (missed, _) = feed.subscribe(Some(6), false);
    let text = String::from_utf8(missed[0].text.to_vec()).unwrap();
    assert!(text.starts_with("id: 7\ndata: {\"t\":0.0,\"board\":\"1\",\"event\":\"link\""), "{text}");
    assert!(text.ends_with("}\n\n") && text.lines().count() == 3, "{text}");
}

#[test]
fn a_client_hears_what_it_wishes_to_hear() {
    let feed = feed(1..=1);
    feed.push(&published(2, "2"));
    let (missed, _) = feed.subscribe(Some(0), false);
    let heard = |board: Option<&str>, events: Option<&str>| {
        let filter = EventFilter {
            board: board.map(str::to_owned),
            events: events.map(str::to_owned),
            after: None,
            ..EventFilter::default()
        };
        let all = missed.iter().filter(|message| filter.wants(message));
        all.map(|message| message.seq).collect::<Vec<_>>()
    };
    assert_eq!(heard(None, None), [1, 2]);
    assert_eq!(heard(Some("2"), None), [2]);
    assert_eq!(heard(Some("1, 2"), Some("move,link")), [1, 2]);
    assert_eq!(heard(None, Some("move")), [0; 0]);
    let all = EventFilter { board: Some("3".to_owned()), ..EventFilter::default() };
    assert!(all.wants(&reset(3, Audience::All)));
}

#[test]
fn pages_hear_what_has_changed_and_others_what_happens() {
    let feed = Feed::default();
    let mut listener = feed.live.subscribe();
    let event = published(1, "1");
    feed.push(&event);
    feed.push_patch(1, "1".into(), "link", br#"{"seq":1}"#);
    let (page, other) = (EventFilter { hall: true, ..EventFilter::default() }, EventFilter::default());
    let heard = [listener.try_recv().unwrap(), listener.try_recv().unwrap()];
    assert_eq!(
        heard.each_ref().map(|message| (page.wants(message), other.wants(message))),
        [(false, true), (true, false)]
    );
    assert_eq!(heard[1].text, "event: board\nid: 1\ndata: {\"seq\":1}\n\n");
    assert!(!feed.has_pages());
}

#[test]
fn some_pages_are_sent_patches_others_are_asked_to_reread() {
    let feed = feed(11..=13);
    let mut listener = feed.live.subscribe();
    feed.reset_others(20);
    let (page, other) = (EventFilter { hall: true, ..EventFilter::default() }, EventFilter::default());
    let heard = listener.try_recv().unwrap();
    assert_eq!((page.wants(&heard), other.wants(&heard)), (false, true));
    let missed = |after, is_page| feed.subscribe(Some(after), is_page).0.len();
    assert_eq!(
        (missed(11, true), missed(20, true), missed(9, true)),
        (0, 0, 1),
        "pages read it from the view"
    );
    assert_eq!((missed(11, false), missed(20, false)), (1, 0));
}
