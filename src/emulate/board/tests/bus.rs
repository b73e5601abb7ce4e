//! The board on a bus, and on its way there and back.

use dgt_protocol::{Answer, BusDecoder};

use super::*;

/// The vectors of protocol section 6.2, addressed to board 01025.
#[test]
fn the_bus_vectors() {
    let mut desk = Desk::new(|options| {
        options.serial = "01025".to_owned();
        options.version = Version { major: 1, minor: 2 };
    });
    let now = desk.now;
    let codes = start_codes();
    desk.ask("87 08 01 10", "87 00 06 08 01 16");
    desk.ask("85 08 01 0E", "88 00 06 08 01 17");
    desk.ask("82 08 01 0B", &format!("83 00 46 08 01 {codes} 7C"));
    let clock = desk.board.clock_mut(now);
    clock.start(now);
    clock.press(dgt_protocol::Side::Left, now);
    clock.set(dgt_protocol::Side::Left, Duration::from_secs(181), now);
    clock.set(dgt_protocol::Side::Right, Duration::from_secs(182), now);
    clock.set_lever(dgt_protocol::Side::Left, now);
    desk.wait(0.4);
    let now = desk.now;
    desk.board.clock_mut(now).set(dgt_protocol::Side::Left, Duration::from_secs(181), now);
    desk.wait(0.39);
    desk.ask("81 08 01 0A", "84 00 0D 08 01 20 03 02 20 03 01 09 6C");
    desk.send("83 08 01 0C");
    desk.wait(0.3);
    desk.ask("83 08 01 0C", "85 00 06 08 01 14");
    desk.set("e2", ' ');
    desk.wait(0.2);
    desk.set("e4", 'P');
    desk.wait(0.2);
    let now = desk.now;
    desk.ask("83 08 01 0C", "85 00 0A 08 01 40 34 51 24 01");
    assert!(now < desk.now);
    desk.ask("84 08 01 0D", "85 00 0A 08 01 40 34 51 24 01");
    desk.ask("84 08 01 0D", "85 00 0A 08 01 40 34 51 24 01");
    desk.ask("8B 08 01 14", "89 00 06 08 01 18");
    desk.ask("83 34 1D 54", "");
    desk.ask("87 08 01 11", "");
}

#[test]
fn all_at_once_is_three_answers() {
    let mut desk = Desk::new(|options| options.serial = "01025".to_owned());
    desk.send("8D 08 01 16");
    let said = bytes(&desk.wait(1.0));
    let mut decoder = BusDecoder::new();
    let mut input = &said[..];
    let mut said = Vec::new();
    while let Some(reply) = decoder.next_reply(&mut input) {
        said.push((
            matches!(reply.answer, Answer::Changes(_)),
            matches!(reply.answer, Answer::Message(Message::Clock(_))),
            matches!(reply.answer, Answer::Message(Message::BoardDump(_))),
        ));
    }
    assert_eq!(said, [(true, false, false), (false, true, false), (false, false, true)]);
    assert_eq!(decoder.tally().noise_bytes, 0);
}

#[test]
fn a_ping_to_all_is_answered_at_random_and_may_be_ignored() {
    let mut waits = std::collections::BTreeSet::new();
    for seed in 0..8 {
        let mut desk = Desk::new(|options| options.seed = seed);
        desk.send("87 00 00 07");
        let mut waited = 0;
        while desk.wait(0.05).is_empty() {
            waited += 1;
            assert!(waited < 24, "no answer within 1.1 s");
        }
        waits.insert(waited);
    }
    assert!(waits.len() > 4, "{waits:?}");
    let mut desk = Desk::new(|options| options.serial = "01025".to_owned());
    desk.ask("8A 08 01 13", "87 00 06 08 01 16");
    desk.send("87 00 00 07");
    assert_eq!(desk.wait(2.0), "");
    desk.send("87 00 00 07");
    assert_eq!(desk.wait(2.0), "87 00 06 08 01 16");
}

/// Protocol section 1.3.
#[test]
fn modes_are_switched_as_described() {
    let mut desk = Desk::new(|options| options.serial = "01025".to_owned());
    desk.ask("4D", "93 00 05 01 08");
    desk.ask("87 08 01 10", "");
    desk.ask("87 08 01 10", "87 00 06 08 01 16");
    desk.ask("88 08 01 11", "");
    desk.ask("4D", "93 00 05 01 08");
    desk.ask("4A", "");
    desk.ask("87 08 01 10", "87 00 06 08 01 16");
    desk.ask("89 08 01 12", "");
    desk.ask("87 08 01 10", "");
    desk.wait(2.5);
    desk.ask("87 08 01 10", "87 00 06 08 01 16");
}
