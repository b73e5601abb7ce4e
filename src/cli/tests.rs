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
