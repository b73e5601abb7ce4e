use super::*;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_micros(millis * 1000)
}

fn carried(faults: Faults, seed: u64) -> Vec<(Timestamp, Vec<u8>)> {
    let mut wire = Wire::new(faults, seed);
    let mut arrived = Vec::new();
    for n in 0..1000 {
        wire.carry(vec![0x8D, 0, 10, 1, 2, 3, 4, 5, 6, 9], at(n * 50));
    }
    while let Some(now) = wire.poll_timeout() {
        while let Some(bytes) = wire.poll(now) {
            arrived.push((now, bytes));
        }
    }
    arrived
}

#[test]
fn a_good_line_changes_nothing() {
    let arrived = carried(Faults::NONE, 1);
    assert_eq!(arrived.len(), 1000);
    assert!(arrived.iter().zip(0..).all(|((now, bytes), n)| *now == at(n * 50) && bytes.len() == 10));
}

#[test]
fn a_ragged_line_loses_nothing_and_keeps_the_order() {
    let arrived = carried(Faults::RAGGED, 2);
    assert!(arrived.len() > 1100, "{} reads", arrived.len());
    assert!(arrived.is_sorted_by_key(|(now, _)| *now));
    let bytes: Vec<u8> = arrived.into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert_eq!(bytes, [0x8D, 0, 10, 1, 2, 3, 4, 5, 6, 9].repeat(1000));
}

#[test]
fn every_fault_does_what_it_is_called() {
    let count = |faults: Faults| carried(faults, 3).iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    assert_eq!(count(Faults { drop: 0.1, ..Faults::NONE }), 8965);
    assert_eq!(count(Faults { insert: 0.1, ..Faults::NONE }), 11_045);
    assert_eq!(count(Faults { duplicate: 0.1, ..Faults::NONE }), 11_048);
    let flipped = carried(Faults { flip: 0.1, ..Faults::NONE }, 3);
    let wrong = flipped.iter().filter(|(_, bytes)| **bytes != [0x8D, 0, 10, 1, 2, 3, 4, 5, 6, 9]).count();
    assert!((600..700).contains(&wrong), "{wrong} of 1000");
}

#[test]
fn a_field_update_disappears_whole() {
    let mut wire = Wire::new(Faults::NONE, 4);
    wire.lose_update();
    wire.carry(vec![0x8D, 0, 10, 1, 2, 3, 4, 5, 6, 9], at(0));
    wire.carry(vec![0x8E, 0, 5, 0x34, 0], at(1));
    wire.carry(vec![0x8E, 0, 5, 0x24, 1], at(2));
    assert_eq!(wire.poll(at(5)).map(|bytes| bytes.len()), Some(10));
    assert_eq!(wire.poll(at(5)), Some(vec![0x8E, 0, 5, 0x24, 1]));
    assert_eq!(wire.poll(at(5)), None);
}
