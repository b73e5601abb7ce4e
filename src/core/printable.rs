//! Owns how foreign text is made fit for a line: what boards, files and other programs say may hold anything.

/// Returns the characters of a text with something else in the place of each control character, so that a line stays a line and no
/// cursor moves.
pub fn without_controls(text: &str, instead: char) -> impl Iterator<Item = char> {
    text.chars().map(move |c| if c.is_control() { instead } else { c })
}
