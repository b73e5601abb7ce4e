//! Retained topics of which nobody has a note: their process was killed while its disk stood still.

use super::{
    Table,
    broker::{Broker, is_missing},
    configuration, hall_with,
};

#[test]
fn what_a_kill_left_at_the_broker_without_a_note_is_withdrawn() {
    if is_missing("what_a_kill_left_at_the_broker_without_a_note_is_withdrawn") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    hall.configure(&configuration(&socket, &format!("url = 'mqtt://127.0.0.1:{}'", broker.port)));
    let left = ["alert/23946-9-9", "alert/777-1-1", "board/777/availability", "board/777/state"];
    let long = "x".repeat(9000);
    for (topic, payload) in left.map(|topic| (topic, "{}")).into_iter().chain([("alert/777-1-2", &*long)]) {
        broker.publish(&[], &format!("dgt/hall-a/one/{topic}"), payload, &["-r"]);
    }
    let of_others =
        ["dgt/hall-b/one/alert/5-1-1", "dgt/hall-a/one-more/alert/5-1-1", "dgt/hall-a/one/notes/alert"];
    for topic in of_others {
        broker.publish(&[], topic, "{}", &["-r"]);
    }
    let mut listener = broker.listen(&[]);
    hall.start();
    let _table = Table::plug(&socket);
    listener.wait("board/23946/state", "\"game\":1");
    for topic in left.into_iter().chain(["alert/777-1-2"]) {
        if !listener.seen.iter().any(|message| message.topic.ends_with(topic) && message.payload.is_empty()) {
            listener.wait_empty(topic);
        }
    }
    assert_eq!(hall.stop(), 0);
    let mut late = broker.listen(&[]);
    late.wait("board/23946/state", "");
    let kept: Vec<&str> =
        late.seen.iter().filter(|message| message.retained).map(|message| message.topic.as_str()).collect();
    assert!(of_others.iter().all(|topic| kept.contains(topic)), "{kept:?}");
    assert!(kept.iter().all(|topic| !topic.contains("/777") && !topic.contains("-9-9")), "{kept:?}");
}
