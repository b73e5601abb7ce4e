//! The commands in groups, as `--help` lists them.

use std::fmt::Write as _;

/// What commands are for, and which these are.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Boards", &["run", "demo", "hub", "watch", "boards", "tables", "rules"]),
    ("Arbiters and phones", &["open", "arbiter", "certificate", "notify", "audit"]),
    ("Captures", &["record", "replay", "import", "bundle"]),
    ("Looking for faults", &["check", "doctor"]),
    ("Trying things out", &["emulate"]),
];

/// Groups the commands in the help; a group without any, for which nothing was built in, is left out.
pub(super) fn grouped(command: clap::Command) -> clap::Command {
    let mut list = String::new();
    for (title, names) in GROUPS {
        let found = names.iter().filter_map(|name| command.find_subcommand(name));
        let lines: String = found.fold(String::new(), |mut lines, one| {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            // A text takes what is written to it.
            write!(lines, "\n  {:12} {about}", one.get_name()).unwrap_or_default();
            lines
        });
        if !lines.is_empty() {
            write!(list, "{title}:{lines}\n\n").unwrap_or_default();
        }
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}'jadoube help COMMAND' describes a command.\n\nOptions:\n{{options}}"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let all: Vec<&str> = GROUPS.into_iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for command in Cli::command().get_subcommands() {
            assert_eq!(all.iter().filter(|name| **name == command.get_name()).count(), 1, "{command}");
        }
        let help = grouped(Cli::command()).render_help().to_string();
        for command in Cli::command().get_subcommands() {
            let line = format!("\n  {:12} {}", command.get_name(), command.get_about().unwrap());
            assert!(help.contains(&line), "{help}");
        }
        assert!(help.ends_with("-V, --version  Print version\n"), "{help}");
    }
}
