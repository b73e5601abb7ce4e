// Every word of the desk in English and German. A key without one of them is an error that a test finds.

import { TITLES } from "./alert-words.js";
import { ARBITER_WORDS } from "./arbiter-words.js";
import { DESK_WORDS } from "./desk-words.js";
import { ROUND_WORDS } from "./round-words.js";
import { RULING_WORDS } from "./ruling-words.js";
import { SERVICE_WORDS } from "./service-words.js";
import { TABLE_WORDS } from "./table-words.js";

const WORDS = {
  ...ARBITER_WORDS,
  ...DESK_WORDS,
  ...ROUND_WORDS,
  ...RULING_WORDS,
  ...SERVICE_WORDS,
  ...TABLE_WORDS,
  // Frame.
  skip: ["Skip to content", "Zum Inhalt"],
  hall: ["Hall", "Saal"],
  audit: ["Log", "Protokoll"],
  help: ["Help", "Hilfe"],
  settings: ["Settings", "Einstellungen"],
  back: ["Back", "Zurück"],
  serviceTrouble: ["The service:", "Der Dienst:"],
  offline: ["Not connected. Clocks stand still here; watch the boards yourself.", "Keine Verbindung. Die Uhren stehen hier still; bitte selbst auf die Bretter sehen."],
  outage: ["The daemon does not answer", "Der Dienst antwortet nicht"],
  outageText: ["Boards are not watched through this page at present: look at boards and clocks yourself. The page goes on by itself as soon as the daemon answers.", "Über diese Seite sind die Bretter gerade nicht zu sehen: selbst auf Bretter und Uhren achten. Die Seite macht von selbst weiter, sobald der Dienst antwortet."],
  outageWhy: ["Is the machine of the daemon on, and is this device in the same network?", "Läuft der Rechner des Dienstes, und ist dieses Gerät im selben Netz?"],
  online: ["Connected", "Verbunden"],
  onlineAgain: ["Connected again.", "Wieder verbunden."],
  notConnected: ["Not connected", "Keine Verbindung"],
  loading: ["Loading …", "Lädt …"],
  failed: ["This could not be loaded: {reason}", "Das konnte nicht geladen werden: {reason}"],
  supervised: ["supervised", "mit Aufsicht"],
  unsupervised: ["not supervised", "ohne Aufsicht"],
  lawsOf: ["Laws of {year}", "FIDE-Regeln {year}"],
  standard: ["standard", "Turnierschach"],
  rapid: ["rapid", "Schnellschach"],
  blitz: ["blitz", "Blitz"],

  // Settings.
  thisDevice: ["This device", "Dieses Gerät"],
  theme: ["Colours", "Farben"],
  themeAuto: ["as the device", "wie das Gerät"],
  light: ["light", "hell"],
  dark: ["dark", "dunkel"],
  language: ["Language", "Sprache"],
  languageAuto: ["as the event", "wie das Turnier"],
  size: ["Size", "Größe"],
  sizeCompact: ["compact", "klein"],
  sizeNormal: ["normal", "normal"],
  sizeWall: ["large, for a distance", "groß, für die Ferne"],
  sound: ["Sound for urgent alerts", "Ton bei dringenden Meldungen"],
  vibration: ["Vibration for urgent alerts", "Vibration bei dringenden Meldungen"],
  signInShort: ["Sign in", "Anmelden"],
  signIn: ["Sign in to rule on alerts", "Anmelden, um zu entscheiden"],
  signInHow: ["The chief arbiter has a link or a QR code for you that signs in by itself. Without it, enter your token here.", "Der Hauptschiedsrichter hat einen Link oder QR-Code für Sie, der von selbst anmeldet. Ohne ihn hier das Token eingeben."],
  sight: ["Colour vision", "Farbsehen"],
  sightUsual: ["usual colours", "übliche Farben"],
  sightSafe: ["red and green look alike to me", "Rot und Grün sehe ich gleich"],
  token: ["Arbiter's token", "Schiedsrichter-Token"],
  yourName: ["Your name", "Ihr Name"],
  keepToken: ["Stay signed in on this device", "Auf diesem Gerät angemeldet bleiben"],
  save: ["Save", "Speichern"],
  offerSignals: ["Shall this device sound and vibrate when an alert is urgent?", "Soll dieses Gerät bei dringenden Meldungen tönen und vibrieren?"],
  signalsOn: ["Yes, sound and vibration", "Ja, Ton und Vibration"],
  signalsOff: ["No", "Nein"],
  signOut: ["Sign out", "Abmelden"],
  signedIn: ["Signed in", "Angemeldet"],
  signedInAs: ["Signed in as {name}", "Angemeldet als {name}"],
  notSignedIn: ["Not signed in: you can look, but not rule.", "Nicht angemeldet: nur Ansicht, keine Entscheidungen."],
  wrongToken: ["The daemon does not accept this token.", "Dieses Token wird nicht akzeptiert."],
  shortcuts: ["Keys: / search · n need me · t short of time · a most urgent alert · h hall · Esc back; on an alert Enter confirms, x dismisses, g: I’m going; on a table ← → next tables", "Tasten: / suchen · n brauchen mich · t Zeitnot · a dringendste Meldung · h Saal · Esc zurück; in einer Meldung Enter bestätigt, x verwirft, g: ich gehe hin; an einem Tisch ← → nächste Tische"],

  // Hall.
  search: ["Table, player, serial", "Tisch, Spieler, Seriennummer"],
  tables: ["Tables", "Tische"],
  noTables: ["No board has been seen yet. Plug one in, or look at [ports] in the configuration.", "Noch kein Brett gesehen. Ein Brett anschließen oder [ports] in der Konfiguration prüfen."],
  noMatch: ["No table matches.", "Kein Tisch passt."],
  nothingOpen: ["Nothing needs you.", "Nichts zu tun."],
  table: ["Table {number}", "Tisch {number}"],
  board: ["Board {serial}", "Brett {serial}"],
  white: ["White", "Weiß"],
  black: ["Black", "Schwarz"],
  both: ["both players", "beide Spieler"],
  toMove: ["to move", "am Zug"],
  running: ["clock running", "Uhr läuft"],
  move: ["Move {number}", "Zug {number}"],
  noGame: ["No game", "Keine Partie"],
  atStart: ["Start position", "Grundstellung"],
  noClock: ["no clock", "keine Uhr"],
  clockLost: ["clock lost", "Uhr fehlt"],
  clockBattery: ["clock battery low", "Uhrenbatterie schwach"],
  linkDown: ["no link", "kein Kontakt"],
  battery: ["battery {percent} %", "Batterie {percent} %"],
  inAirNow: ["In the hand: {pieces}.", "In der Hand: {pieces}."],
  inAir: ["in the hand: {pieces}", "in der Hand: {pieces}"],
  ageSeconds: ["{number} s", "{number} s"],
  ageMinutes: ["{number} min", "{number} min"],
  ageHours: ["{number} h", "{number} Std."],
  tileOver: ["finished", "beendet"],
  tileShort: ["short of time", "Zeitnot"],
  tileRunning: ["playing", "läuft"],
  tileStanding: ["clock stands", "Uhr steht"],
  tileMuted: ["muted", "stumm"],
  fewerAlerts: ["Only the most urgent", "Nur die dringendsten"],
  more: ["{number} more", "{number} weitere"],
  openAlerts: ["Open alerts", "Offene Meldungen"],
  allAlerts: ["All alerts of this game", "Alle Meldungen dieser Partie"],
  urgentAlerts: ["Urgent alerts", "Dringende Meldungen"],
  newAlert: ["{table}: {label}", "{table}: {label}"],

  // Urgency, state, confidence.
  urgent: ["act now", "sofort"],
  soon: ["look soon", "bald ansehen"],
  info: ["for information", "zur Kenntnis"],
  stateOpen: ["open", "offen"],
  stateExpired: ["window closed", "Frist abgelaufen"],
  stateAcknowledged: ["seen", "gesehen"],
  stateConfirmed: ["confirmed", "bestätigt"],
  stateDismissed: ["dismissed", "verworfen"],
  stateCorrected: ["put right", "berichtigt"],
  stateEnded: ["game over", "Partie beendet"],
  confidence: ["Certainty of the facts", "Sicherheit der Fakten"],
  certain: ["certain", "sicher"],
  likely: ["likely", "wahrscheinlich"],
  possible: ["possible", "möglich"],
  whyCertain: ["The sensed position and the press leave no other explanation.", "Stellung und Uhrendruck lassen keine andere Erklärung zu."],
  whyLikely: ["An innocent explanation would need a quirk of the sensors: look before you rule.", "Harmlos erklärbar nur durch eine Eigenart der Sensoren: Vor der Entscheidung hinsehen."],
  whyPossible: ["It depends on intention, on hands, or on an order that lies within the noise of a scan. Only a witness can tell.", "Es hängt von Absicht, Händen oder einer Reihenfolge unterhalb der Messgenauigkeit ab. Nur ein Zeuge kann es wissen."],
  whyHands: ["The board sees pieces, not hands: it can only show two pieces moving faster than one hand can.", "Das Brett sieht Figuren, keine Hände: Es zeigt nur, dass zwei Figuren schneller zogen, als eine Hand es kann."],
  whyTouch: ["The board sees that a piece was lifted, but not whether adjusting was announced.", "Das Brett sieht, dass eine Figur angehoben wurde, aber nicht, ob das Zurechtrücken angekündigt war."],
  whyRelease: ["The board sees that a piece rested, but not whether the hand had left it.", "Das Brett sieht, dass die Figur stand, aber nicht, ob die Hand sie losgelassen hatte."],
  whyPresence: ["The board cannot see whether somebody sits there.", "Das Brett kann nicht sehen, ob jemand am Tisch sitzt."],
  factsOnly: ["This speaks of the facts, not of the ruling.", "Das betrifft die Fakten, nicht die Entscheidung."],

  // Alert.
  noAlertTitle: ["Earlier alert", "Frühere Meldung"],
  noAlert: ["This alert is no longer known; it belongs to an earlier game.", "Diese Meldung ist nicht mehr bekannt; sie gehört zu einer früheren Partie."],
  sideAgainst: ["{side} against {opponent}", "{side} gegen {opponent}"],
  articleShort: ["Art. {article}", "{article}"],
  sinceTime: ["since {time}", "seit {time}"],
  clocksThen: ["At the press: White {white}, Black {black}.", "Beim Drücken: Weiß {white}, Schwarz {black}."],
  otherwise: ["What it may have been instead", "Oder war es das?"],
  youGave: ["You gave {side} {time}: confirm?", "{side} hat {time} mehr. Stimmt das?"],
  moreRuling: ["Other time, reason …", "Andere Zeit, Grund …"],
  moreRulingPlain: ["Reason …", "Grund …"],
  confirmTime: ["Confirm: {side} +{time}", "Bestätigen: {side} +{time}"],
  windowNone: ["No window: it states something final.", "Keine Frist: Es steht bereits fest."],
  windowInOrder: ["Until it is in order again", "Bis es wieder in Ordnung ist"],
  windowClosed: ["Closed at {time}", "Abgelaufen um {time}"],
  liftedBy: ["{side} has lifted {pieces}.", "{side} hat angehoben: {pieces}."],
  notTouched: ["{side} has not touched a piece yet.", "{side} hat noch keine Figur berührt."],
  nextMoveShown: ["{side} has made {move}.", "{side} hat {move} ausgeführt."],
  clockStands: ["The clock stands still.", "Die Uhr steht."],
  actions: ["Ruling", "Entscheidung"],
  tooLate: ["Too late: do not intervene ({article}).", "Zu spät: nicht eingreifen ({article})."],
  tooLateBare: ["Too late: do not intervene.", "Zu spät: nicht eingreifen."],
  endedHint: ["This game is over; another one may be running at the table. Nothing is to be set or put back.", "Diese Partie ist beendet; am Tisch kann schon eine andere laufen. Nichts einstellen, nichts zurückstellen."],
  otherGame: ["This alert belongs to game {game}; game {now} is running at the table.", "Diese Meldung gehört zu Partie {game}; am Tisch läuft Partie {now}."],
  ruled: ["Nothing is left to rule on this alert; all other orders are below.", "Über diese Meldung ist nicht mehr zu entscheiden; alle anderen Eingaben stehen unten."],
  confirm: ["Confirm", "Bestätigen"],
  confirmSeconds: ["Seconds for {side}", "Sekunden für {side}"],
  dismiss: ["Dismiss", "Verwerfen"],
  acknowledge: ["Seen", "Gesehen"],
  reason: ["Reason", "Grund"],
  reinstateHere: ["Position was reinstated", "Stellung wurde wiederhergestellt"],
  declare: ["Declare {result}", "{result} erklären"],
  otherOrders: ["All other orders", "Alle anderen Eingaben"],
  draw: ["draw", "remis"],
  goesOn: ["The game goes on", "Die Partie geht weiter"],
  after: ["After the press", "Nach dem Drücken"],
  putBack: ["Put back", "Wiederherstellen"],
  differ: ["Differing squares: {squares}", "Abweichende Felder: {squares}"],
  marked: ["marked", "markiert"],
  nothingDiffers: ["Both positions are the same.", "Beide Stellungen sind gleich."],
  turnAfter: ["{side} to move after putting it back", "{side} am Zug nach dem Wiederherstellen"],
  turnIs: ["{side} to move", "{side} am Zug"],
  duty: ["Touched pieces", "Berührte Figuren"],
  dutyMust: ["{piece} must move: {moves} ({article}).", "{piece} muss ziehen: {moves} ({article})."],
  dutyTake: ["{piece} must be captured: {moves} ({article}).", "{piece} muss geschlagen werden: {moves} ({article})."],
  dutyNone: ["{piece} was touched, but it has no legal move ({article}).", "{piece} wurde berührt, hat aber keinen regelgemäßen Zug ({article})."],
  dutyFree: ["Any legal move.", "Jeder regelgemäße Zug."],
  dutyUnknown: ["The events of that moment are no longer at hand; ask the players which piece was touched.", "Die Ereignisse dieses Augenblicks liegen nicht mehr vor; die Spieler fragen, was berührt wurde."],
  clocks: ["Clocks", "Uhren"],
  now: ["now", "jetzt"],
  noCorrection: ["No change of the clock is proposed; the arbiter may adjust the times ({article}).", "Keine Änderung der Uhr vorgeschlagen; der Schiedsrichter darf die Zeiten anpassen ({article})."],
  moveCounter: ["Moves on the clock's counter: White {white}, Black {black}.", "Züge auf dem Zähler der Uhr: Weiß {white}, Schwarz {black}."],
  law: ["What the Laws say", "Was die Regeln sagen"],
  article: ["Article", "Artikel"],
  authority: ["Authority", "Befugnis"],
  penaltyArticle: ["Penalty", "Strafe"],
  alternativeSeconds: ["{seconds} s", "{seconds} s"],
  alternatives: ["Other view", "Andere Auffassung"],
  contested: ["The Laws can be read differently here; the decision is yours.", "Die Regeln lassen sich hier verschieden lesen; die Entscheidung liegt bei Ihnen."],
  inOwnWords: ["In our own words, {edition} edition; the text of the Laws decides.", "Mit eigenen Worten, Fassung {edition}; maßgeblich ist der Regeltext."],
  noArticle: ["This is about the equipment; no article applies.", "Das betrifft die Technik; kein Artikel ist berührt."],
  counts: ["Irregularities", "Regelwidrigkeiten"],
  countsLine: ["{official} official, {provisional} with open alerts", "{official} festgestellt, {provisional} mit offenen Meldungen"],
  nextLoses: ["The next one loses the game", "Die nächste verliert die Partie"],
  losesAt: ["No. {number} loses the game", "Die {number}. verliert die Partie"],
  earlier: ["Earlier alerts still open", "Frühere Meldungen noch offen"],
  evidence: ["Evidence", "Beweise"],
  evidenceText: ["What the board and the clock reported, as it came. A square is reported up to one scan ({scan} ms) after it changed; within one scan the order proves nothing.", "Was Brett und Uhr gemeldet haben, in der Reihenfolge des Eingangs. Ein Feld wird bis zu einen Durchgang ({scan} ms) nach der Änderung gemeldet; innerhalb eines Durchgangs beweist die Reihenfolge nichts."],
  capture: ["Download the capture that replays it", "Aufzeichnung herunterladen, die es wiederholt"],
  noEvents: ["No events are known of that moment.", "Von diesem Augenblick sind keine Ereignisse bekannt."],
  replay: ["What the board sensed", "Was das Brett gemeldet hat"],
  replayPlay: ["Play", "Abspielen"],
  replayPause: ["Pause", "Anhalten"],
  replayBegin: ["To two seconds before it", "Zwei Sekunden davor"],
  replayBack: ["One frame back", "Ein Bild zurück"],
  replayForth: ["One frame on", "Ein Bild weiter"],
  replaySpeed: ["Speed", "Tempo"],
  replayTimes: ["× {number}", "× {number}"],
  replayInstant: ["Instant", "Zeitpunkt"],
  replayAt: ["{seconds} s from the moment in question", "{seconds} s gegenüber dem fraglichen Augenblick"],
  atHall: ["Replay and evidence at the desk of {hall}", "Film und Belege am Pult von {hall}"],
  inHall: ["The capture is in {hall}; the desk there shows it.", "Die Aufzeichnung liegt in {hall}; dort wird sie gezeigt."],
  replayMissing: ["The capture of that moment is not at hand: {reason}", "Die Aufzeichnung dieses Augenblicks liegt nicht vor: {reason}"],
  replayAgain: ["Look again", "Noch einmal nachsehen"],
  seconds: ["seconds", "Sekunden"],
  relative: ["relative to the press, s", "gegenüber dem Drücken, s"],
  evLift: ["{piece} leaves {square}", "{piece} verlässt {square}"],
  evPlace: ["{piece} stands on {square}", "{piece} steht auf {square}"],
  evPress: ["{side} presses the clock ({white} / {black})", "{side} drückt die Uhr ({white} / {black})"],
  evClock: ["clock {white} / {black}", "Uhr {white} / {black}"],
  evMove: ["move {san} shown", "Zug {san} erkannt"],
  evMoveDone: ["move {san} completed", "Zug {san} abgeschlossen"],
  evRetract: ["withdrawn from ply {ply} on", "ab Halbzug {ply} zurückgenommen"],
  evLinkUp: ["link up", "Verbindung da"],
  evLinkDown: ["link down", "Verbindung weg"],

  // Board.
  position: ["Position", "Stellung"],
  sensed: ["As the board senses it", "Wie das Brett sie meldet"],
  sensedDiffers: ["Differs from the game on: {squares}", "Weicht von der Partie ab auf: {squares}"],
  moves: ["Moves", "Züge"],
  illegal: ["illegal", "regelwidrig"],
  notCompleted: ["not pressed", "nicht gedrückt"],
  unsure: ["unsure", "unsicher"],
  atThis: ["Position after {move}", "Stellung nach {move}"],
  live: ["Live", "Live"],
  start: ["Start", "Anfang"],
  drawMonitor: ["Draw monitor", "Remis-Wächter"],
  repetition: ["This position has appeared", "Diese Stellung ist entstanden"],
  times: ["{number} times", "{number}-mal"],
  once: ["once", "einmal"],
  toFifty: ["Moves to a fifty-move claim", "Züge bis zur 50-Züge-Reklamation"],
  toSeventyfive: ["Moves to the 75-move draw", "Züge bis zum 75-Züge-Remis"],
  mateOf: ["{side} can mate", "{side} kann matt setzen"],
  yes: ["yes", "ja"],
  no: ["no: draw", "nein: remis"],
  unknown: ["open: check for a blocked position", "offen: auf Blockade prüfen"],
  equipment: ["Equipment", "Technik"],
  port: ["Port", "Anschluss"],
  serial: ["Serial number", "Seriennummer"],
  firmware: ["Firmware", "Firmware"],
  link: ["Link", "Verbindung"],
  up: ["in order", "in Ordnung"],
  down: ["lost", "weg"],
  orientation: ["White sits", "Weiß sitzt"],
  asPrinted: ["at rank 1 as printed", "an der aufgedruckten Reihe 1"],
  turned: ["at rank 8 as printed", "an der aufgedruckten Reihe 8"],
  setUp: ["Set-up", "Aufstellung"],
  setUpAdopted: ["The beginning of this game was not seen: moves and repetitions are counted since {time}.", "Der Anfang dieser Partie wurde nicht gesehen: Züge und Wiederholungen sind ab {time} gezählt."],
  setUpOdd: ["The game did not begin from the initial position.", "Die Partie begann nicht aus der Grundstellung."],
  setUpRight: ["The game began from the initial position.", "Die Partie begann aus der Grundstellung."],
  setUpEmpty: ["No game has begun; the board shows {number} pieces.", "Keine Partie begonnen; das Brett zeigt {number} Figuren."],
  fiftyShort: ["50 moves:", "50 Züge:"],
  editHint: ["tap a move to correct it", "antippen zum Ändern"],
  editMove: ["Correct {move}", "{move} berichtigen"],
  editKeep: ["Keep", "Gilt"],
  editInsert: ["Insert before", "Davor einfügen"],
  editDelete: ["Delete", "Löschen"],
  editKept: ["Now {move}", "Jetzt {move}"],
  editInserted: ["{move} inserted", "{move} eingefügt"],
  editDeleted: ["{move} deleted", "{move} gelöscht"],
  print: ["Final position for signature", "Schlussstellung zum Unterschreiben"],
  printNow: ["Print", "Drucken"],
  pgn: ["Download PGN", "PGN herunterladen"],
  noSuchBoard: ["There is no board with this name.", "Ein Brett mit diesem Namen gibt es nicht."],
  flip: ["Turn the diagram", "Diagramm drehen"],
  result: ["Result", "Ergebnis"],
  byMate: ["by checkmate", "durch Matt"],
  byArbiter: ["entered by the arbiter", "vom Schiedsrichter eingetragen"],
  bySign: ["shown by a result sign", "durch ein Ergebniszeichen angezeigt"],
  byKings: ["shown by the kings", "durch die Könige angezeigt"],
  byFlag: ["on time", "durch Zeitüberschreitung"],
  byStalemate: ["by stalemate", "durch Patt"],

  // Sheet.
  sheetTitle: ["Final position and score", "Schlussstellung und Partieverlauf"],
  sheetUse: ["For a decision without an arbiter present: write down the claim, have the opponent confirm position and moves, and hand both in.", "Für eine Entscheidung ohne anwesenden Schiedsrichter: Antrag notieren, Stellung und Züge vom Gegner bestätigen lassen, beides abgeben."],
  sheetClaim: ["Claim and grounds", "Antrag und Begründung"],
  sheetNormal: ["cannot be won by normal means", "mit normalen Mitteln nicht zu gewinnen"],
  sheetEffort: ["opponent makes no effort to win by normal means", "Gegner versucht nicht, mit normalen Mitteln zu gewinnen"],
  sheetConfirm: ["Position and score are correct", "Stellung und Notation sind richtig"],
  sheetDate: ["Date, time", "Datum, Uhrzeit"],
  sheetDecision: ["Decision of the arbiter", "Entscheidung des Schiedsrichters"],
  sheetSign: ["Signature", "Unterschrift"],

  // Orders.
  orders: ["Orders", "Eingaben"],
  orderDone: ["Done: {order}.", "Erledigt: {order}."],
  orderRefused: ["Refused: {reason}", "Abgelehnt: {reason}"],
  orderFailed: ["The daemon could not be reached; nothing has changed as far as is known.", "Keine Antwort vom Dienst; soweit bekannt, hat sich nichts geändert."],
  orderUnsigned: ["Sign in first: the arbiter's token is needed.", "Erst anmelden: Dafür ist das Schiedsrichter-Token nötig."],
  orPenalty: ["Penalty", "Strafe"],
  orPenaltyText: ["One more irregularity on a player's record, time to the opponent.", "Eine weitere Regelwidrigkeit für den Spieler, Zeit für den Gegner."],
  orOffender: ["Offender", "Verursacher"],
  orSecondsDefault: ["Seconds (empty: as the Laws say)", "Sekunden (leer: wie in den Regeln)"],
  orClaim: ["Claim", "Antrag"],
  orClaimant: ["Claimant", "Antragsteller"],
  orKind: ["What is claimed", "Was beantragt wird"],
  claimThreefold: ["same position for the third time", "dreimal die gleiche Stellung"],
  claimFifty: ["fifty moves", "50 Züge"],
  claimIntended: ["threefold or fifty with an intended move", "mit beabsichtigtem Zug (dreimal / 50)"],
  claimTime: ["win on time", "Gewinn auf Zeit"],
  claimQpf: ["quickplay finish", "Endspurtphase"],
  orIntended: ["Intended move", "Beabsichtigter Zug"],
  orResult: ["Result", "Ergebnis"],
  orReinstate: ["Go back to a move", "Zurück bis zu einem Zug"],
  orPly: ["Last move that stands", "Letzter Zug, der gilt"],
  orSetPosition: ["Set up a position", "Stellung aufbauen"],
  orFen: ["FEN", "FEN"],
  orSensed: ["Take what stands on the board", "Übernehmen, was auf dem Brett steht"],
  orNewGame: ["New game", "Neue Partie"],
  orFenEmpty: ["FEN (empty: initial position)", "FEN (leer: Grundstellung)"],
  orFlip: ["Board lies the other way", "Brett liegt andersherum"],
  orFlipText: ["White sits at the other side than was thought.", "Weiß sitzt auf der anderen Seite als angenommen."],
  orSwapClock: ["Clock stands the other way", "Uhr steht andersherum"],
  orSwapClockText: ["The clock stands the other way round than was thought.", "Die Uhr steht andersherum als angenommen."],
  orMute: ["Mute", "Stumm"],
  orMuteText: ["No alerts of this board for a while.", "Für eine Weile keine Meldungen von diesem Brett."],
  orMinutes: ["Minutes", "Minuten"],
  orArrived: ["Player has arrived", "Spieler ist da"],
  orWho: ["Who", "Wer"],
  orResign: ["Resignation", "Aufgabe"],
  orDrawOffer: ["Draw offer", "Remisangebot"],
  orIncident: ["Incident", "Vorfall"],
  orIncidentText: ["What no sensor sees: a telephone, a disturbance, help from others.", "Was kein Sensor sieht: Telefon, Störung, fremde Hilfe."],
  inOther: ["something else", "etwas anderes"],
  inTelephone: ["Telephone, electronic device", "Telefon, elektronisches Gerät"],
  inOutsideHelp: ["Notes, advice, another board", "Notizen, Ratschläge, anderes Brett"],
  inLeftVenue: ["Left the playing venue", "Turnierräumlichkeiten verlassen"],
  inDisturbance: ["Disturbed the opponent", "Gegner gestört"],
  inFine: ["Fine", "Geldstrafe"],
  inExplanation: ["Asked for an explanation", "Erklärung verlangt"],
  inAppeal: ["Appeal", "Protest"],
  inClockAssistant: ["Assistant at the clock", "Assistent an der Uhr"],
  inSpecialMeasures: ["Special measures", "Besondere Maßnahmen"],
  orNobody: ["nobody in particular", "niemand Bestimmtes"],
  orQuickplay: ["Quickplay finish", "Endspurtphase"],
  orWhose: ["Whose request or claim", "Wessen Antrag"],
  orRuling: ["Ruling", "Entscheidung"],
  rulAccepted: ["draw offer accepted", "Remisangebot angenommen"],
  rulIncrement: ["increment from now on", "ab jetzt mit Zeitgutschrift"],
  rulRefused: ["no increment", "ohne Zeitgutschrift"],
  rulDrawn: ["claim is right: draw", "Antrag berechtigt: remis"],
  rulRejected: ["claim rejected", "Antrag abgelehnt"],
  rulPostponed: ["postponed", "aufgeschoben"],
  rulNoArbiter: ["no arbiter: written down", "ohne Schiedsrichter: aufgeschrieben"],
  orColours: ["Colours are swapped", "Farben vertauscht"],
  orColoursText: ["The players have the wrong colours.", "Die Spieler haben die falschen Farben."],
  actPenalty: ["Put it on record", "Eintragen"],
  actClaim: ["Check the claim", "Antrag prüfen"],
  actForfeit: ["Enter this result", "Ergebnis eintragen"],
  actReinstate: ["Go back to this move", "Auf diesen Zug zurück"],
  actPosition: ["Set this position", "Diese Stellung setzen"],
  actNewGame: ["Begin a new game", "Neue Partie beginnen"],
  actMute: ["Mute this board", "Brett stumm schalten"],
  actArrived: ["Player is here", "Spieler ist da"],
  actResign: ["Enter the resignation", "Aufgabe eintragen"],
  actDrawOffer: ["Enter the offer", "Angebot eintragen"],
  actIncident: ["Write it down", "Ins Protokoll"],
  actQuickplay: ["Enter the ruling", "Entscheidung eintragen"],
  undoLast: ["Undo: {what}", "Rückgängig: {what}"],
  orForfeit: ["Forfeit, 0–0", "Kampflos, 0–0"],
  "res_+/-": ["Black did not come", "Schwarz kam nicht"],
  "res_-/+": ["White did not come", "Weiß kam nicht"],
  "res_-/-": ["nobody came", "niemand kam"],
  "res_0-0": ["both lose", "beide verlieren"],
  "res_1/2-0": ["Black loses, White gets half", "Schwarz verliert, Weiß erhält ½"],
  "res_0-1/2": ["White loses, Black gets half", "Weiß verliert, Schwarz erhält ½"],
  pressAgain: ["Press again: {label}", "Nochmals: {label}"],

  // Audit.
  auditText: ["Who entered what, newest first.", "Wer was eingegeben hat, Neuestes zuerst."],
  auditEmpty: ["Nothing has been entered yet.", "Noch nichts eingegeben."],
  when: ["When", "Wann"],
  who: ["Who", "Wer"],
  where: ["Where", "Wo"],
  what: ["What", "Was"],
  outcome: ["Outcome", "Ergebnis"],
  accepted: ["carried out", "ausgeführt"],
  refused: ["refused", "abgelehnt"],

  // Pieces.
  P: ["white pawn", "weißer Bauer"], N: ["white knight", "weißer Springer"], B: ["white bishop", "weißer Läufer"],
  R: ["white rook", "weißer Turm"], Q: ["white queen", "weiße Dame"], K: ["white king", "weißer König"],
  p: ["black pawn", "schwarzer Bauer"], n: ["black knight", "schwarzer Springer"], b: ["black bishop", "schwarzer Läufer"],
  r: ["black rook", "schwarzer Turm"], q: ["black queen", "schwarze Dame"], k: ["black king", "schwarzer König"],
  letters: ["KQRBN", "KDTLS"],
};

/** What each alert is called. */
const CODES = {
  "illegal-move": ["Illegal move", "Regelwidriger Zug"],
  "promotion-not-replaced": ["Pawn not replaced", "Bauer nicht ersetzt"],
  "press-without-move": ["Press without a move", "Uhr ohne Zug gedrückt"],
  "press-before-made": ["Pressed too early", "Zu früh gedrückt"],
  "two-hands-suspect": ["Two hands?", "Zwei Hände?"],
  "colours-reversed": ["Colours reversed", "Farben vertauscht"],
  "intended-not-played": ["Intended move not played", "Angekündigter Zug nicht gespielt"],
  "draw-offer": ["Draw offer", "Remisangebot"],
  "board-mismatch": ["Board and game differ", "Brett weicht ab"],
  "castling-rook-first": ["Rook touched first", "Turm zuerst berührt"],
  "touch-move-suspect": ["Touch-move?", "Berührt – geführt?"],
  "released-piece-moved": ["Released piece moved?", "Losgelassene Figur?"],
  "promotion-choice-changed": ["Promotion changed", "Umwandlung geändert"],
  "claim-window-closed": ["Irregularity stands", "Regelverstoß bleibt"],
  "game-lost-illegal": ["Game lost", "Partie verloren"],
  "game-drawn-illegal": ["Game drawn", "Partie remis"],
  "claim-win-available": ["Win may be claimed", "Gewinn reklamierbar"],
  "claim-draw-available": ["Draw may be claimed", "Remis reklamierbar"],
  "illegal-position-armed": ["Illegal position", "Regelwidrige Stellung"],
  "illegal-position-draw": ["Illegal position: draw", "Regelwidrige Stellung: remis"],
  "illegal-position-intervene": ["Illegal position", "Regelwidrige Stellung"],
  "flag-fall": ["Flag fall", "Zeitüberschreitung"],
  "flag-fall-draw": ["Flag fall: draw", "Zeitüberschreitung: remis"],
  "both-flags": ["Both flags", "Beide Fallblättchen"],
  "threefold-claimable": ["Threefold claimable", "Dreimal: reklamierbar"],
  "fifty-claimable": ["50 moves claimable", "50 Züge: reklamierbar"],
  "fivefold-draw": ["Fivefold: draw", "Fünfmal: remis"],
  "seventyfive-draw": ["75 moves: draw", "75 Züge: remis"],
  checkmate: ["Checkmate", "Matt"],
  stalemate: ["Stalemate", "Patt"],
  "dead-position": ["Dead position", "Tote Stellung"],
  "start-position-wrong": ["Wrong set-up", "Falsche Aufstellung"],
  "clock-setting-wrong": ["Wrong clock setting", "Falsche Uhreinstellung"],
  "start-claim-closed": ["Wrong set-up stands", "Falsche Aufstellung bleibt"],
  "qpf-eligible": ["Quickplay finish", "Endspurtphase"],
  "default-time": ["Default time over", "Wartezeit abgelaufen"],
  "board-link": ["Board lost", "Brett nicht erreichbar"],
  "clock-link": ["Clock lost", "Uhr nicht erreichbar"],
  "clock-stopped": ["Clock stands still", "Uhr steht"],
  "clock-low-battery": ["Clock battery", "Uhrenbatterie"],
  "board-battery": ["Board battery", "Brettbatterie"],
  "line-noise": ["Noisy line", "Leitung gestört"],
  "service-degraded": ["Part of the service fails", "Teil des Dienstes fällt aus"],
};

let language = "en";

/** Chooses the language of the desk. */
export function speak(name) {
  language = name === "de" ? "de" : "en";
  document.documentElement.lang = language;
}

/** Returns the language in which the daemon tells of alerts. */
export const eventLanguage = (hall) => hall.event.language ?? "en";

/** Returns the language of the desk. */
export const spoken = () => language;

const pick = (pair) => pair[language === "de" ? 1 : 0];

/** Returns a phrase, its names in braces replaced. */
export function t(key, values = {}) {
  const pair = WORDS[key];
  if (!pair) return key;
  return pick(pair).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Returns what an alert is called. */
export function codeName(code) {
  return CODES[code] ? pick(CODES[code]) : code;
}

/** Says what has happened in one line; `name` is whom it is about. */
export function codeTitle(code, name) {
  return TITLES[code] ? pick(TITLES[code]).replace("{name}", name) : codeName(code);
}

/** Names a piece by its FEN letter. */
export const pieceName = (letter) => t(letter);

/** Names a side or both. */
export const sideName = (side) => (["white", "black", "both"].includes(side) ? t(side) : "");

/** Returns the other player's side. */
export const otherSide = (side) => (side === "white" ? "black" : "white");

/** Writes a result with its own signs: ½–½, 1–0. */
export function scoreText(result) {
  const text = result ?? "";
  // Of `-/+` the slash parts the players.
  if (text.includes("/") && !text.includes("1/2")) return text.replaceAll("-", "−");
  return text.replaceAll("1/2", "½").replace("-", "–");
}

/** Writes a span: `58 s`, or `1:00` from a minute on. */
export const spanText = (seconds) => (seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);

/** Writes a move with the letters of the language. */
export function sanText(san) {
  const letters = t("letters");
  return (san ?? "").replace(/[KQRBN]/g, (letter) => letters["KQRBN".indexOf(letter)]);
}

/** Writes an instant as the time of day. */
export function timeText(at) {
  return at ? new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }) : "";
}

/** Writes an instant as day and time of day. */
export function dayText(at) {
  const locale = language === "de" ? "de" : "en-GB";
  return `${new Date(at).toLocaleDateString(locale, { day: "2-digit", month: "2-digit", year: "numeric" })}, ${timeText(at)}`;
}
