### Why the daemon refuses something. The English sentences are those of the program, word for word, in orders, logs and over the broker.
### Première version faite par machine, à relire par un arbitre francophone.
### Machine-made first version, to be read by a native arbiter.

## Game and claim

game-over = la partie est terminée
there-no-game = il n’y a pas de partie sur cet échiquier
game-has-no = la partie n’a pas de résultat à annuler
game-has-plies = la partie a { $length } demi-coups, il n’y a pas de demi-coup { $ply }
not-move = les { $side } n’ont pas le trait
no-move-write = { $move } n’est pas un coup ; l’écrire comme Nf3 ou g1f3 (N cavalier, B fou, R tour, Q dame)
clock-shows-no = la pendule ne montre pas de drapeau tombé des { $side }
has-no-time = les { $side } n’ont plus de temps non plus ({ $article })
there-no-open = il n’y a pas d’alerte ouverte sur le drapeau des { $side }
quickplay-finish-needs = une fin de partie au KO demande une cadence sans incrément, sa dernière période et une annonce
quickplay-not-blitz = les règles de la fin de partie au KO ne s’appliquent pas en blitz
does-not-have = il ne reste pas moins de deux minutes aux { $side }
laws-know-no = les Règles de { $year } ne connaissent pas de demande d’incrément
say-whose-doing = indiquer à qui c’est imputable : Blancs ou Noirs
laws-have-no = les Règles de { $year } n’ont pas d’article à ce sujet ; le saisir en vos propres termes
incident-needs-reason = un incident demande un motif
no-result-there = { $result } n’est pas un résultat ; il y a { $known }
board-muted-for = un échiquier est mis en sourdine au plus { $seconds } secondes ; ce qui arrive entre-temps n’est pas signalé après
player-given-at = un joueur reçoit au plus { $seconds } secondes ; aucune pendule n’en montre plus
answer-found-by = une réponse est trouvée par une recherche, personne ne la saisit

## Alerts and what is taken back

there-no-alert = il n’y a pas d’alerte { $id } dans cette partie
there-no-alert-2 = il n’y a pas d’alerte { $id }
alert-closed = l’alerte { $id } est close
alert-has-been = l’alerte { $id } a déjà été traitée ainsi
there-no-ruling = il n’y a pas de décision à annuler sur l’alerte { $id }
has-no-penalty = les { $side } n’ont pas de sanction à annuler
say-whose-penalty = indiquer de qui la sanction est annulée : Blancs ou Noirs
say-what-taken = indiquer ce qui est annulé : une saisie, une alerte, une sanction, le résultat ou la sourdine
there-no-order = il n’y a pas de saisie { $id } dans cette partie
order-has-been = la saisie { $id } a déjà été annulée
order-game-game = la saisie { $id } est de la partie { $other } ; la partie { $game } est sur l’échiquier
order-o-has = la saisie o{ $id } a statué depuis sur la même alerte ; l’annuler d’abord
later-order-has = une saisie ultérieure a changé le demi-coup { $ply } ; l’annuler d’abord
moves-have-been = des coups ont été joués depuis cette position ; en établir une autre
game-before-not = la partie précédente n’est plus connue

## The record

ply-taken-out = un demi-coup supprimé n’a pas besoin de coup
move-missing = il manque le coup
are-too-many = c’est trop de coups pour une saisie
game-has-no-moves = la partie n’a pas encore de coups
ply-has-be = le demi-coup doit être entre 1 et { $last }, et non { $ply }
ply-was-seen = le demi-coup { $ply } ({ $move }) a été vu ; saisir plutôt un autre coup à sa place
there-no-path = il n’y a pas de chemin { $number } ; { $others }
these-moves-do = ces coups ne mènent pas à la position qui s’y trouvait ; { $others }
move-no-legal = { $move } n’est pas un coup légal après le demi-coup { $ply } (trait aux Blancs) ; sont légaux { $moves }
move-no-legal-move = { $move } n’est pas un coup légal après le demi-coup { $ply } (trait aux Noirs) ; sont légaux { $moves }
move-no-move = { $move } n’est pas un coup ; l’écrire comme Nf3 ou g1f3
move-may-be = { $move } peut être { $moves }

## A game that goes on elsewhere

what-was-played = ce qui a été joué à l’échiquier { $board } n’est pas connu ici
say-which-game = indiquer quelle partie continue
what-was-played-in = ce qui a été joué dans la partie { $number } n’est plus connu
game-not-on = la partie { $named } n’est pas sur l’échiquier ; c’est la partie { $number }
game-over-2 = la partie { $number } est terminée
game-has-gone = la partie a continué ici ; la faire plutôt continuer ailleurs
order-for-game = la saisie est pour la partie { $game } ; elle changerait la partie { $now } de cet échiquier
order-for-game-and = la saisie est pour la partie { $game }, et la partie { $now } est sur l’échiquier
order-for-board = la saisie est pour l’échiquier { $named }, et celui-ci est { $board }

## Positions

no-position = « { $fen } » n’est pas une position
position-why = « { $fen } » : { $why }
board-shows-no = l’échiquier ne montre pas de position avec un roi de chaque couleur ; donner une FEN
board-has-not = l’échiquier n’a pas dit ce qui s’y trouve maintenant ; le brancher, ou donner une FEN
board-empty = l’échiquier est vide
has-kings-game = les { $side } ont { $number } rois ; il en faut un par camp
pawn-stands-on = un pion se trouve en { $square } ; aucun ne peut être sur la première ou la dernière rangée

## Daemon, ports, other halls

there-no-board = il n’y a pas d’échiquier { $board } sur { $port }
there-no-board-2 = il n’y a pas d’échiquier { $board }
several-boards-share = plusieurs échiquiers partagent { $port } : indiquer pour lequel est la saisie
board-busy = l’échiquier { $board } est occupé ; réessayer dans un instant
board-not-at = l’échiquier { $board } ne travaille pas
board-takes-no = l’échiquier ne prend pas de saisie en ce moment ; elle peut encore être exécutée
program-about-end = le programme est en train de s’arrêter
too-many-orders = trop de saisies à la fois ; la renvoyer
nobody-may-enter = personne ne peut saisir cela
broker-away-nothing = le broker est absent ; rien n’a été envoyé
hall-does-not = la salle ne répond pas ; cela a pu être fait. Son service accepte-t-il des saisies ?
no-order = saisie non valable ({ $why })
order-not-utf = la saisie n’est pas en UTF-8
has-at-most = cela a au plus { $number } octets
rest-request-did = le reste de la requête n’est pas arrivé
too-many-orders-wait = trop de saisies ; attendre un peu

## Web server

needs-arbiter-s = cela demande le jeton de l’arbitre
token-wrong = le jeton est faux
token-wrong-or = le jeton est faux ou révoqué
token-for-screen = ce jeton est pour un écran : il ne peut que regarder
say-whose-tables = indiquer de qui les tables sont confiées
may-only-look = { $name } ne peut que regarder
there-no-arbiter = il n’y a pas d’arbitre { $name }
for-chief-arbiter = c’est réservé à l’arbitre principal
no-session-can = la connexion est impossible ; les messages du service disent pourquoi
has-token-already = { $name } a déjà un jeton ; le révoquer d’abord, puis en créer un autre
no-arbiter-has = aucun arbitre { $name } n’a de jeton
name-has-1 = un nom a 1 à { $number } caractères visibles : pas de fin de ligne, pas de marque de sens d’écriture
name-has-letters = un nom a des lettres d’un seul alphabet : latin, grec ou cyrillique
name-looks-like = { $name } ressemble à { $other }, qui a déjà un jeton ; prendre un nom que l’on puisse distinguer
there-are-arbiters = il y a déjà { $number } arbitres avec un jeton
no-table-and = « { $tables } » n’est ni une table ni une suite de tables, comme dans { $example }
accounts-cannot-be = les comptes ne peuvent être modifiés ; les messages du service disent pourquoi
accounts-cannot-be-read = les comptes ne peuvent être lus en ce moment ; réessayer dans un instant
daemon-has-no = le service n’a pas de jeton auquel comparer ; ses messages disent pourquoi
too-many-wrong = trop de jetons faux ; attendre un peu
too-many-devices = trop d’appareils se connectent avec ce compte ; attendre un peu
phones-are-switched = les téléphones s’activent au poste de leur salle
sign-in-with = se connecter avec son propre jeton : les notifications vont au téléphone d’un arbitre
no-known-push = { $host } n’est pas un service push connu ; si c’en est un, l’ajouter à http.push_services dans la configuration
keys-subscription-are = les clés de l’abonnement ne sont pas comme le veut RFC 8291
phones-cannot-be = les téléphones ne peuvent être enregistrés ; les messages du service disent pourquoi
build-sends-nothing = ce programme est construit sans services push
tables-hall-are = les tables d’une salle se règlent à son propre poste
tables-are-numbered = les tables sont numérotées à partir de 1
board-in-play = on joue à l’échiquier { $board } : sa pendule tourne
has-not-told = { $board } n’a pas donné son numéro de série
tables-cannot-be = les tables ne peuvent être lues ; les messages du service disent pourquoi
tables-cannot-be-written = les tables ne peuvent être écrites ; les messages du service disent pourquoi
not-one-your = cette table n’est pas une des vôtres : { $tables }
pages-other-sites = les pages d’autres sites n’ont pas ce droit
not-if-name = ce n’est pas { $name } ici ; si le nom est juste, l’ajouter à http.hosts dans la configuration
list-cannot-be = la liste ne peut être lue
logs-cannot-be = les journaux ne peuvent être lus
others-look-at = d’autres lisent des enregistrements ; réessayer dans un instant
there-no-capture = il n’y a pas d’enregistrement de ce moment
capture-cannot-be = l’enregistrement ne peut être rejoué
capture-does-not = l’enregistrement ne dit rien de { $id }
there-no-position = il n’y a pas de position
there-no-such = cette page n’existe pas
