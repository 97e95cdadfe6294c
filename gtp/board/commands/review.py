"""A look back on the game of a free board, which letters are written from."""

from __future__ import annotations

from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command("godaemon-review", slow=True, local=True)
def review(host: FreeHost, _: Arguments) -> str:
    """Look back on the game so far: who led when, and which moves lost most.

    Fails: `cannot review boards of this size` on those with a side of less than 7 points, or more
        than 19.
    Returns: `leads` and `chances`: Black's lead in points, and chance from 0 to 1, before each move
    and after the last. `expected`, the colour, how many of its moves came to mind first, and of how
    many. `good`, the number of a move that was better than it seemed, colour and vertex. `mistake`
    for up to six that mattered most: number, colour, the points lost, the chance lost, a stone of
    the group whose life hung on it or `-`, the vertex, what was better, and what may follow that.
    Example: `godaemon-review` -> `= leads 0.2 -7.9`, `chances 0.51 0.12` and lines such as
    `mistake 1 black 8.3 0.39 - A1 C3 D4`
    """
    from godaemon.engine import look_back  # noqa: PLC0415 - few sessions ask

    return look_back.written(host.board.review())
