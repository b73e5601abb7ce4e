### What the rules say in alerts, and what the arbiter’s entries are answered with.

## Names and numbers

White = White
Black = Black
TheWhite = White
TheBlack = Black
BothPlayers = both players
Pawn =
    .the = the pawn
    .object = the pawn
    .it = it
    .white = a white pawn
    .black = a black pawn
Knight =
    .the = the knight
    .object = the knight
    .it = it
    .white = a white knight
    .black = a black knight
Bishop =
    .the = the bishop
    .object = the bishop
    .it = it
    .white = a white bishop
    .black = a black bishop
Rook =
    .the = the rook
    .object = the rook
    .it = it
    .white = a white rook
    .black = a black rook
Queen =
    .the = the queen
    .object = the queen
    .it = it
    .white = a white queen
    .black = a black queen
King =
    .the = the king
    .object = the king
    .it = it
    .white = a white king
    .black = a black king
SanLetters = KQRBN
Minute = { $n } minute
Minutes = { $n } minutes
Second = { $n } second
Seconds = { $n } seconds
Once = once
Twice = twice
Times = { $n } times
DecimalPoint = .

## Illegal moves and what is treated as one

IllegalMove = { $side } completed an illegal move: { $why } ({ $article }).
WhyPattern = { $piece } cannot go from { $from } to { $to }
WhyCheck = the king on { $square } is left in check
WhyIntoCheck = the king went to { $square }, where it is in check
WhyCastlingRight = castling after the right to it was lost
WhyCastlingBetween = castling with a piece between king and rook
WhyCastlingOut = castling out of check
WhyCastlingThrough = castling over the attacked square { $square }
WhyCastlingInto = castling into check on { $square }
WhyCastlingRookLeft = castling with the rook left on its square
WhyCastlingRookWrong = castling with the rook on a wrong square
WhyCastlingBothWrong = castling with king and rook on wrong squares
WhyKingCaptured = the opponent's king was captured
WhyOpponentsPiece = the opponent's piece from { $square } was moved
WhyTwoMoves = more than one move was made
WhyPromotionIncomplete = the pawn was removed and no piece stands on the promotion square
WhyPromotionPiece = { $piece } stands on { $square }
WhyPawnNotRemoved = the pawn still stands on { $square } beside the piece that it became
WhyEnPassant = the pawn captured en passant still stands on { $square }
WhyOther = no legal move leads to this position
PromotionLeft = { $side } pressed the clock with the pawn still on { $square } ({ $article }).
PressWithoutMove = { $side } pressed the clock without making a move ({ $article }).
TwoHands = { $side } may have used two hands for { $move } ({ $article }).
CountsIfConfirmed = It counts only if you confirm it.
Reinstate = Reinstate the position immediately before the irregularity.
ReinstateFirst = Reinstate the position before the first irregularity, { $side }'s ({ $article }).
DutyMove = { $piece } on { $square } was touched first: { $side } must move { $it } ({ $article }).
DutyCapture = { $piece } on { $square } was touched first: { $side } must capture { $it } ({ $article }).
DutyReleased = { $piece } from { $square } had rested on { $to }: if the hand had released it, { $side } must play it there ({ $article }).
DutyKing = { $side } must move the king, castling included, if it can move ({ $article }).
DutyKingOnly = { $side } must move the king ({ $article }).
DutyRook = The rook was touched first: { $side } must move it if possible ({ $article }).
DutyCastle = The king was released: { $side } must castle on that side ({ $article }).
DutyNone = The touched piece cannot move: { $side } may play any legal move ({ $article }).
DutyUnknown = { $side } must move a touched piece that can move ({ $article }).
BecomesQueen = The pawn on { $square } becomes a queen.
ClockBack = { $side } is still to move; restart { $side }'s clock.
GiveTime = Give { $time } extra time to { $opponent } ({ $article }).
ByAnalogy = By analogy to { $article } it is { $time }.
ByTheLetter = This is by analogy; { $article } read literally gives { $time }.
TakeBackTime = Take back { $side }'s increment: { $time } ({ $article }).
NoTime = No time is added; a penalty is up to you ({ $authority }).
OnlyOnClaim = Act only if { $opponent } claims ({ $authority }).
OnlyOnRequest = Act only if { $opponent } asks ({ $authority }).
InterveneUnasked = Intervene at once, unasked, if possible ({ $authority }).
CompletedIllegal = { $nth } completed illegal move by { $side }
CompletedOffence = { $nth } completed illegal move (or what counts as one) by { $side }
GameLost = { $what }: { $side } loses ({ $article }).
GameDrawn = { $what }: the game is drawn ({ $article }).
FirstIs = First
SecondIs = Second
ThirdIs = Third
NthIs = { $n }th
ClaimWin = { $opponent } may claim a win because of { $side }'s illegal move ({ $article }).
ClaimDraw = { $opponent } may claim a draw because of { $side }'s illegal move ({ $article }).
WaitForClaim = Do not act unasked; nothing is put back.
RestsOnOpen = This counts an earlier one that nobody has ruled on. Confirm or dismiss that one first.
LateNotCounted = Alert { $alert } was confirmed when the time to intervene was over, and is not counted ({ $article }). If it had been claimed or ruled on in time, this is one more.
AddsUpWith = Alert { $other } is open, too: if you confirm both, they count as two.
WouldDecide = If you confirm it: { $what }, which decides the game ({ $article }).
DeclareLost = Declare the game lost.
DeclareDrawn = Declare the game drawn.
CanMate = { $winner } could checkmate by a series of legal moves.
CannotMate = { $winner } cannot checkmate by any series of legal moves.
MateUnknown = Check whether the position is blocked: if { $winner } cannot checkmate at all, it is a draw.
BareOnBoard = On the board as it stands { $winner } could not mate; the position that is put back decides.
ClaimWindowClosed = { $opponent } has made the next move: { $side }'s illegal move stands ({ $article }).
PressWindowClosed = { $opponent } has made the next move: { $side }'s press without a move has no consequence any more ({ $article }).
TooLate = It is too late: do not intervene.
TooLateUnlessAgreed = It is too late: do not intervene, unless the players agree without you.

## Illegal positions

BothInCheck = both kings are in check
PawnOnLastRank = a pawn of { $side } stands on the last rank
IllegalPosition = Illegal position: { $what } ({ $article }).
WaitForNext = Wait for the next completed move; if a position is illegal then, the game is drawn.
WaitUnlessActed = If nobody acts under { $authority } first: wait for the next completed move; if the position is illegal then, the game is drawn.
IllegalPositionDraw = The position is still illegal after the next move: { $what } ({ $article }).
IllegalPositionOther = After the next move the position is illegal: { $side }'s king is in check ({ $article }).
OrAlert = Only one of the two can decide the game: this, or alert { $other }. Which is up to you.
OrActAgainst = Another view is to act against { $side } ({ $authority }).

## Handling the pieces

PressBeforeMade = { $side } pressed the clock before the move was made: the piece from { $square } had not been put down ({ $article }).
UpToYou = A penalty is up to you ({ $authority }).
CastlingRookFirst = { $side } touched the rook on { $square } before the king and castled ({ $article }).
RookMustMove = No castling on that side now; the rook must move if possible ({ $duty }).
TouchedOwn = { $side } held { $piece } on { $square } for { $held } s, put it back and played something else ({ $article }).
TouchedTheirs = { $side } could have captured { $piece } on { $square }, held for { $held } s, but played something else ({ $article }).
TouchedBefore = { $side } was bound from an earlier attempt at this move and played { $played }. { $duty }
WasItAdjusted = Ask whether it was only adjusted ({ $duty }).
ReleasedPiece = Before { $side } played { $move }, { $piece } had rested on { $square } ({ $article }).
WasItReleased = Ask whether the hand had released it; then it stays on { $square } ({ $duty }).
PromotionChoice = { $side } put { $first } on { $square } and then replaced it by { $chosen } ({ $article }).
FirstChoice = The first choice stands ({ $duty }).
ClaimUntilTouch = { $opponent } loses the right to claim it by touching a piece ({ $authority }).
MismatchAtPress = { $side } made a legal move, but the board reports empty squares: { $squares } ({ $article }).
DisplacedAtPress = { $side } moved and left the board without a piece on { $squares }, which went off in { $side }'s time ({ $article }).
ShovedAtPress = In { $side }'s time a piece went from its square to the one beside it and was left there: { $squares } ({ $article }).
MissingSince = The board has shown no piece on { $squares } since { $side }'s last move ({ $article }).
CentrePieces = See whether a piece stands askew or was displaced.
DeadSquares = The board never shows a piece on { $squares }; look at square and piece.
StrayPieces = The board shows a piece on { $squares } that should not stand there; look at the board.
WeakSquares = The board loses what stands on { $squares } for moments, again and again; look at square and piece.
MisreadPieces = The board shows another piece on { $squares } than was put there; look at square and piece.
WrongCodes = The board showed another piece on { $squares } for a moment; look at square and piece.
UnidentifiedPieces = The board reports where pieces stand, but not which: no game can be followed on it.
LatePieces = The board notices pieces long after they are put down, such as the one from { $squares }; look at the pieces.
UntoldChanges = The board did not report changes on { $squares }; only a query of all squares showed them: look at the cable.
SeatsSwapped = The sides look swapped: every press moves the other colour. Does the clock or the board stand the other way round? On the page of the board, swap what stands the wrong way.
Unexplained = No moves explain the pieces on the board ({ $article }): { $squares }.
CountedSince = Counted since the board was first heard of in this game; nobody knows what was played before.
CountMoves = The beginning of this game was not seen: count the moves on the score sheets.
EarlierUnknown = Irregularities before the board was first heard of in this game are not counted.
CompareSheet = Compare with the score sheet.

## The end of the game

Checkmate = { $side } is checkmated: { $opponent } has won ({ $article }).
MateFirst = The mate comes before { $article }; by another view it would be a draw.
Stalemate = { $side } is stalemated: the game is drawn ({ $article }).
Fivefold = The same position has appeared for the fifth time: the game is drawn ({ $article }).
Seventyfive = Each player has made 75 moves without capture or pawn move: the game is drawn ({ $article }).
DeadPosition = Neither player can checkmate by any series of legal moves: the game is drawn ({ $article }).
FlagFall = { $side }'s flag has fallen: the game is lost for { $side } ({ $article }).
FlagFallDraw = { $side }'s flag has fallen: the game is drawn ({ $article }).
FlagBeforeSetting = { $side }'s flag has fallen on times that were still to be set ({ $article }).
FlagShown = { $side }'s clock shows a fallen flag; it counts only when { $opponent } claims ({ $article }).
FlagClaimPending = { $side }'s flag has fallen while { $side }'s claim of a draw is undecided ({ $article }).
FlagOtherClaimPending = { $side }'s flag has fallen while { $opponent }'s claim of a draw is undecided ({ $article }).
DecideClaim = Decide that claim: drawn, or lost on time ({ $authority }).
FlagCall = Call the flag ({ $authority }).
DoNotCall = Do not call the flag ({ $authority }); { $opponent } has to claim ({ $claim }).
OffenceOfWinner = { $opponent }'s irregularity is still open: rule on it first ({ $offence }).
TimeNotGiven = By a ruling on { $opponent }'s irregularity { $side } was to get extra time ({ $offence }), and the clock has not been stopped since: set the times first, and decide then whether the flag counts ({ $article }).
FlagFirst = { $side }'s flag had fallen before: rule on it first; if it was called or claimed in time, it decides ({ $article }).
SetUpFirst = The set-up was wrong (alert { $alert }): rule on that first; with the game that is cancelled this falls, too ({ $article }).
BothFlagsKnown = Both flags have fallen, { $side }'s first: that one decides ({ $article }).
ClaimNeedsTime = A player can claim only with time left ({ $claim }).
BothFlagsDraw = Both flags have fallen: the game is drawn ({ $article }).
BothFlagsGoOn = Both flags have fallen, and which was first cannot be told: in this period the game continues ({ $article }).
BothFlagsUnruled = Both flags have fallen; which was first cannot be established ({ $article }).
LookAtClock = Let the clock's own sign decide. It is a draw only in an announced quickplay finish without increment ({ $authority }).
MovesNotDone = { $done } of the { $due } moves due had been completed.
FlagRunsOn = The clock calls itself blocked and runs on for the opponent: look at its display.
FlagNewPeriod = The clock has gone on with { $time }: it may only be the end of a period. Count the moves.

## Equipment

BoardLink = The board cannot be heard.
ClockLink = The board has lost its clock.
ClockLowBattery = The clock asks for a new battery.
BoardBattery = The board's battery is down to { $percent } %.
LineNoise = The line to the board is noisy: { $bytes } bytes were damaged.

## Windows

UntilGameEnd = until the end of the game
UntilMoveMade = until { $value }'s next move is made
UntilTouch = until { $value } touches a piece
UntilNextCompleted = until the next move is completed
UntilMovesEach = until both players have completed { $value } moves
WindowSentence = Open { $window }.

## The table of rules

Needs = needs
Proposes = proposes
Article = article
Authority = authority

## Start and time

StartWrong = The game began with pieces on wrong squares: { $squares } ({ $article }).
StartOdd = The game began with { $pieces }, by what the board shows ({ $article }).
PieceOn = { $piece } on { $square }
LookAtSetUp = Look at the board; if it stands so, put it right before the first move, otherwise cancel the game and start a new one ({ $authority }).
ClockTimes = The clock shows { $white } for White and { $black } for Black; the time control { $control } begins with { $base } ({ $article }).
ClockIncrement = The clock adds { $added } for a move; the time control { $control } adds { $due } ({ $article }).
PeriodElsewhere = The clock added { $added } to { $side }'s time at move { $move }; the time control { $control } adds a period at move { $due } ({ $article }).
PeriodOther = The clock added { $added } to { $side }'s time at move { $move }; the time control { $control } adds { $base } there ({ $article }).
PeriodMissing = { $side } has completed move { $move }, and the clock has not added the time of the next period ({ $article }).
CorrectSetting = Stop the clock, install the correct setting, and adjust times and move counter as you judge best ({ $authority }).
CorrectBefore = Set the clock before the game begins ({ $authority }).
CancelGame = Cancel it and start a new one ({ $authority }).
StartClosed = Both players have completed { $moves } moves: no claim about set-up, board or clock setting any more ({ $article }).
NoCastling = No castling with a king or rook that began on a wrong square.
ColoursNewGame = The colours are reversed, and at least one player has made fewer than { $moves } moves ({ $article }).
StartNewGame = Stop the game and start a new one.
ColoursStay = The colours are reversed ({ $article }).
GoOn = The game goes on.
GoOnUnlessRuled = The game goes on, unless you rule otherwise.
DefaultTime = Nothing has been seen of { $side } since the start of the round, { $time } ago ({ $article }).
HasArrived = See whether { $side } has arrived; if not, the game is lost for { $side }, unless you decide otherwise.
NeitherPresent = Where neither player is present, White's clock runs until one arrives ({ $both }).
BothLate = If both are absent, both lose: 0-0.
Muted = No alerts of this board are raised for { $time }.
MuteEnded = Alerts of this board are raised again.
ClockStopped = The clock has stood still for { $time } ({ $article }).

## Draw claims

Threefold = The position has appeared for the { $nth } time: { $side } may claim a draw until { $side } touches a piece ({ $article }, { $lost }).
Fifty = Fifty moves of each player without capture or pawn move: { $side } may claim a draw ({ $article }, { $lost }).
ForArbiter = Do not tell the players.
Third = third
Fourth = fourth
Fifth = fifth
Nth = { $n }th
ClaimCorrect = { $side }'s claim of a draw is correct ({ $article }): { $why }. The game is drawn.
ClaimCorrectSoFar = { $side }'s claim of a draw is correct as the moves stand ({ $article }): { $why }.
ClaimIncorrect = { $side }'s claim of a draw is incorrect ({ $article }): { $why }.
ClaimUnknown = { $side } claims a draw; since the board was first heard of in this game: { $why } ({ $article }). Nobody knows what was played before.
ClaimThroughIllegal = { $side } claims a draw ({ $article }): since the irregularity that stands, { $why }; counted through it, { $through }.
DecideCount = The Laws do not say that an irregularity that stands interrupts the count: decide which count you go by. Without your decision nobody is given time.
ClaimRestsOnOpen = An illegal move is still open (alert { $alert }): rule on it first; if the position before it is reinstated, the claim falls with the moves after it ({ $article }).
DecideBySheet = Stop the clocks, reconstruct the game from the score sheets and decide; the claim cannot be withdrawn.
ColoursUnknown = The colours are reversed; whether both players have made { $moves } moves is not known ({ $article }).
ClaimIsOffer = The claim also counts as an offer of a draw ({ $article }).
ClaimAfterTouch = { $side }'s claim of a draw would be correct, { $why }; but { $side } lifted a piece before it ({ $article }).
WasItTouched = Whoever touches a piece loses the right: ask whether it was touched.
WhyTimes = the position has appeared { $times }
WhyTooFewTimes = the position has appeared { $times }, not 3 times
WhyWillAppear = after { $move } the position appears for the { $nth } time ({ $ground })
WhyMoves = { $n } moves of each player without capture or pawn move
WhyTooFewMoves = { $n } of 50 moves of each player without capture or pawn move
WhyFiftyAfter = with { $move } each player has made 50 moves without capture or pawn move ({ $ground })
WhyNotCompleted = the last move has not been completed
WhyIntendedIllegal = the intended move { $move } is illegal
IntendedFollows = { $side } must now make { $move }.
IntendedNotPlayed = { $side } claimed with { $move } and played { $played } instead ({ $article }).
PlayIntended = { $move } must be made.

## The arbiter's entries

Resigned = { $side } has resigned: { $opponent } has won ({ $article }).
ResignedDrawn = { $side } has resigned, but { $opponent } cannot checkmate by any series of legal moves: the game is drawn ({ $article }).
DrawOffered = { $side } offers a draw ({ $article }).
NoteOffer = Both players note it with (=).
OfferStands = It stands until { $opponent } accepts, refuses or touches a piece to move or capture it.
OfferNotResult = This keeps the offer on record and ends nothing: if { $opponent } has accepted it, enter 1/2-1/2 ({ $article }).
OfferWrongTime = It is valid; if it was not made between move and press, see whether { $opponent } was disturbed ({ $article }).
OfferTooEarly = This event allows no draw by agreement before move { $move } ({ $article }).
OfferNeedsYou = In this event a draw by agreement needs your consent ({ $article }).
AgreedTooEarly = A draw can be agreed only after each player has made a move ({ $article }).
NoQueen = By now { $piece } stands there; it has to be a queen ({ $article }).
FlagBefore = { $side }'s flag had fallen before: if that was called or claimed first, it decides ({ $article }).
ResultAgainstAlert = Alert { $alert } was open and proposed { $proposed } ({ $article }): if that came first, it decides.
ResultAgainstBoard = On the board the game had ended { $proposed } ({ $article }): nothing that was entered or agreed later changes that; see whether the entry is right.
LateRuling = Recorded, but the time to intervene was over: { $opponent } had made the next move ({ $article }). It does not count among the illegal moves.
Reinstated = The position after ply { $ply } stands again. When it was completed the clock showed { $white } for White and { $black } for Black; the move counters are { $white_moves } and { $black_moves }. Set it as you judge best ({ $article }).
Incident = Incident: { $reason }
Device = { $side } has an electronic device that was not approved: the game is lost for { $side } ({ $article }). Enter { $score }, unless the rules of the event set a lesser penalty.
DeviceCarried = An electronic device of { $side } was not switched off ({ $article }). If it only was carried, a penalty is up to you ({ $penalties }). If it made a sound, the game is lost for { $side }: enter { $score }.
DeviceCarriedHalf = An electronic device of { $side } was not switched off ({ $article }). If it only was carried, a penalty is up to you ({ $penalties }). If it made a sound, the game is lost for { $side }, and { $opponent }, who cannot win by any series of legal moves, gets half a point.
OutsideHelp = { $side } used notes, advice or another chessboard ({ $article }). Decide on the penalty ({ $penalties }).
LeftVenue = { $side } left the playing venue without permission, or the playing area while to move ({ $article }). Decide on the penalty ({ $penalties }).
Disturbed = { $side } distracted or annoyed { $opponent } ({ $article }). Decide on the penalty ({ $penalties }).
Fine = { $side } is fined ({ $article }). A fine has to be announced in advance.
Explanation = { $side } asked for an explanation of the Laws, as is every player's right ({ $article }).
Appeal = { $side } appeals against a decision of the arbiter ({ $article }). Note the time and the position.
NoAppeal = A decision under { $final } is final and cannot be appealed against.
ClockAssistant = An assistant presses the clock for { $side } ({ $article }). Adjust the time of { $side } fairly, unless { $side } is disabled.
SpecialMeasures = Special measures for { $side }, who is disabled or needs medical attention ({ $article }).
IncidentTime = { $opponent } gets { $time }.
QuickplayAccepted = { $opponent } accepts the draw offered with the request: the game is drawn ({ $article }).
QuickplayIncrement = Five seconds a move for both from now on; give { $time } extra time to { $opponent } ({ $article }).
QuickplayRefused = No increment: the game goes on, and { $side } may claim a draw ({ $article }). By another reading { $opponent } gets { $time }.
QuickplayDrawn = { $side }'s claim is right: the game cannot be won, or is not being won, by normal means. It is drawn ({ $article }).
QuickplayRejected = { $side }'s claim is rejected; give { $time } extra time to { $opponent } ({ $article }).
QuickplayPostponed = The decision on { $side }'s claim is postponed; { $opponent } may be given { $time }. Decide later, or when a flag has fallen ({ $article }).
QuickplayNoArbiter = { $side } claims a draw without an arbiter: play has ended, the result is open ({ $article }).
SignSheet = Have the final position written down and verified by { $opponent }; where no effort to win is the ground, with the complete score of the game; then send it in.
SignPosition = The ground is that the game cannot be won by normal means: have the final position written down and verified by { $opponent }; then send it in.
SignScore = The ground is that no effort is made to win by normal means: have the final position and the complete score of the game verified by { $opponent }; then send them in.
GroundMeans = Ground: the game cannot be won by normal means.
GroundEffort = Ground: no effort is made to win the game by normal means.
Quickplay = { $side } has less than two minutes left and no increment: a request or a claim is possible ({ $article }).
QuickplayClaimOnly = { $side } has less than two minutes left and no increment: a claim is possible ({ $article }).
QuickplayClaimed = { $side } claims a draw in the quickplay finish with less than two minutes left ({ $article }).
StopAndDecide = Stop the clocks and decide, or postpone the decision.

## What a press may have been instead

StoryLegal = Otherwise: the move was legal, and another piece was displaced or read wrongly.
StoryIllegal = Otherwise: an illegal move was made.
StoryNothing = Otherwise: the clock was pressed without a move.
StoryPromotionLeft = Otherwise: the pawn was not replaced.
StoryMadeLater = Otherwise: the move was made after the press.
StoryPressedBack = Otherwise: the clock was pressed back because of something irregular, or its lever bounced.
