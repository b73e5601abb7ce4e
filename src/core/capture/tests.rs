use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

const CAPTURE: &str = "\
# dgt-capture 1
# started: 2026-11-21T20:54:03Z
# Board: 23946
0.000000 ! open /dev/ttyACM0
0.010000 > 42

# a remark in the middle
0.240000 < 86 00 43
93.201000 ! close
95.100000 ! open /dev/ttyACM0
120.500000 @ {\"order\":\"penalty\",\"side\":\"white\"}
";

/// Reads everything and prints it, one line per record, then the error.
fn read(text: &str) -> String {
    let mut out = String::new();
    let mut reader = match Reader::new("a.dgtcap", text.as_bytes()) {
        Ok(reader) => reader,
        Err(error) => return error.to_string(),
    };
    loop {
        match reader.next_record() {
            Ok(Some(record)) => writeln!(out, "{} {:?}", record.at, record.entry).unwrap(),
            Ok(None) => break,
            Err(error) => {
                out.push_str(&error.to_string());
                break;
            }
        }
    }
    if reader.torn() {
        out.push_str("torn");
    }
    out
}

#[track_caller]
fn check_error(lines: &str, error: &str) {
    assert_eq!(read(&format!("{MAGIC}\n{lines}")), error);
}

#[test]
fn reads_every_kind_of_line() {
    assert_eq!(
        read(CAPTURE),
        "0.000000 Open(\"/dev/ttyACM0\")\n0.010000 Sent([66])\n0.240000 Received([134, 0, 67])\n\
         93.201000 Close(\"\")\n95.100000 Open(\"/dev/ttyACM0\")\n\
         120.500000 Order(\"{\\\"order\\\":\\\"penalty\\\",\\\"side\\\":\\\"white\\\"}\")\n"
    );
}

#[test]
fn reads_the_header() {
    let reader = Reader::new("a", CAPTURE.as_bytes()).unwrap();
    assert_eq!(reader.header().get("started").map(String::as_str), Some("2026-11-21T20:54:03Z"));
    assert_eq!(reader.header().get("board").map(String::as_str), Some("23946"));
}

#[test]
fn drops_a_torn_last_line() {
    assert_eq!(read("# dgt-capture 1\n0.1 < 8e\n0.2 < 8e 0"), "0.100000 Received([142])\ntorn");
    assert_eq!(read("# dgt-capture 1\n0.1 < 8e\n\0\0\0\0"), "0.100000 Received([142])\ntorn");
}

#[test]
fn names_file_line_and_reason() {
    assert_eq!(read("# dgt-capture 2\n"), "a.dgtcap:1: a capture begins with the line '# dgt-capture 1'");
    assert_eq!(read(""), "a.dgtcap:1: a capture begins with the line '# dgt-capture 1'");
    check_error("0.2 < zz\n", "a.dgtcap:2: 'zz' is no hex byte");
    check_error("0.2 < 8\n", "a.dgtcap:2: '8' is no hex byte");
    check_error("0.2 <\n", "a.dgtcap:2: no bytes");
    check_error("0.2\n", "a.dgtcap:2: expected 'seconds kind data'");
    check_error("x < 86\n", "a.dgtcap:2: time 'x': not a number of seconds such as 12.345678");
    check_error("0.1 = 86\n", "a.dgtcap:2: kind '=': expected one of < > ! @");
    check_error("0.1 ! up\n", "a.dgtcap:2: link event 'up': expected open or close");
    check_error(
        "0.3 > 42\n0.1 > 42\n",
        "0.300000 Sent([66])\na.dgtcap:3: time goes back from 0.300000 to 0.100000",
    );
}

#[test]
fn takes_lines_a_little_out_of_order_as_simultaneous() {
    let text = format!("{MAGIC}\n0.200000 > 42\n0.199000 < 86\n0.201000 > 42\n");
    assert_eq!(read(&text), "0.200000 Sent([66])\n0.200000 Received([134])\n0.201000 Sent([66])\n");
    let mut reader = Reader::new("a", text.as_bytes()).unwrap();
    while reader.next_record().unwrap().is_some() {}
    assert_eq!(reader.disorder(), 1);
}

#[test]
fn writes_what_it_reads() {
    let mut reader = Reader::new("a", CAPTURE.as_bytes()).unwrap();
    let header = reader.header().clone();
    let mut written = Vec::new();
    let mut writer = Writer::new("b", &mut written, &header).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        writer.write(record.at, record.entry).unwrap();
    }
    let written = String::from_utf8(written).unwrap();
    assert_eq!(read(&written), read(CAPTURE));
    assert!(written.starts_with("# dgt-capture 1\n# board: 23946\n"), "{written}");
}

#[test]
fn a_writer_never_goes_back_and_keeps_to_one_line() {
    let mut written = Vec::new();
    let mut writer = Writer::new("b", &mut written, &Header::new()).unwrap();
    writer.write(Timestamp::from_micros(2_000_000), Entry::Open("a\nb")).unwrap();
    writer.write(Timestamp::from_micros(1_000_000), Entry::Close("")).unwrap();
    assert_eq!(
        String::from_utf8(written).unwrap(),
        "# dgt-capture 1\n2.000000 ! open a b\n2.000000 ! close\n"
    );
}

proptest! {
    #[test]
    fn any_bytes_survive_writing_and_reading(chunks in prop::collection::vec((0u64..1 << 40, prop::collection::vec(any::<u8>(), 1..80)), 0..20)) {
        let mut written = Vec::new();
        let mut writer = Writer::new("b", &mut written, &Header::new()).unwrap();
        let mut expected = Vec::new();
        let mut last = 0;
        for (at, bytes) in &chunks {
            last = last.max(*at);
            writer.write(Timestamp::from_micros(*at), Entry::Received(bytes)).unwrap();
            expected.push((last, bytes.clone()));
        }
        let mut reader = Reader::new("b", written.as_slice()).unwrap();
        let mut got = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            let Entry::Received(bytes) = record.entry else { panic!("{record:?}") };
            got.push((record.at.as_micros(), bytes.to_vec()));
        }
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn a_line_says_the_same_however_it_is_read(
        time in "[0-9]{0,3}[.]?[0-9]{0,7} ?",
        rest in "[<>=] ?([0-9a-f]{2} ){0,3}[0-9a-fA-F ]{0,4}",
        more in 0_usize..70,
    ) {
        let line = format!("{time}{rest}{}", " 8e".repeat(more));
        // Such an end is not as captures are written, so that the line is read piece by piece.
        let [plain, other] = ["\n", "\r\n"].map(|end| read(&format!("{MAGIC}\n0.000000 > 42{end}{line}{end}0.500000 < 86{end}")));
        prop_assert_eq!(plain, other);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}", lines in prop::collection::vec("[ -~]{0,30}", 0..5)) {
        let _ = read(&format!("{MAGIC}\n{text}\n{}", lines.join("\n")));
    }
}

const DUMP: &str = "\
> 2026/11/21 22:20:43.000926375  length=1 from=0 to=0
 42                                               B
--
< 2026/11/21 22:20:44.000026375  length=18 from=0 to=17
 86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07  ..C.............
 07 20                                            .
--
";

#[test]
fn imports_a_dump_of_socat() {
    let mut written = Vec::new();
    assert_eq!(import("d.txt", DUMP, &mut written).unwrap(), 2);
    assert_eq!(
        read(&String::from_utf8(written).unwrap()),
        "0.000000 Open(\"socat\")\n0.000000 Sent([66])\n\
         0.100000 Received([134, 0, 67, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 32])\n"
    );
}

#[test]
fn import_reads_both_ways_of_writing_the_fraction() {
    for (first, second, micros) in [
        ("43.500000", "44.250000", 750_000),
        ("43.000500000", "44.000250000", 750_000),
        ("43.500000000", "44.250000000", 750_000),
    ] {
        let dump = format!(
            "> 2026/11/21 22:20:{first}  length=1 from=0 to=0\n 8e\n--\n> 2026/11/21 22:20:{second}  length=1 from=0 to=0\n 8e\n"
        );
        let mut written = Vec::new();
        import("d", &dump, &mut written).unwrap();
        let last = String::from_utf8(written).unwrap().lines().last().unwrap().to_owned();
        assert_eq!(last, format!("{} < 8e", Timestamp::from_micros(micros)), "{first}");
    }
}

#[test]
fn import_names_line_and_reason() {
    let error = |dump: &str| import("d.txt", dump, Vec::new()).unwrap_err().to_string();
    assert!(error("").starts_with("d.txt:1: no block of a 'socat -x -v' dump"));
    assert!(error("hello\n").starts_with("d.txt:1: neither a block's first line"));
    assert!(error("> today  length=1\n").starts_with("d.txt:1: expected 'YYYY/MM/DD"));
    let bad = "> 2026/11/21 22:20:43.000001  length=1 from=0 to=0\n 4x\n";
    assert_eq!(error(bad), "d.txt:2: '4x' is no hex byte");
}

const PROXY_LOG: &str = "\
# capture started 2026-08-01 10:00:00 app=COM11 board=COM3 baud=9600
    0.010000  APP>BRD  42
    0.120000  BRD>APP  86 00 43
#     1.400000  NOTE  b1 e2e4
    1.300000  brd>app  8e 00 05 24 01
";

#[test]
fn imports_the_log_of_a_serial_proxy() {
    let mut written = Vec::new();
    assert_eq!(import("p.log", PROXY_LOG, &mut written).unwrap(), 3);
    let written = String::from_utf8(written).unwrap();
    assert!(written.contains("# port: COM3\n"), "{written}");
    assert_eq!(
        read(&written),
        "0.000000 Open(\"COM3\")\n0.010000 Sent([66])\n0.120000 Received([134, 0, 67])\n\
         1.300000 Received([142, 0, 5, 36, 1])\n"
    );
    let error = |line: &str| {
        let log = format!("{PROXY_LOG}{line}\n");
        import("p.log", &log, Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(error("2.0 BRD>APP 8x"), "p.log:6: '8x' is no hex byte");
    assert_eq!(error("now BRD>APP 8e"), "p.log:6: 'now' is no number of seconds and no time of day");
    assert_eq!(error("2.0 BRD<APP 8e"), "p.log:6: expected 'SECONDS BRD>APP HEX' or 'SECONDS APP>BRD HEX'");
    assert_eq!(error("2.0 BRD>APP"), "p.log:6: expected 'SECONDS BRD>APP HEX' or 'SECONDS APP>BRD HEX'");
    assert_eq!(
        error("10:00:61 BRD>APP 8e"),
        "p.log:6: '10:00:61' is no number of seconds and no time of day"
    );
}

/// Returns what is read of a log that is imported.
fn imported(log: &str) -> String {
    let mut written = Vec::new();
    import("p.log", log, &mut written).unwrap();
    read(&String::from_utf8(written).unwrap())
}

#[test]
fn logs_of_a_proxy_are_read_however_they_are_written() {
    let expected = imported(PROXY_LOG);
    let lines =
        |change: fn(&str) -> String| PROXY_LOG.lines().map(|line| change(line) + "\n").collect::<String>();
    assert_eq!(imported(&PROXY_LOG.replace('\n', "\r\n")), expected, "lines end as on Windows");
    assert_eq!(imported(&format!("\u{feff}{PROXY_LOG}")), expected, "a mark of its encoding");
    let upper = lines(|line| if line.starts_with('#') { line.to_owned() } else { line.to_uppercase() });
    assert_eq!(imported(&upper), expected, "upper-case digits");
    let lower = lines(|line| line.replace("BRD>APP", "brd>app"));
    assert_eq!(imported(&lower), expected, "directions in small letters");
    let narrow = lines(|line| {
        if line.starts_with('#') {
            line.to_owned()
        } else {
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    });
    assert_eq!(imported(&narrow), expected, "one space between all");
    let joined = lines(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with('#') {
            line.to_owned()
        } else {
            format!("{} {} {}", words[0], words[1], words[2..].concat())
        }
    });
    assert_eq!(imported(&joined), expected, "no space between bytes");
    let tabs = lines(|line| line.trim_start().replace("  ", "\t"));
    assert_eq!(imported(&tabs), expected, "tabs");
}

#[test]
fn a_proxy_that_writes_the_time_of_day_begins_at_its_first_line() {
    let log = "# board=COM3\n23:59:59.900 APP>BRD 42\n23:59:59.950000 BRD>APP 86 00 43\n00:00:01.100 BRD>APP 8e 00 05 24 01\n";
    assert_eq!(
        imported(log),
        "0.000000 Open(\"COM3\")\n0.000000 Sent([66])\n0.050000 Received([134, 0, 67])\n1.200000 Received([142, 0, 5, 36, 1])\n"
    );
}

#[test]
fn a_log_of_a_proxy_that_was_cut_keeps_what_is_whole() {
    let whole = imported(PROXY_LOG);
    // The last line lacks its end, as when the machine lost its power.
    assert_eq!(imported(&format!("{PROXY_LOG}    2.000000  BRD>APP  8e 00 0")), whole);
    assert_eq!(imported(&format!("{PROXY_LOG}    2.000000  BRD>")), whole);
    // With its end it is damaged, and is named.
    let damaged = format!("{PROXY_LOG}    2.000000  BRD>\n");
    assert!(import("p.log", &damaged, Vec::new()).is_err());
}
