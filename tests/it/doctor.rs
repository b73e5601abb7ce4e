//! `jadoube doctor` against made faults: each is found, and each finding says what to do.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use rustix::process::geteuid;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Emulator, Hall, PROGRAM, Reserved, Socket, Terminal, eventually, run};

/// A machine where nothing is wrong, but for what a test does to it.
struct Machine {
    dir: TempDir,
    /// How long lines are listened to, seconds.
    seconds: u32,
}

impl Machine {
    fn new(config: &str) -> Self {
        let machine = Self { dir: tempfile::tempdir().unwrap(), seconds: 8 };
        machine.write("root/run/systemd/timesync/synchronized", "");
        machine.write("root/usr/lib/udev/rules.d/70-jadoube.rules", "");
        machine.write("root/proc/1/comm", "systemd\n");
        let path = |name: &str| machine.path(name).display().to_string();
        let directories = format!("state_dir = '{}'\nlog_dir = '{}'\n", path("state"), path("log"));
        machine.write("j.toml", &format!("{directories}{config}"));
        machine
    }

    /// The same, for a board that answers: on a busy machine it may take its time.
    fn with_board(config: &str) -> Self {
        Self { seconds: 20, ..Self::new(config) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs the command; returns exit status, and every finding as a line.
    fn doctor(&self) -> (i32, Vec<String>) {
        let (config, root) = (self.path("j.toml"), self.path("root"));
        let (status, stdout, stderr) = run(
            &[
                "doctor",
                "--json",
                "--seconds",
                &self.seconds.to_string(),
                "--config",
                config.to_str().unwrap(),
                "--root",
                root.to_str().unwrap(),
            ],
            "",
        );
        assert_eq!(stderr.lines().count(), usize::from(status != 0), "{stderr}");
        (status, stdout.lines().map(line_of).collect())
    }

    #[track_caller]
    fn check(&self, status: i32, expected: &str) {
        let (found, lines) = self.doctor();
        assert!(
            lines.iter().any(|line| line.contains(expected)),
            "{expected} is not in:\n{}",
            lines.join("\n")
        );
        assert_eq!(found, status, "{}", lines.join("\n"));
    }
}

/// Folds a finding into a line; what is wrong has to say what to do.
fn line_of(json: &str) -> String {
    let finding: Value = serde_json::from_str(json).unwrap();
    let text = |key: &str| finding[key].as_str().unwrap().to_owned();
    let is_wrong = matches!(&*text("level"), "warning" | "fault");
    assert!(!is_wrong || text("check") == "config" || !text("remedy").is_empty(), "{json}");
    format!("{} {} {}: {} -> {}", text("level"), text("check"), text("subject"), text("text"), text("remedy"))
}

fn config(port: &str) -> String {
    format!("[ports]\nscan = []\n[[port]]\npath = '{port}'\n")
}

#[test]
fn a_board_that_plays_is_well() {
    let emulator = Emulator::start(1, &["--tcp", "127.0.0.1:0", "--handling", "plain"]);
    let (serial, address) = &emulator.boards[0];
    let machine = Machine::with_board(&config(address));
    let (status, lines) = machine.doctor();
    assert_eq!(status, 0, "{}", lines.join("\n"));
    for expected in [
        format!("ok board {serial}: answers on {address}: firmware "),
        format!("ok clock {serial}: is connected"),
        format!("ok line {address}: "),
        "ok time : the time is synchronised".to_owned(),
        "note daemon : is not running".to_owned(),
    ] {
        assert!(lines.iter().any(|line| line.contains(&expected)), "{expected}\n{}", lines.join("\n"));
    }
}

#[test]
fn a_wrong_key_is_a_fault_of_the_configuration() {
    let machine = Machine::new("[event]\ncontrl = 'rapid'\n");
    assert!(machine.doctor().1[0].contains("did you mean 'control'?"));
}

#[test]
fn programs_that_take_ports_away_are_named() {
    let machine = Machine::new(&config("/nowhere/ttyACM0"));
    machine.write("root/proc/77/comm", "brltty\n");
    machine.write("root/proc/78/comm", "ModemManager\n");
    machine.check(69, "fault brltty : takes FTDI adapters");
    assert!(!machine.doctor().1.iter().any(|line| line.contains("modemmanager")), "the rules keep it away");
    fs::remove_file(machine.path("root/usr/lib/udev/rules.d/70-jadoube.rules")).unwrap();
    machine.check(69, "fault modemmanager : probes new ports");
    machine.check(69, "warning udev : the rules for boards are missing");
}

#[test]
fn an_adapter_without_a_driver_is_named() {
    let machine = Machine::new(&config("/nowhere/ttyUSB0"));
    let adapter = "root/sys/bus/usb/devices/1-2";
    machine.write(&format!("{adapter}/idVendor"), "0403\n");
    machine.write(&format!("{adapter}/idProduct"), "6001\n");
    machine.check(
        69,
        "fault driver 1-2: adapter 0403:6001 is plugged in, and no driver serves it -> modprobe ftdi_sio",
    );
    fs::create_dir_all(machine.path(&format!("{adapter}/1-2:1.0/ttyUSB0"))).unwrap();
    assert!(!machine.doctor().1.iter().any(|line| line.contains("driver")));
}

#[test]
fn a_missing_device_and_an_empty_machine_are_named() {
    Machine::new(&config("/nowhere/ttyACM0"))
        .check(69, "fault port /nowhere/ttyACM0: there is no such device");
    Machine::new("[ports]\nscan = ['/nowhere/tty*']\n")
        .check(69, "fault port /nowhere/tty*: no port was found");
}

#[test]
fn who_holds_a_port_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let name = dir.path().join("ttyACM0");
    let _terminal = Terminal::new(&name);
    let machine = Machine::new(&config(name.to_str().unwrap()));
    machine.write("root/proc/4711/comm", "LiveChess\n");
    fs::create_dir_all(machine.path("root/proc/4711/fd")).unwrap();
    symlink(fs::canonicalize(&name).unwrap(), machine.path("root/proc/4711/fd/5")).unwrap();
    machine.check(
        69,
        "is held by LiveChess (process 4711) -> a port has one reader: stop it, as with kill 4711",
    );
}

#[test]
fn a_silent_port_has_no_board() {
    let dir = tempfile::tempdir().unwrap();
    let name = dir.path().join("ttyACM0");
    let _terminal = Terminal::new(&name);
    Machine::new(&config(name.to_str().unwrap())).check(69, "ttyACM0: no board answers");
}

#[test]
fn a_bad_line_is_measured() {
    let board = Socket::new();
    let machine = Machine::with_board(&config(&board.port()));
    let noise = thread::spawn(move || {
        let mut plugged = board.plug();
        plugged.wait_command(0x4d);
        plugged.say_serial("23946");
        plugged.send(&[0x11; 300]);
        plugged.wait_end();
    });
    machine.check(69, "300 of them damaged -> use another cable");
    noise.join().unwrap();
}

#[test]
fn a_board_without_a_clock_is_a_warning() {
    let board = Socket::new();
    let machine = Machine::with_board(&config(&board.port()));
    let plugged = thread::spawn(move || {
        let mut plugged = board.plug();
        plugged.wait_command(0x4d);
        plugged.say_serial("23946");
        plugged.wait_end();
    });
    machine.check(0, "warning clock 23946: the board has no clock");
    plugged.join().unwrap();
}

#[test]
fn a_silent_broker_and_a_silent_address_are_named() {
    let reserved = Reserved::new();
    let free = reserved.address;
    let more =
        format!("[mqtt]\nurl = 'mqtt://{free}'\n[http]\nlisten = '{free}'\ntoken_file = '/dev/null'\n");
    let machine = Machine::new(&format!("{}{more}", config("/nowhere/x")));
    machine.check(69, &format!("fault broker mqtt://{free}: cannot be reached"));
    machine.check(69, &format!("note phone {free}: only this machine reaches the desk"));
}

#[test]
fn a_time_that_nobody_sets_is_a_warning() {
    let machine = Machine::new(&config("/nowhere/x"));
    fs::remove_file(machine.path("root/run/systemd/timesync/synchronized")).unwrap();
    machine.check(69, "warning time : nothing synchronises the time");
    machine.write("root/proc/9/comm", "chronyd\n");
    assert!(machine.doctor().1.iter().any(|line| line.starts_with("ok time")));
}

#[test]
fn a_directory_that_is_none_is_named() {
    let machine = Machine::new(&config("/nowhere/x"));
    machine.write("state", "a file");
    machine.check(69, "state is no directory -> remove it, or set state_dir");
}

#[test]
fn the_certificate_of_the_desk_is_looked_at() {
    let machine = Machine::new("");
    let tls = machine.path("tls").display().to_string();
    let keys = format!("certificate = '{tls}/desk.pem'\nkey = '{tls}/desk.key'\nlisten = '127.0.0.1:0'\n");
    let config = |url: &str| {
        let state = machine.path("state").display().to_string();
        machine
            .write("j.toml", &format!("state_dir = '{state}'\nlog_dir = '{state}'\n[http]\n{keys}{url}\n"));
    };
    config("");
    let file = machine.path("j.toml");
    let (status, said, error) = run(&["certificate", "--dir", &tls, "--config", file.to_str().unwrap()], "");
    assert_eq!(status, 0, "{said}{error}");
    // No board is plugged in, which is a fault, too.
    machine.check(69, &format!("ok certificate {tls}/desk.pem: counts for more than 30 days"));
    config("url = 'https://other.example'");
    machine.check(
        69,
        "desk.pem: is not for other.example, which http.url names -> 'jadoube certificate --name NAME'",
    );
}

#[test]
fn a_device_that_this_user_may_not_open_is_named() {
    let machine = Machine::new("");
    let device = machine.path("ttyACM0");
    fs::write(&device, "").unwrap();
    fs::set_permissions(&device, fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(machine.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // Nobody may come to where the program was built.
    let program = machine.path("jadoube");
    if fs::hard_link(PROGRAM, &program).is_err() {
        fs::copy(PROGRAM, &program).unwrap();
    }
    let setting = format!("ports.scan=[\"{}\"]", device.display());
    let found = as_nobody(&program, &["doctor", "--json", "--seconds", "1", "--set", &setting]);
    assert!(
        found.contains("cannot be opened: Permission denied") && found.contains("usermod -aG dialout"),
        "{found}"
    );
}

/// Runs a program without rights.
fn as_nobody(program: &Path, args: &[&str]) -> String {
    let mut command = Command::new(program);
    if geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    String::from_utf8(command.args(args).current_dir("/").output().unwrap().stdout).unwrap()
}

#[test]
fn a_running_daemon_is_asked_and_not_disturbed() {
    let emulator = Emulator::start(2, &["--tcp", "127.0.0.1:0", "--handling", "plain"]);
    let ports: Vec<String> =
        emulator.boards.iter().map(|(_, at)| format!("[[port]]\npath = '{at}'\n")).collect();
    let mut hall = Hall::new(&format!("[ports]\nscan = []\n{}", ports.concat()));
    hall.start();
    hall.wait_status(&["2 boards"]);
    let config = hall.dir.path().join("jadoube.toml");
    let known = || {
        let (_, found, _) = run(&["doctor", "--json", "--config", config.to_str().unwrap()], "");
        let lines: Vec<String> = found.lines().map(line_of).collect();
        assert!(lines.iter().any(|line| line == "ok daemon : is running -> "), "{found}");
        emulator.boards.iter().all(|(serial, at)| {
            let board = format!("ok board {serial}: answers on {at}: firmware ");
            lines.iter().any(|line| line.starts_with(&board))
        })
    };
    // The states are written once a second.
    eventually("the daemon's boards are known", || known().then_some(()));
    assert!(!hall.log("events.jsonl").contains("\"down\""), "no link was touched");
    assert_eq!(hall.stop(), 0);
}
