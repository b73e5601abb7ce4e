//! What is said of starts, times, claims and the arbiter's entries.

use super::phrases;

phrases! {
    /// A phrase about starts, times, claims and the arbiter's entries.
    EntryText {
    // Start and time.
    StartWrong:
        "The game began with pieces on wrong squares: {squares} ({article}).",
        "Die Partie hat mit Figuren auf falschen Feldern begonnen: {squares} ({article}).";
    CancelGame: "Cancel it and start a new one ({authority}).", "Annullieren und eine neue beginnen ({authority}).";
    StartClosed:
        "Both players have completed {moves} moves: set-up, board and clock setting stay as they are ({article}).",
        "Beide Spieler haben {moves} Züge abgeschlossen: Aufstellung, Brettlage und Uhreinstellung bleiben \
         ({article}).";
    NoCastling:
        "No castling with a king or rook that began on a wrong square.",
        "Keine Rochade mit einem König oder Turm, der falsch stand.";
    ColoursNewGame:
        "The colours are reversed, and at least one player has made fewer than {moves} moves ({article}).",
        "Die Farben sind vertauscht, und mindestens ein Spieler hat weniger als {moves} Züge ausgeführt ({article}).";
    StartNewGame: "Stop the game and start a new one.", "Partie abbrechen und eine neue beginnen.";
    ColoursStay: "The colours are reversed ({article}).", "Die Farben sind vertauscht ({article}).";
    GoOn: "The game goes on.", "Die Partie wird fortgesetzt.";
    GoOnUnlessRuled:
        "The game goes on, unless you rule otherwise.",
        "Die Partie wird fortgesetzt, wenn Sie nicht anders entscheiden.";
    DefaultTime:
        "Nothing has been seen of {side} since the start of the round, {time} ago ({article}).",
        "Von {side} ist seit Beginn der Runde vor {time} nichts zu sehen ({article}).";
    HasArrived:
        "See whether {side} has arrived; if not, the game is lost for {side}, unless you decide otherwise.",
        "Prüfen, ob {side} da ist; wenn nicht, ist die Partie für {side} verloren, wenn Sie nicht anders \
         entscheiden.";
    BothLate:
        "Neither player was there: White loses the time until the players arrive ({both}).",
        "Keiner war da: Weiß verliert die Zeit bis zum Eintreffen ({both}).";
    Muted: "No alerts of this board are told for {time}.", "Von diesem Brett kommen für {time} keine Meldungen.";
    MuteEnded: "Alerts of this board are told again.", "Von diesem Brett kommen wieder Meldungen.";
    ClockStopped: "The clock has stood still for {time} ({article}).", "Die Uhr steht seit {time} still ({article}).";

    // Draw claims.
    Threefold:
        "The position has appeared {times}: {side} may claim a draw ({article}, {lost}).",
        "Die Stellung ist {times} entstanden: {side} darf remis reklamieren ({article}, {lost}).";
    Fifty:
        "Fifty moves of each player without capture or pawn move: {side} may claim a draw ({article}, {lost}).",
        "Fünfzig Züge von jedem Spieler ohne Schlagen und ohne Bauernzug: {side} darf remis reklamieren ({article}, \
         {lost}).";
    ForArbiter: "For the arbiter only.", "Nur für den Schiedsrichter.";
    ClaimCorrect:
        "{side}'s claim of a draw is correct, {why}: the game is drawn ({article}).",
        "Der Remisantrag von {side} ist berechtigt, {why}: Die Partie ist remis ({article}).";
    ClaimIncorrect:
        "{side}'s claim of a draw is not correct, {why} ({article}).",
        "Der Remisantrag von {side} ist nicht berechtigt, {why} ({article}).";
    ClaimUnknown:
        "{side} claims a draw; since the board was first heard of in this game: {why} ({article}). Nobody knows what was \
         played before.",
        "{side} beantragt remis; seit das Brett in dieser Partie zum ersten Mal gehört wurde: {why} ({article}). Was davor \
         war, ist nicht bekannt.";
    DecideBySheet:
        "Reconstruct the game from the score sheets and decide.",
        "Die Partie nach den Partieformularen nachspielen und entscheiden.";
    ColoursUnknown:
        "The colours are reversed; whether both players have made {moves} moves is not known ({article}).",
        "Die Farben sind vertauscht; ob beide Spieler {moves} Züge ausgeführt haben, ist nicht bekannt ({article}).";
    ClaimIsOffer:
        "The claim also counts as an offer of a draw ({article}).",
        "Der Antrag gilt auch als Remisangebot ({article}).";
    ClaimAfterTouch:
        "{side}'s claim of a draw would be correct, {why}; but {side} lifted a piece before it ({article}).",
        "Der Remisantrag von {side} wäre berechtigt, {why}; aber {side} hat vorher eine Figur angehoben ({article}).";
    WasItTouched:
        "Whoever touches a piece loses the right: ask whether it was touched.",
        "Wer eine Figur berührt, verliert das Recht: fragen, ob sie berührt wurde.";
    WhyTimes: "the position has appeared {times}", "die Stellung ist {times} entstanden";
    WhyMoves:
        "{n} moves of each player without capture or pawn move",
        "{n} Züge von jedem Spieler ohne Schlagen und ohne Bauernzug";
    WhyMove:
        "one move of each player without capture or pawn move",
        "ein Zug von jedem Spieler ohne Schlagen und ohne Bauernzug";
    WhyNotCompleted:
        "the last move has not been completed",
        "der letzte Zug ist nicht abgeschlossen";
    WhyIntendedIllegal:
        "the intended move {move} is illegal",
        "der beabsichtigte Zug {move} ist regelwidrig";
    IntendedFollows:
        "{side} must now play {move}.",
        "{side} muss jetzt {move} spielen.";
    IntendedNotPlayed:
        "{side} claimed with {move} and played {played} instead ({article}).",
        "{side} hat mit {move} reklamiert und stattdessen {played} gespielt ({article}).";
    PlayIntended: "{move} must be played.", "{move} muss gespielt werden.";

    // The arbiter's entries.
    Resigned:
        "{side} has resigned: {opponent} has won ({article}).",
        "{side} hat aufgegeben: {opponent} hat gewonnen ({article}).";
    ResignedDrawn:
        "{side} has resigned, but {opponent} cannot checkmate by any series of legal moves: the game is drawn \
         ({article}).",
        "{side} hat aufgegeben, aber {opponent} kann mit keiner Folge regelgemäßer Züge matt setzen: Die Partie ist \
         remis ({article}).";
    DrawOffered: "{side} offers a draw ({article}).", "{side} bietet remis an ({article}).";
    NoteOffer: "Both players note it with (=).", "Beide Spieler vermerken es mit (=).";
    OfferStands:
        "It stands until {opponent} accepts, refuses or touches a piece.",
        "Es gilt, bis {opponent} annimmt, ablehnt oder eine Figur berührt.";
    OfferWrongTime:
        "It comes at the wrong time but is valid; consider whether {opponent} was disturbed ({article}).",
        "Der Zeitpunkt ist falsch, das Angebot gilt trotzdem; prüfen, ob {opponent} gestört wurde ({article}).";
    OfferTooEarly:
        "This event allows no draw by agreement before move {move} ({article}).",
        "Dieses Turnier erlaubt kein vereinbartes Remis vor dem {move}. Zug ({article}).";
    OfferNeedsYou:
        "In this event a draw by agreement needs your consent ({article}).",
        "In diesem Turnier braucht ein vereinbartes Remis Ihre Zustimmung ({article}).";
    AgreedTooEarly:
        "A draw can be agreed only after each player has made a move ({article}).",
        "Remis kann erst vereinbart werden, wenn jeder einen Zug ausgeführt hat ({article}).";
    NoQueen:
        "By now {man} stands there; it has to be a queen ({article}).",
        "Inzwischen steht dort {man}; es muss eine Dame sein ({article}).";
    FlagBefore:
        "{side}'s flag had fallen before: if that was called or claimed first, it decides ({article}).",
        "Das Fallblättchen von {side} war vorher gefallen: Wurde das zuerst festgestellt oder reklamiert, entscheidet \
         es ({article}).";
    LateRuling:
        "Recorded, but the time to intervene was over: {opponent} had made the next move ({article}).",
        "Vermerkt, aber zum Eingreifen war es zu spät: {opponent} hatte den nächsten Zug ausgeführt ({article}).";
    Reinstated:
        "The position after ply {ply} stands again. When it was completed the clock showed {white} for White and \
         {black} for Black; the move counters are {white_moves} and {black_moves}. Set it as you judge best ({article}).",
        "Die Stellung nach Halbzug {ply} steht wieder. Als er abgeschlossen wurde, zeigte die Uhr {white} für Weiß und \
         {black} für Schwarz; die Zugzähler stehen auf {white_moves} und {black_moves}. Einstellen nach bestem Ermessen \
         ({article}).";
    Incident: "Incident: {reason}", "Vorfall: {reason}";
    Device:
        "{side} has an electronic device that was not approved: the game is lost for {side} ({article}). Enter {score}, \
         unless the rules of the event set a lesser penalty.",
        "{side} hat ein elektronisches Gerät ohne Erlaubnis bei sich: Die Partie ist für {side} verloren ({article}). \
         {score} eintragen, wenn das Turnierreglement keine mildere Strafe vorsieht.";
    DeviceSound:
        "An electronic device of {side} made a sound: the game is lost for {side} ({article}). Enter {score}.",
        "Ein elektronisches Gerät von {side} hat ein Geräusch gemacht: Die Partie ist für {side} verloren ({article}). \
         {score} eintragen.";
    DeviceSoundHalf:
        "An electronic device of {side} made a sound: the game is lost for {side}. {opponent} cannot win by any series \
         of legal moves and gets half a point ({article}).",
        "Ein elektronisches Gerät von {side} hat ein Geräusch gemacht: Die Partie ist für {side} verloren. {opponent} \
         kann mit keiner Folge regelgemäßer Züge gewinnen und bekommt einen halben Punkt ({article}).";
    OutsideHelp:
        "{side} used notes, advice or another chessboard ({article}). Decide on the penalty ({penalties}).",
        "{side} hat Notizen, Ratschläge oder ein anderes Schachbrett benutzt ({article}). Über die Strafe entscheiden \
         ({penalties}).";
    LeftVenue:
        "{side} left the playing venue without permission, or the playing area while to move ({article}). Decide on the \
         penalty ({penalties}).",
        "{side} hat ohne Erlaubnis die Turnierräumlichkeiten oder, am Zug, den Spielbereich verlassen ({article}). Über \
         die Strafe entscheiden ({penalties}).";
    Disturbed:
        "{side} distracted or annoyed {opponent} ({article}). Decide on the penalty ({penalties}).",
        "{side} hat {opponent} abgelenkt oder gestört ({article}). Über die Strafe entscheiden ({penalties}).";
    Fine:
        "{side} is fined ({article}). A fine has to be announced in advance.",
        "{side} bekommt eine Geldstrafe ({article}). Sie muss im Voraus angekündigt sein.";
    Explanation:
        "{side} asked for an explanation of the Laws, as is every player's right ({article}).",
        "{side} hat eine Erklärung der Schachregeln verlangt; das ist das Recht jedes Spielers ({article}).";
    Appeal:
        "{side} appeals against a decision of the arbiter ({article}). Note the time and the position.",
        "{side} legt gegen eine Entscheidung des Schiedsrichters Protest ein ({article}). Zeit und Stellung festhalten.";
    ClockAssistant:
        "An assistant presses the clock for {side} ({article}). Adjust the time of {side} fairly, unless {side} is \
         disabled.",
        "Ein Assistent bedient die Uhr für {side} ({article}). Die Bedenkzeit von {side} angemessen anpassen, außer bei \
         einer Behinderung.";
    SpecialMeasures:
        "Special measures for {side}, who is disabled or needs medical attention ({article}).",
        "Besondere Maßnahmen für {side} wegen einer Behinderung oder medizinischer Betreuung ({article}).";
    IncidentTime: "{opponent} gets {time}.", "{opponent} bekommt {time}.";
    QuickplayAccepted:
        "{opponent} accepts the draw offered with the request: the game is drawn ({article}).",
        "{opponent} nimmt das mit dem Antrag verbundene Remisangebot an: Die Partie ist remis ({article}).";
    QuickplayIncrement:
        "Five seconds a move for both from now on; give {opponent} {time} more ({article}).",
        "Ab jetzt fünf Sekunden Zeitgutschrift je Zug für beide; {opponent} bekommt {time} dazu ({article}).";
    QuickplayRefused:
        "No increment: the game goes on, and {side} may claim a draw ({article}). By another reading {opponent} gets \
         {time}.",
        "Keine Zeitgutschrift: Die Partie wird fortgesetzt, {side} darf remis beantragen ({article}). Nach anderer \
         Lesart bekommt {opponent} {time}.";
    QuickplayDrawn:
        "{side}'s claim is right: the game cannot be won, or is not being won, by normal means. It is drawn ({article}).",
        "Der Antrag von {side} ist berechtigt: Mit normalen Mitteln ist die Partie nicht zu gewinnen oder wird nicht \
         gewonnen. Sie ist remis ({article}).";
    QuickplayRejected:
        "{side}'s claim is rejected; give {opponent} {time} more ({article}).",
        "Der Antrag von {side} ist abgelehnt; {opponent} bekommt {time} dazu ({article}).";
    QuickplayPostponed:
        "The decision on {side}'s claim is postponed; {opponent} may be given {time}. Decide later, or when a flag \
         has fallen ({article}).",
        "Die Entscheidung über den Antrag von {side} ist hinausgeschoben; {opponent} darf {time} bekommen. Später \
         entscheiden, oder wenn ein Blättchen gefallen ist ({article}).";
    QuickplayNoArbiter:
        "{side} claims a draw without an arbiter: play has ended, the result is open ({article}).",
        "{side} beantragt remis ohne Schiedsrichter: Das Spiel ist beendet, das Ergebnis offen ({article}).";
    SignSheet:
        "Have both players check and sign position and moves; then enter the result.",
        "Beide Spieler prüfen und unterschreiben Stellung und Züge; dann das Ergebnis eintragen.";
    Quickplay:
        "{side} has less than two minutes left and no increment: a request or a claim is possible ({article}).",
        "{side} hat weniger als zwei Minuten ohne Zeitgutschrift: Ein Antrag in der Endspurtphase ist möglich \
         ({article}).";
    QuickplayClaimed:
        "{side} claims a draw in the quickplay finish with less than two minutes left ({article}).",
        "{side} beantragt in der Endspurtphase mit weniger als zwei Minuten remis ({article}).";
    StopAndDecide:
        "Stop the clocks and decide, or postpone the decision.",
        "Uhr anhalten und entscheiden oder die Entscheidung hinausschieben.";
    }
}
