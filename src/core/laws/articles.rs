//! The article of every code, and the article that says what the arbiter may do about it.

use serde::{Deserialize, Serialize};

use super::Laws;
use crate::code::{Code, named_enum};

named_enum! {
    /// Something the Laws speak of that is no alert.
    pub enum Topic {
        /// A threefold repetition about to appear, by an intended move.
        ThreefoldIntended = "threefold-intended",
        /// Fifty moves about to be completed, by an intended move.
        FiftyIntended = "fifty-intended",
        /// A draw claim that is found correct.
        ClaimCorrect = "claim-correct",
        /// A draw claim that is found incorrect.
        ClaimIncorrect = "claim-incorrect",
        /// The right to claim a draw is lost by touching a piece.
        ClaimLostByTouching = "claim-lost-by-touching",
        /// A piece that was released stays where it is.
        Released = "released",
        /// A pawn that was released on its last rank stays there.
        ReleasedPawn = "released-pawn",
        /// A player to move may adjust pieces.
        Adjusting = "adjusting",
        /// The piece that a pawn becomes is chosen once it has touched the square.
        PromotionChosen = "promotion-chosen",
        /// How to claim a win on time.
        ClaimOnTime = "claim-on-time",
        /// The times after an irregularity.
        ClockAfterIrregularity = "clock-after-irregularity",
        /// A player resigns.
        Resignation = "resignation",
        /// A draw is offered.
        DrawOffer = "draw-offer",
        /// A draw is offered at the wrong time, or too often: the opponent is disturbed.
        Disturbance = "disturbance",
        /// A claim of a draw is also an offer of one.
        ClaimIsOffer = "claim-is-offer",
        /// The regulations limit draws by agreement.
        DrawLimits = "draw-limits",
        /// A draw may be agreed only after both have moved; empty before 2017.
        DrawAgreement = "draw-agreement",
        /// The board is turned round.
        BoardTurned = "board-turned",
        /// The king of an illegal castling must move.
        CastlingIllegal = "castling-illegal",
        /// The rook was touched before the king of a castling.
        CastlingRookFirst = "castling-rook-first",
        /// The king of a castling was released.
        CastlingReleased = "castling-released",
        /// A touched piece of the player's own must move.
        TouchedOwn = "touched-own",
        /// A touched piece of the opponent's must be captured.
        TouchedTheirs = "touched-theirs",
        /// Touched pieces that can neither move nor be captured bind nobody.
        TouchedNothing = "touched-nothing",
        /// The arbiter's obligation towards illegal positions without supervision (2009, rapid).
        Intervention = "intervention",
        /// Who loses the time until the players arrive if both are late.
        BothLate = "both-late",
        /// What becomes of a claim in the quickplay finish after a flag has fallen.
        QuickplayAfterFlag = "quickplay-after-flag",
        /// Two flags have fallen, and the order is not known.
        BothFlagsUnknown = "both-flags-unknown",
        /// A telephone or another electronic device.
        ElectronicDevice = "electronic-device",
        /// Notes, sources of information, advice, analysis on another board.
        OutsideHelp = "outside-help",
        /// Leaving the playing venue, or the playing area while to move.
        LeavingVenue = "leaving-venue",
        /// What penalties there are.
        Penalties = "penalties",
        /// A fine.
        Fine = "fine",
        /// A player asks for an explanation of the Laws.
        Explanation = "explanation",
        /// A player appeals against a decision of the arbiter.
        Appeal = "appeal",
        /// An assistant presses the clock for a player.
        ClockAssistant = "clock-assistant",
        /// Measures for players who are disabled or need medical attention.
        SpecialMeasures = "special-measures",
        /// A request for an increment in the quickplay finish.
        QuickplayRequest = "quickplay-request",
        /// A claim in the quickplay finish.
        QuickplayClaim = "quickplay-claim",
        /// A claim in the quickplay finish where there is no arbiter.
        QuickplayNoArbiter = "quickplay-no-arbiter",
        /// Under which decisions are final; empty if all may be appealed against (2009: Art. 10.2).
        FinalDecisions = "final-decisions",
        /// The default time is zero where nothing is stated, and nobody expects it (2009).
        DefaultTimeUnstated = "default-time-unstated",
    }
}

impl Laws {
    /// Returns the article that was broken or applies, `None` if these Laws have no such rule.
    #[must_use]
    pub fn article(&self, code: Code) -> Option<&str> {
        self.text(|rules| rules.articles.get(&code))
    }

    /// Returns the article that says what the arbiter may do; where the Laws name no other, it is the article itself.
    #[must_use]
    pub fn authority(&self, code: Code) -> Option<&str> {
        match self.find(|rules| rules.authority.get(&code)) {
            Some(article) => Some(&**article).filter(|article| !article.is_empty()),
            None => self.article(code),
        }
    }

    /// Returns the article on something that is no alert, empty if there is none.
    #[must_use]
    pub fn topic(&self, topic: Topic) -> &str {
        self.text(|rules| rules.topics.get(&topic)).unwrap_or_default()
    }
}
