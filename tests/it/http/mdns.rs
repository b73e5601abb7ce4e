//! The name of the desk in the network of the hall, asked for as phones do, in a network of its own.

use std::{
    cell::RefCell,
    env, fmt, fs,
    net::{Ipv4Addr, SocketAddr, UdpSocket},
    process::Command,
};

use mdns_sd::{DaemonEvent, ServiceDaemon, ServiceInfo};
use rustix::process::Signal;

use super::Desk;
use crate::support::{PATIENCE, eventually, run};

/// Set in the network that the test makes for itself.
const INSIDE: &str = "JADOUBE_TEST_NETWORK";

/// The only address of the machine in it.
const OWN: Ipv4Addr = Ipv4Addr::new(192, 168, 77, 20);

/// An address of another machine in it.
const OTHER: Ipv4Addr = Ipv4Addr::new(192, 168, 77, 99);

/// A question for the addresses of a name, as a resolver that knows nothing of multicast asks (RFC 6762, 6.7).
fn question(name: &str, kind: u8) -> Vec<u8> {
    let mut question = vec![0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        question.push(label.len().try_into().unwrap());
        question.extend(label.bytes());
    }
    question.extend([0, 0, kind, 0, 1]);
    question
}

/// What a machine announces in the network: that a name leads to an address.
fn reported(names: impl Iterator<Item = String>, address: Ipv4Addr) -> Vec<u8> {
    let mut packet = vec![0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (number, name) in names.enumerate() {
        packet[7] = u8::try_from(number + 1).unwrap();
        packet.extend(&question(&name, 1)[12..]);
        packet.extend([0, 0, 0, 120, 0, 4]);
        packet.extend(address.octets());
    }
    packet
}

/// Returns how much processor time a process has used, hundredths of a second.
fn cpu_of(process: &str) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Returns how much memory a process has, KiB.
fn memory_of(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Asks the network until somebody answers; returns the address of the answer.
fn address_of(name: &str) -> Ipv4Addr {
    let socket = UdpSocket::bind((OWN, 0)).unwrap();
    socket.set_read_timeout(Some(PATIENCE / 20)).unwrap();
    let mut answer = [0; 2048];
    for _ in 0..20 {
        socket.send_to(&question(name, 1), SocketAddr::from(([224, 0, 0, 251], 5353))).unwrap();
        let Ok((count, from)) = socket.recv_from(&mut answer) else { continue };
        let answer = &answer[..count];
        assert_eq!(from.ip(), OWN);
        assert_eq!(answer[..2], [0x12, 0x34], "it is the answer to this question");
        assert!(answer[2] & 0x80 != 0 && answer[3] % 16 == 0, "it is an answer without an error: {answer:?}");
        assert!(answer[7] > 0, "there is an answer: {answer:?}");
        // Kind, class, time to live, four bytes.
        let record = answer.windows(10).position(|bytes| bytes[..4] == [0, 1, 0, 1] && bytes[8..] == [0, 4]);
        let at = record.unwrap_or_else(|| panic!("{answer:?}")) + 10;
        return Ipv4Addr::new(answer[at], answer[at + 1], answer[at + 2], answer[at + 3]);
    }
    panic!("nobody answers to {name}");
}

/// Waits until the check says something: it takes no answer of a network in which everything stands still for seconds.
#[track_caller]
fn check_says(config: &str, wanted: &str) {
    let last = RefCell::new(String::new());
    let what = fmt::from_fn(|f| write!(f, "{wanted}: {}", last.borrow()));
    eventually(what, || {
        *last.borrow_mut() = run(&["check", "--network", "--config", config], "").1;
        last.borrow().contains(wanted).then_some(())
    });
}

#[test]
fn the_network_finds_the_desk_by_its_name() {
    if env::var_os(INSIDE).is_none() {
        let test = "http::mdns::the_network_finds_the_desk_by_its_name";
        let script = format!(
            "ip link set lo up multicast on && ip address add {OWN}/24 dev lo && ip route add 224.0.0.0/4 dev lo || exit 75; exec \"$0\" --exact {test} --nocapture"
        );
        let inside = Command::new("unshare")
            .args(["--map-root-user", "--net", "sh", "-c", &script])
            .arg(env::current_exe().unwrap())
            .env(INSIDE, "yes")
            .output();
        let Ok(output) = inside else { return println!("skipped: there is no unshare") };
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        if matches!(output.status.code(), Some(1 | 75)) {
            // CI has both.
            assert!(env::var_os("CI").is_none(), "{said}");
            return println!("skipped: no network of its own can be made: {said}");
        }
        assert!(output.status.success(), "{said}");
        return;
    }
    let mut desk = Desk::start("local_name = 'hall-a'\n");
    let config = fs::read_to_string(desk.hall.dir.path().join("jadoube.toml")).unwrap();
    let port = desk.address.port();
    let write = |listen: &str| {
        let text = config.replace(&format!("'{}'", desk.address), &format!("'{listen}:{port}'"));
        fs::write(desk.hall.dir.path().join("jadoube.toml"), text).unwrap();
    };
    // As installed, only this machine reaches it.
    write("0.0.0.0");
    desk.hall.signal(Signal::HUP);
    desk.hall.wait_message("the network finds the desk as hall-a.local");
    assert_eq!(address_of("hall-a.local"), OWN);
    let answer = desk.ask(&format!("GET / HTTP/1.1\nhost: hall-a.local:{port}"), "");
    assert_eq!(answer.status, 200, "the name is one of the desk's: {answer:?}");
    let file = desk.hall.dir.path().join("jadoube.toml").display().to_string();
    check_says(&file, &format!("name hall-a.local: leads to {OWN}"));

    // What nobody has asked for is not kept, however much of it there is.
    let group = SocketAddr::from(([224, 0, 0, 251], 5353));
    let flood = UdpSocket::bind((OWN, 0)).unwrap();
    let process = desk.hall.process().as_raw_nonzero().to_string();
    let before = memory_of(&process);
    for packet in 0..4000 {
        let names = (0..30).map(|number| format!("machine-{packet}-{number}.local"));
        flood.send_to(&reported(names, OTHER), group).unwrap();
        if packet % 20 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
    assert_eq!(address_of("hall-a.local"), OWN, "it is still answered");
    let grown = memory_of(&process).saturating_sub(before);
    assert!(grown < 4096, "{grown} KiB more");

    // Packets that are full of questions cost next to nothing: 500 of them took seconds.
    let one = question("hall-a.local", 1);
    let count = 1400_u16;
    let mut full = [&one[..4], &count.to_be_bytes(), &one[6..]].concat();
    // The same name, by where it stands.
    full.extend([0xc0, 12, 0, 1, 0, 1].repeat(usize::from(count - 1)));
    let before = cpu_of(&process);
    for packet in 0..500 {
        flood.send_to(&full, group).unwrap();
        if packet % 10 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    assert_eq!(address_of("hall-a.local"), OWN, "it is still answered");
    let used = cpu_of(&process) - before;
    assert!(used < 100, "{used}");

    // Another machine has the next name already: the desk does not take it away, and says so.
    let rival = ServiceDaemon::new().unwrap();
    let events = rival.monitor().unwrap();
    let address = OTHER.to_string();
    let service = ServiceInfo::new("_http._tcp.local.", "other", "hall-b.local.", address.as_str(), 80, None);
    rival.register(service.unwrap()).unwrap();
    while !matches!(events.recv_timeout(PATIENCE).unwrap(), DaemonEvent::Announce(..)) {}
    let text = fs::read_to_string(&file).unwrap().replace("'hall-a'", "'hall-b'");
    fs::write(&file, text).unwrap();
    desk.hall.signal(Signal::HUP);
    desk.hall.wait_message(
        "another machine in the network is called hall-b.local: this desk is hall-b-2.local now",
    );
    assert_eq!(address_of("hall-b-2.local"), OWN);
    check_says(&file, &format!("name hall-b.local: leads to {OTHER}, which is another machine"));
    drop(rival.shutdown());
    // One that comes later is noticed.
    flood.send_to(&reported(std::iter::once("hall-b-2.local".to_owned()), OTHER), group).unwrap();
    desk.hall.wait_message("another machine in the network says that it is hall-b-2.local");
    assert!(desk.get("/healthz").body.contains("says that it is hall-b-2.local"));
    assert_eq!(desk.hall.stop(), 0);
}
