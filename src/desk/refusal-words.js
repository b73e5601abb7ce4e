// Why the daemon refuses something, in German: its reasons are English sentences, in orders, logs and over the broker.

import { sideName, spoken } from "./words.js";

/** The sentences of the daemon, what varies in braces; a test finds those that are missing here. */
const REASONS = [
  // Game and claim.
  ["the game is over", "die Partie ist beendet"],
  ["there is no game on this board", "auf diesem Brett läuft keine Partie"],
  ["the game has no result to take back", "die Partie hat kein Ergebnis, das zurückzunehmen wäre"],
  ["the game has {length} plies, there is no ply {ply}", "die Partie hat {length} Halbzüge, einen Halbzug {ply} gibt es nicht"],
  ["{side} is not to move", "{side} ist nicht am Zug"],
  ["{move} is no move; write it as Nf3 or g1f3", "{move} ist kein Zug; er wird als Nf3 oder g1f3 geschrieben (N Springer, B Läufer, R Turm, Q Dame)"],
  ["the clock shows no fallen flag of {side}", "die Uhr zeigt keine Zeitüberschreitung von {side}"],
  ["{side} has no time left either ({article})", "auch {side} hat keine Zeit mehr ({article})"],
  ["there is no open alert on the flag of {side}", "es gibt keine offene Meldung über eine Zeitüberschreitung von {side}"],
  ["a quickplay finish needs a time control without increment, its last period, and an announcement", "eine Endspurtphase verlangt eine Bedenkzeit ohne Zeitgutschrift, deren letzten Abschnitt und eine Ankündigung"],
  ["{side} does not have less than two minutes left", "{side} hat nicht weniger als zwei Minuten"],
  ["the Laws of {year} know no request for an increment", "die FIDE-Regeln {year} kennen keinen Antrag auf Zeitgutschrift"],
  ["say whose doing it was: side white or black", "angeben, wer es war: Weiß oder Schwarz"],
  ["the Laws of {year} have no article on this; enter it in your own words", "die FIDE-Regeln {year} haben dazu keinen Artikel; in eigenen Worten eintragen"],
  ["an incident needs a reason", "zu einem Vorfall gehört ein Grund"],
  ["{result} is no result; there are {known}", "{result} ist kein Ergebnis; es gibt {known}"],
  ["a board is muted for at most {seconds} seconds; what happens meanwhile is not told later", "ein Brett wird höchstens {seconds} Sekunden stummgeschaltet; was inzwischen geschieht, wird nicht nachgeholt"],
  ["a player is given at most {seconds} seconds; no clock shows more", "ein Spieler erhält höchstens {seconds} Sekunden gutgeschrieben; mehr zeigt keine Uhr an"],
  ["an answer is found by a search, nobody enters it", "eine Antwort findet eine Suche, niemand gibt sie ein"],

  // Alerts and what is taken back.
  ["there is no alert {id} in this game", "in dieser Partie gibt es keine Meldung {id}"],
  ["there is no alert {id}", "es gibt keine Meldung {id}"],
  ["alert {id} is closed", "die Meldung {id} ist abgeschlossen"],
  ["alert {id} has been dealt with in this way already", "die Meldung {id} ist schon so behandelt"],
  ["there is no ruling on alert {id} to take back", "zur Meldung {id} gibt es keine Entscheidung, die zurückzunehmen wäre"],
  ["{side} has no penalty to take back", "{side} hat keine Strafe, die zurückzunehmen wäre"],
  ["say whose penalty is taken back: side white or black", "angeben, wessen Strafe zurückgenommen wird: Weiß oder Schwarz"],
  ["say what is taken back: the id of an order, an alert, or what: penalty, result or mute", "angeben, was zurückgenommen wird: eine Eingabe, eine Meldung, eine Strafe, das Ergebnis oder die Stummschaltung"],
  ["there is no order {id} in this game", "in dieser Partie gibt es keine Eingabe {id}"],
  ["order {id} has been taken back already", "die Eingabe {id} ist schon zurückgenommen"],
  ["order {id} is of game {other}; game {game} is on the board", "die Eingabe {id} gehört zu Partie {other}, auf dem Brett ist Partie {game}"],
  ["order o{id} has ruled on the same alert since; take that one back first", "über dieselbe Meldung wurde seither mit Eingabe o{id} entschieden; zuerst diese zurücknehmen"],
  ["a later order has changed ply {ply}; take that one back first", "eine spätere Eingabe hat Halbzug {ply} geändert; zuerst diese zurücknehmen"],
  ["moves have been played from that position; set another one instead", "aus dieser Stellung wurde schon gezogen; stattdessen eine andere setzen"],
  ["the game before is not known any more", "die Partie davor ist nicht mehr bekannt"],

  // The record.
  ["a ply that is taken out needs no move", "ein Halbzug, der gestrichen wird, braucht keinen Zug"],
  ["move is missing", "der Zug fehlt"],
  ["that are too many moves for one order", "das sind zu viele Züge für eine Eingabe"],
  ["the game has no moves yet", "die Partie hat noch keine Züge"],
  ["ply has to be from 1 to {last}, not {ply}", "der Halbzug muss zwischen 1 und {last} liegen, nicht {ply}"],
  ["ply {ply} ({move}) was seen; enter another move for it instead", "Halbzug {ply} ({move}) wurde gesehen; stattdessen einen anderen Zug dafür eintragen"],
  ["there is no path {number}; {others}", "einen Weg {number} gibt es nicht; {others}"],
  ["these moves do not lead to the position that stood there; {others}", "diese Züge führen nicht zu der Stellung, die dort stand; {others}"],
  ["move: {move} is no legal move after ply {ply} (White to move); legal are {moves}", "{move} ist nach Halbzug {ply} kein regelgemäßer Zug (Weiß am Zug); möglich sind {moves}"],
  ["move: {move} is no legal move after ply {ply} (Black to move); legal are {moves}", "{move} ist nach Halbzug {ply} kein regelgemäßer Zug (Schwarz am Zug); möglich sind {moves}"],
  ["move: {move} is no move; write it as Nf3, Sf3 or g1f3", "{move} ist kein Zug; er wird als Sf3, Nf3 oder g1f3 geschrieben"],
  ["move: {move} may be {moves}", "{move} kann {moves} sein"],

  // A game that goes on elsewhere.
  ["what was played at board {board} is not known here", "was an Brett {board} gespielt wurde, ist hier nicht bekannt"],
  ["say which game goes on", "angeben, welche Partie weitergeht"],
  ["what was played in game {number} is not known any more", "was in Partie {number} gespielt wurde, ist nicht mehr bekannt"],
  ["game {named} is not on the board; game {number} is", "Partie {named} ist nicht auf dem Brett, sondern Partie {number}"],
  ["game {number} is over", "Partie {number} ist beendet"],
  ["the game has gone on here; let it go on elsewhere instead", "die Partie ist hier schon weitergegangen; stattdessen anderswo weiterspielen lassen"],
  ["the order is for game {game}; it would change game {now} of this board", "die Eingabe gilt Partie {game}; sie würde Partie {now} dieses Bretts ändern"],
  ["the order is for game {game}, and game {now} is on the board", "die Eingabe gilt Partie {game}, auf dem Brett ist Partie {now}"],
  ["the order is for board {named}, and this is board {board}", "die Eingabe gilt Brett {named}, dies ist Brett {board}"],

  // Positions.
  ["'{fen}' is no position: {why}", "„{fen}“ ist keine Stellung"],
  ["'{fen}': {why}", "„{fen}“: {why}"],
  ["the board shows no position with one king a side; give a fen", "das Brett zeigt keine Stellung mit je einem König; eine FEN angeben"],
  ["the board has not told what stands on it now; plug it in, or give a fen", "das Brett hat nicht gemeldet, was jetzt darauf steht; anschließen oder eine FEN angeben"],
  ["the board is empty", "das Brett ist leer"],
  ["{side} has {number} kings; a game needs one a side", "{side} hat {number} Könige; zu einer Partie gehört je einer"],
  ["a pawn stands on {square}; none can stand on the first or last rank", "ein Bauer steht auf {square}; auf der ersten und letzten Reihe kann keiner stehen"],

  // Daemon, ports, other halls.
  ["there is no board {board} on {port}", "an {port} gibt es kein Brett {board}"],
  ["there is no board {board}", "es gibt kein Brett {board}"],
  ["several boards share {port}: say which board the order is for", "an {port} sind mehrere Bretter: angeben, welches gemeint ist"],
  ["board {board} is busy", "das Brett {board} ist beschäftigt; gleich noch einmal versuchen"],
  ["board {board} is not at work", "das Brett {board} arbeitet nicht"],
  ["the board takes no orders at present; the order may still be carried out", "das Brett nimmt gerade keine Eingaben an; sie kann noch ausgeführt werden"],
  ["the program is about to end", "das Programm wird gerade beendet"],
  ["too many orders at a time; send it again", "zu viele Eingaben auf einmal; noch einmal senden"],
  ["nobody may enter this", "das darf niemand eingeben"],
  ["the broker is away; nothing was sent", "der Broker ist nicht erreichbar; nichts wurde gesendet"],
  ["the hall does not answer; it may have been done. Does its daemon take commands?", "der Saal antwortet nicht; die Eingabe kann ausgeführt sein. Nimmt sein Dienst Eingaben an?"],
  ["no order: {why}", "keine gültige Eingabe ({why})"],
  ["the order is not UTF-8", "die Eingabe ist nicht in UTF-8"],
  ["this has at most {number} bytes", "das hat höchstens {number} Byte"],
  ["the rest of the request did not come", "der Rest der Anfrage kam nicht an"],
  ["too many orders; wait a little", "zu viele Eingaben; kurz warten"],

  // Web server.
  ["this needs the arbiter's token", "dafür ist das Schiedsrichter-Token nötig"],
  ["the token is wrong", "das Token ist falsch"],
  ["the token is wrong, or it was revoked", "das Token ist falsch oder widerrufen"],
  ["this token is for a screen: it may look only", "dieses Token ist für eine Anzeige: es darf nur ansehen"],
  ["say whose tables are handed over", "angeben, wessen Tische übergeben werden"],
  ["{name} may only look", "{name} darf nur zusehen"],
  ["there is no arbiter {name}", "es gibt keinen Schiedsrichter {name}"],
  ["this is for the chief arbiter only", "das darf nur der Hauptschiedsrichter"],
  ["no session can be made; the daemon's messages say why", "die Anmeldung ist nicht möglich; den Grund nennen die Meldungen des Dienstes"],
  ["{name} has a token already; 'jadoube arbiter revoke \"{again}\"' makes it invalid, then another one can be made", "{name} hat schon ein Token; erst widerrufen, dann ein neues erstellen"],
  ["no arbiter {name} has a token; {who}", "kein Schiedsrichter {name} hat ein Token"],
  ["a name has 1 to {number} characters, and no line ends", "ein Name hat 1 bis {number} Zeichen, ohne Zeilenumbruch"],
  ["there are {number} arbiters with tokens already", "es gibt schon {number} Schiedsrichter mit Token"],
  ["'{tables}' is no table and no range of tables, as in {example}", "„{tables}“ ist kein Tisch und kein Bereich von Tischen, wie in {example}"],
  ["the accounts cannot be changed", "die Konten lassen sich nicht ändern; den Grund nennen die Meldungen des Dienstes"],
  ["the accounts cannot be read at present; try again in a moment", "die Konten sind gerade nicht lesbar; bitte gleich noch einmal versuchen"],
  ["the daemon has no token to compare with; its messages say why", "der Dienst hat kein Token zum Vergleichen; den Grund nennen seine Meldungen"],
  ["too many wrong tokens; wait a little", "zu viele falsche Token; kurz warten"],
  ["phones are switched on at the desk of their hall", "Telefone werden an der Anzeige ihres Saals eingeschaltet"],
  ["sign in with an own token: notifications go to an arbiter's phone", "mit einem eigenen Token anmelden: Benachrichtigungen gehen an das Telefon eines Schiedsrichters"],
  ["{host} is no known push service; if it is one, add it to http.push_services in the configuration", "{host} ist kein bekannter Push-Dienst; ist es einer, gehört er in http.push_services der Konfiguration"],
  ["the keys of the subscription are not as RFC 8291 says", "die Schlüssel der Anmeldung sind nicht so, wie RFC 8291 es verlangt"],
  ["the phones cannot be written down; the daemon's messages say why", "die Telefone lassen sich nicht aufschreiben; den Grund nennen die Meldungen des Dienstes"],
  ["this build sends nothing to push services", "dieses Programm ist ohne Push-Dienste gebaut"],
  ["the tables of a hall are set at its own desk", "die Tische eines Saals werden an dessen eigener Anzeige festgelegt"],
  ["tables are numbered from 1", "Tische sind ab 1 nummeriert"],
  ["board {board} is in play: its clock runs", "auf Brett {board} wird gespielt: seine Uhr läuft"],
  ["{board} has not told its serial number", "{board} hat seine Seriennummer nicht genannt"],
  ["the tables cannot be read; the daemon's messages say why", "die Tische sind nicht lesbar; den Grund nennen die Meldungen des Dienstes"],
  ["the tables cannot be written; the daemon's messages say why", "die Tische lassen sich nicht schreiben; den Grund nennen die Meldungen des Dienstes"],
  ["this is not one of your tables: {tables}", "dieser Tisch gehört nicht zu den eigenen: {tables}"],
  ["pages of other sites may not do this", "Seiten von anderswo dürfen das nicht"],
  ["this is not {name}; if the name is right, add it to http.hosts in the configuration", "hier ist nicht {name}; stimmt der Name, gehört er in http.hosts der Konfiguration"],
  ["the list cannot be read", "das Protokoll ist nicht lesbar"],
  ["the logs cannot be read", "die Protokolle sind nicht lesbar"],
  ["others look at captures; try again in a moment", "andere lesen gerade Aufzeichnungen; gleich noch einmal versuchen"],
  ["there is no capture of that time", "von dieser Zeit gibt es keine Aufzeichnung"],
  ["the capture cannot be replayed", "die Aufzeichnung lässt sich nicht abspielen"],
  ["the capture does not tell of {id}", "die Aufzeichnung enthält {id} nicht"],
  ["there is no position", "es gibt keine Stellung"],
  ["there is no such page", "diese Seite gibt es nicht"],
];

/** Names in braces that stand for a side. */
const SIDES = new Set(["side"]);

let patterns = null;

/** Makes a pattern of a sentence: what is in braces matches anything. */
function pattern([english, german]) {
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { names, german, matches: new RegExp(`^${parts.join("(.+)")}$`) };
}

/** Returns a reason of the daemon in the language of the page; as it is if nobody has translated it. */
export function reasonText(reason) {
  if (spoken() === "en" || !reason) return reason;
  patterns ??= REASONS.map(pattern);
  for (const { names, german, matches } of patterns) {
    const found = matches.exec(reason);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1]]));
    return german.replace(/\{(\w+)\}/g, (whole, name) => (SIDES.has(name) ? sideName(values[name].toLowerCase()) || values[name] : reasonText(values[name])));
  }
  return reason;
}
