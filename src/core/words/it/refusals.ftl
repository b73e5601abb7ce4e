### Why the daemon refuses something. The English sentences are those of the program, word for word, in orders, logs and over the broker.
### Prima versione fatta a macchina, da rileggere da un arbitro di madrelingua italiana.
### Machine-made first version, to be read by a native arbiter.

## Game and claim

game-over = la partita è finita
there-no-game = non c’è una partita su questa scacchiera
game-has-no = la partita non ha un risultato da annullare
game-has-plies = la partita ha { $length } semimosse, non c’è una semimossa { $ply }
not-move = il { $side } non ha il tratto
no-move-write = { $move } non è una mossa; scriverla come Nf3 o g1f3 (N cavallo, B alfiere, R torre, Q donna)
clock-shows-no = l’orologio non mostra caduta la bandierina del { $side }
has-no-time = neanche il { $side } ha più tempo ({ $article })
there-no-open = non c’è una segnalazione aperta sulla bandierina del { $side }
quickplay-finish-needs = un finale quickplay richiede una cadenza senza incremento, il suo ultimo periodo e un annuncio
quickplay-not-blitz = le regole del finale quickplay non valgono nel blitz
does-not-have = al { $side } non restano meno di due minuti
laws-know-no = il Regolamento del { $year } non conosce una richiesta di incremento
say-whose-doing = indicare di chi è stato: Bianco o Nero
laws-have-no = il Regolamento del { $year } non ha un articolo su questo; inserirlo con parole proprie
incident-needs-reason = un incidente richiede un motivo
no-result-there = { $result } non è un risultato; ci sono { $known }
board-muted-for = una scacchiera è silenziata al massimo { $seconds } secondi; ciò che accade intanto non si segnala dopo
player-given-at = un giocatore riceve al massimo { $seconds } secondi; nessun orologio ne mostra di più
answer-found-by = una risposta è trovata da una ricerca, nessuno la inserisce

## Alerts and what is taken back

there-no-alert = non c’è una segnalazione { $id } in questa partita
there-no-alert-2 = non c’è una segnalazione { $id }
alert-closed = la segnalazione { $id } è chiusa
alert-has-been = la segnalazione { $id } è già stata trattata così
there-no-ruling = non c’è una decisione da annullare sulla segnalazione { $id }
has-no-penalty = il { $side } non ha una sanzione da annullare
say-whose-penalty = indicare di chi si annulla la sanzione: Bianco o Nero
say-what-taken = indicare che cosa si annulla: un inserimento, una segnalazione, una sanzione, il risultato o il silenzio
there-no-order = non c’è un inserimento { $id } in questa partita
order-has-been = l’inserimento { $id } è già stato annullato
order-game-game = l’inserimento { $id } è della partita { $other }; sulla scacchiera c’è la partita { $game }
order-o-has = l’inserimento o{ $id } ha poi deciso sulla stessa segnalazione; annullare prima quello
later-order-has = un inserimento successivo ha cambiato la semimossa { $ply }; annullare prima quello
moves-have-been = da quella posizione sono state giocate mosse; impostarne un’altra
game-before-not = la partita precedente non è più nota

## The record

ply-taken-out = una semimossa che si toglie non richiede una mossa
move-missing = manca la mossa
are-too-many = sono troppe mosse per un inserimento
game-has-no-moves = la partita non ha ancora mosse
ply-has-be = la semimossa deve essere da 1 a { $last }, non { $ply }
ply-was-seen = la semimossa { $ply } ({ $move }) è stata vista; inserire al suo posto un’altra mossa
there-no-path = non c’è un percorso { $number }; { $others }
these-moves-do = queste mosse non portano alla posizione che c’era; { $others }
move-no-legal = { $move } non è una mossa legale dopo la semimossa { $ply } (tratto al Bianco); sono legali { $moves }
move-no-legal-move = { $move } non è una mossa legale dopo la semimossa { $ply } (tratto al Nero); sono legali { $moves }
move-no-move = { $move } non è una mossa; scriverla come Nf3 o g1f3
move-may-be = { $move } può essere { $moves }

## A game that goes on elsewhere

what-was-played = ciò che è stato giocato alla scacchiera { $board } qui non è noto
say-which-game = indicare quale partita continua
what-was-played-in = ciò che è stato giocato nella partita { $number } non è più noto
game-not-on = la partita { $named } non è sulla scacchiera; c’è la partita { $number }
game-over-2 = la partita { $number } è finita
game-has-gone = la partita è continuata qui; farla continuare altrove
order-for-game = l’inserimento è per la partita { $game }; cambierebbe la partita { $now } di questa scacchiera
order-for-game-and = l’inserimento è per la partita { $game }, e sulla scacchiera c’è la partita { $now }
order-for-board = l’inserimento è per la scacchiera { $named }, e questa è la scacchiera { $board }

## Positions

no-position = «{ $fen }» non è una posizione
position-why = «{ $fen }»: { $why }
board-shows-no = la scacchiera non mostra una posizione con un re per parte; dare una FEN
board-has-not = la scacchiera non ha detto che cosa vi sta ora; collegarla, o dare una FEN
board-empty = la scacchiera è vuota
has-kings-game = il { $side } ha { $number } re; ne serve uno per parte
pawn-stands-on = un pedone è in { $square }; nessuno può stare sulla prima o sull’ultima traversa

## Daemon, ports, other halls

there-no-board = non c’è una scacchiera { $board } su { $port }
there-no-board-2 = non c’è una scacchiera { $board }
several-boards-share = più scacchiere condividono { $port }: indicare per quale è l’inserimento
board-busy = la scacchiera { $board } è occupata; riprovare subito
board-not-at = la scacchiera { $board } non è al lavoro
board-takes-no = la scacchiera ora non accetta inserimenti; può ancora essere eseguito
program-about-end = il programma sta per terminare
too-many-orders = troppi inserimenti insieme; inviarlo di nuovo
nobody-may-enter = nessuno può inserire questo
broker-away-nothing = il broker è assente; nulla è stato inviato
hall-does-not = la sala non risponde; può essere stato eseguito. Il suo servizio accetta inserimenti?
no-order = inserimento non valido ({ $why })
order-not-utf = l’inserimento non è in UTF-8
has-at-most = questo ha al massimo { $number } byte
rest-request-did = il resto della richiesta non è arrivato
too-many-orders-wait = troppi inserimenti; attendere un poco

## Web server

needs-arbiter-s = questo richiede il token dell’arbitro
token-wrong = il token è sbagliato
token-wrong-or = il token è sbagliato o revocato
token-for-screen = questo token è per uno schermo: può solo guardare
say-whose-tables = indicare di chi sono i tavoli affidati
may-only-look = { $name } può solo guardare
there-no-arbiter = non c’è un arbitro { $name }
for-chief-arbiter = questo è solo per l’arbitro capo
no-session-can = l’accesso non è possibile; i messaggi del servizio dicono perché
has-token-already = { $name } ha già un token; revocarlo prima, poi crearne un altro
no-arbiter-has = nessun arbitro { $name } ha un token
name-has-1 = un nome ha da 1 a { $number } caratteri visibili: niente fine riga né segni di direzione della scrittura
name-has-letters = un nome ha lettere di un solo alfabeto: latino, greco o cirillico
name-looks-like = { $name } somiglia a { $other }, che ha già un token; scegliere un nome che si possa distinguere
there-are-arbiters = ci sono già { $number } arbitri con un token
no-table-and = «{ $tables }» non è un tavolo né un intervallo di tavoli, come in { $example }
accounts-cannot-be = gli account non si possono cambiare; i messaggi del servizio dicono perché
accounts-cannot-be-read = gli account ora non si possono leggere; riprovare fra un momento
daemon-has-no = il servizio non ha un token con cui confrontare; i suoi messaggi dicono perché
too-many-wrong = troppi token sbagliati; attendere un poco
too-many-devices = troppi dispositivi accedono con questo account; attendere un poco
phones-are-switched = i telefoni si attivano alla postazione della loro sala
sign-in-with = accedere con un token proprio: le notifiche vanno al telefono di un arbitro
no-known-push = { $host } non è un servizio push noto; se lo è, aggiungerlo a http.push_services nella configurazione
keys-subscription-are = le chiavi dell’iscrizione non sono come vuole RFC 8291
phones-cannot-be = i telefoni non si possono registrare; i messaggi del servizio dicono perché
build-sends-nothing = questo programma è fatto senza servizi push
tables-hall-are = i tavoli di una sala si fissano alla sua postazione
tables-are-numbered = i tavoli sono numerati da 1
board-in-play = alla scacchiera { $board } si gioca: il suo orologio scorre
has-not-told = { $board } non ha detto il suo numero di serie
tables-cannot-be = i tavoli non si possono leggere; i messaggi del servizio dicono perché
tables-cannot-be-written = i tavoli non si possono scrivere; i messaggi del servizio dicono perché
not-one-your = questo non è uno dei vostri tavoli: { $tables }
pages-other-sites = le pagine di altri siti non possono farlo
not-if-name = qui non è { $name }; se il nome è giusto, aggiungerlo a http.hosts nella configurazione
list-cannot-be = l’elenco non si può leggere
logs-cannot-be = i registri non si possono leggere
others-look-at = altri stanno leggendo registrazioni; riprovare fra un momento
there-no-capture = non c’è una registrazione di quel momento
capture-cannot-be = la registrazione non si può riprodurre
capture-does-not = la registrazione non dice nulla di { $id }
there-no-position = non c’è una posizione
there-no-such = questa pagina non esiste
