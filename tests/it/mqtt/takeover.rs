//! A stranger who connects under the name of the daemon again and again: the broker ends the daemon's connection each time.

use std::{
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use super::{
    Table,
    broker::{Broker, is_missing, wait},
    configuration, hall_with, logged, seqs,
};

/// Connects as the daemon does, and stays until it is killed.
fn steal(port: u16) -> Child {
    let mut thief = Command::new("mosquitto_sub");
    thief.args(["-p", &port.to_string(), "-i", "jadoube-hall-a-one", "-t", "nothing"]);
    thief.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn who_takes_its_name_over_takes_no_event_away() {
    if is_missing("who_takes_its_name_over_takes_no_event_away") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    hall.configure(&configuration(&socket, &format!("url = 'mqtt://127.0.0.1:{}'", broker.port)));
    let mut listener = broker.listen(&[]);
    hall.start();
    let mut table = Table::plug(&socket);
    listener.wait("board/23946/state", "\"game\":1");
    let goes_on = AtomicBool::new(true);
    thread::scope(|scope| {
        scope.spawn(|| {
            while goes_on.load(Ordering::Relaxed) {
                let mut thief = steal(broker.port);
                thread::sleep(Duration::from_millis(700));
                thief.kill().unwrap();
                thief.wait().unwrap();
            }
        });
        for (from, to, san) in [(52, 36, "e4"), (12, 28, "e5"), (62, 45, "Nf3"), (1, 18, "Nc6")] {
            table.play(from, to);
            wait(|| hall.log("events.jsonl").contains(&format!("\"san\":\"{san}\"")), "the log has the move");
            thread::sleep(Duration::from_secs(2));
        }
        let said = hall.wait_message("another client took over this name, jadoube-hall-a-one");
        goes_on.store(false, Ordering::Relaxed);
        assert!(said.last().unwrap().contains("mqtt.client_id"), "{said:?}");
    });
    let logged = logged(&hall);
    let last = *logged.last().unwrap();
    listener.wait("", &format!("\"seq\":{last}"));
    wait(|| super::noted(&hall) >= last, "the broker has everything");
    assert_eq!(hall.stop(), 0);
    let mut got = seqs(&listener.events());
    got.sort_unstable();
    got.dedup();
    let missing: Vec<&u64> = logged.iter().filter(|seq| !got.contains(seq)).collect();
    assert!(missing.is_empty(), "{missing:?} of {logged:?}");
}
