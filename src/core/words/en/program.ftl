### The words of log files, notifications, the terminal and corrections of the record.

## Lines of the log files

LogArticle = Art.
LogTable = Table
LogBoard = Board
LogService = Service
LogBoth = Both
LogProposal = Proposal
LogAdd = add { $seconds } s to the time of { $side }
LogTakeBack = take { $seconds } s of increment from { $side }
LogResult = result
StateOpen = open
StateExpired = expired
StateAcknowledged = acknowledged
StateConfirmed = confirmed
StateDismissed = dismissed
StateCorrected = corrected
StateEnded = ended
StateWithdrawn = withdrawn
WordPossible = possible
WordLikely = likely
WordCertain = certain
FactReason = reason:
FactSeconds = s added
FactOverturned = it was no offence
FactClosed = its window has closed
FactReopened = its window is open again
FactClaim = claimed by
LogMissed = alerts could not be written here
LogReading = after an outage the board's own log is read, about 9 s; what is played meanwhile follows
LogRead = the board's own log has reported what was played in the outage
LogUseless = the board's own log does not explain the board; moves of the outage are found from the position
PartFails = A part of the service does not work: { $part }: { $reason }.

## Notifications and the terminal

NobodyGoing = Nobody is going
TestMessage = A test: this is how alerts arrive.
WatchTable = table
WatchBoard = board

## Corrections of the record

OtherPositionStands = Another position stands now; the board has to show it.
Ply = ply { $ply }
Plies = plies { $ply } to { $end }
PlyEntered = Entered before { $plies }: { $moves }.
PlyReplaced = Entered in place of { $plies }: { $moves }.
PlyDeleted = Taken out: { $plies }.
PlyClash = After that, ply { $ply } ({ $move }) is no legal move.
GoesOnElsewhere = Game { $number } goes on at board { $board }.
GoesOnHere = The game goes on here after { $plies } plies, once the board shows its position: { $fen }
