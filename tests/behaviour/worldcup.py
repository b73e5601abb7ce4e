"""Real games of a World Cup, played by emulated hands: are moves and results right, and is nobody accused?

worldcup.py pgn GAMES.jsonl         the games as PGN, for `jadoube emulate --pgn`
worldcup.py score JADOUBE DIR       replays the captures of DIR; prints games, games with all moves right, results right
                                    and accusations, as `N games M moves R results A accusations`; complaints on stderr
"""

import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

OFFENCES = {
    "illegal-move", "promotion-not-replaced", "press-without-move", "two-hands-suspect", "game-lost-illegal",
    "game-drawn-illegal", "illegal-position-armed", "illegal-position-draw",
}


def pgn(path):
    """Prints the games; one without a full move has nothing to play."""
    with open(path, encoding="utf-8") as lines:
        for number, game in enumerate(map(json.loads, lines), 1):
            moves = game["moves"]
            if len(moves) < 2:
                continue
            text = " ".join(f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(moves))
            print(f'[Event "{game["round"]}"]\n[White "W{number}"]\n[Black "B{number}"]\n[Result "{game["result"]}"]\n')
            print(f"{text} {game['result']}\n")


def replayed(jadoube, path):
    """Returns the truth of one capture, and the longest game and the accusations of its replay."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    capture = path.with_name(path.name.replace(".truth.json", ".dgtcap"))
    command = [jadoube, "replay", "--format", "jsonl", "--rules", truth["rules"], "--control", truth["control"], capture]
    run = subprocess.run(command, capture_output=True, check=True)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    games = [event for event in events if event["event"] == "game"]
    game = max(games, key=lambda one: len(one["moves"]), default={"moves": [], "result": "*"})
    return truth, game, [event for event in events if event["event"] == "alert" and event["code"] in OFFENCES]


def score(jadoube, directory):
    paths = sorted(pathlib.Path(directory).glob("*.truth.json"))
    moves = results = accusations = 0
    with ThreadPoolExecutor(2) as pool:
        for truth, game, alerts in pool.map(lambda path: replayed(jadoube, path), paths):
            got = [move["uci"] for move in game["moves"]]
            right = got == truth["moves"]
            # A game without a result is written with an asterisk.
            same = game.get("result") == (truth["result"] or "*")
            moves += right
            results += same
            accusations += len(alerts)
            if not (right and same and not alerts):
                reported = [(alert["code"], alert["confidence"]) for alert in alerts]
                print(f"{truth['name']}: moves {right}, result {game.get('result')} of {truth['result']}, {reported}", file=sys.stderr)
    print(f"{len(paths)} games {moves} moves {results} results {accusations} accusations")


match sys.argv[1:]:
    case ["pgn", path]:
        pgn(path)
    case ["score", jadoube, directory]:
        score(jadoube, directory)
    case _:
        sys.exit(__doc__)
