"""A look back on the game of a free board, and how it stands: letters are written from both."""

from __future__ import annotations

from gtp import argument_readers
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


@FREE.command("godaemon-estimate", slow=True, local=True)
def estimate(host: FreeHost, arguments: Arguments) -> str:
    """Estimate how the game stands: who is ahead, and whose each point will be.

    Arguments: the colour to move.
    Fails: `syntax error`; `cannot estimate boards of this size` on those with a side of less than
        7 points, or more than 19.
    Returns: `lead`, Black's lead in points, and how far from it games usually end. `owned`: for
    each point, row by row from the lower left, from 1 where it will be Black's to -1 for White's.
    Example: `godaemon-estimate black` -> `= lead 3.5 6.0` and a line such as `owned 0.90 -0.25` ...
    """
    from godaemon.engine import estimate as estimates  # noqa: PLC0415 - few sessions ask

    return estimates.written(host.board.estimate(argument_readers.color(arguments, 0)))
