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

#[cfg(feature = "tls")]
#[test]
fn doctor_reports_a_bad_certificate_before_phones_meet_it() {
    use super::certificate::judge;
    use crate::cli::certificate::Authority;

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("desk.pem");
    let made = jiff::Timestamp::from_second(1_790_000_000).unwrap();
    let names = ["desk.local".to_owned(), "192.168.1.2".to_owned()];
    let authority = Authority::generate(&names, made).unwrap();
    let (certificate, _) = authority.sign(&names, made).unwrap();
    let day = |days: u64| Duration::from_secs(1_790_000_000 + days * 86_400);
    let line = |host: Option<&str>, at: Duration| {
        let finding = judge(&file, host, at);
        assert_eq!((finding.check, finding.subject.as_str()), ("certificate", file.to_str().unwrap()));
        assert_eq!(finding.remedy.is_empty(), finding.level == Level::Ok, "{finding:?}");
        format!("{:?}: {}", finding.level, finding.text)
    };
    assert!(line(None, day(0)).starts_with("Fault: cannot be read: No such file"));
    std::fs::write(&file, "no certificate").unwrap();
    assert_eq!(line(None, day(0)), "Fault: holds no certificate");
    std::fs::write(&file, &certificate).unwrap();
    assert!(
        line(None, day(0)).starts_with("Warning: it is not known until when it counts"),
        "nobody has signed it"
    );
    std::fs::write(dir.path().join(crate::config::AUTHORITY), authority.certificate()).unwrap();
    for host in [None, Some("desk.local"), Some("192.168.1.2")] {
        assert_eq!(line(host, day(0)), "Ok: counts for more than 30 days");
    }
    assert_eq!(line(Some("other.local"), day(0)), "Fault: is not for other.local, which http.url names");
    assert_eq!(line(Some("desk.local"), day(370)), "Warning: ends within 30 days");
    assert_eq!(line(Some("desk.local"), day(397)), "Fault: has ended: phones refuse it");
}
