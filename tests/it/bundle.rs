//! `jadoube bundle`: what is packed is replayed to the same events, and names nobody.

use std::{fmt, fs, io::Read as _, path::Path};

use serde_json::Value;

use crate::support::{Emulator, Hall, eventually, run};

/// Returns the events of a replay, without the headers of games.
fn events(args: &[&str]) -> Vec<Value> {
    let (status, stdout, stderr) = run(&[&["replay", "--format", "jsonl"], args].concat(), "");
    assert_eq!(status, 0, "{stderr}");
    let parse = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("pgn");
        event
    };
    stdout.lines().map(parse).collect()
}

/// Returns the names and texts of all files in a bundle.
fn unpack(bundle: &Path) -> Vec<(String, String)> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(fs::File::open(bundle).unwrap()));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        (entry.path().unwrap().display().to_string(), text)
    });
    entries.collect()
}

#[test]
fn a_bundle_replays_to_the_same_events_and_names_nobody() {
    let emulator = Emulator::start(1, &["--tcp", "127.0.0.1:0", "--speed", "4", "--handling", "plain"]);
    let (serial, address) = &emulator.boards[0];
    let mut hall = Hall::new(&format!(
        "[event]\nname = 'Secret Open'\nrules = 'us-chess.toml'\ncontrol = 'blitz'\n[ports]\nscan = []\n[[port]]\npath = '{address}'\n\
         [[table]]\nnumber = 7\nserial = '{serial}'\nwhite = 'Meier, Anna'\nblack = 'Huber, Max'\n"
    ));
    fs::write(hall.dir.path().join("us-chess.toml"), include_str!("../rules/us-chess.toml")).unwrap();
    hall.start();
    let what = fmt::from_fn(|f| write!(f, "moves: {}", hall.log("events.jsonl")));
    let moves = || hall.log("events.jsonl").matches("\"event\":\"move\"").count();
    eventually(what, || (moves() >= 6).then_some(()));
    assert_eq!(hall.stop(), 0);
    let config = hall.dir.path().join("jadoube.toml");
    let file = hall.dir.path().join("bundle.tar.gz");
    let (config, name) = (config.to_str().unwrap(), file.to_str().unwrap());
    let (status, stdout, stderr) =
        run(&["bundle", "--config", config, "--output", name, "--since", "1h", "--seconds", "0"], "");
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("1 captures; look through it"), "{stdout}");
    let files = unpack(&file);
    for (file, text) in &files {
        assert!(!["Meier", "Huber", "Secret Open"].iter().any(|gone| text.contains(gone)), "{file}:\n{text}");
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    for expected in
        ["README.txt", "jadoube.toml", "rules.toml", "log/events.jsonl", "boards.json", "doctor.jsonl"]
    {
        assert!(names.contains(&&*format!("jadoube-bundle/{expected}")), "{expected} is not in {names:?}");
    }
    let text = |name: &str| &files.iter().find(|(file, _)| file.ends_with(name)).unwrap().1;
    assert!(text("/jadoube.toml").contains("rules = \"rules.toml\""), "{}", text("/jadoube.toml"));
    assert!(text("/rules.toml").contains("name = \"US Chess\""), "{}", text("/rules.toml"));
    let capture = hall.captures().remove(0);
    let original = events(&["--config", config, capture.to_str().unwrap()]);
    assert!(original.len() > 10);
    assert_eq!(events(&[name]), original, "the configuration of the bundle applies");
    // Nothing is taken of a span in which nothing was played.
    let (status, _, _) = run(
        &["bundle", "--config", config, "--output", name, "--since", "2h", "--until", "1h", "--seconds", "0"],
        "",
    );
    assert_eq!(status, 0);
    let (status, _, stderr) = run(&["replay", name], "");
    assert!(status == 65 && stderr.contains("there is no capture in it"), "{stderr}");
}

/// Puts names and secrets everywhere into the state of a daemon.
fn plant(hall: &Hall) {
    let place = |name: &str| hall.dir.path().join(name);
    let write = |name: &str, text: &str| {
        fs::create_dir_all(place(name).parent().unwrap()).unwrap();
        fs::write(place(name), text).unwrap();
    };
    let at = jiff::Timestamp::now();
    let directory = hall.dir.path().display();
    for (name, text) in [
        ("token", "tokenXsecret\n"),
        ("metrics", "metricsXsecret\n"),
        ("password", "passwordXsecret\n"),
        ("lichess", "lichessXsecret\n"),
        ("notify", "notifyXsecret\n"),
    ] {
        write(&format!("secrets/{name}"), text);
    }
    write(
        "jadoube.toml",
        &format!(
            "state_dir = '{directory}/state'\nlog_dir = '{directory}/log'\n[event]\nname = 'Eventxname'\n[ports]\nscan = []\n[http]\ntoken_file = '{directory}/secrets/token'\n\
         metrics_token_file = '{directory}/secrets/metrics'\nurl = 'https://urlxdesk'\n[mqtt]\nurl = 'mqtt://brokerxhost'\nuser = 'userxmqtt'\npassword_file = '{directory}/secrets/password'\n\
         [lichess]\nround = 'abcdefgh'\nuser = 'userxlichess'\ntoken_file = '{directory}/secrets/lichess'\n[pgn]\ndir = '{directory}/pgn'\n\
         [[notify]]\nkind = 'ntfy'\nurl = 'https://ntfyxtopic/secret'\ntoken_file = '{directory}/secrets/notify'\n\
         [pairings]\nfile = '{directory}/pairings.csv'\n"
        ),
    );
    write(
        "conf.d/10.toml",
        "[[table]]\nnumber = 1\nserial = '23946'\nwhite = 'Confdx, White'\nblack = 'Confdx, Black'\nwhite_player = { fide_id = '987123', team = 'Teamx' }\n\
        [[arbiter]]\nname = 'Arbiterxtoml'\n",
    );
    write(
        "pairings.csv",
        "table,white,black\n2,\"Pairedx, A\",\"Pairedx, B\"\n2,\"Pairedx, A\",\"Pairedx, C\"\n",
    );
    write(
        "log/events.jsonl",
        &format!(
            "{{\"at\":\"2001-01-01T00:00:00Z\",\"event\":\"players\",\"white\":\"Oldx, Round\",\"black\":\"Li\"}}\n\
         {{\"at\":\"{at}\",\"event\":\"game\",\"pgn\":\"[Event \\\"Otherx Open\\\"]\\n[White \\\"Pgnx, W\\\"]\\n\",\"text\":\"Round Oldx against Li\"}}\n\
         {{\"at\":\"{at}\",\"event\":\"entry\",\"white\":{{\"name\":\"Nestedx, N\",\"fide_id\":\"456123\",\"team\":\"Teamx\"}}}}\n"
        ),
    );
    write(
        "log/alerts.jsonl",
        &format!(
            "{{\"at\":\"{at}\",\"event\":\"alert\",\"text\":\"Pgnx, W and Oldx, Round\",\"reason\":\"freexreason\"}}\n"
        ),
    );
    write(
        "log/audit.jsonl",
        &format!(
            "{{\"at\":\"{at}\",\"arbiter\":\"Auditx, A\",\"order\":\"note\",\"note\":\"freexnote by Auditx, A\"}}\n"
        ),
    );
    write(
        "state/boards.json",
        "{\"boards\":[{\"board\":\"23946\",\"white\":\"Boardsx, W\",\"text\":\"Boardsx, W\"}]}",
    );
    write(
        "state/captures/port/20260101T000000Z.dgtcap",
        "# dgt-capture 1\n# note: notex of Capturex\n# operator: Capturex, W\n0.0 ! open\n\
        1.0 @ {\"order\":\"players\",\"white\":\"Capturex, W\",\"black\":\"Orderx, B\"}\n2.0 @ {\"order\":\"note\",\"note\":\"freexcapture\"}\n3.0 @ not json: Oldx, Round\n",
    );
}

#[test]
fn what_is_planted_everywhere_is_nowhere_in_a_bundle() {
    let hall = Hall::new("");
    plant(&hall);
    let config = hall.dir.path().join("jadoube.toml");
    let bundle = hall.dir.path().join("bundle.tar.gz");
    for more in [&[][..], &["--replace-names"]] {
        let args = [
            "bundle",
            "--config",
            config.to_str().unwrap(),
            "-o",
            bundle.to_str().unwrap(),
            "--since",
            "1h",
            "--seconds",
            "0",
        ];
        let (status, _, stderr) = run(&[&args, more].concat(), "");
        assert_eq!(status, 0, "{stderr}");
        let files = unpack(&bundle);
        assert!(files.iter().any(|(name, _)| name.ends_with(".dgtcap")) && files.len() >= 7, "{files:?}");
        for (file, text) in &files {
            for planted in [
                "Xsecret",
                "Confdx",
                "Teamx",
                "987123",
                "456123",
                "Arbiterx",
                "Pairedx",
                "Oldx",
                "Pgnx",
                "Nestedx",
                "Auditx",
                "Boardsx",
                "Capturex",
                "Orderx",
                "Eventx",
                "Otherx",
                "urlx",
                "brokerx",
                "userx",
                "ntfyx",
                "freex",
                "notex",
                "against Li",
            ] {
                assert!(!text.contains(planted), "{planted} is in {file}:\n{text}");
            }
        }
    }
}
