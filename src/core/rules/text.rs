//! The words of the alerts: one catalogue, every phrase in every language side by side.
//!
//! Names in braces are replaced. A new language is one more column.

mod catalogue;
mod columns;

pub(super) use catalogue::{Phrase, Template, entries::EntryText, stories::StoryText};
pub(super) use columns::{Columns, columns};

use crate::{
    alert::Party,
    laws::{ActionWindow, Language, Rules},
};

/// Replaces names in braces by their values; a name without a value stays, so that a test finds it.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
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

/// Lists what is wrong with the sentences of a file of rules: those that nothing says, and names in braces that nothing fills in.
#[must_use]
pub fn wrong_sentences(rules: &Rules) -> Vec<String> {
    let phrases = Phrase::ALL.iter().copied().map(Template::from);
    let phrases = phrases.chain(EntryText::ALL.iter().copied().map(Template::from));
    let phrases: Vec<Template> = phrases.chain(StoryText::ALL.iter().copied().map(Template::from)).collect();
    let mut wrong = Vec::new();
    for (name, text) in rules.sentences_en.iter().chain(&rules.sentences_de) {
        let Some(phrase) = phrases.iter().find(|phrase| phrase.name == name) else {
            wrong.push(format!("there is no sentence {name}; SENTENCES.md lists them"));
            continue;
        };
        let known = |name: &&str| {
            Language::ALL.into_iter().any(|it| phrase.text(it).contains(&format!("{{{name}}}")))
        };
        let named = text.split('{').skip(1).filter_map(|part| part.split('}').next());
        wrong.extend(
            named.filter(|it| !known(it)).map(|it| format!("sentence {name} has nothing for {{{it}}}")),
        );
    }
    wrong
}

/// Says until when something may be acted on, as a clause.
pub(super) fn window(window: ActionWindow, party: Party, language: Language) -> Option<String> {
    let side = |party: Party| match (party, language) {
        (party, Language::En) => party.name(),
        (Party::One(side), Language::De) => name(side, language),
        (Party::Both, Language::De) => Phrase::BothPlayers.text(language),
    };
    clause(window, party, language, side)
}

/// Says the same as a sentence.
pub(super) fn window_sentence(window: ActionWindow, party: Party, language: Language) -> Option<String> {
    let side = |party: Party| match party {
        Party::One(side) => name(side, language),
        Party::Both => Phrase::BothPlayers.text(language),
    };
    let clause = clause(window, party, language, side)?;
    Some(fill(Phrase::WindowSentence.text(language), &[("window", &clause)]))
}

fn clause(
    window: ActionWindow,
    party: Party,
    language: Language,
    side: impl Fn(Party) -> &'static str,
) -> Option<String> {
    let opponent = match party {
        Party::One(side) => Party::One(!side),
        Party::Both => Party::Both,
    };
    let (phrase, value) = match window {
        ActionWindow::GameEnd => (Phrase::UntilGameEnd, String::new()),
        ActionWindow::OpponentMoves => (Phrase::UntilMoveMade, side(opponent).to_owned()),
        ActionWindow::ClaimantMoves => (Phrase::UntilMoveMade, side(party).to_owned()),
        ActionWindow::OpponentTouches => (Phrase::UntilTouch, side(opponent).to_owned()),
        ActionWindow::ClaimantTouches => (Phrase::UntilTouch, side(party).to_owned()),
        ActionWindow::NextMoveCompleted => (Phrase::UntilNextCompleted, String::new()),
        ActionWindow::MovesEach(moves) => (Phrase::UntilMovesEach, moves.to_string()),
        ActionWindow::InOrder | ActionWindow::Never => return None,
    };
    Some(fill(phrase.text(language), &[("value", &value)]))
}

const fn name(side: shakmaty::Color, language: Language) -> &'static str {
    match side {
        shakmaty::Color::White => Phrase::White.text(language),
        shakmaty::Color::Black => Phrase::Black.text(language),
    }
}
