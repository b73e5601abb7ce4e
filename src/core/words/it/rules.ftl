### What the rules say in alerts, and what the arbiter’s entries are answered with.
### Prima versione fatta a macchina, da rileggere da un arbitro di madrelingua italiana.
### Machine-made first version, to be read by a native arbiter.

## Names and numbers

White = Bianco
Black = Nero
TheWhite = il Bianco
TheBlack = il Nero
BothPlayers = ciascun giocatore
Pawn =
    .the = il pedone
    .object = il pedone
    .it = lo
    .white = un pedone bianco
    .black = un pedone nero
Knight =
    .the = il cavallo
    .object = il cavallo
    .it = lo
    .white = un cavallo bianco
    .black = un cavallo nero
Bishop =
    .the = l’alfiere
    .object = l’alfiere
    .it = lo
    .white = un alfiere bianco
    .black = un alfiere nero
Rook =
    .the = la torre
    .object = la torre
    .it = la
    .white = una torre bianca
    .black = una torre nera
Queen =
    .the = la donna
    .object = la donna
    .it = la
    .white = una donna bianca
    .black = una donna nera
King =
    .the = il re
    .object = il re
    .it = lo
    .white = un re bianco
    .black = un re nero
SanLetters = RDTAC
Minute = { $n } minuto
Minutes = { $n } minuti
Second = { $n } secondo
Seconds = { $n } secondi
Once = una volta
Twice = due volte
Times = { $n } volte
DecimalPoint = ,

## Illegal moves and what is treated as one

IllegalMove = Il { $side } ha completato una mossa illegale: { $why } ({ $article }).
WhyPattern = { $piece } non può andare da { $from } a { $to }
WhyCheck = il re in { $square } resta sotto scacco
WhyIntoCheck = il re è andato in { $square }, dove è sotto scacco
WhyCastlingRight = arrocco dopo averne perso il diritto
WhyCastlingBetween = arrocco con un pezzo fra re e torre
WhyCastlingOut = arrocco sotto scacco
WhyCastlingThrough = arrocco passando per la casa attaccata { $square }
WhyCastlingInto = arrocco che porta il re sotto scacco in { $square }
WhyCastlingRookLeft = arrocco con la torre rimasta nella sua casa
WhyCastlingRookWrong = arrocco con la torre in una casa sbagliata
WhyCastlingBothWrong = arrocco con il re e la torre in case sbagliate
WhyKingCaptured = il re avversario è stato catturato
WhyOpponentsPiece = è stato mosso il pezzo avversario in { $square }
WhyTwoMoves = è stata eseguita più di una mossa
WhyPromotionIncomplete = il pedone è stato tolto e nessun pezzo è sulla casa di promozione
WhyPromotionPiece = { $piece } è in { $square }
WhyPawnNotRemoved = il pedone è ancora in { $square } accanto al pezzo in cui è stato promosso
WhyEnPassant = il pedone catturato en passant è ancora in { $square }
WhyOther = nessuna mossa legale porta a questa posizione
PromotionLeft = Il { $side } ha premuto l’orologio senza aver sostituito il pedone in { $square } ({ $article }).
PressWithoutMove = Il { $side } ha premuto l’orologio senza eseguire una mossa ({ $article }).
TwoHands = Il { $side } può aver eseguito { $move } con due mani ({ $article }).
CountsIfConfirmed = Conta solo se lo confermate.
Reinstate = Ripristinare la posizione immediatamente precedente l’irregolarità.
ReinstateFirst = Ripristinare la posizione precedente la prima irregolarità, quella del { $side } ({ $article }).
DutyMove = { $piece } in { $square } è il primo pezzo toccato: il { $side } deve muover{ $it } ({ $article }).
DutyCapture = { $piece } in { $square } è il primo pezzo toccato: il { $side } deve catturar{ $it } ({ $article }).
DutyReleased = { $piece } da { $square } aveva sostato in { $to }: se la mano aveva lasciato il pezzo, il { $side } deve giocarlo lì ({ $article }).
DutyKing = Il { $side } deve muovere il re, arrocco compreso, se può muoversi ({ $article }).
DutyKingOnly = Il { $side } deve muovere il re ({ $article }).
DutyRook = La torre è stata toccata per prima: il { $side } deve muoverla se possibile ({ $article }).
DutyCastle = Il re è stato lasciato: il { $side } deve arroccare da quel lato ({ $article }).
DutyNone = Il pezzo toccato non può muoversi: il { $side } può eseguire qualsiasi mossa legale ({ $article }).
DutyUnknown = Il { $side } deve muovere un pezzo toccato che possa muoversi ({ $article }).
BecomesQueen = Il pedone in { $square } diventa una donna.
ClockBack = Il { $side } ha ancora il tratto; riavviare l’orologio del { $side }.
GiveTime = Aggiungere { $time } al tempo del { $opponent } ({ $article }).
ByAnalogy = Per analogia con { $article } è { $time }.
ByTheLetter = Questo è per analogia; { $article } letto alla lettera dà { $time }.
TakeBackTime = Togliere l’incremento del { $side }: { $time } ({ $article }).
NoTime = Non si aggiunge tempo; una sanzione è a vostra discrezione ({ $authority }).
OnlyOnClaim = Intervenire solo se il { $opponent } reclama ({ $authority }).
OnlyOnRequest = Intervenire solo se il { $opponent } lo chiede ({ $authority }).
InterveneUnasked = Intervenire subito, senza richiesta, se possibile ({ $authority }).
CompletedIllegal = { $nth } mossa illegale completata dal { $side }
CompletedOffence = { $nth } mossa illegale completata (o ciò che conta come tale) dal { $side }
GameLost = { $what }: il { $side } perde ({ $article }).
GameDrawn = { $what }: la partita è patta ({ $article }).
FirstIs = Prima
SecondIs = Seconda
ThirdIs = Terza
NthIs = { $n }ª
ClaimWin = Il { $opponent } può reclamare la vittoria per la mossa illegale del { $side } ({ $article }).
ClaimDraw = Il { $opponent } può reclamare la patta per la mossa illegale del { $side } ({ $article }).
WaitForClaim = Non intervenire senza richiesta; nulla viene rimesso a posto.
RestsOnOpen = Questo ne conta una precedente su cui nessuno ha deciso. Confermare o respingere prima quella.
LateNotCounted = La segnalazione { $alert } è stata confermata quando il tempo per intervenire era passato, e non conta ({ $article }). Se era stata reclamata o decisa in tempo, questa è una in più.
AddsUpWith = Anche la segnalazione { $other } è aperta: se le confermate entrambe, contano per due.
WouldDecide = Se la confermate: { $what }, e ciò decide la partita ({ $article }).
DeclareLost = Dichiarare persa la partita.
DeclareDrawn = Dichiarare patta la partita.
CanMate = Il { $winner } potrebbe dare scacco matto con una serie di mosse legali.
CannotMate = Il { $winner } non può dare scacco matto con alcuna serie di mosse legali.
MateUnknown = Verificare se la posizione è bloccata: se il { $winner } non può dare scacco matto in alcun modo, è patta.
BareOnBoard = Con ciò che è sulla scacchiera il { $winner } non potrebbe dare matto; decide la posizione che si ripristina.
ClaimWindowClosed = Il { $opponent } ha eseguito la mossa successiva: l’irregolarità del { $side } resta ({ $article }).
PressWindowClosed = Il { $opponent } ha eseguito la mossa successiva: la pressione del { $side } senza mossa resta senza conseguenze ({ $article }).
TooLate = È troppo tardi: non intervenire.
TooLateUnlessAgreed = È troppo tardi: non intervenire, salvo che i giocatori si accordino senza di voi.

## Illegal positions

BothInCheck = entrambi i re sono sotto scacco
PawnOnLastRank = un pedone del { $side } è sull’ultima traversa
IllegalPosition = Posizione illegale: { $what } ({ $article }).
WaitForNext = Attendere la prossima mossa completata; se allora una posizione è illegale, la partita è patta.
WaitUnlessActed = Se nessuno interviene prima secondo { $authority }: attendere la prossima mossa completata; se allora la posizione è illegale, la partita è patta.
IllegalPositionDraw = La posizione è ancora illegale dopo la mossa successiva: { $what } ({ $article }).
IllegalPositionOther = Dopo la mossa successiva la posizione è illegale: il re del { $side } è sotto scacco ({ $article }).
OrAlert = Solo una delle due può decidere la partita: questa o la segnalazione { $other }. La scelta è vostra.
OrActAgainst = Secondo un altro parere si interviene contro il { $side } ({ $authority }).

## Handling the pieces

PressBeforeMade = Il { $side } ha premuto l’orologio prima di eseguire la mossa: il pezzo da { $square } non era stato posato ({ $article }).
UpToYou = Una sanzione è a vostra discrezione ({ $authority }).
CastlingRookFirst = Il { $side } ha toccato la torre in { $square } prima del re e ha arroccato ({ $article }).
RookMustMove = Ora nessun arrocco da quel lato; la torre deve muovere se possibile ({ $duty }).
TouchedOwn = Il { $side } ha tenuto { $piece } in { $square } per { $held } s, ha rimesso il pezzo e ha giocato altro ({ $article }).
TouchedTheirs = Il { $side } avrebbe potuto catturare { $piece } in { $square }, pezzo tenuto per { $held } s, ma ha giocato altro ({ $article }).
TouchedBefore = Il { $side } era vincolato da un tentativo precedente a questa mossa e ha giocato { $played }. { $duty }
WasItAdjusted = Chiedere se il pezzo è stato solo accomodato ({ $duty }).
ReleasedPiece = Prima che il { $side } giocasse { $move }, { $piece } aveva sostato in { $square } ({ $article }).
WasItReleased = Chiedere se la mano aveva lasciato il pezzo; allora resta in { $square } ({ $duty }).
PromotionChoice = Il { $side } ha messo { $first } in { $square } e poi { $chosen } al suo posto ({ $article }).
FirstChoice = Vale la prima scelta ({ $duty }).
ClaimUntilTouch = Il { $opponent } perde il diritto di reclamarlo toccando un pezzo ({ $authority }).
MismatchAtPress = Il { $side } ha eseguito una mossa legale, ma la scacchiera segnala case vuote: { $squares } ({ $article }).
DisplacedAtPress = Il { $side } ha mosso e lasciato la scacchiera senza pezzo in { $squares }, sparito durante il tempo del { $side } ({ $article }).
ShovedAtPress = Durante il tempo del { $side }, un pezzo è passato dalla sua casa a quella accanto ed è rimasto lì: { $squares } ({ $article }).
MissingSince = La scacchiera non mostra alcun pezzo in { $squares } dall’ultima mossa del { $side } ({ $article }).
CentrePieces = Vedere se un pezzo è storto o è stato spostato.
DeadSquares = La scacchiera non mostra mai un pezzo in { $squares }; controllare la casa e il pezzo.
StrayPieces = La scacchiera mostra in { $squares } un pezzo che non dovrebbe esserci; guardare la scacchiera.
WeakSquares = La scacchiera perde a tratti, più e più volte, ciò che è in { $squares }; controllare la casa e il pezzo.
MisreadPieces = La scacchiera mostra in { $squares } un pezzo diverso da quello che vi è stato posto; controllare la casa e il pezzo.
WrongCodes = La scacchiera ha mostrato per un attimo un altro pezzo in { $squares }; controllare la casa e il pezzo.
UnidentifiedPieces = La scacchiera segnala dove sono i pezzi, ma non quali: non vi si può seguire alcuna partita.
LatePieces = La scacchiera si accorge dei pezzi molto dopo che sono stati posati, come quello da { $squares }; controllare i pezzi.
UntoldChanges = La scacchiera non ha segnalato cambiamenti in { $squares }; solo una lettura di tutte le case li ha mostrati: controllare il cavo.
SeatsSwapped = I lati sembrano scambiati: ogni pressione segue una mossa dell’altro colore. L’orologio o la scacchiera è girata? Nella pagina della scacchiera, scambiare ciò che è al contrario.
Unexplained = Nessuna serie di mosse spiega i pezzi sulla scacchiera ({ $article }): { $squares }.
CountedSince = Contato da quando la scacchiera si è sentita per la prima volta in questa partita; nessuno sa che cosa sia stato giocato prima.
CountMoves = L’inizio di questa partita non è stato visto: contare le mosse sui formulari.
EarlierUnknown = Le irregolarità precedenti a quando la scacchiera si è sentita in questa partita non sono contate.
CompareSheet = Confrontare con il formulario.

## The end of the game

Checkmate = Il { $side } ha subito scacco matto: ha vinto il { $opponent } ({ $article }).
MateFirst = Il matto viene prima di { $article }; secondo un altro parere sarebbe patta.
Stalemate = Il { $side } è in stallo: la partita è patta ({ $article }).
Fivefold = La stessa posizione è apparsa per la quinta volta: la partita è patta ({ $article }).
Seventyfive = Ciascun giocatore ha eseguito 75 mosse senza catture né mosse di pedone: la partita è patta ({ $article }).
DeadPosition = Nessuno dei giocatori può dare scacco matto con alcuna serie di mosse legali: la partita è patta ({ $article }).
FlagFall = È caduta la bandierina del { $side }: la partita è persa per il { $side } ({ $article }).
FlagFallDraw = È caduta la bandierina del { $side }: la partita è patta ({ $article }).
FlagBeforeSetting = È caduta la bandierina del { $side } con tempi che erano ancora da impostare ({ $article }).
FlagShown = L’orologio del { $side } mostra la bandierina caduta; conta solo se il { $opponent } reclama ({ $article }).
FlagClaimPending = È caduta la bandierina del { $side } mentre la richiesta di patta del { $side } non è decisa ({ $article }).
FlagOtherClaimPending = È caduta la bandierina del { $side } mentre la richiesta di patta del { $opponent } non è decisa ({ $article }).
DecideClaim = Decidere quella richiesta: patta, o persa per il tempo ({ $authority }).
FlagCall = Segnalare la caduta della bandierina ({ $authority }).
DoNotCall = Non segnalare la caduta della bandierina ({ $authority }); deve reclamare il { $opponent } ({ $claim }).
OffenceOfWinner = L’irregolarità del { $opponent } è ancora aperta: decidere prima su quella ({ $offence }).
TimeNotGiven = Per la decisione sull’irregolarità del { $opponent } al { $side } spettava tempo aggiuntivo ({ $offence }), e l’orologio da allora non è stato fermato: impostare prima i tempi, poi decidere se la bandierina conta ({ $article }).
FlagFirst = La bandierina del { $side } era caduta prima: decidere prima su quella; se è stata segnalata o reclamata in tempo, decide quella ({ $article }).
SetUpFirst = La disposizione iniziale era errata (segnalazione { $alert }): decidere prima su quella; se la partita è annullata, cade anche questo ({ $article }).
BothFlagsKnown = Sono cadute entrambe le bandierine, prima quella del { $side }: decide quella ({ $article }).
ClaimNeedsTime = Un giocatore può reclamare solo se gli resta tempo ({ $claim }).
BothFlagsDraw = Sono cadute entrambe le bandierine: la partita è patta ({ $article }).
BothFlagsGoOn = Sono cadute entrambe le bandierine, e non si può dire quale per prima: in questo periodo la partita continua ({ $article }).
BothFlagsUnruled = Sono cadute entrambe le bandierine; non si può stabilire quale per prima ({ $article }).
LookAtClock = Lasciar decidere il segno dell’orologio stesso. È patta solo in un finale quickplay annunciato, senza incremento ({ $authority }).
MovesNotDone = Erano state completate { $done } delle { $due } mosse dovute.
FlagRunsOn = L’orologio si dichiara bloccato e continua a scorrere per l’avversario: guardare il suo display.
FlagNewPeriod = L’orologio è andato avanti con { $time }: può essere solo la fine di un periodo. Contare le mosse.

## Equipment

BoardLink = La scacchiera non si sente.
ClockLink = La scacchiera ha perso il suo orologio.
ClockLowBattery = L’orologio chiede una batteria nuova.
BoardBattery = La batteria della scacchiera è al { $percent } %.
LineNoise = La linea verso la scacchiera è disturbata: { $bytes } byte erano danneggiati.

## Windows

UntilGameEnd = fino alla fine della partita
UntilMoveMade = finché { $value } non avrà eseguito la prossima mossa
UntilTouch = finché { $value } non toccherà un pezzo
UntilNextCompleted = finché non sarà completata la prossima mossa
UntilMovesEach = finché entrambi i giocatori non avranno completato { $value } mosse
WindowSentence = Termine: { $window }.

## The table of rules

Needs = richiede
Proposes = propone
Article = articolo
Authority = facoltà

## Start and time

StartWrong = La partita è iniziata con pezzi su case sbagliate: { $squares } ({ $article }).
StartOdd = La partita è iniziata con { $pieces }, per quanto mostra la scacchiera ({ $article }).
PieceOn = { $piece } in { $square }
LookAtSetUp = Guardare la scacchiera; se è così, correggere prima della prima mossa, altrimenti annullare la partita e iniziarne una nuova ({ $authority }).
ClockTimes = L’orologio mostra { $white } per il Bianco e { $black } per il Nero; la cadenza { $control } inizia con { $base } ({ $article }).
ClockIncrement = L’orologio aggiunge { $added } per mossa; la cadenza { $control } aggiunge { $due } ({ $article }).
PeriodElsewhere = L’orologio ha aggiunto { $added } al tempo del { $side } alla mossa { $move }; la cadenza { $control } aggiunge un periodo alla mossa { $due } ({ $article }).
PeriodOther = L’orologio ha aggiunto { $added } al tempo del { $side } alla mossa { $move }; la cadenza { $control } vi aggiunge { $base } ({ $article }).
PeriodMissing = Il { $side } ha completato la mossa { $move }, e l’orologio non ha aggiunto il tempo del periodo successivo ({ $article }).
CorrectSetting = Fermare l’orologio, impostare la regolazione corretta e sistemare i tempi e il contamosse secondo il proprio miglior giudizio ({ $authority }).
CorrectBefore = Impostare l’orologio prima che la partita inizi ({ $authority }).
CancelGame = Annullarla e iniziarne una nuova ({ $authority }).
StartClosed = Entrambi i giocatori hanno completato { $moves } mosse: nessun reclamo più su posizione iniziale, scacchiera o impostazione dell’orologio ({ $article }).
NoCastling = Nessun arrocco con un re o una torre partiti da una casa sbagliata.
ColoursNewGame = I colori sono invertiti, e almeno un giocatore ha eseguito meno di { $moves } mosse ({ $article }).
StartNewGame = Fermare la partita e iniziarne una nuova.
ColoursStay = I colori sono invertiti ({ $article }).
GoOn = La partita continua.
GoOnUnlessRuled = La partita continua, salvo vostra diversa decisione.
DefaultTime = Nulla si è visto del { $side } dall’inizio del turno, { $time } fa ({ $article }).
HasArrived = Vedere se il { $side } è arrivato; se no, la partita è persa per il { $side }, salvo vostra diversa decisione.
NeitherPresent = Se nessuno dei giocatori è presente, scorre l’orologio del Bianco finché uno non arriva ({ $both }).
BothLate = Se mancano entrambi, perdono entrambi: 0-0.
Muted = Nessuna segnalazione di questa scacchiera per { $time }.
MuteEnded = Le segnalazioni di questa scacchiera sono di nuovo attive.
ClockStopped = L’orologio è fermo da { $time } ({ $article }).

## Draw claims

Threefold = La posizione è apparsa per la { $nth } volta: il { $side } può richiedere la patta finché il { $side } non tocca un pezzo ({ $article }, { $lost }).
Fifty = Cinquanta mosse di ciascun giocatore senza catture né mosse di pedone: il { $side } può richiedere la patta ({ $article }, { $lost }).
ForArbiter = Non dirlo ai giocatori.
Third = terza
Fourth = quarta
Fifth = quinta
Nth = { $n }ª
ClaimCorrect = La richiesta di patta del { $side } è corretta ({ $article }): { $why }. La partita è patta.
ClaimCorrectSoFar = La richiesta di patta del { $side } è corretta secondo le mosse così come sono ({ $article }): { $why }.
ClaimIncorrect = La richiesta di patta del { $side } non è corretta ({ $article }): { $why }.
ClaimUnknown = Il { $side } richiede la patta; da quando la scacchiera si è sentita in questa partita: { $why } ({ $article }). Nessuno sa che cosa sia stato giocato prima.
ClaimThroughIllegal = Il { $side } chiede la patta ({ $article }): dall’irregolarità che resta, { $why }; contando attraverso di essa, { $through }.
DecideCount = Il Regolamento non dice che un’irregolarità che resta interrompa il conteggio: decidere quale conteggio vale. Senza decisione nessuno riceve tempo.
ClaimRestsOnOpen = Una mossa illegale è ancora aperta (segnalazione { $alert }): decidere prima su quella; se si ripristina la posizione precedente, la richiesta cade con le mosse seguenti ({ $article }).
DecideBySheet = Fermare gli orologi, ricostruire la partita dai formulari e decidere; la richiesta non può essere ritirata.
ColoursUnknown = I colori sono invertiti; non si sa se entrambi i giocatori hanno eseguito { $moves } mosse ({ $article }).
ClaimIsOffer = La richiesta vale anche come offerta di patta ({ $article }).
ClaimAfterTouch = La richiesta di patta del { $side } sarebbe corretta, { $why }; ma il { $side } ha sollevato un pezzo prima ({ $article }).
WasItTouched = Chi tocca un pezzo perde il diritto: chiedere se è stato toccato.
WhyTimes = la posizione è apparsa { $times }
WhyTooFewTimes = la posizione è apparsa { $times }, non 3 volte
WhyWillAppear = dopo { $move } la posizione appare per la { $nth } volta ({ $ground })
WhyMoves = { $n } mosse di ciascun giocatore senza catture né mosse di pedone
WhyTooFewMoves = { $n } mosse su 50 di ciascun giocatore senza catture né mosse di pedone
WhyFiftyAfter = con { $move } ciascun giocatore ha eseguito 50 mosse senza catture né mosse di pedone ({ $ground })
WhyNotCompleted = l’ultima mossa non è stata completata
WhyIntendedIllegal = la mossa annunciata { $move } è illegale
IntendedFollows = Il { $side } deve ora giocare { $move }.
IntendedNotPlayed = Il { $side } ha fatto la richiesta con { $move } e ha giocato invece { $played } ({ $article }).
PlayIntended = Si deve giocare { $move }.

## The arbiter's entries

Resigned = Il { $side } ha abbandonato: ha vinto il { $opponent } ({ $article }).
ResignedDrawn = Il { $side } ha abbandonato, ma il { $opponent } non può dare scacco matto con alcuna serie di mosse legali: la partita è patta ({ $article }).
DrawOffered = Il { $side } offre patta ({ $article }).
NoteOffer = Entrambi i giocatori la annotano con (=).
OfferStands = Resta valida finché il { $opponent } non accetta, non rifiuta o non tocca un pezzo.
OfferNotResult = L’offerta è così annotata e nulla è finito: se il { $opponent } l’ha accettata, inserire 1/2-1/2 ({ $article }).
OfferWrongTime = È valida; se non è stata fatta fra la mossa e la pressione dell’orologio, vedere se il { $opponent } è stato disturbato ({ $article }).
OfferTooEarly = Questo torneo non ammette patte d’accordo prima della mossa { $move } ({ $article }).
OfferNeedsYou = In questo torneo una patta d’accordo richiede il vostro consenso ({ $article }).
AgreedTooEarly = Una patta può essere concordata solo dopo che ciascun giocatore ha eseguito una mossa ({ $article }).
NoQueen = Ora vi è { $piece }; deve essere una donna ({ $article }).
FlagBefore = La bandierina del { $side } era caduta prima: se ciò è stato segnalato o reclamato per primo, decide quello ({ $article }).
ResultAgainstAlert = La segnalazione { $alert } era aperta e proponeva { $proposed } ({ $article }): se ciò è venuto prima, decide quello.
ResultAgainstBoard = Sulla scacchiera la partita era finita { $proposed } ({ $article }): nulla di quanto inserito o concordato dopo lo cambia; verificare l’inserimento.
LateRuling = Annotato, ma il tempo per intervenire era passato: il { $opponent } aveva eseguito la mossa successiva ({ $article }). Non conta tra le mosse illegali.
Reinstated = Vale di nuovo la posizione dopo la semimossa { $ply }. Quando è stata completata, l’orologio mostrava { $white } per il Bianco e { $black } per il Nero; i contamosse sono a { $white_moves } e { $black_moves }. Impostarlo secondo il proprio miglior giudizio ({ $article }).
Incident = Incidente: { $reason }
Device = Il { $side } ha un dispositivo elettronico non autorizzato: la partita è persa per il { $side } ({ $article }). Inserire { $score }, salvo che il bando preveda una sanzione minore.
DeviceCarried = Un dispositivo elettronico del { $side } non era spento ({ $article }). Se era solo portato con sé, una sanzione è a vostra discrezione ({ $penalties }). Se ha emesso un suono, la partita è persa per il { $side }: inserire { $score }.
DeviceCarriedHalf = Un dispositivo elettronico del { $side } non era spento ({ $article }). Se era solo portato con sé, una sanzione è a vostra discrezione ({ $penalties }). Se ha emesso un suono, la partita è persa per il { $side }, e il { $opponent }, che non può vincere con alcuna serie di mosse legali, ottiene mezzo punto.
OutsideHelp = Il { $side } ha usato appunti, consigli o un’altra scacchiera ({ $article }). Decidere la sanzione ({ $penalties }).
LeftVenue = Il { $side } ha lasciato la sede di gioco senza permesso, o l’area di gioco avendo il tratto ({ $article }). Decidere la sanzione ({ $penalties }).
Disturbed = Il { $side } ha distratto o infastidito il { $opponent } ({ $article }). Decidere la sanzione ({ $penalties }).
Fine = Il { $side } riceve un’ammenda ({ $article }). Un’ammenda deve essere annunciata in anticipo.
Explanation = Il { $side } ha chiesto una spiegazione del Regolamento, come è diritto di ogni giocatore ({ $article }).
Appeal = Il { $side } presenta appello contro una decisione dell’arbitro ({ $article }). Annotare l’ora e la posizione.
NoAppeal = Una decisione secondo { $final } è definitiva e non può essere appellata.
ClockAssistant = Un assistente preme l’orologio per il { $side } ({ $article }). Sistemare equamente il tempo del { $side }, salvo disabilità.
SpecialMeasures = Misure particolari per il { $side }, per disabilità o cure mediche ({ $article }).
IncidentTime = Il { $opponent } riceve { $time }.
QuickplayAccepted = Il { $opponent } accetta la patta offerta con la richiesta: la partita è patta ({ $article }).
QuickplayIncrement = D’ora in poi cinque secondi per mossa a entrambi; aggiungere { $time } al tempo del { $opponent } ({ $article }).
QuickplayRefused = Nessun incremento: la partita continua, e il { $side } può richiedere la patta ({ $article }). Secondo un’altra lettura il { $opponent } riceve { $time }.
QuickplayDrawn = La richiesta del { $side } è fondata: la partita non può essere vinta, o non si cerca di vincerla, con mezzi normali. È patta ({ $article }).
QuickplayRejected = La richiesta del { $side } è respinta; aggiungere { $time } al tempo del { $opponent } ({ $article }).
QuickplayPostponed = La decisione sulla richiesta del { $side } è rinviata; al { $opponent } si possono dare { $time }. Decidere più tardi, o quando sarà caduta una bandierina ({ $article }).
QuickplayNoArbiter = Il { $side } richiede la patta senza arbitro: il gioco è finito, il risultato è aperto ({ $article }).
SignSheet = Far scrivere la posizione finale e farla verificare dal { $opponent }; se il motivo è la mancanza di tentativi di vincere, con la partita completa; poi inviarla.
SignPosition = Il motivo è che la partita non può essere vinta con mezzi normali: far scrivere la posizione finale e farla verificare dal { $opponent }; poi inviarla.
SignScore = Il motivo è che non si fa alcun tentativo di vincere con mezzi normali: far verificare dal { $opponent } la posizione finale e la partita completa; poi inviarle.
GroundMeans = Motivo: la partita non può essere vinta con mezzi normali.
GroundEffort = Motivo: non si fa alcun tentativo di vincere la partita con mezzi normali.
Quickplay = Al { $side } restano meno di due minuti, senza incremento: è possibile una richiesta o un reclamo ({ $article }).
QuickplayClaimOnly = Al { $side } restano meno di due minuti, senza incremento: è possibile un reclamo ({ $article }).
QuickplayClaimed = Il { $side } richiede la patta nel finale quickplay con meno di due minuti ({ $article }).
StopAndDecide = Fermare gli orologi e decidere, o rinviare la decisione.

## What a press may have been instead

StoryLegal = Altrimenti: la mossa era legale, e un altro pezzo è stato spostato o letto male.
StoryIllegal = Altrimenti: è stata eseguita una mossa illegale.
StoryNothing = Altrimenti: l’orologio è stato premuto senza mossa.
StoryPromotionLeft = Altrimenti: il pedone non è stato sostituito.
StoryMadeLater = Altrimenti: la mossa è stata eseguita dopo la pressione.
StoryPressedBack = Altrimenti: l’orologio è stato ripremuto per qualcosa di irregolare, o la leva è rimbalzata.
