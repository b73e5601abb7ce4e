//! What is said of starts, times, claims and the arbiter's entries.

use super::phrases;

phrases! {
    /// A phrase about starts, times, claims and the arbiter's entries.
    EntryText {
    // Start and time.
    StartWrong:
        "The game began with pieces on wrong squares: {squares} ({article}).",
        "Die Partie hat mit Figuren auf falschen Feldern begonnen: {squares} ({article}).";
    StartOdd:
        "The game began with {pieces}, by what the board shows ({article}).",
        "Nach dem, was das Brett zeigt, stand zu Beginn falsch: {pieces} ({article}).";
    PieceOn: "{piece} on {square}", "{piece} auf {square}";
    LookAtSetUp:
        "Look at the board; if it stands so, put it right before the first move, otherwise cancel the game and start a new \
         one ({authority}).",
        "Brett prüfen; steht es so, vor dem ersten Zug berichtigen, sonst die Partie annullieren und eine neue beginnen \
         ({authority}).";
    ClockTimes:
        "The clock shows {white} for White and {black} for Black; the time control {control} begins with {base} ({article}).",
        "Die Uhr zeigt {white} für Weiß und {black} für Schwarz; die Bedenkzeit {control} beginnt mit {base} ({article}).";
    ClockIncrement:
        "The clock adds {added} for a move; the time control {control} adds {due} ({article}).",
        "Die Uhr schreibt je Zug {added} gut; die Bedenkzeit {control} sieht {due} vor ({article}).";
    PeriodElsewhere:
        "The clock added {added} to {side}'s time at move {move}; the time control {control} adds a period at move {due} \
         ({article}).",
        "Die Uhr hat {side} beim {move}. Zug {added} hinzugefügt; die Bedenkzeit {control} sieht das beim {due}. Zug vor \
         ({article}).";
    PeriodOther:
        "The clock added {added} to {side}'s time at move {move}; the time control {control} adds {base} there ({article}).",
        "Die Uhr hat {side} beim {move}. Zug {added} hinzugefügt; die Bedenkzeit {control} sieht dort {base} vor ({article}).";
    PeriodMissing:
        "{side} has completed move {move}, and the clock has not added the time of the next period ({article}).",
        "{side} hat den {move}. Zug abgeschlossen, und die Uhr hat die Zeit der nächsten Periode nicht hinzugefügt \
         ({article}).";
    CorrectSetting:
        "Stop the clock, install the correct setting, and adjust times and move counter as you judge best ({authority}).",
        "Uhr anhalten, richtig einstellen, Zeiten und Zugzähler nach bestem Ermessen anpassen ({authority}).";
    CorrectBefore: "Set the clock before the game begins ({authority}).", "Uhr vor Partiebeginn einstellen ({authority}).";
    CancelGame: "Cancel it and start a new one ({authority}).", "Annullieren und eine neue beginnen ({authority}).";
    StartClosed:
        "Both players have completed {moves} moves: no claim about set-up, board or clock setting any more ({article}).",
        "Beide Spieler haben {moves} Züge abgeschlossen: Aufstellung, Brettlage und Uhreinstellung können nicht mehr \
         beanstandet werden ({article}).";
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
    NeitherPresent:
        "Where neither player is present, White's clock runs until one arrives ({both}).",
        "Wo keiner der Spieler anwesend ist, läuft die Uhr von Weiß bis zum Eintreffen eines Spielers ({both}).";
    BothLate:
        "If both are absent, both lose: 0-0.",
        "Sind beide nicht da, verlieren beide: 0-0.";
    Muted: "No alerts of this board are told for {time}.", "Von diesem Brett kommen für {time} keine Meldungen.";
    MuteEnded: "Alerts of this board are told again.", "Von diesem Brett kommen wieder Meldungen.";
    ClockStopped: "The clock has stood still for {time} ({article}).", "Die Uhr steht seit {time} still ({article}).";

    // Draw claims.
    Threefold:
        "The position has appeared for the {nth} time: {side} may claim a draw until {side} touches a piece ({article}, {lost}).",
        "Die Stellung ist zum {nth} Mal entstanden: {side} darf Remis beantragen, bis {side} eine Figur berührt \
         ({article}, {lost}).";
    Fifty:
        "Fifty moves of each player without capture or pawn move: {side} may claim a draw ({article}, {lost}).",
        "Fünfzig Züge von jedem Spieler ohne Schlagen und ohne Bauernzug: {side} darf Remis beantragen ({article}, \
         {lost}).";
    ForArbiter: "Do not tell the players.", "Den Spielern nichts davon sagen.";
    Third: "third", "dritten";
    Fourth: "fourth", "vierten";
    Fifth: "fifth", "fünften";
    Nth: "{n}th", "{n}.";
    ClaimCorrect:
        "{side}'s claim of a draw is correct ({article}): {why}. The game is drawn.",
        "Der Remisantrag von {side} ist berechtigt ({article}): {why}. Die Partie ist remis.";
    ClaimIncorrect:
        "{side}'s claim of a draw is incorrect ({article}): {why}.",
        "Der Remisantrag von {side} ist unberechtigt ({article}): {why}.";
    ClaimUnknown:
        "{side} claims a draw; since the board was first heard of in this game: {why} ({article}). Nobody knows what was \
         played before.",
        "{side} beantragt Remis; seit das Brett in dieser Partie zum ersten Mal gehört wurde: {why} ({article}). Was davor \
         war, ist nicht bekannt.";
    DecideBySheet:
        "Stop the clocks, reconstruct the game from the score sheets and decide; the claim cannot be withdrawn.",
        "Uhr anhalten, Partie nach den Partieformularen nachspielen und entscheiden; der Antrag kann nicht zurückgezogen werden.";
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
    WhyTooFewTimes:
        "the position has appeared {times}, not 3 times",
        "die Stellung ist {times} entstanden, nicht 3-mal";
    WhyWillAppear:
        "after {move} the position appears for the {nth} time ({ground})",
        "nach {move} entsteht die Stellung zum {nth} Mal ({ground})";
    WhyMoves:
        "{n} moves of each player without capture or pawn move",
        "{n} Züge von jedem Spieler ohne Schlagen und ohne Bauernzug";
    WhyTooFewMoves:
        "{n} of 50 moves of each player without capture or pawn move",
        "{n} von 50 Zügen von jedem Spieler ohne Schlagen und ohne Bauernzug";
    WhyFiftyAfter:
        "with {move} each player has made 50 moves without capture or pawn move ({ground})",
        "mit {move} hat jeder Spieler 50 Züge ohne Schlagen und ohne Bauernzug ausgeführt ({ground})";
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
        "{side} hat mit {move} Remis beantragt und stattdessen {played} gespielt ({article}).";
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
    DrawOffered: "{side} offers a draw ({article}).", "{side} bietet Remis an ({article}).";
    NoteOffer: "Both players note it with (=).", "Beide Spieler vermerken es mit (=).";
    OfferStands:
        "It stands until {opponent} accepts, refuses or touches a piece.",
        "Es gilt, bis {opponent} annimmt, ablehnt oder eine Figur berührt.";
    OfferWrongTime:
        "It is valid; if it was not made between move and press, see whether {opponent} was disturbed ({article}).",
        "Es gilt; falls nicht zwischen Zug und Uhrdrücken angeboten, prüfen, ob {opponent} gestört wurde ({article}).";
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
        "By now {piece} stands there; it has to be a queen ({article}).",
        "Inzwischen steht dort {piece}; es muss eine Dame sein ({article}).";
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
    DeviceCarried:
        "An electronic device of {side} was not switched off ({article}). If it only was carried, a penalty is up to you \
         ({penalties}). If it made a sound, the game is lost for {side}: enter {score}.",
        "Ein elektronisches Gerät von {side} war nicht ausgeschaltet ({article}). Wurde es nur mitgeführt, entscheiden Sie \
         über eine Strafe ({penalties}). Hat es ein Geräusch gemacht, ist die Partie für {side} verloren: {score} eintragen.";
    DeviceCarriedHalf:
        "An electronic device of {side} was not switched off ({article}). If it only was carried, a penalty is up to you \
         ({penalties}). If it made a sound, the game is lost for {side}, and {opponent}, who cannot win by any series of \
         legal moves, gets half a point.",
        "Ein elektronisches Gerät von {side} war nicht ausgeschaltet ({article}). Wurde es nur mitgeführt, entscheiden Sie \
         über eine Strafe ({penalties}). Hat es ein Geräusch gemacht, ist die Partie für {side} verloren, und {opponent} bekommt \
         einen halben Punkt, da mit keiner Folge regelgemäßer Züge zu gewinnen ist.";
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
    NoAppeal:
        "A decision under {final} is final and cannot be appealed against.",
        "Gegen eine Entscheidung nach {final} ist kein Protest möglich; sie ist endgültig.";
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
        "Five seconds a move for both from now on; give {time} extra time to {opponent} ({article}).",
        "Ab jetzt fünf Sekunden Zeitgutschrift je Zug für beide; {opponent} bekommt {time} dazu ({article}).";
    QuickplayRefused:
        "No increment: the game goes on, and {side} may claim a draw ({article}). By another reading {opponent} gets \
         {time}.",
        "Keine Zeitgutschrift: Die Partie wird fortgesetzt, {side} darf Remis beantragen ({article}). Nach anderer \
         Lesart bekommt {opponent} {time}.";
    QuickplayDrawn:
        "{side}'s claim is right: the game cannot be won, or is not being won, by normal means. It is drawn ({article}).",
        "Der Antrag von {side} ist berechtigt: Mit normalen Mitteln ist die Partie nicht zu gewinnen oder wird nicht \
         gewonnen. Sie ist remis ({article}).";
    QuickplayRejected:
        "{side}'s claim is rejected; give {time} extra time to {opponent} ({article}).",
        "Der Antrag von {side} ist abgelehnt; {opponent} bekommt {time} dazu ({article}).";
    QuickplayPostponed:
        "The decision on {side}'s claim is postponed; {opponent} may be given {time}. Decide later, or when a flag \
         has fallen ({article}).",
        "Die Entscheidung über den Antrag von {side} ist hinausgeschoben; {opponent} darf {time} bekommen. Später \
         entscheiden, oder wenn ein Blättchen gefallen ist ({article}).";
    QuickplayNoArbiter:
        "{side} claims a draw without an arbiter: play has ended, the result is open ({article}).",
        "{side} beantragt Remis ohne Schiedsrichter: Das Spiel ist beendet, das Ergebnis offen ({article}).";
    SignSheet:
        "Have the final position written down and verified by {opponent}; where no effort to win is the ground, with the \
         complete score of the game; then send it in.",
        "Endstellung aufschreiben und von {opponent} bestätigen lassen; ist der Grund, dass kein Gewinnversuch gemacht \
         wird, samt vollständiger Notation; dann einsenden.";
    SignPosition:
        "The ground is that the game cannot be won by normal means: have the final position written down and verified by \
         {opponent}; then send it in.",
        "Grund: mit normalen Mitteln nicht zu gewinnen. Endstellung aufschreiben und von {opponent} bestätigen lassen; dann \
         einsenden.";
    SignScore:
        "The ground is that no effort is made to win by normal means: have the final position and the complete score of \
         the game verified by {opponent}; then send them in.",
        "Grund: kein Gewinnversuch mit normalen Mitteln. Endstellung und vollständige Notation von {opponent} bestätigen \
         lassen; dann einsenden.";
    GroundMeans:
        "Ground: the game cannot be won by normal means.",
        "Grund: mit normalen Mitteln nicht zu gewinnen.";
    GroundEffort:
        "Ground: no effort is made to win the game by normal means.",
        "Grund: kein Gewinnversuch mit normalen Mitteln.";
    Quickplay:
        "{side} has less than two minutes left and no increment: a request or a claim is possible ({article}).",
        "{side} hat weniger als zwei Minuten ohne Zeitgutschrift: Ein Antrag in der Endspurtphase ist möglich \
         ({article}).";
    QuickplayClaimOnly:
        "{side} has less than two minutes left and no increment: a claim is possible ({article}).",
        "{side} hat weniger als zwei Minuten ohne Zeitgutschrift: Ein Antrag in der Endspurtphase ist möglich \
         ({article}).";
    QuickplayClaimed:
        "{side} claims a draw in the quickplay finish with less than two minutes left ({article}).",
        "{side} beantragt in der Endspurtphase mit weniger als zwei Minuten Remis ({article}).";
    StopAndDecide:
        "Stop the clocks and decide, or postpone the decision.",
        "Uhr anhalten und entscheiden oder die Entscheidung hinausschieben.";
    }
}
