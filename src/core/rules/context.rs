//! What a rule sees besides the fact, and the words it speaks with.

use std::time::Duration;

use shakmaty::{Board, Color, Piece, Role};

use super::{
    builder::AlertBuilder,
    text::{Forms, Phrase, fill},
};
use crate::{
    alert::Confidence,
    clock::ClockView,
    fact::{OtherStory, Pressed, Verdict},
    game::{Game, Played, Ply},
    laws::{EventSettings, Language, Laws, TimeControl},
    model::{decision, hands},
    position::Position,
    time::Timestamp,
};

/// What a rule sees besides the fact.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleContext<'a> {
    pub(super) board: &'a str,
    pub(super) game: &'a Game,
    pub(super) clock: &'a ClockView,
    /// What the board shows now.
    pub(super) sensed: &'a Board,
    pub(super) now: Timestamp,
    pub(super) laws: &'a Laws,
    pub(super) event: &'a EventSettings,
    pub(super) scan: Duration,
    /// What happened between two reports took this much longer or shorter at most: a scan, as it was measured or as slow
    /// boards take.
    pub(super) scan_at_most: Duration,
    pub(super) settle: Duration,
    /// Whether what happened is known to have happened when it was reported, and does not come out of a board's log.
    pub(super) is_dated: bool,
}

impl RuleContext<'_> {
    /// Returns whether the scan of this board has been measured.
    pub(super) fn is_scan_measured(&self) -> bool {
        self.scan_at_most < hands::SLOW_SCAN
    }

    /// Returns the least word of this ply and those that have just led to it.
    pub(super) fn word_of_last(&self, ply: u32) -> Confidence {
        let last = (ply.saturating_sub(decision::LEADS_TO)..=ply).filter_map(|number| self.game.ply(number));
        last.map(|ply| ply.confidence).min().unwrap_or(Confidence::Certain)
    }

    /// Returns how sure it is that a position ends the game: where it would not with the pieces that the board shows, one of them may not
    /// stand where it is thought to.
    pub(super) fn word_of_end(&self, position: &Position, ends: impl Fn(&Position) -> bool) -> Confidence {
        let (mut shown, board) = (self.sensed.clone(), position.board());
        // Kings are taken up to show the result.
        for square in shown.kings() {
            shown.discard_piece_at(square);
        }
        for square in board.kings() {
            if let Some(king) = board.piece_at(square) {
                shown.set_piece_at(square, king);
            }
        }
        if ends(&position.with_board(shown)) { Confidence::Certain } else { Confidence::Likely }
    }

    /// Returns whether reports come when the board is asked, and not when something happens.
    pub(super) fn is_polled(&self) -> bool {
        self.scan_at_most >= hands::POLLED
    }

    /// Returns a phrase in the event's language, its names in braces replaced.
    pub(super) fn say(&self, phrase: Phrase, values: &[(&str, &str)]) -> String {
        let language = self.event.language;
        let own = self.laws.sentence(phrase.key(), language);
        fill(own.unwrap_or_else(|| phrase.text(language)), values)
    }

    /// Says what a press may have been instead.
    pub(super) fn story(&self, story: OtherStory) -> String {
        let phrase = match story {
            OtherStory::Legal => Phrase::StoryLegal,
            OtherStory::Illegal => Phrase::StoryIllegal,
            OtherStory::Nothing => Phrase::StoryNothing,
            OtherStory::PromotionLeft => Phrase::StoryPromotionLeft,
            OtherStory::MadeLater => Phrase::StoryMadeLater,
            OtherStory::PressedBack => Phrase::StoryPressedBack,
        };
        self.say(phrase, &[])
    }

    /// Names a side.
    pub(super) fn side(&self, side: Color) -> &'static str {
        let phrase = match side {
            Color::White => Phrase::White,
            Color::Black => Phrase::Black,
        };
        phrase.text(self.event.language)
    }

    /// Names a piece as the subject of a sentence, with its article where the language asks for one.
    pub(super) fn the(&self, role: Role) -> String {
        self.say(Forms::of(role).the, &[])
    }

    /// Names a piece as the object of a sentence.
    pub(super) fn object(&self, role: Role) -> String {
        self.say(Forms::of(role).object, &[])
    }

    /// Names a piece at the beginning of a sentence.
    pub(super) fn subject(&self, role: Role) -> String {
        let the = self.the(role);
        let mut letters = the.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    /// Returns the pronoun that stands for a piece as the object of a sentence.
    pub(super) fn it(&self, role: Role) -> &'static str {
        Forms::of(role).it.text(self.event.language)
    }

    /// Names a piece and its colour.
    pub(super) fn coloured(&self, piece: Piece) -> String {
        let forms = Forms::of(piece.role);
        self.say(if piece.color == Color::White { forms.white } else { forms.black }, &[])
    }

    /// Writes a move with the piece letters of the language.
    pub(super) fn san(&self, san: &str) -> String {
        let letters = Phrase::SanLetters.text(self.event.language);
        let letter = |c: char| {
            let index = Phrase::SanLetters.text(Language::En).chars().position(|known| known == c)?;
            letters.chars().nth(index)
        };
        san.chars().map(|c| letter(c).unwrap_or(c)).collect()
    }

    /// Writes how often something was.
    pub(super) fn times(&self, times: usize) -> String {
        let phrase = match times {
            1 => Phrase::Once,
            2 => Phrase::Twice,
            _ => Phrase::Times,
        };
        self.say(phrase, &[("n", &times.to_string())])
    }

    /// Writes a number of an occurrence: third, fourth, …
    pub(super) fn nth(&self, times: usize) -> String {
        let phrase = match times {
            3 => Phrase::Third,
            4 => Phrase::Fourth,
            5 => Phrase::Fifth,
            _ => Phrase::Nth,
        };
        self.say(phrase, &[("n", &times.to_string())])
    }

    /// Writes a span of time the way people say it.
    pub(super) fn span(&self, seconds: u32) -> String {
        let (phrase, number) = match seconds {
            1 => (Phrase::Second, 1),
            60 => (Phrase::Minute, 1),
            seconds if seconds % 60 == 0 && seconds > 0 => (Phrase::Minutes, seconds / 60),
            seconds => (Phrase::Seconds, seconds),
        };
        self.say(phrase, &[("n", &number.to_string())])
    }

    /// Writes a short time to a tenth of a second.
    pub(super) fn tenths(&self, time: Duration) -> String {
        let point = Phrase::DecimalPoint.text(self.event.language);
        format!("{}{point}{}", time.as_secs(), time.subsec_millis() / 100)
    }

    /// Adds to an alert that rests on a count that it is one since the game was first heard of, where that was in its middle.
    pub(super) fn counted(&self, builder: AlertBuilder) -> AlertBuilder {
        if !self.game.is_adopted() {
            return builder;
        }
        builder.fact("counted_since", "adoption").also(&self.say(Phrase::CountedSince, &[]))
    }

    /// Returns whether the moves that a side has completed decide in which period of the time control it is, and nobody knows
    /// how many they are.
    pub(super) fn hides_period(&self) -> bool {
        let several = |control: &TimeControl| control.moves_due(0).is_some();
        self.game.is_adopted() && self.event.time_control.as_ref().is_some_and(several)
    }

    /// Returns the legal move that a press completed, and the ply it is.
    pub(super) fn completed_move(&self, pressed: &Pressed) -> Option<(shakmaty::Move, &Ply)> {
        let legal = matches!(pressed.verdict, Verdict::Legal | Verdict::LegalWithMismatch(_));
        let ply = self.game.ply(pressed.ply).filter(|ply| legal && ply.side == pressed.side)?;
        match &ply.played {
            Played::Legal(m) => Some((*m, ply)),
            Played::Irregular(_) => None,
        }
    }

    /// Returns the position after a ply that was made lawfully, `None` if it is gone or was irregular.
    pub(super) fn after_legal(&self, ply: u32) -> Option<Position> {
        self.game.ply(ply).filter(|ply| ply.is_exact()).map(|_| self.game.position_after(ply))
    }

    /// Returns the plies without capture or pawn move up to a ply, as far as nothing irregular lies between.
    pub(super) fn quiet_plies(&self, ply: u32) -> u32 {
        let Some(last) = self.game.ply(ply) else { return 0 };
        let before = self.game.plies().iter().rev().skip(usize::try_from(self.game.len() - ply).unwrap_or(0));
        let quiet = before.take(usize::try_from(last.halfmoves).unwrap_or(usize::MAX));
        // Back to the start everything is regular, and its counter goes on.
        let irregular = quiet.enumerate().find(|(_, ply)| !ply.is_exact());
        irregular.map_or(last.halfmoves, |(since, _)| u32::try_from(since).unwrap_or(u32::MAX))
    }

    /// Returns the same through illegal moves that stand, as far back as the position is known.
    pub(super) fn quiet_plies_through_illegal(&self) -> u32 {
        let plies = self.game.plies();
        let set = plies.iter().rev().take_while(|ply| !ply.played.is_set()).count();
        let known = if set == plies.len() { u32::MAX } else { u32::try_from(set).unwrap_or(u32::MAX) };
        self.game.position().halfmoves().min(known)
    }
}

/// Returns whether a press completed something: a move, lawful or not.
pub(super) const fn completes(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Legal | Verdict::LegalWithMismatch(_) | Verdict::Illegal(_) | Verdict::PromotionLeft(_) => {
            true
        }
        Verdict::Nothing | Verdict::InTheAir { .. } | Verdict::Reaction => false,
    }
}
