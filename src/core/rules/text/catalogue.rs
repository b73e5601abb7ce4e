//! Every phrase in every language.

use crate::laws::Language;

/// Makes one row a phrase, so that none can lack a language.
macro_rules! phrases {
    ($($name:ident: $en:literal, $de:literal;)*) => {
        /// A phrase of the catalogue.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub(in crate::rules) enum Phrase { $($name),* }

        impl Phrase {
            #[cfg(test)]
            pub(in crate::rules) const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the text, with names in braces for what is to be filled in.
            pub(in crate::rules) const fn text(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$name, Language::En) => $en, (Self::$name, Language::De) => $de,)*
                }
            }
        }
    };
}

phrases! {
    // Names and numbers.
    White: "White", "Weiß";
    Black: "Black", "Schwarz";
    BothPlayers: "both players", "beide Spieler";
    Pawn: "pawn", "Bauer";
    Knight: "knight", "Springer";
    Bishop: "bishop", "Läufer";
    Rook: "rook", "Turm";
    Queen: "queen", "Dame";
    King: "king", "König";
    Minute: "{n} minute", "{n} Minute";
    Minutes: "{n} minutes", "{n} Minuten";
    Second: "{n} second", "{n} Sekunde";
    Seconds: "{n} seconds", "{n} Sekunden";
    DecimalPoint: ".", ",";

    // Illegal moves and what is treated as one.
    IllegalMove:
        "{side} completed an illegal move: {why} ({article}).",
        "{side} hat einen regelwidrigen Zug abgeschlossen: {why} ({article}).";
    WhyPattern:
        "a {piece} does not go from {from} to {to}",
        "{piece} {from}–{to} ist nicht möglich";
    WhyCheck:
        "the king on {square} is left in check",
        "der König auf {square} steht im Schach";
    WhyCastlingRight:
        "castling after the right to it was lost",
        "Rochade, obwohl das Recht dazu verloren war";
    WhyCastlingCheck:
        "castling out of, through or into check",
        "Rochade aus dem Schach, über ein bedrohtes Feld oder ins Schach";
    WhyCastlingRookLeft:
        "castling with the rook left on its square",
        "Rochade, bei der der Turm stehen blieb";
    WhyCastlingRookWrong:
        "castling with the rook on a wrong square",
        "Rochade mit dem Turm auf einem falschen Feld";
    WhyKingCaptured:
        "the opponent's king was captured",
        "der gegnerische König wurde geschlagen";
    WhyOpponentsPiece:
        "the opponent's piece from {square} was moved",
        "die gegnerische Figur von {square} wurde gezogen";
    WhyTwoMoves:
        "more than one move was made",
        "mehr als ein Zug wurde ausgeführt";
    WhyPromotionIncomplete:
        "the pawn has gone and no piece stands on the promotion square",
        "der Bauer ist weg, und auf dem Umwandlungsfeld steht keine Figur";
    WhyPromotionPiece:
        "on {square} stands a {piece} of {side}",
        "auf {square} steht {piece} von {side}";
    WhyEnPassant:
        "the pawn captured in passing still stands on {square}",
        "der en passant geschlagene Bauer steht noch auf {square}";
    WhyOther:
        "no legal move leads to this position",
        "kein regelgemäßer Zug führt zu dieser Stellung";
    PromotionLeft:
        "{side} pressed the clock with a pawn on {square} that had not been replaced ({article}).",
        "{side} hat die Uhr gedrückt, ohne den Bauern auf {square} zu ersetzen ({article}).";
    PressWithoutMove:
        "{side} pressed the clock without having made a move ({article}).",
        "{side} hat die Uhr gedrückt, ohne einen Zug ausgeführt zu haben ({article}).";
    TwoHands:
        "{side} may have used two hands for {move} ({article}).",
        "{side} hat {move} möglicherweise mit zwei Händen ausgeführt ({article}).";
    CountsIfConfirmed:
        "It counts only if you confirm it.",
        "Es zählt nur, wenn Sie es bestätigen.";
    Reinstate:
        "Put the position before it back on the board; {side} must move a touched piece if possible.",
        "Stellung davor wiederherstellen; {side} muss eine berührte Figur ziehen, wenn möglich.";
    BecomesQueen:
        "The pawn on {square} becomes a queen of {side}.",
        "Der Bauer auf {square} wird eine Dame von {side}.";
    ClockBack:
        "The position stays; {side} is to move, with the clock running.",
        "Die Stellung bleibt; {side} ist am Zug, mit laufender Uhr.";
    GiveTime:
        "Give {opponent} {time} more ({article}).",
        "{opponent} bekommt {time} dazu ({article}).";
    OtherReading:
        "The other reading of {article} gives {time}; blitz_supervised_penalty_s chooses.",
        "Die andere Lesart von {article} gibt {time}; blitz_supervised_penalty_s entscheidet.";
    TakeBackTime:
        "Take back {side}'s increment for the press: {time} ({article}).",
        "Zeitgutschrift von {side} für das Drücken zurücknehmen: {time} ({article}).";
    NoTime:
        "No time is added; a penalty is at the arbiter's discretion ({authority}).",
        "Keine Zeitstrafe; Maßnahmen liegen im Ermessen des Schiedsrichters ({authority}).";
    OnlyOnClaim:
        "Act only if {opponent} claims ({authority}).",
        "Nur eingreifen, wenn {opponent} reklamiert ({authority}).";
    GameLost:
        "This is illegal move no. {number} by {side}: the game is lost for {side} ({article}).",
        "Das ist der {number}. regelwidrige Zug von {side}: Die Partie ist für {side} verloren ({article}).";
    GameDrawn:
        "This is illegal move no. {number} by {side}: the game is drawn ({article}).",
        "Das ist der {number}. regelwidrige Zug von {side}: Die Partie ist remis ({article}).";
    ClaimWin:
        "{opponent} may claim a win because of {side}'s illegal move; do not act unasked ({article}).",
        "{opponent} darf wegen des regelwidrigen Zuges von {side} den Gewinn reklamieren; nicht von selbst \
         eingreifen ({article}).";
    ClaimDraw:
        "{opponent} may claim a draw because of {side}'s illegal move; do not act unasked ({article}).",
        "{opponent} darf wegen des regelwidrigen Zuges von {side} remis reklamieren; nicht von selbst eingreifen \
         ({article}).";
    CanMate:
        "{winner} can still checkmate by some series of legal moves.",
        "{winner} kann noch mit einer Folge regelgemäßer Züge matt setzen.";
    CannotMate:
        "{winner} cannot checkmate by any series of legal moves.",
        "{winner} kann mit keiner Folge regelgemäßer Züge matt setzen.";
    MateUnknown:
        "Check for a blocked position: if {winner} cannot checkmate by any series of legal moves, it is a draw.",
        "Auf eine festgelegte Stellung achten: Kann {winner} mit keiner Folge regelgemäßer Züge matt setzen, ist die \
         Partie remis.";
    BareOnBoard:
        "As the board stands {winner} could not mate; the position that is put back decides.",
        "So wie das Brett steht, könnte {winner} nicht matt setzen; es gilt die wiederhergestellte Stellung.";
    ClaimWindowClosed:
        "{opponent} has made the next move: {side}'s irregularity stands ({article}).",
        "{opponent} hat den nächsten Zug ausgeführt: Der Regelverstoß von {side} bleibt bestehen ({article}).";

    // Illegal positions.
    BothInCheck: "both kings are in check", "beide Könige stehen im Schach";
    PawnOnLastRank:
        "a pawn of {side} stands on the last rank",
        "ein Bauer von {side} steht auf der gegnerischen Grundreihe";
    IllegalPositionArmed:
        "Illegal position: {what} ({article}). Wait for the next completed move; if the position is still illegal \
         then, the game is drawn.",
        "Regelwidrige Stellung: {what} ({article}). Den nächsten abgeschlossenen Zug abwarten; ist die Stellung dann \
         noch regelwidrig, ist die Partie remis.";
    IllegalPositionDraw:
        "The position is still illegal after the next move: {what}. Declare the game drawn ({article}).",
        "Die Stellung ist auch nach dem nächsten Zug regelwidrig: {what}. Die Partie remis erklären ({article}).";
    IllegalPositionOther:
        "After the next move the position is illegal because {side} has left the king in check: the game is drawn \
         ({article}). The other view is to act against {side} ({authority}).",
        "Nach dem nächsten Zug ist die Stellung regelwidrig, weil der König von {side} im Schach blieb: Die Partie \
         ist remis ({article}). Die andere Auffassung: gegen {side} vorgehen ({authority}).";
    IllegalPositionIntervene:
        "Illegal position: {what}. Intervene at once, if possible ({article}).",
        "Regelwidrige Stellung: {what}. Wenn möglich sofort eingreifen ({article}).";

    // Handling the pieces.
    PressBeforeMade:
        "{side} pressed the clock while the piece from {square} was in the air ({article}). A penalty is at the \
         arbiter's discretion ({authority}).",
        "{side} hat die Uhr gedrückt, während die Figur von {square} in der Luft war ({article}). Maßnahmen liegen im \
         Ermessen des Schiedsrichters ({authority}).";
    CastlingRookFirst:
        "{side} touched the rook on {square} before the king and castled: castling on that side is not allowed on \
         this move, the rook must move ({article}, {authority}).",
        "{side} hat vor dem König den Turm auf {square} berührt und rochiert: Die Rochade nach dieser Seite ist in \
         diesem Zug nicht erlaubt, der Turm muss ziehen ({article}, {authority}).";
    TouchedOwn:
        "{side} held the {piece} on {square} for {held} s, put it back and played something else ({article}, \
         {authority}). Was it adjusted?",
        "{side} hat {piece} {square} {held} s lang gehalten, zurückgestellt und anders gezogen ({article}, \
         {authority}). Wurde nur zurechtgerückt?";
    TouchedTheirs:
        "The {piece} on {square} was held for {held} s, and {side}, who could capture it, played something else \
         ({article}, {authority}). Was it adjusted?",
        "{piece} {square} wurde {held} s lang gehalten, und {side} hätte schlagen können, hat aber anders gezogen \
         ({article}, {authority}). Wurde nur zurechtgerückt?";
    ReleasedPiece:
        "{side}'s {piece} had rested on {square} before {move} was played ({article}, {authority}). Had the hand \
         left it?",
        "{piece} von {side} hatte auf {square} geruht, bevor {move} gezogen wurde ({article}, {authority}). Hatte die \
         Hand losgelassen?";
    PromotionChoice:
        "{side} put a {first} on {square} and then replaced it by a {chosen}: the first choice stands ({article}, \
         {authority}).",
        "{side} hat auf {square} erst {first} und dann {chosen} eingesetzt: Die erste Wahl gilt ({article}, \
         {authority}).";
    MismatchAtPress:
        "{side} made a legal move, but the board reports empty squares: {squares}. Is a piece off the centre, or \
         displaced ({article})?",
        "{side} hat regelgemäß gezogen, aber das Brett meldet leere Felder: {squares}. Steht eine Figur schief, oder \
         wurde sie verschoben ({article})?";
    DeadSquares:
        "The board never shows a piece on {squares}; look at square and piece.",
        "Das Brett zeigt auf {squares} nie eine Figur; Feld und Figur prüfen.";
    StrayPieces:
        "The board shows a piece on {squares} where none should stand; look at the board.",
        "Das Brett zeigt auf {squares} eine Figur, wo keine stehen sollte; Brett prüfen.";
    WeakSquares:
        "The board loses what stands on {squares} for moments, again and again; look at square and piece.",
        "Das Brett verliert immer wieder für Augenblicke, was auf {squares} steht; Feld und Figur prüfen.";
    WrongCodes:
        "The board showed another piece on {squares} for a moment; look at square and piece.",
        "Das Brett zeigte auf {squares} für einen Augenblick eine andere Figur; Feld und Figur prüfen.";
    LatePieces:
        "The board notices pieces long after they are put down, such as that from {squares}; look at the pieces.",
        "Das Brett bemerkt Figuren erst lange nach dem Hinstellen, so die von {squares}; Figuren prüfen.";
    UntoldChanges:
        "The board has not reported what changed on {squares}, a look at all squares has; look at the cable.",
        "Das Brett hat nicht gemeldet, was sich auf {squares} änderte, erst die Abfrage aller Felder; Kabel prüfen.";
    Unexplained:
        "No play explains the pieces on the board ({article}): {squares}. Compare with the score sheet.",
        "Kein Spielverlauf erklärt die Figuren auf dem Brett ({article}): {squares}. Mit der Notation vergleichen.";

    // The end of the game.
    Checkmate:
        "{side} is checkmated, {opponent} has won ({article}).",
        "{side} ist matt, {opponent} hat gewonnen ({article}).";
    MateFirst:
        "The mate comes before {article}; the other view would be a draw.",
        "Das Matt geht {article} vor; die andere Auffassung wäre remis.";
    Stalemate:
        "{side} is stalemated: the game is drawn ({article}).",
        "{side} ist patt: Die Partie ist remis ({article}).";
    Fivefold:
        "The same position has appeared for the fifth time: the game is drawn ({article}).",
        "Die gleiche Stellung ist zum fünften Mal entstanden: Die Partie ist remis ({article}).";
    Seventyfive:
        "Each player has made 75 moves without capture or pawn move: the game is drawn ({article}).",
        "Jeder Spieler hat 75 Züge ohne Schlagen und ohne Bauernzug ausgeführt: Die Partie ist remis ({article}).";
    DeadPosition:
        "Neither player can checkmate by any series of legal moves: the game is drawn ({article}).",
        "Kein Spieler kann mit einer Folge regelgemäßer Züge matt setzen: Die Partie ist remis ({article}).";
    FlagFall:
        "{side}'s flag has fallen: the game is lost for {side} ({article}, {authority}).",
        "Das Fallblättchen von {side} ist gefallen: Die Partie ist für {side} verloren ({article}, {authority}).";
    FlagFallDraw:
        "{side}'s flag has fallen: the game is drawn ({article}, {authority}).",
        "Das Fallblättchen von {side} ist gefallen: Die Partie ist remis ({article}, {authority}).";
    DoNotCall:
        "Do not call it ({authority}); {opponent} has to claim ({claim}).",
        "Nicht darauf hinweisen ({authority}); {opponent} muss reklamieren ({claim}).";
    BothFlagsKnown:
        "Both flags have fallen, {side}'s first; the first decides ({article}).",
        "Beide Fallblättchen sind gefallen, das von {side} zuerst; das erste entscheidet ({article}).";
    BothFlagsDraw:
        "Both flags have fallen: the game is drawn ({article}).",
        "Beide Fallblättchen sind gefallen: Die Partie ist remis ({article}).";
    BothFlagsGoOn:
        "Both flags have fallen, and which was first cannot be told; in this period the game goes on ({article}).",
        "Beide Fallblättchen sind gefallen, und welches zuerst, ist nicht feststellbar; in dieser Zeitperiode wird \
         die Partie fortgesetzt ({article}).";

    BothFlagsUnruled:
        "Both flags have fallen, and which was first cannot be told from the reports. Look at the clock's own sign; \
         a draw follows only where a quickplay finish has been announced and nothing is added for a move ({article}).",
        "Beide Fallblättchen sind gefallen, und welches zuerst, ist aus den Meldungen nicht feststellbar. Die Anzeige \
         der Uhr entscheidet; remis ist es nur, wenn die Endspurtphase angekündigt ist und ohne Zeitgutschrift \
         gespielt wird ({article}).";
    MovesNotDone:
        "{done} of the {due} moves due had been completed.",
        "Abgeschlossen waren {done} der {due} vorgeschriebenen Züge.";
    FlagRunsOn:
        "The clock calls itself blocked and runs on for the opponent: look at its display.",
        "Die Uhr meldet sich blockiert und läuft doch für den Gegner weiter: Anzeige der Uhr prüfen.";
    FlagNewPeriod:
        "The clock has gone on with {time}: it may only be the end of a period. Set time_control to have the moves \
         counted.",
        "Die Uhr läuft mit {time} weiter: Vielleicht ist nur eine Zeitperiode zu Ende. Mit time_control werden die \
         Züge gezählt.";

    // Draw claims.
    Threefold:
        "The same position has appeared {times} times: {side} may claim a draw ({article}, {lost}). For the \
         arbiter only.",
        "Die gleiche Stellung ist zum {times}. Mal entstanden: {side} darf remis reklamieren ({article}, {lost}). \
         Nur für den Schiedsrichter.";
    Fifty:
        "Fifty moves of each player without capture or pawn move: {side} may claim a draw ({article}, {lost}). For \
         the arbiter only.",
        "Fünfzig Züge von jedem Spieler ohne Schlagen und ohne Bauernzug: {side} darf remis reklamieren ({article}, \
         {lost}). Nur für den Schiedsrichter.";
    ClaimCorrect:
        "{side}'s claim of a draw is correct, {why}: the game is drawn ({article}).",
        "Der Remisantrag von {side} ist berechtigt, {why}: Die Partie ist remis ({article}).";
    ClaimIncorrect:
        "{side}'s claim of a draw is not correct, {why}. Give {opponent} {time} more ({article}).",
        "Der Remisantrag von {side} ist nicht berechtigt, {why}. {opponent} bekommt {time} dazu ({article}).";
    ClaimAfterTouch:
        "{side}'s claim of a draw would be correct, {why}; but a piece was lifted before it, and whoever touches a \
         piece has lost the right ({article}).",
        "Der Remisantrag von {side} wäre berechtigt, {why}; aber vorher wurde eine Figur angehoben, und wer eine \
         Figur berührt, kann nicht mehr reklamieren ({article}).";
    WhyTimes:
        "the position has appeared {n} times",
        "die Stellung ist {n}-mal entstanden";
    WhyMoves:
        "{n} moves of each player without capture or pawn move",
        "{n} Züge von jedem Spieler ohne Schlagen und ohne Bauernzug";
    IntendedFollows:
        "The intended move {move} must be played.",
        "Der beabsichtigte Zug {move} muss ausgeführt werden.";

    // The arbiter's entries.
    Resigned:
        "{side} has resigned: {opponent} has won ({article}).",
        "{side} hat aufgegeben: {opponent} hat gewonnen ({article}).";
    ResignedDrawn:
        "{side} has resigned, but {opponent} cannot checkmate by any series of legal moves: the game is drawn \
         ({article}).",
        "{side} hat aufgegeben, aber {opponent} kann mit keiner Folge regelgemäßer Züge matt setzen: Die Partie ist \
         remis ({article}).";
    DrawOffered:
        "{side} offers a draw ({article}); both players note it with (=).",
        "{side} bietet remis an ({article}); beide Spieler vermerken es mit (=).";
    Reinstated:
        "The position after ply {ply} stands again. When it was completed the clock showed {white} for White and \
         {black} for Black; the move counters are {white_moves} and {black_moves}. Set it as you judge best ({article}).",
        "Die Stellung nach Halbzug {ply} steht wieder. Als er abgeschlossen wurde, zeigte die Uhr {white} für Weiß und \
         {black} für Schwarz; die Zugzähler stehen auf {white_moves} und {black_moves}. Einstellen nach bestem Ermessen \
         ({article}).";
    Incident: "Incident: {reason}", "Vorfall: {reason}";
    IncidentTime: "{opponent} gets {time}.", "{opponent} bekommt {time}.";
    ColoursNewGame:
        "The colours are reversed and fewer than {moves} moves have been made by both: stop the game and start a new \
         one ({article}).",
        "Die Farben sind vertauscht, und es sind noch keine {moves} Züge von beiden ausgeführt: Die Partie wird \
         abgebrochen und eine neue begonnen ({article}).";
    ColoursStay:
        "The colours are reversed: the game goes on ({article}).",
        "Die Farben sind vertauscht: Die Partie wird fortgesetzt ({article}).";
    QuickplayAccepted:
        "{opponent} accepts the draw offered with the request: the game is drawn ({article}).",
        "{opponent} nimmt das mit dem Antrag verbundene Remisangebot an: Die Partie ist remis ({article}).";
    QuickplayIncrement:
        "Five seconds a move for both from now on; give {opponent} {time} more ({article}).",
        "Ab jetzt fünf Sekunden Zeitgutschrift je Zug für beide; {opponent} bekommt {time} dazu ({article}).";
    QuickplayRefused:
        "No increment; give {opponent} {time} more, the game goes on and {side} may claim a draw ({article}).",
        "Keine Zeitgutschrift; {opponent} bekommt {time} dazu, die Partie wird fortgesetzt, {side} darf remis \
         beantragen ({article}).";
    QuickplayDrawn:
        "{side}'s claim is right, the game cannot be won or is not being won by normal means: drawn ({article}).",
        "Der Antrag von {side} ist berechtigt, mit normalen Mitteln wird nicht gewonnen: Die Partie ist remis \
         ({article}).";
    QuickplayRejected:
        "{side}'s claim is rejected; give {opponent} {time} more ({article}).",
        "Der Antrag von {side} ist abgelehnt; {opponent} bekommt {time} dazu ({article}).";
    QuickplayPostponed:
        "The decision on {side}'s claim is postponed; {opponent} may be given {time}. Decide later, or when a flag \
         has fallen ({article}).",
        "Die Entscheidung über den Antrag von {side} ist hinausgeschoben; {opponent} darf {time} bekommen. Später \
         entscheiden, oder wenn ein Blättchen gefallen ist ({article}).";
    QuickplayNoArbiter:
        "{side} claims a draw and there is no arbiter: the game is over. For the players to sign: {position}. Moves: \
         {moves} ({article}).",
        "{side} beantragt remis, und es ist kein Schiedsrichter da: Die Partie ist beendet. Zum Unterschreiben: \
         {position}. Züge: {moves} ({article}).";

    // Start and time.
    StartWrong:
        "The game began with wrong pieces on {squares}: cancel it and start a new one ({article}).",
        "Die Partie hat mit falschen Figuren auf {squares} begonnen: Sie wird annulliert und eine neue gespielt \
         ({article}).";
    StartClosed:
        "Both players have completed {moves} moves: the wrong set-up stands; a king or rook that began on a wrong \
         square may not castle ({article}).",
        "Beide Spieler haben {moves} Züge abgeschlossen: Die fehlerhafte Aufstellung bleibt; mit einem König oder \
         Turm, der falsch stand, ist die Rochade unzulässig ({article}).";
    Quickplay:
        "{side} has less than two minutes left and no increment: a request or a claim is possible ({article}).",
        "{side} hat weniger als zwei Minuten ohne Zeitgutschrift: Ein Antrag in der Endspurtphase ist möglich \
         ({article}).";
    QuickplayClaimed:
        "{side} claims in the quickplay finish with less than two minutes left ({article}); stop the clocks and \
         decide, or postpone the decision.",
        "{side} stellt in der Endspurtphase mit weniger als zwei Minuten einen Antrag ({article}); Uhr anhalten und \
         entscheiden oder die Entscheidung hinausschieben.";
    DefaultTime:
        "Nothing has been seen of {side} for {time}: the default time is over ({article}). Has the player arrived?",
        "Von {side} ist seit {time} nichts zu sehen: Die Wartezeit ist abgelaufen ({article}). Ist der Spieler da?";
    ClockStopped:
        "The clock has stood still for {time} ({article}).",
        "Die Uhr steht seit {time} still ({article}).";

    // Equipment.
    BoardLink: "The board cannot be heard.", "Das Brett ist nicht zu erreichen.";
    ClockLink: "The board has lost its clock.", "Das Brett findet seine Uhr nicht.";
    ClockLowBattery: "The clock asks for a new battery.", "Die Uhr braucht eine neue Batterie.";
    BoardBattery: "The board's battery is down to {percent} %.", "Die Batterie des Bretts ist bei {percent} %.";
    LineNoise:
        "The line to the board is noisy, {bytes} bytes were damaged.",
        "Die Leitung zum Brett ist gestört, {bytes} Bytes waren beschädigt.";

    // Windows.
    UntilGameEnd: "until the end of the game", "bis zum Ende der Partie";
    UntilMoveMade: "until {value}'s next move is made", "bis {value} den nächsten Zug ausgeführt hat";
    UntilTouch: "until {value} touches a piece", "bis {value} eine Figur berührt";
    UntilNextCompleted: "until the next move is completed", "bis der nächste Zug abgeschlossen ist";
    UntilMovesEach:
        "until both players have completed {value} moves",
        "bis beide Spieler {value} Züge abgeschlossen haben";
    WindowSentence: "Open {window}.", "Frist: {window}.";

    // The table of rules.
    Needs: "needs", "braucht";
    Proposes: "proposes", "schlägt vor";
    Article: "article", "Artikel";
    Authority: "authority", "Befugnis";
}
