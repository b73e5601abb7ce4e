### What the rules say in alerts, and what the arbiter’s entries are answered with.
### Première version faite par machine, à relire par un arbitre francophone.
### Machine-made first version, to be read by a native arbiter.

## Names and numbers

White = Blancs
Black = Noirs
TheWhite = les Blancs
TheBlack = les Noirs
BothPlayers = les deux joueurs
Pawn =
    .the = le pion
    .object = le pion
    .it = le
    .white = un pion blanc
    .black = un pion noir
Knight =
    .the = le cavalier
    .object = le cavalier
    .it = le
    .white = un cavalier blanc
    .black = un cavalier noir
Bishop =
    .the = le fou
    .object = le fou
    .it = le
    .white = un fou blanc
    .black = un fou noir
Rook =
    .the = la tour
    .object = la tour
    .it = la
    .white = une tour blanche
    .black = une tour noire
Queen =
    .the = la dame
    .object = la dame
    .it = la
    .white = une dame blanche
    .black = une dame noire
King =
    .the = le roi
    .object = le roi
    .it = le
    .white = un roi blanc
    .black = un roi noir
SanLetters = RDTFC
Minute = { $n } minute
Minutes = { $n } minutes
Second = { $n } seconde
Seconds = { $n } secondes
Once = une fois
Twice = deux fois
Times = { $n } fois
DecimalPoint = ,

## Illegal moves and what is treated as one

IllegalMove = Les { $side } ont achevé un coup illégal : { $why } ({ $article }).
WhyPattern = { $piece } ne peut pas aller de { $from } en { $to }
WhyCheck = le roi en { $square } reste en échec
WhyIntoCheck = le roi est allé en { $square }, où il est en échec
WhyCastlingRight = roque alors que le droit de roquer était perdu
WhyCastlingBetween = roque avec une pièce entre le roi et la tour
WhyCastlingOut = roque alors que le roi était en échec
WhyCastlingThrough = roque en passant par la case attaquée { $square }
WhyCastlingInto = roque mettant le roi en échec en { $square }
WhyCastlingRookLeft = roque, mais la tour est restée sur sa case
WhyCastlingRookWrong = roque avec la tour sur une mauvaise case
WhyCastlingBothWrong = roque avec le roi et la tour sur de mauvaises cases
WhyKingCaptured = le roi adverse a été capturé
WhyOpponentsPiece = la pièce adverse en { $square } a été jouée
WhyTwoMoves = plus d’un coup a été joué
WhyPromotionIncomplete = le pion a été retiré et aucune pièce ne se trouve sur la case de promotion
WhyPromotionPiece = { $piece } se trouve en { $square }
WhyPawnNotRemoved = le pion est encore en { $square } à côté de la pièce en laquelle il a été promu
WhyEnPassant = le pion pris en passant est encore en { $square }
WhyOther = aucun coup légal ne mène à cette position
PromotionLeft = Les { $side } ont appuyé sur la pendule sans avoir remplacé le pion en { $square } ({ $article }).
PressWithoutMove = Les { $side } ont appuyé sur la pendule sans jouer de coup ({ $article }).
TwoHands = Les { $side } ont peut-être joué { $move } avec les deux mains ({ $article }).
CountsIfConfirmed = Cela ne compte que si vous le confirmez.
Reinstate = Rétablir la position qui précédait immédiatement l’irrégularité.
ReinstateFirst = Rétablir la position d’avant la première irrégularité, celle des { $side } ({ $article }).
DutyMove = { $piece } en { $square } est la pièce touchée en premier : les { $side } doivent { $it } jouer ({ $article }).
DutyCapture = { $piece } en { $square } est la pièce touchée en premier : les { $side } doivent { $it } prendre ({ $article }).
DutyReleased = { $piece } venant de { $square } avait reposé en { $to } : si la main avait lâché la pièce, les { $side } doivent la jouer là ({ $article }).
DutyKing = Les { $side } doivent jouer le roi, roque compris, s’il peut bouger ({ $article }).
DutyKingOnly = Les { $side } doivent jouer le roi ({ $article }).
DutyRook = La tour a été touchée en premier : les { $side } doivent la jouer si possible ({ $article }).
DutyCastle = Le roi a été lâché : les { $side } doivent roquer de ce côté ({ $article }).
DutyNone = La pièce touchée ne peut pas bouger : les { $side } peuvent jouer n’importe quel coup légal ({ $article }).
DutyUnknown = Les { $side } doivent jouer une pièce touchée qui peut bouger ({ $article }).
BecomesQueen = Le pion en { $square } devient une dame.
ClockBack = Les { $side } ont toujours le trait ; remettre en marche la pendule des { $side }.
GiveTime = Ajouter { $time } au temps des { $opponent } ({ $article }).
ByAnalogy = Par analogie avec { $article }, c’est { $time }.
ByTheLetter = C’est par analogie ; { $article } lu à la lettre donne { $time }.
TakeBackTime = Retirer l’incrément des { $side } : { $time } ({ $article }).
NoTime = Aucun temps n’est ajouté ; une sanction dépend de vous ({ $authority }).
OnlyOnClaim = N’intervenir que si les { $opponent } réclament ({ $authority }).
OnlyOnRequest = N’intervenir que si les { $opponent } le demandent ({ $authority }).
InterveneUnasked = Intervenir aussitôt, sans demande, si possible ({ $authority }).
CompletedIllegal = { $nth } coup illégal achevé par les { $side }
CompletedOffence = { $nth } coup illégal achevé (ou considéré comme tel) par les { $side }
GameLost = { $what } : les { $side } perdent ({ $article }).
GameDrawn = { $what } : la partie est nulle ({ $article }).
FirstIs = Premier
SecondIs = Deuxième
ThirdIs = Troisième
NthIs = { $n }e
ClaimWin = Les { $opponent } peuvent réclamer le gain en raison du coup illégal des { $side } ({ $article }).
ClaimDraw = Les { $opponent } peuvent réclamer la nulle en raison du coup illégal des { $side } ({ $article }).
WaitForClaim = Ne pas intervenir sans demande ; rien n’est remis en place.
RestsOnOpen = Cela compte une irrégularité antérieure sur laquelle personne n’a statué. Confirmer ou rejeter d’abord celle-là.
LateNotCounted = L’alerte { $alert } a été confirmée après le délai pour intervenir et ne compte pas ({ $article }). Si elle avait été réclamée ou jugée à temps, ceci en fait une de plus.
AddsUpWith = L’alerte { $other } est ouverte aussi : si vous confirmez les deux, elles comptent pour deux.
WouldDecide = Si vous la confirmez : { $what }, ce qui décide de la partie ({ $article }).
DeclareLost = Déclarer la partie perdue.
DeclareDrawn = Déclarer la partie nulle.
CanMate = Les { $winner } pourraient mater par une suite de coups légaux.
CannotMate = Les { $winner } ne peuvent mater par aucune suite de coups légaux.
MateUnknown = Vérifier si la position est bloquée : si les { $winner } ne peuvent mater d’aucune façon, la partie est nulle.
BareOnBoard = Avec ce qui est sur l’échiquier, les { $winner } ne pourraient pas mater ; c’est la position rétablie qui décide.
ClaimWindowClosed = Les { $opponent } ont joué le coup suivant : l’irrégularité des { $side } demeure ({ $article }).
PressWindowClosed = Les { $opponent } ont joué le coup suivant : la pression des { $side } sans coup reste sans suite ({ $article }).
TooLate = Il est trop tard : ne pas intervenir.
TooLateUnlessAgreed = Il est trop tard : ne pas intervenir, sauf si les joueurs s’accordent sans vous.

## Illegal positions

BothInCheck = les deux rois sont en échec
PawnOnLastRank = un pion des { $side } se trouve sur la dernière rangée
IllegalPosition = Position illégale : { $what } ({ $article }).
WaitForNext = Attendre le prochain coup achevé ; si une position est alors illégale, la partie est nulle.
WaitUnlessActed = Si personne n’intervient d’abord selon { $authority } : attendre le prochain coup achevé ; si la position est alors illégale, la partie est nulle.
IllegalPositionDraw = La position est toujours illégale après le coup suivant : { $what } ({ $article }).
IllegalPositionOther = Après le coup suivant, la position est illégale : le roi des { $side } est en échec ({ $article }).
OrAlert = Une seule des deux peut décider de la partie : celle-ci ou l’alerte { $other }. C’est à vous de choisir.
OrActAgainst = Selon un autre avis, on intervient contre les { $side } ({ $authority }).

## Handling the pieces

PressBeforeMade = Les { $side } ont appuyé sur la pendule avant que le coup soit exécuté : la pièce venant de { $square } n’était pas posée ({ $article }).
UpToYou = Une sanction dépend de vous ({ $authority }).
CastlingRookFirst = Les { $side } ont touché la tour en { $square } avant le roi et ont roqué ({ $article }).
RookMustMove = Pas de roque de ce côté maintenant ; la tour doit être jouée si possible ({ $duty }).
TouchedOwn = Les { $side } ont tenu { $piece } en { $square } pendant { $held } s, puis reposé la pièce et joué autre chose ({ $article }).
TouchedTheirs = Les { $side } auraient pu prendre { $piece } en { $square }, pièce tenue pendant { $held } s, mais ont joué autre chose ({ $article }).
TouchedBefore = Les { $side } étaient liés par un essai antérieur à ce coup et ont joué { $played }. { $duty }
WasItAdjusted = Demander si la pièce a seulement été rectifiée ({ $duty }).
ReleasedPiece = Avant que les { $side } jouent { $move }, { $piece } avait reposé en { $square } ({ $article }).
WasItReleased = Demander si la main avait lâché la pièce ; elle reste alors en { $square } ({ $duty }).
PromotionChoice = Les { $side } ont mis { $first } en { $square }, puis { $chosen } à la place ({ $article }).
FirstChoice = Le premier choix reste valable ({ $duty }).
ClaimUntilTouch = Les { $opponent } perdent le droit de réclamer en touchant une pièce ({ $authority }).
MismatchAtPress = Les { $side } ont joué un coup légal, mais l’échiquier signale des cases vides : { $squares } ({ $article }).
DisplacedAtPress = Les { $side } ont joué et laissé l’échiquier sans pièce en { $squares }, disparue pendant le temps des { $side } ({ $article }).
ShovedAtPress = Pendant le temps des { $side }, une pièce est passée de sa case à la case voisine et y est restée : { $squares } ({ $article }).
MissingSince = L’échiquier ne montre aucune pièce en { $squares } depuis le dernier coup des { $side } ({ $article }).
CentrePieces = Voir si une pièce est de travers ou a été déplacée.
DeadSquares = L’échiquier ne montre jamais de pièce en { $squares } ; vérifier la case et la pièce.
StrayPieces = L’échiquier montre en { $squares } une pièce qui ne devrait pas y être ; regarder l’échiquier.
WeakSquares = L’échiquier perd par moments, encore et encore, ce qui se trouve en { $squares } ; vérifier la case et la pièce.
MisreadPieces = L’échiquier montre en { $squares } une autre pièce que celle qui y a été posée ; vérifier la case et la pièce.
WrongCodes = L’échiquier a montré un instant une autre pièce en { $squares } ; vérifier la case et la pièce.
UnidentifiedPieces = L’échiquier signale où se trouvent des pièces, mais pas lesquelles : aucune partie ne peut y être suivie.
LatePieces = L’échiquier remarque des pièces longtemps après qu’elles ont été posées, comme celle venant de { $squares } ; vérifier les pièces.
UntoldChanges = L’échiquier n’a pas signalé de changements en { $squares } ; seule une lecture de toutes les cases les a montrés : vérifier le câble.
SeatsSwapped = Les côtés semblent inversés : chaque appui suit un coup de l’autre couleur. La pendule ou l’échiquier est-il tourné ? Sur la page de l’échiquier, inverser ce qui est à l’envers.
Unexplained = Aucune suite de coups n’explique les pièces sur l’échiquier ({ $article }) : { $squares }.
CountedSince = Compté depuis que l’échiquier a été entendu pour la première fois dans cette partie ; nul ne sait ce qui a été joué avant.
CountMoves = Le début de cette partie n’a pas été vu : compter les coups sur les feuilles de partie.
EarlierUnknown = Les irrégularités d’avant que l’échiquier ait été entendu dans cette partie ne sont pas comptées.
CompareSheet = Comparer avec la feuille de partie.

## The end of the game

Checkmate = Les { $side } sont échec et mat : les { $opponent } ont gagné ({ $article }).
MateFirst = Le mat passe avant { $article } ; selon un autre avis, ce serait nulle.
Stalemate = Les { $side } sont pat : la partie est nulle ({ $article }).
Fivefold = La même position est apparue pour la cinquième fois : la partie est nulle ({ $article }).
Seventyfive = Chaque joueur a joué 75 coups sans prise ni coup de pion : la partie est nulle ({ $article }).
DeadPosition = Aucun des joueurs ne peut mater par une suite quelconque de coups légaux : la partie est nulle ({ $article }).
FlagFall = Le drapeau des { $side } est tombé : la partie est perdue pour les { $side } ({ $article }).
FlagFallDraw = Le drapeau des { $side } est tombé : la partie est nulle ({ $article }).
FlagBeforeSetting = Le drapeau des { $side } est tombé sur des temps qui restaient à régler ({ $article }).
FlagShown = La pendule des { $side } montre un drapeau tombé ; il ne compte que si les { $opponent } réclament ({ $article }).
FlagClaimPending = Le drapeau des { $side } est tombé alors que la demande de nulle des { $side } n’est pas tranchée ({ $article }).
FlagOtherClaimPending = Le drapeau des { $side } est tombé alors que la demande de nulle des { $opponent } n’est pas tranchée ({ $article }).
DecideClaim = Trancher cette demande : nulle, ou perte au temps ({ $authority }).
FlagCall = Annoncer la chute du drapeau ({ $authority }).
DoNotCall = Ne pas annoncer la chute du drapeau ({ $authority }) ; les { $opponent } doivent réclamer ({ $claim }).
OffenceOfWinner = L’irrégularité des { $opponent } est encore ouverte : statuer d’abord sur elle ({ $offence }).
TimeNotGiven = Par décision sur l’irrégularité des { $opponent }, les { $side } devaient recevoir du temps ({ $offence }), et la pendule n’a pas été arrêtée depuis : régler d’abord les temps, puis décider si le drapeau compte ({ $article }).
FlagFirst = Le drapeau des { $side } était tombé avant : statuer d’abord là-dessus ; s’il a été annoncé ou réclamé à temps, c’est lui qui décide ({ $article }).
SetUpFirst = La mise en place était fausse (alerte { $alert }) : statuer d’abord là-dessus ; si la partie est annulée, ceci tombe aussi ({ $article }).
BothFlagsKnown = Les deux drapeaux sont tombés, celui des { $side } en premier : c’est lui qui décide ({ $article }).
ClaimNeedsTime = Un joueur ne peut réclamer que s’il lui reste du temps ({ $claim }).
BothFlagsDraw = Les deux drapeaux sont tombés : la partie est nulle ({ $article }).
BothFlagsGoOn = Les deux drapeaux sont tombés, et on ne peut dire lequel en premier : dans cette période, la partie continue ({ $article }).
BothFlagsUnruled = Les deux drapeaux sont tombés ; on ne peut établir lequel est tombé en premier ({ $article }).
LookAtClock = Laisser le signe de la pendule décider. Ce n’est nulle que dans une fin de partie au KO annoncée, sans incrément ({ $authority }).
MovesNotDone = { $done } des { $due } coups dus avaient été achevés.
FlagRunsOn = La pendule se dit bloquée et continue pour l’adversaire : regarder son affichage.
FlagNewPeriod = La pendule a continué avec { $time } : ce n’est peut-être que la fin d’une période. Compter les coups.

## Equipment

BoardLink = L’échiquier ne répond pas.
ClockLink = L’échiquier a perdu sa pendule.
ClockLowBattery = La pendule demande une nouvelle pile.
BoardBattery = La batterie de l’échiquier est à { $percent } %.
LineNoise = La ligne vers l’échiquier est perturbée : { $bytes } octets étaient abîmés.

## Windows

UntilGameEnd = jusqu’à la fin de la partie
UntilMoveMade = jusqu’à ce que { $value } aient joué leur prochain coup
UntilTouch = jusqu’à ce que { $value } touchent une pièce
UntilNextCompleted = jusqu’à ce que le prochain coup soit achevé
UntilMovesEach = jusqu’à ce que les deux joueurs aient achevé { $value } coups
WindowSentence = Délai : { $window }.

## The table of rules

Needs = constate
Proposes = propose
Article = article
Authority = fondement

## Start and time

StartWrong = La partie a commencé avec des pièces sur de mauvaises cases : { $squares } ({ $article }).
StartOdd = La partie a commencé avec { $pieces }, d’après ce que montre l’échiquier ({ $article }).
PieceOn = { $piece } en { $square }
LookAtSetUp = Regarder l’échiquier ; s’il en est ainsi, corriger avant le premier coup, sinon annuler la partie et en commencer une nouvelle ({ $authority }).
ClockTimes = La pendule montre { $white } pour les Blancs et { $black } pour les Noirs ; la cadence { $control } commence avec { $base } ({ $article }).
ClockIncrement = La pendule ajoute { $added } par coup ; la cadence { $control } ajoute { $due } ({ $article }).
PeriodElsewhere = La pendule a ajouté { $added } au temps des { $side } au coup { $move } ; la cadence { $control } ajoute une période au coup { $due } ({ $article }).
PeriodOther = La pendule a ajouté { $added } au temps des { $side } au coup { $move } ; la cadence { $control } y ajoute { $base } ({ $article }).
PeriodMissing = Les { $side } ont achevé le coup { $move }, et la pendule n’a pas ajouté le temps de la période suivante ({ $article }).
CorrectSetting = Arrêter la pendule, installer le bon réglage et ajuster les temps et le compteur de coups au mieux de votre jugement ({ $authority }).
CorrectBefore = Régler la pendule avant le début de la partie ({ $authority }).
CancelGame = L’annuler et en commencer une nouvelle ({ $authority }).
StartClosed = Les deux joueurs ont achevé { $moves } coups : plus aucune réclamation sur la position initiale, l’échiquier ou le réglage de la pendule ({ $article }).
NoCastling = Pas de roque avec un roi ou une tour placés au départ sur une mauvaise case.
ColoursNewGame = Les couleurs sont inversées, et au moins un joueur a joué moins de { $moves } coups ({ $article }).
StartNewGame = Arrêter la partie et en commencer une nouvelle.
ColoursStay = Les couleurs sont inversées ({ $article }).
GoOn = La partie continue.
GoOnUnlessRuled = La partie continue, sauf décision contraire de votre part.
DefaultTime = Rien n’a été vu des { $side } depuis le début de la ronde, il y a { $time } ({ $article }).
HasArrived = Voir si les { $side } sont arrivés ; sinon, la partie est perdue pour les { $side }, sauf décision contraire de votre part.
NeitherPresent = Si aucun des joueurs n’est présent, la pendule des Blancs tourne jusqu’à l’arrivée de l’un d’eux ({ $both }).
BothLate = Si les deux sont absents, les deux perdent : 0-0.
Muted = Aucune alerte de cet échiquier n’est donnée pendant { $time }.
MuteEnded = Les alertes de cet échiquier sont de nouveau données.
ClockStopped = La pendule est arrêtée depuis { $time } ({ $article }).

## Draw claims

Threefold = La position est apparue pour la { $nth } fois : les { $side } peuvent demander la nulle tant qu’ils ne touchent pas de pièce ({ $article }, { $lost }).
Fifty = Cinquante coups de chaque joueur sans prise ni coup de pion : les { $side } peuvent demander la nulle ({ $article }, { $lost }).
ForArbiter = Ne rien dire aux joueurs.
Third = troisième
Fourth = quatrième
Fifth = cinquième
Nth = { $n }e
ClaimCorrect = La demande de nulle des { $side } est correcte ({ $article }) : { $why }. La partie est nulle.
ClaimCorrectSoFar = La demande de nulle des { $side } est correcte au vu des coups tels qu’ils sont ({ $article }) : { $why }.
ClaimIncorrect = La demande de nulle des { $side } est incorrecte ({ $article }) : { $why }.
ClaimUnknown = Les { $side } demandent la nulle ; depuis que l’échiquier a été entendu dans cette partie : { $why } ({ $article }). Nul ne sait ce qui a été joué avant.
ClaimThroughIllegal = Les { $side } demandent la nulle ({ $article }) : depuis l’irrégularité qui demeure, { $why } ; en comptant au-delà, { $through }.
DecideCount = Les Règles ne disent pas qu’une irrégularité qui demeure interrompt le compte : décider quel compte vaut. Sans décision, personne ne reçoit de temps.
ClaimRestsOnOpen = Un coup illégal est encore ouvert (alerte { $alert }) : statuer d’abord sur lui ; si la position d’avant est rétablie, la demande tombe avec les coups suivants ({ $article }).
DecideBySheet = Arrêter les pendules, reconstituer la partie d’après les feuilles de partie et décider ; la demande ne peut être retirée.
ColoursUnknown = Les couleurs sont inversées ; on ne sait pas si les deux joueurs ont joué { $moves } coups ({ $article }).
ClaimIsOffer = La demande vaut aussi proposition de nulle ({ $article }).
ClaimAfterTouch = La demande de nulle des { $side } serait correcte, { $why } ; mais les { $side } ont soulevé une pièce avant ({ $article }).
WasItTouched = Qui touche une pièce perd ce droit : demander si elle a été touchée.
WhyTimes = la position est apparue { $times }
WhyTooFewTimes = la position est apparue { $times }, et non 3 fois
WhyWillAppear = après { $move }, la position apparaît pour la { $nth } fois ({ $ground })
WhyMoves = { $n } coups de chaque joueur sans prise ni coup de pion
WhyTooFewMoves = { $n } coups sur 50 de chaque joueur sans prise ni coup de pion
WhyFiftyAfter = avec { $move }, chaque joueur a joué 50 coups sans prise ni coup de pion ({ $ground })
WhyNotCompleted = le dernier coup n’a pas été achevé
WhyIntendedIllegal = le coup annoncé { $move } est illégal
IntendedFollows = Les { $side } doivent maintenant jouer { $move }.
IntendedNotPlayed = Les { $side } ont fait leur demande avec { $move } et ont joué { $played } à la place ({ $article }).
PlayIntended = { $move } doit être joué.

## The arbiter's entries

Resigned = Les { $side } ont abandonné : les { $opponent } ont gagné ({ $article }).
ResignedDrawn = Les { $side } ont abandonné, mais les { $opponent } ne peuvent mater par aucune suite de coups légaux : la partie est nulle ({ $article }).
DrawOffered = Les { $side } proposent la nulle ({ $article }).
NoteOffer = Les deux joueurs la notent par (=).
OfferStands = Elle reste valable jusqu’à ce que les { $opponent } l’acceptent, la refusent ou touchent une pièce.
OfferNotResult = L’offre est ainsi notée et rien n’est terminé : si les { $opponent } l’ont acceptée, saisir 1/2-1/2 ({ $article }).
OfferWrongTime = Elle est valable ; si elle n’a pas été faite entre le coup et l’appui, voir si les { $opponent } ont été dérangés ({ $article }).
OfferTooEarly = Ce tournoi ne permet pas de nulle par accord avant le coup { $move } ({ $article }).
OfferNeedsYou = Dans ce tournoi, une nulle par accord requiert votre consentement ({ $article }).
AgreedTooEarly = Une nulle ne peut être convenue qu’après que chaque joueur a joué un coup ({ $article }).
NoQueen = À présent, { $piece } se trouve là ; ce doit être une dame ({ $article }).
FlagBefore = Le drapeau des { $side } était tombé avant : si sa chute a été annoncée ou réclamée d’abord, elle décide ({ $article }).
ResultAgainstAlert = L’alerte { $alert } était ouverte et proposait { $proposed } ({ $article }) : si cela est venu d’abord, c’est ce qui décide.
ResultAgainstBoard = Sur l’échiquier la partie s’était terminée { $proposed } ({ $article }) : rien de ce qui a été saisi ou convenu ensuite n’y change rien ; vérifier la saisie.
LateRuling = Noté, mais le délai pour intervenir était passé : les { $opponent } avaient joué le coup suivant ({ $article }). Cela ne compte pas parmi les coups illégaux.
Reinstated = La position après le demi-coup { $ply } est rétablie. Quand il a été achevé, la pendule montrait { $white } pour les Blancs et { $black } pour les Noirs ; les compteurs de coups sont à { $white_moves } et { $black_moves }. Régler au mieux de votre jugement ({ $article }).
Incident = Incident : { $reason }
Device = Les { $side } ont un appareil électronique non autorisé : la partie est perdue pour les { $side } ({ $article }). Inscrire { $score }, sauf si le règlement du tournoi prévoit une sanction moindre.
DeviceCarried = Un appareil électronique des { $side } n’était pas éteint ({ $article }). S’il était seulement porté, une sanction dépend de vous ({ $penalties }). S’il a émis un son, la partie est perdue pour les { $side } : inscrire { $score }.
DeviceCarriedHalf = Un appareil électronique des { $side } n’était pas éteint ({ $article }). S’il était seulement porté, une sanction dépend de vous ({ $penalties }). S’il a émis un son, la partie est perdue pour les { $side }, et les { $opponent }, qui ne peuvent gagner par aucune suite de coups légaux, reçoivent un demi-point.
OutsideHelp = Les { $side } ont utilisé des notes, des conseils ou un autre échiquier ({ $article }). Décider de la sanction ({ $penalties }).
LeftVenue = Les { $side } ont quitté l’espace de jeu sans permission, ou l’aire de jeu alors qu’ils avaient le trait ({ $article }). Décider de la sanction ({ $penalties }).
Disturbed = Les { $side } ont distrait ou gêné les { $opponent } ({ $article }). Décider de la sanction ({ $penalties }).
Fine = Les { $side } reçoivent une amende ({ $article }). Une amende doit être annoncée à l’avance.
Explanation = Les { $side } ont demandé une explication des Règles, ce qui est le droit de tout joueur ({ $article }).
Appeal = Les { $side } font appel d’une décision de l’arbitre ({ $article }). Noter l’heure et la position.
NoAppeal = Une décision selon { $final } est définitive et ne peut faire l’objet d’un appel.
ClockAssistant = Un assistant appuie sur la pendule pour les { $side } ({ $article }). Ajuster équitablement le temps des { $side }, sauf en cas de handicap.
SpecialMeasures = Mesures particulières pour les { $side }, en raison d’un handicap ou de soins médicaux ({ $article }).
IncidentTime = Les { $opponent } reçoivent { $time }.
QuickplayAccepted = Les { $opponent } acceptent la nulle proposée avec la demande : la partie est nulle ({ $article }).
QuickplayIncrement = Désormais cinq secondes par coup pour les deux ; ajouter { $time } au temps des { $opponent } ({ $article }).
QuickplayRefused = Pas d’incrément : la partie continue, et les { $side } peuvent demander la nulle ({ $article }). Selon une autre lecture, les { $opponent } reçoivent { $time }.
QuickplayDrawn = La demande des { $side } est fondée : la partie ne peut être gagnée, ou n’est pas jouée pour le gain, par des moyens normaux. Elle est nulle ({ $article }).
QuickplayRejected = La demande des { $side } est rejetée ; ajouter { $time } au temps des { $opponent } ({ $article }).
QuickplayPostponed = La décision sur la demande des { $side } est ajournée ; les { $opponent } peuvent recevoir { $time }. Décider plus tard, ou quand un drapeau est tombé ({ $article }).
QuickplayNoArbiter = Les { $side } demandent la nulle en l’absence d’arbitre : le jeu est terminé, le résultat est en suspens ({ $article }).
SignSheet = Faire noter la position finale et la faire vérifier par les { $opponent } ; si le motif est l’absence d’effort pour gagner, avec la partie complète ; puis l’envoyer.
SignPosition = Le motif est que la partie ne peut être gagnée par des moyens normaux : faire noter la position finale et la faire vérifier par les { $opponent } ; puis l’envoyer.
SignScore = Le motif est qu’aucun effort n’est fait pour gagner par des moyens normaux : faire vérifier par les { $opponent } la position finale et la partie complète ; puis les envoyer.
GroundMeans = Motif : la partie ne peut être gagnée par des moyens normaux.
GroundEffort = Motif : aucun effort n’est fait pour gagner la partie par des moyens normaux.
Quickplay = Il reste aux { $side } moins de deux minutes, sans incrément : une demande ou une réclamation est possible ({ $article }).
QuickplayClaimOnly = Il reste aux { $side } moins de deux minutes, sans incrément : une réclamation est possible ({ $article }).
QuickplayClaimed = Les { $side } demandent la nulle dans la fin de partie au KO, avec moins de deux minutes ({ $article }).
StopAndDecide = Arrêter les pendules et décider, ou ajourner la décision.

## What a press may have been instead

StoryLegal = Autrement : le coup était légal, et une autre pièce a été déplacée ou mal lue.
StoryIllegal = Autrement : un coup illégal a été joué.
StoryNothing = Autrement : la pendule a été actionnée sans coup.
StoryPromotionLeft = Autrement : le pion n’a pas été remplacé.
StoryMadeLater = Autrement : le coup a été joué après l’appui.
StoryPressedBack = Autrement : la pendule a été renvoyée en raison d’une irrégularité, ou son levier a rebondi.
