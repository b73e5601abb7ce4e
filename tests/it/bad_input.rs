//! Bad input to the program: one clear message, the exit status of the contract, and nothing else
//! stops.

use std::{
    fmt::Write as _,
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

use super::support::{Hall, PROGRAM, Socket, run};

/// A game of three plies, with a clock.
const GAME: &str = include_str!("../captures/rotated.dgtcap");

/// Bytes without a meaning that a board may send.
const NOISE: [(&str, &str); 9] = [
    ("bytes that belong to no message", "00 7f 13 42 01"),
    ("a message that is cut off", "86 00 43 08 09 0a"),
    ("half a header", "8e 00"),
    ("a wrong length", "8e 00 06 34 00 01"),
    ("a length that is none", "8e 00 00"),
    ("a square that no board has", "8e 00 05 45 01"),
    ("a piece that no set has", "8e 00 05 20 0f"),
    ("a message that nobody knows", "bf 00 05 01 02"),
    ("top bits only", "ff ff ff ff"),
];

#[test]
fn garbage_from_a_board_costs_nothing_else() {
    let (status, moves, errors) = replay(GAME);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(moves.contains("1. Nf3"), "{moves}");
    for (what, bytes) in NOISE {
        // Between any two messages, each time.
        let noisy: String = GAME
            .lines()
            .map(|line| match line.split_once(" < ") {
                Some((at, _)) => format!("{at} < {bytes}\n{line}\n"),
                None => format!("{line}\n"),
            })
            .collect();
        let (status, played, errors) = replay(&noisy);
        assert_eq!(status, 0, "{what}");
        assert_eq!(played, moves, "{what}");
        assert!(errors.lines().count() <= 1, "{what}: {errors}");
        let counted = errors.is_empty() || errors.contains("damaged bytes from the board skipped: ");
        assert!(counted, "{what}: {errors}");
    }
}

#[test]
fn damage_is_counted_and_named_once() {
    let noisy = GAME.replace(" < 8e", " < 8e 00 7f 13 42 01 8e");
    let (status, _, errors) = replay(&noisy);
    assert_eq!(status, 0);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains("damaged bytes from the board skipped: "), "{errors}");
}

#[test]
fn clocks_that_jump_cost_no_move() {
    let (_, moves, _) = replay(GAME);
    let moves = without_clocks(&moves);
    for report in
        ["20 03 0b 20 03 02 09", "20 7a 00 20 03 02 09", "00 00 00 00 00 00 00", "29 59 59 29 59 59 08"]
    {
        let mut jumping = String::new();
        for line in GAME.lines() {
            writeln!(jumping, "{line}").unwrap();
            if let Some((at, _)) = line.split_once(" < 8e") {
                writeln!(jumping, "{at} < 8d 00 0a {report}").unwrap();
            }
        }
        let (status, played, _) = replay(&jumping);
        assert_eq!(status, 0, "{report}");
        assert_eq!(without_clocks(&played), moves, "{report}");
    }
}

#[test]
fn a_wrong_capture_is_refused_with_file_line_and_reason() {
    let head = "# dgt-capture 1\n0.000000 ! open /dev/ttyACM0\n";
    for (body, line, reason) in [
        ("1.0 < zz\n", 3, "'zz' is no hex byte"),
        ("1.0 < 4\n", 3, "'4' is no hex byte"),
        ("1.0 ? 40\n", 3, "expected one of < > ! @"),
        ("5.0 < 40\n1.0 < 40\n", 4, "time goes back from 5.000000 to 1.000000"),
        ("-1.0 < 40\n", 3, "not a number of seconds"),
        ("1e99 < 40\n", 3, "not a number of seconds"),
        ("99999999999999999999.0 < 40\n", 3, "not a number of seconds"),
        ("1.0 ! explode\n", 3, "expected open or close"),
        ("\n", 0, ""),
    ] {
        let (status, _, errors) = replay(&format!("{head}{body}"));
        if reason.is_empty() {
            assert_eq!((status, errors.as_str()), (0, ""), "an empty line is none");
            continue;
        }
        assert_eq!(status, 65, "{body}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with(&format!("jadoube: standard input:{line}: ")), "{errors}");
        assert!(errors.contains(reason), "{errors}");
    }
    for text in ["", "hello\n", "\u{1}\u{2}\u{3}"] {
        let (status, _, errors) = replay(text);
        assert_eq!(status, 65, "{text:?}");
        assert!(errors.ends_with(":1: a capture begins with the line '# dgt-capture 1'\n"), "{errors}");
    }
}

#[test]
fn what_came_before_a_bad_line_counts() {
    let (status, output, errors) =
        run(&["replay", "--format", "jsonl", "-"], &format!("{GAME}99.0 < nonsense\n"));
    assert_eq!(status, 65, "{errors}");
    assert!(output.contains(r#""san":"Nf3""#), "{output}");
}

#[test]
fn one_bad_capture_does_not_keep_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (bad, good) = (path("bad.dgtcap", "nonsense\n"), path("good.dgtcap", GAME));
    let missing = dir.path().join("missing.dgtcap").display().to_string();
    let (status, output, errors) = run(&["replay", "--format", "pgn", &bad, &good, &missing], "");
    assert_eq!(status, 66, "the last failure: {errors}");
    assert!(output.contains("1. Nf3"), "{output}");
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("bad.dgtcap:1: ") && errors.contains("missing.dgtcap: No such file"), "{errors}");
}

#[test]
fn a_torn_last_line_is_left_out() {
    let (status, moves, errors) = run(&["replay", "--format", "pgn", "-"], &format!("{GAME}99.0 < 8e 00"));
    assert_eq!(status, 0);
    assert!(moves.contains("1. Nf3"), "{moves}");
    assert_eq!(errors, "jadoube: standard input: the last line is torn and was left out\n");
}

#[test]
fn wrong_orders_are_refused_and_change_nothing() {
    let (_, moves, _) = replay(GAME);
    let end = "60.0";
    let orders = [
        (r#"{"order":"penalty","side":"purple","seconds":60}"#, "purple"),
        (r#"{"order":"dance"}"#, "dance"),
        (r#"{"order":"dismiss","alert":"1-1-1"}"#, "there is no alert 1-1-1"),
        (r#"{"order":"#, "no order"),
        ("[]", "no order"),
        (r#"{"order":"flip","order":"mute","seconds":9}"#, "key \"order\" twice"),
        // Who is not understood must not be taken for the board at hand.
        (r#"{"order":"flip","board":["1"]}"#, "board: [\"1\"] is no serial number"),
        (r#"{"order":"flip","board":1}"#, "board: 1 is no serial number"),
        (r#"{"order":"flip","board":"99999"}"#, "the order is for board 99999, and this is board 12345"),
        (r#"{"order":"set-position","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#, "the board is empty"),
        (r#"{"order":"set-position","fen":"4k3/8/8/8/8/8/8/3KK3 w - - 0 1"}"#, "white has 2 kings"),
    ];
    for (order, reason) in orders {
        let (status, played, errors) = replay(&format!("{GAME}{end} @ {order}\n"));
        assert_eq!((status, &played), (0, &moves), "{order}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains("the order is refused: ") && errors.contains(reason), "{errors}");
    }
}

#[test]
fn a_bad_configuration_names_file_and_key() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("j.toml");
    for (text, said) in [
        (b"[event]\nrules = '2022'".as_slice(), "event.rules: \"2022\" is no edition"),
        (b"[event]\nlanguge = 'de'", "event.languge: unknown key, did you mean 'language'?"),
        (b"[board]\nscan_ms = 'fast'", "board.scan_ms: expected a number"),
        (b"[http]\nlisten = 'everywhere'", "http.listen: "),
        (b"[board", "1:7: "),
        (b"[event]\nname = '\xff\xfe'", "UTF-8"),
    ] {
        fs::write(&file, text).unwrap();
        for command in ["check", "run"] {
            let (status, _, errors) = run(&[command, "--config", file.to_str().unwrap()], "");
            assert_eq!(status, 78, "{errors}");
            assert_eq!(errors.lines().count(), 1, "{errors}");
            assert!(errors.starts_with(&format!("jadoube: {}:", file.display())), "{errors}");
            assert!(errors.contains(said), "{errors}");
        }
    }
}

#[test]
fn what_a_configuration_holds_moves_no_cursor() {
    let text = r#"
        state_dir = "/nowhere"
        [http]
        listen = "127.0.0.1:1"
        token_file = "/nowhere/\u001b[5mtoken"
        [[table]]
        number = 1
        serial = "1\u001b[2J\u009b1m"
        white = "A\u001b]0;title\u0007"
        [[port]]
        path = "/dev/tty\u001bX""#;
    let mut shown = 0;
    for command in ["check", "tables"] {
        let (_, output, errors) = run(&[command, "--config", "-"], text);
        assert!(
            !(output.clone() + &errors).contains(|c: char| c.is_control() && c != '\n'),
            "{output}{errors}"
        );
        shown += output.matches("1?[2J").count();
    }
    assert!(shown > 1, "both name the board");
}

#[test]
fn missing_and_forbidden_devices_differ() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let device = dir.path().join("board");
    let (status, _, errors) = record(&device);
    assert_eq!(status, 66, "{errors}");
    assert!(errors.contains("is the board plugged in?"), "{errors}");
    fs::write(&device, "").unwrap();
    fs::set_permissions(&device, fs::Permissions::from_mode(0o000)).unwrap();
    let (status, _, errors) = record(&device);
    assert_eq!(status, 77, "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains(&device.display().to_string()), "{errors}");
}

#[test]
fn a_board_that_talks_nonsense_does_not_stop_the_hall() {
    let (mad, sane) = (Socket::new(), Socket::new());
    let config = format!(
        "[ports]\nscan = []\n[[port]]\npath = '{}'\n[[port]]\npath = '{}'\n",
        mad.port(),
        sane.port()
    );
    let mut hall = Hall::new(&config);
    hall.start();
    let (mut mad, mut sane) = (mad.plug(), sane.plug());
    let nonsense: Vec<u8> = (0..20_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    mad.send(&nonsense);
    // The other board is still polled.
    sane.wait_command(0x45);
    sane.say_serial("23946");
    hall.wait_message("23946");
    mad.hang_up();
    sane.hang_up();
    assert_eq!(hall.stop(), 0);
    assert!(hall.log("events.jsonl").contains("23946"));
}

/// Replays a capture to the moves of its games.
fn replay(text: &str) -> (i32, String, String) {
    run(&["replay", "--format", "pgn", "--control", "blitz", "-"], text)
}

/// Returns moves without the times in braces, which a wrong report may change.
fn without_clocks(pgn: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in pgn.chars() {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.split_whitespace().filter(|word| !word.contains("...")).collect::<Vec<_>>().join(" ")
}

/// Records a port as an unprivileged user.
fn record(device: &Path) -> (i32, String, String) {
    let mut command = Command::new(PROGRAM);
    command.args(["record", "--output", "/dev/null", "--port"]).arg(device);
    if rustix::process::geteuid().is_root() {
        // The program may be in a directory that only root can enter.
        let copy = tempfile::tempdir().unwrap();
        fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let program: PathBuf = copy.path().join("jadoube");
        fs::copy(PROGRAM, &program).unwrap();
        let mut command = Command::new(&program);
        command.args(["record", "--output", "/dev/null", "--port"]).arg(device).uid(65534).gid(65534);
        return outcome(&mut command);
    }
    outcome(&mut command)
}

fn outcome(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}
