### The words of log files, notifications, the terminal and corrections of the record.
### Primera versión hecha por máquina; la ha de revisar un árbitro hispanohablante.
### Machine-made first version, to be read by a native arbiter.

## Lines of the log files

LogArticle = Art.
LogTable = Mesa
LogBoard = Tablero
LogService = Servicio
LogBoth = Ambos
LogProposal = Propuesta
LogAdd = añadir { $seconds } s al tiempo de las { $side }
LogTakeBack = retirar { $seconds } s de incremento a las { $side }
LogResult = resultado
StateOpen = abierto
StateExpired = plazo vencido
StateAcknowledged = visto
StateConfirmed = confirmado
StateDismissed = descartado
StateCorrected = corregido
StateEnded = partida terminada
StateWithdrawn = retirado
WordPossible = posible
WordLikely = probable
WordCertain = seguro
FactReason = motivo:
FactSeconds = s añadidos
FactOverturned = no hubo irregularidad
FactClosed = el plazo ha vencido
FactReopened = el plazo corre de nuevo
FactClaim = reclamado por
LogMissed = avisos no se pudieron escribir aquí
LogReading = tras un corte se lee la memoria del tablero, unos 9 s; lo que se juega entretanto sigue después
LogRead = la memoria del tablero ha mostrado lo que se jugó durante el corte
LogUseless = la memoria del tablero no explica la posición; las jugadas del corte se deducen de la posición
PartFails = Una parte del servicio no funciona: { $part }: { $reason }.

## Notifications and the terminal

NobodyGoing = Nadie va
TestMessage = Una prueba: así llegan los avisos.
WatchTable = mesa
WatchBoard = tablero

## Corrections of the record

OtherPositionStands = Ahora rige otra posición; el tablero ha de mostrarla.
Ply = media jugada { $ply }
Plies = medias jugadas { $ply } a { $end }
PlyEntered = Anotado antes de { $plies }: { $moves }.
PlyReplaced = Anotado en lugar de { $plies }: { $moves }.
PlyDeleted = Suprimido: { $plies }.
PlyClash = Después, la media jugada { $ply } ({ $move }) no es legal.
GoesOnElsewhere = La partida { $number } continúa en el tablero { $board }.
GoesOnHere = La partida continúa aquí tras { $plies } medias jugadas, en cuanto el tablero muestre su posición: { $fen }
