//! What goes before what, and which source is named.

use super::*;

fn parts(files: &[(&str, &str)], variables: &[(&str, &str)], settings: &[&str]) -> Parts {
    let owned =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
    Parts { files: owned(files), variables: owned(variables), settings, ..Parts::default() }
}

fn errors(parts: &Parts) -> Vec<String> {
    read::read(parts).unwrap_err().iter().map(ToString::to_string).collect()
}

const MAIN: &str = "[board]\nscan_ms = 100\nsettle_ms = 600\n[http]\nlisten = '127.0.0.1:1'\n[[table]]\nserial = '1'\n[[table]]\nserial = '2'\n";

#[test]
fn a_later_layer_goes_before_an_earlier_one() {
    let given = parts(
        &[
            ("j", MAIN),
            ("10", "[board]\nscan_ms = 110\n[pgn]\n"),
            ("20", "[board]\nsettle_ms = 700\n[[table]]\nserial = '3'\n"),
        ],
        &[
            ("JADOUBE__HTTP__LISTEN", "127.0.0.1:2"),
            ("JADOUBE__TABLE__0__WHITE", "A, B"),
            ("JADOUBE__PORTS__SCAN", "/dev/a, /dev/b"),
        ],
        &["board.settle_ms=800", "event.control=blitz"],
    );
    let (config, sources) = read::read(&given).unwrap();
    assert_eq!((config.board.scan_ms, config.board.settle_ms), (110, 800));
    assert_eq!(config.http.as_ref().unwrap().listen.port(), 2);
    assert_eq!(config.ports.scan, ["/dev/a", "/dev/b"]);
    assert_eq!(config.tables.len(), 1, "a list replaces a list");
    assert_eq!((config.tables[0].serial.as_str(), config.tables[0].white.as_str()), ("3", "A, B"));
    let reported = sources.lines(false);
    let reported: Vec<(&str, &str)> = reported
        .iter()
        .map(|line| line.split_once("  # ").unwrap())
        .map(|(value, source)| (value.trim_end(), source))
        .collect();
    assert_eq!(
        reported,
        [
            ("board.scan_ms = 110", "10"),
            ("board.settle_ms = 800", "--set"),
            ("event.control = \"blitz\"", "--set"),
            ("http.listen = \"127.0.0.1:2\"", "JADOUBE__HTTP__LISTEN"),
            ("[pgn]", "with its defaults"),
            ("ports.scan = [\"/dev/a\", \"/dev/b\"]", "JADOUBE__PORTS__SCAN"),
            ("[[table]]: 1 entry", "20"),
        ]
    );
    let all = sources.lines(true).join("\n");
    for line in [
        "ports.rescan_s = 2 ",
        "table[0].white = \"A, B\" ",
        "pgn.delay_s = 0 ",
        "state_dir = \"/var/lib/jadoube\" ",
    ] {
        assert!(all.contains(line), "{line} is not in\n{all}");
    }
    assert!(
        all.lines().any(|line| line.starts_with("ports.rescan_s") && line.ends_with("# default")),
        "{all}"
    );
    assert!(
        all.lines()
            .any(|line| line.starts_with("table[0].white") && line.ends_with("# JADOUBE__TABLE__0__WHITE")),
        "{all}"
    );
}

#[test]
fn every_error_names_its_source() {
    let given = parts(
        &[("j", "[board]\nscan_ms = '100'\n"), ("10", "[http]\nlistn = 'x'\n[[table]]\nnumber = 1\n")],
        &[("JADOUBE__BOARD__SETTLE_MS", "fast"), ("JADOUBE__TABLE__7__WHITE", "A")],
        &["event.rules=2022"],
    );
    let mut found = errors(&given);
    found.sort();
    assert_eq!(
        found,
        [
            "--set: event.rules: \"2022\" is no edition of the Laws of Chess; there are 2009, 2014, 2017, 2018 and 2023",
            "10: http.listn: unknown key, did you mean 'listen'?",
            "10: table 1: serial: missing",
            "JADOUBE__BOARD__SETTLE_MS: board.settle_ms: expected a number, found string \"fast\"",
            "JADOUBE__TABLE__7__WHITE: there are only 1 in the list",
            "j: board.scan_ms: expected a number, found string \"100\"; write 100 without quotation marks",
        ]
    );
    let given = parts(&[("j", "a = = 1\n"), ("10", "b = \n")], &[], &[]);
    assert_eq!(errors(&given).len(), 2, "syntax errors of all files");
}

#[test]
fn a_variable_that_is_no_key_is_a_warning_that_names_it() {
    let variables = [("JADOUBE__HTTP__LISTN", "x"), ("JADOUBE__CI", "1"), ("JADOUBE__BOARD__SCAN_MS", "90")];
    let (config, _) = read::read(&parts(&[], &variables, &[])).unwrap();
    assert_eq!(config.board.scan_ms, 90);
    let warnings: Vec<String> = config.check().iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(
        warnings[0],
        "JADOUBE__CI: ci: unknown key; known here: state_dir, log_dir, event, board, game, captures, ports, \
        port, table, arbiter, notify, http, public, livechess, pgn, mqtt, lichess, pairings; it is ignored"
    );
    assert_eq!(
        warnings[1],
        "JADOUBE__HTTP__LISTN: http.listn: unknown key, did you mean 'listen'?; it is ignored"
    );
}

#[test]
fn types_are_not_converted_on_the_way() {
    for (text, expected) in [
        (
            "[event]\nname = 2026-11-29\n",
            "j: event.name: found a date, which no key has; write it in quotation marks",
        ),
        (
            "'http.listen' = '127.0.0.1:1'\n",
            "j: 'http.listen': unknown key; write it without quotation marks",
        ),
        ("'table[99999999]' = 1\n", "j: 'table[99999999]': unknown key; write it without quotation marks"),
        ("http = ['127.0.0.1:1']\n", "j: http: expected a table, found a list"),
        ("[table]\nserial = '1'\n", "j: table: expected a list, found a table"),
    ] {
        assert_eq!(errors(&parts(&[("j", text)], &[], &[])), [expected]);
    }
}

#[test]
fn what_is_shown_is_what_counts() {
    let (config, sources) = read::read(&parts(&[("j", MAIN)], &[], &[])).unwrap();
    let shown: Vec<String> = sources
        .lines(true)
        .iter()
        .map(|line| line.rsplit_once("  # ").unwrap().0.trim_end().to_owned())
        .collect();
    let again = read::read(&Parts {
        settings: shown.iter().map(|line| line.replacen(" = ", "=", 1)).collect(),
        ..Parts::default()
    });
    assert_eq!(again.unwrap().0, config);
}

#[test]
fn further_files_are_read_in_the_order_of_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("jadoube.toml");
    std::fs::create_dir(dir.path().join("conf.d")).unwrap();
    for (name, text) in [
        ("jadoube.toml", "board.scan_ms = 50"),
        ("conf.d/20-b.toml", "board.scan_ms = 70"),
        ("conf.d/10-a.toml", "board.scan_ms = 60"),
        ("conf.d/30.toml.bak", "x = 1"),
        ("conf.d/.40.toml", "x = 1"),
        ("hub.toml", "board.scan_ms = 80"),
    ] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    assert_eq!(Config::load(Some(&file), &[]).unwrap().board.scan_ms, 70);
    assert_eq!(
        Config::load(Some(&dir.path().join("hub.toml")), &[]).unwrap().board.scan_ms,
        80,
        "another file stands alone"
    );
    std::fs::write(dir.path().join("conf.d/15.toml"), "board.scn_ms = 1").unwrap();
    let error = Config::load(Some(&file), &[]).unwrap_err().to_string();
    assert!(error.ends_with("conf.d/15.toml: board.scn_ms: unknown key, did you mean 'scan_ms'?"), "{error}");
}
