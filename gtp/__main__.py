"""`python -m gtp [RULES]`: a free board on standard input and output, without the command line."""

from __future__ import annotations

import sys

from godaemon.rules.rulesets import named
from gtp.freeboard import FreeBoard
from gtp.freesession import FreeSession
from gtp.stdio import run

if __name__ == "__main__":
    board = FreeBoard(named(sys.argv[1])) if len(sys.argv) > 1 else FreeBoard()
    sys.exit(run(sys.stdin.buffer, sys.stdout.buffer, session=FreeSession(board, local=True)))
