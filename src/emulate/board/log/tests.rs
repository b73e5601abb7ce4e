use super::*;

fn piece(letter: char) -> Piece {
    Piece::from_letter(letter).unwrap_or_default()
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_micros(millis * 1000)
}

/// A log and the board it writes about.
struct Desk {
    log: Log,
    placement: Placement,
}

impl Desk {
    fn new() -> Self {
        let log = Log { marked: Some(Placement::start()), ..Log::default() };
        Self { log, placement: Placement::start() }
    }

    fn change(&mut self, millis: u64, field: u8, letter: char) {
        let field = Field::new(field).expect("a field");
        self.placement.set(field, piece(letter));
        self.log.field(field, piece(letter), &self.placement, at(millis));
    }
}

/// The example of protocol section 4.3.
#[test]
fn a_game_is_noted_as_described() {
    let mut desk = Desk::new();
    desk.log.append(Record::Mark(Mark::Begin));
    desk.change(1000, 0x34, ' ');
    desk.change(1200, 0x24, 'P');
    desk.log.append(Record::Clock { side: dgt_protocol::Side::Left, time: time(3, 1) });
    desk.change(5000, 0x0C, ' ');
    desk.change(5100, 0x1C, 'p');
    desk.log.append(Record::Clock { side: dgt_protocol::Side::Right, time: time(3, 3) });
    let expect = [0x6F, 0x40, 0x34, 0x51, 0x24, 0x70, 0x03, 0x01, 0x40, 0x0C, 0x57, 0x1C, 0x60, 0x03, 0x03];
    assert_eq!(desk.log.changes(), expect);
    assert!(desk.log.changes().is_empty());
}

#[test]
fn power_up_notes_all_pieces_and_the_mark() {
    let mut log = Log::default();
    log.power_up(&Placement::start(), at(0));
    let bytes = log.changes();
    assert_eq!(bytes[..6], [0x7F, 0x7F, 0x7F, 0x6A, 0x48, 0x00]);
    assert_eq!(bytes.len(), 4 + 64 + 1);
    assert_eq!(bytes.last(), Some(&0x6F));
    let mut log = Log::default();
    log.power_up(&Placement::start().rotated(), at(0));
    assert_eq!(log.changes().last(), Some(&0x7A));
}

#[test]
fn a_mark_is_noted_again_only_after_three_pieces_have_left() {
    let marks = |fields: &[u8]| {
        let mut desk = Desk::new();
        desk.log.power_up(&Placement::start(), at(0));
        desk.log.changes();
        for (n, field) in (0..).zip(fields) {
            desk.change(1000 + n * 1000, *field, ' ');
        }
        for (n, field) in (0..).zip(fields) {
            let back = Placement::start().get(Field::new(*field).expect("a field"));
            desk.placement.set(Field::new(*field).expect("a field"), back);
            desk.log.field(
                Field::new(*field).expect("a field"),
                back,
                &desk.placement,
                at(100_000 + n * 1000),
            );
        }
        EventLog(&desk.log.changes()).records().filter(|record| *record == Record::Mark(Mark::Begin)).count()
    };
    assert_eq!(marks(&[48, 49]), 0);
    assert_eq!(marks(&[48, 49, 50]), 1);
}

#[test]
fn a_flicker_overwrites_its_record_unless_the_bus_knows_it() {
    let mut desk = Desk::new();
    desk.change(1000, 0x34, ' ');
    desk.change(1200, 0x34, 'P');
    assert_eq!(desk.log.changes(), [0x51, 0x34]);
    desk.change(9000, 0x34, ' ');
    assert_eq!(desk.log.changes(), [0x40, 0x34]);
    desk.change(9200, 0x34, 'P');
    assert_eq!(desk.log.changes(), [0x51, 0x34]);
    desk.change(20_000, 0x34, ' ');
    desk.change(21_000, 0x34, 'P');
    assert_eq!(desk.log.changes(), [0x40, 0x34, 0x41, 0x34]);
}

#[test]
fn from_start_is_what_was_reported_since_the_start() {
    let mut desk = Desk::new();
    desk.change(0, 0x34, ' ');
    desk.change(1000, 0x24, 'P');
    assert!(desk.log.since_start().is_empty());
    desk.log.changes();
    desk.log.start_game(&desk.placement.clone(), at(2000));
    desk.change(3000, 0x0C, ' ');
    assert!(desk.log.since_start().is_empty(), "nothing of it was sent");
    let reported = desk.log.changes();
    desk.change(4000, 0x1C, 'p');
    assert_eq!(desk.log.since_start(), reported);
    assert_eq!((reported[0], reported.len()), (0x7B, 1 + 64 + 2));
}

#[test]
fn the_ring_keeps_the_newest_and_a_download_says_so() {
    let mut desk = Desk::new();
    assert_eq!(desk.log.download().len(), EventLog::DOWNLOAD);
    for n in 0..5000 {
        desk.change(n * 1000, 0x34, if n % 2 == 0 { ' ' } else { 'P' });
    }
    let bytes = desk.log.download();
    assert_eq!(bytes.len(), EventLog::DOWNLOAD);
    assert_eq!(bytes[bytes.len() - 4..], [0x41, 0x34, 0x6E, 0x6B]);
    assert_eq!(EventLog(&bytes).records_of_ring().last(), Some(Record::Mark(Mark::End)));
    assert_eq!(desk.log.changes().len(), CAPACITY, "what the ring has lost cannot be sent");
}

fn time(minutes: u8, seconds: u8) -> dgt_protocol::ClockTime {
    dgt_protocol::ClockTime::new(0, minutes, seconds).expect("a time")
}
