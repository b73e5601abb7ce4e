#!/usr/bin/env bash
# What tests/soak calls good and bad, on figures that are made up: the soak itself takes too long to run here.
source "$(dirname "$0")/../lib.sh"

counted "the verdict of the soak" env TMPDIR="$WORK" python3 -W ignore - <<'END'
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("soak", "tests/soak")
soak = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", loader))
loader.exec_module(soak)

WELL = dict(status=0, wrong=0, silent=0, timed=40, missing=0, false=0, often=0, memory=(1000, 1200), gaps=0, stands=0)
BAD = {
    "the daemon did not end as it should (-9)": dict(status=-9),
    "games are not exact (2)": dict(wrong=2),
    "nothing is reported of boards (1)": dict(silent=1),
    "alerts on presses are missing (3)": dict(missing=3),
    "alerts on presses are missing (1)": dict(timed=0),
    "alerts are not true (1)": dict(false=1),
    "faults are reported again and again (1)": dict(often=1),
    "memory grows (1)": dict(memory=(1000, 1300)),
    "events are missing from the logs (1)": dict(gaps=1),
    "a task stands still (1)": dict(stands=1),
}
TRUE = ["e2e4", "e7e5", "g1f3"]


def log(events):
    """Writes a log of these events."""
    file = pathlib.Path(tempfile.mkdtemp()) / "events.jsonl"
    file.write_text("".join(json.dumps(event) + "\n" for event in events))
    return file


def moves(board, found):
    start = [{"event": "game-start", "board": board}]
    return start + [{"event": "move", "board": board, "ply": ply, "uci": uci, "completed": True} for ply, uci in enumerate(found, 1)]


def seen(events, boards=("1",)):
    """Returns how many first games are exact, wrong, going on, and wrong so far, and of how many boards nothing is reported."""
    return soak.compare(soak.games(log(events)), {board: TRUE for board in boards})[:5]


def alert(code, confidence, **more):
    return {"event": "alert", "state": "open", "board": "1", "game": 1, "code": code, "confidence": confidence} | more


class Verdict(unittest.TestCase):
    def test_all_is_well(self):
        self.assertEqual(soak.verdict(**WELL), [])

    def test_each_figure_counts(self):
        for words, figure in BAD.items():
            self.assertEqual(soak.verdict(**WELL | figure), [words])

    def test_every_figure_is_tried(self):
        self.assertEqual({key for figure in BAD.values() for key in figure}, set(WELL))


class Games(unittest.TestCase):
    def test_a_board_of_which_nothing_is_reported(self):
        self.assertEqual(seen(moves("1", TRUE), ["1", "2"]), (0, 0, 2, 0, 1))
        self.assertEqual(seen([{"event": "game-start", "board": "1"}]), (0, 0, 1, 0, 1))

    def test_a_game_that_goes_on(self):
        # The last move may be in the making.
        self.assertEqual(seen(moves("1", TRUE[:2] + ["g1h3"])), (0, 0, 1, 0, 0))
        self.assertEqual(seen(moves("1", ["d2d4"] + TRUE[1:])), (0, 0, 1, 1, 0))

    def test_a_game_that_is_over(self):
        over = lambda found: [{"event": "game", "board": "1", "moves": [{"uci": uci} for uci in found]}]
        self.assertEqual(seen(moves("1", TRUE) + over(TRUE)), (1, 0, 0, 0, 0))
        self.assertEqual(seen(moves("1", TRUE) + over(TRUE[:2])), (0, 1, 0, 0, 0))


class Alerts(unittest.TestCase):
    def false(self, *alerts, true=()):
        truths = {"1": {"alerts": [{"code": code} for code in true], "further": []}}
        return sum(soak.false_alerts(log(alerts), truths).values())

    def test_those_that_are_true(self):
        self.assertEqual(self.false(alert("illegal-move", "likely"), true=["illegal-move"]), 0)
        self.assertEqual(self.false(alert("illegal-move", "possible")), 0)
        self.assertEqual(self.false(alert("flag", "certain", game=2)), 0)

    def test_those_that_are_not(self):
        self.assertEqual(self.false(alert("illegal-move", "likely")), 1)
        twice = [alert("illegal-move", "likely")] * 2
        self.assertEqual(self.false(*twice, true=["illegal-move"]), 1)
        self.assertEqual(self.false(alert("illegal-move", "certain", game=2)), 1)


class Presses(unittest.TestCase):
    def test_alerts_that_never_came_are_counted(self):
        probes = soak.Probes("boards", "log")
        probes.boards[0].latencies.append((10.0, 0.002))
        probes.boards[1].missed.append(20.0)
        self.assertEqual(probes.report([[15, 25]]), (1, 1))


unittest.main(argv=["soak"])
END
