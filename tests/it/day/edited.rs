//! Files of games that somebody edits by hand: those of the round that goes on, and those of past ones.

use std::fs;

use super::restarts::Pair;
use crate::support::eventually;

const BY_HAND: &str = "[Event \"By hand\"]\n[Result \"1-0\"]\n\n1. a3 1-0\n";

#[test]
fn edits_of_this_round_are_kept_beside_its_files() {
    let mut pair = Pair::begin();
    let folder = pair.desk.pgn.join("round-1");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let wait = |name: &str, text: &str| {
        eventually(format_args!("{text} in {name}"), || read(name).contains(text).then_some(()));
    };
    let files = ["game-1.pgn", "games.pgn"];
    pair.play(0, 2);
    for file in files {
        wait(file, "e5");
        fs::write(folder.join(file), BY_HAND).unwrap();
    }
    // What is served comes from the boards.
    assert!(!pair.desk.text("/round-1/games.pgn").contains("By hand"));
    pair.play(0, 1);
    for file in files {
        wait(file, "2. Nf3");
        assert!(!read(file).contains("By hand"), "{file}");
        assert_eq!(read(&format!("{file}.edited")), BY_HAND);
    }
    assert_eq!(pair.desk.close(), 0);
}

#[test]
fn edits_made_while_the_daemon_is_down_are_kept() {
    let mut pair = Pair::begin();
    let folder = pair.desk.pgn.join("round-1");
    let path = |name: &str| folder.join(name);
    let read = |name: &str| fs::read_to_string(path(name)).unwrap_or_default();
    let wait = |name: &str, text: &str| {
        eventually(format_args!("{text} in {name}"), || read(name).contains(text).then_some(()));
    };
    let files = ["game-1.pgn", "games.pgn"];
    pair.play(0, 2);
    for file in files {
        wait(file, "e5");
    }
    // Files that nobody has edited are written anew, and nothing is kept of them.
    pair.restart();
    pair.play(0, 1);
    for file in files {
        wait(file, "2. Nf3");
    }
    for file in files {
        assert!(!path(&format!("{file}.edited")).exists(), "{file}");
    }
    pair.desk.restart_after(|| {
        for file in files {
            fs::write(path(file), BY_HAND).unwrap();
        }
    });
    pair.wait_published(1, "2. Nf3");
    pair.play(0, 1);
    for file in files {
        wait(file, "2... Nc6");
        assert!(!read(file).contains("By hand"), "{file}");
        assert_eq!(read(&format!("{file}.edited")), BY_HAND);
    }
    pair.play(0, 1);
    for file in files {
        wait(file, "3. Bb5");
    }
    // Each is reported once.
    let mut log = String::new();
    let mut reported = |file: &str| {
        log.push_str(&pair.desk.messages());
        log.push('\n');
        let line = format!("{file}.edited");
        log.lines().filter(|reported| reported.contains("has edited") && reported.contains(&line)).count()
    };
    for file in files {
        eventually(format_args!("a message on {file}"), || (reported(file) == 1).then_some(()));
    }
    assert_eq!(pair.desk.close(), 0);
}

#[test]
fn files_of_a_past_round_are_served_as_they_are() {
    let mut pair = Pair::begin();
    let folder = pair.desk.pgn.join("round-7");
    fs::create_dir_all(&folder).unwrap();
    for text in [BY_HAND.to_owned(), BY_HAND.replace("a3", "h3")] {
        for file in ["games.pgn", "game-1.pgn"] {
            fs::write(folder.join(file), &text).unwrap();
            assert_eq!(pair.desk.text(&format!("/round-7/{file}")), text);
        }
    }
    // Neither play nor a restart touches them.
    pair.play(0, 1);
    pair.restart();
    pair.play(0, 1);
    pair.wait_published(1, "e5");
    let expected = BY_HAND.replace("a3", "h3");
    assert_eq!(fs::read_to_string(folder.join("games.pgn")).unwrap(), expected);
    assert_eq!(pair.desk.text("/round-7/games.pgn"), expected);
    assert_eq!(pair.desk.close(), 0);
}
