//! Reads a file of the catalogue, in Fluent syntax, and compares it with the English one. Of Fluent it has messages, attributes and
//! variables, so that a text with its names in braces is all that the program has to carry.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::{
    ast::{Entry, Expression, InlineExpression, Pattern, PatternElement},
    parser,
};

/// A text and its key; of an attribute, `message.attribute`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Text {
    pub(crate) key: String,
    /// What it says; names of what is filled in stand in braces.
    pub(crate) said: String,
    names: BTreeSet<String>,
}

/// What a language may do that is not in the English file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Names {
    /// Every text has the names of the English one.
    All,
    /// A text may leave out names.
    Fewer,
}

/// Reads a file.
///
/// # Errors
///
/// Returns what is wrong with it, by line or key.
pub(crate) fn read(text: &str) -> Result<Vec<Text>, Vec<String>> {
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let resource = parser::parse(text).map_err(|(_, errors)| {
        errors
            .iter()
            .map(|error| format!("line {}: {}", line(error.pos.start), error.kind))
            .collect::<Vec<_>>()
    })?;
    let mut texts = Vec::new();
    let mut wrong = Vec::new();
    for entry in &resource.body {
        let message = match entry {
            Entry::Message(message) => message,
            Entry::Term(term) => {
                wrong.push(format!("-{}: terms are not filled in", term.id.name));
                continue;
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) | Entry::Junk { .. } => {
                continue;
            }
        };
        let own = message.value.iter().map(|value| (message.id.name.to_owned(), value));
        let of = |attribute: &str| format!("{}.{attribute}", message.id.name);
        let others = message.attributes.iter().map(|it| (of(it.id.name), &it.value));
        for (key, pattern) in own.chain(others) {
            match plain(&key, pattern) {
                Ok(text) => texts.push(text),
                Err(error) => wrong.push(error),
            }
        }
    }
    let mut keys = BTreeSet::new();
    wrong.extend(texts.iter().filter(|it| !keys.insert(&it.key)).map(|it| format!("{}: twice", it.key)));
    if wrong.is_empty() { Ok(texts) } else { Err(wrong) }
}

fn plain(key: &str, pattern: &Pattern<&str>) -> Result<Text, String> {
    let mut text = String::new();
    let mut names = BTreeSet::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => text.push_str(value),
            PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::VariableReference { id }),
            } => {
                text.extend(["{", id.name, "}"]);
                names.insert(id.name.to_owned());
            }
            PatternElement::Placeable { .. } => {
                return Err(format!("{key}: braces hold a name only, as {{ $side }}"));
            }
        }
    }
    if text.contains('\n') || text.contains("  ") || text.trim().is_empty() {
        return Err(format!("{key}: a text is one line, with single spaces"));
    }
    Ok(Text { key: key.to_owned(), said: text, names })
}

/// Lists how the file of a language differs from the English one: keys that are missing or unknown, and names of what is filled in.
pub(crate) fn differences(english: &[Text], other: &[Text], may: Names) -> Vec<String> {
    let texts: BTreeMap<&str, &Text> = other.iter().map(|text| (text.key.as_str(), text)).collect();
    let known: BTreeSet<&str> = english.iter().map(|text| text.key.as_str()).collect();
    let mut wrong = Vec::new();
    for text in english {
        let Some(translated) = texts.get(text.key.as_str()) else {
            wrong.push(format!("{}: is missing", text.key));
            continue;
        };
        let missing = text.names.difference(&translated.names).filter(|_| may == Names::All);
        wrong.extend(missing.map(|name| format!("{}: {{ ${name} }} is missing", text.key)));
        let more = translated.names.difference(&text.names);
        wrong.extend(more.map(|name| format!("{}: nothing fills in {{ ${name} }}", text.key)));
    }
    let unknown = other.iter().filter(|text| !known.contains(text.key.as_str()));
    wrong.extend(unknown.map(|text| format!("{}: English has no such key", text.key)));
    wrong
}
