"""Reads games with python-chess, which has to find nothing wrong with them.

    read.py FILE.pgn...      prints what it has found
"""

import sys

import chess.pgn


class Strict(chess.pgn.GameBuilder):
    def handle_error(self, error):
        raise error


def check(game, name):
    headers = game.headers
    where = f"{name}: round {headers.get('Round')}"
    for tag in ("Event", "Site", "Date", "Round", "White", "Black", "Result"):
        assert headers.get(tag), f"{where}: no {tag}"
    assert not game.errors, f"{where}: {game.errors}"
    if "Board" in headers:
        assert headers["Round"].split(".")[1] == headers["Board"], where
    assert ("FEN" in headers) == ("SetUp" in headers), where
    node, plies = game, 0
    while node.variations:
        assert len(node.variations) == 1, where
        node = node.variations[0]
        plies += 1
        if "[%" in node.comment:
            assert node.clock() is not None, f"{where}: {node.comment}"
    board = node.board()
    if headers["Result"] == "*":
        assert not board.is_checkmate(), where
    return plies


games = plies = 0
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file, Visitor=Strict)) is not None:
            plies += check(game, name)
            games += 1
assert games, "no game"
print(f"python-chess: {games} games, {plies} plies")
