### Why the daemon refuses something. The English sentences are those of the program, word for word, in orders, logs and over the broker.

## Game and claim

game-over = die Partie ist beendet
there-no-game = auf diesem Brett läuft keine Partie
game-has-no = die Partie hat kein Ergebnis, das zurückzunehmen wäre
game-has-plies = die Partie hat { $length } Halbzüge, einen Halbzug { $ply } gibt es nicht
not-move = { $side } ist nicht am Zug
no-move-write = { $move } ist kein Zug; er wird als Nf3 oder g1f3 geschrieben (N Springer, B Läufer, R Turm, Q Dame)
clock-shows-no = die Uhr zeigt keine Zeitüberschreitung von { $side }
has-no-time = auch { $side } hat keine Zeit mehr ({ $article })
there-no-open = es gibt keine offene Meldung über eine Zeitüberschreitung von { $side }
quickplay-finish-needs = eine Endspurtphase verlangt eine Bedenkzeit ohne Zeitgutschrift, deren letzten Abschnitt und eine Ankündigung
quickplay-not-blitz = die Regeln der Endspurtphase gelten nicht im Blitzschach
does-not-have = { $side } hat nicht weniger als zwei Minuten
laws-know-no = die FIDE-Regeln { $year } kennen keinen Antrag auf Zeitgutschrift
say-whose-doing = angeben, wer es war: Weiß oder Schwarz
laws-have-no = die FIDE-Regeln { $year } haben dazu keinen Artikel; in eigenen Worten eintragen
incident-needs-reason = zu einem Vorfall gehört ein Grund
no-result-there = { $result } ist kein Ergebnis; es gibt { $known }
board-muted-for = ein Brett wird höchstens { $seconds } Sekunden stummgeschaltet; was inzwischen geschieht, wird nicht nachgeholt
player-given-at = ein Spieler erhält höchstens { $seconds } Sekunden gutgeschrieben; mehr zeigt keine Uhr an
answer-found-by = eine Antwort findet eine Suche, niemand gibt sie ein

## Alerts and what is taken back

there-no-alert = in dieser Partie gibt es keine Meldung { $id }
there-no-alert-2 = es gibt keine Meldung { $id }
alert-closed = die Meldung { $id } ist abgeschlossen
alert-has-been = die Meldung { $id } ist schon so behandelt
there-no-ruling = zur Meldung { $id } gibt es keine Entscheidung, die zurückzunehmen wäre
has-no-penalty = { $side } hat keine Strafe, die zurückzunehmen wäre
say-whose-penalty = angeben, wessen Strafe zurückgenommen wird: Weiß oder Schwarz
say-what-taken = angeben, was zurückgenommen wird: eine Eingabe, eine Meldung, eine Strafe, das Ergebnis oder die Stummschaltung
there-no-order = in dieser Partie gibt es keine Eingabe { $id }
order-has-been = die Eingabe { $id } ist schon zurückgenommen
order-game-game = die Eingabe { $id } gehört zu Partie { $other }, auf dem Brett ist Partie { $game }
order-o-has = über dieselbe Meldung wurde seither mit Eingabe o{ $id } entschieden; zuerst diese zurücknehmen
later-order-has = eine spätere Eingabe hat Halbzug { $ply } geändert; zuerst diese zurücknehmen
moves-have-been = aus dieser Stellung wurde schon gezogen; stattdessen eine andere setzen
game-before-not = die Partie davor ist nicht mehr bekannt

## The record

ply-taken-out = ein Halbzug, der gestrichen wird, braucht keinen Zug
move-missing = der Zug fehlt
are-too-many = das sind zu viele Züge für eine Eingabe
game-has-no-moves = die Partie hat noch keine Züge
ply-has-be = der Halbzug muss zwischen 1 und { $last } liegen, nicht { $ply }
ply-was-seen = Halbzug { $ply } ({ $move }) wurde gesehen; stattdessen einen anderen Zug dafür eintragen
there-no-path = einen Weg { $number } gibt es nicht; { $others }
these-moves-do = diese Züge führen nicht zu der Stellung, die dort stand; { $others }
move-no-legal = { $move } ist nach Halbzug { $ply } kein regelgemäßer Zug (Weiß am Zug); möglich sind { $moves }
move-no-legal-move = { $move } ist nach Halbzug { $ply } kein regelgemäßer Zug (Schwarz am Zug); möglich sind { $moves }
move-no-move = { $move } ist kein Zug; er wird als Sf3, Nf3 oder g1f3 geschrieben
move-may-be = { $move } kann { $moves } sein

## A game that goes on elsewhere

what-was-played = was an Brett { $board } gespielt wurde, ist hier nicht bekannt
say-which-game = angeben, welche Partie weitergeht
what-was-played-in = was in Partie { $number } gespielt wurde, ist nicht mehr bekannt
game-not-on = Partie { $named } ist nicht auf dem Brett, sondern Partie { $number }
game-over-2 = Partie { $number } ist beendet
game-has-gone = die Partie ist hier schon weitergegangen; stattdessen anderswo weiterspielen lassen
order-for-game = die Eingabe gilt Partie { $game }; sie würde Partie { $now } dieses Bretts ändern
order-for-game-and = die Eingabe gilt Partie { $game }, auf dem Brett ist Partie { $now }
order-for-board = die Eingabe gilt Brett { $named }, dies ist Brett { $board }

## Positions

no-position = „{ $fen }“ ist keine Stellung
position-why = „{ $fen }“: { $why }
board-shows-no = das Brett zeigt keine Stellung mit je einem König; eine FEN angeben
board-has-not = das Brett hat nicht gemeldet, was jetzt darauf steht; anschließen oder eine FEN angeben
board-empty = das Brett ist leer
has-kings-game = { $side } hat { $number } Könige; zu einer Partie gehört je einer
pawn-stands-on = ein Bauer steht auf { $square }; auf der ersten und letzten Reihe kann keiner stehen

## Daemon, ports, other halls

there-no-board = an { $port } gibt es kein Brett { $board }
there-no-board-2 = es gibt kein Brett { $board }
several-boards-share = an { $port } sind mehrere Bretter: angeben, welches gemeint ist
board-busy = das Brett { $board } ist beschäftigt; gleich noch einmal versuchen
board-not-at = das Brett { $board } arbeitet nicht
board-takes-no = das Brett nimmt gerade keine Eingaben an; sie kann noch ausgeführt werden
program-about-end = das Programm wird gerade beendet
too-many-orders = zu viele Eingaben auf einmal; noch einmal senden
nobody-may-enter = das darf niemand eingeben
broker-away-nothing = der Broker ist nicht erreichbar; nichts wurde gesendet
hall-does-not = der Saal antwortet nicht; die Eingabe kann ausgeführt sein. Nimmt sein Dienst Eingaben an?
no-order = keine gültige Eingabe ({ $why })
order-not-utf = die Eingabe ist nicht in UTF-8
has-at-most = das hat höchstens { $number } Byte
rest-request-did = der Rest der Anfrage kam nicht an
too-many-orders-wait = zu viele Eingaben; kurz warten

## Web server

needs-arbiter-s = dafür ist das Schiedsrichter-Token nötig
token-wrong = das Token ist falsch
token-wrong-or = das Token ist falsch oder widerrufen
token-for-screen = dieses Token ist für eine Anzeige: es darf nur ansehen
say-whose-tables = angeben, wessen Tische übergeben werden
may-only-look = { $name } darf nur zusehen
there-no-arbiter = es gibt keinen Schiedsrichter { $name }
for-chief-arbiter = das darf nur der Hauptschiedsrichter
no-session-can = die Anmeldung ist nicht möglich; den Grund nennen die Meldungen des Dienstes
has-token-already = { $name } hat schon ein Token; erst widerrufen, dann ein neues erstellen
no-arbiter-has = kein Schiedsrichter { $name } hat ein Token
name-has-1 = ein Name hat 1 bis { $number } sichtbare Zeichen: keinen Zeilenumbruch, keine Zeichen für die Schreibrichtung
name-has-letters = ein Name hat Buchstaben eines einzigen Alphabets: lateinisch, griechisch oder kyrillisch
name-looks-like = { $name } sieht aus wie { $other } mit schon vorhandenem Token; einen unterscheidbaren Namen nehmen
there-are-arbiters = es gibt schon { $number } Schiedsrichter mit Token
no-table-and = „{ $tables }“ ist kein Tisch und kein Bereich von Tischen, wie in { $example }
accounts-cannot-be = die Konten lassen sich nicht ändern; den Grund nennen die Meldungen des Dienstes
accounts-cannot-be-read = die Konten sind gerade nicht lesbar; bitte gleich noch einmal versuchen
daemon-has-no = der Dienst hat kein Token zum Vergleichen; den Grund nennen seine Meldungen
too-many-wrong = zu viele falsche Token; kurz warten
too-many-devices = zu viele Geräte melden sich mit diesem Konto an; kurz warten
phones-are-switched = Telefone werden an der Anzeige ihres Saals eingeschaltet
sign-in-with = mit einem eigenen Token anmelden: Benachrichtigungen gehen an das Telefon eines Schiedsrichters
no-known-push = { $host } ist kein bekannter Push-Dienst; ist es einer, gehört er in http.push_services der Konfiguration
keys-subscription-are = die Schlüssel der Anmeldung sind nicht so, wie RFC 8291 es verlangt
phones-cannot-be = die Telefone lassen sich nicht aufschreiben; den Grund nennen die Meldungen des Dienstes
build-sends-nothing = dieses Programm ist ohne Push-Dienste gebaut
tables-hall-are = die Tische eines Saals werden an dessen eigener Anzeige festgelegt
tables-are-numbered = Tische sind ab 1 nummeriert
board-in-play = auf Brett { $board } wird gespielt: seine Uhr läuft
has-not-told = { $board } hat seine Seriennummer nicht genannt
tables-cannot-be = die Tische sind nicht lesbar; den Grund nennen die Meldungen des Dienstes
tables-cannot-be-written = die Tische lassen sich nicht schreiben; den Grund nennen die Meldungen des Dienstes
not-one-your = dieser Tisch gehört nicht zu den eigenen: { $tables }
pages-other-sites = Seiten von anderswo dürfen das nicht
not-if-name = hier ist nicht { $name }; stimmt der Name, gehört er in http.hosts der Konfiguration
list-cannot-be = das Protokoll ist nicht lesbar
logs-cannot-be = die Protokolle sind nicht lesbar
others-look-at = andere lesen gerade Aufzeichnungen; gleich noch einmal versuchen
there-no-capture = von dieser Zeit gibt es keine Aufzeichnung
capture-cannot-be = die Aufzeichnung lässt sich nicht abspielen
capture-does-not = die Aufzeichnung enthält { $id } nicht
there-no-position = es gibt keine Stellung
there-no-such = diese Seite gibt es nicht
