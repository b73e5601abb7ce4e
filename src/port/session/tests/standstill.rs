//! What waits to be read when the machine has stood still is seen before anything is judged without it.

use super::*;

/// White presses with the pawn in the hand, the machine stands still, and the pawn has been put down when it is read.
fn put_down(read: impl Fn(&mut PortSession, &[u8], Timestamp)) -> Vec<Code> {
    let place = Place::new();
    let mut session = place.session();
    session.link_up(PORT, seconds(0));
    session.received(SERIAL, seconds(1));
    let at = play(&mut session, 2);
    session.received(&[0x8e, 0, 5, 51, 0], seconds(at));
    session.received(&clock(580, 590, false), seconds(at + 1));
    reported(&mut session);
    read(&mut session, &[0x8e, 0, 5, 35, 1], seconds(at + 9));
    session.tick(seconds(at + 24));
    let alerts = reported(&mut session)
        .into_iter()
        .filter_map(|kind| if let EventKind::Alert(alert) = kind { Some(alert.code) } else { None });
    alerts.collect()
}

#[test]
fn nobody_is_accused_of_what_nobody_could_read() {
    let on_time = put_down(PortSession::received);
    assert!(on_time.contains(&Code::PressBeforeMade), "{on_time:?}");
    assert_eq!(put_down(PortSession::received_by), []);
}
