//! Man pages and completions of shells: written from the definitions of the commands, and compared with them.

use std::{collections::BTreeMap, env, fs};

use clap::Command;
use clap_complete::Shell;

use super::root;

/// Where the files lie, below the top of the tree.
const MAN: &str = "systemd/man";
const COMPLETIONS: &str = "systemd/completions";

#[test]
fn man_pages_and_completions_are_those_of_the_program() {
    // Commit and features differ from build to build.
    let command = jadoube::cli::command().long_version(None);
    let mut expected = BTreeMap::new();
    let mut all = command.clone();
    all.build();
    write_pages(&all, "jadoube", &mut expected);
    for (shell, file) in
        [(Shell::Bash, "jadoube.bash"), (Shell::Zsh, "_jadoube"), (Shell::Fish, "jadoube.fish")]
    {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command.clone(), "jadoube", &mut text);
        expected.insert(format!("{COMPLETIONS}/{file}"), text);
    }
    if env::var_os("UPDATE_EXPECT").is_some() {
        for directory in [MAN, COMPLETIONS] {
            fs::remove_dir_all(root().join(directory)).unwrap_or_default();
            fs::create_dir_all(root().join(directory)).unwrap();
        }
        for (file, text) in &expected {
            fs::write(root().join(file), text).unwrap();
        }
        return;
    }
    for (file, text) in &expected {
        let found = fs::read(root().join(file)).unwrap_or_default();
        assert!(
            found == *text,
            "{file} is out of date; UPDATE_EXPECT=1 cargo test --test it tidy::manual rewrites it"
        );
    }
    for directory in [MAN, COMPLETIONS] {
        let count = fs::read_dir(root().join(directory)).unwrap().count();
        let known = expected.keys().filter(|file| file.starts_with(directory)).count();
        assert_eq!(count, known, "{directory} has a file of a command that is gone");
    }
}

/// Writes the page of a command and those of the commands below it.
fn write_pages(command: &Command, name: &str, pages: &mut BTreeMap<String, Vec<u8>>) {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone().display_name(name))
        .title(name.to_uppercase())
        .source(concat!("jadoube ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .unwrap();
    pages.insert(format!("{MAN}/{name}.1"), page);
    for below in command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
    {
        write_pages(below, &format!("{name}-{}", below.get_name()), pages);
    }
}
