//! `jadoube run` as an ordinary user: state in the home, and the boards on a page, without any configuration.

use std::{
    fmt, fs,
    io::{BufRead, BufReader},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::support::{PROGRAM, eventually};

/// Makes a home that everybody may write to, with the program in it: nobody may come to where it was built.
fn home() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let program = dir.path().join("jadoube");
    if fs::hard_link(PROGRAM, &program).is_err() {
        fs::copy(PROGRAM, &program).unwrap();
    }
    (dir, program)
}

/// Holds port 8080, which a daemon without any configuration takes, against other runs of this test on the machine.
fn hold_usual_port() -> fs::File {
    let place = std::env::temp_dir().join("jadoube-test-8080.lock");
    let lock = fs::OpenOptions::new().read(true).append(true).create(true).open(&place);
    // Another user's run may have made it.
    let lock = lock.or_else(|_| fs::File::open(&place)).unwrap();
    lock.lock().unwrap();
    lock
}

fn as_user(program: &Path, home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    if geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    command.args(args).env("HOME", home).env_remove("XDG_STATE_HOME").env_remove("XDG_CONFIG_HOME");
    command.env_remove("JOURNAL_STREAM").env_remove("NOTIFY_SOCKET").current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn an_ordinary_user_keeps_state_at_home() {
    // On a machine with the service everything is where the service has it.
    if Path::new("/var/lib/jadoube").exists() || Path::new("/etc/jadoube/jadoube.toml").exists() {
        return;
    }
    let _port = hold_usual_port();
    let (dir, program) = home();
    let state = dir.path().join(".local/state/jadoube");
    // Before the first start, what is looked at is where it will be.
    let doctor = as_user(&program, dir.path(), &["doctor", "--seconds", "1"]).output().unwrap();
    let found = String::from_utf8(doctor.stdout).unwrap();
    assert!(found.contains(&format!("disk {}: ", state.display())) && !found.contains("/var/"), "{found}");
    // In front of a desktop, its browser opens the page.
    let (tools, opened) = (dir.path().join("tools"), dir.path().join("opened"));
    fs::create_dir(&tools).unwrap();
    let script = format!("#!/bin/sh\necho \"$1\" >{0}.new && mv {0}.new {0}\n", opened.display());
    fs::write(tools.join("xdg-open"), script).unwrap();
    fs::set_permissions(tools.join("xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let mut command = as_user(&program, dir.path(), &["run"]);
    let mut daemon =
        command.env("PATH", path).env("DISPLAY", ":9").env_remove("INVOCATION_ID").spawn().unwrap();
    let lines = BufReader::new(daemon.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut reported = Vec::new();
    for line in lines {
        reported.push(line);
        if reported.iter().any(|line| line.contains("shown live at http://127.0.0.1:8080/")) {
            break;
        }
    }
    let what = fmt::from_fn(|f| write!(f, "the daemon starts: {reported:?}"));
    eventually(what, || (state.join("lock").exists() && opened.exists()).then_some(()));
    assert!(
        reported.iter().any(|line| line.contains(&format!("state and logs are in {}", state.display()))),
        "{reported:?}"
    );
    assert_eq!(fs::metadata(state.join("token")).unwrap().permissions().mode() & 0o777, 0o600 | 0o040);
    assert_eq!(fs::read_to_string(&opened).unwrap(), "http://127.0.0.1:8080/#/live\n");
    let boards = as_user(&program, dir.path(), &["boards"]).output().unwrap();
    assert!(boards.status.success(), "{}", String::from_utf8_lossy(&boards.stderr));
    kill_process(Pid::from_child(&daemon), Signal::TERM).unwrap();
    assert!(daemon.wait().unwrap().success());
}

#[test]
fn a_configuration_at_home_is_read() {
    let (dir, program) = home();
    let file = dir.path().join(".config/jadoube/jadoube.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "[event]\ncontrl = 'rapid'\n").unwrap();
    let boards = as_user(&program, dir.path(), &["boards"]).output().unwrap();
    let said = String::from_utf8(boards.stderr).unwrap();
    assert_eq!(boards.status.code(), Some(78), "{said}");
    for command in
        [&["check"][..], &["doctor", "--seconds", "1"], &["bundle", "--seconds", "0", "-o", "/dev/null"]]
    {
        let output = as_user(&program, dir.path(), command).output().unwrap();
        let all = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(all.contains(&file.display().to_string()), "{command:?}: {all}");
    }
    assert!(said.contains(&file.display().to_string()) && said.contains("did you mean 'control'?"), "{said}");
}
