### Why the daemon refuses something. The English sentences are those of the program, word for word, in orders, logs and over the broker.

## Game and claim

game-over = the game is over
there-no-game = there is no game on this board
game-has-no = the game has no result to take back
game-has-plies = the game has { $length } plies, there is no ply { $ply }
not-move = { $side } is not to move
no-move-write = { $move } is no move; write it as Nf3 or g1f3
clock-shows-no = the clock shows no fallen flag of { $side }
has-no-time = { $side } has no time left either ({ $article })
there-no-open = there is no open alert on the flag of { $side }
quickplay-finish-needs = a quickplay finish needs a time control without increment, its last period, and an announcement
quickplay-not-blitz = the rules of the quickplay finish do not apply in blitz
does-not-have = { $side } does not have less than two minutes left
laws-know-no = the Laws of { $year } know no request for an increment
say-whose-doing = say whose doing it was: side white or black
laws-have-no = the Laws of { $year } have no article on this; enter it in your own words
incident-needs-reason = an incident needs a reason
no-result-there = { $result } is no result; there are { $known }
board-muted-for = a board is muted for at most { $seconds } seconds; what happens meanwhile is not reported later
player-given-at = a player is given at most { $seconds } seconds; no clock shows more
answer-found-by = an answer is found by a search, nobody enters it

## Alerts and what is taken back

there-no-alert = there is no alert { $id } in this game
there-no-alert-2 = there is no alert { $id }
alert-closed = alert { $id } is closed
alert-has-been = alert { $id } has been dealt with in this way already
there-no-ruling = there is no ruling on alert { $id } to take back
has-no-penalty = { $side } has no penalty to take back
say-whose-penalty = say whose penalty is taken back: side white or black
say-what-taken = say what is taken back: the id of an order, an alert, or what: penalty, result or mute
there-no-order = there is no order { $id } in this game
order-has-been = order { $id } has been taken back already
order-game-game = order { $id } is of game { $other }; game { $game } is on the board
order-o-has = order o{ $id } has ruled on the same alert since; take that one back first
later-order-has = a later order has changed ply { $ply }; take that one back first
moves-have-been = moves have been played from that position; set another one instead
game-before-not = the game before is not known any more

## The record

ply-taken-out = a ply that is taken out needs no move
move-missing = move is missing
are-too-many = that are too many moves for one order
game-has-no-moves = the game has no moves yet
ply-has-be = ply has to be from 1 to { $last }, not { $ply }
ply-was-seen = ply { $ply } ({ $move }) was seen; enter another move for it instead
there-no-path = there is no path { $number }; { $others }
these-moves-do = these moves do not lead to the position that stood there; { $others }
move-no-legal = move: { $move } is no legal move after ply { $ply } (White to move); legal are { $moves }
move-no-legal-move = move: { $move } is no legal move after ply { $ply } (Black to move); legal are { $moves }
move-no-move = move: { $move } is no move; write it as Nf3, Sf3 or g1f3
move-may-be = move: { $move } may be { $moves }

## A game that goes on elsewhere

what-was-played = what was played at board { $board } is not known here
say-which-game = say which game goes on
what-was-played-in = what was played in game { $number } is not known any more
game-not-on = game { $named } is not on the board; game { $number } is
game-over-2 = game { $number } is over
game-has-gone = the game has gone on here; let it go on elsewhere instead
order-for-game = the order is for game { $game }; it would change game { $now } of this board
order-for-game-and = the order is for game { $game }, and game { $now } is on the board
order-for-board = the order is for board { $named }, and this is board { $board }

## Positions

no-position = '{ $fen }' is no position: { $why }
position-why = '{ $fen }': { $why }
board-shows-no = the board shows no position with one king a side; give a fen
board-has-not = the board has not reported what stands on it now; plug it in, or give a fen
board-empty = the board is empty
has-kings-game = { $side } has { $number } kings; a game needs one a side
pawn-stands-on = a pawn stands on { $square }; none can stand on the first or last rank

## Daemon, ports, other halls

there-no-board = there is no board { $board } on { $port }
there-no-board-2 = there is no board { $board }
several-boards-share = several boards share { $port }: say which board the order is for
board-busy = board { $board } is busy
board-not-at = board { $board } is not at work
board-takes-no = the board takes no orders at present; the order may still be carried out
program-about-end = the program is about to end
too-many-orders = too many orders at a time; send it again
nobody-may-enter = nobody may enter this
broker-away-nothing = the broker is away; nothing was sent
hall-does-not = the hall does not answer; it may have been done. Does its daemon take commands?
no-order = no order: { $why }
order-not-utf = the order is not UTF-8
has-at-most = this has at most { $number } bytes
rest-request-did = the rest of the request did not come
too-many-orders-wait = too many orders; wait a little

## Web server

needs-arbiter-s = this needs the arbiter's token
token-wrong = the token is wrong
token-wrong-or = the token is wrong, or it was revoked
token-for-screen = this token is for a screen: it may look only
say-whose-tables = say whose tables are handed over
may-only-look = { $name } may only look
there-no-arbiter = there is no arbiter { $name }
for-chief-arbiter = this is for the chief arbiter only
no-session-can = no session can be made; the daemon's messages say why
has-token-already = { $name } has a token already; 'jadoube arbiter revoke "{ $again }"' makes it invalid, then another one can be made
no-arbiter-has = no arbiter { $name } has a token; { $who }
name-has-1 = a name has 1 to { $number } characters that can be seen: no line ends, no marks for the direction of writing
name-has-letters = a name has letters of one alphabet: Latin, Greek or Cyrillic
name-looks-like = { $name } looks like { $other }, who has a token already; take a name that others can distinguish from it
there-are-arbiters = there are { $number } arbiters with tokens already
no-table-and = '{ $tables }' is no table and no range of tables, as in { $example }
accounts-cannot-be = the accounts cannot be changed
accounts-cannot-be-read = the accounts cannot be read at present; try again in a moment
daemon-has-no = the daemon has no token to compare with; its messages say why
too-many-wrong = too many wrong tokens; wait a little
too-many-devices = too many devices sign in with this account; wait a little
phones-are-switched = phones are switched on at the desk of their hall
sign-in-with = sign in with an own token: notifications go to an arbiter's phone
no-known-push = { $host } is no known push service; if it is one, add it to http.push_services in the configuration
keys-subscription-are = the keys of the subscription are not as RFC 8291 says
phones-cannot-be = the phones cannot be written down; the daemon's messages say why
build-sends-nothing = this build sends nothing to push services
tables-hall-are = the tables of a hall are set at its own desk
tables-are-numbered = tables are numbered from 1
board-in-play = board { $board } is in play: its clock runs
has-not-told = { $board } has not sent its serial number
tables-cannot-be = the tables cannot be read; the daemon's messages say why
tables-cannot-be-written = the tables cannot be written; the daemon's messages say why
not-one-your = this is not one of your tables: { $tables }
pages-other-sites = pages of other sites may not do this
not-if-name = this is not { $name }; if the name is right, add it to http.hosts in the configuration
list-cannot-be = the list cannot be read
logs-cannot-be = the logs cannot be read
others-look-at = others look at captures; try again in a moment
there-no-capture = there is no capture of that time
capture-cannot-be = the capture cannot be replayed
capture-does-not = the capture has nothing of { $id }
there-no-position = there is no position
there-no-such = there is no such page
