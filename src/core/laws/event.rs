//! What the regulations of an event say about the rules: the `[event]` section of the configuration.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Control, Edition, Laws, Rules, TimeControl, Topic};

/// What the regulations of an event say.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own in the file")]
pub struct EventSettings {
    /// Name of the event, for score sheets and headings.
    pub name: String,
    /// Town and country where it takes place.
    pub site: String,
    /// Number of the round that goes on, from 1; the pairings say it if this does not. Without either every board
    /// counts its own games.
    pub round: Option<u32>,
    /// How many rounds the event has, for the report of its results; the present one is the last without it.
    pub rounds: Option<u32>,
    /// Edition of the Laws of Chess.
    pub rules: Edition,
    /// What the rules of a federation or an organiser change of that edition; the program reads them from the file that `rules`
    /// names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_rules: Option<Arc<Rules>>,
    /// Which part of the Laws applies.
    pub control: Control,
    /// Whether rapid or blitz games are supervised as Appendix A or B demands, so that the Competition Rules
    /// apply; fixed for the whole event (2023: Art. A.6, B.4).
    pub supervised: bool,
    /// Time control; needed for the end of a period and for the quickplay finish.
    pub time_control: Option<TimeControl>,
    /// Whether the clocks count moves, and so add the time of a further period with the last move of one; others add it at zero.
    pub move_counter: bool,
    /// Seconds after which a player who has not arrived loses (Art. 6.7.1); nothing is watched without it.
    pub default_time_s: Option<u32>,
    /// Whether the round, and with it the default time of all boards, begins with the first clock of the hall that starts;
    /// otherwise with the clock of each board, or with the order `round-started` (Art. 6.7.1).
    pub first_clock_starts_round: bool,
    /// Whether a result that kings or a rule have reported counts for nobody but the arbiters until one of them confirms it,
    /// or both players: each lifts the own king and puts it back.
    pub confirm_results: bool,
    /// Whether a quickplay finish has been announced (Guidelines III; 2014: Appendix G; 2009 needs no announcement).
    pub quickplay_finish: bool,
    /// The move of each player before which no draw may be agreed (Art. 9.1.1).
    pub draw_from_move: Option<u32>,
    /// Whether a draw by agreement needs the arbiter's consent (Art. 9.1.1).
    pub draw_needs_arbiter: bool,
    /// Language of the alerts' texts.
    pub language: Language,
    /// Seconds for an irregularity in supervised blitz under the 2023 edition, and for a wrong claim in it. The
    /// letter of Art. B.2 gives 120, the published intention of the change 60.
    pub blitz_supervised_penalty_s: u32,
    /// Whether two hands break Art. 7.7.1 of 2017 even if the move is taken back before the press, as its letter
    /// says; 2018 and later ask for the press.
    pub two_hands_2017_without_press: bool,
    /// Whether the three penalty clauses of the 2017 edition (7.5.3, 7.7.2, 7.8.2) count apart, as its letter may
    /// be read; FIDE's interpretation of 14 June 2017 adds them up.
    pub separate_counters_2017: bool,
    /// Seconds for which a clock may stand still during a game before somebody should look (Art. 6.11.2).
    pub clock_stopped_after_s: u32,
    /// Charge of a board's battery, percent, below which it is reported.
    pub battery_low_percent: u8,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            site: String::new(),
            round: None,
            rounds: None,
            rules: Edition::default(),
            own_rules: None,
            control: Control::default(),
            supervised: false,
            time_control: None,
            move_counter: false,
            default_time_s: None,
            first_clock_starts_round: false,
            confirm_results: false,
            quickplay_finish: false,
            draw_from_move: None,
            draw_needs_arbiter: false,
            language: Language::default(),
            blitz_supervised_penalty_s: 60,
            two_hands_2017_without_press: false,
            separate_counters_2017: false,
            clock_stopped_after_s: 180,
            battery_low_percent: 20,
        }
    }
}

impl EventSettings {
    /// Lists what is allowed but hardly meant, one sentence each.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        let mut doubt = |applies: bool, text: String| {
            if applies {
                doubts.push(text);
            }
        };
        if let Some(time_control) = &self.time_control {
            let class = self.rules.classify(time_control);
            let text = format!(
                "time_control {time_control} is {class} by the Laws of {}, not {}",
                self.rules, self.control
            );
            doubt(class != self.control, text);
            let text = "quickplay_finish has no effect: it needs a time control without increment".to_owned();
            doubt(self.quickplay_finish && time_control.has_increment(), text);
        } else {
            let text = "quickplay_finish has no effect: it needs time_control".to_owned();
            doubt(self.quickplay_finish, text);
        }
        let periods = self.time_control.as_ref().map_or(0, |time_control| time_control.periods().len());
        let text = "move_counter has no effect: it needs a time control of several periods".to_owned();
        doubt(self.move_counter && periods < 2, text);
        let laws = Laws::of(self);
        let article = laws.topic(Topic::DefaultTimeUnstated);
        let text = format!(
            "default_time_s is missing: by the Laws of {} the default time is 0 unless the regulations state another \
             ({article}); nothing is watched without it",
            self.rules
        );
        doubt(!article.is_empty() && self.default_time_s.is_none(), text);
        let text = "supervised has no effect: standard games always follow the Competition Rules".to_owned();
        doubt(self.supervised && self.control == Control::Standard, text);
        let text = "quickplay_finish has no effect in blitz".to_owned();
        doubt(self.quickplay_finish && self.control == Control::Blitz, text);
        for (set, key) in [
            (self.two_hands_2017_without_press, "two_hands_2017_without_press"),
            (self.separate_counters_2017, "separate_counters_2017"),
        ] {
            doubt(
                set && !laws.has_clauses(),
                format!("{key} has no effect under the Laws of {}", self.rules),
            );
        }
        doubts
    }
}

/// Language of texts for people.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Italian.
    It,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::De, Self::Fr, Self::Es, Self::It];

    /// Returns the name as the configuration writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Fr => "fr",
            Self::Es => "es",
            Self::It => "it",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no language there are texts in.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("there are no texts in {0:?}; there are en, de, fr, es and it")]
pub struct ParseLanguageError(String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = |language: &Self| language.name() == text;
        Self::ALL.into_iter().find(named).ok_or_else(|| ParseLanguageError(text.to_owned()))
    }
}
