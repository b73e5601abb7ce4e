use std::{fs, path::PathBuf};

use super::*;
use crate::config::Config;

struct Log {
    dir: tempfile::TempDir,
    list: AuditList,
    health: Health,
}

impl Log {
    fn new() -> Self {
        let health = Health::default();
        Self { dir: tempfile::tempdir().unwrap(), list: AuditList::new(&health), health }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("log")
    }

    fn place(&self) -> Place {
        let state_dir = self.dir.path().join("state");
        Place::of(&Config { log_dir: self.path(), state_dir, ..Config::default() })
    }

    /// Begins anew, as a process after another.
    fn restart(&mut self) {
        self.list = AuditList::new(&self.health);
        self.list.start(&self.place());
    }

    fn add(&self, number: u32) -> Option<String> {
        self.list.with(&self.place(), |list| list.add(format!("{{\"m\":{number}}}")))
    }

    fn numbers(&self) -> Vec<Value> {
        read(&self.path()).unwrap().iter().map(|line| line["m"].clone()).collect()
    }

    fn verdict(&self) -> Verdict {
        let mut verdict = Verdict::of_directory(Head::read(&self.place()), true);
        for file in ["audit.jsonl.1", NAME] {
            let text = fs::read_to_string(self.path().join(file)).unwrap_or_default();
            verdict.read(file, &text);
        }
        verdict.end();
        verdict
    }
}

#[test]
fn what_was_written_is_read_and_follows_what_was_before() {
    let log = Log::new();
    let file = log.path().join(NAME);
    log.add(1).unwrap();
    let torn = fs::read_to_string(&file).unwrap() + "{\"m\":";
    fs::write(&file, torn).unwrap();
    log.add(2).unwrap();
    assert_eq!(log.numbers(), [1, 2]);
    // As logrotate does it.
    fs::rename(&file, log.path().join("audit.jsonl.1")).unwrap();
    let last = log.add(3);
    assert_eq!(log.numbers(), [3]);
    let verdict = log.verdict();
    assert_eq!((verdict.sound, verdict.wrong.len(), verdict.last), (3, 0, last));
}

#[test]
fn older_entries_are_sealed_and_an_emptied_file_is_noticed() {
    let log = Log::new();
    let file = log.path().join(NAME);
    fs::create_dir(log.path()).unwrap();
    fs::write(&file, "{\"m\":1}\n{\"m\":2}\n").unwrap();
    log.add(3).unwrap();
    assert!(log.verdict().wrong.is_empty(), "{:?}", log.verdict());
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("{\"m\":1}", "{\"m\":9}")).unwrap();
    assert_eq!(log.verdict().wrong, ["audit.jsonl:3: what is before it was changed, put in or taken out"]);
    fs::write(&file, "").unwrap();
    assert!(log.verdict().wrong[0].contains("is not there"));
    log.add(4).unwrap();
    assert!(log.verdict().wrong[0].contains("entries before it had been taken out"), "{:?}", log.verdict());
}

#[test]
fn what_the_disk_does_not_take_follows_later() {
    let log = Log::new();
    log.add(1).unwrap();
    // Nothing can be written where the file is a directory.
    let file = log.path().join(NAME);
    let whole = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!((log.add(2), log.add(3)), (None, None));
    assert!(log.health.degraded()[PART].contains("2 entries wait"), "{:?}", log.health);
    fs::remove_dir(&file).unwrap();
    fs::write(&file, whole).unwrap();
    log.list.retry();
    assert_eq!(log.numbers(), [1, 2, 3]);
    assert!(log.health.degraded().is_empty() && log.verdict().wrong.is_empty());
}

#[test]
fn an_order_that_was_begun_is_in_the_list_after_a_kill() {
    let mut log = Log::new();
    let entry = |number: u32| format!("{{\"m\":{number},\"given\":\"{number}\",\"board\":\"1\"}}");
    let begin = |log: &Log, number| log.list.with(&log.place(), |list| list.begin(entry(number)));
    let (first, _second) = (begin(&log, 1), begin(&log, 2));
    log.list.with(&log.place(), |list| list.finish(first, entry(1))).unwrap();
    log.restart();
    assert_eq!(log.numbers(), [1, 2]);
    assert_eq!(read(&log.path()).unwrap()[1]["interrupted"], true);
    log.restart();
    assert_eq!(log.numbers(), [1, 2], "once");
    // Killed between the entry and the note that it is there.
    let pending = log.path().join("audit.pending");
    let third = begin(&log, 3);
    let noted = fs::read(&pending).unwrap();
    log.list.with(&log.place(), |list| list.finish(third, entry(3))).unwrap();
    assert!(fs::read(&pending).unwrap().is_empty());
    fs::write(&pending, noted).unwrap();
    log.restart();
    assert_eq!(log.numbers(), [1, 2, 3]);
    // Whoever has asked is gone.
    drop(PendingOrder { all: log.list.clone(), number: Some(begin(&log, 4)) });
    log.list.retry();
    assert_eq!(log.numbers(), [1, 2, 3, 4]);
}

/// What befalls the bytes of a file.
type Damage = fn(&[u8]) -> Vec<u8>;

#[test]
fn damaged_files_beside_the_list_cost_none_of_its_entries() {
    let kinds: [Damage; 5] = [
        |_| Vec::new(),
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |bytes| vec![0; bytes.len()],
        |bytes| bytes.iter().map(|byte| byte ^ 0xa5).collect(),
        |bytes| [bytes, b"}\x1b[2J"].concat(),
    ];
    let mut log = Log::new();
    for (number, damage) in (1..).zip(kinds) {
        log.add(number).unwrap();
        log.list.with(&log.place(), |list| list.begin("{\"m\":100}".to_owned()));
        for name in ["log/audit.head", "log/audit.pending", "state/audit.last"] {
            let file = log.dir.path().join(name);
            let bytes = damage(&fs::read(&file).unwrap());
            fs::write(&file, bytes).unwrap();
        }
        log.restart();
    }
    log.add(6).unwrap();
    let all = log.numbers();
    assert!((1..=6).all(|number| all.contains(&Value::from(number))), "{all:?}");
    assert_eq!(all.last(), Some(&Value::from(6)));
    // That the list may have been cut is said of each time, and nothing else.
    let wrong = log.verdict().wrong;
    assert!(wrong.len() >= 4 && wrong.iter().all(|wrong| wrong.contains("audit.head")), "{wrong:?}");
}

#[test]
fn a_daemon_notices_whatever_is_taken_from_its_list() {
    const FILES: [&str; 3] = ["log/audit.jsonl", "log/audit.head", "state/audit.last"];
    for taken in 1..8 {
        for is_kept_running in [true, false] {
            let mut log = Log::new();
            (1..=3).for_each(|number| drop(log.add(number)));
            assert!(log.verdict().wrong.is_empty());
            let taken: Vec<&str> =
                (0..3).filter(|file| taken >> file & 1 == 1).map(|file| FILES[file]).collect();
            for file in &taken {
                fs::remove_file(log.dir.path().join(file)).unwrap();
            }
            let has_list = !taken.contains(&FILES[0]);
            // Either of the two that name the last entry says enough.
            let has_head = FILES[1..].iter().any(|file| !taken.contains(file));
            let is_whole = has_list && has_head;
            let is_unknown = !has_list && !has_head;
            assert_eq!(log.verdict().wrong.is_empty(), is_whole || is_unknown, "{taken:?}");
            if !is_kept_running {
                log.restart();
            }
            log.add(4).unwrap();
            let is_unknown = is_unknown && !is_kept_running;
            assert_eq!(log.verdict().wrong.is_empty(), is_whole || is_unknown, "{taken:?} {is_kept_running}");
        }
    }
}

#[test]
fn another_directory_has_another_list() {
    let log = Log::new();
    log.add(1).unwrap();
    let elsewhere = Config {
        log_dir: log.dir.path().join("elsewhere"),
        state_dir: log.dir.path().join("state"),
        ..Config::default()
    };
    let place = Place::of(&elsewhere);
    assert_eq!(Head::read(&place), None);
    log.list.with(&place, |list| list.add("{\"m\":2}".to_owned())).unwrap();
    let entries = read(&elsewhere.log_dir).unwrap();
    assert_eq!((entries.len(), entries[0].get("gap")), (1, None));
}

#[test]
fn what_an_earlier_process_has_left_is_a_claim() {
    let mut log = Log::new();
    log.add(1).unwrap();
    let forged =
        json!({ "n": 1, "entry": "{\"arbiter\":\"Chief\",\"given\":\"1\",\"board\":\"1\",\"hash\":\"0\"}" });
    let unreadable = json!({ "n": 2, "entry": "no JSON" });
    fs::write(log.path().join("audit.pending"), format!("{forged}\n{unreadable}\n")).unwrap();
    log.restart();
    let entries = read(&log.path()).unwrap();
    assert_eq!(entries.len(), 3);
    for entry in &entries[1..] {
        assert_eq!((&entry["claimed"], &entry["interrupted"]), (&json!(true), &json!(true)));
    }
    assert_eq!((&entries[1]["arbiter"], &entries[2]["order"]["text"]), (&json!("Chief"), &json!("no JSON")));
    assert!(log.verdict().wrong.is_empty(), "{:?}", log.verdict());
}

#[test]
fn what_is_done_at_the_machine_is_listed_beside_a_daemon() {
    let log = Log::new();
    let (path, place) = (log.path(), log.place());
    log.add(0).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| (1..20).for_each(|number| drop(log.add(number))));
        scope.spawn(|| {
            (0..20).for_each(|_| note_local(&place, "account-made", json!({ "name": "A" }), None).unwrap());
        });
    });
    let verdict = log.verdict();
    assert!(verdict.wrong.is_empty() && verdict.sound == 40, "{verdict:?}");
    let entries = read(&path).unwrap();
    let made = entries.iter().find(|entry| entry["order"]["order"] == "account-made").unwrap();
    assert_eq!((&made["order"]["name"], &made["order"]["by"]), (&json!("A"), &json!("command line")));
    assert_eq!(made["address"], Value::Null);
}
