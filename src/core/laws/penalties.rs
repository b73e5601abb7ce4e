//! What an irregularity costs: seconds, the number that loses, and the variants of wording that change a ruling.

use serde::{Deserialize, Serialize};

use super::{Cell, Classes, Control, Laws, Penalty, Regime, Rules};
use crate::code::Code;

/// What the Laws provide for the n-th irregularity of a player.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Sanction {
    /// The opponent gets this many seconds.
    Seconds(u32),
    /// The game is lost, or drawn if the opponent cannot mate.
    Loss,
    /// The opponent may claim a win, or a draw if he cannot mate; the arbiter does not act by himself.
    Claim,
}

/// What another reading of a clause gives.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OtherReading<'a> {
    /// Seconds for the opponent.
    pub seconds: u32,
    /// The article that is read.
    pub article: &'a str,
    /// Whether it is read literally, and not by analogy.
    pub by_the_letter: bool,
}

/// What the Laws provide against a position that no legal play leads to.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IllegalPosition {
    /// Nothing beyond the rules on illegal moves.
    #[default]
    Nothing,
    /// The arbiter intervenes at once, if possible (2009, rapid).
    Intervene,
    /// Draw if *the* illegal position still stands after the next move (2014).
    DrawIfSame,
    /// Draw if *an* illegal position stands after the next move (2017 and later).
    DrawIfAny,
}

/// Who calls a fallen flag.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagCaller {
    /// Whoever observes it first (Art. 6.8).
    #[default]
    Anyone,
    /// The arbiter, as soon as it is seen.
    Arbiter,
    /// Only the players: the arbiter does not point it out.
    Players,
}

/// Makes what may be ruled in one way or the other: a key of the files, and a question to the Laws.
macro_rules! rulings {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// What may be ruled in one way or the other.
        #[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Rulings {
            $($(#[$doc])* pub $name: Option<Cell<bool>>,)+
        }

        impl Laws {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(&self) -> bool {
                self.find(|rules| rules.rulings.$name.as_ref()).copied().unwrap_or_default()
            })+
        }
    };
}

rulings! {
    /// Whether a pawn that was not replaced becomes a queen; before 2014 the move was taken back.
    pawn_becomes_queen,
    /// Whether the arbiter waits for the opponent's claim (2009, without supervision).
    claim_only,
    /// Whether a player must have time left to win on time (without supervision).
    time_claim_needs_time,
    /// Whether the quickplay finish applies to this part of the Laws (2009: also to supervised blitz, Art. B.2).
    has_quickplay_finish,
    /// Whether a quickplay finish must have been announced; in 2009 it comes with the time control.
    quickplay_must_be_announced,
    /// Whether a player may ask for an increment in the quickplay finish (since 2014).
    has_quickplay_request,
    /// Whether reversed colours stay only unless the arbiter rules otherwise (2009, 2014).
    colours_are_up_to_arbiter,
    /// Whether players keep a score, so that a draw offer is noted on it.
    keeps_score,
    /// Whether five equal positions must follow each other, every second move of both (2014).
    fivefold_is_consecutive,
    /// Whether two fallen flags draw the game, whatever their order.
    both_flags_draw_at_once,
    /// Whether two flags in unknown order are ruled on only where a quickplay finish has been announced.
    both_flags_need_guidelines,
    /// Whether a resignation is a draw if the opponent cannot mate by any series of legal moves (2023).
    resignation_may_draw,
    /// Whether the players may agree, without the arbiter, that an illegal move does not stand (since 2014).
    players_may_agree,
    /// Whether an electronic device loses the game only if it makes a sound (2009).
    device_loses_by_sound,
}

impl Laws {
    fn cost(&self, of: impl Fn(&Rules) -> Option<&Classes<Penalty>>) -> Option<&Penalty> {
        self.layers().find_map(|rules| of(rules)?.of(self.control, self.regime))
    }

    fn penalty(&self) -> Option<&Penalty> {
        self.cost(|rules| rules.penalty.as_ref())
    }

    /// Returns what a clause gives as the event reads it, and what it gives otherwise.
    fn read<'a>(&self, penalty: &'a Penalty) -> (u32, Option<&'a str>, Option<OtherReading<'a>>) {
        let article = penalty.article.as_deref();
        let Some(letter) = &penalty.letter else { return (penalty.seconds, article, None) };
        let by_the_letter = self.blitz_supervised_penalty_s != letter.seconds;
        let literal = letter.article.as_deref();
        let (seconds, other, source) = if by_the_letter {
            (self.blitz_supervised_penalty_s, (letter.seconds, literal), article)
        } else {
            (letter.seconds, (penalty.seconds, article), literal)
        };
        let other = OtherReading { seconds: other.0, article: other.1.unwrap_or_default(), by_the_letter };
        (seconds, source, Some(other))
    }

    /// Returns what the Laws provide for the irregularity with this number, from 1.
    #[must_use]
    pub fn sanction(&self, number: u32) -> Sanction {
        match self.penalty() {
            Some(penalty) if penalty.claimed => Sanction::Claim,
            Some(penalty) if number < self.loses_at() => Sanction::Seconds(self.read(penalty).0),
            _ => Sanction::Loss,
        }
    }

    /// Returns the number of the irregularity that decides the game.
    #[must_use]
    pub fn loses_at(&self) -> u32 {
        match self.penalty().map_or(1, |penalty| penalty.loses_at) {
            0 => u32::MAX,
            number => number,
        }
    }

    /// Returns the article that sets the seconds for an irregularity, if it is not the one that gives the arbiter the power.
    #[must_use]
    pub fn seconds_article(&self) -> Option<&str> {
        self.read(self.penalty()?).1
    }

    /// Returns what the other reading of a contested clause gives for the first irregularity: the seconds, and the article.
    #[must_use]
    pub fn other_reading(&self) -> Option<OtherReading<'_>> {
        self.read(self.penalty()?).2
    }

    /// Returns the article that sets the seconds for an incorrect claim of a draw, if it is not that on such claims.
    #[must_use]
    pub fn claim_seconds_article(&self) -> Option<&str> {
        self.read(self.cost(|rules| rules.wrong_claim.as_ref())?).1
    }

    /// Returns the seconds that the opponent gets for an incorrect draw claim.
    #[must_use]
    pub fn wrong_claim_s(&self) -> u32 {
        self.cost(|rules| rules.wrong_claim.as_ref()).map_or(0, |penalty| self.read(penalty).0)
    }

    /// Returns whether a code is an illegal move, or is treated as one, and therefore counts.
    #[must_use]
    pub fn counts(&self, code: Code) -> bool {
        self.find(|rules| rules.counts.get(&code)).copied().unwrap_or_default()
    }

    /// Returns the penalty clause of a code where it is not that of illegal moves: two hands and a press without a move
    /// have their own in the 2017 edition (Art. 7.7.2, 7.8.2).
    #[must_use]
    pub fn own_penalty_clause(&self, code: Code) -> Option<&str> {
        self.text(|rules| rules.clauses.get(&code))
    }

    /// Returns whether two hands and presses without a move have penalty clauses of their own, at least by the Competition Rules
    /// (2017).
    pub(super) fn has_clauses(&self) -> bool {
        let said = |rules: &Rules| {
            let clause = rules.clauses.get(&Code::TwoHandsSuspect)?;
            clause.of(Control::Standard, Regime::Competition).map(|clause| !clause.is_empty())
        };
        self.layers().find_map(said).unwrap_or_default()
    }

    /// Returns the counter that a code goes to; codes with different counters are not added up.
    ///
    /// The 2017 edition has three penalty clauses; FIDE's interpretation of 14 June 2017 adds them up, its letter
    /// may be read otherwise.
    #[must_use]
    pub fn counter(&self, code: Code) -> u8 {
        // Art. 7.5.3, 7.7.2 and 7.8.2.
        let letter = if matches!(code, Code::TwoHandsSuspect) {
            1
        } else if matches!(code, Code::PressWithoutMove) {
            2
        } else {
            0
        };
        if letter > 0 && self.separate_counters && self.has_clauses() { letter } else { 0 }
    }

    /// Returns whether two hands are an offence even if the move is taken back before the press (letter of 2017).
    #[must_use]
    pub fn two_hands_without_press(&self) -> bool {
        self.two_hands_without_press && self.has_clauses()
    }

    /// Returns whether the arbiter calls a fallen flag himself without supervision (2017: may; since 2018: shall).
    #[must_use]
    pub fn calls_flag(&self) -> bool {
        self.flag_caller() == FlagCaller::Arbiter
    }

    /// Returns whether a fallen flag counts only when the opponent claims: the arbiter does not point it out.
    #[must_use]
    pub fn flag_is_claimed(&self) -> bool {
        self.flag_caller() == FlagCaller::Players
    }

    fn flag_caller(&self) -> FlagCaller {
        self.find(|rules| rules.flags.as_ref()).copied().unwrap_or_default()
    }

    /// Returns what the Laws provide against an illegal position.
    #[must_use]
    pub fn illegal_position(&self) -> IllegalPosition {
        self.find(|rules| rules.illegal_position.as_ref()).copied().unwrap_or_default()
    }

    /// Returns the moves that both must have made for reversed colours to stay, `None` if the game goes on anyhow.
    #[must_use]
    pub fn colours_stay_after(&self) -> Option<usize> {
        self.find(|rules| rules.colours_stay_after.as_ref()).copied().filter(|moves| *moves > 0)
    }
}
