"""The fast position against the naive one, for as long as one likes.

    python -m tests.rules.long_twin [--seconds 300] [--seed 1] [--weak] [FILE...]

Random moves, passes and undo on random sizes under every ko rule, with suicide and without. With
`--weak` hashes have three bits, so that nearly every position shares its one with others: then it
is the comparison of stones that must be right. Prints how many moves were tried. The games of the
files named (SGF, or packed as for `tests.benchmarks.rules`) are played to their ends on both.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from godaemon.rules import position
from godaemon.rules.points import Color, Size
from godaemon.rules.rulesets import RULESETS, Ko
from tests.benchmarks.rules import POSITIONAL, bare, games, ours, playable
from tests.support.naive import NaiveGame
from tests.support.twins import play_twins

_TRIES = 150


def weaken(bits: int) -> None:
    """Have hashes of so few bits that positions share them."""
    vars(position)["_hash"] = lambda cells: hash(tuple(cells)) % 2**bits


def run(seconds: float, seed: int) -> tuple[int, int, int]:
    """Play for so long; returns games, moves tried and legal moves."""
    rng, end = random.Random(seed), monotonic() + seconds
    played = tried = legal = 0
    while monotonic() < end:
        size = Size(
            rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 7)), rng.choice((1, 2, 2, 3, 3, 4, 5, 7))
        )
        ruleset = RULESETS["tromp-taylor"].replace(
            ko=rng.choice(list(Ko)), suicide=rng.random() < 0.5
        )
        legal += play_twins(rng, size, ruleset, _TRIES)
        played, tried = played + 1, tried + _TRIES
    return played, tried, legal


def final_stones(paths: Sequence[Path]) -> tuple[str, str]:
    """A digest of the stones at the ends of all games: of the fast position, and the naive one."""
    records = playable([record for path in paths for record in games(path)])
    fast, naive = hashlib.sha256(), hashlib.sha256()
    for record, played in zip(records, ours(bare(records), POSITIONAL), strict=True):
        fast.update(repr(played.board.cells).encode())
        plain = NaiveGame(record.size, POSITIONAL)
        stones = dict.fromkeys(record.setup_black, Color.BLACK)
        stones |= dict.fromkeys(record.setup_white, Color.WHITE)
        for color, point in record.moves:
            plain.history = [(stones, color)]
            stones = stones if point is None else plain.after(color, point)
        cells = [int(stones.get(played.board.point(at), 0)) for at in range(record.size.points)]
        naive.update(repr(cells).encode())
    return fast.hexdigest()[:12], naive.hexdigest()[:12]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run by the command line, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.long_twin", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    if asked.weak:
        weaken(3)
    if asked.files:
        fast, naive = final_stones(asked.files)
        sys.stdout.write(f"final stones {fast}, naive {naive}\n")
        return int(fast != naive)
    played, tried, legal = run(asked.seconds, asked.seed)
    sys.stdout.write(f"{played:,} games, {tried:,} moves tried, {legal:,} legal: no difference\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
