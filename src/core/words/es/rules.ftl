### What the rules say in alerts, and what the arbiter’s entries are answered with.
### Primera versión hecha por máquina; la ha de revisar un árbitro hispanohablante.
### Machine-made first version, to be read by a native arbiter.

## Names and numbers

White = blancas
Black = negras
TheWhite = las blancas
TheBlack = las negras
BothPlayers = ambos jugadores
Pawn =
    .the = el peón
    .object = el peón
    .it = lo
    .white = un peón blanco
    .black = un peón negro
Knight =
    .the = el caballo
    .object = el caballo
    .it = lo
    .white = un caballo blanco
    .black = un caballo negro
Bishop =
    .the = el alfil
    .object = el alfil
    .it = lo
    .white = un alfil blanco
    .black = un alfil negro
Rook =
    .the = la torre
    .object = la torre
    .it = la
    .white = una torre blanca
    .black = una torre negra
Queen =
    .the = la dama
    .object = la dama
    .it = la
    .white = una dama blanca
    .black = una dama negra
King =
    .the = el rey
    .object = el rey
    .it = lo
    .white = un rey blanco
    .black = un rey negro
SanLetters = RDTAC
Minute = { $n } minuto
Minutes = { $n } minutos
Second = { $n } segundo
Seconds = { $n } segundos
Once = una vez
Twice = dos veces
Times = { $n } veces
DecimalPoint = ,

## Illegal moves and what is treated as one

IllegalMove = Las { $side } han completado una jugada ilegal: { $why } ({ $article }).
WhyPattern = { $piece } no puede ir de { $from } a { $to }
WhyCheck = el rey en { $square } queda en jaque
WhyIntoCheck = el rey fue a { $square }, donde está en jaque
WhyCastlingRight = enroque cuando ya se había perdido el derecho a enrocar
WhyCastlingBetween = enroque con una pieza entre el rey y la torre
WhyCastlingOut = enroque estando en jaque
WhyCastlingThrough = enroque pasando por la casilla atacada { $square }
WhyCastlingInto = enroque que deja al rey en jaque en { $square }
WhyCastlingRookLeft = enroque con la torre sin mover de su casilla
WhyCastlingRookWrong = enroque con la torre en una casilla equivocada
WhyCastlingBothWrong = enroque con el rey y la torre en casillas equivocadas
WhyKingCaptured = se capturó el rey del adversario
WhyOpponentsPiece = se movió la pieza del adversario de { $square }
WhyTwoMoves = se hizo más de una jugada
WhyPromotionIncomplete = se retiró el peón y no hay ninguna pieza en la casilla de promoción
WhyPromotionPiece = { $piece } está en { $square }
WhyPawnNotRemoved = el peón sigue en { $square } junto a la pieza en que se convirtió
WhyEnPassant = el peón capturado al paso sigue en { $square }
WhyOther = ninguna jugada legal lleva a esta posición
PromotionLeft = Las { $side } pulsaron el reloj sin haber sustituido el peón de { $square } ({ $article }).
PressWithoutMove = Las { $side } pulsaron el reloj sin hacer una jugada ({ $article }).
TwoHands = Las { $side } pueden haber hecho { $move } con las dos manos ({ $article }).
CountsIfConfirmed = Solo cuenta si usted lo confirma.
Reinstate = Restablecer la posición inmediatamente anterior a la irregularidad.
ReinstateFirst = Restablecer la posición anterior a la primera irregularidad, la de las { $side } ({ $article }).
DutyMove = { $piece } de { $square } fue la pieza tocada en primer lugar: las { $side } deben mover{ $it } ({ $article }).
DutyCapture = { $piece } de { $square } fue la pieza tocada en primer lugar: las { $side } deben capturar{ $it } ({ $article }).
DutyReleased = { $piece } de { $square } había reposado en { $to }: si la mano había soltado la pieza, las { $side } deben jugarla allí ({ $article }).
DutyKing = Las { $side } deben mover el rey, enroque incluido, si puede moverse ({ $article }).
DutyKingOnly = Las { $side } deben mover el rey ({ $article }).
DutyRook = La torre se tocó primero: las { $side } deben moverla si es posible ({ $article }).
DutyCastle = El rey fue soltado: las { $side } deben enrocar por ese lado ({ $article }).
DutyNone = La pieza tocada no puede moverse: las { $side } pueden hacer cualquier jugada legal ({ $article }).
DutyUnknown = Las { $side } deben mover una pieza tocada que pueda moverse ({ $article }).
BecomesQueen = El peón de { $square } se convierte en dama.
ClockBack = El turno sigue siendo de las { $side }; poner de nuevo en marcha el reloj de las { $side }.
GiveTime = Añadir { $time } al tiempo de las { $opponent } ({ $article }).
ByAnalogy = Por analogía con { $article } es { $time }.
ByTheLetter = Esto es por analogía; { $article } leído al pie de la letra da { $time }.
TakeBackTime = Retirar el incremento de las { $side }: { $time } ({ $article }).
NoTime = No se añade tiempo; una sanción queda a su criterio ({ $authority }).
OnlyOnClaim = Actuar solo si las { $opponent } reclaman ({ $authority }).
OnlyOnRequest = Actuar solo si las { $opponent } lo piden ({ $authority }).
InterveneUnasked = Intervenir de inmediato, sin que nadie lo pida, si es posible ({ $authority }).
CompletedIllegal = { $nth } jugada ilegal completada por las { $side }
CompletedOffence = { $nth } jugada ilegal completada (o lo que cuenta como tal) por las { $side }
GameLost = { $what }: las { $side } pierden ({ $article }).
GameDrawn = { $what }: la partida es tablas ({ $article }).
FirstIs = Primera
SecondIs = Segunda
ThirdIs = Tercera
NthIs = { $n }.ª
ClaimWin = Las { $opponent } pueden reclamar la victoria por la jugada ilegal de las { $side } ({ $article }).
ClaimDraw = Las { $opponent } pueden reclamar tablas por la jugada ilegal de las { $side } ({ $article }).
WaitForClaim = No actuar sin que se pida; nada se repone.
RestsOnOpen = Esto cuenta una anterior sobre la que nadie ha decidido. Confirmar o descartar primero aquella.
LateNotCounted = El aviso { $alert } se confirmó cuando había pasado el momento de intervenir, y no cuenta ({ $article }). Si se reclamó o se decidió a tiempo, esta es una más.
AddsUpWith = El aviso { $other } también está abierto: si confirma ambos, cuentan como dos.
WouldDecide = Si lo confirma: { $what }, y eso decide la partida ({ $article }).
DeclareLost = Declarar perdida la partida.
DeclareDrawn = Declarar tablas la partida.
CanMate = Las { $winner } podrían dar mate mediante una serie de jugadas legales.
CannotMate = Las { $winner } no pueden dar mate mediante ninguna serie de jugadas legales.
MateUnknown = Comprobar si la posición está bloqueada: si las { $winner } no pueden dar mate de ningún modo, es tablas.
BareOnBoard = Tal como está el tablero, las { $winner } no podrían dar mate; decide la posición que se restablece.
ClaimWindowClosed = Las { $opponent } han hecho la jugada siguiente: la irregularidad de las { $side } queda en pie ({ $article }).
PressWindowClosed = Las { $opponent } han hecho la jugada siguiente: la pulsación de las { $side } sin jugada queda sin consecuencia ({ $article }).
TooLate = Es demasiado tarde: no intervenir.
TooLateUnlessAgreed = Es demasiado tarde: no intervenir, salvo que los jugadores se pongan de acuerdo sin usted.

## Illegal positions

BothInCheck = ambos reyes están en jaque
PawnOnLastRank = un peón de las { $side } está en la última fila
IllegalPosition = Posición ilegal: { $what } ({ $article }).
WaitForNext = Esperar la próxima jugada completada; si entonces una posición es ilegal, la partida es tablas.
WaitUnlessActed = Si nadie actúa antes según { $authority }: esperar la próxima jugada completada; si entonces la posición es ilegal, la partida es tablas.
IllegalPositionDraw = La posición sigue siendo ilegal tras la jugada siguiente: { $what } ({ $article }).
IllegalPositionOther = Tras la jugada siguiente la posición es ilegal: el rey de las { $side } está en jaque ({ $article }).
OrAlert = Solo uno de los dos puede decidir la partida: este o el aviso { $other }. La decisión es suya.
OrActAgainst = Según otra opinión, se actúa contra las { $side } ({ $authority }).

## Handling the pieces

PressBeforeMade = Las { $side } pulsaron el reloj antes de realizar la jugada: la pieza de { $square } no se había posado ({ $article }).
UpToYou = Una sanción queda a su criterio ({ $authority }).
CastlingRookFirst = Las { $side } tocaron la torre de { $square } antes que el rey y enrocaron ({ $article }).
RookMustMove = Ahora no hay enroque por ese lado; la torre debe moverse si es posible ({ $duty }).
TouchedOwn = Las { $side } tuvieron { $piece } de { $square } en la mano { $held } s, devolvieron la pieza y jugaron otra cosa ({ $article }).
TouchedTheirs = Las { $side } podían haber capturado { $piece } de { $square }, pieza que tuvieron en la mano { $held } s, pero jugaron otra cosa ({ $article }).
TouchedBefore = Las { $side } estaban obligadas por un intento anterior en esta jugada y jugaron { $played }. { $duty }
WasItAdjusted = Preguntar si la pieza solo se compuso ({ $duty }).
ReleasedPiece = Antes de que las { $side } jugaran { $move }, { $piece } había reposado en { $square } ({ $article }).
WasItReleased = Preguntar si la mano había soltado la pieza; entonces se queda en { $square } ({ $duty }).
PromotionChoice = Las { $side } pusieron { $first } en { $square } y después { $chosen } en su lugar ({ $article }).
FirstChoice = Vale la primera elección ({ $duty }).
ClaimUntilTouch = Las { $opponent } pierden el derecho a reclamarlo al tocar una pieza ({ $authority }).
MismatchAtPress = Las { $side } hicieron una jugada legal, pero el tablero indica casillas vacías: { $squares } ({ $article }).
DisplacedAtPress = Las { $side } jugaron y dejaron el tablero sin pieza en { $squares }; desapareció en el tiempo de las { $side } ({ $article }).
ShovedAtPress = Durante el tiempo de las { $side }, una pieza pasó de su casilla a la contigua y quedó allí: { $squares } ({ $article }).
MissingSince = El tablero no muestra ninguna pieza en { $squares } desde la última jugada de las { $side } ({ $article }).
CentrePieces = Ver si una pieza está torcida o se ha desplazado.
DeadSquares = El tablero nunca muestra una pieza en { $squares }; revisar la casilla y la pieza.
StrayPieces = El tablero muestra en { $squares } una pieza que no debería estar allí; mirar el tablero.
WeakSquares = El tablero pierde por momentos, una y otra vez, lo que hay en { $squares }; revisar la casilla y la pieza.
MisreadPieces = El tablero muestra en { $squares } otra pieza que la que se puso allí; revisar la casilla y la pieza.
WrongCodes = El tablero mostró por un momento otra pieza en { $squares }; revisar la casilla y la pieza.
UnidentifiedPieces = El tablero indica dónde hay piezas, pero no cuáles: no se puede seguir en él ninguna partida.
LatePieces = El tablero percibe piezas mucho después de posarse, como la de { $squares }; revisar las piezas.
UntoldChanges = El tablero no comunicó cambios en { $squares }; solo una consulta de todas las casillas los mostró: revisar el cable.
SeatsSwapped = Los lados parecen cambiados: cada pulsación sigue a una jugada del otro color. ¿Está el reloj o el tablero al revés? En la página del tablero, cambiar lo que esté al revés.
Unexplained = Ninguna serie de jugadas explica las piezas del tablero ({ $article }): { $squares }.
CountedSince = Contado desde que se oyó el tablero por primera vez en esta partida; nadie sabe qué se jugó antes.
CountMoves = No se vio el comienzo de esta partida: contar las jugadas en las planillas.
EarlierUnknown = Las irregularidades anteriores a oír el tablero en esta partida no se cuentan.
CompareSheet = Comparar con la planilla.

## The end of the game

Checkmate = Las { $side } han recibido jaque mate: han ganado las { $opponent } ({ $article }).
MateFirst = El mate va antes que { $article }; según otra opinión serían tablas.
Stalemate = El rey de las { $side } está ahogado: la partida es tablas ({ $article }).
Fivefold = La misma posición ha aparecido por quinta vez: la partida es tablas ({ $article }).
Seventyfive = Cada jugador ha hecho 75 jugadas sin captura ni movimiento de peón: la partida es tablas ({ $article }).
DeadPosition = Ningún jugador puede dar mate mediante ninguna serie de jugadas legales: la partida es tablas ({ $article }).
FlagFall = Ha caído la bandera de las { $side }: pierden la partida las { $side } ({ $article }).
FlagFallDraw = Ha caído la bandera de las { $side }: la partida es tablas ({ $article }).
FlagBeforeSetting = Ha caído la bandera de las { $side } con tiempos que aún había que ajustar ({ $article }).
FlagShown = El reloj de las { $side } muestra una bandera caída; solo cuenta cuando las { $opponent } reclamen ({ $article }).
FlagClaimPending = Ha caído la bandera de las { $side } mientras la reclamación de tablas de las { $side } está sin decidir ({ $article }).
FlagOtherClaimPending = Ha caído la bandera de las { $side } mientras la reclamación de tablas de las { $opponent } está sin decidir ({ $article }).
DecideClaim = Decidir esa reclamación: tablas, o derrota por tiempo ({ $authority }).
FlagCall = Señalar la caída de bandera ({ $authority }).
DoNotCall = No señalar la caída de bandera ({ $authority }); han de reclamar las { $opponent } ({ $claim }).
OffenceOfWinner = La irregularidad de las { $opponent } sigue abierta: decidir primero sobre ella ({ $offence }).
TimeNotGiven = Por la decisión sobre la irregularidad de las { $opponent }, las { $side } debían recibir tiempo ({ $offence }), y el reloj no se ha parado desde entonces: ajustar primero los tiempos y decidir después si la bandera cuenta ({ $article }).
FlagFirst = La bandera de las { $side } había caído antes: decidir primero sobre ella; si se señaló o reclamó a tiempo, decide ella ({ $article }).
SetUpFirst = La colocación inicial era incorrecta (aviso { $alert }): decidir primero sobre ella; si se anula la partida, esto también cae ({ $article }).
BothFlagsKnown = Han caído ambas banderas, primero la de las { $side }: esa decide ({ $article }).
ClaimNeedsTime = Un jugador solo puede reclamar si le queda tiempo ({ $claim }).
BothFlagsDraw = Han caído ambas banderas: la partida es tablas ({ $article }).
BothFlagsGoOn = Han caído ambas banderas, y no se puede saber cuál primero: en este periodo la partida continúa ({ $article }).
BothFlagsUnruled = Han caído ambas banderas; no se puede establecer cuál primero ({ $article }).
LookAtClock = Que decida la señal del propio reloj. Solo son tablas en un final a caída de bandera anunciado, sin incremento ({ $authority }).
MovesNotDone = Se habían completado { $done } de las { $due } jugadas debidas.
FlagRunsOn = El reloj se da por bloqueado y sigue corriendo para el adversario: mirar su pantalla.
FlagNewPeriod = El reloj ha seguido con { $time }: puede ser solo el final de un periodo. Contar las jugadas.

## Equipment

BoardLink = No se oye el tablero.
ClockLink = El tablero ha perdido su reloj.
ClockLowBattery = El reloj pide una pila nueva.
BoardBattery = La batería del tablero está al { $percent } %.
LineNoise = La línea al tablero tiene ruido: { $bytes } bytes estaban dañados.

## Windows

UntilGameEnd = hasta el final de la partida
UntilMoveMade = hasta que { $value } hagan su próxima jugada
UntilTouch = hasta que { $value } toquen una pieza
UntilNextCompleted = hasta que se complete la próxima jugada
UntilMovesEach = hasta que ambos jugadores hayan completado { $value } jugadas
WindowSentence = Plazo: { $window }.

## The table of rules

Needs = requiere
Proposes = propone
Article = artículo
Authority = facultad

## Start and time

StartWrong = La partida empezó con piezas en casillas equivocadas: { $squares } ({ $article }).
StartOdd = La partida empezó con { $pieces }, según lo que muestra el tablero ({ $article }).
PieceOn = { $piece } en { $square }
LookAtSetUp = Mirar el tablero; si está así, corregirlo antes de la primera jugada; si no, anular la partida y empezar una nueva ({ $authority }).
ClockTimes = El reloj muestra { $white } para las blancas y { $black } para las negras; el ritmo de juego { $control } empieza con { $base } ({ $article }).
ClockIncrement = El reloj añade { $added } por jugada; el ritmo de juego { $control } añade { $due } ({ $article }).
PeriodElsewhere = El reloj añadió { $added } al tiempo de las { $side } en la jugada { $move }; el ritmo de juego { $control } añade un periodo en la jugada { $due } ({ $article }).
PeriodOther = El reloj añadió { $added } al tiempo de las { $side } en la jugada { $move }; el ritmo de juego { $control } añade ahí { $base } ({ $article }).
PeriodMissing = Las { $side } han completado la jugada { $move }, y el reloj no ha añadido el tiempo del periodo siguiente ({ $article }).
CorrectSetting = Parar el reloj, poner el ajuste correcto y ajustar tiempos y contador de jugadas según su mejor criterio ({ $authority }).
CorrectBefore = Ajustar el reloj antes de que empiece la partida ({ $authority }).
CancelGame = Anularla y empezar una nueva ({ $authority }).
StartClosed = Ambos jugadores han completado { $moves } jugadas: ya no cabe reclamar por la posición inicial, el tablero o el ajuste del reloj ({ $article }).
NoCastling = No hay enroque con un rey o una torre que empezó en una casilla equivocada.
ColoursNewGame = Los colores están cambiados, y al menos un jugador ha hecho menos de { $moves } jugadas ({ $article }).
StartNewGame = Parar la partida y empezar una nueva.
ColoursStay = Los colores están cambiados ({ $article }).
GoOn = La partida continúa.
GoOnUnlessRuled = La partida continúa, salvo que usted decida otra cosa.
DefaultTime = No se ha visto nada de las { $side } desde el comienzo de la ronda, hace { $time } ({ $article }).
HasArrived = Ver si las { $side } han llegado; si no, las { $side } pierden la partida, salvo que usted decida otra cosa.
NeitherPresent = Si ningún jugador está presente, corre el reloj de las blancas hasta que llegue uno ({ $both }).
BothLate = Si faltan ambos, pierden ambos: 0-0.
Muted = No se dan avisos de este tablero durante { $time }.
MuteEnded = Se dan de nuevo avisos de este tablero.
ClockStopped = El reloj lleva parado { $time } ({ $article }).

## Draw claims

Threefold = La posición ha aparecido por { $nth } vez: las { $side } pueden reclamar tablas hasta que las { $side } toquen una pieza ({ $article }, { $lost }).
Fifty = Cincuenta jugadas de cada jugador sin captura ni movimiento de peón: las { $side } pueden reclamar tablas ({ $article }, { $lost }).
ForArbiter = No decírselo a los jugadores.
Third = tercera
Fourth = cuarta
Fifth = quinta
Nth = { $n }.ª
ClaimCorrect = La reclamación de tablas de las { $side } es correcta ({ $article }): { $why }. La partida es tablas.
ClaimCorrectSoFar = La reclamación de tablas de las { $side } es correcta según las jugadas tal como están ({ $article }): { $why }.
ClaimIncorrect = La reclamación de tablas de las { $side } es incorrecta ({ $article }): { $why }.
ClaimUnknown = Las { $side } reclaman tablas; desde que se oyó el tablero en esta partida: { $why } ({ $article }). Nadie sabe qué se jugó antes.
ClaimThroughIllegal = Las { $side } reclaman tablas ({ $article }): desde la irregularidad que queda en pie, { $why }; contando a través de ella, { $through }.
DecideCount = Las Leyes no dicen que una irregularidad que queda en pie interrumpa la cuenta: decidir qué cuenta vale. Sin decisión nadie recibe tiempo.
ClaimRestsOnOpen = Una jugada ilegal sigue abierta (aviso { $alert }): resolver antes sobre ella; si se repone la posición anterior, la reclamación cae con las jugadas siguientes ({ $article }).
DecideBySheet = Parar los relojes, reconstruir la partida con las planillas y decidir; la reclamación no puede retirarse.
ColoursUnknown = Los colores están cambiados; no se sabe si ambos jugadores han hecho { $moves } jugadas ({ $article }).
ClaimIsOffer = La reclamación vale también como oferta de tablas ({ $article }).
ClaimAfterTouch = La reclamación de tablas de las { $side } sería correcta, { $why }; pero las { $side } levantaron una pieza antes ({ $article }).
WasItTouched = Quien toca una pieza pierde el derecho: preguntar si se tocó.
WhyTimes = la posición ha aparecido { $times }
WhyTooFewTimes = la posición ha aparecido { $times }, no 3 veces
WhyWillAppear = tras { $move } la posición aparece por { $nth } vez ({ $ground })
WhyMoves = { $n } jugadas de cada jugador sin captura ni movimiento de peón
WhyTooFewMoves = { $n } de 50 jugadas de cada jugador sin captura ni movimiento de peón
WhyFiftyAfter = con { $move } cada jugador ha hecho 50 jugadas sin captura ni movimiento de peón ({ $ground })
WhyNotCompleted = la última jugada no se ha completado
WhyIntendedIllegal = la jugada prevista { $move } es ilegal
IntendedFollows = Las { $side } deben jugar ahora { $move }.
IntendedNotPlayed = Las { $side } reclamaron con { $move } y jugaron { $played } en su lugar ({ $article }).
PlayIntended = Hay que jugar { $move }.

## The arbiter's entries

Resigned = Las { $side } han abandonado: han ganado las { $opponent } ({ $article }).
ResignedDrawn = Las { $side } han abandonado, pero las { $opponent } no pueden dar mate mediante ninguna serie de jugadas legales: la partida es tablas ({ $article }).
DrawOffered = Las { $side } ofrecen tablas ({ $article }).
NoteOffer = Ambos jugadores la anotan con (=).
OfferStands = Sigue en pie hasta que las { $opponent } la acepten, la rechacen o toquen una pieza.
OfferNotResult = La oferta queda así anotada y nada termina: si las { $opponent } la han aceptado, anotar 1/2-1/2 ({ $article }).
OfferWrongTime = Es válida; si no se hizo entre la jugada y la pulsación, ver si se molestó a las { $opponent } ({ $article }).
OfferTooEarly = Este torneo no permite tablas por acuerdo antes de la jugada { $move } ({ $article }).
OfferNeedsYou = En este torneo las tablas por acuerdo requieren su consentimiento ({ $article }).
AgreedTooEarly = Las tablas solo pueden acordarse después de que cada jugador haya hecho una jugada ({ $article }).
NoQueen = Ahora está ahí { $piece }; tiene que ser una dama ({ $article }).
FlagBefore = La bandera de las { $side } había caído antes: si eso se señaló o reclamó primero, decide ({ $article }).
ResultAgainstAlert = El aviso { $alert } estaba abierto y proponía { $proposed } ({ $article }): si eso fue primero, decide.
ResultAgainstBoard = En el tablero la partida había terminado { $proposed } ({ $article }): nada de lo anotado o acordado después lo cambia; comprobar la anotación.
LateRuling = Anotado, pero había pasado el momento de intervenir: las { $opponent } habían hecho la jugada siguiente ({ $article }). No cuenta entre las jugadas ilegales.
Reinstated = Vuelve a regir la posición tras la media jugada { $ply }. Cuando se completó, el reloj mostraba { $white } para las blancas y { $black } para las negras; los contadores de jugadas están en { $white_moves } y { $black_moves }. Ajustarlo según su mejor criterio ({ $article }).
Incident = Incidente: { $reason }
Device = Las { $side } tienen un dispositivo electrónico no autorizado: pierden la partida las { $side } ({ $article }). Anotar { $score }, salvo que las bases del torneo fijen una sanción menor.
DeviceCarried = Un dispositivo electrónico de las { $side } no estaba apagado ({ $article }). Si solo se llevaba encima, una sanción queda a su criterio ({ $penalties }). Si emitió un sonido, pierden la partida las { $side }: anotar { $score }.
DeviceCarriedHalf = Un dispositivo electrónico de las { $side } no estaba apagado ({ $article }). Si solo se llevaba encima, una sanción queda a su criterio ({ $penalties }). Si emitió un sonido, pierden la partida las { $side }, y las { $opponent }, que no pueden ganar mediante ninguna serie de jugadas legales, reciben medio punto.
OutsideHelp = Las { $side } usaron notas, consejos u otro tablero ({ $article }). Decidir la sanción ({ $penalties }).
LeftVenue = Las { $side } abandonaron el recinto de juego sin permiso, o el área de juego estando en turno ({ $article }). Decidir la sanción ({ $penalties }).
Disturbed = Las { $side } distrajeron o molestaron a las { $opponent } ({ $article }). Decidir la sanción ({ $penalties }).
Fine = Las { $side } reciben una multa ({ $article }). Una multa ha de anunciarse de antemano.
Explanation = Las { $side } pidieron una explicación de las Leyes, como es derecho de todo jugador ({ $article }).
Appeal = Las { $side } apelan contra una decisión del árbitro ({ $article }). Anotar la hora y la posición.
NoAppeal = Una decisión según { $final } es definitiva y no puede apelarse.
ClockAssistant = Un ayudante pulsa el reloj por las { $side } ({ $article }). Ajustar equitativamente el tiempo de las { $side }, salvo en caso de discapacidad.
SpecialMeasures = Medidas especiales para las { $side }, por discapacidad o atención médica ({ $article }).
IncidentTime = Las { $opponent } reciben { $time }.
QuickplayAccepted = Las { $opponent } aceptan las tablas ofrecidas con la petición: la partida es tablas ({ $article }).
QuickplayIncrement = Desde ahora cinco segundos por jugada para ambos; añadir { $time } al tiempo de las { $opponent } ({ $article }).
QuickplayRefused = Sin incremento: la partida continúa, y las { $side } pueden reclamar tablas ({ $article }). Según otra lectura, las { $opponent } reciben { $time }.
QuickplayDrawn = La reclamación de las { $side } es correcta: la partida no puede ganarse, o no se intenta ganar, por procedimientos normales. Es tablas ({ $article }).
QuickplayRejected = La reclamación de las { $side } se rechaza; añadir { $time } al tiempo de las { $opponent } ({ $article }).
QuickplayPostponed = La decisión sobre la reclamación de las { $side } se aplaza; las { $opponent } pueden recibir { $time }. Decidir más tarde, o cuando haya caído una bandera ({ $article }).
QuickplayNoArbiter = Las { $side } reclaman tablas sin árbitro: el juego ha terminado, el resultado queda abierto ({ $article }).
SignSheet = Hacer anotar la posición final y que las { $opponent } la verifiquen; si el motivo es la falta de intento de ganar, con la anotación completa de la partida; después enviarla.
SignPosition = El motivo es que la partida no puede ganarse por procedimientos normales: hacer anotar la posición final y que las { $opponent } la verifiquen; después enviarla.
SignScore = El motivo es que no se intenta ganar por procedimientos normales: que las { $opponent } verifiquen la posición final y la anotación completa de la partida; después enviarlas.
GroundMeans = Motivo: la partida no puede ganarse por procedimientos normales.
GroundEffort = Motivo: no se intenta ganar la partida por procedimientos normales.
Quickplay = A las { $side } les quedan menos de dos minutos sin incremento: cabe una petición o una reclamación ({ $article }).
QuickplayClaimOnly = A las { $side } les quedan menos de dos minutos sin incremento: cabe una reclamación ({ $article }).
QuickplayClaimed = Las { $side } reclaman tablas en el final a caída de bandera con menos de dos minutos ({ $article }).
StopAndDecide = Parar los relojes y decidir, o aplazar la decisión.

## What a press may have been instead

StoryLegal = Otra posibilidad: la jugada era legal, y otra pieza se desplazó o se leyó mal.
StoryIllegal = Otra posibilidad: se hizo una jugada ilegal.
StoryNothing = Otra posibilidad: se pulsó el reloj sin jugada.
StoryPromotionLeft = Otra posibilidad: no se sustituyó el peón.
StoryMadeLater = Otra posibilidad: la jugada se hizo después de la pulsación.
StoryPressedBack = Otra posibilidad: se devolvió la pulsación por algo irregular, o rebotó la palanca.
