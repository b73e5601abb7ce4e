### The words of log files, notifications, the terminal and corrections of the record.
### Prima versione fatta a macchina, da rileggere da un arbitro di madrelingua italiana.
### Machine-made first version, to be read by a native arbiter.

## Lines of the log files

LogArticle = Art.
LogTable = Tavolo
LogBoard = Scacchiera
LogService = Servizio
LogBoth = Entrambi
LogProposal = Proposta
LogAdd = aggiungere { $seconds } s al tempo del { $side }
LogTakeBack = togliere { $seconds } s di incremento al { $side }
LogResult = risultato
StateOpen = aperta
StateExpired = termine scaduto
StateAcknowledged = vista
StateConfirmed = confermata
StateDismissed = respinta
StateCorrected = corretta
StateEnded = partita finita
StateWithdrawn = ritirata
WordPossible = possibile
WordLikely = probabile
WordCertain = certo
FactReason = motivo:
FactSeconds = s aggiunti
FactOverturned = non era un’irregolarità
FactClosed = il termine è scaduto
FactReopened = il termine decorre di nuovo
FactClaim = reclamato da
LogMissed = segnalazioni non si sono potute scrivere qui
LogReading = dopo un’interruzione si legge la memoria della scacchiera, circa 9 s; ciò che si gioca intanto segue
LogRead = la memoria della scacchiera ha mostrato che cosa è stato giocato durante l’interruzione
LogUseless = la memoria della scacchiera non spiega la posizione; le mosse dell’interruzione si ricavano dalla posizione
PartFails = Una parte del servizio non funziona: { $part }: { $reason }.

## Notifications and the terminal

NobodyGoing = Nessuno ci va
TestMessage = Una prova: così arrivano le segnalazioni.
WatchTable = tavolo
WatchBoard = scacchiera

## Corrections of the record

OtherPositionStands = Ora vale un’altra posizione; la scacchiera deve mostrarla.
Ply = semimossa { $ply }
Plies = semimosse da { $ply } a { $end }
PlyEntered = Inserito prima di { $plies }: { $moves }.
PlyReplaced = Inserito al posto di { $plies }: { $moves }.
PlyDeleted = Tolto: { $plies }.
PlyClash = Dopo di ciò la semimossa { $ply } ({ $move }) non è una mossa legale.
GoesOnElsewhere = La partita { $number } continua alla scacchiera { $board }.
GoesOnHere = La partita continua qui dopo { $plies } semimosse, appena la scacchiera ne mostra la posizione: { $fen }
