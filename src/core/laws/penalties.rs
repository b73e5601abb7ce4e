//! What an irregularity costs: seconds, the number that loses, and the variants of wording that change a ruling.

use super::{Control, FlagCaller, Laws, OwnPenalty, Regime, Row, RuleText};
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
pub struct OtherReading {
    /// Seconds for the opponent.
    pub seconds: u32,
    /// The article that is read.
    pub article: &'static str,
    /// Whether it is read literally, and not by analogy.
    pub by_the_letter: bool,
}

/// What the Laws provide against a position that no legal play leads to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum IllegalPosition {
    /// Nothing beyond the rules on illegal moves.
    Nothing,
    /// The arbiter intervenes at once, if possible (2009, rapid).
    Intervene,
    /// Draw if *the* illegal position still stands after the next move (2014).
    DrawIfSame,
    /// Draw if *an* illegal position stands after the next move (2017 and later).
    DrawIfAny,
}

/// The cell of one edition: seconds, and the number of the irregularity that loses.
#[derive(Clone, Copy)]
enum Scale {
    Time {
        seconds: u32,
        loses_at: u32,
    },
    /// The seconds are the event's own: the letter and the intention of the edition differ.
    Contested {
        loses_at: u32,
    },
    Claim,
}

const fn time(seconds: u32, loses_at: u32) -> Scale {
    Scale::Time { seconds, loses_at }
}

const LOSS: Scale = time(0, 1);

impl Laws {
    /// Returns what the event's own rules set for its class of games.
    fn own_penalty(&self) -> Option<OwnPenalty> {
        self.own()?.penalty.get(&self.control).copied()
    }

    fn scale(&self) -> Scale {
        match self.own_penalty() {
            // Number 0 is none: it loses never.
            Some(OwnPenalty { seconds, loses_at, .. }) => {
                time(seconds, if loses_at == 0 { u32::MAX } else { loses_at })
            }
            None => self.edition_scale(),
        }
    }

    #[rustfmt::skip]
    const fn edition_scale(&self) -> Scale {
        let row = match (self.control, self.regime) {
            //                                        2009          2014          2017          2018          2023
            (Control::Standard, _) => Row(            time(120, 3), time(120, 2), time(120, 2), time(120, 2), time(120, 2)),
            (Control::Rapid, Regime::Competition) => Row(
                                                      time(120, 3), time(120, 2), time(120, 2), time(120, 2), time(60, 2)),
            (Control::Rapid, _) => Row(               time(120, 3), LOSS,         LOSS,         time(120, 2), time(60, 2)),
            (Control::Blitz, Regime::Competition) => Row(
                                                      time(120, 3), time(60, 2),  time(60, 2),  time(60, 2),  Scale::Contested { loses_at: 2 }),
            (Control::Blitz, _) => Row(               Scale::Claim, LOSS,         LOSS,         time(60, 2),  time(60, 2)),
        };
        row.of(self.edition)
    }

    /// Returns what the Laws provide for the irregularity with this number, from 1.
    #[must_use]
    pub fn sanction(&self, number: u32) -> Sanction {
        let (seconds, loses_at) = match self.scale() {
            Scale::Time { seconds, loses_at } => (seconds, loses_at),
            Scale::Contested { loses_at } => (self.blitz_supervised_penalty_s, loses_at),
            Scale::Claim => return Sanction::Claim,
        };
        if number >= loses_at { Sanction::Loss } else { Sanction::Seconds(seconds) }
    }

    /// Returns the number of the irregularity that decides the game.
    #[must_use]
    pub fn loses_at(&self) -> u32 {
        match self.scale() {
            Scale::Time { loses_at, .. } | Scale::Contested { loses_at } => loses_at,
            Scale::Claim => 1,
        }
    }

    /// Returns the article that sets the seconds for an irregularity, if it is not the one that gives the arbiter the power.
    #[must_use]
    pub fn seconds_article(&self) -> Option<&'static str> {
        if let Some(own) = self.own_penalty() {
            return own.article.map(RuleText::text);
        }
        let article = match (self.control, self.regime) {
            (Control::Standard, _) => return None,
            (Control::Rapid, _) => Row("", "", "", "", "A.3").of(self.edition),
            (Control::Blitz, Regime::Competition) => {
                // Art. B.2 of 2023 has lost its text and names no time.
                let contested = if self.blitz_supervised_penalty_s == 120 { "7.5.5" } else { "A.3" };
                Row("", "B.2", "B.2", "B.2", contested).of(self.edition)
            }
            (Control::Blitz, _) => Row("", "", "", "B.2", "A.3").of(self.edition),
        };
        if article.is_empty() { None } else { Some(article) }
    }

    /// Returns the article that sets the seconds for an incorrect claim of a draw, if it is not that on such claims.
    #[must_use]
    pub const fn claim_seconds_article(&self) -> Option<&'static str> {
        let article = match (self.control, self.regime) {
            (Control::Standard, _) => return None,
            (Control::Rapid, _) => Row("", "", "", "", "A.3").of(self.edition),
            (Control::Blitz, Regime::Competition) => {
                let contested = if self.blitz_supervised_penalty_s == 120 { "" } else { "A.3" };
                Row("", "B.2", "B.2", "B.2", contested).of(self.edition)
            }
            (Control::Blitz, _) => Row("", "B.2", "B.2", "B.2", "A.3").of(self.edition),
        };
        if article.is_empty() { None } else { Some(article) }
    }

    /// Returns the penalty clause of a code where it is not that of illegal moves: two hands and a press without a move
    /// have their own in the 2017 edition (Art. 7.7.2, 7.8.2).
    #[must_use]
    pub const fn own_penalty_clause(&self, code: Code) -> Option<&'static str> {
        if !matches!(self.regime, Regime::Competition) {
            return None;
        }
        let article = if matches!(code, Code::TwoHandsSuspect) {
            Row("", "", "7.7.2", "", "").of(self.edition)
        } else if matches!(code, Code::PressWithoutMove) {
            Row("", "", "7.8.2", "", "").of(self.edition)
        } else {
            ""
        };
        if article.is_empty() { None } else { Some(article) }
    }

    /// Returns the seconds that the opponent gets for an incorrect draw claim.
    #[must_use]
    pub fn wrong_claim_s(&self) -> u32 {
        if let Some(seconds) = self.own().and_then(|own| own.wrong_claim_s) {
            return seconds;
        }
        match self.control {
            Control::Standard => Row(180, 120, 120, 120, 120).of(self.edition),
            Control::Rapid => Row(180, 120, 120, 120, 60).of(self.edition),
            Control::Blitz => {
                let contested = match self.regime {
                    Regime::Competition => self.blitz_supervised_penalty_s,
                    Regime::RapidOtherwise | Regime::BlitzOtherwise => 60,
                };
                Row(180, 60, 60, 60, contested).of(self.edition)
            }
        }
    }

    /// Tells whether a code is an illegal move, or is treated as one, and therefore counts.
    #[must_use]
    pub fn counts(&self, code: Code) -> bool {
        if let Some(counts) = self.own().and_then(|own| own.counts.get(&code)) {
            return *counts;
        }
        let always = matches!(code, Code::IllegalMove | Code::PromotionNotReplaced);
        let since_2017 = matches!(code, Code::PressWithoutMove | Code::TwoHandsSuspect);
        always || since_2017 && Row(false, false, true, true, true).of(self.edition)
    }

    /// Returns the counter that a code goes to; codes with different counters are not added up.
    ///
    /// The 2017 edition has three penalty clauses; FIDE's interpretation of 14 June 2017 adds them up, its letter
    /// may be read otherwise.
    #[must_use]
    pub const fn counter(&self, code: Code) -> u8 {
        // Art. 7.5.3, 7.7.2 and 7.8.2.
        let letter = if matches!(code, Code::TwoHandsSuspect) {
            1
        } else if matches!(code, Code::PressWithoutMove) {
            2
        } else {
            0
        };
        if self.separate_counters { Row(0, 0, letter, 0, 0).of(self.edition) } else { 0 }
    }

    /// Tells whether two hands are an offence even if the move is taken back before the press (letter of 2017).
    #[must_use]
    pub const fn two_hands_without_press(&self) -> bool {
        Row(false, false, self.two_hands_without_press, false, false).of(self.edition)
    }

    /// Tells whether a pawn that was not replaced becomes a queen; before, the move was taken back.
    #[must_use]
    pub const fn pawn_becomes_queen(&self) -> bool {
        Row(false, true, true, true, true).of(self.edition)
    }

    /// Tells whether the arbiter waits for the opponent's claim (2009, without supervision).
    #[must_use]
    pub const fn claim_only(&self) -> bool {
        match self.regime {
            Regime::Competition => false,
            Regime::RapidOtherwise | Regime::BlitzOtherwise => {
                Row(true, false, false, false, false).of(self.edition)
            }
        }
    }

    /// Tells whether a player must have time left to win on time (without supervision).
    #[must_use]
    pub const fn time_claim_needs_time(&self) -> bool {
        match self.regime {
            Regime::Competition => false,
            Regime::RapidOtherwise | Regime::BlitzOtherwise => {
                Row(true, true, true, false, false).of(self.edition)
            }
        }
    }

    /// Tells whether the arbiter calls a fallen flag himself without supervision (2017: may; since 2018: shall).
    #[must_use]
    pub fn calls_flag(&self) -> bool {
        if let Some(caller) = self.own().and_then(|own| own.flags) {
            return caller == FlagCaller::Arbiter;
        }
        match self.regime {
            Regime::Competition => false,
            Regime::RapidOtherwise | Regime::BlitzOtherwise => {
                Row(false, false, true, true, true).of(self.edition)
            }
        }
    }

    /// Tells whether a fallen flag counts only when the opponent claims: the arbiter does not point it out.
    #[must_use]
    pub fn flag_is_claimed(&self) -> bool {
        match self.own().and_then(|own| own.flags) {
            Some(caller) => caller == FlagCaller::Players,
            None => self.claim_only(),
        }
    }

    /// Tells whether the quickplay finish applies to this part of the Laws (2009: also to supervised blitz, Art. B.2).
    #[must_use]
    pub const fn has_quickplay_finish(&self) -> bool {
        match self.control {
            Control::Standard | Control::Rapid => true,
            Control::Blitz => match self.regime {
                Regime::Competition => Row(true, false, false, false, false).of(self.edition),
                Regime::RapidOtherwise | Regime::BlitzOtherwise => false,
            },
        }
    }

    /// Tells whether reversed colours stay only unless the arbiter rules otherwise (2009, 2014).
    #[must_use]
    pub const fn colours_are_up_to_arbiter(&self) -> bool {
        Row(true, true, false, false, false).of(self.edition)
    }

    /// Tells whether players keep a score, so that a draw offer is noted on it.
    #[must_use]
    pub const fn keeps_score(&self) -> bool {
        matches!(self.control, Control::Standard)
    }

    /// Returns what the Laws provide against an illegal position.
    #[must_use]
    pub const fn illegal_position(&self) -> IllegalPosition {
        use IllegalPosition::{DrawIfAny, DrawIfSame, Intervene, Nothing};
        match self.regime {
            Regime::Competition => Nothing,
            Regime::RapidOtherwise => {
                Row(Intervene, DrawIfSame, DrawIfAny, DrawIfAny, DrawIfAny).of(self.edition)
            }
            Regime::BlitzOtherwise => {
                Row(Nothing, DrawIfSame, DrawIfAny, DrawIfAny, DrawIfAny).of(self.edition)
            }
        }
    }

    /// Tells whether five equal positions must follow each other, every second move of both (2014).
    #[must_use]
    pub const fn fivefold_is_consecutive(&self) -> bool {
        Row(false, true, false, false, false).of(self.edition)
    }

    /// Tells whether a quickplay finish must have been announced; in 2009 it comes with the time control.
    #[must_use]
    pub const fn quickplay_must_be_announced(&self) -> bool {
        Row(false, true, true, true, true).of(self.edition)
    }

    /// Tells whether the order of two fallen flags matters: if it is unknown in the last period, the game is drawn.
    #[must_use]
    pub const fn both_flags_draw_at_once(&self) -> bool {
        match self.regime {
            Regime::Competition => false,
            Regime::RapidOtherwise | Regime::BlitzOtherwise => {
                Row(true, false, false, false, false).of(self.edition)
            }
        }
    }

    /// Tells whether two flags in unknown order are ruled on only where a quickplay finish has been announced.
    #[must_use]
    pub const fn both_flags_need_guidelines(&self) -> bool {
        Row(false, false, true, true, true).of(self.edition)
    }

    /// Tells whether a resignation is a draw if the opponent cannot mate by any series of legal moves (2023).
    #[must_use]
    pub const fn resignation_may_draw(&self) -> bool {
        Row(false, false, false, false, true).of(self.edition)
    }

    /// Returns the moves that both must have made for reversed colours to stay, `None` if the game goes on anyhow.
    #[must_use]
    pub const fn colours_stay_after(&self) -> Option<usize> {
        Row(None, None, Some(10), Some(10), Some(10)).of(self.edition)
    }

    /// Returns what the other reading of a contested clause gives for the first irregularity: the seconds, and the article.
    #[must_use]
    pub fn other_reading(&self) -> Option<OtherReading> {
        match self.scale() {
            Scale::Contested { .. } if self.blitz_supervised_penalty_s == 120 => {
                Some(OtherReading { seconds: 60, article: "A.3", by_the_letter: false })
            }
            Scale::Contested { .. } => {
                Some(OtherReading { seconds: 120, article: "7.5.5", by_the_letter: true })
            }
            Scale::Time { .. } | Scale::Claim => None,
        }
    }

    /// Tells whether the players may agree, without the arbiter, that an illegal move does not stand (since 2014).
    #[must_use]
    pub const fn players_may_agree(&self) -> bool {
        Row(false, true, true, true, true).of(self.edition)
    }

    /// Tells whether a player may ask for an increment in the quickplay finish (since 2014).
    #[must_use]
    pub const fn has_quickplay_request(&self) -> bool {
        Row(false, true, true, true, true).of(self.edition)
    }

    /// Tells whether an electronic device loses the game only if it makes a sound (2009).
    #[must_use]
    pub const fn device_loses_by_sound(&self) -> bool {
        Row(true, false, false, false, false).of(self.edition)
    }

    /// Returns the article under which decisions are final, `None` if all may be appealed against (2009: Art. 10.2).
    #[must_use]
    pub const fn final_decisions(&self) -> Option<&'static str> {
        Row(Some("10.2"), None, None, None, None).of(self.edition)
    }

    /// Returns the default time where the regulations state none, seconds, `None` if they have to (2014).
    #[must_use]
    pub const fn unstated_default_time_s(&self) -> Option<u32> {
        Row(Some(0), None, Some(0), Some(0), Some(0)).of(self.edition)
    }
}
