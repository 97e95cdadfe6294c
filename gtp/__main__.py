"""`python -m gtp`: our own player in a process of its own, as the daemon starts it."""

from __future__ import annotations

import sys
from pathlib import Path

from godaemon.errors import Refusal
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from gtp.board.stdio import run
from gtp.client.options import USAGE, Misused, options_of, read_options

HELP = """\
Usage: python -m gtp [OPTIONS]

  A free board on standard input and output, on which our own player plays.

Options:
  --level N       How strong it is: from 1 to 10.
  --network FILE  What it thinks by: a network of KataGo's, in place of ours.
  -h, --help      Show this message and exit.
"""


def main(words: list[str]) -> int:
    """Serve standard input until it ends; returns the exit status."""
    try:
        given = read_options(words, options_of(HELP))
        if "--help" in given:
            sys.stdout.write(HELP)
            return 0
        network = given.get("--network")
        board = FreeBoard(network=Path(network) if network else None)
        if "--level" in given:
            board.grade(_number(given["--level"]))
    except (Misused, Refusal) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return USAGE
    return run(sys.stdin.buffer, sys.stdout.buffer, session=BoardSession(board, local=True))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Misused(f"“{text}” is not a level: --level 3")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
