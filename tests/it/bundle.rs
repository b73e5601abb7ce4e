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
        "[event]\nname = 'Secret Open'\ncontrol = 'blitz'\n[ports]\nscan = []\n[[port]]\npath = '{address}'\n\
         [[table]]\nnumber = 7\nserial = '{serial}'\nwhite = 'Meier, Anna'\nblack = 'Huber, Max'\n"
    ));
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
    for expected in ["README.txt", "jadoube.toml", "log/events.jsonl", "boards.json", "doctor.jsonl"] {
        assert!(names.contains(&&*format!("jadoube-bundle/{expected}")), "{expected} is not in {names:?}");
    }
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
