use super::*;

#[test]
fn a_finding_has_its_remedy_on_a_line_of_its_own() {
    let finding = Finding::new("port", Level::Fault, "/dev/ttyACM0", "is held by \u{1b}x").remedy("stop it");
    assert_eq!(lines(&finding), "FAULT   port /dev/ttyACM0: is held by ?x\n        -> stop it\n");
    let finding = Finding::new("time", Level::Ok, "", "the time is synchronised");
    assert_eq!(lines(&finding), "ok      time: the time is synchronised\n");
}

#[test]
fn little_room_is_a_warning_and_none_a_fault() {
    let level = |free| machine::room("/var".to_owned(), free).level;
    assert_eq!([level(8 << 30), level(100 << 20), level(1 << 20)], [Level::Ok, Level::Warning, Level::Fault]);
}
