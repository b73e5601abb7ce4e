### What the rules say in alerts, and what the arbiter’s entries are answered with.

## Names and numbers

White = Weiß
Black = Schwarz
TheWhite = Weiß
TheBlack = Schwarz
BothPlayers = beide Spieler
Pawn =
    .the = der Bauer
    .object = den Bauer
    .it = ihn
    .white = ein weißer Bauer
    .black = ein schwarzer Bauer
Knight =
    .the = der Springer
    .object = den Springer
    .it = ihn
    .white = ein weißer Springer
    .black = ein schwarzer Springer
Bishop =
    .the = der Läufer
    .object = den Läufer
    .it = ihn
    .white = ein weißer Läufer
    .black = ein schwarzer Läufer
Rook =
    .the = der Turm
    .object = den Turm
    .it = ihn
    .white = ein weißer Turm
    .black = ein schwarzer Turm
Queen =
    .the = die Dame
    .object = die Dame
    .it = sie
    .white = eine weiße Dame
    .black = eine schwarze Dame
King =
    .the = der König
    .object = den König
    .it = ihn
    .white = ein weißer König
    .black = ein schwarzer König
SanLetters = KDTLS
Minute = { $n } Minute
Minutes = { $n } Minuten
Second = { $n } Sekunde
Seconds = { $n } Sekunden
Once = einmal
Twice = zweimal
Times = { $n }-mal
DecimalPoint = ,

## Illegal moves and what is treated as one

IllegalMove = { $side } hat einen regelwidrigen Zug abgeschlossen: { $why } ({ $article }).
WhyPattern = { $piece } kann nicht von { $from } nach { $to } ziehen
WhyCheck = der König auf { $square } bleibt im Schach
WhyIntoCheck = der König zog nach { $square } ins Schach
WhyCastlingRight = Rochade, obwohl das Recht dazu verloren war
WhyCastlingBetween = Rochade, obwohl zwischen König und Turm eine Figur steht
WhyCastlingOut = Rochade aus dem Schach
WhyCastlingThrough = Rochade über das angegriffene Feld { $square }
WhyCastlingInto = Rochade ins Schach auf { $square }
WhyCastlingRookLeft = Rochade, bei der der Turm stehen blieb
WhyCastlingRookWrong = Rochade mit dem Turm auf einem falschen Feld
WhyCastlingBothWrong = Rochade mit König und Turm auf falschen Feldern
WhyKingCaptured = der gegnerische König wurde geschlagen
WhyOpponentsPiece = die gegnerische Figur von { $square } wurde gezogen
WhyTwoMoves = es wurde mehr als ein Zug ausgeführt
WhyPromotionIncomplete = der Bauer wurde entfernt, und auf dem Umwandlungsfeld steht keine Figur
WhyPromotionPiece = auf { $square } steht { $piece }
WhyPawnNotRemoved = der Bauer steht noch auf { $square } neben der Figur, in die er umgewandelt wurde
WhyEnPassant = der en passant geschlagene Bauer steht noch auf { $square }
WhyOther = kein regelgemäßer Zug führt zu dieser Stellung
PromotionLeft = { $side } hat die Uhr gedrückt, ohne den Bauern auf { $square } zu ersetzen ({ $article }).
PressWithoutMove = { $side } hat die Uhr gedrückt, ohne zu ziehen ({ $article }).
TwoHands = { $side } hat { $move } möglicherweise mit zwei Händen ausgeführt ({ $article }).
CountsIfConfirmed = Es zählt nur, wenn Sie es bestätigen.
Reinstate = Stellung unmittelbar vor dem Regelverstoß wiederherstellen.
ReinstateFirst = Stellung vor dem ersten Regelverstoß (von { $side }) wiederherstellen ({ $article }).
DutyMove = { $piece } auf { $square } wurde zuerst berührt: { $side } muss { $it } ziehen ({ $article }).
DutyCapture = { $piece } auf { $square } wurde zuerst berührt: { $side } muss { $it } schlagen ({ $article }).
DutyReleased = { $piece } von { $square } hatte auf { $to } geruht: Hatte die Hand losgelassen, muss { $side } dorthin ziehen ({ $article }).
DutyKing = { $side } muss den König ziehen, auch mit einer Rochade, wenn er ziehen kann ({ $article }).
DutyKingOnly = { $side } muss den König ziehen ({ $article }).
DutyRook = Der Turm wurde zuerst berührt: { $side } muss ihn ziehen, wenn möglich ({ $article }).
DutyCastle = Der König wurde losgelassen: { $side } muss nach dieser Seite rochieren ({ $article }).
DutyNone = Die berührte Figur kann nicht ziehen: { $side } darf jeden regelgemäßen Zug ausführen ({ $article }).
DutyUnknown = { $side } muss eine berührte Figur ziehen, die ziehen kann ({ $article }).
BecomesQueen = Der Bauer auf { $square } wird zur Dame.
ClockBack = { $side } bleibt am Zug; Uhr von { $side } wieder in Gang setzen.
GiveTime = Zur Bedenkzeit von { $opponent } { $time } hinzufügen ({ $article }).
ByAnalogy = In Anlehnung an { $article } sind es { $time }.
ByTheLetter = Das gilt in Anlehnung; { $article } gibt dem Wortlaut nach { $time }.
TakeBackTime = Zeitgutschrift von { $side } zurücknehmen: { $time } ({ $article }).
NoTime = Keine zusätzliche Zeit; über eine Strafe entscheiden Sie ({ $authority }).
OnlyOnClaim = Nur eingreifen, wenn { $opponent } reklamiert ({ $authority }).
OnlyOnRequest = Nur eingreifen, wenn { $opponent } es verlangt ({ $authority }).
InterveneUnasked = Wenn möglich sofort eingreifen, auch ohne Reklamation ({ $authority }).
CompletedIllegal = { $nth } abgeschlossener regelwidriger Zug von { $side }
CompletedOffence = { $nth } abgeschlossener regelwidriger Zug (oder was als solcher zählt) von { $side }
GameLost = { $what }: { $side } verliert ({ $article }).
GameDrawn = { $what }: Die Partie ist remis ({ $article }).
FirstIs = Erster
SecondIs = Zweiter
ThirdIs = Dritter
NthIs = { $n }.
ClaimWin = { $opponent } darf wegen des regelwidrigen Zuges von { $side } den Gewinn reklamieren ({ $article }).
ClaimDraw = { $opponent } darf wegen des regelwidrigen Zuges von { $side } Remis reklamieren ({ $article }).
WaitForClaim = Nicht von selbst eingreifen; nichts wird zurückgestellt.
RestsOnOpen = Dabei zählt ein früherer, über den noch niemand entschieden hat. Erst diesen bestätigen oder verwerfen.
LateNotCounted = Meldung { $alert } wurde bestätigt, als es zum Eingreifen zu spät war, und zählt nicht ({ $article }). Wurde sie rechtzeitig reklamiert oder darüber entschieden, ist dies einer mehr.
AddsUpWith = Meldung { $other } ist auch offen: Wenn Sie beide bestätigen, zählen sie als zwei.
WouldDecide = Wenn Sie sie bestätigen: { $what }; das entscheidet die Partie ({ $article }).
DeclareLost = Die Partie für verloren erklären.
DeclareDrawn = Die Partie remis erklären.
CanMate = { $winner } könnte durch eine Folge regelgemäßer Züge matt setzen.
CannotMate = { $winner } kann mit keiner Folge regelgemäßer Züge matt setzen.
MateUnknown = Prüfen, ob die Stellung blockiert ist: Kann { $winner } gar nicht matt setzen, ist die Partie remis.
BareOnBoard = So wie das Brett steht, könnte { $winner } nicht matt setzen; es gilt die wiederhergestellte Stellung.
ClaimWindowClosed = { $opponent } hat den nächsten Zug ausgeführt: Der regelwidrige Zug von { $side } bleibt bestehen ({ $article }).
PressWindowClosed = { $opponent } hat den nächsten Zug ausgeführt: Das Uhrdrücken von { $side } ohne Zug hat keine Folgen mehr ({ $article }).
TooLate = Es ist zu spät: nicht eingreifen.
TooLateUnlessAgreed = Es ist zu spät: nicht eingreifen, außer die Spieler einigen sich ohne Sie.

## Illegal positions

BothInCheck = beide Könige stehen im Schach
PawnOnLastRank = ein Bauer von { $side } steht auf der letzten Reihe
IllegalPosition = Regelwidrige Stellung: { $what } ({ $article }).
WaitForNext = Den nächsten abgeschlossenen Zug abwarten; ist die Stellung dann regelwidrig, ist die Partie remis.
WaitUnlessActed = Wenn niemand vorher nach { $authority } eingreift: den nächsten abgeschlossenen Zug abwarten; ist die Stellung dann regelwidrig, ist die Partie remis.
IllegalPositionDraw = Die Stellung ist auch nach dem nächsten Zug regelwidrig: { $what } ({ $article }).
IllegalPositionOther = Nach dem nächsten Zug ist die Stellung regelwidrig: Der König von { $side } steht im Schach ({ $article }).
OrAlert = Nur eines von beiden kann die Partie entscheiden: dies oder Meldung { $other }. Das entscheiden Sie.
OrActAgainst = Nach anderer Auffassung wird gegen { $side } eingegriffen ({ $authority }).

## Handling the pieces

PressBeforeMade = { $side } hat die Uhr gedrückt, bevor der Zug ausgeführt war: Die Figur von { $square } war noch nicht abgesetzt ({ $article }).
UpToYou = Über eine Strafe entscheiden Sie ({ $authority }).
CastlingRookFirst = { $side } hat vor dem König den Turm auf { $square } berührt und rochiert ({ $article }).
RookMustMove = Nach dieser Seite jetzt keine Rochade; der Turm muss ziehen, wenn möglich ({ $duty }).
TouchedOwn = { $side } hat { $piece } auf { $square } { $held } s lang gehalten, zurückgestellt und anders gezogen ({ $article }).
TouchedTheirs = { $side } hätte { $piece } auf { $square } schlagen können, { $held } s lang gehalten, hat aber anders gezogen ({ $article }).
TouchedBefore = { $side } war durch einen früheren Versuch bei diesem Zug gebunden und hat { $played } gespielt. { $duty }
WasItAdjusted = Fragen, ob nur zurechtgerückt wurde ({ $duty }).
ReleasedPiece = Bevor { $side } { $move } zog, hatte { $piece } auf { $square } geruht ({ $article }).
WasItReleased = Fragen, ob die Hand losgelassen hatte; dann bleibt die Figur auf { $square } ({ $duty }).
PromotionChoice = Auf { $square } stand erst { $first }, dann { $chosen }: { $side } hat gewechselt ({ $article }).
FirstChoice = Die erste Wahl gilt ({ $duty }).
ClaimUntilTouch = Mit dem Berühren einer Figur verliert { $opponent } das Recht, das zu reklamieren ({ $authority }).
MismatchAtPress = { $side } hat regelgemäß gezogen, aber das Brett meldet leere Felder: { $squares } ({ $article }).
DisplacedAtPress = { $side } hat gezogen, und das Brett zeigt auf { $squares } keine Figur mehr; sie verschwand in der Zeit von { $side } ({ $article }).
ShovedAtPress = In der Zeit von { $side } kam eine Figur auf das Feld neben ihrem und blieb dort: { $squares } ({ $article }).
MissingSince = Das Brett zeigt seit dem letzten Zug von { $side } auf { $squares } keine Figur ({ $article }).
CentrePieces = Prüfen, ob eine Figur schief steht oder verschoben wurde.
DeadSquares = Das Brett zeigt auf { $squares } nie eine Figur; Feld und Figur prüfen.
StrayPieces = Das Brett zeigt auf { $squares } eine Figur, die dort nicht stehen sollte; Brett prüfen.
WeakSquares = Das Brett verliert immer wieder für Augenblicke, was auf { $squares } steht; Feld und Figur prüfen.
MisreadPieces = Das Brett zeigt auf { $squares } eine andere Figur, als dort hingestellt wurde; Feld und Figur prüfen.
WrongCodes = Das Brett zeigte auf { $squares } für einen Augenblick eine andere Figur; Feld und Figur prüfen.
UnidentifiedPieces = Das Brett meldet, wo Figuren stehen, aber nicht welche: Auf ihm ist keine Partie zu verfolgen.
LatePieces = Das Brett bemerkt Figuren erst lange nach dem Hinstellen, so die von { $squares }; Figuren prüfen.
UntoldChanges = Das Brett hat Änderungen auf { $squares } nicht gemeldet; erst eine Abfrage aller Felder hat sie gezeigt: Kabel prüfen.
SeatsSwapped = Die Seiten scheinen vertauscht: Jeder Druck auf die Uhr folgt einem Zug der anderen Farbe. Steht die Uhr oder das Brett andersherum? Auf der Seite des Bretts umstellen, was verkehrt steht.
Unexplained = Keine Zugfolge erklärt die Figuren auf dem Brett ({ $article }): { $squares }.
CountedSince = Gezählt, seit das Brett in dieser Partie zum ersten Mal gehört wurde; was davor war, ist nicht bekannt.
CountMoves = Der Anfang dieser Partie wurde nicht gesehen: Züge auf den Partieformularen zählen.
EarlierUnknown = Regelverstöße, bevor das Brett in dieser Partie zum ersten Mal gehört wurde, sind nicht gezählt.
CompareSheet = Mit dem Partieformular vergleichen.

## The end of the game

Checkmate = { $side } ist matt: { $opponent } hat gewonnen ({ $article }).
MateFirst = Das Matt geht { $article } vor; nach anderer Auffassung wäre es remis.
Stalemate = { $side } ist patt: Die Partie ist remis ({ $article }).
Fivefold = Die gleiche Stellung ist zum fünften Mal entstanden: Die Partie ist remis ({ $article }).
Seventyfive = Jeder Spieler hat 75 Züge ohne Schlagen und ohne Bauernzug ausgeführt: Die Partie ist remis ({ $article }).
DeadPosition = Kein Spieler kann mit einer Folge regelgemäßer Züge matt setzen: Die Partie ist remis ({ $article }).
FlagFall = Das Fallblättchen von { $side } ist gefallen: Die Partie ist für { $side } verloren ({ $article }).
FlagFallDraw = Das Fallblättchen von { $side } ist gefallen: Die Partie ist remis ({ $article }).
FlagBeforeSetting = Das Fallblättchen von { $side } ist bei Zeiten gefallen, die noch einzustellen waren ({ $article }).
FlagShown = Die Uhr von { $side } zeigt ein gefallenes Blättchen; es zählt erst, wenn { $opponent } reklamiert ({ $article }).
FlagClaimPending = Das Fallblättchen von { $side } ist gefallen, und der Remisantrag von { $side } ist noch nicht entschieden ({ $article }).
FlagOtherClaimPending = Das Fallblättchen von { $side } ist gefallen, und der Remisantrag von { $opponent } ist noch nicht entschieden ({ $article }).
DecideClaim = Den Antrag entscheiden: remis oder durch Zeit verloren ({ $authority }).
FlagCall = Auf das gefallene Blättchen hinweisen ({ $authority }).
DoNotCall = Nicht auf das Blättchen hinweisen ({ $authority }); { $opponent } muss reklamieren ({ $claim }).
OffenceOfWinner = Der Regelverstoß von { $opponent } ist noch offen: zuerst darüber entscheiden ({ $offence }).
TimeNotGiven = Nach der Entscheidung über den Regelverstoß von { $opponent } stand { $side } zusätzliche Zeit zu ({ $offence }), und die Uhr wurde seither nicht angehalten: zuerst die Zeiten einstellen, dann entscheiden, ob das Blättchen zählt ({ $article }).
FlagFirst = Das Fallblättchen von { $side } war vorher gefallen: zuerst darüber entscheiden; wurde es rechtzeitig festgestellt oder reklamiert, entscheidet es ({ $article }).
SetUpFirst = Die Aufstellung war falsch (Meldung { $alert }): zuerst darüber entscheiden; wird die Partie annulliert, entfällt auch das hier ({ $article }).
BothFlagsKnown = Beide Fallblättchen sind gefallen, das von { $side } zuerst: Dieses entscheidet ({ $article }).
ClaimNeedsTime = Reklamieren kann nur, wer noch Zeit hat ({ $claim }).
BothFlagsDraw = Beide Fallblättchen sind gefallen: Die Partie ist remis ({ $article }).
BothFlagsGoOn = Beide Fallblättchen sind gefallen, und welches zuerst, ist nicht feststellbar: In dieser Zeitperiode wird die Partie fortgesetzt ({ $article }).
BothFlagsUnruled = Beide Fallblättchen sind gefallen; welches zuerst fiel, ist nicht festzustellen ({ $article }).
LookAtClock = Die Anzeige der Uhr entscheidet. Remis ist es nur in einer angekündigten Endspurtphase ohne Zeitgutschrift ({ $authority }).
MovesNotDone = Abgeschlossen waren { $done } der { $due } vorgeschriebenen Züge.
FlagRunsOn = Die Uhr meldet sich blockiert und läuft doch für den Gegner weiter: Anzeige der Uhr prüfen.
FlagNewPeriod = Die Uhr läuft mit { $time } weiter: Vielleicht ist nur eine Zeitperiode zu Ende. Züge zählen.

## Equipment

BoardLink = Das Brett ist nicht zu erreichen.
ClockLink = Das Brett findet seine Uhr nicht.
ClockLowBattery = Die Uhr braucht eine neue Batterie.
BoardBattery = Die Batterie des Bretts ist bei { $percent } %.
LineNoise = Die Leitung zum Brett ist gestört: { $bytes } Bytes waren beschädigt.

## Windows

UntilGameEnd = bis zum Ende der Partie
UntilMoveMade = bis { $value } den nächsten Zug ausgeführt hat
UntilTouch = bis { $value } eine Figur berührt
UntilNextCompleted = bis der nächste Zug abgeschlossen ist
UntilMovesEach = bis beide Spieler { $value } Züge abgeschlossen haben
WindowSentence = Frist: { $window }.

## The table of rules

Needs = braucht
Proposes = schlägt vor
Article = Artikel
Authority = Befugnis

## Start and time

StartWrong = Die Partie hat mit Figuren auf falschen Feldern begonnen: { $squares } ({ $article }).
StartOdd = Nach dem, was das Brett zeigt, stand zu Beginn falsch: { $pieces } ({ $article }).
PieceOn = { $piece } auf { $square }
LookAtSetUp = Brett prüfen; steht es so, vor dem ersten Zug berichtigen, sonst die Partie annullieren und eine neue beginnen ({ $authority }).
ClockTimes = Die Uhr zeigt { $white } für Weiß und { $black } für Schwarz; die Bedenkzeit { $control } beginnt mit { $base } ({ $article }).
ClockIncrement = Die Uhr schreibt je Zug { $added } gut; die Bedenkzeit { $control } sieht { $due } vor ({ $article }).
PeriodElsewhere = Die Uhr hat { $side } beim { $move }. Zug { $added } hinzugefügt; die Bedenkzeit { $control } sieht das beim { $due }. Zug vor ({ $article }).
PeriodOther = Die Uhr hat { $side } beim { $move }. Zug { $added } hinzugefügt; die Bedenkzeit { $control } sieht dort { $base } vor ({ $article }).
PeriodMissing = { $side } hat den { $move }. Zug abgeschlossen, und die Uhr hat die Zeit der nächsten Periode nicht hinzugefügt ({ $article }).
CorrectSetting = Uhr anhalten, richtig einstellen, Zeiten und Zugzähler nach bestem Ermessen anpassen ({ $authority }).
CorrectBefore = Uhr vor Partiebeginn einstellen ({ $authority }).
CancelGame = Annullieren und eine neue beginnen ({ $authority }).
StartClosed = Beide Spieler haben { $moves } Züge abgeschlossen: Aufstellung, Brettlage und Uhreinstellung können nicht mehr beanstandet werden ({ $article }).
NoCastling = Keine Rochade mit einem König oder Turm, der falsch stand.
ColoursNewGame = Die Farben sind vertauscht, und mindestens ein Spieler hat weniger als { $moves } Züge ausgeführt ({ $article }).
StartNewGame = Partie abbrechen und eine neue beginnen.
ColoursStay = Die Farben sind vertauscht ({ $article }).
GoOn = Die Partie wird fortgesetzt.
GoOnUnlessRuled = Die Partie wird fortgesetzt, wenn Sie nicht anders entscheiden.
DefaultTime = Von { $side } ist seit Beginn der Runde vor { $time } nichts zu sehen ({ $article }).
HasArrived = Prüfen, ob { $side } da ist; wenn nicht, ist die Partie für { $side } verloren, wenn Sie nicht anders entscheiden.
NeitherPresent = Wo keiner der Spieler anwesend ist, läuft die Uhr von Weiß bis zum Eintreffen eines Spielers ({ $both }).
BothLate = Sind beide nicht da, verlieren beide: 0-0.
Muted = Von diesem Brett kommen für { $time } keine Meldungen.
MuteEnded = Von diesem Brett kommen wieder Meldungen.
ClockStopped = Die Uhr steht seit { $time } still ({ $article }).

## Draw claims

Threefold = Die Stellung ist zum { $nth } Mal entstanden: { $side } darf Remis beantragen, bis { $side } eine Figur berührt ({ $article }, { $lost }).
Fifty = Fünfzig Züge von jedem Spieler ohne Schlagen und ohne Bauernzug: { $side } darf Remis beantragen ({ $article }, { $lost }).
ForArbiter = Den Spielern nichts davon sagen.
Third = dritten
Fourth = vierten
Fifth = fünften
Nth = { $n }.
ClaimCorrect = Der Remisantrag von { $side } ist berechtigt ({ $article }): { $why }. Die Partie ist remis.
ClaimCorrectSoFar = Der Remisantrag von { $side } ist nach den Zügen, wie sie stehen, berechtigt ({ $article }): { $why }.
ClaimIncorrect = Der Remisantrag von { $side } ist unberechtigt ({ $article }): { $why }.
ClaimUnknown = { $side } beantragt Remis; seit das Brett in dieser Partie zum ersten Mal gehört wurde: { $why } ({ $article }). Was davor war, ist nicht bekannt.
ClaimThroughIllegal = { $side } beantragt Remis ({ $article }): Seit dem Regelverstoß, der bestehen bleibt: { $why }; darüber hinweg gezählt: { $through }.
DecideCount = Dass ein Regelverstoß, der bestehen bleibt, die Zählung unterbricht, sagen die Regeln nicht: entscheiden, welche Zählung gilt. Ohne Entscheidung bekommt niemand Zeit.
ClaimRestsOnOpen = Ein regelwidriger Zug ist noch offen (Meldung { $alert }): erst darüber entscheiden; wird die Stellung davor wiederhergestellt, entfällt der Antrag mit den Zügen danach ({ $article }).
DecideBySheet = Uhr anhalten, Partie nach den Partieformularen nachspielen und entscheiden; der Antrag kann nicht zurückgezogen werden.
ColoursUnknown = Die Farben sind vertauscht; ob beide Spieler { $moves } Züge ausgeführt haben, ist nicht bekannt ({ $article }).
ClaimIsOffer = Der Antrag gilt auch als Remisangebot ({ $article }).
ClaimAfterTouch = Der Remisantrag von { $side } wäre berechtigt, { $why }; aber { $side } hat vorher eine Figur angehoben ({ $article }).
WasItTouched = Wer eine Figur berührt, verliert das Recht: fragen, ob sie berührt wurde.
WhyTimes = die Stellung ist { $times } entstanden
WhyTooFewTimes = die Stellung ist { $times } entstanden, nicht 3-mal
WhyWillAppear = nach { $move } entsteht die Stellung zum { $nth } Mal ({ $ground })
WhyMoves = { $n } Züge von jedem Spieler ohne Schlagen und ohne Bauernzug
WhyTooFewMoves = { $n } von 50 Zügen von jedem Spieler ohne Schlagen und ohne Bauernzug
WhyFiftyAfter = mit { $move } hat jeder Spieler 50 Züge ohne Schlagen und ohne Bauernzug ausgeführt ({ $ground })
WhyNotCompleted = der letzte Zug ist nicht abgeschlossen
WhyIntendedIllegal = der beabsichtigte Zug { $move } ist regelwidrig
IntendedFollows = { $side } muss jetzt { $move } ausführen.
IntendedNotPlayed = { $side } hat mit { $move } Remis beantragt und stattdessen { $played } gespielt ({ $article }).
PlayIntended = { $move } muss ausgeführt werden.

## The arbiter's entries

Resigned = { $side } hat aufgegeben: { $opponent } hat gewonnen ({ $article }).
ResignedDrawn = { $side } hat aufgegeben, aber { $opponent } kann mit keiner Folge regelgemäßer Züge matt setzen: Die Partie ist remis ({ $article }).
DrawOffered = { $side } bietet Remis an ({ $article }).
NoteOffer = Beide Spieler vermerken es mit (=).
OfferStands = Es gilt, bis { $opponent } annimmt, ablehnt oder eine Figur berührt, um sie zu ziehen oder zu schlagen.
OfferNotResult = Damit ist das Angebot vermerkt und nichts beendet: Hat { $opponent } angenommen, 1/2-1/2 eingeben ({ $article }).
OfferWrongTime = Es gilt; falls nicht zwischen Zug und Uhrdrücken angeboten, prüfen, ob { $opponent } gestört wurde ({ $article }).
OfferTooEarly = Dieses Turnier erlaubt kein vereinbartes Remis vor dem { $move }. Zug ({ $article }).
OfferNeedsYou = In diesem Turnier braucht ein vereinbartes Remis Ihre Zustimmung ({ $article }).
AgreedTooEarly = Remis kann erst vereinbart werden, wenn jeder einen Zug ausgeführt hat ({ $article }).
NoQueen = Inzwischen steht dort { $piece }; es muss eine Dame sein ({ $article }).
FlagBefore = Das Fallblättchen von { $side } war vorher gefallen: Wurde das zuerst festgestellt oder reklamiert, entscheidet es ({ $article }).
ResultAgainstAlert = Meldung { $alert } war offen und schlug { $proposed } vor ({ $article }): War das zuerst, entscheidet es.
ResultAgainstBoard = Auf dem Brett war die Partie { $proposed } beendet ({ $article }): Was später eingegeben oder vereinbart wurde, ändert daran nichts; prüfen, ob der Eintrag stimmt.
LateRuling = Vermerkt, aber zum Eingreifen war es zu spät: { $opponent } hatte den nächsten Zug ausgeführt ({ $article }). Es zählt nicht zu den regelwidrigen Zügen.
Reinstated = Die Stellung nach Halbzug { $ply } steht wieder. Als er abgeschlossen wurde, zeigte die Uhr { $white } für Weiß und { $black } für Schwarz; die Zugzähler stehen auf { $white_moves } und { $black_moves }. Einstellen nach bestem Ermessen ({ $article }).
Incident = Vorfall: { $reason }
Device = { $side } hat ein elektronisches Gerät ohne Erlaubnis bei sich: Die Partie ist für { $side } verloren ({ $article }). { $score } eintragen, wenn das Turnierreglement keine mildere Strafe vorsieht.
DeviceCarried = Ein elektronisches Gerät von { $side } war nicht ausgeschaltet ({ $article }). Wurde es nur mitgeführt, entscheiden Sie über eine Strafe ({ $penalties }). Hat es ein Geräusch gemacht, ist die Partie für { $side } verloren: { $score } eintragen.
DeviceCarriedHalf = Ein elektronisches Gerät von { $side } war nicht ausgeschaltet ({ $article }). Wurde es nur mitgeführt, entscheiden Sie über eine Strafe ({ $penalties }). Hat es ein Geräusch gemacht, ist die Partie für { $side } verloren, und { $opponent } bekommt einen halben Punkt, da mit keiner Folge regelgemäßer Züge zu gewinnen ist.
OutsideHelp = { $side } hat Notizen, Ratschläge oder ein anderes Schachbrett benutzt ({ $article }). Über die Strafe entscheiden ({ $penalties }).
LeftVenue = { $side } hat ohne Erlaubnis die Turnierräumlichkeiten oder, am Zug, den Spielbereich verlassen ({ $article }). Über die Strafe entscheiden ({ $penalties }).
Disturbed = { $side } hat { $opponent } abgelenkt oder gestört ({ $article }). Über die Strafe entscheiden ({ $penalties }).
Fine = { $side } bekommt eine Geldstrafe ({ $article }). Sie muss im Voraus angekündigt sein.
Explanation = { $side } hat eine Erklärung der Schachregeln verlangt; das ist das Recht jedes Spielers ({ $article }).
Appeal = { $side } legt gegen eine Entscheidung des Schiedsrichters Protest ein ({ $article }). Zeit und Stellung festhalten.
NoAppeal = Gegen eine Entscheidung nach { $final } ist kein Protest möglich; sie ist endgültig.
ClockAssistant = Ein Assistent bedient die Uhr für { $side } ({ $article }). Die Bedenkzeit von { $side } angemessen anpassen, außer bei einer Behinderung.
SpecialMeasures = Besondere Maßnahmen für { $side } wegen einer Behinderung oder medizinischer Betreuung ({ $article }).
IncidentTime = { $opponent } bekommt { $time }.
QuickplayAccepted = { $opponent } nimmt das mit dem Antrag verbundene Remisangebot an: Die Partie ist remis ({ $article }).
QuickplayIncrement = Ab jetzt fünf Sekunden Zeitgutschrift je Zug für beide; { $opponent } bekommt { $time } dazu ({ $article }).
QuickplayRefused = Keine Zeitgutschrift: Die Partie wird fortgesetzt, { $side } darf Remis beantragen ({ $article }). Nach anderer Lesart bekommt { $opponent } { $time }.
QuickplayDrawn = Der Antrag von { $side } ist berechtigt: Mit normalen Mitteln ist die Partie nicht zu gewinnen oder wird nicht gewonnen. Sie ist remis ({ $article }).
QuickplayRejected = Der Antrag von { $side } ist abgelehnt; { $opponent } bekommt { $time } dazu ({ $article }).
QuickplayPostponed = Die Entscheidung über den Antrag von { $side } ist hinausgeschoben; { $opponent } darf { $time } bekommen. Später entscheiden, oder wenn ein Blättchen gefallen ist ({ $article }).
QuickplayNoArbiter = { $side } beantragt Remis ohne Schiedsrichter: Das Spiel ist beendet, das Ergebnis offen ({ $article }).
SignSheet = Endstellung aufschreiben und von { $opponent } bestätigen lassen; ist der Grund, dass kein Gewinnversuch gemacht wird, samt vollständiger Notation; dann einsenden.
SignPosition = Grund: mit normalen Mitteln nicht zu gewinnen. Endstellung aufschreiben und von { $opponent } bestätigen lassen; dann einsenden.
SignScore = Grund: kein Gewinnversuch mit normalen Mitteln. Endstellung und vollständige Notation von { $opponent } bestätigen lassen; dann einsenden.
GroundMeans = Grund: mit normalen Mitteln nicht zu gewinnen.
GroundEffort = Grund: kein Gewinnversuch mit normalen Mitteln.
Quickplay = { $side } hat weniger als zwei Minuten ohne Zeitgutschrift: Ein Antrag auf Zeitgutschrift oder auf Remis ist möglich ({ $article }).
QuickplayClaimOnly = { $side } hat weniger als zwei Minuten ohne Zeitgutschrift: Ein Antrag auf Remis ist möglich ({ $article }).
QuickplayClaimed = { $side } beantragt in der Endspurtphase mit weniger als zwei Minuten Remis ({ $article }).
StopAndDecide = Uhr anhalten und entscheiden oder die Entscheidung hinausschieben.

## What a press may have been instead

StoryLegal = Sonst: Der Zug war regelgemäß, und eine andere Figur wurde verschoben oder falsch gelesen.
StoryIllegal = Sonst: Es wurde ein regelwidriger Zug ausgeführt.
StoryNothing = Sonst: Die Uhr wurde ohne Zug gedrückt.
StoryPromotionLeft = Sonst: Der Bauer wurde nicht ersetzt.
StoryMadeLater = Sonst: Der Zug wurde erst nach dem Drücken ausgeführt.
StoryPressedBack = Sonst: Die Uhr wurde wegen einer Unregelmäßigkeit zurückgedrückt, oder ihr Hebel ist zurückgeprallt.
