//! The table of rules, for `jadoube rules` and for the README.

use std::sync::Arc;

use super::{
    ALL, Code,
    text::{Phrase, columns},
};
use crate::laws::{Control, Edition, EventSettings, Language, Laws, Rules};

/// Writes the rules of one edition, or of all, for a terminal: code, article, authority, what it needs, what it
/// proposes.
#[must_use]
pub fn table(edition: impl Into<Option<Edition>>, language: Language) -> String {
    write(edition.into(), None, language)
}

/// Writes the rules of an edition as those of a federation or an organiser change them.
#[must_use]
pub fn own_table(own: &Arc<Rules>, language: Language) -> String {
    write(Some(own.extends.unwrap_or_default()), Some(own), language)
}

fn write(edition: Option<Edition>, own: Option<&Arc<Rules>>, language: Language) -> String {
    let mut text = Vec::new();
    let head = |phrase: Phrase| phrase.text(language);
    for code in ALL.iter().flat_map(|spec| spec.codes).chain(&[Code::ServiceDegraded]) {
        let editions = edition.map_or_else(|| Edition::all().collect(), |edition| vec![edition]);
        let mut lines = Vec::new();
        for edition in editions {
            let Some(articles) = joined(*code, (edition, own), Laws::article) else { continue };
            let authority =
                joined(*code, (edition, own), Laws::authority).filter(|authority| *authority != articles);
            let authority = authority.map(|authority| format!("  {} {authority}", head(Phrase::Authority)));
            let articles = if articles.is_empty() { "–".to_owned() } else { articles };
            lines.push(format!(
                "{edition}  {} {articles}{}",
                head(Phrase::Article),
                authority.unwrap_or_default()
            ));
        }
        if lines.is_empty() {
            continue;
        }
        let [needs, proposes] = columns(*code, language);
        text.push(code.name().to_owned());
        text.extend(lines.iter().map(|line| format!("    {line}")));
        text.push(format!("    {}: {needs}", head(Phrase::Needs)));
        text.push(format!("    {}: {proposes}", head(Phrase::Proposes)));
    }
    text.join("\n")
}

/// Writes the rules of the present edition as Markdown, for the README.
#[must_use]
pub fn readme_table() -> String {
    let mut text = vec!["| Code | Article | Needs | Proposes |".to_owned(), "|---|---|---|---|".to_owned()];
    for code in ALL.iter().flat_map(|spec| spec.codes).chain(&[Code::ServiceDegraded]) {
        let edition = Edition::default();
        // A code that the present edition does not know names the one that does.
        let article = joined(*code, (edition, None), Laws::article).or_else(|| {
            let older = |edition: Edition| {
                joined(*code, (edition, None), Laws::article).map(|it| format!("{it} ({edition})"))
            };
            Edition::all().rev().find_map(older)
        });
        let [needs, proposes] = columns(*code, Language::En);
        let article = article.unwrap_or_default();
        text.push(format!("| `{}` | {article} | {needs} | {proposes} |", code.name()));
    }
    text.join("\n")
}

/// Joins what the parts of the Laws say; empty for equipment, `None` if the edition does not know the code.
fn joined(
    code: Code,
    (edition, own): (Edition, Option<&Arc<Rules>>),
    of: impl for<'a> Fn(&'a Laws, Code) -> Option<&'a str>,
) -> Option<String> {
    if is_equipment(code) {
        return Some(String::new());
    }
    let mut found: Vec<String> = Vec::new();
    for control in Control::ALL {
        for supervised in [true, false] {
            let event = EventSettings {
                rules: edition,
                own_rules: own.cloned(),
                control,
                supervised,
                ..EventSettings::default()
            };
            if let Some(article) = of(&Laws::of(&event), code)
                && !found.iter().any(|known| known == article)
            {
                found.push(article.to_owned());
            }
        }
    }
    (!found.is_empty()).then(|| found.join(" / "))
}

const fn is_equipment(code: Code) -> bool {
    matches!(
        code,
        Code::BoardLink
            | Code::ClockLink
            | Code::ClockLowBattery
            | Code::BoardBattery
            | Code::LineNoise
            | Code::ServiceDegraded
    )
}
