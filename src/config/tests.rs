use super::*;
use jadoube_core::laws::Control;

#[test]
fn an_empty_file_gives_the_defaults() {
    assert_eq!(Config::parse("t.toml", "", &[]).unwrap(), Config::default());
}

#[test]
fn reads_every_key() {
    let config = Config::parse("t.toml", EVERYTHING, &[]).unwrap();
    assert_eq!(config.state_dir, Path::new("/s"));
    assert_eq!(config.event.rules.name(), "2018");
    assert_eq!(config.event.control, Control::Rapid);
    assert_eq!(config.board.scan_ms, 100);
    assert_eq!(config.board.orientation, Orientation::Rotated);
    assert!(config.game.chess960);
    let boards = config.line_settings("tcp://10.0.0.7:4001");
    assert_eq!(boards.bus, ["01025", "06685"]);
    assert_eq!(config.ports.scan, ["/dev/x*"]);
    assert_eq!(config.port("tcp://10.0.0.7:4001").unwrap().bus, ["01025", "06685"]);
    assert_eq!(config.port("/dev/ttyS0").unwrap().dtr, Some(false));
    assert_eq!(config.table("23946").unwrap().white, "Last, First");
    assert_eq!(boards.white_clock("1025"), WhiteClock::Right);
    assert_eq!(boards.white_clock("23946"), WhiteClock::Left);
    assert_eq!(boards.orientation("01025"), Orientation::Normal);
    assert_eq!(config.livechess.unwrap().listen.len(), 2);
}

/// Asks for a key that nobody could have meant: the answer lists those that are known.
fn known_keys(section: &str) -> Vec<String> {
    let error =
        Config::parse("t.toml", &format!("{section}\nqqqqqqqqqqqqqqqq = 1"), &[]).unwrap_err().to_string();
    let known = error.split_once("known here: ").unwrap_or_else(|| panic!("{error}")).1;
    known.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_example_has_every_key() {
    let example = include_str!("../../systemd/jadoube.toml");
    let is_head = |line: &str| line.trim_start_matches('#').starts_with('[');
    let section = |head: &str| {
        let lines = example.lines().skip_while(|line| line.trim_start_matches('#') != head).skip(1);
        lines.take_while(|line| !is_head(line)).collect::<Vec<_>>()
    };
    let sections = known_keys("").into_iter().filter(|key| !["state_dir", "log_dir"].contains(&key.as_str()));
    for name in sections {
        let head = if ["arbiter", "notify", "table", "port"].contains(&name.as_str()) {
            format!("[[{name}]]")
        } else {
            format!("[{name}]")
        };
        let lines = section(&head);
        assert!(!lines.is_empty(), "{head} is missing");
        for key in known_keys(&head) {
            let is_there = lines.iter().any(|line| line.starts_with(&format!("#{key} = ")));
            assert!(is_there, "{head} lacks {key}");
        }
    }
    let player = section("[[table]]").into_iter().find(|line| line.starts_with("#white_player = ")).unwrap();
    for key in known_keys("[[table]]\nserial = '1'\n[table.white_player]") {
        assert!(player.contains(&format!("{key} = ")), "white_player lacks {key}");
    }
    for key in ["state_dir", "log_dir"] {
        assert!(example.lines().any(|line| line.starts_with(&format!("#{key} = "))), "{key} is missing");
    }
}

#[test]
fn the_command_line_overrides_the_file() {
    let settings = [
        "board.scan_ms=100",
        "game.chess960=true",
        "event.rules=2014",
        "ports.scan=/dev/a*, /dev/b*",
        "table[0].white=A, B",
        "log_dir = /l",
        "mqtt.site=",
    ]
    .map(str::to_owned);
    let config = Config::parse("t.toml", EVERYTHING, &settings).unwrap();
    assert_eq!(config.board.scan_ms, 100);
    assert!(config.game.chess960);
    let boards = config.line_settings("tcp://10.0.0.7:4001");
    assert_eq!(boards.bus, ["01025", "06685"]);
    assert_eq!(config.event.rules.name(), "2014");
    assert_eq!(config.ports.scan, ["/dev/a*", "/dev/b*"]);
    assert_eq!(config.tables[0].white, "A, B");
    assert_eq!(config.tables[0].serial, "23946");
    assert_eq!(config.log_dir, Path::new("/l"));
    assert_eq!(config.mqtt.unwrap().site, "");
    let list = ["ports.scan=[\"/dev/a\", \"/dev/b\"]".to_owned()];
    assert_eq!(Config::parse("t.toml", "", &list).unwrap().ports.scan, ["/dev/a", "/dev/b"]);
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_one() {
    check_error("sate_dir = '/'", "t.toml: sate_dir: unknown key, did you mean 'state_dir'?");
    check_error("[event]\ncontrl = 'rapid'", "t.toml: event.contrl: unknown key, did you mean 'control'?");
    check_error("[board]\nScan_MS = 1", "t.toml: board.Scan_MS: unknown key, did you mean 'scan_ms'?");
    check_error(
        "[[port]]\npath = '/dev/x'\nbuad = 1",
        "t.toml: port 1: buad: unknown key, did you mean 'baud'?",
    );
    check_error(
        "[mqtt]\nqqqqqqq = 1",
        "t.toml: mqtt.qqqqqqq: unknown key; known here: url, site, daemon, client_id, user, password_file, ca_file, commands",
    );
    check_error(
        "[mqtt]\nurl = 'broker'",
        "t.toml: mqtt.url: 'broker' has no scheme; expected mqtt://host:1883 or mqtts://host:8883",
    );
    check_error(
        "[mqtt]\nsite = 'Hall A'",
        "t.toml: mqtt.site: 'Hall A' is part of a topic: only a-z, 0-9 and -, as in 'hall-a'",
    );
    check_setting("bord.scan_ms=1", "--set: bord: unknown key, did you mean 'board'?");
    check_setting("board.scan=1", "--set: board.scan: unknown key, did you mean 'scan_ms'?");
}

#[test]
fn a_wrong_type_is_refused_without_coercion() {
    check_error(
        "[board]\nscan_ms = '100'",
        "t.toml: board.scan_ms: expected a number, found string \"100\"; write 100 without quotation marks",
    );
    check_error(
        "[game]\nchess960 = 'true'",
        "t.toml: game.chess960: expected a boolean, found string \"true\"; write true without quotation marks",
    );
    check_error("[game]\nchess960 = 1", "t.toml: game.chess960: expected a boolean, found integer `1`");
    check_error(
        "[[table]]\nserial = 23946",
        "t.toml: table 1: serial: expected a string, found integer `23946`; write \"23946\"",
    );
    check_error("table = 3", "t.toml: table: expected a list, found integer `3`");
    check_error("board = true", "t.toml: board: expected a table, found boolean `true`");
    check_setting("board.scan_ms=fast", "--set: board.scan_ms: expected a number, found string \"fast\"");
    check_setting("board=fast", "--set: board: expected a table, found string \"fast\"");
    check_setting("game.chess960=yes", "--set: game.chess960: expected a boolean, found string \"yes\"");
}

#[test]
fn a_wrong_value_is_refused() {
    check_error("[board]\nscan_ms = 0", "t.toml: board.scan_ms: 0 is out of range, expected 10 to 5000");
    check_error(
        "[event]\ncontrol = 'standart'",
        "t.toml: event.control: \"standart\" is none of standard, rapid, blitz, did you mean \"standard\"?",
    );
    check_error(
        "[event]\nrules = '2022'",
        "t.toml: event.rules: \"2022\" is no edition of the Laws of Chess; there are 2009, 2014, 2017, 2018 and 2023",
    );
    check_error(
        "[http]\nlisten = 'here'",
        "t.toml: http.listen: expected an address with a port, such as 127.0.0.1:8080",
    );
    check_error(
        "[pgn]\ndelay_s = -1",
        "t.toml: pgn.delay_s: expected a number that is not negative, found integer `-1`",
    );
    check_error(
        "[pgn]\ndelay_s = 1.5",
        "t.toml: pgn.delay_s: expected a whole number, found floating point `1.5`",
    );
    check_setting("board.scan_ms=0", "--set: board.scan_ms: 0 is out of range, expected 10 to 5000");
    check_setting(
        "board.scan_ms=-5",
        "--set: board.scan_ms: expected a number that is not negative, found integer `-5`",
    );
    check_setting("game.chess960=1", "--set: game.chess960: expected a boolean, found integer `1`");
    check_error("[[table]]\nnumber = 1", "t.toml: table 1: serial: missing");
    check_error(
        "[game]\nfen = 'abc'",
        "t.toml: game.fen: 'abc' is no start position: invalid board part in fen",
    );
    check_error(
        "[game]\nfen = '8/8/8/8/8/8/8/4K3 w - - 0 1'",
        "t.toml: game.fen: '8/8/8/8/8/8/8/4K3 w - - 0 1' is no start position: a game needs one king a side",
    );
    check_setting(
        "game.fen='4k3/8/8/8/8/8/8/3KK3 w - - 0 1'",
        "--set: game.fen: '4k3/8/8/8/8/8/8/3KK3 w - - 0 1' is no start position: a game needs one king a side",
    );
    check_setting("board.scan_ms", "--set board.scan_ms: expected KEY=VALUE");
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    let text = "sate_dir = '/'\n[board]\nscan_ms = 'x'\nsettle_ms = 99999\n[ports]\nscan = ['/dev/x', 3]\n\
                [[table]]\nnumber = 1\n[[table]]\nserial = '2'\nwite = 'A'\n";
    let errors = read_all(text, &["event.rules=2022".to_owned(), "x".to_owned()]).unwrap_err();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "--set x: expected KEY=VALUE",
            "t.toml: board.scan_ms: expected a number, found string \"x\"",
            "t.toml: board.settle_ms: 99999 is out of range, expected 0 to 10000",
            "--set: event.rules: \"2022\" is no edition of the Laws of Chess; there are 2009, 2014, 2017, 2018 and 2023",
            "t.toml: ports.scan 2: expected a string, found integer `3`; write \"3\"",
            "t.toml: sate_dir: unknown key, did you mean 'state_dir'?",
            "t.toml: table 1: serial: missing",
            "t.toml: table 2: wite: unknown key, did you mean 'white'?",
        ]
    );
    let errors = read_all("a = = 1\nb = \n", &[]).unwrap_err();
    let places: Vec<String> =
        errors.iter().map(|error| error.to_string().split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(places, ["t.toml:1:5", "t.toml:2:5"]);
    let text = "[[table]]\nnumber = 1\nserial = '2'\nwite = 'A'\n[[table]]\nnumber = 1\nserial = '3'\n";
    let errors = read_all(text, &[]).unwrap_err();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "t.toml: table 1: wite: unknown key, did you mean 'white'?",
            "t.toml: table 2: number: '1' is also table 1: number",
        ]
    );
}

#[test]
fn what_has_a_wrong_type_is_not_missing_as_well() {
    let errors = read_all("[[table]]\nserial = 23946\n", &[]).unwrap_err();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        ["t.toml: table 1: serial: expected a string, found integer `23946`; write \"23946\""]
    );
}

#[test]
fn a_text_of_the_command_line_is_what_its_key_wants() {
    let settings = [
        "event.name=2026",
        "event.round=3",
        "table[0].serial=1025",
        "table[0].number=7",
        "table[1].serial=\"2\"",
        "http.listen=127.0.0.1:81",
        "pgn.dir=/p",
    ];
    let config = Config::parse("t.toml", "", &settings.map(str::to_owned)).unwrap();
    assert_eq!((config.event.name.as_str(), config.event.round), ("2026", Some(3)));
    assert_eq!((config.tables[0].serial.as_str(), config.tables[0].number), ("1025", Some(7)));
    assert_eq!(config.tables[1].serial, "2");
    assert_eq!(config.http.unwrap().listen.port(), 81);
    check_setting("table[1].serial=1", "--set table[1].serial=1: there are only 0 in the list");
    check_setting(
        "table[x].serial=1",
        "--set table[x].serial=1: 'table[x]' is no entry of a list; expected one such as table[0], the first one",
    );
    check_setting("=1", "--set =1: '' is no key; expected one such as board.scan_ms");
}

#[test]
fn a_syntax_error_names_line_and_column() {
    let error = Config::parse("t.toml", "[event]\nname = \"a\nx = 1", &[]).unwrap_err().to_string();
    assert!(error.starts_with("t.toml:2:"), "{error}");
    assert!(!error.contains('\n'), "{error}");
    let error = Config::parse("t.toml", "a = 1\na = 2", &[]).unwrap_err().to_string();
    assert_eq!(error, "t.toml:2:1: duplicate key");
}

#[test]
fn a_missing_file_is_an_error_only_if_it_was_named() {
    let error = Config::load(Some(Path::new("/nowhere/j.toml")), &[]).unwrap_err();
    assert_eq!(error.to_string(), "/nowhere/j.toml: No such file or directory (os error 2)");
}

#[test]
fn finds_what_is_silly() {
    check_warning("", "");
    check_warning("[event]\ntime_control = '15+10'\ncontrol = 'rapid'", "");
    check_warning(
        "[event]\ntime_control = '3+2'\ncontrol = 'rapid'",
        "event: time_control 3+2 is blitz by the Laws of 2023, not rapid",
    );
    let text = "0 cannot be watched: no board senses who sits at it; leave the key out and look yourself";
    check_warning("[event]\ndefault_time_s = 0", &format!("event.default_time_s: {text}"));
    let found = Config::parse("t.toml", "[event]\ndefault_time_s = 0", &[]).unwrap().check();
    assert!(found.iter().all(|warning| warning.is_error));
    check_warning("[event]\ndefault_time_s = 7200", "event.default_time_s: 7200 s is more than an hour");
    check_warning("[game]\nfen = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'", "");
    check_warning(
        "[board]\nsettle_ms = 100",
        "board.settle_ms: 100 ms is less than one pass of 225 ms over the squares: presses are judged before the board has reported all",
    );
    check_warning(
        "[ports]\nscan = []",
        "ports.scan: is empty and there is no [[port]]: no board will ever be found",
    );
    check_warning(
        "[ports]\nscan = ['/dev/*/x', 'ttyACM*']",
        "ports.scan 1: has a wildcard in a directory; only the last part may have one\nports.scan 2: 'ttyACM*' does not begin with /",
    );
    check_warning(
        "[[port]]\npath = 'tcp://host'\n[[port]]\npath = 'COM3'\n[[port]]\npath = 'COM3'\nbus = ['x']",
        "port 1: path: 'tcp://host' has no port number: tcp://host:port\n\
         port 2: path: 'COM3' is neither an absolute path nor tcp://host:port\n\
         port 3: path: 'COM3' is neither an absolute path nor tcp://host:port\n\
         port 3: bus: 'x' is no serial number of five digits\n\
         port 3: path: 'COM3' is also port 2: path",
    );
    check_warning(
        "[[port]]\npath = 'tcp://:1'\n[[port]]\npath = 'tcp://h:0'",
        "port 1: path: 'tcp://:1' has no host: tcp://host:port\n\
         port 2: path: 'tcp://h:0' has no port number: tcp://host:port",
    );
    check_warning("[[port]]\npath = '/dev/b'\nbus = ['45539', '20336', '01025', '47083@1026']", "");
    check_warning(
        "[[port]]\npath = '/dev/b'\nbus = ['45539', '12771']",
        "port 1: bus: 45539 and 12771 have the same address on the line, 12771: write \"45539@ADDRESS\", with the \
         address by which 'jadoube boards' calls the board",
    );
    check_warning(
        "[[table]]\nnumber = 1\nserial = '1025'\nwhite = 'A'\n[[table]]\nnumber = 1\nserial = '01025'\nblack = 'A'",
        "table 2: number: '1' is also table 1: number\n\
         table 2: serial: '1025' is also table 1: serial\n\
         table 2: black: 'A' is also table 1: white",
    );
    check_warning(
        "[[table]]\nserial = 'x'",
        "table 1: serial: 'x' is no serial number; see 'jadoube boards'",
    );
    check_warning(
        "[http]\nlisten = '0.0.0.0:80'",
        "http.listen: 0.0.0.0:80 is open to everybody who can reach this machine, without encryption; 'jadoube certificate' \
         makes a certificate",
    );
    check_warning("[http]\ntrusted_proxies = ['127.0.0.1', '10.0.0.0/24', 'fd00::1']", "");
    check_warning(
        "[http]\ntrusted_proxies = ['127.0.0.1', '::/0']",
        "http.trusted_proxies 2: ::/0 is everybody: whoever asks could name any address; name the proxies",
    );
    let error = Config::parse("t", "[http]\ntrusted_proxies = ['proxy']", &[]).unwrap_err().to_string();
    assert!(error.contains("http.trusted_proxies 1: 'proxy' is no address and no network"), "{error}");
}

#[test]
fn live_moves_do_not_leave_the_machine_while_games_are_delayed() {
    let delayed = |more: &str| format!("[pgn]\ndelay_s = 60\n{more}");
    let livechess = "[livechess]\nlisten = ['127.0.0.1:1982', '10.0.0.1:1982']";
    check_warning(
        livechess,
        "livechess.listen 2: 10.0.0.1:1982 is open to everybody who can reach this machine, without a token and without encryption",
    );
    check_warning(
        &delayed(livechess),
        "livechess.listen 2: 10.0.0.1:1982 shows live moves without a token while games are delayed: \
         use 127.0.0.1, or set no delay",
    );
    check_warning(
        &delayed("[livechess]\nhosts = ['a.example']"),
        "livechess.hosts: a proxy would show live moves without a token while games are delayed: remove the names",
    );
    check_warning(
        "[[table]]\nserial = '1'\ndelay_s = 1\n[mqtt]\nurl = 'mqtt://broker'",
        "mqtt.url: live moves leave this machine for a broker that asks for no user while games are delayed: \
         set mqtt.user and restrict reading at the broker, or use one on this machine",
    );
    check_warning(&delayed("[mqtt]\nurl = 'mqtts://broker'\nuser = 'hall'"), "");
    check_warning(&delayed("[mqtt]\nurl = 'mqtt://[::1]'"), "");
    check_warning(&delayed("[http]\nlisten = '10.0.0.1:80'\ncertificate = 'c'\nkey = 'k'"), "");
    let found = Config::parse("t", &delayed(livechess), &[]).unwrap().check();
    assert!(found.iter().all(|warning| warning.is_error));
}

#[test]
fn finds_a_token_that_everybody_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let token = dir.path().join("token");
    let settings = [format!("http.token_file={}", token.display())];
    let warning = || {
        let warnings = Config::parse("t", "", &settings).unwrap().check_files();
        warnings.first().map(ToString::to_string).unwrap_or_default()
    };
    assert!(
        warning().ends_with("No such file or directory (os error 2); nobody can give orders"),
        "{}",
        warning()
    );
    std::fs::write(&token, "0123456789abcdef").unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(warning().contains("can be read by every user"), "{}", warning());
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(warning(), "");
}

const EVERYTHING: &str = r#"
state_dir = "/s"
log_dir = "/var/log/jadoube"
[event]
name = "City Open"
rules = "2018"
control = "rapid"
supervised = false
time_control = "15+10"
default_time_s = 900
quickplay_finish = false
language = "de"
[board]
scan_ms = 100
settle_ms = 500
orientation = "rotated"
white_clock = "left"
[game]
chess960 = true
fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
[ports]
scan = ["/dev/x*"]
rescan_s = 2
[[port]]
path = "tcp://10.0.0.7:4001"
bus = ["01025", "06685"]
[[port]]
path = "/dev/ttyS0"
baud = 9600
dtr = false
rts = false
[[table]]
number = 1
serial = "23946"
white = "Last, First"
black = "Last2, First2"
[[table]]
serial = "01025"
orientation = "normal"
white_clock = "right"
[http]
listen = "127.0.0.1:8080"
token_file = "/etc/jadoube/token"
[livechess]
listen = ["127.0.0.1:1982", "[::1]:1982"]
origins = ["https://lichess.org"]
[pgn]
dir = "/var/lib/jadoube/pgn"
delay_s = 0
[mqtt]
url = "mqtt://broker:1883"
site = "hall-a"
"#;

fn read_all(text: &str, settings: &[String]) -> Result<(Config, Sources), Vec<ConfigError>> {
    read::read(&Parts::of_text("t.toml", text, settings))
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(Config::parse("t.toml", text, &[]).unwrap_err().to_string(), expected);
}

#[track_caller]
fn check_setting(setting: &str, expected: &str) {
    assert_eq!(Config::parse("t.toml", "", &[setting.to_owned()]).unwrap_err().to_string(), expected);
}

#[track_caller]
fn check_warning(text: &str, expected: &str) {
    let warnings = Config::parse("t.toml", text, &[]).unwrap().check();
    assert_eq!(warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), expected);
}

#[test]
fn rules_of_a_federation_are_read_from_their_file() {
    let dir = tempfile::tempdir().unwrap();
    let text = include_str!("../../tests/rules/us-chess.toml");
    std::fs::write(dir.path().join("us.toml"), text).unwrap();
    let file = dir.path().join("jadoube.toml");
    std::fs::write(&file, "[event]\nrules = \"us.toml\"\n").unwrap();
    let config = Config::load(Some(&file), &[]).unwrap();
    assert_eq!(config.event.rules.name(), "2018");
    let own = config.event.own_rules.clone().unwrap();
    assert_eq!(own.name.as_deref().unwrap(), "US Chess");
    let laws = jadoube_core::laws::Laws::of(&config.event);
    assert_eq!(laws.article(jadoube_core::code::Code::IllegalMove), Some("11A"));
    assert!(laws.flag_is_claimed());
    let changes = config.check().into_iter().find(|warning| warning.key == "event.rules").unwrap();
    assert!(changes.text.contains("US Chess change the Laws of 2018"), "{}", changes.text);

    std::fs::write(&file, "[event]\nrules = \"none.toml\"\n").unwrap();
    assert!(Config::load(Some(&file), &[]).is_err());
    std::fs::write(dir.path().join("us.toml"), "extends = \"2018\"\nflag = \"players\"").unwrap();
    std::fs::write(&file, "[event]\nrules = \"us.toml\"\n").unwrap();
    assert!(Config::load(Some(&file), &[]).is_err(), "a misspelt key is reported");
    let error = Config::parse("t.toml", "[event.own_rules]\nextends = '2018'", &[]).unwrap_err().to_string();
    assert!(error.contains("its path into event.rules"), "{error}");
}
