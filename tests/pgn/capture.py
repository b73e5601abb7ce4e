"""Writes captures of boards without a clock: whatever position a game begins from, lawful or not, and moves that no
rule allows. Fields are those of a DGT board: number 0 is a8, codes as in the board's messages.

    capture.py DIRECTORY      one capture a game; prints 'CAPTURE<tab>KEY=VALUE<tab>…', the settings of its replay
"""

import random
import sys

import chess

CODES = {"P": 1, "R": 2, "N": 3, "B": 4, "K": 5, "Q": 6, "p": 7, "r": 8, "n": 9, "b": 10, "k": 11, "q": 12}
STEP = 1.5


class Capture:
    def __init__(self):
        self.now, self.lines = 0.0, ["# dgt-capture 1"]
        self.say("! open /dev/ttyACM0")

    def say(self, text, after=0.1):
        self.now += after
        self.lines.append(f"{self.now:.6f} {text}")

    def hear(self, id, data, after=0.1):
        length = len(data) + 3
        raw = [id | 0x80, length >> 7, length & 0x7F, *data]
        self.say("< " + " ".join(f"{byte:02x}" for byte in raw), after)

    def show(self, board):
        self.hear(0x06, [self.code(board, square) for square in self.squares()])

    @staticmethod
    def squares():
        return [chess.square(file, rank) for rank in reversed(range(8)) for file in range(8)]

    @staticmethod
    def code(board, square):
        piece = board.piece_at(square)
        return CODES[piece.symbol()] if piece else 0

    def change(self, before, after):
        """Lifts first, puts down then."""
        changed = [(number, self.code(after, square)) for number, square in enumerate(self.squares())
                   if before.piece_at(square) != after.piece_at(square)]
        delay = STEP
        for number, _ in changed:
            self.hear(0x0E, [number, 0], delay)
            delay = 0.2
        for number, code in changed:
            if code:
                self.hear(0x0E, [number, code], 0.2)


def record(board, moves):
    """Plays moves; a text among them is an illegal one, 'from-to'."""
    capture = Capture()
    capture.hear(0x11, [ord(digit) for digit in "23946"])
    capture.show(board)
    capture.say("< 91 00 08 32 33 39 34 36", 3.0)
    for move in moves:
        before = board.copy()
        if isinstance(move, str):
            source, target = (chess.parse_square(name) for name in move.split("-"))
            board.set_piece_at(target, board.remove_piece_at(source))
            board.turn = not board.turn
        else:
            board.push(move)
        capture.change(before, board)
    capture.say("! close end", 5.0)
    return "\n".join(capture.lines) + "\n"


def at_random(board, count, dice, last=()):
    """Random moves from here, castling as soon as it is possible."""
    start, moves = board.copy(), []
    for _ in range(count):
        legal = list(board.legal_moves)
        if not legal:
            break
        castling = [move for move in legal if board.is_castling(move)]
        moves.append(dice.choice(castling or legal))
        board.push(moves[-1])
    return start, moves + list(last)


STARTS = [
    "4k3/P6p/8/3pP3/8/8/1p5P/R3K2R w KQ d6 0 31",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 6 8",
    "8/2k5/8/8/8/4K3/6Q1/8 b - - 99 120",
]


def main(directory):
    dice = random.Random(8)
    games = []
    for number in (0, 17, 356, 518, 777, 959):
        board = chess.Board.from_chess960_pos(number)
        board.chess960 = True
        games.append((f"chess960-{number}", *at_random(board, 60, dice), ["game.chess960=true"]))
    for number, fen in enumerate(STARTS):
        games.append((f"start-{number}", *at_random(chess.Board(fen), 40, dice), [f"game.fen={fen}"]))
    for name, squares in (("early", ["b1-b4"]), ("later", ["f8-b5", "g1-h5"])):
        board = chess.Board()
        line = [board.push_san(san) for san in ("e4", "e5", "Nf3")] if name == "later" else []
        games.append((f"illegal-{name}", chess.Board(), line + squares, []))
    for name, start, moves, settings in games:
        path = f"{directory}/{name}.dgtcap"
        with open(path, "w", encoding="utf-8") as file:
            file.write(record(start, moves))
        print("\t".join([path, *settings]))


main(*sys.argv[1:])
