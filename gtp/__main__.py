"""`python -m gtp [RULES]`: a free board on standard input and output, without the command line."""

from __future__ import annotations

import sys

from godaemon.errors import Unknown
from godaemon.rules.rulesets import named
from gtp.freeboard import FreeBoard
from gtp.freesession import FreeSession
from gtp.stdio import run


def main(words: list[str]) -> int:
    """Serve standard input by the rules that are named, or by the usual ones."""
    try:
        board = FreeBoard(named(words[0])) if words else FreeBoard()
    except Unknown as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    return run(sys.stdin.buffer, sys.stdout.buffer, session=FreeSession(board, local=True))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
