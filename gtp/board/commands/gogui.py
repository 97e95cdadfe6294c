"""GoGui's extensions on a free board (GoGui's manual: "Analyze Commands", "Setup Commands" ...)."""

from __future__ import annotations

from godaemon.errors import Refusal
from godaemon.rules import scoring
from gtp import argument_readers
from gtp.board import gogui_graphics
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments

ANALYZE = (
    "gfx/Show dead stones/godaemon-show_dead",
    "gfx/Show territory and score/godaemon-show_score",
    "gfx/Show liberties/godaemon-show_liberties",
    "gfx/Show the last move/godaemon-show_last",
    "string/Score/final_score",
    "plist/Legal moves/all_legal %m",
    "plist/Liberties of a chain/findlib %p",
    "string/Prisoners of a colour/captures %c",
    "hstring/Moves so far/move_history",
    "varc/What would you play/reg_genmove %c",
    "string/Level (1 to 10)/level %o",
    "string/Rules/kata-get-rules",
    "none/Set rules/kata-set-rules %s",
    "none/Think afresh/clear_cache",
)
"""GoGui's menu: type, label and command, between slashes."""


@FREE.command("gogui-analyze_commands")
def gogui_analyze_commands(_: FreeHost, __: Arguments) -> str:
    """The commands of GoGui's Analyze menu.

    Returns: type/label/command, one a line.
    Example: `gogui-analyze_commands` -> `= gfx/Show dead stones/godaemon-show_dead` and so on
    """
    return "\n".join(ANALYZE)


@FREE.command("gogui-setup")
def gogui_setup(host: FreeHost, arguments: Arguments) -> str:
    """Set stones up on an empty board, which are no moves; Black is to move.

    Arguments: pairs of color and vertex.
    Fails: `board not empty`; `bad vertex list` for a pass, off the board, twice the same vertex or
        a stone without liberties; `syntax error`; and then nothing is set up.
    Example: `gogui-setup b D4 w E5` -> `=`
    """
    if any(host.board.position.board.cells):
        raise Refusal("board not empty")
    host.board.set_up(argument_readers.moves(arguments))
    return ""


@FREE.command("set_position")
def set_position(host: FreeHost, arguments: Arguments) -> str:
    """Replace the board by stones that are set up (KataGo's extension); Black is to move.

    Arguments: pairs of color and vertex; without any the board is empty.
    Fails: `bad vertex list` for a pass, off the board, twice the same vertex or a stone without
        liberties; `syntax error`; and then the board is as it was.
    Example: `set_position b D4 w E5` -> `=`
    """
    host.board.set_up(argument_readers.moves(arguments))
    return ""


@FREE.command("gogui-setup_player")
def gogui_setup_player(host: FreeHost, arguments: Arguments) -> str:
    """Say who is to move where stones were set up.

    Arguments: color.
    Fails: `syntax error`.
    Example: `gogui-setup_player w` -> `=`
    """
    host.board.position.give_turn(argument_readers.color(arguments, 0))
    return ""


@FREE.command("gogui-play_sequence")
def gogui_play_sequence(host: FreeHost, arguments: Arguments) -> str:
    """Play several moves.

    Arguments: pairs of color and vertex, as many as wanted.
    Fails: `illegal move` where one is, `syntax error`; and then none is played.
    Example: `gogui-play_sequence b D4 w Q16 b pass` -> `=`
    """
    host.board.play_all(argument_readers.moves(arguments))
    return ""


@FREE.command("gogui-title")
def gogui_title(host: FreeHost, _: Arguments) -> str:
    """A title for the window.

    Returns: what plays here: the configured engine, or our own player with its level.
    Example: `gogui-title` -> `= godaemon, level 3`
    """
    board = host.board
    return board.plays or f"godaemon, level {board.level}"


@FREE.command("godaemon-show_dead", slow=True)
def show_dead(host: FreeHost, _: Arguments) -> str:
    """Mark the stones that we take for dead, for GoGui.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_dead` -> `= MARK C3 C4`
    """
    return gogui_graphics.dead(host.board.dead())


@FREE.command("godaemon-show_score", slow=True)
def show_score(host: FreeHost, _: Arguments) -> str:
    """Draw both colours' points as they would be counted now, and the dead stones, for GoGui.

    Its words are the score, and what is open still: dame, and areas on which both colours border.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_score` -> `= INFLUENCE A1 1 B1 1` and so on
    """
    from gtp.board_in_words import still_open  # noqa: PLC0415 - programs that play never ask

    board = host.board
    rows = scoring.board_rows(board.position.board, board.dead(), board.ruleset)
    words = gogui_graphics.result_in_words(board.score().margin)
    left = still_open(board.position.board, board.dead())
    return gogui_graphics.territory(rows, f"{words}; open: {left}" if left else words)


@FREE.command("godaemon-show_liberties")
def show_liberties(host: FreeHost, _: Arguments) -> str:
    """Write its liberties on each stone, for GoGui.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_liberties` -> `= LABEL D4 4`
    """
    return gogui_graphics.liberties(host.board.position)


@FREE.command("godaemon-show_last")
def show_last(host: FreeHost, _: Arguments) -> str:
    """Mark the last move, for GoGui.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_last` -> `= CIRCLE D4`
    """
    return gogui_graphics.last(host.board.position)
