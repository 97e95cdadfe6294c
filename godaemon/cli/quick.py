"""`godaemon gtp` at once: what programs start as their engine for each game, without the library.

The command line's library takes longer to load than everything that a free board needs. Where
anything but a free board may be meant, it is left to `godaemon.cli.gtp`, which does the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

_LEVEL, _CHAT = "--level", "--kgs-chat"


def free_board(words: Sequence[str]) -> int | None:
    """Serve a free board, where the words after `gtp` want no more; returns the exit status.

    It is the daemon's where one runs, unless a level is asked for. None, and nothing has been read
    or written, where the whole command line must be looked at.
    """
    if not words:
        return _usual()
    rest = [word for word in words if word != _CHAT]
    level = _level(rest)
    if rest and level is None:
        return None
    return own_board(level, kgs_chat=_CHAT in words)


def _level(words: Sequence[str]) -> int | None:
    """The level that is all that is asked for; None for any other words."""
    name, _, value = "=".join(words).partition("=")
    known = name == _LEVEL and len(words) <= 2 and value in set(map(str, range(1, 11)))
    return int(value) if known else None


def own_board(level: int | None = None, *, kgs_chat: bool = False) -> int:
    """Serve a board of this very process; returns the exit status."""
    from gtp.board.board_session import BoardSession
    from gtp.board.free_board import FreeBoard
    from gtp.board.stdio import run

    board = FreeBoard() if level is None else FreeBoard(level=level)
    session = BoardSession(board, local=True, options=["kgs-chat"] if kgs_chat else [])
    return run(sys.stdin.buffer, sys.stdout.buffer, session=session)


def _usual() -> int | None:
    """The daemon's board, or one of our own; None where it is not clear whether a daemon runs."""
    from godaemon.config.config_file import gtp_socket
    from godaemon.control import control_client as control
    from godaemon.errors import Busy

    socket = gtp_socket(None, os.environ)
    if socket is None:
        return None
    try:
        if not control.running(socket):
            return own_board()
    except Busy:
        return None
    from gtp.client import relay
    from gtp.client.connect import Unix

    return relay.run(Unix(socket), None, sys.stdin.buffer, sys.stdout.buffer)
