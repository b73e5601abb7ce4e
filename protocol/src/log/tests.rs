use super::*;
use crate::tests::hex;
use std::vec::Vec;

/// The bytes are these records, both ways.
#[track_caller]
fn check(text: &str, expected: &[Record]) {
    let bytes = hex(text);
    assert_eq!(EventLog(&bytes).records().collect::<Vec<_>>(), expected);
    check_bytes(&bytes, expected);
}

/// The same of a download, whose first record may be cut.
#[track_caller]
fn check_ring(text: &str, expected: &[Record]) {
    let bytes = hex(text);
    assert_eq!(EventLog(&bytes).records_of_ring().collect::<Vec<_>>(), expected);
    check_bytes(&bytes, expected);
}

#[track_caller]
fn check_bytes(bytes: &[u8], records: &[Record]) {
    let again: Vec<u8> = records.iter().flat_map(|record| record.to_bytes().to_vec()).collect();
    assert_eq!(again, bytes);
}

fn field(field: u8, piece: Piece, quick: bool) -> Record {
    Record::Field { field: Field::new(field).unwrap(), piece, quick }
}

fn clock(side: Side, total: u32) -> Record {
    Record::Clock { side, time: ClockTime::from_seconds(total) }
}

#[test]
fn worked_example() {
    check(
        "7F 7F 7F 6A 6F 40 34 51 24 70 03 01 40 0C 57 1C 60 03 03 6B",
        &[
            Record::Mark(Mark::Nop),
            Record::Mark(Mark::Nop),
            Record::Mark(Mark::Nop),
            Record::Mark(Mark::PowerUp),
            Record::Mark(Mark::Begin),
            field(0x34, Piece::Empty, false),
            field(0x24, Piece::WhitePawn, true),
            clock(Side::Left, 181),
            field(0x0C, Piece::Empty, false),
            field(0x1C, Piece::BlackPawn, true),
            clock(Side::Right, 183),
            Record::Mark(Mark::End),
        ],
    );
}

#[test]
fn marks() {
    for byte in 0..=u8::MAX {
        let expected = match byte {
            0x00 | 0x6A..=0x6F | 0x7A..=0x7F => Record::Mark(Mark::from_byte(byte).unwrap()),
            0x01..=0x0F => {
                Record::Elapsed(Elapsed { parts: 0, fraction: byte, seconds: 0, minutes: 0, hours: 0 })
            }
            _ => Record::Unknown(byte),
        };
        assert_eq!(EventLog(&[byte]).records().collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn clock_digits() {
    check("79 59 59 60 00 00", &[clock(Side::Left, 35_999), clock(Side::Right, 0)]);
}

#[test]
fn elapsed_time_in_both_readings() {
    for (text, sixteenths, by_256ths) in [
        ("18 0C", 12_500, 12_093),
        ("2A 03 05", 303_625, 303_164),
        ("04", 250, 15),
        ("3F 3B 3B 7F", 127 * 3_600_000 + 3_599_938, 127 * 3_600_000 + 3_599_246),
    ] {
        let bytes = hex(text);
        let records: Vec<_> = EventLog(&bytes).records().collect();
        let [Record::Elapsed(elapsed)] = records[..] else { panic!("{records:?}") };
        assert_eq!((elapsed.millis(), elapsed.millis_by_256ths()), (sixteenths, by_256ths), "{text}");
        assert_eq!(Elapsed::from_millis(elapsed.millis()), elapsed);
        check_bytes(&bytes, &records);
    }
    assert_eq!(Elapsed::from_millis(u32::MAX).to_record(), hex("3F 3B 3B 7F"));
    assert_eq!(Elapsed::from_millis(60_000).to_record(), hex("20 00 01"));
}

impl Elapsed {
    fn to_record(self) -> Vec<u8> {
        Record::Elapsed(self).to_bytes().to_vec()
    }
}

#[test]
fn a_watchdog_with_a_byte_behind_it_does_no_harm() {
    let elapsed = Record::Elapsed(Elapsed::from_millis(190));
    check("7C 03 40 30", &[Record::Mark(Mark::Watchdog), elapsed, field(0x30, Piece::Empty, false)]);
}

#[test]
fn damage_costs_the_records_it_touches() {
    let e4 = field(0x24, Piece::WhitePawn, false);
    for (damage, unknown) in [
        ("40", 1),    // a field record without its field
        ("40 6B", 1), // the same before a mark
        ("60 7F", 1), // a time without its digits
        ("70 59 6B", 2),
        ("FF C1", 2), // no bytes of a log
        ("10 3C", 2), // 60 seconds
        ("30", 1),    // hours without minutes
    ] {
        let bytes = hex(&std::format!("{damage} 41 24"));
        let records: Vec<_> = EventLog(&bytes).records().collect();
        assert_eq!(records.last(), Some(&e4), "{damage}");
        let count = records.iter().filter(|record| matches!(record, Record::Unknown(_))).count();
        assert_eq!(count, unknown, "{damage}: {records:?}");
        check_bytes(&bytes, &records);
    }
    check("41", &[Record::Unknown(0x41)]);
    check("70 59", &[Record::Unknown(0x70), Record::Unknown(0x59)]);
}

#[test]
fn a_ring_may_start_in_a_record() {
    let e2 = field(0x34, Piece::Empty, false);
    check_ring("34 40 34", &[Record::Unknown(0x34), e2]);
    check_ring("03 01 40 34", &[Record::Unknown(0x03), Record::Unknown(0x01), e2]);
    check_ring("40 34 18 0C", &[e2, Record::Elapsed(Elapsed::from_millis(12_500))]);
    check_ring("00 00 40 34", &[Record::Mark(Mark::Nop2), Record::Mark(Mark::Nop2), e2]);
    check_ring("", &[]);
}
