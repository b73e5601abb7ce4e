//! What the rules make of the texts of the catalogue: forms of a piece, windows, rows of the table, sentences of one's own.

use shakmaty::Role;

use crate::{
    alert::Party,
    code::Code,
    laws::{ActionWindow, Language, Rules},
};

pub(super) use crate::words::{Phrase, fill};

/// A piece as the grammar of a sentence asks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forms {
    /// As its subject, with the article.
    pub(super) the: Phrase,
    /// As its object, likewise.
    pub(super) object: Phrase,
    /// The pronoun that stands for the object.
    pub(super) it: Phrase,
    /// One of White's.
    pub(super) white: Phrase,
    /// One of Black's.
    pub(super) black: Phrase,
}

impl Forms {
    pub(super) const fn of(role: Role) -> Self {
        let [the, object, it, white, black] = match role {
            Role::Pawn => {
                [Phrase::PawnThe, Phrase::PawnObject, Phrase::PawnIt, Phrase::PawnWhite, Phrase::PawnBlack]
            }
            Role::Knight => [
                Phrase::KnightThe,
                Phrase::KnightObject,
                Phrase::KnightIt,
                Phrase::KnightWhite,
                Phrase::KnightBlack,
            ],
            Role::Bishop => [
                Phrase::BishopThe,
                Phrase::BishopObject,
                Phrase::BishopIt,
                Phrase::BishopWhite,
                Phrase::BishopBlack,
            ],
            Role::Rook => {
                [Phrase::RookThe, Phrase::RookObject, Phrase::RookIt, Phrase::RookWhite, Phrase::RookBlack]
            }
            Role::Queen => [
                Phrase::QueenThe,
                Phrase::QueenObject,
                Phrase::QueenIt,
                Phrase::QueenWhite,
                Phrase::QueenBlack,
            ],
            Role::King => {
                [Phrase::KingThe, Phrase::KingObject, Phrase::KingIt, Phrase::KingWhite, Phrase::KingBlack]
            }
        };
        Self { the, object, it, white, black }
    }
}

/// Returns what the table of rules says that a code needs, and what it proposes.
pub(super) fn columns(code: Code, language: Language) -> [&'static str; 2] {
    ["needs", "proposes"].map(|column| {
        Phrase::find(&format!("{}.{column}", code.name())).map_or("", |phrase| phrase.text(language))
    })
}

/// Lists what is wrong with the sentences of a file of rules: those that nothing says, and names in braces that nothing fills in.
#[must_use]
pub fn wrong_sentences(rules: &Rules) -> Vec<String> {
    let mut wrong = Vec::new();
    let others = [&rules.sentences_de, &rules.sentences_fr, &rules.sentences_es, &rules.sentences_it];
    for (name, text) in rules.sentences_en.iter().chain(others.into_iter().flatten()) {
        let Some(phrase) = Phrase::sentences().find(|phrase| phrase.key() == name) else {
            wrong.push(format!("there is no sentence {name}; SENTENCES.md lists them"));
            continue;
        };
        let known = |name: &&str| phrase.text(Language::En).contains(&format!("{{{name}}}"));
        let named = text.split('{').skip(1).filter_map(|part| part.split('}').next());
        wrong.extend(
            named.filter(|it| !known(it)).map(|it| format!("sentence {name} has nothing for {{{it}}}")),
        );
    }
    wrong
}

/// Says until when something may be acted on, as a clause.
pub(super) fn window(window: ActionWindow, party: Party, language: Language) -> Option<String> {
    clause(window, party, language, |party| match language {
        // Inside of a sentence the interface writes English sides small.
        Language::En => party.name(),
        Language::De | Language::Fr | Language::Es | Language::It => named(party, language),
    })
}

/// Says the same as a sentence.
pub(super) fn window_sentence(window: ActionWindow, party: Party, language: Language) -> Option<String> {
    let clause = clause(window, party, language, |party| named(party, language))?;
    Some(Phrase::WindowSentence.fill(language, &[("window", &clause)]))
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
    Some(phrase.fill(language, &[("value", &value)]))
}

/// Names whom a window is about, with the article where the language asks for one.
fn named(party: Party, language: Language) -> &'static str {
    let phrase = match party {
        Party::One(shakmaty::Color::White) => Phrase::TheWhite,
        Party::One(shakmaty::Color::Black) => Phrase::TheBlack,
        Party::Both => Phrase::BothPlayers,
    };
    phrase.text(language)
}
