//! Exit statuses and error lines.

use std::fs;

use crate::support::run;

/// Checks exit status and the one line on standard error; in `expected`, `…` stands for anything.
#[track_caller]
fn check_error(args: &[&str], status: i32, expected: &str) {
    let (code, stdout, stderr) = run(args, "");
    assert_eq!((code, stdout.as_str()), (status, ""), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let mut rest = stderr.trim_end();
    for part in expected.split('…') {
        let at = rest.find(part).unwrap_or_else(|| panic!("'{part}' is not in '{stderr}'"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn wrong_usage() {
    check_error(&["fly"], 64, "jadoube: unrecognized subcommand 'fly'");
    check_error(
        &["run", "--cofnig", "x"],
        64,
        "jadoube: unexpected argument '--cofnig' found; tip: …'--config'",
    );
    check_error(
        &["record", "--port", "/dev/x"],
        64,
        "jadoube: the following required arguments were not provided: --output <FILE>",
    );
    check_error(
        &["rules", "--edition", "2022"],
        64,
        "jadoube: invalid value '2022' for '--edition <EDITION>': …",
    );
    check_error(
        &["replay", "--fen", "e4", "-"],
        64,
        "jadoube: invalid value 'e4' for '--fen <FEN>': invalid board part in fen",
    );
    check_error(
        &["replay", "--fen", "8/8/8/8/8/8/8/4K3 w - - 0 1", "-"],
        64,
        "for '--fen <FEN>': a game needs one king a side",
    );
    let (code, stdout, stderr) = run(&[], "");
    assert_eq!((code, stdout.as_str()), (64, ""));
    assert!(stderr.contains("Usage: jadoube <COMMAND>"), "{stderr}");
}

#[test]
fn help_is_no_error() {
    for args in [["--help"].as_slice(), &["--version"], &["run", "--help"], &["help"]] {
        let (code, stdout, stderr) = run(args, "");
        assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
        assert!(stdout.contains("jadoube"), "{stdout}");
    }
}

#[test]
fn the_version_names_the_features() {
    let (code, stdout, _) = run(&["--version"], "");
    let version = concat!("jadoube ", env!("CARGO_PKG_VERSION"), " (");
    assert!(code == 0 && stdout.starts_with(version) && stdout.contains("http"), "{stdout}");
}

#[test]
fn bad_configuration() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("j.toml");
    let name = file.to_str().unwrap();
    let check = |text: &str, expected: &str| {
        fs::write(&file, text).unwrap();
        for command in ["run", "check", "boards", "watch"] {
            check_error(&[command, "--config", name], 78, &format!("jadoube: {name}:{expected}"));
        }
    };
    check("[event]\ncontrl = 'rapid'", " event.contrl: unknown key, did you mean 'control'?");
    check("[board]\nscan_ms = '100'", " board.scan_ms: expected a number, found string \"100\"…");
    check("[board\n", "1:7: …");
    fs::write(&file, "").unwrap();
    check_error(
        &["check", "--config", name, "--set", "board.scan_ms=x"],
        78,
        "jadoube: --set: board.scan_ms: expected a number, found string \"x\"",
    );
}

#[test]
fn files_without_end() {
    for command in [["check", "--config"], ["run", "--config"]] {
        check_error(
            &[command[0], command[1], "/dev/zero"],
            78,
            "jadoube: /dev/zero: is longer than 64 MiB; is it another file than meant?",
        );
    }
    check_error(
        &["audit", "/dev/zero"],
        65,
        "jadoube: /dev/zero: is longer than 256 MiB; is it another file than meant?",
    );
}

#[test]
fn missing_files() {
    check_error(
        &["run", "--config", "/nowhere/j.toml"],
        66,
        "jadoube: /nowhere/j.toml: No such file or directory",
    );
    check_error(&["import", "/nowhere/dump", "-o", "-"], 66, "jadoube: /nowhere/dump: No such file");
    check_error(
        &["record", "--port", "/dev/nowhere", "-o", "/dev/null"],
        66,
        "jadoube: /dev/nowhere: …is the board plugged in?",
    );
    check_error(
        &["boards", "--set", "state_dir=/nowhere"],
        66,
        "jadoube: /nowhere/boards.json: No such file",
    );
    check_error(&["watch", "--set", "log_dir=/nowhere"], 66, "jadoube: /nowhere: No such file");
}

#[test]
fn check_names_what_is_silly() {
    let config = "[http]\nlisten = '0.0.0.0:80'\ntoken_file = '/nowhere/token'\n";
    let (code, stdout, stderr) = run(&["check", "--config", "-"], config);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("-: http.listen: 0.0.0.0:80 is open to everybody"), "{stdout}");
    assert!(stdout.contains("-: http.token_file: /nowhere/token: No such file"), "{stdout}");
    let (code, stdout, _) = run(&["check", "--config", "-"], "");
    assert_eq!(
        (code, stdout.as_str()),
        (0, "-: nothing to complain about\nthe desk: none; [http] opens one\n")
    );
}

#[test]
fn check_names_the_source_of_every_value_that_is_no_default() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("jadoube.toml");
    fs::create_dir(dir.path().join("conf.d")).unwrap();
    fs::write(&file, "[board]\nscan_ms = 100\nsettle_ms = 600\n").unwrap();
    fs::write(
        dir.path().join("conf.d/10-desk.toml"),
        "[board]\nscan_ms = 110\n[http]\nlisten = '127.0.0.1:81'\n",
    )
    .unwrap();
    let check = |args: &[&str]| {
        let mut command = std::process::Command::new(crate::support::PROGRAM);
        command.args(["check", "--config"]).arg(&file).args(args);
        command.env("JADOUBE__EVENT__CONTROL", "rapid").env("JADOUBE__HTTP__LISTN", "x");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = check(&["--set", "event.name=Open"]);
    for (value, source) in [
        ("board.scan_ms = 110 ", "conf.d/10-desk.toml"),
        ("board.settle_ms = 600 ", "/jadoube.toml"),
        ("event.control = \"rapid\" ", "# JADOUBE__EVENT__CONTROL"),
        ("event.name = \"Open\" ", "# --set"),
        ("http.listen = \"127.0.0.1:81\"", "conf.d/10-desk.toml"),
        ("JADOUBE__HTTP__LISTN: ", "http.listn: unknown key, did you mean 'listen'?; it is ignored"),
        ("the desk: http://127.0.0.1:81/", "opens it to the hall"),
    ] {
        assert!(
            said.lines().any(|line| line.starts_with(value) && line.ends_with(source)),
            "{value} in\n{said}"
        );
    }
    assert!(!said.contains("rescan_s") && check(&["--all"]).contains("ports.rescan_s = 2"), "{said}");
}

#[test]
fn check_names_all_errors_and_fails_on_what_cannot_be_right() {
    let (code, stdout, stderr) =
        run(&["check", "--config", "-"], "[event]\ncontrl = 'rapid'\n[board]\nscan_ms = 'x'\n");
    assert_eq!((code, stdout.as_str()), (78, ""));
    assert_eq!(
        stderr,
        "jadoube: -: board.scan_ms: expected a number, found string \"x\"\n\
         jadoube: -: event.contrl: unknown key, did you mean 'control'?\n"
    );
    let twice = "[[table]]\nnumber = 1\nserial = '11111'\n[[table]]\nnumber = 1\nserial = '011111'\n";
    let (code, stdout, stderr) = run(&["check", "--config", "-"], twice);
    assert_eq!((code, stdout.as_str()), (78, ""));
    assert_eq!(
        stderr,
        "jadoube: -: table 2: number: '1' is also table 1: number\n\
         jadoube: -: table 2: serial: '11111' is also table 1: serial\n"
    );
    let (code, _, stderr) = run(&["check", "--config", "-"], "[pairings]\nfile = '/nowhere/p.csv'\n");
    assert_eq!(code, 78);
    assert!(stderr.starts_with("jadoube: -: pairings.file: /nowhere/p.csv: No such file"), "{stderr}");
}

#[test]
fn the_example_configuration_is_fine() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/systemd/jadoube.toml");
    let (code, stdout, stderr) = run(&["check", "--config", example], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let warnings: Vec<_> = stdout.lines().filter(|line| line.starts_with(example)).collect();
    let is_fine =
        |line: &str| line.contains("nothing to complain about") || line.contains("http.token_file: ");
    assert!(
        warnings.iter().all(|line| is_fine(line)) && stdout.contains("the desk: http://127.0.0.1:8080/"),
        "{stdout}"
    );
    // Every commented key is a real one, with a value that is read.
    let keys = fs::read_to_string(example).unwrap();
    let keys = keys.lines().filter(|line| !line.starts_with("# ")).map(|line| line.trim_start_matches('#'));
    let keys = keys.collect::<Vec<_>>().join("\n");
    let (_, _, stderr) = run(&["check", "--config", "-"], &keys);
    for line in stderr.lines() {
        assert!(
            line.contains("_file: /") && line.contains("No such file")
                || ["pairings.file: ", "http.certificate: ", "http.key: "]
                    .iter()
                    .any(|key| line.contains(key)),
            "{line}"
        );
    }
}

#[test]
fn import_writes_a_capture() {
    let dump = "> 2026/11/21 22:20:43.000500  length=1 from=0 to=0\n 42\n--\n< 2026/11/21 22:20:44.000500  length=3 from=0 to=2\n 86 00 43\n--\n";
    let (code, stdout, stderr) = run(&["import", "-", "-o", "-"], dump);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("# dgt-capture 1\n"), "{stdout}");
    assert!(stdout.ends_with("< 86 00 43\n"), "{stdout}");
    let (code, stdout, stderr) = run(&["import", "-", "-o", "-"], "hello\n");
    assert_eq!((code, stdout.as_str()), (65, ""));
    assert!(stderr.starts_with("jadoube: standard input:1: "), "{stderr}");
}

#[test]
fn watch_shows_the_last_alerts() {
    let dir = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (1..=12).map(|number| format!("alert {number}\n")).collect();
    fs::write(dir.path().join("alerts.log"), lines.concat()).unwrap();
    let setting = format!("log_dir={}", dir.path().display());
    let (code, stdout, stderr) = run(&["watch", "--once", "--config", "-", "--set", &setting], "");
    assert_eq!((code, stdout, stderr.as_str()), (0, lines[2..].concat(), ""));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(crate::support::PROGRAM)
        .args(["rules"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn check_and_tables_say_what_was_read_from_the_pairings() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::write(at("pairings.csv"), "Bo.;White;Black\n1;Doe, J;Roe, R\n2;Poe, P;Moe, M\n").unwrap();
    let text = format!(
        "state_dir = '{}'\nlog_dir = '{}'\n[pairings]\nfile = '{}'\n[[table]]\nnumber = 1\nserial = '23946'\n",
        at("state"),
        at("log"),
        at("pairings.csv")
    );
    fs::write(at("jadoube.toml"), text).unwrap();
    let (status, reported, _) = run(&["check", "--config", &at("jadoube.toml")], "");
    assert_eq!(status, 0, "{reported}");
    assert!(reported.contains("pairings.csv: 2 games, 1 of them at boards\n"), "{reported}");
    let (status, tables, _) = run(&["tables", "--config", &at("jadoube.toml")], "");
    assert_eq!(status, 0, "{tables}");
    let lines: Vec<&str> = tables.lines().collect();
    assert!(lines[0].starts_with("table 1 ") && lines[0].ends_with(" Doe, J – Roe, R"), "{tables}");
    assert!(lines[1].starts_with("table 2 ") && lines[1].ends_with(" Poe, P – Moe, M"), "{tables}");
}
