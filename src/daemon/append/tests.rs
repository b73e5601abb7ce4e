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
