use dgt_protocol::{ClockReport, ClockTime, EventLog, Lever, Side};
use proptest::prelude::*;

use super::*;

fn field(number: u8, piece: u8) -> Record {
    Record::Field { field: Field::new(number).unwrap(), piece: Piece::from_byte(piece), quick: false }
}

/// 1. e4 e5, raw fields, the board in its normal orientation.
const MOVES: [(u8, u8); 4] = [(0x34, 0), (0x24, 1), (0x0C, 0), (0x1C, 7)];

fn played(moves: &[(u8, u8)]) -> Placement {
    let mut placement = Placement::start();
    for (number, piece) in moves {
        placement.set(Field::new(*number).unwrap(), Piece::from_byte(*piece));
    }
    placement
}

fn log(moves: &[(u8, u8)]) -> Vec<Record> {
    let begin = [Record::Unknown(0x7D), Record::Mark(Mark::Begin)];
    begin.into_iter().chain(moves.iter().map(|(number, piece)| field(*number, *piece))).collect()
}

fn known(moves: &[(u8, u8)]) -> LastKnown {
    let tail = moves.iter().map(|(number, piece)| field(*number, *piece)).collect();
    LastKnown { codes: played(moves), clock: None, tail }
}

#[test]
fn what_came_after_the_outage_began_is_found() {
    let records = log(&MOVES);
    for seen in 0..=MOVES.len() {
        let found = unseen(&records, &known(&MOVES[..seen]), &played(&MOVES)).unwrap();
        assert_eq!(found, records[2 + seen..], "{seen} seen");
    }
}

#[test]
fn a_repeated_position_is_distinguished_by_what_came_before() {
    // Knights go out and back, twice.
    let tour = [(0x3E, 0), (0x2D, 3), (0x2D, 0), (0x3E, 3)];
    let twice = [tour, tour].concat();
    let records = log(&twice);
    let mut once = known(&tour);
    once.tail.push_front(field(0x2A, 0));
    assert_eq!(unseen(&records, &once, &played(&twice)).map(|found| found.len()), Some(0));
    let found = unseen(&records, &known(&tour[..2]), &played(&twice)).unwrap();
    // The longest common tail is the same in both places; the later one repeats nothing.
    assert_eq!(found.len(), 2);
}

#[test]
fn a_press_that_only_the_log_has_comes_with_the_rest() {
    let stop = Record::Clock { side: Side::Left, time: ClockTime::ZERO };
    let mut records = log(&MOVES);
    records.insert(4, stop);
    let mut known = known(&MOVES[..2]);
    let found = |known: &LastKnown| unseen(&records, known, &played(&MOVES)).unwrap();
    let clock = |active| ClockReport {
        running: true,
        connected: true,
        lever: Lever::with_active(active),
        ..ClockReport::DISCONNECTED
    };
    // The link was lost between the move and its press.
    known.clock = Some(clock(Side::Left));
    assert_eq!(found(&known), records[4..]);
    // The press was seen.
    known.clock = Some(clock(Side::Right));
    assert_eq!(found(&known), records[5..]);
    known.clock = None;
    assert_eq!(found(&known), records[5..]);
}

#[test]
fn a_log_that_goes_on_after_what_the_board_showed_is_believed() {
    let moves = [&MOVES[..], &[(0x3E, 0), (0x2D, 3), (0x01, 0), (0x12, 9)]].concat();
    let records = log(&moves);
    for reported in 2..=moves.len() {
        let found = unseen(&records, &known(&moves[..2]), &played(&moves[..reported]));
        assert_eq!(found.as_deref(), Some(&records[4..]), "{reported} reported");
    }
    // What stood there before is no reason to believe what came after it.
    assert_eq!(unseen(&records, &known(&moves[..6]), &played(&moves[..2])), None);
}

#[test]
fn a_log_that_does_not_lead_to_the_board_is_useless() {
    let records = log(&MOVES[..2]);
    let mut elsewhere = played(&MOVES);
    for number in 48..56 {
        elsewhere.set(Field::new(number).unwrap(), Piece::Empty);
    }
    assert_eq!(unseen(&records, &known(&MOVES[..1]), &elsewhere), None);
    assert_eq!(unseen(&[], &known(&MOVES), &played(&MOVES)), None);
}

#[test]
fn a_ring_that_begins_in_the_middle_of_a_record_is_read() {
    // The tail of a cut clock record, then play without any mark: the last changes have to be recognised.
    let mut bytes = vec![0x03, 0x01];
    let shuffle: Vec<(u8, u8)> =
        [(0x3E, 0), (0x2D, 3), (0x2D, 0), (0x3E, 3), (0x01, 0), (0x12, 9), (0x12, 0)].repeat(2);
    for (number, piece) in shuffle.iter().chain(&MOVES) {
        bytes.extend(field(*number, *piece).to_bytes().iter());
    }
    bytes.extend(Record::Clock { side: Side::Left, time: ClockTime::ZERO }.to_bytes().iter());
    bytes.push(Mark::End.to_byte());
    let records: Vec<Record> = EventLog(&bytes).records_of_ring().collect();
    let known = known(&[&shuffle[..], &MOVES[..2]].concat());
    let all = played(&[&shuffle[..], &MOVES[..]].concat());
    let found = unseen(&records, &known, &all).unwrap();
    assert_eq!(found[..2], [field(0x0C, 0), field(0x1C, 7)]);
}

#[test]
fn a_list_of_pieces_is_no_play() {
    // Power comes back in the middle of a game: all pieces are listed, then Black answers.
    let before = played(&MOVES[..2]);
    let mut records = log(&MOVES[..2]);
    records.push(Record::Mark(Mark::PowerUp));
    records.extend(
        before.iter().filter(|(_, piece)| !piece.is_empty()).map(|(field, piece)| Record::Field {
            field,
            piece,
            quick: true,
        }),
    );
    let listed = records.len();
    records.extend([field(0x0C, 0), field(0x1C, 7)]);
    let found = unseen(&records, &known(&MOVES[..2]), &played(&MOVES)).unwrap();
    assert!(found.len() >= 2 && found.ends_with(&records[listed..]));
}

/// Finds the place in the log by its definition: at every place both conditions from the beginning.
fn place_by_definition(records: &[Record], known: &LastKnown) -> Option<usize> {
    let scores = (0..=records.len()).filter_map(|place| {
        let before = &records[..place];
        let mut walk = LogWalk::new();
        for record in before {
            walk.apply(*record);
        }
        let score = common_tail(before.iter(), known.tail.iter());
        let sure = walk.count() >= ENOUGH || score >= SURE;
        (walk.agrees(&known.codes, 0) && !walk.listing && sure).then_some((score, place))
    });
    scores.max().map(|(_, place)| place)
}

/// A record of a small log: knights that go out and back, clocks, silence, marks.
fn record() -> impl Strategy<Value = Record> {
    let moves = [(0x3E, 0), (0x2D, 3), (0x2D, 0), (0x3E, 3)];
    prop_oneof![
        6 => prop::sample::select(moves.to_vec()).prop_map(|(number, piece)| field(number, piece)),
        6 => Just(Record::Clock { side: Side::Left, time: ClockTime::ZERO }),
        2 => Just(Record::Unknown(0x7D)),
        1 => Just(Record::Mark(Mark::Begin)),
        1 => Just(Record::Mark(Mark::StartGame)),
    ]
}

proptest! {
    /// The comparison with what was seen last holds over clocks and silence, and not over a change.
    #[test]
    fn the_place_is_the_one_that_is_defined(
        records in prop::collection::vec(record(), 0..60),
        seen in prop::collection::vec(record(), 0..12),
    ) {
        let known = LastKnown { codes: Placement::start(), clock: None, tail: seen.into() };
        let mut walk = LogWalk::new();
        for record in &records {
            walk.apply(*record);
        }
        let present: Vec<(Field, Piece)> =
            walk.fields.iter().zip(Placement::start().iter()).map(|(shown, (field, was))| (field, shown.unwrap_or(was))).collect();
        let mut placement = Placement::EMPTY;
        for (field, piece) in present {
            placement.set(field, piece);
        }
        let expected = place_by_definition(&records, &known).map(|place| records[place..].to_vec());
        prop_assert_eq!(unseen(&records, &known, &placement), expected);
    }
}
