use std::fs;

use super::*;

#[test]
fn appends_and_creates_directories() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b.log");
    AppendFile::new(path.clone(), 10).append(b"one\n");
    AppendFile::new(path.clone(), 10).append(b"two\n");
    assert_eq!(fs::read_to_string(path).unwrap(), "one\ntwo\n");
}

#[test]
fn keeps_lines_in_memory_and_counts_what_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let obstacle = dir.path().join("a");
    fs::write(&obstacle, "no directory").unwrap();
    let mut file = AppendFile::new(obstacle.join("b.log"), 8);
    for line in ["one\n", "two\n", "three\n", "4\n"] {
        file.append(line.as_bytes());
    }
    assert!(file.failed());
    assert_eq!(file.retry(), 0);
    fs::remove_file(&obstacle).unwrap();
    assert_eq!(file.retry(), 2);
    file.append(b"five\n");
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "one\ntwo\nfive\n");
    assert!(!file.failed());
}

#[test]
fn a_full_disk_is_a_failure() {
    let mut file = AppendFile::new(PathBuf::from("/dev/full"), 100);
    file.append(b"one\n");
    assert!(file.failed());
    assert_eq!(file.retry(), 0);
    assert!(file.failed());
}

#[test]
fn a_file_that_was_moved_away_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.log");
    let mut file = AppendFile::new(path.clone(), 100);
    file.append(b"one\n");
    fs::rename(&path, dir.path().join("a.log.1")).unwrap();
    file.reopen();
    file.append(b"two\n");
    assert_eq!(fs::read_to_string(path).unwrap(), "two\n");
}

#[test]
fn half_a_line_at_the_end_is_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.log");
    let long = "x".repeat(10_000);
    for (before, after) in [
        (format!("one\n{long}"), "one\n".to_owned()),
        (long.clone(), String::new()),
        (format!("{long}\n"), format!("{long}\n")),
    ] {
        fs::write(&path, before).unwrap();
        AppendFile::new(path.clone(), 100).append(b"two\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), after + "two\n");
    }
}

#[test]
fn lines_that_wait_are_counted_one_by_one() {
    let mut file = AppendFile::new(PathBuf::from("/dev/full"), 8);
    file.append(b"one\ntwo\nthree\nfour\n");
    assert!(file.failed());
    assert_eq!((file.waiting.as_slice(), file.lost), (b"one\ntwo\n".as_slice(), 2));
}

#[test]
fn a_file_that_lost_its_name_is_put_back_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("captures/a.log");
    let mut file = AppendFile::new(path.clone(), 100);
    assert_eq!(file.put_back().unwrap(), Found::Whole, "nothing is written yet");
    let mut reported = String::new();
    let mut take_away = |what: &str, take: &dyn Fn()| {
        let line = format!("before {what}\n");
        reported.push_str(&line);
        file.append(line.as_bytes());
        assert_eq!(file.put_back().unwrap(), Found::Whole);
        take();
        assert_eq!(file.put_back().unwrap(), Found::PutBack, "{what}");
        assert_eq!(fs::read_to_string(&path).unwrap(), reported, "{what}");
    };
    take_away("it is removed", &|| fs::remove_file(&path).unwrap());
    take_away("its directory is removed", &|| fs::remove_dir_all(path.parent().unwrap()).unwrap());
    take_away("it is moved", &|| fs::rename(&path, dir.path().join("elsewhere")).unwrap());
    take_away("another file has its name", &|| {
        fs::remove_file(&path).unwrap();
        fs::write(&path, "other\n").unwrap();
    });
    assert_eq!(fs::read_to_string(dir.path().join("captures/a.log.damaged")).unwrap(), "other\n");
    take_away("a link has its name", &|| {
        fs::rename(&path, dir.path().join("captures/b")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("captures/b"), &path).unwrap();
    });
    take_away("a directory has its name", &|| {
        fs::remove_file(&path).unwrap();
        fs::remove_file(dir.path().join("captures/a.log.damaged")).unwrap();
        fs::create_dir(&path).unwrap();
    });
    take_away("nothing more", &|| fs::remove_file(&path).unwrap());
}

#[test]
fn only_a_file_nobody_can_find_is_put_back_after_rotation() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log/events.jsonl");
    let mut file = AppendFile::new(path.clone(), 100);
    assert_eq!(file.put_back_removed().unwrap(), Found::Whole, "nothing is written yet");
    file.append(b"one\n");
    assert_eq!(file.put_back_removed().unwrap(), Found::Whole);
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    file.append(b"two\n");
    assert_eq!(file.put_back_removed().unwrap(), Found::PutBack);
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    let rotated = path.with_extension("jsonl.1");
    fs::rename(&path, &rotated).unwrap();
    file.append(b"three\n");
    assert_eq!(file.put_back_removed().unwrap(), Found::Whole);
    assert_eq!(fs::read_to_string(&rotated).unwrap(), "one\ntwo\nthree\n");
    assert!(!path.exists(), "a reload opens it");
}

#[test]
fn a_file_that_others_have_cut_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.log");
    fs::write(&path, "before\n").unwrap();
    let mut file = AppendFile::new(path.clone(), 100);
    for length in [0, 3, 9] {
        file.append(b"one\ntwo\n");
        assert_eq!(file.put_back().unwrap(), Found::Whole, "{length}");
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
        file.append(b"six\n");
        assert_eq!(file.put_back().unwrap(), Found::Cut, "{length}");
        file.rewrite(|text| [b"head\n", text].concat()).unwrap();
        assert_eq!(file.put_back().unwrap(), Found::Whole, "{length}");
        assert!(fs::read_to_string(&path).unwrap().starts_with("head\n"));
    }
    file.append(b"end\n");
    // What somebody else adds is no cut.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"# a remark\n").unwrap();
    file.append(b"end\n");
    assert_eq!(file.put_back().unwrap(), Found::Whole);
    // One's own cutting neither.
    fs::write(&path, "short\n").unwrap();
    file.reopen();
    file.append(b"end\n");
    assert_eq!(file.put_back().unwrap(), Found::Whole);
}
