### The words of log files, notifications, the terminal and corrections of the record.
### Première version faite par machine, à relire par un arbitre francophone.
### Machine-made first version, to be read by a native arbiter.

## Lines of the log files

LogArticle = Art.
LogTable = Table
LogBoard = Échiquier
LogService = Service
LogBoth = Les deux
LogProposal = Proposition
LogAdd = ajouter { $seconds } s au temps des { $side }
LogTakeBack = retirer { $seconds } s d’incrément aux { $side }
LogResult = résultat
StateOpen = ouverte
StateExpired = délai passé
StateAcknowledged = vue
StateConfirmed = confirmée
StateDismissed = rejetée
StateCorrected = corrigée
StateEnded = partie finie
StateWithdrawn = retirée
WordPossible = possible
WordLikely = probable
WordCertain = certain
FactReason = motif :
FactSeconds = s ajoutées
FactOverturned = ce n’était pas une irrégularité
FactClosed = le délai est passé
FactReopened = le délai court de nouveau
FactClaim = réclamation de
LogMissed = alertes n’ont pas pu être écrites ici
LogReading = après une coupure, la mémoire de l’échiquier est lue, environ 9 s ; ce qui est joué entre-temps suit
LogRead = la mémoire de l’échiquier a montré ce qui a été joué pendant la coupure
LogUseless = la mémoire de l’échiquier n’explique pas la position ; les coups de la coupure sont déduits de la position
PartFails = Une partie du service ne fonctionne pas : { $part } : { $reason }.

## Notifications and the terminal

NobodyGoing = Personne n’y va
TestMessage = Un essai : c’est ainsi qu’arrivent les alertes.
WatchTable = table
WatchBoard = échiquier

## Corrections of the record

OtherPositionStands = Une autre position est maintenant en vigueur ; l’échiquier doit la montrer.
Ply = demi-coup { $ply }
Plies = demi-coups { $ply } à { $end }
PlyEntered = Inscrit avant { $plies } : { $moves }.
PlyReplaced = Inscrit à la place de { $plies } : { $moves }.
PlyDeleted = Supprimé : { $plies }.
PlyClash = Ensuite, le demi-coup { $ply } ({ $move }) n’est plus légal.
GoesOnElsewhere = La partie { $number } continue à l’échiquier { $board }.
GoesOnHere = La partie continue ici après { $plies } demi-coups, dès que l’échiquier montre sa position : { $fen }
