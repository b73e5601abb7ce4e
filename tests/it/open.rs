//! `jadoube open`: the desk is opened to the hall and closed again, and `jadoube check --network` says what a phone meets.

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::support::run;

const CONFIG: &str = "# of the hall\n[event]\nname = 'Open'\n[http]\n#listen = \"127.0.0.1:8080\"\n# where phones find it\n\
    token_file = '/dev/null'\n";

#[test]
fn the_desk_is_opened_to_the_hall_and_closed_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let config = path("jadoube.toml");
    fs::write(&config, CONFIG).unwrap();
    fs::set_permissions(&config, fs::Permissions::from_mode(0o640)).unwrap();
    for unit in ["jadoube.service", "jadoube-http.socket"] {
        let place = path("usr/lib/systemd/system");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(unit), "").unwrap();
    }
    let (named, root) = (config.to_str().unwrap(), dir.path().to_str().unwrap());
    let open = |more: &[&str]| {
        let (code, said, error) = run(&[&["open", "--config", named, "--root", root], more].concat(), "");
        assert_eq!((code, error.as_str()), (0, ""), "{said}");
        said
    };
    let said = open(&[]);
    assert!(said.contains("http.listen is 0.0.0.0:8080 now"), "{said}");
    assert!(
        said.contains("The desk is open to the hall: http://") || said.contains("in no network"),
        "{said}"
    );
    let opened = CONFIG.replace("#listen = \"127.0.0.1:8080\"", "listen = \"0.0.0.0:8080\"");
    assert_eq!(fs::read_to_string(&config).unwrap(), opened);
    assert_eq!(fs::metadata(&config).unwrap().permissions().mode() & 0o777, 0o640);
    let filter = path("etc/systemd/system/jadoube.service.d/hall.conf");
    let socket = path("etc/systemd/system/jadoube-http.socket.d/hall.conf");
    let let_in = fs::read_to_string(&filter).unwrap();
    assert!(
        let_in.contains("[Service]\nIPAddressAllow=10.0.0.0/8 ")
            && let_in.contains(" 224.0.0.251 ff02::fb\n"),
        "{let_in}"
    );
    assert!(fs::read_to_string(&socket).unwrap().contains("ListenStream=\nListenStream=0.0.0.0:8080\n"));
    let again = open(&[]);
    assert!(
        !again.contains("listen is") && !again.contains("lets the hall"),
        "nothing is left to do: {again}"
    );

    let said = open(&["--close"]);
    assert!(said.contains("Only this machine reaches the desk"), "{said}");
    let closed = CONFIG.replace("#listen", "listen");
    assert_eq!(fs::read_to_string(&config).unwrap(), closed);
    assert!(!filter.exists() && !socket.exists());
    let (code, said, _) = run(&["check", "--network", "--config", named], "");
    assert!(code == 0 && said.contains("127.0.0.1:8080: only this machine reaches the desk"), "{said}");
    assert!(said.contains("'jadoube open' opens it"), "{said}");
}

#[test]
fn a_configuration_that_cannot_be_changed_line_by_line_stays() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("jadoube.toml");
    let text = "http = { listen = \"127.0.0.1:8080\" }\n";
    fs::write(&config, text).unwrap();
    let root = dir.path().to_str().unwrap();
    let (code, _, error) = run(&["open", "--config", config.to_str().unwrap(), "--root", root], "");
    assert!(code == 78 && error.contains("write listen = \"0.0.0.0:8080\" below [http] yourself"), "{error}");
    assert_eq!(fs::read_to_string(&config).unwrap(), text);
}

#[test]
fn what_a_phone_meets_is_reported_by_the_check() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("jadoube.toml");
    let text = "[http]\nlisten = '127.0.0.1:8080'\nurl = 'http://127.0.0.1:9'\ntoken_file = '/dev/null'\n";
    fs::write(&config, format!("state_dir = '{}'\n{text}", dir.path().join("state").display())).unwrap();
    let (_, said, _) = run(&["check", "--network", "--config", config.to_str().unwrap()], "");
    assert!(said.contains("phone http://127.0.0.1:9: not checked, as no daemon runs"), "{said}");
}
