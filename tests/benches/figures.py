"""Reads what the benches print."""

import re


def fastest(output):
    """Returns each counter of the fastest run by bench and unit; a busy machine only ever adds to the others."""
    figures, path = {}, []
    for line in output.splitlines()[1:]:
        if head := re.match(r"((?:│  |   )*)[├╰]─ (\S+)(.*)", line):
            path = [*path[: len(head[1]) // 3], head[2]]
        # Fastest, slowest, median, mean, samples, iterations.
        for cell in line.split("│")[-6:-5]:
            if figure := re.fullmatch(r"([\d.]+ [KMGTP]?)(B/s|item/s)", cell.strip()):
                figures["/".join(path), figure[2]] = figure[1]
    return figures


def number(figure):
    """Reads '1.23 M' as 1,230,000."""
    digits, _, prefix = figure.partition(" ")
    return float(digits) * 1000 ** " KMGTP".index(prefix or " ")
