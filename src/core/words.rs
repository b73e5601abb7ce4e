//! Every text that the program itself says to people, in every language. They are written in `words/`, one folder a language, in
//! Fluent syntax; the build compares the languages and makes lines of them, which are unpacked when a language is first spoken.

use std::sync::LazyLock;

use crate::laws::Language;

#[cfg(test)]
mod ftl;
#[cfg(test)]
mod tests;

/// A text by its key in the catalogue.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Phrase(u16);

type Lines = LazyLock<Vec<&'static str>>;

include!(concat!(env!("OUT_DIR"), "/phrases.rs"));

impl Phrase {
    /// Returns the sentences of the rules, which a file of rules may word otherwise.
    pub fn sentences() -> impl Iterator<Item = Self> {
        (0..Self::SENTENCES).map(Self)
    }

    /// Finds a text by its key; of an attribute, `message.attribute`.
    #[must_use]
    pub fn find(key: &str) -> Option<Self> {
        let number = KEYS.iter().position(|known| *known == key)?;
        u16::try_from(number).ok().map(Self)
    }

    /// Returns its key.
    #[must_use]
    pub fn key(self) -> &'static str {
        KEYS.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// Returns the text in a language, what is to be filled in as names in braces.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        lines(language).get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// Returns the text in a language, its names in braces replaced.
    #[must_use]
    pub fn fill(self, language: Language, values: &[(&str, &str)]) -> String {
        fill(self.text(language), values)
    }
}

/// Replaces names in braces by their values; a name without a value stays, so that a test finds it.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        match values.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => text.push_str(value),
            None => text.extend(["{", name, "}"]),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Unpacks what the build has packed, for as long as the program runs.
fn unpack(packed: &[u8]) -> Vec<&'static str> {
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).unwrap_or_default();
    let text: &'static str = String::from_utf8(bytes).unwrap_or_default().leak();
    text.split('\n').collect()
}
