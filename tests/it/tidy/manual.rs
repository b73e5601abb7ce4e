//! Man pages and completions of shells: written from the definitions of the commands, and compared with them.

use std::{collections::BTreeMap, env, fmt::Write as _, fs};

use clap::Command;
use clap_complete::Shell;

use super::root;

/// Where the files lie, below the top of the tree.
const MAN: &str = "systemd/man";
const COMPLETIONS: &str = "systemd/completions";

/// What the pages call the program.
const SOURCE: &str = concat!("jadoube ", env!("CARGO_PKG_VERSION"));

/// Pages of section 8: what the service manager runs.
const DAEMONS: [&str; 2] = ["jadoube-run", "jadoube-hub"];

/// What every page ends with.
const END: &str = r".SH EXIT STATUS
0 done; 64 wrong usage; 65 bad input data; 66 no such file; 69 a needed service is missing; 70 internal error; 77 no permission; 78 bad configuration.
An error is one line on standard error, which names the file and the place.
.SH ENVIRONMENT
.TP
\fBJADOUBE__SECTION__KEY\fR
A key of the configuration, such as JADOUBE__HTTP__LISTEN for http.listen. It goes before the files, and \-\-set before it. One that is no key is a warning.
.SH FILES
.TP
\fI/etc/jadoube/jadoube.toml\fR, \fI/etc/jadoube/conf.d/*.toml\fR
The configuration, see jadoube.toml(5).
.TP
\fI/etc/jadoube/token\fR
The arbiter\(aqs token.
.TP
\fI/var/lib/jadoube\fR
Captures, which are the record of the games, and the state of each board.
.TP
\fI/var/log/jadoube\fR
alerts.log for people; alerts.jsonl, events.jsonl and audit.jsonl for programs.
.SH EXAMPLES
.TP
systemctl enable \-\-now jadoube
Start the service, now and with the machine.
.TP
jadoube check && systemctl reload jadoube
Check a change of the configuration and apply it.
.TP
jadoube replay \-\-format pgn game.dgtcap
Write the games of a capture as PGN.
.SH SEE ALSO
jadoube(1), jadoube.toml(5), jadoube\-run(8), jadoube\-hub(8), systemctl(1); file:///usr/share/doc/jadoube/README.md
";

#[test]
fn man_pages_and_completions_are_those_of_the_program() {
    // Commit and features differ from build to build.
    let command = jadoube::cli::command().long_version(None);
    let mut expected = BTreeMap::new();
    let mut all = command.clone();
    all.build();
    write_pages(&all, "jadoube", &mut expected);
    expected.insert(format!("{MAN}/jadoube.toml.5"), page_of_keys().into_bytes());
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
    let section = section(name);
    clap_mangen::Man::new(command.clone().display_name(name))
        .title(name.to_uppercase())
        .section(section)
        .source(SOURCE)
        .render(&mut page)
        .unwrap();
    let mut page = String::from_utf8(page).unwrap();
    for daemon in DAEMONS {
        let written = daemon.replace('-', "\\-");
        page = page.replace(&format!("{written}(1)"), &format!("{written}(8)"));
    }
    page.push_str(END);
    pages.insert(format!("{MAN}/{name}.{section}"), page.into_bytes());
    for below in command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
    {
        write_pages(below, &format!("{name}-{}", below.get_name()), pages);
    }
}

fn section(name: &str) -> &'static str {
    if DAEMONS.contains(&name) { "8" } else { "1" }
}

/// Returns the page of the configuration: the comments of the packaged file, which a test compares with the keys of the program.
fn page_of_keys() -> String {
    let text = fs::read_to_string(root().join("systemd/jadoube.toml")).unwrap();
    let mut page = format!(
        ".TH JADOUBE.TOML 5  \"{SOURCE}\" \n.SH NAME\njadoube.toml \\- configuration of jadoube\n.SH DESCRIPTION\n\
         TOML. Every key is optional; the values here are defaults, or examples where there is no default. Files in \
         /etc/jadoube/conf.d go before /etc/jadoube/jadoube.toml in the order of their names, variables before files, \\-\\-set before all, \
         key by key; a list replaces a list.\n.SH KEYS OF THE TOP\n"
    );
    let mut comment: Vec<&str> = Vec::new();
    // The first comment is the head of the file.
    for line in text.lines().skip_while(|line| !line.is_empty()) {
        let bare = line.strip_prefix('#').unwrap_or(line);
        if let Some(words) = bare.strip_prefix(' ').filter(|_| line.starts_with('#')) {
            comment.push(words);
            continue;
        }
        let words = roff(&comment.join(" "));
        comment.clear();
        if bare.starts_with('[') {
            write!(page, ".SH {}\n{words}\n", roff(bare)).unwrap();
        } else if !bare.is_empty() {
            write!(page, ".TP\n\\fB{}\\fR\n{words}\n", roff(bare)).unwrap();
        }
    }
    page + END
}

/// Writes a text so that troff shows it as it is.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
