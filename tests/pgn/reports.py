"""What a daemon gives of its rounds, read by other programs and compared with what was entered.

usage: reports.py URL DIRECTORY     plays three rounds at a daemon, and leaves its report in DIRECTORY/after.trf
       reports.py --paired DIRECTORY   what bbpPairings has paired after it, DIRECTORY/next: everybody once, against somebody else
"""
import csv
import io
import json
import pathlib
import sys
import time
import unittest
import urllib.error
import urllib.request

import chess.pgn
import trf

TOKEN = "a-token-for-the-test"
PLAYERS = [
    ("Novák, Jiří", 2512, 309001), ("Müller, Änne", 2480, 4600123), ("Łaski, Ewa", 2455, 1112007), ("García Peña, José", 2430, 2200456),
    ("O'Neill, Aoife", 2401, 2500789), ("Đukić, Ana", 2377, 950111), ("Ößwald, Kim", 2350, 4612345), ("Ågren, Åsa", 2333, 1700555),
]
# Who has White against whom, by table, and how it ended.
ROUNDS = [
    [(0, 4, "1-0"), (5, 1, "1-0"), (2, 6, "1/2-1/2"), (7, 3, "-/+")],
    [(3, 0, "1/2-1/2"), (1, 7, "1-0"), (6, 5, "0-1"), (4, 2, "0-0")],
    [(0, 5, "1-0"), (2, 3, "+/-"), (6, 1, "1/2-1/2"), (7, 4, "0-1")],
]
# What a report has for a result: White's letter and Black's, and the points.
LETTERS = {"1-0": "10", "0-1": "01", "1/2-1/2": "==", "0-0": "00", "+/-": "+-", "-/+": "-+"}
POINTS = {"1": 1, "+": 1, "=": 0.5, "0": 0, "-": 0}
MOVES = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6".split()
PATIENCE = 240


def ask(path, body=None, kind="application/json"):
    request = urllib.request.Request(URL + path, data=body, headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": kind})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def eventually(what, look):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"not within {PATIENCE} s: {what}")


def load(number):
    lines = ["round,table,white,white_elo,white_fide_id,black,black_elo,black_fide_id"]
    for table, (white, black, _) in enumerate(ROUNDS[number - 1], 1):
        player = lambda one: '"{}",{},{}'.format(*PLAYERS[one])
        lines.append(f"{number},{table},{player(white)},{player(black)}")
    ask("/api/pairings", ("\n".join(lines) + "\n").encode(), "text/csv")
    names = lambda: [game["white"]["name"] for game in json.loads(ask(f"/api/rounds/{number}"))["games"]]
    wanted = [PLAYERS[white][0] for white, _, _ in ROUNDS[number - 1]]
    eventually(f"round {number}", lambda: number in [one["round"] for one in json.loads(ask("/api/rounds"))] and names() == wanted)


def games_of(player):
    """Opponent, colour and letter in each round."""
    for pairs in ROUNDS:
        for white, black, result in pairs:
            if player in (white, black):
                side = (white, black).index(player)
                yield (white, black)[1 - side], "wb"[side], LETTERS[result][side]


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        load(1)
        # Of the first round the boards play two games, as far as they go.
        def played():
            games = list(read_games(1))
            return len(games) == 4 and all([move.uci() for move in game.mainline_moves()] == MOVES for game in games[:2]) and games
        eventually("both games of the first round", played)
        for number, pairs in enumerate(ROUNDS, 1):
            if number > 1:
                load(number)
            for table, (_, _, result) in enumerate(pairs, 1):
                ask(f"/api/rounds/{number}/results", json.dumps({"table": table, "result": result}).encode())

    def test_trf(self):
        text = ask(f"/api/rounds/{len(ROUNDS)}/results.trf")
        pathlib.Path(DIRECTORY, "after.trf").write_text(text, encoding="utf-8")
        read = trf.loads(text)
        self.assertEqual((read.name, read.city, read.numplayers), ("Öpen Žižkov", "Łódź", len(PLAYERS)))
        self.assertEqual([(player.name, player.rating, player.id) for player in read.players], PLAYERS)
        for index, player in enumerate(read.players):
            expected = list(games_of(index))
            self.assertEqual([(game.startrank - 1, game.color, game.result) for game in player.games], expected, player.name)
            self.assertEqual(player.points, sum(POINTS[letter] for _, _, letter in expected), player.name)
        ranks = sorted(read.players, key=lambda player: player.rank)
        self.assertEqual([player.points for player in ranks], sorted((player.points for player in ranks), reverse=True))

    def test_csv(self):
        for number, pairs in enumerate(ROUNDS, 1):
            rows = list(csv.DictReader(io.StringIO(ask(f"/api/rounds/{number}/results.csv"))))
            found = [(row["white"], row["black"], row["result"], int(row["white_elo"]), int(row["black_fide_id"])) for row in rows]
            expected = [(PLAYERS[white][0], PLAYERS[black][0], result, PLAYERS[white][1], PLAYERS[black][2]) for white, black, result in pairs]
            self.assertEqual(found, expected)

    def test_pgn(self):
        expected = [(PLAYERS[white][0], PLAYERS[black][0], f"1.{table}") for table, (white, black, _) in enumerate(ROUNDS[0], 1)]
        results = ["1-0", "1-0", "1/2-1/2", "0-1"]
        found = lambda: [(game.headers["White"], game.headers["Black"], game.headers["Round"]) for game in read_games(1)]
        eventually("the results in the games", lambda: [game.headers["Result"] for game in read_games(1)] == results)
        self.assertEqual(found(), expected)
        for game in list(read_games(1))[:2]:
            self.assertEqual([move.uci() for move in game.mainline_moves()], MOVES)


def read_games(number):
    try:
        text = io.StringIO(ask(f"/round-{number}/games.pgn"))
    except urllib.error.HTTPError:
        # Nothing of the round is published yet.
        return
    while game := chess.pgn.read_game(text):
        assert not game.errors, game.errors
        yield game


def paired(directory):
    report = trf.loads(pathlib.Path(directory, "after.trf").read_text(encoding="utf-8"))
    count, *lines = pathlib.Path(directory, "next").read_text().split("\n")
    pairs = [tuple(map(int, line.split())) for line in lines if line.strip()]
    assert int(count) == len(pairs) == len(report.players) // 2, pairs
    assert sorted(one for pair in pairs for one in pair) == [player.startrank for player in report.players], pairs
    # Whoever has not come may be paired again: only games that were played count.
    met = {(player.startrank, game.startrank) for player in report.players for game in player.games if game.result in "10="}
    assert not met & set(pairs), (pairs, met)


if sys.argv[1] == "--paired":
    paired(sys.argv[2])
else:
    URL, DIRECTORY = sys.argv[1:]
    pathlib.Path(DIRECTORY).mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
