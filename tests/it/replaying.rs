//! `jadoube replay` over more captures than there are cores.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use crate::support::{PROGRAM, run, terminal};

/// Returns a number of captures by repeating the same ones.
fn captures(count: usize) -> Vec<String> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut captures: Vec<PathBuf> = files.filter(|file| file.extension().unwrap() == "dgtcap").collect();
    captures.sort();
    captures.iter().cycle().take(count).map(|file| file.display().to_string()).collect()
}

fn replay(captures: &[String]) -> String {
    let args = ["replay", "--format", "jsonl", "--control", "blitz"];
    let args: Vec<&str> = args.into_iter().chain(captures.iter().map(String::as_str)).collect();
    let (status, stdout, stderr) = run(&args, "");
    assert_eq!(status, 0, "{stderr}");
    stdout
}

#[test]
fn many_captures_come_out_in_their_order() {
    let all = captures(200);
    let each: BTreeMap<&String, String> = BTreeSet::from_iter(&all)
        .into_iter()
        .map(|capture| (capture, replay(std::slice::from_ref(capture))))
        .collect();
    let expected: String = all.iter().map(|capture| &each[capture][..]).collect();
    assert!(replay(&all) == expected, "what several threads say comes out as one would say it");
}

#[test]
fn a_terminal_shows_how_far_it_has_come() {
    let (mut behind, terminal, _) = terminal();
    let mut child = Command::new(PROGRAM)
        .arg("replay")
        .args(captures(60))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(terminal))
        .spawn()
        .unwrap();
    let (mut shown, mut buffer) = (String::new(), [0; 1024]);
    // Reading fails after the terminal side is closed.
    while let Ok(count @ 1..) = behind.read(&mut buffer) {
        shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    assert!(child.wait().unwrap().success());
    assert!(shown.contains("\r1 of 60 captures") && shown.contains("\r60 of 60 captures"), "{shown:?}");
    assert!(shown.ends_with("\r\u{1b}[K"), "nothing of it is left: {shown:?}");
}
