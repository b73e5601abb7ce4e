use std::io;

use super::*;

#[test]
fn the_arguments_make_sense() {
    use clap::CommandFactory;
    Cli::command().debug_assert();
}

#[test]
fn usage_errors_are_one_line() {
    let line = |args: &[&str]| usage_line(&Cli::try_parse_from(args).unwrap_err().to_string());
    assert_eq!(line(&["jadoube", "fly"]), "unrecognized subcommand 'fly'");
    assert_eq!(
        line(&["jadoube", "import", "x"]),
        "the following required arguments were not provided: --output <FILE>"
    );
    let tip = line(&["jadoube", "run", "--confg", "x"]);
    assert!(tip.starts_with("unexpected argument '--confg' found; tip: ") && !tip.contains('\n'), "{tip}");
}

#[test]
fn failures_know_their_status() {
    let of = |kind: io::ErrorKind| Failure::io("f", &kind.into()).exit;
    assert_eq!(of(io::ErrorKind::NotFound), Exit::NoInput);
    assert_eq!(of(io::ErrorKind::PermissionDenied), Exit::NoPermission);
    assert_eq!(of(io::ErrorKind::InvalidData), Exit::Data);
    assert_eq!(of(io::ErrorKind::StorageFull), Exit::Unavailable);
    assert!(Failure::output(&io::ErrorKind::BrokenPipe.into()).is_broken_pipe());
    assert_eq!(Failure::new(Exit::Data, "a\n  b").to_string(), "a b");
}

#[test]
fn words_that_mean_nothing_are_refused() {
    let line = |args: &[&str]| Cli::try_parse_from(args).map_err(|error| usage_line(&error.to_string()));
    for code in ["illegal-move", "service-degraded"] {
        assert!(line(&["jadoube", "watch", "--code", code]).is_ok(), "{code}");
    }
    let refused = line(&["jadoube", "watch", "--code", "ilegal-move"]).unwrap_err();
    assert!(refused.ends_with("there is no such code; 'jadoube rules' lists them"), "{refused}");
}

#[cfg(feature = "tls")]
#[test]
fn a_certificate_is_for_names_and_addresses() {
    let takes = |name: &str| Cli::try_parse_from(["jadoube", "certificate", "--name", name]).is_ok();
    for name in ["hall", "hall-a.example", "*.hall.example", "192.0.2.7", "::1", "2001:db8::1"] {
        assert!(takes(name), "{name}");
    }
    for name in ["", "a b", ".", "a..b", "a.*", "h\u{e4}ll", "http://hall", "hall:8080", &"x".repeat(64)] {
        assert!(!takes(name), "{name}");
    }
}
