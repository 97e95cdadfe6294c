"""The fast position against the naive one, for as long as one likes.

    python -m tests.rules.long_twin [--seconds 300] [--seed 1] [--weak]

Random moves, passes and undo on random sizes under every ko rule, with suicide and without. With
`--weak` keys have three bits, so that nearly every position shares its key with others: then it
is the comparison of stones that must be right. Prints how many moves were tried.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from time import monotonic

from godaemon.rules import board, position
from godaemon.rules.points import Size
from godaemon.rules.rulesets import RULESETS, Ko
from tests.support.twins import play_twins

_TRIES = 150


def weaken(bits: int) -> None:
    """Have keys of so few bits that positions share them."""
    strong = board.zobrist

    def weak(size: Size) -> dict[int, tuple[int, ...]]:
        return {color: tuple(key % 2**bits for key in keys) for color, keys in strong(size).items()}

    vars(board)["zobrist"] = vars(position)["zobrist"] = weak


def run(seconds: float, seed: int) -> tuple[int, int, int]:
    """Play for so long; returns games, moves tried and legal moves."""
    rng, end = random.Random(seed), monotonic() + seconds
    games = tried = legal = 0
    while monotonic() < end:
        size = Size(
            rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 7)), rng.choice((1, 2, 2, 3, 3, 4, 5, 7))
        )
        ruleset = RULESETS["tromp-taylor"].replace(
            ko=rng.choice(list(Ko)), suicide=rng.random() < 0.5
        )
        legal += play_twins(rng, size, ruleset, _TRIES)
        games, tried = games + 1, tried + _TRIES
    return games, tried, legal


def main(arguments: Sequence[str] | None = None) -> int:
    """Run by the command line, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.long_twin", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weak", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.weak:
        weaken(3)
    games, tried, legal = run(asked.seconds, asked.seed)
    sys.stdout.write(f"{games:,} games, {tried:,} moves tried, {legal:,} legal: no difference\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
