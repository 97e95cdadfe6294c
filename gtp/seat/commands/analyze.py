"""Our player's thoughts on a game that is over (KataGo's docs/GTP_Extensions.md).

While a game goes on nobody is told anything of it. Lines come while the command runs; whatever is
sent next ends it, an empty line too.
"""

from __future__ import annotations

from godaemon.errors import Refusal
from gtp.client.syntax import Arguments
from gtp.seat.commands.table import SEAT
from gtp.seat.cursor import Analyze, SeatCursor, SeatDecision
from gtp.seat.cursor_steps import position_at
from gtp.seat.seat_view import SeatView

ANALYSES = frozenset(["lz-analyze", "kata-analyze"])
"""What no program is told of while a game goes on: what an analyser looks at it plays first."""
GOES_ON = "no analysis while the game goes on: ask again once it is over"


@SEAT.command("lz-analyze")
@SEAT.command("kata-analyze")
def analyze(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """Think about the board at the cursor, and tell what is thought, until the next line comes.

    It ends by itself after five minutes, and is given to two programs at a time. While the game
    goes on `list_commands` does not name it: what a program looks at it plays first.

    Arguments: as on a free board.
    Fails: while the game goes on; where it is given to others; as on a free board.
    Returns: as on a free board.
    Example: `kata-analyze 50` -> `=` and lines such as `info move D4 visits 90 winrate 0.52` ...
    """
    if not view.game.phase.over:
        raise Refusal(GOES_ON)
    return Analyze(position_at(cursor, view))
