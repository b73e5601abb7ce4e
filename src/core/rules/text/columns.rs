//! What the table of rules says of each code.

use crate::{
    code::Code,
    laws::Language::{self, De, En},
};

/// What a code needs, and what it proposes.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Columns {
    pub(in crate::rules) needs: &'static str,
    pub(in crate::rules) proposes: &'static str,
}

const fn row(needs: &'static str, proposes: &'static str) -> Columns {
    Columns { needs, proposes }
}

/// Returns what the table of rules says of a code.
#[expect(clippy::too_many_lines, clippy::match_same_arms, reason = "a table")]
pub(in crate::rules) const fn columns(code: Code, language: Language) -> Columns {
    match (code, language) {
        (Code::IllegalMove, En) => row(
            "a press; no legal move leads to what stands on the board",
            "put the position back, time for the opponent",
        ),
        (Code::IllegalMove, De) => row(
            "Drücken der Uhr; kein regelgemäßer Zug führt zur Stellung",
            "Stellung zurück, Zeit für den Gegner",
        ),
        (Code::PromotionNotReplaced, En) => row(
            "a press with a pawn on its last rank",
            "the pawn becomes a queen (2009: put the position back), time for the opponent",
        ),
        (Code::PromotionNotReplaced, De) => row(
            "Drücken der Uhr mit einem Bauern auf der Umwandlungsreihe",
            "der Bauer wird Dame (2009: Stellung zurück), Zeit für den Gegner",
        ),
        (Code::PressWithoutMove, En) => row(
            "a press while the board stands as before",
            "time for the opponent (2009, 2014: the arbiter's discretion)",
        ),
        (Code::PressWithoutMove, De) => {
            row("Drücken der Uhr bei unveränderter Stellung", "Zeit für den Gegner (2009, 2014: Ermessen)")
        }
        (Code::PressBeforeMade, En) => {
            row("a press with a piece in the air that comes down later", "the arbiter's discretion")
        }
        (Code::PressBeforeMade, De) => {
            row("Drücken der Uhr, während eine Figur in der Luft ist", "Ermessen des Schiedsrichters")
        }
        (Code::TwoHandsSuspect, En) => row(
            "a pressed castling, capture or promotion faster than one hand",
            "time for the opponent, if the arbiter confirms it",
        ),
        (Code::TwoHandsSuspect, De) => row(
            "Rochade, Schlagen oder Umwandlung, schneller als eine Hand, und Drücken",
            "Zeit für den Gegner, wenn der Schiedsrichter es bestätigt",
        ),
        (Code::BoardMismatch, En) => {
            row("a legal move, while other squares read wrongly", "look at the board")
        }
        (Code::BoardMismatch, De) => {
            row("regelgemäßer Zug, während andere Felder falsch gemeldet werden", "Brett ansehen")
        }
        (Code::CastlingRookFirst, En) => {
            row("a pressed castling, the rook lifted more than a scan before the king", "the rook must move")
        }
        (Code::CastlingRookFirst, De) => row(
            "Rochade, der Turm mehr als einen Abtastvorgang vor dem König angehoben",
            "der Turm muss ziehen",
        ),
        (Code::TouchMoveSuspect, En) => row(
            "a piece held for 1.5 s and put back, another one played",
            "ask; the touched piece must move or be captured",
        ),
        (Code::TouchMoveSuspect, De) => row(
            "eine Figur 1,5 s gehalten und zurückgestellt, eine andere gezogen",
            "fragen; die berührte Figur muss ziehen oder geschlagen werden",
        ),
        (Code::ReleasedPieceMoved, En) => row(
            "the moved piece rested for 1.5 s on another legal square",
            "ask; the piece stays where it was released",
        ),
        (Code::ReleasedPieceMoved, De) => row(
            "die gezogene Figur ruhte 1,5 s auf einem anderen möglichen Feld",
            "fragen; die Figur bleibt, wo sie losgelassen wurde",
        ),
        (Code::PromotionChoiceChanged, En) => row(
            "two different pieces on the promotion square, one after the other",
            "the first choice stands",
        ),
        (Code::PromotionChoiceChanged, De) => {
            row("nacheinander zwei verschiedene Figuren auf dem Umwandlungsfeld", "die erste Wahl gilt")
        }
        (Code::ClaimWindowClosed, En) => {
            row("an open irregularity, and the opponent's next move made", "nothing: the irregularity stands")
        }
        (Code::ClaimWindowClosed, De) => row(
            "offener Regelverstoß, und der Gegner hat den nächsten Zug ausgeführt",
            "nichts: der Regelverstoß bleibt bestehen",
        ),
        (Code::GameLostIllegal, En) => {
            row("as many illegal moves as lose, all of them certain or confirmed", "the game is lost")
        }
        (Code::GameLostIllegal, De) => {
            row("die Zahl regelwidriger Züge, die verliert, sicher oder bestätigt", "die Partie ist verloren")
        }
        (Code::GameDrawnIllegal, En) => {
            row("the same, and the opponent cannot checkmate in any way", "the game is drawn")
        }
        (Code::GameDrawnIllegal, De) => {
            row("dasselbe, und der Gegner kann auf keine Weise matt setzen", "die Partie ist remis")
        }
        (Code::ClaimWinAvailable, En) => {
            row("an illegal move in unsupervised blitz (2009)", "wait for the claim of a win")
        }
        (Code::ClaimWinAvailable, De) => {
            row("regelwidriger Zug im Blitz ohne Aufsicht (2009)", "Reklamation des Gewinns abwarten")
        }
        (Code::ClaimDrawAvailable, En) => {
            row("the same, and the claimant cannot checkmate in any way", "wait for the claim of a draw")
        }
        (Code::ClaimDrawAvailable, De) => row(
            "dasselbe, und der Reklamierende kann auf keine Weise matt setzen",
            "Remisreklamation abwarten",
        ),
        (Code::IllegalPositionArmed, En) => row(
            "both kings in check or a pawn on its last rank at a press, unsupervised rapid or blitz",
            "wait for the next completed move",
        ),
        (Code::IllegalPositionArmed, De) => row(
            "beide Könige im Schach oder Bauer auf der letzten Reihe, Schnellschach oder Blitz ohne Aufsicht",
            "den nächsten abgeschlossenen Zug abwarten",
        ),
        (Code::IllegalPositionDraw, En) => {
            row("the position still illegal at the next completed move", "the game is drawn")
        }
        (Code::IllegalPositionDraw, De) => {
            row("die Stellung auch beim nächsten abgeschlossenen Zug regelwidrig", "die Partie ist remis")
        }
        (Code::IllegalPositionIntervene, En) => {
            row("the same in unsupervised rapid (2009)", "intervene at once, if possible")
        }
        (Code::IllegalPositionIntervene, De) => {
            row("dasselbe im Schnellschach ohne Aufsicht (2009)", "wenn möglich sofort eingreifen")
        }
        (Code::FlagFall, En) => row("a fallen flag, the period's moves not completed", "the game is lost"),
        (Code::FlagFall, De) => {
            row("gefallenes Blättchen, die Züge der Periode nicht abgeschlossen", "die Partie ist verloren")
        }
        (Code::FlagFallDraw, En) => {
            row("the same, and the opponent cannot checkmate in any way", "the game is drawn")
        }
        (Code::FlagFallDraw, De) => {
            row("dasselbe, und der Gegner kann auf keine Weise matt setzen", "die Partie ist remis")
        }
        (Code::BothFlags, En) => {
            row("two fallen flags", "the first decides; if the order is unknown, a draw in the last period")
        }
        (Code::BothFlags, De) => row(
            "zwei gefallene Blättchen",
            "das erste entscheidet; ist die Reihenfolge unbekannt, remis in der letzten Periode",
        ),
        (Code::ThreefoldClaimable, En) => row(
            "a completed move, the position there for the third time or more",
            "nothing; the player to move may claim",
        ),
        (Code::ThreefoldClaimable, De) => row(
            "abgeschlossener Zug, die Stellung zum dritten Mal oder öfter",
            "nichts; der Spieler am Zug darf reklamieren",
        ),
        (Code::FiftyClaimable, En) => row(
            "a completed move, the hundredth without capture or pawn move",
            "nothing; the player to move may claim",
        ),
        (Code::FiftyClaimable, De) => row(
            "abgeschlossener Zug, der hundertste ohne Schlagen und Bauernzug",
            "nichts; der Spieler am Zug darf reklamieren",
        ),
        (Code::FivefoldDraw, En) => row("a move, the position there for the fifth time", "the game is drawn"),
        (Code::FivefoldDraw, De) => row("ein Zug, die Stellung zum fünften Mal", "die Partie ist remis"),
        (Code::SeventyfiveDraw, En) => {
            row("a move, the 150th without capture or pawn move, and no mate", "the game is drawn")
        }
        (Code::SeventyfiveDraw, De) => {
            row("ein Zug, der 150. ohne Schlagen und Bauernzug, und kein Matt", "die Partie ist remis")
        }
        (Code::Checkmate, En) => row("a legal move that mates", "the game is won"),
        (Code::Checkmate, De) => row("ein regelgemäßer Zug, der matt setzt", "die Partie ist gewonnen"),
        (Code::Stalemate, En) => row("a legal move that stalemates", "the game is drawn"),
        (Code::Stalemate, De) => row("ein regelgemäßer Zug, der patt setzt", "die Partie ist remis"),
        (Code::DeadPosition, En) => {
            row("a legal move after which neither can checkmate, proved", "the game is drawn")
        }
        (Code::DeadPosition, De) => {
            row("ein regelgemäßer Zug, nach dem beweisbar keiner matt setzen kann", "die Partie ist remis")
        }
        (Code::StartPositionWrong, En) => row(
            "the first press, all pieces there but not on their squares",
            "cancel the game and start a new one",
        ),
        (Code::StartPositionWrong, De) => row(
            "das erste Drücken, alle Figuren da, aber nicht auf ihren Feldern",
            "Partie annullieren, neue Partie",
        ),
        (Code::StartClaimClosed, En) => row(
            "a wrong set-up and ten moves (2009: three) completed by each, unsupervised rapid or blitz",
            "nothing: the set-up stands, no castling with what stood wrong",
        ),
        (Code::StartClaimClosed, De) => row(
            "fehlerhafte Aufstellung, und beide haben zehn (2009: drei) Züge abgeschlossen, Schnellschach oder Blitz ohne Aufsicht",
            "nichts: die Aufstellung bleibt, keine Rochade mit falsch stehenden Figuren",
        ),
        (Code::ClockSettingWrong, En) => row(
            "time_control; other times before the first move, another increment, or a period's time at another move",
            "install the correct setting",
        ),
        (Code::ClockSettingWrong, De) => row(
            "time_control; andere Zeiten vor dem ersten Zug, andere Zeitgutschrift oder Zeit einer Periode bei einem anderen Zug",
            "Uhr richtig einstellen",
        ),
        (Code::ColoursReversed, En) => {
            row("an order; the moves made so far", "a new game before ten moves of each (2009, 2014: go on)")
        }
        (Code::ColoursReversed, De) => row(
            "eine Eingabe; die bisherigen Züge",
            "neue Partie vor zehn Zügen von jedem (2009, 2014: fortsetzen)",
        ),
        (Code::IntendedNotPlayed, En) => row(
            "a wrong claim with an intended move, and another one pressed",
            "the intended move must be played",
        ),
        (Code::IntendedNotPlayed, De) => row(
            "unberechtigter Antrag mit beabsichtigtem Zug, und ein anderer wird gedrückt",
            "der beabsichtigte Zug muss gespielt werden",
        ),
        (Code::DrawOffer, En) => {
            row("an order; until the opponent touches a piece", "nothing; both note it where a score is kept")
        }
        (Code::DrawOffer, De) => row(
            "eine Eingabe; bis der Gegner eine Figur berührt",
            "nichts; beide vermerken es, wo mitgeschrieben wird",
        ),
        (Code::QpfEligible, En) => row(
            "time_control without increment, less than two minutes, quickplay_finish (2009: always)",
            "nothing; a request or a claim is possible",
        ),
        (Code::QpfEligible, De) => row(
            "time_control ohne Zeitgutschrift, weniger als zwei Minuten, quickplay_finish (2009: immer)",
            "nichts; ein Antrag ist möglich",
        ),
        (Code::DefaultTime, En) => {
            row("default_time_s; no sign of the player until then", "see whether the player has arrived")
        }
        (Code::DefaultTime, De) => {
            row("default_time_s; bis dahin kein Zeichen vom Spieler", "nachsehen, ob der Spieler da ist")
        }
        (Code::BoardLink, En) => row("the line to the board goes down", "look at cable and board"),
        (Code::BoardLink, De) => row("die Leitung zum Brett fällt aus", "Kabel und Brett ansehen"),
        (Code::ClockLink, En) => row("the board loses its clock", "look at the clock's cable"),
        (Code::ClockLink, De) => row("das Brett verliert seine Uhr", "Kabel der Uhr ansehen"),
        (Code::ClockStopped, En) => {
            row("a clock that stands still for clock_stopped_after_s during a game", "look at the board")
        }
        (Code::ClockStopped, De) => {
            row("eine Uhr, die während der Partie länger als clock_stopped_after_s steht", "Brett ansehen")
        }
        (Code::ClockLowBattery, En) => row("the clock shows its battery sign", "change the battery"),
        (Code::ClockLowBattery, De) => row("die Uhr zeigt das Batteriezeichen", "Batterie wechseln"),
        (Code::BoardBattery, En) => row("the board's charge below battery_low_percent", "charge the board"),
        (Code::BoardBattery, De) => row("Ladung des Bretts unter battery_low_percent", "Brett laden"),
        (Code::LineNoise, En) => row("more damaged bytes than a sound line has", "look at cable and adapter"),
        (Code::LineNoise, De) => {
            row("mehr beschädigte Bytes, als eine gesunde Leitung hat", "Kabel und Adapter ansehen")
        }
        (Code::ServiceDegraded, En) => {
            row("a port, a disk or a service that fails for five seconds", "see /healthz and the messages")
        }
        (Code::ServiceDegraded, De) => row(
            "ein Anschluss, eine Platte oder ein Dienst fällt fünf Sekunden aus",
            "/healthz und Meldungen ansehen",
        ),
    }
}
