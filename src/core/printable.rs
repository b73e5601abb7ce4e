//! Owns how foreign text is made fit for a line: what boards, files and other programs say may hold anything.

/// Returns whether a character shows itself: no control, and none that only changes how others are shown, or shows nothing (general category Cf,
/// or default ignorable).
#[must_use]
pub fn is_seen(character: char) -> bool {
    let is_hidden = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    !character.is_control() && !is_hidden
}

/// Returns the characters of a text with something else in the place of each control character, so that a line stays a line and no
/// cursor moves.
pub fn without_controls(text: &str, instead: char) -> impl Iterator<Item = char> {
    text.chars().map(move |c| if c.is_control() { instead } else { c })
}
