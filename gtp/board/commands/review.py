"""A look back on the game of a free board, which letters are written from."""

from __future__ import annotations

from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command("godaemon-review", slow=True, local=True)
def review(host: FreeHost, _: Arguments) -> str:
    """Look back on the game so far: who led when, and which moves lost most.

    Fails: `cannot review boards of this size` on those with a side of less than 7 points, or more
        than 19.
    Returns: `leads` and Black's lead in points before each move and after the last. Then, each on
    a line and in the game's order, the moves that lost 3 points or more: number, colour, vertex,
    the points lost; and for up to ten, the worst, what was better, with the moves that may follow.
    Example: `godaemon-review` -> `= leads 0.2 0.4 -7.9` and lines such as `2 black A1 8.3 C3 D4`
    """
    from godaemon.engine import look_back  # noqa: PLC0415 - few sessions ask

    return look_back.written(host.board.review())
