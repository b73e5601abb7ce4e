//! `jadoube replay` over more captures than there are cores.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{Read as _, Write as _},
    path::PathBuf,
    process::{Command, Stdio},
};

use flate2::{Compression, write::GzEncoder};

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

/// Packs this as `tar` does.
fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len().try_into().unwrap());
        archive.append_data(&mut header, name, *bytes).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

#[test]
fn a_capture_that_cannot_be_read_costs_itself_only() {
    let dir = tempfile::tempdir().unwrap();
    let [good, ..] = &captures(1)[..] else { unreachable!() };
    let text = fs::read(good).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let file = dir.path().join(name);
        fs::write(&file, bytes).unwrap();
        file.display().to_string()
    };
    let head = b"# dgt-capture 1\n";
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(&text).unwrap();
    let alone = packed(&[("b/captures/one.dgtcap", text.as_slice())]);
    // Nothing that gzip makes shorter.
    let noise = std::iter::successors(Some(1_u64), |n| {
        Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1))
    });
    let noise: Vec<u8> = noise.take(4096).map(|n| n.to_be_bytes()[0]).collect();
    let two =
        packed(&[("b/captures/one.dgtcap", text.as_slice()), ("b/captures/two.dgtcap", noise.as_slice())]);
    let expected = replay(std::slice::from_ref(good));
    for (name, bytes, reported, before) in [
        ("alone.dgtcap.gz", compressed.finish().unwrap().as_slice(), "gunzip -c ", ""),
        ("cut.tar.gz", &alone[..alone.len() / 2], "is no bundle of 'jadoube bundle', or not all of it", ""),
        (
            "cut-later.tar.gz",
            &two[..two.len() - 2000],
            "is no bundle of 'jadoube bundle', or not all of it",
            &expected,
        ),
        ("empty.tar.gz", &packed(&[]), "there is no capture in it", ""),
        (
            "escape.dgtcap",
            &[head.as_slice(), b"0.1 \x1b[2J 8e\n"].concat(),
            ":2: kind '?[2J': expected one of",
            "",
        ),
        (
            "late.dgtcap",
            &[head.as_slice(), b"99999999999.0 < 8e\n"].concat(),
            ":2: time '99999999999.0': more than a year",
            "",
        ),
    ] {
        let bad = write(name, bytes);
        let args = ["replay", "--format", "jsonl", "--control", "blitz", good.as_str(), &bad, good.as_str()];
        let (status, stdout, stderr) = run(&args, "");
        assert_eq!(status, 65, "{stderr}");
        assert!(stdout == [expected.as_str(), before, expected.as_str()].concat(), "{name}");
        assert!(stderr.contains(&bad) && stderr.contains(reported), "{stderr}");
    }
    // An editor has put a mark before the text.
    let marked = write("marked.dgtcap", &[b"\xef\xbb\xbf".as_slice(), &text].concat());
    assert_eq!(replay(&[marked]), expected);
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
