### The words of log files, notifications, the terminal and corrections of the record.

## Lines of the log files

LogArticle = Art.
LogTable = Tisch
LogBoard = Brett
LogService = Dienst
LogBoth = Beide
LogProposal = Vorschlag
LogAdd = Gutschrift { $seconds } s für { $side }
LogTakeBack = Abzug des Inkrements, { $seconds } s bei { $side }
LogResult = Ergebnis
StateOpen = offen
StateExpired = abgelaufen
StateAcknowledged = gesehen
StateConfirmed = bestätigt
StateDismissed = verworfen
StateCorrected = berichtigt
StateEnded = beendet
StateWithdrawn = zurückgezogen
WordPossible = möglich
WordLikely = wahrscheinlich
WordCertain = sicher
FactReason = Grund:
FactSeconds = s gutgeschrieben
FactOverturned = es war kein Verstoß
FactClosed = die Frist ist abgelaufen
FactReopened = die Frist läuft wieder
FactClaim = Antrag von
LogMissed = Meldungen konnten hier nicht geschrieben werden
LogReading = nach einer Unterbrechung wird der Speicher des Bretts gelesen, etwa 9 s; was inzwischen gespielt wird, folgt
LogRead = der Speicher des Bretts hat gezeigt, was während der Unterbrechung gespielt wurde
LogUseless = der Speicher des Bretts erklärt die Stellung nicht; die Züge werden aus der Stellung erschlossen
PartFails = Ein Teil des Dienstes arbeitet nicht: { $part }: { $reason }.

## Notifications and the terminal

NobodyGoing = Niemand geht hin
TestMessage = Eine Probe: So kommen Meldungen an.
WatchTable = Tisch
WatchBoard = Brett

## Corrections of the record

OtherPositionStands = Jetzt steht eine andere Stellung; das Brett muss sie zeigen.
Ply = Halbzug { $ply }
Plies = Halbzüge { $ply } bis { $end }
PlyEntered = Vor { $plies } eingetragen: { $moves }.
PlyReplaced = Statt { $plies } eingetragen: { $moves }.
PlyDeleted = Gestrichen: { $plies }.
PlyClash = Danach ist Halbzug { $ply } ({ $move }) kein regelgemäßer Zug.
GoesOnElsewhere = Partie { $number } geht an Brett { $board } weiter.
GoesOnHere = Die Partie geht hier nach { $plies } Halbzügen weiter, sobald das Brett ihre Stellung zeigt: { $fen }
