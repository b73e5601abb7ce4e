"""Follows emulated games through the LiveChess interface, as a program does that was written for LiveChess.

It knows nothing but the interface, and stops at the first frame that does not fit: a key too many, a move that is
not legal, a position that the moves do not lead to. Chess itself is python-chess's business.

    play.py URL GAMES.pgn SERIAL...      one connection, one feed a board, one whole game a board
"""

import asyncio
import json
import sys

import chess
import chess.pgn
import websockets

PATIENCE = 600
START = chess.STARTING_BOARD_FEN

NEWS = {"serialnr", "flipped", "board", "clock", "start", "san", "match"}
BOARD = {"serialnr", "source", "state", "battery", "comment", "board", "flipped", "clock"}


def games(name):
    with open(name, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board, san = game.board(), []
            for move in game.mainline_moves():
                san.append(board.san(move))
                board.push(move)
            yield san


def check_clock(clock):
    if clock is None:
        return
    assert list(clock) == ["white", "black", "run", "time"], clock
    assert all(type(clock[key]) is int for key in ("white", "black", "time")), clock
    assert clock["run"] in (True, False, None), clock


class Board:
    """What a client knows of one board."""

    def __init__(self, serial, feed, known):
        self.serial, self.feed, self.known = serial, feed, known
        self.fen = None
        self.setup = None
        self.san, self.sent = [], None
        self.frames = self.matches = self.rewrites = 0
        self.done = None

    def take(self, param):
        assert set(param) <= NEWS and param["serialnr"] == self.serial, param
        assert "board" in param or "clock" in param, param
        assert type(param["flipped"]) is bool, param
        check_clock(param.get("clock"))
        self.frames += 1
        if "board" in param:
            chess.BaseBoard(param["board"])
            self.fen = param["board"]
        assert ("san" in param) == ("start" in param) and ("san" not in param or "match" in param), param
        if "match" not in param:
            return
        assert self.setup is not None and param.get("start", self.setup) == self.setup, param
        # Moves are sent when they have changed: a client was seen that plays the last one of every message.
        sent = param.get("san", self.san)
        assert "san" not in param or self.sent is None or sent != self.sent, param
        self.sent = param.get("san", self.sent)
        board = chess.Board(self.setup)
        for san in sent:
            move = board.parse_san(san)
            assert board.san(move) == san, (san, board.fen())
            board.push(move)
        shown = board.board_fen() == param["board"]
        assert param["match"] in (shown, False) and type(param["match"]) is bool, (param, board.fen())
        self.matches += param["match"]
        self.rewrites += sent[: len(self.san)] != self.san
        self.san = sent
        if any(self.san == game for game in self.known):
            self.done = self.san


class Client:
    def __init__(self, socket, serials, known):
        self.socket, self.calls = socket, 0
        self.waiting = {}
        self.boards = {index: Board(serial, index, known) for index, serial in enumerate(serials)}

    async def receive(self):
        message = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        assert list(message) == ["response", "id", "param", "time"], message
        assert type(message["id"]) is int and type(message["time"]) is int, message
        return message

    async def call(self, name, **param):
        """Calls and takes news until the answer comes."""
        self.calls += 1
        await self.socket.send(json.dumps({"call": name, "id": self.calls, **param}))
        while True:
            message = await self.receive()
            if message["response"] == "feed":
                await self.take(message)
                continue
            assert message["response"] == "call" and message["id"] == self.calls, message
            return message["param"]

    async def take(self, message):
        self.boards[message["id"]].take(message["param"])

    async def follow(self):
        listed = []
        while not all(any(one["serialnr"] == board.serial and one["state"] == "ACTIVE" for one in listed)
                      for board in self.boards.values()):
            listed = await self.call("eboards")
            assert all(set(one) == BOARD for one in listed), listed
            await asyncio.sleep(0.2)
        for board in self.boards.values():
            param = {"feed": "eboardevent", "id": board.feed, "param": {"serialnr": board.serial}}
            assert await self.call("subscribe", param=param) is None
            first = await self.receive()
            assert first["response"] == "feed" and first["id"] == board.feed, first
            assert "board" in first["param"] and "clock" in first["param"], first
            board.take(first["param"])
        while any(board.done is None for board in self.boards.values()):
            message = await self.receive()
            assert message["response"] == "feed", message
            await self.take(message)
            for board in self.boards.values():
                if board.setup is None and board.fen == START:
                    board.setup = chess.STARTING_FEN
                    param = {"id": board.feed, "method": "setup", "param": {"fen": board.setup}}
                    assert await self.call("call", param=param) is None


async def main(url, name, *serials):
    known = list(games(name))
    async with websockets.connect(url, open_timeout=PATIENCE, ping_interval=None) as socket:
        client = Client(socket, serials, known)
        await asyncio.wait_for(client.follow(), PATIENCE)
    for board in client.boards.values():
        print(f"board {board.serial}: {len(board.done)} plies, {board.frames} frames, {board.matches} of them in "
              f"accord with the moves, {board.rewrites} rewrote a move")
    print(f"{len(client.boards)} passed")


asyncio.run(main(*sys.argv[1:]))
