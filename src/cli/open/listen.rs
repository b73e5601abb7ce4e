//! Sets `http.listen` in the text of a configuration; comments and all other lines stay as they are.

use std::net::SocketAddr;

/// Returns the text with another address, in the ways that are likely to mean it, the best first.
pub(super) fn set(text: &str, address: SocketAddr) -> Vec<String> {
    let line = format!("listen = \"{address}\"");
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| is_head(line));
    let head = head.or_else(|| lines.iter().position(|line| line.strip_prefix('#').is_some_and(is_head)));
    let gap = if text.is_empty() || text.ends_with("\n\n") { "" } else { "\n" };
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let appended = format!("{text}{end}{gap}[http]\n{line}\n");
    head.map(|head| in_section(lines, head, &line)).into_iter().chain([appended]).collect()
}

/// Sets the address in the section that begins at a line; one in the comments is taken out of them.
fn in_section<'a>(mut lines: Vec<&'a str>, head: usize, line: &'a str) -> String {
    let first = head + 1;
    let is_end = |line: &&str| line.trim_start().trim_start_matches('#').starts_with('[');
    let section = lines.iter().skip(first).take_while(|line| !is_end(line));
    let known: Vec<Option<bool>> = section.map(|line| is_listen(line)).collect();
    let find = |wanted: bool| known.iter().position(|found| *found == Some(wanted));
    if let Some(head) = lines.get_mut(head) {
        *head = head.strip_prefix('#').unwrap_or(head);
    }
    // One that counts is replaced, otherwise the one in the comments, otherwise it is the first line of its section.
    match find(true).or_else(|| find(false)) {
        Some(at) => drop(lines.splice(first + at..=first + at, [line])),
        None => lines.insert(first, line),
    }
    lines.join("\n") + "\n"
}

/// Returns whether a line begins the section of the desk.
fn is_head(line: &str) -> bool {
    line.split('#').next().is_some_and(|line| line.trim() == "[http]")
}

/// Returns whether a line sets the address (`true`) or would do so without its `#` (`false`).
fn is_listen(line: &str) -> Option<bool> {
    let line = line.trim_start();
    let bare = line.trim_start_matches('#').trim_start();
    let is_it = bare.strip_prefix("listen").is_some_and(|rest| rest.trim_start().starts_with('='));
    is_it.then(|| !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(set(text, "0.0.0.0:8080".parse().unwrap())[0], expected);
    }

    #[test]
    fn the_line_is_replaced_or_added_and_nothing_else_changes() {
        let line = "listen = \"0.0.0.0:8080\"";
        check("", &format!("[http]\n{line}\n"));
        check("[event]\nname = 'x'", &format!("[event]\nname = 'x'\n\n[http]\n{line}\n"));
        check("[http]\n", &format!("[http]\n{line}\n"));
        check(
            "[pgn]\n# a\n[http] # b\n#listen = \"1\"\n# c\nurl = 'y'\n",
            &format!("[pgn]\n# a\n[http] # b\n{line}\n# c\nurl = 'y'\n"),
        );
        check(
            "[http]\n#listen = \"1\"\nlisten=\"127.0.0.1:80\"\n[public]\nlisten = '2'\n",
            &format!("[http]\n#listen = \"1\"\n{line}\n[public]\nlisten = '2'\n"),
        );
        check(
            "[http]\nurl = 'y'\n[public]\nlisten = '2'\n",
            &format!("[http]\n{line}\nurl = 'y'\n[public]\nlisten = '2'\n"),
        );
    }

    #[test]
    fn the_installed_configuration_is_changed_where_it_says_so() {
        let text = include_str!("../../../systemd/jadoube.toml");
        let changed = set(text, "0.0.0.0:8080".parse().unwrap()).remove(0);
        let differ: Vec<_> = text.lines().zip(changed.lines()).filter(|(old, new)| old != new).collect();
        assert_eq!(differ, [("#listen = \"127.0.0.1:8080\"", "listen = \"0.0.0.0:8080\"")]);
    }
}
