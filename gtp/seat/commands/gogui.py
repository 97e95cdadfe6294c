"""GoGui's menus at a seat: what can be clicked there, and the marks drawn on its board.

Types and wildcards as in GoGui's manual, "Analyze Commands". Pure.
"""

from __future__ import annotations

from godaemon.games.model import Game
from godaemon.rules.points import Point
from godaemon.rules.scoring import point_states
from gtp.client.syntax import Arguments
from gtp.seat import clock_words, sentences
from gtp.seat.commands import scoring
from gtp.seat.commands.table import SEAT, answer, counted
from gtp.seat.cursor import Act, Release, SeatCursor, SeatDecision
from gtp.seat.seat_view import SeatView

MENU = (
    "gfx/Show Marks and Count/godaemon-gfx",
    "gfx/Mark Group Dead/godaemon-gfx_dead %p",
    "gfx/Mark One Chain Dead/godaemon-gfx_dead %p only",
    "gfx/Mark Several Dead/godaemon-gfx_dead %P",
    "gfx/Mark Group Alive/godaemon-gfx_alive %p",
    "gfx/Mark Several Alive/godaemon-gfx_alive %P",
    "string/Done: Agree to the Count/godaemon-done",
    "string/Resume: Play On/godaemon-resume",
    "string/Pass/godaemon-pass",
    "string/Resign/godaemon-resign",
    "none/Say to Opponent/godaemon-say %s",
    "none/Note for Myself/godaemon-note %s",
    "hstring/All That Was Said/godaemon-history",
    "string/Ask to Take My Move Back/godaemon-undo",
    "string/Let the Opponent Take Back/godaemon-undo yes",
    "hstring/Game Status/godaemon-status",
    "hstring/Clock/godaemon-clock",
    "hstring/My Games/godaemon-games",
    "hstring/Show Board/showboard",
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "plist/All Legal Moves/all_legal %c",
)
"""Type, label and command of each entry; no label comes twice, and none holds a slash."""


@SEAT.command("gogui-analyze_commands")
def analyze_commands(cursor: SeatCursor, _: SeatView, __: Arguments) -> SeatDecision:
    """The entries of GoGui's menu of analyze commands (GoGui's extension).

    Returns: type, label and command with slashes between, one entry a line.
    Example: `gogui-analyze_commands` -> `= gfx/Show Marks and Count/godaemon-gfx` and so on
    """
    return answer(cursor, "\n".join(MENU))


@SEAT.command("godaemon-gfx")
def gfx(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """Draw dead stones, territory and the last move of the game on GoGui's board.

    Returns: GoGui's graphics commands, one a line.
    Example: `godaemon-gfx` -> `= BLACK A1 B1` and more lines, the last `TEXT B+3.5 ...`
    """
    return counted(cursor, view, drawn(view.game, clock_words.clocks(view)))


@SEAT.command("godaemon-gfx_dead")
def gfx_dead(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Mark groups dead as `godaemon-dead` does, and draw the game's board as `godaemon-gfx` does.

    Arguments: as for `godaemon-dead`.
    Fails: as `godaemon-dead`.
    Returns: GoGui's graphics commands, one a line.
    Example: `godaemon-gfx_dead D4` -> `= BLACK A1 B1` and more lines
    """
    return _drawing(scoring.mark(cursor, view, arguments, dead=True))


@SEAT.command("godaemon-gfx_alive")
def gfx_alive(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Mark groups alive as `godaemon-alive` does, and draw the board as `godaemon-gfx` does.

    Arguments: as for `godaemon-alive`.
    Fails: as `godaemon-alive`.
    Returns: GoGui's graphics commands, one a line.
    Example: `godaemon-gfx_alive D4` -> `= BLACK A1 B1` and more lines
    """
    return _drawing(scoring.mark(cursor, view, arguments, dead=False))


def _drawing(mark: Act | Release) -> SeatDecision:
    if isinstance(mark, Release):
        return mark
    return mark._replace(text=lambda outcome: drawn(outcome.after), shows=True)


def drawn(game: Game, left: str = "") -> str:
    """The board in GoGui's graphics: territory, crosses on dead stones, the last move, the count.

    Points under dead stones are their taker's, as records have them.
    """
    places: dict[str, list[Point]] = {"BLACK": [], "WHITE": [], "MARK": []}
    for point, state in point_states(game.rows()):
        for kind in _SHOWN.get(state, ()):
            places[kind].append(point)
    last = game.position.last
    if last is not None and last.point is not None:
        places["CIRCLE"] = [last.point]
    lines = [f"{kind} {sentences.points(found)}" for kind, found in places.items() if found]
    time = left and f" Time: {left}"
    return "\n".join([*lines, f"TEXT {sentences.counting(game)}{time}"])


_SHOWN = {"B": ("BLACK",), "W": ("WHITE",), "x": ("BLACK", "MARK"), "c": ("WHITE", "MARK")}
"""What is drawn for each state of the seven-state board."""
