### Why the daemon refuses something. The English sentences are those of the program, word for word, in orders, logs and over the broker.
### Primera versión hecha por máquina; la ha de revisar un árbitro hispanohablante.
### Machine-made first version, to be read by a native arbiter.

## Game and claim

game-over = la partida ha terminado
there-no-game = no hay partida en este tablero
game-has-no = la partida no tiene resultado que anular
game-has-plies = la partida tiene { $length } medias jugadas, no hay media jugada { $ply }
not-move = no es el turno de las { $side }
no-move-write = { $move } no es una jugada; escríbala como Nf3 o g1f3 (N caballo, B alfil, R torre, Q dama)
clock-shows-no = el reloj no muestra caída la bandera de las { $side }
has-no-time = a las { $side } tampoco les queda tiempo ({ $article })
there-no-open = no hay aviso abierto sobre la bandera de las { $side }
quickplay-finish-needs = un final a caída de bandera requiere un ritmo de juego sin incremento, su último periodo y un anuncio
quickplay-not-blitz = las reglas del final a caída de bandera no rigen en blitz
does-not-have = a las { $side } no les quedan menos de dos minutos
laws-know-no = las Leyes de { $year } no conocen una petición de incremento
say-whose-doing = indicar de quién fue: blancas o negras
laws-have-no = las Leyes de { $year } no tienen artículo sobre esto; anótelo con sus propias palabras
incident-needs-reason = un incidente necesita un motivo
no-result-there = { $result } no es un resultado; hay { $known }
board-muted-for = un tablero se silencia como máximo { $seconds } segundos; lo que ocurra entretanto no se avisa después
player-given-at = un jugador recibe como máximo { $seconds } segundos; ningún reloj muestra más
answer-found-by = una respuesta la halla una búsqueda, nadie la introduce

## Alerts and what is taken back

there-no-alert = no hay aviso { $id } en esta partida
there-no-alert-2 = no hay aviso { $id }
alert-closed = el aviso { $id } está cerrado
alert-has-been = el aviso { $id } ya se ha tratado así
there-no-ruling = no hay decisión que anular sobre el aviso { $id }
has-no-penalty = las { $side } no tienen sanción que anular
say-whose-penalty = indicar de quién se anula la sanción: blancas o negras
say-what-taken = indicar qué se anula: una entrada, un aviso, una sanción, el resultado o el silencio
there-no-order = no hay entrada { $id } en esta partida
order-has-been = la entrada { $id } ya se ha anulado
order-game-game = la entrada { $id } es de la partida { $other }; en el tablero está la partida { $game }
order-o-has = la entrada o{ $id } ha decidido después sobre el mismo aviso; anular primero esa
later-order-has = una entrada posterior ha cambiado la media jugada { $ply }; anular primero esa
moves-have-been = se han hecho jugadas desde esa posición; establecer otra en su lugar
game-before-not = la partida anterior ya no se conoce

## The record

ply-taken-out = una media jugada que se suprime no necesita jugada
move-missing = falta la jugada
are-too-many = son demasiadas jugadas para una entrada
game-has-no-moves = la partida aún no tiene jugadas
ply-has-be = la media jugada ha de ser de 1 a { $last }, no { $ply }
ply-was-seen = la media jugada { $ply } ({ $move }) se vio; anotar en su lugar otra jugada
there-no-path = no hay camino { $number }; { $others }
these-moves-do = estas jugadas no llevan a la posición que había ahí; { $others }
move-no-legal = { $move } no es jugada legal tras la media jugada { $ply } (juegan blancas); son legales { $moves }
move-no-legal-move = { $move } no es jugada legal tras la media jugada { $ply } (juegan negras); son legales { $moves }
move-no-move = { $move } no es una jugada; escríbala como Nf3 o g1f3
move-may-be = { $move } puede ser { $moves }

## A game that goes on elsewhere

what-was-played = lo que se jugó en el tablero { $board } no se conoce aquí
say-which-game = indicar qué partida continúa
what-was-played-in = lo que se jugó en la partida { $number } ya no se conoce
game-not-on = la partida { $named } no está en el tablero; está la partida { $number }
game-over-2 = la partida { $number } ha terminado
game-has-gone = la partida ha continuado aquí; hágala continuar en otro sitio
order-for-game = la entrada es para la partida { $game }; cambiaría la partida { $now } de este tablero
order-for-game-and = la entrada es para la partida { $game }, y en el tablero está la partida { $now }
order-for-board = la entrada es para el tablero { $named }, y este es el tablero { $board }

## Positions

no-position = «{ $fen }» no es una posición
position-why = «{ $fen }»: { $why }
board-shows-no = el tablero no muestra una posición con un rey por bando; dé una FEN
board-has-not = el tablero no ha dicho qué hay ahora en él; conéctelo o dé una FEN
board-empty = el tablero está vacío
has-kings-game = las { $side } tienen { $number } reyes; hace falta uno por bando
pawn-stands-on = hay un peón en { $square }; ninguno puede estar en la primera ni en la última fila

## Daemon, ports, other halls

there-no-board = no hay tablero { $board } en { $port }
there-no-board-2 = no hay tablero { $board }
several-boards-share = varios tableros comparten { $port }: indicar para cuál es la entrada
board-busy = el tablero { $board } está ocupado; inténtelo de nuevo enseguida
board-not-at = el tablero { $board } no está funcionando
board-takes-no = el tablero no acepta entradas en este momento; aún puede ejecutarse
program-about-end = el programa está a punto de terminar
too-many-orders = demasiadas entradas a la vez; envíela de nuevo
nobody-may-enter = nadie puede introducir esto
broker-away-nothing = el bróker no está; no se envió nada
hall-does-not = la sala no responde; puede haberse hecho. ¿Acepta entradas su servicio?
no-order = entrada no válida ({ $why })
order-not-utf = la entrada no está en UTF-8
has-at-most = esto tiene como máximo { $number } bytes
rest-request-did = el resto de la petición no llegó
too-many-orders-wait = demasiadas entradas; espere un poco

## Web server

needs-arbiter-s = esto requiere el token del árbitro
token-wrong = el token es incorrecto
token-wrong-or = el token es incorrecto o fue revocado
token-for-screen = este token es para una pantalla: solo puede mirar
say-whose-tables = indicar de quién son las mesas que se ceden
may-only-look = { $name } solo puede mirar
there-no-arbiter = no hay árbitro { $name }
for-chief-arbiter = esto es solo para el árbitro principal
no-session-can = no se puede iniciar sesión; los mensajes del servicio dicen por qué
has-token-already = { $name } ya tiene un token; revocarlo primero y crear después otro
no-arbiter-has = ningún árbitro { $name } tiene un token
name-has-1 = un nombre tiene de 1 a { $number } caracteres visibles: sin fin de línea ni marcas de dirección de escritura
name-has-letters = un nombre tiene letras de un solo alfabeto: latino, griego o cirílico
name-looks-like = { $name } se parece a { $other }, que ya tiene un token; elegir un nombre que se pueda distinguir
there-are-arbiters = ya hay { $number } árbitros con token
no-table-and = «{ $tables }» no es una mesa ni un intervalo de mesas, como en { $example }
accounts-cannot-be = las cuentas no se pueden cambiar; los mensajes del servicio dicen por qué
accounts-cannot-be-read = las cuentas no se pueden leer ahora; inténtelo de nuevo enseguida
daemon-has-no = el servicio no tiene token con que comparar; sus mensajes dicen por qué
too-many-wrong = demasiados tokens incorrectos; espere un poco
too-many-devices = demasiados dispositivos inician sesión con esta cuenta; espere un poco
phones-are-switched = los teléfonos se activan en el puesto de su sala
sign-in-with = inicie sesión con un token propio: las notificaciones van al teléfono de un árbitro
no-known-push = { $host } no es un servicio push conocido; si lo es, añádalo a http.push_services en la configuración
keys-subscription-are = las claves de la suscripción no son como dice RFC 8291
phones-cannot-be = los teléfonos no se pueden guardar; los mensajes del servicio dicen por qué
build-sends-nothing = este programa está hecho sin servicios push
tables-hall-are = las mesas de una sala se fijan en su propio puesto
tables-are-numbered = las mesas se numeran desde 1
board-in-play = en el tablero { $board } se juega: su reloj corre
has-not-told = { $board } no ha dicho su número de serie
tables-cannot-be = las mesas no se pueden leer; los mensajes del servicio dicen por qué
tables-cannot-be-written = las mesas no se pueden escribir; los mensajes del servicio dicen por qué
not-one-your = esta no es una de sus mesas: { $tables }
pages-other-sites = las páginas de otros sitios no pueden hacer esto
not-if-name = esto no es { $name }; si el nombre es correcto, añádalo a http.hosts en la configuración
list-cannot-be = la lista no se puede leer
logs-cannot-be = los registros no se pueden leer
others-look-at = otros están leyendo grabaciones; inténtelo de nuevo enseguida
there-no-capture = no hay grabación de ese momento
capture-cannot-be = la grabación no se puede reproducir
capture-does-not = la grabación no dice nada de { $id }
there-no-position = no hay posición
there-no-such = esta página no existe
