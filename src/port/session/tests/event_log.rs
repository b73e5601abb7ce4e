//! A game that begins and is played while the board cannot be heard is in the board's event log.

use dgt_protocol::{ClockTime, EventLog, Field, LONGEST_FRAME, Mark, Message, Piece, Record, Side};

use super::*;

/// After d4 d5, as dumps list it.
const AFTER_D4_D5: &str = "rnbqkbnrppp.pppp...........p.......P............PPP.PPPPRNBQKBNR";

/// The log of a game that ends with mate, of pieces that are put back, and of d4 d5.
fn mate_and_next_game() -> Vec<u8> {
    let press = |side: Side| Record::Clock { side, time: ClockTime::from_seconds(580) };
    let mut records = vec![Record::Mark(Mark::Begin)];
    let mut change = |changes: &[(u8, u8)], side: Option<Side>| {
        records.extend(changes.iter().map(|&(number, piece)| Record::Field {
            field: Field::new(number).unwrap(),
            piece: Piece::from_byte(piece),
            quick: false,
        }));
        records.extend(side.map(press));
    };
    let (white, black) = (Some(Side::Right), Some(Side::Left));
    // e4 e5, which were seen; Bc4 Nc6 Qh5 Nf6 Qxf7#.
    change(&[(52, 0), (36, 1)], white);
    change(&[(12, 0), (28, 7)], black);
    change(&[(61, 0), (34, 4)], white);
    change(&[(1, 0), (18, 9)], black);
    change(&[(59, 0), (31, 6)], white);
    change(&[(6, 0), (21, 9)], black);
    change(&[(13, 0), (31, 0), (13, 6)], white);
    // The next game is set up.
    change(&[(13, 0), (13, 7), (59, 6), (34, 0), (61, 4), (36, 0), (52, 1)], None);
    change(&[(28, 0), (12, 7), (18, 0), (1, 9), (21, 0), (6, 9)], None);
    change(&[(51, 0), (35, 1)], white);
    change(&[(11, 0), (27, 7)], black);
    records.push(Record::Mark(Mark::End));
    let mut ring: Vec<u8> = records.iter().flat_map(|record| record.to_bytes().to_vec()).collect();
    ring.resize(EventLog::DOWNLOAD, Mark::Nop.to_byte());
    let mut buffer = [0; LONGEST_FRAME];
    Message::EventLog(EventLog(&ring)).encode(&mut buffer).unwrap().to_vec()
}

#[test]
fn a_next_game_that_only_the_log_reports_loses_no_move() {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let end = play(&mut session, 2);
    session.link_down("unplugged", seconds(end));
    let back = end + 600;
    session.link_up(PORT, seconds(back));
    session.received(SERIAL, seconds(back));
    session.take_sends();
    session.received(&dump(AFTER_D4_D5), seconds(back));
    let asked = session.take_sends();
    let log_wanted = Command::SendEventLog.to_bytes().to_vec();
    assert!(asked.contains(&log_wanted), "{asked:02x?}");
    session.sent(&log_wanted, seconds(back));
    session.received(&mate_and_next_game(), seconds(back + 8));
    for tenth in 0..400 {
        session.tick(session.now().max(seconds(back + 8) + Duration::from_millis(100 * tenth)));
    }
    session.link_down("unplugged", seconds(back + 60));
    let live = moves(session.take_events());
    let mate = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"].map(|san| (1, san.to_owned()));
    let next = ["d4", "d5"].map(|san| (2, san.to_owned()));
    assert_eq!(live, [&mate[..], &next[..]].concat());
    drop(session);
    assert_eq!(moves(recover_all(&place, &log(&place, Vec::new()))), live);
}

/// Returns the game and the notation of each move, as it was reported last.
fn moves(events: Vec<Dated>) -> Vec<(u32, String)> {
    let mut moves = BTreeMap::new();
    for dated in events {
        if let EventKind::Move(reported) = dated.event.kind {
            moves.insert((reported.game, reported.ply), reported.san.to_string());
        }
    }
    moves.into_iter().map(|((game, _), san)| (game, san)).collect()
}
