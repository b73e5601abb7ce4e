#!/usr/bin/env python3
"""Draws what a program printed on a terminal as an SVG, for the README.

    jadoube demo --listen 127.0.0.1:8080 &
    script -qfc 'jadoube watch --url http://127.0.0.1:8080' watch.txt
    tests/desk/terminal.py 'jadoube watch' <watch.txt >src/desk/screenshots/watch.svg

Reads standard input, with the colours that `jadoube watch` uses; drops what `script` adds.
"""

import re
import sys
import xml.sax.saxutils

COLUMNS, SIZE, LEADING = 118, 14, 20
WIDTH = 8.43  # of a character of SIZE
COLOURS = {"0": "#d8dee9", "1;31": "#ff7b72", "33": "#e3b341", "2": "#8b949e"}


def pieces(line):
    """Splits a line into (colour, text)."""
    colour = COLOURS["0"]
    for number, part in enumerate(re.split(r"\x1b\[([\d;]*)m", line)):
        if number % 2:
            colour = COLOURS.get(part or "0", COLOURS["0"])
        elif part:
            yield colour, part


def wrapped(line):
    """Breaks a line as a terminal does: at the last column, whatever stands there."""
    rows, column = [[]], 0
    for colour, text in pieces(line):
        while text:
            if column == COLUMNS:
                rows.append([])
                column = 0
            part, text = text[: COLUMNS - column], text[COLUMNS - column :]
            rows[-1].append((column, colour, part))
            column += len(part)
    return rows


def main():
    prompt = "$ " + " ".join(sys.argv[1:])
    lines = [line.rstrip("\r\n") for line in sys.stdin if not line.startswith("Script ") and line.strip()]
    rows = [row for line in [prompt, *lines] for row in wrapped(line)]
    width, height = COLUMNS * WIDTH + 24, len(rows) * LEADING + 24
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/><g font-family="monospace" font-size="{SIZE}" xml:space="preserve">')
    for number, row in enumerate(rows):
        for column, colour, text in row:
            x, y = 12 + column * WIDTH, 26 + number * LEADING
            long = f'textLength="{len(text) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
            print(f'<text x="{x:.1f}" y="{y}" fill="{colour}" {long}>{xml.sax.saxutils.escape(text)}</text>')
    print("</g></svg>")


if __name__ == "__main__":
    main()
