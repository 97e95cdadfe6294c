"""`godaemon gtp` at once: what programs start as their engine for each game, without the library.

The command line's library takes longer to load than everything that a free board needs. Where
anything but a free board of this process may be meant, it is left to `godaemon.cli.gtp`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

_LEVEL = "--level"


def free_board(words: Sequence[str]) -> int | None:
    """Serve a free board, where the words after `gtp` want one and no daemon runs: exit status.

    None, and nothing has been read or written, where the whole command line must be looked at.
    """
    level = _level(words)
    if level is None or _daemon():
        return None
    from gtp.freeboard import FreeBoard
    from gtp.freesession import FreeSession
    from gtp.stdio import run

    board = FreeBoard(level=level) if level else FreeBoard()
    session = FreeSession(board, local=True)
    return run(sys.stdin.buffer, sys.stdout.buffer, session=session)


def _level(words: Sequence[str]) -> int | None:
    """The level that is asked for, 0 where none is; None for any other words."""
    if not words:
        return 0
    name, _, value = "=".join(words).partition("=")
    known = name == _LEVEL and len(words) <= 2 and value in set(map(str, range(1, 11)))
    return int(value) if known else None


def _daemon() -> bool:
    """Whether a daemon runs here, or it is not clear."""
    from godaemon.config import gtp_socket
    from godaemon.control import client as control
    from godaemon.errors import Busy

    socket = gtp_socket(None, os.environ)
    try:
        return socket is None or control.running(socket)
    except Busy:
        return True
