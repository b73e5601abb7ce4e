//! Captures, logs, games and states, each on a disk of its own that is full for a while.

use super::*;

/// A daemon one of whose directories is a file system without room, which only the daemon sees.
struct FullDisk {
    hall: Hall,
    directory: std::path::PathBuf,
}

impl FullDisk {
    /// Starts it; `None` if nobody may mount anything here.
    fn start(socket: &Socket, part: &str) -> Option<Self> {
        let address = socket.port();
        let mut hall = Hall::new("");
        let pgn = hall.dir.path().join("pgn");
        hall.configure(&format!(
            "[event]\ncontrol = 'rapid'\n[ports]\nscan = []\n[[port]]\npath = '{address}'\n[pgn]\ndir = '{}'",
            pgn.display()
        ));
        let directory = hall.dir.path().join(part);
        fs::create_dir_all(&directory).unwrap();
        let place = directory.display();
        let mount = format!(
            "mount -t tmpfs -o size=4k none \"{place}\" && head -c 4096 /dev/zero > \"{place}/filler\""
        );
        let tried = Command::new("unshare").args(["-rm", "sh", "-c", &mount]).status();
        if !tried.is_ok_and(|status| status.success()) {
            println!("skipped: this machine lets nobody mount anything");
            return None;
        }
        let inside = format!(
            "exec unshare -rm sh -c '{mount} && exec \"$0\" run --config \"$1\"' \"$0\" \"$1\"; false"
        );
        hall.start_after(&inside, &[("WATCHDOG_USEC", "900000")]);
        Some(Self { hall, directory })
    }

    /// Makes room.
    fn enlarge(&self) {
        let place = self.directory.display();
        let process = self.hall.process().as_raw_nonzero().to_string();
        let enlarge = format!("rm \"{place}/filler\" && mount -o remount,size=32m \"{place}\"");
        let status = Command::new("nsenter")
            .args(["-t", &process, "-U", "-m", "--preserve-credentials", "sh", "-c", &enlarge])
            .status();
        assert!(status.unwrap().success(), "{enlarge}");
    }

    /// Copies what lies there to where everybody sees it; returns whether nothing was renamed or removed meanwhile.
    fn copy(&self) -> bool {
        let inside =
            format!("/proc/{}/root{}/.", self.hall.process().as_raw_nonzero(), self.directory.display());
        Command::new("cp").args(["-r", &inside]).arg(&self.directory).status().unwrap().success()
    }
}

/// Plays on a full disk and after it; `reported` is what the service says of it.
#[track_caller]
fn check(part: &str, reported: &str) {
    let socket = Socket::new();
    let Some(mut disk) = FullDisk::start(&socket, part) else { return };
    let mut board = plug_to(&mut disk.hall, &socket);
    for _ in 0..4 {
        board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x34, 1]);
    }
    board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1]);
    disk.hall.wait_status(&[reported]);
    disk.enlarge();
    let is_well = |disk: &FullDisk| {
        if !disk.copy() {
            return false;
        }
        let alerts = disk.hall.log("alerts.jsonl");
        let opened = alerts.lines().filter(|line| {
            line.contains("\"code\":\"service-degraded\"") && line.contains("\"state\":\"open\"")
        });
        let opened = opened.count();
        opened > 0 && opened == alerts.matches(CORRECTED).count() && lifts(&disk.hall) == 5
    };
    let what = fmt::from_fn(|f| write!(f, "all is well: {}", disk.hall.log("alerts.jsonl")));
    eventually(what, || is_well(&disk).then_some(()));
    // All is well by now, and was not yet when the last copy was made.
    eventually("a copy is whole", || disk.copy().then_some(()));
    let games = fs::read_to_string(disk.hall.dir.path().join("pgn/round-1/games.pgn")).unwrap();
    assert!(games.contains("1. e4"), "{games}");
    assert!(disk.hall.log("../state/boards.json").contains("23946"));
    assert_eq!(disk.hall.stop(), 0);
    check_whole(&disk.hall, 5);
}

#[test]
fn captures_on_a_full_disk_stop_nothing_and_are_complete_later() {
    check("state/captures", "captures: cannot write");
}

#[test]
fn logs_on_a_full_disk_stop_nothing_and_are_complete_later() {
    check("log", "logs: cannot write");
}

#[test]
fn games_on_a_full_disk_stop_nothing_and_are_complete_later() {
    check("pgn", "pgn: ");
}

#[test]
fn states_on_a_full_disk_stop_nothing_and_are_complete_later() {
    check("state", "boards: cannot write");
}
